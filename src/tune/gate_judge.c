/* SPDX-License-Identifier: MIT */
/* One configuration, run whole: what the engine finds, then the outputs. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "space/space.h"
#include "tune/gate.h"
#include "tune/gate_tool.h"
#include "tune/verify.h"

/** Thread instructions of a reduced problem, about ten seconds of them. A kernel that needs more never ends, or its
 * problem is not small. */
static const uint64_t most_instructions = 1000000000;

/** Rules that say that something could not be run, not that the kernel is wrong. */
static bool is_incapacity(rg_rule rule)
{
    return rule == RG_RULE_UNSUPPORTED;
}

/** Where findings go. */
struct judging {
    struct rg_gate_slot *slot;
    const char *source; /**< as the spec names it */
};

const char *rg_gate_own_name(const char *source, const char *file)
{
    const size_t length = strlen(file);
    const size_t own = source ? strlen(source) : 0;
    const bool same =
        own > 0 && length > own && file[length - own - 1] == '/' && strcmp(file + length - own, source) == 0;
    return same ? source : file;
}

static void finding_seen(void *user, const struct rg_engine_finding *found)
{
    const struct judging *judging = user;
    struct rg_gate_slot *slot = judging->slot;
    const char *file = rg_gate_own_name(judging->source, found->file);
    if (is_incapacity(found->rule)) {
        snprintf(slot->text, sizeof slot->text, "%s:%u: %s", file, found->line, found->reason);
        return;
    }
    if (slot->finding_count < RG_GATE_FINDINGS) {
        struct rg_gate_finding *out = &slot->findings[slot->finding_count++];
        out->rule = found->rule;
        out->line = found->line;
        out->count = found->count;
        snprintf(out->file, sizeof out->file, "%s", file);
        snprintf(out->reason, sizeof out->reason, "%s%s", found->reason,
                 found->rule == RG_RULE_NEVER_ENDS ? " (a loop without an end, or too large a problem: " RG_GATE_SMALLER
                                                     ")"
                                                   : "");
    }
}

/** The line on which the kernel's name stands first, followed by its parameters. */
static unsigned entry_line(const char *text, const char *entry)
{
    const size_t length = strlen(entry);
    unsigned line = 1;
    for (const char *at = text; at && *at; at++) {
        if (strncmp(at, entry, length) == 0 && at[length] == '(') {
            return line;
        }
        line += *at == '\n';
    }
    return 0;
}

/** Whether the run was ended before its end: what it would have written is not known. */
static bool is_cut_off(const struct rg_gate_slot *slot)
{
    for (size_t i = 0; i < slot->finding_count; i++) {
        if (slot->findings[i].rule == RG_RULE_NEVER_ENDS) {
            return true;
        }
    }
    return false;
}

static void outputs_compare(struct ridge_gate *gate, const struct rg_ptx_program *program, struct rg_gate_slot *slot)
{
    const struct ridge_spec *spec = gate->problem.spec;
    const struct rg_workload *workload = &gate->problem.workload;
    struct rg_buffer text;
    rg_buffer_init(&text, gate->context);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
    for (size_t i = 0; i < workload->count; i++) {
        if (gate->problem.written[i] && trouble.outcome == RIDGE_OUTCOME_OK) {
            const uint64_t count = workload->shapes[i].bytes / workload->shapes[i].element_bytes;
            rg_verify_output(&spec->verify, &spec->arguments[i], gate->problem.written[i], workload->expected[i], count,
                             &trouble);
            slot->compared |= workload->expected[i] != NULL;
        }
    }
    if (trouble.outcome != RIDGE_OUTCOME_OK && slot->finding_count < RG_GATE_FINDINGS) {
        struct rg_gate_finding *out = &slot->findings[slot->finding_count++];
        const char *path = gate->sources.ptx_path ? gate->sources.ptx_path : gate->spec->sources[program->language];
        out->rule = RG_RULE_WRONG_OUTPUT;
        out->count = 1;
        out->line = gate->sources.ptx_path ? 0 : entry_line(gate->sources.texts[program->language], gate->spec->entry);
        snprintf(out->file, sizeof out->file, "%s", path);
        snprintf(out->reason, sizeof out->reason, "%.*s", (int)strcspn(rg_buffer_text(&text), "\n"),
                 rg_buffer_text(&text));
    }
    rg_buffer_fini(&text);
}

static void outputs_keep(struct ridge_gate *gate)
{
    const struct rg_workload *workload = &gate->problem.workload;
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->expected[i]) {
            memcpy(workload->expected[i], gate->problem.written[i], (size_t)workload->shapes[i].bytes);
        }
    }
}

