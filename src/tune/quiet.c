/* SPDX-License-Identifier: MIT */
#include "tune/quiet.h"

#include <math.h>
#include <stdio.h>

#include "curve/machine_watch.h"
#include "stats/sort.h"

/** Median of the clocks that are known; some of very many are enough. NaN: none is. */
static double median_of(const double *clocks_hz, uint64_t count)
{
    enum {
        MOST = 256
    };
    double known[MOST];
    size_t kept = 0;
    const uint64_t stride = (count + MOST - 1) / MOST;
    for (uint64_t i = 0; i < count; i += stride) {
        if (isfinite(clocks_hz[i])) {
            known[kept++] = clocks_hz[i];
        }
    }
    return rg_median(known, kept);
}

void rg_quiet_clocks(struct rg_quiet *quiet, const double *clocks_hz, uint64_t count, bool *low)
{
    const double own_hz = median_of(clocks_hz, count);
    if (isfinite(own_hz)) {
        const uint64_t kept = quiet->clock_count < RG_QUIET_CLOCKS ? quiet->clock_count : RG_QUIET_CLOCKS;
        quiet->usual_hz = fmax(median_of(quiet->clocks_hz, kept), own_hz); /* passes over NaN */
        quiet->clocks_hz[quiet->clock_count++ % RG_QUIET_CLOCKS] = own_hz;
    }
    for (uint64_t i = 0; i < count; i++) {
        low[i] = clocks_hz[i] < quiet->usual_hz && rg_reading_is_off(clocks_hz[i], quiet->usual_hz);
        if (low[i]) {
            quiet->lowest_hz = quiet->throttled > 0 ? fmin(quiet->lowest_hz, clocks_hz[i]) : clocks_hz[i];
            quiet->throttled++;
        }
    }
    quiet->samples += count;
}

void rg_quiet_load(struct rg_quiet *quiet, double watched_s, double others_s)
{
    quiet->watched_s += watched_s;
    quiet->others_s += others_s;
}

bool rg_quiet_clock_text(const struct rg_quiet *quiet, char text[RG_QUIET_TEXT])
{
    if (quiet->throttled == 0) {
        return false;
    }
    snprintf(
        text, RG_QUIET_TEXT,
        "%llu of %llu samples were taken at a clock more than 10 %% below the usual %.2f GHz (down to %.2f): they do "
        "not count, unless they are most of a configuration's",
        (unsigned long long)quiet->throttled, (unsigned long long)quiet->samples, quiet->usual_hz / 1e9,
        quiet->lowest_hz / 1e9);
    return true;
}

bool rg_quiet_load_text(const struct rg_quiet *quiet, unsigned cpus, char text[RG_QUIET_TEXT])
{
    static const double allowed = 0.1;  /* of the processors' time */
    static const double least_s = 0.05; /* the system counts in steps of 10 ms */
    const double share = quiet->others_s / (quiet->watched_s * cpus);
    if (!(quiet->watched_s > least_s && share > allowed)) {
        return false;
    }
    snprintf(
        text, RG_QUIET_TEXT,
        "the machine was busy: while times were taken, other programs had %.0f %% of its processors; times are too "
        "long by what they took, and what lies close is not to be told apart (tune again when it is quiet)",
        100 * share);
    return true;
}
