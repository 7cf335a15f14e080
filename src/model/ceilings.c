/* SPDX-License-Identifier: MIT */
#include "ridge/ceilings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ridge_access accesses[RIDGE_CEILING_CURVES] = {RIDGE_ACCESS_READ, RIDGE_ACCESS_WRITE, RIDGE_ACCESS_COPY};

enum {
    DAY_BYTES = 10 /* of "2031-01-02T03:04:05Z" */
};

void ridge_ceilings_fini(struct ridge_ceilings *ceilings)
{
    for (size_t i = 0; i < RIDGE_CEILING_CURVES; i++) {
        ridge_curve_set_destroy(ceilings->curves[i]);
        ceilings->curves[i] = NULL;
    }
}

const struct ridge_curve *ridge_ceilings_curve(const struct ridge_ceilings *ceilings, ridge_access access)
{
    for (size_t i = 0; i < RIDGE_CEILING_CURVES; i++) {
        if (accesses[i] == access && ceilings->curves[i] && ceilings->curves[i]->count > 0) {
            return &ceilings->curves[i]->curves[0];
        }
    }
    return NULL;
}

/** Hold a roof against the ceiling of a curve: where that is the faster, when several are looked at. */
static void roof_look(const struct ridge_curve *curve, double bytes, ridge_roof roof, struct ridge_peaks *out)
{
    struct ridge_ceiling ceiling;
    if (!curve || !(bytes >= 1 && bytes < 0x1p63) ||
        ridge_curve_ceiling_at(curve, (uint64_t)bytes, &ceiling, NULL) != RIDGE_OK) {
        return;
    }
    const double rate = curve->published ? ridge_curve_ceiling_published(curve, (uint64_t)bytes) : ceiling.bytes_per_s;
    if (rate <= out->per_s[roof]) { /* not when it is not known yet */
        return;
    }
    const double spread = (ceiling.ci95.high - ceiling.ci95.low) / 2 / ceiling.typical_bytes_per_s;
    out->per_s[roof] = rate;
    out->spread_ratio[roof] = spread > 0 ? spread : 0;
    snprintf(out->regime[roof], sizeof out->regime[roof], "%s", ceiling.regime);
}

static double peak_of(const struct ridge_peak_rate *rate)
{
    return rate->n > 0 ? rate->best_flop_per_s : (double)NAN;
}

/** Whether both are known apart, so that the rate of a copy is what their sum is held against. */
static bool reads_and_writes(const struct ridge_work *work)
{
    return work->amount[RIDGE_ROOF_READ] > 0 && work->amount[RIDGE_ROOF_WRITE] > 0;
}

void ridge_ceilings_peaks(const struct ridge_ceilings *ceilings, const struct ridge_work *work, struct ridge_peaks *out)
{
    const double bytes = ridge_work_bytes(work);
    *out = ridge_peaks_unknown();
    for (size_t i = 0; i < RIDGE_ROOF_COUNT; i++) {
        out->kind[i] = ceilings->kind;
    }
    roof_look(ridge_ceilings_curve(ceilings, RIDGE_ACCESS_READ), bytes, RIDGE_ROOF_READ, out);
    roof_look(ridge_ceilings_curve(ceilings, RIDGE_ACCESS_WRITE), bytes, RIDGE_ROOF_WRITE, out);
    const bool apart = reads_and_writes(work);
    for (size_t i = 0; i < RIDGE_CEILING_CURVES; i++) {
        if (!apart || accesses[i] == RIDGE_ACCESS_COPY) {
            roof_look(ridge_ceilings_curve(ceilings, accesses[i]), bytes, RIDGE_ROOF_BYTES, out);
        }
    }
    if (!ceilings->has_peak) {
        return;
    }
    const struct ridge_peak *peak = &ceilings->peak;
    const struct ridge_summary *launch = peak->launch_device.n > 0 ? &peak->launch_device : &peak->launch;
    out->per_s[RIDGE_ROOF_F32] = peak_of(&peak->f32);
    out->per_s[RIDGE_ROOF_F64] = peak_of(&peak->f64);
    out->launch_overhead_s = launch->n > 0 ? launch->median_s : (double)NAN;
}

void ridge_ceilings_words(const struct ridge_ceilings *ceilings, char out[RIDGE_CEILINGS_WORDS])
{
    const char *day = "";
    size_t used = 0;
    out[0] = '\0';
    if (ceilings->has_peak) {
        used = (size_t)snprintf(out, RIDGE_CEILINGS_WORDS, "peak of %.*s", DAY_BYTES, ceilings->peak.made_at);
    }
    for (size_t i = 0; i < RIDGE_CEILING_CURVES && used < RIDGE_CEILINGS_WORDS; i++) {
        const struct ridge_curve *curve = ridge_ceilings_curve(ceilings, accesses[i]);
        if (!curve) {
            continue;
        }
        if (strncmp(day, curve->made_at, DAY_BYTES) != 0) {
            day = curve->made_at;
            used += (size_t)snprintf(out + used, RIDGE_CEILINGS_WORDS - used,
                                     "%scurves of %.*s: ", used > 0 ? ", " : "", DAY_BYTES, day);
        } else {
            used += (size_t)snprintf(out + used, RIDGE_CEILINGS_WORDS - used, ", ");
        }
        if (used < RIDGE_CEILINGS_WORDS) {
            used += (size_t)snprintf(out + used, RIDGE_CEILINGS_WORDS - used, "%s %s", curve->warm ? "warm" : "cold",
                                     ridge_access_word(curve->access));
        }
    }
}

unsigned ridge_ceilings_needed(const struct ridge_work *work)
{
    unsigned what = ridge_work_flop(work) > 0 ? (unsigned)RIDGE_CEILING_PEAK : 0U;
    what |= work->amount[RIDGE_ROOF_READ] > 0 ? (unsigned)RIDGE_CEILING_READ : 0U;
    what |= work->amount[RIDGE_ROOF_WRITE] > 0 ? (unsigned)RIDGE_CEILING_WRITE : 0U;
    what |= work->amount[RIDGE_ROOF_BYTES] > 0 ? (unsigned)(RIDGE_CEILING_READ | RIDGE_CEILING_COPY) : 0U;
    return what;
}

unsigned ridge_ceilings_wanted(const struct ridge_work *work)
{
    return ridge_ceilings_needed(work) | (reads_and_writes(work) ? (unsigned)RIDGE_CEILING_COPY : 0U);
}
