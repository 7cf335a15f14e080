/* SPDX-License-Identifier: MIT */
#include "engine/watch_count.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/**
 * Cycles until a result can be used. Source: ../shared/reference/work-model.md ("Latency of a warp"): global 450, shared
 * 28, arithmetic 4.5; special functions and matrix instructions are a round figure of the same kind, not measured here.
 */
static const float latencies[RG_CLASS_COUNT + 1] = {
    [RG_CLASS_FMA] = 4.5F,     [RG_CLASS_FLOAT] = 4.5F, [RG_CLASS_DOUBLE] = 4.5F,  [RG_CLASS_HALF] = 4.5F,
    [RG_CLASS_INTEGER] = 4.5F, [RG_CLASS_SPECIAL] = 20, [RG_CLASS_CONVERT] = 4.5F, [RG_CLASS_MOVE] = 4.5F,
    [RG_CLASS_BRANCH] = 4.5F,  [RG_CLASS_SHARED] = 28,  [RG_CLASS_GLOBAL] = 450,   [RG_CLASS_CONSTANT] = 4.5F,
    [RG_CLASS_LOCAL] = 28,     [RG_CLASS_ATOMIC] = 450, [RG_CLASS_BARRIER] = 4.5F, [RG_CLASS_SHUFFLE] = 28,
    [RG_CLASS_MATRIX] = 20,    [RG_CLASS_DIVIDE] = 45, /* a special function and five dependent operations */
};

static size_t column_count(const struct rg_run *run)
{
    return run->ptx->slot_end / RG_SLOT_UNIT + 1;
}

ridge_status rg_tally_begin(struct rg_run *run, struct ridge_error *error)
{
    struct rg_tally *tally = rg_arena_alloc(&run->arena, sizeof *tally);
    if (!tally) {
        return rg_error_memory(error, sizeof *tally);
    }
    tally->ops = rg_arena_array(&run->arena, run->ptx->op_count, sizeof *tally->ops);
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_watch *watch = rg_arena_alloc(&run->arena, sizeof *watch);
        if (watch) {
            watch->ready = rg_arena_array(&run->arena, column_count(run), sizeof *watch->ready);
            watch->uniform = rg_arena_array(&run->arena, column_count(run), sizeof *watch->uniform);
        }
        if (!watch || !watch->ready || !watch->uniform || !tally->ops) {
            return rg_error_memory(error, column_count(run));
        }
        run->warps[w].watch = watch;
    }
    run->tally = tally;
    return RIDGE_OK;
}

/** Whether a column that is filled before the warp starts holds one value in all lanes. */
static bool fill_is_uniform(const struct rg_warp *warp, const struct rg_fill *fill)
{
    const uint64_t first = rg_lane_get(warp, fill->slot, fill->bytes, 0);
    for (unsigned lane = 1; lane < RG_LANES; lane++) {
        if ((warp->born >> lane & 1) && rg_lane_get(warp, fill->slot, fill->bytes, lane) != first) {
            return false;
        }
    }
    return true;
}

void rg_tally_block_begin(struct rg_run *run)
{
    struct rg_tally *tally = run->tally;
    memset(&tally->block, 0, sizeof tally->block);
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_warp *warp = &run->warps[w];
        struct rg_watch *watch = warp->watch;
        for (size_t i = 0; i < run->entry->reached_count; i++) {
            const struct rg_function *function = run->entry->reached[i];
            memset(&watch->ready[function->slot_start / RG_SLOT_UNIT], 0,
                   (function->slot_end - function->slot_start) / RG_SLOT_UNIT * sizeof *watch->ready);
        }
        watch->floor = 0;
        watch->stored = 0;
        watch->end = 0;
        for (size_t i = 0; run->block_serial == 1 && i < run->fill_count; i++) {
            const struct rg_fill *fill = run->fills[i];
            watch->uniform[fill->slot / RG_SLOT_UNIT] = fill_is_uniform(warp, fill);
        }
    }
}

