/* SPDX-License-Identifier: MIT */
/**
 * \file An OpenCL library that runs nothing and fails on demand, for tests of the loader and the backend. The variable
 * FAKE_OPENCL says how it behaves: "fail:<call>" makes that call return -9999; see `mode_is` for the others.
 * It is found as libOpenCL.so.1 through LD_LIBRARY_PATH.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default)

enum {
    FAILURE = -9999
};

/* Handles are addresses of these, or of what malloc gives. */
static int thing;

struct memory {
    unsigned char *bytes;
    int whole;
};

static int mode_is(const char *mode)
{
    const char *asked = getenv("FAKE_OPENCL");
    return asked && strcmp(asked, mode) == 0;
}

static int fails(const char *call)
{
    const char *asked = getenv("FAKE_OPENCL");
    return asked && strncmp(asked, "fail:", 5) == 0 && strcmp(asked + 5, call) == 0;
}

#define FAIL_IF_ASKED      \
    if (fails(__func__)) { \
        return FAILURE;    \
    }

static void *made(const char *call, cl_int *code, void *handle)
{
    *code = fails(call) ? FAILURE : CL_SUCCESS;
    return fails(call) ? NULL : handle;
}

static cl_int give(const void *from, size_t bytes, size_t room, void *to, size_t *size)
{
    if (size) {
        *size = bytes;
    }
    if (to && room < bytes) {
        return CL_INVALID_VALUE;
    }
    if (to) {
        memcpy(to, from, bytes);
    }
    return CL_SUCCESS;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *ids, cl_uint *count)
{
    FAIL_IF_ASKED
    if (mode_is("crash")) {
        abort();
    }
    if (mode_is("exit")) {
        exit(3);
    }
    while (mode_is("hang")) {
        pause();
    }
    if (mode_is("not-found")) {
        return -1001;
    }
    printf("a driver that talks\n");
    fflush(stdout);
    *count = mode_is("no-platform") ? 0 : 1;
    if (room > 0) {
        ids[0] = (cl_platform_id)(void *)&thing;
    }
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *to, size_t *size)
{
    FAIL_IF_ASKED(void) platform;
    (void)what;
    return give("Fake Platform", sizeof "Fake Platform", room, to, size);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *ids, cl_uint *count)
{
    FAIL_IF_ASKED(void) platform;
    (void)type;
    if (mode_is("no-device")) {
        return CL_DEVICE_NOT_FOUND;
    }
    *count = 1;
    if (room > 0) {
        ids[0] = (cl_device_id)(void *)&thing;
    }
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *to, size_t *size)
{
    FAIL_IF_ASKED(void) device;
    static const char name[] = "gfx942:sramecc-:xnack+ Some(R)  X/Y @ 3.10GHz a\"b\\c";
    static const size_t items[] = {1024, 1024, 64};
    static const struct {
        cl_device_info what;
        cl_ulong value;
        size_t bytes;
    } numbers[] = {{CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU, 8},     {CL_DEVICE_GLOBAL_MEM_SIZE, 1U << 30, 8},
                   {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 1U << 24, 8}, {CL_DEVICE_LOCAL_MEM_SIZE, 65536, 8},
                   {CL_DEVICE_MAX_WORK_GROUP_SIZE, 1024, 8},    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024, 4},
                   {CL_DEVICE_MAX_COMPUTE_UNITS, 7, 4},         {CL_DEVICE_ADDRESS_BITS, 32, 4}};
    if (what == CL_DEVICE_MAX_WORK_ITEM_SIZES) {
        return give(items, sizeof items, room, to, size);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cl_ulong value = numbers[i].value;
        if (what == CL_DEVICE_MEM_BASE_ADDR_ALIGN && mode_is("coarse")) {
            value = 8U << 20;
        }
        if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && mode_is("four-mib")) {
            value = 4U << 20;
        }
        const cl_uint word = (cl_uint)value;
        if (numbers[i].what == what) {
            return numbers[i].bytes == 4 ? give(&word, 4, room, to, size) : give(&value, 8, room, to, size);
        }
    }
    return give(name, sizeof name, room, to, size);
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                           cl_int *code)
{
    (void)properties;
    (void)count;
    (void)devices;
    (void)notify;
    (void)user;
    return made(__func__, code, &thing);
}

