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

/**
 * Whether one median is longer than another times a factor (1, or what the machine moved by): the intervals do not overlap.
 * Where an interval is not known, since there are too few samples for one, the samples themselves speak: at least three of
 * each, all of one above all of the other, and the gap wider than either is. Three and three lie like that by chance one
 * time in twenty. Source: H. B. Mann and D. R. Whitney, On a test of whether one of two random variables is stochastically
 * larger than the other, 1947: 1 / C(6, 3).
 */
RIDGE_API bool ridge_is_slower(const struct ridge_summary *slow, const struct ridge_summary *fast, double factor);

/** \return whether two medians can be told apart: one of them is slower. */
RIDGE_API bool ridge_distinguishable(const struct ridge_summary *a, const struct ridge_summary *b);

/** A ratio of two medians, with the least and the most that their intervals allow. */
struct ridge_ratio {
    double value; /**< NaN: one of the two is not known */
    double low;   /**< NaN: an interval is not known */
    double high;
};

/** \return the median of `over` divided by that of `under`; low and high from the ends of their intervals. */
RIDGE_API struct ridge_ratio ridge_ratio_of(const struct ridge_summary *over, const struct ridge_summary *under);

/**
 * The weighted geometric mean of ratios: exp(sum(weight * log(ratio)) / sum(weight)). Its ends are the same of the
 * ratios' ends: they hold whatever is true within the intervals, so that it is no narrower than 95 %.
 * Source: P. J. Fleming and J. J. Wallace, How not to lie with statistics, CACM 29(3), 1986: ratios are summarised by
 * the geometric mean, whose order does not depend on what was divided by.
 * \param weights  above 0; NULL: all alike
 * \param count    at least 1; a member that is NaN makes the mean NaN
 */
RIDGE_API struct ridge_ratio ridge_ratio_mean(const struct ridge_ratio *ratios, const double *weights, size_t count);

/**
 * Spearman's rank correlation with average ranks for ties.
 * \param[out] rho  -1 to 1
 * \retval RIDGE_E_EMPTY     no answer: fewer than 3 pairs, unequal lengths, or a side without variance
 * \retval RIDGE_E_ARGUMENT  a value is NaN (infinite ones have ranks as others do)
 */
RIDGE_API ridge_status ridge_spearman(const struct ridge_context *context, const double *x, uint64_t x_count,
                                      const double *y, uint64_t y_count, double *rho, struct ridge_error *error);

/** A 95 % interval. */
struct ridge_interval {
    double low;
    double high;
};

/**
 * 95 % interval of Spearman's rho: percentiles 2.5 and 97.5 of the rho of `resamples` bootstrap samples. Resamples
 * without an answer are left out. Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, chapter 13.
 * \param resamples  at least 1; 1000 or more for an interval that does not move
 * \retval RIDGE_E_EMPTY, RIDGE_E_ARGUMENT  as ridge_spearman; or no resample has an answer
 */
RIDGE_API ridge_status ridge_spearman_interval(const struct ridge_context *context, const double *x, const double *y,
                                               uint64_t count, uint64_t resamples, uint64_t seed,
                                               struct ridge_interval *out, struct ridge_error *error);

/** A predicted order with what was measured. All arrays have `count` elements and are borrowed. */
struct ridge_ordering {
    const double *cost;    /**< predicted; smaller is better; infinite: predicted to fail; never NaN */
    const double *time_s;  /**< measured, seconds; infinite: it failed; never NaN */
    const uint32_t *order; /**< indices, best predicted first */
    uint64_t count;
};

/** \return how many of the (up to) ten fastest are in the first tenth, rounded up, of the order. */
RIDGE_API uint32_t ridge_recall10(const struct ridge_ordering *ordering);

/** \return the fastest of the first k over the fastest of all; infinite when all of them failed. k >= 1. */
RIDGE_API double ridge_regret(const struct ridge_ordering *ordering, uint64_t k);

/**
 * Expected evaluations, failed ones counted, until one within `margin` of the fastest (0.05: 5 %) is found. Equal
 * costs count as taken in random order: of a group of g with w within reach the first comes after (g + 1) / (w + 1).
 * \return NaN when all failed
 */
RIDGE_API double ridge_evaluations(const struct ridge_ordering *ordering, double margin);

/** The same in random order: (n + 1) / (w + 1), the mean of the smallest of w places drawn from n. NaN when all failed. */
RIDGE_API double ridge_random_evaluations(const struct ridge_ordering *ordering, double margin);

#ifdef __cplusplus
}
#endif
#endif
