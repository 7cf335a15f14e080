/* SPDX-License-Identifier: MIT */
#include "curve/peak.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "ridge/units.h"

static const double wide_ratio = 0.1;
/* The number of a word has 32 bits. */
static const uint64_t most_latency_bytes = (uint64_t)16 << 30;

struct maker {
    const struct rg_backend *backend;
    ridge_status (*measure)(const struct ridge_context *context, const struct ridge_peak_request *request,
                            struct ridge_peak *out, struct ridge_error *error);
};

static const struct maker makers[] = {
    {&rg_backend_host, rg_peak_host}, {&rg_backend_opencl, rg_peak_device}, {&rg_backend_cuda, rg_peak_device}};

void rg_peak_note(struct ridge_peak *peak, const char *format, ...)
{
    if (peak->note_count == RIDGE_PEAK_NOTES) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(peak->notes[peak->note_count++], RIDGE_PEAK_TEXT_BYTES, format, arguments);
    va_end(arguments);
}

void rg_peak_rate_set(struct ridge_peak_rate *rate, const double *flop_per_s, uint64_t count)
{
    double sorted[RG_PEAK_SAMPLES];
    struct ridge_summary summary;
    ridge_summarise(flop_per_s, count, sorted, &summary);
    *rate = (struct ridge_peak_rate){
        .n = count,
        .flop_per_s = summary.median_s,
        .ci95 = {summary.ci95_low_s, summary.ci95_high_s},
        .best_flop_per_s = sorted[count > 1 ? count - 2 : 0],
    };
}

void rg_peak_time_set(struct ridge_summary *time, const double *samples_s, uint64_t count)
{
    double sorted[RG_PEAK_SAMPLES];
    ridge_summarise(samples_s, count, sorted, time);
}

uint64_t rg_chase_most(const struct ridge_peak_request *request, uint64_t usual_bytes, uint64_t most_bytes,
                       struct ridge_peak *peak)
{
    const uint64_t asked = request->latency_bytes;
    const uint64_t wanted = asked > 0 ? asked : usual_bytes;
    const uint64_t can = most_bytes < most_latency_bytes ? most_bytes : most_latency_bytes;
    const uint64_t most = wanted < can ? wanted : can;
    char texts[2][RIDGE_NUMBER_BYTES];
    ridge_size_format(asked, texts[0]);
    ridge_size_format(most, texts[1]);
    if (asked > most) {
        rg_peak_note(peak, "the latencies end at %s and not at %s: %s", texts[1], texts[0],
                     can == most_latency_bytes ? "more cannot be followed" : "no more memory may be used for them");
    }
    if (most < RG_CHASE_LEAST_BYTES) {
        rg_peak_note(peak, "no latencies: %s are too few (8 KiB at least)", texts[1]);
    }
    return most;
}

void rg_chase_fill(uint32_t *words, uint32_t lines)
{
    struct rg_rng rng;
    rg_rng_init(&rng, 1);
    for (uint32_t i = 0; i < lines; i++) {
        words[(size_t)i * RG_CHASE_LINE_WORDS] = i * RG_CHASE_LINE_WORDS;
    }
    for (uint32_t i = lines; i-- > 1;) {
        uint32_t *one = &words[(size_t)i * RG_CHASE_LINE_WORDS];
        uint32_t *other = &words[(size_t)rg_rng_below(&rng, i) * RG_CHASE_LINE_WORDS];
        const uint32_t kept = *one;
        *one = *other;
        *other = kept;
    }
}

/** Say when samples lie far apart: then the peak may be too low. */
static void noise_note(struct ridge_peak *peak, const char *name, const struct ridge_peak_rate *rate)
{
    const double width = rate->ci95.high - rate->ci95.low;
    if (rate->n > 0 && width > 2 * wide_ratio * rate->flop_per_s) {
        rg_peak_note(
            peak,
            "%s: the interval is wider than 10 %% to either side: the machine was busy, or its clock moved, and "
            "the peak may be higher (measure again when it is quiet)",
            name);
    }
}

ridge_status ridge_peak_measure(const struct ridge_context *context, const struct ridge_peak_request *request,
                                struct ridge_peak *out, struct ridge_error *error)
{
    struct ridge_peak_request complete = *request;
    struct ridge_peak *peak = rg_alloc(context, sizeof *peak);
    struct rg_device_choice choice;
    if (!peak) {
        return rg_error_memory(error, sizeof *peak);
    }
    complete.device = request->device ? request->device : "host";
    ridge_status status = rg_device_choose(complete.device, &choice, error);
    size_t at = 0;
    while (status == RIDGE_OK && at < sizeof makers / sizeof makers[0] && makers[at].backend != choice.backend) {
        at++;
    }
    if (status == RIDGE_OK && at == sizeof makers / sizeof makers[0]) {
        status = rg_error_set(error, RIDGE_E_UNAVAILABLE,
                              "--device %s has no peak to measure (host, opencl and cuda have)", complete.device);
    }
    if (status == RIDGE_OK) {
        memset(peak, 0, sizeof *peak);
        rg_clock_timestamp(peak->made_at);
        status = makers[at].measure(context, &complete, peak, error);
    }
    if (status == RIDGE_OK) {
        noise_note(peak, "f32", &peak->f32);
        noise_note(peak, "f64", &peak->f64);
        *out = *peak;
    }
    rg_free(context, peak, sizeof *peak);
    return status;
}
