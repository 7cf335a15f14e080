/* SPDX-License-Identifier: MIT */
/** \file Counts of the engine as numbers that can be weighed, extended along a line, and turned into work. Pure. */
#ifndef RG_TUNE_TALLY_H
#define RG_TUNE_TALLY_H

#include "engine/engine.h"
#include "ridge/trace.h"
#include "space/spec.h"

/** Add `weight` times what the engine counted. */
void rg_tally_add(struct ridge_tally *tally, const struct rg_engine_counts *counts, double weight);

/** Extend every count along the line through `low` at `at[0]` and `high` at `at[1]` to `value`. */
void rg_tally_extend(const struct ridge_tally *low, const struct ridge_tally *high, const struct rg_count_rule *rule,
                     struct ridge_tally *out);

/** What a grid's counts stand for. */
struct rg_tally_grid {
    double active_blocks;  /**< that do something */
    double argument_bytes; /**< of all buffers: what a launch moves at least */
};

/** Turn the counts of a grid into work (docs/model.md says each). \param[out] work  RIDGE_WORK_KEYS of them */
void rg_tally_work(const struct ridge_tally *sum, const struct rg_tally_grid *grid, double *work);

#endif
