/* SPDX-License-Identifier: MIT */
#include "saved_calibration.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "database.h"

/** Looking through the calibrations of a kernel. */
struct search {
    const struct ranker *ranker;
    struct ridge_rank_identity identity;
    struct saved_calibration *out;
};

static bool visit(void *user, const struct ridge_saved_calibration *saved)
{
    struct search *search = user;
    struct saved_calibration *out = search->out;
    const struct ranker *ranker = search->ranker;
    if (strcmp(saved->device, ranker->device.devices[0]->name) != 0 ||
        strcmp(saved->model, ridge_model_word(ranker->model)) != 0 || saved->without_judged != ranker->without_judged) {
        return true;
    }
    const char *difference = ridge_rank_difference(&saved->identity, &search->identity);
    if (difference && !out->stale[0]) {
        snprintf(out->stale, sizeof out->stale,
                 "the calibration saved %.40s against %.300s is not used: %s (ridge calibrate --save renews it)",
                 saved->saved_at, saved->record, difference);
    }
    if (difference) {
        return true;
    }
    out->found = true;
    out->calibration = saved->calibration;
    snprintf(out->record, sizeof out->record, "%s", saved->record);
    snprintf(out->saved_at, sizeof out->saved_at, "%s", saved->saved_at);
    return false;
}

int saved_calibration_look(const struct ranker *ranker, const char *db, struct saved_calibration *out)
{
    char path[DATABASE_PATH_BYTES];
    struct ridge_error error = {0};
    struct ridge_store *store = NULL;
    struct search search = {.ranker = ranker, .out = out};
    *out = (struct saved_calibration){.found = false};
    if (!database_path(path, sizeof path, db, ridge_spec_folder(ranker->spec))) {
        return EXIT_USAGE;
    }
    if (!db && access(path, F_OK) != 0) {
        return EXIT_DONE;
    }
    const struct ridge_rank_options options = ranker_options(ranker, ranker->model);
    ridge_status status = ridge_rank_identify(ranker->context, ranker->space, &options, &search.identity, &error);
    status = status == RIDGE_OK ? ridge_store_open(ranker->context, path, RIDGE_STORE_READ, &store, &error) : status;
    if (status == RIDGE_OK) {
        status = ridge_store_calibration_each(store, ridge_spec_kernel(ranker->spec), visit, &search, &error);
    }
    ridge_store_close(store);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

int saved_calibration_put(const struct ranker *ranker, const char *db, const char *record, const struct ridge_run *run,
                          const struct ridge_calibration *calibration, char *path, size_t bytes)
{
    struct ridge_error error = {0};
    struct ridge_store *store = NULL;
    struct ridge_saved_calibration saved = {
        .kernel = ridge_spec_kernel(ranker->spec),
        .device = ranker->device.devices[0]->name,
        .model = ridge_model_word(ranker->model),
        .without_judged = ranker->without_judged,
        .record = record,
        .record_hash = run->info.source_hash,
        .calibration = *calibration,
    };
    if (!database_path(path, bytes, db, ridge_spec_folder(ranker->spec))) {
        return EXIT_USAGE;
    }
    const struct ridge_rank_options options = ranker_options(ranker, ranker->model);
    ridge_status status = ridge_rank_identify(ranker->context, ranker->space, &options, &saved.identity, &error);
    status = status == RIDGE_OK ? ridge_store_open(ranker->context, path, RIDGE_STORE_WRITE, &store, &error) : status;
    status = status == RIDGE_OK ? ridge_store_calibration_put(store, &saved, &error) : status;
    ridge_store_close(store);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}
