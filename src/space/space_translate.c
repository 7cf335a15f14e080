/* SPDX-License-Identifier: MIT */
/** \file From the checked tree of a constraint to registers. */
#include "expr/expr_arithmetic.h"
#include "space/space_program.h"

enum {
    MAX_LIST = 64 /* items behind `in`; a longer list is looked up by bytecode */
};

static uint32_t translate(struct rg_program *program, const struct rg_node *node);
static uint32_t translate_truth(struct rg_program *program, const struct rg_node *node);

static uint32_t as_truth(struct rg_program *program, uint32_t value)
{
    if (value == RG_NO_REGISTER || (program->registers[value].low >= 0 && program->registers[value].high <= 1)) {
        return value;
    }
    return rg_program_make(program, RG_REGISTER_NOT_EQUAL, value, rg_program_constant(program, 0));
}

static uint32_t negation(struct rg_program *program, uint32_t truth)
{
    if (truth == RG_NO_REGISTER) {
        return truth;
    }
    const struct rg_register made = program->registers[truth];
    switch ((unsigned)made.op) {
    case RG_REGISTER_EQUAL: return rg_program_make(program, RG_REGISTER_NOT_EQUAL, made.left, made.right);
    case RG_REGISTER_NOT_EQUAL: return rg_program_make(program, RG_REGISTER_EQUAL, made.left, made.right);
    case RG_REGISTER_LESS: return rg_program_make(program, RG_REGISTER_LESS_EQUAL, made.right, made.left);
    case RG_REGISTER_LESS_EQUAL: return rg_program_make(program, RG_REGISTER_LESS, made.right, made.left);
    default: return rg_program_make(program, RG_REGISTER_EQUAL, truth, rg_program_constant(program, 0));
    }
}

static uint32_t translate_constant(struct rg_program *program, const struct rg_node *node)
{
    const bool whole = node->value.type == RIDGE_INT || node->value.type == RIDGE_BOOL;
    return whole ? rg_program_constant(program, rg_value_as_integer(node->value)) : RG_NO_REGISTER;
}

static uint32_t translate_variable(const struct rg_program *program, const struct rg_node *node)
{
    return program->registers[node->slot].op == RG_REGISTER_VARIABLE ? node->slot : RG_NO_REGISTER;
}

static uint32_t translate_unary(struct rg_program *program, const struct rg_node *node)
{
    if (node->op == RG_OP_NOT) {
        return negation(program, translate_truth(program, node->first));
    }
    if (node->op == RG_OP_TRUTH) {
        return translate_truth(program, node->first);
    }
    const uint32_t operand = translate(program, node->first);
    if (operand == RG_NO_REGISTER) {
        return operand;
    }
    switch (node->op) {
    case RG_OP_NEGATE: return rg_program_make(program, RG_REGISTER_SUBTRACT, rg_program_constant(program, 0), operand);
    case RG_OP_PLUS:
    case RG_OP_CEIL:
    case RG_OP_FLOOR:
    case RG_OP_ROUND_AWAY:
    case RG_OP_ROUND_EVEN:
    case RG_OP_TO_INT: return operand;
    case RG_OP_ABSOLUTE: return program->registers[operand].low >= 0 ? operand : RG_NO_REGISTER;
    default: return RG_NO_REGISTER;
    }
}

/**
 * Behind `a == 0 or` and `a != 0 and` a is not 0 wherever it is looked at: then max(a, 1) is a, and can divide.
 * Where a is 0 the value does not matter, but there is one.
 */
static uint32_t guarded(struct rg_program *program, uint32_t divisor)
{
    for (size_t i = 0; i < program->guard_count && divisor != RG_NO_REGISTER; i++) {
        if (program->guards[i] == divisor && program->registers[divisor].low == 0) {
            return rg_program_make(program, RG_REGISTER_MAX, divisor, rg_program_constant(program, 1));
        }
    }
    return divisor;
}

/** What is known behind a condition that did not decide: `op` is RG_REGISTER_EQUAL behind or, NOT_EQUAL behind and. */
static void add_guard(struct rg_program *program, uint32_t truth, rg_register_op op)
{
    if (truth == RG_NO_REGISTER || program->guard_count == RG_MAX_GUARDS) {
        return;
    }
    const struct rg_register *made = &program->registers[truth];
    if (made->op == op && program->registers[made->right].low == 0 && program->registers[made->right].high == 0) {
        program->guards[program->guard_count++] = made->left;
    } else if (made->op == RG_REGISTER_LESS && op == RG_REGISTER_NOT_EQUAL && program->registers[made->left].low >= 0) {
        program->guards[program->guard_count++] = made->right;
    }
}

