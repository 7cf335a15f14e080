/* SPDX-License-Identifier: MIT */
/** \file From times to points, and from points to plateaus. */
#include <math.h>
#include <string.h>

#include "curve/sweep.h"
#include "stats/sort.h"

enum {
    LEAST_TIMES = 6 /* for an interval of the median */
};

/** Which times of an item count. */
struct times_rule {
    bool keeps_disturbed;
    bool keeps_unsteady;
};

static bool counts(const struct rg_sweep *sweep, const struct rg_pass_time *time, const struct times_rule *rule)
{
    return (rule->keeps_disturbed || !time->disturbed) && (rule->keeps_unsteady || rg_time_is_steady(sweep, time));
}

static size_t count_times(const struct rg_sweep *sweep, const struct rg_item *item, const struct times_rule *rule)
{
    size_t left = 0;
    for (size_t i = 0; i < item->time_count; i++) {
        left += counts(sweep, &item->times[i], rule) ? 1 : 0;
    }
    return left;
}

bool rg_item_is_contended(const struct rg_sweep *sweep, const struct rg_item *item)
{
    const struct times_rule quiet = {.keeps_unsteady = true};
    return 2 * count_times(sweep, item, &quiet) < item->time_count;
}

/**
 * Disturbed times are left out, unless that were more than half of them, and so are those between sentinels that moved,
 * as long as enough for an interval remain. Source: reference/curve.md 4.6.
 */
static struct times_rule rule_for(const struct rg_sweep *sweep, const struct rg_item *item)
{
    struct times_rule rule = {.keeps_unsteady = true};
    rule.keeps_disturbed = rg_item_is_contended(sweep, item) || count_times(sweep, item, &rule) < LEAST_TIMES;
    rule.keeps_unsteady = false;
    rule.keeps_unsteady = count_times(sweep, item, &rule) < LEAST_TIMES;
    return rule;
}

/** Medians of the rounds in seconds; NaN where none of a round's times counts. */
static void round_medians(const struct rg_sweep *sweep, const struct rg_item *item, const struct times_rule *rule,
                          double medians[RG_ROUNDS_MOST])
{
    for (unsigned round = 0; round < RG_ROUNDS_MOST; round++) {
        double seconds[RG_ITEM_SAMPLES];
        size_t kept = 0;
        for (size_t i = 0; i < item->time_count; i++) {
            if (item->times[i].round == round && counts(sweep, &item->times[i], rule)) {
                seconds[kept++] = item->times[i].seconds;
            }
        }
        medians[round] = rg_median(seconds, kept);
    }
}

void rg_item_rounds(const struct rg_sweep *sweep, const struct rg_item *item, double medians[RG_ROUNDS_MOST])
{
    const struct times_rule rule = rule_for(sweep, item);
    round_medians(sweep, item, &rule, medians);
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
    const struct times_rule rule = rule_for(sweep, item);
    double seconds[RG_ITEM_SAMPLES];
    double scratch[RG_ITEM_SAMPLES];
    double medians[RG_ROUNDS_MOST];
    struct ridge_summary times;
    struct ridge_summary rounds;
    size_t count = 0;
    for (size_t i = 0; i < item->time_count; i++) {
        if (counts(sweep, &item->times[i], &rule)) {
            seconds[count++] = item->times[i].seconds;
        }
    }
    if (count == 0) {
        return false;
    }
    round_medians(sweep, item, &rule, medians);
    const size_t round_count = rg_known(medians, RG_ROUNDS_MOST);
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

bool rg_point_is_wide(const struct rg_sweep *sweep, const struct rg_item *item, const struct ridge_curve_point *point)
{
    const double goal = item->job.warm && item->job.bytes < sweep->llc_bytes ? 0.03 : 0.07; /* Source: curve.md 4.5 */
    const double half = (point->ci95.high - point->ci95.low) / 2 / point->bytes_per_s;
    return !(half <= goal); /* also where there is no interval */
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

double rg_middle_between(const struct ridge_curve_point *points, size_t count, uint64_t from, uint64_t to)
{
    double rates[RG_ITEMS_MOST];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i].bytes >= from && points[i].bytes <= to) {
            rates[kept++] = points[i].best_bytes_per_s;
        }
    }
    return rg_median(rates, kept);
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
