/* SPDX-License-Identifier: MIT */
/** \file expr: the integer evaluator equals the generic one on random expressions, values and faults alike. */
#include "rg_test.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "expr/expr_compile.h"

enum {
    EXPRESSIONS = 20000,
    VALUE_SETS = 6,
    VARIABLES = 5
};

static const struct rg_symbol symbols[VARIABLES] = {{.name = "a", .slot = 0, .type = RIDGE_INT},
                                                    {.name = "b", .slot = 1, .type = RIDGE_INT},
                                                    {.name = "c", .slot = 2, .type = RIDGE_INT},
                                                    {.name = "p", .slot = 3, .type = RIDGE_BOOL},
                                                    {.name = "q", .slot = 4, .type = RIDGE_BOOL}};

static const char *pick(struct rg_rng *rng, const char *const *from, size_t count)
{
    return from[rg_rng_below(rng, count)];
}

static void write_leaf(struct rg_rng *rng, struct rg_buffer *out)
{
    static const char *const leaves[] = {"a", "b", "c", "p", "q",  "a",    "b",   "c",
                                         "0", "1", "2", "3", "64", "0x40", "True"};
    if (rg_rng_below(rng, 12) == 0) {
        rg_buffer_printf(out, "%llu", (unsigned long long)(rg_rng_next(rng) >> (1 + rg_rng_below(rng, 62))));
        return;
    }
    rg_buffer_puts(out, pick(rng, leaves, sizeof leaves / sizeof leaves[0]));
}

static void write_expression(struct rg_rng *rng, struct rg_buffer *out, unsigned depth);

/** Operands with the same text between them, in brackets. */
static void write_joined(struct rg_rng *rng, struct rg_buffer *out, unsigned depth, const char *between, size_t count)
{
    rg_buffer_puts(out, "(");
    for (size_t i = 0; i < count; i++) {
        rg_buffer_puts(out, i ? between : "");
        write_expression(rng, out, depth);
    }
    rg_buffer_puts(out, ")");
}

static void write_member(struct rg_rng *rng, struct rg_buffer *out, unsigned depth)
{
    rg_buffer_puts(out, "(");
    write_joined(rng, out, depth, "", 1);
    rg_buffer_puts(out, rg_rng_below(rng, 2) ? " in (" : " not in (");
    for (uint64_t i = rg_rng_below(rng, 4); i > 0; i--) {
        rg_rng_below(rng, 2) ? write_leaf(rng, out) : write_expression(rng, out, depth);
        rg_buffer_puts(out, ", ");
    }
    rg_buffer_puts(out, "3, 4))");
}

static void write_expression(struct rg_rng *rng, struct rg_buffer *out, unsigned depth)
{
    static const char *const operators[] = {" + ", " - ",  " * ",  " / ",  " // ", " % ", " ** ",
                                            " < ", " == ", " >= ", " != ", " <= ", " > "};
    static const char *const logic[] = {" and ", " or ", " < ", " == "};
    static const char *const prefixes[] = {"-", "not ", "+", "!", "abs", "round", "int", "floor", "ceil"};
    static const char *const functions[] = {"min", "max"};
    if (depth == 0) {
        write_leaf(rng, out);
        return;
    }
    switch (rg_rng_below(rng, 9)) {
    case 0: write_joined(rng, out, depth - 1, pick(rng, logic, 4), 2 + rg_rng_below(rng, 3)); return;
    case 1:
        rg_buffer_puts(out, "(");
        rg_buffer_puts(out, pick(rng, prefixes, sizeof prefixes / sizeof prefixes[0]));
        write_joined(rng, out, depth - 1, "", 1);
        rg_buffer_puts(out, ")");
        return;
    case 2:
        rg_buffer_puts(out, pick(rng, functions, 2));
        write_joined(rng, out, depth - 1, ", ", 2 + rg_rng_below(rng, 2));
        return;
    case 3:
        write_joined(rng, out, depth - 1, " if ", 2);
        out->text[--out->length] = '\0'; /* the closing bracket: the else goes inside */
        rg_buffer_puts(out, " else ");
        write_expression(rng, out, depth - 1);
        rg_buffer_puts(out, ")");
        return;
    case 4: write_member(rng, out, depth - 1); return;
    case 5: write_leaf(rng, out); return;
    default: write_joined(rng, out, depth - 1, pick(rng, operators, sizeof operators / sizeof operators[0]), 2);
    }
}

