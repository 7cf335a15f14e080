/* SPDX-License-Identifier: MIT */
/** \file Conversions in general: any type, any width of register, every rounding. Source: PTX ISA, "cvt". */
#include <math.h>

#include "engine/lanes_math.h"
#include "engine/run.h"

/** A value between its two types: an integer exactly, or a float as a double, which holds every smaller float. */
struct value {
    bool is_float;
    bool is_signed;
    uint64_t integer;
    double number;
};

static struct value load_value(const struct rg_warp *warp, const struct rg_op *op, unsigned lane)
{
    const rg_type type = (rg_type)op->mode2;
    const uint64_t bits = rg_lane_get(warp, op->a, op->bytes, lane);
    struct value value = {.is_float = rg_types[type].kind == RG_KIND_FLOAT};
    if (value.is_float) {
        value.number = type == RG_F64    ? rg_f64(bits)
                       : type == RG_F16  ? (double)rg_half_float((uint16_t)bits)
                       : type == RG_BF16 ? (double)rg_bf16_float((uint16_t)bits)
                                         : (double)rg_f32((uint32_t)bits);
        if ((op->immediate & RG_CONVERT_FLUSHES) && type == RG_F32 && fabs(value.number) < 0x1p-126) {
            value.number = copysign(0, value.number);
        }
        return value;
    }
    const unsigned unused = 64 - 8 * rg_types[type].bytes;
    value.is_signed = rg_types[type].kind == RG_KIND_SIGNED;
    value.integer = value.is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits << unused >> unused;
    return value;
}

static double round_to_integer(double number, rg_convert_rounding rounding)
{
    switch (rounding) {
    case RG_CONVERT_INTEGER_NEAREST: return rint(number);
    case RG_CONVERT_INTEGER_DOWN: return floor(number);
    case RG_CONVERT_INTEGER_UP: return ceil(number);
    case RG_CONVERT_INTEGER_ZERO:
    case RG_CONVERT_EXACT:
    case RG_CONVERT_NEAREST:
    case RG_CONVERT_ZERO:
    case RG_CONVERT_DOWN:
    case RG_CONVERT_UP:
    case RG_CONVERT_AWAY: break;
    }
    return trunc(number);
}

/** A float to an integer: out of range gives the nearest, NaN 0, or the top bit where 64 bits take part. */
static uint64_t float_to_integer(double number, rg_type from, rg_type to, rg_convert_rounding rounding)
{
    const unsigned width = 8 * rg_types[to].bytes;
    const bool is_signed = rg_types[to].kind == RG_KIND_SIGNED;
    if (number != number) {
        return from == RG_F64 || width == 64 ? (uint64_t)1 << (width - 1) : 0;
    }
    const double whole = round_to_integer(number, rounding);
    const double top = ldexp(1, (int)(width - is_signed));
    if (whole >= top) {
        return is_signed ? ((uint64_t)1 << (width - 1)) - 1 : ~(uint64_t)0 >> (64 - width);
    }
    if (is_signed) {
        return whole < -top ? (uint64_t)0 - ((uint64_t)1 << (width - 1)) : (uint64_t)(int64_t)whole;
    }
    return whole <= 0 ? 0 : (uint64_t)whole;
}

/** .sat of integers: clamp to the range of the destination. */
static uint64_t saturate(const struct value *value, rg_type to)
{
    const unsigned width = 8 * rg_types[to].bytes;
    const bool is_signed = rg_types[to].kind == RG_KIND_SIGNED;
    const uint64_t most = is_signed ? ((uint64_t)1 << (width - 1)) - 1 : ~(uint64_t)0 >> (64 - width);
    if (value->is_signed && (int64_t)value->integer < 0) {
        const int64_t least = is_signed ? -(int64_t)most - 1 : 0;
        return (uint64_t)((int64_t)value->integer < least ? least : (int64_t)value->integer);
    }
    return value->integer > most ? most : value->integer;
}

