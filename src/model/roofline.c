/* SPDX-License-Identifier: MIT */
#include "ridge/roofline.h"

#include <math.h>
#include <stdbool.h>

struct roof_row {
    const char *key;
    const char *words;
    const char *unit;
};

static const struct roof_row roofs[] = {
#define ROOF_ROW(name, key, words, unit) {key, words, unit},
    RIDGE_ROOF_LIST(ROOF_ROW)
#undef ROOF_ROW
};

static const struct roof_row *row_of(ridge_roof roof)
{
    static const struct roof_row none = {"?", "?", "?"};
    return (size_t)roof < RIDGE_ROOF_COUNT ? &roofs[roof] : &none;
}

const char *ridge_roof_key(ridge_roof roof)
{
    return row_of(roof)->key;
}

const char *ridge_roof_words(ridge_roof roof)
{
    return row_of(roof)->words;
}

const char *ridge_roof_unit(ridge_roof roof)
{
    return row_of(roof)->unit;
}

/** What a rate, an amount or a time must be to say anything. */
static bool is_normal(double value)
{
    return isnormal(value) && value > 0;
}

struct ridge_peaks ridge_peaks_unknown(void)
{
    struct ridge_peaks peaks = {.launch_overhead_s = (double)NAN};
    for (size_t i = 0; i < RIDGE_ROOF_COUNT; i++) {
        peaks.per_s[i] = (double)NAN;
        peaks.kind[i] = RIDGE_MEASURED;
    }
    return peaks;
}

double ridge_roof_time(double amount, double peak_per_s)
{
    return is_normal(peak_per_s) ? amount / peak_per_s : (double)NAN;
}

void ridge_roofline_score(const struct ridge_work *work, const struct ridge_peaks *peaks, double time_s,
                          struct ridge_score *out)
{
    *out = (struct ridge_score){.binding = -1, .roofline_s = (double)NAN};
    for (int i = 0; i < RIDGE_ROOF_COUNT; i++) {
        const bool used = is_normal(work->amount[i]);
        const bool known = used && is_normal(peaks->per_s[i]);
        out->least_s[i] = known ? ridge_roof_time(work->amount[i], peaks->per_s[i]) : (double)NAN;
        out->achieved_per_s[i] = used && is_normal(time_s) ? work->amount[i] / time_s : (double)NAN;
        out->share[i] = known ? out->achieved_per_s[i] / peaks->per_s[i] : (double)NAN;
        if (known && !(out->least_s[i] <= out->roofline_s)) {
            out->binding = i;
            out->roofline_s = out->least_s[i];
        }
    }
}

double ridge_roofline_limit(const struct ridge_work *work, const struct ridge_peaks *peaks, double threshold)
{
    double limit_s = 0;
    const double overhead_s = peaks->launch_overhead_s;
    if (!is_normal(threshold) || !(overhead_s == 0 || is_normal(overhead_s))) {
        return (double)NAN;
    }
    for (size_t i = 0; i < RIDGE_ROOF_COUNT; i++) {
        const double amount = work->amount[i];
        if (amount == 0) {
            continue;
        }
        const double at_s = ridge_roof_time(amount, threshold * peaks->per_s[i]);
        if (!is_normal(amount) || !is_normal(at_s)) {
            return (double)NAN;
        }
        limit_s = fmax(limit_s, at_s);
    }
    return limit_s > 0 ? limit_s + overhead_s : (double)NAN;
}

ridge_roofline_place ridge_roofline_place_of(double flop, double bytes, double time_s, double *intensity)
{
    const bool computes = is_normal(flop);
    const bool moves = is_normal(bytes);
    *intensity = (double)NAN;
    if (!is_normal(time_s) || (!computes && !moves)) {
        return RIDGE_PLACE_NOWHERE;
    }
    if (!moves) {
        return RIDGE_PLACE_NO_TRAFFIC;
    }
    if (!computes) {
        return RIDGE_PLACE_NO_OPERATION;
    }
    *intensity = flop / bytes;
    return RIDGE_PLACE_POINT;
}

double ridge_work_flop(const struct ridge_work *work)
{
    return work->amount[RIDGE_ROOF_F32] + work->amount[RIDGE_ROOF_F64];
}

double ridge_work_bytes(const struct ridge_work *work)
{
    const double sum = work->amount[RIDGE_ROOF_BYTES];
    return sum > 0 ? sum : work->amount[RIDGE_ROOF_READ] + work->amount[RIDGE_ROOF_WRITE];
}
