/* SPDX-License-Identifier: MIT */
/** \file What the files of the host's probe share. Thread rule: that of the probe state. */
#ifndef RG_CURVE_HOST_PROBE_H
#define RG_CURVE_HOST_PROBE_H

#include "curve/host_limits.h"
#include "curve/host_team.h"
#include "curve/probe.h"

struct rg_probe_state {
    const struct ridge_context *context;
    struct rg_team team;
    struct rg_host_topology topology;
    const struct rg_host_loops *loops[RG_ACCESS_COUNT]; /**< the set that an access runs with */
    unsigned char chosen[RG_ACCESS_COUNT];              /**< its number in rg_host_loop_sets, from 1 */
    unsigned char *mapping;
    uint64_t mapping_bytes;
    unsigned char *pool;  /**< aligned to a huge page inside the mapping; each worker has an equal part */
    uint64_t whole_bytes; /**< of it, before it is cut into parts */
    uint64_t pool_bytes;  /**< of all parts together */
    uint64_t value;       /**< that the next writing pass will write */
    uint64_t steal_ticks; /**< of the workers' processors, up to the last job */
};

/** Give each worker its share of a job. \return bytes that a pass moves; 0: the pool is too small for it */
uint64_t rg_host_prepare(struct rg_probe_state *state, const struct rg_probe_job *job);

/** Choose the set of loops of each access asked for (bits): the fastest here. `before`: what was chosen before, from 1,
 * by access; 0 and NULL: nothing. */
void rg_host_choose(struct rg_probe_state *state, unsigned accesses, const unsigned char *before);

/** rg_probe.run, verify and clock_hz. */
ridge_status rg_host_run(struct rg_probe_state *state, const struct rg_probe_job *job, struct rg_probe_sample *out,
                         struct ridge_error *error);
ridge_status rg_host_verify(struct rg_probe_state *state, ridge_access access, uint64_t bytes,
                            struct ridge_error *error);
double rg_host_clock_hz(struct rg_probe_state *state);

#endif
