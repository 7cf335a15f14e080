/* SPDX-License-Identifier: MIT */
/** \file AMD's occupancy rules (GCN, CDNA, RDNA), resolved from facts. Source: LLVM's AMDGPU back end (docs/occupancy.md). */
#include <stdio.h>

#include "base/error.h"
#include "occupancy/occupancy_table.h"

enum {
    MAX_ACCUMULATION_REGISTERS = 256
};

/** Facts that become rules only after some arithmetic. */
struct raw {
    uint32_t simds, max_waves, groups, lds_per_unit, pool, sgprs, sgpr_unit, max_sgprs;
};

static ridge_status check_options(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                                  bool is_rdna, struct ridge_error *error)
{
    if (options->carveout != RIDGE_CARVEOUT_DEFAULT || options->opt_in || options->virtual_resources ||
        options->barriers) {
        return rg_error_set(
            error, RIDGE_E_VALUE,
            "carve-out, opt-in, barriers and virtual resources are NVIDIA's (%s is AMD: leave them out)", match->asked);
    }
    if (options->compute_unit_mode && !is_rdna) {
        return rg_error_set(error, RIDGE_E_VALUE, "%s has no compute unit mode to choose (RDNA has)", match->asked);
    }
    if (options->accumulation_registers > MAX_ACCUMULATION_REGISTERS) {
        return rg_error_set(error, RIDGE_E_VALUE, "%u AGPRs are too many (0 to %d)", options->accumulation_registers,
                            MAX_ACCUMULATION_REGISTERS);
    }
    return RIDGE_OK;
}

/** Write the sizes a device has as "32, 64". */
static void list_sizes(const struct ridge_fact_value *value, char *out, size_t bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < (value->list ? value->list_count : 1) && used < bytes; i++) {
        used += (size_t)snprintf(out + used, bytes - used, "%s%u", i ? ", " : "",
                                 (unsigned)(value->list ? value->list[i] : value->number));
    }
}

