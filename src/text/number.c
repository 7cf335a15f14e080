/* SPDX-License-Identifier: MIT */
#include "ridge/units.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "text/number.h"

static int digit_value(char letter)
{
    if (letter >= '0' && letter <= '9') {
        return letter - '0';
    }
    if (letter >= 'a' && letter <= 'f') {
        return letter - 'a' + 10;
    }
    return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : 16;
}

ridge_status ridge_count_parse(const char *text, uint64_t maximum, uint64_t *out, struct ridge_error *error)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *at = hex ? text + 2 : text;
    const uint64_t base = hex ? 16 : 10;
    uint64_t value = 0;
    bool fits = true;
    bool digits = *at != '\0';
    for (; *at && digits; at++) {
        const uint64_t digit = (uint64_t)digit_value(*at);
        digits = digit < base;
        fits = fits && !__builtin_mul_overflow(value, base, &value) && !__builtin_add_overflow(value, digit, &value);
    }
    if (!digits) {
        return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a whole number (write digits only, such as 64)", text);
    }
    if (!fits || value > maximum) {
        return rg_error_set(error, RIDGE_E_VALUE, "%s is too large (at most %llu)", text, (unsigned long long)maximum);
    }
    *out = value;
    return RIDGE_OK;
}

/**
 * strtod for "." whatever the locale: the text up to the end of its number is copied with the locale's own point.
 * The point of the locale is found by printing one.
 */
size_t rg_number_scan(const char *text, double *value)
{
    size_t length = 0;
    size_t digits = 0;
    size_t point = SIZE_MAX;
    length += text[0] == '-' || text[0] == '+';
    for (; rg_is_digit(text[length]) || (text[length] == '.' && point == SIZE_MAX); length++) {
        if (text[length] == '.') {
            point = length;
        } else {
            digits++;
        }
    }
    if (digits == 0 || length > 400) {
        return 0;
    }
    if (text[length] == 'e' || text[length] == 'E') {
        size_t exponent = length + 1;
        exponent += text[exponent] == '-' || text[exponent] == '+';
        const size_t first = exponent;
        while (rg_is_digit(text[exponent])) {
            exponent++;
        }
        length = exponent > first ? exponent : length;
    }
    char sample[16];
    snprintf(sample, sizeof sample, "%.1f", 0.5);
    const char *locale_point = sample + 1;
    const size_t locale_point_bytes = strlen(locale_point) - 1;
    char copy[512];
    if (length + locale_point_bytes >= sizeof copy) {
        return 0;
    }
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i == point) {
            memcpy(copy + used, locale_point, locale_point_bytes);
            used += locale_point_bytes;
        } else {
            copy[used++] = text[i];
        }
    }
    copy[used] = '\0';
    *value = strtod(copy, NULL);
    return length;
}

ridge_status ridge_number_parse(const char *text, double *out, struct ridge_error *error)
{
    double value;
    const size_t length = rg_number_scan(text, &value);
    if (length == 0 || text[length] != '\0' || !isfinite(value)) {
        return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a number (write it like 0.95)", text);
    }
    *out = value;
    return RIDGE_OK;
}

struct unit {
    const char *name;
    double seconds;
};

/** Longest first within what a person types; printing takes the first that the value reaches. */
static const struct unit units[] = {{"h", 3600.0}, {"m", 60.0},  {"s", 1.0},  {"", 1.0},
                                    {"ms", 1e-3},  {"us", 1e-6}, {"ns", 1e-9}};

ridge_status ridge_duration_parse(const char *text, double *seconds, struct ridge_error *error)
{
    static const char right[] = "write it like 60s, 1.5m or 200ms";
    double value;
    const size_t length = rg_number_scan(text, &value);
    const char *suffix = text + length + strspn(text + length, " ");
    for (size_t i = 0; length > 0 && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(suffix, units[i].name) != 0) {
            continue;
        }
        if (!(value * units[i].seconds > 0) || !isfinite(value * units[i].seconds)) {
            return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a positive duration (%s)", text, right);
        }
        *seconds = value * units[i].seconds;
        return RIDGE_OK;
    }
    return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a duration (%s)", text, right);
}

struct size_unit {
    const char *name;
    double bytes;
};

