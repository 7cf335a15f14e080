/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "backend/cuda.h"
#include "backend/guard.h"
#include "base/checked.h"
#include "base/error.h"

enum {
    ZONE_BYTES = 4096 /* a multiple of every alignment that vector accesses need */
};

static ridge_status memory_failed(const struct rg_session *session, size_t argument, rg_cu_result code,
                                  const char *call, struct ridge_error *error)
{
    if (code != RG_CUDA_ERROR_OUT_OF_MEMORY) {
        return rg_cuda_failed(&session->api, error, code, call);
    }
    size_t left = 0;
    size_t all = 0;
    (void)session->api.cuMemGetInfo_v2(&left, &all);
    return rg_error_set(error, RIDGE_E_LIMIT,
                        "the device has not the memory for '%s': %" PRIu64 " bytes (%zu of its %zu bytes are free)",
                        session->request.shapes[argument].name, session->request.shapes[argument].bytes, left, all);
}

/** Bytes of the guard zones on either side. */
static size_t zone_bytes(const struct rg_session *session)
{
    return session->request.bare ? 0 : ZONE_BYTES;
}

static rg_cu_result zone_write(struct rg_session *session, rg_cu_pointer at)
{
    if (zone_bytes(session) == 0) {
        return RG_CUDA_SUCCESS;
    }
    rg_guard_fill(session->zone, ZONE_BYTES);
    return session->api.cuMemcpyHtoD_v2(at, session->zone, ZONE_BYTES);
}

static ridge_status buffer_open(struct rg_session *session, size_t argument, struct ridge_error *error)
{
    struct rg_cuda_buffer *buffer = &session->buffers[argument];
    const uint64_t bytes = session->request.shapes[argument].bytes;
    size_t whole;
    if (bytes > SIZE_MAX / 2 || !rg_add_size((size_t)bytes, 2 * zone_bytes(session), &whole)) {
        return rg_error_set(error, RIDGE_E_LIMIT, "'%s' has %" PRIu64 " bytes, more than any device has",
                            session->request.shapes[argument].name, bytes);
    }
    rg_cu_result code = session->api.cuMemAlloc_v2(&buffer->whole, whole);
    if (code != RG_CUDA_SUCCESS) {
        buffer->whole = 0;
        return memory_failed(session, argument, code, "cuMemAlloc", error);
    }
    buffer->data = buffer->whole + zone_bytes(session);
    code = zone_write(session, buffer->whole);
    if (code == RG_CUDA_SUCCESS) {
        code = zone_write(session, buffer->data + bytes);
    }
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : memory_failed(session, argument, code, "cuMemcpyHtoD", error);
}

ridge_status rg_cuda_buffers_open(struct rg_session *session, struct ridge_error *error)
{
    const size_t count = session->request.shape_count;
    size_t bytes;
    if (count == 0) {
        return RIDGE_OK;
    }
    session->buffers =
        rg_multiply_size(count, sizeof *session->buffers, &bytes) ? rg_alloc(session->request.context, bytes) : NULL;
    session->zone = rg_alloc(session->request.context, ZONE_BYTES);
    if (!session->buffers || !session->zone) {
        return rg_error_memory(error, ZONE_BYTES);
    }
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < count && status == RIDGE_OK; i++) {
        if (session->request.shapes[i].kind == RG_SHAPE_BUFFER) {
            status = buffer_open(session, i, error);
        }
    }
    return status;
}

void rg_cuda_buffers_close(struct rg_session *session)
{
    const size_t count = session->buffers ? session->request.shape_count : 0;
    for (size_t i = 0; i < count; i++) {
        if (session->buffers[i].whole) {
            (void)session->api.cuMemFree_v2(session->buffers[i].whole);
        }
    }
    rg_free(session->request.context, session->buffers, count * sizeof *session->buffers);
    rg_free(session->request.context, session->zone, session->zone ? ZONE_BYTES : 0);
}

ridge_status rg_cuda_buffer_write(struct rg_session *session, size_t argument, const void *from,
                                  struct ridge_error *error)
{
    const size_t bytes = (size_t)session->request.shapes[argument].bytes;
    memcpy(&session->buffers[argument].host, &from, sizeof from); /* the driver takes what it reads as not const */
    const rg_cu_result code = session->api.cuMemcpyHtoD_v2(session->buffers[argument].data, from, bytes);
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(&session->api, error, code, "cuMemcpyHtoD");
}

ridge_status rg_cuda_buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error)
{
    const size_t bytes = (size_t)session->request.shapes[argument].bytes;
    const rg_cu_result code = session->api.cuMemcpyDtoH_v2(to, session->buffers[argument].data, bytes);
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(&session->api, error, code, "cuMemcpyDtoH");
}

static rg_cu_result zone_check(struct rg_session *session, size_t argument, enum rg_guard_side side,
                               struct rg_trouble *trouble)
{
    const struct rg_cuda_buffer *buffer = &session->buffers[argument];
    const struct rg_shape *shape = &session->request.shapes[argument];
    const rg_cu_pointer at = side == RG_GUARD_BEFORE ? buffer->whole : buffer->data + shape->bytes;
    const rg_cu_result code = session->api.cuMemcpyDtoH_v2(session->zone, at, ZONE_BYTES);
    if (code != RG_CUDA_SUCCESS || !rg_guard_damaged(session->zone, ZONE_BYTES, side, shape, trouble)) {
        return code;
    }
    return zone_write(session, at);
}

ridge_status rg_cuda_guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error)
{
    for (size_t i = 0; i < session->request.shape_count && zone_bytes(session) > 0; i++) {
        if (session->request.shapes[i].kind != RG_SHAPE_BUFFER) {
            continue;
        }
        rg_cu_result code = zone_check(session, i, RG_GUARD_BEFORE, trouble);
        if (code == RG_CUDA_SUCCESS) {
            code = zone_check(session, i, RG_GUARD_BEHIND, trouble);
        }
        if (code != RG_CUDA_SUCCESS) {
            return rg_cuda_failed(&session->api, error, code, "reading a guard zone");
        }
    }
    return RIDGE_OK;
}
