/* SPDX-License-Identifier: MIT */
/** \file Compiled code that uses much of the language (tests/fixtures/ptx/features.cu), against loops in C. */
#include "engine_fixture.h"

static void run_kernel(struct engine_fixture *fixture, const char *name, uint64_t threads)
{
    struct rg_engine_run request = engine_request(fixture, 1, 1, threads, 1);
    request.entry = rg_ptx_entry_find(fixture->ptx, name);
    assert_true(request.entry != SIZE_MAX);
    request.check = true;
    request.count = true;
    engine_go(fixture, &request);
    if (fixture->findings && strcmp(name, "asserts") != 0) {
        print_error("%s\n", fixture->first);
    }
}

/** Run the kernel k of a text with 32 threads; each has a word of its own. */
static void run_text(const char *text, uint32_t out[32])
{
    struct engine_fixture fixture;
    engine_read(&fixture, text);
    engine_buffer(&fixture, out, 32 * sizeof *out, true, "out");
    run_kernel(&fixture, "k", 32);
    assert_int_equal(fixture.findings, 0);
    engine_free(&fixture);
}

/** The alignment of what a parameter points to says nothing about where the parameter lies. */
static void test_pointer_parameters(void **state)
{
    (void)state;
    static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".visible .entry store(.param .u32 value, .param .u64 .ptr .global .align 1 to)\n"
                               "{\n.reg .u32 %r;\n.reg .u64 %d;\nld.param.u32 %r, [value];\n"
                               "ld.param.u64 %d, [to];\nst.global.u32 [%d], %r;\nret;\n}\n";
    struct engine_fixture fixture;
    uint32_t got = 0;
    engine_read(&fixture, text);
    engine_u32(&fixture, 7);
    engine_buffer(&fixture, &got, sizeof got, true, "to");
    run_kernel(&fixture, "store", 1);
    assert_int_equal(fixture.findings, 0);
    assert_int_equal(got, 7);
    engine_free(&fixture);
}

static void test_warps(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    int a[64];
    engine_load(&fixture, "features.nvcc.ptx");
    for (int i = 0; i < 64; i++) {
        a[i] = i * i;
    }
    engine_buffer(&fixture, a, sizeof a, true, "a");
    run_kernel(&fixture, "warps", 64);
    assert_int_equal(fixture.findings, 0);
    for (int i = 0; i < 64; i++) {
        const int lane = i % 32;
        int wanted = 0;
        for (int k = i - lane; k < i - lane + 32; k++) {
            wanted += k * k;
        }
        wanted += 16 + (i < 32) + 2 + 4 + 1 + 1; /* ballot, any, all, match.any, match.all and its predicate */
        int sum = 0;
        for (int k = i - lane; k < i - lane + 32; k++) {
            sum += k;
        }
        wanted += 100 * sum + (lane ? i - 1 : i) + 10 * (lane % 16 < 15 ? i + 1 : i);
        wanted += 32 + 1 + 0; /* count, and, or over the block */
        assert_int_equal(a[i], wanted);
    }
    engine_free(&fixture);
}

static void test_atomics(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    int a[16] = {0, 0, 5, -5, -1, 0, 0, 0, 0, 0};
    float f = 1;
    double d = 1;
    uint64_t u[2] = {0, 0};
    uint16_t h[2] = {0, 0};
    engine_load(&fixture, "features.nvcc.ptx");
    engine_buffer(&fixture, a, sizeof a, true, "a");
    engine_buffer(&fixture, &f, sizeof f, true, "f");
    engine_buffer(&fixture, &d, sizeof d, true, "d");
    engine_buffer(&fixture, u, sizeof u, true, "u");
    engine_buffer(&fixture, h, sizeof h, true, "h");
    run_kernel(&fixture, "atomics", 64);
    assert_int_equal(fixture.findings, 0);
    assert_int_equal(a[0], 2016);
    assert_int_equal(a[1], -2016);
    assert_int_equal(a[2], -63);
    assert_int_equal(a[3], 63);
    assert_int_equal(a[4], 0);
    assert_int_equal(a[5], -1);
    assert_int_equal(a[6], 0);
    assert_int_equal(a[7], 64 % 10);
    assert_int_equal(a[8], (10 - 64 % 10) % 10);
    assert_int_equal(a[9], 64);
    assert_true(f == 33 && d == 17);
    assert_true(u[0] == (uint64_t)64 << 33 && u[1] == (uint64_t)63 << 40);
    assert_int_equal(h[0], 0x5400); /* 64 */
    assert_int_equal(h[1], 0x5800); /* 128 */
    assert_true(fixture.counts.atomic_conflicts > 0);
    engine_free(&fixture);
}

