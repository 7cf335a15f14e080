/* SPDX-License-Identifier: MIT */
#include "backend/cuda.h"

#include <string.h>

#include "base/error.h"

enum {
    MAX_PARAMETERS = 256
};

/* Evicting writes twice the level 2 cache, and at least this much where the driver does not say how large it is. */
static const size_t least_scratch_bytes = (size_t)64 << 20;

static void close_session(struct rg_session *session)
{
    if (!session) {
        return;
    }
    rg_cuda_buffers_close(session);
    if (session->scratch) {
        (void)session->api.cuMemFree_v2(session->scratch);
    }
    if (session->begin) {
        (void)session->api.cuEventDestroy_v2(session->begin);
    }
    if (session->end) {
        (void)session->api.cuEventDestroy_v2(session->end);
    }
    rg_compilers_close(session->compilers);
    if (session->context) {
        (void)session->api.cuDevicePrimaryCtxRelease_v2(session->device);
    }
    rg_free(session->request.context, session, sizeof *session);
}

static ridge_status context_open(struct rg_session *session, struct ridge_error *error)
{
    const struct rg_cuda_api *api = &session->api;
    rg_cu_result code = api->cuDevicePrimaryCtxRetain(&session->context, session->device);
    if (code != RG_CUDA_SUCCESS) {
        session->context = NULL;
        return rg_cuda_failed(api, error, code, "cuDevicePrimaryCtxRetain");
    }
    code = api->cuCtxSetCurrent(session->context);
    if (code != RG_CUDA_SUCCESS) {
        return rg_cuda_failed(api, error, code, "cuCtxSetCurrent");
    }
    rg_cu_event *const events[] = {&session->begin, &session->end};
    for (size_t i = 0; i < 2; i++) {
        code = api->cuEventCreate(events[i], RG_CU_EVENT_DEFAULT);
        if (code != RG_CUDA_SUCCESS) {
            *events[i] = NULL;
            return rg_cuda_failed(api, error, code, "cuEventCreate");
        }
    }
    return RIDGE_OK;
}

static ridge_status scratch_create(struct rg_session *session, struct ridge_error *error)
{
    const size_t wanted = (size_t)session->limits.l2_bytes * 2;
    session->scratch_bytes = wanted > least_scratch_bytes ? wanted : least_scratch_bytes;
    const rg_cu_result code = session->api.cuMemAlloc_v2(&session->scratch, session->scratch_bytes);
    if (code == RG_CUDA_SUCCESS) {
        return RIDGE_OK;
    }
    session->scratch = 0;
    char text[256];
    return rg_error_set(error, RIDGE_E_LIMIT,
                        "no memory is left on the device to drive its caches out: %s (measure warm)",
                        rg_cuda_error_text(&session->api, code, text, sizeof text));
}

