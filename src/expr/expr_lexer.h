/* SPDX-License-Identifier: MIT */
/** \file Expression text to tokens, one at a time. Thread rule: one thread a lexer. */
#ifndef RG_EXPR_LEXER_H
#define RG_EXPR_LEXER_H

#include "expr/expr.h"

/** Tokens that are always written the same: name, text. Operators before their own beginnings: `**` before `*`. */
#define RG_TOKEN_LIST(X)      \
    X(POWER, "**")            \
    X(FLOOR_DIVIDE, "//")     \
    X(EQUAL, "==")            \
    X(NOT_EQUAL, "!=")        \
    X(LESS_EQUAL, "<=")       \
    X(GREATER_EQUAL, ">=")    \
    X(AND, "&&")              \
    X(OR, "||")               \
    X(PLUS, "+")              \
    X(MINUS, "-")             \
    X(MULTIPLY, "*")          \
    X(DIVIDE, "/")            \
    X(PERCENT, "%")           \
    X(LESS, "<")              \
    X(GREATER, ">")           \
    X(EXCLAMATION, "!")       \
    X(PARENTHESIS_OPEN, "(")  \
    X(PARENTHESIS_CLOSE, ")") \
    X(BRACKET_OPEN, "[")      \
    X(BRACKET_CLOSE, "]")     \
    X(COMMA, ",")

typedef enum rg_token_kind {
#define TOKEN_ENUM(name, text) RG_TOKEN_##name,
    RG_TOKEN_LIST(TOKEN_ENUM)
#undef TOKEN_ENUM
    RG_TOKEN_NOT,
    RG_TOKEN_IN,
    RG_TOKEN_IF,
    RG_TOKEN_ELSE,
    RG_TOKEN_NAME,
    RG_TOKEN_VALUE,   /**< a literal */
    RG_TOKEN_MINIMUM, /**< 2^63, which only a minus before it makes an integer */
    RG_TOKEN_END
} rg_token_kind;

struct rg_token {
    rg_token_kind kind;
    unsigned offset;
    unsigned length;
    struct ridge_value value; /**< RG_TOKEN_VALUE; text lives in the arena */
};

struct rg_lexer {
    struct rg_arena *arena;
    const struct rg_expr_source *source;
    struct ridge_error *error;
    ridge_status status; /**< RIDGE_OK until the first error, which is then set */
    struct rg_token token;
};

/** Read the next token into lexer->token. \return false on an error, or after one. */
bool rg_lexer_next(struct rg_lexer *lexer);

#endif
