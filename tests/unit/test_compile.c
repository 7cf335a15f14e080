/* SPDX-License-Identifier: MIT */
/* The compilers of this machine, where there are any: what comes out, and what is said of what cannot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compiler.h"
#include "compile/source_text.h"
#include "rg_test.h"

static const char cuda_text[] =
    "template <class T, int N> __global__ void scale(T *a) { a[threadIdx.x] *= N + more; }\n"
    "extern \"C\" __global__ void plain(float *a) { a[threadIdx.x] += more; }\n";
static const char opencl_text[] = "kernel void add(global float *a, local float *b)\n"
                                  "{\n"
                                  "    b[get_local_id(0)] = a[get_global_id(0)];\n"
                                  "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "    a[get_global_id(0)] = fma(b[0], a[0], (float)(more));\n"
                                  "}\n";
static const struct rg_macro more[] = {{"more", "1 + 2", false}};

static struct ridge_context *context;
static struct rg_compilers *compilers;

static int open_all(void **state)
{
    (void)state;
    assert_int_equal(ridge_context_create(NULL, &context, NULL), RIDGE_OK);
    return (int)rg_compilers_open(context, NULL, &compilers, NULL);
}

static int close_all(void **state)
{
    (void)state;
    rg_compilers_close(compilers);
    ridge_context_destroy(context);
    return 0;
}

static struct rg_compile_job cuda_job(const char *entry, const char *target, rg_artifact_form form)
{
    return (struct rg_compile_job){.language = RG_SOURCE_CUDA,
                                   .path = "scale.cu",
                                   .text = cuda_text,
                                   .entry = entry,
                                   .macros = more,
                                   .macro_count = 1,
                                   .target = target,
                                   .form = form};
}

static struct rg_compile_job opencl_job(const char *target, rg_artifact_form form)
{
    return (struct rg_compile_job){.language = RG_SOURCE_OPENCL,
                                   .path = "add.cl",
                                   .text = opencl_text,
                                   .entry = "add",
                                   .macros = more,
                                   .macro_count = 1,
                                   .target = target,
                                   .form = form};
}

/** Compile, or skip where there is no compiler. */
static struct rg_artifact compile(const struct rg_compile_job *job)
{
    struct rg_artifact made = {0};
    struct ridge_error error = {0};
    const ridge_status status = rg_compile(compilers, job, &made, &error);
    if (status == RIDGE_E_UNAVAILABLE) {
        print_message("%s\n", error.message);
        skip();
    }
    if (status != RIDGE_OK) {
        fail_msg("%s", error.message);
    }
    if (made.failed && strstr(made.log, "has no library of OpenCL's built-in functions")) {
        print_message("%s\n", made.log);
        rg_artifact_fini(&made);
        skip();
    }
    return made;
}

static void test_cuda_binary(void **state)
{
    (void)state;
    const struct rg_compile_job job = cuda_job("scale<float, 3>", "sm_90", RG_ARTIFACT_BINARY);
    struct rg_artifact made = compile(&job);
    assert_false(made.failed);
    assert_memory_equal(made.bytes, "\177ELF", 4);
    assert_string_equal(made.entry, "_Z5scaleIfLi3EEvPT_");
    assert_memory_equal(made.compiler, "NVRTC ", 6);
    assert_string_equal(made.log, "");
    rg_artifact_fini(&made);
}

static void test_cuda_ptx(void **state)
{
    (void)state;
    const struct rg_compile_job job = cuda_job("plain", "sm_80", RG_ARTIFACT_PTX);
    struct rg_artifact made = compile(&job);
    const char *text = (const char *)made.bytes;
    assert_int_equal(strlen(text), made.size);
    assert_non_null(strstr(text, ".target sm_80"));
    assert_non_null(strstr(text, ".loc"));
    assert_non_null(strstr(text, "scale.cu\""));
    assert_string_equal(made.entry, "plain");
    rg_artifact_fini(&made);
}

static void test_cuda_no_entry(void **state)
{
    (void)state;
    const struct rg_compile_job job = cuda_job("absent", "sm_80", RG_ARTIFACT_PTX);
    struct rg_artifact made = compile(&job);
    assert_true(made.failed);
    assert_null(made.bytes);
    assert_memory_equal(made.log, "scale.cu: error: there is no kernel 'absent' in it\n", 50);
    rg_artifact_fini(&made);
}

