/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "backend/guard.h"
#include "backend/opencl.h"
#include "base/checked.h"
#include "base/error.h"

enum {
    GUARD_BYTES = 4096,
    MAX_BEFORE_BYTES = 65536 /* a device that aligns more coarsely has a guard zone behind only */
};

static bool is_buffer(const struct rg_session *session, size_t argument)
{
    return session->request.shapes[argument].kind == RG_SHAPE_BUFFER;
}

static ridge_status too_large(struct rg_session *session, const struct rg_shape *shape, cl_int code,
                              struct ridge_error *error)
{
    return rg_error_set(error, RIDGE_E_LIMIT,
                        "the device has not the memory for '%s': %" PRIu64 " bytes (it has %" PRIu64
                        " bytes in all and allocates at most %" PRIu64 " at once): %s",
                        shape->name, shape->bytes, session->limits.memory_bytes, session->limits.max_allocation_bytes,
                        rg_opencl_error_name(code));
}

static bool is_out_of_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
           code == CL_INVALID_BUFFER_SIZE;
}

/** Refuse what cannot be had before anything is allocated: drivers that overcommit would be killed later. */
static ridge_status sizes_check(const struct rg_session *session, struct ridge_error *error)
{
    const struct rg_opencl_limits *limits = &session->limits;
    uint64_t sum = 0;
    for (size_t i = 0; i < session->request.shape_count; i++) {
        const struct rg_shape *shape = &session->request.shapes[i];
        if (shape->kind != RG_SHAPE_BUFFER) {
            continue;
        }
        if (limits->max_allocation_bytes > 0 && shape->bytes > limits->max_allocation_bytes) {
            return rg_error_set(error, RIDGE_E_LIMIT,
                                "'%s' has %" PRIu64 " bytes, more than the device allocates at once (%" PRIu64 ")",
                                shape->name, shape->bytes, limits->max_allocation_bytes);
        }
        if (shape->bytes > SIZE_MAX - MAX_BEFORE_BYTES - GUARD_BYTES ||
            __builtin_add_overflow(sum, shape->bytes, &sum)) {
            sum = UINT64_MAX;
            break;
        }
    }
    if (limits->memory_bytes > 0 && sum > limits->memory_bytes) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "the buffers have %" PRIu64 " bytes together, more than the device's memory (%" PRIu64 ")",
                            sum, limits->memory_bytes);
    }
    return RIDGE_OK;
}

/** How wide the guard zones of a buffer can be on this device. */
static void guards_plan(const struct rg_session *session, struct rg_opencl_buffer *buffer)
{
    const struct rg_opencl_limits *limits = &session->limits;
    const size_t alignment = limits->alignment_bytes > 0 ? (size_t)limits->alignment_bytes : 1;
    const size_t before = (GUARD_BYTES + alignment - 1) / alignment * alignment;
    buffer->before = before <= MAX_BEFORE_BYTES ? before : 0;
    buffer->behind = GUARD_BYTES;
    const uint64_t room =
        limits->max_allocation_bytes > 0 ? limits->max_allocation_bytes - buffer->bytes : MAX_BEFORE_BYTES * 2U;
    if (room < buffer->before + buffer->behind) {
        buffer->before = 0;
        buffer->behind = room < GUARD_BYTES ? (size_t)room : GUARD_BYTES;
    }
}