static bool divides(rg_register_op op)
{
    return op >= RG_REGISTER_DIVIDE && op <= RG_REGISTER_MODULO;
}

static uint32_t translate_binary(struct rg_program *program, const struct rg_node *node)
{
    static const struct {
        unsigned from;
        rg_register_op to;
    } rows[] = {
        {RG_OP_ADD, RG_REGISTER_ADD},
        {RG_OP_SUBTRACT, RG_REGISTER_SUBTRACT},
        {RG_OP_MULTIPLY, RG_REGISTER_MULTIPLY},
        {RG_OP_DIVIDE, RG_REGISTER_DIVIDE},
        {RG_OP_FLOOR_DIVIDE, RG_REGISTER_FLOOR_DIVIDE},
        {RG_OP_REMAINDER, RG_REGISTER_REMAINDER},
        {RG_OP_MODULO, RG_REGISTER_MODULO},
        {RG_OP_MIN, RG_REGISTER_MIN},
        {RG_OP_MAX, RG_REGISTER_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].from == node->op) {
            const uint32_t left = translate(program, node->first);
            const uint32_t right = left == RG_NO_REGISTER ? left : translate(program, node->first->next);
            return rg_program_make(program, rows[i].to, left, divides(rows[i].to) ? guarded(program, right) : right);
        }
    }
    return RG_NO_REGISTER;
}

/**
 * (a / b) % c == 0 with true division: the quotient of integers below 2^53 is rounded to a whole number only where it
 * is one, so that this is a % (b * c) == 0. \return RG_NO_REGISTER when the link is not of that form.
 */
static uint32_t translate_true_division(struct rg_program *program, const struct rg_node *left,
                                        const struct rg_node *right)
{
    static const int64_t exact = INT64_C(1) << 53;
    const bool zero = right->link.op == RG_OP_EQUAL && right->kind == RG_NODE_CONSTANT &&
                      right->value.type == RIDGE_INT && right->value.as.integer == 0;
    const bool rest = left->kind == RG_NODE_BINARY && (left->op == RG_OP_MODULO || left->op == RG_OP_REMAINDER);
    if (!zero || !rest || left->first->kind != RG_NODE_BINARY || left->first->op != RG_OP_TRUE_DIVIDE) {
        return RG_NO_REGISTER;
    }
    const uint32_t parts[3] = {translate(program, left->first->first), translate(program, left->first->first->next),
                               translate(program, left->first->next)};
    for (size_t i = 0; i < 3; i++) {
        if (parts[i] == RG_NO_REGISTER || program->registers[parts[i]].low < (i > 0) ||
            program->registers[parts[i]].high >= exact) {
            return RG_NO_REGISTER;
        }
    }
    const uint32_t divisor = rg_program_make(program, RG_REGISTER_MULTIPLY, parts[1], parts[2]);
    return rg_program_make(program, RG_REGISTER_EQUAL, rg_program_make(program, RG_REGISTER_MODULO, parts[0], divisor),
                           rg_program_constant(program, 0));
}

static uint32_t compare(struct rg_program *program, unsigned op, uint32_t left, uint32_t right)
{
    switch (op) {
    case RG_OP_EQUAL: return rg_program_make(program, RG_REGISTER_EQUAL, left, right);
    case RG_OP_NOT_EQUAL: return rg_program_make(program, RG_REGISTER_NOT_EQUAL, left, right);
    case RG_OP_LESS: return rg_program_make(program, RG_REGISTER_LESS, left, right);
    case RG_OP_LESS_EQUAL: return rg_program_make(program, RG_REGISTER_LESS_EQUAL, left, right);
    case RG_OP_GREATER: return rg_program_make(program, RG_REGISTER_LESS, right, left);
    case RG_OP_GREATER_EQUAL: return rg_program_make(program, RG_REGISTER_LESS_EQUAL, right, left);
    default: return RG_NO_REGISTER;
    }
}

