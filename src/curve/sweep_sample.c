/* SPDX-License-Identifier: MIT */
/** \file Taking samples: how many passes make one, and the rounds. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "curve/sweep.h"

enum {
    ROUNDS = 6, /* the range of six round medians is itself a 96.9 % interval. Source: reference/curve.md 4.5 */
    LEAST_ROUNDS = 3,
    SAMPLES = 5, /* a point and round */
    AGAIN = 3,   /* rounds for samples that fell between sentinels that moved */
    ITEMS_A_SENTINEL = 20
};

static const double least_sample_s = 2e-3; /* Source: reference/curve.md 4.5 */
static const double long_sample_s = 8e-3;  /* from here on fewer samples a visit are enough */

bool rg_sweep_is_stopped(struct rg_sweep *sweep)
{
    const double total = sweep->deadline_s - sweep->begin_s; /* 0: it is being opened */
    const double done = total > 0 ? (rg_clock_s() - sweep->begin_s) / total : 0;
    if (!sweep->stopped && sweep->request->progress) {
        sweep->stopped = !sweep->request->progress(sweep->request->user, done < 1 ? done : 1);
    }
    return sweep->stopped;
}

/** Run an item's job with `passes` passes, as the next of its windows. \return seconds a pass; 0: no time */
static double run_passes(struct rg_sweep *sweep, struct rg_item *item, uint64_t passes, struct rg_probe_sample *sample)
{
    struct ridge_error error = {0};
    item->job.passes = passes;
    if (rg_sweep_is_stopped(sweep)) {
        return 0;
    }
    const ridge_status status = sweep->probe->run(sweep->state, &item->job, sample, &error);
    if (sweep->stopped) {
        return 0; /* the job was cut short, or nobody waits for it */
    }
    if (status != RIDGE_OK) {
        item->failed = true;
        rg_sweep_note(sweep, "%s of %llu bytes (%s) failed and is left out: %s", ridge_access_word(item->job.access),
                      (unsigned long long)item->job.bytes, ridge_discipline_word(item->job.discipline), error.message);
        return 0;
    }
    item->job.first += passes;
    return sample->seconds > 0 ? sample->seconds / (double)passes : 0;
}

bool rg_sweep_sample(struct rg_sweep *sweep, struct rg_item *item, struct rg_pass_time *time)
{
    struct rg_probe_sample sample = {0};
    const uint64_t passes = item->job.passes;
    const double pass_s = run_passes(sweep, item, passes, &sample);
    if (pass_s <= 0) {
        sweep->timeless_samples += item->failed || sweep->stopped ? 0 : 1;
        return false;
    }
    if (sample.void_sample) {
        sweep->void_samples++;
        return false;
    }
    *time = (struct rg_pass_time){
        .seconds = pass_s, .bytes = (double)sample.bytes / (double)passes, .disturbed = sample.disturbed};
    return true;
}

/** Fill the caches with a warm item's window before it is timed. */
static void warm_up(struct rg_sweep *sweep, struct rg_item *item)
{
    struct rg_probe_sample sample;
    const uint64_t passes = item->job.passes;
    if (item->job.warm && !item->failed) {
        (void)run_passes(sweep, item, 2, &sample);
        item->job.passes = passes;
    }
}

/** The least of three tries with so many passes, since one may be disturbed. \return seconds a pass; 0: no time */
static double least_of_three(struct rg_sweep *sweep, struct rg_item *item, uint64_t passes)
{
    double least = (double)INFINITY;
    for (int i = 0; i < 3 && !item->failed && !sweep->stopped; i++) {
        struct rg_probe_sample sample;
        const double pass_s = run_passes(sweep, item, passes, &sample);
        least = pass_s > 0 && pass_s < least ? pass_s : least;
        if (i > 0 && pass_s * (double)passes >= 4 * sweep->sample_s) {
            break; /* long enough to be sure of */
        }
    }
    return isfinite(least) ? least : 0;
}

/** A sample is a thousand steps of the clock long, or as many as there is time for. Source: reference/curve.md 4.5. */
void rg_sweep_sample_length(struct rg_sweep *sweep)
{
    static const double long_s = 0.1;
    const double step_s = sweep->facts.clock_step_s;
    sweep->sample_s = fmax(least_sample_s, 1000 * step_s);
    if (sweep->sample_s > long_s) {
        sweep->sample_s = fmax(long_s, 50 * step_s);
        rg_sweep_note(sweep,
                      "the clock has steps of %.3g ms: times are not better than %.2g %%, and samples are %.2g s long",
                      step_s * 1e3, 100 * step_s / sweep->sample_s, sweep->sample_s);
    }
}

/** Raise the passes until half a sample is full. */
void rg_item_calibrate(struct rg_sweep *sweep, struct rg_item *item)
{
    uint64_t passes = 1;
    double pass_s = least_of_three(sweep, item, passes);
    while (pass_s * (double)passes < sweep->sample_s / 2 && passes < UINT64_C(1) << 32 && !item->failed &&
           !sweep->stopped) {
        /* At least twice, at most 32 times as many: the first passes are slower than those that follow. */
        const double times = pass_s > 0 ? sweep->sample_s / 2 / (pass_s * (double)passes) : 2;
        passes *= times < 2 ? 2 : times > 32 ? 32 : (uint64_t)ceil(times);
        pass_s = least_of_three(sweep, item, passes);
    }
    item->pass_s = pass_s;
    item->job.passes = pass_s > 0 && pass_s < sweep->sample_s ? (uint64_t)ceil(sweep->sample_s / pass_s) : 1;
    item->failed = item->failed || pass_s <= 0;
}

