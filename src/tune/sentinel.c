/* SPDX-License-Identifier: MIT */
/* The sentinel is the first configuration that was measured: measured again now and then, it shows how the machine
 * itself moves. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "tune/session.h"

/** Build it into its own slot of worker 0. */
static ridge_status sentinel_prepare(struct rg_tuning *tuning, struct rg_event *event, struct ridge_error *error)
{
    struct rg_request request = {.kind = RG_REQUEST_PREPARE, .slot = RG_SENTINEL_SLOT};
    memcpy(request.choice, tuning->sentinel.choice, sizeof request.choice);
    tuning->sentinel.worker = 0;
    const ridge_status status = rg_pool_start(&tuning->pool, 0, error);
    return status == RIDGE_OK ? rg_ask(tuning, 0, &request, 1, event, error) : status;
}

/** Give up on it: it was measured once, so what fails now is worth a note. */
static ridge_status sentinel_lose(struct rg_tuning *tuning, const struct rg_event *event, struct ridge_error *error)
{
    if (event->kind == RG_EVENT_STOP) {
        return RIDGE_OK;
    }
    rg_pool_kill(&tuning->pool, tuning->sentinel.worker);
    tuning->sentinel.progress = RG_ENDED;
    return rg_store_note_add(tuning->store, tuning->run,
                             "the sentinel could not be measured again: drift is not known from there on", error);
}

ridge_status rg_sentinel_measure(struct rg_tuning *tuning, struct ridge_error *error)
{
    enum {
        SENTINEL_SAMPLES = 5
    };
    struct rg_candidate *sentinel = &tuning->sentinel;
    struct rg_event event = {0};
    if (!sentinel->id[0] || sentinel->progress == RG_ENDED) {
        return RIDGE_OK;
    }
    if (sentinel->progress == RG_WAITING) {
        const ridge_status status = sentinel_prepare(tuning, &event, error);
        if (status != RIDGE_OK || !rg_event_is_good(&event)) {
            return status != RIDGE_OK ? status : sentinel_lose(tuning, &event, error);
        }
        sentinel->progress = RG_PREPARED;
    }
    struct rg_request request = rg_measure_request(tuning, RG_SENTINEL_SLOT);
    request.least_samples = SENTINEL_SAMPLES;
    request.most_samples = SENTINEL_SAMPLES;
    const ridge_status status = rg_ask(tuning, sentinel->worker, &request, 1, &event, error);
    if (status != RIDGE_OK || !rg_event_is_good(&event)) {
        return status != RIDGE_OK ? status : sentinel_lose(tuning, &event, error);
    }
    double sorted[SENTINEL_SAMPLES];
    struct ridge_summary summary;
    ridge_summarise(event.samples, event.reply.sample_count, sorted, &summary);
    const bool first = tuning->sentinel_low_s <= 0;
    tuning->sentinel_low_s = first ? summary.median_s : fmin(tuning->sentinel_low_s, summary.median_s);
    tuning->sentinel_high_s = first ? summary.median_s : fmax(tuning->sentinel_high_s, summary.median_s);
    return rg_store_sentinel_add(tuning->store, tuning->run, sentinel->id, rg_clock_s() - tuning->began_s,
                                 summary.median_s, error);
}

double rg_sentinel_drift(const struct rg_tuning *tuning)
{
    return tuning->sentinel_low_s > 0 ? tuning->sentinel_high_s / tuning->sentinel_low_s : (double)NAN;
}
