/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "report/report_common.h"
#include "ridge/json.h"
#include "ridge/units.h"
#include "space/run.h"

static void write_configuration(struct ridge_json *json, const struct ridge_run *run, const struct ridge_record *record)
{
    ridge_json_object_begin_compact(json, "config");
    for (size_t i = 0; i < run->dimension_count; i++) {
        ridge_json_value(json, run->dimension_names[i], &record->values[i]);
    }
    ridge_json_object_end(json);
}

/** Write the numbers of a measured record; `n` 0 gives none. */
static void write_summary(struct ridge_json *json, const struct ridge_record *record)
{
    const struct ridge_summary *summary = &record->summary;
    ridge_json_text(json, "kind", ridge_kind_word(record->kind));
    ridge_json_double(json, "median_s", summary->median_s);
    if (isnan(summary->ci95_low_s)) {
        ridge_json_null(json, "ci95_s");
    } else {
        ridge_json_array_begin_compact(json, "ci95_s");
        ridge_json_double(json, NULL, summary->ci95_low_s);
        ridge_json_double(json, NULL, summary->ci95_high_s);
        ridge_json_array_end(json);
    }
    ridge_json_u64(json, "n", summary->n);
    ridge_json_double(json, "min_s", summary->minimum_s);
}

/** Write what a launch uses up and what share of its ceiling it reaches, where that is known. */
static void write_share(struct ridge_json *json, const struct ridge_record *record)
{
    if (record->work) {
        ridge_json_object_begin_compact(json, "work");
        for (unsigned i = 0; i < RIDGE_ROOF_COUNT; i++) {
            if (record->work->amount[i] > 0) {
                ridge_json_double(json, ridge_roof_key((ridge_roof)i), record->work->amount[i]);
            }
        }
        ridge_json_object_end(json);
    }
    if (record->score) {
        ridge_json_double(json, "share", rg_report_share(record));
        ridge_json_text(json, "binding", rg_report_binding(record));
        ridge_json_double(json, "roofline_s", record->score->roofline_s);
    }
}

/** Write what the shares are of; nothing where there are none. */
static void write_ceilings(struct ridge_json *json, const struct ridge_run *run)
{
    if (run->ceilings) {
        ridge_json_object_begin_compact(json, "ceilings");
        ridge_json_text(json, "kind", ridge_kind_word(RIDGE_RECORDED));
        ridge_json_text(json, "text", run->ceilings);
        ridge_json_object_end(json);
    }
}

/** Write a text as the number or truth that it is, else as text. */
static bool write_parameter(struct ridge_json *json, struct rg_arena *arena, const struct rg_parameter *parameter)
{
    const char *name = rg_arena_copy(arena, parameter->name, parameter->name_bytes);
    const char *text = rg_arena_copy(arena, parameter->value, parameter->value_bytes);
    if (!name || !text) {
        return false;
    }
    uint64_t size = 0;
    double number = 0;
    const bool negative = text[0] == '-';
    const char *digits = text + negative;
    if (digits[strspn(digits, "0123456789")] == '\0' && ridge_count_parse(digits, INT64_MAX, &size, NULL) == RIDGE_OK) {
        ridge_json_i64(json, name, negative ? -(int64_t)size : (int64_t)size);
    } else if (ridge_number_parse(text, &number, NULL) == RIDGE_OK) {
        ridge_json_double(json, name, number);
    } else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        ridge_json_bool(json, name, text[0] == 't');
    } else {
        ridge_json_text(json, name, text);
    }
    return true;
}

static bool write_parameters(struct ridge_json *json, const struct ridge_run *run)
{
    struct rg_arena arena;
    rg_arena_init(&arena, rg_run_context(run));
    bool fine = true;
    struct rg_parameter parameter;
    ridge_json_object_begin_compact(json, "parameters");
    for (const char *at = run->info.parameters; fine && rg_report_parameter(&at, &parameter);) {
        fine = write_parameter(json, &arena, &parameter);
    }
    ridge_json_object_end(json);
    rg_arena_fini(&arena);
    return fine;
}

static bool write_info(struct ridge_json *json, const struct ridge_run *run)
{
    const struct ridge_run_info *info = &run->info;
    ridge_json_text(json, "schema", "ridge.run/1");
    ridge_json_text(json, "ridge", info->ridge_version);
    ridge_json_i64(json, "run", run->id);
    ridge_json_text(json, "kernel", info->kernel);
    ridge_json_text(json, "backend", info->backend);
    ridge_json_text(json, "device", info->device);
    ridge_json_text(json, "platform", info->platform);
    ridge_json_text(json, "driver", info->driver);
    ridge_json_text(json, "host", info->host);
    ridge_json_text(json, "spec", info->spec_path);
    const bool fine = write_parameters(json, run);
    ridge_json_text(json, "cache", info->cache);
    ridge_json_text(json, "reference", info->reference);
    ridge_json_text(json, "order", info->order);
    ridge_json_u64(json, "seed", info->seed);
    ridge_json_text(json, "source_hash", info->source_hash);
    ridge_json_text(json, "arguments_hash", info->arguments_hash);
    ridge_json_text(json, "space_hash", info->space_hash);
    ridge_json_text(json, "state", ridge_run_state_word(run->state));
    ridge_json_text(json, "state_text", run->state_text);
    ridge_json_text(json, "started_at", run->started_at);
    ridge_json_text(json, "ended_at", run->ended_at[0] ? run->ended_at : NULL);
    return fine;
}

