/* SPDX-License-Identifier: MIT */
/** \file The long answer: each resource's own limit, the verdict with its numbers, and what allocation wastes. */
#include <inttypes.h>
#include <stdio.h>

#include "occupancy/occupancy_table.h"

const char *ridge_resource_word(ridge_resource resource)
{
    static const char *const words[] = {
#define RIDGE_RESOURCE_WORD(name, word) word,
        RIDGE_RESOURCE_LIST(RIDGE_RESOURCE_WORD)
#undef RIDGE_RESOURCE_WORD
    };
    return (unsigned)resource < RIDGE_RESOURCE_COUNT ? words[resource] : "?";
}

const char *ridge_launch_word(ridge_launch_rule rule)
{
    static const char *const words[] = {
#define RIDGE_LAUNCH_WORD(name, word) word,
        RIDGE_LAUNCH_LIST(RIDGE_LAUNCH_WORD)
#undef RIDGE_LAUNCH_WORD
    };
    return (unsigned)rule < sizeof words / sizeof words[0] ? words[rule] : "?";
}

/** What a verdict's text needs. */
struct told {
    const struct rg_occupancy_rules *rules;
    const struct ridge_launch *launch;
    const struct ridge_occupancy *answer;
    char *out;
};

#define TELL(told, ...) (void)snprintf((told)->out, RIDGE_VERDICT_BYTES, __VA_ARGS__)

static void tell_registers(const struct told *told)
{
    const struct rg_occupancy_rules *rules = told->rules;
    const uint32_t allocated = rg_registers_allocated(rules, told->launch->registers);
    const uint64_t rows = (told->answer->warps_per_block + rules->check_partitions - 1) / rules->check_partitions;
    const uint64_t needed = rows * rules->check_partitions * allocated * rules->warp_threads;
    if (rules->is_amd) {
        TELL(told,
             "cannot launch: %u waves of %u registers do not fit: %u SIMDs hold %u registers a lane each, so %u waves",
             told->answer->warps_per_block, allocated, rules->partitions, rules->file_registers,
             allocated ? rules->file_registers / allocated * rules->partitions : 0);
        return;
    }
    if (needed > (uint64_t)rules->block_registers * rules->warp_threads) {
        char given[32] = "";
        if (allocated != told->launch->registers) {
            (void)snprintf(given, sizeof given, " given as %u", allocated);
        }
        TELL(told, "cannot launch: needs %" PRIu64 " of %" PRIu64 " registers (%u a thread%s, to %u warps%s)", needed,
             (uint64_t)rules->block_registers * rules->warp_threads, told->launch->registers, given,
             (uint32_t)rows * rules->check_partitions,
             rows * rules->check_partitions != told->answer->warps_per_block ? ": whole rows over the sub-partitions"
                                                                             : "");
        return;
    }
    TELL(told, "cannot launch: %u warps of %u registers a thread do not fit the register files of %u sub-partitions",
         told->answer->warps_per_block, allocated, rules->check_partitions);
}

static void tell_smem(const struct told *told, ridge_launch_rule rule)
{
    const struct rg_occupancy_rules *rules = told->rules;
    const uint64_t bytes = (uint64_t)told->launch->smem_static_bytes + told->launch->smem_dynamic_bytes;
    switch ((int)rule) {
    case RIDGE_LAUNCH_SMEM_STATIC:
        TELL(told, "cannot be compiled: %u bytes of static shared memory are above the limit of %u (make it dynamic)",
             told->launch->smem_static_bytes, rules->smem_static_max);
        return;
    case RIDGE_LAUNCH_SMEM_DYNAMIC:
        TELL(told, "cannot launch: %u bytes of dynamic shared memory are above the %u that the kernel asked for",
             told->launch->smem_dynamic_bytes, rules->smem_dynamic_max);
        return;
    case RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN:
        TELL(told,
             "cannot launch without opt-in: %" PRIu64 " bytes of shared memory are above the default limit of %u (with "
             "opt-in %u: cudaFuncAttributeMaxDynamicSharedMemorySize)",
             bytes, rules->smem_default_limit, rules->smem_opt_in_limit);
        return;
    default:
        TELL(told, "cannot launch: %" PRIu64 " bytes of shared memory are above the limit of a block, %u%s", bytes,
             rules->smem_opt_in_limit,
             !rules->is_amd && rules->smem_opt_in_limit > rules->smem_default_limit ? " with opt-in" : "");
        return;
    }
}