static int64_t random_integer(struct rg_rng *rng)
{
    static const int64_t corners[] = {0, 1, -1, 2, 64, INT64_MIN, INT64_MAX, INT64_MIN + 1};
    switch (rg_rng_below(rng, 3)) {
    case 0: return corners[rg_rng_below(rng, sizeof corners / sizeof corners[0])];
    case 1: return (int64_t)rg_rng_below(rng, 41) - 20;
    default: return (int64_t)rg_rng_next(rng);
    }
}

static void compare(struct rg_rng *rng, const struct rg_expr *fast, const struct rg_expr *generic, unsigned *faults)
{
    const struct ridge_value values[VARIABLES] = {{.type = RIDGE_INT, .as.integer = random_integer(rng)},
                                                  {.type = RIDGE_INT, .as.integer = random_integer(rng)},
                                                  {.type = RIDGE_INT, .as.integer = random_integer(rng)},
                                                  {.type = RIDGE_BOOL, .as.truth = rg_rng_below(rng, 2)},
                                                  {.type = RIDGE_BOOL, .as.truth = rg_rng_below(rng, 2) == 0}};
    struct ridge_value a;
    struct ridge_value b;
    struct rg_fault fault_a;
    struct rg_fault fault_b;
    const bool done = rg_expr_eval(fast, values, &a, &fault_a);
    if (done != rg_expr_eval(generic, values, &b, &fault_b)) {
        fail_msg("only one evaluator faults: %s", rg_expr_text(fast));
    }
    *faults += !done;
    const bool same =
        done ? a.type == b.type && (a.type == RIDGE_BOOL ? a.as.truth == b.as.truth : a.as.integer == b.as.integer)
             : fault_a.code == fault_b.code && fault_a.offset == fault_b.offset && fault_a.length == fault_b.length;
    if (!same) {
        fail_msg("the evaluators differ: %s", rg_expr_text(fast));
    }
    bool truth = false;
    assert_int_equal(rg_expr_test(fast, values, &truth, &fault_a), done);
    assert_true(!done || truth == (a.type == RIDGE_BOOL ? a.as.truth : a.as.integer != 0));
}

static void test_integer_path_equals_generic(void **state)
{
    (void)state;
    const uint64_t seed = 20240607;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct rg_rng rng;
    rg_rng_init(&rng, seed);
    struct ridge_context *context = test_context();
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    unsigned integers = 0;
    unsigned faults = 0;
    for (unsigned i = 0; i < EXPRESSIONS; i++) {
        rg_buffer_clear(&text);
        write_expression(&rng, &text, 1 + (unsigned)rg_rng_below(&rng, 4));
        struct rg_arena arena;
        rg_arena_init(&arena, context);
        const struct rg_expr_source source = {.text = rg_buffer_text(&text), .dialect = RG_DIALECT_EXACT};
        struct rg_expr *fast = NULL;
        struct rg_expr *generic = NULL;
        struct ridge_error error = {0};
        assert_ok(rg_expr_compile(&arena, &source, symbols, VARIABLES, &fast, &error), &error);
        assert_ok(rg_expr_compile_for(&arena, &source, symbols, VARIABLES, false, &generic, &error), &error);
        assert_false(generic->integers);
        integers += fast->integers;
        for (unsigned k = 0; k < VALUE_SETS; k++) {
            compare(&rng, fast, generic, &faults);
        }
        rg_arena_fini(&arena);
    }
    /* The comparison means something: most run in the integer evaluator, and many fault but most do not. */
    assert_true(integers > EXPRESSIONS * 8 / 10);
    assert_in_range(faults, EXPRESSIONS * VALUE_SETS / 50, EXPRESSIONS * VALUE_SETS / 2);
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer_path_equals_generic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
