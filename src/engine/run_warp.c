/* SPDX-License-Identifier: MIT */
/**
 * \file Runs a warp. A warp is a set of splits: lanes at one instruction. The split that is deepest in
 * calls and lowest in the text runs, until it meets another or blocks; so lanes come together where the text does. A
 * split that others starve has its turn after RG_PATIENCE: every thread goes forward.
 */
#include <string.h>

#include "engine/run.h"

void rg_split_add(struct rg_warp *warp, const struct rg_split *split)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct rg_split *other = &warp->splits[i];
        if (i != warp->current && split->state == RG_SPLIT_READY && other->state == RG_SPLIT_READY &&
            other->pc == split->pc && other->depth == split->depth) {
            other->mask |= split->mask;
            return;
        }
    }
    warp->splits[warp->split_count++] = *split; /* at most one a lane: masks are disjoint */
}

static void remove_current(struct rg_warp *warp)
{
    warp->splits[warp->current] = warp->splits[--warp->split_count];
    warp->current = UINT32_MAX;
}

void rg_warp_start(struct rg_warp *warp, uint32_t pc)
{
    warp->alive = warp->born;
    warp->split_count = 0;
    warp->current = UINT32_MAX;
    warp->turns = 0;
    warp->carry = 0;
    warp->pending_count = 0;
    memset(warp->arrived, 0, sizeof warp->arrived);
    memset(warp->group, 0, sizeof warp->group);
    const struct rg_split split = {.pc = pc, .mask = warp->born};
    rg_split_add(warp, &split);
}

/** \return the split to run next, or UINT32_MAX. *patient: it is run for its own sake, past places where it could meet. */
static uint32_t pick(struct rg_warp *warp, bool *patient)
{
    uint32_t lowest = UINT32_MAX;
    uint32_t oldest = UINT32_MAX;
    uint32_t ready = 0;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct rg_split *split = &warp->splits[i];
        if (split->state != RG_SPLIT_READY) {
            continue;
        }
        ready++;
        const struct rg_split *best = lowest == UINT32_MAX ? NULL : &warp->splits[lowest];
        if (!best || split->depth > best->depth || (split->depth == best->depth && split->pc < best->pc)) {
            lowest = i;
        }
        if (oldest == UINT32_MAX || split->ran < warp->splits[oldest].ran) {
            oldest = i;
        }
    }
    *patient = ready > 1 && ++warp->turns > RG_PATIENCE;
    if (*patient) {
        warp->turns = 0;
        return oldest;
    }
    return lowest;
}

/** Take in other splits that stand at the same place; \return where the next one waits. */
static uint32_t meet(struct rg_warp *warp)
{
    struct rg_split *mine = &warp->splits[warp->current];
    uint32_t stop = UINT32_MAX;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct rg_split *other = &warp->splits[i];
        if (i == warp->current || other->state != RG_SPLIT_READY || other->depth != mine->depth) {
            continue;
        }
        if (other->pc == mine->pc) {
            mine->mask |= other->mask;
            warp->splits[i] = warp->splits[--warp->split_count];
            if (warp->current == warp->split_count) {
                warp->current = i;
                mine = &warp->splits[i];
            }
            i--;
        } else if (other->pc > mine->pc && other->pc < stop) {
            stop = other->pc;
        }
    }
    return stop;
}

static inline uint32_t active_lanes(const struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    if (op->guard == RG_NO_SLOT) {
        return mask;
    }
    const uint32_t holds = *rg_predicate(warp, op->guard);
    return mask & (op->guard_not ? ~holds : holds);
}

static void watch(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    if (warp->run->tally) {
        rg_tally_op(warp, op, mask);
    }
    if (warp->run->judge && mask) {
        rg_judge_op(warp, op, mask);
    }
}

static void watch_branch(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, uint32_t on)
{
    watch(warp, op, on);
    if (warp->run->tally) {
        rg_tally_branch(warp, op, mask, on);
    }
}

/** Send groups of lanes to the places that a column names: returns and branch tables. */
static void scatter(struct rg_warp *warp, const uint32_t *places, uint32_t mask, uint32_t depth)
{
    while (mask) {
        const uint32_t pc = places[__builtin_ctz(mask)];
        uint32_t group = 0;
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            group |= places[lane] == pc ? 1U << lane : 0;
        }
        const struct rg_split split = {.pc = pc, .mask = group, .depth = depth};
        rg_split_add(warp, &split);
        mask &= ~group;
    }
}

