/* SPDX-License-Identifier: MIT */
/** \file Calibrations in the evidence database. Thread rule: that of the store. */
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "ridge/calibrate.h"
#include "store/store_internal.h"

static void bind_numbers(struct rg_query *query, const struct ridge_calibration *calibration)
{
    rg_query_u64(query, calibration->configurations);
    rg_query_u64(query, calibration->outside);
    rg_query_u64(query, calibration->n);
    rg_query_double(query, calibration->rho);
    rg_query_double(query, calibration->rho_ci95.low);
    rg_query_double(query, calibration->rho_ci95.high);
    rg_query_u64(query, calibration->recall10);
    for (size_t i = 0; i < RIDGE_REGRETS; i++) {
        rg_query_double(query, calibration->regret[i]);
    }
    rg_query_double(query, calibration->evals_to_5pct);
    rg_query_double(query, calibration->evals_to_1pct);
    rg_query_double(query, calibration->random_evals_to_5pct);
    rg_query_double(query, calibration->random_evals_to_1pct);
}

ridge_status ridge_store_calibration_put(struct ridge_store *store, const struct ridge_saved_calibration *calibration,
                                         struct ridge_error *error)
{
    static const char what[] = "cannot keep the calibration";
    const struct ridge_rank_identity *identity = &calibration->identity;
    char now[RG_TIMESTAMP_BYTES];
    rg_clock_timestamp(now);
    const ridge_status status = rg_store_begin(store, what, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_query insert = rg_query_begin(store, RG_SQL_CALIBRATION_INSERT);
    rg_query_text(&insert, calibration->kernel);
    rg_query_text(&insert, calibration->device);
    rg_query_text(&insert, calibration->model);
    rg_query_i64(&insert, calibration->without_judged);
    rg_query_u64(&insert, identity->model_version);
    rg_query_text(&insert, identity->space);
    rg_query_text(&insert, identity->work);
    rg_query_text(&insert, identity->device);
    rg_query_text(&insert, identity->evidence);
    rg_query_text(&insert, calibration->record);
    rg_query_text(&insert, calibration->record_hash);
    rg_query_text(&insert, now);
    rg_query_text(&insert, ridge_version());
    bind_numbers(&insert, &calibration->calibration);
    return rg_store_finish(store, rg_query_run(&insert), what, error);
}

static uint64_t read_count(const struct rg_query *query, int column)
{
    const int64_t count = sqlite3_column_int64(query->statement, column);
    return count > 0 ? (uint64_t)count : 0;
}

static void read_numbers(const struct rg_query *query, int column, struct ridge_calibration *out)
{
    out->configurations = read_count(query, column++);
    out->outside = read_count(query, column++);
    out->n = read_count(query, column++);
    out->rho = rg_column_double(query, column++);
    out->rho_ci95.low = rg_column_double(query, column++);
    out->rho_ci95.high = rg_column_double(query, column++);
    out->recall10 = (uint32_t)read_count(query, column++);
    for (size_t i = 0; i < RIDGE_REGRETS; i++) {
        out->regret[i] = rg_column_double(query, column++);
    }
    out->evals_to_5pct = rg_column_double(query, column++);
    out->evals_to_1pct = rg_column_double(query, column++);
    out->random_evals_to_5pct = rg_column_double(query, column++);
    out->random_evals_to_1pct = rg_column_double(query, column);
}

/** A hash of the row. One that is too long is none of ours: it is cut, and then fits nothing. */
static void read_hash(const struct rg_query *query, int column, char out[65])
{
    const char *text = rg_column_text(query, column);
    const size_t length = strnlen(text, 64);
    memcpy(out, text, length);
    out[length] = '\0';
}

static void read_row(const struct rg_query *query, struct ridge_saved_calibration *out)
{
    *out = (struct ridge_saved_calibration){
        .kernel = rg_column_text(query, 0),
        .device = rg_column_text(query, 1),
        .model = rg_column_text(query, 2),
        .without_judged = sqlite3_column_int64(query->statement, 3) != 0,
        .record = rg_column_text(query, 9),
        .record_hash = rg_column_text(query, 10),
        .saved_at = rg_column_text(query, 11),
        .ridge_version = rg_column_text(query, 12),
    };
    out->identity.model_version = (unsigned)read_count(query, 4);
    read_hash(query, 5, out->identity.space);
    read_hash(query, 6, out->identity.work);
    read_hash(query, 7, out->identity.device);
    read_hash(query, 8, out->identity.evidence);
    read_numbers(query, 13, &out->calibration);
}

ridge_status ridge_store_calibration_each(struct ridge_store *store, const char *kernel,
                                          bool (*visit)(void *user, const struct ridge_saved_calibration *calibration),
                                          void *user, struct ridge_error *error)
{
    bool more = true;
    struct rg_query query = rg_query_begin(store, RG_SQL_CALIBRATION_LOAD);
    rg_query_text(&query, kernel);
    while (more && rg_query_row(&query)) {
        struct ridge_saved_calibration row;
        read_row(&query, &row);
        more = visit(user, &row);
    }
    const int code = rg_query_end(&query);
    return code == SQLITE_OK ? RIDGE_OK : rg_store_error(store, code, "cannot read the calibrations", error);
}
