/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/judge.h"

static uint32_t grain_of(uint32_t least)
{
    return least == 0 || least > 4 ? 4 : least;
}

/** What lies between variables belongs to none. */
static void rooms_mark(struct rg_run *run)
{
    struct rg_judge *judge = run->judge;
    for (uint64_t i = 0; i <= run->shared_total / judge->shared_grain; i++) {
        judge->shared[i].outside = true;
    }
    for (size_t r = 0; r < run->room_count; r++) {
        const struct rg_room *room = &run->rooms[r];
        for (uint64_t at = room->start; at < room->start + room->size; at++) {
            judge->shared[at / judge->shared_grain].outside = false;
        }
    }
}

ridge_status rg_judge_begin(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_engine_run *request = run->request;
    struct rg_judge *judge = rg_arena_alloc(&run->arena, sizeof *judge);
    if (!judge) {
        return rg_error_memory(error, sizeof *judge);
    }
    judge->shared_grain = grain_of(run->entry->shared_bytes_min);
    judge->global_grain = grain_of(run->entry->global_bytes_min);
    judge->block_count =
        request->blocks ? request->block_count : request->grid[0] * request->grid[1] * request->grid[2];
    judge->shared = rg_arena_array(&run->arena, run->shared_total / judge->shared_grain + 1, sizeof *judge->shared);
    if (!judge->shared) {
        return rg_error_memory(error, run->shared_total * sizeof *judge->shared);
    }
    run->judge = judge;
    rooms_mark(run);
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_order *order = rg_arena_alloc(&run->arena, sizeof *order);
        if (order) {
            order->local_valid = rg_arena_alloc(&run->arena, (size_t)(RG_LANES * run->ptx->local_bytes + 1));
        }
        if (!order || !order->local_valid) {
            return rg_error_memory(error, sizeof *order);
        }
        run->warps[w].order = order;
    }
    return RIDGE_OK;
}

void rg_judge_free(struct rg_run *run)
{
    rg_sync_free(run);
    for (size_t i = 0; run->regions && i < run->region_count; i++) {
        rg_pages_free(run->regions[i].shadow);
    }
}

void rg_judge_block_begin(struct rg_run *run)
{
    rg_order_begin(run);
}

/** An access that is being judged. */
struct judged {
    struct rg_warp *warp;
    const struct rg_op *op;
    unsigned lane;
    rg_space space;
    uint64_t address;
    bool writes;
    uint32_t marks;        /**< RG_ACCESS_* */
    struct rg_access mine; /**< the record it leaves */
};

static struct judged make_judged(struct rg_warp *warp, const struct rg_op *op, unsigned lane, rg_space space,
                                 uint64_t address, bool writes, uint32_t marks)
{
    const struct rg_run *run = warp->run;
    const struct rg_access mine = {
        (uint32_t)run->block_serial, warp->index << RG_CLOCK_BITS | warp->order->clock, 1U << lane,
        rg_op_index(run, op) << RG_ACCESS_MARK_BITS | marks | (writes ? RG_ACCESS_WROTE : 0)};
    return (struct judged){warp, op, lane, space, address, writes, marks, mine};
}

static int memory_of(const struct judged *now)
{
    return now->space == RG_SPACE_SHARED ? RG_MEMORY_SHARED : RG_MEMORY_GLOBAL;
}

/** Why two accesses are a race, for a person who wants to mend it. */
static const char *advice(const struct judged *now, const struct rg_access *other, bool same_block, bool same_warp)
{
    const uint32_t either = now->marks | other->op_marks;
    if (either & RG_ACCESS_PENDING) {
        return "the copy of cp.async was not waited for, or begins while the bytes are in use: cp.async.wait_group by its "
               "thread, then a barrier";
    }
    if (!same_block && (now->marks & other->op_marks & RG_ACCESS_ATOMIC)) {
        return "atomics of scope .cta are atomic within a block only";
    }
    const struct rg_op *op = &now->warp->run->ptx->ops[other->op_marks >> RG_ACCESS_MARK_BITS];
    if ((now->op->marks ^ op->marks) & RG_MARK_ATOMIC) {
        return "nothing orders the two, and only one of them is atomic";
    }
    if (now->writes && (other->op_marks & RG_ACCESS_WROTE)) {
        return "nothing orders the two (give each thread a place of its own, or write with atomics)";
    }
    if (same_warp) {
        return "nothing orders the two: lanes of a warp are not in step (a barrier orders them, in CUDA __syncwarp too)";
    }
    const int memory = memory_of(now);
    const struct rg_seen *other_memory = &now->warp->order->seen[!memory];
    if (same_block && other_memory->warps[rg_access_warp(other)] >= rg_access_clock(other)) {
        return memory == RG_MEMORY_SHARED
                   ? "the barrier between orders global memory only: CLK_LOCAL_MEM_FENCE is missing"
                   : "the barrier between orders local memory only: CLK_GLOBAL_MEM_FENCE is missing";
    }
    return same_block ? "nothing orders the two: no barrier lies between"
                      : "nothing orders the two: blocks need a fence, an atomic, and a fence";
}

