/* SPDX-License-Identifier: MIT */
#include "model/sheet.h"

#include <math.h>
#include <string.h>

#include "base/context.h"

static double as_double(const struct ridge_value *value)
{
    switch (value->type) {
    case RIDGE_INT: return (double)value->as.integer;
    case RIDGE_FLOAT: return value->as.number;
    case RIDGE_BOOL: return value->as.truth;
    case RIDGE_TEXT: break;
    }
    return 0;
}

static ridge_status add_cell(struct rg_sheet *sheet, struct rg_cell *cell, const struct rg_expr *expr, double absent,
                             struct ridge_error *error)
{
    *cell = (struct rg_cell){.expr = expr, .absent = absent};
    if (!expr) {
        return RIDGE_OK;
    }
    /* What is read from other files than a kernel.toml has no counts of work. */
    const struct ridge_spec *spec = sheet->spec;
    const bool counts = spec->work_symbols != NULL;
    return rg_columns_of(&sheet->arena, expr, counts ? spec->work_symbols : spec->symbols,
                         counts ? spec->work_symbol_count : spec->symbol_count, &cell->columns, error);
}

/** Mark the lets that an expression uses, and those that they use. */
static void need_lets(struct rg_sheet *sheet, const struct rg_expr *expr)
{
    size_t count = 0;
    const unsigned *slots = expr ? rg_expr_slots(expr, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (slots[i] >= sheet->spec->dimension_count) {
            sheet->let_needed[slots[i] - sheet->spec->dimension_count] = true;
        }
    }
}

/** Whether columns can hold the values of a dimension. */
static bool fits_columns(const struct rg_dimension *dimension)
{
    for (size_t i = 0; i < dimension->count; i++) {
        const struct ridge_value *value = &dimension->values[i];
        if (value->type == RIDGE_TEXT || (value->type == RIDGE_INT && fabs(as_double(value)) > RG_COLUMN_WHOLE_LIMIT)) {
            return false;
        }
    }
    return true;
}

static void use_columns(struct rg_sheet *sheet, struct rg_cell *cell, bool *wanted)
{
    size_t count = 0;
    const unsigned *slots = cell->expr ? rg_expr_slots(cell->expr, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (slots[i] < sheet->spec->dimension_count) {
            wanted[slots[i]] = true;
            cell->columns = fits_columns(&sheet->spec->dimensions[slots[i]]) ? cell->columns : NULL;
        }
    }
}

static ridge_status tabulate(struct rg_sheet *sheet, const bool *wanted, struct ridge_error *error)
{
    for (size_t i = 0; i < sheet->spec->dimension_count; i++) {
        const struct rg_dimension *dimension = &sheet->spec->dimensions[i];
        if (!wanted[i]) {
            continue;
        }
        double *values = rg_arena_array(&sheet->arena, dimension->count, sizeof *values);
        if (!values) {
            return rg_error_memory(error, dimension->count * sizeof *values);
        }
        for (size_t k = 0; k < dimension->count; k++) {
            values[k] = as_double(&dimension->values[k]);
        }
        sheet->values[i] = values;
    }
    return RIDGE_OK;
}

static ridge_status init(struct rg_sheet *sheet, bool work, struct ridge_error *error)
{
    const struct ridge_spec *spec = sheet->spec;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < spec->let_count && status == RIDGE_OK; i++) {
        status = add_cell(sheet, &sheet->lets[i], spec->lets[i], 0, error);
    }
    for (size_t i = 0; i < RG_WORK_COUNT && status == RIDGE_OK; i++) {
        status = add_cell(sheet, &sheet->cells[i], work ? spec->work[i] : NULL, (double)NAN, error);
    }
    for (size_t i = 0; i < 3 && status == RIDGE_OK; i++) {
        status = add_cell(sheet, &sheet->cells[RG_CELL_BLOCK_X + i], spec->block[i], 1, error);
        status =
            status == RIDGE_OK ? add_cell(sheet, &sheet->cells[RG_CELL_GRID_X + i], spec->grid[i], 1, error) : status;
    }
    if (status == RIDGE_OK) {
        status = add_cell(sheet, &sheet->cells[RG_CELL_SMEM], spec->model_smem_bytes, 0, error);
    }
    bool wanted[RG_MAX_DIMENSIONS] = {false};
    for (size_t i = 0; i < RG_CELL_COUNT; i++) {
        need_lets(sheet, sheet->cells[i].expr);
        use_columns(sheet, &sheet->cells[i], wanted);
    }
    for (size_t i = spec->let_count; i > 0; i--) { /* a let is used by later ones only */
        if (sheet->let_needed[i - 1]) {
            need_lets(sheet, sheet->lets[i - 1].expr);
            use_columns(sheet, &sheet->lets[i - 1], wanted);
        }
    }
    return status == RIDGE_OK ? tabulate(sheet, wanted, error) : status;
}

