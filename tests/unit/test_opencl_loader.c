/* SPDX-License-Identifier: MIT */
/**
 * \file backend/opencl against a fake libOpenCL.so.1: each call missing in turn, each call failing in turn, drivers
 * that crash, hang or know nothing. Each case runs in this program started anew, with LD_LIBRARY_PATH set: the
 * dynamic linker reads it at the start only. Usage: test_opencl_loader FAKE_LIBRARY
 */
#include "fake_library.h"

#include <errno.h>
#include <sys/stat.h>

#include "backend/opencl_loader.h"
#include "failing_allocator.h"
#include "ridge/backend.h"

static const char *const required[] = {
#define REQUIRED_NAME(name) #name,
#define NOTHING(name)
    RG_OPENCL_CALLS(REQUIRED_NAME, NOTHING)
#undef REQUIRED_NAME
#undef NOTHING
};

static void test_each_call_missing(void **state)
{
    (void)state;
    assert_lacking(&(struct lacking){
        .file_name = "libOpenCL.so.1",
        .required = required,
        .required_count = sizeof required / sizeof required[0],
        .says = "",
        .optional = {"clGetKernelArgInfo", "clEnqueueFillBuffer"},
        .run = "whole",
        .says_of_no_library = "ocl-icd-libopencl1",
    });
}

static void test_whole_run(void **state)
{
    (void)state;
    assert_says("", "whole", 0, "seconds 0.000042");
    assert_says("no-profiling", "whole", 0, "host's clock");
    assert_says("no-event-times", "whole", 0, "host's clock");
    assert_says("misaligned", "whole", 0, "seconds 0.000042");
    assert_says("coarse", "whole", 0, "seconds 0.000042");
    assert_says("", "starved", 0, "");
    assert_says("", "enumerate", 0, "gfx942:sramecc-:xnack+ Some(R)  X/Y @ 3.10GHz a\"b\\c");
}

/** Whatever call fails, the run ends with a status or trouble that names the failure, never with a crash. */
static void test_each_call_failing(void **state)
{
    (void)state;
    static const struct failing rows[] = {
        {"clGetPlatformIDs", RIDGE_E_DEVICE, "clGetPlatformIDs failed: an unknown OpenCL error (-9999)"},
        {"clGetDeviceIDs", RIDGE_E_DEVICE, "clGetDeviceIDs failed"},
        {"clCreateContext", RIDGE_E_DEVICE, "clCreateContext failed"},
        {"clCreateCommandQueue", RIDGE_E_DEVICE, "clCreateCommandQueue failed"},
        {"clCreateBuffer", RIDGE_E_DEVICE, "clCreateBuffer failed"},
        {"clCreateSubBuffer", RIDGE_E_DEVICE, "-9999"},
        {"clEnqueueWriteBuffer", RIDGE_E_DEVICE, "clEnqueueWriteBuffer failed"},
        {"clEnqueueReadBuffer", RIDGE_E_DEVICE, "-9999"},
        {"clCreateProgramWithSource", RIDGE_E_DEVICE, "clCreateProgramWithSource failed"},
        {"clBuildProgram", RIDGE_E_DEVICE, "clBuildProgram failed"},
        {"clCreateKernel", RIDGE_E_DEVICE, "clCreateKernel failed"},
        {"clGetKernelInfo", RIDGE_E_DEVICE, "clGetKernelInfo failed"},
        {"clGetKernelWorkGroupInfo", RIDGE_E_DEVICE, "clGetKernelWorkGroupInfo failed"},
        {"clGetEventInfo", RIDGE_E_DEVICE, "clGetEventInfo failed"},
        {"clEnqueueFillBuffer", RIDGE_E_DEVICE, "-9999"},
        {"clFinish", RIDGE_E_DEVICE, "-9999"},
        {"clSetKernelArg", 100 + RIDGE_OUTCOME_LAUNCH, "refused argument 1 ('a'): an unknown OpenCL error (-9999)"},
        {"clEnqueueNDRangeKernel", 100 + RIDGE_OUTCOME_LAUNCH, "refused the launch: an unknown OpenCL error (-9999)"},
        {"clWaitForEvents", 100 + RIDGE_OUTCOME_LAUNCH, "the launch failed: an unknown OpenCL error (-9999)"},
        {"clGetPlatformInfo", 0, "seconds 0.000042"},
        {"clGetDeviceInfo", 0, "seconds 0.000042"},
        {"clGetProgramInfo", 0, "seconds 0.000042"},
        {"clGetProgramBuildInfo", 0, "seconds 0.000042"},
        {"clGetKernelArgInfo", 0, "seconds 0.000042"},
        {"clGetEventProfilingInfo", 0, "host's clock"},
    };
    assert_failing(rows, sizeof rows / sizeof rows[0], "whole");
}

static void test_drivers_with_nothing(void **state)
{
    (void)state;
    assert_says("not-found", "enumerate", RIDGE_E_UNAVAILABLE, "finds no platform (install a driver");
    assert_says("no-platform", "enumerate", RIDGE_E_UNAVAILABLE, "finds no platform (install a driver");
    assert_says("no-device", "enumerate", RIDGE_E_UNAVAILABLE, "find no device");
    assert_says("not-found", "whole", RIDGE_E_UNAVAILABLE, "finds no platform");
    assert_says("no-device", "whole", RIDGE_E_UNAVAILABLE, "OpenCL platform 0 has no device");
    assert_says("no-compiler", "whole", RIDGE_E_UNAVAILABLE, "has no compiler");
}

