/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "space/space.h"
#include "tune/session.h"

static double time_left(const struct rg_tuning *tuning, double elapsed_s)
{
    const struct ridge_tune_progress *shown = &tuning->shown;
    const uint64_t measured_now = shown->done - tuning->done_count;
    double left = (double)NAN;
    if (measured_now > 0) {
        left = elapsed_s / (double)measured_now * (double)(shown->total - shown->done);
    }
    if (tuning->options.budget_s > 0) {
        left = fmin(left, fmax(0, tuning->options.budget_s - elapsed_s));
    }
    return left;
}

void rg_show(struct rg_tuning *tuning, const struct rg_candidate *candidate, ridge_outcome outcome,
             const struct ridge_summary *summary, const char *text)
{
    if (!tuning->options.progress) {
        return;
    }
    struct ridge_tune_progress *shown = &tuning->shown;
    shown->elapsed_s = rg_clock_s() - tuning->began_s;
    shown->left_s = time_left(tuning, shown->elapsed_s);
    shown->best_id = tuning->leader_count > 0 ? tuning->leaders[0].id : NULL;
    if (tuning->leader_count > 0) {
        shown->best = tuning->leaders[0].summary;
    }
    shown->id = candidate ? candidate->id : NULL;
    shown->outcome = outcome;
    shown->median_s = summary && summary->n > 0 ? summary->median_s : (double)NAN;
    shown->text = text;
    tuning->options.progress(tuning->options.user, shown);
}

void rg_leaders_add(struct rg_tuning *tuning, const uint32_t *choice, const char *id,
                    const struct ridge_summary *summary)
{
    size_t at = tuning->leader_count;
    while (at > 0 && summary->median_s < tuning->leaders[at - 1].summary.median_s) {
        at--;
    }
    if (at == RG_FINALISTS_MAX) {
        return;
    }
    const size_t kept = tuning->leader_count < RG_FINALISTS_MAX ? tuning->leader_count : RG_FINALISTS_MAX - 1;
    memmove(&tuning->leaders[at + 1], &tuning->leaders[at], (kept - at) * sizeof tuning->leaders[0]);
    struct rg_leader *leader = &tuning->leaders[at];
    memcpy(leader->choice, choice, ridge_space_dimension_count(tuning->space) * sizeof choice[0]);
    memcpy(leader->id, id, sizeof leader->id);
    leader->summary = *summary;
    tuning->leader_count = kept + 1;
}

/** Count candidates that fail to compile in one and the same way as long as nothing else has happened. */
static void same_failure_count(struct rg_tuning *tuning, ridge_outcome outcome, const char *text)
{
    const size_t length = strcspn(text, "\n");
    const bool first = tuning->shown.done == 0;
    if (outcome != RIDGE_OUTCOME_COMPILE || rg_is_replay(tuning)) {
        tuning->same_failures = 0;
        return;
    }
    if (first) {
        tuning->first_failure = rg_arena_copy(&tuning->arena, text, length);
        tuning->first_failure_bytes = length;
        tuning->same_failures = tuning->first_failure ? 1 : 0;
        return;
    }
    const bool same = tuning->same_failures > 0 && length == tuning->first_failure_bytes &&
                      memcmp(text, tuning->first_failure, length) == 0;
    tuning->same_failures = same ? tuning->same_failures + 1 : 0;
}

ridge_status rg_record(struct rg_tuning *tuning, struct rg_candidate *candidate, const struct rg_event *event,
                       ridge_outcome outcome, struct ridge_error *error)
{
    struct ridge_value values[RG_MAX_DIMENSIONS];
    rg_space_choice_values(tuning->space, candidate->choice, values);
    const bool ok = outcome == RIDGE_OUTCOME_OK;
    struct ridge_work work;
    const bool has_work = rg_spec_work(tuning->spec, values, &work);
    bool low[RG_MAX_SAMPLES];
    if (event->clocks_hz) {
        rg_quiet_clocks(&tuning->quiet, event->clocks_hz, event->reply.sample_count, low);
    }
    const struct rg_result result = {
        .id = candidate->id,
        .values = values,
        .outcome = outcome,
        .text = ok ? NULL : event->text,
        .samples_s = event->samples,
        .sample_count = event->reply.sample_count,
        .clocks = {event->clocks_hz, event->clocks_hz ? low : NULL},
        .rejected = event->reply.rejected,
        .converged = event->reply.converged,
        .compile_s = candidate->build_s,
        .run_s = candidate->run_s,
        .kind = rg_is_replay(tuning) ? RIDGE_RECORDED : RIDGE_MEASURED,
        .work = has_work ? &work : NULL,
    };
    struct ridge_summary summary = {0};
    ridge_status status = rg_store_result_put(tuning->store, tuning->run, &result, error);
    if (status == RIDGE_OK && ok) {
        status = rg_samples_summarise(tuning->store, result.samples_s, result.clocks.low, result.sample_count, &summary,
                                      error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    candidate->progress = RG_ENDED;
    same_failure_count(tuning, outcome, event->text);
    tuning->shown.done++;
    tuning->shown.failed += !ok;
    tuning->wrong_count += outcome == RIDGE_OUTCOME_WRONG;
    if (ok) {
        tuning->ok_count++;
        rg_leaders_add(tuning, candidate->choice, candidate->id, &summary);
        if (has_work) {
            rg_ceilings_look(tuning, candidate->id, &work, summary.median_s);
        }
    }
    rg_show(tuning, candidate, outcome, &summary, ok ? NULL : event->text);
    return RIDGE_OK;
}
