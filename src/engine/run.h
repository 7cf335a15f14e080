/* SPDX-License-Identifier: MIT */
/**
 * \file A run inside: memory by region, warps with their splits, barriers of a block, findings, and what counting and
 * checking keep. run_launch.c sets up and walks blocks, run_warp.c runs warps, run_*.c hold operations that are no plain lane
 * arithmetic, watch_*.c count and check. Thread rule: a run belongs to one thread.
 */
#ifndef RG_ENGINE_RUN_H
#define RG_ENGINE_RUN_H

#include "engine/ptx_module.h"

enum {
    RG_BARRIERS = 16,
    RG_MAX_WARPS = 64, /**< of a block: 2048 threads */
    RG_QUANTUM = 2000, /**< warp instructions before another warp has its turn */
    RG_PATIENCE = 16   /**< turns of the lowest split before the one that waited longest runs */
};

/** Bytes that an address can mean. */
struct rg_region {
    const char *name;
    uint8_t *bytes;
    uint64_t size;
    bool writable;
    bool initialised;
    struct rg_pages *stamps; /**< counting: last block that touched a sector */
    struct rg_pages *shadow; /**< checking: last accesses */
};

/** A variable or argument in shared memory. */
struct rg_room {
    const char *name;
    uint64_t start;
    uint64_t size;
};

typedef enum rg_split_state {
    RG_SPLIT_READY,
    RG_SPLIT_BARRIER,   /**< waits at a barrier of the block */
    RG_SPLIT_WARP_SYNC, /**< waits for other lanes of its warp */
    RG_SPLIT_PHASE      /**< waits for a phase of a memory barrier */
} rg_split_state;

/** Lanes of a warp that stand at the same instruction. */
struct rg_split {
    uint32_t pc;
    uint32_t mask;
    uint32_t depth; /**< of calls */
    rg_split_state state;
    uint32_t barrier;
    uint32_t wanted; /**< threads that the barrier asks for; 0: all */
    uint64_t ran;    /**< when it last ran */
};

/** A copy that cp.async promised. */
struct rg_pending {
    uint64_t from; /**< global */
    uint32_t to;   /**< shared */
    uint8_t bytes;
    uint8_t source_bytes; /**< the rest is zeros */
    uint8_t lane;
    uint32_t group;
    uint32_t op;
};

struct rg_warp {
    uint8_t *registers; /**< aligned, inside `block` */
    uint8_t *block;
    struct rg_run *run;
    uint32_t index;
    uint32_t born;  /**< lanes that the block has */
    uint32_t alive; /**< of these: not exited */
    uint32_t split_count;
    struct rg_split splits[RG_LANES];
    uint32_t current; /**< split being run */
    uint32_t turns;
    uint8_t *local;
    uint8_t *parameters;          /**< of calls: a lane's lie together */
    uint32_t compare;             /**< result of the last comparison */
    uint32_t carry;               /**< condition code, a bit a lane */
    uint64_t addresses[RG_LANES]; /**< of the last access to memory, flat or in its space */
    uint64_t addresses2[RG_LANES];
    uint32_t access;               /**< lanes whose access was done */
    rg_space reached;              /**< space that it was done in */
    uint64_t clock;                /**< warp instructions so far */
    uint32_t arrived[RG_BARRIERS]; /**< lanes that arrived without waiting (bar.arrive) */
    struct rg_pending *pending;
    size_t pending_count;
    size_t pending_capacity;
    uint32_t group[RG_LANES]; /**< next group of cp.async of a lane */
    struct rg_watch *watch;   /**< counting: of this warp */
    struct rg_order *order;   /**< checking: of this warp */
};

struct rg_finding_kept {
    uint32_t op;
    rg_rule rule;
    bool sure; /**< false: all that was seen of it are reads in doubt (judge_doubt.c) */
    uint64_t count;
    char *reason;
};

struct rg_run {
    const struct rg_engine_run *request;
    const struct ridge_context *context;
    const struct rg_ptx *ptx;
    const struct rg_function *entry;
    struct rg_arena arena;
    struct rg_region *regions; /**< buffers, then variables in global memory */
    size_t region_count;
    struct rg_region shared;
    struct rg_region constants;
    struct rg_region kernel_parameters;
    const struct rg_fill **fills; /**< of the functions that are reached */
    size_t fill_count;
    uint64_t *variable_offsets; /**< by variable: of shared ones; of global ones the region */
    struct rg_room *rooms;      /**< of shared memory, ascending */
    size_t room_count;
    uint64_t shared_total; /**< with the gaps between rooms that checking wants */
    uint64_t shared_used;  /**< without */
    uint32_t threads;      /**< of a block */
    uint32_t warp_count;
    struct rg_warp *warps;
    uint64_t block_index[3];
    uint64_t block_linear;
    uint64_t block_serial; /**< of blocks run, from 1 */
    uint64_t stamp;        /**< of turns */
    uint64_t instructions; /**< thread instructions so far */
    uint64_t instruction_limit;
    double deadline_s;
    bool stopped; /**< never ends, trap */
    bool block_stopped;
    bool failed;       /**< memory ran out */
    uint32_t exited;   /**< threads of the block */
    uint32_t waits;    /**< splits that wait for phases of memory barriers; may be more than there are */
    uint32_t refusals; /**< rounds since such a phase was completed, in which nothing else ran */
    uint32_t arrive_wanted[RG_BARRIERS]; /**< threads that bar.arrive asked for */
    struct rg_finding_kept *findings;
    size_t finding_count;
    size_t finding_capacity;
    struct rg_tally *tally;           /**< counting; NULL: off */
    struct rg_judge *judge;           /**< checking; NULL: off */
    const struct rg_doubts *altering; /**< this run gives reads in doubt other values; NULL: it does not */
};

