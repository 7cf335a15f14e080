/* SPDX-License-Identifier: MIT */
/**
 * \file How many workers are fastest. That is not always all of them: two processors may share a core, and a memory that
 * is busy with fewer gets slower with more. Source: reference/curve.md 4.2.
 */
#include <math.h>

#include "base/clock.h"
#include "curve/sweep.h"
#include "stats/sort.h"

#define TRIAL_BYTES (UINT64_C(64) << 20)

enum {
    TRIAL_ROUNDS = 7
};

/** One number of workers being tried. */
struct trial {
    struct rg_item item;
    size_t count;
    double rates[TRIAL_ROUNDS];
};

static struct rg_item trial_item(const struct rg_sweep *sweep)
{
    const uint64_t half = sweep->facts.pool_bytes / 2;
    const bool stream = (sweep->facts.disciplines & 1U << RIDGE_DISCIPLINE_STREAM) != 0;
    return (struct rg_item){.job = {.access = sweep->request->access,
                                    .discipline = stream ? RIDGE_DISCIPLINE_STREAM : RIDGE_DISCIPLINE_ONESHOT,
                                    .bytes = half < TRIAL_BYTES ? half : TRIAL_BYTES,
                                    .passes = 1}};
}

/** One sample of every number, in turn, so that whatever the machine does hits all of them alike. */
static void try_each(struct rg_sweep *sweep, struct trial *trials, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct rg_pass_time time;
        sweep->probe->use_threads(sweep->state, sweep->trials[i].threads);
        if (!trials[i].item.failed && rg_sweep_sample(sweep, &trials[i].item, &time)) {
            trials[i].rates[trials[i].count++] = time.bytes / time.seconds;
        }
    }
}

/** The fastest; fewer workers must be clearly faster than more, or the choice would be a throw of dice. */
static size_t best_of(const struct ridge_thread_trial *trials, size_t count)
{
    static const double clearly = 1.03;
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        if (trials[i].bytes_per_s > clearly * trials[best].bytes_per_s || isnan(trials[best].bytes_per_s)) {
            best = i;
        }
    }
    return best;
}

/** The second highest rate: other programs take from a median, and one sample may be luck. NaN: there is none. */
static double reached_twice(double *rates, size_t count)
{
    rg_sort(rates, count);
    return count > 1 ? rates[count - 2] : count > 0 ? rates[0] : (double)NAN;
}

/** Calibrate every number, then sample all of them in rounds: once at least, then within a quarter of the time. */
static void run_trials(struct rg_sweep *sweep, struct trial *trials)
{
    const double end_s = sweep->begin_s + (sweep->deadline_s - sweep->begin_s) / 4;
    size_t count = 0;
    for (unsigned threads = sweep->facts.threads; threads > 0 && count < RG_TRIALS_MOST; threads /= 2) {
        sweep->trials[count].threads = threads;
        trials[count].item = trial_item(sweep);
        sweep->probe->use_threads(sweep->state, threads);
        rg_item_calibrate(sweep, &trials[count++].item);
    }
    for (int round = 0; round < TRIAL_ROUNDS && !sweep->stopped && (round == 0 || rg_clock_s() < end_s); round++) {
        try_each(sweep, trials, count);
    }
    for (size_t i = 0; i < count; i++) {
        sweep->trials[i].bytes_per_s = reached_twice(trials[i].rates, trials[i].count);
    }
    sweep->trial_count = count;
    sweep->trial_bytes = trials[0].item.job.bytes;
    sweep->probe->use_threads(sweep->state, sweep->facts.threads);
}

unsigned rg_sweep_try_threads(struct rg_sweep *sweep)
{
    const bool fixed = sweep->request->threads > 0 || sweep->request->published;
    if (!sweep->probe->use_threads || fixed || sweep->facts.threads < 2) {
        return 0;
    }
    struct trial *trials = rg_alloc(sweep->context, RG_TRIALS_MOST * sizeof *trials);
    if (!trials) {
        return 0; /* all of them, then */
    }
    run_trials(sweep, trials);
    rg_free(sweep->context, trials, RG_TRIALS_MOST * sizeof *trials);
    return sweep->trials[best_of(sweep->trials, sweep->trial_count)].threads;
}