static void other_text(const struct rg_run *run, const struct rg_access *other, unsigned lane, char *text, size_t size)
{
    const uint32_t warp = rg_access_warp(other);
    if (other->block == (uint32_t)run->block_serial) {
        rg_thread_text(&run->warps[warp], lane, text, size);
    } else {
        snprintf(text, size, "thread number %u of another block", warp * RG_LANES + lane);
    }
}

static rg_rule rule_of(const struct judged *now, const struct rg_access *other)
{
    const bool same_block = other->block == (uint32_t)now->warp->run->block_serial;
    const bool same_warp = same_block && rg_access_warp(other) == now->warp->index;
    const bool copies = (now->marks | other->op_marks) & RG_ACCESS_PENDING;
    return same_warp && !copies            ? RG_RULE_WARP_RACE
           : now->space == RG_SPACE_SHARED ? RG_RULE_SHARED_RACE
                                           : RG_RULE_GLOBAL_RACE;
}

static void race_explain(const struct judged *now, const struct rg_access *other, unsigned lane)
{
    struct rg_warp *warp = now->warp;
    struct rg_run *run = warp->run;
    const bool same_block = other->block == (uint32_t)run->block_serial;
    const bool same_warp = same_block && rg_access_warp(other) == warp->index;
    const struct rg_op *op = &run->ptx->ops[other->op_marks >> RG_ACCESS_MARK_BITS];
    char mine[96];
    char theirs[96];
    char where[200];
    rg_memory_describe(run, now->space, now->address, where, sizeof where);
    rg_thread_text(warp, now->lane, mine, sizeof mine);
    other_text(run, other, lane, theirs, sizeof theirs);
    rg_finding_reason(run, "%s %s %s; %s %s it (line %u), and %s", mine, now->writes ? "writes" : "reads", where,
                      theirs, other->op_marks & RG_ACCESS_WROTE ? "wrote" : "read", rg_op_line(run->ptx, op),
                      advice(now, other, same_block, same_warp));
}

/** Note the reads of a race; \return whether it may be that nobody uses what they read. */
static bool race_doubts(const struct judged *now, const struct rg_access *other, uint32_t lanes)
{
    struct rg_run *run = now->warp->run;
    if (!now->writes) {
        return rg_doubt_add(run, &now->mine, now->lane, now->address);
    }
    bool doubtful = !(other->op_marks & RG_ACCESS_WROTE);
    for (uint32_t rest = doubtful ? lanes : 0; rest && doubtful; rest &= rest - 1) {
        doubtful = rg_doubt_add(run, other, (unsigned)__builtin_ctz(rest), now->address);
    }
    return doubtful;
}

/** \param first  of this access: it is counted once */
static void report_race(const struct judged *now, const struct rg_access *other, uint32_t lanes, bool first)
{
    struct rg_run *run = now->warp->run;
    const rg_rule rule = rule_of(now, other);
    const bool doubtful = race_doubts(now, other, lanes);
    if (first && rg_finding_doubtful(run, now->op, rule)) {
        race_explain(now, other, (unsigned)__builtin_ctz(lanes));
    }
    if (!doubtful) {
        rg_finding_sure(run, now->op, rule);
    }
}

/** The lanes of an earlier access that conflict with this one: one of the two writes, not both are strong, nothing orders
 * them. */
