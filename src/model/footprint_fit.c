/* SPDX-License-Identifier: MIT */
/* Fitting a footprint calibration to measured points, and writing it as a file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_db.h"
#include "model/footprint.h"
#include "ridge/units.h"

/* Judged: throughput repeats to about 1 % at best, so less is never called. */
static const double least_dead_band_ratio = 0.01;
/* Source: what the published calibration predicted its held-out rows within. */
static const double default_bound_ratio = 0.06;

/* Throughput that grows or falls a thousandfold with a doubling is a fault in the points. */
static const double most_slope_ratio = 1000;

struct ridge_footprint_fit {
    struct ridge_footprint footprint; /* first: its members are borrowed by callers */
    const struct ridge_context *context;
    struct rg_arena arena;
};

static int by_label_and_bytes(const void *a, const void *b)
{
    const struct rg_footprint_point *x = a;
    const struct rg_footprint_point *y = b;
    const int label = strcmp(x->label, y->label);
    return label != 0 ? label : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/** Put the points of one label (sorted by size) together: geometric means, relative to the smallest size. */
static ridge_status make_series(struct ridge_footprint_fit *fit, const char *path,
                                const struct rg_footprint_point *points, size_t count,
                                struct ridge_footprint_series *out, struct ridge_error *error)
{
    double *bytes = rg_arena_array(&fit->arena, count, sizeof *bytes);
    double *relative = rg_arena_array(&fit->arena, count, sizeof *relative);
    if (!bytes || !relative) {
        return rg_error_memory(error, count * sizeof *bytes);
    }
    const struct rg_place place = {.file = path};
    size_t used = 0;
    size_t each = 0;
    for (size_t from = 0, to = 0; from < count; from = to) {
        double sum = 0;
        for (to = from; to < count && points[to].bytes <= points[from].bytes; to++) {
            sum += log(points[to].throughput);
        }
        if (used > 0 && to - from != each) {
            return rg_error_at(error, RIDGE_E_VALUE, &place,
                               "'%.60s' has %zu rows for %.0f bytes and %zu for %.0f (as many for each: one a shape)",
                               points->label, to - from, points[from].bytes, each, bytes[0]);
        }
        each = to - from;
        bytes[used] = points[from].bytes;
        relative[used++] = exp(sum / (double)each);
    }
    if (used < 2) {
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "'%.60s' has one footprint only (measure the same kernel with another one)", points->label);
    }
    for (size_t i = used; i-- > 0;) {
        relative[i] /= relative[0];
        if (!(relative[i] > 1e-9 && relative[i] < 1e9)) {
            return rg_error_at(error, RIDGE_E_VALUE, &place,
                               "'%.60s' at %.0f bytes is %g times its baseline (no change of footprint does that)",
                               points->label, bytes[i], relative[i]);
        }
    }
    *out = (struct ridge_footprint_series){.label = points->label, .count = used, .bytes = bytes, .relative = relative};
    return RIDGE_OK;
}

static ridge_status make_all_series(struct ridge_footprint_fit *fit, const char *path,
                                    const struct rg_footprint_points *points,
                                    const struct ridge_footprint_fit_options *options, struct ridge_error *error)
{
    struct rg_footprint_point *sorted = rg_arena_array(&fit->arena, points->count + 1, sizeof *sorted);
    struct ridge_footprint_series *series = rg_arena_array(&fit->arena, points->count + 1, sizeof *series);
    if (!sorted || !series) {
        return rg_error_memory(error, points->count * sizeof *sorted);
    }
    memcpy(sorted, points->items, points->count * sizeof *sorted);
    qsort(sorted, points->count, sizeof *sorted, by_label_and_bytes);
    size_t used = 0;
    for (size_t from = 0, to = 0; from < points->count; from = to) {
        for (to = from; to < points->count && strcmp(sorted[to].label, sorted[from].label) == 0;) {
            to++;
        }
        const ridge_status status = make_series(fit, path, sorted + from, to - from, &series[used], error);
        if (status != RIDGE_OK) {
            return status;
        }
        series[used].held_out = options->hold_out && strcmp(series[used].label, options->hold_out) == 0;
        used++;
    }
    fit->footprint.series = series;
    fit->footprint.series_count = used;
    return RIDGE_OK;
}