ridge_status rg_sheet_init(struct rg_sheet *sheet, const struct ridge_context *context, const struct ridge_space *space,
                           bool work, struct ridge_error *error)
{
    *sheet = (struct rg_sheet){.space = space, .spec = rg_space_spec(space)};
    sheet->variable_count = sheet->spec->dimension_count + sheet->spec->let_count;
    rg_arena_init(&sheet->arena, context);
    const ridge_status status = init(sheet, work, error);
    if (status != RIDGE_OK) {
        rg_sheet_fini(sheet);
    }
    return status;
}

void rg_sheet_fini(struct rg_sheet *sheet)
{
    rg_arena_fini(&sheet->arena);
}

/** The values of one row, as the single evaluator takes them. \return false when a let that is needed faults. */
static bool row_values(const struct rg_sheet *sheet, const uint32_t *choice, struct ridge_value *values)
{
    const struct ridge_spec *spec = sheet->spec;
    rg_space_choice_values(sheet->space, choice, values);
    for (size_t i = 0; i < spec->let_count; i++) {
        struct rg_fault fault;
        struct ridge_value *value = &values[spec->dimension_count + i];
        if (sheet->let_needed[i] && !rg_expr_eval(sheet->lets[i].expr, values, value, &fault)) {
            return false;
        }
    }
    return true;
}

/** Fill one column row by row. */
static void fill_rows(const struct rg_sheet *sheet, const struct rg_cell *cell, const uint32_t *choices, size_t count,
                      struct rg_desk *desk, double *out)
{
    for (size_t row = 0; row < count; row++) {
        struct ridge_value values[RG_MAX_VARIABLES];
        struct ridge_value result = {RIDGE_INT, .as.integer = 0};
        struct rg_fault fault;
        const bool known = row_values(sheet, choices + row * sheet->spec->dimension_count, values) &&
                           rg_expr_eval(cell->expr, values, &result, &fault) && result.type != RIDGE_TEXT;
        out[row] = known ? as_double(&result) : (double)NAN;
        desk->faulted[row] = desk->faulted[row] || !known;
    }
}

/** \return whether it was filled in columns. */
static bool fill_cell(const struct rg_sheet *sheet, const struct rg_cell *cell, const uint32_t *choices, size_t count,
                      struct rg_desk *desk, double *out, bool columns)
{
    if (!cell->expr) {
        for (size_t row = 0; row < RG_COLUMN_ROWS; row++) {
            out[row] = cell->absent;
        }
        return true;
    }
    const double *variables[RG_MAX_VARIABLES];
    for (size_t i = 0; i < sheet->variable_count; i++) {
        variables[i] = desk->variables[i];
    }
    if (columns && cell->columns && rg_columns_eval(cell->columns, variables, &desk->space, out)) {
        return true;
    }
    fill_rows(sheet, cell, choices, count, desk, out);
    return false;
}

static void gather(const struct rg_sheet *sheet, const uint32_t *choices, size_t count, struct rg_desk *desk)
{
    const size_t width = sheet->spec->dimension_count;
    for (size_t i = 0; i < width; i++) {
        const double *values = sheet->values[i];
        if (!values) {
            continue;
        }
        double *out = desk->variables[i];
        for (size_t row = 0; row < count; row++) {
            out[row] = values[choices[row * width + i]];
        }
        for (size_t row = count; row < RG_COLUMN_ROWS; row++) {
            out[row] = out[0]; /* the rest of a block repeats what cannot be worse than the first row */
        }
    }
}

static void fill(const struct rg_sheet *sheet, const uint32_t *choices, size_t count, struct rg_desk *desk,
                 bool columns)
{
    memset(desk->faulted, 0, sizeof desk->faulted);
    gather(sheet, choices, count, desk);
    bool broken = false;
    for (size_t i = 0; i < sheet->spec->let_count; i++) {
        if (sheet->let_needed[i]) {
            double *out = desk->variables[sheet->spec->dimension_count + i];
            broken = !fill_cell(sheet, &sheet->lets[i], choices, count, desk, out, columns && !broken) || broken;
            for (size_t row = count; row < RG_COLUMN_ROWS; row++) {
                out[row] = out[0];
            }
        }
    }
    for (size_t i = 0; i < RG_CELL_COUNT; i++) {
        fill_cell(sheet, &sheet->cells[i], choices, count, desk, desk->cells[i], columns && !broken);
    }
}

void rg_sheet_fill(const struct rg_sheet *sheet, const uint32_t *choices, size_t count, struct rg_desk *desk)
{
    fill(sheet, choices, count, desk, true);
}

void rg_sheet_fill_single(const struct rg_sheet *sheet, const uint32_t *choices, size_t count, struct rg_desk *desk)
{
    fill(sheet, choices, count, desk, false);
}
