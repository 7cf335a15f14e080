/* SPDX-License-Identifier: MIT */
#include "backend/guard.h"

/** Neither 0, nor all ones, nor the same twice in a row: what kernels write by mistake. */
static unsigned char pattern_at(size_t offset)
{
    return (unsigned char)(0xA5U ^ (offset * 37U));
}

void rg_guard_fill(unsigned char *zone, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        zone[i] = pattern_at(i);
    }
}

bool rg_guard_damaged(const unsigned char *zone, size_t bytes, enum rg_guard_side side, const struct rg_shape *shape,
                      struct rg_trouble *trouble)
{
    size_t damaged = 0;
    size_t nearest = 0; /* bytes from the buffer's edge, 1: next to it */
    for (size_t i = 0; i < bytes; i++) {
        if (zone[i] == pattern_at(i)) {
            continue;
        }
        damaged++;
        if (side == RG_GUARD_BEFORE) {
            nearest = bytes - i;
        } else if (nearest == 0) {
            nearest = i + 1;
        }
    }
    if (damaged == 0) {
        return false;
    }
    rg_trouble_set(trouble, RIDGE_OUTCOME_WRONG,
                   "it wrote outside of its buffer: %zu bytes %s '%s', the nearest %zu bytes from its %s (the buffer "
                   "has %llu bytes)",
                   damaged, side == RG_GUARD_BEFORE ? "before" : "behind", shape->name, nearest,
                   side == RG_GUARD_BEFORE ? "beginning" : "end", (unsigned long long)shape->bytes);
    return true;
}
