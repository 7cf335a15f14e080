/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/clock.h"
#include "base/error.h"
#include "engine/judge.h"
#include "engine/ptx_read.h"
#include "engine/run.h"

static const uint64_t default_limit = 10000000000U;
static const uint64_t most_memory = (uint64_t)8 << 30;

static ridge_status check_launch(const struct rg_engine_run *request, struct ridge_error *error)
{
    uint64_t blocks = 1;
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (request->grid[i] == 0 || request->grid[i] > INT32_MAX || request->block[i] == 0) {
            return rg_error_set(error, RIDGE_E_ARGUMENT,
                                "a grid of %llu x %llu x %llu blocks of %llu x %llu x %llu threads cannot be run",
                                (unsigned long long)request->grid[0], (unsigned long long)request->grid[1],
                                (unsigned long long)request->grid[2], (unsigned long long)request->block[0],
                                (unsigned long long)request->block[1], (unsigned long long)request->block[2]);
        }
        if (!rg_multiply_u64(blocks, request->grid[i], &blocks) ||
            !rg_multiply_u64(threads, request->block[i], &threads)) {
            threads = UINT64_MAX;
        }
    }
    if (threads > (uint64_t)RG_MAX_WARPS * RG_LANES) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "a block may have at most %d threads here",
                            RG_MAX_WARPS * RG_LANES);
    }
    for (uint64_t i = 0; request->blocks && i < request->block_count; i++) {
        if (request->blocks[i] >= blocks || (i > 0 && request->blocks[i] <= request->blocks[i - 1])) {
            return rg_error_set(error, RIDGE_E_ARGUMENT, "blocks to run are not ascending or beyond the grid's %llu",
                                (unsigned long long)blocks);
        }
    }
    return RIDGE_OK;
}

static ridge_status check_arguments(const struct rg_engine_run *request, struct ridge_error *error)
{
    const struct rg_ptx_entry *entry = rg_ptx_entry_at(request->ptx, request->entry);
    if (!entry) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "there is no kernel %zu in this module", request->entry);
    }
    if (request->argument_count != entry->parameter_count) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "kernel %s takes %zu arguments, not %zu", entry->name,
                            entry->parameter_count, request->argument_count);
    }
    for (size_t i = 0; i < request->argument_count; i++) {
        const struct rg_engine_argument *argument = &request->arguments[i];
        const uint32_t bytes = entry->parameter_bytes[i];
        const bool scalar = argument->kind == RG_ENGINE_SCALAR;
        if (scalar ? argument->size != bytes : bytes != 8 && !(argument->kind == RG_ENGINE_LOCAL && bytes == 4)) {
            return rg_error_set(error, RIDGE_E_ARGUMENT, "argument %zu of kernel %s has %u bytes, not %llu", i + 1,
                                entry->name, bytes, (unsigned long long)(scalar ? argument->size : 8));
        }
        if (argument->kind == RG_ENGINE_POINTER && argument->buffer >= request->buffer_count) {
            return rg_error_set(error, RIDGE_E_ARGUMENT, "argument %zu of kernel %s points to no buffer", i + 1,
                                entry->name);
        }
    }
    return RIDGE_OK;
}

/** Buffers first, then the module's variables in global memory. */
static ridge_status make_regions(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_engine_run *request = run->request;
    const struct rg_ptx *ptx = run->ptx;
    run->regions = rg_arena_array(&run->arena, request->buffer_count + ptx->variable_count + 1, sizeof *run->regions);
    run->variable_offsets = rg_arena_array(&run->arena, ptx->variable_count + 1, sizeof *run->variable_offsets);
    if (!run->regions || !run->variable_offsets) {
        return rg_error_memory(error, sizeof *run->regions);
    }
    for (size_t i = 0; i < request->buffer_count; i++) {
        const struct rg_engine_buffer *buffer = &request->buffers[i];
        run->regions[run->region_count++] = (struct rg_region){.name = buffer->name ? buffer->name : "a buffer",
                                                               .bytes = buffer->bytes,
                                                               .size = buffer->size,
                                                               .writable = buffer->writable,
                                                               .initialised = buffer->initialised};
    }
    for (size_t i = 0; i < ptx->variable_count; i++) {
        const struct rg_variable *variable = ptx->variables[i];
        if (variable->space != RG_SPACE_GLOBAL) {
            continue;
        }
        uint8_t *bytes = variable->size > most_memory ? NULL : rg_arena_alloc(&run->arena, variable->size + 16);
        if (!bytes) {
            return rg_error_memory(error, variable->size);
        }
        if (variable->initial) {
            memcpy(bytes, variable->initial, variable->size);
        }
        run->variable_offsets[i] = RG_BUFFER_BASE(run->region_count);
        run->regions[run->region_count++] =
            (struct rg_region){variable->name, bytes, variable->size, true, true, NULL, NULL};
    }
    return RIDGE_OK;
}

