/* SPDX-License-Identifier: MIT */
/** \file What is said beside the numbers: what was missing, what moved, and what that does to the answer. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "curve/sweep.h"
#include "ridge/units.h"

void rg_sweep_note(struct rg_sweep *sweep, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < sweep->note_count; i++) {
        if (strcmp(sweep->notes[i], text) == 0) {
            return;
        }
    }
    const char *kept = sweep->note_count < RG_SWEEP_NOTES ? rg_arena_strdup(sweep->arena, text) : NULL;
    if (kept) {
        sweep->notes[sweep->note_count++] = kept;
    }
}

static void note_reuse(struct rg_sweep *sweep)
{
    const uint64_t cache = rg_sweep_cache_bytes(sweep);
    size_t short_count = 0;
    for (size_t i = 0; i < sweep->item_count; i++) {
        const struct rg_item *item = &sweep->items[i];
        const uint64_t reuse = rg_sweep_reuse(sweep, item);
        if (item->job.warm || item->failed || reuse == 0) {
            continue;
        }
        sweep->reuse_bytes = sweep->reuse_bytes == 0 || reuse < sweep->reuse_bytes ? reuse : sweep->reuse_bytes;
        short_count += rg_reuse_is_short(sweep, item) ? 1 : 0;
    }
    if (short_count > 0) {
        char reuse[RIDGE_NUMBER_BYTES];
        char size[RIDGE_NUMBER_BYTES];
        ridge_size_format(sweep->reuse_bytes, reuse);
        ridge_size_format(cache, size);
        rg_sweep_note(
            sweep,
            "windows come again after %s, which is less than three times the caches (%s, %s): %zu cold points "
            "may be partly warm, and read too fast",
            reuse, size, sweep->llc_bytes > 0 ? "twice what the curve shows" : "assumed", short_count);
    }
}

/** The smallest and largest of a value that the sentinels saw. */
static void extremes(const struct rg_sweep *sweep, size_t offset, double *least, double *most)
{
    *least = (double)INFINITY;
    *most = 0;
    for (size_t i = 0; i < sweep->sentinel_count; i++) {
        double value;
        memcpy(&value, (const char *)&sweep->sentinels[i] + offset, sizeof value);
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
}

static void note_sentinels(struct rg_sweep *sweep)
{
    static const struct {
        const char *what;
        size_t offset;
        double scale;
        const char *unit;
    } values[] = {
        {"clock", offsetof(struct rg_sentinel, clock_hz), 1e9, "GHz"},
        {"16 KiB warm", offsetof(struct rg_sentinel, near_rate), 1e9, "GB/s"},
        {"64 MiB cold", offsetof(struct rg_sentinel, far_rate), 1e9, "GB/s"},
    };
    char text[256] = "";
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        double least;
        double most;
        extremes(sweep, values[i].offset, &least, &most);
        const size_t used = strlen(text);
        if (isfinite(least)) {
            snprintf(text + used, sizeof text - used, "%s%s %.3g to %.3g %s", used > 0 ? ", " : "", values[i].what,
                     least / values[i].scale, most / values[i].scale, values[i].unit);
        }
    }
    if (rg_sweep_moved(sweep)) {
        rg_sweep_note(sweep,
                      "the machine moved: %zu of %zu sentinels lie more than 10 %% off the usual (%s); points beside "
                      "them were measured again where there was time, and intervals are wider than on a quiet machine",
                      sweep->moved, sweep->sentinel_count, text);
    }
    if (sweep->clock == RG_TREND_FALL) {
        rg_sweep_note(sweep,
                      "throttle: the clock fell from beginning to end, by more than 10 %% (%s): caches are slower than "
                      "on a cool machine (measure again when it has cooled down)",
                      text);
    } else if (sweep->clock == RG_TREND_DRIFT || sweep->rates != RG_TREND_STEADY) {
        rg_sweep_note(
            sweep,
            "drift: the last third of the sentinels differs from the first by more than 5 %% (%s); the rounds "
            "let it hit all points alike",
            text);
    }
}

/** What took processors away, and in how many of the times: "steal 12 %, switches 3 %". */
static void disturbances_format(const size_t counts[RG_DISTURBANCES], size_t times, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < RG_DISTURBANCES && used < bytes; i++) {
        if (counts[i] > 0) {
            used += (size_t)snprintf(out + used, bytes - used, "%s%s %.3g %%", used > 0 ? ", " : "",
                                     rg_disturbance_word(i), 100.0 * (double)counts[i] / (double)times);
        }
    }
}