/** What is left of the current split goes on behind the operation, or the split ends. */
static void leave(struct rg_warp *warp, uint32_t gone)
{
    struct rg_split *split = &warp->splits[warp->current];
    split->mask &= ~gone;
    split->pc++;
    if (split->mask == 0) {
        remove_current(warp);
    }
}

static void do_branch(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    struct rg_split *split = &warp->splits[warp->current];
    if (warp->run->tally) {
        rg_tally_branch(warp, op, split->mask, on);
    }
    if (on == split->mask) {
        split->pc = (uint32_t)op->immediate;
        return;
    }
    const struct rg_split taken = {.pc = (uint32_t)op->immediate, .mask = on, .depth = split->depth, .ran = split->ran};
    leave(warp, on);
    if (on) {
        rg_split_add(warp, &taken);
    }
}

static void do_branch_index(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    const uint32_t *index = RG_COLUMN(uint32_t, warp, op->a);
    const uint32_t depth = warp->splits[warp->current].depth;
    uint32_t places[RG_LANES];
    char thread[96];
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        places[lane] = op->list[index[lane] < op->list_count ? index[lane] : 0];
        if (index[lane] >= op->list_count && rg_finding_new(warp->run, op, RG_RULE_OUT_OF_BOUNDS)) {
            rg_finding_reason(warp->run, "%s takes branch %u of %u", rg_thread_text(warp, lane, thread, sizeof thread),
                              index[lane], op->list_count);
        }
    }
    if (warp->run->tally) {
        rg_tally_branch(warp, op, warp->splits[warp->current].mask, on);
    }
    leave(warp, on);
    scatter(warp, places, on, depth);
}

/** Lanes enter a function, and come back behind `pc`. */
static void enter(struct rg_warp *warp, const struct rg_function *function, uint32_t pc, uint32_t mask, uint32_t depth)
{
    uint32_t *back = RG_COLUMN(uint32_t, warp, function->return_slot);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        back[__builtin_ctz(rest)] = pc + 1;
    }
    const struct rg_split inside = {.pc = function->first_op, .mask = mask, .depth = depth + 1};
    rg_split_add(warp, &inside);
}

/** A call through a register: lanes with the same address go together. */
static void do_call_found(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    const uint64_t *addresses = RG_COLUMN(uint64_t, warp, op->a);
    const struct rg_split at = warp->splits[warp->current];
    char thread[96];
    leave(warp, on);
    while (on) {
        const unsigned first = (unsigned)__builtin_ctz(on);
        uint32_t group = 0;
        for (uint32_t rest = on; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            group |= addresses[lane] == addresses[first] ? 1U << lane : 0;
        }
        on &= ~group;
        const struct rg_function *function = rg_function_at(warp->run->ptx, addresses[first]);
        if (function && rg_call_fits(op, function)) {
            enter(warp, function, at.pc, group, at.depth);
            continue;
        }
        if (rg_finding_new(warp->run, op, RG_RULE_OUT_OF_BOUNDS)) {
            rg_finding_reason(warp->run,
                              "%s calls address 0x%llx, where there is no function that takes what is passed",
                              rg_thread_text(warp, first, thread, sizeof thread), (unsigned long long)addresses[first]);
        }
        const struct rg_split behind = {.pc = at.pc + 1, .mask = group, .depth = at.depth};
        rg_split_add(warp, &behind);
    }
}

static void do_call(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    const struct rg_split at = warp->splits[warp->current];
    if (!op->function) {
        do_call_found(warp, op, on);
        return;
    }
    leave(warp, on);
    if (on) {
        enter(warp, op->function, at.pc, on, at.depth);
    }
}

static void do_return(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    const uint32_t depth = warp->splits[warp->current].depth;
    leave(warp, on);
    scatter(warp, RG_COLUMN(uint32_t, warp, op->function->return_slot), on, depth - 1);
}

static void do_exit(struct rg_warp *warp, uint32_t on)
{
    warp->alive &= ~on;
    warp->run->exited += rg_popcount(on);
    leave(warp, on);
}

static void do_trap(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    char thread[96];
    if (on == 0) {
        leave(warp, 0);
        return;
    }
    const bool asserts = op->function != NULL;
    if (rg_finding_new(warp->run, op, RG_RULE_TRAP)) {
        rg_finding_reason(warp->run, "%s %s", rg_thread_text(warp, (unsigned)__builtin_ctz(on), thread, sizeof thread),
                          asserts ? "fails an assertion" : "traps");
    }
    warp->run->stopped = true;
}

