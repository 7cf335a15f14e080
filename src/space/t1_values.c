/* SPDX-License-Identifier: MIT */
/**
 * \file The values of a T1 parameter. The file gives them as Python text:
 *
 *     sum  = term { "+" term }
 *     term = "[" items "]" | "(" items ")" | "(" sum ")" | ("list" | "tuple") "(" sum ")" | "range" "(" 1-3 numbers ")"
 *     items = expression { "," expression } | expression "for" name "in" sum [ "if" condition ]
 *
 * Expressions are those of conditions. What is written otherwise is refused.
 */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/checked.h"
#include "ridge/units.h"
#include "space/spec_read.h"

enum {
    MAX_VALUES = 1000000,
    MAX_DEPTH = 16
};

struct values {
    struct ridge_value *items;
    size_t count;
    size_t capacity;
};

struct parser {
    struct rg_spec_reader *reader;
    const struct rg_toml *node;
    const char *name;      /* of the parameter */
    struct rg_place place; /* of the first byte of the text; column 0: unknown */
    const char *text;
    size_t at;
    unsigned depth;
    ridge_status status;
};

static bool parse_sum(struct parser *parser, struct values *out);

static struct rg_place place_of(const struct parser *parser, size_t at)
{
    struct rg_place place = parser->node->place;
    if (parser->place.column > 0) {
        place = parser->place;
        place.column += (unsigned)at;
        place.length = 1;
    }
    return place;
}

static bool fail(struct parser *parser, size_t at, const char *problem)
{
    const struct rg_place place = place_of(parser, at);
    parser->status =
        rg_error_at(parser->reader->error, RIDGE_E_VALUE, &place, "the values of `%s`: %s", parser->name, problem);
    return false;
}

static bool fail_memory(struct parser *parser, size_t bytes)
{
    parser->status = rg_error_memory(parser->reader->error, bytes);
    return false;
}

static void skip_space(struct parser *parser)
{
    parser->at += strspn(parser->text + parser->at, " \t\r\n");
}

static bool take(struct parser *parser, char byte)
{
    skip_space(parser);
    if (parser->text[parser->at] != byte) {
        return false;
    }
    parser->at++;
    return true;
}

/** Whether a whole word stands at a place. */
static bool word_at(const struct parser *parser, size_t at, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(parser->text + at, word, length) == 0 && !rg_is_word(parser->text[at + length]) &&
           (at == 0 || !rg_is_word(parser->text[at - 1]));
}

static bool take_word(struct parser *parser, const char *word)
{
    skip_space(parser);
    if (!word_at(parser, parser->at, word)) {
        return false;
    }
    parser->at += strlen(word);
    return true;
}

/** \return where the expression at hand ends: at a comma, a closing bracket, or one of two words outside of brackets. */
static size_t expression_end(const struct parser *parser)
{
    unsigned depth = 0;
    char quote = '\0';
    size_t at = parser->at;
    for (; parser->text[at]; at++) {
        const char byte = parser->text[at];
        if (quote) {
            at += byte == '\\' && parser->text[at + 1];
            if (byte == quote) {
                quote = '\0';
            }
        } else if (byte == '\'' || byte == '"') {
            quote = byte;
        } else if (byte == '(' || byte == '[') {
            depth++;
        } else if (depth > 0 && (byte == ')' || byte == ']')) {
            depth--;
        } else if (depth == 0 && (byte == ',' || byte == ')' || byte == ']' || word_at(parser, at, "for"))) {
            break;
        }
    }
    return at;
}

/** Compile the bytes from `begin` to `end`, with at most one name to use. */
static bool compile(struct parser *parser, size_t begin, size_t end, const struct rg_symbol *symbol,
                    struct rg_expr **out)
{
    const char *text = rg_arena_copy(parser->reader->arena, parser->text + begin, end - begin);
    if (!text) {
        return fail_memory(parser, end - begin + 1);
    }
    struct rg_expr_source source = {.text = text, .place = parser->place, .dialect = RG_DIALECT_PYTHON};
    source.place.column += source.place.column > 0 ? (unsigned)begin : 0;
    parser->status =
        rg_expr_compile(parser->reader->arena, &source, symbol, symbol != NULL, out, parser->reader->error);
    return parser->status == RIDGE_OK;
}

static bool evaluate(struct parser *parser, const struct rg_expr *expr, const struct rg_symbol *symbol,
                     const struct ridge_value *variable, struct ridge_value *out)
{
    struct rg_fault fault;
    if (rg_expr_eval(expr, variable, out, &fault)) {
        return true;
    }
    parser->status =
        rg_expr_fault_error(expr, "value", symbol, symbol != NULL, variable, &fault, parser->reader->error);
    return false;
}

static bool add(struct parser *parser, struct values *values, struct ridge_value value)
{
    if (values->count >= MAX_VALUES) {
        return fail(parser, parser->at, "too many (at most 1000000)");
    }
    if (!rg_reserve(parser->reader->arena->context, &values->items, &values->capacity, values->count + 1,
                    sizeof *values->items)) {
        return fail_memory(parser, (values->count + 1) * sizeof *values->items);
    }
    values->items[values->count++] = value;
    return true;
}

