/* SPDX-License-Identifier: MIT */
/**
 * \file What checking keeps: who accessed each granule last, and what each warp knows of the others. Order is that of
 * the PTX memory model, by clocks: a warp's clock moves on at every barrier, __syncwarp and release; an access is
 * ordered before another thread when that thread's warp has seen the clock it was made at. docs/engine.md says where
 * this is coarser than the model. Thread rule: as a run.
 */
#ifndef RG_ENGINE_JUDGE_H
#define RG_ENGINE_JUDGE_H

#include "engine/run.h"

/** One access: block 0 is none. */
struct rg_access {
    uint32_t block;
    uint32_t thread_clock; /**< thread in its block above, clock of its warp in the low RG_CLOCK_BITS */
    uint32_t op_marks;     /**< operation above, RG_ACCESS_* below */
};

enum {
    RG_CLOCK_BITS = 21,
    RG_ACCESS_ATOMIC = 1,
    RG_ACCESS_VOLATILE = 2,
    RG_ACCESS_MARK_BITS = 2
};

struct rg_shadow {
    uint32_t block; /**< shared memory: whose records these are */
    struct rg_access writer;
    struct rg_access readers[2]; /**< two that are not ordered: a writer conflicts with one of them at least */
};

/** What a warp has seen. */
struct rg_order {
    uint32_t clock;
    uint32_t seen[RG_MAX_WARPS];
    uint32_t lanes[RG_LANES][RG_LANES]; /**< by lane: what it has seen of the others of its warp */
    bool fenced;                        /**< a fence came before: an atomic releases */
    bool touched;                       /**< an atomic came before: a fence acquires */
    bool acquired;                      /**< has seen the blocks that released before */
    uint8_t *local_valid;               /**< bytes of local memory that were written, by lane */
};

struct rg_judge {
    uint32_t shared_grain;
    uint32_t global_grain;
    struct rg_shadow *shared;
    uint32_t released[RG_MAX_WARPS]; /**< what fences and atomics of this block passed on */
    uint8_t *block_released;         /**< bit by block serial */
    uint64_t block_count;
};

/** Order (judge_order.c). */
void rg_order_begin(struct rg_run *run);
bool rg_order_before(const struct rg_warp *warp, unsigned lane, const struct rg_access *access);
void rg_order_atomic(struct rg_warp *warp, const struct rg_op *op, uint32_t mask);
void rg_order_release(struct rg_warp *warp);
void rg_order_fence(struct rg_warp *warp, uint32_t mask);

#endif
