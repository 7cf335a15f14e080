/* SPDX-License-Identifier: MIT */
/**
 * \file Tracing one configuration in a worker process; what comes of it goes into a slot of shared memory.
 * Thread rule: one thread at a time.
 */
#ifndef RG_TUNE_TRACING_H
#define RG_TUNE_TRACING_H

#include "tune/crew_choices.h"
#include "tune/problem.h"
#include "tune/program.h"
#include "tune/sampling.h"
#include "tune/tally.h"

enum {
    RG_TRACE_LINES = 1024,
    RG_TRACE_BLOCKS = 64, /**< that are told of by themselves */
    RG_TRACE_TEXT = 8192,
    RG_TRACE_FILE = 256
};

struct rg_trace_slot_line {
    char file[RG_TRACE_FILE];
    struct ridge_trace_line counts; /**< its file is not set */
};

/** Plain memory: no pointers, since another process reads it. */
struct rg_trace_slot {
    struct rg_crew_slot tool; /**< whether the tool itself failed */
    ridge_outcome outcome;
    char text[RG_TRACE_TEXT];
    rg_language language;
    bool is_ptx;
    bool cached;
    char compiler[64];
    char other_entry[RG_TRACE_FILE];
    char target[32];
    uint64_t grid[3];
    uint64_t block[3];
    uint64_t active[3];
    uint64_t shared_bytes;
    struct ridge_tally sum;
    double spread;
    double work[RIDGE_WORK_KEYS];
    double expression[RIDGE_WORK_KEYS];
    uint64_t block_count;
    struct ridge_trace_block blocks[RG_TRACE_BLOCKS];
    uint64_t line_count;
    struct rg_trace_slot_line lines[RG_TRACE_LINES];
    bool compiled;
    uint32_t registers;
    uint32_t spill_bytes;
    double compile_s;
    double run_s;
};

/** What tracing needs. */
struct rg_tracing {
    const struct ridge_context *context;
    const struct ridge_spec *spec; /**< with its real params */
    const struct ridge_space *space;
    struct rg_sources *sources;
    struct rg_problem *problems; /**< one, or two of a count rule */
    size_t problem_count;
    const char *machine; /**< NULL: registers are not asked for */
    uint64_t blocks;
    bool all_blocks;
    bool quick;
    bool lines;
};

/** Trace the configuration `choice`. The slot is all zero before. */
void rg_tracing_run(const struct rg_tracing *tracing, const uint32_t *choice, struct rg_trace_slot *slot);

/** Evaluate [model.work] for a configuration; NaN where it says nothing or has no value. */
void rg_tracing_expressions(const struct ridge_spec *spec, const struct ridge_value *values, double *out);

#endif
