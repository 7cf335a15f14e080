/* SPDX-License-Identifier: MIT */
#include "backend/idle.h"

#include <string.h>

#include "base/error.h"

ridge_status rg_idle_open(const struct rg_session_request *request, struct rg_session **out, struct ridge_error *error)
{
    struct rg_session *session = rg_alloc(request->context, sizeof *session);
    if (!session) {
        return rg_error_memory(error, sizeof *session);
    }
    *session = (struct rg_session){request->context, request->shapes, request->recording};
    *out = session;
    return RIDGE_OK;
}

void rg_idle_close(struct rg_session *session)
{
    if (session) {
        rg_free(session->context, session, sizeof *session);
    }
}

ridge_status rg_idle_buffer_write(struct rg_session *session, size_t argument, const void *from,
                                  struct ridge_error *error)
{
    (void)session;
    (void)argument;
    (void)from;
    (void)error;
    return RIDGE_OK;
}

ridge_status rg_idle_buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error)
{
    (void)error;
    memset(to, 0, (size_t)session->shapes[argument].bytes);
    return RIDGE_OK;
}

ridge_status rg_idle_guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error)
{
    (void)session;
    (void)trouble;
    (void)error;
    return RIDGE_OK;
}

void rg_idle_kernel_destroy(struct rg_session *session, struct rg_kernel *kernel)
{
    rg_free(session->context, kernel, sizeof *kernel);
}

ridge_status rg_idle_evict(struct rg_session *session, struct ridge_error *error)
{
    (void)session;
    (void)error;
    return RIDGE_OK;
}
