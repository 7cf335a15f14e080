/* SPDX-License-Identifier: MIT */
/** \file From times to points, and from points to plateaus. */
#include <math.h>
#include <string.h>

#include "curve/sweep.h"
#include "stats/sort.h"

enum {
    LEAST_TIMES = 6 /* for an interval of the median */
};

typedef bool (*times_filter)(const struct rg_sweep *sweep, const struct rg_pass_time *time);

static bool is_clean(const struct rg_sweep *sweep, const struct rg_pass_time *time)
{
    return !time->disturbed && rg_time_is_steady(sweep, time);
}

static bool is_undisturbed(const struct rg_sweep *sweep, const struct rg_pass_time *time)
{
    (void)sweep;
    return !time->disturbed;
}

static bool is_any(const struct rg_sweep *sweep, const struct rg_pass_time *time)
{
    (void)sweep;
    (void)time;
    return true;
}

/** The strictest filter that leaves enough times for an interval. */
static times_filter filter_for(const struct rg_sweep *sweep, const struct rg_item *item)
{
    static const times_filter filters[] = {is_clean, is_undisturbed, rg_time_is_steady, is_any};
    size_t pick = 0;
    for (; filters[pick] != is_any; pick++) {
        size_t left = 0;
        for (size_t i = 0; i < item->time_count; i++) {
            left += filters[pick](sweep, &item->times[i]) ? 1 : 0;
        }
        if (left >= LEAST_TIMES) {
            break;
        }
    }
    return filters[pick];
}

/** Medians of the rounds, in the order of the rounds. \return how many */
static size_t round_medians(const struct rg_sweep *sweep, const struct rg_item *item, times_filter filter,
                            double *medians)
{
    size_t count = 0;
    for (size_t begin = 0, end = 0; begin < item->time_count; begin = end) {
        double seconds[RG_ITEM_SAMPLES];
        double scratch[RG_ITEM_SAMPLES];
        struct ridge_summary summary;
        size_t kept = 0;
        for (; end < item->time_count && item->times[end].round == item->times[begin].round; end++) {
            if (filter(sweep, &item->times[end])) {
                seconds[kept++] = item->times[end].seconds;
            }
        }
        if (kept > 0) {
            ridge_summarise(seconds, kept, scratch, &summary);
            medians[count++] = summary.median_s;
        }
    }
    return count;
}

/** The wider of two intervals in seconds, as rates. NaN ends are unknown. */
static struct ridge_interval rates_of(const struct ridge_summary *times, const struct ridge_summary *rounds,
                                      double bytes)
{
    return (struct ridge_interval){bytes / fmax(times->ci95_high_s, rounds->ci95_high_s),
                                   bytes / fmin(times->ci95_low_s, rounds->ci95_low_s)};
}

bool rg_item_point(const struct rg_sweep *sweep, const struct rg_item *item, struct ridge_curve_point *out)
{
    const times_filter filter = filter_for(sweep, item);
    double seconds[RG_ITEM_SAMPLES];
    double scratch[RG_ITEM_SAMPLES];
    double medians[RG_ITEM_SAMPLES];
    struct ridge_summary times;
    struct ridge_summary rounds;
    size_t count = 0;
    for (size_t i = 0; i < item->time_count; i++) {
        if (filter(sweep, &item->times[i])) {
            seconds[count++] = item->times[i].seconds;
        }
    }
    if (count == 0) {
        return false;
    }
    const size_t round_count = round_medians(sweep, item, filter, medians);
    ridge_summarise(seconds, count, scratch, &times);
    ridge_summarise(medians, round_count, scratch, &rounds);
    rg_sort(medians, round_count);
    const double bytes = item->times[0].bytes;
    *out = (struct ridge_curve_point){
        .bytes = item->job.bytes,
        .bytes_per_s = bytes / times.median_s,
        .ci95 = rates_of(&times, &rounds, bytes),
        .best_bytes_per_s = bytes / fmin(times.median_s, medians[round_count > 1 ? 1 : 0]),
        .n = count,
    };
    return true;
}

double rg_point_spread(const struct ridge_curve_point *point)
{
    const double half = (point->ci95.high - point->ci95.low) / 2 / point->bytes_per_s;
    return isnan(half) ? (double)INFINITY : half;
}

size_t rg_role_points(const struct rg_sweep *sweep, enum rg_role role, bool rough,
                      struct ridge_curve_point out[RG_ITEMS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->item_count; i++) {
        const struct rg_item *item = &sweep->items[i];
        if (item->role != role || item->failed) {
            continue;
        }
        if (rough) {
            out[count++] =
                (struct ridge_curve_point){.bytes = item->job.bytes, .bytes_per_s = rg_item_rough_rate(item)};
        } else {
            count += rg_item_point(sweep, item, &out[count]) ? 1 : 0;
        }
    }
    return ridge_curve_points_clean(out, count);
}

/** Levels are looked for in the ceilings: they are less moved by other programs than the medians. */
static size_t plateaus_of(struct ridge_curve_point *points, size_t count, bool rough,
                          struct rg_plateau out[RG_LEVELS_MOST])
{
    for (size_t i = 0; i < count && !rough; i++) {
        points[i].bytes_per_s = points[i].best_bytes_per_s;
    }
    return rg_plateaus(points, count, out);
}

/** Memory is where keeping the bytes no longer helps: the warm rate is that of cold bytes. */
static bool is_as_slow_as_cold(const struct rg_sweep *sweep, const struct rg_plateau *last)
{
    const double most =
        1.4; /* warm over cold in memory was 0.9 to 1.15 in the reference readings, in the next cache 2.6 */
    double cold = rg_item_rough_rate(&sweep->far);
    for (size_t i = 0; i < sweep->sentinel_count; i++) {
        cold = fmax(cold, sweep->sentinels[i].far_rate);
    }
    return isnan(cold) || last->bytes_per_s < most * cold;
}

void rg_sweep_levels(struct rg_sweep *sweep, bool rough)
{
    struct ridge_curve_point points[RG_ITEMS_MOST];
    size_t count = rg_role_points(sweep, RG_ROLE_EDGES, rough, points);
    if (count == 0) {
        count = rg_role_points(sweep, RG_ROLE_WARM, rough, points);
    }
    if (count == 0 && sweep->request->warm) {
        count = rg_role_points(sweep, RG_ROLE_MAIN, rough, points);
    }
    sweep->plateau_count = plateaus_of(points, count, rough, sweep->plateaus);
    const size_t last = sweep->plateau_count > 0 ? sweep->plateau_count - 1 : 0;
    for (size_t i = 0; i < sweep->plateau_count; i++) {
        sweep->plateau_begin[i] = points[sweep->plateaus[i].first].bytes;
        sweep->plateau_end[i] = points[sweep->plateaus[i].last].bytes;
    }
    const bool cold = sweep->plateau_count > 0 && is_as_slow_as_cold(sweep, &sweep->plateaus[last]);
    sweep->memory = cold && rg_is_memory(points, &sweep->plateaus[last], sweep->facts.pool_bytes);
    sweep->llc_bytes = cold && last > 0 ? sweep->plateaus[last - 1].capacity_bytes : 0;
}
