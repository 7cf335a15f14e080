/* SPDX-License-Identifier: MIT */
/* Runs as Kernel Tuner caches and T4. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "ridge/json.h"
#include "ridge/record.h"
#include "space/run.h"

/** What a failure is called elsewhere, and whether that name alone brings the outcome back. */
struct failure_row {
    const char *word;       /**< Kernel Tuner */
    const char *invalidity; /**< T4 */
    bool word_is_enough;
    bool invalidity_is_enough;
};

static const struct failure_row failures[RIDGE_OUTCOME_COUNT] = {
    [RIDGE_OUTCOME_OK] = {"", "correct", true, true},
    [RIDGE_OUTCOME_CONSTRAINT] = {"InvalidConfig", "constraints", false, true},
    [RIDGE_OUTCOME_UNLAUNCHABLE] = {"InvalidConfig", "constraints", true, false},
    [RIDGE_OUTCOME_COMPILE] = {"CompilationFailedConfig", "compile", true, true},
    [RIDGE_OUTCOME_LAUNCH] = {"RuntimeFailedConfig", "runtime", true, true},
    [RIDGE_OUTCOME_WRONG] = {"RuntimeFailedConfig", "correctness", false, true},
    [RIDGE_OUTCOME_TIMEOUT] = {"RuntimeFailedConfig", "timeout", false, true},
    [RIDGE_OUTCOME_CRASHED] = {"RuntimeFailedConfig", "runtime", false, false},
    [RIDGE_OUTCOME_SKIPPED] = {"RuntimeFailedConfig", "runtime", false, false},
};

/** How an extra member is written: a member of an object, or an item of a list of measurements. */
typedef void (*put_text_fn)(struct ridge_json *json, const char *name, const char *value);
typedef void (*put_count_fn)(struct ridge_json *json, const char *name, int64_t value);

static const double ms_each_s = 1e3;

/**
 * The time in milliseconds that a reader, dividing by 1000, turns into the same double again. About one in fifty
 * doubles has none. \return whether there is one; else *ms is the nearest
 */
static bool to_ms(double seconds, double *ms)
{
    const double near = seconds * ms_each_s;
    const double tries[] = {near, nextafter(near, 0), nextafter(near, (double)INFINITY)};
    *ms = near;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        if (tries[i] / ms_each_s == seconds) {
            *ms = tries[i];
            return true;
        }
    }
    return isnan(seconds);
}

static double mean(const struct ridge_record *record)
{
    double sum = 0;
    for (uint64_t i = 0; i < record->sample_count; i++) {
        sum += record->samples_s[i];
    }
    return sum / (double)record->sample_count;
}

/** What no other program has a place for. */
static void put_extras(struct ridge_json *json, const struct ridge_record *record, bool outcome_is_said,
                       put_text_fn put_text, put_count_fn put_count)
{
    if (!outcome_is_said) {
        put_text(json, "ridge_outcome", ridge_outcome_word(record->outcome));
    }
    if (record->text && strcmp(record->text, failures[record->outcome].word) != 0) {
        put_text(json, "ridge_text", record->text);
    }
    if (record->rejected > 0 && record->rejected <= INT64_MAX) {
        put_count(json, "ridge_rejected", (int64_t)record->rejected);
    }
    struct fact_row {
        const char *name;
        int64_t value;
    };
    const struct fact_row facts[] = {{"ridge_registers", record->registers},
                                     {"ridge_shared_bytes", record->shared_bytes},
                                     {"ridge_spill_bytes", record->spill_bytes}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (facts[i].value >= 0) {
            put_count(json, facts[i].name, facts[i].value);
        }
    }
}

static void put_values(struct ridge_json *json, const struct ridge_run *run, const struct ridge_record *record)
{
    for (size_t i = 0; i < run->dimension_count; i++) {
        ridge_json_value(json, run->dimension_names[i], &record->values[i]);
    }
}

/* Kernel Tuner cache. */

