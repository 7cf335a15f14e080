/* SPDX-License-Identifier: MIT */
/** \file The inside of a context, and memory taken from it. Thread rule: see ridge/context.h. */
#ifndef RG_BASE_CONTEXT_H
#define RG_BASE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "ridge/context.h"

struct ridge_context {
    struct ridge_allocator allocator;
    ridge_log_fn log;
    void *log_user;
    size_t max_input_bytes;
};

/** Allocate zeroed memory. \return NULL on failure or for 0 bytes. */
void *rg_alloc(const struct ridge_context *context, size_t bytes);

/** Grow or shrink a block from rg_alloc; new bytes are not cleared. \return NULL on failure; the old block stays. */
void *rg_resize(const struct ridge_context *context, void *pointer, size_t old_bytes, size_t new_bytes);

/** Free a block of `bytes` bytes. NULL is fine. */
void rg_free(const struct ridge_context *context, void *pointer, size_t bytes);

/**
 * Make room for `needed` elements of a growing array, doubling.
 * \param[in,out] array     pointer to the array pointer; NULL at first
 * \param[in,out] capacity  elements it has room for
 * \return false when memory is out; the array stays as it was.
 */
bool rg_reserve(const struct ridge_context *context, void *array, size_t *capacity, size_t needed,
                size_t element_bytes);

/** Log one line, formatted. Does nothing without a log function. */
void rg_log(const struct ridge_context *context, ridge_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
