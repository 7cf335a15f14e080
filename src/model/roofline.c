/* SPDX-License-Identifier: MIT */
#include "ridge/roofline.h"

#include <math.h>

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

bool ridge_work_is_mixed(const struct ridge_work *work)
{
    return is_normal(work->amount[RIDGE_ROOF_READ]) && is_normal(work->amount[RIDGE_ROOF_WRITE]) &&
           work->amount[RIDGE_ROOF_BYTES] == 0;
}

/** Bytes of mixed traffic that is like a copy's, where the rate of a copy is known; 0: reads and writes count apart. */
static double copied_bytes(const struct ridge_work *work, const struct ridge_peaks *peaks)
{
    const double most_ratio = 2; /* Source: reference/curve.md 4.8 */
    const double reads = work->amount[RIDGE_ROOF_READ];
    const double writes = work->amount[RIDGE_ROOF_WRITE];
    const bool alike = ridge_work_is_mixed(work) && reads <= most_ratio * writes && writes <= most_ratio * reads;
    return alike && is_normal(peaks->per_s[RIDGE_ROOF_BYTES]) ? reads + writes : 0;
}

/** What is held against a roof: where a copy counts, all that is copied against that of both directions. */
static double amount_on(const struct ridge_work *work, double copied, int roof)
{
    return copied > 0 && roof == RIDGE_ROOF_BYTES ? copied : work->amount[roof];
}

/** Whether a roof may be the one that needs most time: where a copy counts, those of one direction are not. */
static bool may_bind(double copied, int roof)
{
    return !(copied > 0 && (roof == RIDGE_ROOF_READ || roof == RIDGE_ROOF_WRITE));
}

/** Hold one amount against its peak; `binds`: it may be the one that needs most time. */
static void score_one(int roof, double amount, double peak_per_s, double time_s, bool binds, struct ridge_score *out)
{
    const bool used = is_normal(amount);
    const bool known = used && is_normal(peak_per_s);
    out->least_s[roof] = known ? ridge_roof_time(amount, peak_per_s) : (double)NAN;
    out->achieved_per_s[roof] = used && is_normal(time_s) ? amount / time_s : (double)NAN;
    out->share[roof] = known ? out->achieved_per_s[roof] / peak_per_s : (double)NAN;
    if (known && binds && !(out->least_s[roof] <= out->roofline_s)) {
        out->binding = roof;
        out->roofline_s = out->least_s[roof];
    }
}

void ridge_roofline_score(const struct ridge_work *work, const struct ridge_peaks *peaks, double time_s,
                          struct ridge_score *out)
{
    *out =
        (struct ridge_score){.binding = -1, .roofline_s = (double)NAN, .overlap_s = (double)NAN, .copy_s = (double)NAN};
    const double copied = copied_bytes(work, peaks);
    out->copy_counts = copied > 0;
    for (int i = 0; i < RIDGE_ROOF_COUNT; i++) {
        score_one(i, amount_on(work, copied, i), peaks->per_s[i], time_s, may_bind(copied, i), out);
    }
    if (ridge_work_is_mixed(work)) {
        const double reads_s = out->least_s[RIDGE_ROOF_READ];
        const double writes_s = out->least_s[RIDGE_ROOF_WRITE];
        out->overlap_s = isnan(reads_s + writes_s) ? (double)NAN : fmax(reads_s, writes_s);
        out->copy_s = ridge_roof_time(ridge_work_bytes(work), peaks->per_s[RIDGE_ROOF_BYTES]);
    }
    out->ceiling_beaten = out->binding >= 0 && out->share[out->binding] > 1 + peaks->spread_ratio[out->binding];
}

double ridge_roofline_limit(const struct ridge_work *work, const struct ridge_peaks *peaks, double threshold)
{
    double limit_s = 0;
    const double overhead_s = peaks->launch_overhead_s;
    const double copied = copied_bytes(work, peaks);
    if (!is_normal(threshold) || !(overhead_s == 0 || is_normal(overhead_s))) {
        return (double)NAN;
    }
    for (int i = 0; i < RIDGE_ROOF_COUNT; i++) {
        const double amount = amount_on(work, copied, i);
        if (amount == 0) {
            continue;
        }
        const double at_s = ridge_roof_time(amount, threshold * peaks->per_s[i]);
        if (!is_normal(amount) || !is_normal(at_s)) {
            return (double)NAN;
        }
        limit_s = may_bind(copied, i) ? fmax(limit_s, at_s) : limit_s;
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
