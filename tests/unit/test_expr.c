/* SPDX-License-Identifier: MIT */
/** \file expr: the language, messages with their places, faults, field cases, memory running out. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "expr/expr.h"
#include "ridge/context.h"

enum {
    SHOWN_BYTES = 256
};

static const struct ridge_value problem = {.type = RIDGE_INT, .as.integer = 4096};
static const struct rg_symbol symbols[] = {
    {.name = "s", .slot = 0, .type = RIDGE_INT},      {.name = "d", .slot = 1, .type = RIDGE_INT},
    {.name = "f", .slot = 2, .type = RIDGE_FLOAT},    {.name = "p", .slot = 3, .type = RIDGE_BOOL},
    {.name = "T", .slot = 4, .type = RIDGE_TEXT},     {.name = "z", .slot = 5, .type = RIDGE_INT},
    {.name = "tile_x", .slot = 6, .type = RIDGE_INT}, {.name = "problem", .constant = &problem},
};
enum {
    SYMBOLS = sizeof symbols / sizeof symbols[0]
};
static const struct ridge_value values[] = {
    {.type = RIDGE_INT, .as.integer = 20},   {.type = RIDGE_INT, .as.integer = -7},
    {.type = RIDGE_FLOAT, .as.number = 2.5}, {.type = RIDGE_BOOL, .as.truth = true},
    {.type = RIDGE_TEXT, .as.text = "half"}, {.type = RIDGE_INT, .as.integer = 0},
    {.type = RIDGE_INT, .as.integer = 4},
};

struct session {
    struct ridge_context *context;
    struct rg_arena arena;
    struct ridge_error error;
};

static struct session session_begin(void)
{
    struct session session = {.context = test_context()};
    rg_arena_init(&session.arena, session.context);
    return session;
}

static void session_end(struct session *session)
{
    rg_arena_fini(&session->arena);
    ridge_context_destroy(session->context);
}

static const char *const fault_names[] = {"none", "overflow", "zero division", "text", "domain"};

/** Evaluate over the symbols above; what comes out as text: "int 5", "fault overflow", "RIDGE_E_SYNTAX". */
static void evaluate(const char *text, rg_dialect dialect, char out[SHOWN_BYTES])
{
    struct session session = session_begin();
    const struct rg_expr_source source = {.text = text, .dialect = dialect};
    struct rg_expr *expr = NULL;
    const ridge_status status = rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error);
    struct ridge_value value;
    struct rg_fault fault;
    if (status != RIDGE_OK) {
        snprintf(out, SHOWN_BYTES, "%s", ridge_status_name(status));
    } else if (!rg_expr_eval(expr, values, &value, &fault)) {
        snprintf(out, SHOWN_BYTES, "fault %s", fault_names[fault.code]);
    } else {
        static const char *const types[] = {"int", "float", "bool", "text"};
        char shown[SHOWN_BYTES - 8];
        ridge_value_format(&value, shown, sizeof shown);
        snprintf(out, SHOWN_BYTES, "%s %s", types[value.type], shown);
    }
    session_end(&session);
}

/** An expression and its value; `python` NULL: the same in both dialects. */
struct row {
    const char *text;
    const char *exact;
    const char *python;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char got[SHOWN_BYTES];
        evaluate(rows[i].text, RG_DIALECT_EXACT, got);
        if (strcmp(got, rows[i].exact) != 0) {
            fail_msg("EXACT `%s`: %s, not %s", rows[i].text, got, rows[i].exact);
        }
        const char *python = rows[i].python ? rows[i].python : rows[i].exact;
        evaluate(rows[i].text, RG_DIALECT_PYTHON, got);
        if (strcmp(got, python) != 0) {
            fail_msg("PYTHON `%s`: %s, not %s", rows[i].text, got, python);
        }
    }
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof rows / sizeof rows[0])

