/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "engine/lanes_math.h"
#include "engine/ptx_form.h"
#include "engine/run.h"

/** The instruction as far as it was read, without its operands. */
static void write_instruction(const struct rg_instruction *in, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%.*s", (int)in->opcode.length, in->opcode.text);
    for (uint32_t i = 0; i < in->modifier_count && at < size; i++) {
        at += (size_t)snprintf(text + at, size - at, "%.*s", (int)in->modifiers[i].length, in->modifiers[i].text);
    }
}

ridge_status rg_decode_unknown(struct rg_reader *reader, const char *why)
{
    char text[200];
    write_instruction(&reader->instruction, text, sizeof text);
    return rg_read_fail(reader, &reader->instruction.opcode, RIDGE_E_UNAVAILABLE,
                        "the instruction %s is not known here%s%s", text, *why ? ": " : "", why);
}

bool rg_has(const struct rg_instruction *in, const char *modifier)
{
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        const struct rg_word *word = &in->modifiers[i];
        if (strlen(modifier) == word->length - 1 && memcmp(word->text + 1, modifier, word->length - 1) == 0) {
            return true;
        }
    }
    return false;
}

/** The types among the words, in their order. */
static void name_types(struct rg_instruction *in)
{
    in->type_count = 0;
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        const rg_type type = rg_type_find(in->modifiers[i].text + 1, in->modifiers[i].length - 1);
        if (type != RG_TYPE_COUNT) {
            in->types[in->type_count++] = type; /* no form has more than four */
        }
    }
}