static rg_rounding narrow_rounding(rg_convert_rounding rounding)
{
    switch (rounding) {
    case RG_CONVERT_ZERO: return RG_ROUND_ZERO;
    case RG_CONVERT_DOWN: return RG_ROUND_DOWN;
    case RG_CONVERT_UP: return RG_ROUND_UP;
    case RG_CONVERT_AWAY: return RG_ROUND_AWAY;
    case RG_CONVERT_EXACT:
    case RG_CONVERT_NEAREST:
    case RG_CONVERT_INTEGER_NEAREST:
    case RG_CONVERT_INTEGER_ZERO:
    case RG_CONVERT_INTEGER_DOWN:
    case RG_CONVERT_INTEGER_UP: break;
    }
    return RG_ROUND_NEAREST;
}

/** An integer as a double that rounds like the integer itself: what is cut off becomes a sticky last bit. */
static double integer_sticky(const struct value *value)
{
    const bool negative = value->is_signed && (int64_t)value->integer < 0;
    uint64_t magnitude = negative ? 0 - value->integer : value->integer;
    if (magnitude >> 53) {
        const uint64_t rest = magnitude & 0x7ff;
        magnitude = (magnitude & ~(uint64_t)0x7ff) | (rest ? 0x800 : 0); /* far below any narrow format's last bit */
    }
    const double number = (double)magnitude;
    return negative ? -number : number;
}

static uint64_t make_float(double number, rg_type to, rg_convert_rounding rounding)
{
    const rg_rounding narrow = narrow_rounding(rounding);
    switch ((int)to) {
    case RG_F64: return rg_f64_bits(number);
    case RG_F16: return rg_to_half(number, narrow);
    case RG_BF16: return rg_to_bf16(number, narrow);
    case RG_TF32: return (uint64_t)rg_narrow(number, 8, 10, narrow) << 13;
    default: return number != number ? 0x7fffffffU : rg_narrow(number, 8, 23, narrow);
    }
}

/** .relu: not below zero; .satfinite: at most the largest number of the type; NaN stays. */
static double limited(double number, rg_type to, int64_t limits)
{
    const double most = to == RG_F16 || to == RG_F16X2     ? 65504
                        : to == RG_BF16 || to == RG_BF16X2 ? 0x1.fep127
                                                           : 0x1.ffcp127; /* tf32 */
    if ((limits & RG_CONVERT_RELU) && number <= 0) {
        return 0;
    }
    return !(limits & RG_CONVERT_FINITE) ? number : number > most ? most : number < -most ? -most : number;
}

static uint64_t to_float(struct value value, const struct rg_op *op)
{
    const rg_convert_rounding rounding = (rg_convert_rounding)op->mode;
    const rg_type to = (rg_type)op->type;
    double number = value.number;
    if (!value.is_float) {
        number = to == RG_F64 ? (value.is_signed ? (double)(int64_t)value.integer : (double)value.integer)
                              : integer_sticky(&value);
    } else if (rounding >= RG_CONVERT_INTEGER_NEAREST) {
        number = copysign(round_to_integer(number, rounding), number);
    }
    if (op->immediate & RG_CONVERT_SATURATES) {
        number = number != number || number <= 0 ? 0 : number > 1 ? 1 : number;
    }
    const uint64_t bits = make_float(limited(number, to, op->immediate), to, rounding);
    return (op->immediate & RG_CONVERT_FLUSHES) && to == RG_F32 ? rg_flush_f32((uint32_t)bits) : bits;
}

void rg_run_convert(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const rg_type to = (rg_type)op->type;
    const bool to_float_type = rg_types[to].kind == RG_KIND_FLOAT;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        const struct value value = load_value(warp, op, lane);
        uint64_t bits;
        if (to_float_type) {
            bits = to_float(value, op);
        } else {
            bits = value.is_float
                       ? float_to_integer(value.number, (rg_type)op->mode2, to, (rg_convert_rounding)op->mode)
                   : op->immediate & RG_CONVERT_SATURATES ? saturate(&value, to)
                                                          : value.integer;
            const unsigned unused = 64 - 8 * rg_types[to].bytes;
            bits = rg_types[to].kind == RG_KIND_SIGNED ? (uint64_t)((int64_t)(bits << unused) >> unused)
                                                       : bits << unused >> unused;
        }
        rg_lane_set(warp, op->d, op->register_bytes, lane, bits);
    }
}

