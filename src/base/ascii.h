/* SPDX-License-Identifier: MIT */
/**
 * \file Letters and digits of ASCII. Not <ctype.h>, nor strcasecmp: those follow the locale of the host program, and in a
 * Turkish one "TIME" is not "time". Bytes beyond 127 are none of them. Pure; any thread.
 */
#ifndef RG_BASE_ASCII_H
#define RG_BASE_ASCII_H

#include <stdbool.h>

static inline bool rg_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/** \return the small letter of a capital one; every other byte as it is. */
static inline char rg_small_letter(char byte)
{
    return (char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

static inline bool rg_is_letter(char byte)
{
    return rg_small_letter(byte) >= 'a' && rg_small_letter(byte) <= 'z';
}

/** \return whether a byte may stand in a C identifier. */
static inline bool rg_is_word(char byte)
{
    return rg_is_letter(byte) || rg_is_digit(byte) || byte == '_';
}

/** \return whether two texts are the same but for the case of their letters. */
static inline bool rg_same_letters(const char *a, const char *b)
{
    while (*a != '\0' && rg_small_letter(*a) == rg_small_letter(*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

#endif
