/* SPDX-License-Identifier: MIT */
/* Verdicts. Source: the published footprint verdict of rlx-metal (data/calibrations/footprint.toml). */
#include "model/footprint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/device_db.h"
#include "text/fact_files.h"
#include "text/number.h"

const char *ridge_verdict_word(ridge_verdict verdict)
{
    static const char *const words[] = {"unknown", "too-close", "faster", "slower"};
    return (unsigned)verdict < sizeof words / sizeof words[0] ? words[verdict] : "?";
}

double ridge_footprint_ratio(const struct ridge_footprint *footprint, double base_bytes, double candidate_bytes)
{
    return fmax(0, 1 + footprint->slope_ratio * log2(candidate_bytes / base_bytes));
}

bool ridge_footprint_claims(const struct ridge_footprint *footprint)
{
    return footprint->held_out_error_ratio <= footprint->bound_ratio; /* false for NaN */
}

double rg_footprint_residual(const struct ridge_footprint *footprint, const struct ridge_footprint_series *series)
{
    double largest = 0;
    for (size_t i = 0; i < series->count; i++) {
        const double predicted = ridge_footprint_ratio(footprint, series->bytes[0], series->bytes[i]);
        largest = fmax(largest, fabs(predicted - series->relative[i]));
    }
    return largest;
}

/** Whether the words of `words`, cut at blanks, follow each other somewhere in a name. */
static bool has_words(const struct rg_folded *name, const struct rg_folded *words)
{
    for (size_t from = 0; words->count > 0 && from + words->count <= name->count; from++) {
        size_t same = 0;
        while (same < words->count && strcmp(name->words[from + same], words->words[same]) == 0) {
            same++;
        }
        if (same == words->count) {
            return true;
        }
    }
    return false;
}

/** A Tesla M4 is no Apple M4. */
static bool vendors_agree(const char *a, const char *b)
{
    return !a || !b || strcmp(a, b) == 0;
}

static bool is_of_family(const struct rg_footprint_family *family, const struct rg_folded *name)
{
    if (!vendors_agree(family->vendor, name->vendor)) {
        return false;
    }
    for (size_t i = 0; i < family->words.count; i++) {
        struct rg_folded words;
        if (rg_device_fold(family->words.items[i], &words) && has_words(name, &words)) {
            return true;
        }
    }
    return false;
}

/** \return the calibration of the device itself, or NULL. */
static const struct ridge_footprint *find_device(const struct ridge_footprint_db *db, const struct rg_folded *name)
{
    for (size_t i = 0; i < db->count; i++) {
        struct rg_folded device;
        if (db->footprints[i]->device && rg_device_fold(db->footprints[i]->device, &device) &&
            device.count == name->count && vendors_agree(device.vendor, name->vendor) && has_words(name, &device)) {
            return db->footprints[i];
        }
    }
    return NULL;
}

static const struct ridge_footprint *find_family(const struct ridge_footprint_db *db, const char *family)
{
    for (size_t i = 0; i < db->count; i++) {
        if (db->footprints[i]->family && strcmp(db->footprints[i]->family, family) == 0) {
            return db->footprints[i];
        }
    }
    return NULL;
}

/** Find the calibration of a device. \return NULL with the reason */
static const struct ridge_footprint *find(const struct ridge_footprint_db *db, const char *device, char *reason)
{
    struct rg_folded name;
    const bool folded = rg_device_fold(device, &name);
    const struct ridge_footprint *found = folded ? find_device(db, &name) : NULL;
    if (found) {
        return found;
    }
    for (size_t i = 0; folded && i < db->family_count; i++) {
        const struct rg_footprint_family *family = &db->families[i];
        if (!is_of_family(family, &name)) {
            continue;
        }
        found = family->unknown ? NULL : find_family(db, family->name);
        if (!found) {
            snprintf(reason, RIDGE_REASON_BYTES, "%s is not calibrated: %s", family->name,
                     family->unknown ? family->unknown : "no calibration of that family is loaded");
        }
        return found;
    }
    snprintf(reason, RIDGE_REASON_BYTES,
             "no calibration knows '%.80s' (ridge calibrate footprint makes one from measured points)", device);
    return NULL;
}

/** Say why a calibration gives no verdicts. */
static void say_no_claim(const struct ridge_footprint *footprint, char *reason)
{
    if (isnan(footprint->held_out_error_ratio)) {
        snprintf(reason, RIDGE_REASON_BYTES, "the calibration '%.80s' claims nothing: no series was held out",
                 footprint->name);
        return;
    }
    char worst[RIDGE_NUMBER_BYTES];
    char bound[RIDGE_NUMBER_BYTES];
    rg_number_round(footprint->held_out_error_ratio, 3, worst);
    rg_number_round(footprint->bound_ratio, 3, bound);
    snprintf(reason, RIDGE_REASON_BYTES,
             "the calibration '%.80s' claims nothing: its held-out series is off by up to %s, above the bound %s",
             footprint->name, worst, bound);
}

