/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct status_row {
    const char *name;
    const char *text;
};

static const struct status_row status_rows[] = {
#define STATUS_ROW(name, text) {#name, text},
    RIDGE_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

static const struct status_row *status_find(ridge_status status)
{
    static const struct status_row unknown = {"RIDGE_E_?", "an unknown status"};
    const size_t index = (size_t)status;
    return index < sizeof status_rows / sizeof status_rows[0] ? &status_rows[index] : &unknown;
}

const char *ridge_status_name(ridge_status status)
{
    return status_find(status)->name;
}

const char *ridge_status_text(ridge_status status)
{
    return status_find(status)->text;
}

/** Copy the end of `from`: the tail of a long path says more than its head. */
static void copy_tail(char *to, size_t room, const char *from)
{
    const size_t length = strlen(from);
    if (length < room) {
        memcpy(to, from, length + 1);
        return;
    }
    snprintf(to, room, "...%s", from + (length - (room - 4)));
}

/** Copy line number `line` of a text, without its end of line. */
static void copy_line(char *to, size_t room, const char *text, unsigned line)
{
    for (unsigned at = 1; at < line; at++) {
        text = strchr(text, '\n');
        if (!text) {
            return;
        }
        text++;
    }
    size_t length = strcspn(text, "\r\n");
    if (length >= room) {
        length = room - 1;
    }
    memcpy(to, text, length);
    to[length] = '\0';
}

static bool error_begin(struct ridge_error *error, ridge_status status)
{
    if (!error || error->status != RIDGE_OK) {
        return false;
    }
    memset(error, 0, sizeof *error);
    error->status = status;
    return true;
}

ridge_status rg_error_set(struct ridge_error *error, ridge_status status, const char *format, ...)
{
    if (!error_begin(error, status)) {
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

ridge_status rg_error_at(struct ridge_error *error, ridge_status status, const struct rg_place *place,
                         const char *format, ...)
{
    if (!error_begin(error, status)) {
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (!place) {
        return status;
    }
    error->line = place->line;
    error->column = place->column;
    error->length = place->length;
    if (place->file) {
        copy_tail(error->file, sizeof error->file, place->file);
    }
    if (place->text && place->line > 0) {
        copy_line(error->source_line, sizeof error->source_line, place->text, place->line);
    }
    return status;
}

ridge_status rg_error_system(struct ridge_error *error, ridge_status status, int errno_value, const char *path,
                             const char *format, ...)
{
    if (!error_begin(error, status)) {
        return status;
    }
    error->native = errno_value;
    if (path) {
        copy_tail(error->file, sizeof error->file, path);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    const size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, ": %s", strerror(errno_value));
    return status;
}

ridge_status rg_error_memory(struct ridge_error *error, size_t bytes)
{
    return rg_error_set(error, RIDGE_E_MEMORY, "out of memory: %zu bytes were asked for", bytes);
}

/** Append formatted text at `*used`, counting what does not fit, as snprintf does. */
__attribute__((format(printf, 4, 5))) static void append(char *out, size_t bytes, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = *used < bytes ? bytes - *used : 0;
    const int length = vsnprintf(room ? out + *used : NULL, room, format, arguments);
    va_end(arguments);
    *used += length > 0 ? (size_t)length : 0;
}

/** The caret line: tabs stay tabs, and a character of several bytes takes one column. */
static void append_caret(const struct ridge_error *error, char *out, size_t bytes, size_t *used)
{
    append(out, bytes, used, "\n  %s\n  ", error->source_line);
    const size_t line_bytes = strlen(error->source_line);
    const size_t begin = error->column - 1;
    for (size_t at = 0; at < begin && at < line_bytes; at++) {
        const unsigned char byte = (unsigned char)error->source_line[at];
        if ((byte & 0xC0U) == 0x80U) {
            continue;
        }
        append(out, bytes, used, "%c", byte == '\t' ? '\t' : ' ');
    }
    append(out, bytes, used, "^");
    for (size_t at = begin + 1; at < begin + error->length && at < line_bytes; at++) {
        if (((unsigned char)error->source_line[at] & 0xC0U) != 0x80U) {
            append(out, bytes, used, "~");
        }
    }
}

size_t ridge_error_format(const struct ridge_error *error, char *out, size_t bytes)
{
    size_t used = 0;
    if (bytes > 0) {
        out[0] = '\0';
    }
    if (!error || error->status == RIDGE_OK) {
        return 0;
    }
    if (error->file[0]) {
        append(out, bytes, &used, "%s:", error->file);
        if (error->line > 0) {
            append(out, bytes, &used, "%u:", error->line);
        }
        if (error->line > 0 && error->column > 0) {
            append(out, bytes, &used, "%u:", error->column);
        }
        append(out, bytes, &used, " ");
    }
    append(out, bytes, &used, "%s", error->message);
    if (error->source_line[0] && error->column > 0) {
        append_caret(error, out, bytes, &used);
    }
    return used;
}
