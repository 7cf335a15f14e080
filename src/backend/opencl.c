/* SPDX-License-Identifier: MIT */
#include "backend/opencl.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"

static const size_t max_scratch_bytes = (size_t)256 << 20;
static const size_t least_scratch_bytes = (size_t)1 << 20;

static void close_session(struct rg_session *session)
{
    if (!session) {
        return;
    }
    rg_opencl_programs_close(session);
    rg_opencl_buffers_close(session);
    if (session->scratch) {
        session->api.clReleaseMemObject(session->scratch);
    }
    if (session->queue) {
        session->api.clReleaseCommandQueue(session->queue);
    }
    if (session->context) {
        session->api.clReleaseContext(session->context);
    }
    rg_free(session->request.context, session, sizeof *session);
}

static ridge_status queue_create(struct rg_session *session, struct ridge_error *error)
{
    cl_int code = CL_SUCCESS;
    session->context = session->api.clCreateContext(NULL, 1, &session->device, NULL, NULL, &code);
    if (!session->context) {
        return rg_opencl_failed(error, code, "clCreateContext");
    }
    session->queue =
        session->api.clCreateCommandQueue(session->context, session->device, CL_QUEUE_PROFILING_ENABLE, &code);
    session->profiling = session->queue != NULL;
    if (!session->queue && code == CL_INVALID_QUEUE_PROPERTIES) {
        session->queue = session->api.clCreateCommandQueue(session->context, session->device, 0, &code);
    }
    if (!session->queue) {
        return rg_opencl_failed(error, code, "clCreateCommandQueue");
    }
    if (!session->profiling) {
        rg_log(session->request.context, RIDGE_LOG_WARNING,
               "the OpenCL device has no event times: the host's clock is used, launch overhead included");
    }
    return RIDGE_OK;
}

/** Make the largest buffer up to 256 MiB that the device gives. */
static ridge_status scratch_create(struct rg_session *session, struct ridge_error *error)
{
    size_t bytes = max_scratch_bytes;
    cl_int code = CL_SUCCESS;
    for (; bytes >= least_scratch_bytes; bytes /= 2) {
        if (session->limits.max_allocation_bytes > 0 && bytes > session->limits.max_allocation_bytes) {
            continue;
        }
        session->scratch = session->api.clCreateBuffer(session->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        if (session->scratch) {
            session->scratch_bytes = bytes;
            return RIDGE_OK;
        }
    }
    return rg_error_set(error, RIDGE_E_LIMIT,
                        "no memory is left on the device to drive its caches out: %s (measure warm)",
                        rg_opencl_error_name(code));
}

static ridge_status open_device(struct rg_session *session, struct ridge_error *error)
{
    const struct rg_session_request *request = &session->request;
    ridge_status status = rg_opencl_load(&session->api, error);
    if (status == RIDGE_OK) {
        status = rg_opencl_find(&session->api, request->platform_index, request->device_index, &session->device, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    rg_opencl_limits_get(&session->api, session->device, &session->limits);
    status = rg_opencl_include_folder(session, error);
    if (status == RIDGE_OK) {
        status = queue_create(session, error);
    }
    if (status == RIDGE_OK) {
        status = rg_opencl_buffers_open(session, error);
    }
    if (status == RIDGE_OK && request->cold) {
        status = scratch_create(session, error);
    }
    return status;
}

static ridge_status open_session(const struct rg_session_request *request, struct rg_session **out,
                                 struct ridge_error *error)
{
    struct rg_session *session = rg_alloc(request->context, sizeof *session);
    if (!session) {
        return rg_error_memory(error, sizeof *session);
    }
    session->request = *request;
    const ridge_status status = open_device(session, error);
    if (status != RIDGE_OK) {
        close_session(session);
        return status;
    }
    *out = session;
    return RIDGE_OK;
}

static cl_int arguments_set(const struct rg_session *session, const struct rg_kernel *kernel,
                            const struct rg_launch *launch, size_t *argument)
{
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < session->request.shape_count && code == CL_SUCCESS; i++) {
        const struct rg_shape *shape = &session->request.shapes[i];
        size_t bytes = shape->element_bytes;
        const void *value = &launch->scalars[i]; /* the low bytes: every OpenCL host is little-endian */
        if (shape->kind == RG_SHAPE_BUFFER) {
            bytes = sizeof(cl_mem);
            value = (const void *)&session->buffers[i].data;
        } else if (shape->kind == RG_SHAPE_LOCAL) {
            bytes = (size_t)launch->scalars[i];
            value = NULL;
        }
        *argument = i;
        code = session->api.clSetKernelArg(kernel->kernel, (cl_uint)i, bytes, value);
    }
    return code;
}

static void launch_trouble(struct rg_trouble *trouble, const char *what, cl_int code)
{
    rg_trouble_set(trouble, RIDGE_OUTCOME_LAUNCH, "%s: %s (%d)", what, rg_opencl_error_name(code), code);
}

/** Seconds on the device, or false when the driver has none. */
static bool device_seconds(const struct rg_session *session, cl_event event, double *seconds)
{
    cl_ulong begin = 0;
    cl_ulong end = 0;
    if (!session->profiling ||
        session->api.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) !=
            CL_SUCCESS ||
        session->api.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS) {
        return false;
    }
    *seconds = ((double)end - (double)begin) * 1e-9;
    return true;
}

/** Wait for the launch. A device that is gone is the tool's failure; everything else is the configuration's. */
static ridge_status launch_wait(struct rg_session *session, cl_event event, struct rg_trouble *trouble,
                                struct ridge_error *error)
{
    const cl_int waited = session->api.clWaitForEvents(1, &event);
    cl_int state = CL_COMPLETE;
    const cl_int asked =
        session->api.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    const cl_int code = state < 0 ? state : waited;
    if (code == CL_DEVICE_NOT_AVAILABLE) {
        return rg_opencl_failed(error, code, "clWaitForEvents");
    }
    if (code != CL_SUCCESS) {
        launch_trouble(trouble, "the launch failed", code);
    } else if (asked != CL_SUCCESS) {
        return rg_opencl_failed(error, asked, "clGetEventInfo");
    }
    return RIDGE_OK;
}

static ridge_status launch_timed(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                 double *seconds, struct rg_trouble *trouble, struct ridge_error *error)
{
    size_t global[3] = {1, 1, 1};
    size_t local[3] = {1, 1, 1};
    for (unsigned i = 0; i < launch->dimensions; i++) {
        global[i] = (size_t)(launch->grid[i] * launch->block[i]);
        local[i] = (size_t)launch->block[i];
    }
    cl_event event = NULL;
    const uint64_t begin_ns = rg_clock_ns();
    const cl_int code = session->api.clEnqueueNDRangeKernel(session->queue, kernel->kernel, launch->dimensions, NULL,
                                                            global, local, 0, NULL, &event);
    if (code == CL_DEVICE_NOT_AVAILABLE) {
        return rg_opencl_failed(error, code, "clEnqueueNDRangeKernel");
    }
    if (code != CL_SUCCESS) {
        launch_trouble(trouble, "the driver refused the launch", code);
        return RIDGE_OK;
    }
    const ridge_status status = launch_wait(session, event, trouble, error);
    const double host_s = (double)(rg_clock_ns() - begin_ns) * 1e-9;
    double measured_s = host_s;
    if (status == RIDGE_OK && !device_seconds(session, event, &measured_s) && session->profiling) {
        session->profiling = false;
        rg_log(session->request.context, RIDGE_LOG_WARNING,
               "the OpenCL driver gives no event times: the host's clock is used, launch overhead included");
    }
    session->api.clReleaseEvent(event);
    *seconds = measured_s;
    return status;
}

static ridge_status launch_once(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                double *seconds, struct rg_trouble *trouble, struct ridge_error *error)
{
    if (!rg_opencl_launchable(session, kernel, launch, trouble)) {
        return RIDGE_OK;
    }
    size_t argument = 0;
    const cl_int code = arguments_set(session, kernel, launch, &argument);
    if (code != CL_SUCCESS) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_LAUNCH, "the driver refused argument %zu ('%s'): %s (%d)", argument + 1,
                       session->request.shapes[argument].name, rg_opencl_error_name(code), code);
        return RIDGE_OK;
    }
    return launch_timed(session, kernel, launch, seconds, trouble, error);
}

