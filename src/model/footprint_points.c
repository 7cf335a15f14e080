/* SPDX-License-Identifier: MIT */
/* Measured points of footprints from CSV: label, bytes, and throughput or time_s, in any order of columns. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "model/footprint.h"
#include "ridge/units.h"
#include "text/csv.h"

enum {
    COLUMN_LABEL,
    COLUMN_BYTES,
    COLUMN_THROUGHPUT,
    COLUMN_TIME,
    COLUMN_COUNT,
    MOST_POINTS = 100000,
    MOST_BYTES = 1 << 30
};

static const char *const column_names[COLUMN_COUNT] = {"label", "bytes", "throughput", "time_s"};

struct reader {
    struct rg_csv csv;
    struct rg_arena *arena;
    const char *path;
    const char *text;             /* as it stands in the file: the reader of CSV cuts its own copy */
    size_t columns[COLUMN_COUNT]; /* SIZE_MAX: not there */
    size_t width;
    struct ridge_error *error;
};

static struct rg_place place_at(const struct reader *reader, size_t offset)
{
    struct rg_place place = {.file = reader->path, .text = reader->text, .line = 1, .column = 1};
    for (size_t i = 0; i < offset && reader->text[i]; i++) {
        place.column = reader->text[i] == '\n' ? 1 : place.column + 1;
        place.line += reader->text[i] == '\n';
    }
    return place;
}

static struct rg_place field_place(const struct reader *reader, size_t field)
{
    struct rg_place place = place_at(reader, reader->csv.offsets[field]);
    place.length = (unsigned)strlen(reader->csv.fields[field]);
    return place;
}

static ridge_status next_row(struct reader *reader, bool *more)
{
    const ridge_status status = rg_csv_next(&reader->csv, more);
    if (status == RIDGE_E_SYNTAX) {
        const struct rg_place place = place_at(reader, reader->csv.offset);
        return rg_error_at(reader->error, RIDGE_E_SYNTAX, &place, "a quote is not closed in this row (add a \")");
    }
    return status == RIDGE_OK ? RIDGE_OK : rg_error_memory(reader->error, reader->csv.count);
}

static ridge_status take_column(struct reader *reader, size_t field)
{
    const char *name = reader->csv.fields[field];
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (strcmp(name, column_names[i]) != 0) {
            continue;
        }
        if (reader->columns[i] != SIZE_MAX) {
            const struct rg_place place = field_place(reader, field);
            return rg_error_at(reader->error, RIDGE_E_VALUE, &place, "the column '%s' stands twice (leave one out)",
                               name);
        }
        reader->columns[i] = field;
        return RIDGE_OK;
    }
    const struct rg_place place = field_place(reader, field);
    const char *near = ridge_near_name(name, column_names, COLUMN_COUNT);
    return rg_error_at(reader->error, RIDGE_E_NAME, &place, "there is no column '%.60s' here (%s%s)", name,
                       near ? "did you mean " : "there are label, bytes, throughput and time_s", near ? near : "");
}

static ridge_status take_header(struct reader *reader)
{
    bool more = false;
    ridge_status status = next_row(reader, &more);
    reader->width = reader->csv.count;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        reader->columns[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < reader->width && status == RIDGE_OK; i++) {
        status = take_column(reader, i);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    const bool rate = reader->columns[COLUMN_THROUGHPUT] != SIZE_MAX;
    const bool time = reader->columns[COLUMN_TIME] != SIZE_MAX;
    if (reader->columns[COLUMN_LABEL] == SIZE_MAX || reader->columns[COLUMN_BYTES] == SIZE_MAX || rate == time) {
        const struct rg_place place = place_at(reader, 0);
        return rg_error_at(reader->error, RIDGE_E_VALUE, &place,
                           "the header does not name label, bytes and one of throughput and time_s (write "
                           "label,bytes,throughput)");
    }
    return RIDGE_OK;
}

static ridge_status take_number(const struct reader *reader, size_t field, double *out)
{
    const struct rg_place place = field_place(reader, field);
    const char *text = reader->csv.fields[field];
    if (ridge_number_parse(text, out, NULL) != RIDGE_OK || !(*out > 0)) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &place, "'%.60s' is no number above 0 (what was measured)",
                           text);
    }
    return RIDGE_OK;
}

