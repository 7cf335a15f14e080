/* SPDX-License-Identifier: MIT */
/*
 * The finals: the leaders are measured again, one launch each in turn and in a new order each round, so that whatever
 * the machine does hits all of them alike. That is done in several sittings, each in a fresh process: where code and
 * data come to lie in memory differs from process to process and can move a time by some percent, so that one process
 * would tell configurations apart that are the same. The winner is chosen from these samples only: those that made a
 * configuration a leader are biased by having been chosen.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "tune/session.h"

enum {
    SITTINGS = 3,
    MAX_ROUNDS = 99,
    LEAST_ROUNDS = 4, /* of a sitting */
    LEAST_OF_A_BUDGET =
        2, /* where the budget leaves no time for those: 6 samples in all, the fewest that have an interval */
    LEAST_FINALISTS = 2
};

/** One leader in the finals. */
struct finalist {
    const struct rg_leader *leader;
    bool out; /* it failed here: its earlier samples stand */
    uint64_t count;
    double samples_s[MAX_ROUNDS];
    double clocks_hz[MAX_ROUNDS];
    bool low[MAX_ROUNDS];         /* taken at a clock far below the usual */
    struct ridge_summary summary; /* of the samples that count, as it is in the store */
};

struct finals {
    struct rg_tuning *tuning;
    uint64_t least_rounds; /* of a sitting */
    size_t count;
    struct finalist finalists[RG_FINALISTS_MAX];
};

/** Leaders that may still be the best: their interval reaches near the best's, as near as the machine's drift lets it
 * be told. */
static void finals_choose(struct finals *finals, const struct rg_tuning *tuning)
{
    static const double least_reach = 1.05;
    const double drift = rg_sentinel_drift(tuning);
    const double reach = drift > least_reach ? drift : least_reach;
    const double limit = reach * tuning->leaders[0].summary.ci95_high_s;
    for (size_t i = 0; i < tuning->leader_count; i++) {
        const struct ridge_summary *summary = &tuning->leaders[i].summary;
        if (i < LEAST_FINALISTS || isnan(limit) || !(summary->ci95_low_s > limit)) {
            finals->finalists[finals->count++].leader = &tuning->leaders[i];
        }
    }
}

static uint32_t finalist_slot(size_t index)
{
    return (uint32_t)index + 1;
}

/** Leave a finalist out, with a note. A process that it damaged is not used again. */
static ridge_status finalist_drop(struct finals *finals, size_t index, const struct rg_event *event,
                                  struct ridge_error *error)
{
    char text[512];
    struct finalist *finalist = &finals->finalists[index];
    finalist->out = true;
    if (event->reply.damaged) {
        rg_pool_kill(&finals->tuning->pool, 0);
    }
    snprintf(text, sizeof text, "%s failed when it was measured again: %.300s", finalist->leader->id,
             event->kind == RG_EVENT_REPLY && event->reply.status != RIDGE_OK ? event->reply.error.message
                                                                              : event->text);
    return rg_store_note_add(finals->tuning->store, finals->tuning->run, text, error);
}

/** Build every finalist that is in, all in worker 0. */
static ridge_status finals_prepare(struct finals *finals, struct ridge_error *error)
{
    struct rg_tuning *tuning = finals->tuning;
    for (size_t i = 0; i < finals->count; i++) {
        if (finals->finalists[i].out) {
            continue;
        }
        struct rg_request request = {.kind = RG_REQUEST_PREPARE, .slot = finalist_slot(i)};
        memcpy(request.choice, finals->finalists[i].leader->choice, sizeof request.choice);
        struct rg_event event = {0};
        ridge_status status = rg_pool_start(&tuning->pool, 0, error);
        if (status == RIDGE_OK) {
            status = rg_ask(tuning, 0, &request, 1, &event, error);
        }
        if (status != RIDGE_OK || event.kind == RG_EVENT_STOP) {
            return status;
        }
        if (rg_event_is_good(&event)) {
            continue;
        }
        status = finalist_drop(finals, i, &event, error);
        if (status != RIDGE_OK) {
            return status;
        }
        if (tuning->pool.workers[0].pid == 0) { /* gone, and with it those built before */
            return finals_prepare(finals, error);
        }
    }
    return RIDGE_OK;
}

/** One launch of one finalist, durable at once. */
static ridge_status finalist_sample(struct finals *finals, size_t index, struct ridge_error *error)
{
    struct rg_tuning *tuning = finals->tuning;
    struct finalist *finalist = &finals->finalists[index];
    struct rg_request request = rg_measure_request(tuning, finalist_slot(index));
    request.least_samples = 1;
    request.most_samples = 1;
    request.warm_up_s = 0;
    struct rg_event event;
    ridge_status status = rg_ask(tuning, 0, &request, 1, &event, error);
    if (status != RIDGE_OK || event.kind == RG_EVENT_STOP) {
        return status;
    }
    if (!rg_event_is_good(&event)) {
        status = finalist_drop(finals, index, &event, error);
        const bool gone = tuning->pool.workers[0].pid == 0;
        return status == RIDGE_OK && gone ? finals_prepare(finals, error) : status;
    }
    finalist->samples_s[finalist->count] = event.samples[0];
    finalist->clocks_hz[finalist->count] = event.clocks_hz[0];
    rg_quiet_clocks(&tuning->quiet, event.clocks_hz, 1, &finalist->low[finalist->count]);
    finalist->count++;
    const struct rg_sample_clocks clocks = {finalist->clocks_hz, finalist->low};
    status = rg_samples_summarise(tuning->store, finalist->samples_s, finalist->low, finalist->count,
                                  &finalist->summary, error);
    return status != RIDGE_OK ? status
                              : rg_store_final_put(tuning->store, tuning->run, finalist->leader->id,
                                                   finalist->samples_s, finalist->count, &clocks, error);
}