static void values_fini(const struct parser *parser, struct values *values)
{
    rg_free(parser->reader->arena->context, values->items, values->capacity * sizeof *values->items);
}

static bool parse_constant(struct parser *parser, struct ridge_value *out)
{
    struct rg_expr *expr = NULL;
    skip_space(parser);
    const size_t begin = parser->at;
    parser->at = expression_end(parser);
    return compile(parser, begin, parser->at, NULL, &expr) && evaluate(parser, expr, NULL, NULL, out);
}

/** What follows `for` is a name. */
static const char *parse_loop_name(struct parser *parser)
{
    skip_space(parser);
    const size_t begin = parser->at;
    while (rg_is_word(parser->text[parser->at])) {
        parser->at++;
    }
    if (begin == parser->at) {
        fail(parser, begin, "a name is missing behind `for` (write [2**k for k in range(4)])");
        return NULL;
    }
    const char *name = rg_arena_copy(parser->reader->arena, parser->text + begin, parser->at - begin);
    if (!name) {
        fail_memory(parser, parser->at - begin + 1);
    } else if (!take_word(parser, "in")) {
        fail(parser, parser->at, "`in` is missing (write [2**k for k in range(4)]; one name only)");
        return NULL;
    }
    return name;
}

static bool run_loop(struct parser *parser, const size_t span[2], const struct rg_symbol *symbol,
                     const struct values *over, const size_t condition_span[2], struct values *out)
{
    struct rg_expr *expr = NULL;
    struct rg_expr *condition = NULL;
    bool done = compile(parser, span[0], span[1], symbol, &expr) &&
                (condition_span[1] == 0 || compile(parser, condition_span[0], condition_span[1], symbol, &condition));
    for (size_t i = 0; i < over->count && done; i++) {
        struct ridge_value value = {.type = RIDGE_BOOL, .as.truth = true};
        done = !condition || evaluate(parser, condition, symbol, &over->items[i], &value);
        const bool wanted = value.type == RIDGE_FLOAT  ? value.as.number != 0
                            : value.type == RIDGE_BOOL ? value.as.truth
                                                       : value.type == RIDGE_TEXT || value.as.integer != 0;
        if (done && wanted) {
            done = evaluate(parser, expr, symbol, &over->items[i], &value) && add(parser, out, value);
        }
    }
    return done;
}

/** `for` was read; the expression before it stands at `span`. */
static bool parse_loop(struct parser *parser, const size_t span[2], struct values *out)
{
    struct values over = {0};
    size_t condition[2] = {0, 0};
    const char *name = parse_loop_name(parser);
    bool done = name && parse_sum(parser, &over);
    if (done && take_word(parser, "if")) {
        condition[0] = parser->at;
        parser->at = expression_end(parser);
        condition[1] = parser->at;
    }
    for (size_t i = 1; i < over.count && done; i++) {
        done = over.items[i].type == over.items[0].type ||
               fail(parser, parser->at, "the loop goes over values of two types (use one)");
    }
    if (done && over.count > 0) {
        const struct rg_symbol symbol = {.name = name, .type = over.items[0].type};
        done = run_loop(parser, span, &symbol, &over, condition, out);
    }
    values_fini(parser, &over);
    return done;
}

/** The opening bracket was read. */
static bool parse_items(struct parser *parser, char close, struct values *out)
{
    for (bool first = true; !take(parser, close); first = false) {
        struct rg_expr *expr = NULL;
        struct ridge_value value;
        const size_t begin = parser->at;
        const size_t end = expression_end(parser);
        parser->at = end;
        if (first && take_word(parser, "for")) {
            const size_t span[2] = {begin, end};
            return parse_loop(parser, span, out) &&
                   (take(parser, close) ||
                    fail(parser, parser->at, "this is not understood in a comprehension (one `for`, then one `if`)"));
        }
        if (!compile(parser, begin, end, NULL, &expr) || !evaluate(parser, expr, NULL, NULL, &value) ||
            !add(parser, out, value)) {
            return false;
        }
        if (!take(parser, ',')) {
            return take(parser, close) || fail(parser, parser->at, "`,` or the closing bracket is missing");
        }
    }
    return true;
}

/** `range(` was read. */
static bool parse_range(struct parser *parser, struct values *out)
{
    int64_t numbers[3] = {0, 0, 1};
    size_t count = 0;
    const size_t begin = parser->at;
    do {
        struct ridge_value value;
        if (count == 3) {
            return fail(parser, parser->at, "range() takes one to three integers");
        }
        if (!parse_constant(parser, &value)) {
            return false;
        }
        if (value.type != RIDGE_INT) {
            return fail(parser, begin, "range() takes one to three integers");
        }
        numbers[count++] = value.as.integer;
    } while (take(parser, ','));
    if (!take(parser, ')')) {
        return fail(parser, parser->at, "`)` is missing behind range(");
    }
    if (count == 1) {
        numbers[1] = numbers[0];
        numbers[0] = 0;
    }
    if (numbers[2] == 0) {
        return fail(parser, begin, "the step of range() is 0");
    }
    int64_t at = numbers[0];
    while (numbers[2] > 0 ? at < numbers[1] : at > numbers[1]) {
        if (!add(parser, out, (struct ridge_value){.type = RIDGE_INT, .as.integer = at})) {
            return false;
        }
        if (!rg_add_i64(at, numbers[2], &at)) {
            break;
        }
    }
    return true;
}

