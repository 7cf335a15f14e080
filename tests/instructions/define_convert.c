/* SPDX-License-Identifier: MIT */
/** \file What cvt means. Source: PTX ISA, "Data Movement and Conversion Instructions: cvt". */
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
