/* SPDX-License-Identifier: MIT */
/* What a person calls a kernel. */
#include <stdio.h>
#include <string.h>

#include "ridge/binary.h"

/** A part of a readable name. */
struct part {
    const char *begin;
    const char *end;
};

/** \return the end of the argument list that begins with the bracket at `at`. */
static const char *close_bracket(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end; at++) {
        depth += strchr("<([{", *at) != NULL;
        depth -= strchr(">)]}", *at) != NULL;
        if (depth <= 0) {
            return at + 1;
        }
    }
    return end;
}

/**
 * Cut "void lab::axpb<float, 3>(float*)" down to "lab::axpb<float, 3>": the part between the last space outside of
 * brackets before the parameters, and the parameters. "(anonymous namespace)" is no parameter list: :: follows it.
 */
static struct part bare_name(const char *name)
{
    const char *const end = name + strlen(name);
    struct part bare = {name, end};
    for (const char *at = name; at < end;) {
        const char *behind = strchr("<([{", *at) ? close_bracket(at, end) : at + 1;
        if (*at == '(' && strncmp(behind, "::", 2) != 0) {
            bare.end = at;
            return bare;
        }
        bare.begin = *at == ' ' ? at + 1 : bare.begin;
        at = behind;
    }
    return bare;
}

/** Compare without spaces. */
static bool is_same(struct part part, const char *text)
{
    const char *at = part.begin;
    for (;;) {
        at += strspn(at, " ") < (size_t)(part.end - at) ? strspn(at, " ") : (size_t)(part.end - at);
        text += strspn(text, " ");
        if (at == part.end || *text == '\0') {
            return at == part.end && *text == '\0';
        }
        if (*at++ != *text++) {
            return false;
        }
    }
}

/** \return the beginning of the template arguments that end the part, or its end when there are none. */
static const char *arguments_of(struct part part)
{
    for (const char *at = part.begin; at < part.end;) {
        const char *behind = strchr("<([{", *at) ? close_bracket(at, part.end) : at + 1;
        if (*at == '<' && behind == part.end) {
            return at;
        }
        at = behind;
    }
    return part.end;
}

/** Compare with a name, and with what is left when namespaces are taken off its front, one after another. */
static bool is_suffix(struct part part, const char *text)
{
    if (is_same(part, text)) {
        return true;
    }
    for (const char *at = part.begin; at + 2 < part.end;) {
        const char *behind = strchr("<([{", *at) ? close_bracket(at, part.end) : at + 1;
        if (strncmp(at, "::", 2) == 0 && is_same((struct part){at + 2, part.end}, text)) {
            return true;
        }
        at = behind;
    }
    return false;
}

size_t ridge_binary_short_name(const char *readable_name, char *out, size_t bytes)
{
    const struct part bare = bare_name(readable_name);
    const int length = snprintf(out, bytes, "%.*s", (int)(bare.end - bare.begin), bare.begin);
    return length > 0 ? (size_t)length : 0;
}

bool ridge_binary_kernel_is(const struct ridge_binary_kernel *kernel, const char *name)
{
    const char *readable = kernel->readable_name;
    if (strcmp(kernel->name, name) == 0 || is_same((struct part){readable, readable + strlen(readable)}, name)) {
        return true;
    }
    const struct part bare = bare_name(readable);
    return is_suffix(bare, name) || is_suffix((struct part){bare.begin, arguments_of(bare)}, name);
}
