/* SPDX-License-Identifier: MIT */
#include "expr/expr_arithmetic.h"

#include <math.h>
#include <string.h>

#include "expr/expr_integer.h"
#include "expr/expr_opcode.h"

__extension__ typedef unsigned __int128 uint128;

/** The first double above all 64-bit integers; its negative is the lowest of them. */
static const double two_to_63 = 9223372036854775808.0;

rg_fault_code rg_integer_power(int64_t base, int64_t exponent, int64_t *out)
{
    if (exponent < 0) {
        return RG_FAULT_DOMAIN;
    }
    int64_t power = 1;
    while (exponent > 0) {
        if (exponent % 2 != 0 && !rg_multiply_i64(power, base, &power)) {
            return RG_FAULT_OVERFLOW;
        }
        exponent /= 2;
        if (exponent > 0 && !rg_multiply_i64(base, base, &base)) {
            return RG_FAULT_OVERFLOW;
        }
    }
    *out = power;
    return RG_FAULT_NONE;
}

static double as_number(struct ridge_value value)
{
    return value.type == RIDGE_FLOAT ? value.as.number : (double)rg_value_as_integer(value);
}

/** Floats that overflow or are undefined are faults: a value is always finite. */
static rg_fault_code give_number(double number, struct ridge_value *out)
{
    if (isnan(number)) {
        return RG_FAULT_DOMAIN;
    }
    if (isinf(number)) {
        return RG_FAULT_OVERFLOW;
    }
    *out = (struct ridge_value){.type = RIDGE_FLOAT, .as.number = number};
    return RG_FAULT_NONE;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/**
 * The quotient of two integers, rounded once. Above 2^53 dividing two rounded doubles would round three times, so
 * there the quotient is taken to 62 bits or more with a sticky bit, and rounded by the one conversion.
 */
static double divide_truly(int64_t a, int64_t b)
{
    const uint64_t exact = UINT64_C(1) << 53;
    uint64_t top = magnitude(a);
    uint64_t bottom = magnitude(b);
    if (top <= exact && bottom <= exact) {
        return (double)a / (double)b;
    }
    const int top_shift = top ? __builtin_clzll(top) : 0;
    const int bottom_shift = __builtin_clzll(bottom);
    const uint128 dividend = (uint128)(top << top_shift) << 64;
    bottom <<= bottom_shift;
    const uint128 quotient = dividend / bottom;
    const bool sticky = dividend % bottom != 0 || (quotient & 3U) != 0;
    const double rounded = (double)((uint64_t)(quotient >> 2) | sticky);
    return ldexp((a < 0) != (b < 0) ? -rounded : rounded, 2 - 64 - top_shift + bottom_shift);
}

/** Floor division and its remainder, exact where floor(a / b) would round the quotient up first. */
static void floor_divide(double a, double b, double *quotient, double *modulo)
{
    double rest = fmod(a, b);
    double whole = (a - rest) / b;
    if (rest == 0.0) {
        rest = copysign(0.0, b);
    } else if ((rest < 0) != (b < 0)) {
        rest += b;
        whole -= 1.0;
    }
    *modulo = rest;
    /* Whole but for the rounding of the division, which may have gone either way. */
    const double below = floor(whole);
    *quotient = whole == 0.0 ? copysign(0.0, a / b) : below + (whole - below > 0.5);
}

static rg_fault_code number_power(double base, double exponent, struct ridge_value *out)
{
    if (base == 0.0 && exponent < 0) {
        return RG_FAULT_ZERO_DIVISION;
    }
    return give_number(pow(base, exponent), out);
}

static rg_fault_code number_divide(unsigned op, double a, double b, struct ridge_value *out)
{
    if (b == 0.0) {
        return RG_FAULT_ZERO_DIVISION;
    }
    double quotient;
    double modulo;
    switch (op) {
    case RG_OP_FLOOR_DIVIDE: floor_divide(a, b, &quotient, &modulo); return give_number(quotient, out);
    case RG_OP_MODULO: floor_divide(a, b, &quotient, &modulo); return give_number(modulo, out);
    case RG_OP_REMAINDER: return give_number(fmod(a, b), out);
    default: return give_number(a / b, out);
    }
}

static rg_fault_code number_binary(unsigned op, double a, double b, struct ridge_value *out)
{
    switch (op) {
    case RG_OP_ADD: return give_number(a + b, out);
    case RG_OP_SUBTRACT: return give_number(a - b, out);
    case RG_OP_MULTIPLY: return give_number(a * b, out);
    case RG_OP_POWER:
    case RG_OP_PYTHON_POWER: return number_power(a, b, out);
    default: return number_divide(op, a, b, out);
    }
}

static int order_of(double a, double b)
{
    return (a > b) - (a < b);
}

/** Compare without rounding the integer to a double. */
static int order_integer_number(int64_t a, double b)
{
    if (b >= two_to_63) {
        return -1;
    }
    if (b < -two_to_63) {
        return 1;
    }
    const int64_t whole = (int64_t)b;
    return a != whole ? (a > whole) - (a < whole) : order_of((double)whole, b);
}

/** \return below 0, 0 or above 0. Both are numbers. */
static int number_order(struct ridge_value a, struct ridge_value b)
{
    if (a.type == RIDGE_FLOAT && b.type == RIDGE_FLOAT) {
        return order_of(a.as.number, b.as.number);
    }
    if (a.type == RIDGE_FLOAT) {
        return -order_integer_number(rg_value_as_integer(b), a.as.number);
    }
    if (b.type == RIDGE_FLOAT) {
        return order_integer_number(rg_value_as_integer(a), b.as.number);
    }
    const int64_t left = rg_value_as_integer(a);
    const int64_t right = rg_value_as_integer(b);
    return (left > right) - (left < right);
}

static struct ridge_value order_holds(unsigned op, int order)
{
    switch (op) {
    case RG_OP_EQUAL: return rg_value_bool(order == 0);
    case RG_OP_NOT_EQUAL: return rg_value_bool(order != 0);
    case RG_OP_LESS: return rg_value_bool(order < 0);
    case RG_OP_LESS_EQUAL: return rg_value_bool(order <= 0);
    case RG_OP_GREATER: return rg_value_bool(order > 0);
    default: return rg_value_bool(order >= 0);
    }
}

bool rg_value_equal(struct ridge_value a, struct ridge_value b)
{
    if (a.type == RIDGE_TEXT || b.type == RIDGE_TEXT) {
        return a.type == b.type && strcmp(a.as.text, b.as.text) == 0;
    }
    return number_order(a, b) == 0;
}

static rg_fault_code text_binary(unsigned op, struct ridge_value a, struct ridge_value b, struct ridge_value *out)
{
    if (!rg_opcode_compares(op) || (rg_opcode_orders(op) && a.type != b.type)) {
        return RG_FAULT_TEXT;
    }
    *out = order_holds(op, a.type == b.type ? strcmp(a.as.text, b.as.text) : 1);
    return RG_FAULT_NONE;
}

static rg_fault_code integer_binary(unsigned op, int64_t a, int64_t b, struct ridge_value *out)
{
    int64_t result;
    rg_fault_code code;
    switch (op) {
#define INTEGER_CASE(name, function)    \
    case RG_OP_##name:                  \
        code = function(a, b, &result); \
        break;
#define NOTHING(name)
        RG_OPCODE_LIST(INTEGER_CASE, NOTHING, NOTHING, NOTHING)
#undef INTEGER_CASE
#undef NOTHING
    case RG_OP_PYTHON_POWER:
        if (b < 0) {
            return number_power((double)a, (double)b, out);
        }
        code = rg_integer_power(a, b, &result);
        break;
    default: return b == 0 ? RG_FAULT_ZERO_DIVISION : give_number(divide_truly(a, b), out);
    }
    if (code != RG_FAULT_NONE) {
        return code;
    }
    *out = rg_opcode_compares(op) ? rg_value_bool(result != 0) : rg_value_integer(result);
    return RG_FAULT_NONE;
}

rg_fault_code rg_apply_binary(unsigned op, struct ridge_value a, struct ridge_value b, struct ridge_value *out)
{
    if (a.type == RIDGE_TEXT || b.type == RIDGE_TEXT) {
        return text_binary(op, a, b, out);
    }
    if (op == RG_OP_MIN || op == RG_OP_MAX) { /* an operand as it is, the first of equal ones */
        const int order = number_order(b, a);
        *out = (op == RG_OP_MIN ? order < 0 : order > 0) ? b : a;
        return RG_FAULT_NONE;
    }
    if (a.type != RIDGE_FLOAT && b.type != RIDGE_FLOAT) {
        return integer_binary(op, rg_value_as_integer(a), rg_value_as_integer(b), out);
    }
    if (rg_opcode_compares(op)) {
        *out = order_holds(op, number_order(a, b));
        return RG_FAULT_NONE;
    }
    return rg_opcode_whole(op) ? RG_FAULT_DOMAIN : number_binary(op, as_number(a), as_number(b), out);
}

rg_fault_code rg_value_truth(struct ridge_value value, bool *out)
{
    if (value.type == RIDGE_TEXT) {
        return RG_FAULT_TEXT;
    }
    *out = value.type == RIDGE_FLOAT ? value.as.number != 0.0 : rg_value_as_integer(value) != 0;
    return RG_FAULT_NONE;
}

/** A whole double as an integer. */
static rg_fault_code give_integer(double whole, struct ridge_value *out)
{
    if (isnan(whole)) {
        return RG_FAULT_DOMAIN;
    }
    if (!(whole >= -two_to_63 && whole < two_to_63)) {
        return RG_FAULT_OVERFLOW;
    }
    *out = rg_value_integer((int64_t)whole);
    return RG_FAULT_NONE;
}

static double round_even(double number)
{
    const bool half = fabs(number - trunc(number)) == 0.5;
    return half ? 2.0 * round(number / 2.0) : round(number);
}

static rg_fault_code number_unary(unsigned op, double a, struct ridge_value *out)
{
    switch (op) {
    case RG_OP_NEGATE: return give_number(-a, out);
    case RG_OP_ABSOLUTE: return give_number(fabs(a), out);
    case RG_OP_CEIL: return give_integer(ceil(a), out);
    case RG_OP_FLOOR: return give_integer(floor(a), out);
    case RG_OP_ROUND_AWAY: return give_integer(round(a), out);
    case RG_OP_ROUND_EVEN: return give_integer(round_even(a), out);
    case RG_OP_TO_INT: return give_integer(trunc(a), out);
    case RG_OP_LOG2: return a > 0 ? give_number(log2(a), out) : RG_FAULT_DOMAIN;
    case RG_OP_SQRT: return a >= 0 ? give_number(sqrt(a), out) : RG_FAULT_DOMAIN;
    default: return give_number(a, out);
    }
}

static rg_fault_code integer_unary(unsigned op, int64_t a, struct ridge_value *out)
{
    switch (op) {
    case RG_OP_NEGATE: break;
    case RG_OP_ABSOLUTE:
        if (a < 0) {
            break;
        }
        *out = rg_value_integer(a);
        return RG_FAULT_NONE;
    case RG_OP_LOG2:
    case RG_OP_SQRT:
    case RG_OP_TO_FLOAT: return number_unary(op, (double)a, out);
    default: *out = rg_value_integer(a); return RG_FAULT_NONE;
    }
    int64_t negated;
    const rg_fault_code code = rg_integer_subtract(0, a, &negated);
    *out = code == RG_FAULT_NONE ? rg_value_integer(negated) : *out;
    return code;
}

rg_fault_code rg_apply_unary(unsigned op, struct ridge_value a, struct ridge_value *out)
{
    if (a.type == RIDGE_TEXT) {
        return RG_FAULT_TEXT;
    }
    if (op == RG_OP_NOT || op == RG_OP_TRUTH) {
        bool truth = false;
        rg_value_truth(a, &truth);
        *out = rg_value_bool(truth == (op == RG_OP_TRUTH));
        return RG_FAULT_NONE;
    }
    return a.type == RIDGE_FLOAT ? number_unary(op, a.as.number, out) : integer_unary(op, rg_value_as_integer(a), out);
}
