/* SPDX-License-Identifier: MIT */
/**
 * \file What a lane computes, where C has no operator for it. Source of every definition: PTX ISA, chapter
 * "Instruction Set". Pure; included by the files that are compiled once for each vector width.
 */
#ifndef RG_ENGINE_LANES_MATH_H
#define RG_ENGINE_LANES_MATH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t rg_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float rg_f32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t rg_f64_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double rg_f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** NaN of an operation on float: 0x7fffffff. Source: PTX ISA, "canonical NaN" of floating-point instructions. */
static inline float rg_nan32(void)
{
    return rg_f32(0x7fffffffU);
}

/** The bits of a half as a float, exactly. */
static inline float rg_half_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000U) << 16;
    const uint32_t rest = half & 0x7fffU;
    const float scaled = rg_f32(rest << 13) * 0x1p112f; /* subnormals too: exact */
    const uint32_t infinite = 0x7f800000U | (rest & 0x3ffU) << 13;
    return rg_f32(sign | (rest >= 0x7c00U ? infinite : rg_f32_bits(scaled)));
}

/** A subnormal f32 as a zero of its sign. */
static inline uint32_t rg_flush_f32(uint32_t bits)
{
    return bits & 0x7f800000U ? bits : bits & 0x80000000U;
}

/** A half or bf16, subnormal ones as zeros of their sign; `top`: its exponent's bits. */
static inline uint16_t rg_flush_half(uint16_t bits, uint32_t top)
{
    return (uint16_t)(bits & top ? bits : bits & 0x8000U);
}

typedef enum rg_rounding {
    RG_ROUND_NEAREST,
    RG_ROUND_ZERO,
    RG_ROUND_DOWN,
    RG_ROUND_UP,
    RG_ROUND_AWAY /**< ties away from zero (.rna) */
} rg_rounding;

/** \return whether a magnitude whose cut-off part is `rest` of `unit` grows. */
static inline bool rg_round_grows(rg_rounding rounding, bool negative, bool odd, uint64_t rest, uint64_t half)
{
    switch (rounding) {
    case RG_ROUND_NEAREST: return rest > half || (rest == half && odd);
    case RG_ROUND_AWAY: return rest >= half;
    case RG_ROUND_DOWN: return negative && rest > 0;
    case RG_ROUND_UP: return !negative && rest > 0;
    case RG_ROUND_ZERO: break;
    }
    return false;
}

/** Round a double to a float format of `exponent_bits` and `fraction_bits`; bits, sign on top. NaN: all ones but sign. */
static inline uint32_t rg_narrow(double value, unsigned exponent_bits, unsigned fraction_bits, rg_rounding rounding)
{
    const uint64_t bits = rg_f64_bits(value);
    const bool negative = bits >> 63;
    const uint32_t sign = (uint32_t)negative << (exponent_bits + fraction_bits);
    const uint32_t top = ((1U << exponent_bits) - 1) << fraction_bits;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (value != value) {
        return top | ((1U << fraction_bits) - 1);
    }
    if (isinf(value)) {
        return sign | top;
    }
    if (value == 0) {
        return sign;
    }
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    const uint64_t mantissa = (bits & 0xfffffffffffffULL) | (uint64_t)1 << 52;
    int shift = 52 - (int)fraction_bits;
    int place = exponent + bias; /* of the result */
    if (place < 1) {
        shift += 1 - place;
        place = 1;
    }
    shift = shift > 62 ? 62 : shift;
    uint64_t kept = mantissa >> shift;
    const uint64_t rest = mantissa & (((uint64_t)1 << shift) - 1);
    kept += rg_round_grows(rounding, negative, kept & 1, rest, (uint64_t)1 << (shift - 1));
    const uint64_t magnitude = kept + ((uint64_t)(place - 1) << fraction_bits);
    if (magnitude < top) {
        return sign | (uint32_t)magnitude;
    }
    const bool stays =
        rounding == RG_ROUND_ZERO || (rounding == RG_ROUND_DOWN && !negative) || (rounding == RG_ROUND_UP && negative);
    return sign | (stays ? top - 1 : top);
}

static inline uint16_t rg_to_half(double value, rg_rounding rounding)
{
    return (uint16_t)rg_narrow(value, 5, 10, rounding);
}

static inline uint16_t rg_to_bf16(double value, rg_rounding rounding)
{
    return (uint16_t)rg_narrow(value, 8, 7, rounding);
}

static inline float rg_bf16_float(uint16_t bits)
{
    return rg_f32((uint32_t)bits << 16);
}