/** The address of a variable: in its space, or in the flat map. */
static uint64_t variable_address(const struct rg_run *run, size_t index, bool generic)
{
    const struct rg_variable *variable = run->ptx->variables[index];
    const bool kept = variable->space == RG_SPACE_CONST || variable->space == RG_SPACE_LOCAL;
    const uint64_t address = kept ? variable->offset : run->variable_offsets[index];
    return address + (generic && variable->space != RG_SPACE_GLOBAL ? RG_WINDOW(variable->space) : 0);
}

static ridge_status make_constants(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_ptx *ptx = run->ptx;
    uint8_t *bytes = ptx->const_bytes > most_memory ? NULL : rg_arena_alloc(&run->arena, ptx->const_bytes + 16);
    if (!bytes) {
        return rg_error_memory(error, ptx->const_bytes);
    }
    run->constants = (struct rg_region){"constant memory", bytes, ptx->const_bytes, false, true, NULL, NULL};
    for (size_t i = 0; i < ptx->variable_count; i++) {
        const struct rg_variable *variable = ptx->variables[i];
        if (variable->space == RG_SPACE_CONST && variable->initial) {
            memcpy(bytes + variable->offset, variable->initial, variable->size);
        }
    }
    for (size_t i = 0; i < ptx->variable_count; i++) {
        const struct rg_variable *variable = ptx->variables[i];
        const bool constant = variable->space == RG_SPACE_CONST;
        uint8_t *start = constant ? bytes + variable->offset
                         : variable->space == RG_SPACE_GLOBAL
                             ? run->regions[(run->variable_offsets[i] >> RG_REGION_BITS) - 1].bytes
                             : NULL;
        for (size_t r = 0; start && r < variable->relocation_count; r++) {
            const struct rg_relocation *relocation = &variable->relocations[r];
            const uint64_t address =
                variable_address(run, relocation->variable, relocation->generic) + (uint64_t)relocation->addend;
            memcpy(start + relocation->offset, &address, sizeof address);
        }
    }
    return RIDGE_OK;
}

static ridge_status make_parameters(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_engine_run *request = run->request;
    const uint32_t size = run->entry->kernel_param_bytes;
    uint8_t *bytes = rg_arena_alloc(&run->arena, (size_t)size + 16);
    if (!bytes) {
        return rg_error_memory(error, size);
    }
    const struct rg_room *room = run->rooms + run->room_count; /* those of local arguments are the last */
    for (size_t i = 0; i < request->argument_count; i++) {
        room -= request->arguments[i].kind == RG_ENGINE_LOCAL;
    }
    for (size_t i = 0; i < request->argument_count; i++) {
        const struct rg_engine_argument *argument = &request->arguments[i];
        const struct rg_parameter *parameter = &run->entry->parameters[i];
        uint64_t address = 0;
        switch (argument->kind) {
        case RG_ENGINE_POINTER: address = RG_BUFFER_BASE(argument->buffer); break;
        case RG_ENGINE_LOCAL: address = room++->start; break;
        case RG_ENGINE_SCALAR: memcpy(bytes + parameter->offset, argument->bytes, argument->size); continue;
        }
        memcpy(bytes + parameter->offset, &address, parameter->bytes);
    }
    run->kernel_parameters = (struct rg_region){"parameters", bytes, size, false, true, NULL, NULL};
    return RIDGE_OK;
}

/** Memory that is not cleared: a module of many kernels has far more columns than one of them uses. */
static void *raw_alloc(const struct ridge_context *context, size_t bytes)
{
    return context->allocator.resize(context->allocator.user, NULL, 0, bytes);
}

static void clear_registers(const struct rg_run *run, struct rg_warp *warp)
{
    memset(warp->registers, 0, RG_SLOT_UNIT); /* operands that an operation does not have lie here */
    for (size_t i = 0; i < run->entry->reached_count; i++) {
        const struct rg_function *function = run->entry->reached[i];
        memset(warp->registers + function->slot_start, 0, function->slot_end - function->slot_start);
        memset(warp->registers + function->return_slot, 0, sizeof(uint32_t) * RG_LANES);
    }
}

