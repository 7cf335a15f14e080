/* SPDX-License-Identifier: MIT */
/* T4 result files. */
#include <string.h>

#include "base/ascii.h"
#include "store/import.h"

struct invalidity_row {
    const char *word;
    ridge_outcome outcome;
};

static const struct invalidity_row invalidity_rows[] = {
    {"correct", RIDGE_OUTCOME_OK},      {"compile", RIDGE_OUTCOME_COMPILE},
    {"runtime", RIDGE_OUTCOME_LAUNCH},  {"correctness", RIDGE_OUTCOME_WRONG},
    {"timeout", RIDGE_OUTCOME_TIMEOUT}, {"constraints", RIDGE_OUTCOME_CONSTRAINT}};

/** The dimensions are the names of the first configuration. */
static ridge_status put_dimensions(struct rg_import *import, json_t *configuration)
{
    const size_t count = json_object_size(configuration);
    const struct rg_place place = rg_import_place(&import->text, import->text.records[0].offset);
    if (count == 0) {
        return rg_error_at(import->error, RIDGE_E_VALUE, &place, "the first result has no configuration");
    }
    const char **names = rg_arena_array(&import->run->arena, count, sizeof *names);
    if (!names) {
        return rg_error_memory(import->error, count);
    }
    const char *name;
    json_t *value;
    size_t used = 0;
    json_object_foreach(configuration, name, value)
    {
        names[used++] = name;
    }
    return rg_import_dimensions(import, names, count);
}

/** The objective, when it is no time: then the file gives nothing to rank by. */
static ridge_status check_objective(struct rg_import *import, const json_t *result)
{
    const char *objective = json_string_value(json_array_get(json_object_get(result, "objectives"), 0));
    if (!objective || rg_same_letters(objective, "time") ||
        json_array_size(json_object_get(json_object_get(result, "times"), "runtimes")) > 0) {
        return RIDGE_OK;
    }
    const struct rg_place place = rg_import_place(&import->text, import->text.records[0].offset);
    return rg_error_at(import->error, RIDGE_E_VALUE, &place,
                       "the objective '%.100s' is no time, there are no runtimes, and the file does not say whether "
                       "more or less of it is better (Ridge ranks by time)",
                       objective);
}

static ridge_status read_invalidity(struct rg_import *import, const json_t *result, struct ridge_record *record,
                                    size_t offset)
{
    const char *word = json_string_value(json_object_get(result, "invalidity"));
    for (size_t i = 0; word && i < sizeof invalidity_rows / sizeof invalidity_rows[0]; i++) {
        if (strcmp(invalidity_rows[i].word, word) == 0) {
            return i == 0 ? RIDGE_OK : rg_import_fail(import, record, invalidity_rows[i].outcome, word);
        }
    }
    if (!word) {
        return RIDGE_OK;
    }
    rg_import_tally(import, RG_TALLY_WORD, offset);
    return rg_import_fail(import, record, RIDGE_OUTCOME_SKIPPED, word);
}

/** A measurement: the time where there are no runtimes, an error word, or what Ridge added. */
static ridge_status read_measurement(struct rg_import *import, const json_t *item, struct ridge_record *record,
                                     const json_t **time)
{
    const char *name = json_string_value(json_object_get(item, "name"));
    const json_t *value = json_object_get(item, "value");
    const char *word = json_string_value(value);
    ridge_outcome outcome;
    if (!name) {
        return RIDGE_OK;
    }
    if (word && rg_import_error_word(word, &outcome)) {
        return rg_import_fail(import, record, record->outcome == RIDGE_OUTCOME_OK ? outcome : record->outcome, word);
    }
    if (strcmp(name, "time") == 0) {
        *time = value;
    }
    return rg_import_extra(import, record, name, value);
}

static ridge_status read_measurements(struct rg_import *import, const json_t *result, struct ridge_record *record,
                                      const json_t **time)
{
    const json_t *list = json_object_get(result, "measurements");
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; status == RIDGE_OK && i < json_array_size(list); i++) {
        status = read_measurement(import, json_array_get(list, i), record, time);
    }
    return status;
}

static ridge_status read_samples(struct rg_import *import, const json_t *runtimes, const json_t *time, size_t offset)
{
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; status == RIDGE_OK && i < json_array_size(runtimes); i++) {
        status = rg_import_sample(import, json_array_get(runtimes, i), offset);
    }
    return status == RIDGE_OK && import->sample_count == 0 && time ? rg_import_sample(import, time, offset) : status;
}

static ridge_status read_result(struct rg_import *import, const json_t *result, size_t offset)
{
    struct ridge_value *values = NULL;
    struct ridge_record *record = rg_import_begin(import, &values);
    if (!record) {
        return RIDGE_E_MEMORY;
    }
    const json_t *configuration = json_object_get(result, "configuration");
    if (json_object_size(configuration) != import->run->shown.dimension_count) {
        rg_import_tally(import, RG_TALLY_NAMES, offset);
        return RIDGE_OK;
    }
    if (!rg_import_values(import, configuration, values, offset)) {
        return RIDGE_OK;
    }
    const json_t *times = json_object_get(result, "times");
    const json_t *compilation = json_object_get(times, "compilation");
    const json_t *time = NULL;
    record->compile_s =
        rg_import_seconds(import, compilation ? compilation : json_object_get(times, "compilation_time"));
    record->run_s = rg_import_seconds(import, json_object_get(times, "benchmark"));
    rg_import_time(import, json_string_value(json_object_get(result, "timestamp")));
    ridge_status status = read_invalidity(import, result, record, offset);
    if (status == RIDGE_OK) {
        status = read_measurements(import, result, record, &time);
    }
    if (status == RIDGE_OK && record->outcome == RIDGE_OUTCOME_OK) {
        status = read_samples(import, json_object_get(times, "runtimes"), time, offset);
    }
    return status == RIDGE_OK ? rg_import_end(import, record, offset) : status;
}

static ridge_status read_header(struct rg_import *import, const json_t *header)
{
    const json_t *metadata = json_object_get(header, "metadata");
    ridge_status status = rg_import_version(import, header);
    if (status == RIDGE_OK) {
        status = rg_import_identity(import, json_string_value(json_object_get(metadata, "ridge_kernel")),
                                    json_string_value(json_object_get(metadata, "ridge_device")));
    }
    if (status == RIDGE_OK) {
        status = rg_import_unit(import, json_string_value(json_object_get(metadata, "timeunit")));
    }
    const char *parameters = json_string_value(json_object_get(metadata, "ridge_parameters"));
    if (status == RIDGE_OK && parameters) {
        import->run->shown.info.parameters = rg_arena_strdup(&import->run->arena, parameters);
    }
    return status;
}

ridge_status rg_import_t4(struct rg_import *import)
{
    json_t *header = NULL;
    ridge_status status = rg_import_header(import, &header);
    if (status == RIDGE_OK) {
        status = read_header(import, header);
        json_decref(header);
    }
    for (size_t i = 0; status == RIDGE_OK && i < import->text.record_count; i++) {
        json_t *result = NULL;
        status = rg_import_record(import, i, &result);
        if (status == RIDGE_OK && i == 0) {
            status = put_dimensions(import, json_object_get(result, "configuration"));
        }
        if (status == RIDGE_OK && i == 0) {
            status = check_objective(import, result);
        }
        if (status == RIDGE_OK) {
            status = read_result(import, result, import->text.records[i].offset);
        }
        json_decref(result);
    }
    return status;
}
