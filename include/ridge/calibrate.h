/* SPDX-License-Identifier: MIT */
/**
 * \file
 * How good a ranking was: an estimated order against what was measured, and keeping that in the evidence database.
 * Thread rule: pure, any thread; what takes a store follows the rule of the store.
 */
#ifndef RIDGE_CALIBRATE_H
#define RIDGE_CALIBRATE_H

#include "ridge/rank.h"
#include "ridge/sink.h"
#include "ridge/stats.h"
#include "ridge/store.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_REGRETS = 4
};

/** The k of each regret: 1, 10, 50, 100. */
RIDGE_API uint64_t ridge_regret_k(size_t index);

/** What a calibration says. */
struct ridge_calibration {
    double rho;                     /**< Spearman: estimated cost against measured time; NaN: no answer */
    struct ridge_interval rho_ci95; /**< bootstrap; NaN: no answer */
    uint64_t n;                     /**< measured configurations that rho is of */
    uint64_t configurations;        /**< with the failed ones: what is taken in order */
    uint64_t outside;               /**< records that are not in the space: not counted */
    uint32_t recall10;              /**< of the ten fastest, in the first tenth of the order */
    double regret[RIDGE_REGRETS];   /**< infinite: all of the first k failed */
    double evals_to_5pct;           /**< expected evaluations to come within 5 % of the fastest */
    double evals_to_1pct;
    double random_evals_to_5pct; /**< the same in random order */
    double random_evals_to_1pct;
};

/** A calibration that is kept in an evidence database, and what it is of. Texts are borrowed. */
struct ridge_saved_calibration {
    const char *kernel;
    const char *device; /**< its name in the device database */
    const char *model;  /**< its word */
    bool without_judged;
    struct ridge_rank_identity identity;
    const char *record;        /**< the file that it was compared with */
    const char *record_hash;   /**< SHA-256 of it, hex */
    const char *saved_at;      /**< UTC; written by ridge_store_calibration_put */
    const char *ridge_version; /**< the same */
    struct ridge_calibration calibration;
};

/** One configuration in both orders. */
struct ridge_calibration_point {
    double estimated_rank; /**< 1: predicted fastest; average ranks for ties */
    double time_s;         /**< infinite: it failed */
};

/**
 * Compare a ranking with a run of the same space.
 * \param points      NULL, or room for `run->record_count`; filled with `out->configurations`
 * \param resamples   of the bootstrap; 0: no interval
 * \retval RIDGE_E_EMPTY  no record is in the space, or none was measured
 * \retval RIDGE_E_NAME   the run lacks a dimension of the space
 */
RIDGE_API ridge_status ridge_calibrate(const struct ridge_context *context, const struct ridge_space *space,
                                       const struct ridge_ranking *ranking, const struct ridge_run *run,
                                       uint64_t resamples, struct ridge_calibration *out,
                                       struct ridge_calibration_point *points, struct ridge_error *error);

/**
 * Keep a calibration: durable when it returns. One of the same ranking against the same record takes its place.
 * \retval RIDGE_E_STORE, RIDGE_E_IO  it cannot be written
 */
RIDGE_API ridge_status ridge_store_calibration_put(struct ridge_store *store,
                                                   const struct ridge_saved_calibration *calibration,
                                                   struct ridge_error *error);

/** Visit the calibrations of a kernel, newest first. `visit` returns false to stop; what it is given is borrowed. */
RIDGE_API ridge_status ridge_store_calibration_each(struct ridge_store *store, const char *kernel,
                                                    bool (*visit)(void *user,
                                                                  const struct ridge_saved_calibration *calibration),
                                                    void *user, struct ridge_error *error);

/**
 * Draw predicted rank against measured time (SVG, logarithmic). Failed configurations are left out.
 * \retval RIDGE_E_ARGUMENT  no points, or no text
 * \retval RIDGE_E_IO        the sink refused bytes
 */
RIDGE_API ridge_status ridge_calibration_picture(const struct ridge_calibration_point *points, uint64_t count,
                                                 const char *title, const char *subtitle, struct ridge_sink sink,
                                                 struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
