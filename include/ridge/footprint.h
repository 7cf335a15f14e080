/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Does more shared (threadgroup) memory pay, everything else equal? A verdict from a calibration: points measured on
 * a device, a slope fitted through them, and how well it predicted points that it was not fitted on (docs/footprint.md).
 *
 * What nobody measured is `unknown`; what is within the calibration's own error is `too-close`. Neither may discard a
 * candidate. Thread rule: a database or a fit is unchanging once made and may be read by any thread.
 */
#ifndef RIDGE_FOOTPRINT_H
#define RIDGE_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "ridge/context.h"
#include "ridge/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a prediction says of the candidate. */
typedef enum ridge_verdict {
    RIDGE_VERDICT_UNKNOWN,
    RIDGE_VERDICT_TOO_CLOSE,
    RIDGE_VERDICT_FASTER,
    RIDGE_VERDICT_SLOWER /**< the only one that means: do not spend device time */
} ridge_verdict;

RIDGE_API const char *ridge_verdict_word(ridge_verdict verdict); /**< "too-close"; never NULL */

/** Points measured in one way: throughput relative to the smallest footprint. Borrowed. */
struct ridge_footprint_series {
    const char *label;
    const char *how; /**< how it was measured; NULL: not said */
    bool held_out;   /**< the slope was not fitted on it */
    size_t count;
    const double *bytes;    /**< ascending; the first is the baseline */
    const double *relative; /**< throughput over that of the baseline; the first is 1 */
};

/** A case where a calibration was measured to be wrong. Borrowed. */
struct ridge_footprint_wrong {
    const char *what;
    double predicted_ratio;
    double measured_ratio;
    const char *note; /**< NULL: none */
};

/** A calibration. Borrowed from its database or fit. */
struct ridge_footprint {
    const char *name;
    const char *device; /**< it holds for this device alone; NULL: for a family */
    const char *family; /**< NULL: for one device */
    const char *kind;   /**< of its points: "recorded" or "measured" */
    const char *source;
    const char *scope;
    const char *note;            /**< NULL: none */
    double slope_ratio;          /**< change of the ratio a doubling */
    double dead_band_ratio;      /**< a ratio within this of 1 is too close to call */
    double fit_error_ratio;      /**< the fitted points are reproduced within this */
    double held_out_error_ratio; /**< the held-out points are predicted within this; NaN: none was held out */
    double bound_ratio;          /**< held-out points must be predicted within this, or nothing is claimed */
    size_t series_count;
    const struct ridge_footprint_series *series;
    size_t wrong_count;
    const struct ridge_footprint_wrong *wrong;
};

/** \return max(0, 1 + slope * log2(candidate / base)); both above 0. */
RIDGE_API double ridge_footprint_ratio(const struct ridge_footprint *footprint, double base_bytes,
                                       double candidate_bytes);

/** \return whether it may give verdicts: a series was held out and predicted within the bound. */
RIDGE_API bool ridge_footprint_claims(const struct ridge_footprint *footprint);

struct ridge_footprint_db;

/**
 * Load what is compiled in and then, when given, a folder of *.toml files or one file over it.
 * \param path      borrowed for the call; NULL: only what is compiled in
 * \param[out] out  owned by the caller; freed by ridge_footprint_db_destroy
 * \retval RIDGE_E_IO, RIDGE_E_SYNTAX, RIDGE_E_NAME, RIDGE_E_VALUE  with file and line: a value that is wrong, is
 *         missing or contradicts another (points that the slope does not reproduce within the stated error)
 */
RIDGE_API ridge_status ridge_footprint_db_create(const struct ridge_context *context, const char *path,
                                                 struct ridge_footprint_db **out, struct ridge_error *error);
/** Free a database. NULL is fine. */
RIDGE_API void ridge_footprint_db_destroy(struct ridge_footprint_db *db);

enum {
    RIDGE_REASON_BYTES = 400
};

/** A prediction. */
struct ridge_prediction {
    ridge_verdict verdict;
    double ratio; /**< throughput of the candidate over that of the base, estimated; NaN: unknown */
    char reason[RIDGE_REASON_BYTES];
    const struct ridge_footprint *footprint; /**< what it rests on; NULL: no calibration knows the device */
    bool extrapolated; /**< there is a ratio, for a footprint or a change that lies beyond every point */
};

/** What the points of a calibration span, bytes: the rule goes on beyond it, and nothing was measured there. */
struct ridge_footprint_span {
    double least_bytes, most_bytes;
    double most_change; /**< the largest footprint of a series over its baseline */
};

/** \return what the points of a calibration span. */
RIDGE_API struct ridge_footprint_span ridge_footprint_span(const struct ridge_footprint *footprint);

/**
 * Predict what a change of footprint does to throughput. A calibration of the device itself goes before one of its
 * family. A device's name is compared in words, ignoring case and the vendor.
 */
RIDGE_API void ridge_footprint_predict(const struct ridge_footprint_db *db, const char *device, uint64_t base_bytes,
                                       uint64_t candidate_bytes, struct ridge_prediction *out);

/** How to fit. */
struct ridge_footprint_fit_options {
    const char *device;   /**< that the points were measured on */
    const char *hold_out; /**< label of the series that is not fitted on; NULL: none, and nothing is claimed */
    double bound_ratio;   /**< 0 or NaN: 0.06, within which the published calibration predicted its own */
};

struct ridge_footprint_fit;

/**
 * Fit a calibration to measured points: a slope through each baseline on log2 of the footprint, by least squares. The
 * dead band is the largest residual of any point, held-out ones included, and at least 0.01.
 * \param path  CSV with the columns label, bytes and throughput or time_s; rows with the same label and bytes are put
 *              together by their geometric mean; the smallest footprint of a label is its baseline
 * \param[out] out  owned by the caller; freed by ridge_footprint_fit_destroy
 * \retval RIDGE_E_SYNTAX, RIDGE_E_VALUE  with line and column
 * \retval RIDGE_E_NAME   there is no series to hold out under that label
 * \retval RIDGE_E_EMPTY  no series is left to fit on
 */
RIDGE_API ridge_status ridge_footprint_fit_create(const struct ridge_context *context, const char *path,
                                                  const struct ridge_footprint_fit_options *options,
                                                  struct ridge_footprint_fit **out, struct ridge_error *error);
/** Free a fit. NULL is fine. */
RIDGE_API void ridge_footprint_fit_destroy(struct ridge_footprint_fit *fit);
/** \return the calibration of a fit. Borrowed from it. */
RIDGE_API const struct ridge_footprint *ridge_footprint_fit_get(const struct ridge_footprint_fit *fit);

/** Write a calibration, with its points, as a file that ridge_footprint_db_create reads. */
RIDGE_API ridge_status ridge_footprint_write(const struct ridge_context *context,
                                             const struct ridge_footprint *footprint, struct ridge_sink sink,
                                             struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
