/* SPDX-License-Identifier: MIT */
/** \file ridge trace: the work of one configuration, counted by running some of its blocks on this CPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_trace.h"
#include "space_find.h"

static void take(struct trace_view *view, const struct ridge_trace *trace)
{
    view->trace = *trace; /* what it points to lives until the tracer's next call */
}

static bool each(void *user, uint64_t index, const struct ridge_trace *trace)
{
    (void)index;
    take(user, trace);
    return true;
}

static ridge_status find_device(struct trace_view *view, struct ridge_error *error)
{
    if (!view->device_name) {
        return RIDGE_OK;
    }
    const ridge_status status = ridge_device_db_create(view->context, view->data, &view->devices, error);
    return status == RIDGE_OK ? ridge_device_find(view->devices, view->device_name, &view->device, error) : status;
}

static ridge_status price(struct trace_view *view, struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    if (view->device_name && view->trace.outcome == RIDGE_OUTCOME_OK) {
        status = ridge_trace_price(view->tracer, &view->trace, view->choice, &view->device, &view->cost, error);
        view->priced = status == RIDGE_OK;
    }
    return status;
}

static ridge_status run(struct trace_view *view, struct ridge_error *error)
{
    ridge_status status = find_device(view, error);
    if (status == RIDGE_OK) {
        status = ridge_tracer_open(view->context, view->spec_path, &view->options, &view->tracer, error);
    }
    if (status == RIDGE_OK) {
        view->space = ridge_tracer_space(view->tracer);
        status = view->configuration ? find_configuration(view->space, view->configuration, view->choice, error)
                                     : ridge_space_at(view->space, 0, view->choice, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_trace_each(view->tracer, view->choice, 1, each, view, error);
    }
    return status == RIDGE_OK ? price(view, error) : status;
}

static int show(struct trace_view *view)
{
    struct ridge_error error = {0};
    if (run(view, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    if (view->json) {
        return trace_print_json(view);
    }
    if (view->trace.outcome != RIDGE_OUTCOME_OK) {
        fprintf(stderr, "ridge: %s: %s: %s\n", view->trace.id, ridge_outcome_word(view->trace.outcome),
                view->trace.text);
        return EXIT_NEGATIVE;
    }
    trace_print_text(view);
    return EXIT_DONE;
}

int cmd_trace(struct ridge_context *context, int argc, char **argv)
{
    struct trace_view view = {.context = context};
    struct option_list set = {0};
    const char *configuration = NULL;
    const char *dimensions = NULL;
    char cache[CACHE_PATH_BYTES];
    struct option_optional blocks = {0};
    const struct option options[] = {
        {"config", OPTION_TEXT, &configuration, "ID",
         "which configuration: its id, # and its index, or name=value,... (default: the first)", NULL},
        {"set-dims", OPTION_TEXT, &dimensions, "NAME=VALUE,...", "another name of --config", NULL},
        {"device", OPTION_TEXT, &view.device_name, "NAME", "what the work costs on this device (see ridge devices)",
         NULL},
        {"data", OPTION_TEXT, &view.data, "FOLDER", "device files over those compiled in", NULL},
        {"blocks", OPTION_OPTIONAL, &blocks, "N", "run N blocks, evenly spaced (default: corners, edges, middle)",
         NULL},
        {"all-blocks", OPTION_FLAG, &view.options.all_blocks, NULL, "run every block", NULL},
        {"lines", OPTION_FLAG, &view.options.lines, NULL, "show the work by source line too", NULL},
        {"ptx", OPTION_TEXT, &view.options.ptx, "FILE", "run this PTX instead of compiling the spec's source", NULL},
        {"target", OPTION_TEXT, &view.options.target, "NAME", "what to compile for (default: compute_80)", NULL},
        {"set", OPTION_LIST, &set, "NAME=VALUE", "override a param of the spec; may be repeated", NULL},
        {"cuda-path", OPTION_TEXT, &view.options.cuda_path, "PATH", "a CUDA toolkit, or its NVRTC library", NULL},
        {"timeout", OPTION_DURATION, &view.options.timeout_s, "TIME", "give up after this long (default: 60s)", NULL},
        {"json", OPTION_FLAG, &view.json, NULL, "print JSON", NULL},
        {0},
    };
    switch (options_parse(command_find("trace"), options, argc, argv, &view.spec_path, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (configuration && dimensions) {
        fprintf(stderr, "ridge trace: --config and --set-dims were both given (take one)\n");
        return EXIT_USAGE;
    }
    if (blocks.given && blocks.value == 0) {
        fprintf(stderr, "ridge trace: --blocks: 0 makes no sense (at least 1; --all-blocks runs every one)\n");
        return EXIT_USAGE;
    }
    if (blocks.given && view.options.all_blocks) {
        fprintf(stderr, "ridge trace: --blocks and --all-blocks were both given (take one)\n");
        return EXIT_USAGE;
    }
    view.configuration = configuration ? configuration : dimensions;
    view.options.set = set.items;
    view.options.set_count = set.count;
    view.options.blocks = blocks.value;
    view.options.cache_folder = code_cache_path(view.spec_path, cache, sizeof cache);
    view.options.work_folder = getenv("TMPDIR");
    const int code = show(&view);
    ridge_tracer_close(view.tracer);
    ridge_device_db_destroy(view.devices);
    return code;
}
