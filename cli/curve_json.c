/* SPDX-License-Identifier: MIT */
/** \file A set of curves as JSON: the first one at the top, the others beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "curve_choice.h"
#include "ridge/json.h"

void curve_json_flags(struct ridge_json *json, unsigned flags)
{
    ridge_json_array_begin(json, "flags");
    for (unsigned i = 0; i < RIDGE_POINT_FLAG_COUNT; i++) {
        if (flags >> i & 1U) {
            ridge_json_text(json, NULL, ridge_point_flag_word((ridge_point_flag)i));
        }
    }
    ridge_json_array_end(json);
}

void curve_json_interval(struct ridge_json *json, const char *name, struct ridge_interval interval)
{
    if (isnan(interval.low)) {
        ridge_json_null(json, name);
        return;
    }
    ridge_json_array_begin(json, name);
    ridge_json_double(json, NULL, interval.low);
    ridge_json_double(json, NULL, interval.high);
    ridge_json_array_end(json);
}

void curve_json_notes(struct ridge_json *json, const struct ridge_curve *curve)
{
    ridge_json_array_begin(json, "notes");
    for (size_t i = 0; i < curve->note_count; i++) {
        ridge_json_text(json, NULL, curve->notes[i]);
    }
    ridge_json_array_end(json);
}

/** \param envelope  room for a number a point */
static void write_points(struct ridge_json *json, const struct ridge_curve *curve, double *envelope)
{
    ridge_curve_envelope(curve, envelope);
    ridge_json_array_begin(json, "points");
    for (size_t i = 0; i < curve->point_count; i++) {
        const struct ridge_curve_point *point = &curve->points[i];
        const struct ridge_curve_level *level = ridge_curve_level_of(curve, point->bytes);
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_u64(json, "bytes", point->bytes);
        ridge_json_double(json, "bytes_per_s", point->bytes_per_s);
        curve_json_interval(json, "ci95_bytes_per_s", point->ci95);
        ridge_json_double(json, "ceiling_bytes_per_s", point->best_bytes_per_s);
        ridge_json_text(json, "fits_in", level ? level->name : NULL);
        ridge_json_u64(json, "n", point->n);
        ridge_json_double(json, "envelope_bytes_per_s", envelope[i]);
        curve_json_flags(json, point->flags);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

static void write_levels(struct ridge_json *json, const struct ridge_curve *curve)
{
    ridge_json_array_begin(json, "levels");
    for (size_t i = 0; i < curve->level_count; i++) {
        const struct ridge_curve_level *level = &curve->levels[i];
        const bool agrees = level->hint_bytes <= 2 * level->bytes && level->bytes <= 2 * level->hint_bytes;
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_text(json, "name", level->name);
        if (level->bytes > 0) {
            ridge_json_u64(json, "bytes", level->bytes);
        } else {
            ridge_json_null(json, "bytes");
        }
        ridge_json_double(json, "bytes_per_s", level->bytes_per_s);
        if (level->hint_bytes > 0) {
            ridge_json_u64(json, "reported_bytes", level->hint_bytes);
            ridge_json_bool(json, "agrees", agrees);
        }
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

/** The fixed cost and the rate of a cold curve; null: there is no such line. */
static void write_fit(struct ridge_json *json, const struct ridge_curve *curve)
{
    struct ridge_curve_fit fit;
    if (!ridge_curve_fit_ramp(curve, &fit)) {
        ridge_json_null(json, "fit");
        return;
    }
    ridge_json_object_begin_compact(json, "fit");
    ridge_json_double(json, "fixed_s", fit.fixed_s);
    ridge_json_double(json, "bytes_per_s", fit.bytes_per_s);
    ridge_json_double(json, "half_bytes", fit.half_bytes);
    ridge_json_double(json, "worst_ratio", fit.worst_ratio);
    ridge_json_u64(json, "last_bytes", fit.last_bytes);
    ridge_json_object_end(json);
}

/** How many threads were tried, and how fast; empty: their number was given, or there is but one. */
static void write_trials(struct ridge_json *json, const struct ridge_curve *curve)
{
    ridge_json_array_begin(json, "thread_trials");
    for (size_t i = 0; i < curve->trial_count; i++) {
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_u64(json, "threads", curve->trials[i].threads);
        ridge_json_u64(json, "bytes", curve->trial_bytes);
        ridge_json_double(json, "bytes_per_s", curve->trials[i].bytes_per_s);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

/** The curves beside the first: other disciplines, and the warm one. */
static void write_beside(struct ridge_json *json, const struct ridge_curve_set *set, double *envelope)
{
    ridge_json_array_begin(json, "beside");
    for (size_t i = 1; i < set->count; i++) {
        const struct ridge_curve *curve = &set->curves[i];
        ridge_json_object_begin(json, NULL);
        ridge_json_text(json, "discipline", ridge_discipline_word(curve->discipline));
        ridge_json_text(json, "cache", curve->warm ? "warm" : "cold");
        write_fit(json, curve);
        write_points(json, curve, envelope);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

static void write_head(struct ridge_json *json, const struct ridge_curve *curve)
{
    ridge_json_text(json, "kind", "measured");
    ridge_json_text(json, "device", curve->device);
    ridge_json_text(json, "backend", curve->backend);
    ridge_json_text(json, "selector", curve->selector);
    ridge_json_text(json, "driver", curve->driver);
    ridge_json_text(json, "compiler", curve->compiler);
    ridge_json_text(json, "made_at", curve->made_at);
    ridge_json_bool(json, "complete", !curve->stopped);
    ridge_json_text(json, "access", ridge_access_word(curve->access));
    ridge_json_text(json, "counts", curve_counting(curve->access));
    ridge_json_text(json, "cache", curve->warm ? "warm" : "cold");
    ridge_json_text(json, "discipline", ridge_discipline_word(curve->discipline));
    ridge_json_text(json, "rule", curve->published ? "published" : "ridge");
    ridge_json_u64(json, "threads", curve->threads);
    ridge_json_double(json, "clock_hz", curve->clock_hz);
    ridge_json_double(json, "launch_overhead_s", curve->launch_overhead_s);
    ridge_json_u64(json, "pool_bytes", curve->pool_bytes);
    ridge_json_u64(json, "reuse_bytes", curve->reuse_bytes);
    ridge_json_text(json, "sentinels", curve->sentinels);
}

/** Room for the envelope of any curve of a set. */
static double *envelope_make(const struct ridge_curve_set *set)
{
    size_t most = 1;
    for (size_t i = 0; i < set->count; i++) {
        most = set->curves[i].point_count > most ? set->curves[i].point_count : most;
    }
    return calloc(most, sizeof(double));
}

int curve_json(const struct ridge_curve_set *set, int64_t saved)
{
    struct ridge_json json;
    const struct ridge_curve *first = &set->curves[0];
    double *envelope = envelope_make(set);
    if (!envelope) {
        fprintf(stderr, "ridge: out of memory\n");
        return EXIT_INTERNAL;
    }
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    write_head(&json, first);
    if (saved > 0) {
        ridge_json_i64(&json, "saved", saved);
    }
    write_fit(&json, first);
    write_trials(&json, first);
    write_points(&json, first, envelope);
    write_levels(&json, first);
    write_beside(&json, set, envelope);
    curve_json_notes(&json, first);
    ridge_json_object_end(&json);
    free(envelope);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}
