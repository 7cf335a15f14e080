/* SPDX-License-Identifier: MIT */
/**
 * \file JSON (RFC 8259) into the tree that TOML is read into, with a position for every value, so that one reader of
 * keys and one way of complaining serve both. Thread rule: a document is unchanging after reading.
 */
#ifndef RG_TEXT_JSON_READ_H
#define RG_TEXT_JSON_READ_H

#include "text/toml.h"

struct rg_json_options {
    /**
     * A key of the root whose value is passed over, not read: brackets and texts are matched and nothing else is
     * checked. The document may end inside it. NULL: none.
     */
    const char *skip;
};

/**
 * Read a document. `null` becomes RG_TOML_NULL. A key that stands twice in an object is refused.
 * \param name  path shown in messages; kept by pointer
 * \param text  NUL-terminated; kept by pointer for quoting lines
 * \param[out] out  lives in the arena; the root is an object
 * \retval RIDGE_E_SYNTAX  with line, column and the line itself
 * \retval RIDGE_E_LIMIT   nested too deeply
 */
ridge_status rg_json_read(struct rg_arena *arena, const char *name, const char *text, size_t length,
                          const struct rg_json_options *options, const struct rg_toml **out, struct ridge_error *error);

#endif
