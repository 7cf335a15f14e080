/* SPDX-License-Identifier: MIT */
/** \file The peak of an OpenCL or CUDA device: generated loops of multiply-adds, empty launches, and a chain of dependent loads. */
#include <math.h>
#include <stdio.h>

#include "backend/bench_device.h"
#include "base/error.h"
#include "curve/host_limits.h"
#include "curve/peak.h"

enum {
    CHAINS = 12,
    GPU_LOCAL = 256,
    GPU_ITEMS_A_UNIT = 2048,
    LAUNCHES = 21,
    CHASE_STEPS = 1 << 15,
    CHASE_MOST_STEPS = 4 * CHASE_STEPS,
    MOST_DOUBLINGS = 24
};

static const double sample_s = 20e-3; /* long, since the threads of a driver wake late on a busy machine */

/* The chains are apart, their constants run-time numbers, and their sum is stored: nothing can be dropped. */
static const char source[] =
    "#ifdef DOUBLES\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#endif\n"
    "#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)\n"
    "#define BEGIN(k) V a##k = (V)(m) + (V)(k);\n"
    "#define STEP(k) a##k = FMA(a##k, vm, vc);\n"
    "#define SUM(k) sum += a##k;\n"
    "__kernel void peak(ulong rounds, T m, T c, __global T *out)\n"
    "{\n"
    "    const V vm = (V)(m), vc = (V)(c);\n"
    "    EACH(BEGIN)\n"
    "    for (ulong i = 0; i < rounds; i++) { EACH(STEP) }\n"
    "    V sum = (V)(0);\n"
    "    EACH(SUM)\n"
    "    union { V v; T lanes[LANES]; } all;\n"
    "    all.v = sum;\n"
    "    T total = 0;\n"
    "    for (int k = 0; k < LANES; k++) total += all.lanes[k];\n"
    "    out[get_global_id(0)] = total / (12 * LANES);\n"
    "}\n"
    "__kernel void nothing(ulong never, __global ulong *out) { if (never == 0) out[get_global_id(0)] = never; }\n"
    "__kernel void chase(__global const uint *words, ulong steps, uint at, __global uint *out)\n"
    "{\n"
    "    for (ulong i = 0; i < steps; i += 4) at = words[words[words[words[at]]]];\n"
    "    out[0] = at;\n"
    "}\n";

struct peak_device {
    struct rg_bench *bench;
    const struct rg_bench_facts *facts;
    const struct ridge_context *context;
    struct ridge_peak *out;
    size_t items;
    size_t results; /* buffer: one double a work-item */
};

/** One width of numbers. */
struct width {
    const char *element;
    bool doubles;
    unsigned lanes;
    struct ridge_peak_rate *out;
};

/** Device time where there is one. */
static double seconds_of(const struct rg_bench_times *times)
{
    return isnan(times->device_s) ? times->wall_s : times->device_s;
}

/** A launch of the loops, all arguments in one place. */
struct fma_launch {
    uint64_t rounds;
    double wide[2];
    float narrow[2];
    struct rg_bench_argument arguments[4];
    struct rg_bench_launch launch;
};

static void fma_launch_set(const struct peak_device *peak, const struct width *width, size_t kernel,
                           struct fma_launch *out)
{
    const size_t bytes = width->doubles ? sizeof(double) : sizeof(float);
    const char *numbers = width->doubles ? (const char *)out->wide : (const char *)out->narrow;
    out->wide[0] = out->wide[1] = 0.5;
    out->narrow[0] = out->narrow[1] = 0.5F;
    out->rounds = 1024;
    out->arguments[0] = (struct rg_bench_argument){&out->rounds, sizeof out->rounds, 0};
    out->arguments[1] = (struct rg_bench_argument){numbers, bytes, 0};
    out->arguments[2] = (struct rg_bench_argument){numbers + bytes, bytes, 0};
    out->arguments[3] = (struct rg_bench_argument){NULL, 0, peak->results};
    out->launch = (struct rg_bench_launch){.kernel = kernel,
                                           .global = peak->items,
                                           .local = peak->facts->cpu ? 1 : GPU_LOCAL,
                                           .arguments = out->arguments,
                                           .argument_count = 4};
}

/** Every chain is halved and has a half added: whatever it began with, it has come to 1. */
static ridge_status results_check(struct peak_device *peak, const struct width *width, struct ridge_error *error)
{
    double wide = 0;
    float narrow = 0;
    const ridge_status status = width->doubles
                                    ? rg_bench_read(peak->bench, peak->results, 0, sizeof wide, &wide, error)
                                    : rg_bench_read(peak->bench, peak->results, 0, sizeof narrow, &narrow, error);
    const double value = width->doubles ? wide : (double)narrow;
    if (status == RIDGE_OK && !(fabs(value - 1) < 1e-4)) {
        return rg_error_set(error, RIDGE_E_MEASURE, "the multiply-adds of %s came to %g and not to 1", width->element,
                            value);
    }
    return status;
}

