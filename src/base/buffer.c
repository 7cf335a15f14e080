/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

void rg_buffer_init(struct rg_buffer *buffer, const struct ridge_context *context)
{
    *buffer = (struct rg_buffer){.context = context};
}

void rg_buffer_fini(struct rg_buffer *buffer)
{
    rg_free(buffer->context, buffer->text, buffer->capacity);
    rg_buffer_init(buffer, buffer->context);
}

void rg_buffer_clear(struct rg_buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->text) {
        buffer->text[0] = '\0';
    }
}

/** Make room for `more` bytes and a terminator. */
static bool make_room(struct rg_buffer *buffer, size_t more)
{
    size_t needed;
    if (!buffer->failed && rg_add_size(buffer->length, more, &needed) && rg_add_size(needed, 1, &needed) &&
        rg_reserve(buffer->context, &buffer->text, &buffer->capacity, needed, 1)) {
        return true;
    }
    buffer->failed = true;
    return false;
}

void rg_buffer_append(struct rg_buffer *buffer, const char *bytes, size_t length)
{
    if (!make_room(buffer, length)) {
        return;
    }
    if (length > 0) {
        memcpy(buffer->text + buffer->length, bytes, length);
    }
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
}

void rg_buffer_puts(struct rg_buffer *buffer, const char *text)
{
    rg_buffer_append(buffer, text, strlen(text));
}

void rg_buffer_printf(struct rg_buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && make_room(buffer, (size_t)length)) {
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
}

const char *rg_buffer_text(const struct rg_buffer *buffer)
{
    return buffer->text ? buffer->text : "";
}
