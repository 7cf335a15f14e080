/* SPDX-License-Identifier: MIT */
/** \file Exact arithmetic on numbers of any binary format, rounded where PTX rounds. Source: IEEE 754-2008. */
#include <string.h>

#include "instruction.h"

static const struct real nan_real = {REAL_NAN, false, 0, 0};

static int top_bit(u128 x)
{
    const u64 high = (u64)(x >> 64);
    return high ? 127 - __builtin_clzll(high) : (u64)x ? 63 - __builtin_clzll((u64)x) : -1;
}

/** Shift right; what falls off leaves a mark in bit 0. */
static u128 shift_sticky(u128 x, unsigned by)
{
    if (by >= 128) {
        return x != 0;
    }
    return by ? x >> by | ((x & (((u128)1 << by) - 1)) != 0) : x;
}

static int bias_of(struct format format)
{
    return (1 << (format.exponent_bits - 1)) - 1;
}

static u64 infinity_of(struct format format)
{
    return (((u64)1 << format.exponent_bits) - 1) << format.fraction_bits;
}

static u64 canonical_nan(struct format format)
{
    return (infinity_of(format) | (((u64)1 << format.fraction_bits) - 1)) << format.unused_bits;
}

bool is_nan(struct format format, u64 bits)
{
    const u64 magnitude = bits >> format.unused_bits & (((u64)1 << (format.exponent_bits + format.fraction_bits)) - 1);
    return magnitude > infinity_of(format);
}

struct real real_of_bits(struct format format, u64 bits)
{
    bits >>= format.unused_bits;
    const unsigned width = format.exponent_bits + format.fraction_bits;
    const u64 fraction = bits & (((u64)1 << format.fraction_bits) - 1);
    const int exponent = (int)(bits >> format.fraction_bits & (((u64)1 << format.exponent_bits) - 1));
    struct real x = {.negative = bits >> width & 1};
    if (exponent == (1 << format.exponent_bits) - 1) {
        x.kind = fraction ? REAL_NAN : REAL_INFINITE;
        return x;
    }
    if (exponent == 0 && fraction == 0) {
        return x;
    }
    x.kind = REAL_FINITE;
    x.mantissa = exponent ? fraction | (u64)1 << format.fraction_bits : fraction;
    x.exponent = (exponent ? exponent : 1) - bias_of(format) - (int)format.fraction_bits;
    return x;
}

struct real real_of_integer(bool negative, u64 magnitude)
{
    return (struct real){magnitude ? REAL_FINITE : REAL_ZERO, negative && magnitude, 0, magnitude};
}

/** Whether what was cut off makes the magnitude one larger. */
static bool grows(enum rounding rounding, bool negative, bool odd, u128 rest, u128 half)
{
    switch (rounding) {
    case NEAREST: return rest > half || (rest == half && odd);
    case AWAY: return rest >= half;
    case DOWN: return negative && rest;
    case UP: return !negative && rest;
    case ZERO: break;
    }
    return false;
}

/** mantissa * 2^exponent as a multiple of 2^unit. */
static u128 in_units(struct real x, int unit, enum rounding rounding)
{
    const int shift = unit - x.exponent;
    if (shift <= 0) {
        return x.mantissa << -shift;
    }
    const u128 m = shift > 126 ? 1 : x.mantissa;
    const int by = shift > 126 ? 126 : shift;
    const u128 kept = m >> by;
    const u128 rest = m & (((u128)1 << by) - 1);
    return kept + grows(rounding, x.negative, kept & 1, rest, (u128)1 << (by - 1));
}

u64 real_round(struct format format, struct real x, enum rounding rounding)
{
    const u64 sign = (u64)x.negative << (format.exponent_bits + format.fraction_bits);
    const u64 infinite = infinity_of(format);
    u64 bits = sign;
    if (x.kind == REAL_NAN) {
        return canonical_nan(format);
    }
    if (x.kind == REAL_INFINITE) {
        bits = sign | infinite;
    } else if (x.kind == REAL_FINITE) {
        const int least = 1 - bias_of(format);
        const int exponent = x.exponent + top_bit(x.mantissa);
        const int place = exponent < least ? least : exponent;
        u64 magnitude = infinite;
        if (exponent <= bias_of(format)) {
            magnitude = (u64)in_units(x, place - (int)format.fraction_bits, rounding) +
                        ((u64)(place + bias_of(format) - 1) << format.fraction_bits);
        }
        const bool stays = rounding == ZERO || (rounding == DOWN && !x.negative) || (rounding == UP && x.negative);
        bits = sign | (magnitude < infinite ? magnitude : stays ? infinite - 1 : infinite);
    }
    return bits << format.unused_bits;
}

struct real real_negated(struct real x)
{
    x.negative = !x.negative;
    return x;
}

/** Move the top bit to bit 120. */
static struct real lifted(struct real x)
{
    const int by = 120 - top_bit(x.mantissa);
    x.mantissa = by >= 0 ? x.mantissa << by : shift_sticky(x.mantissa, (unsigned)-by);
    x.exponent -= by;
    return x;
}

