/* SPDX-License-Identifier: MIT */
/**
 * \file Words of a PTX text. Comments and white space lie between them; a word that begins with a dot (".global",
 * ".L1::no_allocate") is one word. Source: "Parallel Thread Execution ISA", chapter "Syntax".
 * Thread rule: one thread a lexer.
 */
#ifndef RG_ENGINE_PTX_LEX_H
#define RG_ENGINE_PTX_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum rg_word_kind {
    RG_WORD_END,
    RG_WORD_NAME,    /**< identifier, opcode, %register */
    RG_WORD_DOT,     /**< .word */
    RG_WORD_INTEGER, /**< `bits` */
    RG_WORD_FLOAT,   /**< `number` */
    RG_WORD_F32,     /**< 0fXXXXXXXX: `bits` */
    RG_WORD_F64,     /**< 0dXXXXXXXXXXXXXXXX: `bits` */
    RG_WORD_STRING,  /**< text between the quotes */
    RG_WORD_MARK     /**< one character of punctuation, or << >> && || == != <= >= */
} rg_word_kind;

struct rg_word {
    const char *text; /**< inside the source */
    uint64_t bits;
    double number;
    rg_word_kind kind;
    uint32_t length;
    uint32_t line;
    uint32_t column;
};

struct rg_ptx_lexer {
    const char *path;
    const char *text; /**< NUL-terminated */
    const char *at;
    const char *line_start;
    uint32_t line;
    struct rg_word word; /**< the current one */
};

void rg_ptx_lexer_init(struct rg_ptx_lexer *lexer, const char *text, const char *path);

/** Go to the next word. */
ridge_status rg_ptx_lexer_next(struct rg_ptx_lexer *lexer, struct ridge_error *error);

/** \return whether the current word is exactly `text` (of a kind that has text). */
bool rg_word_is(const struct rg_word *word, const char *text);

/** Set an error at a word. */
ridge_status rg_ptx_lexer_fail(const struct rg_ptx_lexer *lexer, const struct rg_word *word, ridge_status status,
                               struct ridge_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
