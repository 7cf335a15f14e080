/* SPDX-License-Identifier: MIT */
/** \file Text files compiled in by tools/embed.py. Constant; any thread. */
#ifndef RG_BASE_EMBEDDED_H
#define RG_BASE_EMBEDDED_H

#include <stddef.h>

/** One file. Arrays of them end with a NULL name. */
struct rg_embedded {
    const char *name; /**< file name without folder */
    const char *text; /**< NUL-terminated */
    size_t length;    /**< bytes, without the terminator */
};

/** data/devices/ */
extern const struct rg_embedded rg_device_files[];
/** data/calibrations/ */
extern const struct rg_embedded rg_calibration_files[];
/** data/policies/ */
extern const struct rg_embedded rg_policy_files[];

#endif