static ridge_status open_device(struct rg_session *session, struct ridge_error *error)
{
    ridge_status status = rg_cuda_load(&session->api, error);
    if (status == RIDGE_OK) {
        status = rg_cuda_find(&session->api, session->request.device_index, &session->device, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    rg_cuda_limits_get(&session->api, session->device, &session->limits);
    status = context_open(session, error);
    if (status == RIDGE_OK) {
        status = rg_cuda_buffers_open(session, error);
    }
    if (status == RIDGE_OK && session->request.cold) {
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

/** Whether an error is the device's or the driver's own, and not what a kernel did. */
static bool is_device_lost(rg_cu_result code)
{
    return code == RG_CUDA_ERROR_DEVICE_UNAVAILABLE || code == RG_CUDA_ERROR_ECC_UNCORRECTABLE ||
           code == RG_CUDA_ERROR_DEINITIALIZED || code == RG_CUDA_ERROR_NO_DEVICE ||
           code == RG_CUDA_ERROR_SYSTEM_NOT_READY;
}

/** Tell what became of a failed call around a launch. A kernel's fault stays with the context for good, so the process
 * cannot be used again. Source: CUDA Driver API reference, CUresult. */
static ridge_status launch_failed(struct rg_session *session, rg_cu_result code, const char *call,
                                  struct rg_trouble *trouble, struct ridge_error *error)
{
    char text[256];
    if (is_device_lost(code)) {
        return rg_cuda_failed(&session->api, error, code, "a launch");
    }
    rg_trouble_set(trouble, RIDGE_OUTCOME_LAUNCH, "%s: %s", call,
                   rg_cuda_error_text(&session->api, code, text, sizeof text));
    trouble->spoilt = code != RG_CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES && code != RG_CUDA_ERROR_INVALID_VALUE;
    return RIDGE_OK;
}

static ridge_status launch_timed(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                 void **parameters, double *seconds, struct rg_trouble *trouble,
                                 struct ridge_error *error)
{
    const struct rg_cuda_api *api = &session->api;
    unsigned grid[3] = {1, 1, 1};
    unsigned block[3] = {1, 1, 1};
    for (unsigned i = 0; i < launch->dimensions; i++) {
        grid[i] = (unsigned)launch->grid[i];
        block[i] = (unsigned)launch->block[i];
    }
    float milliseconds = 0;
    const char *call = "cuEventRecord";
    rg_cu_result code = api->cuEventRecord(session->begin, NULL);
    if (code == RG_CUDA_SUCCESS) {
        call = "the driver refused the launch";
        code = api->cuLaunchKernel(kernel->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                   (unsigned)rg_cuda_dynamic_bytes(session, launch), NULL, parameters, NULL);
    }
    if (code == RG_CUDA_SUCCESS) {
        call = "the launch failed"; /* any later call may be the one that says so */
        code = api->cuEventRecord(session->end, NULL);
    }
    if (code == RG_CUDA_SUCCESS) {
        code = api->cuEventSynchronize(session->end);
    }
    if (code == RG_CUDA_SUCCESS) {
        call = "cuEventElapsedTime";
        code = api->cuEventElapsedTime(&milliseconds, session->begin, session->end);
    }
    if (code != RG_CUDA_SUCCESS) {
        return launch_failed(session, code, call, trouble, error);
    }
    *seconds = (double)milliseconds * 1e-3;
    return RIDGE_OK;
}

/** Where the driver finds a parameter: a pointer to a buffer, the bytes of one that is passed by value, or a scalar. */
static void *parameter_of(struct rg_session *session, size_t argument, uint64_t *scalar)
{
    const struct rg_shape *shape = &session->request.shapes[argument];
    struct rg_cuda_buffer *buffer = &session->buffers[argument];
    if (shape->kind != RG_SHAPE_BUFFER) {
        return scalar;
    }
    return shape->by_value ? buffer->host : (void *)&buffer->data;
}

static ridge_status launch_once(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                double *seconds, struct rg_trouble *trouble, struct ridge_error *error)
{
    if (!rg_cuda_launchable(session, kernel, launch, trouble)) {
        return RIDGE_OK;
    }
    void *parameters[MAX_PARAMETERS];
    uint64_t scalars[MAX_PARAMETERS];
    size_t count = 0;
    for (size_t i = 0; i < session->request.shape_count && count < MAX_PARAMETERS; i++) {
        const struct rg_shape *shape = &session->request.shapes[i];
        if (shape->kind == RG_SHAPE_LOCAL) {
            continue; /* dynamic shared memory: a part of the launch, not a parameter */
        }
        scalars[count] = launch->scalars[i]; /* the low bytes: CUDA's hosts are little-endian */
        parameters[count] = parameter_of(session, i, &scalars[count]);
        count++;
    }
    return launch_timed(session, kernel, launch, parameters, seconds, trouble, error);
}

static ridge_status evict(struct rg_session *session, struct ridge_error *error)
{
    if (!session->scratch) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "evict was called on a session that was not opened cold");
    }
    rg_cu_result code = session->api.cuMemsetD8_v2(session->scratch, ++session->round, session->scratch_bytes);
    if (code == RG_CUDA_SUCCESS) {
        code = session->api.cuCtxSynchronize();
    }
    return code == RG_CUDA_SUCCESS ? RIDGE_OK
                                   : rg_cuda_failed(&session->api, error, code, "filling the scratch memory");
}

const struct rg_backend rg_backend_cuda = {
    .name = "cuda",
    .language = RG_SOURCE_CUDA,
    .numbers = 1,
    .computes = true,
    .enumerate = rg_cuda_enumerate,
    .open = open_session,
    .close = close_session,
    .buffer_write = rg_cuda_buffer_write,
    .buffer_read = rg_cuda_buffer_read,
    .guards_check = rg_cuda_guards_check,
    .build = rg_cuda_build,
    .kernel_destroy = rg_cuda_kernel_destroy,
    .launch = launch_once,
    .evict = evict,
};
