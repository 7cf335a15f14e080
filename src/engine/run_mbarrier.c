/* SPDX-License-Identifier: MIT */
/**
 * \file Memory barriers: objects of 64 bits in shared memory that count arrivals and bytes of copies, phase by phase. How
 * the bits are used is left open by PTX; here: arrivals that are pending, arrivals that a phase expects, bytes awaited,
 * and whether the phase is an odd one. A thread that tests a phase which is not complete waits for it (PTX lets a
 * try_wait do so, and a test_wait may be late): what is counted then does not depend on how long it waits. Where nothing
 * else can run the answer is no. Source: PTX ISA, "mbarrier".
 */
#include <string.h>

#include "engine/run.h"

enum {
    COUNT_BITS = 20,
    BYTES_BITS = 21,
    MOST_REFUSALS = 1000 /**< rounds in which nothing but refused tests happened */
};

struct phase {
    uint32_t pending;
    uint32_t expected;
    int32_t bytes; /**< awaited */
    uint32_t odd;
    uint32_t made; /**< 0: no barrier lies here */
};

static struct phase unpack(uint64_t word)
{
    const uint32_t count = (1U << COUNT_BITS) - 1;
    const uint32_t bytes = (uint32_t)(word >> 2 * COUNT_BITS) << (32 - BYTES_BITS);
    return (struct phase){(uint32_t)word & count, (uint32_t)(word >> COUNT_BITS) & count,
                          (int32_t)bytes >> (32 - BYTES_BITS), (uint32_t)(word >> 62) & 1, (uint32_t)(word >> 63)};
}

static uint64_t pack(const struct phase *phase)
{
    const uint64_t count = (1U << COUNT_BITS) - 1;
    const uint64_t bytes = (uint32_t)phase->bytes & ((1U << BYTES_BITS) - 1);
    return (phase->pending & count) | (phase->expected & count) << COUNT_BITS | bytes << 2 * COUNT_BITS |
           (uint64_t)phase->odd << 62 | (uint64_t)phase->made << 63;
}

static uint64_t address_of(const struct rg_warp *warp, const struct rg_op *op, unsigned lane)
{
    return op->mode == 4 ? (uint32_t)(RG_COLUMN(uint32_t, warp, op->a)[lane] + (uint32_t)op->immediate)
                         : RG_COLUMN(uint64_t, warp, op->a)[lane] + (uint64_t)op->immediate;
}

/** An operand, or 0 where there is none. */
static uint32_t number_of(const struct rg_warp *warp, uint32_t slot, unsigned lane)
{
    return slot == RG_NO_SLOT ? 0 : RG_COLUMN(uint32_t, warp, slot)[lane];
}

/** Where a lane's barrier lies; NULL after a finding. */
static uint8_t *place_of(struct rg_warp *warp, const struct rg_op *op, unsigned lane, struct phase *phase)
{
    char thread[96];
    rg_space reached;
    const uint64_t address = address_of(warp, op, lane);
    uint8_t *place = rg_memory_place(warp, op, lane, (rg_space)op->space, address, 8, true, &reached);
    uint64_t word = 0;
    if (!place) {
        return NULL;
    }
    memcpy(&word, place, sizeof word);
    *phase = unpack(word);
    warp->addresses[lane] = address;
    warp->reached = reached;
    warp->access |= 1U << lane;
    if (!phase->made && op->mode2 != RG_MBARRIER_INIT && op->mode2 != RG_MBARRIER_INVAL &&
        rg_finding_new(warp->run, op, RG_RULE_UNINITIALISED)) {
        rg_finding_reason(warp->run, "%s uses a memory barrier that was not initialised",
                          rg_thread_text(warp, lane, thread, sizeof thread));
    }
    return place;
}

static void arrive(struct phase *phase, uint32_t count)
{
    phase->pending = phase->pending > count ? phase->pending - count : 0;
}

/** A phase is complete when nobody and nothing is awaited; the next one begins. */
static void settle(struct rg_run *run, struct phase *phase)
{
    if (phase->made && phase->pending == 0 && phase->bytes == 0) {
        phase->odd ^= 1;
        phase->pending = phase->expected;
        run->refusals = 0;
    }
}

