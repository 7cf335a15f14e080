/* SPDX-License-Identifier: MIT */
/** \file The value of a dimension, a parameter or an expression. Plain memory; any thread. */
#ifndef RIDGE_VALUE_H
#define RIDGE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "ridge/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a value is. */
typedef enum ridge_type {
    RIDGE_INT,
    RIDGE_FLOAT,
    RIDGE_BOOL,
    RIDGE_TEXT
} ridge_type;

/** One value. */
struct ridge_value {
    ridge_type type;
    union {
        int64_t integer;  /**< RIDGE_INT */
        double number;    /**< RIDGE_FLOAT; finite */
        bool truth;       /**< RIDGE_BOOL */
        const char *text; /**< RIDGE_TEXT; UTF-8, borrowed from whoever made the value */
    } as;
};

/**
 * Write a value as ids, tables and CSV show it: 64, 0.3, true, text as it is. A whole float keeps its point (2.0),
 * so that it differs from an integer.
 * \return bytes that the whole text needs, without the terminator, as snprintf does.
 */
RIDGE_API size_t ridge_value_format(const struct ridge_value *value, char *out, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
