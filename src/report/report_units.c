/* SPDX-License-Identifier: MIT */
#include "report/report_units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rg_interval_format(const struct ridge_summary *summary, char out[RG_INTERVAL_BYTES])
{
    if (isnan(summary->ci95_low_s)) {
        snprintf(out, RG_INTERVAL_BYTES, "unknown");
        return;
    }
    char low[RIDGE_NUMBER_BYTES];
    char high[RIDGE_NUMBER_BYTES];
    ridge_duration_format(summary->ci95_low_s, low);
    ridge_duration_format(summary->ci95_high_s, high);
    char *low_unit = strchr(low, ' ');
    const char *high_unit = strchr(high, ' ');
    if (low_unit && high_unit && strcmp(low_unit, high_unit) == 0) {
        *low_unit = '\0';
    }
    snprintf(out, RG_INTERVAL_BYTES, "%s-%s", low, high);
}

void rg_short_format(double value, char out[RIDGE_NUMBER_BYTES])
{
    /* Whole tenths, so that printf does not write a decimal point of the locale. */
    const double tenths = round(value * 10);
    if (value < 9.95) {
        snprintf(out, RIDGE_NUMBER_BYTES, "%.0f.%.0f", floor(tenths / 10), fmod(tenths, 10));
    } else {
        snprintf(out, RIDGE_NUMBER_BYTES, "%.0f", value);
    }
}
