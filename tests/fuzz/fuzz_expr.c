/* SPDX-License-Identifier: MIT */
/**
 * \file Any text as an expression: it compiles or is refused with a place inside the text; both evaluators agree; each
 * fault has a place inside the text. The first byte picks the dialect and where the text stands.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr_compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    VARIABLES = 6
};

static const struct ridge_value nine = {.type = RIDGE_INT, .as.integer = 9};
static const struct rg_symbol symbols[] = {
    {.name = "a", .slot = 0, .type = RIDGE_INT},
    {.name = "b", .slot = 1, .type = RIDGE_INT},
    {.name = "f", .slot = 2, .type = RIDGE_FLOAT},
    {.name = "p", .slot = 3, .type = RIDGE_BOOL},
    {.name = "T", .slot = 4, .type = RIDGE_TEXT},
    {.name = "q", .slot = 5, .type = RIDGE_BOOL},
    {.name = "n", .constant = &nine},
};
enum {
    SYMBOLS = sizeof symbols / sizeof symbols[0]
};

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

static bool same_value(struct ridge_value a, struct ridge_value b)
{
    if (a.type != b.type) {
        return false;
    }
    switch (a.type) {
    case RIDGE_INT: return a.as.integer == b.as.integer;
    case RIDGE_FLOAT: return a.as.number == b.as.number && isfinite(a.as.number);
    case RIDGE_BOOL: return a.as.truth == b.as.truth;
    case RIDGE_TEXT: return strcmp(a.as.text, b.as.text) == 0;
    }
    return false;
}

static void evaluate(const struct rg_expr *fast, const struct rg_expr *generic, const struct ridge_value *values)
{
    struct ridge_value a;
    struct ridge_value b;
    struct rg_fault fault_a;
    struct rg_fault fault_b;
    const bool done = rg_expr_eval(fast, values, &a, &fault_a);
    require(done == rg_expr_eval(generic, values, &b, &fault_b), "both evaluators fault or neither");
    if (done) {
        require(same_value(a, b), "both evaluators give the same value");
        char text[64];
        ridge_value_format(&a, text, sizeof text);
    } else {
        require(fault_a.code == fault_b.code && fault_a.offset == fault_b.offset, "both fault alike");
        require(fault_a.offset + fault_a.length <= strlen(rg_expr_text(fast)), "the fault is inside the text");
        struct ridge_error error = {0};
        rg_expr_fault_error(fast, "constraint", symbols, SYMBOLS, values, &fault_a, &error);
        char text[4096];
        ridge_error_format(&error, text, sizeof text);
    }
    bool truth;
    require(rg_expr_test(fast, values, &truth, &fault_a) == done || a.type == RIDGE_TEXT, "test as eval");
    struct ridge_value constant;
    require(!rg_expr_constant(fast, &constant) || (done && same_value(a, constant)), "a constant is its value");
}

static void evaluate_all(const struct rg_expr *fast, const struct rg_expr *generic)
{
    static const int64_t integers[] = {0, 1, -1, 7, INT64_MIN, INT64_MAX};
    static const double numbers[] = {0.0, -2.5, 1e308, 9007199254740993.0, 0.5, -0.0};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        const struct ridge_value values[VARIABLES] = {
            {.type = RIDGE_INT, .as.integer = integers[i]},
            {.type = RIDGE_INT, .as.integer = integers[(i * 5 + 3) % 6]},
            {.type = RIDGE_FLOAT, .as.number = numbers[i]},
            {.type = RIDGE_BOOL, .as.truth = i % 2 == 0},
            {.type = RIDGE_TEXT, .as.text = i % 2 ? "half" : "vec<float, 2>"},
            {.type = RIDGE_BOOL, .as.truth = i > 2},
        };
        evaluate(fast, generic, values);
    }
}

static void compile_and_run(struct rg_arena *arena, const char *text, uint8_t choice)
{
    struct rg_expr_source source = {.text = text, .dialect = choice & 1U ? RG_DIALECT_PYTHON : RG_DIALECT_EXACT};
    if (choice & 2U) {
        source.place = (struct rg_place){.file = "kernel.toml", .text = text, .line = 1, .column = 1};
    }
    struct rg_expr *fast = NULL;
    struct rg_expr *generic = NULL;
    struct ridge_error error = {0};
    struct ridge_error again = {0};
    const ridge_status status = rg_expr_compile(arena, &source, symbols, SYMBOLS, &fast, &error);
    require(status == rg_expr_compile_for(arena, &source, symbols, SYMBOLS, false, &generic, &again), "same status");
    if (status == RIDGE_OK) {
        evaluate_all(fast, generic);
        return;
    }
    char message[4096];
    ridge_error_format(&error, message, sizeof message);
    require(error.status == status && error.message[0] && error.column > 0, "an error has a message and a column");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ridge_context *context = NULL;
    char *text = size > 0 ? malloc(size) : NULL;
    if (!text || ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        free(text);
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    compile_and_run(&arena, text, data[0]);
    rg_arena_fini(&arena);
    ridge_context_destroy(context);
    free(text);
    return 0;
}
