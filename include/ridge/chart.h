/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A chart of ranges with a height, as an SVG picture: one file without scripts or fonts of its own, readable on a
 * light and on a dark page (prefers-color-scheme). Thread rule: pure apart from the sink.
 */
#ifndef RIDGE_CHART_H
#define RIDGE_CHART_H

#include "ridge/sink.h"
#include "ridge/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_CHART_KINDS = 8,
    RIDGE_CHART_LEAST_WIDTH = 320,
    RIDGE_CHART_MOST_WIDTH = 4000
};

/** A block of the chart: from `first` to `last` along x, from 0 to `height` along y. */
struct ridge_chart_bar {
    double first;
    double last;
    double height;    /**< 0 to 1 */
    unsigned kind;    /**< which colour: 0 .. RIDGE_CHART_KINDS - 1 */
    const char *text; /**< said when one points at it; NULL: nothing */
};

/** What to draw. Everything is borrowed for the call. */
struct ridge_chart {
    const char *title;
    const char *subtitle;
    const char *x_label;
    const char *y_label;
    const char *kinds[RIDGE_CHART_KINDS]; /**< what each colour means; NULL: it is not used */
    const struct ridge_chart_bar *bars;   /**< ascending along x, not overlapping */
    size_t count;
    double x_first, x_last; /**< ends of the x axis; x_first < x_last */
    double x_tick;          /**< least distance of numbers along x, doubled as needed; 0: a round one is chosen */
    double mark;            /**< x of a dashed line; NaN: none */
    const char *mark_label;
    unsigned width_px; /**< RIDGE_CHART_LEAST_WIDTH .. RIDGE_CHART_MOST_WIDTH */
};

/**
 * Write a chart.
 * \retval RIDGE_E_ARGUMENT  a width or an axis that cannot be
 * \retval RIDGE_E_IO        the sink refused bytes
 */
RIDGE_API ridge_status ridge_chart_write(const struct ridge_chart *chart, struct ridge_sink sink,
                                         struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
