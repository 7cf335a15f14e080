/* SPDX-License-Identifier: MIT */
#include "command_text.h"

#include <stdio.h>
#include <string.h>

struct text {
    char *out;
    size_t bytes;
    size_t used;
};

static void put(struct text *text, const char *piece)
{
    const size_t length = strlen(piece);
    if (text->used + length + 4 < text->bytes) { /* room for "..." */
        memcpy(text->out + text->used, piece, length + 1);
        text->used += length;
    } else if (text->used + 3 < text->bytes) {
        memcpy(text->out + text->used, "...", 4);
        text->used = text->bytes; /* nothing more fits */
    }
}

/** Quote what a shell would read otherwise. */
static void put_argument(struct text *text, const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=@+%";
    put(text, " ");
    if (argument[0] && argument[strspn(argument, plain)] == '\0') {
        put(text, argument);
        return;
    }
    put(text, "'");
    for (const char *at = argument; *at; at++) {
        const char byte[2] = {*at, '\0'};
        put(text, *at == '\'' ? "'\\''" : byte);
    }
    put(text, "'");
}

void command_text(const char *command, int argc, char **argv, char *out, size_t bytes)
{
    struct text text = {.out = out, .bytes = bytes};
    out[0] = '\0';
    put(&text, "ridge ");
    put(&text, command);
    for (int i = 1; i < argc; i++) {
        put_argument(&text, argv[i]);
    }
}
