/* SPDX-License-Identifier: MIT */
/** \file A ranking against measurements. */
#include "ridge/calibrate.h"

#include <math.h>

#include "base/context.h"
#include "base/error.h"
#include "model/model.h"

static const uint64_t regret_k[RIDGE_REGRETS] = {1, 10, 50, 100};

static const uint64_t bootstrap_seed = 20260101;

uint64_t ridge_regret_k(size_t index)
{
    return index < RIDGE_REGRETS ? regret_k[index] : 0;
}

/** What is compared: measured time by row of the ranking, then both by place in the predicted order. */
struct comparison {
    const struct ridge_context *context;
    const struct ridge_ranking *ranking;
    double *time;     /* by row; NaN: not recorded */
    uint64_t *keys;   /* by row */
    double *cost_in;  /* in predicted order, recorded ones only */
    double *time_in;  /* the same */
    uint32_t *places; /* 0, 1, 2, ... */
    uint64_t count;
};

static ridge_status comparison_init(struct comparison *comparison, struct ridge_error *error)
{
    const uint64_t count = comparison->ranking->count;
    comparison->time = rg_alloc(comparison->context, count * sizeof *comparison->time);
    comparison->keys = rg_alloc(comparison->context, count * sizeof *comparison->keys);
    comparison->cost_in = rg_alloc(comparison->context, count * sizeof *comparison->cost_in);
    comparison->time_in = rg_alloc(comparison->context, count * sizeof *comparison->time_in);
    comparison->places = rg_alloc(comparison->context, count * sizeof *comparison->places);
    const bool done =
        comparison->time && comparison->keys && comparison->cost_in && comparison->time_in && comparison->places;
    return done ? RIDGE_OK : rg_error_memory(error, count * sizeof *comparison->time);
}

static void comparison_fini(struct comparison *comparison)
{
    const uint64_t count = comparison->ranking->count;
    rg_free(comparison->context, comparison->time, count * sizeof *comparison->time);
    rg_free(comparison->context, comparison->keys, count * sizeof *comparison->keys);
    rg_free(comparison->context, comparison->cost_in, count * sizeof *comparison->cost_in);
    rg_free(comparison->context, comparison->time_in, count * sizeof *comparison->time_in);
    rg_free(comparison->context, comparison->places, count * sizeof *comparison->places);
}

/** Find the time of each row; the first of several records of one configuration counts. */
static ridge_status join(struct comparison *comparison, const struct ridge_space *space, const struct ridge_run *run,
                         uint64_t *outside, struct ridge_error *error)
{
    const struct ridge_ranking *ranking = comparison->ranking;
    for (uint64_t i = 0; i < ranking->count; i++) {
        comparison->time[i] = (double)NAN;
        comparison->keys[i] = rg_rows_key(space, ranking->choices + i * ranking->dimension_count);
    }
    const struct rg_rows rows = {space, ranking->count, ranking->choices, comparison->keys};
    struct rg_join joined;
    const char *missing = rg_join_init(&joined, &rows, run);
    if (missing) {
        return rg_error_set(error, RIDGE_E_NAME, "the record has no dimension `%s` (is it of this kernel?)", missing);
    }
    *outside = 0;
    for (size_t i = 0; i < run->record_count; i++) {
        const uint64_t row = rg_join_row(&joined, &run->records[i]);
        if (row == UINT64_MAX) {
            ++*outside;
        } else if (isnan(comparison->time[row])) {
            comparison->time[row] = rg_record_time(&run->records[i]);
        }
    }
    return RIDGE_OK;
}

static void put_in_order(struct comparison *comparison)
{
    const struct ridge_ranking *ranking = comparison->ranking;
    for (uint64_t i = 0; i < ranking->count; i++) {
        const uint32_t row = ranking->order[i];
        if (!isnan(comparison->time[row])) {
            comparison->cost_in[comparison->count] = ranking->estimates[row].cost;
            comparison->time_in[comparison->count] = comparison->time[row];
            comparison->places[comparison->count] = (uint32_t)comparison->count;
            comparison->count++;
        }
    }
}

