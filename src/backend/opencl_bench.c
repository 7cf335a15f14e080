/* SPDX-License-Identifier: MIT */
#include "backend/bench_device.h"

#include <math.h>
#include <string.h>

#include "backend/opencl.h"
#include "base/clock.h"
#include "base/error.h"

struct opencl_bench {
    struct rg_bench base;
    struct rg_opencl_api api;
    cl_device_id device;
    cl_context cl_context;
    cl_command_queue queue;
    cl_mem buffers[RG_BENCH_BUFFERS]; /* NULL: free */
    cl_program programs[RG_BENCH_KERNELS];
    cl_kernel kernels[RG_BENCH_KERNELS];
    size_t kernel_count;
    cl_event first; /* of the launches in flight; NULL: none are */
    cl_event last;
    uint64_t flight_began_ns;
};

static void event_free(struct opencl_bench *cl, cl_event *event)
{
    if (*event) {
        cl->api.clReleaseEvent(*event);
    }
    *event = NULL;
}

static void bench_close(struct rg_bench *bench)
{
    struct opencl_bench *cl = (struct opencl_bench *)bench;
    event_free(cl, &cl->first);
    event_free(cl, &cl->last);
    for (size_t i = 0; i < cl->kernel_count; i++) {
        cl->api.clReleaseKernel(cl->kernels[i]);
        cl->api.clReleaseProgram(cl->programs[i]);
    }
    for (size_t i = 0; i < RG_BENCH_BUFFERS; i++) {
        if (cl->buffers[i]) {
            cl->api.clReleaseMemObject(cl->buffers[i]);
        }
    }
    if (cl->queue) {
        cl->api.clReleaseCommandQueue(cl->queue);
    }
    if (cl->cl_context) {
        cl->api.clReleaseContext(cl->cl_context);
    }
    rg_free(cl->base.context, cl, sizeof *cl);
}

static uint64_t number_of(const struct opencl_bench *cl, cl_device_info what)
{
    uint64_t wide = 0;
    uint32_t word = 0;
    if (cl->api.clGetDeviceInfo(cl->device, what, sizeof word, &word, NULL) == CL_SUCCESS) {
        return word;
    }
    return cl->api.clGetDeviceInfo(cl->device, what, sizeof wide, &wide, NULL) == CL_SUCCESS ? wide : 0;
}

