/* SPDX-License-Identifier: MIT */
#include "tune/tracing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/error.h"
#include "space/space.h"

/** One configuration being traced. */
struct session {
    const struct rg_tracing *tracing;
    struct rg_trace_slot *slot;
    struct ridge_value values[RG_MAX_DIMENSIONS];
    struct rg_ptx_program program;
    struct rg_sampling sampling;
    struct rg_sampled *sampled;
    size_t sampled_count;
    size_t done;               /**< blocks of the run that is going on */
    struct ridge_tally *tally; /**< of it */
    double least;
    double most;
    struct rg_trouble *trouble;
};

static void line_done(void *user, const struct rg_engine_line *line)
{
    struct rg_trace_slot *slot = ((struct session *)user)->slot;
    if (slot->line_count < RG_TRACE_LINES) {
        struct rg_trace_slot_line *out = &slot->lines[slot->line_count++];
        snprintf(out->file, sizeof out->file, "%s", line->file);
        out->counts = (struct ridge_trace_line){
            .line = line->line,
            .warp_instructions = (double)line->warp_instructions,
            .shared_wavefronts = (double)line->shared_wavefronts,
            .global_requests = (double)line->global_requests,
            .global_sectors = (double)line->global_sectors,
        };
    }
}

static double instructions_of(const struct rg_engine_counts *counts)
{
    double total = 0;
    for (size_t i = 0; i < RG_CLASS_COUNT; i++) {
        total += (double)counts->warp_instructions[i];
    }
    return total;
}

static void block_done(void *user, uint64_t block, const struct rg_engine_counts *counts)
{
    struct session *session = user;
    struct rg_trace_slot *slot = session->slot;
    (void)block;
    if (session->done == session->sampled_count) {
        return;
    }
    const struct rg_sampled *sampled = &session->sampled[session->done++];
    const double instructions = instructions_of(counts);
    rg_tally_add(session->tally, counts, sampled->weight);
    session->least = fmin(session->least, instructions);
    session->most = fmax(session->most, instructions);
    if (slot->block_count < RG_TRACE_BLOCKS && session->tally == &slot->sum) {
        slot->blocks[slot->block_count++] = (struct ridge_trace_block){sampled->index, sampled->weight, instructions};
    }
}

/** What ends a run before its end is trouble of the configuration. Other findings are the gate's. */
static void finding_seen(void *user, const struct rg_engine_finding *finding)
{
    struct session *session = user;
    if (finding->rule == RG_RULE_NEVER_ENDS || finding->rule == RG_RULE_TRAP || finding->rule == RG_RULE_UNSUPPORTED) {
        rg_trouble_set(session->trouble, RIDGE_OUTCOME_CRASHED, "%s:%u: %s", finding->file, finding->line,
                       finding->reason);
    }
}

static struct rg_engine_run run_of(struct session *session, const struct rg_job *job,
                                   struct rg_engine_arguments *arguments)
{
    struct rg_engine_run run = {
        .context = session->tracing->context,
        .ptx = session->program.ptx,
        .entry = session->program.entry_index,
        .shared_dynamic_bytes = arguments->shared_dynamic_bytes,
        .buffers = arguments->buffers,
        .buffer_count = arguments->buffer_count,
        .arguments = arguments->list,
        .argument_count = arguments->count,
        .count = true,
        .finding = finding_seen,
        .user = session,
    };
    memcpy(run.grid, job->launch.grid, sizeof run.grid);
    memcpy(run.block, job->launch.block, sizeof run.block);
    return run;
}

/** Whether a block does nothing that another thread could see. */
static bool is_idle(const struct rg_engine_run *run, uint64_t block, bool *idle, struct ridge_error *error)
{
    struct rg_engine_run one = *run;
    struct rg_engine_counts counts = {0};
    one.blocks = &block;
    one.block_count = 1;
    const bool ran = rg_engine_run(&one, &counts, error) == RIDGE_OK;
    *idle = counts.global_requests == 0 && counts.shared_accesses == 0 && counts.atomics == 0;
    return ran;
}

/**
 * Find how many blocks along an axis do something, where those beyond leave at once: the last one tells whether there
 * are such, and halving finds the first.
 */
static bool find_active(struct session *session, const struct rg_engine_run *run, unsigned axis, uint64_t stride,
                        struct ridge_error *error)
{
    uint64_t low = 0; /* does something */
    uint64_t high = run->grid[axis] - 1;
    bool idle = false;
    session->sampling.active[axis] = run->grid[axis];
    if (high == 0) {
        return true;
    }
    if (!is_idle(run, high * stride, &idle, error)) {
        return false;
    }
    if (!idle) {
        return true;
    }
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (!is_idle(run, middle * stride, &idle, error)) {
            return false;
        }
        *(idle ? &high : &low) = middle;
    }
    session->sampling.active[axis] = high;
    return true;
}

