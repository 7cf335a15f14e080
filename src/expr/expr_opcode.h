/* SPDX-License-Identifier: MIT */
/**
 * \file The opcodes, and what a compiled expression is. The code is the same for both evaluators: the one for integers
 * reads the immediate of an instruction, the generic one reads the pool. Thread rule: unchanging after compiling.
 */
#ifndef RG_EXPR_OPCODE_H
#define RG_EXPR_OPCODE_H

#include "expr/expr_place.h"

enum {
    RG_EXPR_MAX_BYTES = 65536, /**< of the text */
    RG_EXPR_MAX_NESTING = 100, /**< brackets, calls, prefix operators, powers and conditionals inside one another */
    RG_EXPR_MAX_HEIGHT = 1000, /**< operators of one level in a row: a + a + a ... */
    RG_EXPR_STACK = 512        /**< cells an evaluation may need */
};

/**
 * Every opcode, by kind. BINARY(name, function): has a function on integers. REAL(name): a binary one whose result may be
 * a float whatever the operands are, so that it never stands in an integer program. Both come in three forms: right
 * operand on the stack, a variable, a constant. Comments give the stack before and after.
 */
#define RG_OPCODE_LIST(BINARY, REAL, UNARY, CONTROL)                          \
    BINARY(ADD, rg_integer_add)                                               \
    BINARY(SUBTRACT, rg_integer_subtract)                                     \
    BINARY(MULTIPLY, rg_integer_multiply)                                     \
    BINARY(DIVIDE, rg_integer_divide) /* EXACT's / */                         \
    BINARY(FLOOR_DIVIDE, rg_integer_floor_divide)                             \
    BINARY(REMAINDER, rg_integer_remainder) /* EXACT's %: dividend's sign */  \
    BINARY(MODULO, rg_integer_modulo)       /* PYTHON's %: divisor's sign */  \
    BINARY(POWER, rg_integer_power)                                           \
    BINARY(MIN, rg_integer_min)                                               \
    BINARY(MAX, rg_integer_max)                                               \
    BINARY(CEIL_DIVIDE, rg_integer_ceil_divide) /* first of whole numbers */  \
    BINARY(PAD, rg_integer_pad)                                               \
    BINARY(BANK_CONFLICTS, rg_integer_bank_conflicts)                         \
    BINARY(WARP_LINES, rg_integer_warp_lines) /* last of whole numbers */     \
    BINARY(EQUAL, rg_integer_equal)           /* first comparison */          \
    BINARY(NOT_EQUAL, rg_integer_not_equal)                                   \
    BINARY(LESS, rg_integer_less) /* first that orders */                     \
    BINARY(LESS_EQUAL, rg_integer_less_equal)                                 \
    BINARY(GREATER, rg_integer_greater)                                       \
    BINARY(GREATER_EQUAL, rg_integer_greater_equal) /* last comparison */     \
    REAL(TRUE_DIVIDE)                               /* PYTHON's / */          \
    REAL(PYTHON_POWER)                              /* of unknown exponent */ \
    UNARY(NEGATE)                                                             \
    UNARY(PLUS)                                                               \
    UNARY(NOT)                                                                \
    UNARY(TRUTH) /* to a bool */                                              \
    UNARY(ABSOLUTE)                                                           \
    UNARY(CEIL)                                                               \
    UNARY(FLOOR)                                                              \
    UNARY(ROUND_AWAY)                                                         \
    UNARY(ROUND_EVEN)                                                         \
    UNARY(TO_INT)                                                             \
    UNARY(TO_FLOAT)                                                           \
    UNARY(LOG2)                                                               \
    UNARY(SQRT)                                                               \
    CONTROL(END)                                                              \
    CONTROL(PUSH_CONSTANT)                                                    \
    CONTROL(PUSH_VARIABLE)                                                    \
    CONTROL(PUSH_TRUTH) /* a bool variable */                                 \
    CONTROL(JUMP)                                                             \
    CONTROL(JUMP_FALSE)   /* a -> */                                          \
    CONTROL(AND_JUMP)     /* a -> a and jump, or -> */                        \
    CONTROL(OR_JUMP)      /* a -> a and jump, or -> */                        \
    CONTROL(KEEP)         /* a b -> b a b */                                  \
    CONTROL(CHAIN_JUMP)   /* b r -> false and jump, or b */                   \
    CONTROL(MEMBER_BEGIN) /* x -> x false */                                  \
    CONTROL(MEMBER)       /* x found item -> x found */                       \
    CONTROL(MEMBER_END)   /* x found -> found */                              \
    CONTROL(MEMBER_TABLE) /* x -> found, in the pool */

enum rg_opcode {
#define OPCODE_FORMS(name, function) RG_OP_##name, RG_OP_##name##_VARIABLE, RG_OP_##name##_CONSTANT,
#define OPCODE_REAL(name)            OPCODE_FORMS(name, )
#define OPCODE_ONE(name)             RG_OP_##name,
    RG_OPCODE_LIST(OPCODE_FORMS, OPCODE_REAL, OPCODE_ONE, OPCODE_ONE)
#undef OPCODE_FORMS
#undef OPCODE_REAL
#undef OPCODE_ONE
};

/** How far the forms of a binary opcode are from its name. */
enum {
    RG_FORM_VARIABLE = 1,
    RG_FORM_CONSTANT = 2
};

struct rg_instruction {
    uint32_t op;       /**< enum rg_opcode */
    uint32_t operand;  /**< slot of a variable, index into the pool, or target of a jump */
    int64_t immediate; /**< constant as an integer; RG_OP_MEMBER_TABLE: how many */
};

struct rg_expr {
    struct rg_expr_source source; /**< with its own copy of the text */
    const struct rg_instruction *code;
    const struct rg_span *spans; /**< one an instruction: what it came from */
    const struct ridge_value *pool;
    const unsigned *slots; /**< ascending */
    size_t slot_count;
    ridge_type type;  /**< of the result of an integer program: RIDGE_INT or RIDGE_BOOL */
    bool integers;    /**< runs in the integer evaluator */
    bool is_constant; /**< then pool[0] is the value */
};

static inline bool rg_opcode_compares(unsigned op)
{
    return op >= RG_OP_EQUAL && op <= RG_OP_GREATER_EQUAL_CONSTANT;
}

static inline bool rg_opcode_orders(unsigned op)
{
    return op >= RG_OP_LESS && op <= RG_OP_GREATER_EQUAL_CONSTANT;
}

/** Takes whole numbers only: a float is a fault, so that a quotient is not rounded by accident. */
static inline bool rg_opcode_whole(unsigned op)
{
    return op >= RG_OP_CEIL_DIVIDE && op <= RG_OP_WARP_LINES_CONSTANT;
}

#endif
