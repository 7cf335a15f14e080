/* SPDX-License-Identifier: MIT */
#include "curve/sweep.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

#define DEFAULT_CAP_BYTES    (UINT64_C(1) << 30)
#define MOST_CAP_BYTES       (UINT64_C(1) << 40)
#define LEAST_POOL_BYTES     (UINT64_C(256) << 20) /* Source: reference/curve.md 4.1 */
#define PUBLISHED_POOL_BYTES (UINT64_C(512) << 20) /* Source: behaviours section 2 */
#define MOST_POOL_BYTES      (UINT64_C(4) << 30)   /* for the sake of caches: touching it takes seconds */
#define SPARE_BYTES          (UINT64_C(2) << 20)   /* lost to rounding when threads and buffers share the pool */
#define NEAR_BYTES           (UINT64_C(16) << 10)
#define FAR_BYTES            (UINT64_C(64) << 20)
#define VERIFY_BYTES         (UINT64_C(64) << 10)

static const double default_seconds = 15;

/** A pool for the largest working set; once the outermost cache is known, four times twice what the curve shows. */
static uint64_t pool_for(const struct rg_sweep *sweep)
{
    const uint64_t least = sweep->request->published ? PUBLISHED_POOL_BYTES : LEAST_POOL_BYTES;
    const uint64_t cached = 8 * sweep->llc_bytes < MOST_POOL_BYTES ? 8 * sweep->llc_bytes : MOST_POOL_BYTES;
    const uint64_t wanted = sweep->max_bytes > least ? sweep->max_bytes : least;
    return (wanted > cached ? wanted : cached) + SPARE_BYTES;
}

/** For the probe: whether to end what it is at. */
static bool is_stopped(void *user)
{
    return rg_sweep_is_stopped(user);
}

static ridge_status open_probe(struct rg_sweep *sweep, struct ridge_error *error)
{
    unsigned char loops[sizeof sweep->facts.loops];
    memcpy(loops, sweep->facts.loops, sizeof loops);
    const struct ridge_curve_request *request = sweep->request;
    const struct rg_probe_request open = {
        .device = request->device ? request->device : "host",
        .pool_bytes = pool_for(sweep),
        .threads = sweep->threads,
        .accesses = 1U << request->access | 1U << RIDGE_ACCESS_READ,
        .loops = loops,
        .stopped = is_stopped,
        .user = sweep,
    };
    const ridge_status status = sweep->probe->open(sweep->context, &open, &sweep->state, &sweep->facts, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const uint64_t verify = sweep->max_bytes < VERIFY_BYTES ? sweep->max_bytes : VERIFY_BYTES;
    return sweep->facts.accesses & 1U << request->access
               ? sweep->probe->verify(sweep->state, request->access, verify, error)
               : RIDGE_OK; /* the plan refuses it */
}

/** What is measured between the points. */
static void set_sentinels(struct rg_sweep *sweep)
{
    const ridge_access access =
        sweep->facts.accesses & 1U << RIDGE_ACCESS_READ ? RIDGE_ACCESS_READ : sweep->request->access;
    const uint64_t half = sweep->facts.pool_bytes / 2;
    const struct rg_probe_job job = {.access = access, .discipline = sweep->items[0].job.discipline, .passes = 1};
    sweep->near.job = job;
    sweep->near.job.bytes = NEAR_BYTES;
    sweep->near.job.warm = true;
    sweep->far.job = job;
    sweep->far.job.bytes = half < FAR_BYTES ? half : FAR_BYTES;
}

/** Find the size of every sample, and the levels roughly. */
static void calibrate(struct rg_sweep *sweep)
{
    set_sentinels(sweep);
    rg_sweep_calibrate(sweep, 0);
    const size_t before = sweep->item_count;
    rg_sweep_refine(sweep);
    rg_sweep_calibrate(sweep, before);
    rg_sweep_levels(sweep, true);
}

static ridge_status open_again(struct rg_sweep *sweep, struct ridge_error *error)
{
    const double begin_s = rg_clock_s();
    sweep->probe->close(sweep->state);
    sweep->state = NULL;
    const ridge_status status = open_probe(sweep, error);
    sweep->deadline_s += rg_clock_s() - begin_s; /* touching is not measuring */
    return status;
}

/** Find how many workers are fastest, and open the device again with fewer when those are. */
static ridge_status choose_threads(struct rg_sweep *sweep, struct ridge_error *error)
{
    const unsigned best = rg_sweep_try_threads(sweep);
    const bool fewer = best > 0 && best < sweep->facts.threads && !sweep->stopped;
    sweep->threads = best > 0 ? best : sweep->request->threads;
    return fewer ? open_again(sweep, error) : RIDGE_OK;
}

/** When the caches turn out too large for the pool, open the device again with a larger one. */
static ridge_status widen_pool(struct rg_sweep *sweep, struct ridge_error *error)
{
    if (pool_for(sweep) <= sweep->facts.pool_bytes + SPARE_BYTES) {
        return RIDGE_OK;
    }
    return open_again(sweep, error);
}

static ridge_status measure(struct rg_sweep *sweep, struct ridge_curve_set **out, struct ridge_error *error)
{
    ridge_status status = open_probe(sweep, error);
    if (status == RIDGE_OK) {
        status = rg_sweep_plan(sweep, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    rg_sweep_sample_length(sweep);
    const double seconds = sweep->request->max_seconds > 0 ? sweep->request->max_seconds : default_seconds;
    sweep->begin_s = rg_clock_s();
    sweep->deadline_s = sweep->begin_s + seconds;
    status = choose_threads(sweep, error);
    if (status != RIDGE_OK) {
        return status;
    }
    calibrate(sweep);
    status = sweep->stopped ? rg_probe_ended(error) : widen_pool(sweep, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rg_sweep_rounds(sweep);
    return rg_sweep_finish(sweep, out, error);
}

static ridge_status check(const struct ridge_curve_request *request, struct ridge_error *error)
{
    if (request->max_bytes > MOST_CAP_BYTES) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "a working set of %llu bytes is too large (up to 1 TiB)",
                            (unsigned long long)request->max_bytes);
    }
    if (request->max_seconds < 0 || isnan(request->max_seconds)) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "the time to measure is not a time (give seconds)");
    }
    return RIDGE_OK;
}

