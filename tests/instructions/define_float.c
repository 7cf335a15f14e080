/* SPDX-License-Identifier: MIT */
/**
 * \file What floating-point instructions and comparisons mean. Source: PTX ISA, "Floating Point Instructions", "Half
 * Precision Floating Point Instructions", "Comparison and Selection Instructions".
 */
#include <math.h>

#include "instruction.h"

static u64 sign_bit(struct format format)
{
    return (u64)1 << (format.exponent_bits + format.fraction_bits + format.unused_bits);
}

/** min or max, with .NaN and .xorsign.abs. */
static struct real extreme(const struct spelling *spelling, struct real a, struct real b)
{
    const bool crosses = has(spelling, "xorsign");
    const bool negative = a.negative != b.negative;
    const bool any_nan = a.kind == REAL_NAN || b.kind == REAL_NAN;
    a.negative = a.negative && !crosses;
    b.negative = b.negative && !crosses;
    if (any_nan && has(spelling, "NaN")) {
        return a.kind == REAL_NAN ? a : b;
    }
    struct real x = a;
    if (any_nan) {
        x = a.kind == REAL_NAN ? b : a;
    } else {
        const int order = real_compare(a, b);
        const bool first = order ? order < 0 : a.negative; /* -0 lies below +0 */
        x = first == is(spelling, "min") ? a : b;
    }
    x.negative = crosses ? negative : x.negative;
    return x;
}

static struct real compute(const struct spelling *spelling, const struct real x[3])
{
    const enum rounding rounding = rounding_of(spelling);
    if (is(spelling, "add")) {
        return real_add(x[0], x[1], rounding);
    }
    if (is(spelling, "sub")) {
        return real_add(x[0], real_negated(x[1]), rounding);
    }
    if (is(spelling, "mul")) {
        return real_multiply(x[0], x[1]);
    }
    if (is(spelling, "fma") || is(spelling, "mad")) {
        return real_add(real_multiply(x[0], x[1]), x[2], rounding);
    }
    if (is(spelling, "div")) {
        return real_divide(x[0], x[1]);
    }
    if (is(spelling, "rcp")) {
        return real_divide(real_of_integer(false, 1), x[0]);
    }
    if (is(spelling, "sqrt")) {
        return real_square_root(x[0]);
    }
    if (is(spelling, "neg")) {
        return real_negated(x[0]);
    }
    if (is(spelling, "abs")) {
        return (struct real){x[0].kind, false, x[0].exponent, x[0].mantissa};
    }
    return extreme(spelling, x[0], x[1]);
}

/** .sat, .relu: to zero where negative; .sat: to one where above, NaN to zero. */
static u64 limited(const struct spelling *spelling, struct format format, u64 bits)
{
    const u64 one = real_round(format, real_of_integer(false, 1), NEAREST);
    const bool sat = has(spelling, "sat");
    if (is_nan(format, bits)) {
        return sat ? 0 : bits;
    }
    if ((sat || has(spelling, "relu")) && (bits & sign_bit(format))) {
        return 0;
    }
    return sat && bits > one ? one : bits;
}

static u64 finished(const struct spelling *spelling, struct format format, u64 bits)
{
    const u64 least_normal = (u64)1 << format.fraction_bits;
    const u64 magnitude = bits & (sign_bit(format) - 1);
    if (has(spelling, "ftz") && magnitude < least_normal) {
        bits &= sign_bit(format);
    }
    return limited(spelling, format, bits);
}

/** One number, or each of a pair. With .ftz a result that rounding lifts to the smallest normal number may be zero too:
 * PTX does not say whether it looks before or behind the rounding. */
DEFINE(float)
{
    const struct type type = last_type(spelling);
    const struct format format = type.format;
    const bool ftz = has(spelling, "ftz");
    const unsigned width = type.bits / type.parts;
    for (unsigned part = 0; part < type.parts; part++) {
        struct real x[3];
        for (unsigned i = 0; i < 3; i++) {
            x[i] = real_of_bits(format, cut(in[i] >> (width * part), width));
            x[i] = ftz ? real_flushed(format, x[i]) : x[i];
        }
        const struct real exact = compute(spelling, x);
        const struct real small = ftz ? real_flushed(format, exact) : exact;
        const u64 bits = finished(spelling, format, real_round(format, exact, rounding_of(spelling)));
        const u64 other = finished(spelling, format, real_round(format, small, NEAREST));
        out->value |= bits << (width * part);
        out->other |= (small.kind == exact.kind ? bits : other) << (width * part);
    }
    out->either = out->other != out->value;
}

