/* SPDX-License-Identifier: MIT */
#include "text/columns.h"

#include <stdint.h>

#include "text/utf8.h"

struct range {
    uint32_t first, last;
    unsigned columns;
};

/** Ascending. Source: Unicode 15.0, EastAsianWidth.txt (W and F) and general categories Mn, Me, Cf, joined to blocks. */
static const struct range ranges[] = {
    {0x0300, 0x036F, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05BD, 0},   {0x0610, 0x061A, 0},   {0x064B, 0x065F, 0},
    {0x0900, 0x0902, 0},   {0x093C, 0x093C, 0},   {0x0E31, 0x0E31, 0},   {0x0E34, 0x0E3A, 0},   {0x0E47, 0x0E4E, 0},
    {0x1100, 0x115F, 2},   {0x1AB0, 0x1AFF, 0},   {0x1DC0, 0x1DFF, 0},   {0x200B, 0x200F, 0},   {0x202A, 0x202E, 0},
    {0x2060, 0x2064, 0},   {0x20D0, 0x20FF, 0},   {0x231A, 0x231B, 2},   {0x23E9, 0x23EC, 2},   {0x25FD, 0x25FE, 2},
    {0x2614, 0x2615, 2},   {0x2648, 0x2653, 2},   {0x26A1, 0x26A1, 2},   {0x26BD, 0x26BE, 2},   {0x26D4, 0x26D4, 2},
    {0x2705, 0x2705, 2},   {0x270A, 0x270B, 2},   {0x2728, 0x2728, 2},   {0x274C, 0x274C, 2},   {0x2753, 0x2755, 2},
    {0x2757, 0x2757, 2},   {0x2795, 0x2797, 2},   {0x2B1B, 0x2B1C, 2},   {0x2B50, 0x2B50, 2},   {0x2E80, 0x303E, 2},
    {0x3041, 0x33FF, 2},   {0x3400, 0x4DBF, 2},   {0x4E00, 0x9FFF, 2},   {0xA000, 0xA4CF, 2},   {0xA960, 0xA97F, 2},
    {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},   {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},
    {0xFEFF, 0xFEFF, 0},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},   {0x16FE0, 0x18CFF, 2}, {0x1AFF0, 0x1B2FB, 2},
    {0x1F300, 0x1F64F, 2}, {0x1F680, 0x1F6FF, 2}, {0x1F7E0, 0x1F7EB, 2}, {0x1F900, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2},
    {0xE0001, 0xE01EF, 0},
};

static unsigned code_columns(uint32_t code)
{
    size_t low = 0;
    size_t high = sizeof ranges / sizeof ranges[0];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (code > ranges[middle].last) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < sizeof ranges / sizeof ranges[0] && code >= ranges[low].first;
    return found ? ranges[low].columns : 1;
}

static uint32_t decode(const char *text, size_t width)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (width == 1) {
        return bytes[0];
    }
    uint32_t code = bytes[0] & (0x7FU >> width);
    for (size_t i = 1; i < width; i++) {
        code = code << 6 | (bytes[i] & 0x3FU);
    }
    return code;
}

struct rg_glyph rg_glyph_at(const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    if (*text == '\0') {
        return (struct rg_glyph){0, 0, text, 0};
    }
    if (*text == '\t' || *text == '\n' || *text == '\r') {
        return (struct rg_glyph){1, 1, " ", 1};
    }
    const size_t width = rg_utf8_width(text);
    const uint32_t code = width > 0 ? decode(text, width) : 0;
    if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
        return (struct rg_glyph){width > 0 ? width : 1, 1, replacement, sizeof replacement - 1};
    }
    return (struct rg_glyph){width, code_columns(code), text, width};
}

size_t rg_columns(const char *text)
{
    size_t columns = 0;
    for (struct rg_glyph glyph = rg_glyph_at(text); glyph.bytes > 0; glyph = rg_glyph_at(text)) {
        columns += glyph.columns;
        text += glyph.bytes;
    }
    return columns;
}
