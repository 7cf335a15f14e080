/* SPDX-License-Identifier: MIT */
/**
 * \file Configurations as rows of CSV or JSON, or as ids alone, fast: the text of every value is made once, and a row
 * keeps what it shares with the row before it.
 */
#ifndef CLI_SPACE_ROWS_H
#define CLI_SPACE_ROWS_H

#include "ridge/sink.h"
#include "ridge/space.h"

enum rows_format {
    ROWS_CSV,
    ROWS_JSON, /* an array of objects, one a line */
    ROWS_IDS
};

struct rows;

/** Start: the CSV header, or the opening bracket. \return NULL when memory is out. */
struct rows *rows_begin(const struct ridge_space *space, enum rows_format format, struct ridge_sink sink);

struct row {
    const uint32_t *choice;
    struct ridge_space_cursor *cursor; /* stands at `choice`, and stood at the row before; NULL: anywhere */
};

/** Write a row. \return false when the sink refused. */
bool rows_put(struct rows *rows, const struct row *row);

/** Write what is left, and free. \return false when the sink refused. NULL is fine. */
bool rows_end(struct rows *rows);

#endif
