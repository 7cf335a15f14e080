/* SPDX-License-Identifier: MIT */
/**
 * \file Reads whose value nobody uses. A compiler may read where the source does not: it moves the load of `p ? s[0] : 0`
 * before the question, for all threads, and throws away what it read. Such a read is in a race, or finds what nobody
 * wrote, and is no fault. So where reads are in doubt the launch is run again and they get other values, of three kinds;
 * when nothing at all changes, nobody used them. The same goes for what a shuffle reads from a lane that is not there.
 */
#include <string.h>

#include "base/error.h"
#include "engine/judge.h"
#include "engine/lanes_list.h"

enum {
    MOST_DOUBTS = 1 << 16, /**< more: a race, no moved load */
    TABLE = 4 * MOST_DOUBTS,
    PATTERNS = 3
};

/** One read by one lane, of one granule; block 0 is none. */
struct doubt {
    uint64_t address;
    uint32_t block;
    uint32_t warp_clock;
    uint32_t op;
    uint32_t lane;
};

struct rg_doubts {
    struct doubt *table;
    uint32_t count;
    bool too_many;
    unsigned pattern; /**< what the reads get in this run; 0: what they read */
};

static bool doubt_same(const struct doubt *a, const struct doubt *b)
{
    return a->address == b->address && a->block == b->block && a->warp_clock == b->warp_clock && a->op == b->op &&
           a->lane == b->lane;
}

/** Where a doubt is, or would be. */
static struct doubt *doubt_find(const struct rg_doubts *doubts, const struct doubt *wanted)
{
    uint64_t hash = (wanted->address ^ (uint64_t)wanted->op << 40) * 0x9e3779b97f4a7c15U;
    hash ^= ((uint64_t)wanted->block << 37 ^ (uint64_t)wanted->warp_clock << 6 ^ wanted->lane) * 0xc2b2ae3d27d4eb4fU;
    for (uint64_t at = hash >> 20;; at++) {
        struct doubt *doubt = &doubts->table[at % TABLE];
        if (doubt->block == 0 || doubt_same(doubt, wanted)) {
            return doubt;
        }
    }
}

/** Whether other values can be given to what an operation reads; what is volatile is meant to be read. */
static bool is_alterable(const struct rg_op *op)
{
    return (op->code == RG_CODE_load && !(op->marks & RG_MARK_VOLATILE)) || op->run == rg_run_shuffle;
}

bool rg_doubt_add(struct rg_run *run, const struct rg_access *access, unsigned lane, uint64_t address)
{
    struct rg_judge *judge = run->judge;
    const uint32_t op = access->op_marks >> RG_ACCESS_MARK_BITS;
    if (run->altering || !is_alterable(&run->ptx->ops[op]) || (access->op_marks & RG_ACCESS_MIXED)) {
        return false;
    }
    if (!judge->doubts) {
        judge->doubts = rg_arena_alloc(&run->arena, sizeof *judge->doubts);
        struct doubt *table = judge->doubts ? rg_arena_array(&run->arena, TABLE, sizeof *table) : NULL;
        if (!table) {
            run->failed = true;
            judge->doubts = NULL;
            return false;
        }
        judge->doubts->table = table;
    }
    struct rg_doubts *doubts = judge->doubts;
    const struct doubt wanted = {address, access->block, access->warp_clock, op, lane};
    doubts->too_many |= doubts->count >= MOST_DOUBTS;
    if (doubts->too_many) {
        return false;
    }
    struct doubt *place = doubt_find(doubts, &wanted);
    doubts->count += place->block == 0;
    *place = wanted;
    return true;
}

static uint64_t altered(unsigned pattern, uint64_t value, unsigned bytes)
{
    const uint64_t all = bytes < 8 ? ((uint64_t)1 << (8 * bytes)) - 1 : UINT64_MAX;
    switch (pattern) {
    case 1: return all;                           /* -1, NaN */
    case 2: return 0x7e7e7e7e7e7e7e7eU & all;     /* large, as an integer and as a float */
    default: return (value & all) == 0 ? 1U : 0U; /* the other answer of a question */
    }
}

uint32_t rg_doubt_shuffled(const struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint32_t value)
{
    const struct rg_run *run = warp->run;
    const struct doubt wanted = {0, (uint32_t)run->block_serial, warp->index << RG_CLOCK_BITS | warp->order->clock,
                                 rg_op_index(run, op), lane};
    const bool found = run->altering && doubt_find(run->altering, &wanted)->block != 0;
    return found ? (uint32_t)altered(run->altering->pattern, value, 4) : value;
}

static void alter_element(struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint32_t element,
                          uint64_t address)
{
    const struct rg_run *run = warp->run;
    const uint32_t grain = warp->reached == RG_SPACE_SHARED ? run->judge->shared_grain : run->judge->global_grain;
    const uint32_t slot = op->list_count ? op->list[element] : op->d;
    struct doubt wanted = {address, (uint32_t)run->block_serial, warp->index << RG_CLOCK_BITS | warp->order->clock,
                           rg_op_index(run, op), lane};
    for (; slot != RG_NO_SLOT && wanted.address < address + op->bytes; wanted.address += grain) {
        if (doubt_find(run->altering, &wanted)->block != 0) {
            const uint64_t value = rg_lane_get(warp, slot, op->register_bytes, lane);
            rg_lane_set(warp, slot, op->register_bytes, lane, altered(run->altering->pattern, value, op->bytes));
            return;
        }
    }
}

void rg_doubt_loaded(struct rg_warp *warp, const struct rg_op *op)
{
    const bool windowed = op->space == RG_SPACE_GENERIC && warp->reached != RG_SPACE_GLOBAL;
    if (!warp->run->altering || op->code != RG_CODE_load) {
        return;
    }
    for (uint32_t rest = warp->access; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint64_t start = warp->addresses[lane] - (windowed ? RG_WINDOW(warp->reached) : 0);
        for (uint32_t k = 0; k < (op->list_count ? op->list_count : 1); k++) {
            alter_element(warp, op, lane, k, start + (uint64_t)k * op->bytes);
        }
    }
}

/** Whether two runs did the same: as many instructions, the same findings as often. */
static bool is_same_run(const struct rg_run *a, const struct rg_run *b)
{
    if (a->instructions != b->instructions || a->finding_count != b->finding_count) {
        return false;
    }
    for (size_t i = 0; i < a->finding_count; i++) {
        const struct rg_finding_kept *x = &a->findings[i];
        const struct rg_finding_kept *y = &b->findings[i];
        if (x->op != y->op || x->rule != y->rule || x->count != y->count) {
            return false;
        }
    }
    return true;
}

bool rg_doubts_any(const struct rg_run *run)
{
    bool unsure = false;
    for (size_t i = 0; i < run->finding_count; i++) {
        unsure |= !run->findings[i].sure;
    }
    return unsure && run->judge && run->judge->doubts && !run->judge->doubts->too_many;
}

bool rg_doubts_next(struct rg_run *run)
{
    return ++run->judge->doubts->pattern <= PATTERNS;
}

bool rg_doubts_changed(const struct rg_run *run, const struct rg_run *again)
{
    return again->failed || again->stopped != run->stopped || !is_same_run(run, again);
}

void rg_doubts_drop(struct rg_run *run)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->finding_count; i++) {
        if (run->findings[i].sure) {
            run->findings[kept++] = run->findings[i];
        }
    }
    run->finding_count = kept;
}
