/* SPDX-License-Identifier: MIT */
#include "text/c_write.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"

/* Sources: ISO C17 6.4.1 and ISO C++17 [lex.key]; those of later editions and of CUDA and OpenCL that are common. */
static const char *const keywords[] = {
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "const_cast",
    "continue",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "kernel",
    "long",
    "main",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "linux",
};

static bool is_keyword(const char *name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strcmp(name, keywords[i]) == 0) {
            return true;
        }
    }
    return false;
}

void rg_c_name(const char *text, char out[RG_C_NAME_BYTES])
{
    size_t used = 0;
    if (!rg_is_letter(text[0])) {
        out[used++] = 'x';
    }
    for (size_t i = 0; text[i] && used < RG_C_NAME_BYTES - 2; i++) {
        out[used++] = (char)(rg_is_letter(text[i]) || rg_is_digit(text[i]) ? text[i] : '_');
    }
    out[used] = '\0';
    if (is_keyword(out)) {
        out[used++] = '_';
        out[used] = '\0';
    }
}

void rg_c_macro(const char *text, char out[RG_C_NAME_BYTES])
{
    rg_c_name(text, out);
    for (char *at = out; *at; at++) {
        *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    }
}

void rg_c_comment(struct rg_buffer *buffer, const char *label, const char *text)
{
    rg_buffer_printf(buffer, " * %s%s", label, label[0] ? ": " : "");
    for (const char *at = text; *at; at++) {
        const unsigned char byte = (unsigned char)*at;
        const char plain[2] = {(char)(byte < 0x20 || byte == 0x7F ? ' ' : *at), '\0'};
        /* A slash beside a star would end the comment, or warn of one in it; a backslash at the end would join lines. */
        const bool split = at > text && ((at[-1] == '*' && *at == '/') || (at[-1] == '/' && *at == '*'));
        rg_buffer_printf(buffer, "%s%s", split ? " " : "", plain);
    }
    rg_buffer_puts(buffer, text[0] && text[strlen(text) - 1] == '\\' ? " .\n" : "\n");
}

void rg_c_string(struct rg_buffer *buffer, const char *text)
{
    rg_buffer_puts(buffer, "\"");
    for (const char *at = text; *at; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte == 0x7F) {
            rg_buffer_printf(buffer, "\\%03o", byte);
        } else if (*at == '"' || *at == '\\' || *at == '?') { /* a question mark may begin a trigraph */
            rg_buffer_printf(buffer, "\\%c", *at);
        } else {
            rg_buffer_append(buffer, at, 1);
        }
    }
    rg_buffer_puts(buffer, "\"");
}
