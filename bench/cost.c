/* SPDX-License-Identifier: MIT */
#include "cost.h"

#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"

double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double children_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

struct cost cost_now(bool children)
{
    return (struct cost){rg_clock_s(), cpu_seconds() + (children ? children_s() : 0)};
}

struct cost cost_between(const struct cost *began, const struct cost *now)
{
    return (struct cost){now->clock_s - began->clock_s, now->cpu_s - began->cpu_s};
}
