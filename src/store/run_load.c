/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "ridge/units.h"
#include "space/run.h"
#include "store/store_internal.h"

static const char cannot_load[] = "cannot load the run";

/** A run while it is loaded. */
struct loader {
    struct ridge_store *store;
    struct rg_run *run;
    struct rg_sample_list samples; /**< of one result at a time */
    struct ridge_error *error;
};

/** Copy a text of the row into the run. NULL only when memory is out. */
static const char *keep_text(const struct loader *loader, const struct rg_query *query, int column)
{
    return rg_arena_strdup(&loader->run->arena, rg_column_text(query, column));
}

static bool read_info(struct loader *loader, const struct rg_query *query)
{
    struct ridge_run *run = &loader->run->shown;
    struct ridge_run_info *info = &run->info;
    const char **const texts[] = {
        &info->kernel,      &info->backend,        &info->device,     &info->platform,      &info->driver,
        &info->source_hash, &info->arguments_hash, &info->parameters, &info->cache,         &info->space_hash,
        &info->spec_path,   &info->order,          &info->reference,  &info->ridge_version, &info->host};
    bool fine = true;
    for (int i = 0; i < (int)(sizeof texts / sizeof texts[0]); i++) {
        *texts[i] = keep_text(loader, query, i);
        fine = fine && *texts[i];
    }
    run->state_text = keep_text(loader, query, 18);
    run->started_at = keep_text(loader, query, 19);
    run->ended_at = keep_text(loader, query, 20);
    info->space_count = (uint64_t)sqlite3_column_int64(query->statement, 16);
    run->seconds = (struct ridge_run_seconds){
        .compile = rg_column_double(query, 21),
        .run = rg_column_double(query, 22),
        .own = rg_column_double(query, 23),
        .total = rg_column_double(query, 24),
    };
    return fine && run->state_text && run->started_at && run->ended_at;
}

static ridge_status load_info(struct loader *loader)
{
    struct ridge_run *run = &loader->run->shown;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_RUN_LOAD);
    rg_query_i64(&query, run->id);
    bool memory = false;
    bool sense = true;
    const bool found = rg_query_row(&query);
    if (found) {
        const int state = rg_run_state_find(rg_column_text(&query, 17));
        run->state = (ridge_run_state)(state < 0 ? 0 : state);
        sense =
            state >= 0 && ridge_count_parse(rg_column_text(&query, 15), UINT64_MAX, &run->info.seed, NULL) == RIDGE_OK;
        memory = !read_info(loader, &query);
    }
    const int code = rg_query_end(&query);
    if (code != SQLITE_OK) {
        return rg_store_error(loader->store, code, cannot_load, loader->error);
    }
    if (memory) {
        return rg_error_memory(loader->error, 0);
    }
    return found && sense ? RIDGE_OK
                          : rg_store_damaged(loader->store, loader->error, "run %lld has an unknown state or seed",
                                             (long long)run->id);
}

/** Load a column of texts that belong to the run. */
static ridge_status load_texts(struct loader *loader, enum rg_sql which, const char *const **out, size_t *out_count)
{
    const struct ridge_context *context = loader->store->context;
    const char **texts = NULL;
    size_t capacity = 0;
    size_t count = 0;
    bool fine = true;
    struct rg_query query = rg_query_begin(loader->store, which);
    rg_query_i64(&query, loader->run->shown.id);
    while (fine && rg_query_row(&query)) {
        fine = rg_reserve(context, (void *)&texts, &capacity, count + 1, sizeof *texts);
        if (fine) {
            texts[count] = keep_text(loader, &query, 0);
            fine = texts[count++] != NULL;
        }
    }
    const int code = rg_query_end(&query);
    const char **kept = rg_arena_array(&loader->run->arena, count, sizeof *kept);
    if (fine && kept && count > 0) {
        memcpy((void *)kept, (const void *)texts, count * sizeof *kept);
    }
    rg_free(context, (void *)texts, capacity * sizeof *texts);
    if (code != SQLITE_OK) {
        return rg_store_error(loader->store, code, cannot_load, loader->error);
    }
    if (!fine || !kept) {
        return rg_error_memory(loader->error, count);
    }
    *out = kept;
    *out_count = count;
    return RIDGE_OK;
}

static ridge_status load_stage(struct loader *loader, int64_t result, bool final)
{
    const int code = rg_samples_load(loader->store, result, final, &loader->samples);
    return code == SQLITE_OK ? RIDGE_OK : rg_store_error(loader->store, code, cannot_load, loader->error);
}