static const char *refusal(const struct rg_word *word)
{
    static const struct {
        const char *start;
        const char *why;
    } refused[] = {
        {"tex", "textures are refused"},
        {"tld4", "textures are refused"},
        {"txq", "textures are refused"},
        {"istypep", "textures and surfaces are refused"},
        {"su", "surfaces are refused"},
        {"v", "video instructions are refused"},
        {"wgmma", "matrix instructions of a warp group are refused"},
        {"tcgen05", "tensor memory is refused"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const size_t length = strlen(refused[i].start);
        if (word->length >= length && memcmp(word->text, refused[i].start, length) == 0) {
            return refused[i].why;
        }
    }
    return "";
}

ridge_status rg_decode_known(struct rg_reader *reader)
{
    struct rg_instruction *in = &reader->instruction;
    const struct rg_word *stranger;
    bool known;
    in->form = rg_form_find(in, &stranger, &known);
    if (in->form) {
        name_types(in);
        return RIDGE_OK;
    }
    if (!known) {
        return rg_decode_unknown(reader, refusal(&in->opcode));
    }
    if (!stranger) {
        return rg_decode_unknown(reader, "no form of it has just these words");
    }
    char why[100];
    snprintf(why, sizeof why, "%.*s may not have %.*s", (int)(in->opcode.length > 40 ? 40 : in->opcode.length),
             in->opcode.text, (int)(stranger->length > 40 ? 40 : stranger->length), stranger->text);
    return rg_decode_unknown(reader, why);
}

ridge_status rg_decode(struct rg_reader *reader)
{
    return reader->instruction.form->decode(reader);
}

ridge_status rg_expect(struct rg_reader *reader, uint32_t least, uint32_t most)
{
    const struct rg_instruction *in = &reader->instruction;
    if (in->operand_count >= least && in->operand_count <= most) {
        return RIDGE_OK;
    }
    return rg_read_fail(reader, &in->opcode, RIDGE_E_SYNTAX, "%.*s has %u operands here (%u to %u would be right)",
                        (int)in->opcode.length, in->opcode.text, in->operand_count, least, most);
}

struct rg_op *rg_op_add(struct rg_reader *reader)
{
    struct rg_ptx *ptx = reader->ptx;
    const struct rg_instruction *in = &reader->instruction;
    if (ptx->op_count >= 1 << 24 ||
        !rg_reserve(ptx->context, &ptx->ops, &ptx->op_capacity, ptx->op_count + 1, sizeof *ptx->ops)) {
        rg_read_memory(reader);
        return NULL;
    }
    struct rg_op *op = &ptx->ops[ptx->op_count++];
    *op = (struct rg_op){.guard = in->guard, .guard_not = in->guard_not, .code = RG_CODE_COUNT};
    op->file = reader->file;
    op->line = reader->line;
    op->inlined = reader->inlined;
    op->ptx_line = in->opcode.line ? in->opcode.line : reader->lexer.word.line;
    return op;
}

ridge_status rg_op_uses(struct rg_reader *reader, struct rg_op *op, const uint32_t *reads, uint32_t read_count,
                        const uint32_t *writes, uint32_t write_count)
{
    uint32_t *slots = rg_arena_array(&reader->ptx->arena, read_count + write_count + 1U, sizeof *slots);
    if (!slots) {
        return rg_read_memory(reader);
    }
    for (uint32_t i = 0; i < read_count; i++) {
        slots[i] = reads[i];
    }
    if (op->guard != RG_NO_SLOT) {
        slots[read_count++] = op->guard;
    }
    for (uint32_t i = 0; i < write_count; i++) {
        slots[read_count + i] = writes[i];
    }
    op->uses = (struct rg_uses){read_count, write_count, slots};
    return RIDGE_OK;
}

static bool literal_bits(const struct rg_operand *operand, rg_type type, uint64_t *bits)
{
    const bool is_float = rg_types[type].kind != RG_KIND_SIGNED;
    switch (operand->kind) {
    case RG_OPERAND_INTEGER: *bits = operand->bits; return true;
    case RG_OPERAND_F32:
        *bits = type == RG_F64 ? rg_f64_bits((double)rg_f32((uint32_t)operand->bits)) : operand->bits;
        return is_float && rg_types[type].bytes >= 4;
    case RG_OPERAND_F64:
        *bits = type == RG_F32 ? rg_f32_bits((float)rg_f64(operand->bits)) : operand->bits;
        return is_float && rg_types[type].bytes >= 4;
    case RG_OPERAND_FLOAT:
        *bits = rg_types[type].bytes == 8 ? rg_f64_bits(operand->number) : rg_f32_bits((float)operand->number);
        return is_float && rg_types[type].bytes >= 4;
    case RG_OPERAND_SINK:
    case RG_OPERAND_REGISTER:
    case RG_OPERAND_VARIABLE:
    case RG_OPERAND_PARAMETER:
    case RG_OPERAND_NAME:
    case RG_OPERAND_FUNCTION:
    case RG_OPERAND_TARGETS:
    case RG_OPERAND_PROTOTYPE:
    case RG_OPERAND_VECTOR:
    case RG_OPERAND_LIST: break;
    }
    return false;
}

/** The address of a variable as a column: in its space, as mov gives it. */
static uint32_t variable_column(struct rg_reader *reader, const struct rg_operand *operand, uint32_t bytes)
{
    const struct rg_fill fill = {RG_FILL_ADDRESS, operand->index, (int64_t)operand->bits, 0,
                                 bytes,           false,          reader->function};
    return rg_slot_fill(reader, &fill);
}

uint32_t rg_source_any(struct rg_reader *reader, const struct rg_operand *operand, rg_type type, uint32_t *bytes)
{
    uint64_t bits = 0;
    *bytes = rg_register_bytes(type);
    if (operand->address || operand->negated) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "a register or number should be here");
        return RG_NO_SLOT;
    }
    if (operand->kind == RG_OPERAND_REGISTER) {
        *bytes = rg_register_bytes(operand->type);
        if ((operand->type == RG_PRED) == (type == RG_PRED)) {
            return operand->slot;
        }
    } else if (operand->kind == RG_OPERAND_VARIABLE && *bytes >= 4 && type != RG_PRED) {
        return variable_column(reader, operand, *bytes);
    } else if (operand->kind == RG_OPERAND_FUNCTION && *bytes == 8) {
        if (operand->symbol->function->entry) {
            rg_decode_unknown(reader, "kernels that launch kernels are refused");
            return RG_NO_SLOT;
        }
        bits = rg_function_address(reader, operand->symbol->function);
        return bits ? rg_slot_bits(reader, bits, 8) : RG_NO_SLOT;
    } else if (type != RG_PRED && literal_bits(operand, type, &bits)) {
        return rg_slot_bits(reader, bits, *bytes);
    }
    rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s does not fit here (a %s would be right)",
                 (int)operand->word.length, operand->word.text, rg_types[type].word);
    return RG_NO_SLOT;
}

uint32_t rg_source(struct rg_reader *reader, const struct rg_operand *operand, rg_type type)
{
    uint32_t bytes;
    const uint32_t slot = rg_source_any(reader, operand, type, &bytes);
    if (slot != RG_NO_SLOT && bytes != rg_register_bytes(type)) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s has %u bits where %u should be",
                     (int)operand->word.length, operand->word.text, bytes * 8, rg_register_bytes(type) * 8);
        return RG_NO_SLOT;
    }
    return slot;
}

uint32_t rg_target(struct rg_reader *reader, const struct rg_operand *operand, uint32_t bytes)
{
    if (operand->kind != RG_OPERAND_REGISTER || operand->address || operand->negated || operand->special) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "a register that is written should be here");
        return RG_NO_SLOT;
    }
    const uint32_t have = operand->type == RG_PRED ? 0 : rg_register_bytes(operand->type);
    if (have != bytes) {
        rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "%.*s is no register of %u bits",
                     (int)operand->word.length, operand->word.text, bytes * 8);
        return RG_NO_SLOT;
    }
    return operand->slot;
}
