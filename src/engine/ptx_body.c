/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ptx_read.h"

/** .reg .b32 %r<9>, %x; */
static ridge_status read_registers(struct rg_reader *reader)
{
    ridge_status status = rg_read_next(reader);
    const struct rg_word word = reader->lexer.word;
    const rg_type type = word.kind == RG_WORD_DOT ? rg_type_find(word.text + 1, word.length - 1) : RG_TYPE_COUNT;
    if (status) {
        return status;
    }
    if (type == RG_TYPE_COUNT || type == RG_B128) {
        return rg_read_fail(reader, &word, RIDGE_E_UNAVAILABLE, "%.*s is no type of registers that is known here",
                            (int)word.length, word.text);
    }
    do {
        status = rg_read_next(reader);
        const struct rg_word name = reader->lexer.word;
        uint64_t count = 0;
        if (!status && name.kind != RG_WORD_NAME) {
            return rg_read_fail(reader, &name, RIDGE_E_SYNTAX, "the name of a register should be here");
        }
        status = status ? status : rg_read_next(reader);
        if (!status && rg_read_at(reader, "<")) {
            status = rg_read_next(reader);
            status = status ? status : rg_read_integer(reader, &count);
            status = status ? status : rg_read_take(reader, ">");
        }
        if (status) {
            return status;
        }
        if (count > 1 << 20) {
            return rg_read_fail(reader, &name, RIDGE_E_LIMIT, "more than 2^20 registers in one range");
        }
        struct rg_symbol *symbol = rg_symbol_add(reader, &name, RG_SYMBOL_REGISTER);
        uint32_t *slots = rg_arena_array(&reader->ptx->arena, count ? count : 1, sizeof *slots);
        if (!symbol || !slots) {
            return rg_read_memory(reader);
        }
        symbol->type = type;
        symbol->count = (uint32_t)count;
        symbol->slots = slots;
    } while (rg_read_at(reader, ","));
    return rg_read_take(reader, ";");
}

/** .param .b32 name; inside a body: a parameter of a call. */
static ridge_status read_call_parameters(struct rg_reader *reader)
{
    ridge_status status = rg_read_next(reader);
    struct rg_parameter *parameter = rg_arena_alloc(&reader->ptx->arena, sizeof *parameter);
    if (!parameter) {
        return rg_read_memory(reader);
    }
    status = status ? status : rg_read_parameter(reader, parameter, false, false);
    if (status) {
        return status;
    }
    const struct rg_word word = {.text = parameter->name, .length = (uint32_t)strlen(parameter->name)};
    struct rg_symbol *symbol = rg_symbol_add(reader, &word, RG_SYMBOL_PARAMETER);
    if (!symbol) {
        return rg_read_memory(reader);
    }
    symbol->parameter = parameter;
    symbol->type = parameter->type;
    return rg_read_take(reader, ";");
}

enum {
    PLACES_BACK = 4096 /**< that are looked through */
};

/** Note a place, or find it again: the last of these numbers, whose own place of inlining is then known. */
static ridge_status place_note(struct rg_reader *reader, const uint64_t numbers[3], uint32_t inlined, uint32_t *out)
{
    struct rg_ptx *ptx = reader->ptx;
    const size_t least = ptx->place_count > PLACES_BACK ? ptx->place_count - PLACES_BACK : 0;
    for (size_t i = ptx->place_count; i-- > least;) {
        const struct rg_source_place *place = &ptx->places[i];
        if (place->file == numbers[0] && place->line == numbers[1] && place->column == numbers[2] &&
            (inlined == 0 || place->inlined == inlined)) {
            *out = (uint32_t)i + 1;
            return RIDGE_OK;
        }
    }
    if (!rg_reserve(ptx->context, &ptx->places, &ptx->place_capacity, ptx->place_count + 1, sizeof *ptx->places)) {
        return rg_read_memory(reader);
    }
    ptx->places[ptx->place_count++] =
        (struct rg_source_place){(uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2], inlined};
    *out = (uint32_t)ptx->place_count;
    return RIDGE_OK;
}

static ridge_status read_numbers(struct rg_reader *reader, uint64_t numbers[3])
{
    ridge_status status = RIDGE_OK;
    for (int i = 0; !status && i < 3; i++) {
        status = rg_read_integer(reader, &numbers[i]);
    }
    return status;
}

