/* SPDX-License-Identifier: MIT */
/**
 * \file Guard zones: bytes around a buffer with a known pattern, so that a kernel that writes outside of it is found
 * out. Pure functions on plain memory; any thread.
 */
#ifndef RG_BACKEND_GUARD_H
#define RG_BACKEND_GUARD_H

#include "backend/backend.h"

/** Which side of the buffer a zone lies on. */
enum rg_guard_side {
    RG_GUARD_BEFORE,
    RG_GUARD_BEHIND
};

/** Write the pattern. */
void rg_guard_fill(unsigned char *zone, size_t bytes);

/**
 * Compare a zone with the pattern and set trouble (RIDGE_OUTCOME_WRONG) that names the argument, the side and how far
 * from the buffer the nearest damaged byte is.
 * \return whether the zone is damaged; the caller repairs it
 */
bool rg_guard_damaged(const unsigned char *zone, size_t bytes, enum rg_guard_side side, const struct rg_shape *shape,
                      struct rg_trouble *trouble);

#endif