static uint32_t conflicts(const struct judged *now, const struct rg_access *other)
{
    const struct rg_warp *warp = now->warp;
    const uint32_t both = now->marks & other->op_marks;
    const bool same_block = other->block == (uint32_t)warp->run->block_serial;
    const bool same_warp = same_block && rg_access_warp(other) == warp->index;
    if (other->block == 0 || !(now->writes || (other->op_marks & RG_ACCESS_WROTE))) {
        return 0;
    }
    if (same_block && (other->op_marks & RG_ACCESS_PENDING)) {
        return other->lanes;
    }
    const bool apart = !same_block && ((now->marks | other->op_marks) & RG_ACCESS_BLOCK);
    if ((both & RG_ACCESS_ATOMIC) && !(both & RG_ACCESS_VOLATILE && same_warp) && !apart) {
        return 0;
    }
    return rg_order_unseen(warp, now->lane, other, memory_of(now));
}

static void judge_granule(const struct judged *now, struct rg_shadow *shadow)
{
    uint32_t lanes = conflicts(now, &shadow->writer);
    bool first = true;
    if (lanes) {
        report_race(now, &shadow->writer, lanes, true);
        first = false;
    }
    const uint32_t count = now->writes || shadow->strong ? shadow->count : 0; /* reads do not race with reads */
    for (uint32_t i = 0; i < count; i++) {
        const struct rg_access *other = rg_shadow_at(shadow, i);
        lanes = conflicts(now, other);
        if (lanes) {
            report_race(now, other, lanes, first);
            first = false;
        }
    }
    if (now->writes && !(now->marks & RG_ACCESS_ATOMIC)) {
        shadow->count = 0;
        shadow->strong = false;
        shadow->writer = now->mine;
    } else {
        rg_shadow_note(now->warp, now->lane, shadow, &now->mine, memory_of(now));
    }
}

static void report_uninitialised(const struct judged *now)
{
    struct rg_run *run = now->warp->run;
    char thread[96];
    char where[200];
    const bool is_new = rg_finding_doubtful(run, now->op, RG_RULE_UNINITIALISED);
    if (now->writes || !rg_doubt_add(run, &now->mine, now->lane, now->address)) {
        rg_finding_sure(run, now->op, RG_RULE_UNINITIALISED);
    }
    if (!is_new) {
        return;
    }
    if (now->space == RG_SPACE_LOCAL) {
        snprintf(where, sizeof where, "byte %llu of its local memory", (unsigned long long)now->address);
    } else {
        rg_memory_describe(run, now->space, now->address, where, sizeof where);
    }
    rg_finding_reason(run, "%s reads %s, which nobody wrote",
                      rg_thread_text(now->warp, now->lane, thread, sizeof thread), where);
}

/** Strong writes are kept among what came since the last plain one. */
static bool was_written(struct rg_shadow *shadow)
{
    return shadow->strong;
}

static void judge_bytes(struct judged *now, uint32_t bytes)
{
    struct rg_run *run = now->warp->run;
    const bool shared = now->space == RG_SPACE_SHARED;
    const uint32_t grain = shared ? run->judge->shared_grain : run->judge->global_grain;
    const uint64_t end = now->address + bytes;
    const bool reads = !now->writes || (now->op->marks & RG_MARK_READS);
    for (; now->address < end; now->address += grain) {
        struct rg_region *region;
        struct rg_shadow *shadow = rg_shadow_of(run, now->space, now->address, &region);
        if (!shadow) {
            return;
        }
        if (shared && shadow->outside) {
            rg_memory_outside(now->warp, now->op, now->lane, now->space, now->address, bytes, now->writes);
            return;
        }
        if (shared && shadow->block != (uint32_t)run->block_serial) {
            shadow->block = (uint32_t)run->block_serial; /* what was left by another block */
            shadow->count = 0;
            shadow->strong = false;
            shadow->writer.block = 0;
        }
        if (reads && shadow->writer.block == 0 && (shared || !region->initialised) && !was_written(shadow)) {
            report_uninitialised(now);
        }
        judge_granule(now, shadow);
    }
}

static void judge_local(struct judged *now, uint32_t bytes)
{
    struct rg_warp *warp = now->warp;
    const uint64_t local = warp->run->ptx->local_bytes;
    uint8_t *valid = warp->order->local_valid + now->lane * local + now->address;
    for (uint32_t i = 0; i < bytes; i++, now->address++) {
        if (now->writes) {
            valid[i] = 1;
        } else if (!valid[i]) {
            report_uninitialised(now);
            return;
        }
    }
}