/** What follows the numbers of .loc: function_name label [+ offset] is skipped, inlined_at names a place. */
static ridge_status read_loc_inlined(struct rg_reader *reader)
{
    uint64_t at[3] = {0};
    ridge_status status = rg_read_next(reader);
    if (!status && rg_read_at(reader, "inlined_at")) {
        status = rg_read_next(reader);
        status = status ? status : read_numbers(reader, at);
        return status ? status : place_note(reader, at, 0, &reader->inlined);
    }
    status = status ? status : rg_read_next(reader); /* function_name */
    status = status ? status : rg_read_next(reader);
    while (!status && (reader->lexer.word.kind == RG_WORD_INTEGER || rg_read_at(reader, "+"))) {
        status = rg_read_next(reader);
    }
    return status;
}

/**
 * Take over a line of the source, for what follows and for code of line 0 before it. Line 0 is what a compiler writes for
 * code that it moved or merged: such code belongs to the line that follows it up to the next label, rather than to the
 * one that happens to stand before.
 */
static void set_line(struct rg_reader *reader, uint64_t file, uint64_t line)
{
    struct rg_ptx *ptx = reader->ptx;
    reader->file = (uint16_t)file;
    reader->line = (uint32_t)line;
    for (size_t i = reader->homeless; i > 0 && i <= ptx->op_count; i++) {
        ptx->ops[i - 1].file = reader->file;
        ptx->ops[i - 1].line = reader->line;
        ptx->ops[i - 1].inlined = reader->inlined;
    }
    reader->homeless = 0;
}

/** .loc file line column [, function_name label, inlined_at file line column]: no semicolon. */
static ridge_status read_loc(struct rg_reader *reader)
{
    uint64_t numbers[3] = {0};
    uint32_t ignored;
    const uint32_t before = reader->inlined;
    ridge_status status = rg_read_next(reader);
    status = status ? status : read_numbers(reader, numbers);
    reader->inlined = 0;
    while (!status && rg_read_at(reader, ",")) {
        status = read_loc_inlined(reader);
    }
    if (numbers[1] == 0) {
        reader->inlined = before;
        reader->homeless = reader->homeless > 0 ? reader->homeless : reader->ptx->op_count + 1;
        return status;
    }
    set_line(reader, numbers[0], numbers[1]);
    return status || !reader->inlined ? status : place_note(reader, numbers, reader->inlined, &ignored);
}

/** label: .branchtargets L1, L2; */
static ridge_status read_targets(struct rg_reader *reader, const struct rg_word *label, rg_symbol_kind kind)
{
    struct rg_word *words = NULL;
    uint32_t count = 0;
    uint32_t capacity = 0;
    ridge_status status = RIDGE_OK;
    do {
        status = rg_read_next(reader);
        if (status || reader->lexer.word.kind != RG_WORD_NAME) {
            return status ? status
                          : rg_read_fail(reader, &reader->lexer.word, RIDGE_E_SYNTAX, "a label should be here");
        }
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 16;
            struct rg_word *grown = rg_arena_array(&reader->ptx->arena, capacity, sizeof *grown);
            if (!grown) {
                return rg_read_memory(reader);
            }
            if (count) {
                memcpy(grown, words, count * sizeof *grown);
            }
            words = grown;
        }
        words[count++] = reader->lexer.word;
        status = rg_read_next(reader);
    } while (!status && rg_read_at(reader, ","));
    struct rg_symbol *symbol = status ? NULL : rg_symbol_add(reader, label, kind);
    if (!symbol) {
        return status ? status : rg_read_memory(reader);
    }
    symbol->words = words;
    symbol->word_count = count;
    return rg_read_take(reader, ";");
}

static ridge_status read_prototype(struct rg_reader *reader, const struct rg_word *label)
{
    ridge_status status = RIDGE_OK;
    while (!status && !rg_read_at(reader, ";") && reader->lexer.word.kind != RG_WORD_END) {
        status = rg_read_next(reader);
    }
    if (!status && !rg_symbol_add(reader, label, RG_SYMBOL_PROTOTYPE)) {
        return rg_read_memory(reader);
    }
    return status ? status : rg_read_take(reader, ";");
}

static ridge_status place_label(struct rg_reader *reader, const struct rg_word *label)
{
    ridge_status status = rg_read_next(reader); /* the colon */
    if (status) {
        return status;
    }
    if (rg_read_at(reader, ".branchtargets") || rg_read_at(reader, ".calltargets")) {
        return read_targets(reader, label, RG_SYMBOL_TARGETS);
    }
    if (rg_read_at(reader, ".callprototype")) {
        return read_prototype(reader, label);
    }
    /* A branch may stand before its label: both are kept until the braces around the label end. */
    struct rg_fixup *places = reader->places;
    if (!rg_reserve(reader->ptx->context, &places, &reader->place_capacity, reader->place_count + 1, sizeof *places)) {
        return rg_read_memory(reader);
    }
    reader->places = places;
    reader->homeless = 0;
    places[reader->place_count++] = (struct rg_fixup){.op = (uint32_t)reader->ptx->op_count, .word = *label};
    return RIDGE_OK;
}

