/* SPDX-License-Identifier: MIT */
/** \file Pieces of C source from any text: identifiers, comments, strings. Thread rule: pure apart from the buffers. */
#ifndef RG_TEXT_C_WRITE_H
#define RG_TEXT_C_WRITE_H

#include "base/buffer.h"

enum {
    RG_C_NAME_BYTES = 64
};

/**
 * Make an identifier: every other byte becomes `_`, a digit or `_` in front gets an `x`, a keyword of C or C++ a `_`
 * behind; the text is cut to fit, and an empty one becomes `x`.
 */
void rg_c_name(const char *text, char out[RG_C_NAME_BYTES]);

/** The same in capitals, for macros. */
void rg_c_macro(const char *text, char out[RG_C_NAME_BYTES]);

/** Append a line of a block comment, ` * label: text`, which nothing in the text can end; line ends become blanks. */
void rg_c_comment(struct rg_buffer *buffer, const char *label, const char *text);

/** Append a string literal with its quotes. */
void rg_c_string(struct rg_buffer *buffer, const char *text);

#endif