/** For a loader without clEnqueueFillBuffer: write the scratch buffer piece by piece. */
static cl_int scratch_write(struct rg_session *session)
{
    unsigned char piece[65536];
    memset(piece, session->round, sizeof piece);
    cl_int code = CL_SUCCESS;
    for (size_t at = 0; at < session->scratch_bytes && code == CL_SUCCESS; at += sizeof piece) {
        code = session->api.clEnqueueWriteBuffer(session->queue, session->scratch, CL_TRUE, at, sizeof piece, piece, 0,
                                                 NULL, NULL);
    }
    return code;
}

static ridge_status evict(struct rg_session *session, struct ridge_error *error)
{
    if (!session->scratch) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "evict was called on a session that was not opened cold");
    }
    session->round++;
    cl_int code;
    if (session->api.clEnqueueFillBuffer) {
        code = session->api.clEnqueueFillBuffer(session->queue, session->scratch, &session->round, 1, 0,
                                                session->scratch_bytes, 0, NULL, NULL);
    } else {
        code = scratch_write(session);
    }
    if (code == CL_SUCCESS) {
        code = session->api.clFinish(session->queue);
    }
    return code == CL_SUCCESS ? RIDGE_OK : rg_opencl_failed(error, code, "filling the scratch buffer");
}

const struct rg_backend rg_backend_opencl = {
    .name = "opencl",
    .language = RG_SOURCE_OPENCL,
    .numbers = 2,
    .computes = true,
    .enumerate = rg_opencl_enumerate,
    .open = open_session,
    .close = close_session,
    .buffer_write = rg_opencl_buffer_write,
    .buffer_read = rg_opencl_buffer_read,
    .guards_check = rg_opencl_guards_check,
    .build = rg_opencl_build,
    .kernel_destroy = rg_opencl_kernel_destroy,
    .launch = launch_once,
    .evict = evict,
};