static void test_drivers_that_fail(void **state)
{
    (void)state;
    assert_says("no-log", "whole", 100 + RIDGE_OUTCOME_COMPILE, "left no log: CL_BUILD_PROGRAM_FAILURE");
    assert_says("null-log", "whole", 100 + RIDGE_OUTCOME_COMPILE, "left no log: CL_BUILD_PROGRAM_FAILURE");
    assert_says("no-memory", "whole", RIDGE_E_LIMIT, "allocates at most 16777216 at once): CL_MEM_OBJECT_ALLOCATION");
    assert_says("late-memory", "whole", RIDGE_E_LIMIT, "4096 bytes (it has 1073741824 bytes in all");
    assert_says("event-fails", "whole", 100 + RIDGE_OUTCOME_LAUNCH, "CL_OUT_OF_RESOURCES (-5)");
    assert_says("lost", "whole", RIDGE_E_DEVICE, "CL_DEVICE_NOT_AVAILABLE");
}

/** BP-112: a kernel's own limit below the device's is found after building, and named as the kernel's. */
static void test_limits(void **state)
{
    (void)state;
    assert_says("", "block:1024", 0, "seconds");
    assert_says("", "block:1025", 100 + RIDGE_OUTCOME_UNLAUNCHABLE,
                "block_x is 1025 threads (the device's limit is 1024)");
    assert_says("small-kernel", "block:128", 0, "seconds");
    assert_says("small-kernel", "block:129", 100 + RIDGE_OUTCOME_UNLAUNCHABLE,
                "the block has 129 threads (the kernel's limit is 128)");
    assert_says("", "grid:4294967296", 100 + RIDGE_OUTCOME_UNLAUNCHABLE, "more than the device can count (4294967295)");
}

/** Public listing: the driver lives in a child, and its end is reported. */
static void test_listing_survives(void **state)
{
    (void)state;
    assert_says("crash", "list", 0, "opencl absent: its driver crashed while looking for devices: signal 6");
    assert_says("exit", "list", 0,
                "opencl absent: its driver ended the process while looking for devices (exit code 3)");
    assert_says("hang", "list", 0, "opencl absent: its driver did not answer within 0.5 s");
    assert_says("not-found", "list", 0, "opencl absent: the OpenCL loader finds no platform");
    assert_says("", "list", 0, "opencl: opencl:0:0 7 units 1073741824 bytes gpu gfx942:sramecc-:xnack+");
}

/** \return what child_run returns, or 99: the output is wrong. */
static int work(struct bench *bench, const struct rg_launch *launch)
{
    static unsigned char data[4096] = {1};
    void *const buffers[] = {data};
    const int code = child_run(bench, NULL, launch, buffers, 1);
    return code != 0 || data[0] == 1 ? code : 99;
}

/** Every allocation of a whole run fails in turn: the status says so and nothing leaks. */
static int child_starved(struct bench *bench, const struct rg_launch *launch)
{
    struct failing_allocator allocator = {.fail_at = 0};
    struct ridge_context *context = failing_context(&allocator);
    const size_t before = allocator.bytes;
    const struct rg_macro macro = {"N", "a b", false};
    ridge_status status = RIDGE_E_MEMORY;
    bench->request.context = context;
    bench->trouble.text = NULL;
    for (size_t nth = 1; status == RIDGE_E_MEMORY && nth < 500; nth++) {
        struct rg_kernel *kernel = NULL;
        failing_at(&allocator, nth);
        bench_calm(bench);
        status = bench->backend->open(&bench->request, &bench->session, &bench->error);
        if (status == RIDGE_OK) {
            status = bench_build(bench, &macro, 1, launch, &kernel);
            bench->backend->kernel_destroy(bench->session, kernel);
            bench->backend->close(bench->session);
        }
        bench->session = NULL;
        if (allocator.bytes != before || (!kernel && status == RIDGE_OK)) {
            printf("allocation %zu: %zu bytes are held, %zu before\n", nth, allocator.bytes, before);
            return 99;
        }
    }
    ridge_context_destroy(context);
    return child_end(&bench->error, status);
}

static int child_work(const char *what)
{
    struct bench bench;
    const struct rg_shape shape = buffer_shape("a", "int", "int", 4, 1024);
    const uint64_t scalars[1] = {0};
    struct rg_launch launch = {.dimensions = 1, .grid = {2}, .block = {1}, .scalars = scalars};
    if (strncmp(what, "block:", 6) == 0) {
        launch.block[0] = strtoull(what + 6, NULL, 10);
    } else if (strncmp(what, "grid:", 5) == 0) {
        launch.grid[0] = strtoull(what + 5, NULL, 10);
    }
    bench_init(&bench, &rg_backend_opencl, "", "copy", &shape, 1);
    bench.request.cold = true;
    bench.context->log = print_log;
    const int code = strcmp(what, "starved") == 0 ? child_starved(&bench, &launch) : work(&bench, &launch);
    bench_close(&bench);
    return code;
}

static int child(const char *what)
{
    struct ridge_error error = {0};
    if (strcmp(what, "enumerate") != 0 && strcmp(what, "list") != 0) {
        return child_work(what);
    }
    struct ridge_context *context = test_context();
    const ridge_status status = what[0] == 'e' ? rg_backend_opencl.enumerate(context, print_facts, NULL, &error)
                                               : ridge_backend_each(context, print_line, NULL, 0.5, &error);
    ridge_context_destroy(context);
    return child_end(&error, status);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--child") == 0) {
        return child(argv[2]);
    }
    if (argc != 2) {
        return 2;
    }
    own_program = argv[0];
    fake_library = argv[1];
    fake_variable = "FAKE_OPENCL";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_call_missing), cmocka_unit_test(test_whole_run),
        cmocka_unit_test(test_each_call_failing), cmocka_unit_test(test_drivers_with_nothing),
        cmocka_unit_test(test_drivers_that_fail), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_listing_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