static bool find_all_active(struct session *session, const struct rg_engine_run *run, struct ridge_error *error)
{
    bool idle = false;
    memcpy(session->sampling.grid, run->grid, sizeof run->grid);
    memcpy(session->sampling.active, run->grid, sizeof run->grid);
    if (session->tracing->all_blocks) {
        return true;
    }
    if (!is_idle(run, 0, &idle, error)) {
        return false;
    }
    return idle || (find_active(session, run, 0, 1, error) && find_active(session, run, 1, run->grid[0], error) &&
                    find_active(session, run, 2, run->grid[0] * run->grid[1], error));
}

static bool choose_blocks(struct session *session, const struct rg_engine_run *run, uint64_t *indices,
                          struct ridge_error *error)
{
    const struct rg_tracing *tracing = session->tracing;
    if (memcmp(run->grid, session->slot->grid, sizeof run->grid) != 0) {
        (void)rg_error_set(error, RIDGE_E_VALUE,
                           "the grid depends on `%s`, along which [count] extends (name the length of a loop there)",
                           tracing->spec->count_rule.along);
        return false;
    }
    session->sampling.wanted = tracing->blocks;
    session->sampling.all = tracing->all_blocks;
    session->sampling.quick = tracing->quick;
    if (session->sampled_count == 0) {
        if (!find_all_active(session, run, error)) {
            return false;
        }
        session->sampled_count = rg_sampling_choose(&session->sampling, session->sampled);
    }
    if (session->sampled_count == 0) {
        (void)rg_error_set(error, RIDGE_E_LIMIT, "the grid has more than %d blocks (run fewer of them with --blocks)",
                           RG_SAMPLE_MOST);
        return false;
    }
    for (size_t i = 0; i < session->sampled_count; i++) {
        indices[i] = session->sampled[i].index;
    }
    return true;
}

/** Run the blocks of one problem and add up what they do. */
static ridge_status run_problem(struct session *session, struct rg_problem *problem, struct ridge_tally *tally,
                                bool lines, struct ridge_error *error)
{
    struct rg_job job;
    ridge_status status = rg_job_init(&job, problem->spec, session->values, session->trouble, error);
    uint64_t *indices = rg_arena_array(&job.arena, RG_SAMPLE_MOST, sizeof *indices);
    if (status != RIDGE_OK || session->trouble->outcome != RIDGE_OUTCOME_OK || !indices) {
        rg_job_fini(&job);
        return status == RIDGE_OK && !indices ? rg_error_memory(error, RG_SAMPLE_MOST * sizeof *indices) : status;
    }
    struct rg_engine_arguments arguments;
    rg_problem_reset(problem, false);
    rg_problem_arguments(problem, &job, session->program.is_cuda, &arguments);
    struct rg_engine_run run = run_of(session, &job, &arguments);
    memcpy(session->slot->block, run.block, sizeof run.block);
    session->slot->shared_bytes = run.shared_dynamic_bytes + session->program.entry->shared_static_bytes;
    if (!choose_blocks(session, &run, indices, error)) {
        rg_job_fini(&job);
        return error->status;
    }
    rg_problem_reset(problem, false);
    run.blocks = indices;
    run.block_count = session->sampled_count;
    run.block_done = block_done;
    run.line = lines ? line_done : NULL;
    session->tally = tally;
    session->done = 0;
    struct rg_engine_counts counts = {0};
    status = rg_engine_run(&run, &counts, error);
    session->tally = NULL;
    tally->of[RIDGE_TALLY_LOOP] = (double)counts.loop_bytes; /* of all blocks together */
    rg_job_fini(&job);
    return status;
}

/** Launch and arguments of the real problem: what its grid is, and what it moves at least. */
static ridge_status real_grid(const struct session *session, struct rg_tally_grid *grid, struct ridge_error *error)
{
    const struct ridge_spec *spec = session->tracing->spec;
    struct rg_job job;
    const ridge_status status = rg_job_init(&job, spec, session->values, session->trouble, error);
    if (status == RIDGE_OK && session->trouble->outcome == RIDGE_OUTCOME_OK) {
        memcpy(session->slot->grid, job.launch.grid, sizeof job.launch.grid);
    }
    rg_job_fini(&job);
    double bytes = 0;
    for (size_t i = 0; i < spec->argument_count; i++) {
        const struct rg_argument *argument = &spec->arguments[i];
        struct ridge_value length;
        struct rg_fault fault;
        const bool buffer = argument->access <= RG_ACCESS_INOUT;
        if (buffer && rg_expr_eval(argument->length, session->values, &length, &fault)) {
            const double once = (double)length.as.integer * (double)rg_element_bytes(argument->element);
            bytes += argument->access == RG_ACCESS_INOUT ? 2 * once : once;
        }
    }
    grid->argument_bytes = bytes;
    return status;
}

