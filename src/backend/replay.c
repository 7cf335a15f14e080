/* SPDX-License-Identifier: MIT */
/**
 * \file Recorded results as a device: nothing is built or launched; a configuration gives the samples that were
 * recorded of it, in their order and from the start again, or fails as it did then.
 */
#include <stdio.h>

#include "backend/idle.h"
#include "base/error.h"

void rg_recording_facts(const struct rg_recording *recording, struct rg_device_facts *out)
{
    *out = (struct rg_device_facts){.kind = "recorded", .selector = "replay"};
    snprintf(out->name, sizeof out->name, "%s", recording->device);
    snprintf(out->driver, sizeof out->driver, "%s", recording->driver);
}

/** There is none without a file. */
static ridge_status enumerate(const struct ridge_context *context,
                              void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                              struct ridge_error *error)
{
    (void)context;
    (void)visit;
    (void)user;
    return rg_error_set(error, RIDGE_E_UNAVAILABLE, "a file is needed (--device replay:FILE)");
}

static ridge_status open_session(const struct rg_session_request *request, struct rg_session **out,
                                 struct ridge_error *error)
{
    if (!request->recording) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "there is no recording (fill the request's)");
    }
    return rg_idle_open(request, out, error);
}

static ridge_status build(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                          const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                          struct ridge_error *error)
{
    (void)launch;
    const struct rg_recorded *recorded = session->recording->find(session->recording, macros, macro_count);
    if (!recorded) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_SKIPPED, "the file of records has no result of this configuration");
        return RIDGE_OK;
    }
    if (recorded->outcome != RIDGE_OUTCOME_OK) {
        rg_trouble_set(trouble, recorded->outcome, "%s", recorded->text ? recorded->text : "");
        return RIDGE_OK;
    }
    struct rg_kernel *kernel = rg_alloc(session->context, sizeof *kernel);
    if (!kernel) {
        return rg_error_memory(error, sizeof *kernel);
    }
    kernel->recorded = recorded;
    *out = kernel;
    return RIDGE_OK;
}

/** The first launch verifies and is not sampled: it gives the first time, and the second gives it again. */
static ridge_status launch_once(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                double *seconds, struct rg_trouble *trouble, struct ridge_error *error)
{
    (void)session;
    (void)launch;
    (void)trouble;
    (void)error;
    const uint64_t index = kernel->launches > 0 ? kernel->launches - 1 : 0;
    *seconds = kernel->recorded->samples_s[index % kernel->recorded->sample_count];
    kernel->launches++;
    return RIDGE_OK;
}

static uint64_t sample_count(const struct rg_kernel *kernel)
{
    return kernel->recorded->sample_count;
}

const struct rg_backend rg_backend_replay = {
    .name = "replay",
    .language = RG_SOURCE_ANY,
    .computes = false,
    .enumerate = enumerate,
    .open = open_session,
    .close = rg_idle_close,
    .buffer_write = rg_idle_buffer_write,
    .buffer_read = rg_idle_buffer_read,
    .guards_check = rg_idle_guards_check,
    .build = build,
    .kernel_destroy = rg_idle_kernel_destroy,
    .launch = launch_once,
    .sample_count = sample_count,
    .evict = rg_idle_evict,
};
