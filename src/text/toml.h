/* SPDX-License-Identifier: MIT */
/**
 * \file A TOML document as a plain tree with positions. Reading is toml++'s work, behind toml.cpp.
 * Thread rule: a document is unchanging after reading.
 */
#ifndef RG_TEXT_TOML_H
#define RG_TEXT_TOML_H

#include "base/arena.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rg_toml_type {
    RG_TOML_TABLE,
    RG_TOML_ARRAY,
    RG_TOML_TEXT,
    RG_TOML_INT,
    RG_TOML_FLOAT,
    RG_TOML_BOOL,
    RG_TOML_DATE, /**< any date or time; nothing in Ridge takes one */
    RG_TOML_NULL  /**< of JSON alone (json_read.h) */
} rg_toml_type;

/** A node. Children are in the order of the file. */
struct rg_toml {
    rg_toml_type type;
    const char *key;       /**< key in its table; NULL in an array and for the root */
    struct rg_place place; /**< of the value */
    struct rg_place key_place;
    const char *text;               /**< RG_TOML_TEXT; NUL-terminated UTF-8 */
    int64_t integer;                /**< RG_TOML_INT */
    double number;                  /**< RG_TOML_FLOAT */
    bool truth;                     /**< RG_TOML_BOOL */
    size_t count;                   /**< children */
    const struct rg_toml *children; /**< contiguous */
};

/**
 * Read a document.
 * \param name  path shown in messages; kept by pointer
 * \param text  NUL-terminated; a byte-order mark and CRLF line ends are fine; kept by pointer for quoting lines
 * \param[out] out  lives in the arena
 * \retval RIDGE_E_SYNTAX  with line, column and the line itself
 */
ridge_status rg_toml_read(struct rg_arena *arena, const char *name, const char *text, size_t length,
                          const struct rg_toml **out, struct ridge_error *error);

/** \return the child with that key, or NULL. `table` NULL gives NULL. */
const struct rg_toml *rg_toml_get(const struct rg_toml *table, const char *key);

/**
 * \return where the first byte of a text stands, behind its opening quotes. Column 0: the text is not written byte by
 *         byte in the file (it has escapes), so no offset in it is one in the file.
 */
struct rg_place rg_toml_text_place(const struct rg_toml *node);

/** \return what a type is called in a message: "a table", "an integer". */
const char *rg_toml_type_name(rg_toml_type type);

#ifdef __cplusplus
}
#endif
#endif
