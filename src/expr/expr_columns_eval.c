/* SPDX-License-Identifier: MIT */
/**
 * \file Running an expression over columns. Two rows a step, in the vectors that every x86-64 and AArch64 has; each
 * operator gathers in `bad` whether a row left what a double holds exactly.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "expr/expr_columns_inside.h"
#include "expr/expr_integer.h"

typedef double pair __attribute__((vector_size(16), may_alias));
typedef int64_t mask __attribute__((vector_size(16), may_alias));

static const pair zero = {0.0, 0.0};
static const pair one = {1.0, 1.0};
static const pair rounder = {6755399441055744.0, 6755399441055744.0}; /* 1.5 * 2^52: adding it rounds to whole */
static const mask sign = {INT64_MIN, INT64_MIN};

static inline pair magnitude(pair x)
{
    return (pair)((mask)x & ~sign);
}

/** Exact for magnitudes up to 2^51; others come out as large as they are. */
static inline pair floor_pair(pair x)
{
    const pair near = (x + rounder) - rounder;
    return near - (pair)((mask)(near > x) & (mask)one);
}

static inline pair truncate_pair(pair x)
{
    return (pair)((mask)floor_pair(magnitude(x)) | ((mask)x & sign));
}

static inline pair truth(mask holds)
{
    return (pair)(holds & (mask)one);
}

static inline pair choose(mask holds, pair yes, pair no)
{
    return (pair)((holds & (mask)yes) | (~holds & (mask)no));
}

/** The quotient rounded up, as the integers have it. */
static inline pair ceil_pair(pair x)
{
    return -floor_pair(-x);
}

static inline const double *find(const struct rg_column_operand *operand, const double *const *variables,
                                 const struct rg_column_space *space)
{
    switch (operand->from) {
    case RG_COLUMN_FROM_VARIABLE: return variables[operand->index];
    case RG_COLUMN_FROM_CONSTANT: return operand->constant;
    case RG_COLUMN_FROM_STACK: break;
    }
    return space->columns[operand->index];
}

/** One row at a time; what is costly is recalled, for few different operands come. */
static bool run_rows(const struct rg_column_step *step, const double *left, const double *right,
                     struct rg_column_space *space, double *to)
{
    for (size_t i = 0; i < RG_COLUMN_ROWS; i++) {
        const double a = left[i];
        const double b = right[i];
        const size_t at = ((uint64_t)(int64_t)a * 31 + (uint64_t)(int64_t)b + step->op) % RG_COLUMN_RECALLED;
        if (space->recalled[at].op == step->op && space->recalled[at].left == a && space->recalled[at].right == b) {
            to[i] = space->recalled[at].result;
            continue;
        }
        int64_t result = 0;
        rg_fault_code code = RG_FAULT_DOMAIN;
        switch (step->op) {
        case RG_OP_POWER: code = rg_integer_power((int64_t)a, (int64_t)b, &result); break;
        case RG_OP_BANK_CONFLICTS: code = rg_integer_bank_conflicts((int64_t)a, (int64_t)b, &result); break;
        case RG_OP_WARP_LINES: code = rg_integer_warp_lines((int64_t)a, (int64_t)b, &result); break;
        case RG_OP_MODULO: code = rg_integer_modulo((int64_t)a, (int64_t)b, &result); break;
        default: break;
        }
        to[i] = (double)result;
        if (code != RG_FAULT_NONE || fabs(to[i]) > RG_COLUMN_WHOLE_LIMIT) {
            return false;
        }
        space->recalled[at].op = step->op;
        space->recalled[at].left = a;
        space->recalled[at].right = b;
        space->recalled[at].result = to[i];
    }
    return true;
}

static bool run_real(const struct rg_column_step *step, const double *from, double *to)
{
    for (size_t i = 0; i < RG_COLUMN_ROWS; i++) {
        const double a = from[i];
        switch (step->op) {
        case RG_OP_LOG2: to[i] = log2(a); break;
        case RG_OP_SQRT: to[i] = sqrt(a); break;
        case RG_OP_ROUND_AWAY: to[i] = round(a); break;
        default: return false;
        }
        const double limit = step->whole ? RG_COLUMN_WHOLE_LIMIT : DBL_MAX;
        if (!(fabs(to[i]) <= limit) || (step->op == RG_OP_LOG2 && a <= 0)) {
            return false;
        }
    }
    return true;
}