static void test_arithmetic(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"s + 2 * d", "int 6", NULL},
        {"s / d", "int -2", "float -2.857142857142857"},
        {"s // d", "int -3", NULL},
        {"s % d", "int 6", "int -1"},
        {"-s % 7", "int -6", "int 1"},
        {"f % -2", "float 0.5", "float -1.5"},
        {"f // -2", "float -2.0", NULL},
        {"2 ** 3 ** 2", "int 512", NULL},
        {"-2 ** 2", "int -4", NULL},
        {"2 ** -1", "fault domain", "float 0.5"},
        {"s ** -1", "fault domain", "float 0.05"},
        {"2.0 ** -1", "float 0.5", NULL},
        {"s ** 2", "int 400", NULL},
        {"p + p", "int 2", NULL},
        {"-p", "int -1", NULL},
        {"s + f", "float 22.5", NULL},
        {"0x1F + .5 + 1e3 + 1.", "float 1032.5", NULL},
        {"(2.5)", "float 2.5", NULL},
        {"4 / 2", "int 2", "float 2.0"},
        {"9007199254740993 / 1", "int 9007199254740993", "float 9007199254740992.0"},
        {"9223372036854775807 / 9223372036854775806", "int 1", "float 1.0"},
    };
    CHECK_ROWS(rows);
}

static void test_comparisons(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"16 <= s <= 64", "bool true", NULL},
        {"16 <= s < 20", "bool false", NULL},
        {"1 < s > d < 0 != 5", "bool true", NULL},
        {"3 > 2 == 1", "bool false", NULL},
        {"9007199254740993 == 9007199254740992.0", "bool false", NULL},
        {"9007199254740993 > 9007199254740992.0", "bool true", NULL},
        {"9223372036854775807 < 9223372036854775808.0", "bool true", NULL},
        {"p == 1", "bool true", NULL},
        {"2 == 2.0", "bool true", NULL},
        {"T == 'half'", "bool true", NULL},
        {"T != \"ha\\\"lf\"", "bool true", NULL},
        {"T == 3", "bool false", NULL},
        {"T < 'int' <= 'int'", "bool true", NULL},
        {"s in [1, 20]", "bool true", NULL},
        {"s not in (1, 20,)", "bool false", NULL},
        {"s in []", "bool false", NULL},
        {"s in (d, s + 0, p)", "bool true", NULL},
        {"T in ['float', 'half', 3]", "bool true", NULL},
        {"1 < s in [20]", "bool true", NULL},
        {"30 < s in [20]", "bool false", NULL},
        {"s in [1 // z]", "fault zero division", NULL},
    };
    CHECK_ROWS(rows);
}

static void test_logic(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"not s == d", "bool true", NULL},
        {"!s == z", "bool true", NULL},
        {"!p || !z && True", "bool true", NULL},
        {"s and d", "bool true", "int -7"},
        {"z and 1 // z", "bool false", "int 0"},
        {"s or 1 // z", "bool true", "int 20"},
        {"z != 0 and 20 % z == 0", "bool false", NULL},
        {"z == 0 || 20 % z == 0", "bool true", NULL},
        {"z or f", "bool true", "float 2.5"},
        {"true and 5", "bool true", "int 5"},
        {"0 or 0.0", "bool false", "float 0.0"},
        {"False and s // z", "bool false", NULL},
        {"1 if s > 5 else 1 // z", "int 1", NULL},
        {"1 if z else 2 if d else 3", "int 2", NULL},
        {"1 if p else 2 or 3", "int 1", NULL},
        {"1 < d < 1 // z", "bool false", NULL},
        {"(1 if p else T) + 1", "int 2", NULL},
        {"(1 if z else T) + 1", "fault text", NULL},
        {"(1 if z else T) < 1", "fault text", NULL},
        {"T if p else 3", "text half", NULL},
    };
    CHECK_ROWS(rows);
}

static void test_functions(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"min(s, d, 3)", "int -7", NULL},
        {"max(1, 2.5, s)", "int 20", NULL},
        {"max(1, 2.5)", "float 2.5", NULL},
        {"abs(d) + abs(-0.5)", "float 7.5", NULL},
        {"ceil(f) + floor(-f)", "int 0", NULL},
        {"round(f)", "int 3", "int 2"},
        {"round(-0.5)", "int -1", "int 0"},
        {"round(3.5)", "int 4", NULL},
        {"log2(8)", "float 3.0", NULL},
        {"sqrt(16)", "float 4.0", NULL},
        {"pow(2, 10)", "int 1024", NULL},
        {"int(-2.9) + int(p)", "int -1", NULL},
        {"float(3)", "float 3.0", NULL},
        {"log2(z)", "fault domain", NULL},
        {"sqrt(d)", "fault domain", NULL},
        {"int(1e19)", "fault overflow", NULL},
        {"floor(-1e300)", "fault overflow", NULL},
        {"int(9.3e18)", "fault overflow", NULL},
        {"ceil(-9223372036854775808.0)", "int -9223372036854775808", NULL},
    };
    CHECK_ROWS(rows);
}

