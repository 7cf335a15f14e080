/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"
#include "space/run.h"
#include "store/store_internal.h"

/** Bind the columns from kernel to space_count: the same in both statements. `seed` must outlive the query. */
static void bind_info(struct rg_query *query, const struct ridge_run_info *info, char seed[32])
{
    const char *const texts[] = {
        info->kernel,      info->backend,        info->device,     info->platform,      info->driver,
        info->source_hash, info->arguments_hash, info->parameters, info->cache,         info->space_hash,
        info->spec_path,   info->order,          info->reference,  info->ridge_version, info->host};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rg_query_text(query, texts[i] ? texts[i] : "");
    }
    snprintf(seed, 32, "%llu", (unsigned long long)info->seed);
    rg_query_text(query, seed);
    rg_query_u64(query, info->space_count);
}

static int insert_run(struct ridge_store *store, const struct ridge_run_info *info, int64_t *run)
{
    char seed[32];
    char now[RG_TIMESTAMP_BYTES];
    rg_clock_timestamp(now);
    struct rg_query insert = rg_query_begin(store, RG_SQL_RUN_INSERT);
    bind_info(&insert, info, seed);
    rg_query_text(&insert, now);
    const int code = rg_query_run(&insert);
    *run = sqlite3_last_insert_rowid(store->database);
    return code;
}

static int insert_dimensions(struct ridge_store *store, int64_t run, const char *const *names, size_t count)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < count; i++) {
        struct rg_query insert = rg_query_begin(store, RG_SQL_DIMENSION_INSERT);
        rg_query_i64(&insert, run);
        rg_query_u64(&insert, i);
        rg_query_text(&insert, names[i]);
        code = rg_query_run(&insert);
    }
    return code;
}

int rg_store_insert_run(struct ridge_store *store, const struct ridge_run_info *info, const char *const *names,
                        size_t dimension_count, int64_t *run)
{
    const int code = insert_run(store, info, run);
    return code == SQLITE_OK ? insert_dimensions(store, *run, names, dimension_count) : code;
}

ridge_status rg_store_run_begin(struct ridge_store *store, const struct ridge_run_info *info, const char *const *names,
                                size_t dimension_count, int64_t *run, struct ridge_error *error)
{
    static const char what[] = "cannot begin a run";
    ridge_status status = rg_store_begin(store, what, error);
    if (status != RIDGE_OK) {
        return status;
    }
    int64_t made = 0;
    const int code = rg_store_insert_run(store, info, names, dimension_count, &made);
    status = rg_store_finish(store, code, what, error);
    if (status == RIDGE_OK) {
        *run = made;
    }
    return status;
}

ridge_status rg_store_run_newest(struct ridge_store *store, const char *kernel, int64_t before, int64_t *run,
                                 struct ridge_error *error)
{
    struct rg_query query = rg_query_begin(store, RG_SQL_RUN_NEWEST);
    rg_query_text(&query, kernel);
    rg_query_i64(&query, before);
    int64_t found = 0;
    const int code = rg_query_number(&query, &found);
    if (code != SQLITE_OK) {
        return rg_store_error(store, code, "cannot look for earlier runs", error);
    }
    *run = found;
    return RIDGE_OK;
}

/** Write "there are 1, 2, 5": at most `most` numbers, then how many more. */
static int list_runs(struct ridge_store *store, struct rg_buffer *text)
{
    enum {
        MOST = 20
    };
    size_t count = 0;
    struct rg_query query = rg_query_begin(store, RG_SQL_RUN_IDS);
    while (rg_query_row(&query)) {
        if (count++ < MOST) {
            rg_buffer_printf(text, "%s%lld", count > 1 ? ", " : "",
                             (long long)sqlite3_column_int64(query.statement, 0));
        }
    }
    if (count > MOST) {
        rg_buffer_printf(text, " and %zu more", count - MOST);
    }
    return rg_query_end(&query);
}