#define RG_COLUMN(type, warp, slot) ((type *)(void *)((warp)->registers + (slot)))

static inline uint32_t *rg_predicate(const struct rg_warp *warp, uint32_t slot)
{
    return RG_COLUMN(uint32_t, warp, slot);
}

/** One lane of a register of 2, 4 or 8 bytes. */
static inline uint64_t rg_lane_get(const struct rg_warp *warp, uint32_t slot, uint32_t bytes, unsigned lane)
{
    switch (bytes) {
    case 2: return RG_COLUMN(uint16_t, warp, slot)[lane];
    case 4: return RG_COLUMN(uint32_t, warp, slot)[lane];
    default: return RG_COLUMN(uint64_t, warp, slot)[lane];
    }
}

static inline void rg_lane_set(struct rg_warp *warp, uint32_t slot, uint32_t bytes, unsigned lane, uint64_t value)
{
    switch (bytes) {
    case 2: RG_COLUMN(uint16_t, warp, slot)[lane] = (uint16_t)value; break;
    case 4: RG_COLUMN(uint32_t, warp, slot)[lane] = (uint32_t)value; break;
    default: RG_COLUMN(uint64_t, warp, slot)[lane] = value; break;
    }
}

/** Set bits; without the machine's own instruction the compiler would call a function. */
static inline uint32_t rg_popcount(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555U;
    bits = (bits & 0x33333333U) + (bits >> 2 & 0x33333333U);
    return ((bits + (bits >> 4)) & 0x0f0f0f0fU) * 0x01010101U >> 24;
}

static inline uint32_t rg_op_index(const struct rg_run *run, const struct rg_op *op)
{
    return (uint32_t)(op - run->ptx->ops);
}

static inline bool rg_warp_has(const struct rg_warp *warp, rg_split_state state)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        if (warp->splits[i].state == state) {
            return true;
        }
    }
    return false;
}

/** The lanes' tables, one a vector width; the same source. NULL: not built. */
extern const rg_lane_fn rg_lanes_plain[];
#if defined(__x86_64__)
extern const rg_lane_fn rg_lanes_v3[];
extern const rg_lane_fn rg_lanes_v4[];
#endif
/** \return the widest table that this machine runs (lanes_pick.c). */
const rg_lane_fn *rg_lanes_pick(void);

/** Memory (run_memory.c). Any space; the host place of `bytes` bytes, or NULL after a finding. `writes`: for storing. */
uint8_t *rg_memory_place(struct rg_warp *warp, const struct rg_op *op, unsigned lane, rg_space space, uint64_t address,
                         uint32_t bytes, bool writes, rg_space *reached);
const struct rg_region *rg_memory_region(const struct rg_run *run, rg_space space, uint64_t address, uint64_t *base);
void rg_memory_slow(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, bool writes);
void rg_memory_outside(struct rg_warp *warp, const struct rg_op *op, unsigned lane, rg_space space, uint64_t address,
                       uint32_t bytes, bool writes); /**< a finding */
void rg_memory_describe(const struct rg_run *run, rg_space space, uint64_t address, char *text, size_t size);

