/* SPDX-License-Identifier: MIT */
/** \file What cvt means. Source: PTX ISA, "Data Movement and Conversion Instructions: cvt". */
#include <math.h>

#include "instruction.h"

static u64 extended(struct type type, s128 x)
{
    return (u64)number_of(type, (u64)x); /* into a register that may be wider */
}

/** Out of range: the nearest; NaN: 0, or the top bit where 64 bits take part. */
static u64 float_to_integer(const struct spelling *spelling, struct type to, struct type from, struct real x)
{
    if (x.kind == REAL_NAN) {
        return from.bits == 64 || to.bits == 64 ? extended(to, (s128)1 << (to.bits - 1)) : 0;
    }
    const s128 whole = real_whole(x, rounding_of(spelling));
    return extended(to, clamped(to, x.negative ? -whole : whole));
}

static struct real whole_number(struct real x, enum rounding rounding)
{
    if (x.kind != REAL_FINITE || x.exponent >= 0) {
        return x;
    }
    const s128 whole = real_whole(x, rounding);
    return (struct real){whole ? REAL_FINITE : REAL_ZERO, x.negative, 0, (u128)whole};
}

static u64 to_float(const struct spelling *spelling, struct format to, struct real x)
{
    const u64 sign = (u64)1 << (to.exponent_bits + to.fraction_bits + to.unused_bits);
    const struct real one = real_of_integer(false, 1);
    u64 bits = real_round(to, x, rounding_of(spelling));
    if (has(spelling, "satfinite") && x.kind != REAL_NAN) {
        const u64 infinite = real_round(to, (struct real){REAL_INFINITE, false, 0, 0}, NEAREST);
        const u64 largest = infinite - ((u64)1 << to.unused_bits);
        bits = (bits & (sign - 1)) > largest ? largest | (bits & sign) : bits;
    }
    if (has(spelling, "ftz") && to.fraction_bits == 23 && (bits & (sign - 1)) < (u64)1 << 23) {
        bits &= sign;
    }
    if (has(spelling, "sat")) {
        return x.kind == REAL_NAN || x.negative ? 0 : real_compare(x, one) >= 0 ? real_round(to, one, NEAREST) : bits;
    }
    return has(spelling, "relu") && x.kind != REAL_NAN && x.negative ? 0 : bits;
}

static u64 converted(const struct spelling *spelling, struct type to, struct type from, u64 bits)
{
    if (from.kind != 'f') {
        const s128 x = number_of(from, bits);
        if (to.kind != 'f') {
            return extended(to, has(spelling, "sat") ? clamped(to, x) : x);
        }
        return to_float(spelling, to.format, real_of_integer(x < 0, (u64)(x < 0 ? -x : x)));
    }
    struct real x = real_of_bits(from.format, bits);
    if (has(spelling, "ftz") && from.format.fraction_bits == 23) {
        x = real_flushed(from.format, x);
    }
    if (to.kind != 'f') {
        return float_to_integer(spelling, to, from, x);
    }
    if (has(spelling, "rni") || has(spelling, "rzi") || has(spelling, "rmi") || has(spelling, "rpi")) {
        x = whole_number(x, rounding_of(spelling));
    }
    return to_float(spelling, to.format, x);
}

/** Two sources make a pair: the first the upper half. */
DEFINE(convert)
{
    struct type to = spelling->types[0];
    const struct type from = spelling->types[1];
    if (to.parts == 1) {
        out->value = converted(spelling, to, from, in[0]);
        return;
    }
    to.bits = 16;
    out->value = converted(spelling, to, from, in[0]) << 16 | converted(spelling, to, from, in[1]);
}

/** What a byte says, sign apart; e4m3 has no infinity. NaN: negative. */
static double byte_value(struct format format, unsigned code)
{
    const unsigned fraction = code & ((1U << format.fraction_bits) - 1);
    const int exponent = (int)(code >> format.fraction_bits);
    const int bias = format.exponent_bits == 4 ? 7 : 15;
    const bool nan = format.exponent_bits == 4 ? code == 0x7f : code > 0x7c;
    if (nan || (format.exponent_bits == 5 && code == 0x7c)) {
        return nan ? -1 : HUGE_VAL;
    }
    return exponent ? ldexp(fraction + (1 << format.fraction_bits), exponent - bias - (int)format.fraction_bits)
                    : ldexp(fraction, 1 - bias - (int)format.fraction_bits);
}

/** The nearest byte: among the two around it the nearer, or the even one. */
static u64 byte_of(const struct spelling *spelling, struct format format, struct real x)
{
    const unsigned largest = format.exponent_bits == 4 ? 0x7e : 0x7b;
    if (x.kind == REAL_NAN) {
        return 0x7f;
    }
    if (x.negative && has(spelling, "relu")) {
        return 0;
    }
    const u64 sign = x.negative ? 0x80 : 0;
    const double wanted = x.kind == REAL_ZERO       ? 0
                          : x.kind == REAL_INFINITE ? HUGE_VAL
                                                    : ldexp((double)x.mantissa, x.exponent);
    unsigned code = 0;
    while (code < largest && byte_value(format, code + 1) <= wanted) {
        code++;
    }
    if (code == largest) {
        return largest | sign;
    }
    const double below = wanted - byte_value(format, code);
    const double above = byte_value(format, code + 1) - wanted;
    return (code + (above < below || (above == below && code % 2))) | sign;
}

DEFINE(convert_bytes)
{
    const struct type from = spelling->types[1];
    const struct format half = {5, 10, 0};
    const struct format single = {8, 23, 0};
    if (from.kind == 'b') {
        for (unsigned i = 0; i < 2; i++) {
            const unsigned byte = (unsigned)(in[0] >> (8 * i)) & 0xff;
            const double value = byte_value(from.format, byte & 0x7f);
            const double units = value < 0 || isinf(value) ? 0 : ldexp(value, 16);
            const struct real x = {value < 0      ? REAL_NAN
                                   : isinf(value) ? REAL_INFINITE
                                   : units == 0   ? REAL_ZERO
                                                  : REAL_FINITE,
                                   byte >> 7, -16, (u128)units};
            const u64 bits = has(spelling, "relu") && x.negative && value >= 0 ? 0 : real_round(half, x, NEAREST);
            out->value |= bits << (16 * i);
        }
        return;
    }
    const bool two = from.parts == 1;
    const struct real high = real_of_bits(two ? single : half, two ? in[0] : in[0] >> 16);
    const struct real low = real_of_bits(two ? single : half, two ? in[1] : in[0]);
    const struct format to = spelling->types[0].format;
    out->value = byte_of(spelling, to, high) << 8 | byte_of(spelling, to, low);
}
