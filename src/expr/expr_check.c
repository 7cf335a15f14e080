/* SPDX-License-Identifier: MIT */
#include "expr/expr_check.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "expr/expr_arithmetic.h"
#include "expr/expr_place.h"
#include "ridge/units.h"

static ridge_status fail(const struct rg_checker *checker, struct rg_span span, ridge_status status, const char *text)
{
    return rg_expr_error(checker->source, span, checker->error, status, "%s", text);
}

/** Put a folded value, or one operand of it, in the place of a node; it stays where it is in its list. */
static void become(struct rg_node *node, const struct rg_node *other)
{
    struct rg_node *next = node->next;
    const struct rg_link link = node->link;
    *node = *other;
    node->next = next;
    node->link = link;
}

static void become_constant(struct rg_node *node, struct ridge_value value)
{
    node->kind = RG_NODE_CONSTANT;
    node->value = value;
    node->types = 1U << value.type;
    node->first = NULL;
    node->last = NULL;
    node->height = 1;
}

/** Up to eight names that could have been meant. */
static void list_names(const struct rg_checker *checker, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < checker->symbol_count && i < 9 && used < bytes; i++) {
        const int length =
            snprintf(out + used, bytes - used, "%s%s", i ? ", " : "", i < 8 ? checker->symbols[i].name : "...");
        used += length > 0 ? (size_t)length : 0;
    }
}

/** The nearest symbol. Any letter is near any other: of one letter only the case may differ. */
static const char *find_near(const struct rg_checker *checker, const char *name)
{
    const char *near = NULL;
    for (size_t i = 0; i < checker->symbol_count; i++) {
        const char *const pair[] = {near, checker->symbols[i].name};
        if (name[1] != '\0' || rg_same_letters(name, pair[1])) {
            near = ridge_near_name(name, pair, 2);
        }
    }
    return near;
}

static ridge_status fail_name(const struct rg_checker *checker, const struct rg_node *node)
{
    const char *text = checker->source->text + node->span.offset;
    const int shown = node->span.length < 64 ? (int)node->span.length : 64;
    char name[65];
    snprintf(name, sizeof name, "%.*s", shown, text);
    const char *near = find_near(checker, name);
    char known[256];
    list_names(checker, known, sizeof known);
    if (near) {
        return rg_expr_error(checker->source, node->span, checker->error, RIDGE_E_NAME,
                             "unknown name `%s` (did you mean `%s`?)", name, near);
    }
    return rg_expr_error(checker->source, node->span, checker->error, RIDGE_E_NAME, "unknown name `%s` (%s%s)", name,
                         known[0] ? "known: " : "no names are known here", known);
}

static ridge_status check_name(const struct rg_checker *checker, struct rg_node *node)
{
    const char *text = checker->source->text + node->span.offset;
    for (size_t i = 0; i < checker->symbol_count; i++) {
        const struct rg_symbol *symbol = &checker->symbols[i];
        if (strlen(symbol->name) != node->span.length || memcmp(symbol->name, text, node->span.length) != 0) {
            continue;
        }
        if (symbol->constant) {
            become_constant(node, *symbol->constant);
            return RIDGE_OK;
        }
        node->kind = RG_NODE_VARIABLE;
        node->slot = symbol->slot;
        node->types = 1U << symbol->type;
        return RIDGE_OK;
    }
    return fail_name(checker, node);
}

/** Where a truth is needed, text cannot stand. */
static ridge_status check_truth(const struct rg_checker *checker, const struct rg_node *node)
{
    if (node->types != RG_SET_TEXT) {
        return RIDGE_OK;
    }
    return fail(checker, node->span, RIDGE_E_VALUE, "text is neither true nor false (compare it with == or !=)");
}

static unsigned unary_types(unsigned op, unsigned operand)
{
    switch (op) {
    case RG_OP_NOT:
    case RG_OP_TRUTH: return RG_SET_BOOL;
    case RG_OP_TO_FLOAT:
    case RG_OP_LOG2:
    case RG_OP_SQRT: return RG_SET_FLOAT;
    case RG_OP_NEGATE:
    case RG_OP_PLUS:
    case RG_OP_ABSOLUTE: return (operand & RG_SET_FLOAT) | (operand & RG_SET_INTEGRAL ? RG_SET_INT : 0);
    default: return RG_SET_INT;
    }
}

