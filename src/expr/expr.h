/* SPDX-License-Identifier: MIT */
/**
 * \file Expressions: compiled once to bytecode, evaluated many times without allocating.
 *
 * Two dialects (docs/expressions.md). EXACT (kernel.toml): 64-bit integers, `/` truncates and `%` is its remainder,
 * `//` floors; overflow, division by zero and text in arithmetic are faults. PYTHON (T1 files): `/` is true
 * division, `//` and `%` floor, `and`/`or` give an operand, round() is half to even; integers beyond 64 bits are a
 * fault rather than wrong. Thread rule: a compiled expression is unchanging; any thread may evaluate it.
 */
#ifndef RG_EXPR_EXPR_H
#define RG_EXPR_EXPR_H

#include "base/arena.h"
#include "base/error.h"
#include "ridge/value.h"

typedef enum rg_dialect {
    RG_DIALECT_EXACT,
    RG_DIALECT_PYTHON
} rg_dialect;

/** A name that an expression may use: a variable, given at evaluation, or a constant, folded at compile time. */
struct rg_symbol {
    const char *name;
    const struct ridge_value *constant; /**< NULL: a variable */
    unsigned slot;                      /**< variable: index into the values given at evaluation */
    ridge_type type;                    /**< variable: the type all its values have */
};

/** The text of an expression and where it stands, for messages. */
struct rg_expr_source {
    const char *text;      /**< NUL-terminated */
    struct rg_place place; /**< of the first byte of `text` in its file; column 0: positions are within `text` */
    rg_dialect dialect;
};

struct rg_expr;

/** Why an evaluation gave no value. */
typedef enum rg_fault_code {
    RG_FAULT_NONE,
    RG_FAULT_OVERFLOW,
    RG_FAULT_ZERO_DIVISION,
    RG_FAULT_TEXT,  /**< text in arithmetic, or compared in order with a number */
    RG_FAULT_DOMAIN /**< log2(0), sqrt(-1), int(nan), a negative integer power */
} rg_fault_code;

struct rg_fault {
    rg_fault_code code;
    unsigned offset; /**< byte of the operator or call in the text */
    unsigned length; /**< bytes */
};

/**
 * Compile an expression.
 * \param source     borrowed for the call; the expression keeps a copy of the text and of the place's file and text pointers
 * \param[out] out   lives in the arena
 * \retval RIDGE_E_SYNTAX  it does not parse; `=` is answered with `==`
 * \retval RIDGE_E_NAME    an unknown name or function; near names are suggested
 * \retval RIDGE_E_VALUE   an operand can never have the type that is needed (text in arithmetic)
 */
ridge_status rg_expr_compile(struct rg_arena *arena, const struct rg_expr_source *source,
                             const struct rg_symbol *symbols, size_t symbol_count, struct rg_expr **out,
                             struct ridge_error *error);

/** Evaluate. \return false on a fault, then described in *fault. Text results are borrowed from values or expression. */
bool rg_expr_eval(const struct rg_expr *expr, const struct ridge_value *values, struct ridge_value *out,
                  struct rg_fault *fault);

/** Evaluate as a condition: 0, 0.0, false are false; other numbers are true; text is a fault. */
bool rg_expr_test(const struct rg_expr *expr, const struct ridge_value *values, bool *out, struct rg_fault *fault);

/** Turn a fault into an error at its place: "constraint `20 % d == 0`: division by zero (d = 0)". `what` names the role. */
ridge_status rg_expr_fault_error(const struct rg_expr *expr, const char *what, const struct rg_symbol *symbols,
                                 size_t symbol_count, const struct ridge_value *values, const struct rg_fault *fault,
                                 struct ridge_error *error);

/** \return the slots of the variables it uses, ascending; borrowed. */
const unsigned *rg_expr_slots(const struct rg_expr *expr, size_t *count);

/** \return the text as written. Borrowed. */
const char *rg_expr_text(const struct rg_expr *expr);

/** \return true and the value when no variable is used. */
bool rg_expr_constant(const struct rg_expr *expr, struct ridge_value *out);

#endif
