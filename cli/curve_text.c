/* SPDX-License-Identifier: MIT */
/** \file A set of curves as tables for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "curve_choice.h"
#include "ridge/units.h"
#include "terminal.h"

enum {
    CELL_BYTES = 48
};

/** A rate with three digits: 12.1, 416, 0.22. */
static void rate_format(double bytes_per_s, char out[CELL_BYTES])
{
    const double giga = bytes_per_s / 1e9;
    if (!isfinite(giga)) {
        snprintf(out, CELL_BYTES, "-");
        return;
    }
    snprintf(out, CELL_BYTES, "%.*f", giga < 9.995 ? 2 : giga < 99.95 ? 1 : 0, giga);
}

/** The rate of another curve at the same working set; "" when it was not measured there. */
static void cell_of(const struct ridge_curve *curve, uint64_t bytes, char out[CELL_BYTES])
{
    out[0] = '\0';
    for (size_t i = 0; i < curve->point_count; i++) {
        if (curve->points[i].bytes == bytes) {
            rate_format(curve->points[i].bytes_per_s, out);
        }
    }
}

static const char *column_name(const struct ridge_curve *curve, const struct ridge_curve *first)
{
    if (curve->warm != first->warm) {
        return curve->warm ? "warm" : "cold";
    }
    return ridge_discipline_word(curve->discipline);
}

void curve_flags_print(unsigned flags)
{
    bool first = true;
    for (unsigned i = 0; i < RIDGE_POINT_FLAG_COUNT; i++) {
        if (flags >> i & 1U) {
            printf("%s%s", first ? "" : ", ", ridge_point_flag_word((ridge_point_flag)i));
            first = false;
        }
    }
}

static void print_row(const struct ridge_curve_set *set, const struct ridge_curve_point *point)
{
    const struct ridge_curve *first = &set->curves[0];
    const struct ridge_curve_level *level = ridge_curve_level_of(first, point->bytes);
    char size[RIDGE_NUMBER_BYTES];
    char median[CELL_BYTES];
    char gibi[CELL_BYTES];
    char best[CELL_BYTES];
    char low[CELL_BYTES];
    char high[CELL_BYTES];
    char interval[2 * CELL_BYTES + 4];
    ridge_size_format(point->bytes, size);
    rate_format(point->bytes_per_s, median);
    rate_format(point->bytes_per_s / 0x1p30 * 1e9, gibi);
    rate_format(point->best_bytes_per_s, best);
    rate_format(point->ci95.low, low);
    rate_format(point->ci95.high, high);
    snprintf(interval, sizeof interval, "%s-%s", low, high);
    printf("%11s  %-9s %8s %8s  %14s %8s", size, level ? level->name : "", median, gibi,
           isnan(point->ci95.low) ? "unknown" : interval, best);
    for (size_t i = 1; i < set->count; i++) {
        char cell[CELL_BYTES];
        cell_of(&set->curves[i], point->bytes, cell);
        printf(" %8s", cell);
    }
    printf("%s", point->flags ? "  " : "");
    curve_flags_print(point->flags);
    putchar('\n');
}

static void print_points(const struct ridge_curve_set *set)
{
    const struct ridge_curve *first = &set->curves[0];
    printf("\n%11s  %-9s %8s %8s  %14s %8s", "working set", "fits in", "GB/s", "GiB/s", "95 % interval", "ceiling");
    for (size_t i = 1; i < set->count; i++) {
        printf(" %8s", column_name(&set->curves[i], first));
    }
    putchar('\n');
    for (size_t i = 0; i < first->point_count; i++) {
        print_row(set, &first->points[i]);
    }
}

/** What the system says about a level, and whether it agrees with the curve within a factor of two. */
static void hint_format(const struct ridge_curve_level *level, char out[CELL_BYTES])
{
    char size[RIDGE_NUMBER_BYTES];
    if (level->hint_bytes == 0) {
        snprintf(out, CELL_BYTES, "nothing");
        return;
    }
    ridge_size_format(level->hint_bytes, size);
    const bool agrees = level->hint_bytes <= 2 * level->bytes && level->bytes <= 2 * level->hint_bytes;
    snprintf(out, CELL_BYTES, "%s: %s", size, agrees ? "agrees" : "does not agree");
}

