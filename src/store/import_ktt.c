/* SPDX-License-Identifier: MIT */
/* Result files of KTT. */
#include <math.h>
#include <string.h>

#include "store/import.h"

struct status_row {
    const char *word;
    ridge_outcome outcome;
};

static const struct status_row status_rows[] = {{"Ok", RIDGE_OUTCOME_OK},
                                                {"ComputationFailed", RIDGE_OUTCOME_LAUNCH},
                                                {"ValidationFailed", RIDGE_OUTCOME_WRONG},
                                                {"CompilationFailed", RIDGE_OUTCOME_COMPILE},
                                                {"DeviceLimitsExceeded", RIDGE_OUTCOME_UNLAUNCHABLE}};

/** The dimensions are the names of the first configuration, a list of {Name, Value}. */
static ridge_status put_dimensions(struct rg_import *import, const json_t *configuration)
{
    const size_t count = json_array_size(configuration);
    const struct rg_place place = rg_import_place(&import->text, import->text.records[0].offset);
    const char **names = rg_arena_array(&import->run->arena, count, sizeof *names);
    if (!names) {
        return rg_error_memory(import->error, count);
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = json_string_value(json_object_get(json_array_get(configuration, i), "Name"));
        if (!names[i]) {
            return rg_error_at(import->error, RIDGE_E_VALUE, &place, "a value of the first configuration has no Name");
        }
    }
    return count > 0 ? rg_import_dimensions(import, names, count)
                     : rg_error_at(import->error, RIDGE_E_VALUE, &place, "the first result has no Configuration");
}

static bool read_values(struct rg_import *import, const json_t *configuration, struct ridge_value *values,
                        size_t offset)
{
    const size_t count = import->run->shown.dimension_count;
    uint64_t seen = 0;
    bool fits = json_array_size(configuration) == count;
    for (size_t i = 0; i < count && fits; i++) {
        const json_t *pair = json_array_get(configuration, i);
        const char *name = json_string_value(json_object_get(pair, "Name"));
        const size_t position = name ? rg_import_position(import, name) : count;
        const uint64_t bit = (uint64_t)1 << (position % 64);
        fits = position < count && (count > 64 || (seen & bit) == 0);
        seen |= bit;
        if (fits && !rg_import_value(import, json_object_get(pair, "Value"), &values[position])) {
            rg_import_tally(import, RG_TALLY_VALUE, offset);
            return false;
        }
    }
    if (!fits) {
        rg_import_tally(import, RG_TALLY_NAMES, offset);
    }
    return fits;
}

/** A number of the compiler, the largest of all functions of the kernel. */
static void take_largest(int64_t *target, const json_t *value)
{
    if (json_is_integer(value) && json_integer_value(value) > *target) {
        *target = json_integer_value(value);
    }
}

static void read_compilation(const json_t *result, struct ridge_record *record)
{
    const json_t *functions = json_object_get(result, "ComputationResults");
    for (size_t i = 0; i < json_array_size(functions); i++) {
        const json_t *facts = json_object_get(json_array_get(functions, i), "CompilationData");
        take_largest(&record->registers, json_object_get(facts, "RegistersCount"));
        take_largest(&record->shared_bytes, json_object_get(facts, "LocalMemorySize"));
        take_largest(&record->spill_bytes, json_object_get(facts, "PrivateMemorySize"));
    }
}

static ridge_status read_status(struct rg_import *import, const json_t *result, struct ridge_record *record,
                                size_t offset)
{
    const char *word = json_string_value(json_object_get(result, "Status"));
    for (size_t i = 0; word && i < sizeof status_rows / sizeof status_rows[0]; i++) {
        if (strcmp(status_rows[i].word, word) == 0) {
            return i == 0 ? RIDGE_OK : rg_import_fail(import, record, status_rows[i].outcome, word);
        }
    }
    rg_import_tally(import, RG_TALLY_WORD, offset);
    return rg_import_fail(import, record, RIDGE_OUTCOME_SKIPPED, word ? word : "it has no Status");
}

static ridge_status read_result(struct rg_import *import, const json_t *result, size_t offset)
{
    struct ridge_value *values = NULL;
    struct ridge_record *record = rg_import_begin(import, &values);
    if (!record) {
        return RIDGE_E_MEMORY;
    }
    if (!read_values(import, json_object_get(result, "Configuration"), values, offset)) {
        return RIDGE_OK;
    }
    read_compilation(result, record);
    ridge_status status = read_status(import, result, record, offset);
    if (status == RIDGE_OK && record->outcome == RIDGE_OUTCOME_OK) {
        status = rg_import_sample(import, json_object_get(result, "TotalDuration"), offset);
    }
    return status == RIDGE_OK ? rg_import_end(import, record, offset) : status;
}

static ridge_status read_header(struct rg_import *import, const json_t *header, const json_t *first)
{
    const json_t *metadata = json_object_get(header, "Metadata");
    const char *stamp = json_string_value(json_object_get(metadata, "Timestamp"));
    ridge_status status = rg_import_identity(import, json_string_value(json_object_get(first, "KernelName")),
                                             json_string_value(json_object_get(metadata, "Device")));
    if (status == RIDGE_OK) {
        rg_import_time(import, stamp);
        status = rg_import_unit(import, json_string_value(json_object_get(metadata, "TimeUnit")));
    }
    return status == RIDGE_OK ? put_dimensions(import, json_object_get(first, "Configuration")) : status;
}

ridge_status rg_import_ktt(struct rg_import *import)
{
    json_t *header = NULL;
    ridge_status status = rg_import_header(import, &header);
    for (size_t i = 0; status == RIDGE_OK && i < import->text.record_count; i++) {
        json_t *result = NULL;
        status = rg_import_record(import, i, &result);
        if (status == RIDGE_OK && i == 0) {
            status = read_header(import, header, result);
        }
        if (status == RIDGE_OK) {
            status = read_result(import, result, import->text.records[i].offset);
        }
        json_decref(result);
    }
    json_decref(header);
    return status;
}