/** Make the two objects of a buffer with the zones as planned. */
static cl_int buffer_create(struct rg_session *session, struct rg_opencl_buffer *buffer)
{
    cl_int code = CL_SUCCESS;
    buffer->whole = session->api.clCreateBuffer(session->context, CL_MEM_READ_WRITE,
                                                buffer->before + buffer->bytes + buffer->behind, NULL, &code);
    if (!buffer->whole) {
        return code == CL_SUCCESS ? CL_MEM_OBJECT_ALLOCATION_FAILURE : code;
    }
    if (buffer->before == 0) {
        buffer->data = buffer->whole;
        return CL_SUCCESS;
    }
    const cl_buffer_region region = {buffer->before, buffer->bytes};
    buffer->data =
        session->api.clCreateSubBuffer(buffer->whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (!buffer->data) {
        session->api.clReleaseMemObject(buffer->whole);
        buffer->whole = NULL;
        return code == CL_SUCCESS ? CL_MISALIGNED_SUB_BUFFER_OFFSET : code;
    }
    return CL_SUCCESS;
}

static cl_int zone_write(struct rg_session *session, const struct rg_opencl_buffer *buffer, size_t offset, size_t bytes)
{
    if (bytes == 0) {
        return CL_SUCCESS;
    }
    rg_guard_fill(session->zone, bytes);
    return session->api.clEnqueueWriteBuffer(session->queue, buffer->whole, CL_TRUE, offset, bytes, session->zone, 0,
                                             NULL, NULL);
}

static cl_int zones_write(struct rg_session *session, const struct rg_opencl_buffer *buffer)
{
    const cl_int code = zone_write(session, buffer, 0, buffer->before);
    return code == CL_SUCCESS ? zone_write(session, buffer, buffer->before + buffer->bytes, buffer->behind) : code;
}

static ridge_status buffer_open(struct rg_session *session, size_t argument, struct ridge_error *error)
{
    struct rg_opencl_buffer *buffer = &session->buffers[argument];
    const struct rg_shape *shape = &session->request.shapes[argument];
    buffer->bytes = (size_t)shape->bytes;
    guards_plan(session, buffer);
    cl_int code = buffer_create(session, buffer);
    if (code == CL_MISALIGNED_SUB_BUFFER_OFFSET) {
        buffer->before = 0;
        code = buffer_create(session, buffer);
    }
    if (code != CL_SUCCESS) {
        return is_out_of_memory(code) ? too_large(session, shape, code, error)
                                      : rg_opencl_failed(error, code, "clCreateBuffer");
    }
    /* Drivers allocate late: this write is where a lack of memory shows. */
    code = zones_write(session, buffer);
    if (code != CL_SUCCESS) {
        return is_out_of_memory(code) ? too_large(session, shape, code, error)
                                      : rg_opencl_failed(error, code, "clEnqueueWriteBuffer");
    }
    return RIDGE_OK;
}

ridge_status rg_opencl_buffers_open(struct rg_session *session, struct ridge_error *error)
{
    const struct ridge_context *context = session->request.context;
    const size_t count = session->request.shape_count;
    ridge_status status = sizes_check(session, error);
    if (status != RIDGE_OK || count == 0) {
        return status;
    }
    size_t bytes;
    session->buffers = rg_multiply_size(count, sizeof *session->buffers, &bytes) ? rg_alloc(context, bytes) : NULL;
    session->zone = rg_alloc(context, MAX_BEFORE_BYTES);
    if (!session->buffers || !session->zone) {
        return rg_error_memory(error, MAX_BEFORE_BYTES);
    }
    for (size_t i = 0; i < count && status == RIDGE_OK; i++) {
        if (is_buffer(session, i)) {
            status = buffer_open(session, i, error);
        }
    }
    return status;
}

void rg_opencl_buffers_close(struct rg_session *session)
{
    const struct ridge_context *context = session->request.context;
    const size_t count = session->buffers ? session->request.shape_count : 0;
    for (size_t i = 0; i < count; i++) {
        struct rg_opencl_buffer *buffer = &session->buffers[i];
        if (buffer->data && buffer->data != buffer->whole) {
            session->api.clReleaseMemObject(buffer->data);
        }
        if (buffer->whole) {
            session->api.clReleaseMemObject(buffer->whole);
        }
    }
    rg_free(context, session->buffers, count * sizeof *session->buffers);
    rg_free(context, session->zone, MAX_BEFORE_BYTES);
}

ridge_status rg_opencl_buffer_write(struct rg_session *session, size_t argument, const void *from,
                                    struct ridge_error *error)
{
    const struct rg_opencl_buffer *buffer = &session->buffers[argument];
    const cl_int code = session->api.clEnqueueWriteBuffer(session->queue, buffer->whole, CL_TRUE, buffer->before,
                                                          buffer->bytes, from, 0, NULL, NULL);
    if (code == CL_SUCCESS) {
        return RIDGE_OK;
    }
    return is_out_of_memory(code) ? too_large(session, &session->request.shapes[argument], code, error)
                                  : rg_opencl_failed(error, code, "clEnqueueWriteBuffer");
}

ridge_status rg_opencl_buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error)
{
    const struct rg_opencl_buffer *buffer = &session->buffers[argument];
    const cl_int code = session->api.clEnqueueReadBuffer(session->queue, buffer->whole, CL_TRUE, buffer->before,
                                                         buffer->bytes, to, 0, NULL, NULL);
    return code == CL_SUCCESS ? RIDGE_OK : rg_opencl_failed(error, code, "clEnqueueReadBuffer");
}

static cl_int zone_check(struct rg_session *session, size_t argument, enum rg_guard_side side,
                         struct rg_trouble *trouble)
{
    const struct rg_opencl_buffer *buffer = &session->buffers[argument];
    const size_t offset = side == RG_GUARD_BEFORE ? 0 : buffer->before + buffer->bytes;
    const size_t bytes = side == RG_GUARD_BEFORE ? buffer->before : buffer->behind;
    if (bytes == 0) {
        return CL_SUCCESS;
    }
    const cl_int code = session->api.clEnqueueReadBuffer(session->queue, buffer->whole, CL_TRUE, offset, bytes,
                                                         session->zone, 0, NULL, NULL);
    if (code != CL_SUCCESS ||
        !rg_guard_damaged(session->zone, bytes, side, &session->request.shapes[argument], trouble)) {
        return code;
    }
    return zone_write(session, buffer, offset, bytes);
}

ridge_status rg_opencl_guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error)
{
    for (size_t i = 0; i < session->request.shape_count; i++) {
        if (!is_buffer(session, i)) {
            continue;
        }
        cl_int code = zone_check(session, i, RG_GUARD_BEFORE, trouble);
        if (code == CL_SUCCESS) {
            code = zone_check(session, i, RG_GUARD_BEHIND, trouble);
        }
        if (code != CL_SUCCESS) {
            return rg_opencl_failed(error, code, "reading a guard zone");
        }
    }
    return RIDGE_OK;
}
