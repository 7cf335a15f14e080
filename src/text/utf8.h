/* SPDX-License-Identifier: MIT */
/** \file UTF-8, as far as printing needs it. Pure; any thread. Source: RFC 3629. */
#ifndef RG_TEXT_UTF8_H
#define RG_TEXT_UTF8_H

#include <stddef.h>

/** \return bytes of the character at `text`: 1 to 4; 0 when the bytes are not valid UTF-8, or at the end. */
size_t rg_utf8_width(const char *text);

#endif
