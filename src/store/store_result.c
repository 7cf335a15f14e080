/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "ridge/stats.h"
#include "store/store_internal.h"

static const char *const type_words[] = {"int", "float", "bool", "text"};

enum {
    TYPE_COUNT = sizeof type_words / sizeof type_words[0]
};

static int insert_values(struct ridge_store *store, int64_t result, const struct ridge_value *values, size_t count)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < count; i++) {
        struct rg_query insert = rg_query_begin(store, RG_SQL_VALUE_INSERT);
        rg_query_i64(&insert, result);
        rg_query_u64(&insert, i);
        rg_query_text(&insert, (size_t)values[i].type < TYPE_COUNT ? type_words[values[i].type] : "?");
        switch (values[i].type) {
        case RIDGE_INT: rg_query_i64(&insert, values[i].as.integer); break;
        case RIDGE_FLOAT: rg_query_double(&insert, values[i].as.number); break;
        case RIDGE_BOOL: rg_query_text(&insert, values[i].as.truth ? "true" : "false"); break;
        case RIDGE_TEXT: rg_query_text(&insert, values[i].as.text); break;
        }
        code = rg_query_run(&insert);
    }
    return code;
}

/** Read one value of the row. \return false when it makes no sense or (`*memory`) memory ran out. */
static bool read_value(const struct rg_query *query, struct rg_arena *arena, struct ridge_value *out, bool *memory)
{
    const char *word = rg_column_text(query, 0);
    size_t type = 0;
    while (type < TYPE_COUNT && strcmp(type_words[type], word) != 0) {
        type++;
    }
    static const int storage[] = {SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_TEXT};
    if (type == TYPE_COUNT || sqlite3_column_type(query->statement, 1) != storage[type]) {
        return false;
    }
    out->type = (ridge_type)type;
    switch (out->type) {
    case RIDGE_INT: out->as.integer = sqlite3_column_int64(query->statement, 1); break;
    case RIDGE_FLOAT: out->as.number = sqlite3_column_double(query->statement, 1); break;
    case RIDGE_BOOL: out->as.truth = strcmp(rg_column_text(query, 1), "true") == 0; break;
    case RIDGE_TEXT:
        out->as.text = rg_arena_strdup(arena, rg_column_text(query, 1));
        *memory = out->as.text == NULL;
        break;
    }
    return true;
}

ridge_status rg_store_values_load(struct ridge_store *store, int64_t result, size_t dimension_count,
                                  struct rg_arena *arena, struct ridge_value *values, struct ridge_error *error)
{
    size_t count = 0;
    bool sense = true;
    bool memory = false;
    struct rg_query query = rg_query_begin(store, RG_SQL_VALUE_LOAD);
    rg_query_i64(&query, result);
    while (sense && !memory && rg_query_row(&query)) {
        sense = count < dimension_count && read_value(&query, arena, &values[count], &memory);
        count++;
    }
    const int code = rg_query_end(&query);
    if (code != SQLITE_OK) {
        return rg_store_error(store, code, "cannot read a configuration", error);
    }
    if (memory) {
        return rg_error_memory(error, 0);
    }
    if (!sense || count != dimension_count) {
        return rg_store_damaged(store, error, "the values of result %lld do not fit its run", (long long)result);
    }
    return RIDGE_OK;
}

/** Insert samples, all but those that are no number at all. */
static int insert_samples(struct ridge_store *store, int64_t result, int stage, const double *samples_s, uint64_t count,
                          const struct rg_sample_clocks *clocks)
{
    int code = SQLITE_OK;
    for (uint64_t i = 0; code == SQLITE_OK && i < count; i++) {
        if (!isfinite(samples_s[i])) {
            continue;
        }
        struct rg_query insert = rg_query_begin(store, RG_SQL_SAMPLE_INSERT);
        rg_query_i64(&insert, result);
        rg_query_i64(&insert, stage);
        rg_query_u64(&insert, i);
        rg_query_double(&insert, samples_s[i]);
        rg_query_double(&insert, clocks->hz ? clocks->hz[i] : (double)NAN);
        rg_query_i64(&insert, clocks->low && clocks->low[i]);
        code = rg_query_run(&insert);
    }
    return code;
}

/** Write down what the samples come to, for readers of the file that are not Ridge. */
static int update_summary(struct ridge_store *store, int64_t result, int stage, const struct ridge_summary *summary)
{
    struct rg_query update = rg_query_begin(store, RG_SQL_RESULT_SUMMARY);
    rg_query_i64(&update, stage);
    rg_query_u64(&update, summary->n);
    rg_query_double(&update, summary->median_s);
    rg_query_double(&update, summary->ci95_low_s);
    rg_query_double(&update, summary->ci95_high_s);
    rg_query_double(&update, summary->minimum_s);
    rg_query_i64(&update, result);
    return rg_query_run(&update);
}

