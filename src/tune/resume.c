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
    {"the parameters", offsetof(struct ridge_run_info, parameters)},
    {"entry, arguments, grid, reference or tolerance", offsetof(struct ridge_run_info, arguments_hash)},
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

static bool in_space(void *user, const struct ridge_value *values)
{
    const struct rg_tuning *tuning = user;
    uint32_t choice[RG_MAX_DIMENSIONS];
    return rg_space_find(tuning->space, values, choice);
}

/** The order of a resumed run: what it began with, and then what it goes on with. NULL: memory is out. */
static const char *order_text(struct rg_tuning *tuning, const char *old)
{
    const char *now = tuning->info.order;
    const size_t length = strlen(old);
    const size_t tail = strlen(now);
    const bool same = length >= tail && strcmp(old + length - tail, now) == 0;
    return same ? rg_arena_strdup(&tuning->arena, old) : rg_arena_printf(&tuning->arena, "%s, then %s", old, now);
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
    tuning->info.order = order_text(tuning, old->info.order);
    tuning->info.seed = old->info.seed;
    if (!tuning->info.order) {
        return rg_error_memory(error, RG_MAX_DIMENSIONS);
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

/** \return why the times of an old run say nothing about this one, in words from the arena; NULL: they do. */
static const char *difference_text(struct rg_tuning *tuning, const struct ridge_run *old)
{
    enum {
        HASH_LENGTH = 64
    };
    const struct identity_row *row = identity_difference(&old->info, &tuning->info);
    if (!row) {
        return same_dimensions(tuning, old) ? NULL : "its dimensions have other names";
    }
    const char *before = info_text(&old->info, row->offset);
    const char *now = info_text(&tuning->info, row->offset);
    const char *text = strlen(before) == HASH_LENGTH && strlen(now) == HASH_LENGTH
                           ? rg_arena_printf(&tuning->arena, "%s changed since", row->what)
                           : rg_arena_printf(&tuning->arena, "%s: '%s' then, '%s' now", row->what, before, now);
    return text ? text : row->what;
}

/** What became of looking at an earlier run. */
struct resume {
    bool resumed;
    bool told; /* why the newest run is not resumed was said */
};

/** Open a run again, unless its times are not comparable: then say why, once. */
static ridge_status run_try(struct rg_tuning *tuning, int64_t id, struct resume *resume, struct ridge_error *error)
{
    struct ridge_run *old = NULL;
    ridge_status status = ridge_store_run_load(tuning->store, id, &old, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const char *why = difference_text(tuning, old);
    if (why) {
        if (!resume->told) {
            rg_log(tuning->context, RIDGE_LOG_WARNING, "run %lld is not resumed: %s", (long long)id, why);
        }
        resume->told = true;
        ridge_run_destroy(old);
        return RIDGE_OK;
    }
    resume->resumed = true;
    tuning->finals_done = old->state == RIDGE_RUN_COMPLETE || old->state == RIDGE_RUN_LIMITED;
    status = rg_run_lock(tuning, id, error);
    if (status == RIDGE_OK) {
        status = run_take_over(tuning, old, error);
    }
    if (status == RIDGE_OK) {
        status = rg_store_run_reopen(tuning->store, id, &tuning->info, in_space, tuning, error);
    }
    tuning->run = status == RIDGE_OK ? id : 0;
    ridge_run_destroy(old);
    return status;
}

static ridge_status begin_or_resume(struct rg_tuning *tuning, struct ridge_error *error)
{
    struct resume resume = {0};
    ridge_status status = RIDGE_OK;
    int64_t run = tuning->options.resume ? INT64_MAX : 0;
    while (status == RIDGE_OK && run > 0 && !resume.resumed) {
        status = rg_store_run_newest(tuning->store, tuning->info.kernel, run, &run, error);
        if (status == RIDGE_OK && run > 0) {
            status = run_try(tuning, run, &resume, error);
        }
    }
    if (status != RIDGE_OK || resume.resumed) {
        return status;
    }
    const char *names[RG_MAX_DIMENSIONS];
    const size_t count = ridge_space_dimension_count(tuning->space);
    for (size_t i = 0; i < count; i++) {
        names[i] = ridge_space_dimension_name(tuning->space, i);
    }
    status = rg_store_run_begin(tuning->store, &tuning->info, names, count, &tuning->run, error);
    return status == RIDGE_OK ? rg_run_lock(tuning, tuning->run, error) : status;
}

/** Keep which workload of the spec the run is of. */
static ridge_status workload_put(struct rg_tuning *tuning, struct ridge_error *error)
{
    const struct ridge_spec *spec = tuning->spec;
    if (spec->workload == 0) {
        return RIDGE_OK;
    }
    const struct ridge_workload *workload = &spec->workloads[spec->workload - 1];
    const struct rg_member member = {.group = tuning->options.group,
                                     .position = spec->workload - 1,
                                     .count = spec->workload_count,
                                     .name = workload->name,
                                     .weight = workload->weight,
                                     .base = spec->base_id};
    return rg_store_member_put(tuning->store, tuning->run, &member, error);
}

ridge_status rg_run_begin_or_resume(struct rg_tuning *tuning, struct ridge_error *error)
{
    const ridge_status status = begin_or_resume(tuning, error);
    return status == RIDGE_OK ? workload_put(tuning, error) : status;
}
