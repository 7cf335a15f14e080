/* SPDX-License-Identifier: MIT */
/** \file ridge trace for programs. */
#include <math.h>

#include "cmd_trace.h"
#include "ridge/json.h"

static void counts(struct ridge_json *json, const struct ridge_trace *trace)
{
    ridge_json_array_begin(json, "instructions");
    for (size_t i = 0; i < RIDGE_TRACE_CLASSES; i++) {
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_text(json, "class", ridge_trace_class_word(i));
        ridge_json_double(json, "warps", trace->sum.warp_instructions[i]);
        ridge_json_double(json, "lanes", trace->sum.lane_instructions[i]);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
    ridge_json_object_begin(json, "counts");
    for (size_t i = 0; i < RIDGE_TALLY_COUNT; i++) {
        ridge_json_double(json, ridge_tally_key_word(i), trace->sum.of[i]);
    }
    ridge_json_object_end(json);
}

static void axes(struct ridge_json *json, const char *key, const uint64_t *of)
{
    ridge_json_array_begin_compact(json, key);
    for (size_t i = 0; i < 3; i++) {
        ridge_json_u64(json, NULL, of[i]);
    }
    ridge_json_array_end(json);
}

static void launch(struct ridge_json *json, const struct ridge_trace *trace)
{
    ridge_json_text(json, "language", trace->language);
    ridge_json_text(json, "compiler", trace->compiler);
    if (trace->other_entry[0]) {
        ridge_json_text(json, "other_entry", trace->other_entry);
    }
    ridge_json_text(json, "target", trace->target);
    axes(json, "grid", trace->grid);
    axes(json, "block", trace->block);
    axes(json, "active", trace->active);
    ridge_json_u64(json, "shared_bytes", trace->shared_bytes);
    ridge_json_array_begin(json, "blocks");
    for (size_t i = 0; i < trace->block_count; i++) {
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_u64(json, "index", trace->blocks[i].index);
        ridge_json_double(json, "stands_for", trace->blocks[i].weight);
        ridge_json_double(json, "warp_instructions", trace->blocks[i].warp_instructions);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
    ridge_json_double(json, "spread", trace->spread);
    if (trace->along) {
        ridge_json_object_begin_compact(json, "extended");
        ridge_json_text(json, "along", trace->along);
        ridge_json_i64(json, "from", trace->at[0]);
        ridge_json_i64(json, "through", trace->at[1]);
        ridge_json_i64(json, "to", trace->along_value);
        ridge_json_object_end(json);
    }
}

static void work(struct ridge_json *json, const struct trace_view *view)
{
    ridge_json_array_begin(json, "work");
    for (size_t i = 0; i < RIDGE_WORK_KEYS; i++) {
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_text(json, "key", ridge_work_key(i));
        ridge_json_double(json, "counted", view->trace.work[i]);
        ridge_json_double(json, "expression", view->trace.expression[i]);
        if (view->priced) {
            ridge_json_double(json, "alone_s", view->cost.part_s[i]);
        }
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
    if (view->priced) {
        ridge_json_object_begin(json, "estimate");
        ridge_json_text(json, "kind", "estimated");
        ridge_json_text(json, "device", view->device.count > 1 ? view->device.asked : view->device.devices[0]->name);
        ridge_json_double(json, "cost_s", view->cost.estimate.cost);
        ridge_json_text(json, "bound", ridge_bound_word((ridge_bound)view->cost.estimate.bound));
        ridge_json_double(json, "occupancy", view->cost.estimate.occupancy);
        ridge_json_double(json, "waves", view->cost.estimate.waves);
        ridge_json_object_end(json);
    }
}

static void lines(struct ridge_json *json, const struct ridge_trace *trace)
{
    ridge_json_array_begin(json, "lines");
    for (size_t i = 0; i < trace->line_count; i++) {
        const struct ridge_trace_line *line = &trace->lines[i];
        ridge_json_object_begin_compact(json, NULL);
        ridge_json_text(json, "file", line->file);
        ridge_json_u64(json, "line", line->line);
        ridge_json_double(json, "warp_instructions", line->warp_instructions);
        ridge_json_double(json, "shared_wavefronts", line->shared_wavefronts);
        ridge_json_double(json, "global_requests", line->global_requests);
        ridge_json_double(json, "global_sectors", line->global_sectors);
        ridge_json_object_end(json);
    }
    ridge_json_array_end(json);
}

int trace_print_json(const struct trace_view *view)
{
    struct ridge_json json;
    const bool ok = view->trace.outcome == RIDGE_OUTCOME_OK;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.trace/1");
    ridge_json_text(&json, "kind", "counted");
    ridge_json_text(&json, "id", view->trace.id);
    ridge_json_object_begin(&json, "config");
    for (size_t i = 0; i < ridge_space_dimension_count(view->space); i++) {
        ridge_json_value(&json, ridge_space_dimension_name(view->space, i),
                         ridge_space_value(view->space, i, view->choice[i]));
    }
    ridge_json_object_end(&json);
    ridge_json_text(&json, "outcome", ridge_outcome_word(view->trace.outcome));
    ridge_json_text(&json, "reason", view->trace.text);
    if (ok) {
        launch(&json, &view->trace);
        counts(&json, &view->trace);
        work(&json, view);
    }
    if (ok && view->options.lines) {
        lines(&json, &view->trace);
    }
    ridge_json_object_end(&json);
    if (!ridge_json_end(&json)) {
        return EXIT_INPUT;
    }
    return ok ? EXIT_DONE : EXIT_NEGATIVE;
}
