/* SPDX-License-Identifier: MIT */
/** \file Grids: waves and tail, block counts without overflow, persistent grids, clusters. */
#include <inttypes.h>

#include "base/checked.h"
#include "base/error.h"
#include "occupancy/occupancy_table.h"
#include "ridge/units.h"

/** Blocks resident on the whole device. \retval RIDGE_E_EMPTY none. */
static ridge_status blocks_per_wave(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                    uint32_t multiprocessors, uint64_t *out, struct ridge_error *error)
{
    struct ridge_occupancy answer;
    const uint32_t units = table->rules.counts_pairs ? multiprocessors / 2 : multiprocessors;
    ridge_occupancy_one(table, launch, &answer);
    if (answer.blocks == 0) {
        return rg_error_set(error, RIDGE_E_EMPTY, "the kernel cannot be resident, so no grid of it can be planned: %s",
                            answer.verdict);
    }
    if (units == 0) {
        return rg_error_set(error, RIDGE_E_VALUE, "a device with no multiprocessors (at least %d)",
                            table->rules.counts_pairs ? 2 : 1);
    }
    *out = (uint64_t)answer.blocks * units;
    return RIDGE_OK;
}

static ridge_status check_grid(const struct rg_occupancy_rules *rules, const uint64_t grid[3], uint64_t *blocks,
                               struct ridge_error *error)
{
    *blocks = 1;
    for (int i = 0; i < 3; i++) {
        if (grid[i] == 0) {
            return rg_error_set(error, RIDGE_E_VALUE, "a grid of 0 blocks along %c: nothing to launch (at least 1)",
                                'x' + i);
        }
        if (rules->max_grid[i] > 0 && (double)grid[i] > rules->max_grid[i]) {
            char most[RIDGE_NUMBER_BYTES];
            ridge_number_format(rules->max_grid[i], most);
            return rg_error_set(error, RIDGE_E_VALUE, "a grid of %" PRIu64 " blocks along %c cannot be (at most %s)",
                                grid[i], 'x' + i, most);
        }
        if (!rg_multiply_u64(*blocks, grid[i], blocks)) {
            return rg_error_set(error, RIDGE_E_VALUE, "the grid has 2^64 blocks or more (make it smaller)");
        }
    }
    return RIDGE_OK;
}

ridge_status ridge_occupancy_grid(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                  const uint64_t grid[3], uint32_t multiprocessors, struct ridge_grid_answer *out,
                                  struct ridge_error *error)
{
    struct ridge_grid_answer made = {.blocks_per_wave = 1};
    ridge_status status = check_grid(&table->rules, grid, &made.blocks, error);
    status =
        status == RIDGE_OK ? blocks_per_wave(table, launch, multiprocessors, &made.blocks_per_wave, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    made.full_waves = made.blocks / made.blocks_per_wave;
    made.tail_blocks = made.blocks % made.blocks_per_wave;
    made.waves = (double)made.blocks / (double)made.blocks_per_wave;
    made.tail_ratio = made.tail_blocks ? (double)made.tail_blocks / (double)made.blocks_per_wave : 1;
    made.efficiency = made.waves / (double)(made.full_waves + (made.tail_blocks != 0));
    *out = made;
    return RIDGE_OK;
}

ridge_status ridge_grid_for_elements(uint64_t elements, uint32_t threads, uint64_t *blocks, struct ridge_error *error)
{
    if (elements == 0) {
        return rg_error_set(error, RIDGE_E_VALUE, "0 elements: nothing to launch (at least 1)");
    }
    if (threads == 0) {
        return rg_error_set(error, RIDGE_E_VALUE, "a block of 0 threads (at least 1)");
    }
    *blocks = elements / threads + (elements % threads != 0); /* not (n + threads - 1) / threads: that overflows */
    return RIDGE_OK;
}

ridge_status ridge_grid_persistent(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                   uint32_t multiprocessors, uint64_t *blocks, struct ridge_error *error)
{
    return blocks_per_wave(table, launch, multiprocessors, blocks, error);
}

ridge_status ridge_cluster_check(const struct ridge_device_match *match, uint32_t blocks, bool *needs_opt_in,
                                 struct ridge_error *error)
{
    uint32_t portable = 0;
    uint32_t most = 0;
    if (blocks == 0) {
        return rg_error_set(error, RIDGE_E_VALUE, "a cluster of 0 blocks (at least 1)");
    }
    ridge_status status = ridge_match_count(match, RIDGE_FACT_CLUSTER_PORTABLE, &portable, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (portable == 0 && blocks > 1) {
        return rg_error_set(error, RIDGE_E_VALUE, "%s has no block clusters (9.0 and later have)", match->asked);
    }
    *needs_opt_in = blocks > portable && blocks > 1;
    if (!*needs_opt_in) {
        return RIDGE_OK;
    }
    status = ridge_match_count(match, RIDGE_FACT_CLUSTER_OPT_IN, &most, error);
    if (status == RIDGE_OK && blocks > most) {
        return rg_error_set(error, RIDGE_E_VALUE, "a cluster of %u blocks is too large for %s (%u, with opt-in %u)",
                            blocks, match->asked, portable, most);
    }
    return status;
}
