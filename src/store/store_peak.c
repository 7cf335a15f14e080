/* SPDX-License-Identifier: MIT */
/** \file Peaks in the store: one row a peak, one a value. The public side is ridge/peak.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "ridge/peak.h"
#include "store/store_internal.h"

static const char cannot_put[] = "cannot put a peak";
static const char cannot_find[] = "cannot look for a peak";

enum {
    HOST_BYTES = 256
};

/** One value of a peak, as the table has it. */
struct value {
    const char *what;
    uint64_t bytes;
    const char *unit;
    uint64_t n;
    double median;
    double low;
    double high;
    double best;
};

static struct value of_rate(const char *what, const struct ridge_peak_rate *rate)
{
    return (struct value){
        what, 0, "FLOP/s", rate->n, rate->flop_per_s, rate->ci95.low, rate->ci95.high, rate->best_flop_per_s};
}

static struct value of_time(const char *what, uint64_t bytes, const struct ridge_summary *time)
{
    return (struct value){what,           bytes, "s", time->n, time->median_s, time->ci95_low_s, time->ci95_high_s,
                          time->minimum_s};
}

/** Insert a value; one without samples is not known and not kept. */
static int value_insert(struct ridge_store *store, int64_t peak, const struct value *value)
{
    if (value->n == 0) {
        return SQLITE_OK;
    }
    struct rg_query insert = rg_query_begin(store, RG_SQL_PEAK_VALUE_INSERT);
    rg_query_i64(&insert, peak);
    rg_query_text(&insert, value->what);
    rg_query_u64(&insert, value->bytes);
    rg_query_text(&insert, value->unit);
    rg_query_u64(&insert, value->n);
    rg_query_double(&insert, value->median);
    rg_query_double(&insert, value->low);
    rg_query_double(&insert, value->high);
    rg_query_double(&insert, value->best);
    return rg_query_run(&insert);
}

static int values_insert(struct ridge_store *store, int64_t id, const struct ridge_peak *peak)
{
    const struct value values[] = {of_rate("f32", &peak->f32), of_rate("f64", &peak->f64),
                                   of_time("launch", 0, &peak->launch),
                                   of_time("launch_device", 0, &peak->launch_device)};
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < sizeof values / sizeof values[0]; i++) {
        code = value_insert(store, id, &values[i]);
    }
    for (size_t i = 0; code == SQLITE_OK && i < peak->latency_count; i++) {
        const struct value value = of_time("latency", peak->latencies[i].bytes, &peak->latencies[i].time);
        code = value_insert(store, id, &value);
    }
    return code;
}

static void host_name(char out[HOST_BYTES])
{
    memset(out, 0, HOST_BYTES);
    (void)gethostname(out, HOST_BYTES - 1);
}

static int peak_insert(struct ridge_store *store, const struct ridge_peak *peak, int64_t *id)
{
    char host[HOST_BYTES];
    host_name(host);
    const char *const texts[] = {peak->made_at, host,         peak->backend, peak->selector,
                                 peak->device,  peak->driver, peak->compiler};
    struct rg_query insert = rg_query_begin(store, RG_SQL_PEAK_INSERT);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rg_query_text(&insert, texts[i]);
    }
    rg_query_i64(&insert, peak->threads);
    int code = rg_query_run(&insert);
    *id = sqlite3_last_insert_rowid(store->database);
    for (size_t i = 0; code == SQLITE_OK && i < peak->note_count; i++) {
        struct rg_query note = rg_query_begin(store, RG_SQL_PEAK_NOTE_INSERT);
        rg_query_i64(&note, *id);
        rg_query_text(&note, peak->notes[i]);
        code = rg_query_run(&note);
    }
    return code == SQLITE_OK ? values_insert(store, *id, peak) : code;
}

ridge_status ridge_store_peak_put(struct ridge_store *store, const struct ridge_peak *peak, int64_t *id,
                                  struct ridge_error *error)
{
    ridge_status status = rg_store_begin(store, cannot_put, error);
    if (status != RIDGE_OK) {
        return status;
    }
    int64_t made = 0;
    const int code = peak_insert(store, peak, &made);
    status = rg_store_finish(store, code, cannot_put, error);
    if (status == RIDGE_OK) {
        *id = made;
    }
    return status;
}

static void copy_text(char *to, size_t room, const struct rg_query *query, int column)
{
    snprintf(to, room, "%s", rg_column_text(query, column));
}