static ridge_status read_guard(struct rg_reader *reader)
{
    struct rg_instruction *in = &reader->instruction;
    struct rg_operand operand = {0};
    ridge_status status = rg_read_next(reader);
    status = status ? status : rg_read_operand(reader, &operand);
    if (!status && (operand.kind != RG_OPERAND_REGISTER || operand.type != RG_PRED)) {
        return rg_read_fail(reader, &operand.word, RIDGE_E_SYNTAX, "a predicate register should be behind @");
    }
    in->guard = operand.slot;
    in->guard_not = operand.negated;
    return status;
}

static ridge_status read_operands(struct rg_reader *reader)
{
    struct rg_instruction *in = &reader->instruction;
    ridge_status status = RIDGE_OK;
    while (!status && !rg_read_at(reader, ";")) {
        if (in->operand_count >= in->part_end || in->operand_count >= 16) {
            return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_UNAVAILABLE, "too many operands");
        }
        struct rg_operand operand = {0};
        status = rg_read_operand(reader, &operand);
        if (!status && operand.kind == RG_OPERAND_NAME && rg_read_at(reader, ":")) {
            status = rg_read_next(reader); /* clang's own, for debuggers, in the middle of a call: nothing goes there */
            continue;
        }
        in->operands[in->operand_count++] = operand;
        if (!status && !rg_read_at(reader, ";")) {
            status = rg_read_take(reader, ",");
        }
    }
    return status;
}

static ridge_status read_instruction(struct rg_reader *reader)
{
    struct rg_instruction *in = &reader->instruction;
    ridge_status status = RIDGE_OK;
    while (!status && reader->lexer.word.kind == RG_WORD_DOT) {
        const struct rg_word word = reader->lexer.word;
        if (in->modifier_count == RG_MAX_MODIFIERS) {
            return rg_read_fail(reader, &word, RIDGE_E_UNAVAILABLE, "more modifiers than any instruction has");
        }
        in->modifiers[in->modifier_count++] = word;
        status = rg_read_next(reader);
    }
    status = status ? status : rg_decode_known(reader);
    status = status ? status : read_operands(reader);
    status = status ? status : rg_decode(reader);
    return status ? status : rg_read_take(reader, ";");
}

/** .pragma "words"; Ridge's own (compile/nvidia_builtins.c) says what the next barrier orders. */
static ridge_status read_pragma(struct rg_reader *reader)
{
    static const char own[] = "ridge.fence ";
    ridge_status status = rg_read_next(reader);
    const struct rg_word word = reader->lexer.word;
    if (!status && word.length == sizeof own && memcmp(word.text, own, sizeof own - 1) == 0) {
        reader->fence = (uint8_t)(word.text[sizeof own - 1] - '0') & RG_ORDERS_ALL;
    }
    status = status ? status : rg_read_next(reader);
    return status ? status : rg_read_take(reader, ";");
}

static ridge_status read_directive(struct rg_reader *reader)
{
    static const struct {
        const char *word;
        rg_space space;
    } spaces[] = {{".shared", RG_SPACE_SHARED},
                  {".local", RG_SPACE_LOCAL},
                  {".global", RG_SPACE_GLOBAL},
                  {".const", RG_SPACE_CONST}};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (rg_read_at(reader, spaces[i].word)) {
            const ridge_status status = rg_read_next(reader);
            return status ? status : rg_read_variables(reader, spaces[i].space, false);
        }
    }
    if (rg_read_at(reader, ".reg")) {
        return read_registers(reader);
    }
    if (rg_read_at(reader, ".param")) {
        return read_call_parameters(reader);
    }
    if (rg_read_at(reader, ".loc")) {
        return read_loc(reader);
    }
    if (rg_read_at(reader, ".file")) {
        return rg_read_file(reader);
    }
    if (rg_read_at(reader, ".pragma")) {
        return read_pragma(reader);
    }
    const struct rg_word *word = &reader->lexer.word;
    return rg_read_fail(reader, word, RIDGE_E_UNAVAILABLE, "the directive %.*s is not known inside a function here",
                        (int)word->length, word->text);
}

static ridge_status read_block(struct rg_reader *reader);

