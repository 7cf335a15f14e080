/* SPDX-License-Identifier: MIT */
/** \file What a working set can reach, from the points of a curve around it (docs/curve.md). All of it is pure. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "curve/curve_rules.h"
#include "stats/sort.h"

/** The rates that a point offers: the ceiling, the median, and the interval of the median. */
enum {
    BEST,
    TYPICAL,
    LOW,
    HIGH,
    RATES
};

static void rates_of(const struct ridge_curve_point *point, double rates[RATES])
{
    const bool has_best = isfinite(point->best_bytes_per_s) && point->best_bytes_per_s > 0;
    rates[BEST] = has_best ? point->best_bytes_per_s : point->bytes_per_s;
    rates[TYPICAL] = point->bytes_per_s;
    rates[LOW] = point->ci95.low;
    rates[HIGH] = point->ci95.high;
}

static void rates_put(const double rates[RATES], struct ridge_ceiling *out)
{
    out->bytes_per_s = rates[BEST];
    out->typical_bytes_per_s = rates[TYPICAL];
    out->ci95 = (struct ridge_interval){rates[LOW], rates[HIGH]};
}

/** Two points, the sizes of which are all that the rules between them look at. */
struct span {
    double low, high, bytes;
};

/** Time is linear in the bytes: exact for a fixed cost and a rate, and never above both ends. */
static double between_cold(const struct span *span, double low_rate, double high_rate)
{
    const double low_s = span->low / low_rate;
    const double high_s = span->high / high_rate;
    return span->bytes / (low_s + (span->bytes - span->low) / (span->high - span->low) * (high_s - low_s));
}

static double between_warm(const struct span *span, double low_rate, double high_rate)
{
    const double share = log(span->bytes / span->low) / log(span->high / span->low);
    return exp(log(low_rate) + share * (log(high_rate) - log(low_rate)));
}

/** Across an edge of a warm curve nobody knows on which side a kernel is: the lower one counts. */
static double across_edge(const struct span *span, double low_rate, double high_rate)
{
    (void)span;
    return isnan(low_rate + high_rate) ? (double)NAN : fmin(low_rate, high_rate);
}

static void fill_between(const struct ridge_curve *curve, size_t at, uint64_t bytes, struct ridge_ceiling *out)
{
    const struct ridge_curve_point *low = &curve->points[at - 1];
    const struct ridge_curve_point *high = &curve->points[at];
    const struct span span = {(double)low->bytes, (double)high->bytes, (double)bytes};
    double a[RATES];
    double b[RATES];
    rates_of(low, a);
    rates_of(high, b);
    const bool edge = curve->warm && fmax(a[TYPICAL], b[TYPICAL]) > RG_EDGE_RATIO * fmin(a[TYPICAL], b[TYPICAL]);
    double (*const between)(const struct span *, double, double) = edge          ? across_edge
                                                                   : curve->warm ? between_warm
                                                                                 : between_cold;
    for (size_t i = 0; i < RATES; i++) {
        a[i] = between(&span, a[i], b[i]);
    }
    rates_put(a, out);
    out->place = edge ? RIDGE_CEILING_KNEE : RIDGE_CEILING_INSIDE;
    out->low_bytes = low->bytes;
    out->high_bytes = high->bytes;
    out->flags = low->flags | high->flags;
}

static void fill_point(const struct ridge_curve_point *point, const double rates[RATES], ridge_ceiling_place place,
                       struct ridge_ceiling *out)
{
    rates_put(rates, out);
    out->place = place;
    out->low_bytes = point->bytes;
    out->high_bytes = point->bytes;
    out->flags = point->flags;
}

/**
 * Seconds that a byte less saves below the first point of a cold curve. Passes that follow each other in a stream save what
 * the missing bytes take at the rate of the fit; a launch takes as long as there. Source: reference/curve.md 4.8; the line
 * of the fit is laid through the first point, so that more bytes never take less time.
 */
static double saved_per_byte_s(const struct ridge_curve *curve)
{
    struct ridge_curve_fit fit;
    const bool follows = curve->discipline == RIDGE_DISCIPLINE_STREAM && ridge_curve_fit_ramp(curve, &fit);
    return follows ? 1 / fit.bytes_per_s : 0;
}

static void fill_below(const struct ridge_curve *curve, uint64_t bytes, struct ridge_ceiling *out)
{
    const struct ridge_curve_point *first = &curve->points[0];
    const double first_bytes = (double)first->bytes;
    const double per_byte_s = saved_per_byte_s(curve);
    double rates[RATES];
    rates_of(first, rates);
    /* A warm working set that is smaller is in the same cache. */
    for (size_t i = 0; i < RATES && !curve->warm; i++) {
        const double first_s = first_bytes / rates[i];
        const double saved_s = (first_bytes - (double)bytes) * per_byte_s;
        /* At least in proportion: fewer bytes are not faster than the first point. */
        rates[i] = (double)bytes / fmax(first_s - saved_s, first_s * (double)bytes / first_bytes);
    }
    fill_point(first, rates, RIDGE_CEILING_BELOW, out);
}