static ridge_status rate_measure(struct peak_device *peak, const struct width *width, struct ridge_error *error)
{
    char options[160];
    struct fma_launch fma;
    struct rg_bench_times times = {0};
    size_t kernel = 0;
    double samples[RG_PEAK_SAMPLES];
    const bool fused = width->doubles || peak->facts->fma_f32;
    char vector[32];
    snprintf(vector, sizeof vector, width->lanes > 1 ? "%s%u" : "%s", width->element, width->lanes);
    snprintf(options, sizeof options, "-DT=%s -DV=%s -DLANES=%u -DFMA=%s%s", width->element, vector, width->lanes,
             fused ? "fma" : "mad", width->doubles ? " -DDOUBLES" : "");
    ridge_status status = rg_bench_kernel_build(peak->bench, source, options, "peak", &kernel, error);
    if (status != RIDGE_OK) {
        return status;
    }
    fma_launch_set(peak, width, kernel, &fma);
    status = rg_bench_launch_once(peak->bench, &fma.launch, &times, error);
    for (int i = 0; i < MOST_DOUBLINGS && status == RIDGE_OK && !(seconds_of(&times) >= sample_s); i++) {
        fma.rounds *= 2;
        status = rg_bench_launch_once(peak->bench, &fma.launch, &times, error);
    }
    if (status == RIDGE_OK) {
        status = results_check(peak, width, error);
    }
    const double flop = 2.0 * CHAINS * width->lanes * (double)fma.rounds * (double)peak->items;
    for (size_t i = 0; i < RG_PEAK_SAMPLES && status == RIDGE_OK; i++) {
        status = rg_bench_launch_once(peak->bench, &fma.launch, &times, error);
        samples[i] = flop / seconds_of(&times);
    }
    if (status == RIDGE_OK) {
        rg_peak_rate_set(width->out, samples, RG_PEAK_SAMPLES);
    }
    return status;
}

/** One width; what goes wrong with it is a note, so that the rest is measured. */
static void rate_try(struct peak_device *peak, const struct width *width)
{
    struct ridge_error why = {0};
    if (width->lanes == 0) {
        rg_peak_note(peak->out, "the device does not compute with %s", width->element);
    } else if (rate_measure(peak, width, &why) != RIDGE_OK) {
        rg_peak_note(peak->out, "no peak for %s: %.180s", width->element, why.message);
    }
}

static ridge_status launch_measure(struct peak_device *peak, struct ridge_error *error)
{
    const uint64_t never = 1;
    const struct rg_bench_argument arguments[] = {{&never, sizeof never, 0}, {NULL, 0, peak->results}};
    struct rg_bench_launch launch = {.global = peak->items, .arguments = arguments, .argument_count = 2};
    launch.local = peak->facts->cpu ? 1 : GPU_LOCAL;
    struct rg_bench_times times;
    double wall_s[LAUNCHES];
    double device_s[LAUNCHES];
    bool events = true;
    ridge_status status = rg_bench_kernel_build(peak->bench, source, "-DT=float -DV=float -DLANES=1 -DFMA=mad",
                                                "nothing", &launch.kernel, error);
    if (status == RIDGE_OK) {
        status = rg_bench_launch_once(peak->bench, &launch, &times, error);
    }
    for (size_t i = 0; i < LAUNCHES && status == RIDGE_OK; i++) {
        status = rg_bench_launch_once(peak->bench, &launch, &times, error);
        wall_s[i] = times.wall_s;
        device_s[i] = times.device_s;
        events = events && !isnan(times.device_s);
    }
    if (status == RIDGE_OK) {
        rg_peak_time_set(&peak->out->launch, wall_s, LAUNCHES);
    }
    if (status == RIDGE_OK && events) {
        rg_peak_time_set(&peak->out->launch_device, device_s, LAUNCHES);
    }
    return status;
}

/** Latency of one working set: one work-item follows the lines. */
static ridge_status chase_measure(struct peak_device *peak, size_t kernel, size_t words, uint64_t bytes,
                                  struct ridge_error *error)
{
    uint32_t at = 0;
    uint64_t steps = bytes / RG_CHASE_LINE_BYTES < CHASE_STEPS ? CHASE_STEPS : bytes / RG_CHASE_LINE_BYTES;
    steps = steps > CHASE_MOST_STEPS ? CHASE_MOST_STEPS : steps;
    const struct rg_bench_argument arguments[] = {
        {NULL, 0, words}, {&steps, sizeof steps, 0}, {&at, sizeof at, 0}, {NULL, 0, peak->results}};
    const struct rg_bench_launch launch = {
        .kernel = kernel, .global = 1, .local = 1, .arguments = arguments, .argument_count = 4};
    double samples_s[RG_CHASE_SAMPLES];
    struct rg_bench_times times;
    ridge_status status = rg_bench_launch_once(peak->bench, &launch, &times, error);
    for (size_t i = 0; i < RG_CHASE_SAMPLES && status == RIDGE_OK; i++) {
        status = rg_bench_read(peak->bench, peak->results, 0, sizeof at, &at, error); /* go on where it was */
        if (status == RIDGE_OK) {
            status = rg_bench_launch_once(peak->bench, &launch, &times, error);
        }
        samples_s[i] = seconds_of(&times) / (double)steps;
    }
    if (status == RIDGE_OK) {
        struct ridge_peak_latency *latency = &peak->out->latencies[peak->out->latency_count++];
        latency->bytes = bytes;
        rg_peak_time_set(&latency->time, samples_s, RG_CHASE_SAMPLES);
    }
    return status;
}

