/* SPDX-License-Identifier: MIT */
/**
 * \file What backends that run nothing share: a session without a device, and the hooks that have nothing to do.
 * Thread rule: that of backend.h.
 */
#ifndef RG_BACKEND_IDLE_H
#define RG_BACKEND_IDLE_H

#include "backend/backend.h"
#include "base/rng.h"

struct rg_session {
    const struct ridge_context *context;
    const struct rg_shape *shapes;
    const struct rg_recording *recording; /**< replay; NULL elsewhere */
};

struct rg_kernel {
    double base_s; /**< null: the invented time, and its noise */
    struct rg_rng noise;
    const struct rg_recorded *recorded; /**< replay: the recorded times, and how many were given */
    uint64_t launches;
};

/** Open a session that holds what the request says. */
ridge_status rg_idle_open(const struct rg_session_request *request, struct rg_session **out, struct ridge_error *error);
void rg_idle_close(struct rg_session *session);
ridge_status rg_idle_buffer_write(struct rg_session *session, size_t argument, const void *from,
                                  struct ridge_error *error);
/** Nothing was kept: zeros. */
ridge_status rg_idle_buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error);
ridge_status rg_idle_guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error);
void rg_idle_kernel_destroy(struct rg_session *session, struct rg_kernel *kernel);
ridge_status rg_idle_evict(struct rg_session *session, struct ridge_error *error);

#endif
