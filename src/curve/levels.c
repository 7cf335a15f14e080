/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Levels of the memory system from a warm curve. What the system reports about its caches may be false, so that it
 * takes no part. The curve is cut into plateaus and points between them with the least cost (dynamic programming):
 * a plateau costs the deviations of its points from its median, a point in none costs a fixed amount.
 */
#include <math.h>
#include <string.h>

#include "curve/curve_rules.h"
#include "stats/sort.h"

enum {
    MOST_POINTS = 256,
    LEAST_POINTS = 3 /* of a plateau. Source of this and the next two: reference/curve.md 4.7 */
};

static const double least_octaves = 0.75;
static const double loose_cost = 2.5; /* of a point in no plateau: that many usual deviations */
static const double plateau_cost = 3;
static const double steepest_fall = 0.125; /* of the logarithm of the rate an octave */

/** How far apart rates must lie to mean something, from how wide the intervals of the points are. */
struct noise {
    double deviation; /**< usual one of a rate from its plateau, as a logarithm */
    double ratio; /**< least of two plateaus. Neighbouring caches can be that close: L2 and L3 of a Zen 4 read by one
                         thread differ by 1.17 */
};

static double octaves(const struct ridge_curve_point *from, const struct ridge_curve_point *to)
{
    return log2((double)to->bytes / (double)from->bytes);
}

/** Median of the logarithms of the rates of some points. */
static double middle(const struct ridge_curve_point *points, size_t count)
{
    double rates[MOST_POINTS];
    for (size_t i = 0; i < count; i++) {
        rates[i] = log(points[i].bytes_per_s);
    }
    return rg_median(rates, count);
}

static double clamp(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static struct noise noise_of(const struct ridge_curve_point *points, size_t count)
{
    double spreads[MOST_POINTS];
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const double half = (points[i].ci95.high - points[i].ci95.low) / 2 / points[i].bytes_per_s;
        if (half > 0) {
            spreads[known++] = half;
        }
    }
    const double spread = known > 0 ? rg_median(spreads, known) : 0.08;
    return (struct noise){clamp(spread, 0.04, 0.1), clamp(1 + 3 * spread, 1.12, 1.5)};
}

/** Least-squares slope of the logarithm of the rate an octave. */
static double slope(const struct ridge_curve_point *points, size_t count)
{
    double mean_x = 0;
    double mean_y = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += log2((double)points[i].bytes) / (double)count;
        mean_y += log(points[i].bytes_per_s) / (double)count;
    }
    double products = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double x = log2((double)points[i].bytes) - mean_x;
        products += x * (log(points[i].bytes_per_s) - mean_y);
        squares += x * x;
    }
    return squares > 0 ? products / squares : 0;
}

/** \return what the points cost as one plateau; infinite when they are none. */
static double cost_of(const struct ridge_curve_point *points, size_t count, double deviation)
{
    if (count < LEAST_POINTS || octaves(points, points + count - 1) < least_octaves ||
        slope(points, count) < -steepest_fall) {
        return (double)INFINITY;
    }
    const double level = middle(points, count);
    double cost = plateau_cost;
    for (size_t i = 0; i < count; i++) {
        cost += fabs(log(points[i].bytes_per_s) - level) / deviation;
    }
    return cost;
}

/** Cut the points: begin[i] is where the plateau that ends before point i begins, or i - 1 for a loose point. */
static void cut(const struct ridge_curve_point *points, size_t count, double deviation, size_t begin[MOST_POINTS + 1],
                bool plateau[MOST_POINTS + 1])
{
    double least[MOST_POINTS + 1] = {0};
    for (size_t end = 1; end <= count; end++) {
        least[end] = least[end - 1] + loose_cost;
        begin[end] = end - 1;
        plateau[end] = false;
        for (size_t from = 0; from + LEAST_POINTS <= end; from++) {
            const double cost = least[from] + cost_of(points + from, end - from, deviation);
            if (cost < least[end]) {
                least[end] = cost;
                begin[end] = from;
                plateau[end] = true;
            }
        }
    }
}

/** Add a plateau behind the others; one that does not lie clearly below its inner neighbour belongs to it. */
static size_t add_plateau(const struct ridge_curve_point *points, size_t first, size_t last, double ratio,
                          struct rg_plateau out[RG_LEVELS_MOST], size_t found)
{
    const double rate = exp(middle(points + first, last - first + 1));
    struct rg_plateau *before = found > 0 ? &out[found - 1] : NULL;
    if (before && rate * ratio > before->bytes_per_s) {
        before->last = last;
        before->bytes_per_s = exp(middle(points + before->first, last - before->first + 1));
        return found;
    }
    if (found < RG_LEVELS_MOST) {
        out[found++] = (struct rg_plateau){.first = first, .last = last, .bytes_per_s = rate};
    }
    return found;
}

/** Between which points the rate has fallen half way to the next plateau for good: the geometric mean of their sizes. */
static uint64_t capacity(const struct ridge_curve_point *points, const struct rg_plateau *inner,
                         const struct rg_plateau *outer)
{
    const double half = (inner->bytes_per_s + outer->bytes_per_s) / 2;
    size_t at = outer->first;
    while (at > inner->first + 1 && points[at - 1].bytes_per_s < half) {
        at--;
    }
    return (uint64_t)sqrt((double)points[at - 1].bytes * (double)points[at].bytes);
}

size_t rg_plateaus(const struct ridge_curve_point *points, size_t count, struct rg_plateau out[RG_LEVELS_MOST])
{
    size_t begin[MOST_POINTS + 1] = {0};
    bool plateau[MOST_POINTS + 1] = {false};
    size_t ends[MOST_POINTS];
    size_t end_count = 0;
    size_t found = 0;
    count = count < MOST_POINTS ? count : MOST_POINTS;
    const struct noise noise = noise_of(points, count);
    cut(points, count, noise.deviation, begin, plateau);
    for (size_t end = count; end > 0; end = begin[end]) {
        if (plateau[end]) {
            ends[end_count++] = end;
        }
    }
    while (end_count > 0) {
        const size_t end = ends[--end_count];
        found = add_plateau(points, begin[end], end - 1, noise.ratio, out, found);
    }
    for (size_t i = 0; i + 1 < found; i++) {
        out[i].capacity_bytes = capacity(points, &out[i], &out[i + 1]);
    }
    return found;
}

static const char outermost[] = "outermost";

bool rg_level_is_outermost(const char *name)
{
    return strcmp(name, outermost) == 0;
}

const char *rg_level_name(size_t index, size_t count, bool memory)
{
    static const char *const names[RG_LEVELS_MOST] = {"L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8"};
    if (index + 1 == count) {
        return memory ? "memory" : outermost;
    }
    return names[index];
}

bool rg_is_memory(const struct ridge_curve_point *points, const struct rg_plateau *last, uint64_t pool_bytes)
{
    const struct ridge_curve_point *from = &points[last->first];
    return octaves(from, &points[last->last]) >= 2 && pool_bytes / 4 >= from->bytes;
}
