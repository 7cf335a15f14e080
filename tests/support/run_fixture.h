/* SPDX-License-Identifier: MIT */
/** \file Invented runs, the same every time, put into a store through the library: for tests of store and report. */
#ifndef RG_RUN_FIXTURE_H
#define RG_RUN_FIXTURE_H

#include <stdio.h>

#include "base/rng.h"
#include "store/store.h"

enum {
    FIXTURE_DIMENSIONS = 4,
    FIXTURE_SAMPLES = 9
};

static const char *const fixture_names[FIXTURE_DIMENSIONS] = {"T", "block_x", "fast", "scale"};

/** Everything that identifies the invented run. The device name is one of BP-043. */
static inline struct ridge_run_info fixture_info(void)
{
    return (struct ridge_run_info){
        .kernel = "gr\xC3\xB6\xC3\x9F"
                  "e",
        .backend = "opencl",
        .device = "Some(R) Core(TM)9  X/Y @ 3.10GHz",
        .platform = "Portable \"Computing\" Language",
        .driver = "3.1+debian",
        .source_hash = "5f",
        .arguments_hash = "a6",
        .parameters = "label=two words n=512 ratio=0.5 seed=0",
        .cache = "warm",
        .space_hash = "5b",
        .spec_path = "examples/matmul/kernel.toml",
        .order = "exhaustive",
        .reference = "c",
        .ridge_version = "0.1.0",
        .host = "buildbox",
        .seed = UINT64_MAX,
        .space_count = 24,
    };
}

/** Configuration number `i` and its id. */
static inline void fixture_values(unsigned i, struct ridge_value values[FIXTURE_DIMENSIONS], char id[RIDGE_ID_BYTES])
{
    static const char *const types[] = {"vec<float, 2>", "half", "unsigned \"int\""};
    values[0] = (struct ridge_value){RIDGE_TEXT, {.text = types[i % 3]}};
    values[1] = (struct ridge_value){RIDGE_INT, {.integer = 8 + i / 6 * 8}};
    values[2] = (struct ridge_value){RIDGE_BOOL, {.truth = i % 2 == 1}};
    values[3] = (struct ridge_value){RIDGE_FLOAT, {.number = 0.5 * (double)(i / 3 % 2 + 1)}};
    snprintf(id, RIDGE_ID_BYTES, "c1-%016llx", 0x9e3779b97f4a7c15ULL * (i + 1));
}

static inline void fixture_samples(unsigned i, unsigned stage, double samples_s[FIXTURE_SAMPLES])
{
    struct rg_rng rng;
    rg_rng_init(&rng, i * 2 + stage);
    const double typical = 1.2e-3 * (1 + (i < 3 ? 0.0002 : 0.1) * (double)i);
    for (unsigned at = 0; at < FIXTURE_SAMPLES; at++) {
        samples_s[at] = typical * (1 + 0.02 * rg_rng_unit(&rng));
    }
}

/** What becomes of configuration `i`, and why. */
static inline ridge_outcome fixture_outcome(unsigned i, const char **text)
{
    static const char *const texts[] = {
        "error: use of undeclared identifier 'fo\xC3\xB6'\n    float x = fo\xC3\xB6;\n              ^\n1 error generated.",
        "argument 3: element 17 is nan, expected 1.5 (tolerance 0.0001)\n12 of 262144 elements differ",
        "block of 2048 threads, the device takes 1024",
        "no answer within 2 s",
    };
    static const ridge_outcome outcomes[] = {RIDGE_OUTCOME_COMPILE, RIDGE_OUTCOME_WRONG, RIDGE_OUTCOME_UNLAUNCHABLE,
                                             RIDGE_OUTCOME_TIMEOUT};
    if (i % 5 != 4) {
        *text = NULL;
        return RIDGE_OUTCOME_OK;
    }
    *text = texts[i / 5 % 4];
    return outcomes[i / 5 % 4];
}

/** Put the result of configuration `i`. */
static inline ridge_status fixture_put(struct ridge_store *store, int64_t run, unsigned i, struct ridge_error *error)
{
    struct ridge_value values[FIXTURE_DIMENSIONS];
    char id[RIDGE_ID_BYTES];
    double samples_s[FIXTURE_SAMPLES];
    fixture_values(i, values, id);
    fixture_samples(i, 0, samples_s);
    struct rg_result result = {.id = id, .values = values, .samples_s = samples_s, .compile_s = 0.25, .run_s = 0.125};
    result.outcome = fixture_outcome(i, &result.text);
    result.sample_count = result.outcome == RIDGE_OUTCOME_OK ? FIXTURE_SAMPLES : 0;
    result.converged = i % 2 == 0;
    result.rejected = i == 7 ? 2 : 0;
    return rg_store_result_put(store, run, &result, error);
}

/** Put a whole run of `count` results with final rounds of the first three, sentinel, notes and an end. */
static inline ridge_status fixture_run(struct ridge_store *store, unsigned count, int64_t *run,
                                       struct ridge_error *error)
{
    const struct ridge_run_info info = fixture_info();
    ridge_status status = rg_store_run_begin(store, &info, fixture_names, FIXTURE_DIMENSIONS, run, error);
    for (unsigned i = 0; status == RIDGE_OK && i < count; i++) {
        status = fixture_put(store, *run, i, error);
    }
    for (unsigned i = 0; status == RIDGE_OK && i < 3 && i < count; i++) {
        struct ridge_value values[FIXTURE_DIMENSIONS];
        char id[RIDGE_ID_BYTES];
        double samples_s[FIXTURE_SAMPLES];
        fixture_values(i, values, id);
        fixture_samples(i, 1, samples_s);
        status = rg_store_final_put(store, *run, id, samples_s, FIXTURE_SAMPLES, NULL, error);
        if (status == RIDGE_OK) {
            status = rg_store_sentinel_add(store, *run, "c1-0000000000000001", i, 1e-3 + 1e-4 * (double)i, error);
        }
    }
    if (status == RIDGE_OK) {
        status = rg_store_note_add(store, *run,
                                   "other processes used the device's processor cores for 12 % of the time", error);
    }
    if (status == RIDGE_OK) {
        const struct ridge_run_seconds seconds = {40.1, 20.0, 1.9, 62.0};
        status = rg_store_run_end(store, *run, RIDGE_RUN_COMPLETE, "every configuration was tried", &seconds, error);
    }
    return status;
}

#endif
