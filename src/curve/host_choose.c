/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Which instruction set's loops an access runs fastest with, tried when the probe is opened, and not again when it is
 * opened anew for the same curve: what was tried must be what is measured. Wider is not always faster: with vectors of
 * 32 bytes triad read and wrote memory 1.2 times as fast as with 64 on an AMD EPYC (bench/README.md).
 */
#include <math.h>

#include "curve/host_probe.h"
#include "stats/sort.h"

enum {
    ROUNDS = 5
};

#define INNER_BYTES  (UINT64_C(16) << 10) /* a worker: in the innermost cache */
#define INNER_PASSES 4096
#define OUTER_BYTES  (UINT64_C(64) << 20) /* altogether: in memory, or in what the pool has */

/** \return the seconds of a warm job with a set's loops; infinite: it failed. */
static double time_job(struct rg_probe_state *state, const struct rg_host_loops *loops, ridge_access access,
                       uint64_t bytes, uint64_t passes)
{
    const struct rg_probe_job job = {.access = access, .bytes = bytes, .passes = passes, .warm = true};
    struct rg_probe_sample sample = {0};
    state->loops[access] = loops;
    return rg_host_run(state, &job, &sample, NULL) == RIDGE_OK ? sample.seconds : (double)INFINITY;
}

/** \return how many times as fast the second set is as the first: medians of samples in turn. */
static double speed_up(struct rg_probe_state *state, const struct rg_host_loops *const sets[2], ridge_access access,
                       uint64_t bytes, uint64_t passes)
{
    double seconds[2][ROUNDS];
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < 2; i++) {
            seconds[i][round] = time_job(state, sets[i], access, bytes, passes);
        }
    }
    return rg_median(seconds[0], ROUNDS) / rg_median(seconds[1], ROUNDS);
}

/** \return whether the second set is the faster one, in the innermost cache and in memory taken together. */
static bool is_faster(struct rg_probe_state *state, const struct rg_host_loops *const sets[2], ridge_access access)
{
    const uint64_t outer_bytes = OUTER_BYTES < state->pool_bytes / 2 ? OUTER_BYTES : state->pool_bytes / 2;
    const double inner = speed_up(state, sets, access, INNER_BYTES * state->team.active, INNER_PASSES);
    const double outer = speed_up(state, sets, access, outer_bytes, 1);
    return inner * outer > 1;
}

/** \return the number of the fastest set for an access, by its place in rg_host_loop_sets. */
static size_t fastest(struct rg_probe_state *state, ridge_access access)
{
    size_t best = 0;
    while (rg_host_loop_sets[best] != rg_host_loops_best()) {
        best++;
    }
    /* The last set is for processors that have no other. */
    for (size_t i = 0; rg_host_loop_sets[i] && rg_host_loop_sets[i + 1]; i++) {
        const struct rg_host_loops *const sets[2] = {rg_host_loop_sets[best], rg_host_loop_sets[i]};
        const bool both = sets[0]->loops[access] && sets[1]->loops[access];
        if (i != best && sets[1]->usable() && both && is_faster(state, sets, access)) {
            best = i;
        }
    }
    return best;
}

void rg_host_choose(struct rg_probe_state *state, unsigned accesses, const unsigned char *before)
{
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        unsigned char chosen = before ? before[access] : 0;
        if (chosen == 0 && accesses & 1U << access) {
            chosen = (unsigned char)(fastest(state, (ridge_access)access) + 1);
        }
        state->loops[access] = chosen > 0 ? rg_host_loop_sets[chosen - 1] : rg_host_loops_best();
        state->chosen[access] = chosen;
    }
}