static void judge_access(struct rg_warp *warp, const struct rg_op *op)
{
    const uint32_t bytes = op->run == rg_run_ldmatrix ? 16 : op->bytes * (op->list_count ? op->list_count : 1U);
    const uint32_t marks = (op->marks & (RG_MARK_ATOMIC | RG_MARK_GUESS) ? RG_ACCESS_ATOMIC : 0U) |
                           (op->marks & RG_MARK_VOLATILE ? RG_ACCESS_VOLATILE : 0U) |
                           (op->marks & RG_MARK_BLOCK ? RG_ACCESS_BLOCK : 0U);
    const rg_space reached = warp->reached == RG_SPACE_GENERIC ? RG_SPACE_GLOBAL : warp->reached;
    const bool windowed = op->space == RG_SPACE_GENERIC && reached != RG_SPACE_GLOBAL;
    if (reached != RG_SPACE_GLOBAL && reached != RG_SPACE_SHARED && reached != RG_SPACE_LOCAL) {
        return;
    }
    for (uint32_t rest = warp->access; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint64_t address = warp->addresses[lane] - (windowed ? RG_WINDOW(reached) : 0);
        struct judged now = make_judged(warp, op, lane, reached, address, op->marks & RG_MARK_WRITES, marks);
        if (reached == RG_SPACE_LOCAL) {
            judge_local(&now, bytes);
        } else {
            judge_bytes(&now, bytes);
        }
    }
}

void rg_judge_op(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    if (op->run == rg_run_fence) {
        rg_sync_fence(warp, op, mask);
        return;
    }
    if (!(op->marks & (RG_MARK_READS | RG_MARK_WRITES))) {
        return;
    }
    const bool strong = op->marks & RG_MARK_ATOMIC;
    if (strong) {
        rg_sync_strong(warp, op, mask);
    }
    judge_access(warp, op);
    rg_doubt_loaded(warp, op);
}

uint32_t rg_judge_shuffled(struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint32_t value)
{
    const struct rg_run *run = warp->run;
    if (!run->judge) {
        rg_finding_sure(warp->run, op, RG_RULE_SHUFFLE);
        return value;
    }
    const struct judged now = make_judged(warp, op, lane, RG_SPACE_SHARED, 0, false, 0);
    if (!rg_doubt_add(warp->run, &now.mine, lane, 0)) {
        rg_finding_sure(warp->run, op, RG_RULE_SHUFFLE);
    }
    return rg_doubt_shuffled(warp, op, lane, value);
}

void rg_judge_promise(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *pending)
{
    struct judged read = make_judged(warp, op, pending->lane, RG_SPACE_GLOBAL, pending->from, false, 0);
    struct judged write = make_judged(warp, op, pending->lane, RG_SPACE_SHARED, pending->to, true, RG_ACCESS_PENDING);
    judge_bytes(&read, pending->source_bytes);
    judge_bytes(&write, pending->bytes);
}

/** The copy is made: its bytes are as if written by the lane that waited. */
void rg_judge_copy(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *pending)
{
    const struct judged write = make_judged(warp, op, pending->lane, RG_SPACE_SHARED, pending->to, true, 0);
    for (uint64_t to = pending->to; to < pending->to + (uint64_t)pending->bytes; to += warp->run->judge->shared_grain) {
        struct rg_region *region;
        struct rg_shadow *shadow = rg_shadow_of(warp->run, RG_SPACE_SHARED, to, &region);
        if (shadow->writer.op_marks & RG_ACCESS_PENDING) {
            shadow->writer = write.mine;
        }
    }
}

/** A piece of a bulk copy, which is made at once. */
void rg_judge_bulk(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *piece)
{
    const bool stores = op->space == RG_SPACE_GLOBAL;
    struct judged global = make_judged(warp, op, piece->lane, RG_SPACE_GLOBAL, piece->from, stores, 0);
    struct judged shared = make_judged(warp, op, piece->lane, RG_SPACE_SHARED, piece->to, !stores, 0);
    judge_bytes(stores ? &shared : &global, piece->bytes);
    judge_bytes(stores ? &global : &shared, piece->bytes);
}

/** The memory barrier of a bulk copy: what the copy wrote is handed on to who tests it. */
void rg_judge_told(struct rg_warp *warp, const struct rg_op *op, unsigned lane)
{
    struct rg_op told = *op;
    told.marks |= RG_MARK_ATOMIC | RG_MARK_FENCE | RG_MARK_WRITES | RG_MARK_JOINS;
    rg_sync_strong(warp, &told, 1U << lane);
}
