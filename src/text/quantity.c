/* SPDX-License-Identifier: MIT */
/** \file Amounts and rates with a unit: bytes and FLOP. Pure; any thread. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "ridge/units.h"
#include "text/number.h"

struct prefix {
    const char *name;
    double factor;
};

/** Source of the binary ones: IEC 80000-13. */
static const struct prefix prefixes[] = {{"", 1},         {"k", 1e3},         {"K", 1e3},     {"M", 1e6},
                                         {"G", 1e9},      {"T", 1e12},        {"P", 1e15},    {"Ki", 1024},
                                         {"Mi", 1048576}, {"Gi", 1073741824}, {"Ti", 0x1p40}, {"Pi", 0x1p50}};

ridge_status ridge_quantity_parse(const char *text, const char *unit, double *out, struct ridge_error *error)
{
    double value = 0;
    const size_t length = rg_number_scan(text, &value);
    const char *suffix = text + length + strspn(text + length, " ");
    const size_t suffix_bytes = strlen(suffix);
    const size_t unit_bytes = strlen(unit);
    const bool named = suffix_bytes >= unit_bytes && strcmp(suffix + suffix_bytes - unit_bytes, unit) == 0;
    const size_t prefix_bytes = named ? suffix_bytes - unit_bytes : 0;
    if (length > 0 && !(value >= 0 && isfinite(value))) {
        return rg_error_set(error, RIDGE_E_VALUE, "'%s' is negative or has no end (write it like 64M%s)", text, unit);
    }
    for (size_t i = 0; length > 0 && (named || suffix_bytes == 0) && i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (strlen(prefixes[i].name) == prefix_bytes && strncmp(prefixes[i].name, suffix, prefix_bytes) == 0) {
            *out = value * prefixes[i].factor;
            return RIDGE_OK;
        }
    }
    return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a number of %s (write it like 64M%s, 64Mi%s or 6.4e7)", text,
                        unit, unit, unit);
}

void ridge_quantity_format(double value, const char *unit, char out[RIDGE_NUMBER_BYTES])
{
    static const struct prefix shown[] = {{"P", 1e15}, {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}};
    if (isnan(value)) {
        snprintf(out, RIDGE_NUMBER_BYTES, "unknown");
        return;
    }
    size_t pick = 0;
    /* 999.97 MB would be printed as 1000.0 MB: compare with half of the last digit shown. */
    while (pick + 1 < sizeof shown / sizeof shown[0] && fabs(value) < shown[pick].factor * 0.99995) {
        pick++;
    }
    /* Four digits, rounded here so that printf does not write a decimal point of the locale. */
    const double scaled = value / shown[pick].factor;
    const int decimals = fabs(scaled) >= 999.95 ? 0 : fabs(scaled) >= 99.995 ? 1 : fabs(scaled) >= 9.9995 ? 2 : 3;
    const double power = pow(10, decimals);
    char number[RIDGE_NUMBER_BYTES];
    ridge_number_format(round(scaled * power) / power, number);
    snprintf(out, RIDGE_NUMBER_BYTES, "%.20s %s%.8s", number, shown[pick].name, unit);
}
