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
    for (uint32_t i = 0; i < rules->block_step_count; i++) {
        if (rules->block_steps[i] >= bytes) {
            return rules->block_steps[i];
        }
    }
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

/** Blocks that each resource allows which depends on nothing but the warps of a block. RIDGE_NO_LIMIT: any. */
static void limits_by_warps(const struct rg_occupancy_rules *rules, uint64_t warps,
                            uint32_t limit[RIDGE_RESOURCE_COUNT])
{
    limit[RIDGE_RESOURCE_WARPS] = (uint32_t)(rules->max_warps / warps);
    limit[RIDGE_RESOURCE_REGISTERS] = RIDGE_NO_LIMIT;
    limit[RIDGE_RESOURCE_SHARED_MEMORY] = RIDGE_NO_LIMIT;
    limit[RIDGE_RESOURCE_BLOCKS] = warps == 1 ? rules->max_blocks_single_warp : rules->max_blocks;
    limit[RIDGE_RESOURCE_BARRIERS] = rules->barrier_blocks;
    limit[RIDGE_RESOURCE_VIRTUAL] = rules->virtual_blocks;
    limit[RIDGE_RESOURCE_SCALAR_REGISTERS] =
        rules->scalar_warps == RIDGE_NO_LIMIT ? RIDGE_NO_LIMIT : (uint32_t)(rules->scalar_warps / warps);
}

/** The least of all limits, and which resources have it. */
static uint32_t least_of(const uint32_t limit[RIDGE_RESOURCE_COUNT], uint8_t *limiters)
{
    uint32_t blocks = limit[0];
    for (int i = 1; i < RIDGE_RESOURCE_COUNT; i++) {
        blocks = least(blocks, limit[i]);
    }
    *limiters = 0;
    for (int i = 0; i < RIDGE_RESOURCE_COUNT; i++) {
        *limiters = (uint8_t)(*limiters | (limit[i] == blocks) << i);
    }
    return blocks;
}

static void fill_warps(struct ridge_occupancy_table *table)
{
    uint32_t limit[RIDGE_RESOURCE_COUNT];
    for (uint32_t warps = 1; warps <= RG_MAX_WARPS; warps++) {
        struct rg_warp_entry *entry = &table->warps[warps];
        limits_by_warps(&table->rules, warps, limit);
        entry->inverse = (1U << 20) / warps + 1;
        entry->blocks = (uint16_t)least_of(limit, &entry->limiters);
    }
}

static void fill_smem(struct ridge_occupancy_table *table)
{
    const struct rg_occupancy_rules *rules = &table->rules;
    table->head.smem_shift = (uint32_t)__builtin_ctz(rules->smem_unit);
    const uint32_t step = 1U << table->head.smem_shift;
    table->head.smem_addend = rules->smem_reserved + step - 1;
    const uint64_t most =
        ((uint64_t)rules->smem_block_limit + rules->smem_reserved + step - 1) >> table->head.smem_shift;
    table->head.smem_units = (uint32_t)(most < RG_MAX_SMEM_UNITS ? most : RG_MAX_SMEM_UNITS) + 1;
    for (uint32_t i = 0; i <= table->head.smem_units; i++) {
        const uint64_t whole = round_up((uint64_t)i << table->head.smem_shift, rules->smem_unit);
        const uint64_t allocated =
            whole > rules->smem_reserved ? rg_smem_allocated(rules, whole - rules->smem_reserved) : whole;
        table->by_smem[i] = (uint16_t)smem_blocks(rules, allocated);
    }
    table->by_smem[table->head.smem_units] = 0;
    const uint64_t opt_in = (uint64_t)rules->smem_opt_in_limit + rules->smem_reserved;
    table->head.opt_in_units = opt_in / rules->smem_unit * rules->smem_unit >> table->head.smem_shift;
}

void rg_occupancy_table_fill(struct ridge_occupancy_table *table, const struct rg_occupancy_rules *rules)
{
    memset(table, 0, sizeof *table);
    table->rules = *rules;
    table->head.warp_shift = (uint32_t)__builtin_ctz(rules->warp_threads);
    table->head.thread_limit =
        least(least(rules->max_threads, rules->kernel_max_threads), RG_MAX_WARPS * rules->warp_threads);
    table->head.warp_addend = rules->warp_threads - 1;
    table->head.max_registers = rules->max_registers;
    table->head.smem_static_max = rules->smem_static_max;
    table->head.smem_dynamic_max = rules->smem_dynamic_max;
    fill_warps(table);
    for (uint32_t i = 0; i <= RG_MAX_REGISTERS; i++) {
        table->registers[i] = register_entry(rules, i);
    }
    fill_smem(table);
}

