/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ptx_read.h"
#include "engine/run.h"

/** Functions without a body that mean something to a run. */
static bool resolve_external(struct rg_op *op)
{
    if (strcmp(op->function->name, "vprintf") == 0 || strcmp(op->function->name, "printf") == 0) {
        op->flow = RG_FLOW_NONE; /* nothing is printed; its result is what was in the parameter */
        op->run = rg_run_nothing;
        return true;
    }
    if (strcmp(op->function->name, "__assertfail") == 0 || strcmp(op->function->name, "__assert_fail") == 0) {
        op->flow = RG_FLOW_TRAP;
        return true;
    }
    return false;
}

static ridge_status fail_at(struct rg_reader *reader, const struct rg_op *op, ridge_status status, const char *what,
                            const char *name)
{
    const struct rg_place place = {.file = reader->ptx->path, .line = op->ptx_line};
    return rg_error_at(reader->error, status, &place, "%s %s", name, what);
}

/** Functions of a runtime that is not there, by how their names begin. */
static const char *why_missing(const char *name)
{
    static const struct {
        const char *start;
        const char *why;
    } known[] = {
        {"malloc", "is called: the heap of a device is refused"},
        {"free", "is called: the heap of a device is refused"},
        {"cudaLaunchDevice", "is called: kernels that launch kernels are refused"},
        {"cudaGetParameterBuffer", "is called: kernels that launch kernels are refused"},
        {"__cudaCDP", "is called: kernels that launch kernels are refused"},
        {"__translate_sampler_initializer", "is called: images are refused"},
        {"_Z11read_image", "is called: images are refused"},
        {"_Z12read_image", "is called: images are refused"},
        {"_Z12write_image", "is called: images are refused"},
        {"_Z13write_image", "is called: images are refused"},
        {"_Z15get_image", "is called: images are refused"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(name, known[i].start, strlen(known[i].start)) == 0) {
            return known[i].why;
        }
    }
    return "is called, but has no body here";
}

static ridge_status resolve_ops(struct rg_reader *reader)
{
    struct rg_ptx *ptx = reader->ptx;
    const rg_lane_fn *table = rg_lanes_pick();
    for (size_t i = 0; i < ptx->op_count; i++) {
        struct rg_op *op = &ptx->ops[i];
        if (op->code < RG_CODE_COUNT) {
            op->inner = table[op->code];
            op->run = op->run ? op->run : op->inner;
        }
        if (op->flow == RG_FLOW_CALL && op->function && !op->function->defined && !resolve_external(op)) {
            return fail_at(reader, op, RIDGE_E_UNAVAILABLE, why_missing(op->function->name), op->function->name);
        }
    }
    return RIDGE_OK;
}

uint64_t rg_function_address(struct rg_reader *reader, struct rg_function *function)
{
    struct rg_ptx *ptx = reader->ptx;
    if (function->address) {
        return function->address;
    }
    if (!rg_reserve(ptx->context, &ptx->addressed, &ptx->addressed_capacity, ptx->addressed_count + 1,
                    sizeof(struct rg_function *))) {
        rg_read_memory(reader);
        return 0;
    }
    ptx->addressed[ptx->addressed_count] = function;
    function->address = RG_FUNCTION_BASE + RG_FUNCTION_BYTES * (uint64_t)ptx->addressed_count++;
    return function->address;
}

const struct rg_function *rg_function_at(const struct rg_ptx *ptx, uint64_t address)
{
    const uint64_t index = (address - RG_FUNCTION_BASE) / RG_FUNCTION_BYTES;
    return address >= RG_FUNCTION_BASE && address % RG_FUNCTION_BYTES == 0 && index < ptx->addressed_count
               ? ptx->addressed[index]
               : NULL;
}

static bool side_fits(const uint32_t *side, const struct rg_parameter *formal)
{
    return side[0] == RG_CALL_PARAMETER ? side[2] == formal->bytes
                                        : formal->type != RG_PRED && side[2] >= formal->bytes && formal->bytes <= 8;
}

