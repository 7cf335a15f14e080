/* SPDX-License-Identifier: MIT */
/** \file The inside of footprint calibrations. Thread rule: unchanging once made. */
#ifndef RG_MODEL_FOOTPRINT_H
#define RG_MODEL_FOOTPRINT_H

#include "base/arena.h"
#include "ridge/footprint.h"
#include "text/toml_fields.h"

/** Devices that are told by words in their names. */
struct rg_footprint_family {
    const char *name;
    const char *vendor; /**< NULL: any */
    struct rg_texts words;
    const char *unknown; /**< why there is no calibration; NULL: there may be one */
};

enum {
    RG_MAX_FAMILIES = 256,
    RG_MAX_FOOTPRINTS = 1024
};

struct ridge_footprint_db {
    const struct ridge_context *context;
    struct rg_arena arena;
    size_t family_count;
    struct rg_footprint_family families[RG_MAX_FAMILIES]; /**< in the order in which they are tried */
    size_t count;
    const struct ridge_footprint *footprints[RG_MAX_FOOTPRINTS];
};

/** Read one file of calibrations into the database (docs/footprint.md). The text lives as long as the database. */
ridge_status rg_footprint_read(struct ridge_footprint_db *db, const char *name, const char *text, size_t length,
                               struct ridge_error *error);

/** \return the largest |predicted - relative| of a series. */
double rg_footprint_residual(const struct ridge_footprint *footprint, const struct ridge_footprint_series *series);

/** One row of a CSV of points. */
struct rg_footprint_point {
    const char *label;
    double bytes;
    double throughput; /**< in any unit */
};

struct rg_footprint_points {
    size_t count;
    const struct rg_footprint_point *items; /**< in the order of the file */
};

/** Read a CSV of points; everything lives in the arena. */
ridge_status rg_footprint_points_read(struct rg_arena *arena, const char *path, struct rg_footprint_points *out,
                                      struct ridge_error *error);

#endif
