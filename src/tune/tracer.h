/* SPDX-License-Identifier: MIT */
/** \file The inside of a tracer. Thread rule: one thread. */
#ifndef RG_TUNE_TRACER_H
#define RG_TUNE_TRACER_H

#include "ridge/trace.h"
#include "tune/tracing.h"

struct ridge_tracer {
    const struct ridge_context *context;
    struct ridge_trace_options options;
    struct ridge_spec *spec; /**< with its real params */
    struct ridge_space *space;
    struct ridge_spec *bare_spec; /**< without the expressions of [model.work]; made when it is asked for */
    struct ridge_space *bare_space;
    char *path; /**< of the spec, as given; in the arena of the sources */
    struct rg_sources sources;
    struct rg_problem problems[2];
    struct rg_tracing tracing;
    char compiler[64]; /**< of the trace handed out, as the next five */
    char other_entry[RG_TRACE_FILE];
    char target[32];
    struct rg_trace_slot_line kept_lines[RG_TRACE_LINES];
    char text[RG_TRACE_TEXT];
    struct ridge_trace_line lines[RG_TRACE_LINES];
    struct ridge_trace_block blocks[RG_TRACE_BLOCKS];
};

/** The same space, whose spec counts nothing itself: what a ranking by counts alone is made over. */
ridge_status rg_tracer_bare_space(struct ridge_tracer *tracer, const struct ridge_space **out,
                                  struct ridge_error *error);

#endif
