/* SPDX-License-Identifier: MIT */
#include "footprint_show.h"

#include <stdio.h>

static const char *role(const struct ridge_footprint_series *series)
{
    return series->held_out ? "held-out" : "fitted";
}

void footprint_points_print(const struct ridge_footprint *footprint)
{
    printf("  %-10s %-9s %10s  %-10s %9s %9s\n", "series", "role", "bytes", footprint->kind, "estimated", "off by");
    for (size_t i = 0; i < footprint->series_count; i++) {
        const struct ridge_footprint_series *series = &footprint->series[i];
        for (size_t k = 0; k < series->count; k++) {
            const double estimated = ridge_footprint_ratio(footprint, series->bytes[0], series->bytes[k]);
            printf("  %-10s %-9s %10.0f  %-10.3f %9.3f %+9.3f\n", series->label, role(series), series->bytes[k],
                   series->relative[k], estimated, estimated - series->relative[k]);
        }
    }
    for (size_t i = 0; i < footprint->series_count; i++) {
        if (footprint->series[i].how) {
            printf("  %s: %s\n", footprint->series[i].label, footprint->series[i].how);
        }
    }
}

static void json_series(struct ridge_json *json, const struct ridge_footprint *footprint,
                        const struct ridge_footprint_series *series)
{
    ridge_json_object_begin(json, NULL);
    ridge_json_text(json, "label", series->label);
    ridge_json_text(json, "role", role(series));
    ridge_json_text(json, "how", series->how);
    ridge_json_array_begin(json, "points");
    for (size_t i = 0; i < series->count; i++) {
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_double(json, "bytes", series->bytes[i]);
        ridge_json_double(json, footprint->kind, series->relative[i]);
        ridge_json_double(json, "estimated", ridge_footprint_ratio(footprint, series->bytes[0], series->bytes[i]));
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
    ridge_json_object_end(json);
}

static void json_wrong(struct ridge_json *json, const struct ridge_footprint *footprint)
{
    ridge_json_array_begin(json, "wrong");
    for (size_t i = 0; i < footprint->wrong_count; i++) {
        ridge_json_object_begin(json, NULL);
        ridge_json_text(json, "what", footprint->wrong[i].what);
        ridge_json_double(json, "predicted_ratio", footprint->wrong[i].predicted_ratio);
        ridge_json_double(json, "measured_ratio", footprint->wrong[i].measured_ratio);
        ridge_json_text(json, "note", footprint->wrong[i].note);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

static void json_calibration(struct ridge_json *json, const struct ridge_footprint *footprint)
{
    ridge_json_object_begin(json, "calibration");
    ridge_json_text(json, "name", footprint->name);
    ridge_json_text(json, "kind", footprint->kind);
    ridge_json_double(json, "slope_ratio", footprint->slope_ratio);
    ridge_json_double(json, "dead_band_ratio", footprint->dead_band_ratio);
    ridge_json_double(json, "fit_error_ratio", footprint->fit_error_ratio);
    ridge_json_double(json, "held_out_error_ratio", footprint->held_out_error_ratio);
    ridge_json_double(json, "bound_ratio", footprint->bound_ratio);
    ridge_json_text(json, "note", footprint->note);
    ridge_json_object_end(json);
}

void footprint_json(struct ridge_json *json, const struct ridge_footprint *footprint)
{
    if (!footprint) {
        static const char *const names[] = {"calibration", "scope", "source", "evidence", "wrong"};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            ridge_json_null(json, names[i]);
        }
        return;
    }
    json_calibration(json, footprint);
    ridge_json_text(json, "scope", footprint->scope);
    ridge_json_text(json, "source", footprint->source);
    ridge_json_array_begin(json, "evidence");
    for (size_t i = 0; i < footprint->series_count; i++) {
        json_series(json, footprint, &footprint->series[i]);
    }
    ridge_json_array_end(json);
    json_wrong(json, footprint);
}