static uint32_t translate_member(struct rg_program *program, uint32_t left, const struct rg_node *list)
{
    uint32_t found = rg_program_constant(program, 0);
    size_t count = 0;
    for (const struct rg_node *item = list->first; item && found != RG_NO_REGISTER; item = item->next) {
        if (++count > MAX_LIST) {
            return RG_NO_REGISTER;
        }
        const uint32_t equal = compare(program, RG_OP_EQUAL, left, translate(program, item));
        found = rg_program_make(program, RG_REGISTER_OR, found, equal);
    }
    return list->link.negated ? negation(program, found) : found;
}

/** One comparison of a chain. *value is the register of its left operand before and of its right one after. */
static uint32_t translate_link(struct rg_program *program, const struct rg_node *left, const struct rg_node *right,
                               uint32_t *value)
{
    if (right->kind == RG_NODE_LIST) {
        return translate_member(program, *value, right);
    }
    const uint32_t before = *value;
    *value = translate(program, right);
    const uint32_t made = compare(program, right->link.op, before, *value);
    return made != RG_NO_REGISTER ? made : translate_true_division(program, left, right);
}

static uint32_t translate_chain(struct rg_program *program, const struct rg_node *node)
{
    uint32_t value = translate(program, node->first);
    uint32_t all = rg_program_constant(program, 1);
    for (const struct rg_node *left = node->first; left->next && all != RG_NO_REGISTER; left = left->next) {
        all = rg_program_make(program, RG_REGISTER_AND, all, translate_link(program, left, left->next, &value));
    }
    return all;
}

static uint32_t translate_logic(struct rg_program *program, const struct rg_node *node)
{
    const rg_register_op op = node->kind == RG_NODE_AND ? RG_REGISTER_AND : RG_REGISTER_OR;
    const size_t guards = program->guard_count;
    uint32_t all = rg_program_constant(program, op == RG_REGISTER_AND);
    for (const struct rg_node *operand = node->first; operand && all != RG_NO_REGISTER; operand = operand->next) {
        const uint32_t truth = translate_truth(program, operand);
        add_guard(program, truth, op == RG_REGISTER_AND ? RG_REGISTER_NOT_EQUAL : RG_REGISTER_EQUAL);
        all = rg_program_make(program, op, all, truth);
    }
    program->guard_count = guards;
    return all;
}

static uint32_t translate_truth(struct rg_program *program, const struct rg_node *node)
{
    if (node->kind == RG_NODE_AND || node->kind == RG_NODE_OR) {
        return translate_logic(program, node);
    }
    return as_truth(program, translate(program, node));
}

/** Recursion is bounded by RG_EXPR_MAX_HEIGHT. */
static uint32_t translate(struct rg_program *program, const struct rg_node *node)
{
    switch (node->kind) {
    case RG_NODE_CONSTANT: return translate_constant(program, node);
    case RG_NODE_VARIABLE: return translate_variable(program, node);
    case RG_NODE_UNARY: return translate_unary(program, node);
    case RG_NODE_BINARY: return translate_binary(program, node);
    case RG_NODE_CHAIN: return translate_chain(program, node);
    case RG_NODE_AND:
    case RG_NODE_OR: /* as a number, Python's is an operand */
        return node->types == RG_SET_BOOL ? translate_logic(program, node) : RG_NO_REGISTER;
    case RG_NODE_NAME:
    case RG_NODE_LIST:
    case RG_NODE_IF: break;
    }
    return RG_NO_REGISTER;
}

/** Require one part. \return false: it is not a register. */
static bool require(struct rg_program *program, uint32_t truth)
{
    if (truth == RG_NO_REGISTER) {
        return false;
    }
    rg_program_require(program, truth);
    add_guard(program, truth, RG_REGISTER_NOT_EQUAL);
    return true;
}

/**
 * The parts of a conjunction are required one by one, from the left as they are evaluated. Those before the first that
 * cannot be taken apart decide without a fault when they are false; so they hold whatever comes of the rest.
 */
bool rg_program_translate(struct rg_program *program, const struct rg_node *root)
{
    if (root->kind == RG_NODE_AND) {
        for (const struct rg_node *part = root->first; part; part = part->next) {
            if (!rg_program_translate(program, part)) {
                return false;
            }
        }
        return true;
    }
    if (root->kind == RG_NODE_CHAIN) {
        uint32_t value = translate(program, root->first);
        for (const struct rg_node *left = root->first; left->next; left = left->next) {
            if (!require(program, translate_link(program, left, left->next, &value))) {
                return false;
            }
        }
        return true;
    }
    return require(program, translate_truth(program, root));
}
