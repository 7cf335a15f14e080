/* SPDX-License-Identifier: MIT */
/* Kernel Tuner cache files. */
#include <string.h>

#include "base/buffer.h"
#include "store/import.h"

static const double failure_time = 1e20; /* what Kernel Tuner wrote for a failure before it had words */

/** "problem_size=4096x4096" */
static ridge_status put_problem_size(struct rg_import *import, const json_t *size)
{
    struct rg_buffer text;
    rg_buffer_init(&text, import->context);
    const size_t count = json_is_array(size) ? json_array_size(size) : (size ? 1U : 0U);
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_is_array(size) ? json_array_get(size, i) : size;
        rg_buffer_puts(&text, i == 0 ? "problem_size=" : "x");
        if (json_is_integer(item)) {
            rg_buffer_printf(&text, "%lld", (long long)json_integer_value(item));
        } else {
            rg_buffer_puts(&text, json_is_string(item) ? json_string_value(item) : "?");
        }
    }
    struct ridge_run_info *info = &import->run->shown.info;
    info->parameters = text.failed ? NULL : rg_arena_strdup(&import->run->arena, rg_buffer_text(&text));
    rg_buffer_fini(&text);
    return info->parameters ? RIDGE_OK : rg_error_memory(import->error, 0);
}

/** Set the dimensions from tune_params_keys. */
static ridge_status put_dimensions(struct rg_import *import, const json_t *header)
{
    const struct rg_place place = {.file = import->text.path};
    const json_t *keys = json_object_get(header, "tune_params_keys");
    const size_t count = json_array_size(keys);
    if (count == 0) {
        return rg_error_at(import->error, RIDGE_E_VALUE, &place,
                           "tune_params_keys is missing or empty (it should list the tunable parameters)");
    }
    const char **names = rg_arena_array(&import->run->arena, count, sizeof *names);
    if (!names) {
        return rg_error_memory(import->error, count);
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = json_string_value(json_array_get(keys, i));
        if (!names[i]) {
            return rg_error_at(import->error, RIDGE_E_VALUE, &place,
                               "tune_params_keys holds something that is no name");
        }
    }
    return rg_import_dimensions(import, names, count);
}

/** Take one member: an error word anywhere, __error__, or what Ridge added, which stands behind them and counts more. */
static ridge_status read_member(struct rg_import *import, const char *name, const json_t *value,
                                struct ridge_record *record)
{
    const char *word = json_string_value(value);
    ridge_outcome outcome = RIDGE_OUTCOME_LAUNCH;
    if (strncmp(name, "ridge_", 6) == 0) {
        return rg_import_extra(import, record, name, value);
    }
    const bool failed = word && (rg_import_error_word(word, &outcome) || strcmp(name, "__error__") == 0);
    const bool is_dimension = rg_import_position(import, name) < import->run->shown.dimension_count;
    return failed && !is_dimension ? rg_import_fail(import, record, outcome, word) : RIDGE_OK;
}

/** Find out whether the entry is a failure. */
static ridge_status read_failure(struct rg_import *import, json_t *entry, struct ridge_record *record, size_t offset)
{
    const char *name;
    json_t *value;
    ridge_status status = RIDGE_OK;
    json_object_foreach(entry, name, value)
    {
        if (status == RIDGE_OK && (json_is_string(value) || name[0] == 'r')) {
            status = read_member(import, name, value, record);
        }
    }
    const json_t *time = json_object_get(entry, "time");
    const bool has_times = json_array_size(json_object_get(entry, "times")) > 0;
    if (status == RIDGE_OK && !has_times && json_is_number(time) && json_number_value(time) >= failure_time) {
        rg_import_tally(import, RG_TALLY_HUGE, offset);
        return rg_import_fail(import, record, RIDGE_OUTCOME_LAUNCH, "recorded as a time of 1e20 or more");
    }
    return status;
}

static ridge_status read_samples(struct rg_import *import, const json_t *entry, size_t offset)
{
    const json_t *exact = json_object_get(entry, "ridge_times_s");
    const json_t *times = json_object_get(entry, "times");
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; status == RIDGE_OK && i < json_array_size(exact); i++) {
        status = rg_import_sample_s(import, json_number_value(json_array_get(exact, i)));
    }
    for (size_t i = 0; status == RIDGE_OK && !exact && i < json_array_size(times); i++) {
        status = rg_import_sample(import, json_array_get(times, i), offset);
    }
    const json_t *time = json_object_get(entry, "time");
    return status == RIDGE_OK && import->sample_count == 0 && time ? rg_import_sample(import, time, offset) : status;
}

/** What it took to build and to measure the entry. */
static void read_costs(struct rg_import *import, const json_t *entry, struct ridge_record *record)
{
    record->compile_s = rg_import_seconds(import, json_object_get(entry, "compile_time"));
    const json_t *verification = json_object_get(entry, "verification_time");
    const json_t *benchmark = json_object_get(entry, "benchmark_time");
    if (json_is_number(benchmark)) {
        record->run_s = (json_number_value(verification) + json_number_value(benchmark)) / import->units_each_s;
    }
    /* As Ridge wrote them, where milliseconds do not bring the same number back. */
    const json_t *compile_s = json_object_get(entry, "ridge_compile_s");
    const json_t *run_s = json_object_get(entry, "ridge_run_s");
    record->compile_s = json_is_number(compile_s) ? json_number_value(compile_s) : record->compile_s;
    record->run_s = json_is_number(run_s) ? json_number_value(run_s) : record->run_s;
}

static ridge_status read_entry(struct rg_import *import, json_t *entry, size_t offset)
{
    struct ridge_value *values = NULL;
    struct ridge_record *record = rg_import_begin(import, &values);
    if (!record) {
        return RIDGE_E_MEMORY;
    }
    if (!rg_import_values(import, entry, values, offset)) {
        return RIDGE_OK;
    }
    ridge_status status = read_failure(import, entry, record, offset);
    rg_import_time(import, json_string_value(json_object_get(entry, "timestamp")));
    if (status == RIDGE_OK && record->outcome == RIDGE_OUTCOME_OK) {
        status = read_samples(import, entry, offset);
    }
    read_costs(import, entry, record);
    return status == RIDGE_OK ? rg_import_end(import, record, offset) : status;
}

static ridge_status read_header(struct rg_import *import, const json_t *header)
{
    ridge_status status = rg_import_version(import, header);
    if (status == RIDGE_OK) {
        status = rg_import_identity(import, json_string_value(json_object_get(header, "kernel_name")),
                                    json_string_value(json_object_get(header, "device_name")));
    }
    if (status == RIDGE_OK) {
        status = put_problem_size(import, json_object_get(header, "problem_size"));
    }
    return status == RIDGE_OK ? put_dimensions(import, header) : status;
}

ridge_status rg_import_cache(struct rg_import *import)
{
    json_t *header = NULL;
    import->units_each_s = 1e3;
    ridge_status status = rg_import_header(import, &header);
    if (status == RIDGE_OK) {
        status = read_header(import, header);
        json_decref(header);
    }
    for (size_t i = 0; status == RIDGE_OK && i < import->text.record_count; i++) {
        json_t *entry = NULL;
        status = rg_import_record(import, i, &entry);
        if (status == RIDGE_OK) {
            status = read_entry(import, entry, import->text.records[i].offset);
            json_decref(entry);
        }
    }
    return status;
}
