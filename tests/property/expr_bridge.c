/* SPDX-License-Identifier: MIT */
/**
 * \file Evaluates expressions for a driver in another language. Each line of the input is a dialect (exact or python),
 * an expression, then variables as name=value, with tabs between. A value is an integer, true, false, 'text' or else a
 * float. Each line of the output is `type value`, `fault NAME` or `error STATUS message`.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "ridge/units.h"

enum {
    MAX_VARIABLES = 64
};

struct variables {
    struct rg_symbol symbols[MAX_VARIABLES];
    struct ridge_value values[MAX_VARIABLES];
    unsigned count;
};

static struct ridge_value read_value(char *text)
{
    const size_t length = strlen(text);
    if (length >= 2 && text[0] == '\'') {
        text[length - 1] = '\0';
        return (struct ridge_value){.type = RIDGE_TEXT, .as.text = text + 1};
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return (struct ridge_value){.type = RIDGE_BOOL, .as.truth = text[0] == 't'};
    }
    char *end = NULL;
    const long long integer = strtoll(text, &end, 10);
    if (*end == '\0') {
        return (struct ridge_value){.type = RIDGE_INT, .as.integer = integer};
    }
    double number = 0;
    if (ridge_number_parse(text, &number, NULL) != RIDGE_OK) {
        fprintf(stderr, "bad value: %s\n", text);
        exit(2);
    }
    return (struct ridge_value){.type = RIDGE_FLOAT, .as.number = number};
}

static void read_variables(char *text, struct variables *variables)
{
    variables->count = 0;
    char *keep = NULL;
    for (char *word = strtok_r(text, "\t", &keep); word; word = strtok_r(NULL, "\t", &keep)) {
        char *equals = strchr(word, '=');
        if (!equals || variables->count == MAX_VARIABLES) {
            fprintf(stderr, "bad variable: %s\n", word);
            exit(2);
        }
        *equals = '\0';
        const unsigned slot = variables->count++;
        variables->values[slot] = read_value(equals + 1);
        variables->symbols[slot] = (struct rg_symbol){.name = word, .slot = slot, .type = variables->values[slot].type};
    }
}

static void print_result(const struct rg_expr *expr, const struct variables *variables)
{
    static const char *const types[] = {"int", "float", "bool", "text"};
    static const char *const faults[] = {"NONE", "OVERFLOW", "ZERO_DIVISION", "TEXT", "DOMAIN"};
    struct ridge_value value;
    struct rg_fault fault;
    if (!rg_expr_eval(expr, variables->values, &value, &fault)) {
        printf("fault %s\n", faults[fault.code]);
        return;
    }
    char text[256];
    ridge_value_format(&value, text, sizeof text);
    printf("%s %s\n", types[value.type], text);
}

static void run_line(char *line, const struct ridge_context *context)
{
    char *text = strchr(line, '\t');
    if (!text) {
        fprintf(stderr, "bad line: %s\n", line);
        exit(2);
    }
    *text++ = '\0';
    char *rest = strchr(text, '\t');
    if (rest) {
        *rest++ = '\0';
    }
    char none[1] = "";
    struct variables variables;
    read_variables(rest ? rest : none, &variables);
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    struct ridge_error error = {0};
    const struct rg_expr_source source = {
        .text = text, .dialect = strcmp(line, "python") == 0 ? RG_DIALECT_PYTHON : RG_DIALECT_EXACT};
    struct rg_expr *expr = NULL;
    const ridge_status status = rg_expr_compile(&arena, &source, variables.symbols, variables.count, &expr, &error);
    if (status == RIDGE_OK) {
        print_result(expr, &variables);
    } else {
        printf("error %s %s\n", ridge_status_name(status), error.message);
    }
    rg_arena_fini(&arena);
}

int main(void)
{
    struct ridge_context *context = NULL;
    if (ridge_context_create(NULL, &context, NULL) != RIDGE_OK) {
        return 1;
    }
    char *line = NULL;
    size_t bytes = 0;
    for (ssize_t length = getline(&line, &bytes, stdin); length > 0; length = getline(&line, &bytes, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        run_line(line, context);
    }
    free(line);
    ridge_context_destroy(context);
    return 0;
}
