/* SPDX-License-Identifier: MIT */
/** \file The machine watched while it is measured: its clock, a rate of the nearest cache, a rate of memory. */
#include <math.h>
#include <string.h>

#include "curve/sweep.h"
#include "stats/sort.h"

static double rate_now(struct rg_sweep *sweep, struct rg_item *item)
{
    double best = 0;
    for (int i = 0; i < 2 && !item->failed; i++) {
        struct rg_pass_time time;
        if (rg_sweep_sample(sweep, item, &time)) {
            best = fmax(best, time.bytes / time.seconds);
        }
    }
    return best > 0 ? best : (double)NAN;
}

void rg_sentinel_take(struct rg_sweep *sweep)
{
    if (sweep->sentinel_count == RG_SENTINELS_MOST) {
        return;
    }
    sweep->sentinels[sweep->sentinel_count++] = (struct rg_sentinel){
        .clock_hz = sweep->probe->clock_hz ? sweep->probe->clock_hz(sweep->state) : (double)NAN,
        .near_rate = rate_now(sweep, &sweep->near),
        .far_rate = rate_now(sweep, &sweep->far),
    };
}

/** One of the values of all sentinels, in the order taken. \return how many; NaN ones are among them */
static size_t readings(const struct rg_sweep *sweep, size_t offset, double values[RG_SENTINELS_MOST])
{
    for (size_t i = 0; i < sweep->sentinel_count; i++) {
        memcpy(&values[i], (const char *)&sweep->sentinels[i] + offset, sizeof *values);
    }
    return sweep->sentinel_count;
}

/** Median of one of the values, where it is known. */
static double usual(const struct rg_sweep *sweep, size_t offset)
{
    double values[RG_SENTINELS_MOST];
    return rg_median(values, rg_known(values, readings(sweep, offset, values)));
}

double rg_sentinels_clock_hz(const struct rg_sweep *sweep)
{
    return usual(sweep, offsetof(struct rg_sentinel, clock_hz));
}

size_t rg_sentinels_judge(struct rg_sweep *sweep)
{
    const double clock_hz = usual(sweep, offsetof(struct rg_sentinel, clock_hz));
    const double near_rate = usual(sweep, offsetof(struct rg_sentinel, near_rate));
    const double far_rate = usual(sweep, offsetof(struct rg_sentinel, far_rate));
    size_t moved = 0;
    for (size_t i = 0; i < sweep->sentinel_count; i++) {
        struct rg_sentinel *sentinel = &sweep->sentinels[i];
        sentinel->moved = rg_reading_is_off(sentinel->clock_hz, clock_hz) ||
                          rg_reading_is_off(sentinel->near_rate, near_rate) ||
                          rg_reading_is_off(sentinel->far_rate, far_rate);
        moved += sentinel->moved ? 1 : 0;
    }
    return moved;
}

bool rg_sweep_moved(const struct rg_sweep *sweep)
{
    return sweep->moved * 10 > sweep->sentinel_count;
}

bool rg_time_is_steady(const struct rg_sweep *sweep, const struct rg_pass_time *time)
{
    const size_t next = (size_t)time->sentinel + 1;
    return !sweep->sentinels[time->sentinel].moved && (next >= sweep->sentinel_count || !sweep->sentinels[next].moved);
}

static enum rg_trend trend_of(const struct rg_sweep *sweep, size_t offset)
{
    double values[RG_SENTINELS_MOST];
    return rg_readings_trend(values, readings(sweep, offset, values));
}

void rg_sentinels_trend(struct rg_sweep *sweep)
{
    const enum rg_trend near = trend_of(sweep, offsetof(struct rg_sentinel, near_rate));
    const enum rg_trend far = trend_of(sweep, offsetof(struct rg_sentinel, far_rate));
    sweep->clock = trend_of(sweep, offsetof(struct rg_sentinel, clock_hz));
    sweep->rates = near > far ? near : far;
}

const char *rg_sentinels_word(const struct rg_sweep *sweep)
{
    if (sweep->clock == RG_TREND_FALL) {
        return "throttle";
    }
    if (rg_sweep_moved(sweep)) {
        return "moved";
    }
    return sweep->clock == RG_TREND_STEADY && sweep->rates == RG_TREND_STEADY ? "steady" : "drift";
}
