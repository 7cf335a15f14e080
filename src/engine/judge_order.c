/* SPDX-License-Identifier: MIT */
#include "engine/judge.h"

#include <string.h>

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void rg_order_begin(struct rg_run *run)
{
    memset(run->judge->released, 0, sizeof run->judge->released);
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_order *order = run->warps[w].order;
        uint8_t *valid = order->local_valid;
        memset(order, 0, sizeof *order);
        order->local_valid = valid;
        order->clock = 1;
        memset(valid, 0, (size_t)(RG_LANES * run->ptx->local_bytes));
    }
}

bool rg_order_before(const struct rg_warp *warp, unsigned lane, const struct rg_access *access)
{
    const struct rg_run *run = warp->run;
    const uint32_t thread = access->thread_clock >> RG_CLOCK_BITS;
    const uint32_t clock = access->thread_clock & ((1U << RG_CLOCK_BITS) - 1);
    const struct rg_order *order = warp->order;
    if (access->block != (uint32_t)run->block_serial) {
        const uint8_t bits = run->judge->block_released[access->block / 8];
        return order->acquired && (bits >> (access->block % 8) & 1);
    }
    if (thread / RG_LANES == warp->index) {
        return thread % RG_LANES == lane || order->lanes[lane][thread % RG_LANES] >= clock;
    }
    return order->seen[thread / RG_LANES] >= clock;
}

/** The lanes of a mask have seen each other, and what each of them had seen. */
static void join_lanes(struct rg_order *order, uint32_t mask)
{
    uint32_t together[RG_LANES] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t *seen = order->lanes[__builtin_ctz(rest)];
        for (unsigned m = 0; m < RG_LANES; m++) {
            together[m] = mask >> m & 1 ? order->clock : most(together[m], seen[m]);
        }
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        memcpy(order->lanes[__builtin_ctz(rest)], together, sizeof together);
    }
}

static void tick(struct rg_order *order)
{
    order->clock += order->clock < (1U << RG_CLOCK_BITS) - 2;
}

void rg_judge_warp_sync(struct rg_warp *warp, uint32_t mask)
{
    join_lanes(warp->order, mask);
    tick(warp->order);
}

void rg_judge_barrier(struct rg_run *run, const uint32_t *warp_masks, const bool *only_arrive)
{
    uint32_t together[RG_MAX_WARPS] = {0};
    bool acquired = false;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        const struct rg_order *order = run->warps[w].order;
        for (uint32_t v = 0; warp_masks[w] && v < run->warp_count; v++) {
            together[v] = most(together[v], order->seen[v]);
        }
        together[w] = warp_masks[w] ? order->clock : together[w];
        acquired |= warp_masks[w] && order->acquired;
    }
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_order *order = run->warps[w].order;
        if (!warp_masks[w]) {
            continue;
        }
        if (!only_arrive[w]) {
            for (uint32_t v = 0; v < run->warp_count; v++) {
                order->seen[v] = most(order->seen[v], together[v]);
            }
            order->acquired |= acquired;
            join_lanes(order, warp_masks[w]);
        }
        tick(order);
    }
}

/** See what was released; lanes of the same warp hand over to each other too. */
static void acquire(struct rg_warp *warp, uint32_t mask)
{
    struct rg_order *order = warp->order;
    const uint32_t *released = warp->run->judge->released;
    for (uint32_t v = 0; v < warp->run->warp_count; v++) {
        order->seen[v] = most(order->seen[v], released[v]);
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t *seen = order->lanes[__builtin_ctz(rest)];
        for (unsigned m = 0; m < RG_LANES; m++) {
            seen[m] = most(seen[m], released[warp->index]);
        }
    }
    order->acquired = true;
}

void rg_order_release(struct rg_warp *warp)
{
    struct rg_run *run = warp->run;
    struct rg_order *order = warp->order;
    for (uint32_t v = 0; v < run->warp_count; v++) {
        run->judge->released[v] = most(run->judge->released[v], order->seen[v]);
    }
    run->judge->released[warp->index] = order->clock;
    run->judge->block_released[run->block_serial / 8] |= (uint8_t)(1U << (run->block_serial % 8));
    tick(order);
}

void rg_order_atomic(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct rg_order *order = warp->order;
    const bool orders = op->marks & RG_MARK_FENCE;
    if ((order->fenced || orders) && (op->marks & RG_MARK_WRITES)) {
        rg_order_release(warp);
    }
    if (orders && (op->marks & RG_MARK_READS)) {
        acquire(warp, mask);
    }
    order->touched = true;
}

void rg_order_fence(struct rg_warp *warp, uint32_t mask)
{
    struct rg_order *order = warp->order;
    order->fenced = true;
    if (order->touched) {
        acquire(warp, mask);
    }
}
