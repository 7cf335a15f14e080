/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ptx_read.h"

/** Special registers. Source: PTX ISA, chapter "Special Registers". */
static const struct {
    const char *name;
    const char *part; /**< "": none */
    rg_special special;
    rg_type type;
} specials[] = {
    {"%tid", ".x", RG_SPECIAL_TID_X, RG_U32},
    {"%tid", ".y", RG_SPECIAL_TID_Y, RG_U32},
    {"%tid", ".z", RG_SPECIAL_TID_Z, RG_U32},
    {"%ntid", ".x", RG_SPECIAL_NTID_X, RG_U32},
    {"%ntid", ".y", RG_SPECIAL_NTID_Y, RG_U32},
    {"%ntid", ".z", RG_SPECIAL_NTID_Z, RG_U32},
    {"%ctaid", ".x", RG_SPECIAL_CTAID_X, RG_U32},
    {"%ctaid", ".y", RG_SPECIAL_CTAID_Y, RG_U32},
    {"%ctaid", ".z", RG_SPECIAL_CTAID_Z, RG_U32},
    {"%nctaid", ".x", RG_SPECIAL_NCTAID_X, RG_U32},
    {"%nctaid", ".y", RG_SPECIAL_NCTAID_Y, RG_U32},
    {"%nctaid", ".z", RG_SPECIAL_NCTAID_Z, RG_U32},
    {"%laneid", "", RG_SPECIAL_LANEID, RG_U32},
    {"%warpid", "", RG_SPECIAL_WARPID, RG_U32},
    {"%nwarpid", "", RG_SPECIAL_NWARPID, RG_U32},
    {"%smid", "", RG_SPECIAL_ZERO, RG_U32},
    {"%nsmid", "", RG_SPECIAL_ONE, RG_U32},
    {"%gridid", "", RG_SPECIAL_ZERO, RG_U64},
    {"%lanemask_eq", "", RG_SPECIAL_LANEMASK_EQ, RG_U32},
    {"%lanemask_lt", "", RG_SPECIAL_LANEMASK_LT, RG_U32},
    {"%lanemask_le", "", RG_SPECIAL_LANEMASK_LE, RG_U32},
    {"%lanemask_gt", "", RG_SPECIAL_LANEMASK_GT, RG_U32},
    {"%lanemask_ge", "", RG_SPECIAL_LANEMASK_GE, RG_U32},
    /* A launch without clusters: each block is one. */
    {"%cluster_ctaid", ".x", RG_SPECIAL_ZERO, RG_U32},
    {"%cluster_ctaid", ".y", RG_SPECIAL_ZERO, RG_U32},
    {"%cluster_ctaid", ".z", RG_SPECIAL_ZERO, RG_U32},
    {"%cluster_nctaid", ".x", RG_SPECIAL_ONE, RG_U32},
    {"%cluster_nctaid", ".y", RG_SPECIAL_ONE, RG_U32},
    {"%cluster_nctaid", ".z", RG_SPECIAL_ONE, RG_U32},
    {"%cluster_ctarank", "", RG_SPECIAL_ZERO, RG_U32},
    {"%cluster_nctarank", "", RG_SPECIAL_ONE, RG_U32},
    {"%clusterid", ".x", RG_SPECIAL_CTAID_X, RG_U32},
    {"%clusterid", ".y", RG_SPECIAL_CTAID_Y, RG_U32},
    {"%clusterid", ".z", RG_SPECIAL_CTAID_Z, RG_U32},
    {"%nclusterid", ".x", RG_SPECIAL_NCTAID_X, RG_U32},
    {"%nclusterid", ".y", RG_SPECIAL_NCTAID_Y, RG_U32},
    {"%nclusterid", ".z", RG_SPECIAL_NCTAID_Z, RG_U32},
    {"%dynamic_smem_size", "", RG_SPECIAL_DYNAMIC_SHARED, RG_U32},
    {"%total_smem_size", "", RG_SPECIAL_TOTAL_SHARED, RG_U32},
    {"%clock", "", RG_SPECIAL_CLOCK, RG_U32},
    {"%clock_hi", "", RG_SPECIAL_ZERO, RG_U32},
    {"%clock64", "", RG_SPECIAL_CLOCK, RG_U64},
    {"%globaltimer", "", RG_SPECIAL_CLOCK, RG_U64},
    {"%globaltimer_lo", "", RG_SPECIAL_CLOCK, RG_U32},
    {"%globaltimer_hi", "", RG_SPECIAL_ZERO, RG_U32},
};

