/* SPDX-License-Identifier: MIT */
/**
 * \file Makes evidence databases for the command-line cases: make_run FILE KIND.
 * full: 24 results, failures, finalists, a warning. plain: 3 samples each, no failures. empty: a run without results.
 * wide: a run with 14 dimensions. group: two workloads, of which each likes another tile. many N: N results (to time the store).
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "run_fixture.h"

/** The times of day are the only thing that differs from call to call. */
static int fix_times(const char *path)
{
    sqlite3 *database = NULL;
    int code = sqlite3_open(path, &database);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(database,
                            "UPDATE run SET started_at = '2031-01-02T03:04:05.678Z', "
                            "ended_at = iif(ended_at = '', '', '2031-01-02T03:05:07.890Z')",
                            NULL, NULL, NULL);
    }
    sqlite3_close(database);
    return code == SQLITE_OK ? 0 : 1;
}

static ridge_status make_full(struct ridge_store *store, struct ridge_error *error)
{
    int64_t run = 0;
    return fixture_run(store, 24, &run, error);
}

static ridge_status make_empty(struct ridge_store *store, struct ridge_error *error)
{
    int64_t run = 0;
    const struct ridge_run_info info = fixture_info();
    return rg_store_run_begin(store, &info, fixture_names, FIXTURE_DIMENSIONS, &run, error);
}

/** Three configurations of BP-126, three samples each. One dimension has the name of a column of the CSV. */
static ridge_status make_plain(struct ridge_store *store, struct ridge_error *error)
{
    static const char *const names[] = {"n"};
    static const double samples_s[3][3] = {{2.00, 2.10, 1.90}, {1.99, 2.12, 1.92}, {3.0, 3.1, 2.9}};
    const struct ridge_run_info info = {.kernel = "copy",
                                        .backend = "host",
                                        .device = "a\"b\\c",
                                        .driver = "cc 12",
                                        .parameters = "",
                                        .cache = "cold",
                                        .order = "random",
                                        .reference = "none",
                                        .ridge_version = "0.1.0",
                                        .host = "buildbox",
                                        .space_count = 3};
    int64_t run = 0;
    ridge_status status = rg_store_run_begin(store, &info, names, 1, &run, error);
    for (unsigned i = 0; status == RIDGE_OK && i < 3; i++) {
        char id[RIDGE_ID_BYTES];
        snprintf(id, sizeof id, "c1-000000000000000%u", i);
        const struct ridge_value value = {RIDGE_INT, {.integer = i}};
        const struct rg_result result = {.id = id, .values = &value, .samples_s = samples_s[i], .sample_count = 3};
        status = rg_store_result_put(store, run, &result, error);
    }
    return status;
}

static ridge_status make_wide(struct ridge_store *store, struct ridge_error *error)
{
    enum {
        COUNT = 14
    };
    static const char *const names[COUNT] = {
        "block_size_x",      "block_size_y",    "loop_unroll_inner", "loop_unroll_outer",
        "tile_size_x",       "tile_size_y",     "use_padding",       "use_read_only_cache",
        "use_shared_memory", "vector_width_in", "vector_width_out",  "work_per_thread_x",
        "work_per_thread_y", "z_order"};
    struct ridge_run_info info = fixture_info();
    info.space_count = 40320;
    int64_t run = 0;
    ridge_status status = rg_store_run_begin(store, &info, names, COUNT, &run, error);
    for (unsigned i = 0; status == RIDGE_OK && i < 5; i++) {
        struct ridge_value values[COUNT];
        char id[RIDGE_ID_BYTES];
        double samples_s[FIXTURE_SAMPLES];
        for (unsigned at = 0; at < COUNT; at++) {
            values[at] = (struct ridge_value){RIDGE_INT, {.integer = (i + at) % 5 * 16}};
        }
        snprintf(id, sizeof id, "c1-00000000000000%02u", i);
        fixture_samples(i * 8, 0, samples_s);
        const struct rg_result result = {
            .id = id, .values = values, .samples_s = samples_s, .sample_count = FIXTURE_SAMPLES};
        status = rg_store_result_put(store, run, &result, error);
    }
    const struct ridge_run_seconds seconds = {1, 2, 0.5, 3.5};
    return status == RIDGE_OK
               ? rg_store_run_end(store, run, RIDGE_RUN_LIMITED, "the budget of 3.5 s was used up", &seconds, error)
               : status;
}

