/* SPDX-License-Identifier: MIT */
/** \file NVIDIA's occupancy rules, resolved from facts. Source: cuda_occupancy.h of CUDA 13.0 (docs/occupancy.md). */
#include <stdio.h>

#include "base/error.h"
#include "occupancy/occupancy_table.h"
#include "ridge/units.h"

/** Facts that become rules only after some arithmetic. */
struct raw {
    uint32_t max_threads_per_sm, registers_per_sm, registers_per_block, register_unit;
};

static ridge_status read_limits(const struct ridge_device_match *match, struct rg_occupancy_rules *rules,
                                struct raw *raw, struct ridge_error *error)
{
    const struct rg_wanted_fact wanted[] = {
        {RIDGE_FACT_WARP_THREADS, &rules->warp_threads},
        {RIDGE_FACT_MAX_THREADS_PER_BLOCK, &rules->max_threads},
        {RIDGE_FACT_MAX_THREADS_PER_SM, &raw->max_threads_per_sm},
        {RIDGE_FACT_MAX_BLOCKS_PER_SM, &rules->max_blocks},
        {RIDGE_FACT_REGISTERS_PER_SM, &raw->registers_per_sm},
        {RIDGE_FACT_REGISTERS_PER_BLOCK, &raw->registers_per_block},
        {RIDGE_FACT_MAX_REGISTERS_PER_THREAD, &rules->max_registers},
        {RIDGE_FACT_REGISTER_UNIT, &raw->register_unit},
        {RIDGE_FACT_SUB_PARTITIONS, &rules->partitions},
        {RIDGE_FACT_LAUNCH_CHECK_PARTITIONS, &rules->check_partitions},
        {RIDGE_FACT_SMEM_PER_SM, &rules->smem_total},
        {RIDGE_FACT_SMEM_PER_BLOCK, &rules->smem_default_limit},
        {RIDGE_FACT_SMEM_STATIC, &rules->smem_static_max},
        {RIDGE_FACT_SMEM_OPT_IN, &rules->smem_opt_in_limit},
        {RIDGE_FACT_SMEM_RESERVED, &rules->smem_reserved},
        {RIDGE_FACT_SMEM_UNIT, &rules->smem_unit},
    };
    return rg_occupancy_facts(match, wanted, sizeof wanted / sizeof wanted[0], error);
}

/** \return the smallest carve-out of at least so many bytes; the largest when none is. */
static uint32_t step_for(const struct rg_occupancy_rules *rules, uint64_t bytes)
{
    for (uint32_t i = 0; i < rules->step_count; i++) {
        if (rules->steps[i] >= bytes) {
            return rules->steps[i];
        }
    }
    return rules->steps[rules->step_count - 1];
}

/** Write the carve-outs as "8, 16, 32". */
static void list_steps(const struct ridge_fact_value *value, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < value->list_count && used < bytes; i++) {
        char number[RIDGE_NUMBER_BYTES];
        ridge_number_format(value->list[i], number);
        used += (size_t)snprintf(out + used, bytes - used, "%s%s", i ? ", " : "", number);
    }
}

static ridge_status carve_out_kib(const struct ridge_device_match *match, const struct ridge_fact_value *value,
                                  uint32_t kib, struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    for (uint32_t i = 0; i < rules->step_count; i++) {
        if (rules->steps[i] / 1024 == kib) {
            rules->smem_preferred = rules->steps[i];
            return RIDGE_OK;
        }
    }
    char offered[128];
    list_steps(value, offered, sizeof offered);
    return rg_error_set(error, RIDGE_E_VALUE, "%s has no carve-out of %u KiB (it offers %s KiB)", match->asked, kib,
                        offered);
}

/** Read the carve-outs, and apply the one asked for. */
static ridge_status carve_out(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                              struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    rules->smem_preferred = rules->smem_total;
    const struct ridge_fact_value *value = NULL;
    struct ridge_error why = {0};
    if (ridge_match_fact(match, RIDGE_FACT_CARVEOUTS, &value, &why) != RIDGE_OK) {
        if (options->carveout == RIDGE_CARVEOUT_DEFAULT) {
            return RIDGE_OK;
        }
        return rg_error_set(error, RIDGE_E_VALUE, "%s has no carve-out to choose (leave it out; %s)", match->asked,
                            why.message);
    }
    for (size_t i = 0; i < value->list_count && i < RG_MAX_STEPS; i++) {
        rules->steps[rules->step_count++] = (uint32_t)value->list[i] * 1024;
    }
    if (rules->step_count == 0 || options->carveout == RIDGE_CARVEOUT_DEFAULT) {
        return RIDGE_OK;
    }
    if (options->carveout == RIDGE_CARVEOUT_KIB) {
        return carve_out_kib(match, value, options->carveout_value, rules, error);
    }
    if (options->carveout_value > 100) {
        return rg_error_set(error, RIDGE_E_VALUE, "a carve-out of %u %% is too much (0 to 100)",
                            options->carveout_value);
    }
    rules->smem_preferred = step_for(rules, (uint64_t)options->carveout_value * rules->smem_total / 100);
    return RIDGE_OK;
}

