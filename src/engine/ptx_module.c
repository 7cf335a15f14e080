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
        if (op->flow == RG_FLOW_CALL && !op->function->defined && !resolve_external(op)) {
            return fail_at(reader, op, RIDGE_E_UNAVAILABLE, "is called, but has no body here", op->function->name);
        }
    }
    return RIDGE_OK;
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

uint64_t rg_shared_layout(const struct rg_ptx *ptx, const struct rg_function *entry, uint64_t *offsets)
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
            end = start + variable->size;
        }
    }
    return end;
}

ridge_status rg_ptx_finish(struct rg_reader *reader)
{
    struct rg_ptx *ptx = reader->ptx;
    ptx->slot_end = reader->slot_next;
    ridge_status status = resolve_ops(reader);
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
        const uint64_t bytes = rg_shared_layout(ptx, ptx->entry_functions[i], NULL);
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
