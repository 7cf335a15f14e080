/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/page.h"
#include "report/report_common.h"
#include "ridge/json.h"
#include "ridge/units.h"
#include "store/store.h"

static bool write_line(void *user, const struct ridge_run_line *line)
{
    struct ridge_json *json = user;
    ridge_json_object_begin_compact(json, NULL);
    ridge_json_i64(json, "run", line->id);
    ridge_json_text(json, "kernel", line->kernel);
    ridge_json_text(json, "backend", line->backend);
    ridge_json_text(json, "device", line->device);
    ridge_json_text(json, "started_at", line->started_at);
    ridge_json_text(json, "state", ridge_run_state_word(line->state));
    ridge_json_u64(json, "results", line->results);
    ridge_json_u64(json, "ok", line->ok);
    ridge_json_text(json, "kind", ridge_kind_word(RIDGE_MEASURED));
    ridge_json_double(json, "best_s", line->best_s);
    if (line->group > 0) {
        ridge_json_i64(json, "group", line->group);
        ridge_json_text(json, "workload", line->workload);
    }
    ridge_json_object_end(json);
    return !json->failed;
}

ridge_status ridge_report_runs_json(struct ridge_store *store, struct ridge_sink sink, struct ridge_error *error)
{
    struct ridge_json json;
    ridge_json_begin(&json, sink);
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.runs/1");
    ridge_json_array_begin(&json, "runs");
    const ridge_status status = ridge_store_run_each(store, write_line, &json, error);
    if (status != RIDGE_OK) {
        return status;
    }
    ridge_json_array_end(&json);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? RIDGE_OK : rg_report_refused(error);
}

enum {
    COLUMN_RUN,
    COLUMN_STARTED,
    COLUMN_STATE,
    COLUMN_OK,
    COLUMN_BEST,
    COLUMN_KERNEL,
    COLUMN_DEVICE,
    COLUMN_COUNT
};

/** The lines are collected first, since a table is as wide as its widest cell. */
struct collector {
    struct rg_arena *arena;
    const char *(*rows)[COLUMN_COUNT];
    size_t count;
    size_t capacity;
    bool failed;
};

static bool collect(void *user, const struct ridge_run_line *line)
{
    struct collector *collector = user;
    struct rg_arena *arena = collector->arena;
    if (!rg_reserve(arena->context, (void *)&collector->rows, &collector->capacity, collector->count + 1,
                    sizeof *collector->rows)) {
        collector->failed = true;
        return false;
    }
    char best[RIDGE_NUMBER_BYTES] = "-";
    if (!isnan(line->best_s)) {
        ridge_duration_format(line->best_s, best);
    }
    const char **row = collector->rows[collector->count++];
    row[COLUMN_RUN] = rg_arena_printf(arena, "%lld", (long long)line->id);
    row[COLUMN_STARTED] = rg_arena_printf(arena, "%.10s %.5s", line->started_at,
                                          strlen(line->started_at) > 11 ? line->started_at + 11 : "");
    row[COLUMN_STATE] = ridge_run_state_word(line->state);
    row[COLUMN_OK] =
        rg_arena_printf(arena, "%llu/%llu", (unsigned long long)line->ok, (unsigned long long)line->results);
    row[COLUMN_BEST] = rg_arena_strdup(arena, best);
    row[COLUMN_KERNEL] =
        line->group > 0 ? rg_arena_printf(arena, "%s (g%lld %s)", line->kernel, (long long)line->group, line->workload)
                        : rg_arena_strdup(arena, line->kernel);
    row[COLUMN_DEVICE] = rg_arena_printf(arena, "%s: %s", line->backend, line->device);
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        collector->failed = collector->failed || !row[i];
    }
    return !collector->failed;
}

static void write_table(const struct collector *collector, struct rg_page *page)
{
    static const char *const titles[] = {"run", "started (UTC)", "state", "measured", "best", "kernel", "device"};
    struct rg_table table;
    rg_table_init(&table, collector->arena, collector->count + 1, COLUMN_COUNT);
    for (size_t column = 0; column < COLUMN_COUNT; column++) {
        rg_table_set(&table, 0, column, titles[column]);
        for (size_t row = 0; row < collector->count; row++) {
            rg_table_set(&table, row + 1, column, collector->rows[row][column]);
        }
        if (!table.failed) {
            table.right[column] = column == COLUMN_RUN || column == COLUMN_OK || column == COLUMN_BEST;
        }
    }
    rg_table_measure(&table);
    rg_table_write(&table, page, 0);
}

ridge_status ridge_report_runs_text(struct ridge_store *store, const struct ridge_report_options *options,
                                    struct ridge_sink sink, struct ridge_error *error)
{
    static const struct ridge_report_options defaults = {0};
    options = options ? options : &defaults;
    const struct ridge_context *context = rg_store_context(store);
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    struct collector collector = {.arena = &arena};
    ridge_status status = ridge_store_run_each(store, collect, &collector, error);
    if (status == RIDGE_OK && collector.failed) {
        status = rg_error_memory(error, 0);
    }
    if (status == RIDGE_OK) {
        struct rg_page page;
        rg_page_init(&page, context, options->width, options->colour);
        if (collector.count == 0) {
            rg_page_text(&page, RG_PLAIN, "There are no runs yet (ridge tune makes one).");
            rg_buffer_puts(&page.text, "\n");
        } else {
            write_table(&collector, &page);
        }
        status = rg_report_emit(&page.text, sink, error);
        rg_page_fini(&page);
    }
    rg_free(context, (void *)collector.rows, collector.capacity * sizeof *collector.rows);
    rg_arena_fini(&arena);
    return status;
}