static void test_cuda_does_not_compile(void **state)
{
    (void)state;
    struct rg_compile_job job = cuda_job("plain", "sm_80", RG_ARTIFACT_BINARY);
    job.macro_count = 0;
    struct rg_artifact made = compile(&job);
    assert_true(made.failed);
    assert_memory_equal(made.log, "scale.cu(2): error: identifier \"more\" is undefined\n", 51);
    rg_artifact_fini(&made);
}

static void test_cuda_unknown_target(void **state)
{
    (void)state;
    struct rg_artifact made = {0};
    struct ridge_error error = {0};
    struct rg_compile_job job = cuda_job("plain", "sm_80", RG_ARTIFACT_BINARY);
    struct rg_artifact probe = compile(&job);
    rg_artifact_fini(&probe);
    job.target = "sm_13";
    assert_int_equal(rg_compile(compilers, &job, &made, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "does not know the target 'sm_13' (it knows sm_"));
    job.target = "gfx90a";
    error = (struct ridge_error){0};
    assert_int_equal(rg_compile(compilers, &job, &made, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "scale.cu: this source cannot be compiled for 'gfx90a'"));
}

static void test_opencl_ptx(void **state)
{
    (void)state;
    const struct rg_compile_job job = opencl_job("sm_80", RG_ARTIFACT_PTX);
    struct rg_artifact made = compile(&job);
    const char *text = (const char *)made.bytes;
    if (made.failed) {
        fail_msg("%s", made.log);
    }
    assert_non_null(strstr(text, ".target sm_80"));
    assert_non_null(strstr(text, ".loc"));
    assert_non_null(strstr(text, ".file\t1 \"add.cl\""));
    assert_non_null(strstr(text, "bar.sync"));
    assert_non_null(strstr(text, "fma.rn.f32"));
    assert_memory_equal(made.compiler, "clang ", 6);
    rg_artifact_fini(&made);
}

static void test_opencl_amd(void **state)
{
    (void)state;
    const struct rg_compile_job job = opencl_job("gfx90a", RG_ARTIFACT_BINARY);
    struct rg_artifact made = compile(&job);
    if (made.failed) {
        fail_msg("%s", made.log);
    }
    assert_memory_equal(made.bytes, "\177ELF", 4);
    assert_string_equal(made.entry, "add");
    rg_artifact_fini(&made);
}

static void test_opencl_missing_function(void **state)
{
    (void)state;
    static const rg_artifact_form forms[] = {RG_ARTIFACT_PTX, RG_ARTIFACT_BINARY};
    static const char *const targets[] = {"sm_80", "gfx90a"};
    for (size_t i = 0; i < 2; i++) {
        struct rg_compile_job job = opencl_job(targets[i], forms[i]);
        job.text = "kernel void add(global float *a) { event_t e = 0; wait_group_events(1, &e); a[get_work_dim()] = 0; "
                   "printf(\"\"); }\n";
        job.macro_count = 0;
        struct rg_artifact made = compile(&job);
        assert_true(made.failed);
        assert_memory_equal(made.log, "add.cl: error: a function that it calls is missing: ", 51);
        assert_non_null(strstr(made.log, "libclc") ? made.log : strstr(made.log, "/clc/"));
        rg_artifact_fini(&made);
    }
}