/** The columns to fill: those of the functions that this kernel reaches. */
static ridge_status choose_fills(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_ptx *ptx = run->ptx;
    run->fills = rg_arena_array(&run->arena, ptx->fill_count + 1, sizeof(struct rg_fill *));
    if (!run->fills) {
        return rg_error_memory(error, ptx->fill_count);
    }
    for (size_t i = 0; i < ptx->fill_count; i++) {
        for (size_t k = 0; k < run->entry->reached_count; k++) {
            if (ptx->fills[i].function == run->entry->reached[k]) {
                run->fills[run->fill_count++] = &ptx->fills[i];
                break;
            }
        }
    }
    return RIDGE_OK;
}

static ridge_status make_warps(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_ptx *ptx = run->ptx;
    const uint64_t own = (uint64_t)RG_LANES * (ptx->local_bytes + ptx->param_bytes) + ptx->slot_end;
    run->warp_count = (run->threads + RG_LANES - 1) / RG_LANES;
    const uint64_t all = own * run->warp_count;
    if (all > most_memory) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "registers and local memory of a block take %llu bytes, more than 8 GiB",
                            (unsigned long long)all);
    }
    run->warps = rg_arena_array(&run->arena, run->warp_count, sizeof *run->warps);
    for (uint32_t w = 0; run->warps && w < run->warp_count; w++) {
        struct rg_warp *warp = &run->warps[w];
        warp->block = raw_alloc(run->context, (size_t)ptx->slot_end + RG_SLOT_UNIT);
        warp->run = run;
        warp->index = w;
        warp->local = rg_arena_alloc(&run->arena, (size_t)(RG_LANES * ptx->local_bytes + 1));
        warp->parameters = rg_arena_alloc(&run->arena, (size_t)RG_LANES * ptx->param_bytes + 1);
        if (!warp->block || !warp->local || !warp->parameters) {
            return rg_error_memory(error, own);
        }
        const uint64_t misaligned = (uint64_t)(uintptr_t)warp->block % RG_SLOT_UNIT;
        warp->registers = warp->block + (misaligned ? RG_SLOT_UNIT - misaligned : 0);
        clear_registers(run, warp);
        const uint32_t rest = run->threads - w * RG_LANES;
        warp->born = rest >= RG_LANES ? 0xffffffffU : (1U << rest) - 1;
    }
    return run->warps ? RIDGE_OK : rg_error_memory(error, sizeof *run->warps);
}

static uint64_t special_value(const struct rg_run *run, const struct rg_warp *warp, rg_special special, unsigned lane)
{
    const uint64_t *block = run->request->block;
    const uint64_t *grid = run->request->grid;
    const uint64_t linear = (uint64_t)warp->index * RG_LANES + lane;
    switch (special) {
    case RG_SPECIAL_TID_X: return linear % block[0];
    case RG_SPECIAL_TID_Y: return linear / block[0] % block[1];
    case RG_SPECIAL_TID_Z: return linear / block[0] / block[1];
    case RG_SPECIAL_NTID_X: return block[0];
    case RG_SPECIAL_NTID_Y: return block[1];
    case RG_SPECIAL_NTID_Z: return block[2];
    case RG_SPECIAL_CTAID_X: return run->block_index[0];
    case RG_SPECIAL_CTAID_Y: return run->block_index[1];
    case RG_SPECIAL_CTAID_Z: return run->block_index[2];
    case RG_SPECIAL_NCTAID_X: return grid[0];
    case RG_SPECIAL_NCTAID_Y: return grid[1];
    case RG_SPECIAL_NCTAID_Z: return grid[2];
    case RG_SPECIAL_LANEID: return lane;
    case RG_SPECIAL_WARPID: return warp->index;
    case RG_SPECIAL_NWARPID: return run->warp_count;
    case RG_SPECIAL_ZERO: return 0;
    case RG_SPECIAL_ONE: return 1;
    case RG_SPECIAL_LANEMASK_EQ: return (uint64_t)1 << lane;
    case RG_SPECIAL_LANEMASK_LT: return ((uint64_t)1 << lane) - 1;
    case RG_SPECIAL_LANEMASK_LE: return ((uint64_t)2 << lane) - 1;
    case RG_SPECIAL_LANEMASK_GT: return (uint32_t) ~(((uint64_t)2 << lane) - 1);
    case RG_SPECIAL_LANEMASK_GE: return (uint32_t) ~(((uint64_t)1 << lane) - 1);
    case RG_SPECIAL_DYNAMIC_SHARED: return run->request->shared_dynamic_bytes;
    case RG_SPECIAL_TOTAL_SHARED: return run->shared_used;
    case RG_SPECIAL_CLOCK: return warp->clock;
    }
    return 0;
}

