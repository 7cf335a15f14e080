/* SPDX-License-Identifier: MIT */
/** \file The memory probe of OpenCL and CUDA devices: kernels for the device's preferred vectors, device times where there are any. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backend/bench_device.h"
#include "base/error.h"
#include "curve/probe.h"
#include "curve/probe_device.h"
#include "curve/window.h"
#include "ridge/stats.h"

enum {
    LEAST_VECTOR_BITS = 128, /* what one load of a GPU's thread moves at most */
    MOST_VECTOR_BITS = 512,  /* a window is a multiple of 64 bytes */
    GPU_LOCAL = 256,
    GPU_ITEMS_A_UNIT = 2048, /* in flight on a compute unit: as many as any can hold */
    MOST_IN_FLIGHT = 256,
    OVERHEAD_SAMPLES = 51,
    CHECK_BYTES = 1 << 16, /* of a piece that is read back */
    CHECK_WORDS = CHECK_BYTES / 8
};

/** What a write writes first: two floats of 1, so that a triad over it meets nothing that is slow to compute with. */
static const uint64_t written_value = UINT64_C(0x3F8000003F800000);

struct rg_probe_state {
    const struct ridge_context *context;
    struct rg_bench *bench;
    const struct rg_bench_facts *facts;
    size_t kernels[RIDGE_ACCESS_STREAMING_WRITE]; /* by access */
    size_t fill;
    size_t nothing;
    size_t pool; /* buffer: every buffer of an access is a part of it */
    size_t out;  /* buffer: one word a work-item */
    uint64_t pool_bytes;
    unsigned vector_bytes;
    size_t most_items;
    unsigned char spoil; /* what a verification writes over results */
};

static void state_close(struct rg_probe_state *state)
{
    if (state) {
        rg_bench_close(state->bench);
        rg_free(state->context, state, sizeof *state);
    }
}

static ridge_status kernels_build(struct rg_probe_state *state, unsigned accesses, struct ridge_error *error)
{
    static const char *const names[] = {"read", "write", "copy", "triad"};
    char options[160];
    snprintf(options, sizeof options, "-DV=ulong%u -DF=float%u -DWORDS=%u -DBLOCKED=%d", state->vector_bytes / 8,
             state->vector_bytes / 4, state->vector_bytes / 8, state->facts->cpu);
    ridge_status status =
        rg_bench_kernel_build(state->bench, rg_probe_device_source, options, "fill", &state->fill, error);
    if (status == RIDGE_OK) {
        status =
            rg_bench_kernel_build(state->bench, rg_probe_device_source, options, "nothing", &state->nothing, error);
    }
    for (unsigned i = 0; i < sizeof names / sizeof names[0] && status == RIDGE_OK; i++) {
        if (accesses & (1U << i)) {
            status = rg_bench_kernel_build(state->bench, rg_probe_device_source, options, names[i], &state->kernels[i],
                                           error);
        }
    }
    return status;
}

/** Make the pool, as large as the device gives, at most as asked for. */
static ridge_status pool_make(struct rg_probe_state *state, uint64_t wanted_bytes, struct rg_probe_facts *facts,
                              struct ridge_error *error)
{
    const struct rg_device_facts *device = &state->facts->device;
    uint64_t bytes = wanted_bytes;
    bytes =
        device->max_allocation_bytes > 0 && bytes > device->max_allocation_bytes ? device->max_allocation_bytes : bytes;
    bytes = device->memory_bytes > 0 && bytes > device->memory_bytes / 4 ? device->memory_bytes / 4 : bytes;
    ridge_status status = RIDGE_E_LIMIT;
    for (bytes = bytes / RG_PROBE_LINE_BYTES * RG_PROBE_LINE_BYTES; bytes >= RG_POOL_LEAST_BYTES;
         bytes = bytes / 2 / RG_PROBE_LINE_BYTES * RG_PROBE_LINE_BYTES) {
        status = rg_bench_buffer_make(state->bench, bytes, &state->pool, NULL);
        if (status == RIDGE_OK) {
            break;
        }
    }
    if (status != RIDGE_OK) {
        return rg_error_set(error, RIDGE_E_MEMORY, "%s gives no pool of %llu bytes (it takes that at least)",
                            device->name, (unsigned long long)RG_POOL_LEAST_BYTES);
    }
    state->pool_bytes = bytes;
    if (bytes < wanted_bytes) {
        rg_probe_note(facts, "the device gives a pool of %.4g MiB and not of %.4g MiB: what is larger is not measured",
                      (double)bytes / 1048576, (double)wanted_bytes / 1048576);
    }
    return rg_bench_buffer_make(state->bench, state->most_items * sizeof(uint64_t), &state->out, error);
}

