/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/lanes_math.h"
#include "engine/ptx_read.h"

static const uint64_t most_bytes = (uint64_t)1 << 32; /* of one variable */

/** A power of two up to 2^10, else an error. */
static ridge_status read_align(struct rg_reader *reader, uint32_t *align)
{
    uint64_t value = 0;
    ridge_status status = rg_read_next(reader);
    const struct rg_word word = reader->lexer.word;
    status = status ? status : rg_read_integer(reader, &value);
    if (!status && (value == 0 || value > 1024 || (value & (value - 1)) != 0)) {
        return rg_read_fail(reader, &word, RIDGE_E_SYNTAX, "an alignment is a power of two up to 1024");
    }
    *align = (uint32_t)value;
    return status;
}

/** The words before a name: .align n, .v2, .v4, the type. Behind .ptr, .align is that of what the parameter points to. */
static ridge_status read_type(struct rg_reader *reader, rg_type *type, uint32_t *align, uint32_t *vector)
{
    *type = RG_TYPE_COUNT;
    *align = 0;
    *vector = 1;
    bool is_pointer = false;
    while (reader->lexer.word.kind == RG_WORD_DOT) {
        const struct rg_word word = reader->lexer.word;
        ridge_status status = RIDGE_OK;
        if (rg_read_at(reader, ".align")) {
            uint32_t pointee_align;
            status = read_align(reader, is_pointer ? &pointee_align : align);
        } else if (rg_read_at(reader, ".v2") || rg_read_at(reader, ".v4")) {
            *vector = rg_read_at(reader, ".v2") ? 2 : 4;
            status = rg_read_next(reader);
        } else if (rg_read_at(reader, ".ptr") || rg_read_at(reader, ".global") || rg_read_at(reader, ".shared") ||
                   rg_read_at(reader, ".const") || rg_read_at(reader, ".local")) {
            is_pointer = true;
            status = rg_read_next(reader); /* what a parameter points to */
        } else if (rg_read_at(reader, ".attribute")) {
            status = rg_read_next(reader);
            while (!status && !rg_read_at(reader, ")") && reader->lexer.word.kind != RG_WORD_END) {
                status = rg_read_next(reader);
            }
            status = status ? status : rg_read_take(reader, ")");
        } else {
            *type = rg_type_find(word.text + 1, word.length - 1);
            if (*type == RG_TYPE_COUNT) {
                const bool picture =
                    rg_word_is(&word, ".texref") || rg_word_is(&word, ".samplerref") || rg_word_is(&word, ".surfref");
                return rg_read_fail(reader, &word, RIDGE_E_UNAVAILABLE, "%.*s is not known here%s", (int)word.length,
                                    word.text, picture ? ": textures and surfaces are refused" : " as a type");
            }
            status = rg_read_next(reader);
        }
        if (status) {
            return status;
        }
    }
    if (*type == RG_TYPE_COUNT) {
        return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_SYNTAX, "a type should be here, such as .b32");
    }
    return RIDGE_OK;
}

/** [n][m]...: their product; *open: the first is []. */
static ridge_status read_extents(struct rg_reader *reader, uint64_t *count, bool *open)
{
    *count = 1;
    *open = false;
    ridge_status status = RIDGE_OK;
    while (!status && rg_read_at(reader, "[")) {
        uint64_t extent = 0;
        status = rg_read_next(reader);
        const struct rg_word word = reader->lexer.word;
        if (!status && rg_read_at(reader, "]")) {
            *open = true;
        } else {
            status = status ? status : rg_read_integer(reader, &extent);
            if (!status && (__builtin_mul_overflow(*count, extent, count) || *count > most_bytes)) {
                return rg_read_fail(reader, &word, RIDGE_E_LIMIT, "more than 4 GiB in one variable");
            }
        }
        status = status ? status : rg_read_take(reader, "]");
    }
    return status;
}

ridge_status rg_read_parameter(struct rg_reader *reader, struct rg_parameter *parameter, bool kernel, bool is_register)
{
    uint32_t vector;
    uint64_t count = 1;
    bool open = false;
    ridge_status status = read_type(reader, &parameter->type, &parameter->align, &vector);
    if (status) {
        return status;
    }
    const struct rg_word name = reader->lexer.word;
    if (name.kind != RG_WORD_NAME) {
        return rg_read_fail(reader, &name, RIDGE_E_SYNTAX, "the name of a parameter should be here");
    }
    parameter->name = rg_arena_copy(&reader->ptx->arena, name.text, name.length);
    status = parameter->name ? rg_read_next(reader) : rg_read_memory(reader);
    status = status ? status : read_extents(reader, &count, &open);
    if (status) {
        return status;
    }
    const uint64_t bytes = count * vector * rg_types[parameter->type].bytes;
    if (open || bytes > 1 << 16) {
        return rg_read_fail(reader, &name, RIDGE_E_UNAVAILABLE, "parameter %s has no size or more than 64 KiB",
                            parameter->name);
    }
    parameter->bytes = (uint32_t)bytes;
    parameter->align = parameter->align ? parameter->align : rg_types[parameter->type].bytes * vector;
    if (is_register) {
        parameter->slot = rg_slot_new(reader, rg_register_bytes(parameter->type));
        return parameter->slot == RG_NO_SLOT ? RIDGE_E_LIMIT : RIDGE_OK;
    }
    uint32_t *end = kernel ? &reader->kernel_param_end : &reader->ptx->param_bytes;
    const uint64_t at = ((uint64_t)*end + parameter->align - 1) / parameter->align * parameter->align;
    if (at + bytes > 1 << 18) {
        return rg_read_fail(reader, &name, RIDGE_E_LIMIT, "more than 256 KiB of parameters");
    }
    parameter->offset = (uint32_t)at;
    *end = (uint32_t)(at + bytes);
    return RIDGE_OK;
}

