/* SPDX-License-Identifier: MIT */
/**
 * \file Intel's occupancy rules, resolved from facts. A "warp" is a hardware thread, which runs one subgroup; its registers
 * are its own and not per lane. Source: oneAPI-samples GPU-Occupancy-Calculator (docs/occupancy.md).
 */
#include "base/error.h"
#include "occupancy/occupancy_table.h"

static ridge_status check_options(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                                  struct ridge_error *error)
{
    if (options->carveout != RIDGE_CARVEOUT_DEFAULT || options->opt_in || options->virtual_resources ||
        options->compute_unit_mode || options->accumulation_registers || options->scalar_registers) {
        return rg_error_set(error, RIDGE_E_VALUE,
                            "carve-out, opt-in, virtual resources, compute unit mode, AGPRs and SGPRs are other "
                            "vendors' (%s is Intel: leave them out)",
                            match->asked);
    }
    if (options->wave_threads == 0) {
        return rg_error_set(
            error, RIDGE_E_VALUE,
            "the subgroup size of the kernel is not given, and no source states a default for %s (16 or "
            "32: --wave)",
            match->asked);
    }
    return RIDGE_OK;
}

/** Read the sizes that a block's shared memory is rounded up to. */
static ridge_status read_steps(const struct ridge_device_match *match, struct rg_occupancy_rules *rules,
                               struct ridge_error *error)
{
    const struct ridge_fact_value *value = NULL;
    const ridge_status status = ridge_match_fact(match, RIDGE_FACT_SMEM_STEPS, &value, error);
    if (status != RIDGE_OK) {
        return status;
    }
    for (size_t i = 0; i < value->list_count && i < RG_MAX_STEPS; i++) {
        rules->block_steps[rules->block_step_count++] = (uint32_t)value->list[i] * 1024;
    }
    return RIDGE_OK;
}

static ridge_status read_limits(const struct ridge_device_match *match, struct rg_occupancy_rules *rules,
                                uint32_t *barriers, struct ridge_error *error)
{
    const struct rg_wanted_fact wanted[] = {
        {RIDGE_FACT_MAX_THREADS_PER_BLOCK, &rules->max_threads},
        {RIDGE_FACT_HARDWARE_THREADS, &rules->max_warps},
        {RIDGE_FACT_MAX_BLOCKS_PER_SM, &rules->max_blocks},
        {RIDGE_FACT_REGISTERS_PER_HARDWARE_THREAD, &rules->register_unit},
        {RIDGE_FACT_MAX_REGISTERS_PER_THREAD, &rules->max_registers},
        {RIDGE_FACT_SMEM_PER_SM, &rules->smem_total},
        {RIDGE_FACT_SMEM_PER_BLOCK, &rules->smem_block_limit},
        {RIDGE_FACT_BARRIERS_PER_SM, barriers},
    };
    const ridge_status status = rg_occupancy_facts(match, wanted, sizeof wanted / sizeof wanted[0], error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (rules->register_unit == 0) {
        return rg_error_set(error, RIDGE_E_VALUE, "registers_per_hardware_thread of %s is 0 (at least 1)",
                            match->asked);
    }
    return RIDGE_OK;
}

ridge_status rg_occupancy_intel(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                                struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    uint32_t barriers = 0;
    ridge_status status = check_options(match, options, error);
    status = status == RIDGE_OK ? rg_occupancy_wave(match, options->wave_threads, &rules->warp_threads, error) : status;
    status = status == RIDGE_OK ? read_limits(match, rules, &barriers, error) : status;
    status = status == RIDGE_OK ? read_steps(match, rules, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    rules->max_blocks_single_warp = rules->max_blocks;
    rules->partitions = 1;
    rules->check_partitions = 1;
    rules->register_lanes = 1;
    rules->file_registers = rules->register_unit * rules->max_warps; /* twice the registers: half the threads */
    rules->block_registers = RIDGE_NO_LIMIT;
    rules->scalar_warps = RIDGE_NO_LIMIT;
    rules->smem_preferred = rules->smem_total;
    rules->smem_unit = 1024;
    rules->smem_default_limit = rules->smem_block_limit;
    rules->smem_opt_in_limit = rules->smem_block_limit;
    rules->smem_static_max = RIDGE_NO_LIMIT;
    rules->smem_dynamic_max = RIDGE_NO_LIMIT;
    rules->barriers = options->barriers;
    rules->barrier_blocks = options->barriers ? barriers / options->barriers : RIDGE_NO_LIMIT;
    rules->virtual_blocks = RIDGE_NO_LIMIT;
    return RIDGE_OK;
}
