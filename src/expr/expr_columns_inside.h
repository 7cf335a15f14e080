/* SPDX-License-Identifier: MIT */
/** \file The inside of an expression for columns. Thread rule: unchanging after compiling. */
#ifndef RG_EXPR_COLUMNS_INSIDE_H
#define RG_EXPR_COLUMNS_INSIDE_H

#include "expr/expr_columns.h"
#include "expr/expr_opcode.h"

/** Operators that only columns have, beyond those of enum rg_opcode. */
enum {
    RG_COLUMN_AND = 1000,
    RG_COLUMN_OR,
    RG_COLUMN_SELECT /**< b where a is true, else c */
};

enum rg_column_from {
    RG_COLUMN_FROM_STACK,
    RG_COLUMN_FROM_VARIABLE,
    RG_COLUMN_FROM_CONSTANT
};

struct rg_column_operand {
    enum rg_column_from from;
    unsigned index;         /**< of the column, or the slot */
    const double *constant; /**< a column that has it in every row */
};

struct rg_column_step {
    unsigned op;
    bool whole;  /**< the result is an integer or a truth */
    bool strict; /**< it may be an integer: beyond the limit it is left to the single evaluator */
    unsigned to;
    struct rg_column_operand a, b, c;
};

struct rg_columns {
    const struct rg_column_step *steps;
    size_t count;
    struct rg_column_operand result;
    bool one_type; /**< every result has `type`; else some are integers and some floats */
    ridge_type type;
};

#endif
