/* SPDX-License-Identifier: MIT */
/** \file What something costs: seconds by the clock, and of processors, which depend less on what else runs. */
#ifndef BENCH_COST_H
#define BENCH_COST_H

#include <stdbool.h>

struct cost {
    double clock_s;
    double cpu_s;
};

/** CPU time of this process. */
double cpu_seconds(void);

/** So far. \param children  processes that have ended and were waited for count too */
struct cost cost_now(bool children);

/** From `began` to `now`. */
struct cost cost_between(const struct cost *began, const struct cost *now);

#endif
