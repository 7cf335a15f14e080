/* SPDX-License-Identifier: MIT */
/** \file expr: the language in both dialects, field cases, limits. Messages: test_expr_errors.c. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "rg_test_expr.h"

enum {
    SHOWN_BYTES = 256
};

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
        cmocka_unit_test(test_slots_and_constants),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_deep_stack),
        cmocka_unit_test(test_value_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
