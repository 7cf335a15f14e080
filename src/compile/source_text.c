/* SPDX-License-Identifier: MIT */
#include "compile/source_text.h"

#include <string.h>

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool rg_source_names(const char *text, const char *name)
{
    const size_t length = strlen(name);
    if (length == 0) {
        return false;
    }
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        if ((at == text || !is_word(at[-1])) && !is_word(at[length])) {
            return true;
        }
    }
    return false;
}

bool rg_source_includes(const char *text)
{
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *word = at + 1 + strspn(at + 1, " \t");
        if (strncmp(word, "include", 7) == 0) {
            return true;
        }
    }
    return false;
}

bool rg_macro_may_matter(const char *text, const struct rg_macro *macros, size_t count, size_t at)
{
    if (strstr(text, "##") || rg_source_names(text, macros[at].name)) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (i != at && rg_source_names(macros[i].value, macros[at].name)) {
            return true;
        }
    }
    return false;
}

bool rg_macro_is_possible(const struct rg_macro *macro)
{
    const size_t length = strlen(macro->value);
    return !strpbrk(macro->value, "\n\r") && (length == 0 || macro->value[length - 1] != '\\');
}

/** \return the end of the literal that begins at `at`: behind its closing quote, or the end of its line. */
static char *literal_end(char *at)
{
    const char quote = *at++;
    while (*at && *at != '\n' && *at != quote) {
        at += *at == '\\' && at[1] ? 2 : 1;
    }
    return *at == quote ? at + 1 : at;
}

/** Blank a comment. \return its end. */
static char *comment_blank(char *at)
{
    const bool line = at[1] == '/';
    char *end = line ? at + strcspn(at, "\n") : strstr(at + 2, "*/");
    end = end ? end + (line ? 0 : 2) : at + strlen(at);
    for (; at < end; at++) {
        *at = *at == '\n' ? '\n' : ' ';
    }
    return end;
}

void rg_source_blank_comments(char *text)
{
    if (strstr(text, "R\"")) {
        return;
    }
    for (char *at = text; *at;) {
        const bool separator = *at == '\'' && at > text && is_word(at[-1]); /* 1'000: of digits, no literal */
        if (*at == '/' && (at[1] == '/' || at[1] == '*')) {
            at = comment_blank(at);
        } else if (*at == '"' || (*at == '\'' && !separator)) {
            at = literal_end(at);
        } else {
            at++;
        }
    }
}

void rg_source_quote(struct rg_buffer *out, const char *text)
{
    rg_buffer_puts(out, "\"");
    for (; *text; text++) {
        const bool breaks = *text == '\n' || *text == '\r';
        if (*text == '"' || *text == '\\' || breaks) {
            rg_buffer_puts(out, "\\");
        }
        rg_buffer_append(out, *text == '\n' ? "n" : *text == '\r' ? "r" : text, 1);
    }
    rg_buffer_puts(out, "\"");
}

const char *rg_log_reason(const char *log, size_t *length)
{
    const char *reason = log + strspn(log, "\r\n \t");
    const char *error = strstr(log, "error:");
    if (error) {
        while (error > log && error[-1] != '\n') {
            error--;
        }
        reason = error;
    }
    *length = strcspn(reason, "\r\n");
    return reason;
}

void rg_log_append(struct rg_buffer *out, const char *log)
{
    size_t length;
    const char *reason = rg_log_reason(log, &length);
    rg_buffer_append(out, reason, length);
    rg_buffer_puts(out, "\n");
    rg_buffer_puts(out, log);
}

bool rg_log_disk_full(const char *log)
{
    return strstr(log, "No space left on device") || strstr(log, "Disk quota exceeded");
}