struct initialiser {
    struct rg_variable *variable;
    uint64_t element;
    uint64_t count;
};

/** name, name+4, generic(name)+4: an address among initial values. */
static ridge_status read_relocation(struct rg_reader *reader, struct initialiser *into, uint64_t offset)
{
    struct rg_variable *variable = into->variable;
    const bool generic = rg_read_at(reader, "generic");
    ridge_status status = RIDGE_OK;
    if (generic) {
        status = rg_read_next(reader);
        status = status ? status : rg_read_take(reader, "(");
    }
    const struct rg_word word = reader->lexer.word;
    const struct rg_symbol *symbol = status ? NULL : rg_symbol_find(reader, word.text, word.length);
    if (symbol && symbol->kind == RG_SYMBOL_FUNCTION && !symbol->function->entry &&
        rg_types[variable->type].bytes == 8) {
        const uint64_t address = rg_function_address(reader, symbol->function);
        memcpy(variable->initial + offset, &address, sizeof address);
        status = address ? rg_read_next(reader) : reader->error->status;
        return status || !generic ? status : rg_read_take(reader, ")");
    }
    if (!status && (!symbol || symbol->kind != RG_SYMBOL_VARIABLE || rg_types[variable->type].bytes != 8)) {
        return rg_read_fail(
            reader, &word, RIDGE_E_UNAVAILABLE,
            "%.*s is no initial value that is known here (a number, or the address of a variable in 64 bits)",
            (int)word.length, word.text);
    }
    status = status ? status : rg_read_next(reader);
    if (!status && generic) {
        status = rg_read_take(reader, ")");
    }
    uint64_t addend = 0;
    bool minus = false;
    if (!status && (rg_read_at(reader, "+") || rg_read_at(reader, "-"))) {
        minus = rg_read_at(reader, "-");
        status = rg_read_next(reader);
        status = status ? status : rg_read_integer(reader, &addend);
    }
    if (status) {
        return status;
    }
    const struct ridge_context *context = reader->ptx->context;
    if (!rg_reserve(context, &variable->relocations, &variable->relocation_capacity, variable->relocation_count + 1,
                    sizeof *variable->relocations)) {
        return rg_read_memory(reader);
    }
    variable->relocations[variable->relocation_count++] =
        (struct rg_relocation){(uint32_t)offset, symbol->index, (int64_t)(minus ? 0 - addend : addend), generic};
    return RIDGE_OK;
}

static ridge_status read_scalar(struct rg_reader *reader, struct initialiser *into)
{
    const struct rg_word start = reader->lexer.word;
    struct rg_variable *variable = into->variable;
    const rg_type type = variable->type;
    const uint32_t bytes = rg_types[type].bytes;
    if (into->element >= into->count) {
        return rg_read_fail(reader, &start, RIDGE_E_SYNTAX, "more initial values than %s has elements", variable->name);
    }
    const uint64_t offset = into->element++ * bytes;
    if (start.kind == RG_WORD_NAME) {
        return read_relocation(reader, into, offset);
    }
    ridge_status status = RIDGE_OK;
    const bool minus = rg_read_at(reader, "-");
    if (minus) {
        status = rg_read_next(reader);
    }
    const struct rg_word word = reader->lexer.word;
    double number = 0;
    uint64_t bits = 0;
    switch (status ? RG_WORD_END : word.kind) {
    case RG_WORD_INTEGER:
        bits = minus ? 0 - word.bits : word.bits;
        number = minus ? -(double)word.bits : (double)word.bits;
        break;
    case RG_WORD_FLOAT: number = minus ? -word.number : word.number; break;
    case RG_WORD_F32:
        number = (double)rg_f32((uint32_t)word.bits);
        bits = word.bits;
        break;
    case RG_WORD_F64:
        number = rg_f64(word.bits);
        bits = word.bits;
        break;
    case RG_WORD_END:
    case RG_WORD_NAME:
    case RG_WORD_DOT:
    case RG_WORD_STRING:
    case RG_WORD_MARK:
        return status ? status : rg_read_fail(reader, &word, RIDGE_E_SYNTAX, "an initial value should be here");
    }
    if (type == RG_F32 && word.kind != RG_WORD_F32) {
        bits = rg_f32_bits((float)number);
    } else if (type == RG_F64 && word.kind != RG_WORD_F64) {
        bits = rg_f64_bits(number);
    }
    memcpy(variable->initial + offset, &bits, bytes < 8 ? bytes : 8);
    return rg_read_next(reader);
}

