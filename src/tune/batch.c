/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "tune/session.h"

int rg_stop_level(const struct rg_tuning *tuning)
{
    return tuning->options.stop ? (int)*tuning->options.stop : 0;
}

double rg_seconds_left(const struct rg_tuning *tuning)
{
    /* The last part of the budget belongs to the finals. */
    static const double finals_share = 0.1;
    const double budget_s = tuning->options.budget_s;
    return budget_s > 0 ? budget_s * (1 - finals_share) - (rg_clock_s() - tuning->began_s) : (double)INFINITY;
}

bool rg_should_end(const struct rg_tuning *tuning)
{
    return rg_stop_level(tuning) > 0 || tuning->reached[0] || rg_seconds_left(tuning) <= 0;
}

/** Add the time since `began_s` to where it went; what workers spent in Ridge's own code is not counted. */
static void account(double *seconds, double began_s, double work_s, double own_s)
{
    const double share = work_s + own_s > 0 ? work_s / (work_s + own_s) : 1;
    *seconds += (rg_clock_s() - began_s) * share;
}

ridge_status rg_ask(struct rg_tuning *tuning, size_t worker, const struct rg_request *request, int stop_level,
                    struct rg_event *event, struct ridge_error *error)
{
    const double began_s = rg_clock_s();
    rg_pool_send(&tuning->pool, worker, request);
    const ridge_status status = rg_pool_wait(&tuning->pool, stop_level, event, error);
    tuning->pool.workers[worker].fresh = false;
    account(&tuning->seconds.run, began_s, event->reply.launch_s + event->reply.build_s, event->reply.own_s);
    if (status == RIDGE_OK && event->kind == RG_EVENT_REPLY) {
        rg_quiet_load(&tuning->quiet, event->reply.watched_s, event->reply.others_s);
    }
    return status;
}

/** What the death of a worker means: candidates that it held must be built again. */
static void worker_lost(struct rg_tuning *tuning, struct rg_batch *batch, size_t worker)
{
    for (size_t i = 0; i < batch->count; i++) {
        struct rg_candidate *candidate = &batch->candidates[i];
        if (candidate->worker == worker &&
            (candidate->progress == RG_PREPARED || candidate->progress == RG_PREPARING)) {
            candidate->progress = RG_WAITING;
        }
    }
    if (tuning->sentinel.worker == worker && tuning->sentinel.progress == RG_PREPARED) {
        tuning->sentinel.progress = RG_WAITING;
    }
}

static struct rg_candidate *batch_find(struct rg_batch *batch, rg_progress progress, size_t worker, bool any_worker)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->candidates[i].progress == progress && (any_worker || batch->candidates[i].worker == worker)) {
            return &batch->candidates[i];
        }
    }
    return NULL;
}

/**
 * Whether what a worker reports as a fault of the spec is one of this configuration: others were built with the same
 * arguments, such as where a dimension is the type of an element.
 */
static bool fits_others(const struct rg_tuning *tuning, struct rg_batch *batch, const struct rg_candidate *candidate,
                        const struct rg_event *event)
{
    return event->reply.status == RIDGE_E_VALUE && candidate->progress == RG_PREPARING &&
           (tuning->ok_count > 0 || batch_find(batch, RG_PREPARED, 0, true));
}

/** Record what failed twice in processes that earlier configurations had used: the run goes on without it. */
static ridge_status spoilt_record(struct rg_tuning *tuning, struct rg_candidate *candidate,
                                  const struct rg_event *event, struct ridge_error *error)
{
    char text[sizeof event->reply.error.message + 100];
    struct rg_event own = *event;
    own.text = text;
    snprintf(text, sizeof text, "it could not be tried in a process that earlier configurations had used: %s",
             event->reply.error.message);
    return rg_record(tuning, candidate, &own, RIDGE_OUTCOME_CRASHED, error);
}

/**
 * Handle what became of a candidate other than a good reply. A worker that has served before may have been spoilt by
 * an earlier candidate, such as by another working folder: the first death or failure of the tool is tried again in a
 * fresh one. A device may fail for no lasting reason, so that its failure always is.
 */