bool rg_call_fits(const struct rg_op *call, const struct rg_function *function)
{
    const uint32_t *side = call->list;
    bool fits = function->defined && function->parameter_count == call->list_count &&
                function->result_count == (uint64_t)call->immediate;
    for (uint32_t i = 0; fits && i < function->parameter_count; i++, side += RG_CALL_SIDE) {
        fits = side_fits(side, &function->parameters[i]);
    }
    for (uint32_t i = 0; fits && i < function->result_count; i++, side += RG_CALL_SIDE) {
        fits = side_fits(side, &function->results[i]);
    }
    return fits;
}

/** A call through a register may call every function whose address is asked for and that takes what it passes. */
static ridge_status note_found(struct rg_reader *reader)
{
    const struct rg_ptx *ptx = reader->ptx;
    ridge_status status = RIDGE_OK;
    for (struct rg_function *caller = ptx->functions; !status && caller; caller = caller->next) {
        for (uint32_t i = 0; i < caller->op_count; i++) {
            const struct rg_op *op = &ptx->ops[caller->first_op + i];
            for (size_t k = 0; !status && op->flow == RG_FLOW_CALL && !op->function && k < ptx->addressed_count; k++) {
                status =
                    rg_call_fits(op, ptx->addressed[k]) ? rg_note_call(reader, caller, ptx->addressed[k]) : RIDGE_OK;
            }
        }
    }
    return status;
}

enum {
    RG_MAX_CALL_DEPTH = 500
};

/** Walk over calls: a function on the way twice calls itself. marks: 1 on the way, 2 done. */
static const struct rg_function *find_recursion(struct rg_function *function, unsigned depth)
{
    if (function->mark == 2) {
        return NULL;
    }
    if (function->mark == 1 || depth > RG_MAX_CALL_DEPTH) {
        return function;
    }
    function->mark = 1;
    const struct rg_function *found = NULL;
    for (size_t i = 0; i < function->call_count && !found; i++) {
        struct rg_function *callee = function->calls[i];
        found = find_recursion(callee, depth + 1);
        uint32_t *shared = &function->shared_bytes_min;
        uint32_t *global = &function->global_bytes_min;
        *shared = *shared == 0 || (callee->shared_bytes_min && callee->shared_bytes_min < *shared)
                      ? callee->shared_bytes_min
                      : *shared;
        *global = *global == 0 || (callee->global_bytes_min && callee->global_bytes_min < *global)
                      ? callee->global_bytes_min
                      : *global;
    }
    function->mark = 2;
    return found;
}

/** Functions that an entry reaches, each once, in the order they are met. */
static ridge_status find_reached(struct rg_reader *reader, struct rg_function *entry, uint32_t mark, size_t functions)
{
    struct rg_ptx *ptx = reader->ptx;
    entry->reached = rg_arena_array(&ptx->arena, functions, sizeof(struct rg_function *));
    entry->uses_variable = rg_arena_alloc(&ptx->arena, ptx->variable_count + 1);
    if (!entry->reached || !entry->uses_variable) {
        return rg_read_memory(reader);
    }
    entry->reached[entry->reached_count++] = entry;
    entry->mark = mark;
    for (size_t i = 0; i < entry->reached_count; i++) {
        const struct rg_function *function = entry->reached[i];
        for (size_t k = 0; k < function->call_count; k++) {
            if (function->calls[k]->mark != mark) {
                function->calls[k]->mark = mark;
                entry->reached[entry->reached_count++] = function->calls[k];
            }
        }
    }
    for (size_t i = 0; i < ptx->fill_count; i++) {
        const struct rg_fill *fill = &ptx->fills[i];
        if (fill->kind == RG_FILL_ADDRESS && fill->function->mark == mark) {
            entry->uses_variable[fill->bits] = 1;
        }
    }
    return RIDGE_OK;
}

