/* SPDX-License-Identifier: MIT */
#include "tune/filter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "space/run.h"
#include "space/space.h"
#include "text/number.h"
#include "tune/session.h"

/** A larger space is not walked through to find its smallest footprint. */
static const uint64_t max_walked = 20000000;

static size_t row_bytes(const struct rg_tuning *tuning)
{
    return ridge_space_dimension_count(tuning->space) * sizeof(uint32_t);
}

/** \return the footprint of a configuration in bytes; 0: none, or [model] smem_bytes has no value for it. */
static uint64_t footprint(const struct rg_tuning *tuning, const uint32_t *choice)
{
    struct ridge_value values[RG_MAX_DIMENSIONS];
    struct ridge_value bytes;
    struct rg_fault fault;
    rg_space_choice_values(tuning->space, choice, values);
    const bool known = rg_expr_eval(tuning->spec->model_smem_bytes, values, &bytes, &fault);
    if (known && bytes.type == RIDGE_FLOAT && bytes.as.number >= 1 && bytes.as.number < 1e15) {
        return (uint64_t)ceil(bytes.as.number);
    }
    return known && bytes.type == RIDGE_INT && bytes.as.integer > 0 ? (uint64_t)bytes.as.integer : 0;
}

/** Find the smallest footprint of the space that is not 0. */
static ridge_status find_base(struct rg_tuning *tuning, uint64_t space_count, struct ridge_error *error)
{
    struct ridge_space_cursor *cursor = NULL;
    const uint32_t *choice = NULL;
    if (space_count > max_walked) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "--filter footprint: the space is too large to look for its smallest footprint (give "
                            "--footprint-base BYTES)");
    }
    ridge_status status = ridge_space_cursor_create(tuning->space, &cursor, error);
    while (status == RIDGE_OK) {
        status = ridge_space_cursor_next(cursor, &choice, error);
        if (status != RIDGE_OK || !choice) {
            break;
        }
        const uint64_t bytes = footprint(tuning, choice);
        uint64_t *base = &tuning->filter.base_bytes;
        *base = bytes > 0 && (*base == 0 || bytes < *base) ? bytes : *base;
    }
    ridge_space_cursor_destroy(cursor);
    return status;
}

ridge_status rg_filter_init(struct rg_tuning *tuning, uint64_t space_count, struct ridge_error *error)
{
    struct rg_filter *filter = &tuning->filter;
    const struct ridge_tune_options *options = &tuning->options;
    if (!options->footprints) {
        return RIDGE_OK;
    }
    if (!tuning->spec->model_smem_bytes) {
        const struct rg_place place = {.file = tuning->spec->path};
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "--filter footprint needs the footprint of a configuration (add smem_bytes = \"...\" to "
                           "[model])");
    }
    filter->db = options->footprints;
    filter->base_bytes = options->footprint_base_bytes;
    filter->sample_capacity = options->footprint_check;
    rg_rng_init(&filter->rng, options->seed);
    if (filter->sample_capacity > 0) {
        filter->sample = rg_alloc(tuning->context, (size_t)filter->sample_capacity * row_bytes(tuning));
        if (!filter->sample) {
            return rg_error_memory(error, (size_t)filter->sample_capacity * row_bytes(tuning));
        }
    }
    /* What is left out does not count as tried: the order goes on, and batch_fill stops it. */
    filter->most = options->max_configs;
    tuning->options.max_configs = 0;
    return filter->base_bytes > 0 ? RIDGE_OK : find_base(tuning, space_count, error);
}

void rg_filter_fini(struct rg_tuning *tuning)
{
    struct rg_filter *filter = &tuning->filter;
    rg_free(tuning->context, filter->sample, (size_t)filter->sample_capacity * row_bytes(tuning));
}

/** Keep a uniform sample of what was left out. Source: J. Vitter, "Random sampling with a reservoir", 1985, algorithm R. */
static void sample_add(struct rg_tuning *tuning, const uint32_t *choice)
{
    struct rg_filter *filter = &tuning->filter;
    const size_t width = ridge_space_dimension_count(tuning->space);
    const uint64_t at =
        filter->dropped < filter->sample_capacity ? filter->dropped : rg_rng_below(&filter->rng, filter->dropped + 1);
    if (at < filter->sample_capacity) {
        memcpy(filter->sample + at * width, choice, width * sizeof *choice);
    }
}

bool rg_filter_drops(struct rg_tuning *tuning, const uint32_t *choice)
{
    struct rg_filter *filter = &tuning->filter;
    struct ridge_prediction prediction;
    if (!filter->db) {
        return false;
    }
    ridge_footprint_predict(filter->db, tuning->info.device, filter->base_bytes, footprint(tuning, choice),
                            &prediction);
    if (prediction.verdict != RIDGE_VERDICT_SLOWER) {
        return false;
    }
    sample_add(tuning, choice);
    filter->dropped++;
    tuning->shown.total -= tuning->shown.total > tuning->shown.done;
    return true;
}

bool rg_filter_is_full(const struct rg_tuning *tuning, size_t waiting)
{
    return tuning->filter.most > 0 && tuning->shown.done + waiting >= tuning->filter.most;
}