uint64_t rg_samples_keep(double *samples_s, const bool *low, uint64_t count)
{
    uint64_t throttled = 0;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        throttled += low && low[i] ? 1U : 0U;
    }
    if (throttled == 0 || 2 * throttled > count) {
        return count;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!low[i]) {
            samples_s[kept++] = samples_s[i];
        }
    }
    return kept;
}

ridge_status rg_samples_summarise(const struct ridge_store *store, const double *samples_s, const bool *low,
                                  uint64_t count, struct ridge_summary *out, struct ridge_error *error)
{
    size_t bytes = 0;
    if (!rg_multiply_size((size_t)count + 1, 2 * sizeof(double), &bytes)) {
        return rg_error_memory(error, SIZE_MAX);
    }
    double *room = rg_alloc(store->context, bytes);
    if (!room) {
        return rg_error_memory(error, bytes);
    }
    if (count > 0) {
        memcpy(room, samples_s, (size_t)count * sizeof *room);
    }
    const uint64_t counting = rg_samples_keep(room, low, count);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < counting; i++) {
        if (room[i] > 0 && isfinite(room[i])) {
            room[kept++] = room[i];
        }
    }
    ridge_summarise(room, kept, room + count, out);
    rg_free(store->context, room, bytes);
    return RIDGE_OK;
}

/** A number of the compiler; one that is unknown is NULL. */
static void bind_fact(struct rg_query *query, const struct ridge_record *compiled, int64_t fact)
{
    if (compiled && fact >= 0) {
        rg_query_i64(query, fact);
    } else {
        rg_query_text(query, NULL);
    }
}

/** Insert the amounts that are known. */
static int insert_work(struct ridge_store *store, int64_t result, const struct ridge_work *work)
{
    int code = SQLITE_OK;
    for (unsigned i = 0; work && code == SQLITE_OK && i < RIDGE_ROOF_COUNT; i++) {
        if (!(work->amount[i] > 0 && isfinite(work->amount[i]))) {
            continue;
        }
        struct rg_query insert = rg_query_begin(store, RG_SQL_WORK_INSERT);
        rg_query_i64(&insert, result);
        rg_query_text(&insert, ridge_roof_key((ridge_roof)i));
        rg_query_double(&insert, work->amount[i]);
        code = rg_query_run(&insert);
    }
    return code;
}

int rg_store_insert_result(struct ridge_store *store, int64_t run, const struct rg_result *result,
                           const struct ridge_summary *summary, size_t dimension_count)
{
    uint64_t rejected = result->rejected;
    for (uint64_t i = 0; i < result->sample_count; i++) {
        rejected += isfinite(result->samples_s[i]) ? 0U : 1U;
    }
    struct rg_query insert = rg_query_begin(store, RG_SQL_RESULT_INSERT);
    rg_query_i64(&insert, run);
    rg_query_text(&insert, result->id);
    rg_query_text(&insert, ridge_outcome_word(result->outcome));
    rg_query_text(&insert, result->text);
    rg_query_i64(&insert, result->converged);
    rg_query_u64(&insert, rejected);
    rg_query_double(&insert, result->compile_s);
    rg_query_double(&insert, result->run_s);
    rg_query_text(&insert, ridge_kind_word(result->kind));
    const struct ridge_record *compiled = result->compiled;
    bind_fact(&insert, compiled, compiled ? compiled->registers : -1);
    bind_fact(&insert, compiled, compiled ? compiled->shared_bytes : -1);
    bind_fact(&insert, compiled, compiled ? compiled->spill_bytes : -1);
    int code = rg_query_run(&insert);
    const int64_t made = sqlite3_last_insert_rowid(store->database);
    if (code == SQLITE_OK) {
        code = insert_values(store, made, result->values, dimension_count);
    }
    if (code == SQLITE_OK) {
        code = insert_samples(store, made, 0, result->samples_s, result->sample_count, &result->clocks);
    }
    if (code == SQLITE_OK) {
        code = insert_work(store, made, result->work);
    }
    return code == SQLITE_OK ? update_summary(store, made, 0, summary) : code;
}