static void test_edges_of_integers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"9223372036854775807 + z", "int 9223372036854775807", NULL},
        {"9223372036854775807 + p", "fault overflow", NULL},
        {"-9223372036854775808 // (z - 1)", "fault overflow", NULL},
        {"-9223372036854775808 / (z - 1)", "fault overflow", "float 9.223372036854776e+18"},
        {"-9223372036854775808 % (z - 1)", "int 0", NULL},
        {"-(-9223372036854775808 + z)", "fault overflow", NULL},
        {"abs(-9223372036854775808)", "fault overflow", NULL},
        {"-9223372036854775808 - p", "fault overflow", NULL},
        {"s ** 20", "fault overflow", NULL},
        {"(-2) ** 63", "int -9223372036854775808", NULL},
        {"1e308 * 10", "fault overflow", NULL},
        {"1 / z", "fault zero division", NULL},
        {"1.0 / z", "fault zero division", NULL},
        {"1.0 % z", "fault zero division", NULL},
        {"(-8) ** 0.5", "fault domain", NULL},
        {"0.0 ** -1", "fault zero division", NULL},
        {"9223372036854775808", "RIDGE_E_VALUE", NULL},
        {"-9223372036854775808 ** 1", "RIDGE_E_VALUE", NULL},
        {"0xFFFFFFFFFFFFFFFFFF", "RIDGE_E_VALUE", NULL},
        {"1e999", "RIDGE_E_VALUE", NULL},
    };
    CHECK_ROWS(rows);
}

/** Number of assignments of two dimensions that pass; faults are counted apart. */
static unsigned count_passing(const char *text, rg_dialect dialect, const struct rg_symbol *dims,
                              const struct ridge_value *const *lists, const size_t *counts, unsigned *faults)
{
    struct session session = session_begin();
    const struct rg_expr_source source = {.text = text, .dialect = dialect};
    struct rg_expr *expr = NULL;
    assert_ok(rg_expr_compile(&session.arena, &source, dims, 3, &expr, &session.error), &session.error);
    unsigned passing = 0;
    *faults = 0;
    for (size_t i = 0; i < counts[0] * counts[1] * counts[2]; i++) {
        const struct ridge_value chosen[] = {lists[0][i % counts[0]], lists[1][i / counts[0] % counts[1]],
                                             lists[2][i / counts[0] / counts[1]]};
        bool truth = false;
        struct rg_fault fault;
        if (!rg_expr_test(expr, chosen, &truth, &fault)) {
            ++*faults;
        } else {
            passing += truth;
        }
    }
    session_end(&session);
    return passing;
}

/** Three dimensions of integers, each list ended by 0 unless it begins with it. */
static unsigned count_integers(const char *text, rg_dialect dialect, const char *const names[3],
                               const int64_t lists[3][8], const size_t counts[3], unsigned *faults)
{
    struct rg_symbol dims[3];
    struct ridge_value made[3][8];
    const struct ridge_value *pointers[3];
    for (unsigned i = 0; i < 3; i++) {
        dims[i] = (struct rg_symbol){.name = names[i], .slot = i, .type = RIDGE_INT};
        for (size_t k = 0; k < counts[i]; k++) {
            made[i][k] = (struct ridge_value){.type = RIDGE_INT, .as.integer = lists[i][k]};
        }
        pointers[i] = made[i];
    }
    return count_passing(text, dialect, dims, pointers, counts, faults);
}