static ridge_status count(struct session *session, struct ridge_error *error)
{
    const struct rg_tracing *tracing = session->tracing;
    struct rg_trace_slot *slot = session->slot;
    struct rg_tally_grid grid = {0};
    struct ridge_tally low = {.of = {0}};
    const bool extended = tracing->problem_count == 2;
    ridge_status status = real_grid(session, &grid, error);
    if (status == RIDGE_OK && extended && session->trouble->outcome == RIDGE_OUTCOME_OK) {
        status = run_problem(session, &tracing->problems[0], &low, false, error);
    }
    if (status == RIDGE_OK && session->trouble->outcome == RIDGE_OUTCOME_OK) {
        status =
            run_problem(session, &tracing->problems[tracing->problem_count - 1], &slot->sum, tracing->lines, error);
    }
    if (status != RIDGE_OK || session->trouble->outcome != RIDGE_OUTCOME_OK) {
        return status;
    }
    if (extended) {
        rg_tally_extend(&low, &slot->sum, &tracing->spec->count_rule, &slot->sum);
    }
    grid.active_blocks = rg_sampling_active(&session->sampling);
    memcpy(slot->active, session->sampling.active, sizeof slot->active);
    slot->spread = session->least > 0 ? session->most / session->least : (double)INFINITY;
    rg_tally_work(&slot->sum, &grid, slot->work);
    rg_tracing_expressions(tracing->spec, session->values, slot->expression);
    return RIDGE_OK;
}

static ridge_status trace(struct session *session, struct ridge_error *error)
{
    const struct rg_tracing *tracing = session->tracing;
    struct rg_trace_slot *slot = session->slot;
    struct rg_job job;
    ridge_status status = rg_job_init(&job, tracing->spec, session->values, session->trouble, error);
    if (status == RIDGE_OK && session->trouble->outcome == RIDGE_OUTCOME_OK) {
        status = rg_ptx_program_make(tracing->sources, &job, &session->program, session->trouble, error);
    }
    struct rg_machine_facts machine = {.known = false};
    if (status == RIDGE_OK && session->program.ptx && tracing->machine) {
        rg_machine_facts_find(tracing->sources, &session->program, &job, tracing->machine, &machine);
    }
    slot->compiled = machine.known;
    slot->registers = machine.registers;
    slot->spill_bytes = machine.spill_bytes;
    rg_job_fini(&job);
    slot->language = session->program.language;
    slot->is_ptx = tracing->sources->ptx_text != NULL;
    slot->cached = session->program.cached;
    slot->compile_s = session->program.compile_s;
    snprintf(slot->compiler, sizeof slot->compiler, "%s", session->program.compiler);
    snprintf(slot->other_entry, sizeof slot->other_entry, "%s",
             session->program.renamed ? session->program.entry->name : "");
    if (slot->is_ptx && session->program.ptx) {
        snprintf(slot->target, sizeof slot->target, "sm_%u", rg_ptx_target(session->program.ptx));
    } else {
        memcpy(slot->target, tracing->sources->target_text, sizeof slot->target);
    }
    if (status != RIDGE_OK || session->trouble->outcome != RIDGE_OUTCOME_OK) {
        return status;
    }
    const double began_s = rg_clock_s();
    status = rg_engine_refusal(count(session, error), error, session->trouble);
    slot->run_s = rg_clock_s() - began_s;
    return status;
}

void rg_tracing_run(const struct rg_tracing *tracing, const uint32_t *choice, struct rg_trace_slot *slot)
{
    struct rg_buffer text;
    rg_buffer_init(&text, tracing->context);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
    struct session session = {.tracing = tracing, .slot = slot, .least = (double)INFINITY, .trouble = &trouble};
    rg_space_choice_values(tracing->space, choice, session.values);
    session.sampled = rg_alloc(tracing->context, RG_SAMPLE_MOST * sizeof *session.sampled);
    slot->tool.status = session.sampled ? trace(&session, &slot->tool.error)
                                        : rg_error_memory(&slot->tool.error, RG_SAMPLE_MOST * sizeof *session.sampled);
    slot->outcome = trouble.outcome;
    snprintf(slot->text, sizeof slot->text, "%s", rg_buffer_text(&text));
    rg_ptx_program_fini(&session.program);
    rg_free(tracing->context, session.sampled, RG_SAMPLE_MOST * sizeof *session.sampled);
    rg_buffer_fini(&text);
}

static double number_of(const struct ridge_value *value)
{
    switch (value->type) {
    case RIDGE_INT: return (double)value->as.integer;
    case RIDGE_FLOAT: return value->as.number;
    case RIDGE_BOOL: return value->as.truth ? 1 : 0;
    case RIDGE_TEXT: break;
    }
    return (double)NAN;
}

void rg_tracing_expressions(const struct ridge_spec *spec, const struct ridge_value *values, double *out)
{
    struct ridge_value slots[RG_MAX_DIMENSIONS + RG_MAX_LETS];
    struct rg_fault fault;
    bool lets = true;
    memcpy(slots, values, spec->dimension_count * sizeof *slots);
    for (size_t i = 0; i < spec->let_count && lets; i++) {
        lets = rg_expr_eval(spec->lets[i], slots, &slots[spec->dimension_count + i], &fault);
    }
    for (size_t i = 0; i < RG_WORK_COUNT; i++) {
        struct ridge_value value;
        const bool given = lets && spec->work[i] && rg_expr_eval(spec->work[i], slots, &value, &fault);
        out[i] = given ? number_of(&value) : (double)NAN;
    }
}
