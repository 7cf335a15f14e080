/* SPDX-License-Identifier: MIT */
/** \file What follows from a curve: sizes, points, ceilings. All of it is pure. */
#include "ridge/curve.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "curve/curve_rules.h"

const char *ridge_access_word(ridge_access access)
{
    static const char *const words[] = {
#define ACCESS_WORD(name, word) word,
        RIDGE_ACCESS_LIST(ACCESS_WORD)
#undef ACCESS_WORD
    };
    return (size_t)access < sizeof words / sizeof words[0] ? words[access] : "?";
}

const char *ridge_discipline_word(ridge_discipline discipline)
{
    static const char *const words[] = {
#define DISCIPLINE_WORD(name, word) word,
        RIDGE_DISCIPLINE_LIST(DISCIPLINE_WORD)
#undef DISCIPLINE_WORD
    };
    return (size_t)discipline < sizeof words / sizeof words[0] ? words[discipline] : "?";
}

const char *ridge_ceiling_place_word(ridge_ceiling_place place)
{
    static const char *const words[] = {"measured point", "between points", "at an edge", "below the curve",
                                        "above the curve"};
    return (size_t)place < sizeof words / sizeof words[0] ? words[place] : "?";
}

uint64_t ridge_curve_sweep_size(uint64_t bytes)
{
    return bytes <= RG_SWEEP_LEAST_BYTES ? RG_SWEEP_LEAST_BYTES : UINT64_C(1) << (63 - __builtin_clzll(bytes));
}

size_t rg_sweep_sizes(uint64_t cap, uint64_t sizes[RG_SWEEP_MOST])
{
    size_t count = 0;
    if (cap < RG_SWEEP_LEAST_BYTES) {
        sizes[count++] = cap;
        return count;
    }
    for (uint64_t bytes = RG_SWEEP_LEAST_BYTES; bytes <= cap && count < RG_SWEEP_MOST; bytes *= 2) {
        sizes[count++] = bytes;
    }
    return count;
}

size_t ridge_curve_points_clean(struct ridge_curve_point *points, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ridge_curve_point point = points[i];
        if (point.bytes == 0 || !isfinite(point.bytes_per_s) || point.bytes_per_s <= 0) {
            continue;
        }
        size_t place = kept;
        while (place > 0 && points[place - 1].bytes > point.bytes) {
            place--;
        }
        if (place > 0 && points[place - 1].bytes == point.bytes) {
            continue;
        }
        memmove(points + place + 1, points + place, (kept - place) * sizeof *points);
        points[place] = point;
        kept++;
    }
    return kept;
}

/** \return the first point that is not smaller than `bytes`; point_count: all are. */
static size_t first_not_below(const struct ridge_curve *curve, uint64_t bytes)
{
    size_t i = 0;
    while (i < curve->point_count && curve->points[i].bytes < bytes) {
        i++;
    }
    return i;
}

double ridge_curve_ceiling_published(const struct ridge_curve *curve, uint64_t bytes)
{
    if (curve->point_count == 0) {
        return (double)NAN;
    }
    const size_t at = first_not_below(curve, bytes);
    if (at == 0 || at == curve->point_count || curve->points[at].bytes == bytes) {
        return curve->points[at == curve->point_count ? at - 1 : at].bytes_per_s;
    }
    const struct ridge_curve_point *low = &curve->points[at - 1];
    const struct ridge_curve_point *high = &curve->points[at];
    const double share =
        (log2((double)bytes) - log2((double)low->bytes)) / (log2((double)high->bytes) - log2((double)low->bytes));
    return low->bytes_per_s + share * (high->bytes_per_s - low->bytes_per_s);
}

/** The two rates that a point offers. */
struct rates {
    double best;
    double typical;
};

static struct rates rates_of(const struct ridge_curve_point *point)
{
    const bool has_best = isfinite(point->best_bytes_per_s) && point->best_bytes_per_s > 0;
    return (struct rates){has_best ? point->best_bytes_per_s : point->bytes_per_s, point->bytes_per_s};
}

