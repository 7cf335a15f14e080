/* SPDX-License-Identifier: MIT */
/** \file What the parts of ridge trace share. */
#ifndef CLI_CMD_TRACE_H
#define CLI_CMD_TRACE_H

#include "code_cache.h"
#include "options.h"
#include "ridge/trace.h"

struct trace_view {
    struct ridge_context *context;
    /* as given */
    const char *spec_path;
    const char *configuration; /* NULL: the first */
    const char *device_name;   /* NULL: nothing is priced */
    const char *data;          /* device files over those compiled in, or NULL */
    struct ridge_trace_options options;
    bool json;
    /* made */
    struct ridge_tracer *tracer;
    const struct ridge_space *space;
    uint32_t choice[64];
    struct ridge_trace trace;
    struct ridge_device_db *devices;
    struct ridge_device_match device;
    struct ridge_trace_cost cost;
    bool priced;
};

void trace_print_text(const struct trace_view *view);
void trace_print_lines(const struct ridge_trace *trace);
int trace_print_json(const struct trace_view *view);

#endif
