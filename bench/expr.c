/* SPDX-License-Identifier: MIT */
/** \file How many configurations a second a set of four integer constraints is tested on, by each evaluator. */
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "expr/expr_compile.h"

enum {
    CONSTRAINTS = 4,
    DIMENSIONS = 4,
    CONFIGURATIONS = 4096,
    ROUNDS = 500
};

static const char *const texts[CONSTRAINTS] = {"32 <= block_x * block_y <= 1024", "tile % 2 == 0 or block_x >= 16",
                                               "(block_x * tile + 4) * (block_y * tile + 4) * 4 <= 49152",
                                               "unroll == 0 or tile % unroll == 0"};
static const struct rg_symbol symbols[DIMENSIONS] = {{.name = "block_x", .slot = 0, .type = RIDGE_INT},
                                                     {.name = "block_y", .slot = 1, .type = RIDGE_INT},
                                                     {.name = "tile", .slot = 2, .type = RIDGE_INT},
                                                     {.name = "unroll", .slot = 3, .type = RIDGE_INT}};

static void fill(struct ridge_value values[CONFIGURATIONS][DIMENSIONS])
{
    struct rg_rng rng;
    rg_rng_init(&rng, 1);
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        const int64_t chosen[DIMENSIONS] = {(int64_t)1 << rg_rng_below(&rng, 9), (int64_t)1 << rg_rng_below(&rng, 6),
                                            (int64_t)rg_rng_below(&rng, 8) + 1, (int64_t)rg_rng_below(&rng, 5)};
        for (size_t k = 0; k < DIMENSIONS; k++) {
            values[i][k] = (struct ridge_value){.type = RIDGE_INT, .as.integer = chosen[k]};
        }
    }
}

/** All four are evaluated, so that the numbers do not depend on how many configurations pass. */
static void measure(const struct ridge_context *context, bool integers)
{
    static struct ridge_value values[CONFIGURATIONS][DIMENSIONS];
    fill(values);
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    struct rg_expr *exprs[CONSTRAINTS];
    for (size_t i = 0; i < CONSTRAINTS; i++) {
        const struct rg_expr_source source = {.text = texts[i]};
        if (rg_expr_compile_for(&arena, &source, symbols, DIMENSIONS, integers, &exprs[i], NULL) != RIDGE_OK) {
            rg_arena_fini(&arena);
            return;
        }
    }
    uint64_t passing = 0;
    const double begin_s = rg_clock_s();
    for (size_t at = 0; at < (size_t)ROUNDS * CONFIGURATIONS; at++) {
        bool all = true;
        for (size_t i = 0; i < CONSTRAINTS; i++) {
            bool truth = false;
            struct rg_fault fault;
            all &= rg_expr_test(exprs[i], values[at % CONFIGURATIONS], &truth, &fault) && truth;
        }
        passing += all;
    }
    const double seconds = rg_clock_s() - begin_s;
    printf("%s evaluator: %.1f million configurations/s of %d constraints (%.1f %% pass)\n",
           integers ? "integer" : "generic", ROUNDS * CONFIGURATIONS / seconds / 1e6, CONSTRAINTS,
           100.0 * (double)passing / (ROUNDS * CONFIGURATIONS));
    rg_arena_fini(&arena);
}

int main(void)
{
    struct ridge_context *context = NULL;
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 1;
    }
    measure(context, true);
    measure(context, false);
    ridge_context_destroy(context);
    return 0;
}
