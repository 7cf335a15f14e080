/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "engine/ptx_code.h"
#include "engine/ptx_read.h"
#include "engine/run.h"

static bool types_float(const struct rg_instruction *in)
{
    return in->type_count > 0 && rg_types[in->types[0]].kind == RG_KIND_FLOAT;
}

/** Words that do not choose the operation: what they ask for is done around it, or changes nothing. */
static bool is_around(const struct rg_instruction *in, const struct rg_word *word)
{
    static const char *const words[] = {".rn", ".rz", ".rm", ".rp", ".ftz", ".full"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (rg_word_is(word, words[i])) {
            return true;
        }
    }
    return (rg_word_is(word, ".approx") && !rg_word_is(&in->opcode, "div")) ||
           (rg_word_is(word, ".sat") && types_float(in));
}

static void make_key(const struct rg_instruction *in, char *key, size_t size)
{
    size_t at = (size_t)snprintf(key, size, "%.*s", (int)in->opcode.length, in->opcode.text);
    for (uint32_t i = 0; i < in->modifier_count && at < size; i++) {
        const struct rg_word *word = &in->modifiers[i];
        if (!is_around(in, word)) {
            at += (size_t)snprintf(key + at, size - at, "_%.*s", (int)word->length - 1, word->text + 1);
        }
    }
}

/** What is done around the plain operation. */
static uint8_t around_of(const struct rg_instruction *in)
{
    uint8_t around = 0;
    around |= rg_has(in, "rz") ? RG_AROUND_ZERO : 0;
    around |= rg_has(in, "rm") ? RG_AROUND_DOWN : 0;
    around |= rg_has(in, "rp") ? RG_AROUND_UP : 0;
    const bool moves = rg_word_is(&in->opcode, "slct"); /* only what it compares is flushed */
    around |= !rg_has(in, "ftz") ? 0 : moves ? RG_AROUND_FLUSH_SOURCES : RG_AROUND_FLUSH;
    around |= rg_has(in, "sat") && types_float(in) ? RG_AROUND_SATURATE : 0;
    return around;
}