/* The parser gives a node of each kind the operands that it needs. clang-tidy cannot know that. */
/* NOLINTBEGIN(clang-analyzer-core.NullDereference) */
static ridge_status check_unary(const struct rg_checker *checker, struct rg_node *node)
{
    const struct rg_node *operand = node->first;
    if (node->op == RG_OP_NOT && operand->types == RG_SET_TEXT) {
        return check_truth(checker, operand);
    }
    if (operand->types == RG_SET_TEXT) {
        return fail(checker, node->span, RIDGE_E_VALUE, "text in arithmetic (a number is needed)");
    }
    node->types = unary_types(node->op, operand->types);
    struct ridge_value value;
    if (operand->kind == RG_NODE_CONSTANT && rg_apply_unary(node->op, operand->value, &value) == RG_FAULT_NONE) {
        become_constant(node, value);
    }
    return RIDGE_OK;
}

static unsigned binary_types(unsigned op, unsigned left, unsigned right)
{
    if (op == RG_OP_MIN || op == RG_OP_MAX) {
        return (left | right) & ~(unsigned)RG_SET_TEXT;
    }
    if (op == RG_OP_TRUE_DIVIDE) {
        return RG_SET_FLOAT;
    }
    if (rg_opcode_whole(op)) {
        return RG_SET_INT;
    }
    const bool whole = (left & RG_SET_INTEGRAL) && (right & RG_SET_INTEGRAL);
    const bool real = ((left | right) & RG_SET_FLOAT) != 0 || op == RG_OP_PYTHON_POWER;
    return (whole ? RG_SET_INT : 0U) | (real ? RG_SET_FLOAT : 0U);
}

static ridge_status check_binary(const struct rg_checker *checker, struct rg_node *node)
{
    const struct rg_node *left = node->first;
    const struct rg_node *right = left->next;
    if (left->types == RG_SET_TEXT || right->types == RG_SET_TEXT) {
        return fail(checker, node->span, RIDGE_E_VALUE, "text in arithmetic (a number is needed)");
    }
    if (rg_opcode_whole(node->op) && (left->types == RG_SET_FLOAT || right->types == RG_SET_FLOAT)) {
        return fail(checker, node->span, RIDGE_E_VALUE, "a float where a whole number is needed (wrap it in int(...))");
    }
    struct ridge_value value;
    const bool known = right->kind == RG_NODE_CONSTANT;
    if (known && left->kind == RG_NODE_CONSTANT &&
        rg_apply_binary(node->op, left->value, right->value, &value) == RG_FAULT_NONE) {
        become_constant(node, value);
        return RIDGE_OK;
    }
    if (node->op == RG_OP_PYTHON_POWER && known && (right->types & RG_SET_INTEGRAL) &&
        rg_value_as_integer(right->value) >= 0) {
        node->op = RG_OP_POWER; /* integers stay integers */
    }
    node->types = binary_types(node->op, left->types, right->types);
    return RIDGE_OK;
}

/** Leave out operands of and/or that are constants at the front, until one decides or a variable comes. */
static void fold_logic(const struct rg_checker *checker, struct rg_node *node)
{
    const bool exact = checker->source->dialect == RG_DIALECT_EXACT;
    const bool stops = node->kind == RG_NODE_OR;
    while (node->first->kind == RG_NODE_CONSTANT) {
        struct rg_node *operand = node->first;
        bool truth = false;
        if (rg_value_truth(operand->value, &truth) != RG_FAULT_NONE && operand->next) {
            return;
        }
        if (!operand->next || truth == stops) {
            become_constant(node, exact ? rg_value_bool(truth) : operand->value);
            return;
        }
        node->first = operand->next;
    }
    if (node->first == node->last && (!exact || node->first->types == RG_SET_BOOL)) {
        become(node, node->first);
    } else if (node->first == node->last) {
        node->kind = RG_NODE_UNARY;
        node->op = RG_OP_TRUTH;
        node->types = RG_SET_BOOL;
    }
}

static ridge_status check_logic(const struct rg_checker *checker, struct rg_node *node)
{
    const bool exact = checker->source->dialect == RG_DIALECT_EXACT;
    for (const struct rg_node *operand = node->first; operand; operand = operand->next) {
        const ridge_status status = exact || operand->next ? check_truth(checker, operand) : RIDGE_OK;
        if (status != RIDGE_OK) {
            return status;
        }
    }
    fold_logic(checker, node);
    if (node->kind != RG_NODE_AND && node->kind != RG_NODE_OR) {
        return RIDGE_OK;
    }
    for (const struct rg_node *operand = node->first; operand; operand = operand->next) {
        node->types |= exact ? RG_SET_BOOL : operand->types;
    }
    return RIDGE_OK;
}

