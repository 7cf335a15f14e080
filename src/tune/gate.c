/* SPDX-License-Identifier: MIT */
/* The public face of the gate: opens the reduced problem once, and lets a crew judge configurations. */
#include "tune/gate.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "compile/cache.h"
#include "space/space.h"
#include "tune/gate_tool.h"

static const double default_timeout_s = 60;
static const char target[] = "compute_80";
static const char this_cpu[] = "this CPU";

static const char *const verdict_words[] = {
#define VERDICT_WORD(name, word, meaning) word,
    RIDGE_GATE_LIST(VERDICT_WORD)
#undef VERDICT_WORD
};

const char *ridge_gate_verdict_word(ridge_gate_verdict verdict)
{
    return (size_t)verdict < sizeof verdict_words / sizeof verdict_words[0] ? verdict_words[verdict] : "?";
}

static ridge_status problem_text(struct ridge_gate *gate, struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, gate->context);
    const struct ridge_spec *spec = gate->problem.spec;
    for (size_t i = 0; i < spec->param_count; i++) {
        const struct ridge_value *value = spec->params[i].constant;
        char number[64];
        ridge_value_format(value, number, sizeof number);
        rg_buffer_printf(&text, "%s%s=%s", i > 0 ? " " : "", spec->params[i].name,
                         value->type == RIDGE_TEXT ? value->as.text : number);
    }
    gate->problem_text = rg_arena_strdup(&gate->arena, rg_buffer_text(&text));
    const bool failed = text.failed || !gate->problem_text;
    rg_buffer_fini(&text);
    return failed ? rg_error_memory(error, 1024) : RIDGE_OK;
}

