/* SPDX-License-Identifier: MIT */
/**
 * \file --filter footprint: leaves out candidates that a footprint calibration predicts to be slower, keeps a sample of
 * them, and measures that sample to check itself. Thread rule: one thread.
 */
#ifndef RG_TUNE_FILTER_H
#define RG_TUNE_FILTER_H

#include "base/rng.h"
#include "ridge/footprint.h"

struct rg_tuning;

struct rg_filter {
    const struct ridge_footprint_db *db; /**< NULL: nothing is left out */
    uint64_t base_bytes;
    uint64_t most;    /**< candidates to try, those left out not counted; 0: no limit */
    uint64_t dropped; /**< candidates left out */
    uint64_t checked; /**< of these, measured to check the filter */
    uint32_t *sample; /**< rows of choices: a uniform sample of what was left out */
    uint64_t sample_capacity;
    struct rg_rng rng;
};

/** Find the base of the footprints. \retval RIDGE_E_VALUE  the spec has no [model] smem_bytes */
ridge_status rg_filter_init(struct rg_tuning *tuning, uint64_t space_count, struct ridge_error *error);
void rg_filter_fini(struct rg_tuning *tuning);

/** \return whether to leave a candidate out: only when it is predicted to be slower. It is counted and may be sampled. */
bool rg_filter_drops(struct rg_tuning *tuning, const uint32_t *choice);

/** \return whether as many candidates as were asked for are tried or waiting. */
bool rg_filter_is_full(const struct rg_tuning *tuning, size_t waiting);

/** Measure the sample and write into the run's notes how many were left out and how the check went. */
ridge_status rg_filter_finish(struct rg_tuning *tuning, struct ridge_error *error);

#endif