void rg_sweep_calibrate(struct rg_sweep *sweep, size_t first)
{
    for (size_t i = first; i < sweep->item_count && !sweep->stopped; i++) {
        rg_item_calibrate(sweep, &sweep->items[i]);
    }
    if (first == 0) {
        rg_item_calibrate(sweep, &sweep->near);
        rg_item_calibrate(sweep, &sweep->far);
    }
}

static void visit(struct rg_sweep *sweep, struct rg_item *item, unsigned round)
{
    warm_up(sweep, item);
    const unsigned most = item->samples_a_visit;
    for (unsigned i = 0; i < most && !item->failed && !sweep->stopped && item->time_count < RG_ITEM_SAMPLES; i++) {
        struct rg_pass_time *time = &item->times[item->time_count];
        if (rg_sweep_sample(sweep, item, time)) {
            time->round = round;
            time->sentinel = (unsigned)sweep->sentinel_count - 1;
            item->time_count++;
        }
    }
}

static bool out_of_time(const struct rg_sweep *sweep)
{
    return rg_clock_s() > sweep->deadline_s;
}

/** Visit the items of `chosen` in a new order. The first round is never cut short by the budget. */
static void run_round(struct rg_sweep *sweep, const bool chosen[RG_ITEMS_MOST], unsigned round)
{
    size_t order[RG_ITEMS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < sweep->item_count; i++) {
        if (chosen[i] && !sweep->items[i].failed) {
            const size_t at = (size_t)rg_rng_below(&sweep->rng, count + 1);
            order[count++] = order[at];
            order[at] = i;
        }
    }
    rg_sentinel_take(sweep);
    for (size_t i = 0; i < count && !sweep->stopped && (round == 0 || !out_of_time(sweep)); i++) {
        if (i > 0 && i % ITEMS_A_SENTINEL == 0) {
            rg_sentinel_take(sweep);
        }
        visit(sweep, &sweep->items[order[i]], round);
    }
    rg_sentinel_take(sweep);
}

/** Share the time: fewer samples a visit first, then fewer rounds, never another order. \return rounds */
static unsigned share_time(struct rg_sweep *sweep)
{
    const double left_s = (sweep->deadline_s - rg_clock_s()) * 0.7; /* the rest is for sentinels and wide points */
    unsigned samples = SAMPLES;
    double round_s = 0;
    for (; samples > 0; samples--) {
        round_s = 0;
        for (size_t i = 0; i < sweep->item_count; i++) {
            struct rg_item *item = &sweep->items[i];
            const double one_s = fmax(item->pass_s * (double)item->job.passes, sweep->sample_s);
            const double fewer = one_s > long_sample_s ? fmax(1, round(samples * long_sample_s / one_s)) : samples;
            item->samples_a_visit = (unsigned)fewer;
            round_s += fewer * one_s;
        }
        if (samples == 1 || round_s * ROUNDS <= left_s) {
            break;
        }
    }
    const double rounds = round_s > 0 ? floor(left_s / round_s) : ROUNDS;
    return rounds >= ROUNDS ? ROUNDS : rounds < LEAST_ROUNDS ? LEAST_ROUNDS : (unsigned)rounds;
}

/** Items whose samples fell where the machine moved, more than a third of them. */
static size_t choose_unsteady(const struct rg_sweep *sweep, bool chosen[RG_ITEMS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->item_count; i++) {
        chosen[i] = rg_item_is_unsteady(sweep, &sweep->items[i]);
        count += chosen[i] ? 1 : 0;
    }
    return count;
}

/** Items of the main curve whose interval is still wide. */
static size_t choose_wide(const struct rg_sweep *sweep, bool chosen[RG_ITEMS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->item_count; i++) {
        const struct rg_item *item = &sweep->items[i];
        struct ridge_curve_point point;
        chosen[i] =
            item->role == RG_ROLE_MAIN && rg_item_point(sweep, item, &point) && rg_point_is_wide(sweep, item, &point);
        count += chosen[i] ? 1 : 0;
    }
    return count;
}

void rg_sweep_rounds(struct rg_sweep *sweep)
{
    bool chosen[RG_ITEMS_MOST];
    const unsigned rounds = share_time(sweep);
    memset(chosen, true, sizeof chosen);
    while (sweep->rounds < rounds && !sweep->stopped && (sweep->rounds == 0 || !out_of_time(sweep))) {
        run_round(sweep, chosen, sweep->rounds++);
    }
    for (int again = 0; again < AGAIN && !sweep->stopped && !out_of_time(sweep); again++) {
        if (rg_sentinels_judge(sweep) == 0 || choose_unsteady(sweep, chosen) == 0) {
            break;
        }
        run_round(sweep, chosen, sweep->rounds++);
    }
    (void)rg_sentinels_judge(sweep);
    while (sweep->rounds < RG_ROUNDS_MOST && !sweep->stopped && !out_of_time(sweep) && choose_wide(sweep, chosen) > 0) {
        run_round(sweep, chosen, sweep->rounds++);
    }
}