/** BP-001, 003, 004, 006, 007, 010 (with a constant), 012 of cases/field-cases.md. */
static void test_field_cases(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        rg_dialect dialect;
        const char *names[3];
        int64_t lists[3][8];
        size_t counts[3];
        unsigned passing;
        unsigned faults;
    } rows[] = {
        {"(a * b <= 20)", RG_DIALECT_EXACT, {"a", "b", "x"}, {{2, 4, 8, 16}, {1, 3, 5}, {0}}, {4, 3, 1}, 8, 0},
        {"a * b <= 20", RG_DIALECT_EXACT, {"a", "b", "x"}, {{2, 4, 8, 16}, {1, 3, 5}, {0}}, {4, 3, 1}, 8, 0},
        {"((a) * (b)) <= (20)", RG_DIALECT_PYTHON, {"a", "b", "x"}, {{2, 4, 8, 16}, {1, 3, 5}, {0}}, {4, 3, 1}, 8, 0},
        {"24 <= u * v < 96", RG_DIALECT_EXACT, {"u", "v", "x"}, {{4, 8, 12, 16}, {2, 3, 6, 8}, {0}}, {4, 4, 1}, 10, 0},
        {"16 <= s <= 64", RG_DIALECT_PYTHON, {"s", "y", "x"}, {{8, 16, 64, 128}, {0}, {0}}, {4, 1, 1}, 2, 0},
        {"K % ((A * 3) / C) == 0", RG_DIALECT_PYTHON, {"K", "A", "C"}, {{24, 36}, {4, 6}, {4, 8}}, {2, 2, 2}, 6, 0},
        {"K % ((A * 3) / C) == 0", RG_DIALECT_EXACT, {"K", "A", "C"}, {{24, 36}, {4, 6}, {4, 8}}, {2, 2, 2}, 8, 0},
        {"20 % d == 0", RG_DIALECT_EXACT, {"d", "y", "x"}, {{0, 1, 2, 5, 10}, {0}, {0}}, {5, 1, 1}, 4, 1},
        {"20 % d == 0", RG_DIALECT_PYTHON, {"d", "y", "x"}, {{0, 1, 2, 5, 10}, {0}, {0}}, {5, 1, 1}, 4, 1},
        {"px*py*ch <= 15", RG_DIALECT_PYTHON, {"px", "py", "ch"}, {{2, 5}, {1, 4}, {1, 3}}, {2, 2, 2}, 5, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned faults = 0;
        const unsigned passing =
            count_integers(rows[i].text, rows[i].dialect, rows[i].names, rows[i].lists, rows[i].counts, &faults);
        if (passing != rows[i].passing || faults != rows[i].faults) {
            fail_msg("`%s`: %u pass, %u fault", rows[i].text, passing, faults);
        }
    }
}

/** BP-023: text values with commas, spaces and angle brackets. */
static void test_text_dimension(void **state)
{
    (void)state;
    static const struct rg_symbol dims[] = {{.name = "T", .slot = 0, .type = RIDGE_TEXT},
                                            {.name = "w", .slot = 1, .type = RIDGE_INT},
                                            {.name = "x", .slot = 2, .type = RIDGE_INT}};
    static const struct ridge_value types[] = {{.type = RIDGE_TEXT, .as.text = "vec<float, 2>"},
                                               {.type = RIDGE_TEXT, .as.text = "unsigned int"},
                                               {.type = RIDGE_TEXT, .as.text = "half"}};
    static const struct ridge_value widths[] = {{.type = RIDGE_INT, .as.integer = 1},
                                                {.type = RIDGE_INT, .as.integer = 2}};
    const struct ridge_value *const lists[] = {types, widths, widths};
    static const size_t counts[] = {3, 2, 1};
    unsigned faults = 0;
    assert_int_equal(count_passing("T != \"half\" or w == 2", RG_DIALECT_EXACT, dims, lists, counts, &faults), 5);
    assert_int_equal(count_passing("T in ['vec<float, 2>']", RG_DIALECT_PYTHON, dims, lists, counts, &faults), 2);
    assert_int_equal(faults, 0);
}

