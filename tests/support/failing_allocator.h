/* SPDX-License-Identifier: MIT */
/**
 * \file An allocator that fails at the nth allocation and counts the bytes that are out, for fault tests:
 * run the call with fail_at = 1, 2, 3 ... until it succeeds; each failure must be RIDGE_E_MEMORY and leave nothing out.
 */
#ifndef RG_FAILING_ALLOCATOR_H
#define RG_FAILING_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "ridge/context.h"

struct failing_allocator {
    size_t calls;   /* allocations and growths so far */
    size_t fail_at; /* the call that fails, and every one behind it; 0: none */
    size_t bytes;   /* out now */
    bool failed;    /* one has failed */
};

static inline void *failing_resize(void *user, void *pointer, size_t old_bytes, size_t new_bytes)
{
    struct failing_allocator *allocator = user;
    if (new_bytes == 0) {
        free(pointer);
        allocator->bytes -= pointer ? old_bytes : 0;
        return NULL;
    }
    allocator->calls++;
    if (allocator->fail_at > 0 && allocator->calls >= allocator->fail_at) {
        allocator->failed = true;
        return NULL;
    }
    void *moved = realloc(pointer, new_bytes);
    if (moved) {
        allocator->bytes += new_bytes - (pointer ? old_bytes : 0);
    }
    return moved;
}

/** Let the nth allocation from now on fail. */
static inline void failing_at(struct failing_allocator *allocator, size_t nth)
{
    allocator->calls = 0;
    allocator->fail_at = nth;
}

/** Make a context on the allocator; it never fails at the context itself. */
static inline struct ridge_context *failing_context(struct failing_allocator *allocator)
{
    const struct ridge_context_options options = {.allocator = {failing_resize, allocator}};
    struct ridge_context *context = NULL;
    const size_t fail_at = allocator->fail_at;
    allocator->fail_at = 0;
    if (ridge_context_create(&options, &context, NULL) != RIDGE_OK) {
        abort();
    }
    failing_at(allocator, fail_at);
    return context;
}

#endif