/** Work-items that share so many vectors. */
static void items_set(const struct rg_probe_state *state, uint64_t vectors, struct rg_bench_launch *launch)
{
    if (state->facts->cpu) {
        launch->global = vectors < state->most_items ? (size_t)(vectors > 0 ? vectors : 1) : state->most_items;
        launch->local = 1;
        return;
    }
    const uint64_t blocks = (vectors + GPU_LOCAL - 1) / GPU_LOCAL;
    const uint64_t most = state->most_items / GPU_LOCAL;
    launch->global = (size_t)(blocks < most ? blocks : most) * GPU_LOCAL;
    launch->local = GPU_LOCAL;
}

/** Write every page of the pool: what was never written may be one page of zeros. */
static ridge_status pool_fill(struct rg_probe_state *state, struct ridge_error *error)
{
    const uint64_t words = state->pool_bytes / sizeof(uint32_t);
    const struct rg_bench_argument arguments[] = {{NULL, 0, state->pool}, {&words, sizeof words, 0}};
    struct rg_bench_launch launch = {.kernel = state->fill, .arguments = arguments, .argument_count = 2};
    struct rg_bench_times times;
    items_set(state, words, &launch);
    return rg_bench_launch_once(state->bench, &launch, &times, error);
}

/** Time of a launch that does nothing, by the host's clock: enqueued until known to be done. */
static ridge_status overhead_measure(struct rg_probe_state *state, double *seconds, struct ridge_error *error)
{
    const uint64_t never = UINT64_MAX;
    const struct rg_bench_argument arguments[] = {{NULL, 0, state->out}, {&never, sizeof never, 0}};
    struct rg_bench_launch launch = {.kernel = state->nothing, .arguments = arguments, .argument_count = 2};
    double samples_s[OVERHEAD_SAMPLES];
    double sorted[OVERHEAD_SAMPLES];
    struct ridge_summary summary;
    struct rg_bench_times times;
    items_set(state, state->most_items, &launch);
    ridge_status status = rg_bench_launch_once(state->bench, &launch, &times, error);
    for (size_t i = 0; i < OVERHEAD_SAMPLES && status == RIDGE_OK; i++) {
        status = rg_bench_launch_once(state->bench, &launch, &times, error);
        samples_s[i] = times.wall_s;
    }
    if (status == RIDGE_OK) {
        ridge_summarise(samples_s, OVERHEAD_SAMPLES, sorted, &summary);
        *seconds = summary.median_s;
    }
    return status;
}

static void facts_fill(const struct rg_probe_state *state, unsigned accesses, struct rg_probe_facts *facts)
{
    const struct rg_device_facts *device = &state->facts->device;
    snprintf(facts->backend, sizeof facts->backend, "%s", state->bench->ops->backend->name);
    snprintf(facts->selector, sizeof facts->selector, "%s", device->selector);
    snprintf(facts->device, sizeof facts->device, "%s", device->name);
    snprintf(facts->driver, sizeof facts->driver, "%s", device->driver);
    snprintf(facts->compiler, sizeof facts->compiler, "%.120s: ulong%u, %s", device->version, state->vector_bytes / 8,
             state->facts->cpu ? "each work-item a part of its own" : "neighbours side by side");
    facts->threads = device->compute_units;
    facts->pool_bytes = state->pool_bytes;
    facts->accesses = accesses;
    facts->disciplines = 1U << RIDGE_DISCIPLINE_STREAM | 1U << RIDGE_DISCIPLINE_LAUNCH | 1U << RIDGE_DISCIPLINE_ONESHOT;
    if (!state->facts->profiling) {
        rg_probe_note(facts, "the device has no event times: the host's clock is used, launch overhead included");
    }
}

