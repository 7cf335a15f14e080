/* SPDX-License-Identifier: MIT */
/** \file What integer and bit instructions mean. Source: PTX ISA, "Integer Arithmetic", "Logic and Shift" and others. */
#include <string.h>

#include "instruction.h"

u64 cut(u64 bits, unsigned width)
{
    return width >= 64 ? bits : bits & (((u64)1 << width) - 1);
}

s128 number_of(struct type type, u64 bits)
{
    const u64 kept = cut(bits, type.bits);
    const bool negative = type.kind == 's' && kept >> (type.bits - 1) & 1;
    return (s128)kept - (negative ? (s128)1 << type.bits : 0);
}

static s128 least_of(struct type type)
{
    return type.kind == 's' ? -((s128)1 << (type.bits - 1)) : 0;
}

static s128 most_of(struct type type)
{
    return ((s128)1 << (type.bits - (type.kind == 's'))) - 1;
}

s128 clamped(struct type type, s128 x)
{
    return x < least_of(type) ? least_of(type) : x > most_of(type) ? most_of(type) : x;
}

static s128 simple(const struct spelling *spelling, s128 a, s128 b)
{
    if (is(spelling, "add")) {
        return a + b;
    }
    if (is(spelling, "sub")) {
        return a - b;
    }
    if (is(spelling, "min")) {
        return a < b ? a : b;
    }
    if (is(spelling, "max")) {
        return a > b ? a : b;
    }
    if (is(spelling, "abs")) {
        return a < 0 ? -a : a;
    }
    return -a; /* neg */
}

DEFINE(integer)
{
    struct type type = last_type(spelling);
    const bool pair = has(spelling, "u16x2") || has(spelling, "s16x2");
    type.bits = pair ? 16 : type.bits;
    for (unsigned part = 0; part < (pair ? 2 : 1); part++) {
        s128 x = simple(spelling, number_of(type, in[0] >> (16 * part)), number_of(type, in[1] >> (16 * part)));
        x = has(spelling, "sat") ? clamped(type, x) : x;
        x = has(spelling, "relu") && x < 0 ? 0 : x;
        out->value |= cut((u64)x, type.bits) << (16 * part);
    }
    if (is(spelling, "sad")) {
        const s128 difference = number_of(type, in[0]) - number_of(type, in[1]);
        out->value = (u64)((difference < 0 ? -difference : difference) + (s128)in[2]);
    }
}

/** The whole product in two's complement. */
static u128 product(struct type type, u64 a, u64 b)
{
    return (u128)number_of(type, a) * (u128)number_of(type, b);
}

static u128 high_part(struct type type, u128 product)
{
    return type.kind == 's' ? (u128)((s128)product >> type.bits) : product >> type.bits;
}

DEFINE(multiply)
{
    const struct type type = last_type(spelling);
    u128 x = product(type, in[0], in[1]);
    x = has(spelling, "hi") ? high_part(type, x) : x;
    if (is(spelling, "mad")) {
        const u128 sum = x + (u128)number_of(type, in[2]); /* modulo 2^128: a part of it is looked at */
        x = has(spelling, "wide") ? x + in[2] : has(spelling, "sat") ? (u128)clamped(type, (s128)sum) : sum;
    }
    out->value = (u64)x;
}

/** Sums with the carry of the thread, which is the last source; of a difference it says that nothing was borrowed. */
DEFINE(carry)
{
    const struct type type = last_type(spelling);
    const bool triple = spelling->opcode[0] == 'm';
    const bool less = spelling->opcode[0] == 's';
    const u64 carry = in[triple ? 3 : 2];
    const bool reads = strlen(spelling->opcode) == 4;
    const u128 ones = ((u128)1 << type.bits) - 1;
    u128 x = in[0];
    u128 y = (u128)in[1] + (reads ? carry : 0);
    if (triple) {
        x = product(type, in[0], in[1]);
        x = (has(spelling, "hi") ? high_part(type, x) : x) & ones;
        y = (u128)in[2] + (reads ? carry : 0);
    }
    if (less) {
        y = (u128)in[1] + (reads ? 1 - carry : 0);
    }
    const u128 sum = less ? x - y : x + y;
    out->value = (u64)sum;
    out->second = has(spelling, "cc") ? (u64)(less ? x >= y : sum >> type.bits & 1) : carry;
}

DEFINE(multiply24)
{
    const struct type type = last_type(spelling);
    const struct type narrow = {type.kind, 24, 1, {0, 0, 0}};
    s128 x = number_of(narrow, in[0]) * number_of(narrow, in[1]);
    x = has(spelling, "hi") ? x >> 16 : x;
    if (is(spelling, "mad24")) {
        x = number_of(type, (u64)x) + number_of(type, in[2]);
        x = has(spelling, "sat") ? clamped(type, x) : x;
    }
    out->value = (u64)x;
}

/** By zero: as docs/engine.md says; PTX leaves it open. */
DEFINE(divide)
{
    const struct type type = last_type(spelling);
    const s128 a = number_of(type, in[0]);
    const s128 b = number_of(type, in[1]);
    const bool rest = is(spelling, "rem");
    out->value = (u64)(b == 0 ? (rest ? a : -1) : rest ? a % b : a / b);
}

DEFINE(logic)
{
    const u64 a = in[0];
    const u64 b = in[1];
    out->value = is(spelling, "and")   ? a & b
                 : is(spelling, "or")  ? a | b
                 : is(spelling, "xor") ? a ^ b
                 : is(spelling, "not") ? ~a
                                       : cut(a, last_type(spelling).bits) == 0; /* cnot */
}