/** A value is there when its operands are and the operation is done; a branch or barrier holds up all that follows. */
static void follow_chain(struct rg_watch *watch, const struct rg_op *op, float latency)
{
    float start = watch->floor;
    const uint32_t *slots = op->uses.slots;
    for (uint32_t i = 0; i < op->uses.read_count; i++) {
        const float ready = watch->ready[slots[i] / RG_SLOT_UNIT];
        start = ready > start ? ready : start;
    }
    const float end = start + latency;
    for (uint32_t i = 0; i < op->uses.write_count; i++) {
        watch->ready[slots[op->uses.read_count + i] / RG_SLOT_UNIT] = end;
    }
    if (op->flow == RG_FLOW_BRANCH || op->flow == RG_FLOW_BRANCH_INDEX) {
        watch->floor = op->guard != RG_NO_SLOT || op->flow == RG_FLOW_BRANCH_INDEX ? end : watch->floor;
    } else if (op->flow == RG_FLOW_BARRIER) {
        watch->floor = watch->stored > start ? watch->stored : start;
    }
    if (op->uses.write_count == 0) {
        watch->stored = start > watch->stored ? start : watch->stored;
        watch->end = start > watch->end ? start : watch->end;
    } else {
        watch->end = end > watch->end ? end : watch->end;
    }
}

/** Whether all operands are the same in all lanes; the results are then, if all lanes take part. */
static bool follow_uniform(const struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct rg_watch *watch = warp->watch;
    const uint32_t *slots = op->uses.slots;
    bool uniform = !(op->marks & RG_MARK_UNKNOWN);
    for (uint32_t i = 0; i < op->uses.read_count && uniform; i++) {
        uniform = watch->uniform[slots[i] / RG_SLOT_UNIT];
    }
    const bool whole = mask == warp->alive;
    for (uint32_t i = 0; i < op->uses.write_count; i++) {
        watch->uniform[slots[op->uses.read_count + i] / RG_SLOT_UNIT] = uniform && whole;
    }
    return uniform;
}

/** The class of an access through a flat address is that of the memory it reached. */
static unsigned class_of(const struct rg_warp *warp, const struct rg_op *op)
{
    if (op->space != RG_SPACE_GENERIC || op->class != RG_CLASS_GLOBAL ||
        !(op->marks & (RG_MARK_READS | RG_MARK_WRITES))) {
        return op->class;
    }
    switch (warp->reached) {
    case RG_SPACE_SHARED: return RG_CLASS_SHARED;
    case RG_SPACE_LOCAL: return RG_CLASS_LOCAL;
    case RG_SPACE_CONST:
    case RG_SPACE_PARAM: return RG_CLASS_CONSTANT;
    case RG_SPACE_GENERIC:
    case RG_SPACE_GLOBAL:
    case RG_SPACE_CALL_PARAM:
    case RG_SPACE_COUNT: break;
    }
    return RG_CLASS_GLOBAL;
}

/**
 * Follow forward branches around code: what they may leave out is behind their condition. One whose condition is the same
 * in all lanes, and one that leaves the kernel, guard nothing.
 */
static void follow_guard(struct rg_warp *warp, const struct rg_op *op, size_t at, bool uniform)
{
    struct rg_watch *watch = warp->watch;
    const size_t target = (size_t)op->immediate;
    if (at >= watch->guarded_to) {
        watch->guarded_to = 0;
    }
    if (op->flow == RG_FLOW_BRANCH && op->guard != RG_NO_SLOT && !uniform && target > at &&
        target < warp->run->ptx->op_count && warp->run->ptx->ops[target].flow != RG_FLOW_EXIT &&
        warp->run->ptx->ops[target].flow != RG_FLOW_RETURN) {
        watch->guarded_to = target > watch->guarded_to ? target : watch->guarded_to;
    }
}

/** What the block has touched before is in the first-level cache, as near as shared memory: they are one memory. */
static float latency_of(const struct rg_warp *warp, unsigned class, bool fresh)
{
    const bool near =
        (class == RG_CLASS_ATOMIC && warp->reached == RG_SPACE_SHARED) || (class == RG_CLASS_GLOBAL && !fresh);
    return latencies[near ? RG_CLASS_SHARED : class];
}

void rg_tally_op(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct rg_tally *tally = warp->run->tally;
    const bool accesses = (op->marks & (RG_MARK_READS | RG_MARK_WRITES)) || op->run == rg_run_cp_async;
    const unsigned class = accesses && mask ? class_of(warp, op) : op->class;
    if (class == RG_CLASS_COUNT) {
        return; /* part of a call, no instruction of its own */
    }
    tally->block.warp_instructions[class]++;
    tally->block.thread_instructions[class] += rg_popcount(mask);
    tally->ops[rg_op_index(warp->run, op)].warps++;
    tally->block.barriers += op->flow == RG_FLOW_BARRIER;
    const uint64_t distinct = tally->block.distinct_sectors;
    if (accesses && mask) {
        rg_count_access(warp, op);
    }
    follow_chain(warp->watch, op, latency_of(warp, class, tally->block.distinct_sectors != distinct));
    const bool uniform = mask && follow_uniform(warp, op, mask);
    tally->block.uniform_instructions += uniform && op->flow == RG_FLOW_NONE && !accesses;
    follow_guard(warp, op, rg_op_index(warp->run, op), uniform);
    if (class == RG_CLASS_GLOBAL && mask) {
        const bool own = op->guard != RG_NO_SLOT && !warp->watch->uniform[op->guard / RG_SLOT_UNIT];
        tally->block.guarded_accesses += own || warp->watch->guarded_to > 0;
    }
}

