/* SPDX-License-Identifier: MIT */
/** \file Names looked up, types found, constants folded: the tree is changed in place. Thread rule: one thread a tree. */
#ifndef RG_EXPR_CHECK_H
#define RG_EXPR_CHECK_H

#include "expr/expr_node.h"

/** What an expression is checked against. */
struct rg_checker {
    const struct rg_expr_source *source;
    const struct rg_symbol *symbols;
    size_t symbol_count;
    struct ridge_error *error;
};

/**
 * Check a tree and all below it. Afterwards it has no RG_NODE_NAME, and each node its types.
 * A constant part that faults, such as 1 / 0, stays as it is: it may never be evaluated.
 */
ridge_status rg_expr_check(const struct rg_checker *checker, struct rg_node *node);

#endif
