/* SPDX-License-Identifier: MIT */
/**
 * \file Which configurations of a space share their code: those that differ only in values that no text of the source
 * names. Thread rule: unchanging after it is made.
 */
#ifndef RG_TUNE_SPECIALISE_H
#define RG_TUNE_SPECIALISE_H

#include "base/arena.h"
#include "compile/compiler.h"
#include "space/space.h"

struct rg_specialisations {
    uint64_t configurations;
    uint64_t count;                 /**< distinct ones */
    uint32_t *of;                   /**< by configuration: its specialisation */
    uint64_t *first;                /**< by specialisation: its first configuration */
    uint64_t *sharing;              /**< by specialisation: how many configurations it has */
    bool needed[RG_MAX_DIMENSIONS]; /**< by dimension: its value makes a difference */
};

/**
 * Find them. \param source  what is compiled: language, path, text, folder, entry, options; its macros are not looked at
 * \param arena  owns what is made
 */
ridge_status rg_specialise(const struct ridge_context *context, const struct ridge_space *space,
                           const struct rg_compile_job *source, struct rg_arena *arena, struct rg_specialisations *out,
                           struct ridge_error *error);

#endif