/** Run `expression` over all rows; a and b are the operands, `fault` says which rows have no answer. */
#define ROWS(name, expression, fault)                     \
    case name:                                            \
        for (size_t i = 0; i < RG_COLUMN_ROWS / 2; i++) { \
            const pair a = left[i];                       \
            const pair b = right[i];                      \
            const pair result = (expression);             \
            to[i] = result;                               \
            bad |= ~(mask)(magnitude(result) <= limit);   \
            bad |= (mask)(fault);                         \
            (void)a;                                      \
            (void)b;                                      \
        }                                                 \
        break;

static bool run(const struct rg_column_step *step, const double *const *variables, struct rg_column_space *space)
{
    const double *left_rows = find(&step->a, variables, space);
    const double *right_rows = find(&step->b, variables, space);
    const pair *left = (const pair *)(const void *)left_rows;
    const pair *right = (const pair *)(const void *)right_rows;
    const pair *other = (const pair *)(const void *)find(&step->c, variables, space);
    pair *to = (pair *)(void *)space->columns[step->to];
    const double most = step->whole || step->strict ? RG_COLUMN_WHOLE_LIMIT : DBL_MAX;
    const pair limit = {most, most};
    const mask never = {0, 0};
    mask bad = {0, 0};
    switch (step->whole && step->op == RG_OP_DIVIDE ? (unsigned)RG_OP_DIVIDE_CONSTANT : step->op) {
        ROWS(RG_OP_ADD, a + b, never)
        ROWS(RG_OP_SUBTRACT, a - b, never)
        ROWS(RG_OP_MULTIPLY, a * b, never)
        ROWS(RG_OP_DIVIDE, a / b, b == zero)
        ROWS(RG_OP_TRUE_DIVIDE, a / b, b == zero)
        ROWS(RG_OP_DIVIDE_CONSTANT, truncate_pair(a / b), b == zero)
        ROWS(RG_OP_FLOOR_DIVIDE, floor_pair(a / b), b == zero)
        ROWS(RG_OP_REMAINDER, a - b * truncate_pair(a / b), b == zero)
        ROWS(RG_OP_CEIL_DIVIDE, ceil_pair(a / b), b == zero)
        ROWS(RG_OP_PAD, ceil_pair(a / b) * b, b <= zero)
        ROWS(RG_OP_MIN, choose((mask)(b < a), b, a), never)
        ROWS(RG_OP_MAX, choose((mask)(b > a), b, a), never)
        ROWS(RG_OP_EQUAL, truth((mask)(a == b)), never)
        ROWS(RG_OP_NOT_EQUAL, truth((mask)(a != b)), never)
        ROWS(RG_OP_LESS, truth((mask)(a < b)), never)
        ROWS(RG_OP_LESS_EQUAL, truth((mask)(a <= b)), never)
        ROWS(RG_OP_GREATER, truth((mask)(a > b)), never)
        ROWS(RG_OP_GREATER_EQUAL, truth((mask)(a >= b)), never)
        ROWS(RG_COLUMN_AND, truth((mask)(a != zero) & (mask)(b != zero)), never)
        ROWS(RG_COLUMN_OR, truth((mask)(a != zero) | (mask)(b != zero)), never)
        ROWS(RG_COLUMN_SELECT, choose((mask)(a != zero), b, other[i]), never)
        ROWS(RG_OP_NOT, truth((mask)(a == zero)), never)
        ROWS(RG_OP_TRUTH, truth((mask)(a != zero)), never)
        ROWS(RG_OP_NEGATE, -a, never)
        ROWS(RG_OP_ABSOLUTE, magnitude(a), never)
        ROWS(RG_OP_CEIL, ceil_pair(a), never)
        ROWS(RG_OP_FLOOR, floor_pair(a), never)
        ROWS(RG_OP_TO_INT, truncate_pair(a), never)
    case RG_OP_LOG2:
    case RG_OP_SQRT:
    case RG_OP_ROUND_EVEN:
    case RG_OP_ROUND_AWAY: return run_real(step, left_rows, space->columns[step->to]);
    default: return run_rows(step, left_rows, right_rows, space, space->columns[step->to]);
    }
    return (bad[0] | bad[1]) == 0;
}
#undef ROWS

bool rg_columns_eval(const struct rg_columns *columns, const double *const *variables, struct rg_column_space *space,
                     double *out)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (!run(&columns->steps[i], variables, space)) {
            return false;
        }
    }
    memcpy(out, find(&columns->result, variables, space), RG_COLUMN_ROWS * sizeof out[0]);
    return true;
}