DEFINE(shift)
{
    const struct type type = last_type(spelling);
    const unsigned by = in[1] > type.bits ? type.bits : (unsigned)in[1];
    const s128 a = number_of(type, in[0]);
    out->value = is(spelling, "shl") ? (u64)((u128)a << by) : (u64)(a >> by);
}

DEFINE(funnel)
{
    const unsigned by = has(spelling, "wrap") ? in[2] & 31 : in[2] > 32 ? 32 : (unsigned)in[2];
    const u64 both = in[1] << 32 | in[0];
    out->value = has(spelling, "l") ? (u64)((u128)both << by >> 32) : both >> by;
}

static s64 highest(u128 x)
{
    s64 at = -1;
    for (; x; x >>= 1) {
        at++;
    }
    return at;
}

DEFINE(count)
{
    const struct type type = last_type(spelling);
    const s128 a = number_of(type, in[0]);
    const int width = (int)type.bits;
    if (is(spelling, "clz")) {
        out->value = (u64)(width - 1 - highest((u128)a));
    } else if (is(spelling, "bfind")) {
        const s64 at = highest((u128)(a < 0 ? ~a : a));
        out->value = (u64)(at < 0 ? -1 : has(spelling, "shiftamt") ? width - 1 - at : at);
    } else {
        for (int i = 0; i < width; i++) {
            const u64 bit = (u64)(a >> i) & 1;
            out->value = is(spelling, "popc") ? out->value + bit : out->value | bit << (width - 1 - i); /* or brev */
        }
    }
}

/** Bit by bit, as the ISA's text has it. */
DEFINE(field)
{
    const struct type type = last_type(spelling);
    const unsigned most = type.bits - 1;
    if (is(spelling, "bfe")) {
        const unsigned at = in[1] & 255;
        const unsigned length = in[2] & 255;
        const unsigned top = at + length - 1 < most ? at + length - 1 : most;
        const u64 sign = type.kind == 's' && length > 0 ? in[0] >> top & 1 : 0;
        for (unsigned i = 0; i <= most; i++) {
            out->value |= (i < length && at + i <= most ? in[0] >> (at + i) & 1 : sign) << i;
        }
    } else if (is(spelling, "bmsk")) {
        const bool clamp = has(spelling, "clamp");
        const u64 at = clamp ? in[0] : in[0] & 31;
        const u64 length = clamp ? in[1] : in[1] & 31;
        for (u64 i = 0; i < 32; i++) {
            out->value |= (u64)(i >= at && i - at < length) << i;
        }
    } else { /* szext */
        const bool whole = has(spelling, "clamp") && in[1] >= 32;
        const unsigned length = whole ? 32 : in[1] & 31;
        const struct type part = {type.kind, length, 1, {0, 0, 0}};
        out->value = length ? (u64)number_of(part, in[0]) : 0;
    }
}

DEFINE(insert)
{
    const unsigned width = last_type(spelling).bits;
    const unsigned at = in[2] & 255;
    const unsigned length = in[3] & 255;
    out->value = in[1];
    for (unsigned i = 0; i < length && at + i < width; i++) {
        out->value = (out->value & ~((u64)1 << (at + i))) | (in[0] >> (i & 63) & 1) << (at + i);
    }
}

DEFINE(permute)
{
    static const struct {
        const char *mode;
        u32 selectors[4];
    } modes[] = {{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
                 {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
                 {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
    const u64 both = in[1] << 32 | in[0];
    u32 selectors = (u32)in[2];
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        selectors = has(spelling, modes[i].mode) ? modes[i].selectors[in[2] & 3] : selectors;
    }
    for (unsigned i = 0; i < 4; i++) {
        const u32 selector = selectors >> (4 * i) & 15;
        const u64 byte = both >> (8 * (selector & 7)) & 255;
        out->value |= (selector & 8 ? (byte >> 7) * 255 : byte) << (8 * i);
    }
}

/** lop3: in[3] is the table. */
DEFINE(table)
{
    (void)spelling;
    for (unsigned i = 0; i < 32; i++) {
        const u64 index = (in[0] >> i & 1) << 2 | (in[1] >> i & 1) << 1 | (in[2] >> i & 1);
        out->value |= (in[3] >> index & 1) << i;
    }
}

/** dp4a: four products of bytes; dp2a: two of 16 by 8 bits, the bytes from the lower or upper half of b. */
DEFINE(distances)
{
    const struct type byte = {last_type(spelling).kind, 8, 1, {0, 0, 0}};
    s128 sum = in[2];
    for (unsigned part = 0; part < 4; part++) {
        const s128 a = number_of(byte, in[0] >> (8 * part));
        const s128 b = number_of(byte, in[1] >> (8 * part));
        const s128 distance = a < b ? b - a : a - b;
        sum += distance;
        out->value |= (u64)distance << (8 * part);
    }
    out->value = has(spelling, "add") ? cut((u64)sum, 32) : out->value;
}

DEFINE(dot)
{
    const bool four = is(spelling, "dp4a");
    struct type left = spelling->types[0];
    struct type right = spelling->types[1];
    left.bits = four ? 8 : 16;
    right.bits = 8;
    s128 sum = (s128)in[2];
    for (unsigned i = 0; i < (four ? 4 : 2); i++) {
        const unsigned at = has(spelling, "hi") ? i + 2 : i;
        sum += number_of(left, in[0] >> (left.bits * i)) * number_of(right, in[1] >> (8 * at));
    }
    out->value = (u64)sum;
}

/** mov, and what only moves bits. */
DEFINE(copy)
{
    (void)spelling;
    out->value = in[0];
}
