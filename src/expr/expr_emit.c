/* SPDX-License-Identifier: MIT */
#include "expr/expr_emit.h"

#include <stdlib.h>
#include <string.h>

#include "expr/expr_place.h"

struct line {
    struct rg_instruction instruction;
    struct rg_span span;
};

struct emitter {
    const struct ridge_context *context;
    struct line *lines;
    size_t line_count;
    size_t line_capacity;
    struct ridge_value *pool;
    size_t pool_count;
    size_t pool_capacity;
    unsigned *slots; /* with repeats */
    size_t slot_count;
    size_t slot_capacity;
    unsigned depth; /* cells on the stack here */
    unsigned deepest;
    bool failed; /* memory ran out */
};

static void emit(struct emitter *emitter, const struct rg_node *node);

/** Append an instruction that changes the depth of the stack by `change`. \return its index. */
static size_t emit_line(struct emitter *emitter, unsigned op, size_t operand, struct rg_span span, int change)
{
    emitter->depth += (unsigned)change;
    emitter->deepest = emitter->depth > emitter->deepest ? emitter->depth : emitter->deepest;
    if (emitter->failed || !rg_reserve(emitter->context, &emitter->lines, &emitter->line_capacity,
                                       emitter->line_count + 1, sizeof emitter->lines[0])) {
        emitter->failed = true;
        return 0;
    }
    emitter->lines[emitter->line_count] =
        (struct line){.instruction = {.op = op, .operand = (uint32_t)operand}, .span = span};
    return emitter->line_count++;
}

/** Let a jump that was emitted before lead to the next instruction. */
static void land(struct emitter *emitter, size_t jump)
{
    if (!emitter->failed) {
        emitter->lines[jump].instruction.operand = (uint32_t)emitter->line_count;
    }
}

static size_t add_constant(struct emitter *emitter, struct ridge_value value)
{
    if (emitter->failed || !rg_reserve(emitter->context, &emitter->pool, &emitter->pool_capacity,
                                       emitter->pool_count + 1, sizeof emitter->pool[0])) {
        emitter->failed = true;
        return 0;
    }
    emitter->pool[emitter->pool_count] = value;
    return emitter->pool_count++;
}

static void add_slot(struct emitter *emitter, unsigned slot)
{
    if (emitter->failed || !rg_reserve(emitter->context, &emitter->slots, &emitter->slot_capacity,
                                       emitter->slot_count + 1, sizeof emitter->slots[0])) {
        emitter->failed = true;
        return;
    }
    emitter->slots[emitter->slot_count++] = slot;
}

static void emit_constant(struct emitter *emitter, unsigned op, struct ridge_value value, struct rg_span span,
                          int change)
{
    const size_t line = emit_line(emitter, op, add_constant(emitter, value), span, change);
    if (emitter->failed) {
        return;
    }
    int64_t immediate = value.type == RIDGE_INT ? value.as.integer : 0;
    immediate = value.type == RIDGE_BOOL ? value.as.truth : immediate;
    emitter->lines[line].instruction.immediate = immediate;
}

/** A binary operator whose left operand is on the stack. */
static void emit_right(struct emitter *emitter, unsigned op, struct rg_span span, const struct rg_node *right)
{
    if (right->kind == RG_NODE_CONSTANT) {
        emit_constant(emitter, op + RG_FORM_CONSTANT, right->value, span, 0);
        return;
    }
    if (right->kind == RG_NODE_VARIABLE && right->types != RG_SET_BOOL) {
        add_slot(emitter, right->slot);
        emit_line(emitter, op + RG_FORM_VARIABLE, right->slot, span, 0);
        return;
    }
    emit(emitter, right);
    emit_line(emitter, op, 0, span, -1);
}

/** A jump to be landed; its target chains the jumps of one node until then: 0 ends the chain. */
static size_t emit_chained_jump(struct emitter *emitter, unsigned op, size_t previous, struct rg_span span)
{
    return emit_line(emitter, op, previous, span, -1);
}

static void land_all(struct emitter *emitter, size_t jump)
{
    while (!emitter->failed && jump != 0) {
        const size_t previous = emitter->lines[jump].instruction.operand;
        land(emitter, jump);
        jump = previous;
    }
}