ridge_status rg_decode_code(struct rg_reader *reader, rg_code code, uint8_t around)
{
    const struct rg_instruction *in = &reader->instruction;
    const struct rg_code_facts *facts = &rg_codes[code];
    uint32_t reads[3] = {0};
    for (uint32_t i = 0; i < facts->sources; i++) {
        reads[i] = rg_source(reader, &in->operands[i + 1], (rg_type)facts->types[i + 1]);
        if (reads[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    const uint32_t target = rg_target(reader, &in->operands[0], facts->bytes[0]);
    struct rg_op *op = target == RG_NO_SLOT ? NULL : rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    op->code = (uint16_t)code;
    op->class = facts->class;
    op->d = target;
    op->a = reads[0];
    op->b = facts->sources > 1 ? reads[1] : RG_NO_SLOT;
    op->c = facts->sources > 2 ? reads[2] : RG_NO_SLOT;
    op->around = around;
    op->type = (uint8_t)(in->type_count ? in->types[0] : RG_U32);
    op->run = around ? rg_run_around : NULL;
    return rg_op_uses(reader, op, reads, facts->sources, &target, 1);
}

ridge_status rg_decode_plain(struct rg_reader *reader)
{
    struct rg_instruction *in = &reader->instruction;
    char key[128];
    if (rg_has(in, "cc")) {
        return rg_decode_carry(reader);
    }
    if (in->type_count == 1 && in->types[0] == RG_PRED) {
        char opcode[16];
        snprintf(opcode, sizeof opcode, "%.*s", (int)in->opcode.length, in->opcode.text);
        return rg_decode_predicate(reader, opcode);
    }
    make_key(in, key, sizeof key);
    const rg_code code = rg_code_in(reader->codes, key);
    if (code == RG_CODE_COUNT) {
        return rg_decode_unknown(reader, "");
    }
    const uint32_t more = code == RG_CODE_lop3_b32;
    const ridge_status status =
        rg_expect(reader, rg_codes[code].sources + 1U + more, rg_codes[code].sources + 1U + more);
    if (status) {
        return status;
    }
    const uint8_t around = around_of(in);
    if (more && in->operands[4].kind != RG_OPERAND_INTEGER) {
        return rg_read_fail(reader, &in->operands[4].word, RIDGE_E_SYNTAX, "the table of lop3 is a number");
    }
    const ridge_status decoded = rg_decode_code(reader, code, around);
    if (!decoded && more) {
        reader->ptx->ops[reader->ptx->op_count - 1].immediate = (int64_t)(in->operands[4].bits & 0xff);
    }
    return decoded;
}

/** A predicate as a source: a register, or 0 and 1 as literals. */
static uint32_t predicate_source(struct rg_reader *reader, const struct rg_operand *operand)
{
    if (operand->kind == RG_OPERAND_INTEGER && !operand->address) {
        return rg_slot_bits(reader, operand->bits ? 0xffffffffU : 0, 4);
    }
    if (operand->kind == RG_OPERAND_REGISTER && operand->type == RG_PRED) {
        return operand->slot;
    }
    rg_read_fail(reader, &operand->word, RIDGE_E_SYNTAX, "a predicate register should be here");
    return RG_NO_SLOT;
}

enum {
    PREDICATE_AND,
    PREDICATE_OR,
    PREDICATE_XOR,
    PREDICATE_NOT,
    PREDICATE_MOVE
};

ridge_status rg_decode_predicate(struct rg_reader *reader, const char *opcode)
{
    static const char *const names[] = {"and", "or", "xor", "not", "mov"};
    const struct rg_instruction *in = &reader->instruction;
    uint32_t reads[2] = {0};
    unsigned which = 0;
    while (strcmp(names[which], opcode) != 0) {
        which++;
    }
    const uint32_t sources = which < PREDICATE_NOT ? 2 : 1;
    const ridge_status status = rg_expect(reader, sources + 1, sources + 1);
    for (uint32_t i = 0; !status && i < sources; i++) {
        reads[i] = predicate_source(reader, &in->operands[i + 1]);
        if (reads[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    const uint32_t target = status ? RG_NO_SLOT : rg_target(reader, &in->operands[0], 0);
    struct rg_op *op = target == RG_NO_SLOT ? NULL : rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    op->run = rg_run_predicate;
    op->class = which == PREDICATE_MOVE ? RG_CLASS_MOVE : RG_CLASS_INTEGER;
    op->mode = (uint8_t)which;
    op->d = target;
    op->a = reads[0];
    op->b = reads[1];
    op->mode2 = (uint8_t)(in->operands[1].negated | (sources > 1 && in->operands[2].negated) << 1);
    return rg_op_uses(reader, op, reads, sources, &target, 1);
}

/** The comparison that an instruction names, by its words and the type of its sources. */
static rg_code comparison(struct rg_reader *reader, rg_type type)
{
    const struct rg_instruction *in = &reader->instruction;
    char key[64];
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        const struct rg_word *word = &in->modifiers[i];
        snprintf(key, sizeof key, "is_%.*s_%s", (int)word->length - 1, word->text + 1, rg_types[type].word);
        const rg_code code = rg_code_in(reader->codes, key);
        if (code != RG_CODE_COUNT) {
            return code;
        }
    }
    return RG_CODE_COUNT;
}

static uint8_t joining(const struct rg_instruction *in)
{
    return rg_has(in, "and") ? 1 : rg_has(in, "or") ? 2 : rg_has(in, "xor") ? 3 : 0;
}

/** The parts that setp and set share: comparison, sources, the predicate that is joined. */
static ridge_status decode_comparison(struct rg_reader *reader, rg_type type, uint32_t first, uint32_t slots[3],
                                      struct rg_op *made)
{
    const struct rg_instruction *in = &reader->instruction;
    const rg_code code = comparison(reader, type);
    const uint8_t join = joining(in);
    const ridge_status status = rg_expect(reader, first + 2 + (join != 0), first + 2 + (join != 0));
    if (status) {
        return status;
    }
    slots[0] = rg_source(reader, &in->operands[first], type);
    slots[1] = slots[0] == RG_NO_SLOT ? RG_NO_SLOT : rg_source(reader, &in->operands[first + 1], type);
    slots[2] = !join || slots[1] == RG_NO_SLOT ? slots[1] : predicate_source(reader, &in->operands[first + 2]);
    if (slots[2] == RG_NO_SLOT) {
        return reader->error->status;
    }
    made->code = (uint16_t)code;
    made->class = rg_codes[code].class;
    made->a = slots[0];
    made->b = slots[1];
    made->c = join ? slots[2] : RG_NO_SLOT;
    made->mode = join;
    made->mode2 = join && in->operands[first + 2].negated;
    made->around = rg_has(in, "ftz") ? RG_AROUND_FLUSH : 0;
    return RIDGE_OK;
}

static ridge_status add_comparison(struct rg_reader *reader, const struct rg_op *made, const uint32_t slots[3],
                                   const uint32_t *writes, uint32_t write_count)
{
    struct rg_op *op = rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    op->code = made->code;
    op->class = made->class;
    op->a = made->a;
    op->b = made->b;
    op->c = made->c;
    op->mode = made->mode;
    op->mode2 = made->mode2;
    op->around = made->around;
    op->d = made->d;
    op->extra = made->extra;
    op->type = made->type;
    op->run = made->run;
    return rg_op_uses(reader, op, slots, made->mode ? 3 : 2, writes, write_count);
}

/** set and setp on pairs of halves. */
static ridge_status decode_pair_comparison(struct rg_reader *reader, bool set)
{
    static const char *const words[RG_PAIR_COUNT] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                                     "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
    const struct rg_instruction *in = &reader->instruction;
    const rg_type type = in->types[in->type_count - 1];
    const bool integer = rg_types[in->types[0]].kind != RG_KIND_FLOAT;
    struct rg_op made = {.run = rg_run_pair_compare, .class = RG_CLASS_HALF, .type = (uint8_t)type};
    for (unsigned i = 0; i < RG_PAIR_COUNT; i++) {
        made.mode = rg_has(in, words[i]) ? (uint8_t)i : made.mode;
    }
    made.mode2 = joining(in);
    made.around = rg_has(in, "ftz") ? RG_AROUND_FLUSH : 0;
    const uint32_t count = 3U + (made.mode2 != 0);
    const ridge_status status = rg_expect(reader, count, count);
    if (status) {
        return status;
    }
    made.a = rg_source(reader, &in->operands[1], RG_B32);
    made.b = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_source(reader, &in->operands[2], RG_B32);
    made.d = made.b == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], set ? 4 : 0);
    if (made.d != RG_NO_SLOT && made.mode2) {
        made.c = predicate_source(reader, &in->operands[3]);
        made.bytes = in->operands[3].negated;
    }
    if (made.d == RG_NO_SLOT || (made.mode2 && made.c == RG_NO_SLOT)) {
        return reader->error->status;
    }
    made.extra = set ? RG_NO_SLOT : in->operands[0].slot2;
    made.register_bytes = set ? 4 : 0;
    made.immediate = integer ? 0xffff : type == RG_BF16X2 ? 0x3f80 : 0x3c00;
    const uint32_t reads[3] = {made.a, made.b, made.c};
    const uint32_t writes[2] = {made.d, made.extra};
    return rg_op_from(reader, &made, reads, made.mode2 ? 3 : 2, writes, made.extra == RG_NO_SLOT ? 1 : 2);
}

static bool is_pair(const struct rg_instruction *in)
{
    const rg_type type = in->type_count ? in->types[in->type_count - 1] : RG_PRED;
    return type == RG_F16X2 || type == RG_BF16X2;
}

ridge_status rg_decode_setp(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_setp};
    uint32_t slots[3];
    if (is_pair(in)) {
        return decode_pair_comparison(reader, false);
    }
    const ridge_status status = decode_comparison(reader, in->types[0], 1, slots, &made);
    if (status) {
        return status;
    }
    const struct rg_operand *target = &in->operands[0];
    if (target->kind != RG_OPERAND_SINK) {
        made.d = rg_target(reader, target, 0);
        if (made.d == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    if (target->slot2 != RG_NO_SLOT && target->type2 != RG_PRED) {
        return rg_read_fail(reader, &target->word, RIDGE_E_SYNTAX, "two predicates should be here");
    }
    made.extra = target->slot2;
    const uint32_t writes[2] = {made.d, made.extra};
    return add_comparison(reader, &made, slots, writes, made.extra == RG_NO_SLOT ? 1 : 2);
}

ridge_status rg_decode_set(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_set};
    uint32_t slots[3];
    if (is_pair(in)) {
        return decode_pair_comparison(reader, true);
    }
    const ridge_status status = decode_comparison(reader, in->types[1], 1, slots, &made);
    if (status) {
        return status;
    }
    made.type = (uint8_t)in->types[0];
    made.d = rg_target(reader, &in->operands[0], rg_register_bytes(in->types[0]));
    return made.d == RG_NO_SLOT ? reader->error->status : add_comparison(reader, &made, slots, &made.d, 1);
}

ridge_status rg_decode_testp(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_setp};
    const ridge_status status = rg_expect(reader, 2, 2);
    if (status) {
        return status;
    }
    const rg_code code = comparison(reader, in->types[0]);
    made.code = (uint16_t)code;
    made.class = rg_codes[code].class;
    made.a = rg_source(reader, &in->operands[1], in->types[0]);
    made.b = made.a;
    made.d = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], 0);
    const uint32_t slots[3] = {made.a, made.a};
    return made.d == RG_NO_SLOT ? reader->error->status : add_comparison(reader, &made, slots, &made.d, 1);
}