static bool holds(const struct spelling *spelling, int order, bool unordered)
{
    static const struct {
        const char *word;
        bool less;
        bool equal;
        bool greater;
        bool unordered;
    } words[] = {
        {"eq", 0, 1, 0, 0},  {"ne", 1, 0, 1, 0},  {"lt", 1, 0, 0, 0},  {"le", 1, 1, 0, 0},  {"gt", 0, 0, 1, 0},
        {"ge", 0, 1, 1, 0},  {"lo", 1, 0, 0, 0},  {"ls", 1, 1, 0, 0},  {"hi", 0, 0, 1, 0},  {"hs", 0, 1, 1, 0},
        {"equ", 0, 1, 0, 1}, {"neu", 1, 0, 1, 1}, {"ltu", 1, 0, 0, 1}, {"leu", 1, 1, 0, 1}, {"gtu", 0, 0, 1, 1},
        {"geu", 0, 1, 1, 1}, {"num", 1, 1, 1, 0}, {"nan", 0, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (has(spelling, words[i].word)) {
            return unordered   ? words[i].unordered
                   : order < 0 ? words[i].less
                   : order     ? words[i].greater
                               : words[i].equal;
        }
    }
    return false;
}

/** Whether the comparison holds for one number or one half. */
static bool compared(const struct spelling *spelling, struct type type, u64 a, u64 b)
{
    if (type.kind != 'f') {
        const s128 x = number_of(type, a);
        const s128 y = number_of(type, b);
        return holds(spelling, x < y ? -1 : x > y, false);
    }
    struct real x = real_of_bits(type.format, a);
    struct real y = real_of_bits(type.format, b);
    if (has(spelling, "ftz")) {
        x = real_flushed(type.format, x);
        y = real_flushed(type.format, y);
    }
    const bool unordered = x.kind == REAL_NAN || y.kind == REAL_NAN;
    return holds(spelling, unordered ? 0 : real_compare(x, y), unordered);
}

static bool joined(const struct spelling *spelling, bool value, u64 other)
{
    return has(spelling, "and")   ? value && other
           : has(spelling, "or")  ? value || other
           : has(spelling, "xor") ? value != (other != 0)
                                  : value;
}

/** setp: p, and q: the opposite of the comparison; of a pair: the lower and the upper half. */
DEFINE(compare)
{
    const struct type type = last_type(spelling);
    const bool first = compared(spelling, type, in[0], in[1]);
    const bool second = type.parts == 2 ? compared(spelling, type, in[0] >> 16, in[1] >> 16) : !first;
    out->value = joined(spelling, first, in[2]);
    out->second = joined(spelling, second, in[2]);
}

DEFINE(set)
{
    const struct type to = spelling->types[0];
    const struct type type = last_type(spelling);
    const unsigned width = to.bits / type.parts;
    for (unsigned part = 0; part < type.parts; part++) {
        const bool value =
            joined(spelling, compared(spelling, type, in[0] >> (16 * part), in[1] >> (16 * part)), in[2]);
        const u64 yes =
            to.kind == 'f' ? real_round(to.format, real_of_integer(false, 1), NEAREST) : cut(~(u64)0, width);
        out->value |= (value ? yes : 0) << (width * part);
    }
}

/** selp: by a predicate; slct: by the sign of c, where -0 is none and NaN chooses b. */
DEFINE(select)
{
    const struct type type = last_type(spelling);
    if (is(spelling, "selp")) {
        out->value = in[2] ? in[0] : in[1];
    } else if (type.kind == 's') {
        out->value = number_of(type, in[2]) >= 0 ? in[0] : in[1];
    } else {
        struct real c = real_of_bits(type.format, in[2]);
        c = has(spelling, "ftz") ? real_flushed(type.format, c) : c;
        out->value = c.kind != REAL_NAN && (c.kind == REAL_ZERO || !c.negative) ? in[0] : in[1];
    }
}

/** The sign of a on b. */
DEFINE(copysign)
{
    const u64 sign = sign_bit(last_type(spelling).format);
    out->value = (in[1] & (sign - 1)) | (in[0] & sign);
}

DEFINE(testp)
{
    const struct type type = last_type(spelling);
    const struct real x = real_of_bits(type.format, in[0]);
    const bool number = x.kind != REAL_NAN;
    const bool finite = number && x.kind != REAL_INFINITE;
    const bool subnormal = finite && x.kind != REAL_ZERO && real_flushed(type.format, x).kind == REAL_ZERO;
    out->value = has(spelling, "finite")       ? finite
                 : has(spelling, "infinite")   ? number && !finite
                 : has(spelling, "number")     ? number
                 : has(spelling, "notanumber") ? !number
                 : has(spelling, "subnormal")  ? subnormal
                                               : finite && !subnormal; /* zero is normal here */
}

static long double value_of(struct format format, u64 bits)
{
    const struct real x = real_of_bits(format, bits);
    const long double magnitude = x.kind == REAL_NAN        ? (long double)NAN
                                  : x.kind == REAL_INFINITE ? (long double)INFINITY
                                                            : ldexpl((long double)(u64)x.mantissa, x.exponent);
    return x.negative ? -magnitude : magnitude;
}

/** How far from the exact value PTX allows an approximation to be: relative and absolute. Source: PTX ISA. */
struct error_bound {
    const char *opcode;
    unsigned exponent_bits; /* of the type */
    unsigned fraction_bits;
    long double relative;
    long double absolute;
};

static const struct error_bound bounds[] = {
    {"div", 8, 23, 0x1p-22L, 0},     {"rcp", 8, 23, 0x1p-23L, 0},   {"sqrt", 8, 23, 0x1p-23L, 0},
    {"rsqrt", 8, 23, 0x1.2p-23L, 0}, {"ex2", 8, 23, 0x1p-22L, 0},   {"lg2", 8, 23, 0x1p-22L, 0x1p-22L},
    {"sin", 8, 23, 0, 0x1.1p-21L},   {"cos", 8, 23, 0, 0x1.1p-21L}, {"tanh", 8, 23, 0x1p-11L, 0},
    {"tanh", 5, 10, 0, 0x1.04p-11L}, {"tanh", 8, 7, 0, 0x1p-8L},    {"ex2", 5, 10, 0x1.14p-10L, 0},
    {"ex2", 8, 7, 0x1p-7L, 0},       {"rcp", 11, 52, 0x1p-20L, 0},  {"rsqrt", 11, 52, 0x1p-20L, 0},
};

static long double exact_value(const struct spelling *spelling, long double a, long double b)
{
    const char *opcode = spelling->opcode;
    switch (opcode[0]) {
    case 'd': return a / b;
    case 'c': return cosl(a);
    case 'e': return exp2l(a);
    case 'l': return log2l(a);
    case 't': return tanhl(a);
    case 's': return opcode[1] == 'i' ? sinl(a) : sqrtl(a);
    default: return opcode[1] == 'c' ? 1 / a : 1 / sqrtl(a); /* rcp, rsqrt */
    }
}

/** A result of at most the smallest normal number may be off by what subnormals are apart. */
static bool is_near(const struct spelling *spelling, struct format format, u64 got_bits, long double wanted)
{
    const bool ftz = has(spelling, "ftz");
    const long double got = value_of(format, got_bits);
    const int least = 2 - (1 << (format.exponent_bits - 1)); /* exponent of the smallest normal number */
    const long double top = ldexpl(1, 1 - least + 1);
    const struct error_bound *bound = bounds;
    while (!is(spelling, bound->opcode) || bound->exponent_bits != format.exponent_bits ||
           bound->fraction_bits != format.fraction_bits) {
        bound++;
    }
    if (wanted != wanted || isinf(wanted) || wanted == 0) {
        return wanted != wanted ? got != got : got == wanted && signbit(got) == signbit(wanted);
    }
    const long double unit = ldexpl(1, least - (int)format.fraction_bits);
    const long double slack = bound->relative * fabsl(wanted) + bound->absolute + unit;
    if (isinf(got)) {
        return signbit(got) == signbit(wanted) &&
               fabsl(wanted) + slack >= top * (1 - ldexpl(1, -(int)format.fraction_bits - 2));
    }
    if (ftz && got == 0) {
        return fabsl(wanted) <= ldexpl(1, least) + slack;
    }
    return fabsl(got - wanted) <= slack;
}

/** Approximations: what PTX says of their error; special values exactly. */
APPROVE(near)
{
    const struct type type = last_type(spelling);
    const unsigned width = type.bits / type.parts;
    for (unsigned part = 0; part < type.parts; part++) {
        long double x[2];
        for (unsigned i = 0; i < 2; i++) {
            const u64 bits = cut(in[i] >> (width * part), width);
            x[i] = value_of(type.format, bits);
            if (has(spelling, "ftz") && fabsl(x[i]) < ldexpl(1, 2 - (1 << (type.format.exponent_bits - 1)))) {
                x[i] = copysignl(0, x[i]);
            }
        }
        long double wanted = exact_value(spelling, x[0], x[1]);
        if (is(spelling, "div") && has(spelling, "approx") && fabsl(x[1]) > 0x1p126L && !isinf(x[1])) {
            wanted = isinf(x[0]) ? (long double)NAN : x[0] * copysignl(0, x[1]); /* as PTX says of large divisors */
        }
        if (!is_near(spelling, type.format, cut(got >> (width * part), width), wanted)) {
            return false;
        }
    }
    return true;
}
