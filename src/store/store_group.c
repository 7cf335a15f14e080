/* SPDX-License-Identifier: MIT */
/** \file Groups: runs of one kernel with several workloads. Thread rule: that of the store. */
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "space/group.h"
#include "store/store_internal.h"

static const char cannot_load[] = "cannot load the group";

static int put(struct ridge_store *store, int64_t run, const struct rg_member *member)
{
    struct rg_query insert = rg_query_begin(store, RG_SQL_WORKLOAD_PUT);
    rg_query_i64(&insert, run);
    rg_query_i64(&insert, member->group);
    rg_query_u64(&insert, member->position);
    rg_query_u64(&insert, member->count);
    rg_query_text(&insert, member->name);
    rg_query_double(&insert, member->weight);
    rg_query_text(&insert, member->base);
    const int code = rg_query_run(&insert);
    if (code != SQLITE_OK) {
        return code;
    }
    struct rg_query trim = rg_query_begin(store, RG_SQL_WORKLOAD_TRIM);
    rg_query_i64(&trim, run);
    rg_query_u64(&trim, member->count);
    return rg_query_run(&trim);
}

ridge_status rg_store_member_put(struct ridge_store *store, int64_t run, const struct rg_member *member,
                                 struct ridge_error *error)
{
    static const char what[] = "cannot put the workload of the run";
    size_t dimension_count = 0;
    const ridge_status status = rg_store_begin_run(store, run, &dimension_count, what, error);
    return status == RIDGE_OK ? rg_store_finish(store, put(store, run, member), what, error) : status;
}

ridge_status ridge_store_run_group(struct ridge_store *store, int64_t run, int64_t *group, struct ridge_error *error)
{
    int64_t found = 0;
    struct rg_query query = rg_query_begin(store, RG_SQL_WORKLOAD_GROUP);
    rg_query_i64(&query, run);
    const int code = rg_query_number(&query, &found);
    if (code != SQLITE_OK && code != SQLITE_NOTFOUND) {
        return rg_store_error(store, code, "cannot find the group of the run", error);
    }
    *group = code == SQLITE_OK ? found : 0;
    return RIDGE_OK;
}

/** Say which groups there are. */
static ridge_status no_such_group(struct ridge_store *store, int64_t id, struct ridge_error *error)
{
    enum {
        MOST = 20
    };
    const struct rg_place place = {.file = store->path};
    struct rg_buffer text;
    size_t count = 0;
    rg_buffer_init(&text, store->context);
    struct rg_query query = rg_query_begin(store, RG_SQL_GROUP_IDS);
    while (rg_query_row(&query)) {
        if (count++ < MOST) {
            rg_buffer_printf(&text, "%sg%lld", count > 1 ? ", " : "",
                             (long long)sqlite3_column_int64(query.statement, 0));
        }
    }
    if (count > MOST) {
        rg_buffer_printf(&text, " and %zu more", count - MOST);
    }
    const int code = rg_query_end(&query);
    ridge_status status;
    if (code != SQLITE_OK) {
        status = rg_store_error(store, code, cannot_load, error);
    } else if (text.failed) {
        status = rg_error_memory(error, text.capacity);
    } else if (count == 0) {
        status = rg_error_at(error, RIDGE_E_NAME, &place,
                             "it holds no groups yet (ridge tune makes one of a spec with [[bench.workloads]])");
    } else {
        status = rg_error_at(error, RIDGE_E_NAME, &place, "there is no group g%lld (there are: %s)", (long long)id,
                             rg_buffer_text(&text));
    }
    rg_buffer_fini(&text);
    return status;
}

/** What the table says of a group. */
struct listed {
    struct rg_arena arena;
    struct ridge_group_request request;
    int64_t ids[RIDGE_WORKLOAD_MAX];
    const char *names[RIDGE_WORKLOAD_MAX];
    double weights[RIDGE_WORKLOAD_MAX];
    const struct ridge_run *runs[RIDGE_WORKLOAD_MAX];
};

static ridge_status list_members(struct ridge_store *store, int64_t id, struct listed *listed,
                                 struct ridge_error *error)
{
    struct ridge_group_request *request = &listed->request;
    bool memory = false;
    struct rg_query query = rg_query_begin(store, RG_SQL_GROUP_LOAD);
    rg_query_i64(&query, id);
    while (request->member_count < RIDGE_WORKLOAD_MAX && !memory && rg_query_row(&query)) {
        const size_t at = request->member_count++;
        const char *base = rg_column_text(&query, 4);
        listed->ids[at] = sqlite3_column_int64(query.statement, 0);
        listed->names[at] = rg_arena_strdup(&listed->arena, rg_column_text(&query, 1));
        listed->weights[at] = rg_column_double(&query, 2);
        request->workload_count = (size_t)sqlite3_column_int64(query.statement, 3);
        request->base_id = base[0] ? rg_arena_strdup(&listed->arena, base) : NULL;
        memory = !listed->names[at] || (base[0] && !request->base_id);
    }
    const int code = rg_query_end(&query);
    if (code != SQLITE_OK) {
        return rg_store_error(store, code, cannot_load, error);
    }
    if (memory) {
        return rg_error_memory(error, sizeof *listed);
    }
    return request->member_count > 0 ? RIDGE_OK : no_such_group(store, id, error);
}

/** Load the runs and make the group of them; on failure the runs are freed. */
static ridge_status make(struct ridge_store *store, struct listed *listed, struct ridge_group **out,
                         struct ridge_error *error)
{
    struct ridge_run *owned[RIDGE_WORKLOAD_MAX] = {NULL};
    struct ridge_group_request *request = &listed->request;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < request->member_count && status == RIDGE_OK; i++) {
        status = ridge_store_run_load(store, listed->ids[i], &owned[i], error);
        listed->runs[i] = owned[i];
    }
    struct ridge_group *group = NULL;
    if (status == RIDGE_OK) {
        status = ridge_group_create(store->context, request, &group, error);
    }
    if (status != RIDGE_OK) {
        for (size_t i = 0; i < RIDGE_WORKLOAD_MAX; i++) {
            ridge_run_destroy(owned[i]);
        }
        return status;
    }
    memcpy(((struct rg_group *)group)->owned, owned, sizeof owned);
    *out = group;
    return RIDGE_OK;
}

ridge_status ridge_store_group_load(struct ridge_store *store, int64_t id, struct ridge_group **out,
                                    struct ridge_error *error)
{
    struct listed listed = {.request = {.id = id}};
    listed.request.runs = listed.runs;
    listed.request.names = listed.names;
    listed.request.weights = listed.weights;
    rg_arena_init(&listed.arena, store->context);
    ridge_status status = list_members(store, id, &listed, error);
    if (status == RIDGE_OK) {
        status = make(store, &listed, out, error);
    }
    rg_arena_fini(&listed.arena);
    return status;
}
