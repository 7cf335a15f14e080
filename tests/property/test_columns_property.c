/* SPDX-License-Identifier: MIT */
/**
 * \file Random expressions over random values: what columns say is what the single evaluator says, to the bit. Where
 * columns decline a block nothing is claimed, but most blocks must be taken. A seed on the command line repeats a run.
 */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/rng.h"
#include "expr/expr_columns.h"

enum {
    EXPRESSIONS = 3000,
    VARIABLES = 4
};

static uint64_t seed = 20260412;

static void put_expression(struct rg_buffer *text, struct rg_rng *rng, unsigned depth)
{
    static const char *const names[VARIABLES] = {"a", "b", "f", "t"};
    static const char *const operators[] = {"+", "-", "*", "/", "%", "//", "<", ">=", "==", "!=", " and ", " or "};
    static const char *const pairs[] = {"min", "max", "ceil_div", "pad", "bank_conflict_degree", "lines_per_warp",
                                        "pow"};
    static const char *const ones[] = {"abs", "ceil", "floor", "int", "float", "sqrt", "not ", "-", "round"};
    const uint64_t what = depth == 0 ? rg_rng_below(rng, 2) : rg_rng_below(rng, 8);
    switch (what) {
    case 0: rg_buffer_puts(text, names[rg_rng_below(rng, VARIABLES)]); return;
    case 1: rg_buffer_printf(text, "%d%s", (int)rg_rng_below(rng, 40), rg_rng_below(rng, 6) == 0 ? ".5" : ""); return;
    case 2: rg_buffer_printf(text, "%s(", ones[rg_rng_below(rng, 9)]); break;
    case 3: rg_buffer_printf(text, "%s(", pairs[rg_rng_below(rng, 7)]); break;
    default: rg_buffer_puts(text, "("); break;
    }
    put_expression(text, rng, depth - 1);
    if (what == 3) {
        rg_buffer_puts(text, ", ");
        put_expression(text, rng, depth - 1);
    } else if (what == 4) {
        rg_buffer_puts(text, " if ");
        put_expression(text, rng, depth - 1);
        rg_buffer_puts(text, " else ");
        put_expression(text, rng, depth - 1);
    } else if (what == 5) {
        rg_buffer_puts(text, " in [1, 2, 8, 3.5]");
    } else if (what > 5) {
        rg_buffer_puts(text, operators[rg_rng_below(rng, 12)]);
        put_expression(text, rng, depth - 1);
    }
    rg_buffer_puts(text, ")");
}

static double as_double(const struct ridge_value *value)
{
    return value->type == RIDGE_FLOAT  ? value->as.number
           : value->type == RIDGE_BOOL ? (double)value->as.truth
                                       : (double)value->as.integer;
}

struct block {
    struct ridge_value values[RG_COLUMN_ROWS][VARIABLES];
    _Alignas(16) double columns[VARIABLES][RG_COLUMN_ROWS];
};

static void fill_block(struct block *block, struct rg_rng *rng)
{
    for (size_t row = 0; row < RG_COLUMN_ROWS; row++) {
        block->values[row][0] = (struct ridge_value){RIDGE_INT, .as.integer = 1 + (int64_t)rg_rng_below(rng, 64)};
        block->values[row][1] = (struct ridge_value){RIDGE_INT, .as.integer = (int64_t)rg_rng_below(rng, 40) - 4};
        block->values[row][2] = (struct ridge_value){RIDGE_FLOAT, .as.number = 8 * rg_rng_unit(rng)};
        block->values[row][3] = (struct ridge_value){RIDGE_BOOL, .as.truth = rg_rng_below(rng, 2) != 0};
        for (size_t i = 0; i < VARIABLES; i++) {
            block->columns[i][row] = as_double(&block->values[row][i]);
        }
    }
}

static void check_expression(const char *text, const struct block *block, struct rg_column_space *space,
                             size_t taken[3])
{
    static const struct rg_symbol symbols[VARIABLES] = {{.name = "a", .slot = 0, .type = RIDGE_INT},
                                                        {.name = "b", .slot = 1, .type = RIDGE_INT},
                                                        {.name = "f", .slot = 2, .type = RIDGE_FLOAT},
                                                        {.name = "t", .slot = 3, .type = RIDGE_BOOL}};
    struct ridge_context *context = test_context();
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    const struct rg_expr_source source = {.text = text, .dialect = RG_DIALECT_EXACT};
    struct rg_expr *expr = NULL;
    const struct rg_columns *columns = NULL;
    struct ridge_error error = {0};
    const double *variables[VARIABLES] = {block->columns[0], block->columns[1], block->columns[2], block->columns[3]};
    _Alignas(16) double got[RG_COLUMN_ROWS];
    const ridge_status status = rg_expr_compile(&arena, &source, symbols, VARIABLES, &expr, &error);
    error = (struct ridge_error){0};
    assert_int_equal(rg_columns_compile(&arena, &source, symbols, VARIABLES, &columns, &error), status);
    taken[0] += status == RIDGE_OK;
    taken[1] += columns != NULL;
    ridge_type type = RIDGE_INT;
    const bool one_type = columns && rg_columns_type(columns, &type);
    if (columns && rg_columns_eval(columns, variables, space, got)) {
        taken[2]++;
        for (size_t row = 0; row < RG_COLUMN_ROWS; row++) {
            struct ridge_value want;
            struct rg_fault fault;
            if (!rg_expr_eval(expr, block->values[row], &want, &fault) || as_double(&want) != got[row] ||
                (one_type && want.type != type)) {
                fail_msg("seed %llu, `%s`, row %zu: columns say %.17g", (unsigned long long)seed, text, row, got[row]);
            }
        }
    }
    rg_arena_fini(&arena);
    ridge_context_destroy(context);
}

static void columns_equal_single(void **state)
{
    (void)state;
    struct rg_rng rng;
    rg_rng_init(&rng, seed);
    struct ridge_context *context = test_context();
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    struct block *block = calloc(1, sizeof *block);
    struct rg_column_space *space = calloc(1, sizeof *space);
    size_t taken[3] = {0};
    assert_true(block && space);
    for (size_t i = 0; i < EXPRESSIONS; i++) {
        rg_buffer_clear(&text);
        put_expression(&text, &rng, 1 + (unsigned)rg_rng_below(&rng, 4));
        fill_block(block, &rng);
        check_expression(rg_buffer_text(&text), block, space, taken);
    }
    printf("seed %llu: %zu compile, %zu run in columns, %zu blocks were taken\n", (unsigned long long)seed, taken[0],
           taken[1], taken[2]);
    assert_true(taken[1] > taken[0] / 2);
    assert_true(taken[2] > taken[1] / 3);
    free(space);
    free(block);
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : seed;
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_equal_single)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
