/* SPDX-License-Identifier: MIT */
/**
 * \file Expressions over many rows at once: values are columns of doubles, one operator runs over a whole block.
 *
 * Integers are held as doubles, which is exact up to 2^51. Where a block holds a row that leaves this range, divides by
 * zero or faults in any way - also in a branch that its row would not take - the evaluation says so, and the caller
 * asks rg_expr_eval for each row of the block: the answers never differ from it. Thread rule: a compiled one is
 * unchanging; a workspace belongs to one thread.
 */
#ifndef RG_EXPR_COLUMNS_H
#define RG_EXPR_COLUMNS_H

#include "expr/expr.h"

enum {
    RG_COLUMN_ROWS = 128,    /**< of a block */
    RG_COLUMN_DEPTH = 48,    /**< columns that an evaluation may need */
    RG_COLUMN_RECALLED = 256 /**< results of lane functions kept, a power of two */
};

/** Above this an integer is left to the single evaluator. */
#define RG_COLUMN_WHOLE_LIMIT 2251799813685248.0 /* 2^51 */

/** What a thread needs while it evaluates. All zero at first. */
struct rg_column_space {
    _Alignas(16) double columns[RG_COLUMN_DEPTH][RG_COLUMN_ROWS];
    struct {
        unsigned op;
        double left, right, result;
    } recalled[RG_COLUMN_RECALLED];
};

struct rg_columns;

/**
 * Compile for columns, as rg_expr_compile does.
 * \param[out] out  lives in the arena; NULL with RIDGE_OK: this expression cannot run in columns (it uses text, or a
 *                  type is only known when it runs)
 */
ridge_status rg_columns_compile(struct rg_arena *arena, const struct rg_expr_source *source,
                                const struct rg_symbol *symbols, size_t symbol_count, const struct rg_columns **out,
                                struct ridge_error *error);

/** Compile an expression that is compiled already, over the same symbols, for columns. */
ridge_status rg_columns_of(struct rg_arena *arena, const struct rg_expr *expr, const struct rg_symbol *symbols,
                           size_t symbol_count, const struct rg_columns **out, struct ridge_error *error);

/**
 * Evaluate a block.
 * \param variables  by slot; each used one has RG_COLUMN_ROWS values, aligned to 16 bytes; integers within the limit
 * \param[out] out   RG_COLUMN_ROWS results, aligned to 16 bytes
 * \return false when a row needs the single evaluator; `out` is then of no use
 */
bool rg_columns_eval(const struct rg_columns *columns, const double *const *variables, struct rg_column_space *space,
                     double *out);

/** \return whether every result has one type, and which. */
bool rg_columns_type(const struct rg_columns *columns, ridge_type *out);

#endif
