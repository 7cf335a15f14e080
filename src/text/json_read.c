/* SPDX-License-Identifier: MIT */
#include "text/json_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"
#include "text/utf8.h"

enum {
    MAX_DEPTH = 64
};

struct reader {
    struct rg_arena *arena;
    const char *name;
    const char *text;
    const char *at;
    const char *end;
    const char *line_begin;
    unsigned line;
    unsigned depth;
    const struct rg_json_options *options;
    struct ridge_error *error;
    ridge_status status;
};

static bool read_value(struct reader *reader, struct rg_toml *out);

static struct rg_place place_here(const struct reader *reader)
{
    return (struct rg_place){.file = reader->name,
                             .text = reader->text,
                             .line = reader->line,
                             .column = (unsigned)(reader->at - reader->line_begin) + 1,
                             .length = 1};
}

static bool fail(struct reader *reader, ridge_status status, const char *message)
{
    const struct rg_place place = place_here(reader);
    reader->status = rg_error_at(reader->error, status, &place, "%s", message);
    return false;
}

static bool fail_memory(struct reader *reader, size_t bytes)
{
    reader->status = rg_error_memory(reader->error, bytes);
    return false;
}

static void skip_space(struct reader *reader)
{
    for (; reader->at < reader->end; reader->at++) {
        if (*reader->at == '\n') {
            reader->line++;
            reader->line_begin = reader->at + 1;
        } else if (*reader->at != ' ' && *reader->at != '\t' && *reader->at != '\r') {
            return;
        }
    }
}

/** \return the four hex digits at `at`, or -1. */
static long hex4(const char *at, const char *end)
{
    char digits[5] = {0};
    if (end - at < 4) {
        return -1;
    }
    memcpy(digits, at, 4);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

static char *put_utf8(char *out, unsigned long code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/** A \u escape, of which the u is at hand; a pair of surrogates is one character. */
static bool read_unicode(struct reader *reader, char **out)
{
    long code = hex4(reader->at + 1, reader->end);
    const bool high = code >= 0xD800 && code < 0xDC00;
    if (high && reader->end - reader->at > 10 && reader->at[5] == '\\' && reader->at[6] == 'u') {
        const long low = hex4(reader->at + 7, reader->end);
        code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : -1;
        reader->at += 6;
    }
    if (code <= 0 || (code >= 0xD800 && code < 0xE000)) {
        return fail(reader, RIDGE_E_SYNTAX, "this is no character (write \\u and four hex digits, not 0000)");
    }
    *out = put_utf8(*out, (unsigned long)code);
    reader->at += 5;
    return true;
}

static bool read_escape(struct reader *reader, char **out)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    reader->at++;
    if (reader->at < reader->end && *reader->at == 'u') {
        return read_unicode(reader, out);
    }
    const char *found = reader->at < reader->end && *reader->at ? strchr(from, *reader->at) : NULL;
    if (!found) {
        return fail(reader, RIDGE_E_SYNTAX, "there is no such escape (\\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u)");
    }
    *(*out)++ = to[found - from];
    reader->at++;
    return true;
}

/** The opening quotes are at hand. */
static bool read_text(struct reader *reader, const char **out)
{
    const char *close = reader->at + 1;
    while (close < reader->end && *close != '"' && *close != '\n') {
        close += *close == '\\' && close + 1 < reader->end ? 2 : 1;
    }
    if (close >= reader->end || *close != '"') {
        return fail(reader, RIDGE_E_SYNTAX, "this text is never closed (write \" at its end)");
    }
    /* No escape is shorter than what it stands for. */
    char *text = rg_arena_alloc(reader->arena, (size_t)(close - reader->at));
    char *to = text;
    if (!text) {
        return fail_memory(reader, (size_t)(close - reader->at));
    }
    reader->at++;
    while (reader->at < close) {
        const size_t width = rg_utf8_width(reader->at);
        if (*reader->at == '\\') {
            if (!read_escape(reader, &to)) {
                return false;
            }
            continue;
        }
        if (width == 0 || (unsigned char)*reader->at < 0x20) {
            return fail(reader, RIDGE_E_SYNTAX, "this byte cannot stand in a text (UTF-8, control characters escaped)");
        }
        memcpy(to, reader->at, width);
        to += width;
        reader->at += width;
    }
    reader->at = close + 1;
    *out = text;
    return true;
}

/** \return bytes of the number at hand, as JSON writes numbers; 0: none. *whole: it is written as an integer. */
static size_t number_length(const char *at, bool *whole)
{
    const char *from = at;
    at += *at == '-';
    const size_t digits = strspn(at, "0123456789");
    if (digits == 0 || (digits > 1 && *at == '0')) {
        return 0;
    }
    at += digits;
    *whole = true;
    if (*at == '.') {
        const size_t decimals = strspn(at + 1, "0123456789");
        *whole = false;
        at += decimals + 1;
        if (decimals == 0) {
            return 0;
        }
    }
    if (*at == 'e' || *at == 'E') {
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        const size_t exponent = strspn(at, "0123456789");
        *whole = false;
        at += exponent;
        if (exponent == 0) {
            return 0;
        }
    }
    return (size_t)(at - from);
}

static bool read_number(struct reader *reader, struct rg_toml *out)
{
    bool whole = false;
    const size_t length = number_length(reader->at, &whole);
    if (length == 0) {
        return fail(reader, RIDGE_E_SYNTAX,
                    "no value starts like this (a text in \", a number, true, false, null, [ or {)");
    }
    out->place.length = (unsigned)length;
    if (whole) {
        errno = 0;
        out->type = RG_TOML_INT;
        out->integer = strtoll(reader->at, NULL, 10);
        if (errno != 0) {
            return fail(reader, RIDGE_E_VALUE, "the integer does not fit in 64 bits (write a smaller one)");
        }
    } else {
        out->type = RG_TOML_FLOAT;
        if (rg_number_scan(reader->at, &out->number) != length || !isfinite(out->number)) {
            return fail(reader, RIDGE_E_VALUE, "the number is too large (write one below 1.8e308)");
        }
    }
    reader->at += length;
    return true;
}

static bool read_word(struct reader *reader, struct rg_toml *out)
{
    static const struct {
        const char *word;
        rg_toml_type type;
        bool truth;
    } words[] = {{"true", RG_TOML_BOOL, true}, {"false", RG_TOML_BOOL, false}, {"null", RG_TOML_NULL, false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i].word);
        if ((size_t)(reader->end - reader->at) >= length && memcmp(reader->at, words[i].word, length) == 0) {
            out->type = words[i].type;
            out->truth = words[i].truth;
            out->place.length = (unsigned)length;
            reader->at += length;
            return true;
        }
    }
    return read_number(reader, out);
}

