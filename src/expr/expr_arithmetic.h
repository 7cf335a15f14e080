/* SPDX-License-Identifier: MIT */
/** \file The operators on values of any type: what the generic evaluator and constant folding run. Pure; any thread. */
#ifndef RG_EXPR_ARITHMETIC_H
#define RG_EXPR_ARITHMETIC_H

#include "expr/expr.h"

/** Apply a binary opcode (its stack form). *out is written only on RG_FAULT_NONE. */
rg_fault_code rg_apply_binary(unsigned op, struct ridge_value a, struct ridge_value b, struct ridge_value *out);

/** Apply a unary opcode. *out is written only on RG_FAULT_NONE. */
rg_fault_code rg_apply_unary(unsigned op, struct ridge_value a, struct ridge_value *out);

/** Is a value true? Text is RG_FAULT_TEXT. */
rg_fault_code rg_value_truth(struct ridge_value value, bool *out);

/** Is it the same number (True is 1, 2 is 2.0), or the same text? */
bool rg_value_equal(struct ridge_value a, struct ridge_value b);

static inline struct ridge_value rg_value_integer(int64_t integer)
{
    return (struct ridge_value){.type = RIDGE_INT, .as.integer = integer};
}

static inline struct ridge_value rg_value_bool(bool truth)
{
    return (struct ridge_value){.type = RIDGE_BOOL, .as.truth = truth};
}

/** \return a bool or an integer as an integer. */
static inline int64_t rg_value_as_integer(struct ridge_value value)
{
    return value.type == RIDGE_BOOL ? value.as.truth : value.as.integer;
}

#endif
