/* SPDX-License-Identifier: MIT */
/** \file What is to be known of a point beside its rate: how it was measured, and steps that go the wrong way. */
#include <math.h>

#include "curve/sweep.h"

#define USUAL_LLC_BYTES (UINT64_C(64) << 20) /* at most, of what the system says. Source: reference/curve.md 4.1 */

uint64_t rg_sweep_cache_bytes(const struct rg_sweep *sweep)
{
    const uint64_t hint = sweep->facts.cache_hint_bytes[2];
    const uint64_t guess = hint > 0 && hint < USUAL_LLC_BYTES ? hint : USUAL_LLC_BYTES;
    return sweep->llc_bytes > 0 ? 2 * sweep->llc_bytes : guess;
}

/**
 * The pool aims at four times the outermost cache, taken as twice what the curve says (source: reference/curve.md 4.3);
 * whole windows and a curve that was rough then take some of it, so that three times are enough.
 */
bool rg_reuse_is_short(const struct rg_sweep *sweep, const struct rg_item *item)
{
    const uint64_t reuse = rg_sweep_reuse(sweep, item);
    return reuse > 0 && reuse / 3 < rg_sweep_cache_bytes(sweep);
}

/** Cold bytes come from memory: no small working set can be faster than that. Source: reference/curve.md 4.3. */
static bool is_too_fast_for_cold(const struct rg_sweep *sweep, const struct rg_item *item, double rate, double memory)
{
    const double allowed = 1.15;
    return sweep->llc_bytes > 0 && item->job.bytes <= sweep->llc_bytes / 8 && rate > allowed * memory;
}

/** The item that a point was made from: there is one. */
static const struct rg_item *item_of(const struct rg_sweep *sweep, enum rg_role role, uint64_t bytes)
{
    const struct rg_item *item = sweep->items;
    while (item->role != role || item->job.bytes != bytes) {
        item++;
    }
    return item;
}

/** Whether a rate lies on the wrong side of another: warm rates do not rise with the size, cold ones do not fall. */
static bool is_wrong(bool warm, double low, double high)
{
    return warm ? high > low : high < low;
}

/** Whether a step from one size to the next goes the wrong way: either median lies outside the other's interval. */
static bool is_wrong_step(bool warm, const struct ridge_curve_point *low, const struct ridge_curve_point *high)
{
    return is_wrong(warm, warm ? low->ci95.high : low->ci95.low, high->bytes_per_s) &&
           is_wrong(warm, low->bytes_per_s, warm ? high->ci95.low : high->ci95.high);
}

/** Whether the intervals do not even touch. */
static bool is_clear_step(bool warm, const struct ridge_curve_point *low, const struct ridge_curve_point *high)
{
    return is_wrong(warm, warm ? low->ci95.high : low->ci95.low, warm ? high->ci95.low : high->ci95.high);
}

/** \return whether a step is there in two of three rounds. */
static bool repeats(const struct rg_sweep *sweep, const struct rg_item *low, const struct rg_item *high)
{
    double low_s[RG_ROUNDS_MOST];
    double high_s[RG_ROUNDS_MOST];
    size_t known = 0;
    size_t there = 0;
    rg_item_rounds(sweep, low, low_s);
    rg_item_rounds(sweep, high, high_s);
    for (size_t i = 0; i < RG_ROUNDS_MOST; i++) {
        const double ratio = (double)high->job.bytes / high_s[i] / ((double)low->job.bytes / low_s[i]);
        known += isnan(ratio) ? 0 : 1;
        there += is_wrong(low->job.warm, 1, ratio) ? 1 : 0; /* false where it is not known */
    }
    return there * 3 >= known * 2;
}

/** Whether more than a third of an item's times lie beside a sentinel that moved. */
bool rg_item_is_unsteady(const struct rg_sweep *sweep, const struct rg_item *item)
{
    size_t unsteady = 0;
    for (size_t i = 0; i < item->time_count; i++) {
        unsteady += rg_time_is_steady(sweep, &item->times[i]) ? 0 : 1;
    }
    return unsteady * 3 > item->time_count;
}

/** What a step is; `clear`: the intervals do not touch. Source: reference/curve.md 4.7. */
static ridge_point_flag step_flag(const struct rg_sweep *sweep, const struct rg_item *low, const struct rg_item *high,
                                  bool clear)
{
    const struct rg_item *const both[] = {low, high};
    if (!clear || !repeats(sweep, low, high)) {
        return RIDGE_POINT_STEP_NOISE;
    }
    for (size_t i = 0; i < 2; i++) {
        if (rg_item_is_unsteady(sweep, both[i]) || rg_item_is_contended(sweep, both[i])) {
            return RIDGE_POINT_STEP_CONTENTION;
        }
    }
    return RIDGE_POINT_STEP_STRUCTURAL;
}

/** What follows from how one point was measured. */
static unsigned own_flags(const struct rg_sweep *sweep, const struct rg_item *item,
                          const struct ridge_curve_point *point, double memory)
{
    unsigned flags = rg_item_is_contended(sweep, item) ? 1U << RIDGE_POINT_CONTENDED : 0U;
    flags |= rg_point_is_wide(sweep, item, point) ? 1U << RIDGE_POINT_WIDE : 0U;
    if (item->job.warm) {
        return flags;
    }
    const bool warm = rg_reuse_is_short(sweep, item) || is_too_fast_for_cold(sweep, item, point->bytes_per_s, memory);
    flags |= warm ? 1U << RIDGE_POINT_WARM_SUSPECT : 0U;
    flags |= item->job.bytes > sweep->facts.pool_bytes / 2 ? 1U << RIDGE_POINT_POOL_LIMITED : 0U;
    return flags;
}

/** What the largest working sets of a cold curve reach: the median of those of the last plateau. */
static double memory_rate(const struct rg_sweep *sweep, const struct ridge_curve_point *points, size_t count)
{
    const size_t last = sweep->plateau_count > 0 ? sweep->plateau_count - 1 : 0;
    const uint64_t from = sweep->memory ? sweep->plateau_begin[last] : UINT64_MAX;
    return rg_middle_between(points, count, from, UINT64_MAX);
}

void rg_sweep_flags(const struct rg_sweep *sweep, enum rg_role role, struct ridge_curve_point *points, size_t count)
{
    const double memory = memory_rate(sweep, points, count);
    const struct rg_item *before = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct rg_item *item = item_of(sweep, role, points[i].bytes);
        points[i].flags = own_flags(sweep, item, &points[i], memory);
        if (before && is_wrong_step(item->job.warm, &points[i - 1], &points[i])) {
            const bool clear = is_clear_step(item->job.warm, &points[i - 1], &points[i]);
            points[i].flags |= 1U << step_flag(sweep, before, item, clear);
        }
        before = item;
    }
}
