/* SPDX-License-Identifier: MIT */
/** \file A checked tree to code. Thread rule: one thread an arena. */
#ifndef RG_EXPR_EMIT_H
#define RG_EXPR_EMIT_H

#include "expr/expr_node.h"

/**
 * Write the code of a checked tree, the pool and the slots into an expression.
 * \retval RIDGE_E_LIMIT  it needs more stack than RG_EXPR_STACK.
 */
ridge_status rg_expr_emit(struct rg_arena *arena, const struct rg_node *root, struct rg_expr *expr,
                          struct ridge_error *error);

#endif