cl_int clReleaseContext(cl_context context)
{
    (void)context;
    return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *code)
{
    (void)context;
    (void)device;
    if (properties && mode_is("no-profiling")) {
        *code = CL_INVALID_QUEUE_PROPERTIES;
        return NULL;
    }
    return made(__func__, code, &thing);
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

static cl_mem memory_make(const char *call, unsigned char *bytes, int whole, cl_int *code)
{
    struct memory *memory = malloc(sizeof *memory);
    *memory = (struct memory){bytes, whole};
    return made(call, code, memory);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code)
{
    (void)context;
    (void)flags;
    (void)host;
    if (fails(__func__)) {
        *code = FAILURE;
        return NULL;
    }
    if (mode_is("no-memory")) {
        *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    return memory_make(__func__, malloc(bytes), 1, code);
}

cl_mem clCreateSubBuffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *code)
{
    (void)flags;
    (void)type;
    const cl_buffer_region *region = info;
    if (fails(__func__) || mode_is("misaligned")) {
        *code = fails(__func__) ? FAILURE : CL_MISALIGNED_SUB_BUFFER_OFFSET;
        return NULL;
    }
    return memory_make(__func__, ((struct memory *)(void *)whole)->bytes + region->origin, 0, code);
}

cl_int clReleaseMemObject(cl_mem object)
{
    struct memory *memory = (struct memory *)(void *)object;
    if (memory->whole) {
        free(memory->bytes);
    }
    free(memory);
    return CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem object, cl_bool wait, size_t offset, size_t bytes, void *to,
                           cl_uint count, const cl_event *before, cl_event *event)
{
    FAIL_IF_ASKED(void) queue;
    (void)wait;
    (void)count;
    (void)before;
    (void)event;
    memcpy(to, ((struct memory *)(void *)object)->bytes + offset, bytes);
    return CL_SUCCESS;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem object, cl_bool wait, size_t offset, size_t bytes,
                            const void *from, cl_uint count, const cl_event *before, cl_event *event)
{
    FAIL_IF_ASKED(void) queue;
    (void)wait;
    (void)count;
    (void)before;
    (void)event;
    if (mode_is("late-memory")) {
        return CL_OUT_OF_RESOURCES;
    }
    memcpy(((struct memory *)(void *)object)->bytes + offset, from, bytes);
    return CL_SUCCESS;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem object, const void *pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, cl_uint count, const cl_event *before, cl_event *event)
{
    FAIL_IF_ASKED(void) queue;
    (void)pattern_bytes;
    (void)count;
    (void)before;
    (void)event;
    memset(((struct memory *)(void *)object)->bytes + offset, *(const unsigned char *)pattern, bytes);
    return CL_SUCCESS;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *code)
{
    (void)context;
    (void)count;
    (void)texts;
    (void)lengths;
    return made(__func__, code, &thing);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    FAIL_IF_ASKED(void) program;
    (void)count;
    (void)devices;
    (void)options;
    (void)notify;
    (void)user;
    if (mode_is("no-compiler")) {
        return CL_COMPILER_NOT_AVAILABLE;
    }
    return mode_is("no-log") || mode_is("null-log") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t room, void *to,
                             size_t *size)
{
    FAIL_IF_ASKED(void) program;
    (void)device;
    (void)what;
    if (mode_is("null-log")) {
        return CL_INVALID_VALUE;
    }
    return give("", 1, room, to, size);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *to, size_t *size)
{
    FAIL_IF_ASKED(void) program;
    (void)what;
    return give("copy;add", sizeof "copy;add", room, to, size);
}

cl_int clReleaseProgram(cl_program program)
{
    (void)program;
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    static const char *const names[] = {"copy", "fill", "nothing", "read", "write", "triad"};
    (void)program;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return made(__func__, code, &thing);
        }
    }
    *code = CL_INVALID_KERNEL_NAME;
    return NULL;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t room, void *to, size_t *size)
{
    FAIL_IF_ASKED(void) kernel;
    (void)what;
    const cl_uint count = 1;
    return give(&count, sizeof count, room, to, size);
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint argument, cl_kernel_arg_info what, size_t room, void *to,
                          size_t *size)
{
    FAIL_IF_ASKED(void) kernel;
    (void)argument;
    (void)what;
    (void)room;
    (void)to;
    (void)size;
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t room,
                                void *to, size_t *size)
{
    FAIL_IF_ASKED(void) kernel;
    (void)device;
    const size_t most = mode_is("small-kernel") ? 128 : 1024;
    const size_t wanted[3] = {0, 0, 0};
    const cl_ulong local = 0;
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE: return give(&most, sizeof most, room, to, size);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return give(wanted, sizeof wanted, room, to, size);
    default: return give(&local, sizeof local, room, to, size);
    }
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint argument, size_t bytes, const void *value)
{
    FAIL_IF_ASKED(void) kernel;
    (void)argument;
    (void)bytes;
    (void)value;
    return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    (void)kernel;
    return CL_SUCCESS;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *before,
                              cl_event *event)
{
    FAIL_IF_ASKED(void) queue;
    (void)kernel;
    (void)dimensions;
    (void)offset;
    (void)global;
    (void)local;
    (void)count;
    (void)before;
    *event = (cl_event)(void *)&thing;
    return mode_is("lost") ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    FAIL_IF_ASKED(void) count;
    (void)events;
    return mode_is("event-fails") ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *to, size_t *size)
{
    FAIL_IF_ASKED(void) event;
    (void)what;
    const cl_int state = mode_is("event-fails") ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
    return give(&state, sizeof state, room, to, size);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t room, void *to, size_t *size)
{
    FAIL_IF_ASKED(void) event;
    if (mode_is("no-event-times")) {
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
    const cl_ulong at = what == CL_PROFILING_COMMAND_START ? 1000 : 43000;
    return give(&at, sizeof at, room, to, size);
}

cl_int clReleaseEvent(cl_event event)
{
    (void)event;
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    FAIL_IF_ASKED(void) queue;
    return CL_SUCCESS;
}
