/* SPDX-License-Identifier: MIT */
/** \file Time. Pure reads of the system's clocks; any thread. */
#ifndef RG_BASE_CLOCK_H
#define RG_BASE_CLOCK_H

#include <stdint.h>

enum {
    RG_TIMESTAMP_BYTES = 32
};

/** \return nanoseconds of a clock that never steps. */
uint64_t rg_clock_ns(void);

/** \return the same in seconds. */
double rg_clock_s(void);

/** Write the date and time now in UTC, as 2031-01-02T03:04:05.678Z. */
void rg_clock_timestamp(char out[RG_TIMESTAMP_BYTES]);

#endif