static void test_calls(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    float a[5] = {1, 2, 3, 4, 5};
    float out[64];
    engine_load(&fixture, "features.nvcc.ptx");
    engine_buffer(&fixture, a, sizeof a, false, "a");
    engine_buffer(&fixture, out, sizeof out, true, "out");
    engine_u32(&fixture, 6);
    run_kernel(&fixture, "calls", 64);
    assert_int_equal(fixture.findings, 0);
    for (int i = 0; i < 64; i++) {
        const int odd = i & 1;
        assert_true(out[i] == a[i % 5] + (float)(odd ? i : 0) + (float)(6 + odd) + 8 + 4 + 5);
    }
    engine_free(&fixture);
}

/** A function that is called before it is defined, with its argument in a register; another that is called in a loop. */
static void test_forward_call(void **state)
{
    (void)state;
    static const char text[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n.func (.param .b32 r) later(.param .b32 first, .param .b64 second);\n"
        ".func (.reg .u32 r) plain(.reg .u32 a);\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %q;\n.reg .b32 %r<8>;\n.reg .b64 %d<4>;\n"
        "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\nmov.u32 %r5, 0;\n"
        "AGAIN:\n{\n.param .b32 p0;\n.param .b64 p1;\n.param .b32 r0;\nst.param.b32 [p0], %r1;\nst.param.b64 [p1], %d2;\n"
        "call (r0), later, (p0, p1);\nld.param.b32 %r2, [r0];\n}\ncall (%r3), plain, (%r2);\nadd.u32 %r4, %r4, %r3;\n"
        "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %q, %r5, %r1;\n@%q bra AGAIN;\nst.global.u32 [%d1], %r4;\nret;\n}\n"
        ".func (.param .b32 r) later(.param .b32 a, .param .b64 b)\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
        "ld.param.u32 %r1, [a];\nld.param.u64 %d1, [b];\ncvt.u32.u64 %r2, %d1;\nadd.u32 %r3, %r1, %r2;\nst.param.b32 [r], %r3;\nret;\n}\n"
        ".func (.reg .u32 r) plain(.reg .u32 a)\n{\nadd.u32 r, a, 1;\nret;\n}\n";
    uint32_t out[32] = {0};
    run_text(text, out);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(out[i], (i ? i : 1) * (i + 4 * i + 1));
    }
}

/** Inline assembly in braces brings its labels along, each time it is expanded: a label is of its braces. */
/** A block without a cluster is one; a label that clang puts between the operands of a call is nowhere to go. */
static void test_clusters_and_labels(void **state)
{
    (void)state;
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) printf(.param .b64 f);\n"
        ".func (.param .b32 r) one(.param .b32 a)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [a];\nadd.u32 %r2, %r1, 1;\n"
        "st.param.b32 [r], %r2;\nret;\n}\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<4>;\nld.param.u64 %d1, [p];\n"
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\nmov.u32 %r2, %cluster_nctaid.x;\n"
        "mov.u32 %r3, %clusterid.x;\nmov.u32 %r4, %cluster_ctarank;\nadd.u32 %r1, %r1, %r2;\nadd.u32 %r1, %r1, %r3;\n"
        "add.u32 %r1, %r1, %r4;\n{\n.param .b32 a0;\n.param .b32 r0;\n.param .b64 f0;\nst.param.b32 [a0], %r1;\n"
        "call.uni (r0), \n$L__tmp1:\none, \n(\na0\n);\nld.param.b32 %r5, [r0];\n"
        "call (r0), \n$L__tmp2:\nprintf, (f0, a0);\n}\nst.global.u32 [%d1], %r5;\nret;\n}\n";
    uint32_t out[32] = {0};
    run_text(text, out);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(out[i], i + 2);
    }
}

