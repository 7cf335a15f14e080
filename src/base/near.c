/* SPDX-License-Identifier: MIT */
#include "ridge/units.h"

#include <string.h>

#include "base/ascii.h"

enum {
    MAX_NAME_BYTES = 64
};

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/** Levenshtein distance of two short strings, one row at a time. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[MAX_NAME_BYTES + 1];
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t replaced = diagonal + (rg_small_letter(a[i - 1]) != rg_small_letter(b[j - 1]));
            diagonal = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, replaced);
        }
    }
    return row[b_length];
}

const char *ridge_near_name(const char *name, const char *const *names, size_t count)
{
    const size_t length = strlen(name);
    if (length > MAX_NAME_BYTES) {
        return NULL;
    }
    const char *nearest = NULL;
    size_t best = length / 3 > 1 ? length / 3 + 1 : 2;
    for (size_t i = 0; i < count; i++) {
        const size_t candidate_length = names[i] ? strlen(names[i]) : MAX_NAME_BYTES + 1;
        if (candidate_length > MAX_NAME_BYTES) {
            continue;
        }
        const size_t distance = edit_distance(name, length, names[i], candidate_length);
        if (distance < best) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
