/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

uint64_t rg_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

double rg_clock_s(void)
{
    return (double)rg_clock_ns() * 1e-9;
}

void rg_clock_timestamp(char out[RG_TIMESTAMP_BYTES])
{
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    snprintf(out, RG_TIMESTAMP_BYTES, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", (utc.tm_year + 1900) % 10000,
             (utc.tm_mon + 1) % 100, utc.tm_mday % 100, utc.tm_hour % 100, utc.tm_min % 100, utc.tm_sec % 100,
             (int)(now.tv_nsec / 1000000));
}