static void test_labels_of_braces(void **state)
{
    (void)state;
    static const char text[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %q;\n"
        ".reg .b32 %r<8>;\n.reg .b64 %d<4>;\nld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n"
        "add.u64 %d1, %d1, %d2;\nmov.u32 %r4, 0;\nmov.u32 %r5, 0;\n"
        "{\nAGAIN:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %q, %r4, 3;\n@%q bra AGAIN;\n@!%q bra OUT;\nadd.u32 %r4, %r4, 99;\n}\n"
        "add.u32 %r4, %r4, 99;\nOUT:\n"
        "{\nAGAIN:\nadd.u32 %r4, %r4, 10;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %q, %r5, 2;\n@%q bra AGAIN;\n}\n"
        "st.global.u32 [%d1], %r4;\nret;\n}\n";
    uint32_t out[32] = {0};
    run_text(text, out);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(out[i], 23);
    }
}

static void test_choices(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    int a[40];
    int wanted[40];
    engine_load(&fixture, "features.nvcc.ptx");
    for (int i = 0; i < 40; i++) {
        a[i] = (i * 7) % 10;
        const int results[] = {5, i * 7, i / 3, 3 ^ 99, 7, -1, 6 * i, 1000 / (i + 1), 0, 0};
        wanted[i] = results[a[i]];
    }
    engine_buffer(&fixture, a, sizeof a, true, "a");
    run_kernel(&fixture, "choices", 40);
    assert_int_equal(fixture.findings, 0);
    assert_memory_equal(a, wanted, sizeof a);
    assert_true(fixture.counts.divergent_branches > 0);
    engine_free(&fixture);
}

static void test_groups_locals_generics(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    int a[64];
    engine_load(&fixture, "features.nvcc.ptx");
    for (int i = 0; i < 64; i++) {
        a[i] = i;
    }
    engine_buffer(&fixture, a, sizeof a, true, "a");
    run_kernel(&fixture, "groups", 64);
    assert_int_equal(fixture.findings, 0);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(a[i], 120 + 256 * (i / 16));
    }
    engine_u32(&fixture, 21);
    run_kernel(&fixture, "locals", 64);
    assert_int_equal(fixture.findings, 0);
    for (int t = 0; t < 64; t++) {
        int l[32];
        for (int i = 0; i < 32; i++) {
            l[i] = i;
        }
        for (int i = 0; i < 21; i++) {
            l[(l[(i + t) & 31] * 7) & 31] += i;
        }
        assert_int_equal(a[t], l[21]);
        a[t] = 0;
    }
    run_kernel(&fixture, "generics", 64); /* n is odd: the pointer is shared */
    assert_int_equal(fixture.findings, 0);
    assert_int_equal(a[5], 22 * 10 + 1000);
    engine_free(&fixture);
}

static void test_pipeline(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    static _Alignas(16) float a[256];
    float out[256];
    engine_load(&fixture, "features.nvcc.ptx");
    for (int i = 0; i < 256; i++) {
        a[i] = (float)i;
    }
    engine_buffer(&fixture, a, sizeof a, false, "a");
    engine_buffer(&fixture, out, sizeof out, true, "out");
    run_kernel(&fixture, "pipeline", 256);
    assert_int_equal(fixture.findings, 0);
    for (int i = 0; i < 256; i++) {
        assert_true(out[i] == 3 * (float)(255 - i));
    }
    engine_free(&fixture);
}

static void test_asserts(void **state)
{
    (void)state;
    struct engine_fixture fixture;
    int a[32] = {0};
    a[7] = -1;
    engine_load(&fixture, "features.nvcc.ptx");
    engine_buffer(&fixture, a, sizeof a, true, "a");
    run_kernel(&fixture, "asserts", 32);
    assert_int_equal(fixture.by_rule[RG_RULE_TRAP], 1);
    assert_non_null(strstr(fixture.first, "assertion"));
    engine_free(&fixture);
}

