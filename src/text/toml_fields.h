/* SPDX-License-Identifier: MIT */
/**
 * \file Tables of a fact file read by a list of fields: what a key may hold, where it goes, what would be right.
 * Thread rule: one thread a reader; what was read lives in the reader's arena.
 */
#ifndef RG_TEXT_TOML_FIELDS_H
#define RG_TEXT_TOML_FIELDS_H

#include "text/toml.h"

/** What a key holds, and the type at its offset. */
typedef enum rg_field_type {
    RG_FIELD_TEXT,    /**< const char *; not empty */
    RG_FIELD_NUMBER,  /**< double */
    RG_FIELD_COUNT,   /**< uint64_t */
    RG_FIELD_TEXTS,   /**< struct rg_texts: a text or an array of them */
    RG_FIELD_NUMBERS, /**< struct rg_numbers: an array */
    RG_FIELD_SOURCE,  /**< const char *: the texts behind one or more ids of [sources], joined */
    RG_FIELD_NODE     /**< const struct rg_toml *: whatever it is */
} rg_field_type;

struct rg_texts {
    size_t count;
    const char *const *items;
};

struct rg_numbers {
    size_t count;
    const double *items;
};

struct rg_field {
    const char *key;
    rg_field_type type;
    bool required;
    size_t offset;
    double least; /**< of a number, a count, and each of several */
    double most;
};

struct rg_fields {
    const char *table; /**< as messages call it: "[[row]]" */
    const struct rg_field *items;
    size_t count;
};

struct rg_fields_reader {
    struct rg_arena *arena;
    const struct rg_toml *sources; /**< [sources]; NULL: none */
    struct ridge_error *error;
};

/**
 * Read a table. Fields that it does not have keep what `target` holds.
 * \retval RIDGE_E_NAME   an unknown key or source; the message names the nearest key
 * \retval RIDGE_E_VALUE  a missing key, a wrong type, a number out of range
 */
ridge_status rg_fields_read(const struct rg_fields_reader *reader, const struct rg_fields *fields,
                            const struct rg_toml *table, void *target);

#endif
