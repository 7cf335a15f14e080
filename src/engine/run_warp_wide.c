/* SPDX-License-Identifier: MIT */
/** \file Operations across the lanes of a warp. Source: PTX ISA, "shfl", "vote", "match", "redux", "elect", "cp.async". */
#include <string.h>

#include "engine/run.h"

static void set_bits(const struct rg_warp *warp, uint32_t slot, uint32_t value, uint32_t mask)
{
    uint32_t *predicate = rg_predicate(warp, slot);
    *predicate = (*predicate & ~mask) | (value & mask);
}

/** A member mask must name the lane that gives it. */
static void check_members(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    char thread[96];
    if (op->flow != RG_FLOW_WARP_SYNC) {
        return;
    }
    const uint32_t *members = RG_COLUMN(uint32_t, warp, op->extra);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!(members[lane] >> lane & 1) && rg_finding_new(warp->run, op, RG_RULE_SHUFFLE)) {
            rg_finding_reason(warp->run, "%s gives the member mask 0x%08x, which does not name its own lane %u",
                              rg_thread_text(warp, lane, thread, sizeof thread), members[lane], lane);
        }
    }
}

/** The lane that shfl reads; *inside: p. c: clamp in bits 0-4, segment mask in bits 8-12. */
static unsigned shuffle_source(unsigned mode, unsigned lane, uint32_t b, uint32_t c, bool *inside)
{
    const unsigned clamp = c & 31;
    const unsigned segment = c >> 8 & 31;
    const unsigned most = (lane & segment) | (clamp & ~segment);
    const unsigned least = lane & segment;
    const unsigned by = b & 31;
    unsigned from;
    switch (mode) {
    case 0:
        from = lane - by;
        *inside = (int)from >= (int)most;
        break; /* up */
    case 1:
        from = lane + by;
        *inside = from <= most;
        break; /* down */
    case 2:
        from = lane ^ by;
        *inside = from <= most;
        break; /* bfly */
    default:
        from = least | (by & ~segment);
        *inside = from <= most;
        break;
    }
    return *inside ? from : lane;
}

void rg_run_shuffle(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    uint32_t values[RG_LANES];
    char thread[96];
    uint32_t insides = 0;
    memcpy(values, RG_COLUMN(uint32_t, warp, op->a), sizeof values);
    check_members(warp, op, mask);
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        bool inside;
        const unsigned from = shuffle_source(op->mode, lane, RG_COLUMN(uint32_t, warp, op->b)[lane],
                                             RG_COLUMN(uint32_t, warp, op->c)[lane], &inside);
        insides |= (uint32_t)inside << lane;
        const bool absent = !(mask >> (from & 31) & 1);
        if (absent && rg_finding_doubtful(warp->run, op, RG_RULE_SHUFFLE)) {
            rg_finding_reason(warp->run, "%s reads from lane %u of its warp, which does not take part",
                              rg_thread_text(warp, lane, thread, sizeof thread), from & 31);
        }
        const uint32_t value = absent ? rg_judge_shuffled(warp, op, lane, values[from & 31]) : values[from & 31];
        if (op->d != RG_NO_SLOT) {
            RG_COLUMN(uint32_t, warp, op->d)[lane] = value;
        }
    }
    if (op->list && op->list[0] != RG_NO_SLOT) {
        set_bits(warp, op->list[0], insides, mask);
    }
}

void rg_run_vote(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t holds = (*rg_predicate(warp, op->a) ^ (op->mode2 ? 0xffffffffU : 0)) & mask;
    check_members(warp, op, mask);
    if (op->mode == RG_VOTE_BALLOT) {
        for (uint32_t rest = mask; rest && op->d != RG_NO_SLOT; rest &= rest - 1) {
            RG_COLUMN(uint32_t, warp, op->d)[__builtin_ctz(rest)] = holds;
        }
        return;
    }
    const bool answer = op->mode == RG_VOTE_ALL   ? holds == mask
                        : op->mode == RG_VOTE_ANY ? holds != 0
                                                  : holds == mask || holds == 0;
    set_bits(warp, op->d, answer ? 0xffffffffU : 0, mask);
}

void rg_run_match(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    uint32_t results[RG_LANES] = {0};
    bool all = true;
    check_members(warp, op, mask);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint64_t mine = rg_lane_get(warp, op->a, op->register_bytes, lane);
        for (uint32_t others = mask; others; others &= others - 1) {
            const unsigned other = (unsigned)__builtin_ctz(others);
            results[lane] |= rg_lane_get(warp, op->a, op->register_bytes, other) == mine ? 1U << other : 0;
        }
        all &= results[lane] == mask;
    }
    for (uint32_t rest = mask; rest && op->d != RG_NO_SLOT; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        RG_COLUMN(uint32_t, warp, op->d)[lane] = op->mode ? (all ? mask : 0) : results[lane];
    }
    if (op->list && op->list[0] != RG_NO_SLOT) {
        set_bits(warp, op->list[0], all ? 0xffffffffU : 0, mask);
    }
}

void rg_run_redux(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t *from = RG_COLUMN(uint32_t, warp, op->a);
    uint64_t result = from[__builtin_ctz(mask)];
    check_members(warp, op, mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        result = rg_atom_apply((rg_atom)op->mode, (rg_type)op->type, result, from[__builtin_ctz(rest)], 0);
    }
    for (uint32_t rest = mask; rest && op->d != RG_NO_SLOT; rest &= rest - 1) {
        RG_COLUMN(uint32_t, warp, op->d)[__builtin_ctz(rest)] = (uint32_t)result;
    }
}

