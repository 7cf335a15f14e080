/* SPDX-License-Identifier: MIT */
/** \file From a byte of an expression to a line and column of its file. Pure; any thread. */
#ifndef RG_EXPR_PLACE_H
#define RG_EXPR_PLACE_H

#include <stdarg.h>

#include "expr/expr.h"

/** Bytes of the text of an expression. */
struct rg_span {
    unsigned offset;
    unsigned length;
};

/**
 * Set an error at bytes of an expression. Without a position in a file (column 0) the expression itself is quoted under
 * the message, and the column counts within its line.
 */
ridge_status rg_expr_error(const struct rg_expr_source *source, struct rg_span span, struct ridge_error *error,
                           ridge_status status, const char *format, ...) __attribute__((format(printf, 5, 6)));

/** The same with the arguments in a list. */
ridge_status rg_expr_error_list(const struct rg_expr_source *source, struct rg_span span, struct ridge_error *error,
                                ridge_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

#endif
