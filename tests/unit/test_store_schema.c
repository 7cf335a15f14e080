/* SPDX-License-Identifier: MIT */
/** \file store: files of older schemas, steps between schemas, calibrations, results of very many samples. */
#include "rg_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ridge/calibrate.h"
#include "run_fixture.h"
#include "scratch.h"
#include "store/schema.h"
#include "store/store_internal.h"

static const char *const add_colour[] = {"ALTER TABLE run ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'", NULL};
static const char *const add_shape_and_fail[] = {"CREATE TABLE shape(x)", "CREATE TABLE run(x)", NULL};

/** A step on top of the real ones keeps the data; a step that fails leaves the file as it was. */
static void test_schema_steps(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(fixture_run(store, 3, &id, &error), &error);
    enum {
        KNOWN = 4
    };
    assert_int_equal(rg_schema_step_count, KNOWN);
    struct rg_schema_step steps[KNOWN + 2] = {[KNOWN] = {add_colour}, [KNOWN + 1] = {add_shape_and_fail}};
    memcpy(steps, rg_schema_steps, KNOWN * sizeof *steps);
    struct rg_schema_facts facts;
    assert_int_equal(rg_schema_migrate(store->database, steps, KNOWN + 2), SQLITE_ERROR);
    assert_int_equal(rg_schema_look(store->database, &facts), SQLITE_OK);
    assert_int_equal(facts.version, KNOWN);
    assert_int_equal(sqlite3_exec(store->database, "SELECT colour FROM run", NULL, NULL, NULL), SQLITE_ERROR);
    assert_int_equal(rg_schema_migrate(store->database, steps, KNOWN + 1), SQLITE_OK);
    assert_int_equal(rg_schema_migrate(store->database, steps, KNOWN + 1), SQLITE_OK);
    assert_int_equal(rg_schema_look(store->database, &facts), SQLITE_OK);
    assert_int_equal(facts.version, KNOWN + 1);
    assert_int_equal(facts.application_id, RG_STORE_APPLICATION_ID);
    assert_int_equal(sqlite3_exec(store->database, "SELECT colour FROM run", NULL, NULL, NULL), SQLITE_OK);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    assert_int_equal(run->record_count, 3);
    ridge_run_destroy(run);
    ridge_store_close(store);
}

static bool calibration_seen(void *user, const struct ridge_saved_calibration *calibration)
{
    (void)calibration;
    *(bool *)user = true;
    return true;
}

/** The calibration that was visited last. */
struct kept {
    size_t count;
    bool without_judged;
    struct ridge_rank_identity identity;
    char record[64];
    struct ridge_calibration calibration;
};

static bool calibration_keep(void *user, const struct ridge_saved_calibration *saved)
{
    struct kept *kept = user;
    kept->count++;
    kept->without_judged = saved->without_judged;
    kept->identity = saved->identity;
    kept->calibration = saved->calibration;
    snprintf(kept->record, sizeof kept->record, "%s", saved->record);
    assert_string_equal(saved->device, "RTX A4000");
    assert_string_equal(saved->model, "work");
    assert_string_equal(saved->record_hash, "00ff");
    assert_string_equal(saved->ridge_version, ridge_version());
    assert_int_equal(strlen(saved->saved_at), strlen("2031-01-02T03:04:05.678Z"));
    return true;
}

/** Make a file of an older schema that holds one result, with a write-ahead log as Ridge leaves it. */
static void older_make(const struct scratch *scratch, size_t version)
{
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(scratch->path, &database), SQLITE_OK);
    assert_int_equal(rg_schema_migrate(database, rg_schema_steps, version), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(database,
                     "PRAGMA journal_mode=WAL; "
                     "INSERT INTO run(kernel, backend, device, platform, driver, source_hash, arguments_hash, "
                     "parameters, cache, space_hash, spec_path, search_order, reference, ridge_version, host, seed, "
                     "space_count, started_at) VALUES('k','b','d','','','','','','','','','','','','','0',1,'');"
                     "INSERT INTO result(run_id, configuration_id, outcome) VALUES(1, 'c1-0', 'compile')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(database);
}

static int64_t version_of(const struct scratch *scratch)
{
    sqlite3 *database = NULL;
    struct rg_schema_facts facts = {0};
    assert_int_equal(sqlite3_open_v2(scratch->path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(rg_schema_look(database, &facts), SQLITE_OK);
    sqlite3_close(database);
    return facts.version;
}

static void check_older(struct ridge_store *store)
{
    struct ridge_error error = {0};
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, 1, &run, &error), &error);
    assert_int_equal(run->record_count, 1);
    assert_int_equal(run->records[0].outcome, RIDGE_OUTCOME_COMPILE);
    assert_int_equal(run->records[0].kind, RIDGE_MEASURED);
    assert_true(run->records[0].registers == -1 && run->records[0].spill_bytes == -1);
    ridge_run_destroy(run);
}

/** A file of an older schema with results can be read as it is, and is brought up to date by writing, and keeps them. */
static void test_older_schemas(void **state)
{
    struct scratch *scratch = *state;
    for (size_t version = 1; version < rg_schema_step_count; version++) {
        older_make(scratch, version);
        struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_READ);
        check_older(store);
        struct ridge_error error = {0};
        bool visited = false;
        assert_ok(ridge_store_calibration_each(store, "k", calibration_seen, &visited, &error), &error);
        assert_false(visited);
        ridge_store_close(store);
        assert_int_equal(version_of(scratch), version);
        store = scratch_open(scratch, RIDGE_STORE_WRITE);
        check_older(store);
        int64_t newest = 0;
        assert_ok(rg_store_run_newest(store, "k", INT64_MAX, &newest, &error), &error);
        assert_int_equal(newest, 1);
        ridge_store_close(store);
        assert_int_equal(version_of(scratch), rg_schema_step_count);
        assert_int_equal(remove(scratch->path), 0);
    }
}

