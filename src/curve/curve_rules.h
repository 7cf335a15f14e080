/* SPDX-License-Identifier: MIT */
/** \file Rules of curves that the files of this folder share (docs/curve.md). Pure; any thread. */
#ifndef RG_CURVE_CURVE_RULES_H
#define RG_CURVE_CURVE_RULES_H

#include "ridge/curve.h"

#define RG_SWEEP_LEAST_BYTES UINT64_C(8192) /* smallest working set of a sweep. Source: behaviours section 2 */
#define RG_EDGE_RATIO        1.25 /* rates that differ more are of two levels. Source: reference/curve.md 4.7 */

#define RG_RAMP_END_BYTES (UINT64_C(4) << 20) /* where the disciplines meet. Source: reference/curve.md 4.4 */

enum {
    RG_SWEEP_MOST = 64,
    RG_LEVELS_MOST = 8
};

/** The sizes of the published sweep: powers of two from 8 KiB to the cap; a cap below 8 KiB alone. \return how many */
size_t rg_sweep_sizes(uint64_t cap, uint64_t sizes[RG_SWEEP_MOST]);

/** \return the first point that is not smaller than `bytes`; point_count: all are. */
size_t rg_first_not_below(const struct ridge_curve *curve, uint64_t bytes);

/** ridge_curve_is_old, with the folders of the system below another one: "" but in tests. */
bool rg_curve_is_old(const char *root, const struct ridge_curve *curve, char why[512]);

/** A plateau of a warm curve: points first to last. */
struct rg_plateau {
    size_t first;
    size_t last;
    double bytes_per_s;      /**< median of its points */
    uint64_t capacity_bytes; /**< up to where: the middle of the fall to the next plateau; 0: no end was seen */
};

/**
 * Find the plateaus of a warm curve, inside out: each at least 3 points and 0.75 octaves long, not falling by more than
 * an eighth an octave, and clearly below the one before: by 1.12, more where the intervals of the points are wide.
 * \param points  ascending, `count` of them
 * \return how many were written
 */
size_t rg_plateaus(const struct ridge_curve_point *points, size_t count, struct rg_plateau out[RG_LEVELS_MOST]);

/** \return the name of plateau number `index` of `count`; `memory`: whether the last one is sure to be memory. */
const char *rg_level_name(size_t index, size_t count, bool memory);

/** \return whether a name is that of a last level that is not sure to be memory. */
bool rg_level_is_outermost(const char *name);

/** \return whether the last plateau is flat for two octaves and the pool four times as large as where it starts. */
bool rg_is_memory(const struct ridge_curve_point *points, const struct rg_plateau *last, uint64_t pool_bytes);

#endif
