/* SPDX-License-Identifier: MIT */
/**
 * \file Barriers of a block. A barrier is complete when as many threads as it asks for have come, or, asking for all,
 * when every thread of the block that has not ended has. Source: PTX ISA, "bar, barrier".
 */
#include <stdio.h>
#include <string.h>

#include "engine/run.h"

/** Who stands at one barrier. */
struct gathering {
    uint32_t masks[RG_MAX_WARPS];
    bool only_arrive[RG_MAX_WARPS];
    unsigned orders; /**< RG_ORDERS_*: what all of them order */
    uint32_t came;   /**< threads */
    uint32_t wanted; /**< 0: all */
    bool waits;
};

static void gather(const struct rg_run *run, uint32_t barrier, struct gathering *out)
{
    memset(out, 0, sizeof *out);
    out->wanted = run->arrive_wanted[barrier];
    out->orders = RG_ORDERS_ALL;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        const struct rg_warp *warp = &run->warps[w];
        out->masks[w] = warp->arrived[barrier];
        out->only_arrive[w] = warp->arrived[barrier] != 0;
        for (uint32_t i = 0; i < warp->split_count; i++) {
            const struct rg_split *split = &warp->splits[i];
            if (split->state == RG_SPLIT_BARRIER && split->barrier == barrier) {
                out->masks[w] |= split->mask;
                out->only_arrive[w] = false;
                out->wanted = split->wanted ? split->wanted : out->wanted;
                out->waits = true;
                const int64_t orders = run->ptx->ops[split->pc].immediate;
                out->orders &= orders ? (unsigned)orders : RG_ORDERS_ALL;
            }
        }
        /* Lanes that a block does not have count as come: a barrier counts whole warps. */
        const bool whole = out->masks[w] && out->masks[w] == warp->born;
        out->came += whole ? RG_LANES : rg_popcount(out->masks[w]);
    }
}

static bool is_complete(const struct rg_run *run, const struct gathering *at)
{
    if (!at->waits) {
        return false;
    }
    if (at->wanted) {
        return at->came >= at->wanted;
    }
    for (uint32_t w = 0; w < run->warp_count; w++) {
        if (at->masks[w] != run->warps[w].alive) {
            return false;
        }
    }
    return true;
}

/** One of those that stand at a barrier. */
struct standing {
    struct rg_warp *warp;
    const struct rg_split *split;
    const struct rg_op *op;
};

/** Whether two that meet at a barrier may not: lanes of one warp at different instructions of an aligned barrier, or
 * threads at barriers of the whole block in different lines of the source, where CUDA and OpenCL want one. */
static bool is_divergent(const struct rg_run *run, const struct standing *a, const struct standing *b, bool all)
{
    if (a->split->pc == b->split->pc) {
        return false;
    }
    if (a->warp == b->warp) {
        return b->op->marks & RG_MARK_ALIGNED;
    }
    return all && a->op->line > 0 && b->op->line > 0 && rg_op_line(run->ptx, a->op) != rg_op_line(run->ptx, b->op);
}

static void judge_pair(struct rg_run *run, uint32_t barrier, const struct standing *a, const struct standing *b)
{
    char thread[96];
    if (rg_finding_new(run, b->op, RG_RULE_DIVERGENT_BARRIER)) {
        rg_finding_reason(run, "%s comes to barrier %u here, but other threads of its %s come to it in line %u",
                          rg_thread_text(b->warp, (unsigned)__builtin_ctz(b->split->mask), thread, sizeof thread),
                          barrier, a->warp == b->warp ? "warp" : "block", rg_op_line(run->ptx, a->op));
    }
}

/** Those that meet at a barrier come from one place, and no thread has ended that should come too. */
static void judge_gathering(struct rg_run *run, uint32_t barrier, const struct gathering *at)
{
    struct standing first = {NULL, NULL, NULL};
    struct standing before = {NULL, NULL, NULL};
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_warp *warp = &run->warps[w];
        for (uint32_t i = 0; i < warp->split_count; i++) {
            const struct rg_split *split = &warp->splits[i];
            if (split->state != RG_SPLIT_BARRIER || split->barrier != barrier) {
                continue;
            }
            const struct standing mine = {warp, split, &run->ptx->ops[split->pc]};
            const struct standing *other = before.warp == warp ? &before : &first;
            if (other->warp && is_divergent(run, other, &mine, !at->wanted)) {
                judge_pair(run, barrier, other, &mine);
            }
            first = first.warp ? first : mine;
            before = mine;
        }
    }
    if (first.warp && !at->wanted && run->exited && rg_finding_new(run, first.op, RG_RULE_DIVERGENT_BARRIER)) {
        rg_finding_reason(
            run, "barrier %u of block (%llu, %llu, %llu) is reached by %u of its %u threads: the others have ended",
            barrier, (unsigned long long)run->block_index[0], (unsigned long long)run->block_index[1],
            (unsigned long long)run->block_index[2], run->threads - run->exited, run->threads);
    }
}

