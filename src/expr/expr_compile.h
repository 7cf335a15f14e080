/* SPDX-License-Identifier: MIT */
/** \file Compiling with a choice of evaluator, so that tests can hold the two against each other. As expr.h. */
#ifndef RG_EXPR_COMPILE_H
#define RG_EXPR_COMPILE_H

#include "expr/expr_node.h"

/** rg_expr_compile; `integers` false: the generic evaluator runs it even when all types are integers. */
ridge_status rg_expr_compile_for(struct rg_arena *arena, const struct rg_expr_source *source,
                                 const struct rg_symbol *symbols, size_t symbol_count, bool integers,
                                 struct rg_expr **out, struct ridge_error *error);

/**
 * The checked tree of an expression that was compiled with these symbols: names looked up, constants folded.
 * \return a tree in the arena; NULL when memory is out
 */
const struct rg_node *rg_expr_tree(struct rg_arena *arena, const struct rg_expr *expr, const struct rg_symbol *symbols,
                                   size_t symbol_count);

#endif