/** What a text is refused with: column and the message's beginning. */
static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ridge_status status;
        unsigned column;
        unsigned length;
        const char *message;
    } rows[] = {
        {"s = 3", RIDGE_E_SYNTAX, 3, 1, "`=` is not an operator here (did you mean `==`?)"},
        {"s & d", RIDGE_E_SYNTAX, 3, 1, "`&` is not an operator here (did you mean `&&`?)"},
        {"s | d", RIDGE_E_SYNTAX, 3, 1, "`|` is not an operator here (did you mean `||`?)"},
        {"s << 2", RIDGE_E_SYNTAX, 3, 2, "`<<` is not an operator here (multiply by a power of two)"},
        {"s ? 1 : 2", RIDGE_E_SYNTAX, 3, 1,
         "`?` is not an operator here (write `a if c else b`; C's `c ? a : b` is not supported)"},
        {"tile_y < 3", RIDGE_E_NAME, 1, 6, "unknown name `tile_y` (did you mean `tile_x`?)"},
        {"3 < prblem", RIDGE_E_NAME, 5, 6, "unknown name `prblem` (did you mean `problem`?)"},
        {"q % 4", RIDGE_E_NAME, 1, 1, "unknown name `q` (known: s, d, f, p, T, z, tile_x, problem)"},
        {"s < mim(1, 2)", RIDGE_E_NAME, 5, 3, "unknown function `mim` (did you mean `min`?)"},
        {"range(4)", RIDGE_E_NAME, 1, 5, "unknown function `range` (known: min max pow"},
        {"min(1)", RIDGE_E_SYNTAX, 1, 3, "`min` was given 1 argument (it takes at least 2)"},
        {"abs()", RIDGE_E_SYNTAX, 1, 3, "`abs` was given 0 arguments (it takes 1)"},
        {"round(f, 2)", RIDGE_E_SYNTAX, 1, 5, "`round` was given 2 arguments (it takes 1)"},
        {"", RIDGE_E_SYNTAX, 1, 0, "the expression is empty"},
        {"s <", RIDGE_E_SYNTAX, 4, 0, "the expression ends too early (a value is missing)"},
        {"s <= <= 3", RIDGE_E_SYNTAX, 6, 2, "unexpected `<=` (a value would be right)"},
        {"s d", RIDGE_E_SYNTAX, 3, 1, "unexpected `d` (an operator or the end would be right)"},
        {"(s + (d)", RIDGE_E_SYNTAX, 1, 1, "this `(` is never closed"},
        {"(s d)", RIDGE_E_SYNTAX, 4, 1, "unexpected `d` (an operator or `)` would be right)"},
        {"s)", RIDGE_E_SYNTAX, 2, 1, "unexpected `)` (an operator or the end would be right)"},
        {"s == not d", RIDGE_E_SYNTAX, 6, 3, "`not` needs brackets here (write `(not x)`)"},
        {"s not d", RIDGE_E_SYNTAX, 7, 1, "unexpected `d` (`in` behind this `not` would be right)"},
        {"s in 3", RIDGE_E_SYNTAX, 6, 1, "unexpected `3` (a list such as [1, 2, 4] would be right)"},
        {"s in (3)", RIDGE_E_SYNTAX, 6, 1, "`in` needs a list (write [a], or (a,) with a comma)"},
        {"s in [3] + 1", RIDGE_E_SYNTAX, 10, 1, "nothing can be done with a list but `in`"},
        {"[1]", RIDGE_E_SYNTAX, 1, 1, "a list can stand only behind `in`"},
        {"1 if s", RIDGE_E_SYNTAX, 7, 0, "the expression ends too early (`else` is missing)"},
        {"1024u", RIDGE_E_SYNTAX, 1, 5, "`1024u` is not a number"},
        {"0x", RIDGE_E_SYNTAX, 1, 2, "`0x` is not a number"},
        {"010", RIDGE_E_SYNTAX, 1, 3, "`010` begins with 0"},
        {"T == 'half", RIDGE_E_SYNTAX, 6, 1, "this text has no end (a ' is missing)"},
        {"T == 'a\\q'", RIDGE_E_SYNTAX, 8, 2, "this escape is not known"},
        {"s \xC3\x97 d", RIDGE_E_SYNTAX, 3, 2, "`\xC3\x97` does not belong in an expression"},
        {"s \xFF d", RIDGE_E_SYNTAX, 3, 1, "byte 0xFF does not belong in an expression"},
        {"T + 1", RIDGE_E_VALUE, 3, 1, "text in arithmetic (a number is needed)"},
        {"-'a'", RIDGE_E_VALUE, 1, 1, "text in arithmetic (a number is needed)"},
        {"min(1, T)", RIDGE_E_VALUE, 1, 3, "text in arithmetic (a number is needed)"},
        {"T <= 3", RIDGE_E_VALUE, 3, 2, "text has no order with a number (compare text with text)"},
        {"not T", RIDGE_E_VALUE, 5, 1, "text is neither true nor false (compare it with == or !=)"},
        {"T and s", RIDGE_E_VALUE, 1, 1, "text is neither true nor false (compare it with == or !=)"},
        {"s + 9223372036854775808", RIDGE_E_VALUE, 5, 19, "`9223372036854775808` is too large"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct session session = session_begin();
        const struct rg_expr_source source = {
            .text = rows[i].text, .place = {.file = "k.toml", .text = rows[i].text, .line = 1, .column = 1}};
        struct rg_expr *expr = NULL;
        const ridge_status status = rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error);
        if (status != rows[i].status || session.error.column != rows[i].column ||
            session.error.length != rows[i].length ||
            strncmp(session.error.message, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("`%s`: %s, column %u, length %u: %s", rows[i].text, ridge_status_name(status),
                     session.error.column, session.error.length, session.error.message);
        }
        assert_null(expr);
        session_end(&session);
    }
}