int real_compare(struct real a, struct real b)
{
    const struct real difference = real_add(a, real_negated(b), NEAREST);
    if (a.kind == REAL_INFINITE && b.kind == REAL_INFINITE && a.negative == b.negative) {
        return 0;
    }
    return difference.kind == REAL_ZERO ? 0 : difference.negative ? -1 : 1;
}

struct real real_add(struct real a, struct real b, enum rounding rounding)
{
    if (a.kind == REAL_NAN || b.kind == REAL_NAN) {
        return nan_real;
    }
    if (a.kind == REAL_INFINITE || b.kind == REAL_INFINITE) {
        const bool clash = a.kind == b.kind && a.negative != b.negative;
        return clash ? nan_real : a.kind == REAL_INFINITE ? a : b;
    }
    if (a.kind == REAL_ZERO && b.kind == REAL_ZERO) {
        a.negative = a.negative == b.negative ? a.negative : rounding == DOWN;
        return a;
    }
    if (a.kind == REAL_ZERO || b.kind == REAL_ZERO) {
        return a.kind == REAL_ZERO ? b : a;
    }
    a = lifted(a);
    b = lifted(b);
    if (a.exponent < b.exponent) {
        const struct real swap = a;
        a = b;
        b = swap;
    }
    b.mantissa = shift_sticky(b.mantissa, (unsigned)(a.exponent - b.exponent));
    if (a.negative == b.negative) {
        a.mantissa += b.mantissa;
    } else if (a.mantissa >= b.mantissa) {
        a.mantissa -= b.mantissa;
    } else {
        a.mantissa = b.mantissa - a.mantissa;
        a.negative = b.negative;
    }
    return a.mantissa ? a : (struct real){.negative = rounding == DOWN};
}

struct real real_multiply(struct real a, struct real b)
{
    const bool negative = a.negative != b.negative;
    if (a.kind == REAL_NAN || b.kind == REAL_NAN || (a.kind == REAL_INFINITE && b.kind == REAL_ZERO) ||
        (a.kind == REAL_ZERO && b.kind == REAL_INFINITE)) {
        return nan_real;
    }
    if (a.kind == REAL_FINITE && b.kind == REAL_FINITE) {
        return (struct real){REAL_FINITE, negative, a.exponent + b.exponent, a.mantissa * b.mantissa};
    }
    const bool infinite = a.kind == REAL_INFINITE || b.kind == REAL_INFINITE;
    return (struct real){infinite ? REAL_INFINITE : REAL_ZERO, negative, 0, 0};
}

struct real real_divide(struct real a, struct real b)
{
    const bool negative = a.negative != b.negative;
    if (a.kind == REAL_NAN || b.kind == REAL_NAN || (a.kind == b.kind && a.kind != REAL_FINITE)) {
        return nan_real;
    }
    if (a.kind == REAL_FINITE && b.kind == REAL_FINITE) {
        a = lifted(a);
        const u128 quotient = a.mantissa / b.mantissa;
        const bool rest = a.mantissa % b.mantissa != 0;
        return (struct real){REAL_FINITE, negative, a.exponent - b.exponent - 1, quotient << 1 | rest};
    }
    const bool infinite = a.kind == REAL_INFINITE || b.kind == REAL_ZERO;
    return (struct real){infinite ? REAL_INFINITE : REAL_ZERO, negative, 0, 0};
}

struct real real_square_root(struct real a)
{
    if (a.kind == REAL_NAN || (a.negative && a.kind != REAL_ZERO)) {
        return nan_real;
    }
    if (a.kind != REAL_FINITE) {
        return a;
    }
    a = lifted(a);
    if (a.exponent & 1) {
        a.mantissa <<= 1;
        a.exponent--;
    }
    u128 root = 0;
    for (u128 bit = (u128)1 << 61; bit; bit >>= 1) {
        const u128 tried = root | bit;
        root = tried * tried <= a.mantissa ? tried : root;
    }
    return (struct real){REAL_FINITE, false, a.exponent / 2 - 1, root << 1 | (root * root != a.mantissa)};
}

s128 real_whole(struct real x, enum rounding rounding)
{
    if (x.kind == REAL_ZERO) {
        return 0;
    }
    if (x.kind != REAL_FINITE || x.exponent + top_bit(x.mantissa) > 66) {
        return (s128)1 << 70;
    }
    return (s128)in_units(x, 0, rounding);
}

struct real real_flushed(struct format format, struct real x)
{
    if (x.kind == REAL_FINITE && x.exponent + top_bit(x.mantissa) < 1 - bias_of(format)) {
        return (struct real){.negative = x.negative};
    }
    return x;
}

enum rounding rounding_of(const struct spelling *spelling)
{
    static const struct {
        const char *word;
        enum rounding rounding;
    } words[] = {{"rz", ZERO}, {"rm", DOWN}, {"rp", UP}, {"rna", AWAY}, {"rzi", ZERO}, {"rmi", DOWN}, {"rpi", UP}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (has(spelling, words[i].word)) {
            return words[i].rounding;
        }
    }
    return NEAREST;
}