/** Findings (finding.c). The reason is formatted only when the finding is new at this instruction. */
bool rg_finding_new(struct rg_run *run, const struct rg_op *op, rg_rule rule);
bool rg_finding_doubtful(struct rg_run *run, const struct rg_op *op, rg_rule rule); /**< the same, of a read in doubt */
void rg_finding_sure(struct rg_run *run, const struct rg_op *op, rg_rule rule);     /**< one that is there: no doubt */
void rg_finding_reason(struct rg_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t rg_op_line(const struct rg_ptx *ptx, const struct rg_op *op); /**< of its kernel's file; else of the PTX */
void rg_findings_give(struct rg_run *run);
void rg_findings_free(struct rg_run *run);
const char *rg_thread_text(const struct rg_warp *warp, unsigned lane, char *text, size_t size);

/** Warps (run_warp.c, run_barrier.c). */
void rg_block_run(struct rg_run *run);
void rg_warp_start(struct rg_warp *warp, uint32_t pc);
void rg_warp_turn(struct rg_warp *warp);      /**< for RG_QUANTUM instructions, or until nothing of it can run */
void rg_warp_wake(struct rg_warp *warp);      /**< lanes whose phase of a memory barrier is complete by now */
bool rg_barrier_release(struct rg_run *run);  /**< barriers that are complete; false: none was */
void rg_barrier_deadlock(struct rg_run *run); /**< nothing can run */
uint32_t rg_phase_test(struct rg_warp *warp, const struct rg_op *op, uint32_t mask); /**< \return lanes to go on */
void rg_phase_copied(struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint64_t address, uint32_t bytes);
bool rg_phase_refuse(struct rg_run *run); /**< nothing can run */
void rg_split_add(struct rg_warp *warp, const struct rg_split *split);

/** Counting (watch_count.c) and checking (watch_race.c); all do nothing when off. */
ridge_status rg_tally_begin(struct rg_run *run, struct ridge_error *error);
void rg_tally_end(struct rg_run *run, struct rg_engine_counts *counts);
void rg_tally_free(struct rg_run *run);
void rg_tally_block_begin(struct rg_run *run);
void rg_tally_block_end(struct rg_run *run);
void rg_tally_op(struct rg_warp *warp, const struct rg_op *op, uint32_t mask);
void rg_count_bulk(struct rg_warp *warp, const struct rg_op *op);
void rg_tally_branch(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, uint32_t taken);
ridge_status rg_judge_begin(struct rg_run *run, struct ridge_error *error);
void rg_judge_free(struct rg_run *run);
void rg_judge_block_begin(struct rg_run *run);
void rg_judge_op(struct rg_warp *warp, const struct rg_op *op, uint32_t mask);
void rg_judge_warp_sync(struct rg_warp *warp, uint32_t mask);
void rg_judge_barrier(struct rg_run *run, const uint32_t *warp_masks, const bool *only_arrive, unsigned orders);
/** A copy of cp.async is promised; it is made. */
void rg_judge_promise(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *pending);
void rg_judge_bulk(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *piece);
void rg_judge_told(struct rg_warp *warp, const struct rg_op *op, unsigned lane);
void rg_judge_copy(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *pending);

/** Reads in doubt (judge_doubt.c): whether there are findings of nothing else; the next kind of other values, if any is
 * left; whether a run with them differs; drop those findings. */
bool rg_doubts_any(const struct rg_run *run);
bool rg_doubts_next(struct rg_run *run);
bool rg_doubts_changed(const struct rg_run *run, const struct rg_run *again);
void rg_doubts_drop(struct rg_run *run);
/** A shuffle read from a lane that does not take part: a finding in doubt. \return the value that the lane gets */
uint32_t rg_judge_shuffled(struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint32_t value);
uint32_t rg_doubt_shuffled(const struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint32_t value);

/** Pages of zeroed records, made when first touched (pages.c). */
struct rg_pages;
struct rg_pages *rg_pages_new(const struct ridge_context *context, uint64_t records, uint32_t record_bytes);
void rg_pages_free(struct rg_pages *pages);
void *rg_pages_at(struct rg_pages *pages, uint64_t index); /**< NULL: no memory */

uint64_t rg_atom_apply(rg_atom atom, rg_type type, uint64_t old, uint64_t b, uint64_t c);

/** Calls through a register (ptx_module.c): the function at an address, or NULL; whether it takes what a call passes. */
const struct rg_function *rg_function_at(const struct rg_ptx *ptx, uint64_t address);
bool rg_call_fits(const struct rg_op *call, const struct rg_function *function);

/** Where the shared variables that a kernel uses lie, `gap` bytes apart (offsets may be NULL); \return their end (ptx_module.c). */
uint64_t rg_shared_layout(const struct rg_ptx *ptx, const struct rg_function *entry, uint64_t gap, uint64_t *offsets);
ridge_status rg_shared_make(struct rg_run *run, struct ridge_error *error); /**< run_shared.c */
/** "byte 4 of shared tile", or how far an address lies from what is nearest. */
void rg_shared_describe(const struct rg_run *run, uint64_t address, char *text, size_t size);

/** Operations (run_*.c, convert.c). */
#define RG_RUN_LIST(X) \
    X(around)          \
    X(setp)            \
    X(set)             \
    X(predicate)       \
    X(convert)         \
    X(pack)            \
    X(unpack)          \
    X(carry)           \
    X(bfi)             \
    X(cvta)            \
    X(isspacep)        \
    X(atom)            \
    X(shuffle)         \
    X(vote)            \
    X(match)           \
    X(redux)           \
    X(activemask)      \
    X(elect)           \
    X(nothing)         \
    X(fence)           \
    X(warp_barrier)    \
    X(copy)            \
    X(copy_found)      \
    X(cp_async)        \
    X(cp_commit)       \
    X(cp_wait)         \
    X(mbarrier)        \
    X(bulk)            \
    X(ldmatrix)        \
    X(mma)             \
    X(wmma_load)       \
    X(wmma_store)      \
    X(clock)           \
    X(convert_pair)    \
    X(convert_bytes)   \
    X(pair_compare)
#define RG_RUN_DECLARE(name) void rg_run_##name(struct rg_warp *warp, const struct rg_op *op, uint32_t mask);
RG_RUN_LIST(RG_RUN_DECLARE)
#undef RG_RUN_DECLARE

#endif