/** One run of the group: times of six tiles; the fifth is not launchable with a small n, the sixth not tried with a large. */
static ridge_status make_member(struct ridge_store *store, const struct rg_member *member, const double *times_s,
                                const char *parameters, int64_t *run, struct ridge_error *error)
{
    enum {
        TILES = 6
    };
    static const char *const names[] = {"layout", "tile"};
    static const char *const layouts[] = {"rows", "columns"};
    struct ridge_run_info info = fixture_info();
    info.kernel = "blur";
    info.parameters = parameters;
    info.space_count = TILES;
    ridge_status status = rg_store_run_begin(store, &info, names, 2, run, error);
    for (unsigned i = 0; status == RIDGE_OK && i < TILES && times_s[i] >= 0; i++) {
        char id[RIDGE_ID_BYTES];
        double samples_s[FIXTURE_SAMPLES];
        snprintf(id, sizeof id, "c1-000000000000000%u", i);
        for (unsigned at = 0; at < FIXTURE_SAMPLES; at++) {
            samples_s[at] = times_s[i] * (1 + 0.002 * at);
        }
        const struct ridge_value values[] = {{RIDGE_TEXT, {.text = layouts[i % 2]}},
                                             {RIDGE_INT, {.integer = 1 << i / 2}}};
        const bool failed = times_s[i] == 0;
        const struct rg_result result = {.id = id,
                                         .values = values,
                                         .outcome = failed ? RIDGE_OUTCOME_UNLAUNCHABLE : RIDGE_OUTCOME_OK,
                                         .text = failed ? "grid_x is 0" : NULL,
                                         .samples_s = samples_s,
                                         .sample_count = failed ? 0 : FIXTURE_SAMPLES};
        status = rg_store_result_put(store, *run, &result, error);
    }
    const struct ridge_run_seconds seconds = {1, 2, 0.5, 3.5};
    if (status == RIDGE_OK) {
        status = rg_store_run_end(store, *run, RIDGE_RUN_LIMITED, "the budget of 3.5 s is used up", &seconds, error);
    }
    return status == RIDGE_OK ? rg_store_member_put(store, *run, member, error) : status;
}

static ridge_status make_group(struct ridge_store *store, struct ridge_error *error)
{
    static const double small_s[] = {1e-4, 1.1e-4, 2e-4, 3e-4, 0, 4e-4};
    static const double large_s[] = {4e-3, 2e-3, 1.005e-3, 1e-3, 2e-3, -1};
    struct rg_member member = {.count = 2, .name = "small", .weight = 1, .base = "c1-0000000000000000"};
    int64_t first = 0;
    int64_t second = 0;
    const ridge_status status = make_member(store, &member, small_s, "n=64", &first, error);
    member.group = first;
    member.position = 1;
    member.name = "large pictures";
    member.weight = 2;
    return status == RIDGE_OK ? make_member(store, &member, large_s, "n=4096", &second, error) : status;
}

static ridge_status make(struct ridge_store *store, const char *kind, const char *count, struct ridge_error *error)
{
    static const struct {
        const char *kind;
        ridge_status (*make)(struct ridge_store *store, struct ridge_error *error);
    } makers[] = {
        {"full", make_full}, {"empty", make_empty}, {"plain", make_plain}, {"wide", make_wide}, {"group", make_group}};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        if (strcmp(kind, makers[i].kind) == 0) {
            return makers[i].make(store, error);
        }
    }
    int64_t run = 0;
    return fixture_run(store, (unsigned)strtoul(count ? count : "0", NULL, 10), &run, error);
}

int main(int argc, char **argv)
{
    struct ridge_context *context = NULL;
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    if (argc < 3 || ridge_context_create(NULL, &context, &error) != RIDGE_OK) {
        return 2;
    }
    ridge_status status = ridge_store_open(context, argv[1], RIDGE_STORE_WRITE, &store, &error);
    if (status == RIDGE_OK) {
        status = make(store, argv[2], argv[3], &error);
    }
    ridge_store_close(store);
    ridge_context_destroy(context);
    if (status != RIDGE_OK) {
        fprintf(stderr, "make_run: %s\n", error.message);
        return 1;
    }
    return fix_times(argv[1]);
}