struct ridge_footprint_span ridge_footprint_span(const struct ridge_footprint *footprint)
{
    struct ridge_footprint_span span = {.least_bytes = HUGE_VAL};
    for (size_t i = 0; i < footprint->series_count; i++) {
        const struct ridge_footprint_series *series = &footprint->series[i];
        const double last = series->bytes[series->count - 1];
        span.least_bytes = fmin(span.least_bytes, series->bytes[0]);
        span.most_bytes = fmax(span.most_bytes, last);
        span.most_change = fmax(span.most_change, last / series->bytes[0]);
    }
    return span;
}

static bool is_extrapolated(const struct ridge_footprint *footprint, double base, double candidate)
{
    const struct ridge_footprint_span span = ridge_footprint_span(footprint);
    const double least = fmin(base, candidate);
    const double most = fmax(base, candidate);
    return least < span.least_bytes || most > span.most_bytes || most / least > span.most_change;
}

static void judge(const struct ridge_footprint *footprint, uint64_t base, uint64_t candidate,
                  struct ridge_prediction *out)
{
    out->ratio = ridge_footprint_ratio(footprint, (double)base, (double)candidate);
    out->extrapolated = is_extrapolated(footprint, (double)base, (double)candidate);
    /* A distance that is equal to the dead band but for the last bits of the doubles is within it. */
    const bool close = fabs(out->ratio - 1) <= footprint->dead_band_ratio + 1e-12;
    const bool faster = out->ratio > 1;
    out->verdict = close ? RIDGE_VERDICT_TOO_CLOSE : faster ? RIDGE_VERDICT_FASTER : RIDGE_VERDICT_SLOWER;
    char slope[RIDGE_NUMBER_BYTES];
    char ratio[RIDGE_NUMBER_BYTES];
    char band[RIDGE_NUMBER_BYTES];
    rg_number_round(fabs(footprint->slope_ratio), 4, slope);
    rg_number_round(out->ratio, 3, ratio);
    rg_number_round(footprint->dead_band_ratio, 4, band);
    snprintf(out->reason, sizeof out->reason, "1 %c %s * log2(%llu / %llu) = %s, %s the dead band of %s around 1",
             footprint->slope_ratio < 0 ? '-' : '+', slope, (unsigned long long)candidate, (unsigned long long)base,
             ratio, close ? "within" : "outside of", band);
}

void ridge_footprint_predict(const struct ridge_footprint_db *db, const char *device, uint64_t base_bytes,
                             uint64_t candidate_bytes, struct ridge_prediction *out)
{
    *out = (struct ridge_prediction){.verdict = RIDGE_VERDICT_UNKNOWN, .ratio = (double)NAN};
    out->footprint = find(db, device, out->reason);
    if (!out->footprint) {
        return;
    }
    if (!ridge_footprint_claims(out->footprint)) {
        say_no_claim(out->footprint, out->reason);
    } else if (base_bytes == 0 || candidate_bytes == 0) {
        snprintf(out->reason, sizeof out->reason, "a footprint of 0 bytes has no ratio to another");
    } else {
        judge(out->footprint, base_bytes, candidate_bytes, out);
    }
}

static ridge_status read_file(void *user, const char *name, const char *text, size_t length, struct ridge_error *error)
{
    return rg_footprint_read(user, name, text, length, error);
}

ridge_status ridge_footprint_db_create(const struct ridge_context *context, const char *path,
                                       struct ridge_footprint_db **out, struct ridge_error *error)
{
    struct ridge_footprint_db *db = rg_alloc(context, sizeof *db);
    if (!db) {
        return rg_error_memory(error, sizeof *db);
    }
    db->context = context;
    rg_arena_init(&db->arena, context);
    const struct rg_fact_files files = {"calibration", rg_calibration_files, path, read_file, db};
    const ridge_status status = rg_fact_files_read(&files, &db->arena, error);
    if (status != RIDGE_OK) {
        ridge_footprint_db_destroy(db);
        return status;
    }
    *out = db;
    return RIDGE_OK;
}

void ridge_footprint_db_destroy(struct ridge_footprint_db *db)
{
    if (db) {
        rg_arena_fini(&db->arena);
        rg_free(db->context, db, sizeof *db);
    }
}