static void emit_logic(struct emitter *emitter, const struct rg_node *node)
{
    const unsigned op = node->kind == RG_NODE_AND ? RG_OP_AND_JUMP : RG_OP_OR_JUMP;
    bool bools = true;
    size_t jump = 0; /* never the first instruction: an operand stands before it */
    for (const struct rg_node *operand = node->first; operand; operand = operand->next) {
        emit(emitter, operand);
        bools = bools && operand->types == RG_SET_BOOL;
        if (operand->next) {
            jump = emit_chained_jump(emitter, op, jump, node->span);
        }
    }
    land_all(emitter, jump);
    if (node->types == RG_SET_BOOL && !bools) {
        emit_line(emitter, RG_OP_TRUTH, 0, node->span, 0);
    }
}

/** All items are constants of the left operand's kind: one look through the pool. */
static bool emit_table(struct emitter *emitter, const struct rg_node *list)
{
    for (const struct rg_node *item = list->first; item; item = item->next) {
        if (item->kind != RG_NODE_CONSTANT || item->value.type == RIDGE_BOOL) {
            return false;
        }
    }
    const size_t start = emitter->pool_count;
    int64_t count = 0;
    for (const struct rg_node *item = list->first; item; item = item->next) {
        add_constant(emitter, item->value);
        count++;
    }
    const size_t line = emit_line(emitter, RG_OP_MEMBER_TABLE, start, list->link.span, 0);
    if (!emitter->failed) {
        emitter->lines[line].instruction.immediate = count;
    }
    return true;
}

/** `in`: its left operand is on the stack. All items are evaluated, as Python does. */
static void emit_member(struct emitter *emitter, const struct rg_node *list)
{
    if (!emit_table(emitter, list)) {
        emit_line(emitter, RG_OP_MEMBER_BEGIN, 0, list->link.span, 1);
        for (const struct rg_node *item = list->first; item; item = item->next) {
            emit(emitter, item);
            emit_line(emitter, RG_OP_MEMBER, 0, list->link.span, -1);
        }
        emit_line(emitter, RG_OP_MEMBER_END, 0, list->link.span, -1);
    }
    if (list->link.negated) {
        emit_line(emitter, RG_OP_NOT, 0, list->link.span, 0);
    }
}

static void emit_chain(struct emitter *emitter, const struct rg_node *node)
{
    size_t jump = 0;
    emit(emitter, node->first);
    for (const struct rg_node *right = node->first->next; right; right = right->next) {
        if (right->kind == RG_NODE_LIST) {
            emit_member(emitter, right);
        } else if (!right->next) {
            emit_right(emitter, right->link.op, right->link.span, right);
        } else {
            emit(emitter, right);
            emit_line(emitter, RG_OP_KEEP, 0, right->link.span, 1);
            emit_line(emitter, right->link.op, 0, right->link.span, -1);
            jump = emit_chained_jump(emitter, RG_OP_CHAIN_JUMP, jump, right->link.span);
        }
    }
    land_all(emitter, jump);
}

static void emit_if(struct emitter *emitter, const struct rg_node *node)
{
    const struct rg_node *condition = node->first;
    emit(emitter, condition);
    const size_t to_no = emit_line(emitter, RG_OP_JUMP_FALSE, 0, node->span, -1);
    emit(emitter, condition->next);
    const size_t to_end = emit_line(emitter, RG_OP_JUMP, 0, node->span, -1);
    land(emitter, to_no);
    emit(emitter, condition->next->next);
    land(emitter, to_end);
}