ridge_status rg_sweep_run(const struct ridge_context *context, const struct ridge_curve_request *request,
                          const struct rg_probe *probe, struct ridge_curve_set **out, struct ridge_error *error)
{
    struct rg_sweep *sweep = rg_alloc(context, sizeof *sweep);
    ridge_status status = check(request, error);
    if (!sweep || status != RIDGE_OK) {
        rg_free(context, sweep, sizeof *sweep);
        return status == RIDGE_OK ? rg_error_memory(error, sizeof *sweep) : status;
    }
    *sweep = (struct rg_sweep){.context = context, .request = request, .probe = probe};
    sweep->threads = request->threads;
    sweep->max_bytes = request->max_bytes > 0 ? request->max_bytes : DEFAULT_CAP_BYTES;
    rg_rng_init(&sweep->rng, request->seed);
    sweep->arena = rg_arena_create(context);
    sweep->items = rg_alloc(context, RG_ITEMS_MOST * sizeof *sweep->items);
    sweep->sentinels = rg_alloc(context, RG_SENTINELS_MOST * sizeof *sweep->sentinels);
    if (!sweep->arena || !sweep->items || !sweep->sentinels) {
        status = rg_error_memory(error, RG_ITEMS_MOST * sizeof *sweep->items);
    } else {
        status = measure(sweep, out, error);
    }
    if (status != RIDGE_OK) {
        rg_arena_destroy(sweep->arena);
    }
    probe->close(sweep->state);
    rg_free(context, sweep->sentinels, RG_SENTINELS_MOST * sizeof *sweep->sentinels);
    rg_free(context, sweep->items, RG_ITEMS_MOST * sizeof *sweep->items);
    rg_free(context, sweep, sizeof *sweep);
    return status;
}

ridge_status ridge_curve_measure(const struct ridge_context *context, const struct ridge_curve_request *request,
                                 struct ridge_curve_set **out, struct ridge_error *error)
{
    const char *device = request->device ? request->device : "host";
    const struct rg_probe *probe = rg_probe_find(device);
    if (!probe) {
        return rg_error_set(
            error, RIDGE_E_UNAVAILABLE,
            "nothing measures memory on '%s' (the devices are host, and those that ridge backends lists as opencl:PLATFORM:DEVICE and cuda:DEVICE)",
            device);
    }
    return rg_sweep_run(context, request, probe, out, error);
}
