/* SPDX-License-Identifier: MIT */
#include "expr/expr_parser.h"

#include <string.h>

#include "expr/expr_arithmetic.h"
#include "expr/expr_lexer.h"
#include "expr/expr_place.h"
#include "ridge/units.h"

/** From loosest to tightest, as in Python. */
enum {
    LEVEL_IF = 1,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARISON,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
    LEVEL_POWER
};

struct parser {
    struct rg_lexer lexer; /* its token is the one to look at */
    unsigned nesting;
};

/** Infix operators: level, and the opcode in each dialect. */
static const struct infix {
    rg_token_kind token;
    unsigned level;
    unsigned op[2];
} infixes[] = {
    {RG_TOKEN_IF, LEVEL_IF, {0, 0}},
    {RG_TOKEN_OR, LEVEL_OR, {0, 0}},
    {RG_TOKEN_AND, LEVEL_AND, {0, 0}},
    {RG_TOKEN_EQUAL, LEVEL_COMPARISON, {RG_OP_EQUAL, RG_OP_EQUAL}},
    {RG_TOKEN_NOT_EQUAL, LEVEL_COMPARISON, {RG_OP_NOT_EQUAL, RG_OP_NOT_EQUAL}},
    {RG_TOKEN_LESS, LEVEL_COMPARISON, {RG_OP_LESS, RG_OP_LESS}},
    {RG_TOKEN_LESS_EQUAL, LEVEL_COMPARISON, {RG_OP_LESS_EQUAL, RG_OP_LESS_EQUAL}},
    {RG_TOKEN_GREATER, LEVEL_COMPARISON, {RG_OP_GREATER, RG_OP_GREATER}},
    {RG_TOKEN_GREATER_EQUAL, LEVEL_COMPARISON, {RG_OP_GREATER_EQUAL, RG_OP_GREATER_EQUAL}},
    {RG_TOKEN_IN, LEVEL_COMPARISON, {RG_OP_MEMBER, RG_OP_MEMBER}},
    {RG_TOKEN_NOT, LEVEL_COMPARISON, {RG_OP_MEMBER, RG_OP_MEMBER}},
    {RG_TOKEN_PLUS, LEVEL_SUM, {RG_OP_ADD, RG_OP_ADD}},
    {RG_TOKEN_MINUS, LEVEL_SUM, {RG_OP_SUBTRACT, RG_OP_SUBTRACT}},
    {RG_TOKEN_MULTIPLY, LEVEL_PRODUCT, {RG_OP_MULTIPLY, RG_OP_MULTIPLY}},
    {RG_TOKEN_DIVIDE, LEVEL_PRODUCT, {RG_OP_DIVIDE, RG_OP_TRUE_DIVIDE}},
    {RG_TOKEN_FLOOR_DIVIDE, LEVEL_PRODUCT, {RG_OP_FLOOR_DIVIDE, RG_OP_FLOOR_DIVIDE}},
    {RG_TOKEN_PERCENT, LEVEL_PRODUCT, {RG_OP_REMAINDER, RG_OP_MODULO}},
    {RG_TOKEN_POWER, LEVEL_POWER, {RG_OP_POWER, RG_OP_PYTHON_POWER}},
};

/** Functions: how many arguments (at most 2 means exactly that many), and the opcode in each dialect. */
static const struct function {
    const char *name;
    unsigned least;
    unsigned most;
    unsigned op[2];
} functions[] = {
    {"min", 2, UINT32_MAX, {RG_OP_MIN, RG_OP_MIN}},
    {"max", 2, UINT32_MAX, {RG_OP_MAX, RG_OP_MAX}},
    {"pow", 2, 2, {RG_OP_POWER, RG_OP_PYTHON_POWER}},
    {"ceil_div", 2, 2, {RG_OP_CEIL_DIVIDE, RG_OP_CEIL_DIVIDE}},
    {"pad", 2, 2, {RG_OP_PAD, RG_OP_PAD}},
    {"bank_conflict_degree", 2, 2, {RG_OP_BANK_CONFLICTS, RG_OP_BANK_CONFLICTS}},
    {"lines_per_warp", 2, 2, {RG_OP_WARP_LINES, RG_OP_WARP_LINES}},
    {"abs", 1, 1, {RG_OP_ABSOLUTE, RG_OP_ABSOLUTE}},
    {"ceil", 1, 1, {RG_OP_CEIL, RG_OP_CEIL}},
    {"floor", 1, 1, {RG_OP_FLOOR, RG_OP_FLOOR}},
    {"round", 1, 1, {RG_OP_ROUND_AWAY, RG_OP_ROUND_EVEN}},
    {"int", 1, 1, {RG_OP_TO_INT, RG_OP_TO_INT}},
    {"float", 1, 1, {RG_OP_TO_FLOAT, RG_OP_TO_FLOAT}},
    {"log2", 1, 1, {RG_OP_LOG2, RG_OP_LOG2}},
    {"sqrt", 1, 1, {RG_OP_SQRT, RG_OP_SQRT}},
};