static ridge_status read_initial(struct rg_reader *reader, struct initialiser *into, unsigned depth)
{
    if (!rg_read_at(reader, "{")) {
        return read_scalar(reader, into);
    }
    if (depth > RG_MAX_DEPTH) {
        return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_LIMIT, "braces nested deeper than %d", RG_MAX_DEPTH);
    }
    ridge_status status = rg_read_next(reader);
    while (!status && !rg_read_at(reader, "}")) {
        status = read_initial(reader, into, depth + 1);
        if (!status && !rg_read_at(reader, "}")) {
            status = rg_read_take(reader, ",");
        }
    }
    return status ? status : rg_read_take(reader, "}");
}

/** Where a variable lies in its space. Shared ones are placed by kernel, at run time. */
static void place_variable(struct rg_reader *reader, struct rg_variable *variable)
{
    struct rg_ptx *ptx = reader->ptx;
    if (variable->space == RG_SPACE_CONST) {
        variable->offset = (ptx->const_bytes + variable->align - 1) / variable->align * variable->align;
        ptx->const_bytes = variable->offset + variable->size;
    } else if (variable->space == RG_SPACE_LOCAL) {
        variable->offset = (ptx->local_bytes + variable->align - 1) / variable->align * variable->align;
        ptx->local_bytes = variable->offset + variable->size;
    }
}

static ridge_status read_one(struct rg_reader *reader, struct rg_variable *variable, uint32_t vector)
{
    const struct rg_word name = reader->lexer.word;
    uint64_t count = 1;
    bool open = false;
    if (name.kind != RG_WORD_NAME || variable->type == RG_PRED) {
        return rg_read_fail(reader, &name, RIDGE_E_SYNTAX, "the name of a variable should be here");
    }
    struct rg_ptx *ptx = reader->ptx;
    variable->name = rg_arena_copy(&ptx->arena, name.text, name.length);
    ridge_status status = variable->name ? rg_read_next(reader) : rg_read_memory(reader);
    status = status ? status : read_extents(reader, &count, &open);
    if (status) {
        return status;
    }
    if (__builtin_mul_overflow(count, (uint64_t)vector * rg_types[variable->type].bytes, &variable->size) ||
        variable->size > most_bytes || (variable->space == RG_SPACE_LOCAL && variable->size > 1 << 24)) {
        return rg_read_fail(reader, &name, RIDGE_E_LIMIT, "%s is larger than is allowed here", variable->name);
    }
    variable->dynamic = open && variable->external && variable->space == RG_SPACE_SHARED;
    variable->size = open ? 0 : variable->size;
    place_variable(reader, variable);
    struct rg_symbol *symbol = rg_symbol_add(reader, &name, RG_SYMBOL_VARIABLE);
    if (!symbol || !rg_reserve(ptx->context, &ptx->variables, &ptx->variable_capacity, ptx->variable_count + 1,
                               sizeof(struct rg_variable *))) {
        return rg_read_memory(reader);
    }
    symbol->index = (uint32_t)ptx->variable_count;
    ptx->variables[ptx->variable_count++] = variable;
    if (!rg_read_at(reader, "=")) {
        return RIDGE_OK;
    }
    if (open || variable->size > 1 << 26 || variable->space == RG_SPACE_SHARED || variable->space == RG_SPACE_LOCAL) {
        return rg_read_fail(reader, &name, RIDGE_E_UNAVAILABLE, "%s cannot have initial values here", variable->name);
    }
    variable->initial = rg_arena_alloc(&ptx->arena, variable->size + 8);
    if (!variable->initial) {
        return rg_read_memory(reader);
    }
    struct initialiser into = {variable, 0, count * vector};
    status = rg_read_next(reader);
    return status ? status : read_initial(reader, &into, 0);
}

ridge_status rg_read_variables(struct rg_reader *reader, rg_space space, bool external)
{
    rg_type type;
    uint32_t align;
    uint32_t vector;
    ridge_status status = read_type(reader, &type, &align, &vector);
    while (!status) {
        struct rg_variable *variable = rg_arena_alloc(&reader->ptx->arena, sizeof *variable);
        if (!variable) {
            return rg_read_memory(reader);
        }
        *variable = (struct rg_variable){.space = space, .type = type, .external = external};
        variable->align = align ? align : rg_types[type].bytes * vector;
        status = read_one(reader, variable, vector);
        if (status || !rg_read_at(reader, ",")) {
            break;
        }
        status = rg_read_next(reader);
    }
    return status ? status : rg_read_take(reader, ";");
}
