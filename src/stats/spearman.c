/* SPDX-License-Identifier: MIT */
/**
 * \file Spearman's rho and its bootstrap interval. Both sides are sorted once; a resample is how often each pair was
 * drawn, and its average ranks follow in one pass over each sorted side.
 */
#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "base/error.h"
#include "base/rng.h"
#include "ridge/stats.h"
#include "stats/sort.h"

struct place {
    double value;
    uint64_t index;
};

/** Pairs prepared for ranking. */
struct pairs {
    const struct ridge_context *context;
    uint64_t count;
    struct place *x; /* ascending */
    struct place *y;
    double *x_rank; /* by pair */
    double *y_rank;
    uint32_t *weight; /* how often each pair counts */
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

static struct place *sorted(const struct ridge_context *context, const double *values, uint64_t count)
{
    struct place *places = count <= SIZE_MAX / sizeof *places ? rg_alloc(context, count * sizeof *places) : NULL;
    for (uint64_t i = 0; places && i < count; i++) {
        places[i] = (struct place){values[i], i};
    }
    if (places) {
        qsort(places, count, sizeof *places, compare_places);
    }
    return places;
}

static void pairs_fini(struct pairs *pairs)
{
    rg_free(pairs->context, pairs->x, pairs->count * sizeof *pairs->x);
    rg_free(pairs->context, pairs->y, pairs->count * sizeof *pairs->y);
    rg_free(pairs->context, pairs->x_rank, pairs->count * sizeof *pairs->x_rank);
    rg_free(pairs->context, pairs->y_rank, pairs->count * sizeof *pairs->y_rank);
    rg_free(pairs->context, pairs->weight, pairs->count * sizeof *pairs->weight);
}

static ridge_status pairs_init(struct pairs *pairs, const struct ridge_context *context, const double *x,
                               const double *y, uint64_t count, struct ridge_error *error)
{
    *pairs = (struct pairs){.context = context, .count = count};
    for (uint64_t i = 0; i < count; i++) {
        if (isnan(x[i]) || isnan(y[i])) {
            return rg_error_set(error, RIDGE_E_ARGUMENT, "pair %llu has no rank (give numbers, not NaN)",
                                (unsigned long long)i);
        }
    }
    if (count < 3) {
        return rg_error_set(error, RIDGE_E_EMPTY, "%llu pairs have no rank correlation (at least 3)",
                            (unsigned long long)count);
    }
    pairs->x = sorted(context, x, count);
    pairs->y = pairs->x ? sorted(context, y, count) : NULL;
    if (pairs->y) {
        pairs->x_rank = rg_alloc(context, count * sizeof *pairs->x_rank);
        pairs->y_rank = rg_alloc(context, count * sizeof *pairs->y_rank);
        pairs->weight = rg_alloc(context, count * sizeof *pairs->weight);
    }
    if (!pairs->x_rank || !pairs->y_rank || !pairs->weight) {
        pairs_fini(pairs);
        rg_error_memory(error, count * sizeof *pairs->x);
        return RIDGE_E_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        pairs->weight[i] = 1;
    }
    return RIDGE_OK;
}

/** Average ranks of weighted pairs: equal values share the mean of the places that they take. */
static void rank(const struct pairs *pairs, const struct place *places, double *ranks)
{
    double before = 0;
    for (uint64_t i = 0; i < pairs->count;) {
        uint64_t end = i;
        double here = 0;
        for (; end < pairs->count && !(places[end].value > places[i].value); end++) {
            here += pairs->weight[places[end].index];
        }
        for (; i < end; i++) {
            ranks[places[i].index] = before + (here + 1) / 2;
        }
        before += here;
    }
}

/** \return rho of the weighted pairs, NaN when a side has no variance. */
static double correlate(const struct pairs *pairs)
{
    rank(pairs, pairs->x, pairs->x_rank);
    rank(pairs, pairs->y, pairs->y_rank);
    const double middle = ((double)pairs->count + 1) / 2;
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (uint64_t i = 0; i < pairs->count; i++) {
        const double x = pairs->x_rank[i] - middle;
        const double y = pairs->y_rank[i] - middle;
        xx += pairs->weight[i] * x * x;
        yy += pairs->weight[i] * y * y;
        xy += pairs->weight[i] * x * y;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

ridge_status ridge_spearman(const struct ridge_context *context, const double *x, uint64_t x_count, const double *y,
                            uint64_t y_count, double *rho, struct ridge_error *error)
{
    if (x_count != y_count) {
        return rg_error_set(error, RIDGE_E_EMPTY, "%llu values against %llu (give as many of each)",
                            (unsigned long long)x_count, (unsigned long long)y_count);
    }
    struct pairs pairs;
    const ridge_status status = pairs_init(&pairs, context, x, y, x_count, error);
    if (status != RIDGE_OK || !pairs.weight) {
        return status;
    }
    const double found = correlate(&pairs);
    pairs_fini(&pairs);
    if (isnan(found)) {
        return rg_error_set(error, RIDGE_E_EMPTY, "all values of one side are equal (they must differ to be ranked)");
    }
    *rho = found;
    return RIDGE_OK;
}

static void resample(struct pairs *pairs, struct rg_rng *rng)
{
    for (uint64_t i = 0; i < pairs->count; i++) {
        pairs->weight[i] = 0;
    }
    for (uint64_t i = 0; i < pairs->count; i++) {
        pairs->weight[rg_rng_below(rng, pairs->count)]++;
    }
}

ridge_status ridge_spearman_interval(const struct ridge_context *context, const double *x, const double *y,
                                     uint64_t count, uint64_t resamples, uint64_t seed, struct ridge_interval *out,
                                     struct ridge_error *error)
{
    struct pairs pairs;
    const ridge_status status = pairs_init(&pairs, context, x, y, count, error);
    if (status != RIDGE_OK || !pairs.weight) {
        return status;
    }
    double *found = resamples <= SIZE_MAX / sizeof *found ? rg_alloc(context, resamples * sizeof *found) : NULL;
    if (!found) {
        pairs_fini(&pairs);
        return rg_error_memory(error, resamples * sizeof *found);
    }
    struct rg_rng rng;
    rg_rng_init(&rng, seed);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < resamples; i++) {
        resample(&pairs, &rng);
        found[kept] = correlate(&pairs);
        kept += isnan(found[kept]) ? 0 : 1;
    }
    pairs_fini(&pairs);
    if (kept > 0) {
        rg_sort(found, kept);
        *out = (struct ridge_interval){ridge_quantile(found, kept, 0.025), ridge_quantile(found, kept, 0.975)};
    }
    rg_free(context, found, resamples * sizeof *found);
    return kept > 0 ? RIDGE_OK : rg_error_set(error, RIDGE_E_EMPTY, "no resample has a rank correlation (more pairs)");
}
