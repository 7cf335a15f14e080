/* SPDX-License-Identifier: MIT */
/** \file Spellings from the engine's forms, and rows for spellings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction.h"

bool is(const struct spelling *spelling, const char *opcode)
{
    return strcmp(spelling->opcode, opcode) == 0;
}

bool has(const struct spelling *spelling, const char *word)
{
    for (unsigned i = 0; i < spelling->word_count; i++) {
        if (spelling->words[i][0] == word[0] && strcmp(spelling->words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

struct type type_of(const char *word)
{
    static const struct {
        const char *word;
        struct type type;
    } floats[] = {
        {"f16", {'f', 16, 1, {5, 10, 0}}},   {"f16x2", {'f', 32, 2, {5, 10, 0}}}, {"bf16", {'f', 16, 1, {8, 7, 0}}},
        {"bf16x2", {'f', 32, 2, {8, 7, 0}}}, {"tf32", {'f', 32, 1, {8, 10, 13}}}, {"f32", {'f', 32, 1, {8, 23, 0}}},
        {"f64", {'f', 64, 1, {11, 52, 0}}},  {"pred", {'p', 1, 1, {0, 0, 0}}},    {"e4m3x2", {'b', 16, 1, {4, 3, 0}}},
        {"e5m2x2", {'b', 16, 1, {5, 2, 0}}}, {"u16x2", {'u', 32, 2, {0, 0, 0}}},  {"s16x2", {'s', 32, 2, {0, 0, 0}}}};
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        if (strcmp(floats[i].word, word) == 0) {
            return floats[i].type;
        }
    }
    char *end = NULL;
    const unsigned long bits = word[0] ? strtoul(word + 1, &end, 10) : 0;
    const bool known = strchr("usb", word[0]) && (bits == 8 || bits == 16 || bits == 32 || bits == 64) && *end == '\0';
    return known ? (struct type){word[0], (unsigned)bits, 1, {0, 0, 0}} : (struct type){0};
}

struct type last_type(const struct spelling *spelling)
{
    return spelling->type_count ? spelling->types[spelling->type_count - 1] : (struct type){0};
}

struct places {
    struct rg_form_place place[MOST_WORDS];
    unsigned count;
    int chosen[MOST_WORDS]; /* -1: empty */
};

/** The number of words that a place lists. */
static int words_in(const struct rg_form_place *place)
{
    int count = 1;
    for (u32 i = 0; i < place->length; i++) {
        count += place->words[i] == ',';
    }
    return count;
}

static void copy_word(const struct rg_form_place *place, int index, char *word, size_t size)
{
    const char *at = place->words;
    for (; index > 0; index--) {
        at = strchr(at, ',') + 1;
    }
    snprintf(word, size, "%.*s", (int)strcspn(at, ", "), at);
}

static void spell(const struct rg_form *form, const struct places *places,
                  void (*visit)(const struct spelling *, void *), void *user)
{
    struct spelling made = {.opcode = form->opcode};
    int at = snprintf(made.text, sizeof made.text, "%s", form->opcode);
    for (unsigned i = 0; i < places->count; i++) {
        if (places->chosen[i] < 0) {
            continue;
        }
        char *word = made.words[made.word_count++];
        copy_word(&places->place[i], places->chosen[i], word, sizeof made.words[0]);
        at += snprintf(made.text + at, sizeof made.text - (size_t)at, ".%s", word);
        const struct type type = type_of(word);
        if (type.kind) {
            made.types[made.type_count++] = type;
        }
    }
    visit(&made, user);
}

/** Hints: one at a time, at the first word of all other places. */
static void spell_hints(const struct rg_form *form, const struct places *first,
                        void (*visit)(const struct spelling *, void *), void *user)
{
    for (unsigned i = 0; i < first->count; i++) {
        const char mark = first->place[i].mark;
        for (int word = mark == '=' ? 1 : 0; (mark == '=' || mark == '~') && word < words_in(&first->place[i]);
             word++) {
            struct places one = *first;
            one.chosen[i] = word;
            spell(form, &one, visit, user);
        }
    }
}

static void spell_form(const struct rg_form *form, void (*visit)(const struct spelling *, void *), void *user)
{
    struct places places = {0};
    const char *rest = form->words;
    while (rg_form_next(&rest, &places.place[places.count])) {
        const char mark = places.place[places.count].mark;
        places.chosen[places.count++] = mark == '?' || mark == '~' ? -1 : 0;
    }
    const struct places first = places;
    for (;;) {
        spell(form, &places, visit, user);
        unsigned i = 0;
        for (; i < places.count; i++) {
            const char mark = places.place[i].mark;
            if ((mark == 0 || mark == '?') && ++places.chosen[i] < words_in(&places.place[i])) {
                break;
            }
            places.chosen[i] = first.chosen[i];
        }
        if (i == places.count) {
            break;
        }
    }
    spell_hints(form, &first, visit, user);
}

void each_spelling(void (*visit)(const struct spelling *spelling, void *user), void *user)
{
    for (size_t i = 0; i < rg_form_count; i++) {
        spell_form(&rg_forms[i], visit, user);
    }
}

static bool place_takes(const struct rg_form_place *place, const char *word)
{
    for (int i = 0; i < words_in(place); i++) {
        char listed[32];
        copy_word(place, i, listed, sizeof listed);
        if (strcmp(listed, word) == 0) {
            return true;
        }
    }
    return false;
}

bool row_takes(const struct row *row, const struct spelling *spelling)
{
    struct rg_form_place place;
    unsigned word = 0; /* both are in the order in which PTX writes them */
    if (!is(spelling, row->opcode)) {
        return false;
    }
    for (const char *rest = row->words; rg_form_next(&rest, &place);) {
        if (word < spelling->word_count && place_takes(&place, spelling->words[word])) {
            word++;
        } else if (place.mark == 0) {
            return false;
        }
    }
    return word == spelling->word_count;
}
