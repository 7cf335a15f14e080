/* SPDX-License-Identifier: MIT */
/** \file The probe of this machine's processors: opening, the pool, what it says about itself. */
#include "curve/host_probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "base/error.h"
#include "curve/machine_watch.h"
#include "curve/window.h"
#include "ridge/units.h"

#define HUGE_PAGE_BYTES (UINT64_C(2) << 20)
#define FIRST_VALUE     UINT64_C(0x3FF0000000000000) /* 1.0 as a double */
#define TOUCH_WORDS     (HUGE_PAGE_BYTES / 8)        /* between two looks whether to end: a page may take its time */

/** Write a worker's part for the first time, from the thread that will use it: no zero page, no constant page, and
 * every word a double between 1 and 2. */
static void task_touch(struct rg_worker *worker)
{
    uint64_t *words = (uint64_t *)(void *)worker->pool;
    const uint64_t count = worker->pool_bytes / sizeof *words;
    for (uint64_t i = 0; i < count && !rg_team_is_ended(worker->team);) {
        const uint64_t left = count - i;
        for (const uint64_t end = i + (left < TOUCH_WORDS ? left : TOUCH_WORDS); i < end; i++) {
            words[i] = FIRST_VALUE | ((i + 1) * UINT64_C(0x9E3779B97F4A7C15)) >> 12;
        }
    }
}

static void note_pinning(const struct rg_team *team, unsigned asked, struct rg_probe_facts *facts)
{
    int error = 0;
    for (unsigned i = 0; i < team->count; i++) {
        error = team->workers[i].pin_error ? team->workers[i].pin_error : error;
    }
    if (error) {
        rg_probe_note(facts, "the threads cannot be pinned (%s): they may move between processors, and rates vary more",
                      strerror(error));
    }
    if (team->count < asked) {
        rg_probe_note(facts, "only %u of %u threads could be started", team->count, asked);
    }
}

/** Map address space for a pool, half as much each time it is refused. */
static ridge_status map_pool(struct rg_probe_state *state, uint64_t wanted, struct ridge_error *error)
{
    for (uint64_t bytes = wanted; bytes >= RG_POOL_LEAST_BYTES; bytes /= 2) {
        const uint64_t mapping_bytes = bytes + HUGE_PAGE_BYTES;
        void *mapping = mmap(NULL, mapping_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapping == MAP_FAILED) {
            continue;
        }
        state->mapping = mapping;
        state->mapping_bytes = mapping_bytes;
        const uint64_t over = (uintptr_t)mapping % HUGE_PAGE_BYTES;
        state->pool = state->mapping + (over > 0 ? HUGE_PAGE_BYTES - over : 0);
        state->whole_bytes = bytes;
        (void)madvise(state->pool, bytes, MADV_HUGEPAGE); /* refused where there are none: seen in the facts */
        return RIDGE_OK;
    }
    return rg_error_memory(error, RG_POOL_LEAST_BYTES);
}

static void note_pool(const struct rg_probe_state *state, uint64_t asked, struct rg_probe_facts *facts)
{
    char got[RIDGE_NUMBER_BYTES];
    char wanted[RIDGE_NUMBER_BYTES];
    ridge_size_format(state->whole_bytes, got);
    ridge_size_format(asked, wanted);
    if (state->whole_bytes < asked) {
        rg_probe_note(facts, "the pool has %s instead of %s: no more memory may be used", got, wanted);
    }
    const uint64_t huge = rg_host_huge_bytes(state->pool, state->pool_bytes);
    if (huge < state->pool_bytes / 10 * 9 && state->pool_bytes >= HUGE_PAGE_BYTES) {
        rg_probe_note(facts,
                      "%.0f %% of the pool lies on huge pages: small cold working sets read slower than they could",
                      100.0 * (double)huge / (double)state->pool_bytes);
    }
}

/** Let the first `threads` workers take part, each with an equal part of the pool: whole huge pages where it is large. */
static void use_threads(struct rg_probe_state *state, unsigned threads)
{
    const uint64_t whole = state->whole_bytes / threads;
    const uint64_t unit = whole >= 16 * HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : RG_PROBE_LINE_BYTES;
    const uint64_t part = whole / unit * unit;
    for (unsigned i = 0; i < threads; i++) {
        state->team.workers[i].pool = state->pool + i * part;
        state->team.workers[i].pool_bytes = part;
    }
    state->team.active = threads;
    state->pool_bytes = part * threads;
}

/** Allocate the pool, give each worker an equal part, touch it. A quarter of the available memory at most. */
static ridge_status make_pool(struct rg_probe_state *state, uint64_t asked, struct rg_probe_facts *facts,
                              struct ridge_error *error)
{
    const uint64_t available = rg_host_memory_available("");
    uint64_t wanted = asked;
    while (available > 0 && wanted > available / 4 && wanted / 2 >= RG_POOL_LEAST_BYTES) {
        wanted /= 2;
    }
    const ridge_status status = map_pool(state, wanted, error);
    if (status != RIDGE_OK) {
        return status;
    }
    use_threads(state, state->team.count);
    rg_team_run(&state->team, task_touch);
    if (rg_team_is_ended(&state->team)) {
        return rg_probe_ended(error);
    }
    note_pool(state, asked, facts);
    state->whole_bytes = state->pool_bytes; /* what rounding left over was not touched: no other cut may use it */
    return RIDGE_OK;
}