enum {
    FUNCTION_COUNT = sizeof functions / sizeof functions[0]
};

static struct rg_node *parse_level(struct parser *parser, unsigned least_level);

static const struct rg_token *look(const struct parser *parser)
{
    return &parser->lexer.token;
}

__attribute__((format(printf, 4, 5))) static struct rg_node *fail_at(struct parser *parser, struct rg_span span,
                                                                     ridge_status status, const char *format, ...)
{
    struct rg_lexer *lexer = &parser->lexer;
    va_list arguments;
    va_start(arguments, format);
    lexer->status = rg_expr_error_list(lexer->source, span, lexer->error, status, format, arguments);
    va_end(arguments);
    return NULL;
}

static struct rg_span span_of(const struct rg_token *token)
{
    return (struct rg_span){token->offset, token->length};
}

static const char *text_at(const struct parser *parser, struct rg_span span)
{
    return parser->lexer.source->text + span.offset;
}

/** Report a token that cannot stand where it does. */
static struct rg_node *fail_unexpected(struct parser *parser, const char *wanted)
{
    const struct rg_span span = span_of(look(parser));
    if (look(parser)->kind == RG_TOKEN_END) {
        return fail_at(parser, span, RIDGE_E_SYNTAX, "the expression ends too early (%s is missing)", wanted);
    }
    const int shown = span.length < 60 ? (int)span.length : 60;
    return fail_at(parser, span, RIDGE_E_SYNTAX, "unexpected `%.*s` (%s would be right)", shown, text_at(parser, span),
                   wanted);
}

static struct rg_node *node_new(struct parser *parser, rg_node_kind kind, unsigned op, struct rg_span span)
{
    struct rg_node *node = rg_arena_alloc(parser->lexer.arena, sizeof *node);
    if (!node) {
        parser->lexer.status = rg_error_memory(parser->lexer.error, sizeof *node);
        return NULL;
    }
    node->kind = kind;
    node->op = op;
    node->span = span;
    node->height = 1;
    return node;
}

/** Append an operand; NULL operands pass the failure on. */
static struct rg_node *node_append(struct parser *parser, struct rg_node *node, struct rg_node *operand)
{
    if (!node || !operand) {
        return NULL;
    }
    if (node->last) {
        node->last->next = operand;
    } else {
        node->first = operand;
    }
    node->last = operand;
    node->height = operand->height >= node->height ? operand->height + 1 : node->height;
    if (node->height > RG_EXPR_MAX_HEIGHT) {
        return fail_at(parser, node->span, RIDGE_E_LIMIT, "too many operators in a row (at most %d; use brackets)",
                       RG_EXPR_MAX_HEIGHT);
    }
    return node;
}

static struct rg_node *node_binary(struct parser *parser, unsigned op, struct rg_span span, struct rg_node *left,
                                   struct rg_node *right)
{
    struct rg_node *node = node_new(parser, RG_NODE_BINARY, op, span);
    return node_append(parser, node_append(parser, node, left), right);
}

/** Parse something one level further in. */
static struct rg_node *parse_inside(struct parser *parser, unsigned least_level)
{
    if (parser->nesting >= RG_EXPR_MAX_NESTING) {
        return fail_at(parser, span_of(look(parser)), RIDGE_E_LIMIT,
                       "the expression is nested too deeply (at most %d levels)", RG_EXPR_MAX_NESTING);
    }
    parser->nesting++;
    struct rg_node *node = parse_level(parser, least_level);
    parser->nesting--;
    return node;
}

/** Expect a closing bracket and step over it. */
static bool close_bracket(struct parser *parser, rg_token_kind close, struct rg_span open, const char *wanted)
{
    if (look(parser)->kind == close) {
        return rg_lexer_next(&parser->lexer);
    }
    if (look(parser)->kind == RG_TOKEN_END) {
        fail_at(parser, open, RIDGE_E_SYNTAX, "this `%c` is never closed", *text_at(parser, open));
    } else {
        fail_unexpected(parser, wanted);
    }
    return false;
}

