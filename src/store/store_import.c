/* SPDX-License-Identifier: MIT */
/* Records of a file become a run in the store. */
#include "base/clock.h"
#include "base/error.h"
#include "store/store_internal.h"

static const char cannot_import[] = "cannot import the records";

/** Find the run that the same file gave before. \return a code of SQLite; `*id` 0 when there is none. */
static int find_same(struct ridge_store *store, const struct ridge_run_info *info, int64_t *id)
{
    struct rg_query query = rg_query_begin(store, RG_SQL_RUN_SAME);
    rg_query_text(&query, info->source_hash);
    rg_query_text(&query, info->kernel);
    rg_query_text(&query, info->device);
    *id = 0;
    const int code = rg_query_number(&query, id);
    return code == SQLITE_NOTFOUND ? SQLITE_OK : code;
}

static int insert_record(struct ridge_store *store, int64_t id, const struct ridge_run *run,
                         const struct ridge_record *record)
{
    const struct rg_result result = {
        .id = record->id,
        .values = record->values,
        .outcome = record->outcome,
        .text = record->text,
        .samples_s = record->samples_s,
        .sample_count = record->sample_count,
        .rejected = record->rejected,
        .converged = record->converged,
        .compile_s = record->compile_s,
        .run_s = record->run_s,
        .kind = record->kind,
        .compiled = record,
    };
    return rg_store_insert_result(store, id, &result, &record->summary, run->dimension_count);
}

/** Say when the run was, and that it was imported now. */
static int mark_imported(struct ridge_store *store, int64_t id, const struct ridge_run *run)
{
    char now[RG_TIMESTAMP_BYTES];
    rg_clock_timestamp(now);
    struct rg_query update = rg_query_begin(store, RG_SQL_RUN_IMPORTED);
    rg_query_text(&update, ridge_run_state_word(run->state));
    rg_query_text(&update, run->state_text);
    rg_query_text(&update, run->started_at);
    rg_query_text(&update, run->ended_at);
    rg_query_text(&update, now);
    rg_query_i64(&update, id);
    return rg_query_run(&update);
}

static int insert_notes(struct ridge_store *store, int64_t id, const struct ridge_run *run)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < run->note_count; i++) {
        struct rg_query insert = rg_query_begin(store, RG_SQL_NOTE_INSERT);
        rg_query_i64(&insert, id);
        rg_query_text(&insert, run->notes[i]);
        code = rg_query_run(&insert);
    }
    return code;
}

static int insert_all(struct ridge_store *store, const struct ridge_run *run, int64_t *id)
{
    int code = rg_store_insert_run(store, &run->info, run->dimension_names, run->dimension_count, id);
    if (code == SQLITE_OK) {
        code = mark_imported(store, *id, run);
    }
    for (size_t i = 0; code == SQLITE_OK && i < run->record_count; i++) {
        code = insert_record(store, *id, run, &run->records[i]);
    }
    return code == SQLITE_OK ? insert_notes(store, *id, run) : code;
}

ridge_status ridge_store_import(struct ridge_store *store, const struct ridge_run *run, int64_t *id, bool *added,
                                struct ridge_error *error)
{
    int64_t made = 0;
    ridge_status status = rg_store_begin(store, cannot_import, error);
    if (status != RIDGE_OK) {
        return status;
    }
    int code = find_same(store, &run->info, &made);
    const bool is_new = made == 0;
    if (code == SQLITE_OK && is_new) {
        code = insert_all(store, run, &made);
    }
    status = rg_store_finish(store, code, cannot_import, error);
    if (status == RIDGE_OK) {
        *id = made;
        *added = is_new;
    }
    return status;
}
