/* SPDX-License-Identifier: MIT */
#include "space_rows.h"

#include <stdlib.h>
#include <string.h>

#include "ridge/value.h"

enum {
    BLOCK = 1 << 16, /* bytes that are handed to the sink at a time */
    SLACK = 32       /* a short text is copied as this many bytes, whatever its length */
};

/** The text of a value with all that stands before and behind it up to the next dimension with several values. */
struct piece {
    const char *text; /* SLACK bytes may be read */
    size_t length;
};

struct column {
    struct piece *pieces; /* by choice */
};

struct rows {
    const struct ridge_space *space;
    enum rows_format format;
    struct ridge_sink sink;
    size_t width;
    struct column *columns; /* by dimension */
    size_t *offsets;        /* by dimension: where its piece starts in the row */
    char *pool;
    size_t pool_used;
    size_t longest; /* bytes of a row, at most */
    char *block;
    size_t used;
    size_t previous; /* where the row before starts in the block */
    bool any;
    bool failed;
};

static void flush(struct rows *rows)
{
    rows->failed = rows->failed || !rows->sink.write(rows->sink.user, rows->block, rows->used);
    rows->used = 0;
}

static void put(struct rows *rows, const char *text)
{
    rows->failed = rows->failed || !rows->sink.write(rows->sink.user, text, strlen(text));
}

/** Append a text to `out` with quotes doubled (CSV) or escaped (JSON). `out` NULL: only count. \return bytes. */
static size_t append_quoted(char *out, const char *text, bool json)
{
    size_t used = 0;
    for (; *text; text++) {
        if (*text == '"' || (json && *text == '\\')) {
            if (out) {
                out[used] = json ? '\\' : '"';
            }
            used++;
        }
        if (out) {
            out[used] = *text;
        }
        used++;
    }
    return used;
}

/** Append a text as it is, without a terminator. \return bytes with it. */
static size_t append(char *out, size_t used, const char *text)
{
    for (; *text; text++, used++) {
        if (out) {
            out[used] = *text;
        }
    }
    return used;
}

/** Write a text, in quotes where the format needs them. */
static size_t append_text(char *out, size_t used, const char *text, bool json)
{
    if (!json && text[0] && !strpbrk(text, ",\"\r\n ")) {
        return append(out, used, text);
    }
    used = append(out, used, "\"");
    used += append_quoted(out ? out + used : NULL, text, json);
    return append(out, used, "\"");
}

/** Write one cell: with its key in JSON, with what separates it from the next. */
static size_t append_cell(const struct rows *rows, char *out, size_t dimension, uint32_t choice)
{
    const bool json = rows->format == ROWS_JSON;
    const bool last = dimension + 1 == rows->width;
    const struct ridge_value *value = ridge_space_value(rows->space, dimension, choice);
    size_t used = 0;
    if (json) {
        used = append(out, used, dimension == 0 ? "{" : " ");
        used = append_text(out, used, ridge_space_dimension_name(rows->space, dimension), true);
        used = append(out, used, ": ");
    }
    if (value->type == RIDGE_TEXT) {
        used = append_text(out, used, value->as.text, json);
    } else {
        char number[64];
        ridge_value_format(value, number, sizeof number);
        used = append(out, used, number);
    }
    if (json) {
        return append(out, used, last ? "}" : ",");
    }
    return append(out, used, last ? "\n" : ",");
}

/** Dimensions with one value behind this one belong to its pieces; the first dimension takes those before it too. */
static size_t append_piece(const struct rows *rows, char *out, size_t dimension, uint32_t choice)
{
    size_t used = append_cell(rows, out, dimension, choice);
    for (size_t i = dimension + 1; i < rows->width && ridge_space_dimension_size(rows->space, i) == 1; i++) {
        used += append_cell(rows, out ? out + used : NULL, i, 0);
    }
    return used;
}

static bool has_column(const struct rows *rows, size_t dimension)
{
    return dimension == 0 || ridge_space_dimension_size(rows->space, dimension) > 1;
}

static size_t pool_bytes(struct rows *rows)
{
    size_t bytes = SLACK;
    for (size_t i = 0; i < rows->width; i++) {
        size_t longest = 0;
        for (uint32_t k = 0; has_column(rows, i) && k < ridge_space_dimension_size(rows->space, i); k++) {
            const size_t length = append_piece(rows, NULL, i, k);
            longest = length > longest ? length : longest;
            bytes += length;
        }
        rows->longest += longest;
    }
    return bytes;
}

