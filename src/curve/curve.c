/* SPDX-License-Identifier: MIT */
/** \file What follows from a curve: sizes, points, ceilings. All of it is pure. */
#include "ridge/curve.h"

#include <math.h>
#include <string.h>

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

const char *ridge_point_flag_word(ridge_point_flag flag)
{
    static const char *const words[] = {
#define FLAG_WORD(name, word) word,
        RIDGE_POINT_FLAG_LIST(FLAG_WORD)
#undef FLAG_WORD
    };
    return (size_t)flag < sizeof words / sizeof words[0] ? words[flag] : "?";
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

size_t rg_first_not_below(const struct ridge_curve *curve, uint64_t bytes)
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
    const size_t at = rg_first_not_below(curve, bytes);
    if (at == 0 || at == curve->point_count || curve->points[at].bytes == bytes) {
        return curve->points[at == curve->point_count ? at - 1 : at].bytes_per_s;
    }
    const struct ridge_curve_point *low = &curve->points[at - 1];
    const struct ridge_curve_point *high = &curve->points[at];
    const double share =
        (log2((double)bytes) - log2((double)low->bytes)) / (log2((double)high->bytes) - log2((double)low->bytes));
    return low->bytes_per_s + share * (high->bytes_per_s - low->bytes_per_s);
}