static ridge_status candidate_failed(struct rg_tuning *tuning, struct rg_batch *batch, struct rg_candidate *candidate,
                                     const struct rg_event *event, struct ridge_error *error)
{
    static const ridge_outcome outcomes[] = {
        [RG_EVENT_DIED] = RIDGE_OUTCOME_CRASHED, [RG_EVENT_TIMEOUT] = RIDGE_OUTCOME_TIMEOUT};
    const bool tool_failed = event->kind == RG_EVENT_REPLY && event->reply.status != RIDGE_OK;
    if (tool_failed && fits_others(tuning, batch, candidate, event)) {
        struct rg_event own = *event;
        own.text = event->reply.error.message;
        return rg_record(tuning, candidate, &own, RIDGE_OUTCOME_COMPILE, error);
    }
    const bool fresh = tuning->pool.workers[event->worker].fresh;
    if (tool_failed && fresh && (event->reply.status != RIDGE_E_DEVICE || candidate->attempts > 0)) {
        if (error && error->status == RIDGE_OK) {
            *error = event->reply.error;
        }
        return event->reply.status;
    }
    if (event->kind == RG_EVENT_REPLY && !tool_failed) {
        if (event->reply.damaged) {
            worker_lost(tuning, batch, event->worker);
            rg_pool_kill(&tuning->pool, event->worker);
        }
        return rg_record(tuning, candidate, event, event->reply.outcome, error);
    }
    rg_pool_kill(&tuning->pool, event->worker);
    worker_lost(tuning, batch, event->worker);
    if (event->kind != RG_EVENT_TIMEOUT && (tool_failed || !fresh) && candidate->attempts++ == 0) {
        candidate->progress = RG_WAITING;
        return RIDGE_OK;
    }
    return tool_failed ? spoilt_record(tuning, candidate, event, error)
                       : rg_record(tuning, candidate, event, outcomes[event->kind], error);
}

/** \return what to build next: first what failed in a used process, before another spoils this one; NULL: nothing. */
static struct rg_candidate *waiting_find(struct rg_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->candidates[i].progress == RG_WAITING && batch->candidates[i].attempts > 0) {
            return &batch->candidates[i];
        }
    }
    return batch_find(batch, RG_WAITING, 0, true);
}

/** Give every idle worker something to build. */
static ridge_status prepare_assign(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error)
{
    struct rg_pool *pool = &tuning->pool;
    for (size_t worker = 0; worker < pool->count; worker++) {
        struct rg_candidate *candidate = waiting_find(batch);
        if (pool->workers[worker].busy || !candidate || rg_should_end(tuning)) {
            continue;
        }
        const bool was_running = pool->workers[worker].pid > 0;
        const ridge_status status = rg_pool_start(pool, worker, error);
        if (status != RIDGE_OK) {
            return status;
        }
        struct rg_request request = {.kind = RG_REQUEST_PREPARE, .slot = (uint32_t)(candidate - batch->candidates) + 1};
        memcpy(request.choice, candidate->choice, sizeof request.choice);
        candidate->progress = RG_PREPARING;
        candidate->worker = worker;
        rg_pool_send(pool, worker, &request);
        pool->workers[worker].fresh = !was_running;
    }
    return RIDGE_OK;
}

static bool any_busy(const struct rg_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->workers[i].busy) {
            return true;
        }
    }
    return false;
}

/** A reply, death or deadline while building. */
static ridge_status prepare_event(struct rg_tuning *tuning, struct rg_batch *batch, const struct rg_event *event,
                                  struct ridge_error *error)
{
    struct rg_candidate *candidate = batch_find(batch, RG_PREPARING, event->worker, false);
    if (!candidate) {
        return rg_error_set(error, RIDGE_E_INTERNAL, "worker %zu answered for nothing", event->worker);
    }
    candidate->build_s = event->reply.build_s;
    candidate->run_s = event->reply.launch_s;
    if (!rg_event_is_good(event)) {
        return candidate_failed(tuning, batch, candidate, event, error);
    }
    candidate->progress = RG_PREPARED;
    return RIDGE_OK;
}

/** Leave what is being built when the run is to end: nothing of it was measured yet. */
static void prepare_abandon(struct rg_tuning *tuning, struct rg_batch *batch)
{
    for (size_t i = 0; i < tuning->pool.count; i++) {
        if (tuning->pool.workers[i].busy) {
            worker_lost(tuning, batch, i);
            rg_pool_kill(&tuning->pool, i);
        }
    }
}

