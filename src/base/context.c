/* SPDX-License-Identifier: MIT */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"

static const size_t default_max_input_bytes = (size_t)64 << 20;

static void *heap_resize(void *user, void *pointer, size_t old_bytes, size_t new_bytes)
{
    (void)user;
    (void)old_bytes;
    if (new_bytes == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_bytes);
}

ridge_status ridge_context_create(const struct ridge_context_options *options, struct ridge_context **out,
                                  struct ridge_error *error)
{
    struct ridge_context made = {{heap_resize, NULL}, NULL, NULL, default_max_input_bytes};
    if (options && options->allocator.resize) {
        made.allocator = options->allocator;
    }
    if (options) {
        made.log = options->log;
        made.log_user = options->log_user;
    }
    if (options && options->max_input_bytes > 0) {
        made.max_input_bytes = options->max_input_bytes;
    }
    struct ridge_context *context = rg_alloc(&made, sizeof *context);
    if (!context) {
        return rg_error_memory(error, sizeof *context);
    }
    *context = made;
    *out = context;
    return RIDGE_OK;
}

void ridge_context_destroy(struct ridge_context *context)
{
    if (!context) {
        return;
    }
    const struct ridge_context copy = *context;
    rg_free(&copy, context, sizeof *context);
}

const char *ridge_version(void)
{
    return RIDGE_VERSION;
}

void *rg_alloc(const struct ridge_context *context, size_t bytes)
{
    if (bytes == 0) {
        return NULL;
    }
    void *block = context->allocator.resize(context->allocator.user, NULL, 0, bytes);
    if (block) {
        memset(block, 0, bytes);
    }
    return block;
}

void *rg_resize(const struct ridge_context *context, void *pointer, size_t old_bytes, size_t new_bytes)
{
    return context->allocator.resize(context->allocator.user, pointer, old_bytes, new_bytes);
}

void rg_free(const struct ridge_context *context, void *pointer, size_t bytes)
{
    if (pointer) {
        (void)context->allocator.resize(context->allocator.user, pointer, bytes, 0);
    }
}

bool rg_reserve(const struct ridge_context *context, void *array, size_t *capacity, size_t needed, size_t element_bytes)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t grown = *capacity < 8 ? 8 : *capacity;
    while (grown < needed) {
        if (!rg_add_size(grown, grown, &grown)) {
            return false;
        }
    }
    size_t bytes;
    if (!rg_multiply_size(grown, element_bytes, &bytes)) {
        return false;
    }
    void *old;
    memcpy(&old, array, sizeof old);
    void *moved = rg_resize(context, old, *capacity * element_bytes, bytes);
    if (!moved) {
        return false;
    }
    memcpy(array, &moved, sizeof moved);
    *capacity = grown;
    return true;
}

void rg_log(const struct ridge_context *context, ridge_log_level level, const char *format, ...)
{
    if (!context->log) {
        return;
    }
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    context->log(context->log_user, level, line);
}