static ridge_status no_such_run(struct ridge_store *store, int64_t run, struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, store->context);
    const struct rg_place place = {.file = store->path};
    const int code = list_runs(store, &text);
    ridge_status status;
    if (code != SQLITE_OK) {
        status = rg_store_error(store, code, "cannot list the runs", error);
    } else if (text.failed) {
        status = rg_error_memory(error, text.capacity);
    } else if (text.length == 0) {
        status = rg_error_at(
            error, RIDGE_E_NAME, &place,
            "it holds no runs yet (ridge tune keeps them beside its spec: go to that folder, or name the file with --db)");
    } else {
        status = rg_error_at(error, RIDGE_E_NAME, &place, "there is no run %lld (there are: %s)", (long long)run,
                             rg_buffer_text(&text));
    }
    rg_buffer_fini(&text);
    return status;
}

ridge_status rg_store_run_check(struct ridge_store *store, int64_t run, size_t *dimension_count,
                                struct ridge_error *error)
{
    struct rg_query query = rg_query_begin(store, RG_SQL_RUN_DIMENSIONS);
    rg_query_i64(&query, run);
    int64_t count = 0;
    const int code = rg_query_number(&query, &count);
    if (code == SQLITE_NOTFOUND) {
        return no_such_run(store, run, error);
    }
    if (code != SQLITE_OK) {
        return rg_store_error(store, code, "cannot read the run", error);
    }
    *dimension_count = (size_t)count;
    return RIDGE_OK;
}

ridge_status rg_store_begin_run(struct ridge_store *store, int64_t run, size_t *dimension_count, const char *what,
                                struct ridge_error *error)
{
    ridge_status status = rg_store_begin(store, what, error);
    if (status != RIDGE_OK) {
        return status;
    }
    status = rg_store_run_check(store, run, dimension_count, error);
    if (status != RIDGE_OK) {
        rg_store_rollback(store);
    }
    return status;
}

/** Ask of every result of a run whether it is in the space now, and write down what changed. */
static ridge_status mark_results(struct ridge_store *store, int64_t run, size_t dimension_count, struct rg_arena *arena,
                                 bool (*in_space)(void *user, const struct ridge_value *values), void *user,
                                 struct ridge_error *error)
{
    static const char what[] = "cannot resume the run";
    struct ridge_value *values = rg_arena_array(arena, dimension_count, sizeof *values);
    ridge_status status = values ? RIDGE_OK : rg_error_memory(error, dimension_count);
    for (int64_t result = 0; status == RIDGE_OK;) {
        struct rg_query next = rg_query_begin(store, RG_SQL_RESULT_NEXT);
        rg_query_i64(&next, run);
        rg_query_i64(&next, result);
        const bool found = rg_query_row(&next);
        const bool was = found && sqlite3_column_int64(next.statement, 1) != 0;
        result = found ? sqlite3_column_int64(next.statement, 0) : result;
        int code = rg_query_end(&next);
        if (code == SQLITE_OK && !found) {
            break;
        }
        if (code == SQLITE_OK) {
            status = rg_store_values_load(store, result, dimension_count, arena, values, error);
        }
        if (code == SQLITE_OK && status == RIDGE_OK && in_space(user, values) != was) {
            struct rg_query mark = rg_query_begin(store, RG_SQL_RESULT_IN_SPACE);
            rg_query_i64(&mark, was ? 0 : 1);
            rg_query_i64(&mark, result);
            code = rg_query_run(&mark);
        }
        status = code == SQLITE_OK ? status : rg_store_error(store, code, what, error);
    }
    return status;
}