/** Blocks that a fixed number of things per multiprocessor allows, when a block takes `each` of them. */
static ridge_status fixed_limit(const struct ridge_device_match *match, ridge_fact fact, uint32_t each,
                                uint32_t *blocks, struct ridge_error *error)
{
    *blocks = RIDGE_NO_LIMIT;
    const struct ridge_fact_value *value = NULL;
    if (each == 0) {
        return RIDGE_OK;
    }
    const ridge_status status = ridge_match_fact(match, fact, &value, error);
    if (status == RIDGE_OK && value->number > 0) {
        *blocks = (uint32_t)value->number / each;
    }
    return status;
}

static void read_grid(const struct ridge_device_match *match, struct rg_occupancy_rules *rules)
{
    static const ridge_fact facts[] = {RIDGE_FACT_MAX_GRID_X, RIDGE_FACT_MAX_GRID_Y, RIDGE_FACT_MAX_GRID_Z};
    for (size_t i = 0; i < 3; i++) {
        const struct ridge_fact_value *value = NULL;
        rules->max_grid[i] = ridge_match_fact(match, facts[i], &value, NULL) == RIDGE_OK ? value->number : 0;
    }
}

/** Refuse options that are another vendor's. */
static ridge_status check_options(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                                  struct ridge_error *error)
{
    if (options->wave_threads || options->compute_unit_mode || options->accumulation_registers ||
        options->scalar_registers) {
        return rg_error_set(error, RIDGE_E_VALUE,
                            "wave size, compute unit mode, AGPRs and SGPRs are AMD's (%s is NVIDIA: leave them out)",
                            match->asked);
    }
    return RIDGE_OK;
}

/** Turn the raw facts into rules per lane, checking what would divide by 0. */
static ridge_status scale(const struct ridge_device_match *match, const struct raw *raw,
                          struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    const uint32_t lanes = rules->warp_threads;
    if (lanes == 0 || (lanes & (lanes - 1)) != 0 || rules->partitions == 0 || rules->check_partitions == 0 ||
        rules->smem_unit == 0 || raw->register_unit < lanes || raw->register_unit % lanes != 0) {
        return rg_error_set(error, RIDGE_E_VALUE,
                            "the facts of %s contradict each other (warp_threads a power of two; sub_partitions, "
                            "smem_unit_bytes and register_unit_per_warp at least one of each)",
                            match->asked);
    }
    rules->max_warps = raw->max_threads_per_sm / lanes;
    rules->max_blocks_single_warp = rules->max_blocks;
    rules->register_lanes = lanes;
    rules->register_unit = raw->register_unit / lanes;
    rules->file_registers = raw->registers_per_sm / rules->partitions / lanes;
    rules->block_registers = raw->registers_per_block / lanes;
    return RIDGE_OK;
}

ridge_status rg_occupancy_nvidia(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                                 struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    struct raw raw = {0};
    ridge_status status = check_options(match, options, error);
    status = status == RIDGE_OK ? read_limits(match, rules, &raw, error) : status;
    status = status == RIDGE_OK ? scale(match, &raw, rules, error) : status;
    status = status == RIDGE_OK ? carve_out(match, options, rules, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    rules->smem_block_limit = options->opt_in ? rules->smem_opt_in_limit : rules->smem_default_limit;
    rules->smem_dynamic_max =
        options->opt_in && options->smem_dynamic_max_bytes ? options->smem_dynamic_max_bytes : RIDGE_NO_LIMIT;
    rules->barriers = options->barriers;
    rules->virtual_resources = options->virtual_resources;
    rules->scalar_warps = RIDGE_NO_LIMIT;
    read_grid(match, rules);
    status = fixed_limit(match, RIDGE_FACT_BARRIERS_PER_SM, options->barriers, &rules->barrier_blocks, error);
    return status == RIDGE_OK ? fixed_limit(match, RIDGE_FACT_VIRTUAL_PER_SM, options->virtual_resources,
                                            &rules->virtual_blocks, error)
                              : status;
}
