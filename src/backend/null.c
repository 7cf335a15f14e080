/* SPDX-License-Identifier: MIT */
/**
 * \file A backend that runs nothing: its times are a function of the macros' names and values and of how often that
 * configuration was launched since it was built, the same in every process and on every machine. It lets tests of
 * searching, resuming and ranking be exact.
 */
#include <string.h>

#include "backend/idle.h"
#include "base/error.h"
#include "base/hash.h"

static const double shortest_s = 1e-3;
static const double longest_s = 10e-3;
static const double noise_ratio = 0.01;

static ridge_status enumerate(const struct ridge_context *context,
                              void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                              struct ridge_error *error)
{
    (void)context;
    (void)error;
    const struct rg_device_facts facts = {
        .name = "null",
        .driver = "ridge " RIDGE_VERSION,
        .kind = "none",
        .selector = "null",
        .compute_units = 1,
        .note = "the null device invents its times: they say nothing about any kernel",
    };
    visit(user, &facts);
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

const struct rg_backend rg_backend_null = {
    .name = "null",
    .language = RG_SOURCE_ANY,
    .computes = false,
    .enumerate = enumerate,
    .open = rg_idle_open,
    .close = rg_idle_close,
    .buffer_write = rg_idle_buffer_write,
    .buffer_read = rg_idle_buffer_read,
    .guards_check = rg_idle_guards_check,
    .build = build,
    .kernel_destroy = rg_idle_kernel_destroy,
    .launch = launch_once,
    .evict = rg_idle_evict,
};
