/* SPDX-License-Identifier: MIT */
/** \file From a device's name and options to a table: chooses the vendor's rules and checks what they came to. */
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "occupancy/occupancy_table.h"

/** Refuse rules that the tables have no room for: only a user's own file can lead here. */
static ridge_status check_rules(const struct ridge_device_match *match, const struct rg_occupancy_rules *rules,
                                struct ridge_error *error)
{
    const uint32_t step = 1U << __builtin_ctz(rules->smem_unit);
    const uint64_t units = ((uint64_t)rules->smem_block_limit + rules->smem_reserved) / step + 1;
    if (units > RG_MAX_SMEM_UNITS || rules->max_registers > RG_MAX_REGISTERS || rules->max_warps >= RG_NONE ||
        rules->max_warps == 0 || rules->max_blocks >= RG_NONE || rules->max_threads == 0) {
        return rg_error_set(error, RIDGE_E_VALUE,
                            "the limits of %s are beyond what Ridge can hold (at most %d units of shared memory a "
                            "block, %d registers a thread)",
                            match->asked, RG_MAX_SMEM_UNITS, RG_MAX_REGISTERS);
    }
    return RIDGE_OK;
}

static ridge_status resolve(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                            struct rg_occupancy_rules *rules, struct ridge_error *error)
{
    const char *family = NULL;
    const ridge_status status = ridge_match_family(match, &family, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rules->kernel_max_threads = options->kernel_max_threads ? options->kernel_max_threads : RIDGE_NO_LIMIT;
    if (strcmp(family, "nvidia") == 0) {
        return rg_occupancy_nvidia(match, options, rules, error);
    }
    if (strcmp(family, "gcn") == 0 || strcmp(family, "rdna") == 0) {
        return rg_occupancy_amd(match, options, strcmp(family, "rdna") == 0, rules, error);
    }
    if (strcmp(family, "intel") == 0) {
        return rg_occupancy_intel(match, options, rules, error);
    }
    return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there are no occupancy rules for family '%s' of %s", family,
                        match->asked);
}

ridge_status ridge_occupancy_table_create(const struct ridge_context *context, const struct ridge_device_match *match,
                                          const struct ridge_occupancy_options *options,
                                          struct ridge_occupancy_table **out, struct ridge_error *error)
{
    static const struct ridge_occupancy_options defaults;
    struct rg_occupancy_rules rules = {0};
    if (!context || !match || match->count == 0 || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "no context, device or room for the table");
    }
    ridge_status status = resolve(match, options ? options : &defaults, &rules, error);
    status = status == RIDGE_OK ? check_rules(match, &rules, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    struct ridge_occupancy_table *table = rg_alloc(context, sizeof *table);
    if (!table) {
        return rg_error_memory(error, sizeof *table);
    }
    rg_occupancy_table_fill(table, &rules);
    table->context = context;
    *out = table;
    return RIDGE_OK;
}

void ridge_occupancy_table_destroy(struct ridge_occupancy_table *table)
{
    if (table) {
        rg_free(table->context, table, sizeof *table);
    }
}

bool ridge_occupancy_counts_pairs(const struct ridge_occupancy_table *table)
{
    return table->rules.counts_pairs;
}

uint32_t ridge_occupancy_simds(const struct ridge_occupancy_table *table)
{
    return table->rules.is_amd ? table->rules.partitions : 0;
}