static ridge_status run(struct ridge_gate *gate, const struct rg_job *job, const struct rg_ptx_program *program,
                        struct rg_gate_slot *slot, struct ridge_error *error)
{
    struct rg_engine_arguments arguments;
    struct judging judging = {slot, gate->sources.ptx_path ? NULL : gate->spec->sources[program->language]};
    rg_problem_reset(&gate->problem, true);
    rg_problem_arguments(&gate->problem, job, program->is_cuda, &arguments);
    struct rg_engine_run whole = {
        .context = gate->context,
        .ptx = program->ptx,
        .entry = program->entry_index,
        .shared_dynamic_bytes = arguments.shared_dynamic_bytes,
        .buffers = arguments.buffers,
        .buffer_count = arguments.buffer_count,
        .arguments = arguments.list,
        .argument_count = arguments.count,
        .check = true,
        .max_thread_instructions = most_instructions,
        .finding = finding_seen,
        .user = &judging,
    };
    memcpy(whole.grid, job->launch.grid, sizeof whole.grid);
    memcpy(whole.block, job->launch.block, sizeof whole.block);
    memcpy(slot->grid, whole.grid, sizeof slot->grid);
    memcpy(slot->block, whole.block, sizeof slot->block);
    return rg_engine_run(&whole, NULL, error);
}

/** Compile and run with the engine. */
static ridge_status engine_judge(struct ridge_gate *gate, const struct rg_job *job, struct rg_ptx_program *program,
                                 struct rg_gate_slot *slot, struct rg_trouble *trouble, struct ridge_error *error)
{
    ridge_status status = rg_ptx_program_make(&gate->sources, job, program, trouble, error);
    snprintf(slot->compiler, sizeof slot->compiler, "%s", program->compiler);
    snprintf(slot->other_entry, sizeof slot->other_entry, "%s", program->renamed ? program->entry->name : "");
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = rg_engine_refusal(run(gate, job, program, slot, error), error, trouble);
    }
    return status;
}

/** Compile and run, or let another judge do it. */
static ridge_status any_judge(struct ridge_gate *gate, const struct rg_job *job, const uint32_t *choice,
                              struct rg_ptx_program *program, struct rg_gate_slot *slot, struct rg_trouble *trouble,
                              struct ridge_error *error)
{
    if (!gate->judge) {
        return engine_judge(gate, job, program, slot, trouble, error);
    }
    struct rg_judged judged = {.job = job, .choice = choice, .slot = slot, .trouble = trouble};
    program->language = gate->judge->language;
    return rg_judge_run(gate, &judged, error);
}

/** Judge and look at the outputs. Trouble: why it could not be run. */
static ridge_status judge(struct ridge_gate *gate, const uint32_t *choice, bool keep, struct rg_gate_slot *slot,
                          struct rg_trouble *trouble, struct ridge_error *error)
{
    struct rg_job job;
    struct ridge_value values[RG_MAX_DIMENSIONS];
    struct rg_ptx_program program = {.ptx = NULL};
    rg_space_choice_values(gate->space, choice, values);
    ridge_status status = rg_job_init(&job, gate->problem.spec, values, trouble, error);
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        status = any_judge(gate, &job, choice, &program, slot, trouble, error);
    }
    slot->language = program.language;
    slot->is_ptx = gate->sources.ptx_text != NULL;
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK && slot->text[0] == '\0') {
        if (keep) {
            outputs_keep(gate);
        } else if (!is_cut_off(slot)) {
            outputs_compare(gate, &program, slot);
        }
    }
    rg_ptx_program_fini(&program);
    rg_job_fini(&job);
    return status;
}

void rg_gate_judge(struct ridge_gate *gate, const uint32_t *choice, bool keep, struct rg_gate_slot *slot)
{
    struct rg_buffer text;
    rg_buffer_init(&text, gate->context);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
    slot->tool.status = judge(gate, choice, keep, slot, &trouble, &slot->tool.error);
    if (trouble.outcome != RIDGE_OUTCOME_OK) {
        snprintf(slot->text, sizeof slot->text, "%s: %s", ridge_outcome_word(trouble.outcome), rg_buffer_text(&text));
    }
    slot->verdict = slot->finding_count > 0 ? RIDGE_GATE_REFUSED
                    : slot->text[0] != '\0' ? RIDGE_GATE_NOT_RUN
                                            : RIDGE_GATE_CLEAN;
    rg_buffer_fini(&text);
}
