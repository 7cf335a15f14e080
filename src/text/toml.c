/* SPDX-License-Identifier: MIT */
#include "text/toml.h"

#include <string.h>

#include "text/toml_parse.h"

enum {
    MAX_KEY_DOTS = 64
};

static const char *const type_names[] = {
    [RG_TOML_TABLE] = "a table",       [RG_TOML_ARRAY] = "a list",  [RG_TOML_TEXT] = "a text",
    [RG_TOML_INT] = "an integer",      [RG_TOML_FLOAT] = "a float", [RG_TOML_BOOL] = "a boolean",
    [RG_TOML_DATE] = "a date or time", [RG_TOML_NULL] = "null",
};

const char *rg_toml_type_name(rg_toml_type type)
{
    return type_names[type];
}

const struct rg_toml *rg_toml_get(const struct rg_toml *table, const char *key)
{
    if (!table || table->type != RG_TOML_TABLE) {
        return NULL;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->children[i].key, key) == 0) {
            return &table->children[i];
        }
    }
    return NULL;
}

/** What would be right, by a word of toml++'s message. */
static const struct {
    const char *word;
    const char *right;
} advice[] = {
    {"redefine", "each key and table may stand once"},
    {"duplicate", "each key and table may stand once"},
    {"end-of-file", "close the quote, bracket or brace"},
    {"line-break", "close the quote before the end of the line, or use three quotes"},
    {"UTF-8", "save the file as UTF-8"},
    {"utf-8", "save the file as UTF-8"},
    {"unescaped control", "close the quote before the end of the line, or use three quotes"},
    {"escape", "write \\\\ for a backslash, or use single quotes"},
    {"value", "a text in quotes, a number, true, false, [a list] or {a table}"},
};

static ridge_status syntax_error(struct rg_toml_problem *problem, struct ridge_error *error)
{
    if (problem->complete) {
        return rg_error_at(error, RIDGE_E_SYNTAX, &problem->place, "%s", problem->what);
    }
    const char *right = "TOML has lines such as key = \"text\" and [table]";
    for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++) {
        if (strstr(problem->what, advice[i].word)) {
            right = advice[i].right;
            break;
        }
    }
    if (problem->what[0] >= 'A' && problem->what[0] <= 'Z') {
        problem->what[0] = (char)(problem->what[0] - 'A' + 'a');
    }
    return rg_error_at(error, RIDGE_E_SYNTAX, &problem->place, "not TOML: %s (%s)", problem->what, right);
}

/** \return where the quoted text that begins at `at` ends; its end of line when it is not closed. */
static const char *skip_quoted(const char *at, const char *end)
{
    const char quote = *at;
    const bool triple = end - at >= 3 && at[1] == quote && at[2] == quote;
    at += triple ? 3 : 1;
    while (at < end && (triple || *at != '\n')) {
        if (quote == '"' && *at == '\\') {
            at++;
        } else if (*at == quote && (!triple || (end - at >= 3 && at[1] == quote && at[2] == quote))) {
            return at + (triple ? 3 : 1);
        }
        at++;
    }
    return at < end ? at : end;
}

/**
 * toml++ 3.3 limits the depth of brackets and not that of dotted keys, each dot of which is a level of recursion when
 * the document is freed. So a key with many dots is refused before toml++ sees it.
 */
static ridge_status check_dots(const char *name, const char *text, size_t length, struct ridge_error *error)
{
    struct rg_place place = {.file = name, .text = text};
    const char *end = text + length;
    unsigned dots = 0;
    for (const char *at = text; at < end;) {
        if (*at == '"' || *at == '\'') {
            at = skip_quoted(at, end);
            continue;
        }
        if (*at == '#') {
            const char *line_end = memchr(at, '\n', (size_t)(end - at));
            at = line_end ? line_end : end;
            continue;
        }
        dots = *at == '.' ? dots + 1 : (strchr("\n,=[{", *at) ? 0 : dots);
        if (dots > MAX_KEY_DOTS) {
            place.line = 1;
            for (const char *before = text; before < at; before++) {
                place.line += *before == '\n';
            }
            return rg_error_at(error, RIDGE_E_SYNTAX, &place, "a key has too many dots (at most %d)", MAX_KEY_DOTS);
        }
        at++;
    }
    return RIDGE_OK;
}

ridge_status rg_toml_read(struct rg_arena *arena, const char *name, const char *text, size_t length,
                          const struct rg_toml **out, struct ridge_error *error)
{
    /* The mark is no part of the first line: neither when it is quoted nor when columns are counted. */
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    const ridge_status dots = check_dots(name, text, length, error);
    if (dots != RIDGE_OK) {
        return dots;
    }
    struct rg_toml *root = rg_arena_alloc(arena, sizeof *root);
    if (!root) {
        return rg_error_memory(error, sizeof *root);
    }
    struct rg_toml_problem problem = {0};
    const ridge_status status = rg_toml_parse(arena, name, text, length, root, &problem);
    if (status == RIDGE_OK) {
        *out = root;
        return RIDGE_OK;
    }
    if (status == RIDGE_E_SYNTAX) {
        return syntax_error(&problem, error);
    }
    if (status == RIDGE_E_MEMORY) {
        return rg_error_memory(error, length);
    }
    return rg_error_set(error, status, "the TOML reader failed in a way that it does not explain");
}

/** Whether `text`, as read, stands at `at` in the file byte by byte, but for CRLF line ends. */
static bool stands_verbatim(const char *at, const char *text)
{
    for (; *text; text++, at++) {
        at += at[0] == '\r' && at[1] == '\n' && *text == '\n';
        if (*at != *text) {
            return false;
        }
    }
    return true;
}

struct rg_place rg_toml_text_place(const struct rg_toml *node)
{
    struct rg_place place = node->place;
    if (!place.text || place.line == 0 || place.column == 0 || node->type != RG_TOML_TEXT) {
        return place;
    }
    const char *at = place.text;
    for (unsigned line = 1; line < place.line && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || strlen(at) < place.column) {
        return place;
    }
    at += place.column - 1;
    const bool triple = (at[0] == '"' || at[0] == '\'') && at[1] == at[0] && at[2] == at[0] && node->text[0];
    const unsigned quotes = triple ? 3 : 1;
    at += quotes;
    place.column += quotes;
    if (triple && (*at == '\n' || (at[0] == '\r' && at[1] == '\n'))) {
        at += *at == '\n' ? 1 : 2;
        place.line++;
        place.column = 1;
    }
    place.length = 0;
    if (!stands_verbatim(at, node->text)) {
        place.column = 0;
    }
    return place;
}