/** bar.red: what the threads that came say together. */
static uint32_t reduce(const struct rg_run *run, uint32_t barrier)
{
    uint32_t count = 0;
    bool all = true;
    const struct rg_op *op = NULL;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        const struct rg_warp *warp = &run->warps[w];
        for (uint32_t i = 0; i < warp->split_count; i++) {
            const struct rg_split *split = &warp->splits[i];
            const struct rg_op *here = &run->ptx->ops[split->pc];
            if (split->state != RG_SPLIT_BARRIER || split->barrier != barrier || here->mode != RG_BARRIER_REDUCE) {
                continue;
            }
            op = here;
            const uint32_t holds = *rg_predicate(warp, op->c) ^ (op->bytes ? 0xffffffffU : 0);
            count += rg_popcount(holds & split->mask);
            all &= (holds & split->mask) == split->mask;
        }
    }
    if (!op) {
        return 0;
    }
    return op->mode2 == RG_REDUCE_COUNT ? count : op->mode2 == RG_REDUCE_AND ? all : count > 0;
}

static void give_result(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, uint32_t result)
{
    if (op->mode2 == RG_REDUCE_COUNT) {
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            RG_COLUMN(uint32_t, warp, op->d)[__builtin_ctz(rest)] = result;
        }
        return;
    }
    uint32_t *predicate = rg_predicate(warp, op->d);
    *predicate = (*predicate & ~mask) | (result ? mask : 0);
}

static void release(struct rg_run *run, uint32_t barrier)
{
    const uint32_t result = reduce(run, barrier);
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_warp *warp = &run->warps[w];
        warp->arrived[barrier] = 0;
        for (uint32_t i = 0; i < warp->split_count; i++) {
            struct rg_split *split = &warp->splits[i];
            if (split->state != RG_SPLIT_BARRIER || split->barrier != barrier) {
                continue;
            }
            const struct rg_op *op = &run->ptx->ops[split->pc];
            if (op->mode == RG_BARRIER_REDUCE) {
                give_result(warp, op, split->mask, result);
            }
            split->state = RG_SPLIT_READY;
            split->pc++;
        }
    }
    run->arrive_wanted[barrier] = 0;
}

bool rg_barrier_release(struct rg_run *run)
{
    bool any = false;
    struct gathering at;
    for (uint32_t barrier = 0; barrier < RG_BARRIERS; barrier++) {
        gather(run, barrier, &at);
        if (!is_complete(run, &at)) {
            continue;
        }
        judge_gathering(run, barrier, &at);
        if (run->judge) {
            rg_judge_barrier(run, at.masks, at.only_arrive, at.orders);
        }
        release(run, barrier);
        any = true;
    }
    return any;
}

/** The threads of a warp that wait at a barrier wait for ever. */
static void judge_waiting(struct rg_run *run, struct rg_warp *warp, uint32_t barrier, const struct gathering *at)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct rg_split *split = &warp->splits[i];
        char thread[96];
        if (split->barrier != barrier || split->state != RG_SPLIT_BARRIER ||
            !rg_finding_new(run, &run->ptx->ops[split->pc], RG_RULE_DIVERGENT_BARRIER)) {
            continue;
        }
        rg_finding_reason(run, "%s waits for ever at barrier %u: %u threads came, %u are needed (%u have ended)",
                          rg_thread_text(warp, (unsigned)__builtin_ctz(split->mask), thread, sizeof thread), barrier,
                          at->came, at->wanted ? at->wanted : run->threads, run->exited);
    }
}

/** Nothing can run: some threads wait at a barrier for others that wait elsewhere or have ended. */
void rg_barrier_deadlock(struct rg_run *run)
{
    struct gathering at;
    run->block_stopped = true;
    for (uint32_t barrier = 0; barrier < RG_BARRIERS; barrier++) {
        gather(run, barrier, &at);
        for (uint32_t w = 0; at.waits && w < run->warp_count; w++) {
            judge_waiting(run, &run->warps[w], barrier, &at);
        }
    }
}