/** Time is linear in the bytes: exact for a fixed cost and a rate, and never above both ends. */
static double between_cold(double low_rate, double high_rate, double low, double high, double bytes)
{
    const double low_s = low / low_rate;
    const double high_s = high / high_rate;
    return bytes / (low_s + (bytes - low) / (high - low) * (high_s - low_s));
}

static double between_warm(double low_rate, double high_rate, double low, double high, double bytes)
{
    const double share = log(bytes / low) / log(high / low);
    return exp(log(low_rate) + share * (log(high_rate) - log(low_rate)));
}

static void fill_between(const struct ridge_curve *curve, size_t at, uint64_t bytes, struct ridge_ceiling *out)
{
    const struct ridge_curve_point *low = &curve->points[at - 1];
    const struct ridge_curve_point *high = &curve->points[at];
    const struct rates a = rates_of(low);
    const struct rates b = rates_of(high);
    double (*const between)(double, double, double, double, double) = curve->warm ? between_warm : between_cold;
    out->low_bytes = low->bytes;
    out->high_bytes = high->bytes;
    out->place = RIDGE_CEILING_INSIDE;
    if (curve->warm && fmax(a.typical, b.typical) > RG_EDGE_RATIO * fmin(a.typical, b.typical)) {
        out->place = RIDGE_CEILING_KNEE;
        out->bytes_per_s = fmin(a.best, b.best);
        out->typical_bytes_per_s = fmin(a.typical, b.typical);
        return;
    }
    out->bytes_per_s = between(a.best, b.best, (double)low->bytes, (double)high->bytes, (double)bytes);
    out->typical_bytes_per_s = between(a.typical, b.typical, (double)low->bytes, (double)high->bytes, (double)bytes);
}

static void fill_outside(const struct ridge_curve_point *end, double share, ridge_ceiling_place place,
                         struct ridge_ceiling *out)
{
    const struct rates rates = rates_of(end);
    out->bytes_per_s = rates.best * share;
    out->typical_bytes_per_s = rates.typical * share;
    out->place = place;
    out->low_bytes = end->bytes;
    out->high_bytes = end->bytes;
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

ridge_status ridge_curve_ceiling_at(const struct ridge_curve *curve, uint64_t bytes, struct ridge_ceiling *out,
                                    struct ridge_error *error)
{
    if (curve->point_count == 0) {
        return rg_error_set(error, RIDGE_E_EMPTY, "the curve has no points, so that it has no ceiling");
    }
    const struct ridge_curve_level *level = ridge_curve_level_of(curve, bytes);
    const struct ridge_curve_point *first = curve->points;
    const struct ridge_curve_point *last = curve->points + curve->point_count - 1;
    const size_t at = first_not_below(curve, bytes);
    *out = (struct ridge_ceiling){.level = level ? level->name : NULL};
    if (bytes < first->bytes) {
        /* A warm working set that is smaller is in the same cache; a cold one takes as long to begin. */
        const double share = curve->warm ? 1 : (double)bytes / (double)first->bytes;
        fill_outside(first, share, RIDGE_CEILING_BELOW, out);
    } else if (bytes > last->bytes) {
        fill_outside(last, 1, RIDGE_CEILING_ABOVE, out);
    } else if (curve->points[at].bytes == bytes) {
        fill_outside(&curve->points[at], 1, RIDGE_CEILING_EXACT, out);
    } else {
        fill_between(curve, at, bytes, out);
    }
    return RIDGE_OK;
}

double ridge_curve_ceiling(const struct ridge_curve *curve, uint64_t bytes)
{
    struct ridge_ceiling ceiling = {.bytes_per_s = (double)NAN};
    (void)ridge_curve_ceiling_at(curve, bytes, &ceiling, NULL);
    return ceiling.bytes_per_s;
}