/** The first point of the last two octaves when those are flat; point_count: they are not. */
static size_t flat_end(const struct ridge_curve *curve)
{
    const double allowed = 0.1;
    const struct ridge_curve_point *last = &curve->points[curve->point_count - 1];
    size_t from = curve->point_count - 1;
    while (from > 0 && curve->points[from - 1].bytes >= last->bytes / 4) {
        from--;
        if (fabs(curve->points[from].bytes_per_s / last->bytes_per_s - 1) > allowed) {
            return curve->point_count;
        }
    }
    return curve->points[from].bytes <= last->bytes / 4 ? from : curve->point_count;
}

/** The median of one of the rates from a point on; NaN: it is not known of all of them. */
static double median_from(const struct ridge_curve *curve, size_t from, size_t rate)
{
    double values[RG_SWEEP_MOST];
    size_t kept = 0;
    for (size_t i = from; i < curve->point_count && kept < RG_SWEEP_MOST; i++) {
        double of_point[RATES];
        rates_of(&curve->points[i], of_point);
        if (isnan(of_point[rate])) {
            return (double)NAN;
        }
        values[kept++] = of_point[rate];
    }
    return rg_median(values, kept);
}

/** The rates of the last two octaves where they are flat, else of the last point. Source: reference/curve.md 4.8. */
static void fill_above(const struct ridge_curve *curve, struct ridge_ceiling *out)
{
    const size_t count = curve->point_count;
    const size_t flat = flat_end(curve);
    const size_t from = flat < count ? flat : count - 1;
    double rates[RATES];
    for (size_t rate = 0; rate < RATES; rate++) {
        rates[rate] = median_from(curve, from, rate);
    }
    fill_point(&curve->points[count - 1], rates, RIDGE_CEILING_ABOVE, out);
    for (size_t i = from; i < count; i++) {
        out->flags |= curve->points[i].flags;
    }
    out->extrapolated = flat == count;
}

const struct ridge_curve_level *ridge_curve_level_of(const struct ridge_curve *curve, uint64_t bytes)
{
    for (size_t i = 0; i < curve->level_count; i++) {
        if (curve->levels[i].bytes == 0 || bytes <= curve->levels[i].bytes) {
            return &curve->levels[i];
        }
    }
    return NULL;
}

/** Whether a cold rate is still well below what many bytes reach. */
static bool is_on_ramp(const struct ridge_curve *curve, double typical)
{
    const double reached = 0.9;
    struct ridge_curve_fit fit;
    const bool fitted = ridge_curve_fit_ramp(curve, &fit);
    return typical < reached * (fitted ? fit.bytes_per_s : curve->points[curve->point_count - 1].bytes_per_s);
}

/** Source of the names: reference/curve.md 4.8. */
static void name_regime(const struct ridge_curve *curve, uint64_t bytes, struct ridge_ceiling *out)
{
    const struct ridge_curve_level *level = ridge_curve_level_of(curve, bytes);
    const char *name = "memory";
    out->level = level ? level->name : NULL;
    out->outermost = level && rg_level_is_outermost(level->name);
    if (out->place == RIDGE_CEILING_BELOW || out->place == RIDGE_CEILING_ABOVE) {
        name = out->place == RIDGE_CEILING_BELOW ? "below_sweep" : "above_sweep";
    } else if (out->place == RIDGE_CEILING_KNEE) {
        name = "transition";
    } else if (!curve->warm) {
        name = is_on_ramp(curve, out->typical_bytes_per_s) ? "ramp" : "memory";
    } else if (level && level->bytes > 0) {
        snprintf(out->regime, sizeof out->regime, "level:%u", (unsigned)(level - curve->levels) + 1);
        return;
    }
    snprintf(out->regime, sizeof out->regime, "%s", name);
}

ridge_status ridge_curve_ceiling_at(const struct ridge_curve *curve, uint64_t bytes, struct ridge_ceiling *out,
                                    struct ridge_error *error)
{
    if (curve->point_count == 0) {
        return rg_error_set(error, RIDGE_E_EMPTY, "the curve has no points, so that it has no ceiling");
    }
    const size_t at = rg_first_not_below(curve, bytes);
    *out = (struct ridge_ceiling){0};
    if (at == curve->point_count) {
        fill_above(curve, out);
    } else if (curve->points[at].bytes == bytes) {
        double rates[RATES];
        rates_of(&curve->points[at], rates);
        fill_point(&curve->points[at], rates, RIDGE_CEILING_EXACT, out);
    } else if (at == 0) {
        fill_below(curve, bytes, out);
    } else {
        fill_between(curve, at, bytes, out);
    }
    name_regime(curve, bytes, out);
    return RIDGE_OK;
}

double ridge_curve_ceiling(const struct ridge_curve *curve, uint64_t bytes)
{
    struct ridge_ceiling ceiling = {.bytes_per_s = (double)NAN};
    (void)ridge_curve_ceiling_at(curve, bytes, &ceiling, NULL);
    return ceiling.bytes_per_s;
}