static ridge_status read_special(struct rg_reader *reader, struct rg_operand *operand)
{
    const struct rg_word name = operand->word;
    const struct rg_word part = reader->lexer.word;
    const bool dotted = part.kind == RG_WORD_DOT;
    if (name.length >= 6 && memcmp(name.text, "%envreg", 6) == 0) {
        operand->kind = RG_OPERAND_INTEGER; /* set by drivers; 0 without one */
        return RIDGE_OK;
    }
    if (name.length >= 21 && memcmp(name.text, "%reserved_smem_offset", 21) == 0) {
        operand->kind = RG_OPERAND_INTEGER; /* shared memory that a debugger keeps: none */
        return RIDGE_OK;
    }
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
        if (rg_word_is(&name, specials[i].name) &&
            (dotted ? rg_word_is(&part, specials[i].part) : !*specials[i].part)) {
            const uint32_t bytes = rg_types[specials[i].type].bytes;
            const struct rg_fill fill = {RG_FILL_SPECIAL, specials[i].special, 0, 0, bytes, false, reader->function};
            operand->kind = RG_OPERAND_REGISTER;
            operand->type = specials[i].type;
            operand->special = true;
            operand->clock = specials[i].special == RG_SPECIAL_CLOCK;
            operand->slot = rg_slot_fill(reader, &fill);
            if (operand->slot == RG_NO_SLOT) {
                return RIDGE_E_LIMIT;
            }
            return dotted ? rg_read_next(reader) : RIDGE_OK;
        }
    }
    return rg_read_fail(reader, &name, RIDGE_E_UNAVAILABLE,
                        "%.*s%.*s is no register of this function nor a special one known here", (int)name.length,
                        name.text, dotted ? (int)part.length : 0, part.text);
}

/** %r12: the twelfth of a range %r<20>. */
static struct rg_symbol *find_in_range(struct rg_reader *reader, const struct rg_word *word, uint32_t *index)
{
    uint32_t stem = word->length;
    uint64_t scale = 1;
    uint64_t value = 0;
    while (stem > 0 && word->text[stem - 1] >= '0' && word->text[stem - 1] <= '9' && scale < 1000000000) {
        value += scale * (uint64_t)(word->text[--stem] - '0');
        scale *= 10;
    }
    if (stem == word->length || stem == 0) {
        return NULL;
    }
    struct rg_symbol *symbol = rg_symbol_find(reader, word->text, stem);
    *index = (uint32_t)value;
    return symbol && symbol->kind == RG_SYMBOL_REGISTER && value < symbol->count ? symbol : NULL;
}

static ridge_status use_register(struct rg_reader *reader, struct rg_operand *operand, struct rg_symbol *symbol,
                                 uint32_t index)
{
    operand->kind = RG_OPERAND_REGISTER;
    operand->type = symbol->type;
    if (symbol->slots[index] == RG_NO_SLOT) {
        symbol->slots[index] = rg_slot_new(reader, rg_register_bytes(symbol->type));
    }
    operand->slot = symbol->slots[index];
    return operand->slot == RG_NO_SLOT ? RIDGE_E_LIMIT : RIDGE_OK;
}

/** [+-] number behind a name. */
static ridge_status read_addend(struct rg_reader *reader, struct rg_operand *operand)
{
    ridge_status status = RIDGE_OK;
    while (!status && (rg_read_at(reader, "+") || rg_read_at(reader, "-"))) {
        bool minus = rg_read_at(reader, "-");
        uint64_t value = 0;
        status = rg_read_next(reader);
        if (!status && rg_read_at(reader, "-")) {
            minus = !minus;
            status = rg_read_next(reader);
        }
        status = status ? status : rg_read_integer(reader, &value);
        operand->bits += minus ? 0 - value : value;
    }
    return status;
}

static ridge_status read_name(struct rg_reader *reader, struct rg_operand *operand)
{
    const struct rg_word word = reader->lexer.word;
    uint32_t index = 0;
    ridge_status status = rg_read_next(reader);
    if (status) {
        return status;
    }
    if (rg_word_is(&word, "_")) {
        operand->kind = RG_OPERAND_SINK;
        return RIDGE_OK;
    }
    if (rg_word_is(&word, "WARP_SZ")) {
        operand->kind = RG_OPERAND_INTEGER;
        operand->bits = RG_LANES;
        return RIDGE_OK;
    }
    struct rg_symbol *symbol = rg_symbol_find(reader, word.text, word.length);
    if (!symbol) {
        symbol = find_in_range(reader, &word, &index);
    }
    if (!symbol) {
        operand->kind = RG_OPERAND_NAME;
        return word.text[0] == '%' ? read_special(reader, operand) : RIDGE_OK;
    }
    operand->symbol = symbol;
    switch (symbol->kind) {
    case RG_SYMBOL_REGISTER: return use_register(reader, operand, symbol, index);
    case RG_SYMBOL_VARIABLE: operand->kind = RG_OPERAND_VARIABLE; break;
    case RG_SYMBOL_PARAMETER: operand->kind = RG_OPERAND_PARAMETER; break;
    case RG_SYMBOL_FUNCTION: operand->kind = RG_OPERAND_FUNCTION; break;
    case RG_SYMBOL_TARGETS: operand->kind = RG_OPERAND_TARGETS; break;
    case RG_SYMBOL_PROTOTYPE: operand->kind = RG_OPERAND_PROTOTYPE; break;
    case RG_SYMBOL_LABEL: operand->kind = RG_OPERAND_NAME; break;
    }
    operand->index = symbol->index;
    return RIDGE_OK;
}

