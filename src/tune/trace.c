/* SPDX-License-Identifier: MIT */
/* The public face of tracing: opens problems and sources once, and lets a crew do the configurations. */
#include "ridge/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "compile/cache.h"
#include "space/space.h"
#include "tune/gate.h"
#include "tune/tracer.h"

static const char default_target[] = "compute_80";
static const double default_timeout_s = 60;

/** Open the problems that are run: the real one, or the two of the spec's count rule. */
static ridge_status problems_open(struct ridge_tracer *tracer, const char *path, struct ridge_error *error)
{
    const struct rg_count_rule *rule = &tracer->spec->count_rule;
    const bool extended = rule->along && rule->value > rule->at[1];
    struct rg_problem_source source = {
        .path = path, .set = tracer->options.set, .set_count = tracer->options.set_count};
    tracer->tracing.problem_count = extended ? 2 : 1;
    for (size_t i = 0; i < tracer->tracing.problem_count; i++) {
        source.along = extended ? rule->along : NULL;
        source.at = rule->at[i];
        const ridge_status status = rg_problem_open(tracer->context, &source, &tracer->problems[i], error);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

static ridge_status open_all(struct ridge_tracer *tracer, const char *path, struct ridge_error *error)
{
    const struct ridge_trace_options *options = &tracer->options;
    ridge_status status =
        ridge_spec_load(tracer->context, path, options->set, options->set_count, &tracer->spec, error);
    if (status == RIDGE_OK) {
        status = ridge_space_create(tracer->context, tracer->spec, &tracer->space, error);
    }
    if (status == RIDGE_OK) {
        status = rg_sources_open(tracer->context, tracer->spec, options->ptx, &tracer->sources, error);
    }
    if (status == RIDGE_OK) {
        status = problems_open(tracer, path, error);
    }
    tracer->path = status == RIDGE_OK ? rg_arena_strdup(&tracer->sources.arena, path) : NULL;
    if (status == RIDGE_OK && !tracer->path) {
        status = rg_error_memory(error, strlen(path));
    }
    snprintf(tracer->sources.target_text, sizeof tracer->sources.target_text, "%s",
             options->target ? options->target : default_target);
    tracer->sources.how = (struct rg_compilers_options){
        .cuda_path = options->cuda_path, .cache_folder = options->cache_folder, .work_folder = options->work_folder};
    tracer->sources.how.cache_is_fixed =
        status != RIDGE_OK || options->ptx || !rg_cache_prepare(tracer->context, options->cache_folder);
    return status;
}

ridge_status ridge_tracer_open(const struct ridge_context *context, const char *path,
                               const struct ridge_trace_options *options, struct ridge_tracer **out,
                               struct ridge_error *error)
{
    if (!context || !path || !options || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context, path, options or out is NULL (give each)");
    }
    struct ridge_tracer *tracer = rg_alloc(context, sizeof *tracer);
    if (!tracer) {
        return rg_error_memory(error, sizeof *tracer);
    }
    tracer->context = context;
    tracer->options = *options;
    const ridge_status status = open_all(tracer, path, error);
    if (status != RIDGE_OK) {
        ridge_tracer_close(tracer);
        return status;
    }
    tracer->tracing.context = context;
    tracer->tracing.spec = tracer->spec;
    tracer->tracing.space = tracer->space;
    tracer->tracing.sources = &tracer->sources;
    tracer->tracing.problems = tracer->problems;
    tracer->tracing.machine = options->machine;
    tracer->tracing.blocks = options->blocks;
    tracer->tracing.all_blocks = options->all_blocks;
    tracer->tracing.quick = options->quick;
    tracer->tracing.lines = options->lines;
    *out = tracer;
    return RIDGE_OK;
}

void ridge_tracer_close(struct ridge_tracer *tracer)
{
    if (tracer) {
        for (size_t i = 0; i < 2; i++) {
            rg_problem_close(&tracer->problems[i]);
        }
        rg_sources_close(&tracer->sources);
        ridge_space_destroy(tracer->bare_space);
        ridge_spec_destroy(tracer->bare_spec);
        ridge_space_destroy(tracer->space);
        ridge_spec_destroy(tracer->spec);
        rg_free(tracer->context, tracer, sizeof *tracer);
    }
}

const struct ridge_space *ridge_tracer_space(const struct ridge_tracer *tracer)
{
    return tracer->space;
}

ridge_status rg_tracer_bare_space(struct ridge_tracer *tracer, const struct ridge_space **out,
                                  struct ridge_error *error)
{
    const struct ridge_trace_options *options = &tracer->options;
    ridge_status status = RIDGE_OK;
    if (!tracer->bare_spec) {
        const struct ridge_spec_options bare = {
            .set = options->set, .set_count = options->set_count, .without_work = true};
        status = ridge_spec_load_with(tracer->context, tracer->path, &bare, &tracer->bare_spec, error);
    }
    if (status == RIDGE_OK && !tracer->bare_space) {
        status = ridge_space_create(tracer->context, tracer->bare_spec, &tracer->bare_space, error);
    }
    *out = tracer->bare_space;
    return status;
}

/** One call of ridge_trace_each. */
struct call {
    struct ridge_tracer *tracer;
    bool (*each)(void *user, uint64_t index, const struct ridge_trace *trace);
    void *user;
};

static void work(void *owner, const uint32_t *choice, void *slot)
{
    rg_tracing_run(&((struct ridge_tracer *)owner)->tracing, choice, slot);
}

static void leave(void *owner)
{
    ridge_tracer_close(owner);
}

static int compare_lines(const void *left, const void *right)
{
    const struct ridge_trace_line *a = left;
    const struct ridge_trace_line *b = right;
    return (a->warp_instructions < b->warp_instructions) - (a->warp_instructions > b->warp_instructions);
}

static const char *language_word(const struct rg_trace_slot *slot)
{
    return slot->is_ptx ? "PTX" : slot->language == RG_LANGUAGE_CUDA ? "CUDA" : "OpenCL C";
}

/** Copy a slot into what is handed out. */
static void take_slot(struct ridge_tracer *tracer, const struct rg_trace_slot *slot, struct ridge_trace *out)
{
    const struct rg_count_rule *rule = &tracer->spec->count_rule;
    const bool extended = tracer->tracing.problem_count == 2;
    const char *own = slot->is_ptx ? NULL : tracer->spec->sources[slot->language];
    memcpy(tracer->compiler, slot->compiler, sizeof tracer->compiler);
    memcpy(tracer->other_entry, slot->other_entry, sizeof tracer->other_entry);
    memcpy(tracer->target, slot->target, sizeof tracer->target);
    memcpy(tracer->text, slot->text, sizeof tracer->text);
    memcpy(tracer->blocks, slot->blocks, sizeof tracer->blocks);
    for (uint64_t i = 0; i < slot->line_count; i++) {
        tracer->kept_lines[i] = slot->lines[i];
        tracer->lines[i] = slot->lines[i].counts;
        tracer->lines[i].file = rg_gate_own_name(own, tracer->kept_lines[i].file);
    }
    qsort(tracer->lines, (size_t)slot->line_count, sizeof *tracer->lines, compare_lines);
    out->outcome = slot->outcome;
    out->text = slot->outcome == RIDGE_OUTCOME_OK ? NULL : tracer->text;
    out->language = language_word(slot);
    out->compiler = tracer->compiler;
    out->other_entry = tracer->other_entry;
    out->target = tracer->target;
    out->cached = slot->cached;
    memcpy(out->grid, slot->grid, sizeof out->grid);
    memcpy(out->block, slot->block, sizeof out->block);
    memcpy(out->active, slot->active, sizeof out->active);
    out->shared_bytes = slot->shared_bytes;
    out->along = extended ? rule->along : NULL;
    memcpy(out->at, rule->at, sizeof out->at);
    out->along_value = rule->value;
    out->block_count = (size_t)slot->block_count;
    out->blocks = tracer->blocks;
    out->sum = slot->sum;
    out->spread = slot->spread;
    memcpy(out->work, slot->work, sizeof out->work);
    memcpy(out->expression, slot->expression, sizeof out->expression);
    out->line_count = (size_t)slot->line_count;
    out->lines = tracer->lines;
    out->compiled = slot->compiled;
    out->registers = slot->registers;
    out->spill_bytes = slot->spill_bytes;
    out->compile_s = slot->compile_s;
    out->run_s = slot->run_s;
}

/** What there is to hand out of a job that did not come to its end. */
static void take_end(struct ridge_tracer *tracer, rg_crew_end end, int signal, struct ridge_trace *out)
{
    out->text = tracer->text;
    if (end == RG_CREW_LATE) {
        out->outcome = RIDGE_OUTCOME_TIMEOUT;
        snprintf(tracer->text, sizeof tracer->text, "it was not counted within %g s", tracer->options.timeout_s);
        return;
    }
    out->outcome = RIDGE_OUTCOME_CRASHED;
    snprintf(tracer->text, sizeof tracer->text, "the process that counted it died: signal %d", signal);
}

static bool take(void *user, uint64_t index, const char *id, const void *slot, rg_crew_end end, int signal)
{
    const struct call *call = user;
    struct ridge_trace trace = {.outcome = RIDGE_OUTCOME_OK};
    memcpy(trace.id, id, sizeof trace.id);
    if (end == RG_CREW_DONE) {
        take_slot(call->tracer, slot, &trace);
    } else {
        take_end(call->tracer, end, signal, &trace);
    }
    return call->each(call->user, index, &trace);
}

ridge_status ridge_trace_each(struct ridge_tracer *tracer, const uint32_t *choices, uint64_t count,
                              bool (*each)(void *user, uint64_t index, const struct ridge_trace *trace), void *user,
                              struct ridge_error *error)
{
    struct call call = {.tracer = tracer, .each = each, .user = user};
    if (tracer->options.timeout_s <= 0) {
        tracer->options.timeout_s = default_timeout_s;
    }
    const struct rg_crew_choices run = {.context = tracer->context,
                                        .space = tracer->space,
                                        .choices = choices,
                                        .stop = tracer->options.stop,
                                        .workers = tracer->options.workers,
                                        .slot_bytes = sizeof(struct rg_trace_slot),
                                        .timeout_s = tracer->options.timeout_s,
                                        .owner = tracer,
                                        .work = work,
                                        .leave = leave,
                                        .take = take,
                                        .user = &call};
    return rg_crew_choices_run(&run, count, error);
}
