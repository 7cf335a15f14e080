/* SPDX-License-Identifier: MIT */
#include "engine/ptx_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"

void rg_ptx_lexer_init(struct rg_ptx_lexer *lexer, const char *text, const char *path)
{
    *lexer = (struct rg_ptx_lexer){.path = path, .text = text, .at = text, .line_start = text, .line = 1};
}

bool rg_word_is(const struct rg_word *word, const char *text)
{
    return word->kind != RG_WORD_END && word->kind != RG_WORD_STRING && strlen(text) == word->length &&
           memcmp(word->text, text, word->length) == 0;
}

ridge_status rg_ptx_lexer_fail(const struct rg_ptx_lexer *lexer, const struct rg_word *word, ridge_status status,
                               struct ridge_error *error, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const struct rg_place place = {lexer->path, lexer->text, word->line, word->column, word->length};
    return rg_error_at(error, status, &place, "%s", message);
}

static bool is_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' || letter == '$';
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static void new_line(struct rg_ptx_lexer *lexer)
{
    lexer->line++;
    lexer->line_start = lexer->at + 1;
}

/** Step to the last byte of a comment. \return false when it never ends. */
static bool skip_comment(struct rg_ptx_lexer *lexer)
{
    for (lexer->at += 2; lexer->at[0] != '\0' && (lexer->at[0] != '*' || lexer->at[1] != '/'); lexer->at++) {
        if (*lexer->at == '\n') {
            new_line(lexer);
        }
    }
    if (*lexer->at == '\0') {
        return false;
    }
    lexer->at++;
    return true;
}

/** \return false inside a comment that never ends. */
static bool skip_blank(struct rg_ptx_lexer *lexer)
{
    for (;; lexer->at++) {
        const char *at = lexer->at;
        if (*at == '\n') {
            new_line(lexer);
        } else if (at[0] == '/' && at[1] == '/') {
            lexer->at += strcspn(at, "\n") - 1;
        } else if (at[0] == '/' && at[1] == '*') {
            if (!skip_comment(lexer)) {
                return false;
            }
        } else if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\f' && *at != '\v') {
            return true;
        }
    }
}

static unsigned digit_value(char letter)
{
    if (is_digit(letter)) {
        return (unsigned)(letter - '0');
    }
    if (letter >= 'a' && letter <= 'f') {
        return (unsigned)(letter - 'a') + 10;
    }
    return letter >= 'A' && letter <= 'F' ? (unsigned)(letter - 'A') + 10 : 99;
}

static const char *read_digits(const char *at, unsigned base, uint64_t *bits, bool *overflow)
{
    *bits = 0;
    *overflow = false;
    for (; digit_value(*at) < base; at++) {
        *overflow |= __builtin_mul_overflow(*bits, (uint64_t)base, bits);
        *overflow |= __builtin_add_overflow(*bits, (uint64_t)digit_value(*at), bits);
    }
    return at;
}

/** 0fXXXXXXXX or 0dXXXXXXXXXXXXXXXX. */
static bool read_exact_float(struct rg_word *word, const char *start, const char **end)
{
    const bool single = start[1] == 'f' || start[1] == 'F';
    const bool twice = start[1] == 'd' || start[1] == 'D';
    bool overflow;
    if (start[0] != '0' || (!single && !twice)) {
        return false;
    }
    *end = read_digits(start + 2, 16, &word->bits, &overflow);
    word->kind = single ? RG_WORD_F32 : RG_WORD_F64;
    return *end == start + (single ? 10 : 18);
}