static ridge_status read_statement(struct rg_reader *reader)
{
    if (rg_read_at(reader, "{")) {
        return read_block(reader);
    }
    if (rg_read_at(reader, ";")) {
        return rg_read_next(reader);
    }
    if (reader->lexer.word.kind == RG_WORD_DOT) {
        return read_directive(reader);
    }
    struct rg_instruction *in = &reader->instruction;
    memset(in, 0, offsetof(struct rg_instruction, operands));
    in->operand_count = 0;
    in->part_end = RG_MAX_OPERANDS;
    ridge_status status = RIDGE_OK;
    if (rg_read_at(reader, "@")) {
        status = read_guard(reader);
    }
    const struct rg_word word = reader->lexer.word;
    if (!status && word.kind != RG_WORD_NAME) {
        return word.kind == RG_WORD_END
                   ? rg_read_take(reader, "}")
                   : rg_read_fail(reader, &word, RIDGE_E_SYNTAX, "\"%.*s\" where an instruction should be",
                                  (int)word.length, word.text);
    }
    in->opcode = word;
    status = status ? status : rg_read_next(reader);
    if (!status && rg_read_at(reader, ":") && in->guard == RG_NO_SLOT) {
        return place_label(reader, &word);
    }
    return status ? status : read_instruction(reader);
}

/**
 * The labels of a block become symbols of it, and branches in it get their places; what a branch does not find there
 * is left to the block around. Source: ptxas 13.0, which takes a label for one of its braces.
 */
static ridge_status resolve_labels(struct rg_reader *reader, size_t first_place, size_t first_fixup)
{
    for (size_t i = first_place; i < reader->place_count; i++) {
        const struct rg_word *word = &reader->places[i].word;
        const struct rg_symbol *have = rg_symbol_find(reader, word->text, word->length);
        if (have && have->kind == RG_SYMBOL_LABEL) {
            return rg_read_fail(reader, word, RIDGE_E_SYNTAX, "the label %.*s stands twice", (int)word->length,
                                word->text);
        }
        struct rg_symbol *symbol = rg_symbol_add(reader, word, RG_SYMBOL_LABEL);
        if (!symbol) {
            return rg_read_memory(reader);
        }
        symbol->op = reader->places[i].op;
    }
    size_t left = first_fixup;
    for (size_t i = first_fixup; i < reader->fixup_count; i++) {
        const struct rg_fixup fixup = reader->fixups[i];
        const struct rg_symbol *symbol = rg_symbol_find(reader, fixup.word.text, fixup.word.length);
        if (!symbol || symbol->kind != RG_SYMBOL_LABEL) {
            reader->fixups[left++] = fixup;
        } else if (fixup.target) {
            *fixup.target = symbol->op;
        } else {
            reader->ptx->ops[fixup.op].immediate = symbol->op;
        }
    }
    reader->place_count = first_place;
    reader->fixup_count = left;
    return RIDGE_OK;
}

/** { statements }: names declared inside end with it. */
static ridge_status read_block(struct rg_reader *reader)
{
    if (reader->depth == RG_MAX_DEPTH) {
        return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_LIMIT, "braces nested deeper than %d", RG_MAX_DEPTH);
    }
    const size_t scope = reader->symbol_count;
    const size_t first_place = reader->place_count;
    const size_t first_fixup = reader->fixup_count;
    reader->depth++;
    ridge_status status = rg_read_take(reader, "{");
    while (!status && !rg_read_at(reader, "}")) {
        status = read_statement(reader);
    }
    reader->depth--;
    status = status ? status : resolve_labels(reader, first_place, first_fixup);
    rg_symbol_cut(reader, scope);
    return status ? status : rg_read_take(reader, "}");
}

ridge_status rg_read_body(struct rg_reader *reader, struct rg_function *function)
{
    struct rg_ptx *ptx = reader->ptx;
    const size_t scope = reader->symbol_count;
    reader->function = function;
    reader->fixup_count = 0;
    reader->place_count = 0;
    reader->line = 0;
    reader->inlined = 0;
    reader->fence = 0;
    reader->file = 0;
    reader->homeless = 0;
    function->first_op = (uint32_t)ptx->op_count;
    ridge_status status = read_block(reader);
    if (!status) { /* running off the end is an exit or a return */
        memset(&reader->instruction, 0, offsetof(struct rg_instruction, operands));
        status = rg_decode_return(reader);
    }
    function->op_count = (uint32_t)ptx->op_count - function->first_op;
    rg_mark_guesses(ptx, function);
    if (!status && reader->fixup_count > 0) {
        const struct rg_word *word = &reader->fixups[0].word;
        status = rg_read_fail(reader, word, RIDGE_E_SYNTAX,
                              "there is no label %.*s in this function (or not in braces "
                              "around the branch)",
                              (int)word->length, word->text);
    }
    rg_symbol_cut(reader, scope);
    reader->function = NULL;
    return status;
}