/** Lanes of a barrier wait as a split of their own; what the guard keeps away goes on. */
static void do_barrier(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    struct rg_split waiting = warp->splits[warp->current];
    const unsigned first = on ? (unsigned)__builtin_ctz(on) : 0;
    waiting.mask = on;
    waiting.state = RG_SPLIT_BARRIER;
    waiting.barrier = RG_COLUMN(uint32_t, warp, op->a)[first] % RG_BARRIERS;
    waiting.wanted = op->b == RG_NO_SLOT ? 0 : RG_COLUMN(uint32_t, warp, op->b)[first];
    leave(warp, on);
    if (on == 0) {
        return;
    }
    if (op->mode == RG_BARRIER_ARRIVE) {
        warp->arrived[waiting.barrier] |= on;
        waiting.state = RG_SPLIT_READY;
        waiting.pc++;
        rg_split_add(warp, &waiting);
        warp->run->arrive_wanted[waiting.barrier] = waiting.wanted;
        return;
    }
    rg_split_add(warp, &waiting);
}

static uint32_t member_mask(const struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    return RG_COLUMN(uint32_t, warp, op->extra)[__builtin_ctz(on)];
}

/** The lanes of `on` that give the same member mask as the first. */
static uint32_t same_members(const struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    const uint32_t *members = RG_COLUMN(uint32_t, warp, op->extra);
    const uint32_t wanted = member_mask(warp, op, on);
    uint32_t group = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        group |= members[lane] == wanted ? 1U << lane : 0;
    }
    return group;
}

/** Take lanes out of those that wait at the same instruction with the same member mask. */
static uint32_t take_waiting(struct rg_warp *warp, const struct rg_op *op, const struct rg_split *at)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct rg_split *other = &warp->splits[i];
        if (other->state == RG_SPLIT_WARP_SYNC && other->pc == at->pc && other->depth == at->depth &&
            member_mask(warp, op, other->mask) == member_mask(warp, op, at->mask)) {
            found |= other->mask;
            warp->splits[i] = warp->splits[--warp->split_count];
            if (warp->current == warp->split_count) {
                warp->current = i;
            }
            i--;
        }
    }
    return found;
}

/** Operations that lanes of a warp do together: wait until all that the mask names are here. Lanes with different masks
 * make groups of their own. */
static void do_warp_sync(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    struct rg_split split = warp->splits[warp->current];
    uint32_t complete = 0;
    leave(warp, on);
    if (on == 0) {
        watch(warp, op, 0);
        return;
    }
    for (uint32_t rest = on; rest;) {
        split.mask = same_members(warp, op, rest);
        rest &= ~split.mask;
        split.mask |= take_waiting(warp, op, &split);
        if (member_mask(warp, op, split.mask) & warp->alive & ~split.mask) {
            split.state = RG_SPLIT_WARP_SYNC;
            rg_split_add(warp, &split);
            continue;
        }
        op->run(warp, op, split.mask);
        complete |= split.mask;
    }
    if (complete) {
        watch(warp, op, complete);
        split.state = RG_SPLIT_READY;
        split.mask = complete;
        split.pc++;
        rg_split_add(warp, &split);
    }
}

static void report_absent(struct rg_warp *warp, const struct rg_op *op, uint32_t have)
{
    char thread[96];
    const uint32_t wanted = member_mask(warp, op, have) & warp->alive;
    if (rg_finding_new(warp->run, op, RG_RULE_SHUFFLE)) {
        rg_finding_reason(warp->run, "%s waits for lanes 0x%08x of its warp, which do not come",
                          rg_thread_text(warp, (unsigned)__builtin_ctz(have), thread, sizeof thread), wanted & ~have);
    }
}

/** No lane of the warp can go on: those that wait for each other at different __syncwarp do; others are reported. */
static bool resolve_warp_waits(struct rg_warp *warp)
{
    const struct rg_op *ops = warp->run->ptx->ops;
    uint32_t at_barriers = 0;
    bool any = false;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct rg_split *split = &warp->splits[i];
        at_barriers |=
            split->state == RG_SPLIT_WARP_SYNC && ops[split->pc].run == rg_run_warp_barrier ? split->mask : 0;
    }
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct rg_split *split = &warp->splits[i];
        if (split->state != RG_SPLIT_WARP_SYNC) {
            continue;
        }
        const struct rg_op *op = &ops[split->pc];
        const uint32_t wanted = member_mask(warp, op, split->mask) & warp->alive;
        const uint32_t have = op->run == rg_run_warp_barrier ? at_barriers : split->mask;
        if (wanted & ~have) { /* not only lanes that have ended since */
            report_absent(warp, op, split->mask);
        }
        op->run(warp, op, have);
        watch(warp, op, split->mask);
        split->pc++;
        split->state = RG_SPLIT_READY;
        any = true;
    }
    return any;
}

