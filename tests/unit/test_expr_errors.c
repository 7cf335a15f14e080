/* SPDX-License-Identifier: MIT */
/** \file expr: messages with their places, faults, memory running out. The language: test_expr.c. */
#include "rg_test.h"

#include <stdlib.h>

#include "failing_allocator.h"
#include "rg_test_expr.h"

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

/** Each request for memory fails in turn: the call says so, and nothing is lost. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    char *text = repeat("s in [1, 2.5, 'text', d] and f < 3 or ", 200, "T == 'half'");
    ridge_status status = RIDGE_E_MEMORY;
    size_t requests = 1;
    for (; status == RIDGE_E_MEMORY && requests < 200; requests++) {
        struct failing_allocator allocator = {.fail_at = requests};
        struct ridge_context *context = failing_context(&allocator);
        struct ridge_error error = {0};
        struct rg_arena arena;
        rg_arena_init(&arena, context);
        const struct rg_expr_source source = {.text = text};
        struct rg_expr *expr = NULL;
        status = rg_expr_compile(&arena, &source, symbols, SYMBOLS, &expr, &error);
        assert_int_equal(error.status, status);
        assert_true((status == RIDGE_OK) == (expr != NULL));
        rg_arena_fini(&arena);
        ridge_context_destroy(context);
        assert_int_equal(allocator.bytes, 0);
    }
    assert_int_equal(status, RIDGE_OK);
    assert_in_range(requests, 10, 190);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),        cmocka_unit_test(test_places),
        cmocka_unit_test(test_fault_messages),  cmocka_unit_test(test_condition_of_text_faults),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
