/* SPDX-License-Identifier: MIT */
/* CSV as ridge show --csv and ridge export --format csv write it. */
#include <math.h>
#include <string.h>

#include "ridge/units.h"
#include "store/import.h"
#include "text/csv.h"
#include "text/number.h"
#include "text/utf8.h"

/** The rows of the text. */
struct table {
    struct rg_import *import;
    struct rg_csv csv;
};

/** Columns that are not dimensions: where they stand, or the number of columns. */
struct columns {
    size_t outcome, kind, median, rejected, compile, run, text, samples, kernel, device, registers, shared, spill;
};

static ridge_status wrong(const struct table *table, const char *what)
{
    const struct rg_place place = rg_import_place(&table->import->text, table->csv.offset);
    return rg_error_at(table->import->error, RIDGE_E_SYNTAX, &place, "%s", what);
}

/** Read a row. \param[out] more  false at the end of the text */
static ridge_status next_row(struct table *table, bool *more)
{
    const ridge_status status = rg_csv_next(&table->csv, more);
    if (status == RIDGE_E_SYNTAX) {
        return wrong(table, "a quote is not closed");
    }
    return status == RIDGE_OK ? RIDGE_OK : rg_error_memory(table->import->error, table->csv.count);
}

/** Where a column stands, from `first` on. */
static size_t find_column(const struct table *table, size_t first, const char *name)
{
    size_t at = first;
    while (at < table->csv.count && strcmp(table->csv.fields[at], name) != 0) {
        at++;
    }
    return at;
}

static struct columns find_columns(const struct table *table)
{
    const size_t own = find_column(table, 1, "outcome");
    return (struct columns){
        .outcome = own,
        .kind = find_column(table, own, "kind"),
        .median = find_column(table, own, "median_s"),
        .rejected = find_column(table, own, "rejected"),
        .compile = find_column(table, own, "compile_s"),
        .run = find_column(table, own, "run_s"),
        .text = find_column(table, own, "text"),
        .samples = find_column(table, own, "samples_s"),
        .kernel = find_column(table, own, "kernel"),
        .device = find_column(table, own, "device"),
        .registers = find_column(table, own, "registers"),
        .shared = find_column(table, own, "shared_bytes"),
        .spill = find_column(table, own, "spill_bytes"),
    };
}

static const char *field(const struct table *table, size_t column)
{
    return column < table->csv.count ? table->csv.fields[column] : "";
}

static double number(const struct table *table, size_t column)
{
    double value = (double)NAN;
    const char *text = field(table, column);
    const size_t length = rg_number_scan(text, &value);
    return length > 0 && text[length] == '\0' ? value : (double)NAN;
}

/** A count, or -1. */
static int64_t count(const struct table *table, size_t column)
{
    uint64_t value;
    return ridge_count_parse(field(table, column), INT64_MAX, &value, NULL) == RIDGE_OK ? (int64_t)value : -1;
}

/** A value as ridge_value_format writes it. A text that looks like a number was one, as far as CSV can tell. */
static bool take_value(struct rg_import *import, const char *text, struct ridge_value *out)
{
    double value;
    uint64_t digits;
    const bool minus = text[0] == '-';
    const size_t length = rg_number_scan(text, &value);
    if (length > 0 && text[length] == '\0' && isfinite(value)) {
        const bool whole = strspn(text + minus, "0123456789") == length - minus;
        const uint64_t most = (uint64_t)INT64_MAX + minus;
        if (whole && ridge_count_parse(text + minus, most, &digits, NULL) == RIDGE_OK) {
            *out = (struct ridge_value){RIDGE_INT, {.integer = (int64_t)(minus ? 0 - digits : digits)}};
        } else {
            *out = (struct ridge_value){RIDGE_FLOAT, {.number = value}};
        }
        return true;
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *out = (struct ridge_value){RIDGE_BOOL, {.truth = text[0] == 't'}};
        return true;
    }
    *out = (struct ridge_value){RIDGE_TEXT, {.text = rg_arena_strdup(&import->run->arena, text)}};
    return out->as.text != NULL;
}

/** The samples of the row, separated by blanks; else its median as the only one. */
static ridge_status take_samples(const struct table *table, const struct columns *columns)
{
    struct rg_import *import = table->import;
    const char *text = field(table, columns->samples);
    ridge_status status = RIDGE_OK;
    while (status == RIDGE_OK && *text) {
        double seconds = (double)NAN;
        const size_t length = rg_number_scan(text, &seconds);
        text += length > 0 ? length : strcspn(text, " ");
        text += strspn(text, " ");
        status = rg_import_sample_s(import, seconds);
    }
    const double median = number(table, columns->median);
    return status == RIDGE_OK && import->sample_count == 0 && !isnan(median) ? rg_import_sample_s(import, median)
                                                                             : status;
}

