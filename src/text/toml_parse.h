/* SPDX-License-Identifier: MIT */
/** \file What toml.c and toml.cpp say to each other. Thread rule: pure; any thread. Source: TOML 1.0.0, toml++ 3.3. */
#ifndef RG_TEXT_TOML_PARSE_H
#define RG_TEXT_TOML_PARSE_H

#include "text/toml.h"

/** Why a text is not TOML. */
struct rg_toml_problem {
    struct rg_place place;
    char what[512];
    bool complete; /**< `what` is a message in Ridge's form already */
};

/**
 * Parse without a byte-order mark. No exception leaves it.
 * \retval RIDGE_E_SYNTAX  *problem says why
 * \retval RIDGE_E_MEMORY, RIDGE_E_INTERNAL  *problem says nothing
 */
ridge_status rg_toml_parse(struct rg_arena *arena, const char *name, const char *text, size_t length,
                           struct rg_toml *out, struct rg_toml_problem *problem);

#endif
