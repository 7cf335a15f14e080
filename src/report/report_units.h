/* SPDX-License-Identifier: MIT */
/** \file Numbers for people that ridge/units.h does not have. Pure; any thread; independent of the locale. */
#ifndef RG_REPORT_REPORT_UNITS_H
#define RG_REPORT_REPORT_UNITS_H

#include "ridge/run.h"
#include "ridge/units.h"

enum {
    RG_INTERVAL_BYTES = 2 * RIDGE_NUMBER_BYTES + 4
};

/** Write the interval of a summary as `1.21-1.26 ms`, `980 us-1.02 ms` or `unknown`. */
void rg_interval_format(const struct ridge_summary *summary, char out[RG_INTERVAL_BYTES]);

/** Write a number of at least 0 with one decimal below 10 and none from there: 2.6, 14. */
void rg_short_format(double value, char out[RIDGE_NUMBER_BYTES]);

#endif
