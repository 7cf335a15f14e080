/* SPDX-License-Identifier: MIT */
/** \file One operation over a column of values at a time. Pure; any thread. */
#ifndef RG_SPACE_SPACE_COLUMNS_H
#define RG_SPACE_SPACE_COLUMNS_H

#include "space/space_program.h"

enum {
    RG_COLUMN = 256 /**< values at a time */
};

/** An operand: a column, or one value for all rows. */
struct rg_operand {
    const int64_t *column; /**< NULL: `value` */
    int64_t value;
};

/** Fills `out` with `count` results of an operation. At least one operand is a column. */
typedef void (*rg_column_fn)(struct rg_operand left, struct rg_operand right, int64_t *out, size_t count);

/** \return the function for an operation on these two registers. */
rg_column_fn rg_column_function(const struct rg_register *operation, const struct rg_register *left,
                                const struct rg_register *right);

#endif
