/* SPDX-License-Identifier: MIT */
/** \file Memory curves in the store. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "ridge/curve.h"
#include "store/store_internal.h"

static const char cannot_put[] = "cannot put the curve";
static const char cannot_load[] = "cannot load the curve";

enum {
    FLAGS_BYTES = 256
};

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static const char *cache_word(bool warm)
{
    return warm ? "warm" : "cold";
}

static const char *rule_word(bool published)
{
    return published ? "published" : "ridge";
}

static int insert_head(struct ridge_store *store, const struct ridge_curve *curve, int64_t set, int64_t *id)
{
    char host[256] = "";
    (void)gethostname(host, sizeof host - 1);
    struct rg_query insert = rg_query_begin(store, RG_SQL_CURVE_INSERT);
    rg_query_i64(&insert, set);
    rg_query_text(&insert, or_empty(curve->made_at));
    rg_query_text(&insert, host);
    rg_query_text(&insert, or_empty(curve->backend));
    rg_query_text(&insert, or_empty(curve->selector));
    rg_query_text(&insert, or_empty(curve->device));
    rg_query_text(&insert, or_empty(curve->driver));
    rg_query_text(&insert, or_empty(curve->compiler));
    rg_query_text(&insert, ridge_version());
    rg_query_text(&insert, ridge_access_word(curve->access));
    rg_query_text(&insert, ridge_discipline_word(curve->discipline));
    rg_query_text(&insert, cache_word(curve->warm));
    rg_query_text(&insert, rule_word(curve->published));
    rg_query_i64(&insert, curve->threads);
    rg_query_u64(&insert, curve->pool_bytes);
    rg_query_u64(&insert, curve->reuse_bytes);
    rg_query_double(&insert, curve->clock_hz);
    rg_query_double(&insert, curve->launch_overhead_s);
    rg_query_text(&insert, or_empty(curve->sentinels));
    rg_query_u64(&insert, curve->trial_bytes);
    const int code = rg_query_run(&insert);
    *id = sqlite3_last_insert_rowid(store->database);
    return code;
}

/** Flags as their words, with spaces between. */
static void flags_format(unsigned flags, char out[FLAGS_BYTES])
{
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < RIDGE_POINT_FLAG_COUNT && used < FLAGS_BYTES; i++) {
        if (flags >> i & 1U) {
            used += (size_t)snprintf(out + used, FLAGS_BYTES - used, "%s%s", used > 0 ? " " : "",
                                     ridge_point_flag_word((ridge_point_flag)i));
        }
    }
}

/** The flags that a text names; words of a later Ridge are passed over. */
static unsigned flags_read(const char *text)
{
    unsigned flags = 0;
    while (*text) {
        const size_t length = strcspn(text, " ");
        for (unsigned i = 0; i < RIDGE_POINT_FLAG_COUNT; i++) {
            const char *word = ridge_point_flag_word((ridge_point_flag)i);
            flags |= strlen(word) == length && strncmp(word, text, length) == 0 ? 1U << i : 0U;
        }
        text += length + strspn(text + length, " ");
    }
    return flags;
}

static int insert_points(struct ridge_store *store, const struct ridge_curve *curve, int64_t id)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < curve->point_count; i++) {
        const struct ridge_curve_point *point = &curve->points[i];
        char flags[FLAGS_BYTES];
        flags_format(point->flags, flags);
        struct rg_query insert = rg_query_begin(store, RG_SQL_CURVE_POINT_INSERT);
        rg_query_i64(&insert, id);
        rg_query_u64(&insert, point->bytes);
        rg_query_double(&insert, point->bytes_per_s);
        rg_query_double(&insert, point->ci95.low);
        rg_query_double(&insert, point->ci95.high);
        rg_query_double(&insert, point->best_bytes_per_s);
        rg_query_u64(&insert, point->n);
        rg_query_text(&insert, flags);
        code = rg_query_run(&insert);
    }
    return code;
}

static int insert_levels(struct ridge_store *store, const struct ridge_curve *curve, int64_t id)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < curve->level_count; i++) {
        const struct ridge_curve_level *level = &curve->levels[i];
        struct rg_query insert = rg_query_begin(store, RG_SQL_CURVE_LEVEL_INSERT);
        rg_query_i64(&insert, id);
        rg_query_u64(&insert, i);
        rg_query_text(&insert, level->name);
        rg_query_u64(&insert, level->bytes);
        rg_query_double(&insert, level->bytes_per_s);
        rg_query_u64(&insert, level->hint_bytes);
        code = rg_query_run(&insert);
    }
    return code;
}

static int insert_notes(struct ridge_store *store, const struct ridge_curve *curve, int64_t id)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < curve->note_count; i++) {
        struct rg_query insert = rg_query_begin(store, RG_SQL_CURVE_NOTE_INSERT);
        rg_query_i64(&insert, id);
        rg_query_u64(&insert, i);
        rg_query_text(&insert, curve->notes[i]);
        code = rg_query_run(&insert);
    }
    return code;
}

