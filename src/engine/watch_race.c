/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/judge.h"

static uint32_t grain_of(uint32_t least)
{
    return least == 0 || least > 4 ? 4 : least;
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
    judge->block_released = rg_arena_alloc(&run->arena, judge->block_count / 8 + 2);
    if (!judge->shared || !judge->block_released) {
        return rg_error_memory(error, judge->block_count / 8);
    }
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
    run->judge = judge;
    return RIDGE_OK;
}

void rg_judge_free(struct rg_run *run)
{
    for (size_t i = 0; run->regions && i < run->region_count; i++) {
        rg_pages_free(run->regions[i].shadow);
    }
}

void rg_judge_block_begin(struct rg_run *run)
{
    rg_order_begin(run);
}

/** "byte 4 of tile", or of the buffer. */
static void describe(const struct rg_run *run, rg_space space, uint64_t address, char *text, size_t size)
{
    for (size_t v = 0; space == RG_SPACE_SHARED && v < run->ptx->variable_count; v++) {
        const struct rg_variable *variable = run->ptx->variables[v];
        const uint64_t start = run->variable_offsets[v];
        const bool inside = variable->dynamic ? address >= start : address - start < variable->size;
        if (variable->space == RG_SPACE_SHARED && inside) {
            snprintf(text, size, "byte %llu of shared %s", (unsigned long long)(address - start), variable->name);
            return;
        }
    }
    rg_memory_describe(run, space, address, text, size);
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
    const uint32_t thread = warp->index * RG_LANES + lane;
    const struct rg_access mine = {(uint32_t)run->block_serial, thread << RG_CLOCK_BITS | warp->order->clock,
                                   rg_op_index(run, op) << RG_ACCESS_MARK_BITS | marks};
    return (struct judged){warp, op, lane, space, address, writes, marks, mine};
}

static void report_race(const struct judged *now, const struct rg_access *other, bool other_wrote)
{
    struct rg_warp *warp = now->warp;
    struct rg_run *run = warp->run;
    const uint32_t thread = other->thread_clock >> RG_CLOCK_BITS;
    const bool same_block = other->block == (uint32_t)run->block_serial;
    const bool same_warp = same_block && thread / RG_LANES == warp->index;
    const rg_rule rule = same_warp                       ? RG_RULE_WARP_RACE
                         : now->space == RG_SPACE_SHARED ? RG_RULE_SHARED_RACE
                                                         : RG_RULE_GLOBAL_RACE;
    char mine[96];
    char theirs[96];
    char where[200];
    if (!rg_finding_new(run, now->op, rule)) {
        return;
    }
    const struct rg_op *op = &run->ptx->ops[other->op_marks >> RG_ACCESS_MARK_BITS];
    describe(run, now->space, now->address, where, sizeof where);
    rg_thread_text(warp, now->lane, mine, sizeof mine);
    if (same_block) {
        rg_thread_text(&run->warps[thread / RG_LANES], thread % RG_LANES, theirs, sizeof theirs);
    } else {
        snprintf(theirs, sizeof theirs, "thread number %u of another block", thread);
    }
    rg_finding_reason(run, "%s %s %s; %s %s it (line %u), and nothing orders the two%s", mine,
                      now->writes ? "writes" : "reads", where, theirs, other_wrote ? "wrote" : "read",
                      op->line ? op->line : op->ptx_line,
                      same_warp ? ": lanes of a warp are not in step without __syncwarp" : "");
}

/** Whether an earlier access conflicts with this one: not both atomic, and not ordered. */
static bool conflicts(const struct judged *now, const struct rg_access *other)
{
    if (other->block == 0) {
        return false;
    }
    const struct rg_warp *warp = now->warp;
    const bool both = now->marks & other->op_marks & RG_ACCESS_ATOMIC;
    const bool either_volatile = (now->marks | other->op_marks) & RG_ACCESS_VOLATILE;
    const bool same_warp = other->block == (uint32_t)warp->run->block_serial &&
                           (other->thread_clock >> RG_CLOCK_BITS) / RG_LANES == warp->index;
    if (both && !(either_volatile && same_warp)) {
        return false;
    }
    return !rg_order_before(warp, now->lane, other);
}