/** Load the samples that count, and what those before the finals came to. */
static ridge_status load_samples(struct loader *loader, int64_t result, struct ridge_record *record)
{
    struct rg_sample_list *samples = &loader->samples;
    ridge_status status = load_stage(loader, result, false);
    if (status == RIDGE_OK && record->finalist) {
        status =
            rg_samples_summarise(loader->store, samples->items, NULL, samples->count, &record->first, loader->error);
        if (status == RIDGE_OK) {
            status = load_stage(loader, result, true);
        }
    }
    record->throttled = samples->throttled;
    return status == RIDGE_OK
               ? rg_record_samples_set(loader->run, record, samples->items, samples->count, loader->error)
               : status;
}

/** A number of the compiler, -1 for NULL. */
static int64_t read_fact(const struct rg_query *query, int column)
{
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL
               ? -1
               : sqlite3_column_int64(query->statement, column);
}

/** Read the columns of a result. \return false when memory is out; `*sense` false when they make no sense. */
static bool read_result(struct loader *loader, const struct rg_query *query, struct ridge_record *record, bool *sense)
{
    const char *id = rg_column_text(query, 1);
    const int outcome = rg_outcome_find(rg_column_text(query, 2));
    const int kind = rg_kind_find(rg_column_text(query, 3));
    *sense = outcome >= 0 && kind >= 0 && strlen(id) < sizeof record->id;
    if (!*sense) {
        return true;
    }
    memcpy(record->id, id, strlen(id) + 1);
    record->outcome = (ridge_outcome)outcome;
    record->kind = (ridge_kind)kind;
    record->in_space = sqlite3_column_int64(query->statement, 5) != 0;
    record->finalist = sqlite3_column_int64(query->statement, 6) != 0;
    record->converged = sqlite3_column_int64(query->statement, 7) != 0;
    record->rejected = (uint64_t)sqlite3_column_int64(query->statement, 8);
    record->compile_s = rg_column_double(query, 9);
    record->run_s = rg_column_double(query, 10);
    record->registers = read_fact(query, 11);
    record->shared_bytes = read_fact(query, 12);
    record->spill_bytes = read_fact(query, 13);
    if (sqlite3_column_type(query->statement, 4) == SQLITE_NULL) {
        return true;
    }
    record->text = keep_text(loader, query, 4);
    return record->text != NULL;
}

/** Load what the configuration uses up; nothing where its spec did not say. */
static ridge_status load_work(struct loader *loader, int64_t result, struct ridge_record *record)
{
    struct ridge_work work = {0};
    bool any = false;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_WORK_LOAD);
    rg_query_i64(&query, result);
    while (rg_query_row(&query)) {
        for (unsigned i = 0; i < RIDGE_ROOF_COUNT; i++) {
            if (strcmp(rg_column_text(&query, 0), ridge_roof_key((ridge_roof)i)) == 0) {
                work.amount[i] = rg_column_double(&query, 1);
                any = true;
            }
        }
    }
    const int code = rg_query_end(&query);
    if (code != SQLITE_OK) {
        return rg_store_error(loader->store, code, cannot_load, loader->error);
    }
    if (!any) {
        return RIDGE_OK;
    }
    struct ridge_work *kept = rg_arena_alloc(&loader->run->arena, sizeof *kept);
    if (!kept) {
        return rg_error_memory(loader->error, sizeof *kept);
    }
    *kept = work;
    record->work = kept;
    return RIDGE_OK;
}

/** Load what belongs to the result in the row. */
static ridge_status load_result(struct loader *loader, const struct rg_query *query, struct ridge_record *record)
{
    const int64_t result = sqlite3_column_int64(query->statement, 0);
    const size_t dimension_count = loader->run->shown.dimension_count;
    struct ridge_value *values = rg_arena_array(&loader->run->arena, dimension_count, sizeof *values);
    bool sense = true;
    if (!values || !read_result(loader, query, record, &sense)) {
        return rg_error_memory(loader->error, 0);
    }
    if (!sense) {
        return rg_store_damaged(loader->store, loader->error, "result %lld has an unknown outcome, kind or id",
                                (long long)result);
    }
    record->values = values;
    ridge_status status =
        rg_store_values_load(loader->store, result, dimension_count, &loader->run->arena, values, loader->error);
    if (status == RIDGE_OK) {
        status = load_samples(loader, result, record);
    }
    return status == RIDGE_OK ? load_work(loader, result, record) : status;
}

