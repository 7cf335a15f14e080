/* SPDX-License-Identifier: MIT */
/** \file The look-up tables of occupancy, and the answers read from them: the hot path of ranking. */
#include "occupancy/occupancy_table.h"

#include <string.h>

#include "base/context.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

uint32_t rg_registers_allocated(const struct rg_occupancy_rules *rules, uint32_t registers)
{
    uint64_t count = registers;
    if (rules->pool == RG_POOL_SEPARATE && rules->accumulation_registers > count) {
        count = rules->accumulation_registers;
    }
    if (rules->pool == RG_POOL_UNIFIED && rules->accumulation_registers > 0) {
        count = round_up(count, 4) + rules->accumulation_registers;
    }
    return (uint32_t)round_up(count, rules->register_unit);
}

uint64_t rg_smem_allocated(const struct rg_occupancy_rules *rules, uint64_t bytes)
{
    return round_up(bytes + rules->smem_reserved, rules->smem_unit);
}

uint32_t rg_smem_carved(const struct rg_occupancy_rules *rules, uint64_t allocated_bytes)
{
    if (rules->step_count == 0 || rules->smem_preferred >= allocated_bytes) {
        return rules->smem_preferred;
    }
    for (uint32_t i = 0; i < rules->step_count; i++) {
        if (rules->steps[i] >= allocated_bytes) {
            return rules->steps[i];
        }
    }
    return rules->smem_total;
}

/** What registers of a thread allow: warps on a multiprocessor, and warps of one block. */
static struct rg_register_entry register_entry(const struct rg_occupancy_rules *rules, uint32_t registers)
{
    if (registers > rules->max_registers) {
        return (struct rg_register_entry){0, 0};
    }
    const uint32_t allocated = rg_registers_allocated(rules, registers);
    if (allocated == 0) {
        return (struct rg_register_entry){RG_NONE, RG_NONE};
    }
    const uint32_t warps = rules->file_registers / allocated * rules->partitions;
    uint32_t block_warps = warps;
    if (rules->block_registers != RIDGE_NO_LIMIT) {
        /* The launch check of the hardware rounds the warps of a block up to whole rows over the sub-partitions. */
        const uint32_t rows = rules->block_registers / allocated / rules->check_partitions;
        const uint32_t file = rules->file_registers * rules->partitions / rules->check_partitions;
        block_warps = least(rows * rules->check_partitions, file / allocated * rules->check_partitions);
    }
    return (struct rg_register_entry){(uint16_t)least(warps, RG_NONE - 1), (uint16_t)least(block_warps, RG_NONE - 1)};
}

/** Blocks that shared memory allows when a block is given so many bytes. */
static uint32_t smem_blocks(const struct rg_occupancy_rules *rules, uint64_t allocated)
{
    if (allocated == 0) {
        return RG_NONE;
    }
    if (allocated > (uint64_t)rules->smem_block_limit + rules->smem_reserved) {
        return 0;
    }
    return least((uint32_t)(rg_smem_carved(rules, allocated) / allocated), RG_NONE - 1);
}

static void fill_warps(struct ridge_occupancy_table *table)
{
    const struct rg_occupancy_rules *rules = &table->rules;
    for (uint32_t warps = 1; warps <= RG_MAX_WARPS; warps++) {
        table->inverse[warps] = (1U << 20) / warps + 1;
        table->by_warps[warps] = (uint16_t)(rules->max_warps / warps);
        table->by_blocks[warps] = (uint16_t)(warps == 1 ? rules->max_blocks_single_warp : rules->max_blocks);
        table->by_scalars[warps] =
            (uint16_t)(rules->scalar_warps == RIDGE_NO_LIMIT ? RG_NONE : rules->scalar_warps / warps);
    }
}

static void fill_smem(struct ridge_occupancy_table *table)
{
    const struct rg_occupancy_rules *rules = &table->rules;
    table->smem_shift = (uint32_t)__builtin_ctz(rules->smem_unit);
    const uint32_t step = 1U << table->smem_shift;
    const uint64_t most = ((uint64_t)rules->smem_block_limit + rules->smem_reserved + step - 1) >> table->smem_shift;
    table->smem_units = (uint32_t)(most < RG_MAX_SMEM_UNITS ? most : RG_MAX_SMEM_UNITS) + 1;
    for (uint32_t i = 0; i <= table->smem_units; i++) {
        const uint64_t allocated = round_up((uint64_t)i << table->smem_shift, rules->smem_unit);
        table->by_smem[i] = (uint16_t)smem_blocks(rules, allocated);
    }
    table->by_smem[table->smem_units] = 0;
}

