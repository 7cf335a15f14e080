/* SPDX-License-Identifier: MIT */
/* Beginning a run, or going on with the newest one of the kernel when what a time depends on has not changed. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "space/space.h"
#include "tune/session.h"

static int compare_ids(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool rg_run_has(const struct rg_tuning *tuning, const char *id)
{
    return tuning->done_count > 0 &&
           bsearch(id, tuning->done_ids, tuning->done_count, RIDGE_ID_BYTES, compare_ids) != NULL;
}

/** What a time depends on, besides the configuration. */
struct identity_row {
    const char *what;
    size_t offset; /* of the text in struct ridge_run_info */
};

static const struct identity_row identity_rows[] = {
    {"the backend", offsetof(struct ridge_run_info, backend)},
    {"the device", offsetof(struct ridge_run_info, device)},
    {"the platform", offsetof(struct ridge_run_info, platform)},
    {"the driver or compiler", offsetof(struct ridge_run_info, driver)},
    {"the kernel's source", offsetof(struct ridge_run_info, source_hash)},
    {"entry, arguments, grid or verification", offsetof(struct ridge_run_info, arguments_hash)},
    {"the parameters", offsetof(struct ridge_run_info, parameters)},
    {"the cache mode", offsetof(struct ridge_run_info, cache)},
};

static const char *info_text(const struct ridge_run_info *info, size_t offset)
{
    const char *text;
    memcpy(&text, (const char *)info + offset, sizeof text);
    return text;
}

/** \return the first row in which two runs differ, or NULL when their times are comparable. */
static const struct identity_row *identity_difference(const struct ridge_run_info *a, const struct ridge_run_info *b)
{
    for (size_t i = 0; i < sizeof identity_rows / sizeof identity_rows[0]; i++) {
        const size_t offset = identity_rows[i].offset;
        if (strcmp(info_text(a, offset), info_text(b, offset)) != 0) {
            return &identity_rows[i];
        }
    }
    return NULL;
}

/** Say loudly why the old results are not used. */
static void difference_tell(const struct rg_tuning *tuning, const struct ridge_run *old, const struct identity_row *row)
{
    const char *before = info_text(&old->info, row->offset);
    const char *now = info_text(&tuning->info, row->offset);
    const bool hashes = strlen(before) == 64 && strlen(now) == 64;
    if (hashes) {
        rg_log(tuning->context, RIDGE_LOG_WARNING, "run %lld is not resumed: %s changed since; a new run begins",
               (long long)old->id, row->what);
        return;
    }
    rg_log(tuning->context, RIDGE_LOG_WARNING, "run %lld is not resumed: %s was '%s' and is '%s'; a new run begins",
           (long long)old->id, row->what, before, now);
}

static bool in_space(void *user, const struct ridge_value *values)
{
    const struct rg_tuning *tuning = user;
    uint32_t choice[RG_MAX_DIMENSIONS];
    return rg_space_find(tuning->space, values, choice);
}

/** Take over what an old run measured. */
static ridge_status run_take_over(struct rg_tuning *tuning, const struct ridge_run *old, struct ridge_error *error)
{
    tuning->done_ids = rg_arena_array(&tuning->arena, old->record_count ? old->record_count : 1, RIDGE_ID_BYTES);
    if (!tuning->done_ids) {
        return rg_error_memory(error, old->record_count * RIDGE_ID_BYTES);
    }
    for (size_t i = 0; i < old->record_count; i++) {
        const struct ridge_record *record = &old->records[i];
        uint32_t choice[RG_MAX_DIMENSIONS];
        if (!rg_space_find(tuning->space, record->values, choice)) {
            continue;
        }
        memcpy(tuning->done_ids + tuning->done_count++ * RIDGE_ID_BYTES, record->id, RIDGE_ID_BYTES);
        tuning->shown.failed += record->outcome != RIDGE_OUTCOME_OK;
        if (record->outcome == RIDGE_OUTCOME_OK) {
            tuning->ok_count++;
            rg_leaders_add(tuning, choice, record->id, &record->first);
        }
    }
    qsort(tuning->done_ids, tuning->done_count, RIDGE_ID_BYTES, compare_ids);
    tuning->shown.done = tuning->done_count;
    return RIDGE_OK;
}

/** Whether the dimensions have the same names: else old records say nothing about this space. */
static bool same_dimensions(const struct rg_tuning *tuning, const struct ridge_run *old)
{
    if (old->dimension_count != ridge_space_dimension_count(tuning->space)) {
        return false;
    }
    for (size_t i = 0; i < old->dimension_count; i++) {
        if (strcmp(old->dimension_names[i], ridge_space_dimension_name(tuning->space, i)) != 0) {
            return false;
        }
    }
    return true;
}

/** Open the newest run again. \param[out] resumed  false when it is not comparable. */
static ridge_status run_resume(struct rg_tuning *tuning, int64_t id, bool *resumed, struct ridge_error *error)
{
    struct ridge_run *old = NULL;
    ridge_status status = ridge_store_run_load(tuning->store, id, &old, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const struct identity_row *difference = identity_difference(&old->info, &tuning->info);
    if (!difference && !same_dimensions(tuning, old)) {
        rg_log(tuning->context, RIDGE_LOG_WARNING,
               "run %lld is not resumed: its dimensions have other names; a new run begins", (long long)id);
    } else if (difference) {
        difference_tell(tuning, old, difference);
    } else {
        *resumed = true;
        tuning->finals_done = old->state == RIDGE_RUN_COMPLETE || old->state == RIDGE_RUN_LIMITED;
        status = run_take_over(tuning, old, error);
        if (status == RIDGE_OK) {
            status = rg_store_run_reopen(tuning->store, id, &tuning->info, in_space, tuning, error);
        }
        tuning->run = status == RIDGE_OK ? id : 0;
    }
    ridge_run_destroy(old);
    return status;
}

ridge_status rg_run_begin_or_resume(struct rg_tuning *tuning, struct ridge_error *error)
{
    int64_t newest = 0;
    bool resumed = false;
    ridge_status status = RIDGE_OK;
    if (tuning->options.resume) {
        status = rg_store_run_newest(tuning->store, tuning->info.kernel, &newest, error);
    }
    if (status == RIDGE_OK && newest > 0) {
        status = run_resume(tuning, newest, &resumed, error);
    }
    if (status != RIDGE_OK || resumed) {
        return status;
    }
    const char *names[RG_MAX_DIMENSIONS];
    const size_t count = ridge_space_dimension_count(tuning->space);
    for (size_t i = 0; i < count; i++) {
        names[i] = ridge_space_dimension_name(tuning->space, i);
    }
    return rg_store_run_begin(tuning->store, &tuning->info, names, count, &tuning->run, error);
}
