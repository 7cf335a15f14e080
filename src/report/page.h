/* SPDX-License-Identifier: MIT */
/**
 * \file Laying out text for a terminal: wrapping, cutting and tables by display columns, never inside a character.
 * Running out of memory is remembered in the page's buffer. Thread rule: one thread a page.
 */
#ifndef RG_REPORT_PAGE_H
#define RG_REPORT_PAGE_H

#include "base/arena.h"
#include "base/buffer.h"

enum {
    RG_PAGE_WIDTH = 100,
    RG_PAGE_LEAST_WIDTH = 40
};

typedef enum rg_style {
    RG_PLAIN,
    RG_BOLD,
    RG_GOOD,
    RG_BAD
} rg_style;

struct rg_page {
    struct rg_buffer text;
    size_t width; /**< columns */
    bool colour;
};

/** Begin an empty page. \param width  0: the default */
void rg_page_init(struct rg_page *page, const struct ridge_context *context, unsigned width, bool colour);
void rg_page_fini(struct rg_page *page);

/** Append text as it is shown: control characters and bad bytes are replaced. */
void rg_page_text(struct rg_page *page, rg_style style, const char *text);

/** Append text in exactly `columns` columns: padded with spaces, or cut with an ellipsis. */
void rg_page_cell(struct rg_page *page, rg_style style, const char *text, size_t columns, bool right);

/** Append text in at most `columns` columns, cut with an ellipsis. */
void rg_page_cut(struct rg_page *page, const char *text, size_t columns);

/**
 * Append text wrapped at spaces, and end the line. A word that is longer than a line is broken.
 * \param column  where the pen is now
 * \param indent  spaces before every further line
 */
void rg_page_wrap(struct rg_page *page, const char *text, size_t column, size_t indent);

/** Append a text of several lines whole, each indented and none wrapped. */
void rg_page_block(struct rg_page *page, const char *text, size_t indent);

void rg_page_spaces(struct rg_page *page, size_t count);

/** A table: cells row by row, the first row is the header. */
struct rg_table {
    struct rg_arena *arena;
    size_t column_count;
    size_t row_count;
    const char **cells;
    const char **below; /**< by row: text wrapped under it, or NULL */
    size_t *widths;     /**< by column: the widest cell; by rg_table_measure */
    bool *right;        /**< by column: aligned to the right */
    bool failed;        /**< memory is out; the table is not to be used */
};

/** Begin a table with room for `rows` rows. Everything lives in the arena. */
void rg_table_init(struct rg_table *table, struct rg_arena *arena, size_t rows, size_t columns);

/** Set a cell; the text is copied. */
void rg_table_set(struct rg_table *table, size_t row, size_t column, const char *text);

/** Measure the columns. \return columns of the whole table with two spaces between its columns. */
size_t rg_table_measure(struct rg_table *table);

/** Write a measured table; what goes beyond the page's width is cut off the last column. */
void rg_table_write(const struct rg_table *table, struct rg_page *page, size_t indent);

#endif