static void judge_granule(const struct judged *now, struct rg_shadow *shadow)
{
    const struct rg_warp *warp = now->warp;
    const struct rg_access mine = now->mine;
    if (!now->writes && mine.thread_clock == shadow->readers[0].thread_clock &&
        mine.block == shadow->readers[0].block && !((now->marks | shadow->readers[0].op_marks) & RG_ACCESS_ATOMIC)) {
        return; /* read again, and nobody wrote since: a write clears the readers */
    }
    if (conflicts(now, &shadow->writer)) {
        report_race(now, &shadow->writer, true);
    }
    if (now->writes) {
        for (int i = 0; i < 2; i++) {
            if (conflicts(now, &shadow->readers[i])) {
                report_race(now, &shadow->readers[i], false);
                break;
            }
        }
        memset(shadow->readers, 0, sizeof shadow->readers);
        shadow->writer = mine;
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (shadow->readers[i].block == 0 || rg_order_before(warp, now->lane, &shadow->readers[i])) {
            shadow->readers[i] = mine;
            return;
        }
    }
}

static struct rg_shadow *shadow_of(struct rg_run *run, rg_space space, uint64_t address, struct rg_region **region)
{
    struct rg_judge *judge = run->judge;
    *region = NULL;
    if (space == RG_SPACE_SHARED) {
        return &judge->shared[(uint32_t)address / judge->shared_grain];
    }
    const uint64_t number = address >> RG_REGION_BITS;
    if (number < 1 || number > run->region_count) {
        return NULL;
    }
    *region = &run->regions[number - 1];
    if (!(*region)->writable) {
        return NULL; /* nobody writes: nothing to race with */
    }
    if (!(*region)->shadow) {
        (*region)->shadow =
            rg_pages_new(run->context, (*region)->size / judge->global_grain + 1, sizeof(struct rg_shadow));
    }
    const uint64_t offset = address & (((uint64_t)1 << RG_REGION_BITS) - 1);
    struct rg_shadow *shadow = (*region)->shadow ? rg_pages_at((*region)->shadow, offset / judge->global_grain) : NULL;
    run->failed |= !shadow;
    return shadow;
}

static void report_uninitialised(const struct judged *now)
{
    struct rg_run *run = now->warp->run;
    char thread[96];
    char where[200];
    if (!rg_finding_new(run, now->op, RG_RULE_UNINITIALISED)) {
        return;
    }
    if (now->space == RG_SPACE_LOCAL) {
        snprintf(where, sizeof where, "byte %llu of its local memory", (unsigned long long)now->address);
    } else {
        describe(run, now->space, now->address, where, sizeof where);
    }
    rg_finding_reason(run, "%s reads %s, which nobody wrote",
                      rg_thread_text(now->warp, now->lane, thread, sizeof thread), where);
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
        struct rg_shadow *shadow = shadow_of(run, now->space, now->address, &region);
        if (!shadow) {
            return;
        }
        if (shared && shadow->block != (uint32_t)run->block_serial) {
            *shadow = (struct rg_shadow){.block = (uint32_t)run->block_serial}; /* what was left by another block */
        }
        if (reads && shadow->writer.block == 0 && (shared || !region->initialised)) {
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
    const uint32_t marks =
        (op->marks & RG_MARK_ATOMIC ? RG_ACCESS_ATOMIC : 0U) | (op->marks & RG_MARK_VOLATILE ? RG_ACCESS_VOLATILE : 0U);
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
        rg_order_fence(warp, mask);
        return;
    }
    if (op->run == rg_run_bulk && op->extra != RG_NO_SLOT) {
        rg_order_release(warp);
        return;
    }
    if (!(op->marks & (RG_MARK_READS | RG_MARK_WRITES))) {
        return;
    }
    judge_access(warp, op);
    if (op->marks & RG_MARK_ATOMIC) {
        rg_order_atomic(warp, op, mask);
    }
}

/** A copy of cp.async: it is made when it is waited for, by the lane that asked for it. */
void rg_judge_copy(struct rg_warp *warp, const struct rg_op *op, const struct rg_pending *pending)
{
    const bool stores = op->run == rg_run_bulk && op->space == RG_SPACE_GLOBAL;
    struct judged read = make_judged(warp, op, pending->lane, RG_SPACE_GLOBAL, pending->from, stores, 0);
    struct judged write = make_judged(warp, op, pending->lane, RG_SPACE_SHARED, pending->to, !stores, 0);
    if (pending->source_bytes) {
        judge_bytes(&read, pending->source_bytes);
    }
    judge_bytes(&write, pending->bytes);
}
