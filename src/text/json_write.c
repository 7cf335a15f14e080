/* SPDX-License-Identifier: MIT */
#include "ridge/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ridge/units.h"
#include "text/utf8.h"

static void put(struct ridge_json *json, const char *bytes, size_t length)
{
    if (!json->failed && !json->sink.write(json->sink.user, bytes, length)) {
        json->failed = true;
    }
}

static void puts_text(struct ridge_json *json, const char *text)
{
    put(json, text, strlen(text));
}

static void new_line(struct ridge_json *json)
{
    if (json->compact[json->depth]) {
        return;
    }
    puts_text(json, "\n");
    for (unsigned level = 0; level < json->depth; level++) {
        puts_text(json, "  ");
    }
}

/** \return whether a byte stands for itself: most do, and runs of them are written at once. */
static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

/** Write one character that is not plain. \return its bytes */
static size_t put_special(struct ridge_json *json, const char *text)
{
    const unsigned char byte = (unsigned char)*text;
    const size_t width = rg_utf8_width(text);
    char escape[8];
    if (byte == '"' || byte == '\\') {
        const char pair[2] = {'\\', *text};
        put(json, pair, sizeof pair);
    } else if (byte == '\n' || byte == '\t') {
        puts_text(json, byte == '\n' ? "\\n" : "\\t");
    } else if (byte < 0x20 || byte == 0x7F) {
        snprintf(escape, sizeof escape, "\\u%04x", byte);
        puts_text(json, escape);
    } else if (width == 0) {
        puts_text(json, "\xEF\xBF\xBD");
    } else {
        put(json, text, width);
    }
    return width ? width : 1;
}

/** Escape and quote. Bytes that are not UTF-8 become U+FFFD, one for one. */
static void put_quoted(struct ridge_json *json, const char *text)
{
    puts_text(json, "\"");
    while (*text) {
        size_t plain = 0;
        while (is_plain((unsigned char)text[plain])) {
            plain++;
        }
        put(json, text, plain);
        text += plain;
        text += *text ? put_special(json, text) : 0;
    }
    puts_text(json, "\"");
}

/** Everything that stands before a value: comma, line, key. */
static void member_begin(struct ridge_json *json, const char *key)
{
    if (json->has_members[json->depth]) {
        puts_text(json, json->compact[json->depth] ? ", " : ",");
    }
    if (json->depth > 0) {
        new_line(json);
    }
    json->has_members[json->depth] = true;
    if (key) {
        put_quoted(json, key);
        puts_text(json, ": ");
    }
}

static void nest_begin(struct ridge_json *json, const char *key, const char *bracket, bool compact)
{
    member_begin(json, key);
    puts_text(json, bracket);
    if (json->depth >= RIDGE_JSON_MAX_DEPTH) {
        json->failed = true;
        return;
    }
    const bool inherited = json->compact[json->depth];
    json->depth++;
    json->has_members[json->depth] = false;
    json->compact[json->depth] = compact || inherited;
}

static void nest_end(struct ridge_json *json, const char *bracket)
{
    if (json->depth == 0) {
        json->failed = true;
        return;
    }
    const bool inner = json->has_members[json->depth] && !json->compact[json->depth];
    json->depth--;
    if (inner) {
        new_line(json);
    }
    puts_text(json, bracket);
}

void ridge_json_begin(struct ridge_json *json, struct ridge_sink sink)
{
    memset(json, 0, sizeof *json);
    json->sink = sink;
}

bool ridge_json_end(struct ridge_json *json)
{
    puts_text(json, "\n");
    return !json->failed && json->depth == 0;
}

void ridge_json_object_begin(struct ridge_json *json, const char *key)
{
    nest_begin(json, key, "{", false);
}

void ridge_json_object_begin_compact(struct ridge_json *json, const char *key)
{
    nest_begin(json, key, "{", true);
}

void ridge_json_object_end(struct ridge_json *json)
{
    nest_end(json, "}");
}

void ridge_json_array_begin(struct ridge_json *json, const char *key)
{
    nest_begin(json, key, "[", false);
}

void ridge_json_array_begin_compact(struct ridge_json *json, const char *key)
{
    nest_begin(json, key, "[", true);
}

void ridge_json_array_end(struct ridge_json *json)
{
    nest_end(json, "]");
}

void ridge_json_text(struct ridge_json *json, const char *key, const char *value)
{
    member_begin(json, key);
    if (value) {
        put_quoted(json, value);
    } else {
        puts_text(json, "null");
    }
}

void ridge_json_i64(struct ridge_json *json, const char *key, int64_t value)
{
    char text[RIDGE_NUMBER_BYTES];
    snprintf(text, sizeof text, "%lld", (long long)value);
    member_begin(json, key);
    puts_text(json, text);
}

void ridge_json_u64(struct ridge_json *json, const char *key, uint64_t value)
{
    char text[RIDGE_NUMBER_BYTES];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    member_begin(json, key);
    puts_text(json, text);
}

void ridge_json_double(struct ridge_json *json, const char *key, double value)
{
    char text[RIDGE_NUMBER_BYTES];
    ridge_number_format(value, text);
    member_begin(json, key);
    puts_text(json, isfinite(value) ? text : "null");
}

void ridge_json_bool(struct ridge_json *json, const char *key, bool value)
{
    member_begin(json, key);
    puts_text(json, value ? "true" : "false");
}

void ridge_json_value(struct ridge_json *json, const char *key, const struct ridge_value *value)
{
    char text[RIDGE_NUMBER_BYTES + 2];
    switch (value->type) {
    case RIDGE_INT: ridge_json_i64(json, key, value->as.integer); return;
    case RIDGE_BOOL: ridge_json_bool(json, key, value->as.truth); return;
    case RIDGE_TEXT: ridge_json_text(json, key, value->as.text); return;
    case RIDGE_FLOAT: break;
    }
    ridge_value_format(value, text, sizeof text);
    member_begin(json, key);
    puts_text(json, isfinite(value->as.number) ? text : "null");
}

void ridge_json_null(struct ridge_json *json, const char *key)
{
    member_begin(json, key);
    puts_text(json, "null");
}