/** Recursion is bounded, as in the check. */
static void emit(struct emitter *emitter, const struct rg_node *node)
{
    switch (node->kind) {
    case RG_NODE_CONSTANT: emit_constant(emitter, RG_OP_PUSH_CONSTANT, node->value, node->span, 1); return;
    case RG_NODE_NAME:
    case RG_NODE_VARIABLE:
        add_slot(emitter, node->slot);
        emit_line(emitter, node->types == RG_SET_BOOL ? RG_OP_PUSH_TRUTH : RG_OP_PUSH_VARIABLE, node->slot, node->span,
                  1);
        return;
    case RG_NODE_UNARY:
        emit(emitter, node->first);
        emit_line(emitter, node->op, 0, node->span, 0);
        return;
    case RG_NODE_BINARY:
        emit(emitter, node->first);
        emit_right(emitter, node->op, node->span, node->first->next);
        return;
    case RG_NODE_AND:
    case RG_NODE_OR: emit_logic(emitter, node); return;
    case RG_NODE_LIST: emit_member(emitter, node); return;
    case RG_NODE_CHAIN: emit_chain(emitter, node); return;
    case RG_NODE_IF: emit_if(emitter, node); return;
    }
}

static int compare_slots(const void *a, const void *b)
{
    const unsigned left = *(const unsigned *)a;
    const unsigned right = *(const unsigned *)b;
    return (left > right) - (left < right);
}

static bool copy_slots(struct rg_arena *arena, struct emitter *emitter, struct rg_expr *expr)
{
    unsigned *slots = rg_arena_array(arena, emitter->slot_count, sizeof slots[0]);
    if (!slots) {
        return false;
    }
    if (emitter->slot_count > 0) {
        qsort(emitter->slots, emitter->slot_count, sizeof slots[0], compare_slots);
    }
    size_t count = 0;
    for (size_t i = 0; i < emitter->slot_count; i++) {
        if (i == 0 || emitter->slots[i] != emitter->slots[i - 1]) {
            slots[count++] = emitter->slots[i];
        }
    }
    expr->slots = slots;
    expr->slot_count = count;
    return true;
}

/** Copy the pool, and the text in it: the scratch arena and the symbols' own constants may go. */
static bool copy_pool(struct rg_arena *arena, const struct emitter *emitter, struct rg_expr *expr)
{
    struct ridge_value *pool = rg_arena_array(arena, emitter->pool_count, sizeof pool[0]);
    for (size_t i = 0; pool && i < emitter->pool_count; i++) {
        pool[i] = emitter->pool[i];
        if (pool[i].type != RIDGE_TEXT) {
            continue;
        }
        pool[i].as.text = rg_arena_strdup(arena, pool[i].as.text);
        if (!pool[i].as.text) {
            return false;
        }
    }
    expr->pool = pool;
    return pool != NULL;
}

static bool copy_code(struct rg_arena *arena, const struct emitter *emitter, struct rg_expr *expr)
{
    struct rg_instruction *code = rg_arena_array(arena, emitter->line_count, sizeof code[0]);
    struct rg_span *spans = rg_arena_array(arena, emitter->line_count, sizeof spans[0]);
    if (!code || !spans) {
        return false;
    }
    for (size_t i = 0; i < emitter->line_count; i++) {
        code[i] = emitter->lines[i].instruction;
        spans[i] = emitter->lines[i].span;
    }
    expr->code = code;
    expr->spans = spans;
    return true;
}

ridge_status rg_expr_emit(struct rg_arena *arena, const struct rg_node *root, struct rg_expr *expr,
                          struct ridge_error *error)
{
    struct emitter emitter = {.context = arena->context};
    emit(&emitter, root);
    emit_line(&emitter, RG_OP_END, 0, root->span, 0);
    const bool done = !emitter.failed && copy_code(arena, &emitter, expr) && copy_pool(arena, &emitter, expr) &&
                      copy_slots(arena, &emitter, expr);
    rg_free(arena->context, emitter.lines, emitter.line_capacity * sizeof emitter.lines[0]);
    rg_free(arena->context, emitter.pool, emitter.pool_capacity * sizeof emitter.pool[0]);
    rg_free(arena->context, emitter.slots, emitter.slot_capacity * sizeof emitter.slots[0]);
    if (!done) {
        return rg_error_memory(error, (emitter.line_count + 1) * sizeof emitter.lines[0]);
    }
    if (emitter.deepest > RG_EXPR_STACK) {
        return rg_expr_error(&expr->source, root->span, error, RIDGE_E_LIMIT,
                             "the expression is too complicated (at most %d values at a time)", RG_EXPR_STACK);
    }
    return RIDGE_OK;
}
