/* SPDX-License-Identifier: MIT */
#include "ridge/stats.h"

#include <math.h>
#include <string.h>

#include "stats/sort.h"

/** \return C(2m, m) / 4^m. A product of m factors below 1: exact to about m rounding errors of a long double. */
static long double central_mass(uint64_t m)
{
    long double mass = 1.0L;
    for (uint64_t i = 1; i <= m; i++) {
        mass *= (long double)(2 * i - 1) / (long double)(2 * i);
    }
    return mass;
}

/**
 * The largest k with P(B <= k - 1) <= 0.025 for B of the binomial(count, 1/2); 0 when there is none.
 * Exact for every count: P(B <= middle) is known by symmetry, and from there it takes about sqrt(count) steps down.
 * That it is never equal to 0.025 follows from 2^count * 0.025 not being whole.
 */
static uint64_t interval_rank(uint64_t count)
{
    const uint64_t middle = count / 2;
    long double mass = central_mass(middle);
    long double below = 0.5L + mass / 2;
    if (count % 2 == 1) {
        mass *= (long double)count / (long double)(count + 1);
        below = 0.5L;
    }
    uint64_t rank = middle + 1;
    while (rank > 0 && below > 0.025L) {
        const uint64_t at = rank - 1;
        below -= mass;
        mass *= (long double)at / (long double)(count - at + 1);
        rank--;
    }
    return rank;
}

double ridge_quantile(const double *sorted, uint64_t count, double p)
{
    const double position = (double)(count - 1) * p;
    const uint64_t below = (uint64_t)position;
    if (below + 1 >= count) {
        return sorted[count - 1];
    }
    const double part = position - (double)below;
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

static uint64_t count_outliers(const double *sorted, uint64_t count)
{
    const double low = ridge_quantile(sorted, count, 0.25);
    const double high = ridge_quantile(sorted, count, 0.75);
    const double reach = 1.5 * (high - low);
    uint64_t outliers = 0;
    for (uint64_t i = 0; i < count; i++) {
        outliers += sorted[i] < low - reach || sorted[i] > high + reach;
    }
    return outliers;
}

void ridge_summarise(const double *samples_s, uint64_t count, double *scratch, struct ridge_summary *out)
{
    const double unknown = (double)NAN;
    *out = (struct ridge_summary){0, unknown, unknown, unknown, unknown, unknown, 0};
    if (count == 0) {
        return;
    }
    memcpy(scratch, samples_s, (size_t)count * sizeof *scratch);
    rg_sort(scratch, (size_t)count);
    out->n = count;
    out->median_s = ridge_quantile(scratch, count, 0.5);
    out->minimum_s = scratch[0];
    out->maximum_s = scratch[count - 1];
    out->outliers = count_outliers(scratch, count);
    const uint64_t rank = interval_rank(count);
    if (rank > 0) {
        out->ci95_low_s = scratch[rank - 1];
        out->ci95_high_s = scratch[count - rank];
    }
}

/** Whether all samples of one lie above all of the other, by more than either is wide. */
static bool is_far_above(const struct ridge_summary *slow, const struct ridge_summary *fast, double factor)
{
    enum {
        LEAST = 3
    };
    const double wider_s = fmax(slow->maximum_s - slow->minimum_s, fast->maximum_s - fast->minimum_s);
    return slow->n >= LEAST && fast->n >= LEAST && slow->minimum_s - fast->maximum_s * factor > wider_s;
}

bool ridge_is_slower(const struct ridge_summary *slow, const struct ridge_summary *fast, double factor)
{
    if (isnan(slow->ci95_low_s) || isnan(fast->ci95_high_s)) {
        return is_far_above(slow, fast, factor);
    }
    return slow->ci95_low_s > fast->ci95_high_s * factor;
}

bool ridge_distinguishable(const struct ridge_summary *a, const struct ridge_summary *b)
{
    return ridge_is_slower(a, b, 1) || ridge_is_slower(b, a, 1);
}
