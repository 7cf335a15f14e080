/* SPDX-License-Identifier: MIT */
/** \file Statistics that Ridge's answers rest on. Thread rule: pure; any thread; nothing is kept. */
#ifndef RIDGE_STATS_H
#define RIDGE_STATS_H

#include "ridge/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Summarise samples: median, its distribution-free 95 % interval, extremes, outliers beyond Tukey's fences
 * (1.5 interquartile ranges).
 *
 * The interval is the pair of order statistics x(k), x(n+1-k) with the largest k for which the binomial(n, 1/2)
 * coverage is at least 95 %; for n < 6 no such pair exists and both ends are NaN.
 * Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, section 7.1.
 *
 * \param samples_s  seconds, any order; not changed
 * \param scratch    room for `count` doubles; holds the sorted samples afterwards
 */
RIDGE_API void ridge_summarise(const double *samples_s, uint64_t count, double *scratch, struct ridge_summary *out);

/**
 * Quantile by linear interpolation between order statistics at (n - 1) * p (type 7 of Hyndman and Fan 1996).
 * \param sorted  ascending, count >= 1
 * \param p       0 to 1
 */
RIDGE_API double ridge_quantile(const double *sorted, uint64_t count, double p);

/** \return whether two medians can be told apart: both intervals are known and do not overlap. */
RIDGE_API bool ridge_distinguishable(const struct ridge_summary *a, const struct ridge_summary *b);

#ifdef __cplusplus
}
#endif
#endif