static rg_fault_code fold_link(struct ridge_value left, const struct rg_node *right, bool *holds)
{
    if (right->kind == RG_NODE_LIST) {
        bool found = false;
        for (const struct rg_node *item = right->first; item; item = item->next) {
            found = found || rg_value_equal(left, item->value);
        }
        *holds = found != right->link.negated;
        return RG_FAULT_NONE;
    }
    struct ridge_value result = rg_value_bool(false);
    const rg_fault_code code = rg_apply_binary(right->link.op, left, right->value, &result);
    *holds = result.as.truth;
    return code;
}

static bool all_constant(const struct rg_node *first)
{
    while (first && (first->kind == RG_NODE_CONSTANT || (first->kind == RG_NODE_LIST && all_constant(first->first)))) {
        first = first->next;
    }
    return !first;
}

static void fold_chain(struct rg_node *node)
{
    if (!all_constant(node->first)) {
        return;
    }
    bool holds = true;
    for (const struct rg_node *left = node->first; holds && left->next; left = left->next) {
        if (fold_link(left->value, left->next, &holds) != RG_FAULT_NONE) {
            return;
        }
    }
    become_constant(node, rg_value_bool(holds));
}

static ridge_status check_chain(const struct rg_checker *checker, struct rg_node *node)
{
    node->types = RG_SET_BOOL;
    for (const struct rg_node *left = node->first; left->next; left = left->next) {
        const struct rg_node *right = left->next;
        const unsigned both = left->types & right->types;
        const bool text = left->types == RG_SET_TEXT || right->types == RG_SET_TEXT;
        if (rg_opcode_orders(right->link.op) && text && !(both & RG_SET_TEXT)) {
            return fail(checker, right->link.span, RIDGE_E_VALUE,
                        "text has no order with a number (compare text with text)");
        }
    }
    fold_chain(node);
    return RIDGE_OK;
}

static ridge_status check_if(const struct rg_checker *checker, struct rg_node *node)
{
    const struct rg_node *condition = node->first;
    const struct rg_node *yes = condition->next;
    const struct rg_node *no = yes->next;
    const ridge_status status = check_truth(checker, condition);
    if (status != RIDGE_OK) {
        return status;
    }
    node->types = yes->types | no->types;
    bool truth;
    if (condition->kind == RG_NODE_CONSTANT && rg_value_truth(condition->value, &truth) == RG_FAULT_NONE) {
        become(node, truth ? yes : no);
    }
    return RIDGE_OK;
}
/* NOLINTEND(clang-analyzer-core.NullDereference) */

static ridge_status check_list(struct rg_node *node)
{
    for (const struct rg_node *item = node->first; item; item = item->next) {
        node->types |= item->types;
    }
    return RIDGE_OK;
}

static ridge_status check_this(const struct rg_checker *checker, struct rg_node *node)
{
    switch (node->kind) {
    case RG_NODE_CONSTANT: node->types = 1U << node->value.type; return RIDGE_OK;
    case RG_NODE_NAME: return check_name(checker, node);
    case RG_NODE_VARIABLE: return RIDGE_OK;
    case RG_NODE_UNARY: return check_unary(checker, node);
    case RG_NODE_BINARY: return check_binary(checker, node);
    case RG_NODE_AND:
    case RG_NODE_OR: return check_logic(checker, node);
    case RG_NODE_CHAIN: return check_chain(checker, node);
    case RG_NODE_LIST: return check_list(node);
    case RG_NODE_IF: return check_if(checker, node);
    }
    return RIDGE_OK;
}

/** Recursion is bounded: the parser limits the height of a tree to RG_EXPR_MAX_HEIGHT. */
ridge_status rg_expr_check(const struct rg_checker *checker, struct rg_node *node)
{
    for (struct rg_node *operand = node->first; operand; operand = operand->next) {
        const ridge_status status = rg_expr_check(checker, operand);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    const ridge_status status = check_this(checker, node);
    node->integral = (node->types & ~(unsigned)RG_SET_INTEGRAL) == 0;
    for (const struct rg_node *operand = node->first; operand; operand = operand->next) {
        node->integral = node->integral && operand->integral;
    }
    return status;
}
