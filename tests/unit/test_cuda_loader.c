/* SPDX-License-Identifier: MIT */
/**
 * \file backend/cuda against a stand-in libcuda.so.1 (tests/support/fake_cuda.c) and a stand-in compiler: each call
 * missing in turn, each call failing in turn, kernels that are wrong, stray, slow or fatal, a device that is lost.
 * Usage: test_cuda_loader FAKE_CUDA FAKE_NVRTC
 */
#include "fake_library.h"

#include "backend/cuda_loader.h"

enum {
    ELEMENTS = 1000
};

static const char *const required[] = {
#define REQUIRED_NAME(name, arguments) #name,
#define NOTHING(name, arguments)
    RG_CU_CALLS(REQUIRED_NAME, NOTHING)
#undef REQUIRED_NAME
#undef NOTHING
};

static void test_each_call_missing(void **state)
{
    (void)state;
    assert_lacking(&(struct lacking){
        .file_name = "libcuda.so.1",
        .required = required,
        .required_count = sizeof required / sizeof required[0],
        .says = "a driver of CUDA 11.0",
        .optional = {"cuFuncGetParamInfo"},
        .run = "mode:0",
        .says_of_no_library = "it comes with NVIDIA's driver",
    });
}

/** Whatever call fails, the run ends with a status or trouble that names the failure, never with a crash. */
static void test_each_call_failing(void **state)
{
    (void)state;
    static const struct failing rows[] = {
        {"cuInit", RIDGE_E_UNAVAILABLE, "NVIDIA's driver does not start: an unknown CUDA error (999)"},
        {"cuInit:803", RIDGE_E_UNAVAILABLE, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
        {"cuDeviceGetCount", RIDGE_E_DEVICE, "cuDeviceGetCount failed"},
        {"cuDeviceGet", RIDGE_E_DEVICE, "cuDeviceGet failed"},
        {"cuDeviceGetAttribute", RIDGE_E_UNAVAILABLE, "sm_0"},
        {"cuDevicePrimaryCtxRetain", RIDGE_E_DEVICE, "cuDevicePrimaryCtxRetain failed"},
        {"cuCtxSetCurrent", RIDGE_E_DEVICE, "cuCtxSetCurrent failed"},
        {"cuEventCreate", RIDGE_E_DEVICE, "cuEventCreate failed"},
        {"cuMemAlloc_v2", RIDGE_E_DEVICE, "cuMemAlloc failed"},
        {"cuMemAlloc_v2:2", RIDGE_E_LIMIT, "the device has not the memory for 'in': 4000 bytes"},
        {"cuMemcpyHtoD_v2", RIDGE_E_DEVICE, "cuMemcpyHtoD failed"},
        {"cuMemcpyDtoH_v2", RIDGE_E_DEVICE, "reading a guard zone failed"},
        {"cuMemsetD8_v2", RIDGE_E_DEVICE, "filling the scratch memory failed"},
        {"cuCtxSynchronize", RIDGE_E_DEVICE, "filling the scratch memory failed"},
        {"cuModuleLoadData", RIDGE_E_DEVICE, "cuModuleLoadData failed"},
        {"cuModuleLoadData:2", 100 + RIDGE_OUTCOME_LAUNCH, "no memory left for the code"},
        {"cuModuleLoadData:222", 100 + RIDGE_OUTCOME_COMPILE, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
        {"cuModuleGetFunction", RIDGE_E_DEVICE, "cuModuleGetFunction failed"},
        {"cuModuleGetFunction:500", RIDGE_E_NAME,
         "there is no kernel 'scale' in it (is it `extern \"C\" __global__`?)"},
        {"cuFuncGetAttribute", RIDGE_E_DEVICE, "cuFuncGetAttribute failed"},
        {"cuFuncGetParamInfo", RIDGE_E_VALUE, "kernel 'scale' has 0 parameters"},
        {"cuEventRecord", 100 + RIDGE_OUTCOME_LAUNCH, "cuEventRecord: an unknown CUDA error (999)"},
        {"cuLaunchKernel", 100 + RIDGE_OUTCOME_LAUNCH, "the driver refused the launch: an unknown CUDA error (999)"},
        {"cuLaunchKernel:701", 100 + RIDGE_OUTCOME_LAUNCH, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
        {"cuEventSynchronize:719", 100 + RIDGE_OUTCOME_LAUNCH, "the launch failed: CUDA_ERROR_LAUNCH_FAILED"},
        {"cuEventElapsedTime", 100 + RIDGE_OUTCOME_LAUNCH, "cuEventElapsedTime: an unknown"},
        {"cuDriverGetVersion", 0, "seconds 0.000500"},
        {"cuDeviceGetName", 0, "seconds 0.000500"},
        {"cuDeviceTotalMem_v2", 0, "seconds 0.000500"},
        {"cuMemFree_v2", 0, "seconds 0.000500"},
        {"cuModuleUnload", 0, "seconds 0.000500"},
        {"cuEventDestroy_v2", 0, "seconds 0.000500"},
        {"cuDevicePrimaryCtxRelease_v2", 0, "seconds 0.000500"},
    };
    assert_failing(rows, sizeof rows / sizeof rows[0], "mode:0");
}

static void test_kernels(void **state)
{
    (void)state;
    assert_says("", "mode:0", 0, "seconds 0.000500");
    assert_says("", "mode:1", 98, "element 999 is wrong");
    assert_says("", "mode:2", 100 + RIDGE_OUTCOME_WRONG, "4 bytes behind 'out'");
    assert_says("", "mode:3", 100 + RIDGE_OUTCOME_LAUNCH, "the launch failed: CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_says("", "mode:3", 100 + RIDGE_OUTCOME_LAUNCH, "the session is spoilt");
    assert_says("", "mode:4", 0, "seconds 0.020500");
    assert_says("", "mode:5", RIDGE_E_DEVICE, "a launch failed: CUDA_ERROR_DEVICE_UNAVAILABLE");
    assert_says("", "mode:7", 100 + RIDGE_OUTCOME_COMPILE, "does not take what the compiler made");
}

/** The kernel's own limits are found after building and named as the kernel's (BP-112, BP-074). */
static void test_limits(void **state)
{
    (void)state;
    assert_says("", "threads:1025", 100 + RIDGE_OUTCOME_UNLAUNCHABLE, "block_x is 1025 threads (the device's limit is");
    assert_says("", "mode:6", 100 + RIDGE_OUTCOME_UNLAUNCHABLE,
                "the block has 512 threads (the kernel's limit is 256: it has 255 registers a thread");
    assert_says("", "shared:61440", 0, "seconds");
    assert_says("", "shared:166913", 100 + RIDGE_OUTCOME_UNLAUNCHABLE,
                "166913 bytes of shared memory, 0 of them static (the device's limit with opt-in is 166912)");
    assert_says("small", "mode:0", RIDGE_E_LIMIT, "drive its caches out: CUDA_ERROR_OUT_OF_MEMORY");
    assert_says("fail:cuFuncSetAttribute", "shared:61440", RIDGE_E_DEVICE, "cuFuncSetAttribute failed");
}

static void test_listing(void **state)
{
    (void)state;
    assert_says("", "list", 0, "cuda: cuda:0 108 units 268435456 bytes gpu NVIDIA A100-SXM4-40GB");
    assert_says("none", "list", 0, "cuda absent: NVIDIA's driver is here and finds no GPU");
    assert_says("other-facts", "enumerate", 0, "multiprocessors: the driver says 98, the device database 108");
}

static void print_note(void *user, const struct rg_device_facts *facts)
{
    print_facts(user, facts);
    printf("%s\n", facts->note);
}

/** \return what child_run returns, or 98: the output is wrong. */
static int work(struct bench *bench, const struct rg_macro *macro, const struct rg_launch *launch)
{
    static float in[ELEMENTS];
    static float out[ELEMENTS];
    void *const buffers[] = {in, out};
    for (size_t i = 0; i < ELEMENTS; i++) {
        in[i] = (float)i + 1;
    }
    const int code = child_run(bench, macro, launch, buffers, 2);
    for (size_t i = 0; i < ELEMENTS && code == 0; i++) {
        if (out[i] != 2 * in[i]) {
            printf("element %zu is wrong\n", i);
            return 98;
        }
    }
    return code;
}

/** `what`: mode:N (the macro), threads:N, shared:N. */
static int child_work(const char *what, const char *compiler)
{
    struct bench bench;
    struct rg_shape shapes[] = {buffer_shape("in", "float", "float", sizeof(float), ELEMENTS),
                                buffer_shape("out", "float", "float", sizeof(float), ELEMENTS),
                                {.kind = RG_SHAPE_LOCAL, .name = "tile"},
                                scalar_shape("n", "int", "int", sizeof(int))};
    const char *value = strchr(what, ':') + 1;
    const bool is_mode = strncmp(what, "mode:", 5) == 0;
    const struct rg_macro macro = {.name = "mode", .value = is_mode ? value : "0"};
    const uint64_t scalars[] = {0, 0, strncmp(what, "shared:", 7) == 0 ? strtoull(value, NULL, 10) : 1024, ELEMENTS};
    const struct rg_launch launch = {.dimensions = 1,
                                     .grid = {2},
                                     .block = {strncmp(what, "threads:", 8) == 0 ? strtoull(value, NULL, 10) : 512},
                                     .scalars = scalars};
    bench_init(&bench, &rg_backend_cuda,
               "extern \"C\" __global__ void scale(const float *in, float *out, int n) { (void)mode; }\n", "scale",
               shapes, 4);
    bench.request.cold = true;
    bench.request.cuda_path = compiler;
    bench.context->log = print_log;
    const int code = work(&bench, &macro, &launch);
    bench_close(&bench);
    return code;
}

static int child(const char *what)
{
    struct ridge_error error = {0};
    if (strchr(what, ':')) {
        return child_work(what, getenv("RIDGE_TEST_NVRTC"));
    }
    struct ridge_context *context = test_context();
    const ridge_status status = what[0] == 'e' ? rg_backend_cuda.enumerate(context, print_note, NULL, &error)
                                               : ridge_backend_each(context, print_line, NULL, 5, &error);
    ridge_context_destroy(context);
    return child_end(&error, status);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--child") == 0) {
        return child(argv[2]);
    }
    if (argc != 3 || setenv("RIDGE_TEST_NVRTC", argv[2], 1) != 0 || setenv("FAKE_NVRTC", "targets:75,80", 1) != 0) {
        return 2;
    }
    own_program = argv[0];
    fake_library = argv[1];
    fake_variable = "FAKE_CUDA";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_call_missing), cmocka_unit_test(test_each_call_failing),
        cmocka_unit_test(test_kernels),           cmocka_unit_test(test_limits),
        cmocka_unit_test(test_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
