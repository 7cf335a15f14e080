/* SPDX-License-Identifier: MIT */
/*
 * Two evaluators of the same code. The one for integers keeps the top of the stack in a local variable and has no
 * types; the generic one has whole values. The compiler has checked that the stack suffices.
 */
#include <string.h>

#include "expr/expr_arithmetic.h"
#include "expr/expr_integer.h"
#include "expr/expr_opcode.h"

static bool set_fault(const struct rg_expr *expr, const struct rg_instruction *at, rg_fault_code code,
                      struct rg_fault *fault)
{
    const struct rg_span span = expr->spans[at - expr->code];
    *fault = (struct rg_fault){.code = code, .offset = span.offset, .length = span.length};
    return false;
}

static bool integer_in_table(const struct rg_expr *expr, const struct rg_instruction *at, int64_t value)
{
    const struct ridge_value *item = expr->pool + at->operand;
    const struct ridge_value *end = item + at->immediate;
    while (item < end && item->as.integer != value) {
        item++;
    }
    return item < end;
}

static bool value_in_table(const struct rg_expr *expr, const struct rg_instruction *at, struct ridge_value value)
{
    const struct ridge_value *item = expr->pool + at->operand;
    const struct ridge_value *end = item + at->immediate;
    while (item < end && !rg_value_equal(value, *item)) {
        item++;
    }
    return item < end;
}

/** Unary operators that integers have; those whose result is a float never stand in an integer program. */
static rg_fault_code integer_unary(unsigned op, int64_t *top)
{
    switch (op) {
    case RG_OP_NOT: *top = *top == 0; return RG_FAULT_NONE;
    case RG_OP_TRUTH: *top = *top != 0; return RG_FAULT_NONE;
    case RG_OP_NEGATE: return rg_integer_subtract(0, *top, top);
    case RG_OP_ABSOLUTE: return *top < 0 ? rg_integer_subtract(0, *top, top) : RG_FAULT_NONE;
    default: return RG_FAULT_NONE;
    }
}

