/* SPDX-License-Identifier: MIT */
/** \file What the forms of a report share. Thread rule: pure apart from the buffers that are handed in. */
#ifndef RG_REPORT_REPORT_COMMON_H
#define RG_REPORT_REPORT_COMMON_H

#include "base/buffer.h"
#include "ridge/report.h"

/** The medians of what ranks. */
struct rg_spread {
    double best_s;
    double median_s;
    double worst_s;
};

/** \return the best record, or NULL when nothing ranks. */
const struct ridge_record *rg_report_best(const struct ridge_run *run);

/** \param[out] out  all NaN when nothing ranks */
ridge_status rg_report_spread(const struct ridge_run *run, struct rg_spread *out, struct ridge_error *error);

/** \return the text of the first record of the space with that outcome that has one, or "". */
const char *rg_report_first_text(const struct ridge_run *run, ridge_outcome outcome);

/** \return when a run began, as it stands behind "of": a date, or "an unknown time" where its file had none. */
const char *rg_report_time(const struct ridge_run *run);

/** \return bytes of the first line of a text. */
size_t rg_report_line_bytes(const char *text);

/** Append a configuration as `name=value name=value`; a text value with a space in it is quoted. */
void rg_report_configuration(const struct ridge_run *run, const struct ridge_record *record, struct rg_buffer *out);

/** Append a value as tables show it. */
void rg_report_value(const struct ridge_value *value, struct rg_buffer *out);

/** Whether a record is left out under these flags. */
bool rg_report_hides(const struct ridge_record *record, unsigned flags);

/** \return the share that a record reaches of the roof that binds it; NaN where no ceiling is known. */
double rg_report_share(const struct ridge_record *record);

/** \return the key of the roof that binds a record, "read"; NULL where no ceiling is known. */
const char *rg_report_binding(const struct ridge_record *record);

/** Whether the spec says what launches use up, and nothing is known to hold it against. */
bool rg_report_lacks_ceilings(const struct ridge_run *run);

/** One parameter of "n=512 label=two words": it ends where the next ` name=` begins. */
struct rg_parameter {
    const char *name;
    size_t name_bytes;
    const char *value;
    size_t value_bytes;
};

/** Take the next parameter. \param[in,out] at  where to go on \return false at the end */
bool rg_report_parameter(const char **at, struct rg_parameter *out);

/** Append a field of CSV, quoted when it must be; the first of a row has no comma before it. */
void rg_csv_text(struct rg_buffer *row, const char *text);
void rg_csv_number(struct rg_buffer *row, double value); /**< NaN: an empty field */

/** Hand a finished buffer to the sink. */
ridge_status rg_report_emit(const struct rg_buffer *buffer, struct ridge_sink sink, struct ridge_error *error);

/** Set RIDGE_E_IO: the sink refused bytes. */
ridge_status rg_report_refused(struct ridge_error *error);

#endif