/** Try what was sampled, as any other candidate; what an earlier part of a resumed run tried is not tried again. */
static ridge_status sample_run(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error)
{
    struct rg_filter *filter = &tuning->filter;
    const size_t width = ridge_space_dimension_count(tuning->space);
    const uint64_t count = filter->dropped < filter->sample_capacity ? filter->dropped : filter->sample_capacity;
    ridge_status status = RIDGE_OK;
    for (uint64_t at = 0; at < count && status == RIDGE_OK && !rg_should_end(tuning);) {
        batch->count = 0;
        for (; at < count && batch->count < RG_BATCH_MAX; at++) {
            struct rg_candidate *candidate = &batch->candidates[batch->count];
            memset(candidate, 0, sizeof *candidate);
            memcpy(candidate->choice, filter->sample + at * width, width * sizeof(uint32_t));
            ridge_space_id(tuning->space, candidate->choice, candidate->id);
            batch->count += !rg_run_has(tuning, candidate->id);
        }
        const uint64_t before = tuning->shown.done;
        tuning->shown.total += batch->count;
        status = batch->count > 0 ? rg_batch_run(tuning, batch, error) : RIDGE_OK;
        filter->checked += tuning->shown.done - before;
    }
    return status;
}

static bool is_sampled(const struct rg_tuning *tuning, const struct ridge_record *record)
{
    const struct rg_filter *filter = &tuning->filter;
    const size_t width = ridge_space_dimension_count(tuning->space);
    const uint64_t count = filter->dropped < filter->sample_capacity ? filter->dropped : filter->sample_capacity;
    for (uint64_t i = 0; i < count; i++) {
        char id[RIDGE_ID_BYTES];
        ridge_space_id(tuning->space, filter->sample + i * width, id);
        if (strcmp(id, record->id) == 0) {
            return true;
        }
    }
    return false;
}

/** Say how the fastest that was left out, of those sampled, compares with the fastest that was kept. */
static ridge_status check_say(struct rg_tuning *tuning, char *text, size_t bytes, struct ridge_error *error)
{
    const struct ridge_record *kept = NULL;
    const struct ridge_record *left_out = NULL;
    struct ridge_run *run = NULL;
    const ridge_status status = ridge_store_run_load(tuning->store, tuning->run, &run, error);
    for (size_t i = 0; status == RIDGE_OK && i < run->record_count; i++) {
        const struct ridge_record *record = &run->records[i];
        const struct ridge_record **best = is_sampled(tuning, record) ? &left_out : &kept;
        if (record->outcome == RIDGE_OUTCOME_OK && record->in_space &&
            (!*best || record->first.median_s < (*best)->first.median_s)) {
            *best = record;
        }
    }
    const unsigned long long checked = tuning->filter.checked;
    if (status == RIDGE_OK && left_out && kept) {
        const double ratio = left_out->first.median_s / kept->first.median_s;
        char times[RIDGE_NUMBER_BYTES];
        rg_number_round(ratio, 3, times);
        const bool apart = ridge_distinguishable(&left_out->first, &kept->first);
        snprintf(text, bytes,
                 "; %llu of them were measured to check that: the fastest (%s) takes %s times as long as "
                 "the fastest that was kept%s",
                 checked, left_out->id, times,
                 ratio > 1 && apart ? ": the filter was right"
                 : apart            ? ": THE FILTER WAS WRONG, tune without it"
                                    : ", which their intervals do not tell apart: tune without the filter to know");
    } else if (status == RIDGE_OK) {
        snprintf(text, bytes, "; %llu of them were measured to check that, and none could be compared", checked);
    }
    ridge_run_destroy(run);
    return status;
}

/** What the filter did, or why it did nothing. */
static void say_dropped(const struct rg_tuning *tuning, char *text, size_t bytes)
{
    const struct rg_filter *filter = &tuning->filter;
    struct ridge_prediction prediction;
    ridge_footprint_predict(filter->db, tuning->info.device, filter->base_bytes, filter->base_bytes, &prediction);
    if (prediction.verdict == RIDGE_VERDICT_UNKNOWN) {
        snprintf(text, bytes, "--filter footprint left nothing out: %s",
                 filter->base_bytes == 0 ? "no configuration has a footprint" : prediction.reason);
        return;
    }
    snprintf(text, bytes,
             "--filter footprint left out %llu configurations that '%s' predicts to be slower than the base of %llu "
             "bytes, all else equal (estimated)",
             (unsigned long long)filter->dropped, prediction.footprint->name, (unsigned long long)filter->base_bytes);
}

ridge_status rg_filter_finish(struct rg_tuning *tuning, struct ridge_error *error)
{
    char text[RIDGE_REASON_BYTES * 2 + 200];
    struct rg_filter *filter = &tuning->filter;
    if (!filter->db) {
        return RIDGE_OK;
    }
    ridge_status status = RIDGE_OK;
    struct rg_batch *batch = NULL;
    if (filter->sample_capacity > 0 && filter->dropped > 0) {
        batch = rg_alloc(tuning->context, sizeof *batch);
        status = batch ? sample_run(tuning, batch, error) : rg_error_memory(error, sizeof *batch);
    }
    rg_free(tuning->context, batch, sizeof *batch);
    say_dropped(tuning, text, sizeof text);
    const size_t used = strlen(text);
    if (status == RIDGE_OK && filter->checked > 0) {
        status = check_say(tuning, text + used, sizeof text - used, error);
    }
    return status == RIDGE_OK ? rg_store_note_add(tuning->store, tuning->run, text, error) : status;
}