ridge_status rg_occupancy_wave(const struct ridge_device_match *match, uint32_t asked, uint32_t *wave,
                               struct ridge_error *error)
{
    const struct ridge_fact_value *value = NULL;
    const ridge_status status = ridge_match_fact(match, RIDGE_FACT_WAVE_THREADS, &value, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const double first = value->list ? value->list[0] : value->number;
    *wave = asked ? asked : (uint32_t)first;
    bool is_known = !value->list && value->number == (double)*wave;
    for (size_t i = 0; value->list && i < value->list_count; i++) {
        is_known = is_known || value->list[i] == (double)*wave;
    }
    if (!is_known || *wave == 0 || (*wave & (*wave - 1)) != 0) {
        char sizes[64] = "";
        list_sizes(value, sizes, sizeof sizes);
        return rg_error_set(error, RIDGE_E_VALUE, "%s has no waves of %u threads (it has %s)", match->asked, *wave,
                            sizes);
    }
    return RIDGE_OK;
}

static ridge_status read_limits(const struct ridge_device_match *match, bool pairs, struct rg_occupancy_rules *rules,
                                struct raw *raw, struct ridge_error *error)
{
    const bool wave32 = rules->warp_threads == 32;
    const struct rg_wanted_fact wanted[] = {
        {RIDGE_FACT_MAX_THREADS_PER_BLOCK, &rules->max_threads},
        {RIDGE_FACT_SIMDS_PER_CU, &raw->simds},
        {RIDGE_FACT_MAX_WAVES, &raw->max_waves},
        {RIDGE_FACT_GROUPS_PER_CU, &raw->groups},
        {wave32 ? RIDGE_FACT_VGPRS_WAVE32 : RIDGE_FACT_VGPRS_WAVE64, &rules->file_registers},
        {wave32 ? RIDGE_FACT_VGPR_UNIT_WAVE32 : RIDGE_FACT_VGPR_UNIT_WAVE64, &rules->register_unit},
        {RIDGE_FACT_MAX_VGPRS, &rules->max_registers},
        {RIDGE_FACT_ACCUMULATION, &raw->pool},
        {RIDGE_FACT_SGPRS_PER_SIMD, &raw->sgprs},
        {RIDGE_FACT_SGPR_UNIT, &raw->sgpr_unit},
        {RIDGE_FACT_MAX_SGPRS, &raw->max_sgprs},
        {pairs ? RIDGE_FACT_LDS_PER_WGP : RIDGE_FACT_LDS_PER_CU, &raw->lds_per_unit},
        {RIDGE_FACT_LDS_PER_GROUP, &rules->smem_block_limit},
        {RIDGE_FACT_LDS_UNIT, &rules->smem_unit},
    };
    const ridge_status status = rg_occupancy_facts(match, wanted, sizeof wanted / sizeof wanted[0], error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (raw->simds == 0 || rules->register_unit == 0 || rules->smem_unit == 0 || raw->sgpr_unit == 0) {
        return rg_error_set(error, RIDGE_E_VALUE,
                            "a fact of %s is 0 (simds_per_compute_unit, vgpr_unit, sgpr_unit and lds_unit_bytes are at "
                            "least 1)",
                            match->asked);
    }
    return RIDGE_OK;
}

/** Accumulation registers and scalar registers, as the options give them. */
static ridge_status count_registers(const struct ridge_device_match *match,
                                    const struct ridge_occupancy_options *options, const struct raw *raw,
                                    struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    rules->pool = raw->pool == 2 ? RG_POOL_UNIFIED : raw->pool == 1 ? RG_POOL_SEPARATE : RG_POOL_NONE;
    if (options->accumulation_registers && rules->pool == RG_POOL_NONE) {
        return rg_error_set(error, RIDGE_E_VALUE, "%s has no accumulation registers (leave AGPRs out)", match->asked);
    }
    rules->accumulation_registers = options->accumulation_registers;
    rules->scalar_registers = options->scalar_registers;
    rules->scalar_warps = RIDGE_NO_LIMIT;
    if (options->scalar_registers > raw->max_sgprs) {
        return rg_error_set(error, RIDGE_E_VALUE, "%u SGPRs are too many (a wave of %s has at most %u)",
                            options->scalar_registers, match->asked, raw->max_sgprs);
    }
    if (options->scalar_registers && raw->sgprs) {
        const uint32_t allocated = (options->scalar_registers + raw->sgpr_unit - 1) / raw->sgpr_unit * raw->sgpr_unit;
        rules->scalar_warps = raw->sgprs / allocated * rules->partitions;
    }
    return RIDGE_OK;
}

ridge_status rg_occupancy_amd(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                              bool is_rdna, struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    struct raw raw = {0};
    const bool pairs = is_rdna && !options->compute_unit_mode;
    ridge_status status = check_options(match, options, is_rdna, error);
    status = status == RIDGE_OK ? rg_occupancy_wave(match, options->wave_threads, &rules->warp_threads, error) : status;
    status = status == RIDGE_OK ? read_limits(match, pairs, rules, &raw, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    rules->is_amd = true;
    rules->register_lanes = rules->warp_threads;
    rules->counts_pairs = pairs;
    rules->partitions = raw.simds * (pairs ? 2 : 1);
    rules->check_partitions = rules->partitions;
    rules->block_registers = RIDGE_NO_LIMIT;
    rules->max_warps = raw.max_waves * rules->partitions;
    rules->max_blocks = raw.groups * (pairs ? 2 : 1);
    rules->max_blocks_single_warp = rules->max_warps; /* a group of one wave needs no barrier resource */
    rules->smem_total = raw.lds_per_unit;
    rules->smem_preferred = raw.lds_per_unit;
    rules->smem_default_limit = rules->smem_block_limit;
    rules->smem_opt_in_limit = rules->smem_block_limit;
    rules->smem_static_max = RIDGE_NO_LIMIT;
    rules->smem_dynamic_max = RIDGE_NO_LIMIT;
    rules->barrier_blocks = RIDGE_NO_LIMIT;
    rules->virtual_blocks = RIDGE_NO_LIMIT;
    return count_registers(match, options, &raw, rules, error);
}