static void fill_points(const struct comparison *comparison, struct ridge_calibration_point *points)
{
    for (uint64_t i = 0; i < comparison->count;) {
        uint64_t end = i + 1;
        while (end < comparison->count && !(comparison->cost_in[end] > comparison->cost_in[i])) {
            end++;
        }
        const double rank = ((double)i + 1 + (double)end) / 2;
        for (; i < end; i++) {
            points[i] = (struct ridge_calibration_point){rank, comparison->time_in[i]};
        }
    }
}

/** rho and its interval of what was measured; the arrays lose the failed ones. */
static ridge_status correlate(struct comparison *comparison, uint64_t resamples, struct ridge_calibration *out,
                              struct ridge_error *error)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < comparison->count; i++) {
        if (isfinite(comparison->time_in[i])) {
            comparison->cost_in[n] = comparison->cost_in[i];
            comparison->time_in[n] = comparison->time_in[i];
            n++;
        }
    }
    out->n = n;
    out->rho = (double)NAN;
    out->rho_ci95 = (struct ridge_interval){(double)NAN, (double)NAN};
    struct ridge_error none = {0};
    ridge_status status =
        ridge_spearman(comparison->context, comparison->cost_in, n, comparison->time_in, n, &out->rho, &none);
    if (status == RIDGE_OK && resamples > 0) {
        status = ridge_spearman_interval(comparison->context, comparison->cost_in, comparison->time_in, n, resamples,
                                         bootstrap_seed, &out->rho_ci95, &none);
    }
    return status == RIDGE_OK || status == RIDGE_E_EMPTY ? RIDGE_OK : rg_error_set(error, status, "%s", none.message);
}

static ridge_status compare(struct comparison *comparison, uint64_t resamples, struct ridge_calibration *out,
                            struct ridge_calibration_point *points, struct ridge_error *error)
{
    put_in_order(comparison);
    const struct ridge_ordering ordering = {comparison->cost_in, comparison->time_in, comparison->places,
                                            comparison->count};
    out->configurations = comparison->count;
    out->random_evals_to_5pct = ridge_random_evaluations(&ordering, 0.05);
    if (isnan(out->random_evals_to_5pct)) {
        return rg_error_set(error, RIDGE_E_EMPTY,
                            "no measured configuration of the record is in the space (%llu are not)",
                            (unsigned long long)out->outside);
    }
    out->random_evals_to_1pct = ridge_random_evaluations(&ordering, 0.01);
    out->evals_to_5pct = ridge_evaluations(&ordering, 0.05);
    out->evals_to_1pct = ridge_evaluations(&ordering, 0.01);
    out->recall10 = ridge_recall10(&ordering);
    for (size_t i = 0; i < RIDGE_REGRETS; i++) {
        out->regret[i] = ridge_regret(&ordering, regret_k[i]);
    }
    if (points) {
        fill_points(comparison, points);
    }
    return correlate(comparison, resamples, out, error);
}

ridge_status ridge_calibrate(const struct ridge_context *context, const struct ridge_space *space,
                             const struct ridge_ranking *ranking, const struct ridge_run *run, uint64_t resamples,
                             struct ridge_calibration *out, struct ridge_calibration_point *points,
                             struct ridge_error *error)
{
    if (!context || !space || !ranking || !run || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context, space, ranking, run or out is NULL (give each)");
    }
    *out = (struct ridge_calibration){.rho = (double)NAN};
    struct comparison comparison = {.context = context, .ranking = ranking};
    ridge_status status = comparison_init(&comparison, error);
    status = status == RIDGE_OK ? join(&comparison, space, run, &out->outside, error) : status;
    status = status == RIDGE_OK ? compare(&comparison, resamples, out, points, error) : status;
    comparison_fini(&comparison);
    return status;
}
