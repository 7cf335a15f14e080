/* SPDX-License-Identifier: MIT */
/**
 * \file Recorded results as a device: nothing is built or launched; a configuration gives the samples that were
 * recorded of it, in their order and from the start again, or fails as it did then.
 */
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "base/error.h"

struct rg_session {
    const struct ridge_context *context;
    const struct rg_recording *recording;
    const struct rg_shape *shapes;
};

struct rg_kernel {
    const struct rg_recorded *recorded;
    uint64_t launches;
};

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
    struct rg_session *session = rg_alloc(request->context, sizeof *session);
    if (!session) {
        return rg_error_memory(error, sizeof *session);
    }
    *session = (struct rg_session){request->context, request->recording, request->shapes};
    *out = session;
    return RIDGE_OK;
}

static void close_session(struct rg_session *session)
{
    if (session) {
        rg_free(session->context, session, sizeof *session);
    }
}

static ridge_status buffer_write(struct rg_session *session, size_t argument, const void *from,
                                 struct ridge_error *error)
{
    (void)session;
    (void)argument;
    (void)from;
    (void)error;
    return RIDGE_OK;
}

/** Nothing was kept: zeros. */
static ridge_status buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error)
{
    (void)error;
    memset(to, 0, (size_t)session->shapes[argument].bytes);
    return RIDGE_OK;
}

static ridge_status guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error)
{
    (void)session;
    (void)trouble;
    (void)error;
    return RIDGE_OK;
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

static void kernel_destroy(struct rg_session *session, struct rg_kernel *kernel)
{
    rg_free(session->context, kernel, sizeof *kernel);
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

static ridge_status evict(struct rg_session *session, struct ridge_error *error)
{
    (void)session;
    (void)error;
    return RIDGE_OK;
}

const struct rg_backend rg_backend_replay = {
    .name = "replay",
    .language = RG_SOURCE_ANY,
    .computes = false,
    .enumerate = enumerate,
    .open = open_session,
    .close = close_session,
    .buffer_write = buffer_write,
    .buffer_read = buffer_read,
    .guards_check = guards_check,
    .build = build,
    .kernel_destroy = kernel_destroy,
    .launch = launch_once,
    .sample_count = sample_count,
    .evict = evict,
};
