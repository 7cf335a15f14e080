/* SPDX-License-Identifier: MIT */
/**
 * \file The syntax tree of an expression. Built by the parser, typed and folded in place by the checker, read by the
 * emitter. Thread rule: one thread a tree.
 */
#ifndef RG_EXPR_NODE_H
#define RG_EXPR_NODE_H

#include "expr/expr_opcode.h"

typedef enum rg_node_kind {
    RG_NODE_CONSTANT,
    RG_NODE_NAME, /**< not looked up yet; no such node after the check */
    RG_NODE_VARIABLE,
    RG_NODE_UNARY,
    RG_NODE_BINARY,
    RG_NODE_AND,   /**< two operands or more */
    RG_NODE_OR,    /**< two operands or more */
    RG_NODE_CHAIN, /**< comparisons: two operands or more; each but the first has a link to the one before it */
    RG_NODE_LIST,  /**< right side of `in`: the last operand of a chain */
    RG_NODE_IF     /**< condition, value when true, value when false */
} rg_node_kind;

/** Types a node can have, as a set. */
enum {
    RG_SET_INT = 1U << RIDGE_INT,
    RG_SET_FLOAT = 1U << RIDGE_FLOAT,
    RG_SET_BOOL = 1U << RIDGE_BOOL,
    RG_SET_TEXT = 1U << RIDGE_TEXT,
    RG_SET_INTEGRAL = RG_SET_INT | RG_SET_BOOL
};

/** How an operand of a chain is compared with the one before it. */
struct rg_link {
    unsigned op;  /**< a comparison, or RG_OP_MEMBER before a list */
    bool negated; /**< not in */
    struct rg_span span;
};

struct rg_node {
    rg_node_kind kind;
    unsigned op;   /**< RG_NODE_UNARY, RG_NODE_BINARY: the opcode */
    unsigned slot; /**< RG_NODE_VARIABLE */
    unsigned types;
    unsigned height;     /**< of the tree below: bounds recursion */
    bool integral;       /**< it and everything below can run in the integer evaluator */
    struct rg_span span; /**< the operator, name or literal */
    struct rg_link link;
    struct ridge_value value; /**< RG_NODE_CONSTANT */
    struct rg_node *first;    /**< operands */
    struct rg_node *last;
    struct rg_node *next; /**< the next operand of the same node */
};

#endif
