/* SPDX-License-Identifier: MIT */
#include "expr/expr_place.h"

#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

/** Where a line and column are in a text; NULL when it has no such place. */
static const char *find_place(const char *text, unsigned line, unsigned column)
{
    for (unsigned at = 1; at < line; at++) {
        text = strchr(text, '\n');
        if (!text) {
            return NULL;
        }
        text++;
    }
    return strcspn(text, "\n") + 1 >= column ? text + column - 1 : NULL;
}

/** A reader may give the place of the opening quote: step over it. */
static const char *skip_quotes(const char *file, const char *text)
{
    const char quote = *file;
    if ((quote != '"' && quote != '\'') || quote == *text) {
        return file;
    }
    if (file[1] != quote || file[2] != quote) {
        return file + 1;
    }
    file += 3;
    file += *file == '\r' && *text != '\r';
    return file + (*file == '\n' && *text != '\n');
}

/** \return bytes of the file that an escape takes (as TOML and JSON write them); *made: bytes of text it stands for. */
static size_t escape_bytes(const char *file, const char *text, size_t *made)
{
    *made = 1;
    if (file[1] == 'u' || file[1] == 'U') {
        const size_t width = rg_utf8_width(text);
        *made = width ? width : 1;
        return file[1] == 'u' ? 6 : 10;
    }
    const size_t blank = strspn(file + 1, " \t\r\n");
    *made = blank ? 0 : 1;
    return blank ? 1 + blank : 2;
}

/**
 * Walk text and file side by side, because an escape or a carriage return makes the file longer than the text.
 * \return where byte `offset` of the text is in the file; NULL when they do not match.
 */
static const char *walk(const char *file, const char *text, size_t offset)
{
    file = skip_quotes(file, text);
    size_t at = 0;
    while (at < offset) {
        size_t made = 1;
        size_t step = 1;
        if (*file == '\\' && (text[at] != '\\' || file[1] == '\\')) {
            step = escape_bytes(file, text + at, &made);
        } else if (*file == '\r' && text[at] == '\n') {
            made = 0;
        } else if (*file != text[at]) {
            return NULL;
        }
        if (strnlen(file, step) < step) {
            return NULL;
        }
        file += step;
        at += made;
    }
    return file;
}

/** Count lines and columns between two bytes. */
static void advance(struct rg_place *place, const char *from, const char *to)
{
    for (; from < to; from++) {
        place->column++;
        if (*from == '\n') {
            place->line++;
            place->column = 1;
        }
    }
}

static struct rg_place place_of(const struct rg_expr_source *source, struct rg_span span)
{
    struct rg_place place = source->place;
    place.length = span.length;
    const char *file = place.text ? find_place(place.text, place.line, place.column) : NULL;
    const char *to = file ? walk(file, source->text, span.offset) : NULL;
    if (to) {
        advance(&place, file, to);
    } else {
        advance(&place, source->text, source->text + span.offset);
    }
    return place;
}

/** Quote the line of the expression itself, for want of a file to quote. */
static void quote_expression(const struct rg_expr_source *source, unsigned offset, struct ridge_error *error)
{
    struct rg_place place = {.line = 1, .column = 1};
    advance(&place, source->text, source->text + offset);
    const char *line = source->text + offset - (place.column - 1);
    const size_t bytes = strcspn(line, "\r\n");
    error->column = place.column;
    snprintf(error->source_line, sizeof error->source_line, "%.*s", (int)bytes, line);
}

ridge_status rg_expr_error_list(const struct rg_expr_source *source, struct rg_span span, struct ridge_error *error,
                                ridge_status status, const char *format, va_list arguments)
{
    if (!error || error->status != RIDGE_OK) {
        return status;
    }
    char message[sizeof error->message];
    vsnprintf(message, sizeof message, format, arguments);
    if (source->place.column > 0) {
        const struct rg_place place = place_of(source, span);
        return rg_error_at(error, status, &place, "%s", message);
    }
    const struct rg_place place = {.file = source->place.file, .line = source->place.line, .length = span.length};
    rg_error_at(error, status, &place, "%s", message);
    quote_expression(source, span.offset, error);
    return status;
}

ridge_status rg_expr_error(const struct rg_expr_source *source, struct rg_span span, struct ridge_error *error,
                           ridge_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rg_expr_error_list(source, span, error, status, format, arguments);
    va_end(arguments);
    return status;
}
