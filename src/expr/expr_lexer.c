/* SPDX-License-Identifier: MIT */
#include "expr/expr_lexer.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "expr/expr_arithmetic.h"
#include "expr/expr_place.h"
#include "text/number.h"
#include "text/utf8.h"

struct word {
    const char *text;
    rg_token_kind kind;
};

static const struct word operators[] = {
#define OPERATOR_ROW(name, text) {text, RG_TOKEN_##name},
    RG_TOKEN_LIST(OPERATOR_ROW)
#undef OPERATOR_ROW
};

static const struct word keywords[] = {{"and", RG_TOKEN_AND}, {"or", RG_TOKEN_OR}, {"not", RG_TOKEN_NOT},
                                       {"in", RG_TOKEN_IN},   {"if", RG_TOKEN_IF}, {"else", RG_TOKEN_ELSE}};

/** What people write that is not in the language, and what would be right. Looked up before the operators. */
static const struct {
    const char *text;
    const char *advice;
} mistakes[] = {
    {"<<", "multiply by a power of two"},
    {">>", "write `// 2 ** n`"},
    {"<>", "write `!=`"},
    {"=<", "write `<=`"},
    {"=>", "write `>=`"},
    {":=", "write `==` to compare"},
    {"?", "write `a if c else b`; C's `c ? a : b` is not supported"},
    {":", "write `a if c else b`; C's `c ? a : b` is not supported"},
    {"^", "write `**` for a power; there are no operators on bits"},
    {"~", "write `not`"},
    {";", "an expression is one value"},
    {".", "a number has a digit beside its point"},
};

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool give(struct rg_lexer *lexer, rg_token_kind kind, size_t length)
{
    lexer->token.kind = kind;
    lexer->token.length = (unsigned)length;
    return true;
}

/** Report `bytes` bytes at the token. */
__attribute__((format(printf, 4, 5))) static bool fail(struct rg_lexer *lexer, ridge_status status, size_t bytes,
                                                       const char *format, ...)
{
    const struct rg_span span = {lexer->token.offset, (unsigned)bytes};
    va_list arguments;
    va_start(arguments, format);
    lexer->status = rg_expr_error_list(lexer->source, span, lexer->error, status, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_word(struct rg_lexer *lexer, const char *at)
{
    size_t length = 1;
    while (rg_is_word(at[length])) {
        length++;
    }
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strlen(keywords[i].text) == length && starts(at, keywords[i].text)) {
            return give(lexer, keywords[i].kind, length);
        }
    }
    const bool truth = length == 4 && (starts(at, "True") || starts(at, "true"));
    if (truth || (length == 5 && (starts(at, "False") || starts(at, "false")))) {
        lexer->token.value = rg_value_bool(truth);
        return give(lexer, RG_TOKEN_VALUE, length);
    }
    return give(lexer, RG_TOKEN_NAME, length);
}

static int digit_value(char letter)
{
    if (rg_is_digit(letter)) {
        return letter - '0';
    }
    if (letter >= 'a' && letter <= 'f') {
        return letter - 'a' + 10;
    }
    return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : 16;
}

/** Read digits of a base. \return bytes; *fits tells whether *value is right. */
static size_t read_digits(const char *at, uint64_t base, uint64_t *value, bool *fits)
{
    size_t length = 0;
    *value = 0;
    *fits = true;
    for (; (uint64_t)digit_value(at[length]) < base; length++) {
        *fits = *fits && !__builtin_mul_overflow(*value, base, value) &&
                !__builtin_add_overflow(*value, (uint64_t)digit_value(at[length]), value);
    }
    return length;
}

/** A number must not run into letters: 8x, 0b1, 1024u. */
static bool end_number(struct rg_lexer *lexer, const char *at, rg_token_kind kind, size_t length)
{
    size_t whole = length;
    while (rg_is_word(at[whole])) {
        whole++;
    }
    if (whole > length || length == 0) {
        return fail(lexer, RIDGE_E_SYNTAX, whole, "`%.*s` is not a number (write it like 64, 0x40, 0.5 or 1e3)",
                    (int)whole, at);
    }
    return give(lexer, kind, length);
}

static bool read_integer(struct rg_lexer *lexer, const char *at)
{
    const bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    uint64_t value;
    bool fits;
    size_t length = read_digits(at + (hex ? 2 : 0), hex ? 16 : 10, &value, &fits);
    length += hex && length > 0 ? 2 : 0;
    if (!hex && at[0] == '0' && value != 0) {
        return fail(lexer, RIDGE_E_SYNTAX, length,
                    "`%.*s` begins with 0 (drop the 0; for octal write 0x and hex digits)", (int)length, at);
    }
    if (fits && value == UINT64_C(1) << 63) {
        return end_number(lexer, at, RG_TOKEN_MINIMUM, length);
    }
    if (!fits || value > INT64_MAX) {
        return fail(lexer, RIDGE_E_VALUE, length, "`%.*s` is too large (at most %lld)", (int)length, at,
                    (long long)INT64_MAX);
    }
    lexer->token.value = rg_value_integer((int64_t)value);
    return end_number(lexer, at, RG_TOKEN_VALUE, length);
}