void rg_run_activemask(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest && op->d != RG_NO_SLOT; rest &= rest - 1) {
        RG_COLUMN(uint32_t, warp, op->d)[__builtin_ctz(rest)] = mask;
    }
}

void rg_run_elect(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t first = (uint32_t)__builtin_ctz(mask);
    for (uint32_t rest = mask; rest && op->d != RG_NO_SLOT; rest &= rest - 1) {
        RG_COLUMN(uint32_t, warp, op->d)[__builtin_ctz(rest)] = first;
    }
    if (op->list && op->list[0] != RG_NO_SLOT) {
        set_bits(warp, op->list[0], 1U << first, mask);
    }
}

void rg_run_warp_barrier(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    check_members(warp, op, mask & warp->alive);
    if (warp->run->judge) {
        rg_judge_warp_sync(warp, mask);
    }
}

static uint64_t address_of(const struct rg_warp *warp, uint32_t slot, unsigned bytes, int64_t displacement,
                           unsigned lane)
{
    return bytes == 4 ? (uint32_t)(RG_COLUMN(uint32_t, warp, slot)[lane] + (uint32_t)displacement)
                      : RG_COLUMN(uint64_t, warp, slot)[lane] + (uint64_t)displacement;
}

/** Promise copies; they are made when they are waited for, so that reading before that sees the old bytes. */
void rg_run_cp_async(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct rg_run *run = warp->run;
    const int64_t from_displacement = (int64_t)((uint64_t)op->list[0] | (uint64_t)op->list[1] << 32);
    warp->access = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint64_t to = address_of(warp, op->a, op->mode, op->immediate, lane);
        const uint64_t from = address_of(warp, op->b, op->mode2, from_displacement, lane);
        const uint32_t source = op->c == RG_NO_SLOT ? op->bytes : RG_COLUMN(uint32_t, warp, op->c)[lane];
        const uint8_t source_bytes = source < op->bytes ? (uint8_t)source : op->bytes;
        rg_space reached = RG_SPACE_SHARED;
        warp->addresses[lane] = from;
        warp->addresses2[lane] = to;
        const bool good =
            rg_memory_place(warp, op, lane, RG_SPACE_SHARED, to, op->bytes, true, &reached) &&
            (source_bytes == 0 || rg_memory_place(warp, op, lane, RG_SPACE_GLOBAL, from, op->bytes, false, &reached));
        if (!good) {
            continue;
        }
        if (!rg_reserve(run->context, &warp->pending, &warp->pending_capacity, warp->pending_count + 1,
                        sizeof *warp->pending)) {
            run->failed = true;
            run->stopped = true;
            return;
        }
        warp->pending[warp->pending_count++] = (struct rg_pending){
            from, (uint32_t)to, op->bytes, source_bytes, (uint8_t)lane, warp->group[lane], rg_op_index(run, op)};
        warp->access |= source_bytes ? 1U << lane : 0;
        if (run->judge) {
            rg_judge_promise(warp, op, &warp->pending[warp->pending_count - 1]);
        }
    }
    warp->reached = RG_SPACE_GLOBAL;
}

void rg_run_cp_commit(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    (void)op;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        warp->group[__builtin_ctz(rest)]++;
    }
}

static void make_copy(struct rg_warp *warp, const struct rg_pending *pending)
{
    struct rg_run *run = warp->run;
    uint64_t base;
    const struct rg_region *from = rg_memory_region(run, RG_SPACE_GLOBAL, pending->from, &base);
    uint8_t *to = run->shared.bytes + pending->to;
    memset(to, 0, pending->bytes);
    if (from && pending->source_bytes) {
        memcpy(to, from->bytes + (pending->from - base), pending->source_bytes);
    }
    if (run->judge) {
        rg_judge_copy(warp, &run->ptx->ops[pending->op], pending);
    }
}

/** Make the copies of all groups but the newest `immediate`; with mode 1 those of no group too. */
void rg_run_cp_wait(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    size_t kept = 0;
    for (size_t i = 0; i < warp->pending_count; i++) {
        const struct rg_pending pending = warp->pending[i];
        const uint32_t groups = warp->group[pending.lane];
        const bool done = pending.group + (uint64_t)op->immediate < groups || op->mode;
        if ((mask >> pending.lane & 1) && done) {
            make_copy(warp, &pending);
        } else {
            warp->pending[kept++] = pending;
        }
    }
    warp->pending_count = kept;
}

/** Rows of 8 halves from shared memory, given out as fragments. Source: PTX ISA, "ldmatrix", figure of the fragments. */
void rg_run_ldmatrix(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    uint16_t rows[4][8][8] = {{{0}}};
    warp->access = 0;
    for (unsigned lane = 0; lane < 8 * op->list_count; lane++) {
        const uint64_t address = address_of(warp, op->a, op->mode, op->immediate, lane);
        warp->addresses[lane] = address;
        const uint8_t *place =
            mask >> lane & 1 ? rg_memory_place(warp, op, lane, (rg_space)op->space, address, 16, false, &warp->reached)
                             : NULL;
        if (place) {
            memcpy(rows[lane / 8][lane % 8], place, 16);
            warp->access |= 1U << lane;
        }
    }
    for (uint32_t matrix = 0; matrix < op->list_count; matrix++) {
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            const unsigned row = lane / 4;
            const unsigned column = 2 * (lane % 4);
            const uint16_t low = op->mode2 ? rows[matrix][column][row] : rows[matrix][row][column];
            const uint16_t high = op->mode2 ? rows[matrix][column + 1][row] : rows[matrix][row][column + 1];
            RG_COLUMN(uint32_t, warp, op->list[matrix])[lane] = (uint32_t)high << 16 | low;
        }
    }
}
