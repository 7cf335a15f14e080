/* SPDX-License-Identifier: MIT */
/** \file Calibrations that were kept in an evidence database: ridge calibrate --save puts them, ridge rank shows them. */
#ifndef CLI_SAVED_CALIBRATION_H
#define CLI_SAVED_CALIBRATION_H

#include "ranker.h"

/** What was found for a ranking. */
struct saved_calibration {
    bool found;
    struct ridge_calibration calibration; /* when found */
    char record[512];                     /* the file that it was compared with */
    char saved_at[64];
    char stale[512]; /* why the newest that was passed over does not hold; empty: none was */
};

/**
 * Look for the calibration of the ranker's ranking: same kernel, device, model, spec, evidence and model version.
 * \param db  the option --db, or NULL: RIDGE_DB, else beside the spec, where a missing file holds no calibrations
 * \return EXIT_DONE, or the exit code of a failure whose message has been printed
 */
int saved_calibration_look(const struct ranker *ranker, const char *db, struct saved_calibration *out);

/** Keep one. \return as above. \param[out] path  of the database */
int saved_calibration_put(const struct ranker *ranker, const char *db, const char *record, const struct ridge_run *run,
                          const struct ridge_calibration *calibration, char *path, size_t bytes);

#endif