/** Compile a text of a file and give the message as people see it. */
static void refuse(const char *text, struct rg_place place, char out[1024])
{
    struct session session = session_begin();
    const struct rg_expr_source source = {.text = text, .place = place};
    struct rg_expr *expr = NULL;
    assert_int_not_equal(rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error), RIDGE_OK);
    ridge_error_format(&session.error, out, 1024);
    session_end(&session);
}

static void test_places(void **state)
{
    (void)state;
    char got[1024];
    refuse("problam % s",
           (struct rg_place){.file = "k.toml", .text = "\nexprs = [\"problam % s\"]\n", .line = 2, .column = 11}, got);
    assert_string_equal(got, "k.toml:2:11: unknown name `problam` (did you mean `problem`?)\n"
                             "  exprs = [\"problam % s\"]\n            ^~~~~~~");
    /* An escape takes two bytes of the file; the place is that of the opening quote. */
    refuse("T == \"a\" or x",
           (struct rg_place){.file = "k.toml", .text = "e = \"T == \\\"a\\\" or x\"", .line = 1, .column = 5}, got);
    assert_non_null(strstr(got, "k.toml:1:20: unknown name `x`"));
    /* \u escapes, as JSON writes them. */
    refuse("T == '\xC3\xA4' or x",
           (struct rg_place){.file = "t1.json", .text = "\"T == '\\u00e4' or x\"", .line = 1, .column = 2}, got);
    assert_non_null(strstr(got, "t1.json:1:19: unknown name `x`"));
    /* Several lines in triple quotes, with carriage returns that the reader took away. */
    refuse(
        "s < 3 and\n  x > 1",
        (struct rg_place){
            .file = "k.toml", .text = "a = 1\r\ne = \"\"\"\r\ns < 3 and\r\n  x > 1\"\"\"\r\n", .line = 2, .column = 5},
        got);
    assert_string_equal(
        got, "k.toml:4:3: unknown name `x` (known: s, d, f, p, T, z, tile_x, problem)\n    x > 1\"\"\"\n    ^");
    /* No text to walk along: counted from the place. */
    refuse("s <\n  x", (struct rg_place){.file = "k.toml", .line = 7, .column = 9}, got);
    assert_non_null(strstr(got, "k.toml:8:3: unknown name `x`"));
    refuse("s < x", (struct rg_place){.file = "k.toml", .line = 7, .column = 9}, got);
    assert_non_null(strstr(got, "k.toml:7:13: unknown name `x`"));
    /* No position in the file: the expression is quoted. */
    refuse("s <\n  x ", (struct rg_place){.file = "t1.json"}, got);
    assert_string_equal(got, "t1.json: unknown name `x` (known: s, d, f, p, T, z, tile_x, problem)\n    x \n    ^");
}

static void check_fault(const char *text, const char *wanted)
{
    struct session session = session_begin();
    const struct rg_expr_source source = {.text = text,
                                          .place = {.file = "k.toml", .text = text, .line = 1, .column = 1}};
    struct rg_expr *expr = NULL;
    assert_ok(rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error), &session.error);
    struct ridge_value value;
    struct rg_fault fault;
    assert_false(rg_expr_eval(expr, values, &value, &fault));
    assert_int_equal(rg_expr_fault_error(expr, "constraint", symbols, SYMBOLS, values, &fault, &session.error),
                     RIDGE_E_VALUE);
    char got[2048];
    ridge_error_format(&session.error, got, sizeof got);
    assert_string_equal(got, wanted);
    session_end(&session);
}

static void test_fault_messages(void **state)
{
    (void)state;
    check_fault("20 % z == 0", "k.toml:1:4: constraint `20 % z == 0`: division by zero (z = 0)\n  20 % z == 0\n     ^");
    check_fault(
        "p and s *9223372036854775807 > d",
        "k.toml:1:9: constraint `p and s *9223372036854775807 > d`: the result is too large (integers have 64 bits) "
        "(s = 20, d = -7, p = true)\n  p and s *9223372036854775807 > d\n          ^");
    check_fault("1 + log2(z - 1) * f", "k.toml:1:5: constraint `1 + log2(z - 1) * f`: not defined for this operand "
                                       "(f = 2.5, z = 0)\n  1 + log2(z - 1) * f\n      ^~~~");
    check_fault("(T if p else 1) -\n1", "k.toml:1:17: constraint `(T if p else 1) - 1`: text where a number is needed "
                                        "(p = true, T = half)\n  (T if p else 1) -\n                  ^");
    check_fault("1 // 0", "k.toml:1:3: constraint `1 // 0`: division by zero\n  1 // 0\n    ^~");
}