static bool starts_list(struct parser *parser)
{
    skip_space(parser);
    return parser->text[parser->at] == '[' || word_at(parser, parser->at, "range") ||
           word_at(parser, parser->at, "list") || word_at(parser, parser->at, "tuple");
}

static bool parse_term(struct parser *parser, struct values *out)
{
    if (take(parser, '[')) {
        return parse_items(parser, ']', out);
    }
    const bool round = take(parser, '(');
    if (round && !starts_list(parser)) {
        return parse_items(parser, ')', out);
    }
    if (!round && take_word(parser, "range") && take(parser, '(')) {
        return parse_range(parser, out);
    }
    if (round || ((take_word(parser, "list") || take_word(parser, "tuple")) && take(parser, '('))) {
        return parse_sum(parser, out) && (take(parser, ')') || fail(parser, parser->at, "`)` or `+` is missing here"));
    }
    return fail(parser, parser->at,
                "this form is not understood (a list, range(), list(range()), [2**k for k in range(4)], or a sum of "
                "them)");
}

static bool parse_sum(struct parser *parser, struct values *out)
{
    if (parser->depth >= MAX_DEPTH) {
        return fail(parser, parser->at, "nested too deeply (at most 16 brackets)");
    }
    parser->depth++;
    bool done = parse_term(parser, out);
    while (done && take(parser, '+')) {
        done = parse_term(parser, out);
    }
    parser->depth--;
    return done;
}

/** Make a value one of the declared type where nothing is lost. */
static bool convert(struct ridge_value *value, ridge_type type)
{
    const bool whole = value->type == RIDGE_INT;
    if (value->type == type) {
        return true;
    }
    if (type == RIDGE_FLOAT && whole && value->as.integer < (INT64_C(1) << 53) &&
        value->as.integer > -(INT64_C(1) << 53)) {
        *value = (struct ridge_value){.type = RIDGE_FLOAT, .as.number = (double)value->as.integer};
        return true;
    }
    if (type == RIDGE_BOOL && whole && (value->as.integer == 0 || value->as.integer == 1)) {
        *value = (struct ridge_value){.type = RIDGE_BOOL, .as.truth = value->as.integer == 1};
        return true;
    }
    return false;
}

static bool finish(struct parser *parser, ridge_type type, const struct values *values, struct rg_dimension *dimension)
{
    static const char *const words[] = {
        [RIDGE_INT] = "an integer", [RIDGE_FLOAT] = "a float", [RIDGE_BOOL] = "a boolean", [RIDGE_TEXT] = "a text"};
    if (values->count == 0) {
        return fail(parser, 0, "there are none (write [1, 2, 4])");
    }
    dimension->values = rg_arena_array(parser->reader->arena, values->count, sizeof *dimension->values);
    if (!dimension->values) {
        return fail_memory(parser, values->count * sizeof *dimension->values);
    }
    dimension->count = values->count;
    dimension->type = type;
    for (size_t i = 0; i < values->count; i++) {
        struct ridge_value *value = &dimension->values[i];
        *value = values->items[i];
        char text[96];
        char problem[192];
        if (!convert(value, type)) {
            ridge_value_format(value, text, sizeof text);
            snprintf(problem, sizeof problem, "%s is not %s, as Type says (correct one of them)", text, words[type]);
            return fail(parser, 0, problem);
        }
        if (type == RIDGE_TEXT && rg_has_control_character(value->as.text)) {
            return fail(parser, 0, "one holds a control character (such as a line end; leave it out)");
        }
    }
    size_t repeated = SIZE_MAX;
    parser->status = rg_spec_find_repeated(parser->reader, dimension, &repeated);
    return parser->status == RIDGE_OK &&
           (repeated == SIZE_MAX || fail(parser, 0, "one stands twice (each value may stand once)"));
}

ridge_status rg_t1_read_values(struct rg_spec_reader *reader, const struct rg_toml *node, ridge_type type,
                               struct rg_dimension *dimension)
{
    struct parser parser = {
        .reader = reader, .node = node, .name = dimension->name, .place = rg_toml_text_place(node), .text = node->text};
    struct values values = {0};
    bool done = parse_sum(&parser, &values);
    skip_space(&parser);
    if (done && parser.text[parser.at] != '\0') {
        done = fail(&parser, parser.at, "this is not understood (only sums of lists can stand here)");
    }
    if (done) {
        finish(&parser, type, &values, dimension);
    }
    values_fini(&parser, &values);
    return parser.status;
}
