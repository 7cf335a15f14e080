/* SPDX-License-Identifier: MIT */
/** \file Compiling with a choice of evaluator, so that tests can hold the two against each other. As expr.h. */
#ifndef RG_EXPR_COMPILE_H
#define RG_EXPR_COMPILE_H

#include "expr/expr_opcode.h"

/** rg_expr_compile; `integers` false: the generic evaluator runs it even when all types are integers. */
ridge_status rg_expr_compile_for(struct rg_arena *arena, const struct rg_expr_source *source,
                                 const struct rg_symbol *symbols, size_t symbol_count, bool integers,
                                 struct rg_expr **out, struct ridge_error *error);

#endif