/** Parse values between commas up to a closing bracket. \return false on an error; *comma: one stood at the end. */
static bool parse_values(struct parser *parser, struct rg_node *into, rg_token_kind close, unsigned *count, bool *comma)
{
    *count = 0;
    *comma = false;
    while (look(parser)->kind != close) {
        if (!node_append(parser, into, parse_inside(parser, LEVEL_IF))) {
            return false;
        }
        ++*count;
        *comma = look(parser)->kind == RG_TOKEN_COMMA;
        if (!*comma) {
            break;
        }
        if (!rg_lexer_next(&parser->lexer)) {
            return false;
        }
    }
    return close_bracket(parser, close, into->span, "`,` or the closing bracket");
}

/** What stands behind `in`. */
static struct rg_node *parse_list(struct parser *parser)
{
    const struct rg_span open = span_of(look(parser));
    const bool round = look(parser)->kind == RG_TOKEN_PARENTHESIS_OPEN;
    if (!round && look(parser)->kind != RG_TOKEN_BRACKET_OPEN) {
        return fail_unexpected(parser, "a list such as [1, 2, 4]");
    }
    struct rg_node *list = node_new(parser, RG_NODE_LIST, 0, open);
    unsigned count;
    bool comma;
    if (!list || !rg_lexer_next(&parser->lexer) ||
        !parse_values(parser, list, round ? RG_TOKEN_PARENTHESIS_CLOSE : RG_TOKEN_BRACKET_CLOSE, &count, &comma)) {
        return NULL;
    }
    if (round && count == 1 && !comma) {
        return fail_at(parser, open, RIDGE_E_SYNTAX, "`in` needs a list (write [a], or (a,) with a comma)");
    }
    return list;
}

static const struct function *find_function(const char *name, size_t length)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}

static struct rg_node *fail_function(struct parser *parser, struct rg_span span)
{
    const char *names[FUNCTION_COUNT];
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        names[i] = functions[i].name;
    }
    const int shown = span.length < 60 ? (int)span.length : 60;
    const char *name = rg_arena_copy(parser->lexer.arena, text_at(parser, span), span.length);
    const char *near = name ? ridge_near_name(name, names, FUNCTION_COUNT) : NULL;
    if (near) {
        return fail_at(parser, span, RIDGE_E_NAME, "unknown function `%.*s` (did you mean `%s`?)", shown,
                       text_at(parser, span), near);
    }
    return fail_at(
        parser, span, RIDGE_E_NAME,
        "unknown function `%.*s` (known: min max pow ceil_div pad bank_conflict_degree lines_per_warp abs ceil "
        "floor round int float log2 sqrt)",
        shown, text_at(parser, span));
}

/** f(a, b, c) of a binary operator is f(f(a, b), c). */
static struct rg_node *build_call(struct parser *parser, const struct function *function, struct rg_span span,
                                  struct rg_node *values)
{
    const unsigned op = function->op[parser->lexer.source->dialect];
    struct rg_node *result = values->first;
    struct rg_node *next = result->next;
    result->next = NULL;
    if (function->most == 1) {
        return node_append(parser, node_new(parser, RG_NODE_UNARY, op, span), result);
    }
    while (result && next) {
        struct rg_node *right = next;
        next = right->next;
        right->next = NULL;
        result = node_binary(parser, op, span, result, right);
    }
    return result;
}

/** The name was read; its opening bracket is the token. */
static struct rg_node *parse_call(struct parser *parser, struct rg_span name)
{
    const struct function *function = find_function(text_at(parser, name), name.length);
    if (!function) {
        return fail_function(parser, name);
    }
    struct rg_node *values = node_new(parser, RG_NODE_LIST, 0, span_of(look(parser)));
    unsigned count;
    bool comma;
    if (!values || !rg_lexer_next(&parser->lexer) ||
        !parse_values(parser, values, RG_TOKEN_PARENTHESIS_CLOSE, &count, &comma)) {
        return NULL;
    }
    if (count < function->least || count > function->most) {
        return fail_at(parser, name, RIDGE_E_SYNTAX, "`%s` was given %u argument%s (it takes %s%u)", function->name,
                       count, count == 1 ? "" : "s", function->most > 2 ? "at least " : "", function->least);
    }
    return build_call(parser, function, name, values);
}

static struct rg_node *parse_name(struct parser *parser)
{
    const struct rg_span span = span_of(look(parser));
    if (!rg_lexer_next(&parser->lexer)) {
        return NULL;
    }
    if (look(parser)->kind == RG_TOKEN_PARENTHESIS_OPEN) {
        return parse_call(parser, span);
    }
    return node_new(parser, RG_NODE_NAME, 0, span);
}

static struct rg_node *parse_literal(struct parser *parser, struct ridge_value value, struct rg_span span)
{
    struct rg_node *node = node_new(parser, RG_NODE_CONSTANT, 0, span);
    if (!node || !rg_lexer_next(&parser->lexer)) {
        return NULL;
    }
    node->value = value;
    return node;
}