/** One round: every finalist once, in an order of its own. */
static ridge_status finals_round(struct finals *finals, struct rg_rng *rng, struct ridge_error *error)
{
    size_t order[RG_FINALISTS_MAX];
    for (size_t i = 0; i < finals->count; i++) {
        const size_t other = (size_t)rg_rng_below(rng, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < finals->count; i++) {
        if (finals->finalists[order[i]].out || rg_stop_level(finals->tuning) > 0) {
            continue;
        }
        const ridge_status status = finalist_sample(finals, order[i], error);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

/** Whether every interval is as narrow as was asked for. */
static bool finals_converged(const struct finals *finals)
{
    for (size_t i = 0; i < finals->count; i++) {
        const struct finalist *finalist = &finals->finalists[i];
        const struct ridge_summary *summary = &finalist->summary;
        const double width_s = summary->ci95_high_s - summary->ci95_low_s;
        const bool narrow =
            summary->n > 0 && width_s <= 2 * finals->tuning->options.precision_ratio * summary->median_s;
        if (!finalist->out && !narrow) {
            return false;
        }
    }
    return true;
}

/** Seconds that the finals may take: a tenth of what was spent, within bounds and the budget. */
static double finals_budget(const struct rg_tuning *tuning)
{
    const double spent_s = rg_clock_s() - tuning->began_s;
    const double share_s = fmin(fmax(spent_s * 0.1, 2), 20);
    const double left_s = tuning->options.budget_s > 0 ? tuning->options.budget_s - spent_s : share_s;
    return fmin(share_s, left_s);
}

/** Seconds that the sittings take at least: each builds every finalist, and each sample is a launch behind another. */
static double finals_least_s(const struct finals *finals)
{
    const struct rg_tuning *tuning = finals->tuning;
    const uint64_t tried = tuning->shown.done - tuning->done_count;
    const double build_s = tried > 0 ? tuning->seconds.compile * (double)tuning->pool.count / (double)tried : 0;
    double seconds = 0;
    for (size_t i = 0; i < finals->count; i++) {
        const double median_s = finals->finalists[i].leader->summary.median_s;
        seconds += SITTINGS * (build_s + 2 * (double)finals->least_rounds * median_s);
    }
    return seconds;
}

/** Fewer rounds, and then fewer finalists, where the budget leaves no time for all. */
static void finals_fit(struct finals *finals, double budget_s)
{
    if (!(finals->tuning->options.budget_s > 0)) {
        return;
    }
    if (finals_least_s(finals) > budget_s) {
        finals->least_rounds = LEAST_OF_A_BUDGET;
    }
    while (finals->count > LEAST_FINALISTS && finals_least_s(finals) > budget_s) {
        finals->count--;
    }
}

/** One sitting: build every finalist in a fresh process, then rounds until its share of them or of the time is used. */
static ridge_status finals_sit(struct finals *finals, struct rg_rng *rng, uint64_t rounds, double end_s,
                               struct ridge_error *error)
{
    struct rg_tuning *tuning = finals->tuning;
    rg_machine_lock_share(tuning);
    rg_pool_kill(&tuning->pool, 0);
    ridge_status status = finals_prepare(finals, error);
    rg_machine_lock_alone(tuning);
    for (uint64_t round = 0; round < rounds && status == RIDGE_OK && rg_stop_level(tuning) == 0; round++) {
        const bool enough = tuning->options.samples == 0 && round >= finals->least_rounds;
        if (enough && (rg_clock_s() > end_s || finals_converged(finals))) {
            break;
        }
        status = finals_round(finals, rng, error);
    }
    return status;
}

ridge_status rg_finals_run(struct rg_tuning *tuning, struct ridge_error *error)
{
    struct finals finals = {.tuning = tuning, .least_rounds = LEAST_ROUNDS};
    const bool nothing_new = tuning->shown.done == tuning->done_count;
    if (tuning->leader_count < 2 || (tuning->finals_done && nothing_new)) {
        return RIDGE_OK;
    }
    tuning->shown.finals = true;
    rg_show(tuning, NULL, RIDGE_OUTCOME_OK, NULL, NULL);
    finals_choose(&finals, tuning);
    const double began_s = rg_clock_s();
    const double budget_s = finals_budget(tuning);
    finals_fit(&finals, budget_s);
    const uint64_t fixed = tuning->options.samples < MAX_ROUNDS ? tuning->options.samples : MAX_ROUNDS;
    const uint64_t most = fixed ? fixed : MAX_ROUNDS;
    struct rg_rng rng;
    rg_rng_init(&rng, tuning->options.seed);
    ridge_status status = rg_store_finals_reset(tuning->store, tuning->run, error);
    for (uint64_t sitting = 0; sitting < SITTINGS && status == RIDGE_OK && rg_stop_level(tuning) == 0; sitting++) {
        const uint64_t rounds = most * (sitting + 1) / SITTINGS - most * sitting / SITTINGS;
        const double end_s = began_s + budget_s * (double)(sitting + 1) / SITTINGS;
        status = finals_sit(&finals, &rng, rounds, end_s, error);
    }
    return status;
}