static ridge_status facts_fill(struct opencl_bench *cl, unsigned platform_index, unsigned device_index,
                               struct ridge_error *error)
{
    struct rg_bench_facts *facts = &cl->base.facts;
    const ridge_status status = rg_bench_device_facts(cl->base.context, &rg_backend_opencl, platform_index,
                                                      device_index, &facts->device, error);
    if (status != RIDGE_OK) {
        return status;
    }
    facts->cpu = strcmp(facts->device.kind, "cpu") == 0;
    facts->width_f32 = (unsigned)number_of(cl, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT);
    facts->width_f64 = (unsigned)number_of(cl, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE);
    facts->width_bits = 32 * (unsigned)number_of(cl, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT);
    facts->f64 = facts->width_f64 > 0;
    facts->fma_f32 = (number_of(cl, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_FMA) != 0;
    return RIDGE_OK;
}

static ridge_status queue_make(struct opencl_bench *cl, struct ridge_error *error)
{
    cl_int code = CL_SUCCESS;
    cl->cl_context = cl->api.clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
    if (!cl->cl_context) {
        return rg_opencl_failed(error, code, "clCreateContext");
    }
    cl->queue = cl->api.clCreateCommandQueue(cl->cl_context, cl->device, CL_QUEUE_PROFILING_ENABLE, &code);
    cl->base.facts.profiling = cl->queue != NULL;
    if (!cl->queue && code == CL_INVALID_QUEUE_PROPERTIES) {
        cl->queue = cl->api.clCreateCommandQueue(cl->cl_context, cl->device, 0, &code);
    }
    return cl->queue ? RIDGE_OK : rg_opencl_failed(error, code, "clCreateCommandQueue");
}

static ridge_status bench_open(const struct ridge_context *context, const struct rg_device_choice *choice,
                               struct rg_bench **out, struct ridge_error *error)
{
    struct opencl_bench *cl = rg_alloc(context, sizeof *cl);
    if (!cl) {
        return rg_error_memory(error, sizeof *cl);
    }
    cl->base.context = context;
    ridge_status status = rg_opencl_load(&cl->api, error);
    if (status == RIDGE_OK) {
        status = rg_opencl_find(&cl->api, choice->platform_index, choice->device_index, &cl->device, error);
    }
    if (status == RIDGE_OK) {
        status = facts_fill(cl, choice->platform_index, choice->device_index, error);
    }
    if (status == RIDGE_OK) {
        status = queue_make(cl, error);
    }
    if (status != RIDGE_OK) {
        bench_close(&cl->base);
        return status;
    }
    *out = &cl->base;
    return RIDGE_OK;
}

static ridge_status build_failed(struct opencl_bench *cl, cl_program program, cl_int code, const char *name,
                                 struct ridge_error *error)
{
    char log[768] = "";
    (void)cl->api.clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    return rg_error_set(error, RIDGE_E_DEVICE, "the probe '%s' does not compile on %s: %s (%d) %s", name,
                        cl->base.facts.device.name, rg_opencl_error_name(code), code, log);
}

static ridge_status bench_kernel_build(struct rg_bench *bench, const char *source, const char *options,
                                       const char *name, size_t *kernel, struct ridge_error *error)
{
    struct opencl_bench *cl = (struct opencl_bench *)bench;
    cl_int code = CL_SUCCESS;
    if (cl->kernel_count == RG_BENCH_KERNELS) {
        return rg_error_set(error, RIDGE_E_LIMIT, "a device has at most %d probes", RG_BENCH_KERNELS);
    }
    cl_program program = cl->api.clCreateProgramWithSource(cl->cl_context, 1, &source, NULL, &code);
    if (!program) {
        return rg_opencl_failed(error, code, "clCreateProgramWithSource");
    }
    code = cl->api.clBuildProgram(program, 1, &cl->device, options, NULL, NULL);
    cl_kernel made = code == CL_SUCCESS ? cl->api.clCreateKernel(program, name, &code) : NULL;
    if (!made) {
        const ridge_status status = build_failed(cl, program, code, name, error);
        cl->api.clReleaseProgram(program);
        return status;
    }
    *kernel = cl->kernel_count++;
    cl->programs[*kernel] = program;
    cl->kernels[*kernel] = made;
    return RIDGE_OK;
}

static ridge_status bench_buffer_make(struct rg_bench *bench, size_t bytes, size_t *buffer, struct ridge_error *error)
{
    struct opencl_bench *cl = (struct opencl_bench *)bench;
    cl_int code = CL_SUCCESS;
    size_t at = 0;
    while (at < RG_BENCH_BUFFERS && cl->buffers[at]) {
        at++;
    }
    if (at == RG_BENCH_BUFFERS) {
        return rg_error_set(error, RIDGE_E_LIMIT, "a device has at most %d buffers", RG_BENCH_BUFFERS);
    }
    cl->buffers[at] = cl->api.clCreateBuffer(cl->cl_context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (!cl->buffers[at]) {
        return rg_error_set(error, RIDGE_E_LIMIT, "%s gives no buffer of %zu bytes: %s", cl->base.facts.device.name,
                            bytes, rg_opencl_error_name(code));
    }
    *buffer = at;
    return RIDGE_OK;
}

static ridge_status bench_write(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, const void *from,
                                struct ridge_error *error)
{
    struct opencl_bench *cl = (struct opencl_bench *)bench;
    const cl_int code =
        cl->api.clEnqueueWriteBuffer(cl->queue, cl->buffers[buffer], CL_TRUE, at, bytes, from, 0, NULL, NULL);
    return code == CL_SUCCESS ? RIDGE_OK : rg_opencl_failed(error, code, "clEnqueueWriteBuffer");
}

static ridge_status bench_read(struct rg_bench *bench, size_t buffer, size_t at, size_t bytes, void *to,
                               struct ridge_error *error)
{
    struct opencl_bench *cl = (struct opencl_bench *)bench;
    const cl_int code =
        cl->api.clEnqueueReadBuffer(cl->queue, cl->buffers[buffer], CL_TRUE, at, bytes, to, 0, NULL, NULL);
    return code == CL_SUCCESS ? RIDGE_OK : rg_opencl_failed(error, code, "clEnqueueReadBuffer");
}

/** Seconds between two moments of two events; NaN when the driver has none, or they make no sense. */
static double between(struct opencl_bench *cl, cl_event first, cl_profiling_info begin_what, cl_event last,
                      cl_profiling_info end_what)
{
    cl_ulong begin = 0;
    cl_ulong end = 0;
    if (!cl->base.facts.profiling ||
        cl->api.clGetEventProfilingInfo(first, begin_what, sizeof begin, &begin, NULL) != CL_SUCCESS ||
        cl->api.clGetEventProfilingInfo(last, end_what, sizeof end, &end, NULL) != CL_SUCCESS || end <= begin) {
        return (double)NAN;
    }
    return (double)(end - begin) * 1e-9;
}

static ridge_status bench_flight_add(struct rg_bench *bench, const struct rg_bench_launch *launch, bool first,
                                     struct ridge_error *error)
{
    struct opencl_bench *cl = (struct opencl_bench *)bench;
    cl_kernel kernel = cl->kernels[launch->kernel];
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < launch->argument_count && code == CL_SUCCESS; i++) {
        const struct rg_bench_argument *argument = &launch->arguments[i];
        code = argument->value ? cl->api.clSetKernelArg(kernel, (cl_uint)i, argument->bytes, argument->value)
                               : cl->api.clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem),
                                                        (const void *)&cl->buffers[argument->buffer]);
    }
    if (code != CL_SUCCESS) {
        return rg_opencl_failed(error, code, "clSetKernelArg");
    }
    if (first) {
        event_free(cl, &cl->first);
        cl->flight_began_ns = rg_clock_ns();
    }
    event_free(cl, &cl->last);
    const size_t *local = launch->local > 0 ? &launch->local : NULL;
    code = cl->api.clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &launch->global, local, 0, NULL,
                                          first ? &cl->first : &cl->last);
    return code == CL_SUCCESS ? RIDGE_OK : rg_opencl_failed(error, code, "clEnqueueNDRangeKernel");
}