/** Time launches that move nothing: the least of many short tries, of a few where other programs hold the processors. */
static double measure_launch(struct rg_probe_state *state)
{
    enum {
        LAUNCHES = 200,
        LEAST_TRIES = 3,
        MOST_TRIES = 25
    };
    const double enough_s = 0.2;
    const double begin_s = rg_clock_s();
    const struct rg_probe_job job = {.access = RIDGE_ACCESS_READ,
                                     .discipline = RIDGE_DISCIPLINE_LAUNCH,
                                     .bytes = RG_PROBE_LINE_BYTES,
                                     .passes = LAUNCHES,
                                     .warm = true};
    struct rg_probe_sample sample = {0};
    double least = (double)INFINITY;
    for (int i = 0; i < LEAST_TRIES || (i < MOST_TRIES && rg_clock_s() - begin_s < enough_s); i++) {
        if (rg_host_run(state, &job, &sample, NULL) == RIDGE_OK && sample.seconds > 0) {
            least = fmin(least, sample.seconds / LAUNCHES);
        }
    }
    return isfinite(least) ? least : (double)NAN;
}

/** Append to the compiler's line which set of loops each access that was asked for runs with. */
static void name_loops(const struct rg_probe_state *state, unsigned accesses, char *text, size_t bytes)
{
    const bool several = (accesses & (accesses - 1)) != 0;
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        const size_t used = strlen(text);
        if (accesses & 1U << access) {
            snprintf(text + used, bytes - used, "%s%s%s", state->loops[access]->name, several ? " for " : "",
                     several ? ridge_access_word((ridge_access)access) : "");
            accesses &= ~(1U << access);
            snprintf(text + strlen(text), bytes - strlen(text), "%s", accesses ? ", " : "");
        }
    }
}

static void describe(struct rg_probe_state *state, const struct rg_probe_request *request, struct rg_probe_facts *facts)
{
    struct utsname system = {0};
    uname(&system);
    snprintf(facts->backend, sizeof facts->backend, "host");
    snprintf(facts->selector, sizeof facts->selector, "host");
    snprintf(facts->device, sizeof facts->device, "%s", state->topology.model);
    snprintf(facts->driver, sizeof facts->driver, "%.64s %.64s %.64s", system.sysname, system.release, system.machine);
#ifdef __clang__
    snprintf(facts->compiler, sizeof facts->compiler, "%s; loops: ", __VERSION__);
#else
    snprintf(facts->compiler, sizeof facts->compiler, "gcc %s; loops: ", __VERSION__);
#endif
    name_loops(state, request->accesses, facts->compiler, sizeof facts->compiler);
    facts->threads = state->team.count;
    facts->pool_bytes = state->pool_bytes;
    for (unsigned level = 0; level < 3; level++) {
        facts->cache_hint_bytes[level] = rg_host_cache_bytes(&state->topology, level, state->team.count);
    }
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        const unsigned bit = 1U << access;
        facts->accesses |= request->accesses & bit && state->loops[access]->loops[access] ? bit : 0;
        facts->loops[access] = state->chosen[access];
    }
    facts->disciplines = (1U << RG_DISCIPLINE_COUNT) - 1;
    facts->launch_overhead_s = measure_launch(state);
    facts->clock_step_s = rg_clock_step_s();
}

static void close_host(struct rg_probe_state *state)
{
    if (!state) {
        return;
    }
    rg_team_end(&state->team);
    if (state->mapping) {
        munmap(state->mapping, state->mapping_bytes);
    }
    rg_free(state->context, state, sizeof *state);
}

static ridge_status open_state(struct rg_probe_state *state, const struct rg_probe_request *request,
                               struct rg_probe_facts *facts, struct ridge_error *error)
{
    unsigned threads = 0;
    rg_host_topology(&state->topology);
    char limit[RG_HOST_LIMIT_BYTES];
    ridge_status status = rg_host_threads("", &state->topology, request->threads, &threads, limit, error);
    if (status == RIDGE_OK && limit[0]) {
        rg_probe_note(facts, "%s", limit);
    }
    if (status == RIDGE_OK) {
        status = rg_team_start(&state->team, state->context, state->topology.cpus, threads, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    state->team.stopped = request->stopped;
    state->team.user = request->user;
    note_pinning(&state->team, threads, facts);
    status = make_pool(state, request->pool_bytes, facts, error);
    if (status == RIDGE_OK) {
        rg_host_choose(state, request->accesses, request->loops);
        describe(state, request, facts);
        status = rg_team_is_ended(&state->team) ? rg_probe_ended(error) : RIDGE_OK;
    }
    return status;
}

static ridge_status open_host(const struct ridge_context *context, const struct rg_probe_request *request,
                              struct rg_probe_state **out, struct rg_probe_facts *facts, struct ridge_error *error)
{
    if (strcmp(request->device, "host") != 0) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no device '%s' (the host is called host)",
                            request->device);
    }
    struct rg_probe_state *state = rg_alloc(context, sizeof *state);
    if (!state) {
        return rg_error_memory(error, sizeof *state);
    }
    state->context = context;
    state->value = FIRST_VALUE;
    struct rg_probe_facts found = {0};
    const ridge_status status = open_state(state, request, &found, error);
    if (status != RIDGE_OK) {
        close_host(state);
        return status;
    }
    *out = state;
    *facts = found;
    return RIDGE_OK;
}

const struct rg_probe rg_probe_host = {
    .backend = "host",
    .open = open_host,
    .close = close_host,
    .verify = rg_host_verify,
    .run = rg_host_run,
    .clock_hz = rg_host_clock_hz,
    .use_threads = use_threads,
};