/** A file of schema 0 (marked as Ridge's, no tables) holds no runs for readers and is brought up to date by writing. */
static void test_older_file(void **state)
{
    struct scratch *scratch = *state;
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(scratch->path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "PRAGMA application_id = 1382311781", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    assert_int_equal(RG_STORE_APPLICATION_ID, 1382311781);
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_READ);
    struct ridge_run *run = NULL;
    assert_int_equal(ridge_store_run_load(store, 0, &run, &error), RIDGE_E_NAME);
    assert_non_null(strstr(error.message, "no runs yet"));
    ridge_store_close(store);
    assert_int_equal(version_of(scratch), 0);
    store = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    error = (struct ridge_error){0};
    assert_ok(fixture_run(store, 3, &id, &error), &error);
    ridge_store_close(store);
}

/** Setting finals aside counts every sample again, however many there are. */
static void test_very_many_samples(void **state)
{
    enum {
        MANY = 100001 /* the last one alone is large */
    };
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    const struct ridge_run_info info = fixture_info();
    int64_t id = 0;
    assert_ok(rg_store_run_begin(store, &info, fixture_names, FIXTURE_DIMENSIONS, &id, &error), &error);
    double *samples_s = malloc(MANY * sizeof *samples_s);
    assert_non_null(samples_s);
    for (size_t i = 0; i < MANY; i++) {
        samples_s[i] = i + 1 < MANY ? 2.0 : 1.0;
    }
    struct ridge_value values[FIXTURE_DIMENSIONS];
    char name[RIDGE_ID_BYTES];
    fixture_values(0, values, name);
    const struct rg_result result = {.id = name, .values = values, .samples_s = samples_s, .sample_count = MANY};
    assert_ok(rg_store_result_put(store, id, &result, &error), &error);
    assert_ok(rg_store_final_put(store, id, name, samples_s, 8, NULL, &error), &error);
    assert_ok(rg_store_finals_reset(store, id, &error), &error);
    sqlite3_stmt *statement = NULL;
    assert_int_equal(
        sqlite3_prepare_v2(store->database, "SELECT sample_count, minimum_s FROM result", -1, &statement, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int64(statement, 0), MANY);
    assert_true(sqlite3_column_double(statement, 1) == 1.0);
    sqlite3_finalize(statement);
    free(samples_s);
    ridge_store_close(store);
}

static void check_same(const struct ridge_calibration *one, const struct ridge_calibration *other)
{
    assert_true(one->rho == other->rho);
    assert_true(one->rho_ci95.low == other->rho_ci95.low && one->rho_ci95.high == other->rho_ci95.high);
    assert_true(one->n == other->n && one->configurations == other->configurations && one->outside == other->outside);
    assert_int_equal(one->recall10, other->recall10);
    for (size_t i = 0; i < RIDGE_REGRETS; i++) {
        assert_true(one->regret[i] == other->regret[i]);
    }
    assert_true(one->evals_to_5pct == other->evals_to_5pct);
    assert_true(isnan(one->evals_to_1pct) && isnan(other->evals_to_1pct));
    assert_true(one->random_evals_to_5pct == other->random_evals_to_5pct);
    assert_true(one->random_evals_to_1pct == other->random_evals_to_1pct);
}

/** A calibration comes back as it was put, to the last bit; the newest first; one of the same ranking takes its place. */
static void test_calibrations(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    struct ridge_saved_calibration put = {
        .kernel = "k",
        .device = "RTX A4000",
        .model = "work",
        .without_judged = true,
        .identity = {7, "space", "work", "device", "evidence"},
        .record = "a \"file\".json",
        .record_hash = "00ff",
        .calibration = {.rho = 0.1,
                        .rho_ci95 = {-0.1, 1.0 / 3},
                        .n = 5,
                        .configurations = 9,
                        .outside = 2,
                        .recall10 = 3,
                        .regret = {(double)INFINITY, 4, 2, 1},
                        .evals_to_5pct = 1.5,
                        .evals_to_1pct = (double)NAN,
                        .random_evals_to_5pct = 3,
                        .random_evals_to_1pct = 1e300},
    };
    struct kept kept = {.count = 0};
    assert_ok(ridge_store_calibration_put(store, &put, &error), &error);
    assert_ok(ridge_store_calibration_put(store, &put, &error), &error);
    assert_ok(ridge_store_calibration_each(store, "k", calibration_keep, &kept, &error), &error);
    assert_int_equal(kept.count, 1);
    assert_true(kept.without_judged);
    assert_memory_equal(&kept.identity, &put.identity, sizeof put.identity);
    assert_string_equal(kept.record, put.record);
    check_same(&kept.calibration, &put.calibration);
    /* Each part of what it holds for makes another one; they are of their kernel only. */
    put.identity.model_version = 8;
    put.record = "newer";
    assert_ok(ridge_store_calibration_put(store, &put, &error), &error);
    put.kernel = "other";
    assert_ok(ridge_store_calibration_put(store, &put, &error), &error);
    kept.count = 0;
    assert_ok(ridge_store_calibration_each(store, "k", calibration_keep, &kept, &error), &error);
    assert_int_equal(kept.count, 2);
    assert_string_equal(kept.record, "a \"file\".json");
    ridge_store_close(store);
    store = scratch_open(*state, RIDGE_STORE_READ);
    assert_int_equal(ridge_store_calibration_put(store, &put, &error), RIDGE_E_ARGUMENT);
    ridge_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_schema_steps),      scratch_test(test_older_schemas), scratch_test(test_older_file),
        scratch_test(test_very_many_samples), scratch_test(test_calibrations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