ridge_status rg_decode_selp(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const ridge_status status = rg_expect(reader, 4, 4);
    if (status) {
        return status;
    }
    const rg_type type = in->types[0];
    const uint32_t bytes = rg_types[type].bytes;
    uint32_t reads[3];
    reads[0] = rg_source(reader, &in->operands[1], type);
    reads[1] = reads[0] == RG_NO_SLOT ? RG_NO_SLOT : rg_source(reader, &in->operands[2], type);
    reads[2] = reads[1] == RG_NO_SLOT ? RG_NO_SLOT : predicate_source(reader, &in->operands[3]);
    const uint32_t target = reads[2] == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], bytes);
    struct rg_op *op = target == RG_NO_SLOT ? NULL : rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    op->code = bytes == 8 ? RG_CODE_select_64 : bytes == 4 ? RG_CODE_select_32 : RG_CODE_select_16;
    op->class = RG_CLASS_INTEGER;
    op->d = target;
    op->a = reads[0];
    op->b = reads[1];
    op->c = reads[2];
    op->mode = in->operands[3].negated;
    return rg_op_uses(reader, op, reads, 3, &target, 1);
}

/** mov between a register and its parts: mov.b64 {lo, hi}, d and back. */
static ridge_status decode_parts(struct rg_reader *reader, bool unpack)
{
    const struct rg_instruction *in = &reader->instruction;
    const struct rg_operand *vector = &in->operands[unpack ? 0 : 1];
    const uint32_t bytes = rg_types[in->types[0]].bytes;
    const uint32_t part = vector->count ? bytes / vector->count : 0;
    uint32_t *slots = rg_arena_array(&reader->ptx->arena, vector->count + 1U, sizeof *slots);
    if (!slots) {
        return rg_read_memory(reader);
    }
    if (part * vector->count != bytes || part < 1 || bytes > 8) {
        return rg_decode_unknown(reader, "the parts do not make up the whole");
    }
    for (uint32_t i = 0; i < vector->count; i++) {
        const struct rg_operand *element = &in->operands[vector->first + i];
        if (unpack && element->kind == RG_OPERAND_SINK) {
            continue;
        }
        const rg_type type = part == 4 ? RG_B32 : part == 2 ? RG_B16 : RG_B8;
        slots[i] = unpack ? rg_target(reader, element, part < 2 ? 2 : part) : rg_source(reader, element, type);
        if (slots[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    const uint32_t whole =
        unpack ? rg_source(reader, &in->operands[1], in->types[0]) : rg_target(reader, &in->operands[0], bytes);
    struct rg_op *op = whole == RG_NO_SLOT ? NULL : rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    op->run = unpack ? rg_run_unpack : rg_run_pack;
    op->class = RG_CLASS_MOVE;
    op->list = slots;
    op->list_count = vector->count;
    op->bytes = (uint8_t)part;
    op->register_bytes = (uint8_t)bytes;
    op->d = whole;
    op->a = whole;
    return unpack ? rg_op_uses(reader, op, &whole, 1, slots, vector->count)
                  : rg_op_uses(reader, op, slots, vector->count, &whole, 1);
}

static ridge_status decode_clock(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_clock, .class = RG_CLASS_MOVE, .marks = RG_MARK_UNKNOWN};
    made.register_bytes = (uint8_t)rg_types[in->types[0]].bytes;
    made.d = rg_target(reader, &in->operands[0], made.register_bytes);
    return made.d == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, NULL, 0, &made.d, 1);
}

ridge_status rg_decode_mov(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const ridge_status status = rg_expect(reader, 2, 2);
    if (status) {
        return status;
    }
    if (in->operands[0].kind == RG_OPERAND_VECTOR || in->operands[1].kind == RG_OPERAND_VECTOR) {
        return decode_parts(reader, in->operands[0].kind == RG_OPERAND_VECTOR);
    }
    if (in->operands[1].clock) {
        return decode_clock(reader);
    }
    if (in->operands[1].kind == RG_OPERAND_PARAMETER) {
        return rg_decode_parameter_address(reader);
    }
    return rg_decode_plain(reader);
}

ridge_status rg_decode_bfi(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const ridge_status status = rg_expect(reader, 5, 5);
    if (status) {
        return status;
    }
    const rg_type types[4] = {in->types[0], in->types[0], RG_U32, RG_U32};
    uint32_t reads[4];
    for (uint32_t i = 0; i < 4; i++) {
        reads[i] = rg_source(reader, &in->operands[i + 1], types[i]);
        if (reads[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    const uint32_t bytes = rg_types[in->types[0]].bytes;
    const uint32_t target = rg_target(reader, &in->operands[0], bytes);
    struct rg_op *op = target == RG_NO_SLOT ? NULL : rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    op->run = rg_run_bfi;
    op->class = RG_CLASS_INTEGER;
    op->d = target;
    op->a = reads[0];
    op->b = reads[1];
    op->c = reads[2];
    op->extra = reads[3];
    op->register_bytes = (uint8_t)bytes;
    return rg_op_uses(reader, op, reads, 4, &target, 1);
}

/** add.cc, addc, sub.cc, subc, mad.lo.cc, madc: the condition code is one a lane. */
ridge_status rg_decode_carry(struct rg_reader *reader)
{
    static const struct {
        const char *opcode;
        rg_carry_kind kind;
        uint32_t sources;
    } kinds[] = {{"add", RG_CARRY_ADD, 2},  {"addc", RG_CARRY_ADD, 2}, {"sub", RG_CARRY_SUB, 2},
                 {"subc", RG_CARRY_SUB, 2}, {"mad", RG_CARRY_MAD, 3},  {"madc", RG_CARRY_MAD, 3}};
    const struct rg_instruction *in = &reader->instruction;
    unsigned which = 0;
    while (!rg_word_is(&in->opcode, kinds[which].opcode)) {
        which++;
    }
    const uint32_t sources = kinds[which].sources;
    const ridge_status status = rg_expect(reader, sources + 1, sources + 1);
    const rg_type type = in->types[0];
    if (status) {
        return status;
    }
    uint32_t reads[3] = {0};
    for (uint32_t i = 0; i < sources; i++) {
        reads[i] = rg_source(reader, &in->operands[i + 1], type);
        if (reads[i] == RG_NO_SLOT) {
            return reader->error->status;
        }
    }
    const uint32_t target = rg_target(reader, &in->operands[0], rg_types[type].bytes);
    struct rg_op *op = target == RG_NO_SLOT ? NULL : rg_op_add(reader);
    if (!op) {
        return reader->error->status;
    }
    op->run = rg_run_carry;
    op->class = RG_CLASS_INTEGER;
    op->type = (uint8_t)type;
    op->mode = (uint8_t)kinds[which].kind;
    op->mode2 = (uint8_t)((which & 1 ? RG_CARRY_IN : 0) | (rg_has(in, "cc") ? RG_CARRY_OUT : 0) |
                          (rg_has(in, "hi") ? RG_CARRY_HIGH : 0));
    op->register_bytes = (uint8_t)rg_types[type].bytes;
    op->d = target;
    op->a = reads[0];
    op->b = reads[1];
    op->c = reads[2];
    return rg_op_uses(reader, op, reads, sources, &target, 1);
}
