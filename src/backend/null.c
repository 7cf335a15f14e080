/* SPDX-License-Identifier: MIT */
/**
 * \file A backend that runs nothing: its times are a function of the macros' names and values and of how often that
 * configuration was launched since it was built, the same in every process and on every machine. It lets tests of
 * searching, resuming and ranking be exact.
 */
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"

static const double shortest_s = 1e-3;
static const double longest_s = 10e-3;
static const double noise_ratio = 0.01;

struct rg_session {
    const struct ridge_context *context;
    const struct rg_shape *shapes;
    size_t shape_count;
};

struct rg_kernel {
    double base_s;
    struct rg_rng noise;
};

static ridge_status enumerate(const struct ridge_context *context,
                              void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                              struct ridge_error *error)
{
    (void)context;
    (void)error;
    const struct rg_device_facts facts = {
        .name = "null", .driver = "ridge " RIDGE_VERSION, .kind = "none", .selector = "null", .compute_units = 1};
    visit(user, &facts);
    return RIDGE_OK;
}

static ridge_status open_session(const struct rg_session_request *request, struct rg_session **out,
                                 struct ridge_error *error)
{
    struct rg_session *session = rg_alloc(request->context, sizeof *session);
    if (!session) {
        return rg_error_memory(error, sizeof *session);
    }
    session->context = request->context;
    session->shapes = request->shapes;
    session->shape_count = request->shape_count;
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

/** A number of the macros that does not depend on their order. */
static uint64_t seed_of(const struct rg_macro *macros, size_t macro_count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < macro_count; i++) {
        uint8_t digest[RG_SHA256_BYTES];
        struct rg_sha256 hash;
        rg_sha256_init(&hash);
        rg_sha256_update(&hash, macros[i].name, strlen(macros[i].name));
        rg_sha256_update(&hash, "=", 1);
        rg_sha256_update(&hash, macros[i].value, strlen(macros[i].value));
        rg_sha256_final(&hash, digest);
        uint64_t term = 0;
        for (size_t byte = 0; byte < sizeof term; byte++) {
            term = term << 8 | digest[byte];
        }
        sum += term;
    }
    return sum;
}

static ridge_status build(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                          const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                          struct ridge_error *error)
{
    if (!rg_launch_is_positive(launch, trouble)) {
        return RIDGE_OK;
    }
    struct rg_kernel *kernel = rg_alloc(session->context, sizeof *kernel);
    if (!kernel) {
        return rg_error_memory(error, sizeof *kernel);
    }
    rg_rng_init(&kernel->noise, seed_of(macros, macro_count));
    kernel->base_s = shortest_s + ((longest_s - shortest_s) * rg_rng_unit(&kernel->noise));
    *out = kernel;
    return RIDGE_OK;
}

static void kernel_destroy(struct rg_session *session, struct rg_kernel *kernel)
{
    rg_free(session->context, kernel, sizeof *kernel);
}

static ridge_status launch_once(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                double *seconds, struct rg_trouble *trouble, struct ridge_error *error)
{
    (void)session;
    (void)error;
    if (rg_launch_is_positive(launch, trouble)) {
        *seconds = kernel->base_s * (1.0 + (noise_ratio * rg_rng_unit(&kernel->noise)));
    }
    return RIDGE_OK;
}

static ridge_status evict(struct rg_session *session, struct ridge_error *error)
{
    (void)session;
    (void)error;
    return RIDGE_OK;
}

const struct rg_backend rg_backend_null = {
    .name = "null",
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
    .evict = evict,
};