uint64_t rg_shared_layout(const struct rg_ptx *ptx, const struct rg_function *entry, uint64_t gap, uint64_t *offsets)
{
    uint64_t end = 0;
    for (int pass = 0; pass < 2; pass++) { /* dynamic memory begins behind all others */
        for (size_t v = 0; v < ptx->variable_count; v++) {
            const struct rg_variable *variable = ptx->variables[v];
            if (variable->space != RG_SPACE_SHARED || !entry->uses_variable[v] || variable->dynamic != (pass == 1)) {
                continue;
            }
            const uint64_t start = (end + variable->align - 1) / variable->align * variable->align;
            if (offsets) {
                offsets[v] = start;
            }
            end = start + variable->size + (variable->size > 0 ? gap : 0);
        }
    }
    return end;
}

ridge_status rg_ptx_finish(struct rg_reader *reader)
{
    struct rg_ptx *ptx = reader->ptx;
    ptx->slot_end = reader->slot_next;
    ridge_status status = resolve_ops(reader);
    status = status ? status : note_found(reader);
    size_t functions = 0;
    for (struct rg_function *function = ptx->functions; !status && function; function = function->next) {
        functions++;
        const struct rg_function *self = find_recursion(function, 0);
        if (self) {
            const struct rg_word name = {
                .line = self->line, .column = self->column, .length = (uint32_t)strlen(self->name)};
            return rg_read_fail(reader, &name, RIDGE_E_UNAVAILABLE,
                                "function %s calls itself, or calls nest deeper than 500: recursion is refused",
                                self->name);
        }
    }
    for (size_t i = 0; !status && i < ptx->entry_count; i++) {
        status = find_reached(reader, ptx->entry_functions[i], (uint32_t)i + 3, functions);
        if (status) {
            return status;
        }
        const uint64_t bytes = rg_shared_layout(ptx, ptx->entry_functions[i], 0, NULL);
        if (bytes > UINT32_MAX) {
            return rg_error_set(reader->error, RIDGE_E_LIMIT, "%s: kernel %s declares more than 4 GiB of shared memory",
                                ptx->path, ptx->entries[i].name);
        }
        ptx->entries[i].shared_static_bytes = (uint32_t)bytes;
    }
    return status;
}

void rg_ptx_destroy(struct rg_ptx *ptx)
{
    if (!ptx) {
        return;
    }
    const struct ridge_context *context = ptx->context;
    for (size_t i = 0; i < ptx->variable_count; i++) {
        struct rg_variable *variable = ptx->variables[i];
        rg_free(context, variable->relocations, variable->relocation_capacity * sizeof *variable->relocations);
    }
    rg_free(context, ptx->ops, ptx->op_capacity * sizeof *ptx->ops);
    rg_free(context, ptx->fills, ptx->fill_capacity * sizeof *ptx->fills);
    rg_free(context, ptx->variables, ptx->variable_capacity * sizeof(struct rg_variable *));
    rg_free(context, ptx->addressed, ptx->addressed_capacity * sizeof(struct rg_function *));
    rg_free(context, ptx->entries, ptx->entry_capacity * sizeof *ptx->entries);
    rg_free(context, ptx->entry_functions, ptx->entry_function_capacity * sizeof(struct rg_function *));
    rg_free(context, ptx->files, ptx->file_capacity * sizeof *ptx->files);
    rg_free(context, ptx->places, ptx->place_capacity * sizeof *ptx->places);
    rg_arena_fini(&ptx->arena);
    rg_free(context, ptx, sizeof *ptx);
}

uint32_t rg_ptx_target(const struct rg_ptx *ptx)
{
    return ptx->target;
}

size_t rg_ptx_entry_count(const struct rg_ptx *ptx)
{
    return ptx->entry_count;
}

const struct rg_ptx_entry *rg_ptx_entry_at(const struct rg_ptx *ptx, size_t index)
{
    return index < ptx->entry_count ? &ptx->entries[index] : NULL;
}

size_t rg_ptx_entry_find(const struct rg_ptx *ptx, const char *name)
{
    for (size_t i = 0; i < ptx->entry_count; i++) {
        if (strcmp(ptx->entries[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}