static void tell(const struct told *told)
{
    const struct rg_occupancy_rules *rules = told->rules;
    const struct ridge_launch *launch = told->launch;
    switch (told->answer->rule) {
    case RIDGE_LAUNCH_OK: TELL(told, "launchable"); return;
    case RIDGE_LAUNCH_NO_THREADS: TELL(told, "cannot launch: a block of 0 threads (at least 1)"); return;
    case RIDGE_LAUNCH_THREADS:
        TELL(told, "cannot launch: %u threads are above the limit of a block, %u", launch->threads, rules->max_threads);
        return;
    case RIDGE_LAUNCH_KERNEL_THREADS:
        TELL(told, "cannot launch: %u threads, but the kernel was built for at most %u", launch->threads,
             rules->kernel_max_threads);
        return;
    case RIDGE_LAUNCH_THREAD_REGISTERS:
        TELL(told, "cannot be compiled: %u registers are above the limit of a thread, %u", launch->registers,
             rules->max_registers);
        return;
    case RIDGE_LAUNCH_BLOCK_REGISTERS: tell_registers(told); return;
    case RIDGE_LAUNCH_SMEM_STATIC:
    case RIDGE_LAUNCH_SMEM_DYNAMIC:
    case RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN:
    case RIDGE_LAUNCH_SMEM: tell_smem(told, told->answer->rule); return;
    case RIDGE_LAUNCH_BARRIERS:
        TELL(told, "cannot launch: %u barriers are more than a multiprocessor has", rules->barriers);
        return;
    case RIDGE_LAUNCH_VIRTUAL:
        TELL(told, "cannot launch: %u virtual resources are more than a multiprocessor has", rules->virtual_resources);
        return;
    case RIDGE_LAUNCH_SCALAR_REGISTERS:
        TELL(told, "cannot launch: %u waves of %u scalar registers do not fit", told->answer->warps_per_block,
             rules->scalar_registers);
        return;
    case RIDGE_LAUNCH_NO_CODE: TELL(told, "cannot launch: it does not compile"); return;
    }
}

static void tell_waste(const struct rg_occupancy_rules *rules, const struct ridge_launch *launch,
                       struct ridge_occupancy *out)
{
    const uint32_t lanes = rules->register_lanes;
    const uint32_t warp = rules->warp_threads;
    const uint64_t bytes = (uint64_t)launch->smem_static_bytes + launch->smem_dynamic_bytes;
    const uint64_t allocated = rg_smem_allocated(rules, bytes);
    const uint32_t registers = launch->registers <= RG_MAX_REGISTERS * 16 ? launch->registers : 0;
    out->registers_per_thread_allocated = rg_registers_allocated(rules, registers);
    out->registers_per_block_allocated = out->registers_per_thread_allocated * lanes * out->warps_per_block;
    const uint64_t used = (uint64_t)registers * (lanes == 1 ? out->warps_per_block : launch->threads);
    if (rules->accumulation_registers == 0 && out->registers_per_block_allocated >= used) {
        out->registers_per_block_wasted = (uint32_t)(out->registers_per_block_allocated - used);
    }
    out->registers_total = rules->file_registers * rules->partitions * lanes;
    out->smem_per_block_allocated_bytes = allocated < UINT32_MAX ? (uint32_t)allocated : UINT32_MAX;
    out->smem_per_block_wasted_bytes = (uint32_t)(allocated - bytes - rules->smem_reserved);
    out->smem_reserved_bytes = rules->smem_reserved;
    out->smem_total_bytes = rg_smem_carved(rules, allocated);
    out->idle_lanes = launch->threads ? (warp - launch->threads % warp) % warp : 0;
}

void ridge_occupancy_one(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                         struct ridge_occupancy *out)
{
    const struct rg_occupancy_rules *rules = &table->rules;
    const struct ridge_occupancy_cell cell = rg_occupancy_cell(table, launch);
    *out = (struct ridge_occupancy){.blocks = cell.blocks,
                                    .warps = cell.warps,
                                    .max_warps = rules->max_warps,
                                    .ratio = (double)cell.warps / rules->max_warps,
                                    .limiters = cell.limiters,
                                    .rule = (ridge_launch_rule)cell.rule};
    out->warps_per_block = (uint32_t)(((uint64_t)launch->threads + rules->warp_threads - 1) / rules->warp_threads);
    rg_occupancy_limits(table, launch, out->limit);
    tell_waste(rules, launch, out);
    const struct told told = {rules, launch, out, out->verdict};
    tell(&told);
}