static ridge_status load_results(struct loader *loader)
{
    struct rg_query counting = rg_query_begin(loader->store, RG_SQL_RESULT_COUNT);
    rg_query_i64(&counting, loader->run->shown.id);
    int64_t count = 0;
    int code = rg_query_number(&counting, &count);
    if (code != SQLITE_OK) {
        return rg_store_error(loader->store, code, cannot_load, loader->error);
    }
    ridge_status status = rg_run_reserve(loader->run, (size_t)count, loader->error);
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_RESULT_LOAD);
    rg_query_i64(&query, loader->run->shown.id);
    /* One read transaction: the rows are as many as were counted. */
    for (size_t i = 0; status == RIDGE_OK && i < (size_t)count && rg_query_row(&query); i++) {
        status = load_result(loader, &query, &loader->run->records[i]);
    }
    code = rg_query_end(&query);
    return status == RIDGE_OK && code != SQLITE_OK ? rg_store_error(loader->store, code, cannot_load, loader->error)
                                                   : status;
}

/** Load which workload of which group the run is of, if any. */
static ridge_status load_workload(struct loader *loader)
{
    struct ridge_run *run = &loader->run->shown;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_WORKLOAD_RUN);
    rg_query_i64(&query, run->id);
    bool memory = false;
    if (rg_query_row(&query)) {
        run->group = sqlite3_column_int64(query.statement, 0);
        run->workload = keep_text(loader, &query, 1);
        memory = !run->workload;
    }
    const int code = rg_query_end(&query);
    if (code != SQLITE_OK) {
        return rg_store_error(loader->store, code, cannot_load, loader->error);
    }
    return memory ? rg_error_memory(loader->error, 0) : RIDGE_OK;
}

static ridge_status load_drift(struct loader *loader)
{
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_DRIFT_LOAD);
    rg_query_i64(&query, loader->run->shown.id);
    if (rg_query_row(&query)) {
        loader->run->shown.drift_ratio = rg_column_double(&query, 0);
    }
    const int code = rg_query_end(&query);
    return code == SQLITE_OK ? RIDGE_OK : rg_store_error(loader->store, code, cannot_load, loader->error);
}

/** Find the run: the newest for id 0. */
static ridge_status find_run(struct loader *loader, int64_t id)
{
    if (id == 0) {
        struct rg_query query = rg_query_begin(loader->store, RG_SQL_RUN_LAST);
        const int code = rg_query_number(&query, &id);
        if (code != SQLITE_OK) {
            return rg_store_error(loader->store, code, cannot_load, loader->error);
        }
    }
    loader->run->shown.id = id;
    size_t dimension_count = 0;
    return rg_store_run_check(loader->store, id, &dimension_count, loader->error);
}

static ridge_status load_all(struct loader *loader, int64_t id)
{
    struct ridge_run *run = &loader->run->shown;
    ridge_status status = find_run(loader, id);
    if (status == RIDGE_OK) {
        status = load_info(loader);
    }
    if (status == RIDGE_OK) {
        status = load_texts(loader, RG_SQL_DIMENSION_LOAD, &run->dimension_names, &run->dimension_count);
    }
    if (status == RIDGE_OK) {
        status = load_texts(loader, RG_SQL_NOTE_LOAD, &run->notes, &run->note_count);
    }
    if (status == RIDGE_OK) {
        status = load_results(loader);
    }
    if (status == RIDGE_OK) {
        status = load_drift(loader);
    }
    if (status == RIDGE_OK) {
        status = load_workload(loader);
    }
    return status == RIDGE_OK ? rg_run_rank(loader->run, loader->error) : status;
}

ridge_status ridge_store_run_load(struct ridge_store *store, int64_t id, struct ridge_run **out,
                                  struct ridge_error *error)
{
    struct loader loader = {.store = store, .error = error};
    ridge_status status = rg_run_create(store->context, &loader.run, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_query begin = rg_query_begin(store, RG_SQL_BEGIN_READ);
    const int code = rg_query_run(&begin);
    status = code == SQLITE_OK ? load_all(&loader, id) : rg_store_error(store, code, cannot_load, error);
    rg_store_rollback(store);
    rg_samples_free(store, &loader.samples);
    if (status == RIDGE_OK) {
        status = rg_run_score(store, loader.run, error);
    }
    if (status != RIDGE_OK) {
        ridge_run_destroy(&loader.run->shown);
        return status;
    }
    *out = &loader.run->shown;
    return RIDGE_OK;
}
