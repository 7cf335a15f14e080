/* SPDX-License-Identifier: MIT */
/** \file What would help: every change is tried on the table itself, so advice holds by construction. */
#include "occupancy/occupancy_table.h"

/** Collects advice. */
struct advisor {
    const struct ridge_occupancy_table *table;
    const struct ridge_launch *launch;
    struct ridge_occupancy_cell now;
    struct ridge_advice *out;
    size_t count;
};

static bool is_better(const struct advisor *advisor, const struct ridge_launch *launch,
                      struct ridge_occupancy_cell *cell)
{
    *cell = rg_occupancy_cell(advisor->table, launch);
    return cell->warps > advisor->now.warps;
}

/** Take a launch that helps, with what it changes. */
static void take(struct advisor *advisor, const struct ridge_launch *launch, struct ridge_occupancy_cell cell)
{
    const struct ridge_launch *from = advisor->launch;
    if (advisor->count == RIDGE_ADVICE_MAX) {
        return;
    }
    advisor->out[advisor->count++] = (struct ridge_advice){
        .launch = *launch,
        .to = cell,
        .changes_threads = launch->threads != from->threads,
        .changes_registers = launch->registers != from->registers,
        .changes_smem = launch->smem_static_bytes != from->smem_static_bytes ||
                        launch->smem_dynamic_bytes != from->smem_dynamic_bytes,
    };
}

/** A launch with so much shared memory in all: the dynamic part gives first. */
static struct ridge_launch with_smem(const struct ridge_launch *launch, uint64_t bytes)
{
    struct ridge_launch made = *launch;
    if (bytes >= launch->smem_static_bytes) {
        made.smem_dynamic_bytes = (uint32_t)(bytes - launch->smem_static_bytes);
    } else {
        made.smem_static_bytes = (uint32_t)bytes;
        made.smem_dynamic_bytes = 0;
    }
    return made;
}

static uint64_t smem_of(const struct ridge_launch *launch)
{
    return (uint64_t)launch->smem_static_bytes + launch->smem_dynamic_bytes;
}

/** \return the largest number of bytes below `bytes` that takes fewer units; false when there is none. */
static bool fewer_units(const struct ridge_occupancy_table *table, uint64_t bytes, uint64_t *fewer)
{
    const uint64_t step = UINT64_C(1) << table->head.smem_shift;
    const uint64_t most = (uint64_t)table->head.smem_units * step; /* above it every amount is refused alike */
    uint64_t all = (bytes + table->rules.smem_reserved + step - 1) / step * step;
    all = all > most ? most + step : all;
    if (all < step + table->rules.smem_reserved || all - step - table->rules.smem_reserved >= bytes) {
        return false;
    }
    *fewer = all - step - table->rules.smem_reserved;
    return true;
}

static bool advise_registers(struct advisor *advisor)
{
    struct ridge_launch launch = *advisor->launch;
    struct ridge_occupancy_cell cell;
    launch.registers = launch.registers <= RG_MAX_REGISTERS ? launch.registers : RG_MAX_REGISTERS + 1;
    while (launch.registers > 1) {
        launch.registers--;
        if (is_better(advisor, &launch, &cell)) {
            take(advisor, &launch, cell);
            return true;
        }
    }
    return false;
}

static bool advise_smem(struct advisor *advisor)
{
    struct ridge_occupancy_cell cell;
    for (uint64_t bytes = smem_of(advisor->launch); fewer_units(advisor->table, bytes, &bytes);) {
        const struct ridge_launch launch = with_smem(advisor->launch, bytes);
        if (is_better(advisor, &launch, &cell)) {
            take(advisor, &launch, cell);
            return true;
        }
    }
    return false;
}

/** Both at once: the most of each that alone allows one block more. */
static void advise_both(struct advisor *advisor)
{
    struct ridge_launch launch = *advisor->launch;
    struct ridge_occupancy_cell cell;
    uint32_t limit[RIDGE_RESOURCE_COUNT];
    const uint32_t wanted = (uint32_t)advisor->now.blocks + 1;
    launch.registers = launch.registers <= RG_MAX_REGISTERS ? launch.registers : RG_MAX_REGISTERS;
    for (; launch.registers > 1; launch.registers--) {
        rg_occupancy_limits(advisor->table, &launch, limit);
        if (limit[RIDGE_RESOURCE_REGISTERS] >= wanted) {
            break;
        }
    }
    uint64_t bytes = smem_of(advisor->launch);
    do {
        const struct ridge_launch less = with_smem(&launch, bytes);
        rg_occupancy_limits(advisor->table, &less, limit);
        if (limit[RIDGE_RESOURCE_SHARED_MEMORY] >= wanted) {
            if (is_better(advisor, &less, &cell)) {
                take(advisor, &less, cell);
            }
            return;
        }
    } while (fewer_units(advisor->table, bytes, &bytes));
}

/** The nearest whole-warp block size below or above that helps. */
static void advise_threads(struct advisor *advisor, bool upwards)
{
    const uint32_t warp = advisor->table->rules.warp_threads;
    const uint32_t most = advisor->table->rules.max_threads / warp;
    struct ridge_launch launch = *advisor->launch;
    struct ridge_occupancy_cell cell;
    uint64_t warps = launch.threads / warp + (!upwards && launch.threads % warp != 0);
    warps = warps > most ? most + 1 : warps;
    for (warps = upwards ? warps + 1 : warps - (warps > 0); warps >= 1 && warps <= most;
         warps = upwards ? warps + 1 : warps - 1) {
        launch.threads = (uint32_t)warps * warp;
        if (is_better(advisor, &launch, &cell)) {
            take(advisor, &launch, cell);
            return;
        }
    }
}

/** What the same launch gives when the kernel may have as much shared memory as the device allows. */
static void advise_opt_in(struct advisor *advisor)
{
    struct ridge_occupancy_table opted;
    struct rg_occupancy_rules rules = advisor->table->rules;
    rules.smem_block_limit = rules.smem_opt_in_limit;
    rg_occupancy_table_fill(&opted, &rules);
    const struct ridge_occupancy_cell cell = rg_occupancy_cell(&opted, advisor->launch);
    if (cell.blocks > 0) {
        take(advisor, advisor->launch, cell);
        advisor->out[advisor->count - 1].changes_opt_in = true;
    }
}

size_t ridge_occupancy_advise(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                              struct ridge_advice *out)
{
    struct advisor advisor = {table, launch, rg_occupancy_cell(table, launch), out, 0};
    if (advisor.now.rule == RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN) {
        advise_opt_in(&advisor);
    }
    const bool by_registers = advise_registers(&advisor);
    const bool by_smem = advise_smem(&advisor);
    if (!by_registers && !by_smem) {
        advise_both(&advisor);
    }
    advise_threads(&advisor, false);
    advise_threads(&advisor, true);
    return advisor.count;
}

bool ridge_occupancy_next_need(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                               ridge_resource resource, uint64_t *needed, uint64_t *available)
{
    struct ridge_occupancy answer;
    ridge_occupancy_one(table, launch, &answer);
    if (answer.blocks == 0 || !(answer.limiters >> resource & 1)) {
        return false;
    }
    if (resource == RIDGE_RESOURCE_REGISTERS) {
        *needed = (uint64_t)(answer.blocks + 1) * answer.registers_per_block_allocated;
        *available = answer.registers_total;
        return true;
    }
    if (resource == RIDGE_RESOURCE_SHARED_MEMORY) {
        *needed = (uint64_t)(answer.blocks + 1) * answer.smem_per_block_allocated_bytes;
        *available = answer.smem_total_bytes;
        return true;
    }
    return false;
}