static int insert_trials(struct ridge_store *store, const struct ridge_curve *curve, int64_t id)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < curve->trial_count; i++) {
        struct rg_query insert = rg_query_begin(store, RG_SQL_CURVE_TRIAL_INSERT);
        rg_query_i64(&insert, id);
        rg_query_i64(&insert, curve->trials[i].threads);
        rg_query_double(&insert, curve->trials[i].bytes_per_s);
        code = rg_query_run(&insert);
    }
    return code;
}

/** The first curve of a set gives it its number. */
static int insert_curve(struct ridge_store *store, const struct ridge_curve *curve, int64_t *set)
{
    int64_t id = 0;
    int code = insert_head(store, curve, *set, &id);
    if (code == SQLITE_OK && *set == 0) {
        struct rg_query own = rg_query_begin(store, RG_SQL_CURVE_SET_OWN);
        rg_query_i64(&own, id);
        code = rg_query_run(&own);
        *set = id;
    }
    code = code == SQLITE_OK ? insert_points(store, curve, id) : code;
    code = code == SQLITE_OK ? insert_levels(store, curve, id) : code;
    code = code == SQLITE_OK ? insert_trials(store, curve, id) : code;
    return code == SQLITE_OK ? insert_notes(store, curve, id) : code;
}

ridge_status ridge_store_curves_put(struct ridge_store *store, const struct ridge_curve_set *set, int64_t *id,
                                    struct ridge_error *error)
{
    int64_t made = 0;
    ridge_status status = rg_store_begin(store, cannot_put, error);
    if (status != RIDGE_OK) {
        return status;
    }
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < set->count; i++) {
        code = insert_curve(store, &set->curves[i], &made);
    }
    status = rg_store_finish(store, code, cannot_put, error);
    if (status == RIDGE_OK) {
        *id = made;
    }
    return status;
}

/** A curve while it is loaded: everything goes into the arena. */
struct curve_loader {
    struct ridge_store *store;
    struct rg_arena *arena;
    struct ridge_curve *curve;
    int64_t id;
    bool no_memory;
};

static const char *keep(struct curve_loader *loader, const struct rg_query *query, int column)
{
    const char *kept = rg_arena_strdup(loader->arena, rg_column_text(query, column));
    loader->no_memory = loader->no_memory || !kept;
    return kept;
}

/** Make room for one more element of a growing array: twice as many each time, the old ones stay in the arena. */
static bool grow(struct curve_loader *loader, void *array, size_t count, size_t element_bytes)
{
    void *before;
    memcpy(&before, array, sizeof before);
    if (count > 0 && (count & (count - 1)) != 0) {
        return true; /* there is room up to the next power of two */
    }
    void *larger = rg_arena_array(loader->arena, count > 0 ? 2 * count : 1, element_bytes);
    if (!larger) {
        loader->no_memory = true;
        return false;
    }
    if (count > 0) {
        memcpy(larger, before, count * element_bytes);
    }
    memcpy(array, &larger, sizeof larger);
    return true;
}

static int find_head(struct curve_loader *loader, const struct ridge_curve_key *key)
{
    struct ridge_curve *curve = loader->curve;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_CURVE_FIND);
    rg_query_text(&query, key->device ? key->device : "host");
    rg_query_text(&query, ridge_access_word(key->access));
    rg_query_text(&query, ridge_discipline_word(key->discipline));
    rg_query_text(&query, cache_word(key->warm));
    rg_query_text(&query, rule_word(key->published));
    rg_query_i64(&query, key->threads);
    rg_query_text(&query, key->name);
    if (rg_query_row(&query)) {
        loader->id = sqlite3_column_int64(query.statement, 0);
        const char **const texts[] = {&curve->made_at, &curve->backend,  &curve->selector, &curve->device,
                                      &curve->driver,  &curve->compiler, &curve->sentinels};
        for (int i = 0; i < (int)(sizeof texts / sizeof texts[0]); i++) {
            *texts[i] = keep(loader, &query, i + 1);
        }
        curve->threads = (unsigned)sqlite3_column_int64(query.statement, 8);
        curve->pool_bytes = (uint64_t)sqlite3_column_int64(query.statement, 9);
        curve->reuse_bytes = (uint64_t)sqlite3_column_int64(query.statement, 10);
        curve->clock_hz = rg_column_double(&query, 11);
        curve->launch_overhead_s = rg_column_double(&query, 12);
        curve->trial_bytes = (uint64_t)sqlite3_column_int64(query.statement, 13);
        curve->access = key->access;
        curve->discipline = key->discipline;
        curve->warm = key->warm;
        curve->published = key->published;
    }
    return rg_query_end(&query);
}

