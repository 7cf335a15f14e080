/* SPDX-License-Identifier: MIT */
#include "rank_import.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "cost.h"
#include "ridge/store.h"
#include "text/gunzip.h"

enum {
    ROUNDS = 3,
    MAX_FILES = 64
};

struct timing {
    double read_s;  /* the file into memory, unpacked, checked, each value in its place */
    double store_s; /* from there into a database, written through to the disk */
    double parse_s; /* json_loadb of the unpacked text, and letting go of it */
    size_t bytes;   /* of that text */
};

static double lesser(double best, double seconds)
{
    return best > 0 && best < seconds ? best : seconds;
}

static ridge_status time_store(const struct ridge_context *context, const struct ridge_run *run, double *seconds,
                               struct ridge_error *error)
{
    char folder[] = "/tmp/bench_rank_XXXXXX";
    char path[64];
    struct ridge_store *store = NULL;
    int64_t id = 0;
    bool added = false;
    if (!mkdtemp(folder)) {
        return rg_error_set(error, RIDGE_E_IO, "%s: cannot make a folder", folder);
    }
    snprintf(path, sizeof path, "%s/import.db", folder);
    const double begin = cpu_seconds();
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_WRITE, &store, error);
    status = status == RIDGE_OK ? ridge_store_import(store, run, &id, &added, error) : status;
    ridge_store_close(store);
    *seconds = cpu_seconds() - begin;
    unlink(path);
    rmdir(folder);
    return status;
}

static ridge_status time_ridge(struct ridge_context *context, const char *path, const struct import_file *file,
                               struct timing *timing, struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    for (int round = 0; round < ROUNDS && status == RIDGE_OK; round++) {
        struct ridge_run *run = NULL;
        const double begin = cpu_seconds();
        status = ridge_record_read(context, path, &file->hints, &run, error);
        timing->read_s = lesser(timing->read_s, cpu_seconds() - begin);
        if (status == RIDGE_OK && round == 0) {
            status = time_store(context, run, &timing->store_s, error);
        }
        ridge_run_destroy(run);
    }
    return status;
}

/** Parse the same text with the JSON library alone. Files that are no JSON as they stand have no time: 0. */
static ridge_status time_json(struct ridge_context *context, const char *path, struct timing *timing,
                              struct ridge_error *error)
{
    struct rg_arena arena;
    char *text = NULL;
    size_t length = 0;
    rg_arena_init(&arena, context);
    ridge_status status = rg_file_read(&arena, path, &text, &length, error);
    if (status == RIDGE_OK && rg_is_gzip(text, length)) {
        status = rg_gunzip(&arena, path, text, length, &text, &length, error);
    }
    timing->bytes = length;
    for (int round = 0; round < ROUNDS && status == RIDGE_OK; round++) {
        const double begin = cpu_seconds();
        json_t *parsed = json_loadb(text, length, 0, NULL);
        const bool whole = parsed != NULL;
        json_decref(parsed);
        timing->parse_s = whole ? lesser(timing->parse_s, cpu_seconds() - begin) : 0;
    }
    rg_arena_fini(&arena);
    return status;
}

/** A ratio, or a dash where there is nothing to compare with. */
static void print_ratio(double seconds, double parse_s)
{
    if (parse_s > 0) {
        printf("%.2f |", seconds / parse_s);
    } else {
        printf("- |");
    }
}

static void print_row(const char *name, const struct timing *timing)
{
    const double whole_s = timing->read_s + timing->store_s;
    printf("| %s | %.1f | %.1f | %.1f | ", name, 1e-6 * (double)timing->bytes, 1e3 * timing->parse_s,
           1e3 * timing->read_s);
    print_ratio(timing->read_s, timing->parse_s);
    printf(" %.1f | ", 1e3 * whole_s);
    print_ratio(whole_s, timing->parse_s);
    printf("\n");
}

ridge_status print_import_speed(struct ridge_context *context, const char *data, const struct import_file *files,
                                size_t count, struct ridge_error *error)
{
    struct timing timings[MAX_FILES] = {0};
    char path[1024];
    struct rusage usage;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < count && status == RIDGE_OK; i++) {
        snprintf(path, sizeof path, "%s/%s", data, files[i].name);
        status = time_ridge(context, path, &files[i], &timings[i], error);
    }
    getrusage(RUSAGE_SELF, &usage); /* before the JSON library holds a whole document */
    for (size_t i = 0; i < count && status == RIDGE_OK; i++) {
        snprintf(path, sizeof path, "%s/%s", data, files[i].name);
        status = time_json(context, path, &timings[i], error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    printf("\n| file | MB of JSON | JSON library (ms) | read by Ridge (ms) | ratio | with the database (ms) | ratio |\n"
           "|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        print_row(files[i].name, &timings[i]);
    }
    printf("\npeak memory of ranking, reading and storing: %.1f MiB\n", (double)usage.ru_maxrss / 1024);
    return RIDGE_OK;
}