static bool make_column(struct rows *rows, size_t dimension)
{
    const size_t size = ridge_space_dimension_size(rows->space, dimension);
    struct piece *pieces = calloc(size, sizeof *pieces);
    rows->columns[dimension].pieces = pieces;
    for (uint32_t k = 0; pieces && k < size; k++) {
        char *text = rows->pool + rows->pool_used;
        pieces[k] = (struct piece){text, has_column(rows, dimension) ? append_piece(rows, text, dimension, k) : 0};
        rows->pool_used += pieces[k].length;
    }
    return pieces != NULL;
}

static bool prepare(struct rows *rows)
{
    const size_t bytes = pool_bytes(rows);
    rows->columns = calloc(rows->width, sizeof *rows->columns);
    rows->offsets = calloc(rows->width + 1, sizeof *rows->offsets);
    rows->pool = calloc(bytes, 1);
    rows->block = malloc(BLOCK + 2 * (rows->longest + 2 + SLACK));
    bool done = rows->columns && rows->offsets && rows->pool && rows->block;
    for (size_t i = 0; i < rows->width && done; i++) {
        done = make_column(rows, i);
    }
    return done;
}

static void put_header(struct rows *rows)
{
    for (size_t i = 0; i < rows->width && rows->format == ROWS_CSV; i++) {
        put(rows, ridge_space_dimension_name(rows->space, i));
        put(rows, i + 1 < rows->width ? "," : "\n");
    }
    if (rows->format == ROWS_JSON) {
        put(rows, "[");
    }
}

static void rows_free(struct rows *rows)
{
    for (size_t i = 0; i < rows->width && rows->columns; i++) {
        free(rows->columns[i].pieces);
    }
    free(rows->columns);
    free(rows->offsets);
    free(rows->pool);
    free(rows->block);
    free(rows);
}

struct rows *rows_begin(const struct ridge_space *space, enum rows_format format, struct ridge_sink sink)
{
    struct rows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        return NULL;
    }
    rows->space = space;
    rows->format = format;
    rows->sink = sink;
    rows->width = ridge_space_dimension_count(space);
    if (!prepare(rows)) {
        rows_free(rows);
        return NULL;
    }
    put_header(rows);
    return rows;
}

static void put_id(struct rows *rows, const struct row *row)
{
    if (row->cursor) {
        ridge_space_cursor_id(row->cursor, rows->block + rows->used);
    } else {
        ridge_space_id(rows->space, row->choice, rows->block + rows->used);
    }
    rows->used += RIDGE_ID_BYTES;
    rows->block[rows->used - 1] = '\n';
}

/** Copy a short text as a whole number of words: there is room behind both. */
static inline void copy_piece(char *to, const struct piece *piece)
{
    if (piece->length <= SLACK) {
        memcpy(to, piece->text, SLACK);
    } else {
        memcpy(to, piece->text, piece->length);
    }
}

static void put_cells(struct rows *rows, const uint32_t *choice, size_t changed)
{
    if (rows->format == ROWS_JSON) {
        memcpy(rows->block + rows->used, rows->any ? ",\n" : "\n", 2);
        rows->used += rows->any ? 2 : 1;
    }
    char *row = rows->block + rows->used;
    size_t at = rows->any ? rows->offsets[changed] : 0;
    memmove(row, rows->block + rows->previous, at);
    for (size_t i = rows->any ? changed : 0; i < rows->width; i++) {
        const struct piece *piece = &rows->columns[i].pieces[choice[i]];
        rows->offsets[i] = at;
        if (piece->length > 0) {
            copy_piece(row + at, piece);
            at += piece->length;
        }
    }
    rows->previous = rows->used;
    rows->used += at;
}

bool rows_put(struct rows *rows, const struct row *row)
{
    if (rows->format == ROWS_IDS) {
        put_id(rows, row);
    } else {
        put_cells(rows, row->choice, row->cursor ? ridge_space_cursor_changed(row->cursor) : 0);
    }
    rows->any = true;
    if (rows->used >= BLOCK) {
        /* The next row may copy from this one, which is kept behind everything that can be written. */
        const size_t kept = rows->format == ROWS_IDS ? 0 : rows->used - rows->previous;
        const size_t behind = BLOCK + rows->longest + 2 + SLACK;
        memmove(rows->block + behind, rows->block + rows->previous, kept);
        rows->previous = behind;
        flush(rows);
    }
    return !rows->failed;
}

bool rows_end(struct rows *rows)
{
    if (!rows) {
        return true;
    }
    flush(rows);
    if (rows->format == ROWS_JSON) {
        put(rows, "\n]\n");
    }
    const bool done = !rows->failed;
    rows_free(rows);
    return done;
}