/* The emitter has counted: no opcode finds fewer cells below it than it takes. clang-tidy cannot know that. */
/* NOLINTBEGIN(clang-analyzer-core.*) */
static bool eval_integers(const struct rg_expr *expr, const struct ridge_value *values, int64_t *out,
                          struct rg_fault *fault)
{
    int64_t stack[RG_EXPR_STACK + 1];
    int64_t *below = stack; /* first free cell; the value under the top is below[-1] */
    int64_t top = 0;
    rg_fault_code code;
    for (const struct rg_instruction *at = expr->code;; at++) {
        switch (at->op) {
#define INTEGER_BINARY(name, function)                                                               \
    case RG_OP_##name: code = function(*--below, top, &top); break;                                  \
    case RG_OP_##name##_VARIABLE: code = function(top, values[at->operand].as.integer, &top); break; \
    case RG_OP_##name##_CONSTANT:                                                                    \
        code = function(top, at->immediate, &top);                                                   \
        break;
#define INTEGER_UNARY(name)                       \
    case RG_OP_##name:                            \
        code = integer_unary(RG_OP_##name, &top); \
        break;
#define NOTHING(name)
            RG_OPCODE_LIST(INTEGER_BINARY, NOTHING, INTEGER_UNARY, NOTHING)
#undef INTEGER_BINARY
#undef INTEGER_UNARY
#undef NOTHING
        case RG_OP_PUSH_CONSTANT:
            *below++ = top;
            top = at->immediate;
            continue;
        case RG_OP_PUSH_VARIABLE:
            *below++ = top;
            top = values[at->operand].as.integer;
            continue;
        case RG_OP_PUSH_TRUTH:
            *below++ = top;
            top = values[at->operand].as.truth;
            continue;
        case RG_OP_JUMP: at = expr->code + at->operand - 1; continue;
        case RG_OP_JUMP_FALSE:
            at = top == 0 ? expr->code + at->operand - 1 : at;
            top = *--below;
            continue;
        case RG_OP_AND_JUMP:
        case RG_OP_OR_JUMP:
            if ((top != 0) == (at->op == RG_OP_OR_JUMP)) {
                at = expr->code + at->operand - 1;
            } else {
                top = *--below;
            }
            continue;
        case RG_OP_KEEP: {
            const int64_t left = below[-1];
            below[-1] = top;
            *below++ = left;
            continue;
        }
        case RG_OP_CHAIN_JUMP:
            below--;
            if (top == 0) {
                at = expr->code + at->operand - 1;
            } else {
                top = *below;
            }
            continue;
        case RG_OP_MEMBER_BEGIN:
            *below++ = top;
            top = 0;
            continue;
        case RG_OP_MEMBER:
            top = below[-1] != 0 || top == below[-2];
            below--;
            continue;
        case RG_OP_MEMBER_END: below--; continue;
        case RG_OP_MEMBER_TABLE: top = integer_in_table(expr, at, top); continue;
        default: *out = top; return true; /* RG_OP_END */
        }
        if (code != RG_FAULT_NONE) {
            return set_fault(expr, at, code, fault);
        }
    }
}
/* NOLINTEND(clang-analyzer-core.*) */

/** What the control opcodes of the generic evaluator do. \return the instruction that ran last: jumps move it. */
static const struct rg_instruction *control(const struct rg_expr *expr, const struct rg_instruction *at,
                                            struct ridge_value **top_, rg_fault_code *code)
{
    struct ridge_value *top = *top_;
    bool truth = false;
    switch (at->op) {
    case RG_OP_JUMP: return expr->code + at->operand - 1;
    case RG_OP_JUMP_FALSE:
        *code = rg_value_truth(*top, &truth);
        *top_ = top - 1;
        return truth ? at : expr->code + at->operand - 1;
    case RG_OP_AND_JUMP:
    case RG_OP_OR_JUMP:
        *code = rg_value_truth(*top, &truth);
        if (truth == (at->op == RG_OP_OR_JUMP)) {
            return expr->code + at->operand - 1;
        }
        *top_ = top - 1;
        return at;
    case RG_OP_KEEP:
        top[1] = top[-1];
        top[-1] = *top;
        *top = top[1];
        top[1] = top[-1];
        *top_ = top + 1;
        return at;
    case RG_OP_CHAIN_JUMP:
        *top_ = top - 1;
        if (!top->as.truth) {
            top[-1] = *top;
            return expr->code + at->operand - 1;
        }
        return at;
    case RG_OP_MEMBER_BEGIN:
        top[1] = rg_value_bool(false);
        *top_ = top + 1;
        return at;
    case RG_OP_MEMBER:
        top[-1] = rg_value_bool(top[-1].as.truth || rg_value_equal(top[-2], *top));
        *top_ = top - 1;
        return at;
    case RG_OP_MEMBER_END:
        top[-1] = *top;
        *top_ = top - 1;
        return at;
    default: *top = rg_value_bool(value_in_table(expr, at, *top)); return at; /* RG_OP_MEMBER_TABLE */
    }
}

static bool eval_values(const struct rg_expr *expr, const struct ridge_value *values, struct ridge_value *out,
                        struct rg_fault *fault)
{
    struct ridge_value stack[RG_EXPR_STACK + 1];
    struct ridge_value *top = stack; /* the first cell is below all values */
    *top = rg_value_integer(0);
    for (const struct rg_instruction *at = expr->code;; at++) {
        rg_fault_code code = RG_FAULT_NONE;
        const struct rg_instruction *const ran = at;
        switch (at->op) {
#define VALUE_BINARY(name, function)                                                                           \
    case RG_OP_##name:                                                                                         \
        top--;                                                                                                 \
        code = rg_apply_binary(RG_OP_##name, top[0], top[1], top);                                             \
        break;                                                                                                 \
    case RG_OP_##name##_VARIABLE: code = rg_apply_binary(RG_OP_##name, *top, values[at->operand], top); break; \
    case RG_OP_##name##_CONSTANT:                                                                              \
        code = rg_apply_binary(RG_OP_##name, *top, expr->pool[at->operand], top);                              \
        break;
#define VALUE_REAL(name) VALUE_BINARY(name, )
#define VALUE_UNARY(name)                               \
    case RG_OP_##name:                                  \
        code = rg_apply_unary(RG_OP_##name, *top, top); \
        break;
#define NOTHING(name)
            RG_OPCODE_LIST(VALUE_BINARY, VALUE_REAL, VALUE_UNARY, NOTHING)
#undef VALUE_BINARY
#undef VALUE_REAL
#undef VALUE_UNARY
#undef NOTHING
        case RG_OP_END: *out = *top; return true;
        case RG_OP_PUSH_CONSTANT: *++top = expr->pool[at->operand]; continue;
        case RG_OP_PUSH_VARIABLE:
        case RG_OP_PUSH_TRUTH: *++top = values[at->operand]; continue;
        default: at = control(expr, at, &top, &code); break;
        }
        if (code != RG_FAULT_NONE) {
            return set_fault(expr, ran, code, fault);
        }
    }
}

bool rg_expr_eval(const struct rg_expr *expr, const struct ridge_value *values, struct ridge_value *out,
                  struct rg_fault *fault)
{
    if (!expr->integers) {
        return eval_values(expr, values, out, fault);
    }
    int64_t result;
    if (!eval_integers(expr, values, &result, fault)) {
        return false;
    }
    *out = expr->type == RIDGE_BOOL ? rg_value_bool(result != 0) : rg_value_integer(result);
    return true;
}

bool rg_expr_test(const struct rg_expr *expr, const struct ridge_value *values, bool *out, struct rg_fault *fault)
{
    if (expr->integers) {
        int64_t result = 0;
        const bool done = eval_integers(expr, values, &result, fault);
        *out = done ? result != 0 : *out;
        return done;
    }
    struct ridge_value result;
    if (!eval_values(expr, values, &result, fault)) {
        return false;
    }
    const rg_fault_code code = rg_value_truth(result, out);
    if (code != RG_FAULT_NONE) {
        *fault = (struct rg_fault){.code = code, .length = (unsigned)strlen(expr->source.text)};
    }
    return code == RG_FAULT_NONE;
}