void rg_occupancy_table_fill(struct ridge_occupancy_table *table, const struct rg_occupancy_rules *rules)
{
    memset(table, 0, sizeof *table);
    table->rules = *rules;
    table->warp_shift = (uint32_t)__builtin_ctz(rules->warp_threads);
    table->fixed_blocks = least(rules->barrier_blocks, rules->virtual_blocks);
    fill_warps(table);
    for (uint32_t i = 0; i <= RG_MAX_REGISTERS; i++) {
        table->registers[i] = register_entry(rules, i);
    }
    fill_smem(table);
}

/** Limits by the four resources that differ between configurations. RG_NONE: no limit. */
struct blocks_by {
    uint32_t warps, registers, smem, blocks, scalars;
    uint32_t warps_per_block;
};

/** Blocks of more warps than the tables have entries: always refused, but each resource has its own answer. */
static void limits_of_huge_block(const struct ridge_occupancy_table *table, const struct rg_register_entry *entry,
                                 uint64_t warps, struct blocks_by *by)
{
    const struct rg_occupancy_rules *rules = &table->rules;
    by->warps = 0;
    by->registers = entry->warps == RG_NONE ? RG_NONE : 0;
    if (warps <= entry->max_block_warps && entry->warps != RG_NONE) {
        by->registers = (uint32_t)(entry->warps / warps);
    }
    by->blocks = rules->max_blocks;
    by->scalars = rules->scalar_warps == RIDGE_NO_LIMIT ? RG_NONE : (uint32_t)(rules->scalar_warps / warps);
    by->warps_per_block = (uint32_t)least((uint32_t)warps, RG_NONE);
}

/** The one place where an answer is made. `__restrict` and inlining keep the batch loop in registers. */
static inline __attribute__((always_inline)) struct blocks_by look_up(const struct ridge_occupancy_table *table,
                                                                      uint32_t threads, uint32_t registers,
                                                                      uint32_t smem_static, uint32_t smem_dynamic)
{
    struct blocks_by by;
    const uint64_t bytes = (uint64_t)smem_static + smem_dynamic + table->rules.smem_reserved;
    const uint64_t units = (bytes + (1U << table->smem_shift) - 1) >> table->smem_shift;
    by.smem = table->by_smem[units < table->smem_units ? units : table->smem_units];
    if (smem_dynamic > table->rules.smem_dynamic_max || smem_static > table->rules.smem_static_max) {
        by.smem = 0;
    }
    const struct rg_register_entry *entry =
        &table->registers[registers <= RG_MAX_REGISTERS ? registers : RG_MAX_REGISTERS + 1];
    const uint64_t warps = ((uint64_t)threads + table->rules.warp_threads - 1) >> table->warp_shift;
    if (__builtin_expect(warps > RG_MAX_WARPS || warps == 0, 0)) {
        limits_of_huge_block(table, entry, warps ? warps : 1, &by);
        return by;
    }
    const uint32_t fit = (uint32_t)((uint64_t)entry->warps * table->inverse[warps] >> 20);
    by.registers = warps <= entry->max_block_warps ? fit : 0;
    if (entry->warps == RG_NONE) {
        by.registers = RG_NONE;
    }
    by.warps =
        threads <= table->rules.max_threads && threads <= table->rules.kernel_max_threads ? table->by_warps[warps] : 0;
    by.blocks = table->by_blocks[warps];
    by.scalars = table->by_scalars[warps];
    by.warps_per_block = (uint32_t)warps;
    return by;
}

static inline __attribute__((always_inline)) struct ridge_occupancy_cell
cell_of(const struct ridge_occupancy_table *table, const struct blocks_by *by)
{
    uint32_t blocks = by->warps < by->registers ? by->warps : by->registers;
    blocks = by->smem < blocks ? by->smem : blocks;
    blocks = by->blocks < blocks ? by->blocks : blocks;
    blocks = by->scalars < blocks ? by->scalars : blocks;
    blocks = table->fixed_blocks < blocks ? table->fixed_blocks : blocks;
    const uint32_t limiters = (uint32_t)(by->warps == blocks) << RIDGE_RESOURCE_WARPS |
                              (uint32_t)(by->registers == blocks) << RIDGE_RESOURCE_REGISTERS |
                              (uint32_t)(by->smem == blocks) << RIDGE_RESOURCE_SHARED_MEMORY |
                              (uint32_t)(by->blocks == blocks) << RIDGE_RESOURCE_BLOCKS |
                              (uint32_t)(table->rules.barrier_blocks == blocks) << RIDGE_RESOURCE_BARRIERS |
                              (uint32_t)(table->rules.virtual_blocks == blocks) << RIDGE_RESOURCE_VIRTUAL |
                              (uint32_t)(by->scalars == blocks) << RIDGE_RESOURCE_SCALAR_REGISTERS;
    return (struct ridge_occupancy_cell){(uint16_t)blocks, (uint16_t)(blocks * by->warps_per_block), (uint8_t)limiters,
                                         RIDGE_LAUNCH_OK};
}

