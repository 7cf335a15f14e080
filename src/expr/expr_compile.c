/* SPDX-License-Identifier: MIT */
#include "expr/expr_compile.h"

#include <string.h>

#include "expr/expr_check.h"
#include "expr/expr_emit.h"
#include "expr/expr_parser.h"

/** Parse, check and emit; the tree lives in `scratch`. */
static ridge_status compile(struct rg_arena *arena, struct rg_arena *scratch, const struct rg_checker *checker,
                            bool integers, struct rg_expr *expr)
{
    ridge_status status = RIDGE_OK;
    struct rg_node *root = rg_expr_parse(scratch, checker->source, &status, checker->error);
    if (!root) {
        return status;
    }
    status = rg_expr_check(checker, root);
    if (status != RIDGE_OK) {
        return status;
    }
    expr->integers = integers && root->integral && (root->types == RG_SET_INT || root->types == RG_SET_BOOL);
    expr->type = root->types == RG_SET_BOOL ? RIDGE_BOOL : RIDGE_INT;
    expr->is_constant = root->kind == RG_NODE_CONSTANT;
    return rg_expr_emit(arena, root, expr, checker->error);
}

ridge_status rg_expr_compile_for(struct rg_arena *arena, const struct rg_expr_source *source,
                                 const struct rg_symbol *symbols, size_t symbol_count, bool integers,
                                 struct rg_expr **out, struct ridge_error *error)
{
    struct rg_expr *expr = rg_arena_alloc(arena, sizeof *expr);
    const char *text = expr ? rg_arena_strdup(arena, source->text) : NULL;
    if (!text) {
        return rg_error_memory(error, sizeof *expr + strlen(source->text) + 1);
    }
    expr->source = *source;
    expr->source.text = text;
    const struct rg_checker checker = {
        .source = &expr->source, .symbols = symbols, .symbol_count = symbol_count, .error = error};
    struct rg_arena scratch;
    rg_arena_init(&scratch, arena->context);
    const ridge_status status = compile(arena, &scratch, &checker, integers, expr);
    rg_arena_fini(&scratch);
    if (status == RIDGE_OK) {
        *out = expr;
    }
    return status;
}

const struct rg_node *rg_expr_tree(struct rg_arena *arena, const struct rg_expr *expr, const struct rg_symbol *symbols,
                                   size_t symbol_count)
{
    ridge_status status = RIDGE_OK;
    struct rg_node *root = rg_expr_parse(arena, &expr->source, &status, NULL);
    const struct rg_checker checker = {.source = &expr->source, .symbols = symbols, .symbol_count = symbol_count};
    return root && rg_expr_check(&checker, root) == RIDGE_OK ? root : NULL;
}

ridge_status rg_expr_compile(struct rg_arena *arena, const struct rg_expr_source *source,
                             const struct rg_symbol *symbols, size_t symbol_count, struct rg_expr **out,
                             struct ridge_error *error)
{
    return rg_expr_compile_for(arena, source, symbols, symbol_count, true, out, error);
}

const unsigned *rg_expr_slots(const struct rg_expr *expr, size_t *count)
{
    *count = expr->slot_count;
    return expr->slots;
}

const char *rg_expr_text(const struct rg_expr *expr)
{
    return expr->source.text;
}

bool rg_expr_constant(const struct rg_expr *expr, struct ridge_value *out)
{
    if (expr->is_constant) {
        *out = expr->pool[0];
    }
    return expr->is_constant;
}