/** a * b + c of halves or bf16 before its one rounding: rounded to odd, so that rounding again is right.
 * Source: S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008. The product of two is exact. */
static inline double rg_fma_odd(double a, double b, double c)
{
    const double product = a * b;
    const double sum = product + c;
    const double back = sum - product;
    const double error = (product - (sum - back)) + (c - back);
    uint64_t bits = rg_f64_bits(sum);
    if (error != 0 && isfinite(sum) && (bits & 1) == 0) {
        bits += (error > 0) == (sum > 0) ? 1U : (uint64_t)-1;
    }
    return rg_f64(bits);
}

static inline uint32_t rg_sad_u32(uint32_t a, uint32_t b, uint32_t c)
{
    return (a > b ? a - b : b - a) + c;
}

static inline uint32_t rg_prmt_byte(uint64_t bytes, uint32_t selector)
{
    const uint32_t byte = (uint32_t)(bytes >> (8 * (selector & 7))) & 0xff;
    return selector & 8 ? (byte & 0x80 ? 0xffU : 0U) : byte;
}

static inline uint32_t rg_prmt(uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    return rg_prmt_byte(bytes, c) | rg_prmt_byte(bytes, c >> 4) << 8 | rg_prmt_byte(bytes, c >> 8) << 16 |
           rg_prmt_byte(bytes, c >> 12) << 24;
}

/** prmt with a mode: four selectors of two bits of c pick from a table. */
static inline uint32_t rg_prmt_mode(uint32_t a, uint32_t b, uint32_t c, const uint16_t selectors[4])
{
    return rg_prmt(a, b, selectors[c & 3]);
}

static inline uint32_t rg_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    result |= table & 1 ? ~a & ~b & ~c : 0;
    result |= table & 2 ? ~a & ~b & c : 0;
    result |= table & 4 ? ~a & b & ~c : 0;
    result |= table & 8 ? ~a & b & c : 0;
    result |= table & 16 ? a & ~b & ~c : 0;
    result |= table & 32 ? a & ~b & c : 0;
    result |= table & 64 ? a & b & ~c : 0;
    result |= table & 128 ? a & b & c : 0;
    return result;
}

static inline uint64_t rg_bfe_unsigned(uint64_t a, uint32_t b, uint32_t c, uint32_t width)
{
    const uint32_t position = b & 0xff;
    const uint32_t length = c & 0xff;
    const uint64_t rest = position < width ? a >> position : 0;
    return length >= 64 ? rest : rest & (((uint64_t)1 << length) - 1);
}

/** Beyond the end the sign bit of the field fills: the bit at min(position + length - 1, width - 1). */
static inline uint64_t rg_bfe_signed(uint64_t a, uint32_t b, uint32_t c, uint32_t width)
{
    const uint32_t position = b & 0xff;
    const uint32_t length = c & 0xff;
    const uint32_t last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    const bool sign = length > 0 && (a >> last & 1);
    const uint64_t field = rg_bfe_unsigned(a, b, c, width);
    const uint32_t have = position >= width ? 0 : (width - position < length ? width - position : length);
    return sign && have < 64 ? field | ~(uint64_t)0 << have : field;
}

static inline uint64_t rg_bfi(uint64_t a, uint64_t b, uint32_t c, uint32_t d, uint32_t width)
{
    const uint32_t position = c & 0xff;
    const uint32_t length = d & 0xff;
    if (position >= width || length == 0) {
        return b;
    }
    const uint64_t ones = (length >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << length) - 1) << position;
    return (b & ~ones) | (a << position & ones);
}

static inline uint32_t rg_reverse32(uint32_t a)
{
    a = (a >> 1 & 0x55555555U) | (a & 0x55555555U) << 1;
    a = (a >> 2 & 0x33333333U) | (a & 0x33333333U) << 2;
    a = (a >> 4 & 0x0f0f0f0fU) | (a & 0x0f0f0f0fU) << 4;
    return __builtin_bswap32(a);
}

static inline uint32_t rg_bfind(uint64_t a)
{
    return a == 0 ? 0xffffffffU : 63U - (uint32_t)__builtin_clzll(a);
}

static inline uint32_t rg_bfind_shift(uint64_t a, uint32_t width)
{
    return a == 0 ? 0xffffffffU : width - 1 - rg_bfind(a);
}

static inline uint32_t rg_bmsk(uint32_t a, uint32_t b, bool wraps)
{
    const uint32_t position = wraps ? a & 31 : a;
    const uint32_t length = wraps ? b & 31 : b;
    if (position >= 32) {
        return 0;
    }
    return (length >= 32 ? 0xffffffffU : (1U << length) - 1) << position;
}