static void change(struct phase *phase, const struct rg_op *op, uint32_t b, uint32_t c)
{
    switch ((rg_mbarrier_kind)op->mode2) {
    case RG_MBARRIER_INIT: *phase = (struct phase){b, b, 0, 0, 1}; break;
    case RG_MBARRIER_INVAL: *phase = (struct phase){0}; break;
    case RG_MBARRIER_DROP:
        phase->expected = phase->expected > b ? phase->expected - b : 0;
        phase->bytes += (int32_t)c;
        arrive(phase, b);
        break;
    case RG_MBARRIER_ARRIVE:
        phase->bytes += (int32_t)c;
        arrive(phase, b);
        break;
    case RG_MBARRIER_EXPECT: phase->bytes += (int32_t)b; break;
    case RG_MBARRIER_COMPLETE: phase->bytes -= (int32_t)b; break;
    case RG_MBARRIER_COPIED: arrive(phase, b); break;
    case RG_MBARRIER_TEST:
    case RG_MBARRIER_PENDING: break;
    }
}

void rg_run_mbarrier(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    warp->access = 0;
    if (op->mode2 == RG_MBARRIER_COPIED) { /* what the thread copied so far is there */
        const struct rg_op all = {.mode = 1};
        rg_run_cp_wait(warp, &all, mask);
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        struct phase phase;
        if (op->mode2 == RG_MBARRIER_PENDING) {
            phase = unpack(RG_COLUMN(uint64_t, warp, op->a)[lane]);
            RG_COLUMN(uint32_t, warp, op->d)[lane] = phase.pending;
            continue;
        }
        uint8_t *place = place_of(warp, op, lane, &phase);
        if (!place) {
            continue;
        }
        if (op->d != RG_NO_SLOT) {
            RG_COLUMN(uint64_t, warp, op->d)[lane] = pack(&phase);
        }
        change(&phase, op, number_of(warp, op->b, lane), number_of(warp, op->c, lane));
        settle(warp->run, &phase);
        const uint64_t word = pack(&phase);
        memcpy(place, &word, sizeof word);
    }
}

/** A bulk copy tells a barrier in shared memory that its bytes are there. */
void rg_phase_copied(struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint64_t address, uint32_t bytes)
{
    rg_space reached;
    uint8_t *place = rg_memory_place(warp, op, lane, RG_SPACE_SHARED, address, 8, true, &reached);
    uint64_t word;
    if (!place) {
        return;
    }
    memcpy(&word, place, sizeof word);
    struct phase phase = unpack(word);
    phase.bytes -= (int32_t)bytes;
    settle(warp->run, &phase);
    word = pack(&phase);
    memcpy(place, &word, sizeof word);
    if (warp->run->judge) {
        warp->addresses[lane] = address;
        warp->reached = RG_SPACE_SHARED;
        warp->access = 1U << lane;
        rg_judge_told(warp, op, lane);
        warp->access = 0;
    }
}

/** The lanes whose phase is complete, or whose barrier is not there. */
static uint32_t complete(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    uint32_t done = 0;
    warp->access = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        struct phase phase;
        const bool parity = op->register_bytes == 4;
        const uint32_t odd =
            parity ? RG_COLUMN(uint32_t, warp, op->b)[lane] & 1 : unpack(RG_COLUMN(uint64_t, warp, op->b)[lane]).odd;
        if (!place_of(warp, op, lane, &phase) || phase.odd != odd) {
            done |= 1U << lane;
        }
    }
    warp->access &= done;
    return done;
}

static void answer(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, bool yes)
{
    uint32_t *predicate = rg_predicate(warp, op->d);
    *predicate = (*predicate & ~mask) | (yes ? mask : 0);
}

uint32_t rg_phase_test(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t done = complete(warp, op, mask);
    answer(warp, op, done, true);
    return done;
}

/** Nothing can run: tests of phases are answered with no. \return whether there were any. */
bool rg_phase_refuse(struct rg_run *run)
{
    bool any = false;
    char thread[96];
    const bool deadlock = ++run->refusals > MOST_REFUSALS;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_warp *warp = &run->warps[w];
        for (uint32_t i = 0; i < warp->split_count; i++) {
            struct rg_split *split = &warp->splits[i];
            const struct rg_op *op = &run->ptx->ops[split->pc];
            if (split->state != RG_SPLIT_PHASE) {
                continue;
            }
            if (deadlock && rg_finding_new(run, op, RG_RULE_DIVERGENT_BARRIER)) {
                rg_finding_reason(run, "%s waits for ever at a memory barrier: a phase of it is not completed",
                                  rg_thread_text(warp, (unsigned)__builtin_ctz(split->mask), thread, sizeof thread));
            }
            answer(warp, op, split->mask, false);
            split->state = RG_SPLIT_READY;
            split->pc++;
            any = true;
        }
    }
    run->waits = 0;
    run->block_stopped |= any && deadlock;
    return any;
}