/** Lanes whose phase is complete go on; the others wait as a split of their own. */
static void do_phase(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    struct rg_split split = warp->splits[warp->current];
    const uint32_t done = rg_phase_test(warp, op, on);
    watch(warp, op, done);
    leave(warp, on);
    split.mask = on & ~done;
    split.state = RG_SPLIT_PHASE;
    if (split.mask) {
        warp->run->waits++;
        rg_split_add(warp, &split);
    }
    split.mask = done;
    split.state = RG_SPLIT_READY;
    split.pc++;
    if (done) {
        rg_split_add(warp, &split);
    }
}

/** Splits whose phase is complete by now can run again. */
void rg_warp_wake(struct rg_warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct rg_split *split = &warp->splits[i];
        if (split->state != RG_SPLIT_PHASE) {
            continue;
        }
        const struct rg_op *op = &warp->run->ptx->ops[split->pc];
        const uint32_t done = rg_phase_test(warp, op, split->mask);
        if (done == 0) {
            continue;
        }
        watch(warp, op, done);
        if (done == split->mask) {
            split->state = RG_SPLIT_READY;
            split->pc++;
            continue;
        }
        struct rg_split free_now = *split;
        split->mask &= ~done;
        free_now.mask = done;
        free_now.state = RG_SPLIT_READY;
        free_now.pc++;
        warp->splits[warp->split_count++] = free_now;
    }
}

static void do_flow(struct rg_warp *warp, const struct rg_op *op, uint32_t on)
{
    if (op->flow != RG_FLOW_WARP_SYNC && op->flow != RG_FLOW_PHASE) {
        watch(warp, op, on);
    }
    switch ((rg_flow)op->flow) {
    case RG_FLOW_BRANCH: do_branch(warp, op, on); break;
    case RG_FLOW_BRANCH_INDEX: do_branch_index(warp, op, on); break;
    case RG_FLOW_CALL: do_call(warp, op, on); break;
    case RG_FLOW_RETURN: do_return(warp, op, on); break;
    case RG_FLOW_EXIT: do_exit(warp, on); break;
    case RG_FLOW_BARRIER: do_barrier(warp, op, on); break;
    case RG_FLOW_WARP_SYNC: do_warp_sync(warp, op, on); break;
    case RG_FLOW_TRAP: do_trap(warp, op, on); break;
    case RG_FLOW_PHASE: do_phase(warp, op, on); break;
    case RG_FLOW_NONE: break;
    }
}

/** Run the current split for at most `budget` operations; \return those left. */
static inline uint32_t run_split(struct rg_warp *warp, uint32_t stop, uint32_t budget, bool watched)
{
    struct rg_run *run = warp->run;
    const struct rg_op *ops = run->ptx->ops;
    struct rg_split *split = &warp->splits[warp->current];
    uint32_t pc = split->pc;
    const uint32_t mask = split->mask;
    uint64_t instructions = 0;
    while (budget > 0 && pc < stop) {
        const struct rg_op *op = &ops[pc];
        const uint32_t on = active_lanes(warp, op, mask);
        budget--;
        warp->clock++;
        instructions += (uint64_t)rg_popcount(on);
        if (op->flow == RG_FLOW_NONE) {
            if (on) {
                op->run(warp, op, on);
            }
            if (watched) {
                watch(warp, op, on);
            }
            pc++;
            continue;
        }
        if (op->flow == RG_FLOW_BRANCH && (on == mask || on == 0)) {
            if (watched) {
                watch_branch(warp, op, mask, on);
            }
            pc = on ? (uint32_t)op->immediate : pc + 1;
            continue;
        }
        split->pc = pc;
        do_flow(warp, op, on);
        run->instructions += instructions;
        return budget;
    }
    split->pc = pc;
    run->instructions += instructions;
    return budget;
}

void rg_warp_turn(struct rg_warp *warp)
{
    const bool watched = warp->run->tally || warp->run->judge;
    uint32_t budget = RG_QUANTUM;
    while (budget > 0 && !warp->run->stopped) {
        bool patient;
        warp->current = pick(warp, &patient);
        if (warp->current == UINT32_MAX) {
            if (rg_warp_has(warp, RG_SPLIT_PHASE) || !resolve_warp_waits(warp)) {
                return;
            }
            continue;
        }
        uint32_t stop = meet(warp);
        stop = patient ? UINT32_MAX : stop;
        warp->splits[warp->current].ran = ++warp->run->stamp;
        budget = watched ? run_split(warp, stop, budget, true) : run_split(warp, stop, budget, false);
        warp->current = UINT32_MAX;
    }
}