static uint32_t narrow_half(float number, const struct rg_op *op)
{
    const rg_rounding rounding = narrow_rounding((rg_convert_rounding)op->mode);
    const double kept = limited((double)number, (rg_type)op->type, op->immediate);
    return op->type == RG_F16X2 ? rg_to_half(kept, rounding) : rg_to_bf16(kept, rounding);
}

void rg_run_convert_pair(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const float *high = RG_COLUMN(float, warp, op->a);
    const float *low = RG_COLUMN(float, warp, op->b);
    uint32_t *to = RG_COLUMN(uint32_t, warp, op->d);
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (mask >> lane & 1) {
            to[lane] = narrow_half(high[lane], op) << 16 | narrow_half(low[lane], op);
        }
    }
}

/**
 * A float of 8 bits: e4m3 has no infinity, its largest is 448, and its NaN has all ones; e5m2 is the upper half of a half.
 * Scaled by 2^-8, e4m3 is a float of five exponent bits. Beyond the largest: the largest. Source: PTX ISA, "cvt",
 * .satfinite; "Alternate Floating-Point Data Formats".
 */
static uint32_t narrow_byte(double number, rg_type type, int64_t limits)
{
    if (number != number) {
        return 0x7f;
    }
    if ((limits & RG_CONVERT_RELU) && signbit(number)) {
        return 0;
    }
    const bool four = type == RG_E4M3X2;
    const uint32_t largest = four ? 0x7e : 0x7b;
    const uint32_t magnitude = rg_narrow(fabs(number) * (four ? 0x1p-8 : 1), 5, four ? 3 : 2, RG_ROUND_NEAREST);
    return (magnitude > largest ? largest : magnitude) | (signbit(number) ? 0x80U : 0U);
}

static uint32_t widen_byte(uint32_t byte, rg_type type, int64_t limits)
{
    const uint32_t magnitude = byte & 0x7f;
    if (magnitude > (type == RG_E4M3X2 ? 0x7eU : 0x7cU)) {
        return 0x7fff;
    }
    if ((limits & RG_CONVERT_RELU) && (byte & 0x80)) {
        return 0;
    }
    const uint32_t sign = (byte & 0x80) << 8;
    if (type == RG_E5M2X2) {
        return sign | magnitude << 8;
    }
    const uint32_t exponent = magnitude >> 3;
    const double fraction = (magnitude & 7) + (exponent ? 8 : 0);
    return sign | rg_to_half(ldexp(fraction, (int)(exponent ? exponent : 1) - 10), RG_ROUND_NEAREST);
}

void rg_run_convert_bytes(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const rg_type to = (rg_type)op->type;
    const rg_type from = (rg_type)op->mode2;
    for (; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        if (to == RG_F16X2) {
            const uint32_t pair = RG_COLUMN(uint16_t, warp, op->a)[lane];
            RG_COLUMN(uint32_t, warp, op->d)
            [lane] = widen_byte(pair >> 8, from, op->immediate) << 16 | widen_byte(pair & 0xff, from, op->immediate);
            continue;
        }
        const uint32_t pair = RG_COLUMN(uint32_t, warp, op->a)[lane];
        const bool two = from == RG_F32;
        const double high = (double)(two ? rg_f32(pair) : rg_half_float((uint16_t)(pair >> 16)));
        const double low = (double)(two ? RG_COLUMN(float, warp, op->b)[lane] : rg_half_float((uint16_t)pair));
        RG_COLUMN(uint16_t, warp, op->d)
        [lane] = (uint16_t)(narrow_byte(high, to, op->immediate) << 8 | narrow_byte(low, to, op->immediate));
    }
}
