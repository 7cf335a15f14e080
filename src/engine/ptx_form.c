/* SPDX-License-Identifier: MIT */
#include "engine/ptx_form.h"

#include <string.h>

enum {
    MOST_PLACES = 16
};

bool rg_form_next(const char **words, struct rg_form_place *place)
{
    const char *at = *words;
    while (*at == ' ') {
        at++;
    }
    *place = (struct rg_form_place){0};
    if (*at == '?' || *at == '~' || *at == '=') {
        place->mark = *at++;
    }
    place->words = at;
    place->length = (uint32_t)strcspn(at, " ");
    *words = at + place->length;
    return place->length > 0;
}

/** Whether a place takes a word (which has its dot in front). */
static bool takes(const struct rg_form_place *place, const struct rg_word *word)
{
    const uint32_t length = word->length - 1;
    const char *end = place->words + place->length;
    for (const char *at = place->words; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        if ((uint32_t)(stop - at) == length && memcmp(at, word->text + 1, length) == 0) {
            return true;
        }
        at = stop + 1;
    }
    return false;
}

static bool is_type(const struct rg_word *word)
{
    return rg_type_find(word->text + 1, word->length - 1) != RG_TYPE_COUNT;
}

/** Give each word a place: types in their order, other words in any. \return false: they do not fit. */
static bool fit(const struct rg_form *form, const struct rg_instruction *in, const struct rg_word *filled[MOST_PLACES])
{
    struct rg_form_place places[MOST_PLACES];
    const char *rest = form->words;
    unsigned count = 0;
    unsigned first_type = 0;
    while (count < MOST_PLACES && rg_form_next(&rest, &places[count])) {
        filled[count++] = NULL;
    }
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        const struct rg_word *word = &in->modifiers[i];
        const bool type = is_type(word);
        unsigned at = type ? first_type : 0;
        while (at < count && (filled[at] || !takes(&places[at], word))) {
            at++;
        }
        if (at == count) {
            return false;
        }
        filled[at] = word;
        first_type = type ? at + 1 : first_type;
    }
    for (unsigned at = 0; at < count; at++) {
        if (!filled[at] && (places[at].mark == 0 || places[at].mark == '=')) {
            return false;
        }
    }
    for (unsigned at = count; at < MOST_PLACES; at++) {
        filled[at] = NULL;
    }
    return true;
}

static void put_in_order(struct rg_instruction *in, const struct rg_word *const filled[MOST_PLACES])
{
    struct rg_word ordered[MOST_PLACES];
    uint32_t count = 0;
    for (unsigned at = 0; at < MOST_PLACES; at++) {
        if (filled[at]) {
            ordered[count++] = *filled[at];
        }
    }
    if (count) {
        memcpy(in->modifiers, ordered, count * sizeof *ordered);
    }
}

static int compare_opcode(const struct rg_form *form, const struct rg_word *opcode)
{
    const int order = strncmp(form->opcode, opcode->text, opcode->length);
    return order ? order : form->opcode[opcode->length] != '\0';
}

/** The first form of an opcode, or where it would be. */
static size_t first_of(const struct rg_word *opcode)
{
    size_t low = 0;
    size_t high = rg_form_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_opcode(&rg_forms[middle], opcode) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_place(const struct rg_form *form, const struct rg_word *word)
{
    struct rg_form_place place;
    for (const char *rest = form->words; rg_form_next(&rest, &place);) {
        if (takes(&place, word)) {
            return true;
        }
    }
    return false;
}

/** The first word that no form from `first` on has; NULL: each is in one. */
static const struct rg_word *find_stranger(const struct rg_instruction *in, size_t first)
{
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        bool known = false;
        for (size_t at = first; at < rg_form_count && compare_opcode(&rg_forms[at], &in->opcode) == 0; at++) {
            known |= has_place(&rg_forms[at], &in->modifiers[i]);
        }
        if (!known) {
            return &in->modifiers[i];
        }
    }
    return NULL;
}

const struct rg_form *rg_form_find(struct rg_instruction *in, const struct rg_word **stranger, bool *known)
{
    const struct rg_word *filled[MOST_PLACES];
    const size_t first = first_of(&in->opcode);
    *stranger = NULL;
    *known = first < rg_form_count && compare_opcode(&rg_forms[first], &in->opcode) == 0;
    for (size_t at = first; at < rg_form_count && compare_opcode(&rg_forms[at], &in->opcode) == 0; at++) {
        if (fit(&rg_forms[at], in, filled)) {
            put_in_order(in, filled);
            return &rg_forms[at];
        }
    }
    *stranger = find_stranger(in, first);
    return NULL;
}
