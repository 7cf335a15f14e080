/* SPDX-License-Identifier: MIT */
/** \file The machine watched while it is measured: its clock, a rate of the nearest cache, a rate of memory. */
#include <math.h>
#include <string.h>

#include "curve/sweep.h"
#include "stats/sort.h"

static const double allowed = 0.10; /* of the usual value. Source: reference/curve.md 4.6 */

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

/** Median of one of the values, where it is known. */
static double usual(const struct rg_sweep *sweep, size_t offset)
{
    double values[RG_SENTINELS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < sweep->sentinel_count; i++) {
        double value;
        memcpy(&value, (const char *)&sweep->sentinels[i] + offset, sizeof value);
        if (!isnan(value)) {
            values[count++] = value;
        }
    }
    return rg_median(values, count);
}

static bool is_off(double value, double usual_value)
{
    return isfinite(value) && isfinite(usual_value) && fabs(value - usual_value) > allowed * usual_value;
}

size_t rg_sentinels_judge(struct rg_sweep *sweep)
{
    const double clock_hz = usual(sweep, offsetof(struct rg_sentinel, clock_hz));
    const double near_rate = usual(sweep, offsetof(struct rg_sentinel, near_rate));
    const double far_rate = usual(sweep, offsetof(struct rg_sentinel, far_rate));
    size_t moved = 0;
    for (size_t i = 0; i < sweep->sentinel_count; i++) {
        struct rg_sentinel *sentinel = &sweep->sentinels[i];
        sentinel->moved = is_off(sentinel->clock_hz, clock_hz) || is_off(sentinel->near_rate, near_rate) ||
                          is_off(sentinel->far_rate, far_rate);
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