static void write_best(struct ridge_json *json, const struct ridge_run *run)
{
    const struct ridge_record *best = rg_report_best(run);
    if (!best) {
        ridge_json_null(json, "best");
    } else {
        ridge_json_object_begin(json, "best");
        ridge_json_text(json, "id", best->id);
        write_configuration(json, run, best);
        write_summary(json, best);
        write_share(json, best);
        ridge_json_object_end(json);
    }
    ridge_json_array_begin(json, "indistinguishable");
    for (size_t i = 1; i < run->tied_count; i++) {
        ridge_json_text(json, NULL, run->records[run->ranked[i]].id);
    }
    ridge_json_array_end(json);
}

static void write_spread(struct ridge_json *json, const struct ridge_run *run, const struct rg_spread *spread)
{
    const struct ridge_record *best = rg_report_best(run);
    if (!best) {
        ridge_json_null(json, "spread");
        return;
    }
    ridge_json_object_begin_compact(json, "spread");
    ridge_json_text(json, "kind", ridge_kind_word(best->kind));
    ridge_json_double(json, "best_s", spread->best_s);
    ridge_json_double(json, "median_s", spread->median_s);
    ridge_json_double(json, "worst_s", spread->worst_s);
    ridge_json_double(json, "ratio", run->spread_ratio);
    ridge_json_object_end(json);
}

static bool write_outcomes(struct ridge_json *json, const struct ridge_run *run)
{
    ridge_json_object_begin_compact(json, "outcomes");
    for (unsigned i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        if (i == RIDGE_OUTCOME_OK || run->outcomes[i] > 0) {
            ridge_json_u64(json, ridge_outcome_word((ridge_outcome)i), run->outcomes[i]);
        }
    }
    ridge_json_object_end(json);
    bool fine = true;
    struct rg_buffer line;
    rg_buffer_init(&line, rg_run_context(run));
    ridge_json_array_begin(json, "failures");
    for (unsigned i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        if (i == RIDGE_OUTCOME_OK || run->outcomes[i] == 0) {
            continue;
        }
        const char *text = rg_report_first_text(run, (ridge_outcome)i);
        rg_buffer_clear(&line);
        rg_buffer_append(&line, text, rg_report_line_bytes(text));
        fine = fine && !line.failed;
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_text(json, "outcome", ridge_outcome_word((ridge_outcome)i));
        ridge_json_u64(json, "count", run->outcomes[i]);
        ridge_json_text(json, "first", rg_buffer_text(&line));
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
    rg_buffer_fini(&line);
    return fine;
}

static void write_times(struct ridge_json *json, const struct ridge_run *run)
{
    ridge_json_object_begin_compact(json, "seconds");
    ridge_json_text(json, "kind", ridge_kind_word(RIDGE_MEASURED));
    ridge_json_double(json, "compile", run->seconds.compile);
    ridge_json_double(json, "run", run->seconds.run);
    ridge_json_double(json, "own", run->seconds.own);
    ridge_json_double(json, "total", run->seconds.total);
    ridge_json_object_end(json);
    ridge_json_double(json, "drift_ratio", run->drift_ratio);
    ridge_json_array_begin(json, "notes");
    for (size_t i = 0; i < run->note_count; i++) {
        ridge_json_text(json, NULL, run->notes[i]);
    }
    ridge_json_array_end(json);
}

static void write_result(struct ridge_json *json, const struct ridge_run *run, const struct ridge_record *record)
{
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "id", record->id);
    write_configuration(json, run, record);
    ridge_json_text(json, "outcome", ridge_outcome_word(record->outcome));
    write_summary(json, record);
    write_share(json, record);
    ridge_json_double(json, "max_s", record->summary.maximum_s);
    ridge_json_u64(json, "outliers", record->summary.outliers);
    ridge_json_array_begin_compact(json, "samples_s");
    for (uint64_t i = 0; i < record->sample_count; i++) {
        ridge_json_double(json, NULL, record->samples_s[i]);
    }
    ridge_json_array_end(json);
    ridge_json_u64(json, "rejected", record->rejected);
    if (record->throttled > 0) {
        ridge_json_u64(json, "throttled", record->throttled);
    }
    ridge_json_bool(json, "finalist", record->finalist);
    ridge_json_bool(json, "converged", record->converged);
    ridge_json_bool(json, "in_space", record->in_space);
    ridge_json_double(json, "compile_s", record->compile_s);
    ridge_json_double(json, "run_s", record->run_s);
    ridge_json_text(json, "text", record->text);
    ridge_json_object_end(json);
}

static void write_results(struct ridge_json *json, const struct ridge_run *run, unsigned flags)
{
    ridge_json_array_begin(json, "results");
    for (size_t i = 0; i < run->record_count; i++) {
        if (!rg_report_hides(&run->records[i], flags)) {
            write_result(json, run, &run->records[i]);
        }
    }
    ridge_json_array_end(json);
}

ridge_status ridge_report_json(const struct ridge_run *run, unsigned flags, struct ridge_sink sink,
                               struct ridge_error *error)
{
    struct rg_spread spread;
    const ridge_status status = rg_report_spread(run, &spread, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct ridge_json json;
    ridge_json_begin(&json, sink);
    ridge_json_object_begin(&json, NULL);
    bool memory = write_info(&json, run);
    ridge_json_object_begin_compact(&json, "space");
    ridge_json_u64(&json, "count", run->info.space_count);
    ridge_json_u64(&json, "measured", run->outcomes[RIDGE_OUTCOME_OK]);
    ridge_json_object_end(&json);
    write_best(&json, run);
    write_ceilings(&json, run);
    write_spread(&json, run, &spread);
    memory = write_outcomes(&json, run) && memory;
    write_times(&json, run);
    if (flags & RIDGE_REPORT_RESULTS) {
        write_results(&json, run, flags);
    }
    ridge_json_object_end(&json);
    if (!memory) {
        return rg_error_memory(error, 0);
    }
    return ridge_json_end(&json) ? RIDGE_OK : rg_report_refused(error);
}