static int compare_values(const void *left, const void *right)
{
    const struct ridge_value *a = left;
    const struct ridge_value *b = right;
    if (a->type != b->type) {
        return a->type < b->type ? -1 : 1;
    }
    switch (a->type) {
    case RIDGE_INT: return (a->as.integer > b->as.integer) - (a->as.integer < b->as.integer);
    case RIDGE_FLOAT: return (a->as.number > b->as.number) - (a->as.number < b->as.number);
    case RIDGE_BOOL: return (int)a->as.truth - (int)b->as.truth;
    case RIDGE_TEXT: return strcmp(a->as.text, b->as.text);
    }
    return 0;
}

/** Refuse a dimension that has the name of what else an entry holds: the two could not be told apart. */
static ridge_status check_names(const struct ridge_run *run, struct ridge_error *error)
{
    static const char *const taken[] = {"time",           "times",         "compile_time",   "verification_time",
                                        "benchmark_time", "strategy_time", "framework_time", "timestamp",
                                        "__error__"};
    for (size_t i = 0; i < run->dimension_count; i++) {
        const char *name = run->dimension_names[i];
        bool is_taken = strncmp(name, "ridge_", 6) == 0;
        for (size_t own = 0; own < sizeof taken / sizeof taken[0]; own++) {
            is_taken = is_taken || strcmp(name, taken[own]) == 0;
        }
        if (is_taken) {
            return rg_error_set(error, RIDGE_E_VALUE,
                                "a Kernel Tuner cache cannot hold a dimension called %s (export it as t4 or csv)",
                                name);
        }
    }
    return RIDGE_OK;
}

/** The values that occur of each dimension, sorted. */
static ridge_status put_tune_params(struct ridge_json *json, const struct ridge_run *run, struct ridge_error *error)
{
    const struct ridge_context *context = rg_run_context(run);
    const size_t bytes = (run->record_count + 1) * sizeof(struct ridge_value); /* the records are in memory */
    struct ridge_value *values = rg_alloc(context, bytes);
    if (!values) {
        return rg_error_memory(error, bytes);
    }
    ridge_json_object_begin(json, "tune_params");
    for (size_t dimension = 0; dimension < run->dimension_count; dimension++) {
        for (size_t i = 0; i < run->record_count; i++) {
            values[i] = run->records[i].values[dimension];
        }
        qsort(values, run->record_count, sizeof *values, compare_values);
        ridge_json_array_begin_compact(json, run->dimension_names[dimension]);
        for (size_t i = 0; i < run->record_count; i++) {
            if (i == 0 || compare_values(&values[i - 1], &values[i]) != 0) {
                ridge_json_value(json, NULL, &values[i]);
            }
        }
        ridge_json_array_end(json);
    }
    ridge_json_object_end(json);
    rg_free(context, values, bytes);
    return RIDGE_OK;
}

/** "problem_size=4096x4096" as a list of numbers; other parameters as their text. */
static void put_problem_size(struct ridge_json *json, const char *parameters)
{
    static const char name[] = "problem_size=";
    const char *at = parameters + sizeof name - 1;
    if (strncmp(parameters, name, sizeof name - 1) != 0 || strspn(at, "0123456789x") != strlen(at) || !*at ||
        strlen(at) > 60) {
        ridge_json_text(json, "problem_size", parameters);
        return;
    }
    ridge_json_array_begin_compact(json, "problem_size");
    while (*at) {
        char *end = NULL;
        ridge_json_u64(json, NULL, strtoull(at, &end, 10));
        at = *end == 'x' ? end + 1 : end;
        at = end == at && *end != '\0' ? end + strlen(end) : at;
    }
    ridge_json_array_end(json);
}

/** The key of an entry: values as Python prints them, separated by commas. */
static void entry_key(const struct ridge_run *run, const struct ridge_record *record, struct rg_buffer *key)
{
    rg_buffer_clear(key);
    for (size_t i = 0; i < run->dimension_count; i++) {
        const struct ridge_value *value = &record->values[i];
        char number[64];
        ridge_value_format(value, number, sizeof number);
        rg_buffer_puts(key, i > 0 ? "," : "");
        if (value->type == RIDGE_BOOL) {
            rg_buffer_puts(key, value->as.truth ? "True" : "False");
        } else {
            rg_buffer_puts(key, value->type == RIDGE_TEXT ? value->as.text : number);
        }
    }
}