/** Other programs on the same processors. */
static void note_contention(struct rg_sweep *sweep)
{
    size_t times = 0;
    size_t disturbed = 0;
    size_t contended = 0;
    size_t counts[RG_DISTURBANCES] = {0};
    for (size_t i = 0; i < sweep->item_count; i++) {
        const struct rg_item *item = &sweep->items[i];
        times += item->time_count;
        contended += item->role == RG_ROLE_MAIN && rg_item_is_contended(sweep, item) ? 1 : 0;
        for (size_t k = 0; k < item->time_count; k++) {
            disturbed += item->times[k].disturbed ? 1 : 0;
            for (unsigned bit = 0; bit < RG_DISTURBANCES; bit++) {
                counts[bit] += item->times[k].disturbed >> bit & 1U;
            }
        }
    }
    if (disturbed * 10 > times || contended > 0) {
        char what[256];
        disturbances_format(counts, times, what, sizeof what);
        char where[RG_PROBE_TEXT_BYTES] = "those are left out";
        if (contended > 0) {
            snprintf(
                where, sizeof where,
                "those are left out but where they are the most, at %zu contended points: the medians of these are "
                "too low by what was taken, the best of two rounds less so",
                contended);
        }
        rg_sweep_note(sweep,
                      "the machine is busy: in %.0f %% of the samples other programs took the processors away (%s); %s "
                      "(measure again when it is quiet)",
                      100.0 * (double)disturbed / (double)times, what, where);
    }
    if (sweep->void_samples > 0) {
        rg_sweep_note(sweep, "%llu samples met page faults and were thrown away",
                      (unsigned long long)sweep->void_samples);
    }
    if (sweep->timeless_samples > 0) {
        rg_sweep_note(sweep, "%llu samples had no time or a negative one and were thrown away: the clock steps",
                      (unsigned long long)sweep->timeless_samples);
    }
}

/** Sizes that are no whole number of lines in every buffer are rounded, and rates are of what was moved. */
static void note_rounding(struct rg_sweep *sweep)
{
    for (size_t i = 0; i < sweep->item_count; i++) {
        const struct rg_item *item = &sweep->items[i];
        if (item->time_count > 0 && item->times[0].bytes != (double)item->job.bytes && item->role == RG_ROLE_MAIN) {
            rg_sweep_note(
                sweep, "whole lines are moved: a %s of %llu bytes moves %.0f, and that is what its rate counts",
                ridge_access_word(item->job.access), (unsigned long long)item->job.bytes, item->times[0].bytes);
            return;
        }
    }
}

static void note_width(struct rg_sweep *sweep)
{
    size_t wide = 0;
    size_t count = 0;
    for (size_t i = 0; i < sweep->item_count; i++) {
        const struct rg_item *item = &sweep->items[i];
        struct ridge_curve_point point;
        if (item->role == RG_ROLE_MAIN && rg_item_point(sweep, item, &point)) {
            count++;
            wide += rg_point_is_wide(sweep, item, &point) ? 1 : 0;
        }
    }
    if (wide > 0) {
        rg_sweep_note(
            sweep,
            "not converged: %zu of %zu points have an interval wider than 7 %% (in a cache 3 %%) to either side%s",
            wide, count, rg_clock_s() > sweep->deadline_s ? " when the time was over (--max-seconds)" : "");
    }
}

/** What the system says of its caches, beside what the curve says. */
static void note_hints(struct rg_sweep *sweep)
{
    for (size_t i = 0; i + 1 < sweep->plateau_count && i < 3; i++) {
        const uint64_t hint = sweep->facts.cache_hint_bytes[i];
        const uint64_t found = sweep->plateaus[i].capacity_bytes;
        if (hint > 0 && (hint > 2 * found || found > 2 * hint)) {
            char texts[2][RIDGE_NUMBER_BYTES];
            ridge_size_format(hint, texts[0]);
            ridge_size_format(found, texts[1]);
            rg_sweep_note(sweep, "the system reports %s for L%zu, the curve ends it near %s: the curve counts",
                          texts[0], i + 1, texts[1]);
        }
    }
}

/** It was ended before its time: how much of the curve there is. */
static void note_stop(struct rg_sweep *sweep)
{
    size_t measured = 0;
    size_t planned = 0;
    for (size_t i = 0; i < sweep->item_count; i++) {
        const struct rg_item *item = &sweep->items[i];
        planned += item->role == RG_ROLE_MAIN ? 1 : 0;
        measured += item->role == RG_ROLE_MAIN && item->time_count > 0 ? 1 : 0;
    }
    rg_sweep_note(sweep,
                  "incomplete: stopped by the person in round %u, when %zu of %zu working sets had been measured",
                  sweep->rounds, measured, planned);
}

void rg_sweep_notes(struct rg_sweep *sweep)
{
    for (size_t i = 0; i < sweep->facts.note_count; i++) {
        rg_sweep_note(sweep, "%s", sweep->facts.notes[i]);
    }
    note_reuse(sweep);
    note_sentinels(sweep);
    note_contention(sweep);
    note_width(sweep);
    note_rounding(sweep);
    note_hints(sweep);
    if (sweep->stopped) {
        note_stop(sweep);
    } else if (sweep->rounds < 3) {
        rg_sweep_note(sweep, "only %u round%s fitted the time: intervals are not to be relied on", sweep->rounds,
                      sweep->rounds == 1 ? "" : "s");
    }
}
