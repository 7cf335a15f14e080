/* SPDX-License-Identifier: MIT */
#include "ridge/value.h"

#include <stdio.h>
#include <string.h>

#include "ridge/units.h"

static size_t copy_out(const char *text, char *out, size_t bytes)
{
    const size_t length = strlen(text);
    if (bytes > 0) {
        const size_t used = length < bytes ? length : bytes - 1;
        memcpy(out, text, used);
        out[used] = '\0';
    }
    return length;
}

size_t ridge_value_format(const struct ridge_value *value, char *out, size_t bytes)
{
    char text[RIDGE_NUMBER_BYTES + 2];
    switch (value->type) {
    case RIDGE_INT: snprintf(text, sizeof text, "%lld", (long long)value->as.integer); break;
    case RIDGE_FLOAT: {
        char number[RIDGE_NUMBER_BYTES];
        ridge_number_format(value->as.number, number);
        const bool whole = number[strcspn(number, ".en")] == '\0'; /* the n is that of nan and inf */
        snprintf(text, sizeof text, "%s%s", number, whole ? ".0" : "");
        break;
    }
    case RIDGE_BOOL: return copy_out(value->as.truth ? "true" : "false", out, bytes);
    case RIDGE_TEXT: return copy_out(value->as.text, out, bytes);
    }
    return copy_out(text, out, bytes);
}
