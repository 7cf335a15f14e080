/* SPDX-License-Identifier: MIT */
/**
 * \file backend/opencl against a fake libOpenCL.so.1: each call missing in turn, each call failing in turn, drivers
 * that crash, hang or know nothing. Each case runs in this program started anew, with LD_LIBRARY_PATH set: the
 * dynamic linker reads it at the start only. Usage: test_opencl_loader FAKE_LIBRARY
 */
#include "backend_test.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "backend/opencl_loader.h"
#include "ridge/backend.h"

enum {
    OUTPUT_BYTES = 8192
};

static const char *const required[] = {
#define REQUIRED_NAME(name) #name,
#define NOTHING(name)
    RG_OPENCL_CALLS(REQUIRED_NAME, NOTHING)
#undef REQUIRED_NAME
#undef NOTHING
};

static const char *fake_library;
static const char *own_program;

/** Run this program in a mode of its own; what it prints goes to `output`. \return its exit code. */
static int run_self(const char *library_folder, const char *fake_mode, const char *what, char *output)
{
    char command[1024];
    snprintf(command, sizeof command, "LD_LIBRARY_PATH='%s' FAKE_OPENCL='%s' '%s' --child '%s' 2>&1", library_folder,
             fake_mode, own_program, what);
    FILE *from = popen(command, "r");
    assert_non_null(from);
    const size_t length = fread(output, 1, OUTPUT_BYTES - 1, from);
    output[length] = '\0';
    const int end = pclose(from);
    return WIFEXITED(end) ? WEXITSTATUS(end) : -1;
}

static void folder_of_fake(char *folder, size_t room)
{
    snprintf(folder, room, "%.*s", (int)(strrchr(fake_library, '/') - fake_library), fake_library);
}

static void assert_says(const char *fake_mode, const char *what, int exit_code, const char *says)
{
    char folder[512];
    char output[OUTPUT_BYTES];
    folder_of_fake(folder, sizeof folder);
    const int code = run_self(folder, fake_mode, what, output);
    if (code != exit_code || !strstr(output, says)) {
        fail_msg("mode '%s', %s: exit code %d, not %d with '%s':\n%s", fake_mode, what, code, exit_code, says, output);
    }
}