static inline __attribute__((always_inline)) const struct rg_register_entry *
register_entry_of(const struct ridge_occupancy_table *table, uint32_t registers)
{
    return &table->registers[registers <= RG_MAX_REGISTERS ? registers : RG_MAX_REGISTERS + 1];
}

/** Blocks that shared memory allows. */
static inline __attribute__((always_inline)) uint32_t smem_of(const struct ridge_occupancy_table *table,
                                                              uint32_t smem_static, uint32_t smem_dynamic)
{
    const uint64_t bytes = (uint64_t)smem_static + smem_dynamic + table->head.smem_addend;
    const uint64_t units = bytes >> table->head.smem_shift;
    const uint32_t blocks = table->by_smem[units < table->head.smem_units ? units : table->head.smem_units];
    const bool refused = (smem_dynamic > table->rules.smem_dynamic_max) | (smem_static > table->rules.smem_static_max);
    return refused ? 0 : blocks;
}

void rg_occupancy_limits(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                         uint32_t limit[RIDGE_RESOURCE_COUNT])
{
    const struct rg_occupancy_rules *rules = &table->rules;
    const struct rg_register_entry *entry = register_entry_of(table, launch->registers);
    const uint64_t rounded = ((uint64_t)launch->threads + rules->warp_threads - 1) >> table->head.warp_shift;
    const uint64_t warps = rounded ? rounded : 1;
    limits_by_warps(rules, warps, limit);
    if (launch->threads == 0 || launch->threads > least(rules->max_threads, rules->kernel_max_threads)) {
        limit[RIDGE_RESOURCE_WARPS] = 0;
    }
    if (entry->warps != RG_NONE) {
        limit[RIDGE_RESOURCE_REGISTERS] = warps <= entry->max_block_warps ? (uint32_t)(entry->warps / warps) : 0;
    }
    const uint32_t smem = smem_of(table, launch->smem_static_bytes, launch->smem_dynamic_bytes);
    limit[RIDGE_RESOURCE_SHARED_MEMORY] = smem == RG_NONE ? RIDGE_NO_LIMIT : smem;
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

/** The rule that refuses a launch of which one of the limits is 0. */
static ridge_launch_rule rule_of(const struct rg_occupancy_rules *rules, const struct ridge_launch *launch,
                                 uint32_t limiters)
{
    if (launch->threads == 0) {
        return RIDGE_LAUNCH_NO_THREADS;
    }
    if (launch->threads > rules->max_threads) {
        return RIDGE_LAUNCH_THREADS;
    }
    if (limiters & 1U << RIDGE_RESOURCE_WARPS) {
        return RIDGE_LAUNCH_KERNEL_THREADS;
    }
    if (limiters & 1U << RIDGE_RESOURCE_REGISTERS) {
        return launch->registers > rules->max_registers ? RIDGE_LAUNCH_THREAD_REGISTERS : RIDGE_LAUNCH_BLOCK_REGISTERS;
    }
    if (limiters & 1U << RIDGE_RESOURCE_SHARED_MEMORY) {
        return smem_rule(rules, launch);
    }
    if (limiters & 1U << RIDGE_RESOURCE_SCALAR_REGISTERS) {
        return RIDGE_LAUNCH_SCALAR_REGISTERS;
    }
    return limiters & 1U << RIDGE_RESOURCE_BARRIERS ? RIDGE_LAUNCH_BARRIERS : RIDGE_LAUNCH_VIRTUAL;
}

/** The answer for a block that its threads or a fixed amount refuse: rare, or the same for a whole table. */
static __attribute__((noinline)) struct ridge_occupancy_cell refused_cell(const struct ridge_occupancy_table *table,
                                                                          uint32_t threads, uint32_t registers,
                                                                          uint32_t smem_static, uint32_t smem_dynamic)
{
    const struct ridge_launch launch = {threads, registers, smem_static, smem_dynamic};
    uint32_t limit[RIDGE_RESOURCE_COUNT];
    struct ridge_occupancy_cell cell = {0};
    rg_occupancy_limits(table, &launch, limit);
    (void)least_of(limit, &cell.limiters);
    cell.rule = (uint8_t)rule_of(&table->rules, &launch, cell.limiters);
    return cell;
}

/** \return all ones when a condition holds: selects without a branch, which spaces make hard to predict. */
static inline uint32_t mask_of(bool holds)
{
    return 0U - (uint32_t)holds;
}

static inline uint32_t choose(bool holds, uint32_t yes, uint32_t no)
{
    return (yes & mask_of(holds)) | (no & ~mask_of(holds));
}

/**
 * The one place where an answer is made: three look-ups and their least, without a branch that depends on the answer.
 * `head` is a copy of the table's plain numbers, which the compiler can keep in registers.
 */
static inline __attribute__((always_inline)) struct ridge_occupancy_cell
cell_of(const struct ridge_occupancy_table *table, const struct rg_table_head head, uint32_t threads,
        uint32_t registers, uint32_t smem_static, uint32_t smem_dynamic)
{
    const uint32_t warps = (threads + head.warp_addend) >> head.warp_shift;
    if (__builtin_expect(threads - 1 >= head.thread_limit, 0)) {
        return refused_cell(table, threads, registers, smem_static, smem_dynamic);
    }
    const struct rg_warp_entry by_warps = table->warps[warps];
    if (__builtin_expect(by_warps.blocks == 0, 0)) {
        return refused_cell(table, threads, registers, smem_static, smem_dynamic);
    }
    const struct rg_register_entry entry = *register_entry_of(table, registers);
    /* RG_NONE registers come out as more blocks than any multiprocessor holds, and so never limit. */
    const uint32_t fit = (uint32_t)((uint64_t)entry.warps * by_warps.inverse >> 20);
    const uint32_t by_registers = fit & mask_of(warps <= entry.max_block_warps);
    const uint64_t units = ((uint64_t)smem_static + smem_dynamic + head.smem_addend) >> head.smem_shift;
    const bool over_static = smem_static > head.smem_static_max;
    const bool over_dynamic = smem_dynamic > head.smem_dynamic_max;
    const uint32_t by_units = table->by_smem[units < head.smem_units ? units : head.smem_units];
    const uint32_t by_smem = by_units & ~mask_of(over_static | over_dynamic);
    const uint32_t blocks = least(by_warps.blocks, least(by_registers, by_smem));
    const uint32_t limiters = (by_warps.limiters & mask_of(by_warps.blocks == blocks)) |
                              (uint32_t)(by_registers == blocks) << RIDGE_RESOURCE_REGISTERS |
                              (uint32_t)(by_smem == blocks) << RIDGE_RESOURCE_SHARED_MEMORY;
    const uint32_t of_dynamic = choose(over_dynamic, RIDGE_LAUNCH_SMEM_DYNAMIC, RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN);
    const uint32_t of_total = choose(units > head.opt_in_units, RIDGE_LAUNCH_SMEM, of_dynamic);
    const uint32_t of_smem = choose(over_static, RIDGE_LAUNCH_SMEM_STATIC, of_total);
    const uint32_t of_registers =
        choose(registers > head.max_registers, RIDGE_LAUNCH_THREAD_REGISTERS, RIDGE_LAUNCH_BLOCK_REGISTERS);
    const uint32_t rule = choose(by_registers == 0, of_registers, of_smem) & mask_of(blocks == 0);
    return (struct ridge_occupancy_cell){(uint16_t)blocks, (uint16_t)(blocks * warps), (uint8_t)limiters,
                                         (uint8_t)rule};
}

/** The loop, apart so that `restrict` tells the compiler that answers overwrite neither table nor columns. */
static void answer_all(const struct ridge_occupancy_table *restrict table, const uint32_t *restrict threads,
                       const uint32_t *restrict registers, const uint32_t *restrict smem_static,
                       const uint32_t *restrict smem_dynamic, size_t count, struct ridge_occupancy_cell *restrict out)
{
    const struct rg_table_head head = table->head;
    for (size_t i = 0; i < count; i++) {
        out[i] = cell_of(table, head, threads[i], registers[i], smem_static[i], smem_dynamic[i]);
    }
}

void ridge_occupancy_batch(const struct ridge_occupancy_table *table, const struct ridge_launch_columns *columns,
                           size_t count, struct ridge_occupancy_cell *out)
{
    enum {
        ZEROS = 256
    };
    static const uint32_t zeros[ZEROS];
    const uint32_t *given[] = {columns->threads, columns->registers, columns->smem_static_bytes,
                               columns->smem_dynamic_bytes};
    bool all_given = true;
    for (int i = 0; i < 4; i++) {
        all_given = all_given && given[i];
    }
    const size_t piece = all_given ? count : ZEROS;
    for (size_t from = 0; from < count; from += piece) {
        const uint32_t *at[4];
        for (int i = 0; i < 4; i++) {
            at[i] = given[i] ? given[i] + from : zeros;
        }
        answer_all(table, at[0], at[1], at[2], at[3], count - from < piece ? count - from : piece, out + from);
    }
}

struct ridge_occupancy_cell rg_occupancy_cell(const struct ridge_occupancy_table *table,
                                              const struct ridge_launch *launch)
{
    return cell_of(table, table->head, launch->threads, launch->registers, launch->smem_static_bytes,
                   launch->smem_dynamic_bytes);
}