/** 2 (a b + c) by wmma; small whole numbers, so that every format holds them exactly. */
static void product(const char *name, int m, int n, int k, size_t bytes, uint64_t (*make)(int value), size_t wide)
{
    struct engine_fixture fixture;
    uint8_t a[32 * 16 * 8];
    uint8_t b[32 * 16 * 8];
    uint8_t c[1024 * 8];
    uint8_t d[1024 * 8] = {0};
    int x[512];
    int y[512];
    for (int i = 0; i < m * k; i++) {
        x[i] = (i * 5) % 7 - 3;
        const uint64_t bits = make(x[i]);
        memcpy(a + (size_t)i * bytes, &bits, bytes);
    }
    for (int i = 0; i < n * k; i++) {
        y[i] = (i * 3) % 5 - 2;
        const uint64_t bits = make(y[i]);
        memcpy(b + (size_t)i * bytes, &bits, bytes);
    }
    for (int i = 0; i < m * n; i++) {
        const float single = (float)(i % 9);
        const double twice = i % 9;
        const int whole = i % 9;
        const uint64_t bits = wide == 2 ? make(whole) : 0;
        memcpy(c + (size_t)i * wide,
               wide == 2    ? (const void *)&bits
               : wide == 8  ? (const void *)&twice
               : bytes == 1 ? (const void *)&whole
                            : (const void *)&single,
               wide);
    }
    engine_load(&fixture, "features.nvcc.ptx");
    engine_buffer(&fixture, a, (uint64_t)(m * k) * bytes, false, "a");
    engine_buffer(&fixture, b, (uint64_t)(n * k) * bytes, false, "b");
    engine_buffer(&fixture, c, (uint64_t)(m * n) * wide, false, "c");
    engine_buffer(&fixture, d, (uint64_t)(m * n) * wide, true, "d");
    run_kernel(&fixture, name, 32);
    assert_int_equal(fixture.findings, 0);
    for (int row = 0; row < m; row++) {
        for (int column = 0; column < n; column++) {
            int sum = (row * n + column) % 9;
            for (int i = 0; i < k; i++) {
                sum += x[row * k + i] * y[column * k + i];
            }
            const float single = (float)(2 * sum);
            const double twice = 2 * sum;
            const int whole = 2 * sum;
            const uint64_t bits = wide == 2 ? make(whole) : 0;
            const void *wanted = wide == 2    ? (const void *)&bits
                                 : wide == 8  ? (const void *)&twice
                                 : bytes == 1 ? (const void *)&whole
                                              : (const void *)&single;
            assert_memory_equal(d + (size_t)(row * n + column) * wide, wanted, wide);
        }
    }
    assert_true(fixture.counts.warp_instructions[RG_CLASS_MATRIX] >= 1);
    engine_free(&fixture);
}

/* Whole numbers up to 2048 in each format. */
static uint64_t make_half(int value)
{
    uint64_t bits = value < 0 ? 0x8000 : 0;
    int magnitude = value < 0 ? -value : value;
    int exponent = 25;
    while (magnitude && magnitude < 1024) {
        magnitude *= 2;
        exponent--;
    }
    return magnitude ? bits | (uint64_t)(exponent << 10) | (uint64_t)(magnitude - 1024) : bits;
}

static uint64_t make_bf16(int value)
{
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits >> 16;
}

static uint64_t make_f32(int value)
{
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static uint64_t make_f64(int value)
{
    const double f = value;
    uint64_t bits;
    memcpy(&bits, &f, 8);
    return bits;
}

static uint64_t make_s8(int value)
{
    return (uint8_t)(int8_t)value;
}

static void test_wmma(void **state)
{
    (void)state;
    product("half_16_16", 16, 16, 16, 2, make_half, 4);
    product("half_half", 16, 16, 16, 2, make_half, 2);
    product("half_32_8", 32, 8, 16, 2, make_half, 4);
    product("half_8_32", 8, 32, 16, 2, make_half, 4);
    product("bf16_16_16", 16, 16, 16, 2, make_bf16, 4);
    product("bf16_32_8", 32, 8, 16, 2, make_bf16, 4);
    product("bf16_8_32", 8, 32, 16, 2, make_bf16, 4);
    product("s8_16_16", 16, 16, 16, 1, make_s8, 4);
    product("f64_8_8", 8, 8, 4, 8, make_f64, 8);
    product("tf32_16_16", 16, 16, 8, 4, make_f32, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pointer_parameters),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_pipeline),
        cmocka_unit_test(test_groups_locals_generics),
        cmocka_unit_test(test_asserts),
        cmocka_unit_test(test_wmma),
        cmocka_unit_test(test_forward_call),
        cmocka_unit_test(test_labels_of_braces),
        cmocka_unit_test(test_clusters_and_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
