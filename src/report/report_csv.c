/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/report_common.h"
#include "ridge/units.h"
#include "space/run.h"

/** The columns behind the dimensions. */
static const char *const own_columns[] = {"outcome",  "kind",      "median_s", "ci95_low_s", "ci95_high_s", "n",
                                          "min_s",    "max_s",     "outliers", "rejected",   "finalist",    "converged",
                                          "in_space", "compile_s", "run_s",    "text"};

/** Behind them, where ceilings of the device are saved. */
static const char *const share_columns[] = {"share", "binding", "ceiling_kind"};

enum {
    OWN_COUNT = sizeof own_columns / sizeof own_columns[0],
    SHARE_COUNT = sizeof share_columns / sizeof share_columns[0]
};

static size_t share_count(const struct ridge_run *run)
{
    return run->ceilings ? SHARE_COUNT : 0;
}

/** Whether a dimension has the name of another column. */
static bool is_taken(const struct ridge_run *run, const char *name)
{
    bool taken = strcmp(name, "id") == 0;
    for (size_t i = 0; i < OWN_COUNT; i++) {
        taken = taken || strcmp(name, own_columns[i]) == 0;
    }
    for (size_t i = 0; i < share_count(run); i++) {
        taken = taken || strcmp(name, share_columns[i]) == 0;
    }
    return taken;
}

/** Append a field, quoted when it must be. The first of a row has no comma before it. */
static void put_field(struct rg_buffer *row, const char *text, size_t length)
{
    if (row->length > 0) {
        rg_buffer_puts(row, ",");
    }
    bool quoted = false;
    for (size_t i = 0; i < length && !quoted; i++) {
        quoted = strchr(",\"\r\n", text[i]) != NULL;
    }
    if (!quoted) {
        rg_buffer_append(row, text, length);
        return;
    }
    rg_buffer_puts(row, "\"");
    for (size_t i = 0; i < length; i++) {
        rg_buffer_append(row, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
    }
    rg_buffer_puts(row, "\"");
}

static void put_text(struct rg_buffer *row, const char *text)
{
    put_field(row, text, strlen(text));
}

/** Append a number; NaN is an empty field. */
static void put_double(struct rg_buffer *row, double value)
{
    char text[RIDGE_NUMBER_BYTES] = "";
    if (!isnan(value)) {
        ridge_number_format(value, text);
    }
    put_text(row, text);
}

static void put_u64(struct rg_buffer *row, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put_text(row, text);
}

/** The samples in one field, separated by blanks. */
static void put_samples(struct rg_buffer *row, const struct ridge_record *record)
{
    rg_buffer_puts(row, ",");
    for (uint64_t i = 0; i < record->sample_count; i++) {
        char text[RIDGE_NUMBER_BYTES];
        ridge_number_format(record->samples_s[i], text);
        rg_buffer_printf(row, "%s%s", i > 0 ? " " : "", text);
    }
}

/** A number of the compiler; one that is unknown is an empty field. */
static void put_fact(struct rg_buffer *row, int64_t fact)
{
    if (fact < 0) {
        put_text(row, "");
    } else {
        put_u64(row, (uint64_t)fact);
    }
}

/** What ridge import takes beyond the table. */
static void put_whole(const struct ridge_run *run, const struct ridge_record *record, struct rg_buffer *row)
{
    put_samples(row, record);
    put_text(row, run->info.kernel);
    put_text(row, run->info.device);
    put_fact(row, record->registers);
    put_fact(row, record->shared_bytes);
    put_fact(row, record->spill_bytes);
}

static void put_header(const struct ridge_run *run, unsigned flags, struct rg_buffer *row)
{
    put_text(row, "id");
    for (size_t i = 0; i < run->dimension_count; i++) {
        const char *name = run->dimension_names[i];
        rg_buffer_printf(row, ",%s%s", is_taken(run, name) ? "dimension." : "", name);
    }
    for (size_t own = 0; own < OWN_COUNT; own++) {
        put_text(row, own_columns[own]);
    }
    for (size_t i = 0; i < share_count(run); i++) {
        put_text(row, share_columns[i]);
    }
    if (flags & RIDGE_REPORT_SAMPLES) {
        rg_buffer_puts(row, ",samples_s,kernel,device,registers,shared_bytes,spill_bytes");
    }
}

static void put_record(const struct ridge_run *run, const struct ridge_record *record, unsigned flags,
                       struct rg_buffer *value, struct rg_buffer *row)
{
    const struct ridge_summary *summary = &record->summary;
    put_text(row, record->id);
    for (size_t i = 0; i < run->dimension_count; i++) {
        rg_buffer_clear(value);
        rg_report_value(&record->values[i], value);
        row->failed = row->failed || value->failed;
        put_text(row, rg_buffer_text(value));
    }
    put_text(row, ridge_outcome_word(record->outcome));
    put_text(row, ridge_kind_word(record->kind));
    put_double(row, summary->median_s);
    put_double(row, summary->ci95_low_s);
    put_double(row, summary->ci95_high_s);
    put_u64(row, summary->n);
    put_double(row, summary->minimum_s);
    put_double(row, summary->maximum_s);
    put_u64(row, summary->outliers);
    put_u64(row, record->rejected);
    put_text(row, record->finalist ? "true" : "false");
    put_text(row, record->converged ? "true" : "false");
    put_text(row, record->in_space ? "true" : "false");
    put_double(row, record->compile_s);
    put_double(row, record->run_s);
    const char *text = record->text ? record->text : "";
    put_field(row, text, flags & RIDGE_REPORT_SAMPLES ? strlen(text) : rg_report_line_bytes(text));
    if (run->ceilings) {
        const char *binding = rg_report_binding(record);
        put_double(row, rg_report_share(record));
        put_text(row, binding ? binding : "");
        put_text(row, binding ? ridge_kind_word(RIDGE_RECORDED) : "");
    }
    if (flags & RIDGE_REPORT_SAMPLES) {
        put_whole(run, record, row);
    }
}

ridge_status ridge_report_csv(const struct ridge_run *run, unsigned flags, struct ridge_sink sink,
                              struct ridge_error *error)
{
    struct rg_buffer row;
    struct rg_buffer value;
    rg_buffer_init(&row, rg_run_context(run));
    rg_buffer_init(&value, rg_run_context(run));
    put_header(run, flags, &row);
    rg_buffer_puts(&row, "\n");
    ridge_status status = rg_report_emit(&row, sink, error);
    for (size_t i = 0; status == RIDGE_OK && i < run->record_count; i++) {
        if (rg_report_hides(&run->records[i], flags)) {
            continue;
        }
        rg_buffer_clear(&row);
        put_record(run, &run->records[i], flags, &value, &row);
        rg_buffer_puts(&row, "\n");
        status = rg_report_emit(&row, sink, error);
    }
    rg_buffer_fini(&row);
    rg_buffer_fini(&value);
    return status;
}

void rg_csv_text(struct rg_buffer *row, const char *text)
{
    put_text(row, text);
}

void rg_csv_number(struct rg_buffer *row, double value)
{
    put_double(row, value);
}
