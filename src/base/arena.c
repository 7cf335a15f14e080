/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

enum {
    CHUNK_BYTES = 16384
};

struct rg_arena_chunk {
    struct rg_arena_chunk *older;
    size_t bytes; /* of the whole chunk, this head included */
    size_t used;  /* this head included */
};

static const size_t alignment = alignof(max_align_t);

static bool round_up(size_t bytes, size_t *out)
{
    if (!rg_add_size(bytes, alignment - 1, out)) {
        return false;
    }
    *out -= *out % alignment;
    return true;
}

void rg_arena_init(struct rg_arena *arena, const struct ridge_context *context)
{
    arena->context = context;
    arena->newest = NULL;
}

void rg_arena_fini(struct rg_arena *arena)
{
    while (arena->newest) {
        struct rg_arena_chunk *chunk = arena->newest;
        arena->newest = chunk->older;
        rg_free(arena->context, chunk, chunk->bytes);
    }
}

struct rg_arena *rg_arena_create(const struct ridge_context *context)
{
    struct rg_arena *arena = rg_alloc(context, sizeof *arena);
    if (arena) {
        rg_arena_init(arena, context);
    }
    return arena;
}

void rg_arena_destroy(struct rg_arena *arena)
{
    if (arena) {
        const struct ridge_context *context = arena->context;
        rg_arena_fini(arena);
        rg_free(context, arena, sizeof *arena);
    }
}

static bool arena_grow(struct rg_arena *arena, size_t need)
{
    size_t head;
    size_t bytes;
    if (!round_up(sizeof(struct rg_arena_chunk), &head) || !rg_add_size(head, need, &bytes)) {
        return false;
    }
    bytes = bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes;
    struct rg_arena_chunk *chunk = rg_alloc(arena->context, bytes);
    if (!chunk) {
        return false;
    }
    chunk->older = arena->newest;
    chunk->bytes = bytes;
    chunk->used = head;
    arena->newest = chunk;
    return true;
}

void *rg_arena_alloc(struct rg_arena *arena, size_t bytes)
{
    size_t need;
    if (!round_up(bytes ? bytes : 1, &need)) {
        return NULL;
    }
    const struct rg_arena_chunk *newest = arena->newest;
    if ((!newest || newest->bytes - newest->used < need) && !arena_grow(arena, need)) {
        return NULL;
    }
    void *block = (char *)arena->newest + arena->newest->used;
    arena->newest->used += need;
    return block;
}

void *rg_arena_array(struct rg_arena *arena, size_t count, size_t element_bytes)
{
    size_t bytes;
    return rg_multiply_size(count, element_bytes, &bytes) ? rg_arena_alloc(arena, bytes) : NULL;
}

char *rg_arena_copy(struct rg_arena *arena, const char *text, size_t length)
{
    size_t bytes;
    char *copy = rg_add_size(length, 1, &bytes) ? rg_arena_alloc(arena, bytes) : NULL;
    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *rg_arena_strdup(struct rg_arena *arena, const char *text)
{
    return rg_arena_copy(arena, text, strlen(text));
}

char *rg_arena_printf(struct rg_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : rg_arena_alloc(arena, (size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}
