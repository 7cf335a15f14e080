/* SPDX-License-Identifier: MIT */
/** \file Bad PTX: refused with a place, never read past; what the reader does not know is named. */
#include "engine_fixture.h"

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"
#define KERNEL(body)                                                                                                   \
    HEAD ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<8>;\n" \
         ".reg .b64 %d<8>;\n" body "\nret;\n}\n"

static ridge_status read_text(const char *text, size_t size, struct ridge_error *error)
{
    struct ridge_context *context = NULL;
    struct rg_ptx *ptx = NULL;
    memset(error, 0, sizeof *error);
    assert_int_equal(ridge_context_create(NULL, &context, NULL), RIDGE_OK);
    const ridge_status status = rg_ptx_read(context, text, size, "bad.ptx", &ptx, error);
    assert_int_equal(error->status, status);
    rg_ptx_destroy(ptx);
    ridge_context_destroy(context);
    return status;
}

static void expect(const char *text, ridge_status status, const char *words)
{
    struct ridge_error error;
    const ridge_status got = read_text(text, strlen(text), &error);
    if (got != status || !strstr(error.message, words)) {
        print_error("status %d, %s:%u: %s\n", (int)got, error.file, error.line, error.message);
    }
    assert_int_equal(got, status);
    assert_non_null(strstr(error.message, words));
}

static void keep_words(void *user, ridge_log_level level, const char *message)
{
    if (level == RIDGE_LOG_WARNING) {
        snprintf(user, 256, "%s", message);
    }
}

/** PTX of a newer target is read; that it is not known is said, once, with its place. */
static void test_unknown_targets(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        const char *words; /* "": nothing is said */
    } cases[] = {
        {"sm_20", ""},
        {"sm_90a", ""},
        {"sm_121f, debug", ""},
        {"sm_9999", "bad.ptx:2: target sm_9999 is not known here (sm_20 to sm_121 are)"},
        {"sm_130a", "bad.ptx:2: target sm_130a is not known here"},
        {"sm_55", "bad.ptx:2: target sm_55 is not known here"},
        {"sm_340000000000", "target sm_340000000000 is not known here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[256] = "";
        char text[256];
        const struct ridge_context_options telling = {.log = keep_words, .log_user = words};
        struct ridge_context *context = NULL;
        struct ridge_error error = {0};
        struct rg_ptx *ptx = NULL;
        snprintf(text, sizeof text, ".version 8.0\n.target %s\n.address_size 64\n.entry k() { ret; }\n",
                 cases[i].target);
        assert_ok(ridge_context_create(&telling, &context, &error), &error);
        assert_ok(rg_ptx_read(context, text, strlen(text), "bad.ptx", &ptx, &error), &error);
        if (cases[i].words[0] == '\0' ? words[0] != '\0' : !strstr(words, cases[i].words)) {
            fail_msg("%s: %s", cases[i].target, words);
        }
        rg_ptx_destroy(ptx);
        ridge_context_destroy(context);
    }
}