static bool changes_by_block(rg_special special)
{
    return special >= RG_SPECIAL_CTAID_X && special <= RG_SPECIAL_CTAID_Z;
}

/** Fill the columns of literals, addresses and special registers; of a later block only those that change. */
static void fill_columns(struct rg_run *run, struct rg_warp *warp, bool first)
{
    for (size_t i = 0; i < run->fill_count; i++) {
        const struct rg_fill *fill = run->fills[i];
        const bool special = fill->kind == RG_FILL_SPECIAL;
        if (!first && !(special && changes_by_block((rg_special)fill->bits))) {
            continue;
        }
        uint64_t value = fill->bits;
        if (fill->kind == RG_FILL_ADDRESS) {
            value = variable_address(run, (size_t)fill->bits, fill->generic) + (uint64_t)fill->addend;
        }
        for (unsigned lane = 0; lane < RG_LANES; lane++) {
            value = special ? special_value(run, warp, (rg_special)fill->bits, lane) : value;
            rg_lane_set(warp, fill->slot, fill->bytes, lane, value);
        }
    }
}

static void check_bounds(struct rg_run *run)
{
    const struct rg_ptx_entry *entry = rg_ptx_entry_at(run->ptx, run->request->entry);
    const uint64_t *block = run->request->block;
    const uint64_t most = (uint64_t)entry->max_threads[0] * entry->max_threads[1] * entry->max_threads[2];
    const bool required = entry->required_threads[0] > 0;
    bool differs = false;
    for (int i = 0; required && i < 3; i++) {
        differs |= block[i] != entry->required_threads[i];
    }
    if (!differs && !(most > 0 && run->threads > most)) {
        return;
    }
    if (rg_finding_new(run, &run->ptx->ops[run->entry->first_op], RG_RULE_LAUNCH_BOUNDS)) {
        rg_finding_reason(run, "a block of %llu x %llu x %llu threads, but kernel %s is compiled for %s%llu",
                          (unsigned long long)block[0], (unsigned long long)block[1], (unsigned long long)block[2],
                          entry->name, required ? "exactly another shape, " : "at most ",
                          (unsigned long long)(required ? (uint64_t)entry->required_threads[0] *
                                                              entry->required_threads[1] * entry->required_threads[2]
                                                        : most));
    }
}

static void run_blocks(struct rg_run *run)
{
    const struct rg_engine_run *request = run->request;
    const uint64_t *grid = request->grid;
    const uint64_t count = request->blocks ? request->block_count : grid[0] * grid[1] * grid[2];
    for (uint64_t i = 0; i < count && !run->stopped && !run->failed; i++) {
        const uint64_t linear = request->blocks ? request->blocks[i] : i;
        run->block_linear = linear;
        run->block_index[0] = linear % grid[0];
        run->block_index[1] = linear / grid[0] % grid[1];
        run->block_index[2] = linear / grid[0] / grid[1];
        run->block_serial++;
        run->block_stopped = false;
        for (uint32_t w = 0; w < run->warp_count; w++) {
            fill_columns(run, &run->warps[w], i == 0);
        }
        if (run->tally) {
            rg_tally_block_begin(run);
        }
        if (run->judge) {
            rg_judge_block_begin(run);
        }
        rg_block_run(run);
        if (run->tally) {
            rg_tally_block_end(run);
        }
    }
}

static ridge_status prepare(struct rg_run *run, struct ridge_error *error)
{
    const struct rg_engine_run *request = run->request;
    ridge_status status = make_regions(run, error);
    status = status ? status : rg_shared_make(run, error);
    status = status ? status : make_constants(run, error);
    status = status ? status : make_parameters(run, error);
    status = status ? status : choose_fills(run, error);
    status = status ? status : make_warps(run, error);
    if (!status && request->count) {
        status = rg_tally_begin(run, error);
    }
    if (!status && request->check) {
        status = rg_judge_begin(run, error);
    }
    return status;
}

static void run_free(struct rg_run *run)
{
    for (uint32_t w = 0; run->warps && w < run->warp_count; w++) {
        rg_free(run->context, run->warps[w].block, (size_t)run->ptx->slot_end + RG_SLOT_UNIT);
        rg_free(run->context, run->warps[w].pending, run->warps[w].pending_capacity * sizeof *run->warps[w].pending);
    }
    rg_tally_free(run);
    rg_judge_free(run);
    rg_findings_free(run);
    rg_arena_fini(&run->arena);
    rg_free(run->context, run, sizeof *run);
}