static ridge_status read_literal(struct rg_reader *reader, struct rg_operand *operand)
{
    const bool minus = rg_read_at(reader, "-");
    const bool inverted = rg_read_at(reader, "~");
    ridge_status status = minus || inverted ? rg_read_next(reader) : RIDGE_OK;
    const struct rg_word word = reader->lexer.word;
    if (status) {
        return status;
    }
    switch (word.kind) {
    case RG_WORD_INTEGER:
        operand->kind = RG_OPERAND_INTEGER;
        operand->bits = minus ? 0 - word.bits : inverted ? ~word.bits : word.bits;
        break;
    case RG_WORD_FLOAT:
        operand->kind = RG_OPERAND_FLOAT;
        operand->number = minus ? -word.number : word.number;
        break;
    case RG_WORD_F32:
        operand->kind = RG_OPERAND_F32;
        operand->bits = word.bits ^ (minus ? 0x80000000U : 0);
        break;
    case RG_WORD_F64:
        operand->kind = RG_OPERAND_F64;
        operand->bits = word.bits ^ (minus ? (uint64_t)1 << 63 : 0);
        break;
    case RG_WORD_END:
    case RG_WORD_NAME:
    case RG_WORD_DOT:
    case RG_WORD_STRING:
    case RG_WORD_MARK:
        return rg_read_fail(reader, &word, RIDGE_E_SYNTAX,
                            "an operand should be here (a register, number, name or [address])");
    }
    return rg_read_next(reader);
}

/** Operands up to a closing mark, as parts of this one. */
static ridge_status read_parts(struct rg_reader *reader, struct rg_operand *operand, const char *closing)
{
    struct rg_instruction *in = &reader->instruction;
    ridge_status status = rg_read_next(reader);
    struct rg_operand parts[16];
    while (!status && !rg_read_at(reader, closing)) {
        if (operand->count == sizeof parts / sizeof parts[0]) {
            return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_UNAVAILABLE, "more than 16 parts in one operand");
        }
        if (rg_read_at(reader, "{") || rg_read_at(reader, "(") || rg_read_at(reader, "[")) {
            return rg_read_fail(reader, &reader->lexer.word, RIDGE_E_SYNTAX, "an operand inside an operand");
        }
        status = rg_read_operand(reader, &parts[operand->count]);
        operand->count++;
        if (!status && !rg_read_at(reader, closing)) {
            status = rg_read_take(reader, ",");
        }
    }
    if (status) {
        return status;
    }
    if (in->part_end < operand->count + in->operand_count) {
        return rg_read_fail(reader, &operand->word, RIDGE_E_UNAVAILABLE, "too many operands");
    }
    in->part_end -= operand->count; /* parts grow from the far end */
    operand->first = in->part_end;
    memcpy(&in->operands[operand->first], parts, operand->count * sizeof parts[0]);
    return rg_read_next(reader);
}

static ridge_status read_address(struct rg_reader *reader, struct rg_operand *operand)
{
    ridge_status status = rg_read_next(reader);
    if (!status && reader->lexer.word.kind == RG_WORD_NAME) {
        status = read_name(reader, operand);
        status = status ? status : read_addend(reader, operand);
    } else {
        status = status ? status : read_literal(reader, operand);
    }
    operand->address = true;
    return status ? status : rg_read_take(reader, "]");
}

ridge_status rg_read_operand(struct rg_reader *reader, struct rg_operand *operand)
{
    *operand = (struct rg_operand){.word = reader->lexer.word};
    if (rg_read_at(reader, "{")) {
        operand->kind = RG_OPERAND_VECTOR;
        return read_parts(reader, operand, "}");
    }
    if (rg_read_at(reader, "(")) {
        operand->kind = RG_OPERAND_LIST;
        return read_parts(reader, operand, ")");
    }
    if (rg_read_at(reader, "[")) {
        return read_address(reader, operand);
    }
    ridge_status status = RIDGE_OK;
    if (rg_read_at(reader, "!")) {
        operand->negated = true;
        status = rg_read_next(reader);
        operand->word = reader->lexer.word;
    }
    if (status || reader->lexer.word.kind != RG_WORD_NAME) {
        return status ? status : read_literal(reader, operand);
    }
    status = read_name(reader, operand);
    if (!status && operand->kind != RG_OPERAND_REGISTER) {
        return read_addend(reader, operand);
    }
    if (!status && rg_read_at(reader, "|")) {
        struct rg_operand second = {0};
        status = rg_read_next(reader);
        second.word = reader->lexer.word;
        status = status ? status : read_name(reader, &second);
        if (!status && second.kind != RG_OPERAND_REGISTER && second.kind != RG_OPERAND_SINK) {
            return rg_read_fail(reader, &second.word, RIDGE_E_SYNTAX, "a register should be here");
        }
        operand->slot2 = second.slot;
        operand->type2 = second.type;
    }
    return status;
}
