/* SPDX-License-Identifier: MIT */
/* A footprint calibration as the file that ridge_footprint_db_create reads. */
#include <math.h>

#include "base/error.h"
#include "model/footprint.h"
#include "text/toml_write.h"

static void write_series(struct rg_buffer *text, const struct ridge_footprint_series *series)
{
    rg_buffer_puts(text, "\n[[calibration.series]]\n");
    rg_toml_write_text(text, "label", series->label);
    rg_toml_write_text(text, "role", series->held_out ? "held-out" : "fitted");
    if (series->how) {
        rg_toml_write_text(text, "how", series->how);
    }
    rg_toml_write_numbers(text, "bytes", series->bytes, series->count);
    rg_toml_write_numbers(text, "relative", series->relative, series->count);
}

static void write_wrong(struct rg_buffer *text, const struct ridge_footprint_wrong *wrong)
{
    rg_buffer_puts(text, "\n[[calibration.wrong]]\n");
    rg_toml_write_text(text, "what", wrong->what);
    rg_toml_write_number(text, "predicted_ratio", wrong->predicted_ratio);
    rg_toml_write_number(text, "measured_ratio", wrong->measured_ratio);
    if (wrong->note) {
        rg_toml_write_text(text, "note", wrong->note);
    }
}

static void write_head(struct rg_buffer *text, const struct ridge_footprint *footprint)
{
    rg_buffer_puts(text,
                   "# A footprint calibration by ridge calibrate footprint. Form of this file: docs/footprint.md.\n"
                   "format = 1\n\n[sources]\n");
    rg_toml_write_text(text, "points", footprint->source);
    rg_buffer_puts(text, "\n[[calibration]]\n");
    rg_toml_write_text(text, "name", footprint->name);
    rg_toml_write_text(text, footprint->device ? "device" : "family",
                       footprint->device ? footprint->device : footprint->family);
    rg_toml_write_text(text, "kind", footprint->kind);
    rg_toml_write_text(text, "source", "points");
    rg_toml_write_number(text, "slope_ratio", footprint->slope_ratio);
    rg_toml_write_number(text, "dead_band_ratio", footprint->dead_band_ratio);
    rg_toml_write_number(text, "fit_error_ratio", footprint->fit_error_ratio);
    if (!isnan(footprint->held_out_error_ratio)) {
        rg_toml_write_number(text, "held_out_error_ratio", footprint->held_out_error_ratio);
    }
    rg_toml_write_number(text, "bound_ratio", footprint->bound_ratio);
    rg_toml_write_text(text, "scope", footprint->scope);
    if (footprint->note) {
        rg_toml_write_text(text, "note", footprint->note);
    }
}

ridge_status ridge_footprint_write(const struct ridge_context *context, const struct ridge_footprint *footprint,
                                   struct ridge_sink sink, struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    write_head(&text, footprint);
    for (size_t i = 0; i < footprint->series_count; i++) {
        write_series(&text, &footprint->series[i]);
    }
    for (size_t i = 0; i < footprint->wrong_count; i++) {
        write_wrong(&text, &footprint->wrong[i]);
    }
    ridge_status status = RIDGE_OK;
    if (text.failed) {
        status = rg_error_memory(error, text.capacity);
    } else if (!sink.write(sink.user, text.text, text.length)) {
        status = rg_error_set(error, RIDGE_E_IO, "the output could not be written");
    }
    rg_buffer_fini(&text);
    return status;
}
