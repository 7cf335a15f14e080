/* SPDX-License-Identifier: MIT */
/** \file How good a predicted order is at the top. */
#include <math.h>

#include "ridge/stats.h"

enum {
    BEST = 10
};

static double fastest(const struct ridge_ordering *ordering)
{
    double best = (double)INFINITY;
    for (uint64_t i = 0; i < ordering->count; i++) {
        best = ordering->time_s[i] < best ? ordering->time_s[i] : best;
    }
    return best;
}

/** Fill the ten smallest times, ascending. \return how many there are. */
static uint32_t ten_fastest(const struct ridge_ordering *ordering, double *best)
{
    uint32_t have = 0;
    for (uint64_t i = 0; i < ordering->count; i++) {
        const double time = ordering->time_s[i];
        if (!isfinite(time) || (have == BEST && time >= best[BEST - 1])) {
            continue;
        }
        uint32_t at = have < BEST ? have++ : BEST - 1;
        for (; at > 0 && best[at - 1] > time; at--) {
            best[at] = best[at - 1];
        }
        best[at] = time;
    }
    return have;
}

uint32_t ridge_recall10(const struct ridge_ordering *ordering)
{
    double best[BEST];
    const uint32_t have = ten_fastest(ordering, best);
    const uint64_t tenth = (ordering->count + 9) / 10;
    uint32_t found = 0;
    for (uint64_t i = 0; i < tenth && have > 0; i++) {
        found += ordering->time_s[ordering->order[i]] <= best[have - 1];
    }
    return found < have ? found : have;
}

double ridge_regret(const struct ridge_ordering *ordering, uint64_t k)
{
    double best = (double)INFINITY;
    for (uint64_t i = 0; i < ordering->count && i < k; i++) {
        const double time = ordering->time_s[ordering->order[i]];
        best = time < best ? time : best;
    }
    return isfinite(best) ? best / fastest(ordering) : (double)INFINITY;
}

double ridge_evaluations(const struct ridge_ordering *ordering, double margin)
{
    const double reach = fastest(ordering) * (1 + margin);
    uint64_t at = 0;
    while (at < ordering->count) {
        const double cost = ordering->cost[ordering->order[at]];
        uint64_t end = at;
        uint64_t within = 0;
        for (; end < ordering->count && !(ordering->cost[ordering->order[end]] > cost); end++) {
            const double time = ordering->time_s[ordering->order[end]];
            within += isfinite(time) && time <= reach;
        }
        if (within > 0) {
            return (double)at + (double)(end - at + 1) / (double)(within + 1);
        }
        at = end;
    }
    return (double)NAN;
}

double ridge_random_evaluations(const struct ridge_ordering *ordering, double margin)
{
    const double reach = fastest(ordering) * (1 + margin);
    uint64_t within = 0;
    for (uint64_t i = 0; i < ordering->count; i++) {
        within += isfinite(ordering->time_s[i]) && ordering->time_s[i] <= reach;
    }
    return within > 0 ? (double)(ordering->count + 1) / (double)(within + 1) : (double)NAN;
}
