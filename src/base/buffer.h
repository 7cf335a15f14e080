/* SPDX-License-Identifier: MIT */
/**
 * \file A growing text. Running out of memory is remembered: append freely and check `failed` once at the end.
 * Thread rule: one thread at a time.
 */
#ifndef RG_BASE_BUFFER_H
#define RG_BASE_BUFFER_H

#include "base/context.h"

struct rg_buffer {
    const struct ridge_context *context;
    char *text;      /**< NUL-terminated once anything was appended; NULL before */
    size_t length;   /**< bytes, without the terminator */
    size_t capacity; /**< bytes */
    bool failed;     /**< memory ran out; the text is not complete */
};

void rg_buffer_init(struct rg_buffer *buffer, const struct ridge_context *context);
void rg_buffer_fini(struct rg_buffer *buffer);

/** Empty it and keep its memory. */
void rg_buffer_clear(struct rg_buffer *buffer);

void rg_buffer_append(struct rg_buffer *buffer, const char *bytes, size_t length);
void rg_buffer_puts(struct rg_buffer *buffer, const char *text);
void rg_buffer_printf(struct rg_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** \return the text, "" when nothing was appended. Borrowed until the next append. */
const char *rg_buffer_text(const struct rg_buffer *buffer);

#endif
