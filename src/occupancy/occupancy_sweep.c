/* SPDX-License-Identifier: MIT */
/** \file Many answers at once for people: sweeps of one thing in ranges of equal answers, and block sizes ranked. */
#include "occupancy/occupancy_table.h"

/** Joins neighbours with equal answers. */
struct ranges {
    struct ridge_sweep_range open;
    bool is_open;
    void (*visit)(void *user, const struct ridge_sweep_range *range);
    void *user;
};

static bool same_cell(const struct ridge_occupancy_cell *a, const struct ridge_occupancy_cell *b)
{
    return a->blocks == b->blocks && a->warps == b->warps && a->limiters == b->limiters && a->rule == b->rule;
}

static void close_range(struct ranges *ranges)
{
    if (ranges->is_open) {
        ranges->visit(ranges->user, &ranges->open);
    }
    ranges->is_open = false;
}

/** Add values `first` to `last` that share an answer. */
static void add_range(struct ranges *ranges, uint32_t first, uint32_t last, struct ridge_occupancy_cell cell)
{
    if (cell.blocks == 0) {
        close_range(ranges);
        return;
    }
    if (ranges->is_open && same_cell(&ranges->open.cell, &cell)) {
        ranges->open.last = last;
        return;
    }
    close_range(ranges);
    ranges->open = (struct ridge_sweep_range){first, last, cell};
    ranges->is_open = true;
}

static void sweep_threads(const struct ridge_occupancy_table *table, struct ridge_launch launch, struct ranges *ranges)
{
    const uint32_t warp = table->rules.warp_threads;
    for (launch.threads = warp; launch.threads <= table->rules.max_threads; launch.threads += warp) {
        add_range(ranges, launch.threads, launch.threads, rg_occupancy_cell(table, &launch));
    }
}

static void sweep_registers(const struct ridge_occupancy_table *table, struct ridge_launch launch,
                            struct ranges *ranges)
{
    for (launch.registers = 1; launch.registers <= table->rules.max_registers; launch.registers++) {
        add_range(ranges, launch.registers, launch.registers, rg_occupancy_cell(table, &launch));
    }
}

/** Answers change only where one unit more begins, so one look a unit is enough. */
static void sweep_smem(const struct ridge_occupancy_table *table, struct ridge_launch launch, struct ranges *ranges)
{
    const uint64_t step = UINT64_C(1) << table->head.smem_shift;
    const uint64_t fixed = (uint64_t)launch.smem_static_bytes + table->rules.smem_reserved;
    const uint64_t most = (uint64_t)table->rules.smem_block_limit + table->rules.smem_reserved;
    for (uint64_t first = 0; first + fixed <= most;) {
        uint64_t last = (first + fixed + step - 1) / step * step - fixed;
        last = last + fixed > most ? most - fixed : last;
        last = first <= table->rules.smem_dynamic_max && last > table->rules.smem_dynamic_max
                   ? table->rules.smem_dynamic_max
                   : last;
        launch.smem_dynamic_bytes = (uint32_t)first;
        add_range(ranges, (uint32_t)first, (uint32_t)last, rg_occupancy_cell(table, &launch));
        first = last + 1;
    }
}

void ridge_occupancy_sweep(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                           ridge_sweep what, void (*visit)(void *user, const struct ridge_sweep_range *range),
                           void *user)
{
    struct ranges ranges = {.visit = visit, .user = user};
    switch (what) {
    case RIDGE_SWEEP_THREADS: sweep_threads(table, *launch, &ranges); break;
    case RIDGE_SWEEP_REGISTERS: sweep_registers(table, *launch, &ranges); break;
    case RIDGE_SWEEP_SMEM: sweep_smem(table, *launch, &ranges); break;
    }
    close_range(&ranges);
}

/** Keep the list in order: more warps first, then the smaller block. */
static void insert(struct ridge_suggestion *out, size_t count, struct ridge_suggestion made)
{
    size_t at = count;
    for (; at > 0 && out[at - 1].cell.warps < made.cell.warps; at--) {
        out[at] = out[at - 1];
    }
    out[at] = made;
}

size_t ridge_occupancy_suggest(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                               uint32_t smem_bytes_per_thread, struct ridge_suggestion *out)
{
    const uint32_t warp = table->rules.warp_threads;
    size_t count = 0;
    for (uint32_t threads = warp; threads <= table->rules.max_threads && count < RIDGE_SUGGESTION_MAX;
         threads += warp) {
        const uint64_t dynamic = (uint64_t)smem_bytes_per_thread * threads + launch->smem_dynamic_bytes;
        struct ridge_suggestion made = {.launch = *launch};
        made.launch.threads = threads;
        made.launch.smem_dynamic_bytes = dynamic < UINT32_MAX ? (uint32_t)dynamic : UINT32_MAX;
        made.cell = rg_occupancy_cell(table, &made.launch);
        if (made.cell.blocks > 0) {
            insert(out, count, made);
            count++;
        }
    }
    return count;
}