/** Built-in functions that kernels use, each alone: they resolve for both vendors. */
static void test_opencl_functions(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "f[g] = fma(f[g], 2.0f, 1.0f)",
        "f[g] = mad(f[g], 2.0f, 1.0f)",
        "f[g] = native_sin(f[g]) + native_cos(f[g]) + native_tan(f[g])",
        "f[g] = native_exp(f[g]) + native_exp2(f[g]) + native_exp10(f[g])",
        "f[g] = native_log(f[g]) + native_log2(f[g]) + native_log10(f[g])",
        "f[g] = native_powr(f[g], 2.5f) + native_rsqrt(f[g]) + native_recip(f[g])",
        "v[g] = native_sin(v[g]) + native_exp(v[g])",
        "f[g] = sin(f[g]) + exp(f[g]) + log(f[g]) + pow(f[g], 2.5f) + tanh(f[g])",
        "f[g] = sqrt(f[g]) + rsqrt(f[g]) + fabs(f[g]) + floor(f[g]) + fmod(f[g], 3.0f)",
        "d[g] = fma(d[g], d[g], 1.0) + sqrt(d[g]) + exp(d[g])",
        "f[g] = dot(v[g], v[g]) + length(v[g])",
        "v[g] = vload4(g, f); vstore4(v[g], g, f)",
        "atomic_add(i, 1); atomic_inc(i); atomic_min(i, 1); atomic_xchg(i, 2); atomic_cmpxchg(i, 1, 2)",
        "atomic_add(l, 1); atomic_max(l, 3); barrier(CLK_LOCAL_MEM_FENCE); mem_fence(CLK_GLOBAL_MEM_FENCE)",
        "i[g] = get_local_size(0) + get_num_groups(1) + get_group_id(2) + get_global_size(0) + get_global_offset(0)",
        "i[g] = popcount(i[g]) + clz(i[g]) + mul24(i[g], 3) + mad24(i[g], 3, 1) + mul_hi(i[g], 3) + rotate(i[g], 3)",
        "i[g] = min(i[g], 3) + max(i[g], 1) + clamp(i[g], 3, 9) + abs(i[g]) + as_int(f[g]) + convert_int_rte(f[g])",
    };
    static const rg_artifact_form forms[] = {RG_ARTIFACT_PTX, RG_ARTIFACT_BINARY};
    static const char *const targets[] = {"sm_80", "gfx90a"};
    for (size_t i = 0; i < 2 * sizeof bodies / sizeof bodies[0]; i++) {
        char text[512];
        struct rg_compile_job job = opencl_job(targets[i % 2], forms[i % 2]);
        snprintf(text, sizeof text,
                 "kernel void add(global float *f, global int *i, local int *l, global float4 *v, global double *d)\n"
                 "{\n    size_t g = get_global_id(0);\n    %s;\n}\n",
                 bodies[i / 2]);
        job.text = text;
        job.macro_count = 0;
        struct rg_artifact made = compile(&job);
        if (made.failed) {
            fail_msg("%s, %s: %s", bodies[i / 2], targets[i % 2], made.log);
        }
        rg_artifact_fini(&made);
    }
}

static void test_opencl_unknown_target(void **state)
{
    (void)state;
    struct rg_compile_job job = opencl_job("gfx90a", RG_ARTIFACT_BINARY);
    struct rg_artifact made = compile(&job);
    rg_artifact_fini(&made);
    struct ridge_error error = {0};
    job.target = "gfx1";
    assert_int_equal(rg_compile(compilers, &job, &made, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "does not know the target 'gfx1' (it knows gfx"));
}

static void test_wrong_macro(void **state)
{
    (void)state;
    static const struct rg_macro broken[] = {{"more", "1\n2", false}};
    struct rg_compile_job job = cuda_job("plain", "sm_80", RG_ARTIFACT_BINARY);
    job.macros = broken;
    struct rg_artifact made = compile(&job);
    assert_true(made.failed);
    assert_string_equal(made.log, "the value of more cannot be a macro: it has a line break");
    rg_artifact_fini(&made);
}

static void test_blank_comments(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a /* b */ c", "a         c"},
        {"a // b\nc", "a     \nc"},
        {"a /* b\n c */ d", "a     \n      d"},
        {"\"/* s */\" e", "\"/* s */\" e"},
        {"\"\\\"// s\" e // f", "\"\\\"// s\" e     "},
        {"'\"' /* b */ \"t\"", "'\"'         \"t\""},
        {"1'000 /* b */ 2'000", "1'000         2'000"},
        {"a /* never ends", "a              "},
        {"it's // b\nc // d", "it's     \nc     "},
        {"R\"(/* no)\" // comment", "R\"(/* no)\" // comment"},
        {"a / b * c", "a / b * c"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        memcpy(text, cases[i][0], strlen(cases[i][0]) + 1);
        rg_source_blank_comments(text);
        assert_string_equal(text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuda_binary),         cmocka_unit_test(test_cuda_ptx),
        cmocka_unit_test(test_cuda_no_entry),       cmocka_unit_test(test_cuda_does_not_compile),
        cmocka_unit_test(test_cuda_unknown_target), cmocka_unit_test(test_opencl_ptx),
        cmocka_unit_test(test_opencl_amd),          cmocka_unit_test(test_opencl_missing_function),
        cmocka_unit_test(test_opencl_functions),    cmocka_unit_test(test_opencl_unknown_target),
        cmocka_unit_test(test_wrong_macro),         cmocka_unit_test(test_blank_comments),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