static void print_levels(const struct ridge_curve *curve)
{
    if (curve->level_count == 0) {
        return;
    }
    printf("\n%-11s  %12s %8s  %s\n", "level", "up to", "GB/s", "the system says");
    for (size_t i = 0; i < curve->level_count; i++) {
        const struct ridge_curve_level *level = &curve->levels[i];
        char size[RIDGE_NUMBER_BYTES] = "no end seen";
        char rate[CELL_BYTES];
        char hint[CELL_BYTES] = "";
        if (level->bytes > 0) {
            ridge_size_format(level->bytes, size);
            hint_format(level, hint);
        }
        rate_format(level->bytes_per_s, rate);
        printf("%-11s  %12s %8s  %s\n", level->name, size, rate, hint);
    }
}

/** What a pass costs and what its bytes cost, discipline by discipline. */
static void print_fits(const struct ridge_curve_set *set)
{
    bool any = false;
    for (size_t i = 0; i < set->count; i++) {
        struct ridge_curve_fit fit;
        char fixed[RIDGE_NUMBER_BYTES];
        char half[RIDGE_NUMBER_BYTES];
        char last[RIDGE_NUMBER_BYTES];
        char rate[CELL_BYTES];
        if (!ridge_curve_fit_ramp(&set->curves[i], &fit)) {
            continue;
        }
        ridge_duration_format(fit.fixed_s, fixed);
        ridge_size_format((uint64_t)fit.half_bytes, half);
        ridge_size_format(fit.last_bytes, last);
        rate_format(fit.bytes_per_s, rate);
        if (!any) {
            printf("\na pass up to %s is a fixed cost and a rate:\n", last);
            printf("%-11s  %12s %8s %11s  %s\n", "discipline", "fixed cost", "GB/s", "half at", "worst point");
        }
        any = true;
        printf("%-11s  %12s %8s %11s  %.0f %% off\n", ridge_discipline_word(set->curves[i].discipline), fixed, rate,
               half, 100 * fit.worst_ratio);
    }
}

/** How many threads were tried before the sweep. */
static void print_trials(const struct ridge_curve *curve)
{
    char size[RIDGE_NUMBER_BYTES];
    if (curve->trial_count == 0) {
        return;
    }
    ridge_size_format(curve->trial_bytes, size);
    printf("threads tried at %s cold, in GB/s:", size);
    for (size_t i = 0; i < curve->trial_count; i++) {
        char rate[CELL_BYTES];
        rate_format(curve->trials[i].bytes_per_s, rate);
        printf("%s %u: %s", i > 0 ? "," : "", curve->trials[i].threads, rate);
    }
    printf("; %u kept\n", curve->threads);
}

static void print_head(const struct ridge_curve *curve)
{
    char overhead[RIDGE_NUMBER_BYTES];
    printf("memory of ");
    terminal_text(curve->device);
    printf(" (%s): %s, %s, %s, %u thread%s, measured %s\n", curve->backend, ridge_access_word(curve->access),
           curve->warm ? "warm" : "cold", ridge_discipline_word(curve->discipline), curve->threads,
           curve->threads == 1 ? "" : "s", curve->made_at);
    printf("medians in GB/s (10^9 bytes a second) and GiB/s (2^30), the rest in GB/s, of %s\n",
           curve_counting(curve->access));
    printf("%s\n", curve->warm
                       ? "warm: every pass moves the same bytes"
                       : "cold: every pass moves other bytes, that left the caches long ago; \"fits in\" is where as "
                         "many would stay");
    printf("ceiling: the best that two rounds reached\n");
    if (isfinite(curve->clock_hz)) {
        printf("clock while measured: %.2f GHz; ", curve->clock_hz / 1e9);
    }
    if (isfinite(curve->launch_overhead_s)) {
        ridge_duration_format(curve->launch_overhead_s, overhead);
        printf("a launch that does nothing: %s (not subtracted); ", overhead);
    }
    terminal_text(curve->compiler);
    putchar('\n');
    print_trials(curve);
}

void curve_notes(const struct ridge_curve *curve)
{
    for (size_t i = 0; i < curve->note_count; i++) {
        printf("note: ");
        terminal_text(curve->notes[i]);
        putchar('\n');
    }
}

void curve_text(const struct ridge_curve_set *set)
{
    const struct ridge_curve *first = &set->curves[0];
    print_head(first);
    print_points(set);
    print_levels(first);
    print_fits(set);
    if (first->note_count > 0) {
        putchar('\n');
    }
    curve_notes(first);
}