static ridge_status take_bytes(const struct reader *reader, double *out)
{
    const size_t field = reader->columns[COLUMN_BYTES];
    const struct rg_place place = field_place(reader, field);
    uint64_t bytes = 0;
    if (ridge_count_parse(reader->csv.fields[field], MOST_BYTES, &bytes, NULL) != RIDGE_OK || bytes == 0) {
        return rg_error_at(reader->error, RIDGE_E_VALUE, &place,
                           "'%.60s' is no whole number of bytes (the shared memory of a block, 1 to %d)",
                           reader->csv.fields[field], MOST_BYTES);
    }
    *out = (double)bytes;
    return RIDGE_OK;
}

static ridge_status take_row(const struct reader *reader, struct rg_footprint_point *out)
{
    const size_t label = reader->columns[COLUMN_LABEL];
    if (reader->csv.count != reader->width) {
        const struct rg_place place = place_at(reader, reader->csv.offset);
        return rg_error_at(reader->error, RIDGE_E_SYNTAX, &place, "the row has %zu fields (the header has %zu)",
                           reader->csv.count, reader->width);
    }
    if (reader->csv.fields[label][0] == '\0') {
        const struct rg_place place = field_place(reader, label);
        return rg_error_at(reader->error, RIDGE_E_VALUE, &place, "the label is empty (name the series)");
    }
    out->label = rg_arena_strdup(reader->arena, reader->csv.fields[label]);
    if (!out->label) {
        return rg_error_memory(reader->error, 1);
    }
    const bool is_time = reader->columns[COLUMN_TIME] != SIZE_MAX;
    ridge_status status = take_bytes(reader, &out->bytes);
    if (status == RIDGE_OK) {
        status = take_number(reader, reader->columns[is_time ? COLUMN_TIME : COLUMN_THROUGHPUT], &out->throughput);
    }
    out->throughput = is_time ? 1 / out->throughput : out->throughput;
    return status;
}

static bool is_empty_row(const struct rg_csv *csv)
{
    return csv->count == 1 && csv->fields[0][0] == '\0';
}

static ridge_status read_rows(struct reader *reader, struct rg_footprint_point *points, size_t most, size_t *count)
{
    ridge_status status = take_header(reader);
    for (bool more = true; status == RIDGE_OK;) {
        status = next_row(reader, &more);
        if (status != RIDGE_OK || !more) {
            break;
        }
        if (is_empty_row(&reader->csv)) {
            continue;
        }
        if (*count == most) {
            const struct rg_place place = place_at(reader, reader->csv.offset);
            return rg_error_at(reader->error, RIDGE_E_LIMIT, &place, "too many points (at most %d)", MOST_POINTS);
        }
        status = take_row(reader, &points[*count]);
        *count += status == RIDGE_OK;
    }
    return status;
}

ridge_status rg_footprint_points_read(struct rg_arena *arena, const char *path, struct rg_footprint_points *out,
                                      struct ridge_error *error)
{
    char *text = NULL;
    size_t length = 0;
    struct reader reader = {.arena = arena, .path = path, .error = error};
    ridge_status status = rg_file_read(arena, path, &text, &length, error);
    if (status != RIDGE_OK) {
        return status;
    }
    reader.text = text;
    if (strlen(text) != length) {
        const struct rg_place place = place_at(&reader, strlen(text));
        return rg_error_at(error, RIDGE_E_SYNTAX, &place, "a NUL byte stands in the text (it is CSV)");
    }
    size_t most = 1;
    for (size_t i = 0; i < length; i++) {
        most += text[i] == '\n' || text[i] == '\r';
    }
    most = most < MOST_POINTS ? most : MOST_POINTS;
    struct rg_footprint_point *points = rg_arena_array(arena, most, sizeof *points);
    char *copy = rg_arena_copy(arena, text, length);
    if (!points || !copy) {
        return rg_error_memory(error, length);
    }
    rg_csv_init(&reader.csv, arena->context, copy);
    *out = (struct rg_footprint_points){0, points};
    status = read_rows(&reader, points, most, &out->count);
    rg_csv_fini(&reader.csv);
    return status;
}
