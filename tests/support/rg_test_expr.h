/* SPDX-License-Identifier: MIT */
/** \file What the tests of expressions share: symbols with values, and a context with an arena. */
#ifndef RG_TEST_EXPR_H
#define RG_TEST_EXPR_H

#include <stdlib.h>

#include "rg_test.h"

#include "expr/expr.h"

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

static inline struct session session_begin(void)
{
    struct session session = {.context = test_context()};
    rg_arena_init(&session.arena, session.context);
    return session;
}

static inline void session_end(struct session *session)
{
    rg_arena_fini(&session->arena);
    ridge_context_destroy(session->context);
}

/** A text of `count` times `piece`, then `end`. */
static inline char *repeat(const char *piece, size_t count, const char *end)
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

#endif
