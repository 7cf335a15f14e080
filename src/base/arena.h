/* SPDX-License-Identifier: MIT */
/**
 * \file An arena: memory that is freed all at once. Parsed documents live in one that they own.
 * Blocks are zeroed and aligned for any type. Thread rule: one thread at a time.
 */
#ifndef RG_BASE_ARENA_H
#define RG_BASE_ARENA_H

#include <stdarg.h>

#include "base/context.h"

struct rg_arena_chunk;

struct rg_arena {
    const struct ridge_context *context;
    struct rg_arena_chunk *newest;
};

/** Make an empty arena; nothing is allocated yet. */
void rg_arena_init(struct rg_arena *arena, const struct ridge_context *context);

/** Free everything in it. An arena that is all zero is fine. */
void rg_arena_fini(struct rg_arena *arena);

/** Make an arena that stands in memory of its own, for objects that own nothing else. \return NULL: memory is out */
struct rg_arena *rg_arena_create(const struct ridge_context *context);

/** Free such an arena with everything in it. NULL is fine. */
void rg_arena_destroy(struct rg_arena *arena);

/** \return `bytes` zeroed bytes (at least one), or NULL when memory is out. */
void *rg_arena_alloc(struct rg_arena *arena, size_t bytes);

/** \return `count` zeroed elements, or NULL when memory is out or the size overflows. */
void *rg_arena_array(struct rg_arena *arena, size_t count, size_t element_bytes);

/** \return a NUL-terminated copy of `length` bytes of `text`, or NULL when memory is out. */
char *rg_arena_copy(struct rg_arena *arena, const char *text, size_t length);

/** \return a copy of a string, or NULL when memory is out. */
char *rg_arena_strdup(struct rg_arena *arena, const char *text);

/** \return formatted text, or NULL when memory is out. */
char *rg_arena_printf(struct rg_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