static void test_condition_of_text_faults(void **state)
{
    (void)state;
    struct session session = session_begin();
    const struct rg_expr_source source = {.text = "T if p else 1"};
    struct rg_expr *expr = NULL;
    assert_ok(rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error), &session.error);
    bool truth;
    struct rg_fault fault;
    assert_false(rg_expr_test(expr, values, &truth, &fault));
    assert_int_equal(fault.code, RG_FAULT_TEXT);
    session_end(&session);
}

static void test_slots_and_constants(void **state)
{
    (void)state;
    struct session session = session_begin();
    struct rg_expr_source source = {.text = "tile_x * s + s < problem and d == d"};
    struct rg_expr *expr = NULL;
    assert_ok(rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error), &session.error);
    size_t count = 0;
    const unsigned *slots = rg_expr_slots(expr, &count);
    assert_int_equal(count, 3);
    assert_int_equal(slots[0], 0);
    assert_int_equal(slots[1], 1);
    assert_int_equal(slots[2], 6);
    assert_string_equal(rg_expr_text(expr), source.text);
    assert_ptr_not_equal(rg_expr_text(expr), source.text);
    struct ridge_value value;
    assert_false(rg_expr_constant(expr, &value));
    static const char *const constants[] = {"problem // 2 == 2048", "problem == 4096 or s", "'a' in ['b', 'a']"};
    for (size_t i = 0; i < 3; i++) {
        source.text = constants[i];
        assert_ok(rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error), &session.error);
        assert_true(rg_expr_constant(expr, &value));
        assert_true(value.type == RIDGE_BOOL && value.as.truth);
        rg_expr_slots(expr, &count);
        assert_int_equal(count, 0);
    }
    source.text = "1 // 0";
    assert_ok(rg_expr_compile(&session.arena, &source, symbols, SYMBOLS, &expr, &session.error), &session.error);
    assert_false(rg_expr_constant(expr, &value));
    session_end(&session);
}

/** A text of `count` times `piece`, then `end`. */
static char *repeat(const char *piece, size_t count, const char *end)
{
    const size_t bytes = strlen(piece);
    char *text = malloc(count * bytes + strlen(end) + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * bytes, piece, bytes);
    }
    strcpy(text + count * bytes, end);
    return text;
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *piece;
        size_t count;
        const char *end;
        const char *wanted;
    } rows[] = {
        {"(", 100000, "", "RIDGE_E_LIMIT"},
        {"(", 500, "", "RIDGE_E_LIMIT"},
        {"-", 500, "1", "RIDGE_E_LIMIT"},
        {"2**", 500, "1", "RIDGE_E_LIMIT"},
        {"not ", 500, "1", "RIDGE_E_LIMIT"},
        {"1 if s else ", 500, "1", "RIDGE_E_LIMIT"},
        {"min(1,", 500, "1", "RIDGE_E_LIMIT"},
        {"s+", 2000, "1", "RIDGE_E_LIMIT"},
        {"-", 99, "1", "int -1"},
        {"2-", 900, "1", "int -1797"},
        {"s+", 900, "1", "int 18001"},
        {"s > 1 and ", 3000, "p", "bool true"},
        {" \r\n", 20000, "1", "int 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = repeat(rows[i].piece, rows[i].count, rows[i].end);
        char got[SHOWN_BYTES];
        evaluate(text, RG_DIALECT_EXACT, got);
        if (strcmp(got, rows[i].wanted) != 0) {
            fail_msg("%zu times `%s`: %s", rows[i].count, rows[i].piece, got);
        }
        free(text);
    }
}