static ridge_status state_open(struct rg_probe_state *state, const struct rg_probe_request *request,
                               struct rg_probe_facts *facts, struct ridge_error *error)
{
    struct rg_device_choice choice;
    ridge_status status = rg_device_choose(request->device, &choice, error);
    if (status == RIDGE_OK) {
        status = rg_bench_open(state->context, &choice, &state->bench, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    state->facts = rg_bench_facts_of(state->bench);
    const unsigned bits = state->facts->width_bits;
    state->vector_bytes = (bits < LEAST_VECTOR_BITS  ? LEAST_VECTOR_BITS
                           : bits > MOST_VECTOR_BITS ? MOST_VECTOR_BITS
                                                     : bits) /
                          8;
    const size_t units = state->facts->device.compute_units > 0 ? state->facts->device.compute_units : 1;
    state->most_items = state->facts->cpu ? units : units * GPU_ITEMS_A_UNIT;
    const unsigned accesses = request->accesses & ((1U << RIDGE_ACCESS_STREAMING_WRITE) - 1);
    status = kernels_build(state, accesses, error);
    if (status == RIDGE_OK) {
        status = pool_make(state, request->pool_bytes, facts, error);
    }
    if (status == RIDGE_OK) {
        status = pool_fill(state, error);
    }
    if (status == RIDGE_OK) {
        status = overhead_measure(state, &facts->launch_overhead_s, error);
    }
    if (status == RIDGE_OK) {
        facts_fill(state, accesses, facts);
    }
    return status;
}

static ridge_status probe_open(const struct ridge_context *context, const struct rg_probe_request *request,
                               struct rg_probe_state **out, struct rg_probe_facts *facts, struct ridge_error *error)
{
    struct rg_probe_state *state = rg_alloc(context, sizeof *state);
    if (!state) {
        return rg_error_memory(error, sizeof *state);
    }
    *facts = (struct rg_probe_facts){.launch_overhead_s = (double)NAN};
    state->context = context;
    state->spoil = 0xA5;
    const ridge_status status = state_open(state, request, facts, error);
    if (status != RIDGE_OK) {
        state_close(state);
        return status;
    }
    *out = state;
    return RIDGE_OK;
}

/** What the kernels take; the launch points into it. */
struct passes {
    struct rg_window_plan plan;
    uint64_t n, count, step, window, passes, second, third, value;
    struct rg_bench_argument arguments[10];
    struct rg_bench_launch launch;
};

static ridge_status passes_set(const struct rg_probe_state *state, ridge_access access, uint64_t bytes, bool warm,
                               struct passes *out, struct ridge_error *error)
{
    if (!rg_window_plan(access, state->pool_bytes, bytes, &out->plan)) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the pool of %llu bytes has no window of %llu",
                            (unsigned long long)state->pool_bytes, (unsigned long long)bytes);
    }
    const uint64_t vector = state->vector_bytes;
    out->n = out->plan.window_bytes / vector;
    out->count = warm ? 1 : out->plan.count;
    out->step = warm ? 1 : out->plan.step;
    out->window = 0;
    out->passes = 1;
    out->second = out->plan.buffer_bytes / vector;
    out->third = 2 * out->second;
    out->value = access == RIDGE_ACCESS_TRIAD ? 3 : written_value;
    const void *const values[] = {&out->n,      &out->count,  &out->step,  &out->window,
                                  &out->passes, &out->second, &out->third, &out->value};
    out->arguments[0] = (struct rg_bench_argument){NULL, 0, state->pool};
    for (size_t i = 0; i < 8; i++) {
        out->arguments[i + 1] = (struct rg_bench_argument){values[i], sizeof(uint64_t), 0};
    }
    out->arguments[9] = (struct rg_bench_argument){NULL, 0, state->out};
    out->launch =
        (struct rg_bench_launch){.kernel = state->kernels[access], .arguments = out->arguments, .argument_count = 10};
    items_set(state, out->n, &out->launch);
    return RIDGE_OK;
}

/** Device time where there is one. */
static double seconds_of(const struct rg_bench_times *times)
{
    return isnan(times->device_s) ? times->wall_s : times->device_s;
}