static ridge_status bench_flight_end(struct rg_bench *bench, struct rg_bench_times *times, struct ridge_error *error)
{
    struct opencl_bench *cl = (struct opencl_bench *)bench;
    cl_event last = cl->last ? cl->last : cl->first;
    cl_int state = CL_COMPLETE;
    cl_int code = cl->api.clWaitForEvents(1, &last);
    const uint64_t ended_ns = rg_clock_ns();
    const cl_int asked = cl->api.clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    code = state < 0 ? state : code != CL_SUCCESS ? code : asked;
    if (code == CL_SUCCESS) {
        times->device_s = between(cl, cl->first, CL_PROFILING_COMMAND_START, last, CL_PROFILING_COMMAND_END);
        times->wait_s = between(cl, cl->first, CL_PROFILING_COMMAND_QUEUED, cl->first, CL_PROFILING_COMMAND_START);
        times->wall_s = (double)(ended_ns - cl->flight_began_ns) * 1e-9;
    }
    event_free(cl, &cl->first);
    event_free(cl, &cl->last);
    return code == CL_SUCCESS ? RIDGE_OK : rg_opencl_failed(error, code, "a launch of a probe");
}

const struct rg_bench_ops rg_bench_opencl = {
    .backend = &rg_backend_opencl,
    .open = bench_open,
    .close = bench_close,
    .kernel_build = bench_kernel_build,
    .buffer_make = bench_buffer_make,
    .write = bench_write,
    .read = bench_read,
    .flight_add = bench_flight_add,
    .flight_end = bench_flight_end,
};
