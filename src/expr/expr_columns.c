/* SPDX-License-Identifier: MIT */
/** \file Compiling for columns: the checked tree to a list of instructions over columns. */
#include "expr/expr_columns.h"

#include <math.h>
#include <string.h>

#include "expr/expr_arithmetic.h"
#include "expr/expr_check.h"
#include "expr/expr_columns_inside.h"
#include "expr/expr_parser.h"

struct builder {
    struct rg_arena *arena;
    struct rg_column_step *steps;
    size_t count;
    size_t capacity;
    unsigned depth; /* columns in use */
    bool refused;   /* cannot run in columns */
    bool failed;    /* no memory */
};

static struct rg_column_operand build(struct builder *builder, const struct rg_node *node);

static struct rg_column_operand refuse(struct builder *builder)
{
    builder->refused = true;
    return (struct rg_column_operand){0};
}

static bool is_whole(unsigned types)
{
    return types != 0 && (types & ~(unsigned)RG_SET_INTEGRAL) == 0;
}

/** Append a step whose result goes into column `to`. */
static struct rg_column_operand add_step(struct builder *builder, struct rg_column_step step, unsigned to)
{
    if (to >= RG_COLUMN_DEPTH) {
        return refuse(builder);
    }
    if (!rg_reserve(builder->arena->context, &builder->steps, &builder->capacity, builder->count + 1,
                    sizeof builder->steps[0])) {
        builder->failed = true;
        return (struct rg_column_operand){0};
    }
    step.to = to;
    builder->steps[builder->count++] = step;
    builder->depth = to + 1;
    return (struct rg_column_operand){.from = RG_COLUMN_FROM_STACK, .index = to};
}

static struct rg_column_operand build_constant(struct builder *builder, const struct rg_node *node)
{
    if (node->value.type == RIDGE_TEXT) {
        return refuse(builder);
    }
    const double number =
        node->value.type == RIDGE_FLOAT ? node->value.as.number : (double)rg_value_as_integer(node->value);
    if (node->value.type != RIDGE_FLOAT && fabs(number) > RG_COLUMN_WHOLE_LIMIT) {
        return refuse(builder);
    }
    double *column = rg_arena_array(builder->arena, RG_COLUMN_ROWS, sizeof column[0]);
    if (!column) {
        builder->failed = true;
        return (struct rg_column_operand){0};
    }
    for (size_t i = 0; i < RG_COLUMN_ROWS; i++) {
        column[i] = number;
    }
    return (struct rg_column_operand){.from = RG_COLUMN_FROM_CONSTANT, .constant = column};
}

/** Unary operators that do nothing to a whole number. */
static bool keeps_whole(unsigned op)
{
    return op == RG_OP_PLUS || op == RG_OP_CEIL || op == RG_OP_FLOOR || op == RG_OP_ROUND_AWAY ||
           op == RG_OP_ROUND_EVEN || op == RG_OP_TO_INT || op == RG_OP_TO_FLOAT;
}

static struct rg_column_operand build_unary(struct builder *builder, const struct rg_node *node)
{
    const unsigned to = builder->depth;
    const struct rg_column_operand operand = build(builder, node->first);
    if ((is_whole(node->first->types) && keeps_whole(node->op)) || node->op == RG_OP_PLUS ||
        node->op == RG_OP_TO_FLOAT) {
        return operand;
    }
    const bool whole = is_whole(node->types);
    return add_step(builder, (struct rg_column_step){.op = node->op, .whole = whole, .a = operand}, to);
}

/** Whether an operator means something else for floats than for integers. */
static bool minds_types(unsigned op)
{
    return op != RG_OP_ADD && op != RG_OP_SUBTRACT && op != RG_OP_MULTIPLY && op != RG_OP_MIN && op != RG_OP_MAX &&
           op != RG_OP_TRUE_DIVIDE;
}

static struct rg_column_operand build_binary(struct builder *builder, const struct rg_node *node)
{
    const struct rg_node *left = node->first;
    const struct rg_node *right = left->next;
    const bool whole = is_whole(left->types) && is_whole(right->types);
    const bool real = left->types == RG_SET_FLOAT || right->types == RG_SET_FLOAT;
    if (minds_types(node->op) && !whole && !(real && node->op == RG_OP_DIVIDE)) {
        return refuse(builder);
    }
    if (node->op == RG_OP_PYTHON_POWER) {
        return refuse(builder);
    }
    const unsigned to = builder->depth;
    struct rg_column_step step = {.op = node->op, .whole = whole && node->op != RG_OP_TRUE_DIVIDE};
    step.strict = step.whole || !real;
    step.a = build(builder, left);
    step.b = build(builder, right);
    return add_step(builder, step, to);
}

/** and, or: of conditions, in the dialect that gives true or false. */
static struct rg_column_operand build_logic(struct builder *builder, const struct rg_node *node)
{
    if (node->types != RG_SET_BOOL) {
        return refuse(builder);
    }
    const unsigned op = node->kind == RG_NODE_AND ? RG_COLUMN_AND : RG_COLUMN_OR;
    const unsigned to = builder->depth;
    struct rg_column_operand result = build(builder, node->first);
    for (const struct rg_node *next = node->first->next; next && !builder->refused; next = next->next) {
        const struct rg_column_operand right = build(builder, next);
        result = add_step(builder, (struct rg_column_step){.op = op, .whole = true, .a = result, .b = right}, to);
    }
    return result;
}