static ridge_status run_stream(struct rg_probe_state *state, const struct rg_probe_job *job, struct passes *passes,
                               double *seconds, struct ridge_error *error)
{
    struct rg_bench_times times;
    passes->window = job->warm ? 0 : rg_window_at(&passes->plan, job->first);
    passes->passes = job->passes;
    const ridge_status status = rg_bench_launch_once(state->bench, &passes->launch, &times, error);
    *seconds = status == RIDGE_OK ? seconds_of(&times) : 0;
    return status;
}

/** A launch a pass: `row` of them in flight at once, then waited for. */
static ridge_status run_launches(struct rg_probe_state *state, const struct rg_probe_job *job, struct passes *passes,
                                 uint64_t row, double *seconds, struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    *seconds = 0;
    for (uint64_t done = 0; done < job->passes && status == RIDGE_OK;) {
        const uint64_t end = job->passes - done < row ? job->passes : done + row;
        const bool alone = row == 1;
        for (bool first = true; done < end && status == RIDGE_OK; done++, first = false) {
            passes->window = job->warm ? 0 : rg_window_at(&passes->plan, job->first + done);
            status = rg_bench_flight_add(state->bench, &passes->launch, first, error);
        }
        struct rg_bench_times times;
        if (status == RIDGE_OK) {
            status = rg_bench_flight_end(state->bench, &times, error);
        }
        if (status == RIDGE_OK) {
            *seconds += alone ? times.wall_s : seconds_of(&times);
        }
    }
    return status;
}

static ridge_status probe_run(struct rg_probe_state *state, const struct rg_probe_job *job, struct rg_probe_sample *out,
                              struct ridge_error *error)
{
    struct passes passes;
    ridge_status status = passes_set(state, job->access, job->bytes, job->warm, &passes, error);
    if (status != RIDGE_OK) {
        return status;
    }
    *out = (struct rg_probe_sample){.bytes = passes.plan.pass_bytes * job->passes};
    switch (job->discipline) {
    case RIDGE_DISCIPLINE_STREAM: return run_stream(state, job, &passes, &out->seconds, error);
    case RIDGE_DISCIPLINE_LAUNCH: return run_launches(state, job, &passes, MOST_IN_FLIGHT, &out->seconds, error);
    case RIDGE_DISCIPLINE_ONESHOT: return run_launches(state, job, &passes, 1, &out->seconds, error);
    }
    return RIDGE_OK;
}

/** Write over what a pass will write, so that only a pass that does it looks right. */
static ridge_status results_spoil(struct rg_probe_state *state, const struct passes *passes, ridge_access access,
                                  struct ridge_error *error)
{
    const struct rg_window_plan *plan = &passes->plan;
    unsigned char piece[4096];
    memset(piece, state->spoil++, sizeof piece); /* another than the last time, which the source may still hold */
    ridge_status status = RIDGE_OK;
    if (access == RIDGE_ACCESS_READ) {
        for (size_t i = 0; i < passes->launch.global && status == RIDGE_OK; i++) {
            status = rg_bench_write(state->bench, state->out, i * sizeof(uint64_t), sizeof(uint64_t), piece, error);
        }
        return status;
    }
    const uint64_t begin = (plan->buffers - 1) * plan->buffer_bytes;
    for (uint64_t at = 0; at < plan->window_bytes && status == RIDGE_OK; at += sizeof piece) {
        const uint64_t left = plan->window_bytes - at;
        status = rg_bench_write(state->bench, state->pool, begin + at, left < sizeof piece ? left : sizeof piece, piece,
                                error);
    }
    return status;
}

/** What the words of one window say, gathered piece by piece. */
struct seen {
    const struct passes *passes;
    ridge_access access;
    uint64_t sum;   /* of the first buffer */
    uint64_t wrong; /* words of the last buffer that are not what they must be */
};

static float float_at(const uint64_t *words, size_t index)
{
    float value;
    memcpy(&value, (const char *)words + index * sizeof value, sizeof value);
    return value;
}

