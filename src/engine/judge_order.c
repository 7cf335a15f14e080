/* SPDX-License-Identifier: MIT */
#include "engine/judge.h"

#include <string.h>

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void rg_order_begin(struct rg_run *run)
{
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_order *order = run->warps[w].order;
        uint8_t *valid = order->local_valid;
        memset(order, 0, sizeof *order);
        order->local_valid = valid;
        order->clock = 1;
        memset(valid, 0, (size_t)(RG_LANES * run->ptx->local_bytes));
    }
    rg_sync_block_begin(run);
}

uint32_t rg_order_unseen(const struct rg_warp *warp, unsigned lane, const struct rg_access *access, int memory)
{
    const bool same_block = access->block == (uint32_t)warp->run->block_serial;
    const struct rg_seen *seen = &warp->order->seen[memory];
    const uint32_t theirs = rg_access_warp(access);
    const uint32_t clock = rg_access_clock(access);
    const bool same_warp = same_block && theirs == warp->index;
    uint32_t unseen = 0;
    if (same_block && !same_warp && seen->warps[theirs] >= clock) {
        return 0;
    }
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned other = (unsigned)__builtin_ctz(rest);
        const bool known = (same_warp && (other == lane || seen->lanes[lane][other] >= clock)) ||
                           rg_sync_knows(warp, lane, access->block, theirs * RG_LANES + other, clock);
        unseen |= known ? 0 : 1U << other;
    }
    return unseen;
}

/** The lanes of a mask have seen each other, and what each of them had seen. */
static void join_lanes(struct rg_seen *seen, uint32_t clock, uint32_t mask)
{
    uint32_t together[RG_LANES] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t *lanes = seen->lanes[__builtin_ctz(rest)];
        for (unsigned m = 0; m < RG_LANES; m++) {
            together[m] = mask >> m & 1 ? clock : most(together[m], lanes[m]);
        }
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        memcpy(seen->lanes[__builtin_ctz(rest)], together, sizeof together);
    }
}

void rg_order_tick(struct rg_order *order)
{
    order->clock += order->clock < RG_CLOCK_MOST - 1;
}

void rg_judge_warp_sync(struct rg_warp *warp, uint32_t mask)
{
    for (int memory = 0; memory < RG_MEMORIES; memory++) {
        join_lanes(&warp->order->seen[memory], warp->order->clock, mask);
    }
    rg_sync_join_lanes(warp, mask);
    rg_order_tick(warp->order);
}

static void join_memory(struct rg_run *run, int memory, const uint32_t *warp_masks, const bool *only_arrive)
{
    uint32_t together[RG_MAX_WARPS] = {0};
    for (uint32_t w = 0; w < run->warp_count; w++) {
        const struct rg_order *order = run->warps[w].order;
        for (uint32_t v = 0; warp_masks[w] && v < run->warp_count; v++) {
            together[v] = most(together[v], order->seen[memory].warps[v]);
        }
        together[w] = warp_masks[w] ? order->clock : together[w];
    }
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct rg_order *order = run->warps[w].order;
        if (warp_masks[w] && !only_arrive[w]) {
            for (uint32_t v = 0; v < run->warp_count; v++) {
                order->seen[memory].warps[v] = most(order->seen[memory].warps[v], together[v]);
            }
            join_lanes(&order->seen[memory], order->clock, warp_masks[w]);
        }
    }
}

void rg_judge_barrier(struct rg_run *run, const uint32_t *warp_masks, const bool *only_arrive, unsigned orders)
{
    for (int memory = 0; memory < RG_MEMORIES; memory++) {
        if (orders & (memory == RG_MEMORY_SHARED ? RG_ORDERS_SHARED : RG_ORDERS_GLOBAL)) {
            join_memory(run, memory, warp_masks, only_arrive);
        }
    }
    for (uint32_t w = 0; w < run->warp_count; w++) {
        if (warp_masks[w]) {
            rg_order_tick(run->warps[w].order);
        }
    }
    rg_sync_join(run, warp_masks, only_arrive);
}