/** The deepest stacks that the nesting limit allows fit the evaluator's: they keep an operand and a flag a level. */
static void test_deep_stack(void **state)
{
    (void)state;
    static const struct {
        const char *open;
        const char *close;
        size_t levels;
        const char *wanted;
    } rows[] = {
        {"s < 9 + 2 * (", ")", 99, "bool false"},
        {"(s + s * (1 < ", " < s))", 49, "int 20"},
        {"(s in [p, s * (s + 1 < ", ")])", 33, "bool false"},
        {"s + s * min(1, 3 - ", ")", 99, "int 40"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *open = repeat(rows[i].open, rows[i].levels, "2");
        char *text = repeat(rows[i].close, rows[i].levels, "");
        char *whole = malloc(strlen(open) + strlen(text) + 1);
        assert_non_null(whole);
        strcpy(whole, open);
        strcat(whole, text);
        char got[SHOWN_BYTES];
        evaluate(whole, RG_DIALECT_EXACT, got);
        if (strcmp(got, rows[i].wanted) != 0) {
            fail_msg("%zu times `%s`: %s", rows[i].levels, rows[i].open, got);
        }
        free(open);
        free(text);
        free(whole);
    }
}

static void test_value_format(void **state)
{
    (void)state;
    static const struct {
        struct ridge_value value;
        const char *text;
    } rows[] = {
        {{.type = RIDGE_INT, .as.integer = INT64_MIN}, "-9223372036854775808"},
        {{.type = RIDGE_FLOAT, .as.number = 0.3}, "0.3"},
        {{.type = RIDGE_FLOAT, .as.number = 2.0}, "2.0"},
        {{.type = RIDGE_FLOAT, .as.number = -0.0}, "-0.0"},
        {{.type = RIDGE_FLOAT, .as.number = 1e300}, "1e+300"},
        {{.type = RIDGE_FLOAT, .as.number = 1e6}, "1000000.0"},
        {{.type = RIDGE_BOOL, .as.truth = true}, "true"},
        {{.type = RIDGE_BOOL, .as.truth = false}, "false"},
        {{.type = RIDGE_TEXT, .as.text = "vec<float, 2>"}, "vec<float, 2>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        assert_int_equal(ridge_value_format(&rows[i].value, text, sizeof text), strlen(rows[i].text));
        assert_string_equal(text, rows[i].text);
        char small[4] = "###";
        assert_int_equal(ridge_value_format(&rows[i].value, small, 3), strlen(rows[i].text));
        assert_int_equal(strlen(small), strlen(rows[i].text) < 2 ? strlen(rows[i].text) : 2);
        assert_int_equal(ridge_value_format(&rows[i].value, NULL, 0), strlen(rows[i].text));
    }
}

/** An allocator that fails when its count of requests is used up, and counts what is held. */
struct failing {
    size_t left;
    size_t held_bytes;
};

static void *failing_resize(void *user, void *pointer, size_t old_bytes, size_t new_bytes)
{
    struct failing *failing = user;
    if (new_bytes > 0 && failing->left == 0) {
        return NULL;
    }
    failing->left -= new_bytes > 0;
    failing->held_bytes += new_bytes - old_bytes;
    if (new_bytes > 0) {
        return realloc(pointer, new_bytes);
    }
    free(pointer);
    return NULL;
}

/** Each request for memory fails in turn: the call says so, and nothing is lost. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    char *text = repeat("s in [1, 2.5, 'text', d] and f < 3 or ", 200, "T == 'half'");
    ridge_status status = RIDGE_E_MEMORY;
    size_t requests = 1;
    for (; status == RIDGE_E_MEMORY && requests < 200; requests++) {
        struct failing failing = {.left = requests};
        const struct ridge_context_options options = {.allocator = {failing_resize, &failing}};
        struct ridge_context *context = NULL;
        struct ridge_error error = {0};
        assert_ok(ridge_context_create(&options, &context, NULL), &error);
        struct rg_arena arena;
        rg_arena_init(&arena, context);
        const struct rg_expr_source source = {.text = text};
        struct rg_expr *expr = NULL;
        status = rg_expr_compile(&arena, &source, symbols, SYMBOLS, &expr, &error);
        assert_int_equal(error.status, status);
        assert_true((status == RIDGE_OK) == (expr != NULL));
        rg_arena_fini(&arena);
        ridge_context_destroy(context);
        assert_int_equal(failing.held_bytes, 0);
    }
    assert_int_equal(status, RIDGE_OK);
    assert_in_range(requests, 10, 190);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_logic),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_edges_of_integers),
        cmocka_unit_test(test_field_cases),
        cmocka_unit_test(test_text_dimension),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_fault_messages),
        cmocka_unit_test(test_condition_of_text_faults),
        cmocka_unit_test(test_slots_and_constants),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_deep_stack),
        cmocka_unit_test(test_value_format),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
