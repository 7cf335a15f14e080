/* SPDX-License-Identifier: MIT */
#include "text/utf8.h"

#include <stdint.h>

struct lead {
    unsigned char low, high;           /* first byte */
    unsigned char next_low, next_high; /* second byte: excludes overlong forms and surrogates */
    unsigned char width;
};

static const struct lead leads[] = {
    {0x01, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

size_t rg_utf8_width(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t row = 0; row < sizeof leads / sizeof leads[0]; row++) {
        const struct lead *lead = &leads[row];
        if (bytes[0] < lead->low || bytes[0] > lead->high) {
            continue;
        }
        if (lead->width > 1 && (bytes[1] < lead->next_low || bytes[1] > lead->next_high)) {
            return 0;
        }
        for (size_t at = 2; at < lead->width; at++) {
            if ((bytes[at] & 0xC0U) != 0x80U) {
                return 0;
            }
        }
        return lead->width;
    }
    return 0;
}