/** 2^63: right only behind a minus, and not as the base of a power, which binds tighter than the minus. */
static struct rg_node *fail_minimum(struct parser *parser, struct rg_span span)
{
    return fail_at(parser, span, RIDGE_E_VALUE, "`%.*s` is too large (at most %lld)", (int)span.length,
                   text_at(parser, span), (long long)INT64_MAX);
}

static struct rg_node *parse_prefix_operator(struct parser *parser)
{
    const rg_token_kind kind = look(parser)->kind;
    const struct rg_span span = span_of(look(parser));
    if (!rg_lexer_next(&parser->lexer)) {
        return NULL;
    }
    if (kind == RG_TOKEN_MINUS && look(parser)->kind == RG_TOKEN_MINIMUM) {
        const struct rg_span digits = span_of(look(parser));
        struct rg_node *node = parse_literal(parser, rg_value_integer(INT64_MIN), digits);
        return node && look(parser)->kind == RG_TOKEN_POWER ? fail_minimum(parser, digits) : node;
    }
    const bool negation = kind == RG_TOKEN_NOT || kind == RG_TOKEN_EXCLAMATION;
    const unsigned op = negation ? RG_OP_NOT : (kind == RG_TOKEN_MINUS ? RG_OP_NEGATE : RG_OP_PLUS);
    struct rg_node *operand = parse_inside(parser, kind == RG_TOKEN_NOT ? LEVEL_NOT : LEVEL_UNARY);
    return operand ? node_append(parser, node_new(parser, RG_NODE_UNARY, op, span), operand) : NULL;
}

static struct rg_node *parse_brackets(struct parser *parser)
{
    const struct rg_span open = span_of(look(parser));
    if (!rg_lexer_next(&parser->lexer)) {
        return NULL;
    }
    struct rg_node *node = parse_inside(parser, LEVEL_IF);
    return node && close_bracket(parser, RG_TOKEN_PARENTHESIS_CLOSE, open, "an operator or `)`") ? node : NULL;
}

static struct rg_node *parse_operand(struct parser *parser, unsigned least_level)
{
    const struct rg_token *token = look(parser);
    const rg_token_kind kind = token->kind;
    if (kind == RG_TOKEN_VALUE) {
        return parse_literal(parser, token->value, span_of(token));
    }
    if (kind == RG_TOKEN_NAME) {
        return parse_name(parser);
    }
    if (kind == RG_TOKEN_PARENTHESIS_OPEN) {
        return parse_brackets(parser);
    }
    if (kind == RG_TOKEN_NOT && least_level > LEVEL_NOT) {
        return fail_at(parser, span_of(token), RIDGE_E_SYNTAX, "`not` needs brackets here (write `(not x)`)");
    }
    if (kind == RG_TOKEN_MINIMUM) {
        return fail_minimum(parser, span_of(token));
    }
    if (kind == RG_TOKEN_BRACKET_OPEN) {
        return fail_at(parser, span_of(token), RIDGE_E_SYNTAX, "a list can stand only behind `in`");
    }
    const bool prefix =
        kind == RG_TOKEN_NOT || kind == RG_TOKEN_EXCLAMATION || kind == RG_TOKEN_MINUS || kind == RG_TOKEN_PLUS;
    return prefix ? parse_prefix_operator(parser) : fail_unexpected(parser, "a value");
}

static const struct infix *find_infix(rg_token_kind kind)
{
    for (size_t i = 0; i < sizeof infixes / sizeof infixes[0]; i++) {
        if (infixes[i].token == kind) {
            return &infixes[i];
        }
    }
    return NULL;
}

/** The token is `if`: value `if` condition `else` other. */
static struct rg_node *parse_if(struct parser *parser, struct rg_node *value)
{
    struct rg_node *node = node_new(parser, RG_NODE_IF, 0, span_of(look(parser)));
    if (!node || !rg_lexer_next(&parser->lexer) || !node_append(parser, node, parse_level(parser, LEVEL_OR)) ||
        !node_append(parser, node, value)) {
        return NULL;
    }
    if (look(parser)->kind != RG_TOKEN_ELSE) {
        return fail_unexpected(parser, "`else`");
    }
    return rg_lexer_next(&parser->lexer) ? node_append(parser, node, parse_inside(parser, LEVEL_IF)) : NULL;
}

