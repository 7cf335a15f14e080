/* SPDX-License-Identifier: MIT */
/** \file backend/opencl on a real device, PoCL as a rule. Exits 77 when there is none. */
#include "backend_test.h"

#include <sys/stat.h>

#include "backend/opencl.h"

static const struct rg_launch unit_launch = {.dimensions = 1, .grid = {1}, .block = {1}};

static const char scale_source[] =
    "__kernel void scale(__global const float *in, __global float *out, int n, float by)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) {\n"
    "        out[i] = in[i] * by + SHIFT;\n"
    "    }\n"
    "}\n";

struct scale {
    struct rg_shape shapes[4];
    uint64_t scalars[4];
    struct rg_launch launch;
};

/** n = 1000 in blocks of 24: BP-110, 42 blocks cover it and the global size is a multiple of the local one. */
static void scale_init(struct scale *scale)
{
    const float by = 3;
    uint32_t by_bits;
    memcpy(&by_bits, &by, sizeof by_bits);
    *scale = (struct scale){
        .shapes = {buffer_shape("in", "float", "float", 4, 1000), buffer_shape("out", "float", "float", 4, 1000),
                   scalar_shape("n", "int", "int", 4), scalar_shape("by", "float", "float", 4)},
        .scalars = {0, 0, 1000, by_bits},
        .launch = {.dimensions = 1, .grid = {42}, .block = {24}},
    };
    scale->launch.scalars = scale->scalars;
}

static void expect_scaled(struct bench *bench, struct rg_kernel *kernel, const struct scale *scale, float shift)
{
    float in[1000];
    float out[1000];
    for (int i = 0; i < 1000; i++) {
        in[i] = (float)i;
    }
    assert_ok(bench->backend->buffer_write(bench->session, 0, in, &bench->error), &bench->error);
    const double seconds = bench_launch(bench, kernel, &scale->launch);
    assert_true(seconds > 0 && seconds < 60);
    assert_int_equal(bench->trouble.outcome, RIDGE_OUTCOME_OK);
    assert_ok(bench->backend->buffer_read(bench->session, 1, out, &bench->error), &bench->error);
    for (int i = 0; i < 1000; i++) {
        assert_true(out[i] == 3 * in[i] + shift);
    }
    assert_ok(bench->backend->guards_check(bench->session, &bench->trouble, &bench->error), &bench->error);
    assert_int_equal(bench->trouble.outcome, RIDGE_OUTCOME_OK);
}

static void test_runs_and_reads_back(void **state)
{
    (void)state;
    struct scale scale;
    struct bench bench;
    struct rg_kernel *kernel;
    const struct rg_macro macros[] = {{"SHIFT", "1.5f", false}, {"block_x", "24", true}};
    const struct rg_macro odd[] = {{"SHIFT", "((float)(2 < 3) * 4)", false}, {"TEXT", "\"a b\"", false}};
    scale_init(&scale);
    bench_open(&bench, &rg_backend_opencl, scale_source, "scale", scale.shapes, 4);
    assert_ok(bench_build(&bench, macros, 2, &scale.launch, &kernel), &bench.error);
    assert_non_null(kernel);
    expect_scaled(&bench, kernel, &scale, 1.5F);
    bench.backend->kernel_destroy(bench.session, kernel);
    /* Values that an option could not carry. */
    assert_ok(bench_build(&bench, odd, 2, &scale.launch, &kernel), &bench.error);
    assert_string_equal(rg_buffer_text(&bench.text), "");
    expect_scaled(&bench, kernel, &scale, 4.0F);
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

static size_t programs_built(const struct bench *bench)
{
    size_t count = 0;
    for (size_t i = 0; i < RG_OPENCL_PROGRAMS; i++) {
        count += bench->session->programs[i].program != NULL;
    }
    return count;
}

/** Configurations that differ only in a launch dimension share a program, unless the source may see it. */
static void test_programs_are_shared(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        size_t programs;
    } rows[] = {
        {"__kernel void f(void) { }", 1},
        {"__kernel void f(void) { int my_block_x = 1; }", 1},
        {"__kernel void f(void) { int x = block_x; }", 4},
        {"#define AXIS(a) block_##a\n__kernel void f(void) { int x = AXIS(x); }", 4},
        {"#include \"seen.h\"\n__kernel void f(void) { int x = SEEN; }", 4},
        {"__kernel void f(void) { int x = HALF; }", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench;
        char header[128];
        bench_init(&bench, &rg_backend_opencl, rows[i].source, "f", NULL, 0);
        snprintf(header, sizeof header, "%s/seen.h", bench.folder);
        write_text(header, "#define SEEN block_x\n");
        assert_ok(bench.backend->open(&bench.request, &bench.session, &bench.error), &bench.error);
        for (unsigned block = 1; block <= 4; block++) {
            struct rg_kernel *kernel;
            char value[16];
            snprintf(value, sizeof value, "%u", block);
            const struct rg_macro macros[] = {{"block_x", value, true}, {"HALF", i == 5 ? "(block_x/2)" : "1", false}};
            assert_ok(bench_build(&bench, macros, 2, &unit_launch, &kernel), &bench.error);
            assert_string_equal(rg_buffer_text(&bench.text), "");
            assert_non_null(kernel);
            bench.backend->kernel_destroy(bench.session, kernel);
        }
        assert_int_equal(programs_built(&bench), rows[i].programs);
        bench_close(&bench);
    }
}

/** More programs than are kept: old ones go, and come again when asked for. */
static void test_programs_are_dropped(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, &rg_backend_opencl, "__kernel void f(void) { int x = N; }", "f", NULL, 0);
    struct rg_kernel *first = NULL;
    for (int i = 0; i < RG_OPENCL_PROGRAMS + 2; i++) {
        struct rg_kernel *kernel;
        char value[16];
        snprintf(value, sizeof value, "%d", i);
        const struct rg_macro macro = {"N", value, false};
        assert_ok(bench_build(&bench, &macro, 1, &unit_launch, &kernel), &bench.error);
        assert_non_null(kernel);
        if (i == 0) {
            first = kernel;
        } else {
            bench.backend->kernel_destroy(bench.session, kernel);
        }
    }
    assert_int_equal(programs_built(&bench), RG_OPENCL_PROGRAMS);
    bench_launch(&bench, first, &unit_launch); /* outlives its program's slot */
    assert_int_equal(bench.trouble.outcome, RIDGE_OUTCOME_OK);
    bench.backend->kernel_destroy(bench.session, first);
    bench_close(&bench);
}

