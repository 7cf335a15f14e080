/* SPDX-License-Identifier: MIT */
/** \file Jobs on the host: each discipline is a task of the team. */
#include "base/clock.h"
#include "base/error.h"
#include "curve/host_probe.h"
#include "curve/machine_watch.h"
#include "curve/window.h"

enum {
    PASSES_A_QUESTION = 16 /* of those that are waited for, each of which may last a turn of another program */
};

static struct rg_account begin_timed(struct rg_worker *worker)
{
    const struct rg_account before = rg_account_thread();
    rg_team_meet(worker->team);
    worker->begin_ns = rg_clock_ns();
    return before;
}

static void end_timed(struct rg_worker *worker, const struct rg_account *before)
{
    worker->end_ns = rg_clock_ns();
    const struct rg_account after = rg_account_thread();
    const double seconds = (double)(worker->end_ns - worker->begin_ns) * 1e-9;
    worker->faults = after.faults - before->faults;
    worker->disturbed = rg_account_disturbances(before, &after, seconds);
}

/** Do the next pass of a worker's work, and step on. */
static uint64_t one_pass(struct rg_worker *worker)
{
    struct rg_host_work *work = &worker->work;
    struct rg_host_work pass = *work;
    pass.passes = 1;
    work->window = (work->window + work->step) % work->window_count;
    work->value++;
    return work->part_bytes > 0 ? worker->loop(&pass) : 0;
}

static void task_stream(struct rg_worker *worker)
{
    const struct rg_account before = begin_timed(worker);
    const bool does = worker->work.part_bytes > 0 && !rg_team_is_ended(worker->team);
    worker->result = does ? worker->loop(&worker->work) : 0;
    end_timed(worker, &before);
}

static void task_launch(struct rg_worker *worker)
{
    const struct rg_account before = begin_timed(worker);
    worker->result = 0;
    for (uint64_t pass = 0; pass < worker->work.passes && !rg_team_is_ended(worker->team); pass++) {
        worker->result += one_pass(worker);
        rg_team_meet(worker->team);
    }
    end_timed(worker, &before);
}

static void task_once(struct rg_worker *worker)
{
    worker->result += one_pass(worker);
}

static double run_oneshot(struct rg_probe_state *state, uint64_t passes, struct rg_probe_sample *out)
{
    const struct rg_account before = rg_account_process();
    const uint64_t begin_ns = rg_clock_ns();
    for (unsigned i = 0; i < state->team.active; i++) {
        state->team.workers[i].result = 0;
    }
    for (uint64_t pass = 0; pass < passes; pass++) {
        if (pass % PASSES_A_QUESTION == 0 && rg_team_asks(&state->team)) {
            break;
        }
        rg_team_run(&state->team, task_once);
    }
    const uint64_t end_ns = rg_clock_ns();
    const struct rg_account after = rg_account_process();
    out->void_sample = after.faults > before.faults;
    /* Threads that sleep between passes have their processor for less than the time. */
    out->disturbed = rg_account_disturbances(&before, &after, 0);
    return (double)(end_ns - begin_ns) * 1e-9;
}

static double run_together(struct rg_probe_state *state, rg_task task, struct rg_probe_sample *out)
{
    rg_team_run(&state->team, task);
    uint64_t begin_ns = UINT64_MAX;
    uint64_t end_ns = 0;
    for (unsigned i = 0; i < state->team.active; i++) {
        const struct rg_worker *worker = &state->team.workers[i];
        begin_ns = worker->begin_ns < begin_ns ? worker->begin_ns : begin_ns;
        end_ns = worker->end_ns > end_ns ? worker->end_ns : end_ns;
        out->void_sample = out->void_sample || worker->faults > 0;
        out->disturbed |= worker->disturbed;
    }
    return (double)(end_ns - begin_ns) * 1e-9;
}

/** The share of worker number `index`: whole lines of every buffer, in its own part of the pool. */
static bool prepare_worker(struct rg_worker *worker, const struct rg_probe_job *job, uint64_t lines, unsigned count)
{
    const uint64_t index = worker->index;
    const uint64_t mine = lines * (index + 1) / count - lines * index / count;
    const unsigned buffers = rg_access_buffers(job->access);
    struct rg_window_plan plan;
    worker->work = (struct rg_host_work){.window_count = 1, .passes = job->passes};
    if (mine == 0) {
        return true; /* more workers than lines: this one only meets the others */
    }
    if (!rg_window_plan(job->access, worker->pool_bytes, mine * RG_PROBE_LINE_BYTES * buffers, &plan)) {
        return false;
    }
    for (unsigned i = 0; i < buffers; i++) {
        worker->work.buffers[i] = worker->pool + i * plan.buffer_bytes;
    }
    worker->work.part_bytes = plan.window_bytes;
    worker->work.window_bytes = plan.window_bytes;
    worker->work.window_count = plan.count;
    worker->work.step = job->warm ? 0 : plan.step % plan.count;
    worker->work.window = job->warm ? 0 : rg_window_at(&plan, job->first);
    return true;
}

uint64_t rg_host_prepare(struct rg_probe_state *state, const struct rg_probe_job *job)
{
    const unsigned buffers = rg_access_buffers(job->access);
    const uint64_t asked = job->bytes / buffers / RG_PROBE_LINE_BYTES;
    const uint64_t lines = asked > 0 ? asked : 1;
    for (unsigned i = 0; i < state->team.active; i++) {
        struct rg_worker *worker = &state->team.workers[i];
        if (!prepare_worker(worker, job, lines, state->team.active)) {
            return 0;
        }
        worker->loop = state->loops[job->access]->loops[job->access];
        worker->work.value = state->value;
    }
    /* As a double the value stays between 1 and 2 for 2^52 passes, so that triad never meets a slow number. */
    state->value += job->passes;
    return lines * RG_PROBE_LINE_BYTES * buffers;
}

ridge_status rg_host_run(struct rg_probe_state *state, const struct rg_probe_job *job, struct rg_probe_sample *out,
                         struct ridge_error *error)
{
    struct rg_probe_sample sample = {0};
    const uint64_t pass_bytes = rg_host_prepare(state, job);
    if (pass_bytes == 0) {
        return rg_error_set(error, RIDGE_E_MEASURE, "%llu bytes do not fit a pool of %llu on %u threads",
                            (unsigned long long)job->bytes, (unsigned long long)state->pool_bytes, state->team.active);
    }
    if (job->discipline == RIDGE_DISCIPLINE_ONESHOT) {
        sample.seconds = run_oneshot(state, job->passes, &sample);
    } else {
        const bool stream = job->discipline == RIDGE_DISCIPLINE_STREAM;
        sample.seconds = run_together(state, stream ? task_stream : task_launch, &sample);
    }
    if (rg_team_is_ended(&state->team)) {
        return rg_probe_ended(error);
    }
    sample.bytes = pass_bytes * job->passes;
    /* Ticks are 10 ms long: what was stolen since the last sample may have been stolen from this one. */
    const uint64_t steal_ticks = rg_steal_ticks("", state->topology.cpus, state->team.active);
    sample.disturbed |= steal_ticks > state->steal_ticks ? (unsigned)RG_DISTURBED_STEAL : 0U;
    state->steal_ticks = steal_ticks;
    *out = sample;
    return RIDGE_OK;
}

static void task_clock(struct rg_worker *worker)
{
    if (worker->index == 0) {
        worker->clock_hz = rg_clock_hz_now(RG_CLOCK_STEPS);
    }
}

double rg_host_clock_hz(struct rg_probe_state *state)
{
    rg_team_run(&state->team, task_clock);
    return state->team.workers[0].clock_hz;
}
