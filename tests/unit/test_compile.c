/* SPDX-License-Identifier: MIT */
/* The compilers of this machine, where there are any: what comes out, and what is said of what cannot. */
#include <stdlib.h>
#include <string.h>

#include "compile/compiler.h"
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
    return rg_compilers_open(context, NULL, &compilers, NULL);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuda_binary),
        cmocka_unit_test(test_cuda_ptx),
        cmocka_unit_test(test_cuda_no_entry),
        cmocka_unit_test(test_cuda_does_not_compile),
        cmocka_unit_test(test_cuda_unknown_target),
        cmocka_unit_test(test_opencl_ptx),
        cmocka_unit_test(test_opencl_amd),
        cmocka_unit_test(test_opencl_missing_function),
        cmocka_unit_test(test_opencl_unknown_target),
        cmocka_unit_test(test_wrong_macro),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
