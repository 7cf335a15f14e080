/* SPDX-License-Identifier: MIT */
#include "space/space_columns.h"

/** A function for one operation: two columns, or a column and a value. */
#define ROWS(name, expression)                                                                    \
    static void name(struct rg_operand left, struct rg_operand right, int64_t *out, size_t count) \
    {                                                                                             \
        if (left.column && right.column) {                                                        \
            for (size_t i = 0; i < count; i++) {                                                  \
                const int64_t a = left.column[i];                                                 \
                const int64_t b = right.column[i];                                                \
                out[i] = (expression);                                                            \
            }                                                                                     \
        } else if (left.column) {                                                                 \
            const int64_t b = right.value;                                                        \
            for (size_t i = 0; i < count; i++) {                                                  \
                const int64_t a = left.column[i];                                                 \
                out[i] = (expression);                                                            \
            }                                                                                     \
        } else if (right.column) {                                                                \
            const int64_t a = left.value;                                                         \
            for (size_t i = 0; i < count; i++) {                                                  \
                const int64_t b = right.column[i];                                                \
                out[i] = (expression);                                                            \
            }                                                                                     \
        }                                                                                         \
    }

ROWS(rows_add, a + b)
ROWS(rows_subtract, a - b)
ROWS(rows_multiply, a *b)
ROWS(rows_divide, a / b)
ROWS(rows_floor_divide, a / b - (a % b < 0))
ROWS(rows_remainder, a % b)
ROWS(rows_modulo, a % b + (a % b < 0 ? b : 0))
ROWS(rows_narrow_rest, (int64_t)((uint32_t)a % (uint32_t)b))
ROWS(rows_min, a < b ? a : b)
ROWS(rows_max, a > b ? a : b)
ROWS(rows_equal, a == b)
ROWS(rows_not_equal, a != b)
ROWS(rows_less, a < b)
ROWS(rows_less_equal, a <= b)
ROWS(rows_and, a &b)
ROWS(rows_or, a | b)
#undef ROWS

/** Whether an operand is never negative and fits in 32 bits, where dividing is much faster. */
static bool is_narrow(const struct rg_register *operand)
{
    return operand->low >= 0 && operand->high <= UINT32_MAX;
}

rg_column_fn rg_column_function(const struct rg_register *operation, const struct rg_register *left,
                                const struct rg_register *right)
{
    static const rg_column_fn functions[] = {
        [RG_REGISTER_ADD] = rows_add,
        [RG_REGISTER_SUBTRACT] = rows_subtract,
        [RG_REGISTER_MULTIPLY] = rows_multiply,
        [RG_REGISTER_DIVIDE] = rows_divide,
        [RG_REGISTER_FLOOR_DIVIDE] = rows_floor_divide,
        [RG_REGISTER_REMAINDER] = rows_remainder,
        [RG_REGISTER_MODULO] = rows_modulo,
        [RG_REGISTER_MIN] = rows_min,
        [RG_REGISTER_MAX] = rows_max,
        [RG_REGISTER_EQUAL] = rows_equal,
        [RG_REGISTER_NOT_EQUAL] = rows_not_equal,
        [RG_REGISTER_LESS] = rows_less,
        [RG_REGISTER_LESS_EQUAL] = rows_less_equal,
        [RG_REGISTER_AND] = rows_and,
        [RG_REGISTER_OR] = rows_or,
    };
    const bool rest = operation->op == RG_REGISTER_REMAINDER || operation->op == RG_REGISTER_MODULO;
    return rest && is_narrow(left) && is_narrow(right) ? rows_narrow_rest : functions[operation->op];
}
