/* SPDX-License-Identifier: MIT */
/** \file The constants that have no source, in one place; and the notes of a ranking. */
#include <stdarg.h>
#include <stdio.h>

#include "model/model.h"

static const struct ridge_judged table[] = {
#define JUDGED_ROW(name, key, with, without, meaning) {key, with, without, meaning},
    RG_JUDGED_LIST(JUDGED_ROW)
#undef JUDGED_ROW
};

size_t ridge_judged_count(void)
{
    return sizeof table / sizeof table[0];
}

const struct ridge_judged *ridge_judged_at(size_t index)
{
    return index < ridge_judged_count() ? &table[index] : NULL;
}

double rg_judged(enum rg_judged which, bool without_judged)
{
    return without_judged ? table[which].without : table[which].with;
}

void rg_note(struct rg_notes *notes, const char *format, ...)
{
    char text[512];
    if (!notes) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = rg_arena_strdup(notes->arena, text);
    notes->failed = notes->failed || !kept;
    if (kept && notes->count < sizeof notes->items / sizeof notes->items[0]) {
        notes->items[notes->count++] = kept;
    }
}
