/* SPDX-License-Identifier: MIT */
/** \file Runs a block: its warps in turn, until all have ended or nothing can run. */
#include <string.h>

#include "base/clock.h"
#include "engine/run.h"

/** Lanes that wait for each other may go on without those that never come, but not before those that may still. */
static bool can_run(const struct rg_warp *warp)
{
    return rg_warp_has(warp, RG_SPLIT_READY) ||
           (rg_warp_has(warp, RG_SPLIT_WARP_SYNC) && !rg_warp_has(warp, RG_SPLIT_PHASE));
}

static void check_limits(struct rg_run *run)
{
    const bool late = run->deadline_s > 0 && rg_clock_s() > run->deadline_s;
    if (!late && run->instructions <= run->instruction_limit) {
        return;
    }
    run->stopped = true;
    const struct rg_op *op = NULL;
    for (uint32_t w = 0; w < run->warp_count && !op; w++) {
        op = run->warps[w].split_count ? &run->ptx->ops[run->warps[w].splits[0].pc] : NULL;
    }
    if (rg_finding_new(run, op, RG_RULE_NEVER_ENDS)) {
        rg_finding_reason(run, "block (%llu, %llu, %llu) had not ended after %llu thread instructions of the launch%s",
                          (unsigned long long)run->block_index[0], (unsigned long long)run->block_index[1],
                          (unsigned long long)run->block_index[2], (unsigned long long)run->instructions,
                          late ? " (the time allowed is over)" : "");
    }
}

void rg_block_run(struct rg_run *run)
{
    for (uint32_t w = 0; w < run->warp_count; w++) {
        rg_warp_start(&run->warps[w], run->entry->first_op);
    }
    memset(run->arrive_wanted, 0, sizeof run->arrive_wanted);
    run->exited = 0;
    run->waits = 0;
    run->refusals = 0;
    while (!run->stopped && !run->block_stopped) {
        bool any = false;
        bool left = false;
        for (uint32_t w = 0; w < run->warp_count && !run->stopped; w++) {
            struct rg_warp *warp = &run->warps[w];
            left |= warp->split_count > 0;
            if (run->waits) {
                rg_warp_wake(warp);
            }
            if (can_run(warp)) {
                any = true;
                rg_warp_turn(warp);
                check_limits(run);
            }
        }
        if (!left) {
            return;
        }
        if (!rg_barrier_release(run) && !any && !rg_phase_refuse(run)) {
            rg_barrier_deadlock(run);
        }
    }
}
