/* SPDX-License-Identifier: MIT */
/** \file How wide a text is on a terminal, and cutting it without breaking a character. Pure; any thread. */
#ifndef RG_TEXT_COLUMNS_H
#define RG_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

/** A character as it is shown. */
struct rg_glyph {
    size_t bytes;      /**< in the text, at least 1; 0: the end of the text */
    unsigned columns;  /**< 0 for combining marks, 2 for wide characters (most of CJK, emoji), else 1 */
    const char *shown; /**< what to print: the text itself, or a replacement for a control character or a bad byte */
    size_t shown_bytes;
};

/** Look at the character at `text`. A tab and a line end are control characters too: both are shown as a space. */
struct rg_glyph rg_glyph_at(const char *text);

/** \return columns of a text on one line. */
size_t rg_columns(const char *text);

#endif