ridge_status rg_store_run_reopen(struct ridge_store *store, int64_t run, const struct ridge_run_info *info,
                                 bool (*in_space)(void *user, const struct ridge_value *values), void *user,
                                 struct ridge_error *error)
{
    static const char what[] = "cannot resume the run";
    size_t dimension_count = 0;
    ridge_status status = rg_store_begin_run(store, run, &dimension_count, what, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_arena arena;
    rg_arena_init(&arena, store->context);
    status = mark_results(store, run, dimension_count, &arena, in_space, user, error);
    rg_arena_fini(&arena);
    if (status != RIDGE_OK) {
        rg_store_rollback(store);
        return status;
    }
    char seed[32];
    struct rg_query update = rg_query_begin(store, RG_SQL_RUN_REOPEN);
    bind_info(&update, info, seed);
    rg_query_i64(&update, run);
    return rg_store_finish(store, rg_query_run(&update), what, error);
}

ridge_status rg_store_run_end(struct ridge_store *store, int64_t run, ridge_run_state state, const char *text,
                              const struct ridge_run_seconds *seconds, struct ridge_error *error)
{
    static const char what[] = "cannot end the run";
    size_t dimension_count = 0;
    const ridge_status status = rg_store_begin_run(store, run, &dimension_count, what, error);
    if (status != RIDGE_OK) {
        return status;
    }
    char now[RG_TIMESTAMP_BYTES];
    rg_clock_timestamp(now);
    struct rg_query update = rg_query_begin(store, RG_SQL_RUN_END);
    rg_query_text(&update, ridge_run_state_word(state));
    rg_query_text(&update, text ? text : "");
    rg_query_text(&update, now);
    rg_query_double(&update, seconds->compile);
    rg_query_double(&update, seconds->run);
    rg_query_double(&update, seconds->own);
    rg_query_double(&update, seconds->total);
    rg_query_i64(&update, run);
    return rg_store_finish(store, rg_query_run(&update), what, error);
}

ridge_status rg_store_sentinel_add(struct ridge_store *store, int64_t run, const char *id, double at_s, double median_s,
                                   struct ridge_error *error)
{
    static const char what[] = "cannot put the sentinel's time";
    size_t dimension_count = 0;
    const ridge_status status = rg_store_begin_run(store, run, &dimension_count, what, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_query insert = rg_query_begin(store, RG_SQL_SENTINEL_INSERT);
    rg_query_i64(&insert, run);
    rg_query_text(&insert, id);
    rg_query_double(&insert, at_s);
    rg_query_double(&insert, median_s);
    return rg_store_finish(store, rg_query_run(&insert), what, error);
}

ridge_status rg_store_note_add(struct ridge_store *store, int64_t run, const char *text, struct ridge_error *error)
{
    static const char what[] = "cannot put a note";
    size_t dimension_count = 0;
    const ridge_status status = rg_store_begin_run(store, run, &dimension_count, what, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_query insert = rg_query_begin(store, RG_SQL_NOTE_INSERT);
    rg_query_i64(&insert, run);
    rg_query_text(&insert, text);
    return rg_store_finish(store, rg_query_run(&insert), what, error);
}

ridge_status ridge_store_run_each(struct ridge_store *store,
                                  bool (*visit)(void *user, const struct ridge_run_line *line), void *user,
                                  struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    bool more = true;
    struct rg_query query = rg_query_begin(store, RG_SQL_RUN_LIST);
    while (status == RIDGE_OK && more && rg_query_row(&query)) {
        const int state = rg_run_state_find(rg_column_text(&query, 5));
        const struct ridge_run_line line = {
            .id = sqlite3_column_int64(query.statement, 0),
            .kernel = rg_column_text(&query, 1),
            .backend = rg_column_text(&query, 2),
            .device = rg_column_text(&query, 3),
            .started_at = rg_column_text(&query, 4),
            .state = (ridge_run_state)(state < 0 ? 0 : state),
            .results = (uint64_t)sqlite3_column_int64(query.statement, 6),
            .ok = (uint64_t)sqlite3_column_int64(query.statement, 7),
            .best_s = rg_column_double(&query, 8),
            .group = sqlite3_column_int64(query.statement, 9),
            .workload = rg_column_text(&query, 10),
        };
        if (state < 0) {
            status = rg_store_damaged(store, error, "run %lld has an unknown state", (long long)line.id);
            continue;
        }
        more = visit(user, &line);
    }
    const int code = rg_query_end(&query);
    return code == SQLITE_OK ? status : rg_store_error(store, code, "cannot list the runs", error);
}
