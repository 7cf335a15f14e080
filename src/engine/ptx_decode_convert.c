/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "engine/ptx_code.h"
#include "engine/ptx_read.h"
#include "engine/run.h"

static rg_convert_rounding rounding_of(const struct rg_instruction *in)
{
    static const struct {
        const char *word;
        rg_convert_rounding rounding;
    } words[] = {{"rn", RG_CONVERT_NEAREST},       {"rz", RG_CONVERT_ZERO},
                 {"rm", RG_CONVERT_DOWN},          {"rp", RG_CONVERT_UP},
                 {"rna", RG_CONVERT_AWAY},         {"rni", RG_CONVERT_INTEGER_NEAREST},
                 {"rzi", RG_CONVERT_INTEGER_ZERO}, {"rmi", RG_CONVERT_INTEGER_DOWN},
                 {"rpi", RG_CONVERT_INTEGER_UP}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (rg_has(in, words[i].word)) {
            return words[i].rounding;
        }
    }
    return RG_CONVERT_EXACT;
}

/** Conversions whose registers are as wide as their types go lane by lane. */
static rg_code plain_conversion(struct rg_reader *reader, rg_convert_rounding rounding)
{
    const struct rg_instruction *in = &reader->instruction;
    const rg_type to = in->types[0];
    const rg_type from = in->types[1];
    const bool from_float = rg_types[from].kind == RG_KIND_FLOAT;
    const bool to_float = rg_types[to].kind == RG_KIND_FLOAT;
    const bool saturates = rg_has(in, "sat") && !to_float;
    char key[48];
    if (in->operands[0].kind != RG_OPERAND_REGISTER || (from_float && !to_float) || saturates || rg_has(in, "relu") ||
        rg_has(in, "ftz") || rounding > RG_CONVERT_UP) {
        return RG_CODE_COUNT;
    }
    snprintf(key, sizeof key, "cvt_%s_%s", rg_types[to].word, rg_types[from].word);
    const rg_code code = rg_code_in(reader->codes, key);
    if (code == RG_CODE_COUNT || in->operands[0].type == RG_PRED ||
        rg_register_bytes(in->operands[0].type) != rg_codes[code].bytes[0]) {
        return RG_CODE_COUNT;
    }
    const struct rg_operand *source = &in->operands[1];
    return source->kind == RG_OPERAND_REGISTER && rg_register_bytes(source->type) != rg_codes[code].bytes[1]
               ? RG_CODE_COUNT
               : code;
}

static int64_t limits_of(const struct rg_instruction *in)
{
    return (rg_has(in, "sat") ? RG_CONVERT_SATURATES : 0) | (rg_has(in, "ftz") ? RG_CONVERT_FLUSHES : 0) |
           (rg_has(in, "relu") ? RG_CONVERT_RELU : 0) | (rg_has(in, "satfinite") ? RG_CONVERT_FINITE : 0);
}

static ridge_status decode_pair(struct rg_reader *reader, rg_convert_rounding rounding)
{
    const struct rg_instruction *in = &reader->instruction;
    struct rg_op made = {.run = rg_run_convert_pair, .class = RG_CLASS_CONVERT, .type = (uint8_t)in->types[0]};
    const ridge_status status = rg_expect(reader, 3, 3);
    if (status) {
        return status;
    }
    made.mode = (uint8_t)rounding;
    made.marks = 0;
    made.immediate = limits_of(in);
    made.a = rg_source(reader, &in->operands[1], RG_F32);
    made.b = made.a == RG_NO_SLOT ? RG_NO_SLOT : rg_source(reader, &in->operands[2], RG_F32);
    made.d = made.b == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], 4);
    const uint32_t reads[2] = {made.a, made.b};
    return made.d == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, reads, 2, &made.d, 1);
}

/** Pairs of floats of 8 bits: from two f32, or from and to a pair of halves. */
static ridge_status decode_bytes(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const bool two = in->types[1] == RG_F32;
    struct rg_op made = {.run = rg_run_convert_bytes, .class = RG_CLASS_CONVERT, .type = (uint8_t)in->types[0]};
    const ridge_status status = rg_expect(reader, 2U + two, 2U + two);
    if (status) {
        return status;
    }
    made.mode2 = (uint8_t)in->types[1];
    made.immediate = limits_of(in);
    made.a = rg_source(reader, &in->operands[1], in->types[1]);
    made.b = two && made.a != RG_NO_SLOT ? rg_source(reader, &in->operands[2], RG_F32) : made.a;
    made.d = made.b == RG_NO_SLOT ? RG_NO_SLOT : rg_target(reader, &in->operands[0], rg_types[in->types[0]].bytes);
    const uint32_t reads[2] = {made.a, made.b};
    return made.d == RG_NO_SLOT ? reader->error->status : rg_op_from(reader, &made, reads, 2, &made.d, 1);
}

static bool has_bytes(const struct rg_instruction *in)
{
    return in->types[0] == RG_E4M3X2 || in->types[0] == RG_E5M2X2 || in->types[1] == RG_E4M3X2 ||
           in->types[1] == RG_E5M2X2;
}

ridge_status rg_decode_cvt(struct rg_reader *reader)
{
    const struct rg_instruction *in = &reader->instruction;
    const rg_convert_rounding rounding = rounding_of(in);
    if (has_bytes(in)) {
        return decode_bytes(reader);
    }
    if (in->types[0] == RG_F16X2 || in->types[0] == RG_BF16X2) {
        return decode_pair(reader, rounding);
    }
    const ridge_status status = rg_expect(reader, 2, 2);
    if (status) {
        return status;
    }
    const rg_code code = plain_conversion(reader, rounding);
    if (code != RG_CODE_COUNT) {
        uint8_t around = rounding == RG_CONVERT_ZERO   ? RG_AROUND_ZERO
                         : rounding == RG_CONVERT_DOWN ? RG_AROUND_DOWN
                         : rounding == RG_CONVERT_UP   ? RG_AROUND_UP
                                                       : 0;
        around |= rg_has(in, "sat") ? RG_AROUND_SATURATE : 0;
        return rg_decode_code(reader, code, around);
    }
    struct rg_op made = {.run = rg_run_convert, .class = RG_CLASS_CONVERT, .type = (uint8_t)in->types[0]};
    uint32_t bytes = 0;
    made.a = rg_source_any(reader, &in->operands[1], in->types[1], &bytes);
    if (made.a == RG_NO_SLOT) {
        return reader->error->status;
    }
    const struct rg_operand *target = &in->operands[0];
    const bool narrow = target->kind == RG_OPERAND_REGISTER && target->type != RG_PRED &&
                        rg_register_bytes(target->type) >= rg_types[in->types[0]].bytes;
    made.register_bytes = narrow ? (uint8_t)rg_register_bytes(target->type) : (uint8_t)rg_register_bytes(in->types[0]);
    made.d = rg_target(reader, target, made.register_bytes);
    if (made.d == RG_NO_SLOT) {
        return reader->error->status;
    }
    if (bytes < rg_types[in->types[1]].bytes) {
        return rg_read_fail(reader, &in->operands[1].word, RIDGE_E_SYNTAX, "the source is narrower than its type");
    }
    made.bytes = (uint8_t)bytes;
    made.mode = (uint8_t)rounding;
    made.mode2 = (uint8_t)in->types[1];
    made.immediate = limits_of(in);
    return rg_op_from(reader, &made, &made.a, 1, &made.d, 1);
}