void rg_tally_branch(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, uint32_t taken)
{
    struct rg_tally *tally = warp->run->tally;
    tally->block.divergent_branches += taken != 0 && taken != mask;
    tally->ops[rg_op_index(warp->run, op)].taken += taken != 0;
}

static void add_counts(struct rg_engine_counts *sum, const struct rg_engine_counts *one)
{
    const uint64_t *from = (const uint64_t *)(const void *)one;
    uint64_t *to = (uint64_t *)(void *)sum;
    for (size_t i = 0; i < offsetof(struct rg_engine_counts, chain_cycles) / sizeof *to; i++) {
        to[i] += from[i];
    }
}

void rg_tally_block_end(struct rg_run *run)
{
    struct rg_tally *tally = run->tally;
    struct rg_engine_counts *block = &tally->block;
    double chain = 0;
    block->blocks = 1;
    block->warps = run->warp_count;
    block->threads = run->threads;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        chain += (double)run->warps[w].watch->end;
    }
    tally->chain_sum += chain;
    block->chain_cycles = chain / run->warp_count;
    add_counts(&tally->total, block);
    if (run->request->block_done) {
        run->request->block_done(run->request->user, run->block_linear, block);
    }
}

/** 16 bytes for each operation of the loop whose backward branch is taken most: an innermost one. */
static uint64_t loop_bytes(const struct rg_run *run)
{
    uint64_t most = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < run->ptx->op_count; i++) {
        const struct rg_op *op = &run->ptx->ops[i];
        const uint64_t taken = run->tally->ops[i].taken;
        if (op->flow == RG_FLOW_BRANCH && (uint64_t)op->immediate <= i && taken > most) {
            most = taken;
            bytes = 16 * (i - (uint64_t)op->immediate + 1);
        }
    }
    return bytes;
}

/** An operation and where it stands, for sorting by line. */
struct placed {
    const struct rg_op *op;
    const struct rg_op_count *count;
};

static int by_line(const void *a, const void *b)
{
    const struct rg_op *left = ((const struct placed *)a)->op;
    const struct rg_op *right = ((const struct placed *)b)->op;
    if (left->file != right->file) {
        return left->file < right->file ? -1 : 1;
    }
    return left->line < right->line ? -1 : left->line > right->line;
}

static void give_lines(struct rg_run *run)
{
    const struct rg_ptx *ptx = run->ptx;
    struct placed *list = rg_arena_array(&run->arena, ptx->op_count + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; list && i < ptx->op_count; i++) {
        if (run->tally->ops[i].warps) {
            list[count++] = (struct placed){&ptx->ops[i], &run->tally->ops[i]};
        }
    }
    if (count == 0) {
        return;
    }
    qsort(list, count, sizeof *list, by_line);
    for (size_t i = 0; i < count;) {
        const struct rg_op *op = list[i].op;
        const bool known = op->line > 0 && op->file < ptx->file_count && ptx->files[op->file];
        struct rg_engine_line line = {.file = known ? ptx->files[op->file] : "", .line = known ? op->line : 0};
        for (; i < count && list[i].op->file == op->file && list[i].op->line == op->line; i++) {
            line.warp_instructions += list[i].count->warps;
            line.shared_wavefronts += list[i].count->wavefronts;
            line.global_requests += list[i].count->requests;
            line.global_sectors += list[i].count->sectors;
        }
        run->request->line(run->request->user, &line);
    }
}

void rg_tally_end(struct rg_run *run, struct rg_engine_counts *counts)
{
    struct rg_tally *tally = run->tally;
    tally->total.chain_cycles = tally->total.warps ? tally->chain_sum / (double)tally->total.warps : 0;
    tally->total.loop_bytes = loop_bytes(run);
    if (run->request->line) {
        give_lines(run);
    }
    if (counts) {
        *counts = tally->total;
    }
}

void rg_tally_free(struct rg_run *run)
{
    for (size_t i = 0; run->regions && i < run->region_count; i++) {
        rg_pages_free(run->regions[i].stamps);
    }
}
