/* SPDX-License-Identifier: MIT */
/**
 * \file Filling struct ridge_error. The first error wins: a record that is set is never overwritten.
 * Every function takes `error` NULL and returns the status it was given, so that a caller can write
 * `return rg_error_set(error, RIDGE_E_VALUE, "...")`. Thread rule: one thread a record.
 */
#ifndef RG_BASE_ERROR_H
#define RG_BASE_ERROR_H

#include "ridge/status.h"

/** A place in a text that was read. */
struct rg_place {
    const char *file; /**< path as the user gave it; NULL: none */
    const char *text; /**< the whole text of the file, NUL-terminated, to quote the line from; NULL: none is quoted */
    unsigned line;    /**< 1-based; 0: no position */
    unsigned column;  /**< 1-based, in bytes; 0: none */
    unsigned length;  /**< bytes covered; 0 is drawn as 1 */
};

/** Set an error without a place. */
ridge_status rg_error_set(struct ridge_error *error, ridge_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Set an error at a place. `place` NULL: none. */
ridge_status rg_error_at(struct ridge_error *error, ridge_status status, const struct rg_place *place,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/** Set an error from errno: "<what>: <text of errno>"; `path` (may be NULL) goes into the file field. */
ridge_status rg_error_system(struct ridge_error *error, ridge_status status, int errno_value, const char *path,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

/** Set RIDGE_E_MEMORY for a block of `bytes`. */
ridge_status rg_error_memory(struct ridge_error *error, size_t bytes);

#endif