static ridge_status take_outcome(const struct table *table, const struct columns *columns, struct ridge_record *record)
{
    const char *word = field(table, columns->outcome);
    const char *text = field(table, columns->text);
    const int outcome = rg_outcome_find(word);
    if (outcome < 0) {
        rg_import_tally(table->import, RG_TALLY_WORD, table->csv.offset);
        return rg_import_fail(table->import, record, RIDGE_OUTCOME_SKIPPED, word);
    }
    record->outcome = (ridge_outcome)outcome;
    return outcome == RIDGE_OUTCOME_OK && text[0] == '\0'
               ? RIDGE_OK
               : rg_import_fail(table->import, record, record->outcome, text);
}

static ridge_status take_row(const struct table *table, const struct columns *columns, const size_t *positions,
                             size_t width)
{
    struct rg_import *import = table->import;
    struct ridge_value *values = NULL;
    if (table->csv.count != width) {
        return wrong(table, "the row has not as many fields as the header");
    }
    struct ridge_record *record = rg_import_begin(import, &values);
    if (!record) {
        return RIDGE_E_MEMORY;
    }
    for (size_t i = 1; i < columns->outcome; i++) {
        if (!take_value(import, table->csv.fields[i], &values[positions[i - 1]])) {
            return rg_error_memory(import->error, strlen(table->csv.fields[i]));
        }
    }
    const int64_t rejected = count(table, columns->rejected);
    import->rejected = rejected > 0 ? (uint64_t)rejected : 0;
    record->compile_s = number(table, columns->compile);
    record->run_s = number(table, columns->run);
    record->registers = count(table, columns->registers);
    record->shared_bytes = count(table, columns->shared);
    record->spill_bytes = count(table, columns->spill);
    ridge_status status = take_outcome(table, columns, record);
    if (status == RIDGE_OK && record->outcome == RIDGE_OUTCOME_OK) {
        status = take_samples(table, columns);
    }
    return status == RIDGE_OK ? rg_import_end(import, record, table->csv.offset) : status;
}

/** A dimension that has the name of another column stands behind "dimension.". */
static const char *dimension_name(const char *column)
{
    static const char prefix[] = "dimension.";
    return strncmp(column, prefix, sizeof prefix - 1) == 0 ? column + sizeof prefix - 1 : column;
}

/** Set the dimensions from the header. \param[out] positions  by column behind the id; in the arena of the run */
static ridge_status take_header(struct table *table, struct columns *columns, size_t **positions)
{
    struct rg_import *import = table->import;
    *columns = find_columns(table);
    if (columns->outcome == table->csv.count || columns->outcome < 2) {
        return wrong(table, "the header does not list id, dimensions and outcome (write it with ridge show --csv)");
    }
    const size_t dimension_count = columns->outcome - 1;
    const char **names = rg_arena_array(&import->run->arena, dimension_count, sizeof *names);
    *positions = rg_arena_array(&import->run->arena, dimension_count, sizeof **positions);
    if (!names || !*positions) {
        return rg_error_memory(import->error, dimension_count);
    }
    for (size_t i = 0; i < dimension_count; i++) {
        names[i] = dimension_name(table->csv.fields[i + 1]);
    }
    const ridge_status status = rg_import_dimensions(import, names, dimension_count);
    for (size_t i = 0; status == RIDGE_OK && i < dimension_count; i++) {
        (*positions)[i] = rg_import_position(import, names[i]);
    }
    return status;
}

/** Give the run room for a record a line: quoted line ends make it too much, never too little. */
static ridge_status reserve_rows(struct rg_import *import)
{
    size_t lines = 1;
    for (const char *at = import->text.text; *at; at++) {
        lines += *at == '\n' || *at == '\r';
    }
    return rg_run_reserve(import->run, lines, import->error);
}

static ridge_status read_rows(struct table *table)
{
    struct columns columns = {0};
    size_t *positions = NULL;
    bool more = false;
    ridge_status status = next_row(table, &more);
    const size_t width = table->csv.count;
    if (status == RIDGE_OK) {
        status = take_header(table, &columns, &positions);
    }
    while (status == RIDGE_OK && more) {
        status = next_row(table, &more);
        if (status != RIDGE_OK || !more) {
            break;
        }
        struct rg_import *import = table->import;
        if (import->text.record_count++ == 0) {
            status = rg_import_identity(import, field(table, columns.kernel), field(table, columns.device));
        }
        if (status == RIDGE_OK) {
            status = take_row(table, &columns, positions, width);
        }
    }
    return status;
}

ridge_status rg_import_csv(struct rg_import *import)
{
    struct table table = {.import = import};
    rg_csv_init(&table.csv, import->context, import->text.text);
    if (strlen(import->text.text) != import->text.length) {
        table.csv.offset = strlen(import->text.text);
        return wrong(&table, "a NUL byte stands in the text");
    }
    for (const char *at = import->text.text; *at;) {
        const size_t width = rg_utf8_width(at);
        if (width == 0) {
            table.csv.offset = (size_t)(at - import->text.text);
            return wrong(&table, "the text is not UTF-8");
        }
        at += width;
    }
    ridge_status status = reserve_rows(import);
    table.csv.at += strspn(table.csv.at, " \t\r\n");
    if (status == RIDGE_OK) {
        status = read_rows(&table);
    }
    rg_csv_fini(&table.csv);
    return status;
}
