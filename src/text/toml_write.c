/* SPDX-License-Identifier: MIT */
/* Source of the escapes: TOML 1.0.0, basic strings. */
#include "text/toml_write.h"

#include "ridge/units.h"
#include "text/utf8.h"

static void append_quoted(struct rg_buffer *buffer, const char *text)
{
    rg_buffer_puts(buffer, "\"");
    while (*text) {
        const size_t width = rg_utf8_width(text);
        const unsigned char byte = (unsigned char)*text;
        if (width == 0) {
            rg_buffer_puts(buffer, "\\uFFFD");
        } else if (byte < 0x20 || byte == 0x7F) {
            rg_buffer_printf(buffer, "\\u%04X", byte);
        } else {
            rg_buffer_puts(buffer, byte == '"' || byte == '\\' ? "\\" : "");
            rg_buffer_append(buffer, text, width);
        }
        text += width > 0 ? width : 1;
    }
    rg_buffer_puts(buffer, "\"");
}

static void append_number(struct rg_buffer *buffer, double number)
{
    char text[RIDGE_NUMBER_BYTES];
    ridge_number_format(number, text);
    rg_buffer_puts(buffer, text);
}

void rg_toml_write_text(struct rg_buffer *buffer, const char *key, const char *text)
{
    rg_buffer_printf(buffer, "%s = ", key);
    append_quoted(buffer, text);
    rg_buffer_puts(buffer, "\n");
}

void rg_toml_write_number(struct rg_buffer *buffer, const char *key, double number)
{
    rg_buffer_printf(buffer, "%s = ", key);
    append_number(buffer, number);
    rg_buffer_puts(buffer, "\n");
}

void rg_toml_write_numbers(struct rg_buffer *buffer, const char *key, const double *numbers, size_t count)
{
    rg_buffer_printf(buffer, "%s = [", key);
    for (size_t i = 0; i < count; i++) {
        rg_buffer_puts(buffer, i > 0 ? ", " : "");
        append_number(buffer, numbers[i]);
    }
    rg_buffer_puts(buffer, "]\n");
}