static inline uint32_t rg_shf_left(uint32_t a, uint32_t b, uint32_t n)
{
    return n >= 32 ? a : n == 0 ? b : b << n | a >> (32 - n);
}

static inline uint32_t rg_shf_right(uint32_t a, uint32_t b, uint32_t n)
{
    return n >= 32 ? b : n == 0 ? a : b << (32 - n) | a >> n;
}

static inline int32_t rg_byte_of(uint32_t word, unsigned index, bool is_signed)
{
    const uint32_t byte = word >> (8 * index) & 0xff;
    return is_signed ? (int8_t)byte : (int32_t)byte;
}

static inline uint32_t rg_dp4a(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed)
{
    for (unsigned i = 0; i < 4; i++) {
        c += (uint32_t)(rg_byte_of(a, i, a_signed) * rg_byte_of(b, i, b_signed));
    }
    return c;
}

static inline uint32_t rg_dp2a(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed, unsigned high)
{
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t word = a >> (16 * i) & 0xffff;
        const int32_t left = a_signed ? (int16_t)word : (int32_t)word;
        c += (uint32_t)left * (uint32_t)rg_byte_of(b, i + 2 * high, b_signed);
    }
    return c;
}

/** The distances of the four bytes of two words; the largest of signed ones is 255. */
static inline uint32_t rg_differences(uint32_t a, uint32_t b, bool is_signed)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const int32_t difference = rg_byte_of(a, i, is_signed) - rg_byte_of(b, i, is_signed);
        result |= (uint32_t)(difference < 0 ? -difference : difference) << (8 * i);
    }
    return result;
}