static void test_syntax(void **state)
{
    (void)state;
    expect("", RIDGE_E_SYNTAX, "not PTX");
    expect("int main() {}", RIDGE_E_SYNTAX, "not PTX");
    expect(".version seven", RIDGE_E_SYNTAX, "a version should be here");
    expect(".version 12.0\n", RIDGE_E_UNAVAILABLE, "version 12.0 is not known");
    expect(".version 7.0\n.target gfx90a\n", RIDGE_E_UNAVAILABLE, "target gfx90a");
    expect(".version 7.0\n.target sm_80\n.address_size 32\n", RIDGE_E_UNAVAILABLE, "32 bits");
    expect(HEAD "/* never ends", RIDGE_E_SYNTAX, "comment");
    expect(HEAD ".file 1 \"a.cu\n", RIDGE_E_SYNTAX, "string");
    expect(HEAD "\x01", RIDGE_E_SYNTAX, "0x01");
    expect(KERNEL("mov.u32 %r1, 99999999999999999999;"), RIDGE_E_SYNTAX, "does not fit 64 bits");
    expect(KERNEL("mov.u32 %r1, 12abc;"), RIDGE_E_SYNTAX, "not a number");
    expect(KERNEL("mov.u32 %r1 %r2;"), RIDGE_E_SYNTAX, "\",\" should be");
    expect(KERNEL("bra NOWHERE;"), RIDGE_E_SYNTAX, "no label NOWHERE");
    expect(KERNEL("A: A: ret;"), RIDGE_E_SYNTAX, "stands twice");
    expect(KERNEL("{ bra A; A: A: ret; }"), RIDGE_E_SYNTAX, "stands twice");
    expect(KERNEL("bra A; { A: ret; }"), RIDGE_E_SYNTAX, "no label A");
    expect(KERNEL("add.s32 %r1, %r2;"), RIDGE_E_SYNTAX, "2 operands");
    expect(KERNEL("add.s32 %r1, %r2, %d1;"), RIDGE_E_SYNTAX, "64 bits where 32");
    expect(KERNEL("add.s32 %d1, %r2, %r1;"), RIDGE_E_SYNTAX, "no register of 32 bits");
    expect(KERNEL("add.s32 5, %r2, %r1;"), RIDGE_E_SYNTAX, "register that is written");
    expect(KERNEL("mov.u32 %tid.x, %r1;"), RIDGE_E_SYNTAX, "register that is written");
    expect(KERNEL("@%r1 ret;"), RIDGE_E_SYNTAX, "predicate register should be behind @");
    expect(KERNEL("ld.global.v2.u32 {%r1}, [%d1];"), RIDGE_E_SYNTAX, "1 registers where 2");
    expect(KERNEL("st.global.u64 [%d1], %r1;"), RIDGE_E_SYNTAX, "wrong width");
    expect(KERNEL("ld.global.u32 %r1, %d1;"), RIDGE_E_SYNTAX, "in brackets");
    expect(KERNEL("setp.lt.s32 %r1, %r2, %r3;"), RIDGE_E_SYNTAX, "no register");
    expect(KERNEL("call nobody, (%r1);"), RIDGE_E_SYNTAX, "no function");
}

static void test_unknown(void **state)
{
    (void)state;
    expect(KERNEL("frobnicate.u32 %r1, %r2;"), RIDGE_E_UNAVAILABLE, "frobnicate.u32 is not known");
    expect(KERNEL("add.frob.s32 %r1, %r2, %r3;"), RIDGE_E_UNAVAILABLE, "add may not have .frob");
    expect(KERNEL("add.b32 %r1, %r2, %r3;"), RIDGE_E_UNAVAILABLE, "add.b32 is not known");
    expect(KERNEL("tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [t, {%r5, %r6}];"), RIDGE_E_UNAVAILABLE,
           "textures are refused");
    expect(KERNEL("sust.b.2d.b32.trap [s, {%r1, %r2}], %r3;"), RIDGE_E_UNAVAILABLE, "surfaces are refused");
    expect(KERNEL("vadd.u32.u32.u32 %r1, %r2, %r3;"), RIDGE_E_UNAVAILABLE, "video instructions are refused");
    expect(KERNEL("wgmma.fence.sync.aligned;"), RIDGE_E_UNAVAILABLE, "warp group");
    expect(HEAD ".entry child() { ret; }\n.entry k() { .reg .b64 %d; mov.u64 %d, child; ret; }", RIDGE_E_UNAVAILABLE,
           "kernels that launch kernels are refused");
    expect(KERNEL(".reg .b128 %q;"), RIDGE_E_UNAVAILABLE, ".b128");
    expect(KERNEL("mov.u32 %r1, %pm0;"), RIDGE_E_UNAVAILABLE, "%pm0");
    expect(HEAD ".global .texref t;", RIDGE_E_UNAVAILABLE, "textures and surfaces are refused");
    expect(HEAD ".alias a, b;", RIDGE_E_UNAVAILABLE, "directive .alias");
    expect(HEAD ".entry k() .reqnctapercluster 2 { ret; }", RIDGE_E_UNAVAILABLE, "reqnctapercluster");
    expect(HEAD ".func f() { call f; ret; }", RIDGE_E_UNAVAILABLE, "recursion is refused");
    expect(HEAD ".extern .func f();\n.entry k() { call f; ret; }", RIDGE_E_UNAVAILABLE, "no body");
    expect(HEAD ".extern .func free();\n.entry k() { call free; ret; }", RIDGE_E_UNAVAILABLE, "heap of a device");
    expect(HEAD ".extern .func _Z11read_image();\n.entry k() { call _Z11read_image; ret; }", RIDGE_E_UNAVAILABLE,
           "images are refused");
}

