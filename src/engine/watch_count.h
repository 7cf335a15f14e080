/* SPDX-License-Identifier: MIT */
/** \file What counting keeps, and the counting of accesses (count_access.c). Thread rule: as a run. */
#ifndef RG_ENGINE_WATCH_COUNT_H
#define RG_ENGINE_WATCH_COUNT_H

#include "engine/run.h"

/** Of one operation of the module. */
struct rg_op_count {
    uint64_t warps;
    uint64_t taken; /**< branches: warps that took it */
    uint64_t wavefronts;
    uint64_t requests;
    uint64_t sectors;
};

struct rg_tally {
    struct rg_engine_counts total;
    struct rg_engine_counts block;
    struct rg_op_count *ops;
    uint8_t *fill_uniform;
    double chain_sum; /**< over warps */
    double block_chain;
};

/** Of one warp. Times are cycles since the block began. */
struct rg_watch {
    float *ready;     /**< by column: when its value is there */
    uint8_t *uniform; /**< by column: the same in all lanes */
    float floor;      /**< nothing issues before: branches and barriers */
    float stored;     /**< when the last store had its operands */
    float end;
    size_t guarded_to; /**< operations before this one stand behind a condition that is not the same in all lanes */
};

/** Count the access that an operation just made: warp->addresses, warp->access, warp->reached. */
void rg_count_access(struct rg_warp *warp, const struct rg_op *op);

#endif
