/* SPDX-License-Identifier: MIT */
/**
 * \file A sheet: what a spec's expressions come to for many configurations, in columns of a block.
 * Thread rule: a sheet is unchanging after it is made; a desk belongs to one thread.
 */
#ifndef RG_MODEL_SHEET_H
#define RG_MODEL_SHEET_H

#include "expr/expr_columns.h"
#include "ridge/rank.h"
#include "space/space.h"

/** Cells of a row, beside the counts of work. */
enum {
    RG_CELL_BLOCK_X = RG_WORK_COUNT,
    RG_CELL_BLOCK_Y,
    RG_CELL_BLOCK_Z,
    RG_CELL_GRID_X,
    RG_CELL_GRID_Y,
    RG_CELL_GRID_Z,
    RG_CELL_SMEM,
    RG_CELL_COUNT,
    RG_MAX_VARIABLES = RG_MAX_DIMENSIONS + RG_MAX_LETS
};

/** An expression in both forms. */
struct rg_cell {
    const struct rg_expr *expr;       /**< NULL: not given; the cell is `absent` */
    const struct rg_columns *columns; /**< NULL: row by row */
    double absent;
};

struct rg_sheet {
    const struct ridge_space *space;
    const struct ridge_spec *spec;
    struct rg_arena arena;
    size_t variable_count;
    const double *values[RG_MAX_DIMENSIONS]; /**< by dimension: its values as numbers; NULL: not needed in columns */
    struct rg_cell lets[RG_MAX_LETS];
    bool let_needed[RG_MAX_LETS];
    struct rg_cell cells[RG_CELL_COUNT];
};

/** What a thread fills. */
struct rg_desk {
    struct rg_column_space space;
    _Alignas(16) double variables[RG_MAX_VARIABLES][RG_COLUMN_ROWS];
    _Alignas(16) double cells[RG_CELL_COUNT][RG_COLUMN_ROWS];
    bool faulted[RG_COLUMN_ROWS]; /**< by row: an expression that is needed has no value */
    const struct ridge_code
        *code; /**< by row: what the compiled code says; NULL: nothing is known. Set by the caller */
};

/**
 * Make a sheet. \param work  false: only launch cells are filled
 * \param[out] sheet  freed by rg_sheet_fini
 */
ridge_status rg_sheet_init(struct rg_sheet *sheet, const struct ridge_context *context, const struct ridge_space *space,
                           bool work, struct ridge_error *error);
void rg_sheet_fini(struct rg_sheet *sheet);

/**
 * Fill the cells of up to RG_COLUMN_ROWS configurations.
 * \param choices  `count` rows of value indices
 */
void rg_sheet_fill(const struct rg_sheet *sheet, const uint32_t *choices, size_t count, struct rg_desk *desk);

/** The same without columns, each expression of each row by itself: what the columns are held against. */
void rg_sheet_fill_single(const struct rg_sheet *sheet, const uint32_t *choices, size_t count, struct rg_desk *desk);

#endif