static void test_limits(void **state)
{
    (void)state;
    expect(HEAD ".shared .b8 a[99999999999];", RIDGE_E_LIMIT, "4 GiB");
    expect(KERNEL(".reg .b64 %x<99999999>;"), RIDGE_E_LIMIT, "registers in one range");
    static char deep[4096];
    strcpy(deep, HEAD ".entry k() {");
    for (int i = 0; i < 100; i++) {
        strcat(deep, "{");
    }
    expect(deep, RIDGE_E_LIMIT, "nested deeper");
}

static void test_place(void **state)
{
    (void)state;
    struct ridge_error error;
    const char *text = KERNEL("add.s32 %r1, %r2, %r3;\n  frob.u32 %r1;");
    read_text(text, strlen(text), &error);
    assert_int_equal(error.line, 11);
    assert_int_equal(error.column, 3);
    assert_string_equal(error.file, "bad.ptx");
    assert_non_null(strstr(error.source_line, "frob.u32 %r1;"));
}

/** Every prefix of a real file ends in a status, and only a whole item can be OK. */
static void test_truncated(void **state)
{
    (void)state;
    static const char *const names[] = {"histogram.nvcc.ptx", "reduction.clang.ptx", "features.nvcc.ptx"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        static char text[1 << 17];
        char path[512];
        struct ridge_error error;
        snprintf(path, sizeof path, "%s/tests/fixtures/ptx/%s", RG_SOURCE_ROOT, names[n]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        const size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        assert_int_equal(read_text(text, size, &error), RIDGE_OK);
        int depth = 0;
        for (size_t end = 0; end < size; end++) {
            depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
            if (size > 16384 && end % 17 != 0) {
                continue;
            }
            const ridge_status status = read_text(text, end + 1, &error);
            assert_true(status ? error.message[0] != '\0' : depth == 0); /* inside braces it cannot be whole */
        }
    }
}

static void test_bad_launches(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    struct ridge_error error = {0};
    uint32_t word = 0;
    engine_read(&fixture, KERNEL(""));
    engine_buffer(&fixture, &word, 4, true, "p");
    struct rg_engine_run request = engine_request(&fixture, 1, 1, 32, 1);
    assert_int_equal(rg_engine_run(&request, NULL, &error), RIDGE_E_ARGUMENT); /* too few */
    engine_u32(&fixture, 1);
    request = engine_request(&fixture, 1, 1, 4096, 1);
    assert_int_equal(rg_engine_run(&request, NULL, NULL), RIDGE_E_ARGUMENT);
    request = engine_request(&fixture, 0, 1, 32, 1);
    assert_int_equal(rg_engine_run(&request, NULL, NULL), RIDGE_E_ARGUMENT);
    request = engine_request(&fixture, 1, 1, 32, 1);
    request.shared_dynamic_bytes = (uint64_t)1 << 40;
    assert_int_equal(rg_engine_run(&request, NULL, NULL), RIDGE_E_LIMIT);
    request = engine_request(&fixture, 4, 1, 32, 1);
    const uint64_t blocks[] = {1, 1};
    request.blocks = blocks;
    request.block_count = 2;
    assert_int_equal(rg_engine_run(&request, NULL, NULL), RIDGE_E_ARGUMENT);
    request.block_count = 1;
    assert_int_equal(rg_engine_run(&request, &fixture.counts, NULL), RIDGE_OK);
    engine_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_syntax),    cmocka_unit_test(test_unknown_targets), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_limits),    cmocka_unit_test(test_place),           cmocka_unit_test(test_bad_launches),
        cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
