/* SPDX-License-Identifier: MIT */
/**
 * \file The operators on 64-bit integers, shared by both evaluators and inlined into the fast one. Each returns
 * RG_FAULT_NONE and writes *out, or says why not. Pure; any thread.
 */
#ifndef RG_EXPR_INTEGER_H
#define RG_EXPR_INTEGER_H

#include "base/checked.h"
#include "expr/expr.h"

static inline rg_fault_code rg_integer_add(int64_t a, int64_t b, int64_t *out)
{
    return rg_add_i64(a, b, out) ? RG_FAULT_NONE : RG_FAULT_OVERFLOW;
}

static inline rg_fault_code rg_integer_subtract(int64_t a, int64_t b, int64_t *out)
{
    return rg_subtract_i64(a, b, out) ? RG_FAULT_NONE : RG_FAULT_OVERFLOW;
}

static inline rg_fault_code rg_integer_multiply(int64_t a, int64_t b, int64_t *out)
{
    return rg_multiply_i64(a, b, out) ? RG_FAULT_NONE : RG_FAULT_OVERFLOW;
}

static inline rg_fault_code rg_integer_divide(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0) {
        return RG_FAULT_ZERO_DIVISION;
    }
    if (b == -1) {
        return rg_integer_subtract(0, a, out);
    }
    *out = a / b;
    return RG_FAULT_NONE;
}

static inline rg_fault_code rg_integer_floor_divide(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0) {
        return RG_FAULT_ZERO_DIVISION;
    }
    if (b == -1) {
        return rg_integer_subtract(0, a, out);
    }
    *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return RG_FAULT_NONE;
}

static inline rg_fault_code rg_integer_remainder(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0) {
        return RG_FAULT_ZERO_DIVISION;
    }
    *out = b == -1 ? 0 : a % b;
    return RG_FAULT_NONE;
}

static inline rg_fault_code rg_integer_modulo(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0) {
        return RG_FAULT_ZERO_DIVISION;
    }
    const int64_t rest = b == -1 ? 0 : a % b;
    *out = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    return RG_FAULT_NONE;
}

/** By squaring; a negative exponent is RG_FAULT_DOMAIN. */
rg_fault_code rg_integer_power(int64_t base, int64_t exponent, int64_t *out);

static inline rg_fault_code rg_integer_min(int64_t a, int64_t b, int64_t *out)
{
    *out = b < a ? b : a;
    return RG_FAULT_NONE;
}

static inline rg_fault_code rg_integer_max(int64_t a, int64_t b, int64_t *out)
{
    *out = b > a ? b : a;
    return RG_FAULT_NONE;
}

/** The quotient rounded up. */
static inline rg_fault_code rg_integer_ceil_divide(int64_t a, int64_t b, int64_t *out)
{
    int64_t down;
    const rg_fault_code code = rg_integer_floor_divide(a, b, &down);
    if (code != RG_FAULT_NONE) {
        return code;
    }
    *out = down + (b != -1 && a % b != 0);
    return RG_FAULT_NONE;
}

/** The next multiple of b that is not below a; b below 1 is a fault. */
static inline rg_fault_code rg_integer_pad(int64_t a, int64_t b, int64_t *out)
{
    int64_t times;
    if (b < 0) {
        return RG_FAULT_DOMAIN;
    }
    const rg_fault_code code = rg_integer_ceil_divide(a, b, &times);
    return code == RG_FAULT_NONE ? rg_integer_multiply(times, b, out) : code;
}

/**
 * Wavefronts that 32 lanes need to read one 4-byte word each of a memory of 32 banks: the most distinct words in a
 * bank. The lanes stand in rows of `width`, neighbours one word apart, rows `stride` words apart.
 */
rg_fault_code rg_integer_bank_conflicts(int64_t stride, int64_t width, int64_t *out);

/** Distinct 128-byte lines that 32 lanes touch, `stride` bytes apart, each `bytes` bytes. */
rg_fault_code rg_integer_warp_lines(int64_t stride, int64_t bytes, int64_t *out);

#define RG_INTEGER_COMPARISON(name, operator)                                         \
    static inline rg_fault_code rg_integer_##name(int64_t a, int64_t b, int64_t *out) \
    {                                                                                 \
        *out = a operator b;                                                          \
        return RG_FAULT_NONE;                                                         \
    }
RG_INTEGER_COMPARISON(equal, ==)
RG_INTEGER_COMPARISON(not_equal, !=)
RG_INTEGER_COMPARISON(less, <)
RG_INTEGER_COMPARISON(less_equal, <=)
RG_INTEGER_COMPARISON(greater, >)
RG_INTEGER_COMPARISON(greater_equal, >=)
#undef RG_INTEGER_COMPARISON

#endif
