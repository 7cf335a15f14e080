/* SPDX-License-Identifier: MIT */
/** \file Expression text to a tree, by precedence climbing (V. Pratt, 1973). Thread rule: one thread an arena. */
#ifndef RG_EXPR_PARSER_H
#define RG_EXPR_PARSER_H

#include "expr/expr_node.h"

/** Parse a whole expression. \return NULL on an error, then *status says which. The tree lives in the arena. */
struct rg_node *rg_expr_parse(struct rg_arena *arena, const struct rg_expr_source *source, ridge_status *status,
                              struct ridge_error *error);

#endif