/** Copy the fake library with one symbol renamed, so that it is missing. */
static void copy_without(const char *symbol, const char *to)
{
    static unsigned char bytes[1 << 20];
    FILE *from = fopen(fake_library, "rb");
    assert_non_null(from);
    const size_t length = fread(bytes, 1, sizeof bytes, from);
    assert_int_equal(fclose(from), 0);
    assert_true(length > 0 && length < sizeof bytes);
    const size_t name_bytes = strlen(symbol) + 1;
    size_t found = 0;
    for (size_t i = 1; i + name_bytes <= length; i++) {
        if (bytes[i - 1] == '\0' && memcmp(bytes + i, symbol, name_bytes) == 0) {
            bytes[i] = 'x';
            found++;
        }
    }
    assert_true(found > 0);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void test_each_call_missing(void **state)
{
    (void)state;
    char folder[] = "/tmp/ridge-loader-XXXXXX";
    char path[64];
    char output[OUTPUT_BYTES];
    char want[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/libOpenCL.so.1", folder);
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        copy_without(required[i], path);
        snprintf(want, sizeof want, "libOpenCL.so.1 has no %s (", required[i]);
        assert_int_equal(run_self(folder, "", "enumerate", output), RIDGE_E_UNAVAILABLE);
        if (!strstr(output, want)) {
            fail_msg("without %s: %s", required[i], output);
        }
    }
    static const char *const optional[] = {"clGetKernelArgInfo", "clEnqueueFillBuffer"};
    for (size_t i = 0; i < 2; i++) {
        copy_without(optional[i], path);
        assert_int_equal(run_self(folder, "", "whole", output), 0);
    }
    assert_int_equal(unlink(path), 0);
    /* An OpenCL library that is no library at all. */
    write_text(path, "not a library\n");
    assert_int_equal(run_self(folder, "", "enumerate", output), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(output, "ocl-icd-libopencl1"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_whole_run(void **state)
{
    (void)state;
    assert_says("", "whole", 0, "seconds 0.000042");
    assert_says("no-profiling", "whole", 0, "host's clock");
    assert_says("no-event-times", "whole", 0, "host's clock");
    assert_says("misaligned", "whole", 0, "seconds 0.000042");
    assert_says("coarse", "whole", 0, "seconds 0.000042");
    assert_says("", "enumerate", 0, "gfx942:sramecc-:xnack+ Some(R)  X/Y @ 3.10GHz a\"b\\c");
}

/** Whatever call fails, the run ends with a status or trouble that names the failure, never with a crash. */
static void test_each_call_failing(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        int exit_code; /* status, or 100 and the trouble's outcome */
        const char *says;
    } rows[] = {
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
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char mode[64];
        snprintf(mode, sizeof mode, "fail:%s", rows[i].call);
        assert_says(mode, "whole", rows[i].exit_code, rows[i].says);
    }
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

static int child_end(const struct ridge_error *error, ridge_status status)
{
    char text[4096];
    ridge_error_format(error, text, sizeof text);
    printf("%s\n", text);
    return (int)status;
}

static void print_facts(void *user, const struct rg_device_facts *facts)
{
    (void)user;
    printf("%s %s\n", facts->selector, facts->name);
}

static void print_line(void *user, const struct ridge_backend_line *backend)
{
    (void)user;
    if (backend->absent_reason) {
        printf("%s absent: %s\n", backend->name, backend->absent_reason);
    }
    for (size_t i = 0; i < backend->device_count; i++) {
        const struct ridge_device_line *line = &backend->devices[i];
        printf("%s: %s %u units %llu bytes %s %s\n", backend->name, line->selector, line->compute_units,
               (unsigned long long)line->memory_bytes, line->kind, line->name);
    }
}

static void print_log(void *user, ridge_log_level level, const char *message)
{
    (void)user;
    (void)level;
    printf("log: %s\n", message);
}

/** Everything a worker does with a session. \return 0, a status, or 100 and an outcome. */
static int work(struct bench *bench, const struct rg_launch *launch)
{
    const struct rg_backend *backend = &rg_backend_opencl;
    struct rg_kernel *kernel = NULL;
    unsigned char data[4096] = {1};
    double seconds = 0;
    ridge_status status = backend->open(&bench->request, &bench->session, &bench->error);
    if (status == RIDGE_OK) {
        status = backend->buffer_write(bench->session, 0, data, &bench->error);
    }
    if (status == RIDGE_OK) {
        status = backend->build(bench->session, NULL, 0, launch, &kernel, &bench->trouble, &bench->error);
    }
    if (status == RIDGE_OK && kernel) {
        status = backend->evict(bench->session, &bench->error);
    }
    if (status == RIDGE_OK && kernel) {
        status = backend->launch(bench->session, kernel, launch, &seconds, &bench->trouble, &bench->error);
    }
    if (status == RIDGE_OK) {
        status = backend->guards_check(bench->session, &bench->trouble, &bench->error);
    }
    if (status == RIDGE_OK) {
        status = backend->buffer_read(bench->session, 0, data, &bench->error);
    }
    if (kernel) {
        backend->kernel_destroy(bench->session, kernel);
    }
    if (status != RIDGE_OK) {
        return child_end(&bench->error, status);
    }
    if (bench->trouble.outcome != RIDGE_OUTCOME_OK) {
        printf("%s\n", rg_buffer_text(&bench->text));
        return 100 + (int)bench->trouble.outcome;
    }
    printf("seconds %.6f\n", seconds);
    return data[0] == 1 ? 0 : 99;
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
    const int code = work(&bench, &launch);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_call_missing), cmocka_unit_test(test_whole_run),
        cmocka_unit_test(test_each_call_failing), cmocka_unit_test(test_drivers_with_nothing),
        cmocka_unit_test(test_drivers_that_fail), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_listing_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