static void put_ms(struct ridge_json *json, const char *name, double seconds)
{
    double ms;
    to_ms(seconds, &ms);
    if (!isnan(ms)) {
        ridge_json_double(json, name, ms);
    }
}

static void put_samples(struct ridge_json *json, const struct ridge_record *record)
{
    bool exact = true;
    put_ms(json, "time", mean(record));
    ridge_json_array_begin(json, "times");
    for (uint64_t i = 0; i < record->sample_count; i++) {
        double ms;
        exact = to_ms(record->samples_s[i], &ms) && exact;
        ridge_json_double(json, NULL, ms);
    }
    ridge_json_array_end(json);
    if (exact) {
        return;
    }
    ridge_json_array_begin(json, "ridge_times_s");
    for (uint64_t i = 0; i < record->sample_count; i++) {
        ridge_json_double(json, NULL, record->samples_s[i]);
    }
    ridge_json_array_end(json);
}

/** A cost, and in seconds too when milliseconds would not bring it back. */
static void put_cost(struct ridge_json *json, const char *name, const char *exact_name, double seconds)
{
    double ms;
    put_ms(json, name, seconds);
    if (!to_ms(seconds, &ms)) {
        ridge_json_double(json, exact_name, seconds);
    }
}

static void put_entry(struct ridge_json *json, const struct ridge_run *run, const struct ridge_record *record,
                      const char *key)
{
    const struct failure_row *failure = &failures[record->outcome];
    ridge_json_object_begin_compact(json, key);
    put_values(json, run, record);
    if (record->outcome == RIDGE_OUTCOME_OK) {
        put_samples(json, record);
    } else {
        ridge_json_text(json, "time", failure->word);
        ridge_json_text(json, "__error__", failure->word);
    }
    put_cost(json, "compile_time", "ridge_compile_s", record->compile_s);
    if (!isnan(record->run_s)) {
        ridge_json_i64(json, "verification_time", 0);
    }
    put_cost(json, "benchmark_time", "ridge_run_s", record->run_s);
    ridge_json_i64(json, "strategy_time", 0);
    ridge_json_i64(json, "framework_time", 0);
    put_extras(json, record, failure->word_is_enough, ridge_json_text, ridge_json_i64);
    ridge_json_text(json, "timestamp", run->started_at);
    ridge_json_object_end(json);
}

static ridge_status put_cache(struct ridge_json *json, const struct ridge_run *run, struct ridge_error *error)
{
    struct rg_buffer key;
    rg_buffer_init(&key, rg_run_context(run));
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "device_name", run->info.device);
    ridge_json_text(json, "kernel_name", run->info.kernel);
    put_problem_size(json, run->info.parameters);
    ridge_json_array_begin_compact(json, "tune_params_keys");
    for (size_t i = 0; i < run->dimension_count; i++) {
        ridge_json_text(json, NULL, run->dimension_names[i]);
    }
    ridge_json_array_end(json);
    const ridge_status status = put_tune_params(json, run, error);
    ridge_json_text(json, "objective", "time");
    ridge_json_object_begin(json, "cache");
    for (size_t i = 0; status == RIDGE_OK && i < run->record_count && !json->failed; i++) {
        entry_key(run, &run->records[i], &key);
        put_entry(json, run, &run->records[i], rg_buffer_text(&key));
    }
    ridge_json_object_end(json);
    ridge_json_object_end(json);
    const bool memory = key.failed;
    rg_buffer_fini(&key);
    return memory ? rg_error_memory(error, 0) : status;
}

/* T4. */

/** Whether milliseconds bring every time back. */
static bool all_in_ms(const struct ridge_run *run)
{
    double ms;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct ridge_record *record = &run->records[i];
        bool exact = to_ms(record->compile_s, &ms) && to_ms(record->run_s, &ms);
        for (uint64_t sample = 0; exact && sample < record->sample_count; sample++) {
            exact = to_ms(record->samples_s[sample], &ms);
        }
        if (!exact) {
            return false;
        }
    }
    return true;
}

static void measurement_text(struct ridge_json *json, const char *name, const char *value)
{
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "name", name);
    ridge_json_text(json, "value", value);
    ridge_json_text(json, "unit", "");
    ridge_json_object_end(json);
}