/** Every working set that fits; the host's copy of the lines is made anew for each. */
static ridge_status chases_measure(struct peak_device *peak, uint64_t most, uint32_t *lines, struct ridge_error *error)
{
    size_t kernel = 0;
    size_t words = 0;
    ridge_status status =
        rg_bench_kernel_build(peak->bench, source, "-DT=float -DV=float -DLANES=1 -DFMA=mad", "chase", &kernel, error);
    if (status == RIDGE_OK) {
        status = rg_bench_buffer_make(peak->bench, most, &words, error);
    }
    for (uint64_t bytes = RG_CHASE_LEAST_BYTES;
         status == RIDGE_OK && bytes <= most && peak->out->latency_count < RIDGE_PEAK_LATENCIES; bytes *= 2) {
        rg_chase_fill(lines, (uint32_t)(bytes / RG_CHASE_LINE_BYTES));
        status = rg_bench_write(peak->bench, words, 0, bytes, lines, error);
        if (status == RIDGE_OK) {
            status = chase_measure(peak, kernel, words, bytes, error);
        }
    }
    return status;
}

static void latencies_measure(struct peak_device *peak, const struct ridge_peak_request *request)
{
    const uint64_t usual_bytes = (uint64_t)64 << 20; /* what is written to it crosses a bus */
    const uint64_t gives = peak->facts->device.max_allocation_bytes;
    const uint64_t free_bytes = rg_host_memory_available("") / 4; /* for the copy here; 0: unknown */
    const uint64_t here = free_bytes > 0 ? free_bytes : UINT64_MAX;
    const uint64_t most = rg_chase_most(request, usual_bytes, gives > 0 && gives < here ? gives : here, peak->out);
    struct ridge_error why = {0};
    if (most < RG_CHASE_LEAST_BYTES) {
        return;
    }
    uint32_t *lines = rg_alloc(peak->context, most);
    if (!lines) {
        rg_peak_note(peak->out, "no latencies: there is no memory for %llu bytes", (unsigned long long)most);
    } else if (chases_measure(peak, most, lines, &why) != RIDGE_OK) {
        rg_peak_note(peak->out, "the latencies end early: %.180s", why.message);
    }
    rg_free(peak->context, lines, most);
}

static void texts_fill(const struct peak_device *peak)
{
    struct ridge_peak *out = peak->out;
    const struct rg_device_facts *device = &peak->facts->device;
    snprintf(out->backend, sizeof out->backend, "%s", peak->bench->ops->backend->name);
    snprintf(out->selector, sizeof out->selector, "%s", device->selector);
    snprintf(out->device, sizeof out->device, "%s", device->name);
    snprintf(out->driver, sizeof out->driver, "%s", device->driver);
    snprintf(out->compiler, sizeof out->compiler, "%.120s: float%u, double%u, %d chains", device->version,
             peak->facts->width_f32, peak->facts->width_f64, CHAINS);
    out->threads = device->compute_units;
    if (!peak->facts->profiling) {
        rg_peak_note(out, "the device has no event times: the host's clock is used, launch overhead included");
    }
}

static ridge_status all_measure(struct peak_device *peak, const struct ridge_peak_request *request,
                                struct ridge_error *error)
{
    const size_t units = peak->facts->device.compute_units > 0 ? peak->facts->device.compute_units : 1;
    peak->items = peak->facts->cpu ? units : units * GPU_ITEMS_A_UNIT;
    ridge_status status = rg_bench_buffer_make(peak->bench, peak->items * sizeof(double), &peak->results, error);
    if (status != RIDGE_OK) {
        return status;
    }
    texts_fill(peak);
    const struct width f32 = {"float", false, peak->facts->width_f32, &peak->out->f32};
    const struct width f64 = {"double", true, peak->facts->width_f64, &peak->out->f64};
    rate_try(peak, &f32);
    rate_try(peak, &f64);
    status = launch_measure(peak, error);
    if (status == RIDGE_OK && !request->without_latency) {
        latencies_measure(peak, request);
    }
    return status;
}

ridge_status rg_peak_device(const struct ridge_context *context, const struct ridge_peak_request *request,
                            struct ridge_peak *out, struct ridge_error *error)
{
    struct rg_device_choice choice;
    struct peak_device peak = {.context = context, .out = out};
    ridge_status status = rg_device_choose(request->device, &choice, error);
    if (status == RIDGE_OK) {
        status = rg_bench_open(context, &choice, &peak.bench, error);
    }
    if (status == RIDGE_OK) {
        peak.facts = rg_bench_facts_of(peak.bench);
        status = all_measure(&peak, request, error);
    }
    rg_bench_close(peak.bench);
    return status;
}