/** Children while they are collected. */
struct children {
    struct rg_toml *items;
    size_t count;
    size_t capacity;
};

static bool key_stands(const struct children *children, const char *key)
{
    for (size_t i = 0; i < children->count; i++) {
        if (strcmp(children->items[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

/** Step over a value by its brackets. At the end of the document all brackets count as closed. */
static bool skip_value(struct reader *reader, struct rg_toml *out)
{
    unsigned depth = 0;
    bool quoted = false;
    out->type = RG_TOML_TABLE;
    for (; reader->at < reader->end; reader->at++) {
        const char byte = *reader->at;
        if (byte == '\n') {
            reader->line++;
            reader->line_begin = reader->at + 1;
        }
        if (quoted) {
            quoted = byte != '"';
            reader->at += byte == '\\' && reader->at + 1 < reader->end;
        } else if (byte == '"') {
            quoted = true;
        } else if (byte == '{' || byte == '[') {
            depth++;
        } else if (depth > 0 && (byte == '}' || byte == ']')) {
            depth--;
            if (depth == 0) {
                reader->at++;
                return true;
            }
        } else if (depth == 0 && (byte == ',' || byte == '}')) {
            return true;
        }
    }
    return true;
}

static bool read_member(struct reader *reader, const struct children *children, struct rg_toml *out)
{
    if (reader->at >= reader->end || *reader->at != '"') {
        return fail(reader, RIDGE_E_SYNTAX, "a key is missing (write \"key\": value)");
    }
    out->key_place = place_here(reader);
    const char *begin = reader->at;
    if (!read_text(reader, &out->key)) {
        return false;
    }
    out->key_place.length = (unsigned)(reader->at - begin);
    if (key_stands(children, out->key)) {
        reader->status = rg_error_at(reader->error, RIDGE_E_SYNTAX, &out->key_place,
                                     "`%s` stands twice in one object (leave one out)", out->key);
        return false;
    }
    skip_space(reader);
    if (reader->at >= reader->end || *reader->at != ':') {
        return fail(reader, RIDGE_E_SYNTAX, "`:` is missing behind the key");
    }
    reader->at++;
    skip_space(reader);
    const char *skip = reader->options->skip;
    if (reader->depth == 1 && skip && strcmp(skip, out->key) == 0) {
        out->place = place_here(reader);
        return skip_value(reader, out);
    }
    return read_value(reader, out);
}

static bool add_child(struct reader *reader, struct children *children, bool object)
{
    if (!rg_reserve(reader->arena->context, &children->items, &children->capacity, children->count + 1,
                    sizeof *children->items)) {
        return fail_memory(reader, (children->count + 1) * sizeof *children->items);
    }
    struct rg_toml child = {0};
    if (object ? !read_member(reader, children, &child) : !read_value(reader, &child)) {
        return false;
    }
    children->items[children->count++] = child;
    return true;
}

/** Behind the opening bracket, up to and with the closing one. */
static bool read_children(struct reader *reader, struct children *children, bool object)
{
    const char close = object ? '}' : ']';
    skip_space(reader);
    if (reader->at < reader->end && *reader->at == close) {
        reader->at++;
        return true;
    }
    while (add_child(reader, children, object)) {
        skip_space(reader);
        const bool ended = reader->at >= reader->end;
        if (ended && object && reader->depth == 1 && reader->options->skip &&
            key_stands(children, reader->options->skip)) {
            return true;
        }
        if (!ended && *reader->at == close) {
            reader->at++;
            return true;
        }
        if (ended || *reader->at != ',') {
            return fail(reader, RIDGE_E_SYNTAX, object ? "`,` or `}` is missing here" : "`,` or `]` is missing here");
        }
        reader->at++;
        skip_space(reader);
    }
    return false;
}

static bool read_container(struct reader *reader, struct rg_toml *out, bool object)
{
    if (reader->depth >= MAX_DEPTH) {
        return fail(reader, RIDGE_E_LIMIT, "nested too deeply (at most 64 levels)");
    }
    reader->at++;
    reader->depth++;
    struct children children = {0};
    bool done = read_children(reader, &children, object);
    reader->depth--;
    out->type = object ? RG_TOML_TABLE : RG_TOML_ARRAY;
    if (done) {
        struct rg_toml *kept = rg_arena_array(reader->arena, children.count, sizeof *kept);
        done = kept || fail_memory(reader, children.count * sizeof *kept);
        if (kept && children.count > 0) {
            memcpy(kept, children.items, children.count * sizeof *kept);
        }
        out->children = kept;
        out->count = children.count;
    }
    rg_free(reader->arena->context, children.items, children.capacity * sizeof *children.items);
    return done;
}

/** Recursion is bounded by MAX_DEPTH. */
static bool read_value(struct reader *reader, struct rg_toml *out)
{
    out->place = place_here(reader);
    if (reader->at >= reader->end) {
        return fail(reader, RIDGE_E_SYNTAX, "the document ends too early (a value is missing)");
    }
    const char *begin = reader->at;
    switch (*reader->at) {
    case '{': return read_container(reader, out, true);
    case '[': return read_container(reader, out, false);
    case '"':
        out->type = RG_TOML_TEXT;
        if (!read_text(reader, &out->text)) {
            return false;
        }
        out->place.length = (unsigned)(reader->at - begin);
        return true;
    default: return read_word(reader, out);
    }
}

ridge_status rg_json_read(struct rg_arena *arena, const char *name, const char *text, size_t length,
                          const struct rg_json_options *options, const struct rg_toml **out, struct ridge_error *error)
{
    struct reader reader = {.arena = arena,
                            .name = name,
                            .text = text,
                            .at = text,
                            .end = text + length,
                            .line_begin = text,
                            .line = 1,
                            .options = options,
                            .error = error};
    struct rg_toml *root = rg_arena_alloc(arena, sizeof *root);
    if (!root) {
        return rg_error_memory(error, sizeof *root);
    }
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) {
        reader.at += 3;
        reader.line_begin = reader.at;
    }
    skip_space(&reader);
    if (reader.at >= reader.end || *reader.at != '{') {
        fail(&reader, RIDGE_E_SYNTAX, "the document is no object (write { at its start)");
        return reader.status;
    }
    if (!read_value(&reader, root)) {
        return reader.status;
    }
    skip_space(&reader);
    if (reader.at < reader.end) {
        fail(&reader, RIDGE_E_SYNTAX, "something stands behind the end of the document (leave it out)");
        return reader.status;
    }
    *out = root;
    return RIDGE_OK;
}
