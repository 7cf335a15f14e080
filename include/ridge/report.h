/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What a run came to, as JSON (docs/run-json.md), CSV and text for a terminal. Nothing here measures or changes
 * anything; the bytes do not depend on the locale. Thread rule: any thread; a sink belongs to one.
 *
 * Every call returns RIDGE_E_IO when the sink refuses bytes and RIDGE_E_MEMORY when memory is out; what was written
 * up to then is not complete.
 */
#ifndef RIDGE_REPORT_H
#define RIDGE_REPORT_H

#include "ridge/ceilings.h"
#include "ridge/group.h"
#include "ridge/run.h"
#include "ridge/sink.h"
#include "ridge/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to write beyond the summary; a set. */
enum {
    RIDGE_REPORT_RESULTS = 1, /**< JSON: the array `results`, one object a configuration */
    RIDGE_REPORT_FAILED = 2,  /**< JSON, CSV: of the configurations, only those that failed */
    RIDGE_REPORT_SAMPLES = 4  /**< CSV: whole texts, and behind them samples_s (separated by blanks), kernel, device,
                                   registers, shared_bytes and spill_bytes: all that ridge import takes */
};

/** How a text looks. All zero is the default. */
struct ridge_report_options {
    unsigned width;   /**< columns of the terminal; 0: 100; below 40 is taken as 40 */
    bool colour;      /**< with ANSI escape sequences */
    bool failed_only; /**< only the configurations that failed, each with its whole text */
    size_t limit;     /**< rows of the table of the fastest; 0: 10 */
};

/** Write a run as a JSON object. \param flags  a set of RIDGE_REPORT_* */
RIDGE_API ridge_status ridge_report_json(const struct ridge_run *run, unsigned flags, struct ridge_sink sink,
                                         struct ridge_error *error);

/**
 * Write a run as CSV, quoted as RFC 4180 says: a header, then one row a configuration in the order measured; lines
 * end with a line feed; what is unknown is empty. Columns: id, one a dimension, outcome, kind, median_s, ci95_low_s,
 * ci95_high_s, n, min_s, max_s, outliers, rejected, finalist, converged, in_space, compile_s, run_s, text (its first
 * line). A dimension that has the name of one of these is called dimension.NAME.
 */
RIDGE_API ridge_status ridge_report_csv(const struct ridge_run *run, unsigned flags, struct ridge_sink sink,
                                        struct ridge_error *error);

/** Write a run for people. \param options  NULL: all defaults */
RIDGE_API ridge_status ridge_report_text(const struct ridge_run *run, const struct ridge_report_options *options,
                                         struct ridge_sink sink, struct ridge_error *error);

/** Write a group of runs for people: the best of each workload, and the best over all. \param options  NULL: all defaults */
RIDGE_API ridge_status ridge_report_group_text(const struct ridge_group *group,
                                               const struct ridge_report_options *options, struct ridge_sink sink,
                                               struct ridge_error *error);

/** The same as a JSON object (ridge.group/1). \param flags  RIDGE_REPORT_RESULTS, RIDGE_REPORT_FAILED: those without a score */
RIDGE_API ridge_status ridge_report_group_json(const struct ridge_group *group, unsigned flags, struct ridge_sink sink,
                                               struct ridge_error *error);

/**
 * The same as CSV, a row a configuration, best first, what is unknown empty: id, the dimensions, score, score_low,
 * score_high, over_base, over_base_low, over_base_high, tied_with_best, and for each workload NAME.outcome,
 * NAME.median_s, NAME.ci95_low_s, NAME.ci95_high_s and NAME.n of the first pass. A
 * dimension that has the name of one of these is called dimension.NAME. \param flags  RIDGE_REPORT_FAILED
 */
RIDGE_API ridge_status ridge_report_group_csv(const struct ridge_group *group, unsigned flags, struct ridge_sink sink,
                                              struct ridge_error *error);

/**
 * Draw the roofline of a run as an SVG picture, for light and dark pages: memory roofs by level, roofs of arithmetic, and
 * every ranked configuration as a point. One without FLOP is drawn by its bandwidth alone, one without bytes not at all.
 * \param ceilings  NULL: none are known, only points are drawn
 * \param width_px  RIDGE_CHART_LEAST_WIDTH .. RIDGE_CHART_MOST_WIDTH (ridge/chart.h)
 */
RIDGE_API ridge_status ridge_roofline_picture(const struct ridge_run *run, const struct ridge_ceilings *ceilings,
                                              unsigned width_px, struct ridge_sink sink, struct ridge_error *error);

/** Write the list of runs as a JSON object, oldest first. */
RIDGE_API ridge_status ridge_report_runs_json(struct ridge_store *store, struct ridge_sink sink,
                                              struct ridge_error *error);

/** Write the list of runs for people, oldest first. \param options  NULL: all defaults */
RIDGE_API ridge_status ridge_report_runs_text(struct ridge_store *store, const struct ridge_report_options *options,
                                              struct ridge_sink sink, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