ridge_status rg_store_result_put(struct ridge_store *store, int64_t run, const struct rg_result *result,
                                 struct ridge_error *error)
{
    static const char what[] = "cannot put a result";
    struct ridge_summary summary = {0};
    size_t dimension_count = 0;
    ridge_status status =
        rg_samples_summarise(store, result->samples_s, result->clocks.low, result->sample_count, &summary, error);
    if (status == RIDGE_OK) {
        status = rg_store_begin_run(store, run, &dimension_count, what, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    const int code = rg_store_insert_result(store, run, result, &summary, dimension_count);
    if (code == SQLITE_CONSTRAINT_UNIQUE) {
        rg_store_rollback(store);
        return rg_error_set(error, RIDGE_E_ARGUMENT, "configuration %s has a result in run %lld already (put it once)",
                            result->id, (long long)run);
    }
    return rg_store_finish(store, code, what, error);
}

static int replace_final(struct ridge_store *store, int64_t result, const double *samples_s, uint64_t count,
                         const struct rg_sample_clocks *clocks, const struct ridge_summary *summary)
{
    struct rg_query delete = rg_query_begin(store, RG_SQL_SAMPLE_DELETE);
    rg_query_i64(&delete, result);
    rg_query_i64(&delete, 1);
    int code = rg_query_run(&delete);
    if (code == SQLITE_OK) {
        code = insert_samples(store, result, 1, samples_s, count, clocks);
    }
    /* Fewer samples than give an interval do not count yet: those before the finals stand until then. */
    const bool enough = !isnan(summary->ci95_low_s);
    return code == SQLITE_OK && enough ? update_summary(store, result, 1, summary) : code;
}

int rg_samples_load(struct ridge_store *store, int64_t result, bool final, struct rg_sample_list *list)
{
    list->count = 0;
    list->throttled = 0;
    bool fine = true;
    struct rg_query query = rg_query_begin(store, RG_SQL_SAMPLE_LOAD);
    rg_query_i64(&query, result);
    rg_query_i64(&query, final);
    while (fine && rg_query_row(&query)) {
        fine =
            rg_reserve(store->context, (void *)&list->items, &list->capacity, list->count + 1, sizeof *list->items) &&
            rg_reserve(store->context, (void *)&list->low, &list->low_capacity, list->count + 1, sizeof *list->low);
        if (fine) {
            list->items[list->count] = sqlite3_column_double(query.statement, 0);
            list->low[list->count] = sqlite3_column_int64(query.statement, 1) != 0;
            list->throttled += list->low[list->count++] ? 1U : 0U;
        }
    }
    const int code = rg_query_end(&query);
    if (code == SQLITE_OK && fine) {
        list->count = (size_t)rg_samples_keep(list->items, list->low, list->count);
    }
    return fine ? code : SQLITE_NOMEM;
}

void rg_samples_free(const struct ridge_store *store, struct rg_sample_list *list)
{
    rg_free(store->context, list->items, list->capacity * sizeof *list->items);
    rg_free(store->context, list->low, list->low_capacity * sizeof *list->low);
}

/** Let the samples of one finalist that were taken before the finals count again. */
static ridge_status final_reset(struct ridge_store *store, int64_t result, struct rg_sample_list *samples, int *code,
                                struct ridge_error *error)
{
    struct ridge_summary summary = {0};
    *code = rg_samples_load(store, result, false, samples);
    if (*code != SQLITE_OK) {
        return RIDGE_OK;
    }
    const ridge_status status = rg_samples_summarise(store, samples->items, NULL, samples->count, &summary, error);
    if (status == RIDGE_OK) {
        *code = update_summary(store, result, 0, &summary);
    }
    return status;
}

ridge_status rg_store_finals_reset(struct ridge_store *store, int64_t run, struct ridge_error *error)
{
    static const char what[] = "cannot set the finals aside";
    ridge_status status = rg_store_begin(store, what, error);
    int64_t result = 0;
    int code = SQLITE_OK;
    bool more = true;
    struct rg_sample_list samples = {0};
    while (status == RIDGE_OK && code == SQLITE_OK && more) {
        struct rg_query find = rg_query_begin(store, RG_SQL_RESULT_FINALIST);
        rg_query_i64(&find, run);
        code = rg_query_number(&find, &result);
        more = code != SQLITE_NOTFOUND;
        code = more ? code : SQLITE_OK;
        if (more && code == SQLITE_OK) {
            status = final_reset(store, result, &samples, &code, error);
        }
    }
    rg_samples_free(store, &samples);
    if (status != RIDGE_OK) {
        rg_store_rollback(store);
        return status;
    }
    return rg_store_finish(store, code, what, error);
}

ridge_status rg_store_final_put(struct ridge_store *store, int64_t run, const char *id, const double *samples_s,
                                uint64_t count, const struct rg_sample_clocks *clocks, struct ridge_error *error)
{
    static const char what[] = "cannot put samples of the final rounds";
    static const struct rg_sample_clocks unknown;
    clocks = clocks ? clocks : &unknown;
    struct ridge_summary summary = {0};
    ridge_status status = rg_samples_summarise(store, samples_s, clocks->low, count, &summary, error);
    if (status == RIDGE_OK) {
        status = rg_store_begin(store, what, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_query find = rg_query_begin(store, RG_SQL_RESULT_FIND);
    rg_query_i64(&find, run);
    rg_query_text(&find, id);
    int64_t result = 0;
    int code = rg_query_number(&find, &result);
    if (code == SQLITE_NOTFOUND) {
        rg_store_rollback(store);
        return rg_error_set(error, RIDGE_E_NAME, "run %lld has no result of configuration %s (put that first)",
                            (long long)run, id);
    }
    if (code == SQLITE_OK) {
        code = replace_final(store, result, samples_s, count, clocks, &summary);
    }
    return rg_store_finish(store, code, what, error);
}
