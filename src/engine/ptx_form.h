/* SPDX-License-Identifier: MIT */
/**
 * \file The instructions that are known, as forms: which words may stand behind an opcode, and which of them together.
 * What no form has is refused; tests walk over the forms, so that each has its test. Thread rule: pure.
 */
#ifndef RG_ENGINE_PTX_FORM_H
#define RG_ENGINE_PTX_FORM_H

#include "engine/ptx_read.h"

/**
 * Words: places in the order in which PTX writes them, with blanks between; a place lists the words that it takes, with
 * commas. In front of a place: "?" it may be empty; "~" it may be empty and changes no result; "=" it changes no result.
 */
struct rg_form {
    const char *opcode;
    rg_decoder decode;
    const char *words;
};
extern const struct rg_form rg_forms[]; /**< ascending by opcode */
extern const size_t rg_form_count;

/** One place of a form's words. */
struct rg_form_place {
    const char *words;
    uint32_t length;
    char mark; /**< '?', '~', '=', or 0 */
};
/** Take the next place off a form's words; false: there is none. */
bool rg_form_next(const char **words, struct rg_form_place *place);

/** \return the form of an instruction, whose words are put into the form's order; NULL: none, and *stranger is a word that
 * no form of the opcode has, or NULL. *known: whether there is such an opcode. */
const struct rg_form *rg_form_find(struct rg_instruction *in, const struct rg_word **stranger, bool *known);

#endif