/** The token is `and` or `or`: all of the same kind in one node. */
static struct rg_node *parse_logic(struct parser *parser, struct rg_node *left, const struct infix *infix)
{
    const rg_node_kind kind = infix->token == RG_TOKEN_AND ? RG_NODE_AND : RG_NODE_OR;
    struct rg_node *node = node_append(parser, node_new(parser, kind, 0, span_of(look(parser))), left);
    while (node && look(parser)->kind == infix->token) {
        node = rg_lexer_next(&parser->lexer) ? node_append(parser, node, parse_level(parser, infix->level + 1)) : NULL;
    }
    return node;
}

/** Read a comparison operator, `in` and `not in` too. */
static bool read_link(struct parser *parser, const struct infix *infix, struct rg_link *link)
{
    *link = (struct rg_link){.op = infix->op[0], .span = span_of(look(parser))};
    link->negated = infix->token == RG_TOKEN_NOT;
    if (!rg_lexer_next(&parser->lexer)) {
        return false;
    }
    if (!link->negated) {
        return true;
    }
    if (look(parser)->kind != RG_TOKEN_IN) {
        fail_unexpected(parser, "`in` behind this `not`");
        return false;
    }
    link->span.length = look(parser)->offset + look(parser)->length - link->span.offset;
    return rg_lexer_next(&parser->lexer);
}

/** The token is a comparison: the whole chain in one node. */
static struct rg_node *parse_chain(struct parser *parser, struct rg_node *left, const struct infix *infix)
{
    struct rg_node *node = node_append(parser, node_new(parser, RG_NODE_CHAIN, 0, span_of(look(parser))), left);
    while (node && infix && infix->level == LEVEL_COMPARISON) {
        struct rg_link link;
        if (!read_link(parser, infix, &link)) {
            return NULL;
        }
        const bool member = link.op == RG_OP_MEMBER;
        struct rg_node *right = member ? parse_list(parser) : parse_level(parser, LEVEL_SUM);
        node = node_append(parser, node, right);
        infix = find_infix(look(parser)->kind);
        if (node && member && infix && infix->level >= LEVEL_COMPARISON) {
            return fail_at(parser, span_of(look(parser)), RIDGE_E_SYNTAX,
                           "nothing can be done with a list but `in` (put the part before it in brackets)");
        }
        if (right) {
            right->link = link;
        }
    }
    return node;
}

static struct rg_node *parse_infix(struct parser *parser, struct rg_node *left, const struct infix *infix)
{
    if (infix->level == LEVEL_IF) {
        return parse_if(parser, left);
    }
    if (infix->level <= LEVEL_AND) {
        return parse_logic(parser, left, infix);
    }
    if (infix->level == LEVEL_COMPARISON) {
        return parse_chain(parser, left, infix);
    }
    const struct rg_span span = span_of(look(parser));
    if (!rg_lexer_next(&parser->lexer)) {
        return NULL;
    }
    const unsigned op = infix->op[parser->lexer.source->dialect];
    struct rg_node *right =
        infix->level == LEVEL_POWER ? parse_inside(parser, LEVEL_UNARY) : parse_level(parser, infix->level + 1);
    return node_binary(parser, op, span, left, right);
}

/** Parse an operand and all operators behind it that bind at least as tightly as `least_level`. */
static struct rg_node *parse_level(struct parser *parser, unsigned least_level)
{
    struct rg_node *node = parse_operand(parser, least_level);
    while (node) {
        const struct infix *infix = find_infix(look(parser)->kind);
        if (!infix || infix->level < least_level) {
            break;
        }
        node = parse_infix(parser, node, infix);
    }
    return node;
}

static struct rg_node *parse_whole(struct parser *parser)
{
    if (!rg_lexer_next(&parser->lexer)) {
        return NULL;
    }
    if (look(parser)->kind == RG_TOKEN_END) {
        return fail_at(parser, span_of(look(parser)), RIDGE_E_SYNTAX, "the expression is empty");
    }
    struct rg_node *node = parse_level(parser, LEVEL_IF);
    return node && look(parser)->kind != RG_TOKEN_END ? fail_unexpected(parser, "an operator or the end") : node;
}

struct rg_node *rg_expr_parse(struct rg_arena *arena, const struct rg_expr_source *source, ridge_status *status,
                              struct ridge_error *error)
{
    struct parser parser = {.lexer = {.arena = arena, .source = source, .error = error}};
    if (strlen(source->text) > RG_EXPR_MAX_BYTES) {
        *status = rg_expr_error(source, (struct rg_span){0, 1}, error, RIDGE_E_LIMIT,
                                "the expression is too long (at most %d bytes)", RG_EXPR_MAX_BYTES);
        return NULL;
    }
    struct rg_node *node = parse_whole(&parser);
    *status = parser.lexer.status;
    return node;
}