/* Powers of 1024 come first: printing takes the largest of them that the value reaches. */
static const struct size_unit size_units[] = {
    {"EiB", 0x1p60}, {"PiB", 0x1p50}, {"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10},
    {"B", 1},        {"", 1},         {"T", 0x1p40},   {"G", 0x1p30},   {"M", 0x1p20},   {"K", 0x1p10},
    {"TB", 1e12},    {"GB", 1e9},     {"MB", 1e6},     {"kB", 1e3},
};

ridge_status ridge_size_parse(const char *text, uint64_t *bytes, struct ridge_error *error)
{
    static const char right[] = "write it like 64KiB, 3MiB, 1.5GB or 8192";
    double value;
    const size_t length = rg_number_scan(text, &value);
    const char *suffix = text + length + strspn(text + length, " ");
    for (size_t i = 0; length > 0 && i < sizeof size_units / sizeof size_units[0]; i++) {
        if (!rg_same_letters(suffix, size_units[i].name)) {
            continue;
        }
        /* 1.1MB is whole, although 1.1 is not exactly so. */
        const double exact = value * size_units[i].bytes;
        const double size = round(exact);
        if (!(size >= 1 && size < 0x1p63)) {
            return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a size of at least 1 byte and below 8 EiB (%s)",
                                text, right);
        }
        if (fabs(exact - size) > 1e-9 * size) {
            return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a whole number of bytes (%s)", text, right);
        }
        *bytes = (uint64_t)size;
        return RIDGE_OK;
    }
    return rg_error_set(error, RIDGE_E_VALUE, "'%s' is not a size (%s)", text, right);
}

void ridge_size_format(uint64_t bytes, char out[RIDGE_NUMBER_BYTES])
{
    size_t pick = 0;
    while (size_units[pick].bytes > 1 && (double)bytes < size_units[pick].bytes) {
        pick++;
    }
    const double tenths = round((double)bytes / size_units[pick].bytes * 10);
    if (fmod(tenths, 10) == 0) {
        snprintf(out, RIDGE_NUMBER_BYTES, "%.0f %s", tenths / 10, size_units[pick].name);
    } else {
        snprintf(out, RIDGE_NUMBER_BYTES, "%.0f.%.0f %s", floor(tenths / 10), fmod(tenths, 10), size_units[pick].name);
    }
}

/** Put "." where the locale put its own point: the first bytes that no number has. */
static void fix_point(char *text)
{
    const size_t before = strspn(text, "+-0123456789eE");
    if (text[before] == '\0' || rg_is_letter(text[before])) {
        return;
    }
    const size_t width = strcspn(text + before, "0123456789");
    text[before] = '.';
    memmove(text + before + 1, text + before + width, strlen(text + before + width) + 1);
}

void ridge_number_format(double value, char out[RIDGE_NUMBER_BYTES])
{
    if (isnan(value)) {
        snprintf(out, RIDGE_NUMBER_BYTES, "nan");
        return;
    }
    if (isinf(value)) {
        snprintf(out, RIDGE_NUMBER_BYTES, "%s", value > 0 ? "inf" : "-inf");
        return;
    }
    /* Whatever has at most 15 digits comes back from 15, with its zeros dropped; below DBL_MIN that does not hold. */
    for (int precision = fabs(value) >= DBL_MIN ? 15 : 1; precision <= 17; precision++) {
        snprintf(out, RIDGE_NUMBER_BYTES, "%.*g", precision, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    /* 1e+06 and 1e-07 read worse than plain digits as long as those are short. */
    const double size = fabs(value);
    if (strchr(out, 'e') && size < 1e15 && size >= 1.0 && floor(value) == value) {
        snprintf(out, RIDGE_NUMBER_BYTES, "%.0f", value);
    }
    fix_point(out);
}

void ridge_duration_format(double seconds, char out[RIDGE_NUMBER_BYTES])
{
    static const struct unit shown[] = {{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    if (!isfinite(seconds)) {
        ridge_number_format(seconds, out);
        return;
    }
    size_t pick = 0;
    /* 0.9995 ms would be printed as 1000 us: compare with half of the last digit shown. */
    while (pick + 1 < sizeof shown / sizeof shown[0] && fabs(seconds) < shown[pick].seconds * 0.9995) {
        pick++;
    }
    const double scaled = seconds / shown[pick].seconds;
    const double size = fabs(scaled);
    if (size >= 1e15) { /* more digits than a double has */
        snprintf(out, RIDGE_NUMBER_BYTES, "%.0e %s", scaled, shown[pick].name);
        return;
    }
    const int decimals = size >= 99.95 ? 0 : (size >= 9.995 ? 1 : 2);
    snprintf(out, RIDGE_NUMBER_BYTES, "%.*f %s", decimals, scaled, shown[pick].name);
    char *space = strchr(out, ' ');
    if (space && decimals > 0) {
        *space = '\0';
        fix_point(out);
        const size_t length = strlen(out);
        snprintf(out + length, RIDGE_NUMBER_BYTES - length, " %s", shown[pick].name);
    }
}

void rg_number_round(double value, int decimals, char out[RIDGE_NUMBER_BYTES])
{
    const double scale = pow(10, decimals);
    const double scaled = round(value * scale);
    ridge_number_format(isfinite(scaled) ? scaled / scale : value, out);
}