static bool read_number(struct rg_lexer *lexer, const char *at)
{
    const size_t digits = strspn(at, "0123456789");
    if (at[digits] != '.' && at[digits] != 'e' && at[digits] != 'E') {
        return read_integer(lexer, at);
    }
    double number = 0;
    const size_t length = rg_number_scan(at, &number);
    if (length > 0 && !isfinite(number)) {
        return fail(lexer, RIDGE_E_VALUE, length, "`%.*s` is too large (at most 1.8e308)", (int)length, at);
    }
    lexer->token.value = (struct ridge_value){.type = RIDGE_FLOAT, .as.number = number};
    return end_number(lexer, at, RG_TOKEN_VALUE, length);
}

/** \return the character an escape stands for; 0 when it is none. */
static char unescape(char letter)
{
    static const char from[] = "\\'\"ntr";
    static const char to[] = "\\'\"\n\t\r";
    const char *found = letter ? strchr(from, letter) : NULL;
    if (!found) {
        return '\0';
    }
    return to[found - from];
}

static bool read_text(struct rg_lexer *lexer, const char *at)
{
    const char quote = at[0];
    size_t end = 1;
    while (at[end] && at[end] != quote && at[end] != '\n') {
        end += at[end] == '\\' && at[end + 1] ? 2 : 1;
    }
    if (at[end] != quote) {
        return fail(lexer, RIDGE_E_SYNTAX, 1, "this text has no end (a %c is missing)", quote);
    }
    char *text = rg_arena_alloc(lexer->arena, end);
    if (!text) {
        lexer->status = rg_error_memory(lexer->error, end);
        return false;
    }
    size_t used = 0;
    for (size_t i = 1; i < end; i++) {
        text[used] = at[i];
        if (at[i] != '\\') {
            used++;
            continue;
        }
        text[used] = unescape(at[++i]);
        if (text[used++] == '\0') {
            lexer->token.offset += (unsigned)i - 1;
            return fail(lexer, RIDGE_E_SYNTAX, 2, "this escape is not known (write \\\\, \\', \\\", \\n, \\t or \\r)");
        }
    }
    lexer->token.value = (struct ridge_value){.type = RIDGE_TEXT, .as.text = text};
    return give(lexer, RG_TOKEN_VALUE, end + 1);
}

static bool read_operator(struct rg_lexer *lexer, const char *at)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        if (starts(at, mistakes[i].text)) {
            return fail(lexer, RIDGE_E_SYNTAX, strlen(mistakes[i].text), "`%s` is not an operator here (%s)",
                        mistakes[i].text, mistakes[i].advice);
        }
    }
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (starts(at, operators[i].text)) {
            return give(lexer, operators[i].kind, strlen(operators[i].text));
        }
    }
    if (*at == '=' || *at == '&' || *at == '|') {
        return fail(lexer, RIDGE_E_SYNTAX, 1, "`%c` is not an operator here (did you mean `%c%c`?)", *at, *at, *at);
    }
    const size_t width = rg_utf8_width(at);
    if (width == 0 || (width == 1 && (*at < ' ' || *at == 0x7F))) {
        return fail(lexer, RIDGE_E_SYNTAX, 1, "byte 0x%02X does not belong in an expression", (unsigned char)*at);
    }
    return fail(lexer, RIDGE_E_SYNTAX, width, "`%.*s` does not belong in an expression", (int)width, at);
}

bool rg_lexer_next(struct rg_lexer *lexer)
{
    if (lexer->status != RIDGE_OK) {
        return false;
    }
    struct rg_token *token = &lexer->token;
    const char *at = lexer->source->text + token->offset + token->length;
    at += strspn(at, " \t\r\n\v\f");
    token->offset = (unsigned)(at - lexer->source->text);
    token->length = 0;
    if (*at == '\0') {
        return give(lexer, RG_TOKEN_END, 0);
    }
    if (rg_is_digit(*at) || (*at == '.' && rg_is_digit(at[1]))) {
        return read_number(lexer, at);
    }
    if (rg_is_word(*at)) {
        return read_word(lexer, at);
    }
    return *at == '"' || *at == '\'' ? read_text(lexer, at) : read_operator(lexer, at);
}