static void test_source_that_does_not_compile(void **state)
{
    (void)state;
    struct scale scale;
    struct bench bench;
    struct rg_kernel *kernel;
    const struct rg_macro quoted[] = {{"TEXT", "\"a b\"", false}, {"MORE", "1 + 1", false}};
    const struct rg_macro broken = {"SHIFT", "1\n2", false};
    scale_init(&scale);
    bench_open(&bench, &rg_backend_opencl, scale_source, "scale", scale.shapes, 4);
    /* The prelude of macros does not shift the lines of the log. */
    assert_ok(bench_build(&bench, quoted, 2, &scale.launch, &kernel), &bench.error);
    assert_null(kernel);
    assert_trouble(&bench, RIDGE_OUTCOME_COMPILE, "kernel source.c:5:");
    const size_t first_line = strcspn(rg_buffer_text(&bench.text), "\n");
    assert_non_null(memmem(rg_buffer_text(&bench.text), first_line, "error:", 6));
    assert_true(bench.text.length > first_line + 10);
    assert_ok(bench_build(&bench, &broken, 1, &scale.launch, &kernel), &bench.error);
    assert_trouble(&bench, RIDGE_OUTCOME_COMPILE, "the value of SHIFT cannot be a macro");
    const struct rg_macro good = {"SHIFT", "0", false};
    assert_ok(bench_build(&bench, &good, 1, &scale.launch, &kernel), &bench.error);
    assert_non_null(kernel);
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

/** One source for all cases: the driver compiles it once. */
static const char entries_source[] = "struct pair { float a, b; };\n"
                                     "__kernel void one(__global float *a) {}\n"
                                     "__kernel void ints(__global int *a) {}\n"
                                     "__kernel void doubles(__global double *a) {}\n"
                                     "__kernel void in_local(__local float *a) {}\n"
                                     "__kernel void by_value(float a) {}\n"
                                     "__kernel void real(__global float *a, float n) {}\n"
                                     "__kernel void wide(__global float *a, int4 n) {}\n"
                                     "__kernel void pointer(__global float *a, __global int *n) {}\n"
                                     "__kernel void whole(__global float *a, int n) {}\n"
                                     "__kernel void vectors(__constant float4 *a, uint n) {}\n"
                                     "__kernel void pairs(__global struct pair *a, int n) {}\n";

static void refused(const char *source, const char *entry, const struct rg_shape *shapes, size_t count,
                    ridge_status status, const char *says)
{
    struct bench bench;
    struct rg_kernel *kernel;
    bench_open(&bench, &rg_backend_opencl, source, entry, shapes, count);
    assert_int_equal(bench_build(&bench, NULL, 0, &unit_launch, &kernel), status);
    if (status == RIDGE_OK) {
        assert_int_equal(bench.trouble.outcome, RIDGE_OUTCOME_OK);
        assert_non_null(kernel);
    } else {
        assert_null(kernel);
        assert_error_says(&bench.error, says);
        assert_error_says(&bench.error, "kernel source.c: ");
    }
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

static void test_entry(void **state)
{
    (void)state;
    refused(entries_source, "vector", NULL, 0, RIDGE_E_NAME, "no kernel 'vector' in it (did you mean vectors? it has ");
    refused(entries_source, "quite_different", NULL, 0, RIDGE_E_NAME, "no kernel 'quite_different' in it (it has ");
    refused("int scale(void) { return 1; }", "scale", NULL, 0, RIDGE_E_NAME, "there is no kernel 'scale'");
}

static void test_arguments(void **state)
{
    (void)state;
    const struct rg_shape floats = buffer_shape("data", "float", "float", 4, 4);
    const struct rg_shape two[] = {floats, scalar_shape("n", "int", "int", 4)};
    const struct rg_shape local[] = {floats, {.kind = RG_SHAPE_LOCAL, .name = "tile"}};
    const struct {
        const char *entry;
        const struct rg_shape *shapes;
        size_t count;
        ridge_status status;
        const char *says;
    } rows[] = {
        {"one", two, 2, RIDGE_E_VALUE, "'one' takes 1 arguments, but the spec gives it 2"},
        {"ints", two, 1, RIDGE_E_VALUE,
         "argument 1 of 'ints' is __global int*, but the spec gives it a buffer of float ('data')"},
        {"doubles", two, 1, RIDGE_E_VALUE, "__global double*"},
        {"in_local", two, 1, RIDGE_E_VALUE, "is __local float*"},
        {"by_value", two, 1, RIDGE_E_VALUE, "is float, but"},
        {"real", two, 2, RIDGE_E_VALUE, "argument 2 of 'real' is float, but the spec gives it the scalar int ('n')"},
        {"wide", two, 2, RIDGE_E_VALUE, "is int4"},
        {"pointer", two, 2, RIDGE_E_VALUE, "is __global int*"},
        {"whole", local, 2, RIDGE_E_VALUE, "local memory ('tile')"},
        /* The same bits: sign, vectors, constant memory, structures. */
        {"vectors", two, 2, RIDGE_OK, ""},
        {"pairs", two, 2, RIDGE_OK, ""},
        {"whole", two, 2, RIDGE_OK, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        refused(entries_source, rows[i].entry, rows[i].shapes, rows[i].count, rows[i].status, rows[i].says);
    }
}

/** Launch a kernel that writes at `index` of 4 ints, and look at the guard zones. */
static void write_at(struct bench *bench, struct rg_kernel *kernel, int index, const char *says)
{
    const uint64_t scalars[] = {0, (uint32_t)index};
    struct rg_launch launch = unit_launch;
    launch.scalars = scalars;
    bench_launch(bench, kernel, &launch);
    assert_guards(bench, says);
}

static void test_guards(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    const struct rg_shape shapes[] = {buffer_shape("victim", "int", "int", 4, 4), scalar_shape("i", "int", "int", 4)};
    const uint64_t scalars[] = {0, 0};
    struct rg_launch launch = unit_launch;
    launch.scalars = scalars;
    bench_open(&bench, &rg_backend_opencl, "__kernel void f(__global int *a, int i) { a[i] = 7; }", "f", shapes, 2);
    assert_ok(bench_build(&bench, NULL, 0, &launch, &kernel), &bench.error);
    write_at(&bench, kernel, 3, NULL);
    write_at(&bench, kernel, 4, "4 bytes behind 'victim', the nearest 1 bytes from its end");
    write_at(&bench, kernel, 1000, "the nearest 3985 bytes from its end");
    write_at(&bench, kernel, -1, "4 bytes before 'victim', the nearest 1 bytes from its beginning");
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

/** Build and expect the configuration to be refused as unlaunchable. */
static void unlaunchable(struct bench *bench, const struct rg_launch *launch, const char *says)
{
    struct rg_kernel *kernel;
    assert_ok(bench_build(bench, NULL, 0, launch, &kernel), &bench->error);
    assert_null(kernel);
    assert_trouble(bench, RIDGE_OUTCOME_UNLAUNCHABLE, says);
}

static void keep_facts(void *user, const struct rg_device_facts *facts)
{
    struct rg_device_facts *kept = user;
    if (kept->selector[0] == '\0') {
        *kept = *facts;
    }
}

static void test_limits(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_device_facts facts = {0};
    char want[128];
    bench_open(&bench, &rg_backend_opencl,
               "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(void) {}\n"
               "__kernel void f(void) {}",
               "f", NULL, 0);
    assert_ok(bench.backend->enumerate(bench.context, keep_facts, &facts, &bench.error), &bench.error);
    struct rg_launch launch = {.dimensions = 1, .grid = {1}, .block = {facts.max_block[0] + 1}};
    snprintf(want, sizeof want, "(the device's limit is %llu)", (unsigned long long)facts.max_block[0]);
    unlaunchable(&bench, &launch, want);
    launch = (struct rg_launch){.dimensions = 2, .grid = {1, 1}, .block = {facts.max_block_threads, 2}};
    snprintf(want, sizeof want, "the block has %llu threads (the ", 2 * (unsigned long long)facts.max_block_threads);
    unlaunchable(&bench, &launch, want);
    launch = (struct rg_launch){.dimensions = 1, .grid = {UINT64_MAX / 2}, .block = {4}};
    unlaunchable(&bench, &launch, "more than the device can count");
    launch = (struct rg_launch){.dimensions = 2, .grid = {1, 0}, .block = {4, 4}};
    unlaunchable(&bench, &launch, "grid_y is 0 blocks");
    bench.backend->close(bench.session);
    bench.request.entry = "fixed";
    bench_calm(&bench);
    assert_ok(bench.backend->open(&bench.request, &bench.session, &bench.error), &bench.error);
    launch = (struct rg_launch){.dimensions = 1, .grid = {1}, .block = {8}};
    unlaunchable(&bench, &launch, "the block is 8 x 1 x 1 threads (the kernel's reqd_work_group_size is 4 x 2 x 1)");
    struct rg_kernel *kernel;
    launch = (struct rg_launch){.dimensions = 2, .grid = {1, 1}, .block = {4, 2}};
    assert_ok(bench_build(&bench, NULL, 0, &launch, &kernel), &bench.error);
    assert_non_null(kernel);
    /* A launch is checked like a build. */
    launch.block[1] = 4;
    bench_launch(&bench, kernel, &launch);
    assert_trouble(&bench, RIDGE_OUTCOME_UNLAUNCHABLE, "reqd_work_group_size");
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

/** BP-112: local memory, declared and given as an argument, against the device's. */
static void test_local_memory(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    struct rg_device_facts facts = {0};
    char source[512];
    const struct rg_shape shapes[] = {buffer_shape("out", "int", "int", 4, 1),
                                      {.kind = RG_SHAPE_LOCAL, .name = "tile"}};
    uint64_t scalars[] = {0, 64};
    struct rg_launch launch = {.dimensions = 1, .grid = {1}, .block = {2}, .scalars = scalars};
    bench_init(&bench, &rg_backend_opencl, "", "f", shapes, 2);
    assert_ok(bench.backend->enumerate(bench.context, keep_facts, &facts, &bench.error), &bench.error);
    snprintf(source, sizeof source,
             "__kernel void f(__global int *out, __local int *tile) {\n"
             "    __local int own[%llu];\n    own[get_local_id(0)] = 5; tile[get_local_id(0)] = 6;\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n    out[0] = own[1] + tile[1];\n}\n",
             (unsigned long long)facts.local_memory_bytes / 8);
    bench.request.source_text = source;
    assert_ok(bench.backend->open(&bench.request, &bench.session, &bench.error), &bench.error);
    assert_ok(bench_build(&bench, NULL, 0, &launch, &kernel), &bench.error);
    int out = 0;
    bench_launch(&bench, kernel, &launch);
    assert_ok(bench.backend->buffer_read(bench.session, 0, &out, &bench.error), &bench.error);
    assert_int_equal(out, 11);
    bench.backend->kernel_destroy(bench.session, kernel);
    scalars[1] = facts.local_memory_bytes / 2 + 1;
    unlaunchable(&bench, &launch, "bytes of local memory");
    char want[64];
    snprintf(want, sizeof want, "(the device's limit is %llu)", (unsigned long long)facts.local_memory_bytes);
    unlaunchable(&bench, &launch, want);
    scalars[1] = 0;
    unlaunchable(&bench, &launch, "the local memory 'tile' is 0 bytes");
    bench_close(&bench);
}

static void test_too_much_memory(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_device_facts facts = {0};
    struct rg_shape shapes[64] = {0};
    bench_init(&bench, &rg_backend_opencl, scale_source, "scale", shapes, 1);
    assert_ok(bench.backend->enumerate(bench.context, keep_facts, &facts, &bench.error), &bench.error);
    shapes[0] = buffer_shape("one", "char", "char", 1, facts.max_allocation_bytes + 1);
    char want[128];
    snprintf(want, sizeof want, "'one' has %llu bytes, more than the device allocates at once (%llu)",
             (unsigned long long)facts.max_allocation_bytes + 1, (unsigned long long)facts.max_allocation_bytes);
    assert_int_equal(bench.backend->open(&bench.request, &bench.session, &bench.error), RIDGE_E_LIMIT);
    assert_error_says(&bench.error, want);
    for (size_t i = 0; i < 64; i++) {
        shapes[i] = buffer_shape("many", "char", "char", 1, facts.max_allocation_bytes);
    }
    bench.request.shape_count = 64;
    bench_calm(&bench);
    assert_int_equal(bench.backend->open(&bench.request, &bench.session, &bench.error), RIDGE_E_LIMIT);
    snprintf(want, sizeof want, "more than the device's memory (%llu)", (unsigned long long)facts.memory_bytes);
    assert_error_says(&bench.error, want);
    bench_close(&bench);
}

static void test_no_such_device(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, &rg_backend_opencl, scale_source, "scale", NULL, 0);
    bench.request.platform_index = 30;
    assert_int_equal(bench.backend->open(&bench.request, &bench.session, &bench.error), RIDGE_E_UNAVAILABLE);
    assert_error_says(&bench.error, "there is no OpenCL platform 30 (0 to ");
    bench.request.platform_index = 0;
    bench.request.device_index = 60;
    bench_calm(&bench);
    assert_int_equal(bench.backend->open(&bench.request, &bench.session, &bench.error), RIDGE_E_UNAVAILABLE);
    assert_error_says(&bench.error, "OpenCL platform 0 has no device 60 (0 to ");
    bench_close(&bench);
}

static void test_evict(void **state)
{
    (void)state;
    struct bench bench;
    bench_evict_twice(&bench, &rg_backend_opencl, scale_source, "scale");
    unsigned char last = 0;
    const struct rg_session *session = bench.session;
    assert_int_equal(session->api.clEnqueueReadBuffer(session->queue, session->scratch, CL_TRUE,
                                                      session->scratch_bytes - 1, 1, &last, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(last, 2);
    bench_close(&bench);
}

/** A source that includes a file beside it, in a folder that no option could name. */
static void test_include_from_odd_folder(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    char folder[128];
    char header[160];
    const char *source = "#include \"beside it.h\"\n__kernel void f(void) { int x = BESIDE; }";
    bench_init(&bench, &rg_backend_opencl, source, "f", NULL, 0);
    snprintf(folder, sizeof folder, "%s/a \"quoted\" $HOME", bench.folder);
    snprintf(header, sizeof header, "%s/beside it.h", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text(header, "#define BESIDE 1\n");
    bench.request.source_folder = folder;
    assert_ok(bench.backend->open(&bench.request, &bench.session, &bench.error), &bench.error);
    assert_ok(bench_build(&bench, NULL, 0, &unit_launch, &kernel), &bench.error);
    assert_string_equal(rg_buffer_text(&bench.text), "");
    assert_non_null(kernel);
    bench.backend->kernel_destroy(bench.session, kernel);
    bench.backend->close(bench.session);
    /* Neither folder can be named. */
    bench.request.work_folder = folder;
    bench_calm(&bench);
    assert_int_equal(bench.backend->open(&bench.request, &bench.session, &bench.error), RIDGE_E_VALUE);
    bench.session = NULL;
    assert_error_says(&bench.error, "OpenCL's options cannot name its folder");
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_and_reads_back),
        cmocka_unit_test(test_programs_are_shared),
        cmocka_unit_test(test_programs_are_dropped),
        cmocka_unit_test(test_source_that_does_not_compile),
        cmocka_unit_test(test_entry),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_too_much_memory),
        cmocka_unit_test(test_no_such_device),
        cmocka_unit_test(test_evict),
        cmocka_unit_test(test_include_from_odd_folder),
    };
    struct ridge_context *context = NULL;
    struct rg_device_facts facts = {0};
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK ||
        rg_backend_opencl.enumerate(context, keep_facts, &facts, NULL) != RIDGE_OK) {
        ridge_context_destroy(context);
        return 77;
    }
    ridge_context_destroy(context);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