/** Put a row of peak_value where it belongs. */
static void value_take(const struct rg_query *query, struct ridge_peak *peak)
{
    const char *what = rg_column_text(query, 0);
    const uint64_t n = (uint64_t)sqlite3_column_int64(query->statement, 2);
    const double median = rg_column_double(query, 3);
    const double low = rg_column_double(query, 4);
    const double high = rg_column_double(query, 5);
    const double best = rg_column_double(query, 6);
    const struct ridge_peak_rate rate = {.n = n, .flop_per_s = median, .ci95 = {low, high}, .best_flop_per_s = best};
    const struct ridge_summary time = {.n = n,
                                       .median_s = median,
                                       .ci95_low_s = low,
                                       .ci95_high_s = high,
                                       .minimum_s = best,
                                       .maximum_s = (double)NAN};
    if (strcmp(what, "f32") == 0) {
        peak->f32 = rate;
    } else if (strcmp(what, "f64") == 0) {
        peak->f64 = rate;
    } else if (strcmp(what, "launch") == 0) {
        peak->launch = time;
    } else if (strcmp(what, "launch_device") == 0) {
        peak->launch_device = time;
    } else if (peak->latency_count < RIDGE_PEAK_LATENCIES) {
        peak->latencies[peak->latency_count++] =
            (struct ridge_peak_latency){.bytes = (uint64_t)sqlite3_column_int64(query->statement, 1), .time = time};
    }
}

static int values_load(struct ridge_store *store, int64_t id, struct ridge_peak *peak)
{
    struct rg_query query = rg_query_begin(store, RG_SQL_PEAK_VALUE_LOAD);
    rg_query_i64(&query, id);
    while (rg_query_row(&query)) {
        value_take(&query, peak);
    }
    const int code = rg_query_end(&query);
    if (code != SQLITE_OK) {
        return code;
    }
    struct rg_query notes = rg_query_begin(store, RG_SQL_PEAK_NOTE_LOAD);
    rg_query_i64(&notes, id);
    while (peak->note_count < RIDGE_PEAK_NOTES && rg_query_row(&notes)) {
        copy_text(peak->notes[peak->note_count++], RIDGE_PEAK_TEXT_BYTES, &notes, 0);
    }
    return rg_query_end(&notes);
}

/** Read the row of a peak. \return a code of SQLite; `*id` 0 when there is none */
static int peak_load(struct ridge_store *store, const char *device, const char *name, struct ridge_peak *peak,
                     int64_t *id)
{
    struct rg_query query = rg_query_begin(store, RG_SQL_PEAK_FIND);
    rg_query_text(&query, device);
    rg_query_text(&query, name);
    *id = 0;
    if (rg_query_row(&query)) {
        *id = sqlite3_column_int64(query.statement, 0);
        copy_text(peak->made_at, sizeof peak->made_at, &query, 1);
        copy_text(peak->backend, sizeof peak->backend, &query, 2);
        copy_text(peak->selector, sizeof peak->selector, &query, 3);
        copy_text(peak->device, sizeof peak->device, &query, 4);
        copy_text(peak->driver, sizeof peak->driver, &query, 5);
        copy_text(peak->compiler, sizeof peak->compiler, &query, 6);
        peak->threads = (unsigned)sqlite3_column_int64(query.statement, 7);
    }
    const int code = rg_query_end(&query);
    return code == SQLITE_OK && *id > 0 ? values_load(store, *id, peak) : code;
}

ridge_status ridge_store_peak_find(struct ridge_store *store, const char *device, const char *name,
                                   struct ridge_peak *out, struct ridge_error *error)
{
    struct ridge_peak *peak = rg_alloc(store->context, sizeof *peak);
    if (!peak) {
        return rg_error_memory(error, sizeof *peak);
    }
    int64_t id = 0;
    const int code = peak_load(store, device, name, peak, &id);
    ridge_status status = RIDGE_OK;
    if (code != SQLITE_OK) {
        status = rg_store_error(store, code, cannot_find, error);
    } else if (id == 0) {
        status = rg_error_set(error, RIDGE_E_EMPTY, "no peak of '%s' is saved (ridge peak --device %s --save)", device,
                              device);
    } else {
        *out = *peak;
    }
    rg_free(store->context, peak, sizeof *peak);
    return status;
}