/** Refuse when there is nothing to hold out under that name, or nothing to fit on. */
static ridge_status check_roles(const struct ridge_footprint_fit *fit, const char *path, const char *hold_out,
                                struct ridge_error *error)
{
    const struct rg_place place = {.file = path};
    size_t held_out = 0;
    for (size_t i = 0; i < fit->footprint.series_count; i++) {
        held_out += fit->footprint.series[i].held_out;
    }
    if (fit->footprint.series_count == 0) {
        return rg_error_at(error, RIDGE_E_VALUE, &place, "there is no point below the header");
    }
    if (hold_out && held_out == 0) {
        return rg_error_at(error, RIDGE_E_NAME, &place, "no row has the label '%.60s' (the first one is '%.60s')",
                           hold_out, fit->footprint.series[0].label);
    }
    if (held_out == fit->footprint.series_count) {
        return rg_error_at(error, RIDGE_E_EMPTY, &place, "no series is left to fit on (measure a second one)");
    }
    return RIDGE_OK;
}

/** Least squares through the baselines: sum of x * (r - 1) over sum of x * x, with x the doublings. */
static double fit_slope(const struct ridge_footprint *footprint)
{
    double products = 0;
    double squares = 0;
    for (size_t i = 0; i < footprint->series_count; i++) {
        const struct ridge_footprint_series *series = &footprint->series[i];
        for (size_t k = 1; k < series->count && !series->held_out; k++) {
            const double doublings = log2(series->bytes[k] / series->bytes[0]);
            products += doublings * (series->relative[k] - 1);
            squares += doublings * doublings;
        }
    }
    return products / squares;
}

static void fit_errors(struct ridge_footprint *footprint)
{
    footprint->fit_error_ratio = 0;
    footprint->held_out_error_ratio = (double)NAN;
    for (size_t i = 0; i < footprint->series_count; i++) {
        const struct ridge_footprint_series *series = &footprint->series[i];
        double *worst = series->held_out ? &footprint->held_out_error_ratio : &footprint->fit_error_ratio;
        *worst = fmax(*worst, rg_footprint_residual(footprint, series)); /* fmax passes over a NaN */
    }
    footprint->dead_band_ratio =
        fmax(least_dead_band_ratio, fmax(footprint->fit_error_ratio, footprint->held_out_error_ratio));
}

static ridge_status fit_all(struct ridge_footprint_fit *fit, const char *path,
                            const struct ridge_footprint_fit_options *options, struct ridge_error *error)
{
    struct rg_footprint_points points = {0, NULL};
    struct rg_folded folded;
    if (!rg_device_fold(options->device, &folded) || folded.count == 0) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "'%.80s' is no name of a device (at most %d words, %d bytes)",
                            options->device, RG_FOLDED_WORDS, RG_FOLDED_BYTES - 1);
    }
    ridge_status status = rg_footprint_points_read(&fit->arena, path, &points, error);
    status = status == RIDGE_OK ? make_all_series(fit, path, &points, options, error) : status;
    status = status == RIDGE_OK ? check_roles(fit, path, options->hold_out, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    struct ridge_footprint *footprint = &fit->footprint;
    footprint->device = rg_arena_strdup(&fit->arena, options->device);
    footprint->name = rg_arena_printf(&fit->arena, "footprint of %s", options->device);
    footprint->source = rg_arena_printf(&fit->arena, "measured points in %s", path);
    footprint->kind = "recorded";
    footprint->scope =
        "everything else equal, on kernels like those whose points are listed; nothing else was measured";
    footprint->bound_ratio = options->bound_ratio > 0 ? options->bound_ratio : default_bound_ratio;
    footprint->slope_ratio = fit_slope(footprint);
    if (!(fabs(footprint->slope_ratio) < most_slope_ratio)) {
        const struct rg_place place = {.file = path};
        return rg_error_at(error, RIDGE_E_VALUE, &place, "the slope of %g a doubling is absurd (look at the points)",
                           footprint->slope_ratio);
    }
    fit_errors(footprint);
    return footprint->device && footprint->name && footprint->source ? RIDGE_OK : rg_error_memory(error, 1);
}

ridge_status ridge_footprint_fit_create(const struct ridge_context *context, const char *path,
                                        const struct ridge_footprint_fit_options *options,
                                        struct ridge_footprint_fit **out, struct ridge_error *error)
{
    struct ridge_footprint_fit *fit = rg_alloc(context, sizeof *fit);
    if (!fit) {
        return rg_error_memory(error, sizeof *fit);
    }
    fit->context = context;
    rg_arena_init(&fit->arena, context);
    const ridge_status status = fit_all(fit, path, options, error);
    if (status != RIDGE_OK) {
        ridge_footprint_fit_destroy(fit);
        return status;
    }
    *out = fit;
    return RIDGE_OK;
}

void ridge_footprint_fit_destroy(struct ridge_footprint_fit *fit)
{
    if (fit) {
        rg_arena_fini(&fit->arena);
        rg_free(fit->context, fit, sizeof *fit);
    }
}

const struct ridge_footprint *ridge_footprint_fit_get(const struct ridge_footprint_fit *fit)
{
    return &fit->footprint;
}
