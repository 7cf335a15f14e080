/* SPDX-License-Identifier: MIT */
/**
 * \file CSV as RFC 4180 says, read in place: fields are cut out of the text itself, so a message that quotes a line needs
 * a copy of it. Thread rule: one thread a reader.
 */
#ifndef RG_TEXT_CSV_H
#define RG_TEXT_CSV_H

#include "base/context.h"

/** A reader; it stands before the first row. */
struct rg_csv {
    const struct ridge_context *context;
    char *text;   /**< the whole text, NUL-terminated */
    char *at;     /**< the next byte */
    char *cut_at; /**< where the last field was ended; put back before the next row, so that lines can be counted */
    char cut;     /**< what stood there */
    const char **fields; /**< of the row at hand */
    size_t *offsets;     /**< where each begins in the text */
    size_t count;
    size_t capacity;
    size_t offset_capacity;
    size_t offset; /**< of the row at hand */
};

void rg_csv_init(struct rg_csv *csv, const struct ridge_context *context, char *text);
void rg_csv_fini(struct rg_csv *csv);

/**
 * Read a row.
 * \param[out] more  false at the end of the text
 * \retval RIDGE_E_SYNTAX  a quote is not closed, in the row at `offset`
 * \retval RIDGE_E_MEMORY
 */
ridge_status rg_csv_next(struct rg_csv *csv, bool *more);

#endif
