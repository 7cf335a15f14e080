/* SPDX-License-Identifier: MIT */
/* A file of records as a device: which record belongs to which configuration of the spec. A configuration is found by
 * the text of its values, since that is what a backend is given: true and 1, 2 and 2.0 are the same. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "expr/expr_arithmetic.h"
#include "ridge/record.h"
#include "ridge/units.h"
#include "space/space.h"
#include "tune/session.h"

/** Where a record is found. */
struct entry {
    uint8_t key[RG_SHA256_BYTES];
    struct rg_recorded recorded;
};

struct recording {
    struct rg_recording shown; /* first, so that a pointer to it is a pointer to the whole */
    const struct ridge_run *run;
    bool *shared; /* by dimension of the file: the spec has it too */
    struct entry *entries;
    size_t count;
};

bool rg_is_replay(const struct rg_tuning *tuning)
{
    return tuning->records != NULL;
}

static void key_add(struct rg_sha256 *hash, const char *name, const char *text)
{
    const size_t length = strlen(text);
    const bool whole = length > 2 && strcmp(text + length - 2, ".0") == 0;
    rg_sha256_update(hash, name, strlen(name) + 1);
    rg_sha256_update(hash, text, whole ? length - 2 : length);
    rg_sha256_update(hash, "", 1);
}

static void record_key(const struct recording *recording, const struct ridge_record *record,
                       uint8_t key[RG_SHA256_BYTES])
{
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    for (size_t i = 0; i < recording->run->dimension_count; i++) {
        const struct ridge_value *value = &record->values[i];
        char number[64];
        const char *text = number;
        ridge_value_format(value, number, sizeof number);
        if (value->type == RIDGE_BOOL) {
            text = value->as.truth ? "1" : "0";
        } else if (value->type == RIDGE_TEXT) {
            text = value->as.text;
        }
        if (recording->shared[i]) {
            key_add(&hash, recording->run->dimension_names[i], text);
        }
    }
    rg_sha256_final(&hash, key);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    return memcmp(a->key, b->key, sizeof a->key);
}

/** \return the position of a dimension in the file, or the count of them. */
static size_t file_position(const struct ridge_run *run, const char *name)
{
    size_t at = 0;
    while (at < run->dimension_count && strcmp(run->dimension_names[at], name) != 0) {
        at++;
    }
    return at;
}

static const struct rg_recorded *find(const struct rg_recording *shown, const struct rg_macro *macros,
                                      size_t macro_count)
{
    const struct recording *recording = (const struct recording *)shown;
    struct entry wanted = {0};
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    for (size_t i = 0; i < macro_count; i++) {
        if (file_position(recording->run, macros[i].name) < recording->run->dimension_count) {
            key_add(&hash, macros[i].name, macros[i].value);
        }
    }
    rg_sha256_final(&hash, wanted.key);
    const struct entry *entry = bsearch(&wanted, recording->entries, recording->count, sizeof wanted, compare_entries);
    return entry ? &entry->recorded : NULL;
}

/** Whether all records have the same value in a dimension. */
static bool is_constant(const struct ridge_run *run, size_t dimension)
{
    for (size_t i = 1; i < run->record_count; i++) {
        if (!rg_value_equal(run->records[0].values[dimension], run->records[i].values[dimension])) {
            return false;
        }
    }
    return true;
}

/** Compare names: what one side lacks must be constant on the other. */
static ridge_status check_names(const struct rg_tuning *tuning, const struct recording *recording, const char *file,
                                struct ridge_error *error)
{
    const struct ridge_run *run = recording->run;
    const struct rg_place place = {.file = file};
    for (size_t i = 0; i < run->dimension_count; i++) {
        if (!recording->shared[i] && !is_constant(run, i)) {
            return rg_error_at(error, RIDGE_E_NAME, &place,
                               "none of its %zu results fits the spec: %s is no dimension of %s (rename it there)",
                               run->record_count, run->dimension_names[i], tuning->spec->path);
        }
    }
    for (size_t i = 0; i < ridge_space_dimension_count(tuning->space); i++) {
        const char *name = ridge_space_dimension_name(tuning->space, i);
        if (file_position(run, name) == run->dimension_count && ridge_space_dimension_size(tuning->space, i) > 1) {
            const char *near = ridge_near_name(name, run->dimension_names, run->dimension_count);
            return rg_error_at(
                error, RIDGE_E_NAME, &place, "none of its %zu results fits the spec: they do not say what %s was%s%s%s",
                run->record_count, name, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
        }
    }
    return RIDGE_OK;
}

static ridge_status entries_fill(struct rg_tuning *tuning, struct recording *recording, struct ridge_error *error)
{
    const struct ridge_run *run = recording->run;
    recording->entries = rg_arena_array(&tuning->arena, run->record_count, sizeof *recording->entries);
    if (!recording->entries) {
        return rg_error_memory(error, run->record_count * sizeof *recording->entries);
    }
    for (size_t i = 0; i < run->record_count; i++) {
        const struct ridge_record *record = &run->records[i];
        struct entry *entry = &recording->entries[recording->count++];
        record_key(recording, record, entry->key);
        entry->recorded = (struct rg_recorded){record->outcome, record->text, record->samples_s, record->sample_count};
    }
    qsort(recording->entries, recording->count, sizeof *recording->entries, compare_entries);
    return RIDGE_OK;
}

ridge_status rg_recording_open(struct rg_tuning *tuning, const char *file, const struct rg_recording **out,
                               struct ridge_error *error)
{
    ridge_status status = ridge_record_read(tuning->context, file, NULL, &tuning->records, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const struct ridge_run *run = tuning->records;
    struct recording *recording = rg_arena_alloc(&tuning->arena, sizeof *recording);
    bool *shared = rg_arena_array(&tuning->arena, run->dimension_count, sizeof *shared);
    const char *driver = rg_arena_printf(&tuning->arena, "%s %.16s", run->info.driver, run->info.source_hash);
    if (!recording || !shared || !driver) {
        return rg_error_memory(error, sizeof *recording);
    }
    for (size_t i = 0; i < ridge_space_dimension_count(tuning->space); i++) {
        const size_t position = file_position(run, ridge_space_dimension_name(tuning->space, i));
        if (position < run->dimension_count) {
            shared[position] = true;
        }
    }
    *recording = (struct recording){
        .shown = {run->info.device[0] ? run->info.device : "a device without a name", driver, find},
        .run = run,
        .shared = shared,
    };
    status = check_names(tuning, recording, file, error);
    if (status == RIDGE_OK) {
        status = entries_fill(tuning, recording, error);
    }
    *out = &recording->shown;
    return status;
}

void rg_recording_close(struct rg_tuning *tuning)
{
    ridge_run_destroy(tuning->records);
}
