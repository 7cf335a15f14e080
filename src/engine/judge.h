/* SPDX-License-Identifier: MIT */
/**
 * \file What checking keeps: who accessed each granule, and what each thread knows of the others. Order is that of the PTX
 * memory model, by clocks: a warp's clock moves on at every barrier, __syncwarp and fence; an access is ordered before
 * another thread when that thread has seen the clock it was made at. judge_order.c: barriers; judge_sync.c: fences and
 * what atomics hand on; judge_shadow.c: accesses by granule; watch_race.c: findings. docs/engine.md says where this is
 * coarser than the model. Thread rule: as a run.
 */
#ifndef RG_ENGINE_JUDGE_H
#define RG_ENGINE_JUDGE_H

#include "engine/run.h"

/** Accesses of one kind by lanes of one warp at one instruction and clock: block 0 is none. */
struct rg_access {
    uint32_t block;
    uint32_t warp_clock; /**< warp above, its clock in the low RG_CLOCK_BITS */
    uint32_t lanes;
    uint32_t op_marks; /**< operation above, RG_ACCESS_* below */
};

enum {
    RG_CLOCK_BITS = 26,
    RG_CLOCK_MOST = (1 << RG_CLOCK_BITS) - 1,
    RG_ACCESS_ATOMIC = 1,   /**< strong: does not race with its like */
    RG_ACCESS_VOLATILE = 2, /**< strong by `volatile` */
    RG_ACCESS_PENDING = 4,  /**< a copy of cp.async that was not waited for */
    RG_ACCESS_BLOCK = 8,    /**< strong for the threads of its block only */
    RG_ACCESS_WROTE = 16,
    RG_ACCESS_MIXED = 32, /**< of several instructions */
    RG_ACCESS_MARK_BITS = 6,
    RG_ACCESS_MARKS = (1 << RG_ACCESS_MARK_BITS) - 1,
    RG_ACCESS_FIRST = 1 /**< that a granule keeps without memory of its own */
};

static inline uint32_t rg_access_warp(const struct rg_access *access)
{
    return access->warp_clock >> RG_CLOCK_BITS;
}

static inline uint32_t rg_access_clock(const struct rg_access *access)
{
    return access->warp_clock & RG_CLOCK_MOST;
}

/** Of a granule: the last plain write, and what came since: reads and strong writes. */
struct rg_shadow {
    uint32_t block;   /**< shared memory: whose records these are */
    uint8_t count;    /**< of `first` and `more`: at most 250 */
    uint8_t capacity; /**< of `more` */
    uint8_t hit;      /**< what was noted last */
    bool strong : 1;  /**< there are writes among them */
    bool outside : 1; /**< shared memory: it belongs to no variable */
    struct rg_access writer;
    struct rg_access first[RG_ACCESS_FIRST];
    struct rg_access *more;
};

/** Barriers of OpenCL order one memory or both. */
enum {
    RG_MEMORY_SHARED,
    RG_MEMORY_GLOBAL,
    RG_MEMORIES
};

/** What a warp has seen of one memory by barriers. */
struct rg_seen {
    uint32_t warps[RG_MAX_WARPS];
    uint32_t lanes[RG_LANES][RG_LANES]; /**< by lane: what it has seen of the others of its warp */
};

/** What a warp has seen. */
struct rg_order {
    uint32_t clock;
    struct rg_seen seen[RG_MEMORIES];
    uint8_t *local_valid; /**< bytes of local memory that were written, by lane */
};

struct rg_sync;
struct rg_doubts;

struct rg_judge {
    uint32_t shared_grain;
    uint32_t global_grain;
    struct rg_shadow *shared;
    struct rg_sync *sync;     /**< NULL until the first fence */
    struct rg_doubts *doubts; /**< reads that may be nobody's; NULL: none yet */
    uint64_t block_count;
};

/** Order (judge_order.c). */
void rg_order_begin(struct rg_run *run);
void rg_order_tick(struct rg_order *order);
/** \return the lanes of an earlier access that are not ordered before this lane. \param memory  RG_MEMORY_* */
uint32_t rg_order_unseen(const struct rg_warp *warp, unsigned lane, const struct rg_access *access, int memory);

/** Fences and atomics (judge_sync.c). All but the first two do nothing before the first fence of a run. */
void rg_sync_fence(struct rg_warp *warp, const struct rg_op *op, uint32_t mask);
void rg_sync_strong(struct rg_warp *warp, const struct rg_op *op,
                    uint32_t mask); /**< before and after a strong access */
void rg_sync_block_begin(struct rg_run *run);
void rg_sync_join(struct rg_run *run, const uint32_t *warp_masks, const bool *only_arrive); /**< a barrier */
void rg_sync_join_lanes(const struct rg_warp *warp, uint32_t mask);
bool rg_sync_knows(const struct rg_warp *warp, unsigned lane, uint32_t block, uint32_t thread, uint32_t clock);
void rg_sync_free(struct rg_run *run);

/** Accesses by granule (judge_shadow.c). */
struct rg_shadow *rg_shadow_of(struct rg_run *run, rg_space space, uint64_t address, struct rg_region **region);
void rg_shadow_note(struct rg_warp *warp, unsigned lane, struct rg_shadow *shadow, const struct rg_access *mine,
                    int memory);
static inline struct rg_access *rg_shadow_at(struct rg_shadow *shadow, uint32_t index)
{
    return index < RG_ACCESS_FIRST ? &shadow->first[index] : &shadow->more[index - RG_ACCESS_FIRST];
}

/**
 * Reads in doubt (judge_doubt.c). \return whether it can be found out if somebody uses the value. `address`: of the
 * granule; 0 for a shuffle.
 */
bool rg_doubt_add(struct rg_run *run, const struct rg_access *access, unsigned lane, uint64_t address);
/** In a run that gives other values: give them to what a load read. */
void rg_doubt_loaded(struct rg_warp *warp, const struct rg_op *op);

#endif
