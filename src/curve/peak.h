/* SPDX-License-Identifier: MIT */
/** \file What the makers of a peak share. The public side, and the thread rule, is ridge/peak.h. */
#ifndef RG_CURVE_PEAK_H
#define RG_CURVE_PEAK_H

#include "base/context.h"
#include "ridge/peak.h"

enum {
    RG_PEAK_SAMPLES = 21,  /**< of a rate */
    RG_CHASE_SAMPLES = 11, /**< of a latency */
    RG_CHASE_LINE_BYTES = 64,
    RG_CHASE_LINE_WORDS = RG_CHASE_LINE_BYTES / 4,
    RG_CHASE_LEAST_BYTES = 8192
};

/** Measure a device of one backend; `request->device` names it. `out` is all zero before. */
ridge_status rg_peak_host(const struct ridge_context *context, const struct ridge_peak_request *request,
                          struct ridge_peak *out, struct ridge_error *error);
ridge_status rg_peak_device(const struct ridge_context *context, const struct ridge_peak_request *request,
                            struct ridge_peak *out, struct ridge_error *error);

/** Add a note; what does not fit is dropped. */
void rg_peak_note(struct ridge_peak *peak, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Summarise samples of FLOP a second, at most RG_PEAK_SAMPLES. */
void rg_peak_rate_set(struct ridge_peak_rate *rate, const double *flop_per_s, uint64_t count);

/** Summarise samples of seconds, at most RG_PEAK_SAMPLES. */
void rg_peak_time_set(struct ridge_summary *time, const double *samples_s, uint64_t count);

/**
 * Say how large the largest working set of the latencies may be: what was asked for, else `usual_bytes`. What is less than
 * was asked for is a note.
 * \param most_bytes  that there is memory for
 */
uint64_t rg_chase_most(const struct ridge_peak_request *request, uint64_t usual_bytes, uint64_t most_bytes,
                       struct ridge_peak *peak);

/**
 * Make lines of RG_CHASE_LINE_BYTES, each of which begins with the number of the first word of the next: one random
 * cycle through all of them, so that no prefetcher can know the next. Source of the cycle: S. Sattolo, "An algorithm to
 * generate a random cyclic permutation", Information Processing Letters 22 (1986).
 * \param words  room for `lines` * RG_CHASE_LINE_WORDS
 */
void rg_chase_fill(uint32_t *words, uint32_t lines);

#endif