static ridge_status open_all(struct ridge_gate *gate, const char *path, struct ridge_error *error)
{
    const struct ridge_check_options *options = &gate->options;
    const struct rg_problem_source source = {
        .path = path, .set = options->set, .set_count = options->set_count, .check = true};
    ridge_status status = ridge_spec_load(gate->context, path, options->set, options->set_count, &gate->spec, error);
    if (status == RIDGE_OK) {
        status = ridge_space_create(gate->context, gate->spec, &gate->space, error);
    }
    if (status == RIDGE_OK) {
        status = rg_sources_open(gate->context, gate->spec, options->ptx, &gate->sources, error);
    }
    if (status == RIDGE_OK) {
        status = rg_judge_find(gate, error);
    }
    if (status == RIDGE_OK) {
        status = rg_problem_open(gate->context, &source, &gate->problem, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    for (size_t i = 0; i < gate->problem.workload.count; i++) { /* a reference goes on from what a kernel finds */
        void *expected = gate->problem.workload.expected[i];
        if (expected && gate->problem.workload.shapes[i].read) {
            memcpy(expected, gate->problem.workload.initial[i], (size_t)gate->problem.workload.shapes[i].bytes);
        }
    }
    snprintf(gate->sources.target_text, sizeof gate->sources.target_text, "%s", target);
    gate->sources.how = (struct rg_compilers_options){
        .cuda_path = options->cuda_path, .cache_folder = options->cache_folder, .work_folder = options->work_folder};
    gate->sources.how.cache_is_fixed = !rg_cache_prepare(gate->context, options->cache_folder);
    status = problem_text(gate, error);
    return status == RIDGE_OK ? rg_gate_reference(gate, error) : status;
}

ridge_status ridge_gate_open(const struct ridge_context *context, const char *path,
                             const struct ridge_check_options *options, struct ridge_gate **out,
                             struct ridge_error *error)
{
    if (!context || !path || !options || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context, path, options or out is NULL (give each)");
    }
    struct ridge_gate *gate = rg_alloc(context, sizeof *gate);
    if (!gate) {
        return rg_error_memory(error, sizeof *gate);
    }
    gate->context = context;
    gate->options = *options;
    gate->options.timeout_s = options->timeout_s > 0 ? options->timeout_s : default_timeout_s;
    rg_arena_init(&gate->arena, context);
    const ridge_status status = open_all(gate, path, error);
    if (status != RIDGE_OK) {
        ridge_gate_close(gate);
        return status;
    }
    *out = gate;
    return RIDGE_OK;
}

void ridge_gate_close(struct ridge_gate *gate)
{
    if (gate) {
        rg_judge_close(gate);
        rg_problem_close(&gate->problem);
        rg_sources_close(&gate->sources);
        ridge_space_destroy(gate->space);
        ridge_spec_destroy(gate->spec);
        rg_arena_fini(&gate->arena);
        rg_free(gate->context, gate, sizeof *gate);
    }
}

const struct ridge_space *ridge_gate_space(const struct ridge_gate *gate)
{
    return gate->space;
}

const char *ridge_gate_problem(const struct ridge_gate *gate)
{
    return gate->problem_text;
}

/** One call of ridge_check_each. */
struct call {
    struct ridge_gate *gate;
    bool (*each)(void *user, uint64_t index, const struct ridge_checked *checked);
    void *user;
};

static void work(void *owner, const uint32_t *choice, void *slot)
{
    rg_gate_judge(owner, choice, false, slot);
}

static void leave(void *owner)
{
    ridge_gate_close(owner);
}

/** Copy a slot into what is handed out. */
static void take_slot(struct ridge_gate *gate, const struct rg_gate_slot *slot, struct ridge_checked *out)
{
    gate->shown = *slot;
    for (uint64_t i = 0; i < slot->finding_count; i++) {
        const struct rg_gate_finding *found = &gate->shown.findings[i];
        gate->findings[i] =
            (struct ridge_finding){rg_rule_word(found->rule), found->file, found->line, found->reason, found->count};
    }
    out->verdict = slot->verdict;
    out->reason = slot->verdict == RIDGE_GATE_NOT_RUN ? gate->shown.text : NULL;
    out->language = slot->is_ptx ? "PTX" : slot->language == RG_LANGUAGE_CUDA ? "CUDA" : "OpenCL C";
    out->compiler = gate->shown.compiler;
    out->other_entry = gate->shown.other_entry;
    out->place = gate->shown.place[0] ? gate->shown.place : this_cpu;
    memcpy(out->grid, slot->grid, sizeof out->grid);
    memcpy(out->block, slot->block, sizeof out->block);
    out->compared = slot->compared;
    out->finding_count = (size_t)slot->finding_count;
    out->findings = gate->findings;
}

static void take_end(struct ridge_gate *gate, rg_crew_end end, int signal, struct ridge_checked *out)
{
    out->verdict = RIDGE_GATE_NOT_RUN;
    out->reason = gate->shown.text;
    if (end == RG_CREW_LATE) {
        snprintf(gate->shown.text, sizeof gate->shown.text, "timeout: it did not end within %g s " RG_GATE_TOO_LATE,
                 gate->options.timeout_s);
    } else {
        snprintf(gate->shown.text, sizeof gate->shown.text, "crashed: the process that ran it died: signal %d", signal);
    }
}

static bool take(void *user, uint64_t index, const char *id, const void *slot, rg_crew_end end, int signal)
{
    const struct call *call = user;
    struct ridge_checked checked = {.language = "", .compiler = "", .other_entry = "", .place = this_cpu};
    memcpy(checked.id, id, sizeof checked.id);
    if (end == RG_CREW_DONE) {
        take_slot(call->gate, slot, &checked);
    } else {
        take_end(call->gate, end, signal, &checked);
    }
    return call->each(call->user, index, &checked);
}

ridge_status ridge_check_each(struct ridge_gate *gate, const uint32_t *choices, uint64_t count,
                              bool (*each)(void *user, uint64_t index, const struct ridge_checked *checked), void *user,
                              struct ridge_error *error)
{
    struct call call = {.gate = gate, .each = each, .user = user};
    const struct rg_crew_choices run = {.context = gate->context,
                                        .space = gate->space,
                                        .choices = choices,
                                        .stop = gate->options.stop,
                                        .workers = gate->judge && gate->judge->on_device ? 1 : gate->options.workers,
                                        .slot_bytes = sizeof(struct rg_gate_slot),
                                        .timeout_s = gate->options.timeout_s,
                                        .owner = gate,
                                        .work = work,
                                        .leave = leave,
                                        .take = take,
                                        .user = &call};
    return rg_crew_choices_run(&run, count, error);
}