/** Run once. \param altering  reads that get other values; NULL: none. \param[out] out  freed by run_free */
static ridge_status run_once(const struct rg_engine_run *request, const struct rg_doubts *altering, struct rg_run **out,
                             struct ridge_error *error)
{
    struct rg_run *run = rg_alloc(request->context, sizeof *run);
    if (!run) {
        return rg_error_memory(error, sizeof *run);
    }
    *out = run;
    run->request = request;
    run->context = request->context;
    run->ptx = request->ptx;
    run->altering = altering;
    run->entry = request->ptx->entry_functions[request->entry];
    run->threads = (uint32_t)(request->block[0] * request->block[1] * request->block[2]);
    run->instruction_limit = request->max_thread_instructions ? request->max_thread_instructions : default_limit;
    run->deadline_s = request->max_seconds > 0 ? rg_clock_s() + request->max_seconds : 0;
    rg_arena_init(&run->arena, run->context);
    const ridge_status status = prepare(run, error);
    if (status) {
        return status;
    }
    check_bounds(run);
    run_blocks(run);
    return run->failed ? rg_error_memory(error, 0) : RIDGE_OK;
}

/** The bytes of the buffers that are written, one after another. NULL: nothing, or no memory. */
struct copy {
    uint8_t *bytes;
    size_t size;
};

static struct copy copy_make(const struct rg_engine_run *request)
{
    struct copy copy = {NULL, 0};
    for (size_t i = 0; i < request->buffer_count; i++) {
        copy.size += request->buffers[i].writable ? (size_t)request->buffers[i].size : 0;
    }
    copy.bytes = copy.size > 0 ? rg_alloc(request->context, copy.size) : NULL;
    uint8_t *at = copy.bytes;
    for (size_t i = 0; at && i < request->buffer_count; i++) {
        if (request->buffers[i].writable) {
            memcpy(at, request->buffers[i].bytes, (size_t)request->buffers[i].size);
            at += request->buffers[i].size;
        }
    }
    return copy;
}

static void copy_put_back(const struct rg_engine_run *request, const struct copy *copy)
{
    const uint8_t *at = copy->bytes;
    for (size_t i = 0; i < request->buffer_count; i++) {
        if (request->buffers[i].writable) {
            memcpy(request->buffers[i].bytes, at, (size_t)request->buffers[i].size);
            at += request->buffers[i].size;
        }
    }
}

static bool copy_is_same(const struct rg_engine_run *request, const struct copy *copy)
{
    const uint8_t *at = copy->bytes;
    for (size_t i = 0; i < request->buffer_count; i++) {
        if (request->buffers[i].writable) {
            if (memcmp(request->buffers[i].bytes, at, (size_t)request->buffers[i].size) != 0) {
                return false;
            }
            at += request->buffers[i].size;
        }
    }
    return true;
}

/** Run again with other values for the reads in doubt. \return whether that changes anything */
static bool is_changed(struct rg_run *run, const struct copy *before, const struct copy *after)
{
    struct rg_engine_run request = *run->request;
    request.finding = NULL;
    request.count = false;
    bool changed = false;
    while (!changed && rg_doubts_next(run)) {
        struct rg_run *again = NULL;
        struct ridge_error ignored = {0};
        copy_put_back(&request, before);
        changed = run_once(&request, run->judge->doubts, &again, &ignored) != RIDGE_OK ||
                  rg_doubts_changed(run, again) || !copy_is_same(&request, after);
        if (again) {
            run_free(again);
        }
    }
    return changed;
}

/** Drop findings of reads whose values nobody uses. */
static void settle_doubts(struct rg_run *run, const struct copy *before)
{
    if (!rg_doubts_any(run) || !before->bytes) {
        return;
    }
    const struct copy after = copy_make(run->request);
    if (after.bytes && !is_changed(run, before, &after)) {
        rg_doubts_drop(run);
    }
    if (after.bytes) {
        copy_put_back(run->request, &after);
    }
    rg_free(run->context, after.bytes, after.size);
}

ridge_status rg_engine_run(const struct rg_engine_run *request, struct rg_engine_counts *counts,
                           struct ridge_error *error)
{
    struct rg_run *run = NULL;
    ridge_status status = check_launch(request, error);
    status = status ? status : check_arguments(request, error);
    if (status) {
        return status;
    }
    const struct copy before = request->check ? copy_make(request) : (struct copy){NULL, 0};
    status = run_once(request, NULL, &run, error);
    if (run && !status) {
        settle_doubts(run, &before);
        if (run->tally) {
            rg_tally_end(run, counts);
        }
        rg_findings_give(run);
    }
    rg_free(request->context, before.bytes, before.size);
    if (run) {
        run_free(run);
    }
    return status;
}