static int load_points(struct curve_loader *loader)
{
    struct ridge_curve_point *points = NULL;
    size_t count = 0;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_CURVE_POINTS);
    rg_query_i64(&query, loader->id);
    while (rg_query_row(&query) && grow(loader, &points, count, sizeof *points)) {
        points[count++] = (struct ridge_curve_point){
            .bytes = (uint64_t)sqlite3_column_int64(query.statement, 0),
            .bytes_per_s = rg_column_double(&query, 1),
            .ci95 = {rg_column_double(&query, 2), rg_column_double(&query, 3)},
            .best_bytes_per_s = rg_column_double(&query, 4),
            .n = (uint64_t)sqlite3_column_int64(query.statement, 5),
            .flags = flags_read(rg_column_text(&query, 6)),
        };
    }
    loader->curve->points = points;
    loader->curve->point_count = points ? ridge_curve_points_clean(points, count) : 0;
    return rg_query_end(&query);
}

static int load_levels(struct curve_loader *loader)
{
    struct ridge_curve_level *levels = NULL;
    size_t count = 0;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_CURVE_LEVELS);
    rg_query_i64(&query, loader->id);
    while (rg_query_row(&query) && grow(loader, &levels, count, sizeof *levels)) {
        levels[count++] = (struct ridge_curve_level){
            .name = keep(loader, &query, 0),
            .bytes = (uint64_t)sqlite3_column_int64(query.statement, 1),
            .bytes_per_s = rg_column_double(&query, 2),
            .hint_bytes = (uint64_t)sqlite3_column_int64(query.statement, 3),
        };
    }
    loader->curve->levels = levels;
    loader->curve->level_count = count;
    return rg_query_end(&query);
}

static int load_trials(struct curve_loader *loader)
{
    struct ridge_thread_trial *trials = NULL;
    size_t count = 0;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_CURVE_TRIALS);
    rg_query_i64(&query, loader->id);
    while (rg_query_row(&query) && grow(loader, &trials, count, sizeof *trials)) {
        trials[count++] = (struct ridge_thread_trial){
            .threads = (unsigned)sqlite3_column_int64(query.statement, 0),
            .bytes_per_s = rg_column_double(&query, 1),
        };
    }
    loader->curve->trials = trials;
    loader->curve->trial_count = count;
    return rg_query_end(&query);
}

static int load_notes(struct curve_loader *loader)
{
    const char **notes = NULL;
    size_t count = 0;
    struct rg_query query = rg_query_begin(loader->store, RG_SQL_CURVE_NOTES);
    rg_query_i64(&query, loader->id);
    while (rg_query_row(&query) && grow(loader, &notes, count, sizeof *notes)) {
        notes[count++] = keep(loader, &query, 0);
    }
    loader->curve->notes = notes;
    loader->curve->note_count = count;
    return rg_query_end(&query);
}

/** Load the curve that the key finds. */
static ridge_status load(struct curve_loader *loader, const struct ridge_curve_key *key, struct ridge_error *error)
{
    int code = find_head(loader, key);
    code = code == SQLITE_OK && loader->id ? load_points(loader) : code;
    code = code == SQLITE_OK && loader->id ? load_levels(loader) : code;
    code = code == SQLITE_OK && loader->id ? load_trials(loader) : code;
    code = code == SQLITE_OK && loader->id ? load_notes(loader) : code;
    if (code != SQLITE_OK) {
        return rg_store_error(loader->store, code, cannot_load, error);
    }
    if (loader->no_memory) {
        return rg_error_memory(error, 0);
    }
    if (loader->id == 0 || loader->curve->point_count == 0) {
        return rg_error_set(error, RIDGE_E_EMPTY,
                            "no %s %s curve of %s (%s) is saved (ridge curve --device %s --access %s --save makes one)",
                            cache_word(key->warm), ridge_access_word(key->access), key->device ? key->device : "host",
                            ridge_discipline_word(key->discipline), key->device ? key->device : "host",
                            ridge_access_word(key->access));
    }
    return RIDGE_OK;
}

ridge_status ridge_store_curve_find(struct ridge_store *store, const struct ridge_curve_key *key,
                                    struct ridge_curve_set **out, struct ridge_error *error)
{
    struct rg_arena *arena = rg_arena_create(store->context);
    struct ridge_curve_set *set = arena ? rg_arena_alloc(arena, sizeof *set) : NULL;
    struct ridge_curve *curve = arena ? rg_arena_alloc(arena, sizeof *curve) : NULL;
    if (!set || !curve) {
        rg_arena_destroy(arena);
        return rg_error_memory(error, sizeof *curve);
    }
    struct curve_loader loader = {.store = store, .arena = arena, .curve = curve};
    const ridge_status status = load(&loader, key, error);
    if (status != RIDGE_OK) {
        rg_arena_destroy(arena);
        return status;
    }
    *set = (struct ridge_curve_set){.count = 1, .curves = curve, .memory = arena};
    *out = set;
    return RIDGE_OK;
}
