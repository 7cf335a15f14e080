/* SPDX-License-Identifier: MIT */
/** \file What the parts of `ridge occupancy` share: one question, and the views that answer it. */
#ifndef CLI_CMD_OCCUPANCY_H
#define CLI_CMD_OCCUPANCY_H

#include "options.h"
#include "ridge/occupancy.h"

/** What was asked on the command line. */
struct question {
    const char *device, *data, *threads, *carveout, *sweep, *svg, *batch, *grid;
    struct option_optional registers, smem_static, smem_dynamic, cluster, elements, multiprocessors;
    struct option_optional barriers, virtual_resources, max_threads, wave, agprs, sgprs, smem_dynamic_max,
        smem_per_thread;
    uint64_t svg_width;
    bool opt_in, cu_mode, suggest, persistent, json;
};

/** A question with the device it is about. */
struct occupancy_view {
    const struct question *question;
    const struct ridge_device_db *db;
    struct ridge_device_match match;
    const struct ridge_occupancy_table *table;
    struct ridge_launch launch;
    bool has_grid;
    uint64_t grid[3];
    uint32_t multiprocessors; /* 0: not asked for */
    struct ridge_grid_answer grid_answer;
    uint64_t persistent_blocks;
    bool cluster_needs_opt_in;
};

/** Print the answer for one launch. \return the exit code. */
int occupancy_print_text(const struct occupancy_view *view);
int occupancy_print_json(const struct occupancy_view *view);

/** Print a sweep, and draw it when a picture was asked for. \return the exit code. */
int occupancy_print_sweep(struct ridge_context *context, const struct occupancy_view *view);

/** Print block sizes, best first. \return the exit code. */
int occupancy_print_suggestions(const struct occupancy_view *view);

/** Answer a CSV file row by row. \return the exit code. */
int occupancy_run_batch(const struct occupancy_view *view);

enum {
    LIMITER_BYTES = 128
};

/** Write a set of resources as "registers+blocks". \param joint  what stands between two */
void occupancy_limiter_words(uint32_t limiters, const char *joint, char out[LIMITER_BYTES]);

/** \return resident warps as a share of what the multiprocessor of the view can hold. */
double occupancy_ratio(const struct occupancy_view *view, const struct ridge_occupancy_cell *cell);

/** The facts behind a limit: `index` 0, 1, ... \return false when there are no more. */
bool occupancy_fact_of(const struct occupancy_view *view, ridge_resource resource, size_t index, ridge_fact *out);

#endif