ridge_status rg_batch_prepare(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error)
{
    rg_machine_lock_share(tuning);
    const double began_s = rg_clock_s(); /* waiting for others is no building */
    double work_s = 0;
    double own_s = 0;
    ridge_status status = prepare_assign(tuning, batch, error);
    while (status == RIDGE_OK && any_busy(&tuning->pool)) {
        struct rg_event event;
        status = rg_pool_wait(&tuning->pool, 1, &event, error);
        if (status == RIDGE_OK && event.kind == RG_EVENT_STOP) {
            prepare_abandon(tuning, batch);
            break;
        }
        work_s += event.reply.build_s + event.reply.launch_s;
        own_s += event.reply.own_s;
        if (status == RIDGE_OK) {
            status = prepare_event(tuning, batch, &event, error);
        }
        if (status == RIDGE_OK) {
            status = prepare_assign(tuning, batch, error);
        }
    }
    account(&tuning->seconds.compile, began_s, work_s, own_s);
    return status;
}

struct rg_request rg_measure_request(const struct rg_tuning *tuning, uint32_t slot)
{
    enum {
        LEAST_SAMPLES = 7,
        MOST_SAMPLES = 200
    };
    static const double race_ratio = 1.25;
    const uint64_t fixed = tuning->options.samples;
    struct rg_request request = {
        .kind = RG_REQUEST_MEASURE,
        .slot = slot,
        .least_samples = fixed ? fixed : LEAST_SAMPLES,
        .most_samples = fixed ? fixed : MOST_SAMPLES,
        .precision_ratio = tuning->options.precision_ratio,
        .race_above_s = (double)INFINITY,
        .budget_s = 0.5,
        .warm_up_s = 0.005,
    };
    if (tuning->leader_count > 0 && !isnan(tuning->leaders[0].summary.ci95_high_s)) {
        request.race_above_s = race_ratio * tuning->leaders[0].summary.ci95_high_s;
    }
    if (tuning->ok_count == 0) {
        request.warm_up_s = 0.2; /* clocks rise with the first load: the first candidates must not pay for it */
    }
    return request;
}

/** Whether to leave what is prepared: the run is to end. When nothing is measured yet, the budget waits for the first. */
static bool measuring_ends(const struct rg_tuning *tuning)
{
    return rg_stop_level(tuning) > 0 || tuning->reached[0] || (tuning->ok_count > 0 && rg_should_end(tuning));
}

/** Measure one prepared candidate and record it. */
static ridge_status candidate_measure(struct rg_tuning *tuning, struct rg_batch *batch, size_t index,
                                      struct ridge_error *error)
{
    struct rg_candidate *candidate = &batch->candidates[index];
    struct rg_request request = rg_measure_request(tuning, (uint32_t)index + 1);
    struct rg_event event;
    const size_t worker = candidate->worker;
    ridge_status status = rg_ask(tuning, worker, &request, 2, &event, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (event.kind == RG_EVENT_STOP) {
        return RIDGE_OK;
    }
    candidate->run_s += event.reply.launch_s;
    const bool good = rg_event_is_good(&event);
    status = good ? rg_record(tuning, candidate, &event, RIDGE_OUTCOME_OK, error)
                  : candidate_failed(tuning, batch, candidate, &event, error);
    if (status == RIDGE_OK && good && !tuning->sentinel.id[0]) {
        tuning->sentinel = *candidate;
        tuning->sentinel.progress = RG_WAITING;
    }
    const struct rg_request release = {.kind = RG_REQUEST_RELEASE, .slot = (uint32_t)index + 1};
    if (status == RIDGE_OK && tuning->pool.workers[worker].pid > 0) {
        rg_pool_send(&tuning->pool, worker, &release);
    }
    return status;
}

ridge_status rg_batch_run(struct rg_tuning *tuning, struct rg_batch *batch, struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    while (status == RIDGE_OK && batch_find(batch, RG_WAITING, 0, true) && !rg_should_end(tuning)) {
        status = rg_batch_prepare(tuning, batch, error);
        if (status != RIDGE_OK || rg_stop_level(tuning) > 0) {
            return status;
        }
        rg_machine_lock_alone(tuning);
        status = rg_is_replay(tuning) ? RIDGE_OK : rg_sentinel_measure(tuning, error);
        if (tuning->pool.workers[0].pid == 0) {
            worker_lost(tuning, batch, 0); /* the sentinel failed there: what else it held is built again */
        }
        for (size_t i = 0; i < batch->count && status == RIDGE_OK && !measuring_ends(tuning); i++) {
            if (batch->candidates[i].progress == RG_PREPARED) {
                status = candidate_measure(tuning, batch, i, error);
            }
        }
    }
    return status;
}
