/* SPDX-License-Identifier: MIT */
#include "space/space_columns.h"

static int64_t floor_quotient(int64_t a, int64_t b)
{
    const int64_t whole = a / b;
    return whole - (a % b < 0);
}

static int64_t modulo(int64_t a, int64_t b)
{
    const int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

/** Whether both operands are never negative and fit in 32 bits, where dividing is much faster. */
static bool is_narrow(const int64_t *values, int64_t value, size_t count)
{
    uint64_t all = values ? 0 : (uint64_t)value;
    for (size_t i = 0; values && i < count; i++) {
        all |= (uint64_t)values[i];
    }
    return all <= UINT32_MAX;
}

#define ROWS(expression)                           \
    do {                                           \
        if (left.column && right.column) {         \
            for (size_t i = 0; i < count; i++) {   \
                const int64_t a = left.column[i];  \
                const int64_t b = right.column[i]; \
                out[i] = (expression);             \
            }                                      \
        } else if (left.column) {                  \
            const int64_t b = right.value;         \
            for (size_t i = 0; i < count; i++) {   \
                const int64_t a = left.column[i];  \
                out[i] = (expression);             \
            }                                      \
        } else {                                   \
            const int64_t a = left.value;          \
            for (size_t i = 0; i < count; i++) {   \
                const int64_t b = right.column[i]; \
                out[i] = (expression);             \
            }                                      \
        }                                          \
    } while (0)

static void apply_rest(const struct rg_register *operation, struct rg_operand left, struct rg_operand right,
                       int64_t *out, size_t count)
{
    if (is_narrow(left.column, left.value, count) && is_narrow(right.column, right.value, count)) {
        ROWS((int64_t)((uint32_t)a % (uint32_t)b));
    } else if (operation->op == RG_REGISTER_REMAINDER) {
        ROWS(a % b);
    } else {
        ROWS(modulo(a, b));
    }
}

void rg_column_apply(const struct rg_register *operation, struct rg_operand left, struct rg_operand right, int64_t *out,
                     size_t count)
{
    switch (operation->op) {
    case RG_REGISTER_ADD: ROWS(a + b); return;
    case RG_REGISTER_SUBTRACT: ROWS(a - b); return;
    case RG_REGISTER_MULTIPLY: ROWS(a * b); return;
    case RG_REGISTER_DIVIDE: ROWS(a / b); return;
    case RG_REGISTER_FLOOR_DIVIDE: ROWS(floor_quotient(a, b)); return;
    case RG_REGISTER_REMAINDER:
    case RG_REGISTER_MODULO: apply_rest(operation, left, right, out, count); return;
    case RG_REGISTER_MIN: ROWS(a < b ? a : b); return;
    case RG_REGISTER_MAX: ROWS(a > b ? a : b); return;
    case RG_REGISTER_EQUAL: ROWS(a == b); return;
    case RG_REGISTER_NOT_EQUAL: ROWS(a != b); return;
    case RG_REGISTER_LESS: ROWS(a < b); return;
    case RG_REGISTER_LESS_EQUAL: ROWS(a <= b); return;
    case RG_REGISTER_AND: ROWS(a & b); return;
    case RG_REGISTER_OR: ROWS(a | b); return;
    case RG_REGISTER_CONSTANT:
    case RG_REGISTER_VARIABLE:
    case RG_REGISTER_CHOICE: return;
    }
}