static ridge_status read_number(struct rg_ptx_lexer *lexer, struct rg_word *word, struct ridge_error *error)
{
    const char *start = lexer->at;
    const char *end = start;
    bool overflow = false;
    if (!read_exact_float(word, start, &end)) {
        const bool prefixed = start[0] == '0' && strchr("xXbB", start[1]) && start[1] != '\0';
        const unsigned base = !prefixed ? (start[0] == '0' ? 8U : 10U) : (start[1] | 32) == 'x' ? 16U : 2U;
        end = read_digits(prefixed ? start + 2 : start, base, &word->bits, &overflow);
        word->kind = RG_WORD_INTEGER;
        if (!prefixed && (*end == '.' || *end == 'e' || *end == 'E') && (is_digit(end[1]) || *end != '.')) {
            word->kind = RG_WORD_FLOAT;
            end = start + rg_number_scan(start, &word->number);
        } else if (*end == 'U') {
            end++;
        }
    }
    word->length = (uint32_t)(end - start);
    lexer->at = end;
    if (overflow) {
        return rg_ptx_lexer_fail(lexer, word, RIDGE_E_SYNTAX, error, "the number does not fit 64 bits");
    }
    if (is_letter(*end) || is_digit(*end) || end == start) {
        word->length++;
        return rg_ptx_lexer_fail(lexer, word, RIDGE_E_SYNTAX, error, "not a number of PTX (10, 0x1F, 0f3F800000, 1.5)");
    }
    return RIDGE_OK;
}

static void read_name(struct rg_ptx_lexer *lexer, struct rg_word *word)
{
    const char *end = lexer->at + 1;
    word->kind = *lexer->at == '.' ? RG_WORD_DOT : RG_WORD_NAME;
    while (is_letter(*end) || is_digit(*end) || (word->kind == RG_WORD_DOT && end[0] == ':' && end[1] == ':')) {
        end += *end == ':' ? 2 : 1;
    }
    word->length = (uint32_t)(end - lexer->at);
    lexer->at = end;
}

static ridge_status read_string(struct rg_ptx_lexer *lexer, struct rg_word *word, struct ridge_error *error)
{
    size_t length = 0;
    for (const char *at = lexer->at + 1; !strchr("\"\n", at[length]); length++) { /* strchr finds the NUL too */
        length += at[length] == '\\' && at[length + 1] != '\n' && at[length + 1] != '\0';
    }
    word->kind = RG_WORD_STRING;
    if (lexer->at[1 + length] != '"') {
        word->length = 1;
        return rg_ptx_lexer_fail(lexer, word, RIDGE_E_SYNTAX, error, "the string does not end on its line");
    }
    word->text++;
    word->length = (uint32_t)length;
    lexer->at += length + 2;
    return RIDGE_OK;
}

static void read_mark(struct rg_ptx_lexer *lexer, struct rg_word *word)
{
    static const char *const pairs[] = {"<<", ">>", "&&", "||", "==", "!=", "<=", ">="};
    word->kind = RG_WORD_MARK;
    word->length = 1;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (memcmp(lexer->at, pairs[i], 1) == 0 && lexer->at[1] == pairs[i][1]) {
            word->length = 2;
        }
    }
    lexer->at += word->length;
}

ridge_status rg_ptx_lexer_next(struct rg_ptx_lexer *lexer, struct ridge_error *error)
{
    struct rg_word *word = &lexer->word;
    const bool ended = skip_blank(lexer);
    const char first = *lexer->at;
    *word = (struct rg_word){.text = lexer->at, .line = lexer->line};
    word->column = (uint32_t)(lexer->at - lexer->line_start) + 1;
    if (!ended) {
        return rg_ptx_lexer_fail(lexer, word, RIDGE_E_SYNTAX, error, "a comment does not end (with */)");
    }
    if (first == '\0') {
        return RIDGE_OK;
    }
    const bool named = is_letter(first) || (first == '%' && is_letter(lexer->at[1]));
    if (named || (first == '.' && (is_letter(lexer->at[1]) || is_digit(lexer->at[1])))) {
        read_name(lexer, word);
        return RIDGE_OK;
    }
    if (is_digit(first)) {
        return read_number(lexer, word, error);
    }
    if (first == '"') {
        return read_string(lexer, word, error);
    }
    if (!strchr("{}[]()<>,;:@!+-*/%|&~^=?", first)) {
        word->length = 1;
        return rg_ptx_lexer_fail(lexer, word, RIDGE_E_SYNTAX, error, "a character that PTX does not have (0x%02X)",
                                 (unsigned)(unsigned char)first);
    }
    read_mark(lexer, word);
    return RIDGE_OK;
}