static inline uint16_t rg_min_u16(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

static inline uint16_t rg_max_u16(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

static inline uint16_t rg_min_s16(uint16_t a, uint16_t b)
{
    return (int16_t)a < (int16_t)b ? a : b;
}

static inline uint16_t rg_max_s16(uint16_t a, uint16_t b)
{
    return (int16_t)a > (int16_t)b ? a : b;
}

/** min and max of float: the number wins over NaN; -0 < +0. */
static inline float rg_min_f32(float a, float b)
{
    if (a != a || b != b) {
        return a != a ? (b != b ? rg_nan32() : b) : a;
    }
    return a < b || (a == b && signbit(a)) ? a : b;
}

static inline float rg_max_f32(float a, float b)
{
    if (a != a || b != b) {
        return a != a ? (b != b ? rg_nan32() : b) : a;
    }
    return a > b || (a == b && !signbit(a)) ? a : b;
}

static inline double rg_min_f64(double a, double b)
{
    if (a != a || b != b) {
        return a != a ? b : a;
    }
    return a < b || (a == b && signbit(a)) ? a : b;
}

static inline double rg_max_f64(double a, double b)
{
    if (a != a || b != b) {
        return a != a ? b : a;
    }
    return a > b || (a == b && !signbit(a)) ? a : b;
}

/** div.approx multiplies by the reciprocal, which is 0 for divisors beyond 2^126. */
static inline float rg_div_approx(float a, float b)
{
    const float magnitude = fabsf(b);
    return magnitude > 0x1p126F && magnitude <= 0x1.fffffep127F ? a * copysignf(0, b) : a / b;
}

static inline float rg_or_nan(float a, float b, float value)
{
    return a != a || b != b ? rg_nan32() : value;
}

/** min.xorsign.abs: the smaller magnitude with the product of the signs. */
static inline float rg_xorsign(float a, float b, float magnitude)
{
    return rg_f32((rg_f32_bits(magnitude) & 0x7fffffffU) | ((rg_f32_bits(a) ^ rg_f32_bits(b)) & 0x80000000U));
}

static inline uint16_t rg_pick16(uint16_t a, uint16_t b, float wanted_a, float picked)
{
    return rg_f32_bits(wanted_a) == rg_f32_bits(picked) ? a : b;
}

/** min or max of halves or bf16 given as floats; keeps the bits of what it picks. */
static inline uint16_t rg_extreme16(uint16_t a, uint16_t b, float x, float y, bool smaller, bool nan,
                                    uint16_t canonical)
{
    if ((nan && (x != x || y != y)) || (x != x && y != y)) {
        return canonical;
    }
    if (x != x || y != y) {
        return x != x ? b : a;
    }
    return rg_pick16(a, b, x, smaller ? rg_min_f32(x, y) : rg_max_f32(x, y));
}

#define RG_H(x)        ((double)rg_half_float(x))
#define RG_BF(x)       ((double)rg_bf16_float(x))
#define RG_PAIR1(f, a) ((uint32_t)f((uint16_t)(a)) | (uint32_t)f((uint16_t)((a) >> 16)) << 16)
#define RG_PAIR2(f, a, b) \
    ((uint32_t)f((uint16_t)(a), (uint16_t)(b)) | (uint32_t)f((uint16_t)((a) >> 16), (uint16_t)((b) >> 16)) << 16)
#define RG_PAIR3(f, a, b, c)                                    \
    ((uint32_t)f((uint16_t)(a), (uint16_t)(b), (uint16_t)(c)) | \
     (uint32_t)f((uint16_t)((a) >> 16), (uint16_t)((b) >> 16), (uint16_t)((c) >> 16)) << 16)

/* NOLINTBEGIN(bugprone-macro-parentheses): P names functions */
/** The operations of half and bf16, from one list: prefix, widening, narrowing, canonical NaN. */
#define RG_SMALL_FLOAT(P, WIDE, NARROW, NAN16)                                          \
    static inline uint16_t P##_add(uint16_t a, uint16_t b)                              \
    {                                                                                   \
        return NARROW(WIDE(a) + WIDE(b), RG_ROUND_NEAREST);                             \
    }                                                                                   \
    static inline uint16_t P##_sub(uint16_t a, uint16_t b)                              \
    {                                                                                   \
        return NARROW(WIDE(a) - WIDE(b), RG_ROUND_NEAREST);                             \
    }                                                                                   \
    static inline uint16_t P##_mul(uint16_t a, uint16_t b)                              \
    {                                                                                   \
        return NARROW(WIDE(a) * WIDE(b), RG_ROUND_NEAREST);                             \
    }                                                                                   \
    static inline uint16_t P##_fma(uint16_t a, uint16_t b, uint16_t c)                  \
    {                                                                                   \
        return NARROW(rg_fma_odd(WIDE(a), WIDE(b), WIDE(c)), RG_ROUND_NEAREST);         \
    }                                                                                   \
    static inline uint16_t P##_relu(uint16_t a)                                         \
    {                                                                                   \
        return (uint16_t)(WIDE(a) != WIDE(a) ? NAN16 : (a & 0x8000U ? 0U : a));         \
    }                                                                                   \
    static inline uint16_t P##_fma_relu(uint16_t a, uint16_t b, uint16_t c)             \
    {                                                                                   \
        return P##_relu(P##_fma(a, b, c));                                              \
    }                                                                                   \
    static inline uint16_t P##_neg(uint16_t a)                                          \
    {                                                                                   \
        return (uint16_t)(WIDE(a) != WIDE(a) ? NAN16 : (a ^ 0x8000U));                  \
    }                                                                                   \
    static inline uint16_t P##_abs(uint16_t a)                                          \
    {                                                                                   \
        return (uint16_t)(WIDE(a) != WIDE(a) ? NAN16 : (a & 0x7fffU));                  \
    }                                                                                   \
    static inline uint16_t P##_min(uint16_t a, uint16_t b)                              \
    {                                                                                   \
        return rg_extreme16(a, b, (float)WIDE(a), (float)WIDE(b), true, false, NAN16);  \
    }                                                                                   \
    static inline uint16_t P##_max(uint16_t a, uint16_t b)                              \
    {                                                                                   \
        return rg_extreme16(a, b, (float)WIDE(a), (float)WIDE(b), false, false, NAN16); \
    }                                                                                   \
    static inline uint16_t P##_min_nan(uint16_t a, uint16_t b)                          \
    {                                                                                   \
        return rg_extreme16(a, b, (float)WIDE(a), (float)WIDE(b), true, true, NAN16);   \
    }                                                                                   \
    static inline uint16_t P##_max_nan(uint16_t a, uint16_t b)                          \
    {                                                                                   \
        return rg_extreme16(a, b, (float)WIDE(a), (float)WIDE(b), false, true, NAN16);  \
    }                                                                                   \
    static inline uint16_t P##_ex2(uint16_t a)                                          \
    {                                                                                   \
        return NARROW(exp2(WIDE(a)), RG_ROUND_NEAREST);                                 \
    }                                                                                   \
    static inline uint16_t P##_tanh(uint16_t a)                                         \
    {                                                                                   \
        return NARROW(tanh(WIDE(a)), RG_ROUND_NEAREST);                                 \
    }
/* clang-format off */
RG_SMALL_FLOAT(rg_half, RG_H, rg_to_half, 0x7fff)
RG_SMALL_FLOAT(rg_bf, RG_BF, rg_to_bf16, 0x7fff)
/* clang-format on */

/* NOLINTEND(bugprone-macro-parentheses) */

#endif