static void piece_look(struct seen *seen, uint64_t *const words[3], size_t count)
{
    const float scale = (float)seen->passes->value;
    for (size_t i = 0; i < count; i++) {
        seen->sum += words[0][i];
        if (seen->access == RIDGE_ACCESS_WRITE) {
            seen->wrong += words[0][i] != seen->passes->value;
        } else if (seen->access == RIDGE_ACCESS_COPY) {
            seen->wrong += words[0][i] != words[1][i];
        }
    }
    for (size_t i = 0; seen->access == RIDGE_ACCESS_TRIAD && i < 2 * count; i++) {
        const float want = float_at(words[0], i) + scale * float_at(words[1], i);
        const float got = float_at(words[2], i);
        seen->wrong += !(got == want || fabsf(got - want) <= 1e-5F * fabsf(want));
    }
}

/** Read the window back and look at every word. */
static ridge_status window_look(struct rg_probe_state *state, struct seen *seen, struct ridge_error *error)
{
    const struct rg_window_plan *plan = &seen->passes->plan;
    uint64_t *memory = rg_alloc(state->context, 3 * (size_t)CHECK_BYTES);
    if (!memory) {
        return rg_error_memory(error, 3 * (size_t)CHECK_BYTES);
    }
    uint64_t *const words[3] = {memory, memory + CHECK_WORDS, memory + (size_t)2 * CHECK_WORDS};
    ridge_status status = RIDGE_OK;
    for (uint64_t at = 0; at < plan->window_bytes && status == RIDGE_OK; at += CHECK_BYTES) {
        const uint64_t left = plan->window_bytes - at;
        const size_t bytes = (size_t)(left < CHECK_BYTES ? left : CHECK_BYTES);
        for (unsigned b = 0; b < plan->buffers && b < 3 && status == RIDGE_OK; b++) {
            status = rg_bench_read(state->bench, state->pool, b * plan->buffer_bytes + at, bytes, words[b], error);
        }
        if (status == RIDGE_OK) {
            piece_look(seen, words, bytes / sizeof *memory);
        }
    }
    rg_free(state->context, memory, 3 * (size_t)CHECK_BYTES);
    return status;
}

/** Add up what the work-items read. */
static ridge_status sums_get(struct rg_probe_state *state, size_t items, uint64_t *sum, struct ridge_error *error)
{
    const size_t bytes = items * sizeof(uint64_t);
    uint64_t *sums = rg_alloc(state->context, bytes);
    if (!sums) {
        return rg_error_memory(error, bytes);
    }
    const ridge_status status = rg_bench_read(state->bench, state->out, 0, bytes, sums, error);
    *sum = 0;
    for (size_t i = 0; i < items && status == RIDGE_OK; i++) {
        *sum += sums[i];
    }
    rg_free(state->context, sums, bytes);
    return status;
}

static ridge_status probe_verify(struct rg_probe_state *state, ridge_access access, uint64_t bytes,
                                 struct ridge_error *error)
{
    struct passes passes;
    struct rg_bench_times times;
    struct seen seen = {.passes = &passes, .access = access};
    uint64_t sum = 0;
    ridge_status status = passes_set(state, access, bytes, true, &passes, error);
    if (status != RIDGE_OK) {
        return status;
    }
    passes.value = access == RIDGE_ACCESS_READ ? 0 : passes.value; /* 0: the sums are stored in any case */
    status = results_spoil(state, &passes, access, error);
    if (status == RIDGE_OK) {
        status = rg_bench_launch_once(state->bench, &passes.launch, &times, error);
    }
    if (status == RIDGE_OK) {
        status = window_look(state, &seen, error);
    }
    if (status == RIDGE_OK && access == RIDGE_ACCESS_READ) {
        status = sums_get(state, passes.launch.global, &sum, error);
    }
    const bool read_wrong = access == RIDGE_ACCESS_READ && sum != seen.sum;
    if (status == RIDGE_OK && (seen.wrong > 0 || read_wrong)) {
        return rg_error_set(error, RIDGE_E_MEASURE,
                            "the %s probe does not do its work on %s: its traffic cannot be timed",
                            ridge_access_word(access), state->facts->device.name);
    }
    return status;
}

const struct rg_probe rg_probe_opencl = {
    .backend = "opencl",
    .open = probe_open,
    .close = state_close,
    .verify = probe_verify,
    .run = probe_run,
};

const struct rg_probe rg_probe_cuda = {
    .backend = "cuda",
    .open = probe_open,
    .close = state_close,
    .verify = probe_verify,
    .run = probe_run,
};