static void measurement_count(struct ridge_json *json, const char *name, int64_t value)
{
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "name", name);
    ridge_json_i64(json, "value", value);
    ridge_json_text(json, "unit", "");
    ridge_json_object_end(json);
}

static void put_time(struct ridge_json *json, const char *name, double seconds, bool in_ms)
{
    double ms;
    to_ms(seconds, &ms);
    if (!isnan(seconds)) {
        ridge_json_double(json, name, in_ms ? ms : seconds);
    }
}

static void put_times(struct ridge_json *json, const struct ridge_record *record, bool in_ms)
{
    ridge_json_object_begin(json, "times");
    put_time(json, "compilation", record->compile_s, in_ms);
    put_time(json, "benchmark", record->run_s, in_ms);
    ridge_json_i64(json, "framework", 0);
    ridge_json_i64(json, "search_algorithm", 0);
    ridge_json_i64(json, "validation", 0);
    ridge_json_array_begin(json, "runtimes");
    for (uint64_t i = 0; record->outcome == RIDGE_OUTCOME_OK && i < record->sample_count; i++) {
        put_time(json, NULL, record->samples_s[i], in_ms);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

static void put_measurements(struct ridge_json *json, const struct ridge_record *record, bool in_ms)
{
    const struct failure_row *failure = &failures[record->outcome];
    ridge_json_array_begin(json, "measurements");
    if (record->outcome == RIDGE_OUTCOME_OK) {
        ridge_json_object_begin(json, NULL);
        ridge_json_text(json, "name", "time");
        put_time(json, "value", mean(record), in_ms);
        ridge_json_text(json, "unit", in_ms ? "ms" : "s");
        ridge_json_object_end(json);
    } else {
        measurement_text(json, "time", failure->word);
    }
    put_extras(json, record, failure->invalidity_is_enough, measurement_text, measurement_count);
    ridge_json_array_end(json);
}

static void put_result(struct ridge_json *json, const struct ridge_run *run, const struct ridge_record *record,
                       bool in_ms)
{
    ridge_json_object_begin_compact(json, NULL);
    if (run->started_at[0]) {
        ridge_json_text(json, "timestamp", run->started_at);
    }
    ridge_json_object_begin(json, "configuration");
    put_values(json, run, record);
    ridge_json_object_end(json);
    put_times(json, record, in_ms);
    ridge_json_text(json, "invalidity", failures[record->outcome].invalidity);
    ridge_json_i64(json, "correctness", record->outcome == RIDGE_OUTCOME_OK);
    put_measurements(json, record, in_ms);
    ridge_json_array_begin(json, "objectives");
    ridge_json_text(json, NULL, "time");
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

static void put_t4(struct ridge_json *json, const struct ridge_run *run)
{
    const bool in_ms = all_in_ms(run);
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "schema_version", "1.0.0");
    ridge_json_object_begin(json, "metadata");
    ridge_json_text(json, "timeunit", in_ms ? "milliseconds" : "seconds");
    ridge_json_text(json, "ridge_kernel", run->info.kernel);
    ridge_json_text(json, "ridge_device", run->info.device);
    ridge_json_text(json, "ridge_parameters", run->info.parameters);
    ridge_json_object_end(json);
    ridge_json_array_begin(json, "results");
    for (size_t i = 0; i < run->record_count && !json->failed; i++) {
        put_result(json, run, &run->records[i], in_ms);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

ridge_status ridge_record_write(const struct ridge_run *run, ridge_record_format format, struct ridge_sink sink,
                                struct ridge_error *error)
{
    struct ridge_json json;
    ridge_status status = RIDGE_OK;
    ridge_json_begin(&json, sink);
    if (format == RIDGE_RECORD_CACHE) {
        status = check_names(run, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    if (format == RIDGE_RECORD_CACHE) {
        status = put_cache(&json, run, error);
    } else {
        put_t4(&json, run);
    }
    const bool whole = ridge_json_end(&json);
    if (status != RIDGE_OK) {
        return status;
    }
    return whole ? RIDGE_OK : rg_error_set(error, RIDGE_E_IO, "the output could not be written");
}
