/* SPDX-License-Identifier: MIT */
/** \file What ridge rank, ridge calibrate and ridge tune share: the spec, its space, the device and the evidence. */
#ifndef CLI_RANKER_H
#define CLI_RANKER_H

#include "options.h"
#include "ridge/calibrate.h"
#include "ridge/record.h"

struct ranker {
    struct ridge_context *context;
    /* as given */
    const char *spec_path;
    const char *device_name;
    const char *model_word;
    const char *data;
    struct option_list evidence_files;
    struct option_list set;
    bool without_judged;
    bool without_work;
    size_t workload; /* of the spec, from 1; 0: the params of [bench] as written */
    /* loaded */
    struct ridge_spec *spec;
    struct ridge_space *space;
    struct ridge_device_db *devices;
    struct ridge_device_match device;
    ridge_model model;
    struct ridge_run *runs[OPTION_LIST_MAX];
    struct ridge_evidence evidence[OPTION_LIST_MAX];
    size_t evidence_count;
    const struct ridge_code *code; /* one row a configuration, or NULL */
    uint64_t code_count;
};

/** The model and what it ranks by, as rows of an option table. */
#define RANKER_MODEL_OPTIONS(ranker)                                                                             \
    {"model",                                                                                                    \
     OPTION_TEXT,                                                                                                \
     &(ranker)->model_word,                                                                                      \
     "NAME",                                                                                                     \
     "which model (default auto)",                                                                               \
     "occupancy-waves|work|transfer|auto"},                                                                      \
        {"data", OPTION_TEXT, &(ranker)->data, "FOLDER", "device files over those compiled in", NULL},           \
    {                                                                                                            \
        "evidence", OPTION_LIST, &(ranker)->evidence_files, "FILE",                                              \
            "records of other devices, or a database of them; NAME=FILE names the device; may be repeated", NULL \
    }

/** The options of ridge rank and ridge calibrate. */
#define RANKER_OPTIONS(ranker)                                                                                       \
    {"device", OPTION_TEXT, &(ranker)->device_name, "NAME", "the device to rank for (see ridge devices)", NULL},     \
        RANKER_MODEL_OPTIONS(ranker),                                                                                \
        {"set", OPTION_LIST, &(ranker)->set, "NAME=VALUE", "override a param of the spec; may be repeated", NULL},   \
    {                                                                                                                \
        "without-judged", OPTION_FLAG, &(ranker)->without_judged, NULL, "leave out every constant without a source", \
            NULL                                                                                                     \
    }

/** Load everything. \return an exit code; EXIT_DONE: go on. ranker_close is to be called either way. */
int ranker_open(struct ranker *ranker);
/** The two parts of it: the spec and its space (again, for another workload); then the model, the devices, the device if one is named, the evidence. */
ridge_status ranker_load_spec(struct ranker *ranker, struct ridge_error *error);
ridge_status ranker_load_facts(struct ranker *ranker, struct ridge_error *error);
void ranker_close(struct ranker *ranker);

/** \return how to rank by a model; without a device when none was named. Borrows from the ranker. */
struct ridge_rank_options ranker_options(const struct ranker *ranker, ridge_model model);

/** Rank by a model. \return NULL with a message and *code. */
struct ridge_ranking *ranker_rank(const struct ranker *ranker, ridge_model model, int *code);

/** The words of a calibration: "UNCALIBRATED", or rho with its interval and n. */
enum {
    CALIBRATION_BYTES = 160
};
void calibration_words(const struct ridge_calibration *calibration, char out[CALIBRATION_BYTES]);

#endif
