/* SPDX-License-Identifier: MIT */
#include "ranker.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ridge/store.h"
#include "ridge/units.h"

static ridge_status read_evidence(struct ranker *ranker, const char *given, struct ridge_error *error)
{
    static char names[OPTION_LIST_MAX][128];
    struct ridge_evidence *evidence = &ranker->evidence[ranker->evidence_count];
    struct ridge_record_hints hints = {NULL, NULL};
    const char *equal = strchr(given, '=');
    const char *slash = strchr(given, '/');
    const char *path = given;
    if (equal && (!slash || equal < slash)) {
        char *name = names[ranker->evidence_count];
        snprintf(name, sizeof names[0], "%.*s", (int)(equal - given), given);
        hints.device = name;
        evidence->device = name;
        path = equal + 1;
    }
    struct ridge_run **run = &ranker->runs[ranker->evidence_count];
    const ridge_status status = ridge_record_read(ranker->context, path, &hints, run, error);
    if (status == RIDGE_OK) {
        evidence->run = *run;
        ranker->evidence_count++;
    }
    return status;
}

/** Whether a file is an evidence database: SQLite's header. A pipe that nobody writes to is not waited for. */
static bool is_database(const char *path)
{
    char head[16] = "";
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool is_read = file >= 0 && read(file, head, sizeof head) == (ssize_t)sizeof head;
    if (file >= 0) {
        close(file);
    }
    return is_read && memcmp(head, "SQLite format 3", sizeof head) == 0;
}

/** The runs of one kernel in a database. */
struct found_runs {
    const char *kernel;
    size_t count;
    int64_t ids[OPTION_LIST_MAX];
};

static bool visit_run(void *user, const struct ridge_run_line *line)
{
    struct found_runs *found = user;
    if (strcmp(line->kernel, found->kernel) == 0 && line->ok > 0) {
        found->ids[found->count++] = line->id;
    }
    return found->count < OPTION_LIST_MAX;
}

/** Take every run of this kernel, as many as there is room for. */
static ridge_status read_database(struct ranker *ranker, const char *path, struct ridge_error *error)
{
    struct ridge_store *store = NULL;
    struct found_runs found = {.kernel = ridge_spec_kernel(ranker->spec)};
    ridge_status status = ridge_store_open(ranker->context, path, RIDGE_STORE_READ, &store, error);
    if (status == RIDGE_OK) {
        status = ridge_store_run_each(store, visit_run, &found, error);
    }
    for (size_t i = 0; i < found.count && status == RIDGE_OK && ranker->evidence_count < OPTION_LIST_MAX; i++) {
        struct ridge_run **run = &ranker->runs[ranker->evidence_count];
        status = ridge_store_run_load(store, found.ids[i], run, error);
        if (status == RIDGE_OK) {
            ranker->evidence[ranker->evidence_count++].run = *run;
        }
    }
    ridge_store_close(store);
    return status;
}

ridge_status ranker_load_spec(struct ranker *ranker, struct ridge_error *error)
{
    const struct ridge_spec_options options = {.set = ranker->set.items,
                                               .set_count = ranker->set.count,
                                               .without_work = ranker->without_work,
                                               .workload = ranker->workload};
    ridge_space_destroy(ranker->space);
    ridge_spec_destroy(ranker->spec);
    ranker->space = NULL;
    ranker->spec = NULL;
    const ridge_status status =
        ridge_spec_load_with(ranker->context, ranker->spec_path, &options, &ranker->spec, error);
    return status == RIDGE_OK ? ridge_space_create(ranker->context, ranker->spec, &ranker->space, error) : status;
}

ridge_status ranker_load_facts(struct ranker *ranker, struct ridge_error *error)
{
    ranker->model = RIDGE_MODEL_AUTO;
    if (ranker->model_word) {
        ridge_model_find(ranker->model_word, &ranker->model); /* the option table has checked it */
    }
    ridge_status status = ridge_device_db_create(ranker->context, ranker->data, &ranker->devices, error);
    if (status == RIDGE_OK && ranker->device_name) {
        status = ridge_device_find(ranker->devices, ranker->device_name, &ranker->device, error);
    }
    for (size_t i = 0; i < ranker->evidence_files.count && status == RIDGE_OK; i++) {
        const char *given = ranker->evidence_files.items[i];
        if (ranker->evidence_count == OPTION_LIST_MAX) {
            break;
        }
        status = is_database(given) ? read_database(ranker, given, error) : read_evidence(ranker, given, error);
    }
    return status;
}

int ranker_open(struct ranker *ranker)
{
    struct ridge_error error = {0};
    if (!ranker->device_name) {
        fprintf(stderr, "ridge: --device is missing (name the device to rank for, see ridge devices)\n");
        return EXIT_USAGE;
    }
    ridge_status status = ranker_load_spec(ranker, &error);
    status = status == RIDGE_OK ? ranker_load_facts(ranker, &error) : status;
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

void ranker_close(struct ranker *ranker)
{
    for (size_t i = 0; i < ranker->evidence_count; i++) {
        ridge_run_destroy(ranker->runs[i]);
    }
    ridge_space_destroy(ranker->space);
    ridge_spec_destroy(ranker->spec);
    ridge_device_db_destroy(ranker->devices);
}

struct ridge_rank_options ranker_options(const struct ranker *ranker, ridge_model model)
{
    return (struct ridge_rank_options){.model = model,
                                       .devices = ranker->devices,
                                       .device = ranker->device.count > 0 ? &ranker->device : NULL,
                                       .evidence = ranker->evidence,
                                       .evidence_count = ranker->evidence_count,
                                       .without_judged = ranker->without_judged,
                                       .code = ranker->code,
                                       .code_count = ranker->code_count};
}

struct ridge_ranking *ranker_rank(const struct ranker *ranker, ridge_model model, int *code)
{
    const struct ridge_rank_options options = ranker_options(ranker, model);
    struct ridge_ranking *ranking = NULL;
    struct ridge_error error = {0};
    if (ridge_rank(ranker->context, ranker->space, &options, &ranking, &error) != RIDGE_OK) {
        *code = report_error(&error);
        return NULL;
    }
    return ranking;
}

void calibration_words(const struct ridge_calibration *calibration, char out[CALIBRATION_BYTES])
{
    if (!calibration || isnan(calibration->rho)) {
        snprintf(out, CALIBRATION_BYTES, "UNCALIBRATED");
        return;
    }
    snprintf(out, CALIBRATION_BYTES, "rho %.3f (95 %% interval %.3f to %.3f, n = %llu)", calibration->rho,
             calibration->rho_ci95.low, calibration->rho_ci95.high, (unsigned long long)calibration->n);
}
