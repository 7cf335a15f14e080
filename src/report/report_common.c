/* SPDX-License-Identifier: MIT */
#include "report/report_common.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "ridge/stats.h"
#include "space/run.h"

const struct ridge_record *rg_report_best(const struct ridge_run *run)
{
    return run->ranked_count > 0 ? &run->records[run->ranked[0]] : NULL;
}

ridge_status rg_report_spread(const struct ridge_run *run, struct rg_spread *out, struct ridge_error *error)
{
    const size_t count = run->ranked_count;
    *out = (struct rg_spread){(double)NAN, (double)NAN, (double)NAN};
    if (count == 0) {
        return RIDGE_OK;
    }
    /* There are at least as many records in memory: this product cannot overflow. */
    const size_t bytes = 2 * count * sizeof(double);
    double *medians = rg_alloc(rg_run_context(run), bytes);
    if (!medians) {
        return rg_error_memory(error, bytes);
    }
    for (size_t i = 0; i < count; i++) {
        medians[i] = run->records[run->ranked[i]].first.median_s;
    }
    struct ridge_summary summary;
    ridge_summarise(medians, count, medians + count, &summary);
    *out = (struct rg_spread){summary.minimum_s, summary.median_s, summary.maximum_s};
    rg_free(rg_run_context(run), medians, bytes);
    return RIDGE_OK;
}

const char *rg_report_first_text(const struct ridge_run *run, ridge_outcome outcome)
{
    for (size_t i = 0; i < run->record_count; i++) {
        const struct ridge_record *record = &run->records[i];
        if (record->in_space && record->outcome == outcome && record->text) {
            return record->text;
        }
    }
    return "";
}

size_t rg_report_line_bytes(const char *text)
{
    return strcspn(text, "\r\n");
}

void rg_report_value(const struct ridge_value *value, struct rg_buffer *out)
{
    char text[64];
    const size_t length = ridge_value_format(value, text, sizeof text);
    rg_buffer_puts(out, length < sizeof text ? text : value->as.text);
}

/** Append a text value; in quotes, with a backslash before quotes and backslashes, where it would be misread else. */
static void put_text(const char *text, struct rg_buffer *out)
{
    if (text[0] != '\0' && !strpbrk(text, " \"=")) {
        rg_buffer_puts(out, text);
        return;
    }
    rg_buffer_puts(out, "\"");
    for (; *text; text++) {
        rg_buffer_puts(out, *text == '"' || *text == '\\' ? "\\" : "");
        rg_buffer_append(out, text, 1);
    }
    rg_buffer_puts(out, "\"");
}

void rg_report_configuration(const struct ridge_run *run, const struct ridge_record *record, struct rg_buffer *out)
{
    for (size_t i = 0; i < run->dimension_count; i++) {
        const struct ridge_value *value = &record->values[i];
        rg_buffer_printf(out, "%s%s=", i > 0 ? " " : "", run->dimension_names[i]);
        if (value->type == RIDGE_TEXT) {
            put_text(value->as.text, out);
        } else {
            rg_report_value(value, out);
        }
    }
}

bool rg_report_hides(const struct ridge_record *record, unsigned flags)
{
    return (flags & RIDGE_REPORT_FAILED) != 0 && record->outcome == RIDGE_OUTCOME_OK;
}

double rg_report_share(const struct ridge_record *record)
{
    return record->score ? record->score->share[record->score->binding] : (double)NAN;
}

const char *rg_report_binding(const struct ridge_record *record)
{
    return record->score ? ridge_roof_key((ridge_roof)record->score->binding) : NULL;
}

bool rg_report_lacks_ceilings(const struct ridge_run *run)
{
    bool says = false;
    for (size_t i = 0; i < run->record_count && !run->ceilings; i++) {
        says = says || run->records[i].work;
    }
    return says;
}

/** \return bytes of the `name` in `name=`; 0 when the text does not begin so. */
static size_t name_bytes(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') {
        length++;
    }
    return text[length] == '=' ? length : 0;
}

bool rg_report_parameter(const char **at, struct rg_parameter *out)
{
    const char *text = *at + strspn(*at, " ");
    if (*text == '\0') {
        return false;
    }
    out->name = text;
    out->name_bytes = name_bytes(text);
    out->value = text + out->name_bytes + (out->name_bytes > 0);
    const char *end = out->value;
    while (*end && !(*end == ' ' && name_bytes(end + 1) > 0)) {
        end++;
    }
    out->value_bytes = (size_t)(end - out->value);
    *at = end;
    return true;
}

ridge_status rg_report_refused(struct ridge_error *error)
{
    return rg_error_set(error, RIDGE_E_IO, "the report could not be written (is there space left?)");
}

ridge_status rg_report_emit(const struct rg_buffer *buffer, struct ridge_sink sink, struct ridge_error *error)
{
    if (buffer->failed) {
        return rg_error_memory(error, buffer->capacity);
    }
    return buffer->length == 0 || sink.write(sink.user, buffer->text, buffer->length) ? RIDGE_OK
                                                                                      : rg_report_refused(error);
}

const char *rg_report_time(const struct ridge_run *run)
{
    return run->started_at[0] ? run->started_at : "an unknown time";
}