/** The rule of the static or dynamic amount of shared memory that refuses a block. */
static ridge_launch_rule smem_rule(const struct rg_occupancy_rules *rules, const struct ridge_launch *launch)
{
    const uint64_t bytes = (uint64_t)launch->smem_static_bytes + launch->smem_dynamic_bytes;
    if (launch->smem_static_bytes > rules->smem_static_max) {
        return RIDGE_LAUNCH_SMEM_STATIC;
    }
    if (rg_smem_allocated(rules, bytes) > (uint64_t)rules->smem_opt_in_limit + rules->smem_reserved) {
        return RIDGE_LAUNCH_SMEM;
    }
    return launch->smem_dynamic_bytes > rules->smem_dynamic_max ? RIDGE_LAUNCH_SMEM_DYNAMIC
                                                                : RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN;
}

ridge_launch_rule rg_launch_rule(const struct ridge_occupancy_table *table, const struct ridge_launch *launch)
{
    const struct rg_occupancy_rules *rules = &table->rules;
    if (launch->threads == 0) {
        return RIDGE_LAUNCH_NO_THREADS;
    }
    if (launch->threads > rules->max_threads) {
        return RIDGE_LAUNCH_THREADS;
    }
    if (launch->threads > rules->kernel_max_threads) {
        return RIDGE_LAUNCH_KERNEL_THREADS;
    }
    const struct blocks_by by =
        look_up(table, launch->threads, launch->registers, launch->smem_static_bytes, launch->smem_dynamic_bytes);
    if (by.registers == 0) {
        return launch->registers > rules->max_registers ? RIDGE_LAUNCH_THREAD_REGISTERS : RIDGE_LAUNCH_BLOCK_REGISTERS;
    }
    if (by.smem == 0) {
        return smem_rule(rules, launch);
    }
    if (by.scalars == 0) {
        return RIDGE_LAUNCH_SCALAR_REGISTERS;
    }
    if (rules->barrier_blocks == 0) {
        return RIDGE_LAUNCH_BARRIERS;
    }
    return rules->virtual_blocks == 0 ? RIDGE_LAUNCH_VIRTUAL : RIDGE_LAUNCH_OK;
}

void ridge_occupancy_batch(const struct ridge_occupancy_table *table, const struct ridge_launch_columns *columns,
                           size_t count, struct ridge_occupancy_cell *out)
{
    const uint32_t *threads = columns->threads;
    const uint32_t *registers = columns->registers;
    const uint32_t *smem_static = columns->smem_static_bytes;
    const uint32_t *smem_dynamic = columns->smem_dynamic_bytes;
    for (size_t i = 0; i < count; i++) {
        const struct ridge_launch launch = {threads ? threads[i] : 0, registers ? registers[i] : 0,
                                            smem_static ? smem_static[i] : 0, smem_dynamic ? smem_dynamic[i] : 0};
        const struct blocks_by by =
            look_up(table, launch.threads, launch.registers, launch.smem_static_bytes, launch.smem_dynamic_bytes);
        out[i] = cell_of(table, &by);
        if (out[i].blocks == 0) {
            out[i].rule = (uint8_t)rg_launch_rule(table, &launch);
        }
    }
}

struct ridge_occupancy_cell rg_occupancy_cell(const struct ridge_occupancy_table *table,
                                              const struct ridge_launch *launch)
{
    const struct ridge_launch_columns columns = {&launch->threads, &launch->registers, &launch->smem_static_bytes,
                                                 &launch->smem_dynamic_bytes};
    struct ridge_occupancy_cell cell;
    ridge_occupancy_batch(table, &columns, 1, &cell);
    return cell;
}

void rg_occupancy_limits(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                         uint32_t limit[RIDGE_RESOURCE_COUNT])
{
    const struct blocks_by by =
        look_up(table, launch->threads, launch->registers, launch->smem_static_bytes, launch->smem_dynamic_bytes);
    limit[RIDGE_RESOURCE_WARPS] = by.warps;
    limit[RIDGE_RESOURCE_REGISTERS] = by.registers == RG_NONE ? RIDGE_NO_LIMIT : by.registers;
    limit[RIDGE_RESOURCE_SHARED_MEMORY] = by.smem == RG_NONE ? RIDGE_NO_LIMIT : by.smem;
    limit[RIDGE_RESOURCE_BLOCKS] = by.blocks;
    limit[RIDGE_RESOURCE_BARRIERS] = table->rules.barrier_blocks;
    limit[RIDGE_RESOURCE_VIRTUAL] = table->rules.virtual_blocks;
    limit[RIDGE_RESOURCE_SCALAR_REGISTERS] = by.scalars == RG_NONE ? RIDGE_NO_LIMIT : by.scalars;
}
