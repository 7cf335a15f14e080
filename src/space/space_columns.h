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

/** Fill `out` with `count` results of an operation. At least one operand is a column. */
void rg_column_apply(const struct rg_register *operation, struct rg_operand left, struct rg_operand right, int64_t *out,
                     size_t count);

#endif