static struct rg_column_operand build_member(struct builder *builder, struct rg_column_operand left,
                                             const struct rg_node *list, unsigned to)
{
    const struct rg_node zero = {.kind = RG_NODE_CONSTANT, .value = rg_value_bool(false)};
    struct rg_column_operand found = build_constant(builder, &zero);
    for (const struct rg_node *item = list->first; item && !builder->refused; item = item->next) {
        builder->depth = to + 1;
        const struct rg_column_operand right = build(builder, item);
        const struct rg_column_step equal = {.op = RG_OP_EQUAL, .whole = true, .a = left, .b = right};
        const struct rg_column_operand same = add_step(builder, equal, to + 1);
        found =
            add_step(builder, (struct rg_column_step){.op = RG_COLUMN_OR, .whole = true, .a = found, .b = same}, to);
    }
    if (list->link.negated) {
        found = add_step(builder, (struct rg_column_step){.op = RG_OP_NOT, .whole = true, .a = found}, to);
    }
    return found;
}

/** Comparisons one after the other: each operand has a column of its own, since two comparisons use it. */
static struct rg_column_operand build_chain(struct builder *builder, const struct rg_node *node)
{
    const unsigned to = builder->depth;
    builder->depth = to + 1;
    struct rg_column_operand left = build(builder, node->first);
    struct rg_column_operand result = {0};
    for (const struct rg_node *right = node->first->next; right && !builder->refused; right = right->next) {
        const unsigned at = builder->depth;
        struct rg_column_operand holds;
        struct rg_column_operand value = left;
        if (right->kind == RG_NODE_LIST) {
            holds = build_member(builder, left, right, at);
        } else {
            value = build(builder, right);
            const unsigned after = builder->depth;
            const struct rg_column_step step = {.op = right->link.op, .whole = true, .a = left, .b = value};
            holds = add_step(builder, step, after);
        }
        const bool first = right == node->first->next;
        const struct rg_column_step both = {
            .op = RG_COLUMN_AND, .whole = true, .a = first ? holds : result, .b = holds};
        const unsigned kept = builder->depth;
        result = add_step(builder, both, to);
        builder->depth = kept;
        left = value;
    }
    builder->depth = to + 1;
    return result;
}

static struct rg_column_operand build_if(struct builder *builder, const struct rg_node *node)
{
    const unsigned to = builder->depth;
    struct rg_column_step step = {.op = RG_COLUMN_SELECT, .whole = is_whole(node->types)};
    step.a = build(builder, node->first);
    step.b = build(builder, node->first->next);
    step.c = build(builder, node->first->next->next);
    return add_step(builder, step, to);
}

/** Recursion is bounded, as in the check. An operand that is no step leaves the depth as it is. */
static struct rg_column_operand build(struct builder *builder, const struct rg_node *node)
{
    if (!node || builder->refused || builder->failed || (node->types & RG_SET_TEXT)) {
        return refuse(builder);
    }
    switch (node->kind) {
    case RG_NODE_CONSTANT: return build_constant(builder, node);
    case RG_NODE_NAME:
    case RG_NODE_VARIABLE: return (struct rg_column_operand){.from = RG_COLUMN_FROM_VARIABLE, .index = node->slot};
    case RG_NODE_UNARY: return build_unary(builder, node);
    case RG_NODE_BINARY: return build_binary(builder, node);
    case RG_NODE_AND:
    case RG_NODE_OR: return build_logic(builder, node);
    case RG_NODE_CHAIN: return build_chain(builder, node);
    case RG_NODE_IF: return build_if(builder, node);
    case RG_NODE_LIST: break;
    }
    return refuse(builder);
}

static ridge_status compile(struct rg_arena *arena, struct rg_arena *scratch, const struct rg_checker *checker,
                            const struct rg_columns **out)
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
    struct builder builder = {.arena = arena};
    struct rg_columns *made = rg_arena_alloc(arena, sizeof *made);
    const struct rg_column_operand result = build(&builder, root);
    struct rg_column_step *steps = rg_arena_array(arena, builder.count + 1, sizeof *steps);
    const bool one_type = (root->types & (root->types - 1)) == 0;
    if (made && steps && !builder.failed && !builder.refused) {
        for (size_t i = 0; i < builder.count; i++) {
            steps[i] = builder.steps[i];
        }
        *made = (struct rg_columns){.steps = steps, .count = builder.count, .result = result};
        made->one_type = one_type;
        made->type = root->types == RG_SET_FLOAT ? RIDGE_FLOAT : root->types == RG_SET_BOOL ? RIDGE_BOOL : RIDGE_INT;
        *out = made;
    }
    rg_free(arena->context, builder.steps, builder.capacity * sizeof *builder.steps);
    return made && steps && !builder.failed ? RIDGE_OK : rg_error_memory(checker->error, sizeof *made);
}

ridge_status rg_columns_compile(struct rg_arena *arena, const struct rg_expr_source *source,
                                const struct rg_symbol *symbols, size_t symbol_count, const struct rg_columns **out,
                                struct ridge_error *error)
{
    *out = NULL;
    const struct rg_checker checker = {
        .source = source, .symbols = symbols, .symbol_count = symbol_count, .error = error};
    struct rg_arena scratch;
    rg_arena_init(&scratch, arena->context);
    const ridge_status status = compile(arena, &scratch, &checker, out);
    rg_arena_fini(&scratch);
    return status;
}

ridge_status rg_columns_of(struct rg_arena *arena, const struct rg_expr *expr, const struct rg_symbol *symbols,
                           size_t symbol_count, const struct rg_columns **out, struct ridge_error *error)
{
    return rg_columns_compile(arena, &expr->source, symbols, symbol_count, out, error);
}

bool rg_columns_type(const struct rg_columns *columns, ridge_type *out)
{
    *out = columns->type;
    return columns->one_type;
}
