/* SPDX-License-Identifier: MIT */
#include "ridge/value.h"

#include <stdio.h>
#include <string.h>

#include "ridge/units.h"

size_t ridge_value_format(const struct ridge_value *value, char *out, size_t bytes)
{
    char number[RIDGE_NUMBER_BYTES + 2];
    const char *text = number;
    switch (value->type) {
    case RIDGE_INT: snprintf(number, sizeof number, "%lld", (long long)value->as.integer); break;
    case RIDGE_FLOAT:
        ridge_number_format(value->as.number, number);
        if (!strpbrk(number, ".en")) {
            memcpy(number + strlen(number), ".0", sizeof ".0");
        }
        break;
    case RIDGE_BOOL: text = value->as.truth ? "true" : "false"; break;
    case RIDGE_TEXT: text = value->as.text; break;
    }
    return (size_t)snprintf(out, bytes, "%s", text);
}
