/* SPDX-License-Identifier: MIT */
/** \file Memory that runs out at the nth allocation: each call says so and leaves nothing behind. */
#include "rg_test.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "failing_allocator.h"
#include "ridge/apply.h"
#include "ridge/calibrate.h"
#include "ridge/footprint.h"
#include "ridge/policy.h"
#include "ridge/record.h"
#include "ridge/report.h"
#include "run_fixture.h"
#include "scratch.h"
#include "tune/session.h"

static bool swallow(void *user, const char *bytes, size_t length)
{
    (void)user;
    (void)bytes;
    (void)length;
    return true;
}

/** One call to try, from opening the file on. */
typedef ridge_status (*tried)(const struct ridge_context *context, const char *path, struct ridge_error *error);

/** Let the call fail at its first allocation, its second, ... until it succeeds. */
static void fail_everywhere(const struct scratch *scratch, tried call, size_t least)
{
    size_t fail_at = 0;
    struct failing_allocator allocator;
    do {
        allocator = (struct failing_allocator){.fail_at = ++fail_at};
        struct ridge_context *context = failing_context(&allocator);
        const size_t bytes = allocator.bytes;
        struct ridge_error error = {0};
        const ridge_status status = call(context, scratch->path, &error);
        assert_int_equal(status, allocator.failed ? RIDGE_E_MEMORY : RIDGE_OK);
        assert_true(!allocator.failed || strstr(error.message, "out of memory"));
        assert_int_equal(allocator.bytes, bytes);
        allocator.fail_at = 0;
        ridge_context_destroy(context);
        assert_int_equal(allocator.bytes, 0);
        assert_true(fail_at < 10000);
    } while (allocator.failed);
    assert_true(fail_at > least);
}

static ridge_status load(const struct ridge_context *context, const char *path, struct ridge_run **run,
                         struct ridge_error *error)
{
    struct ridge_store *store = NULL;
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_READ, &store, error);
    if (status == RIDGE_OK) {
        status = ridge_store_run_load(store, 0, run, error);
    }
    ridge_store_close(store);
    return status;
}

static ridge_status load_only(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    struct ridge_run *run = NULL;
    const ridge_status status = load(context, path, &run, error);
    ridge_run_destroy(run);
    return status;
}

static ridge_status report(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    struct ridge_run *run = NULL;
    const struct ridge_sink sink = {swallow, NULL};
    const struct ridge_report_options narrow = {.width = 40};
    const struct ridge_report_options failed = {.failed_only = true};
    ridge_status status = load(context, path, &run, error);
    if (status == RIDGE_OK) {
        status = ridge_report_json(run, RIDGE_REPORT_RESULTS, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_report_csv(run, 0, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_report_text(run, NULL, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_report_text(run, &narrow, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_report_text(run, &failed, sink, error);
    }
    ridge_run_destroy(run);
    return status;
}

static ridge_status list(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    struct ridge_store *store = NULL;
    const struct ridge_sink sink = {swallow, NULL};
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_READ, &store, error);
    if (status == RIDGE_OK) {
        status = ridge_report_runs_text(store, NULL, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_report_runs_json(store, sink, error);
    }
    ridge_store_close(store);
    return status;
}

static struct ridge_device_db *rank_devices;
static char rank_spec[] = "/tmp/ridge-alloc-XXXXXX";

static void write_rank_spec(void)
{
    const int file = mkstemp(rank_spec);
    assert_true(file >= 0);
    static const char text[] = "[kernel]\nname = 'k'\n[dims.block_x]\nvalues = [64, 128]\n[bench]\ngrid_x = 4096\n"
                               "[model.let]\nx = 'block_x * 2'\n[model.work]\nfma = 'x'\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
}

/** The order of a tuning by model with random picks: each configuration once. */
static ridge_status order(const struct ridge_context *context, const struct ridge_space *space,
                          const struct ridge_rank_options *options, struct ridge_error *error)
{
    struct rg_tuning *tuning = rg_alloc(context, sizeof *tuning);
    if (!tuning) {
        return rg_error_memory(error, sizeof *tuning);
    }
    tuning->context = context;
    tuning->space = space;
    tuning->options.order = RIDGE_ORDER_AUTO;
    tuning->options.rank = options;
    rg_arena_init(&tuning->arena, context);
    struct rg_order made;
    const ridge_status status = rg_order_init(&made, tuning, 2, error);
    if (status == RIDGE_OK) {
        assert_true(made.rows[0] + made.rows[1] == 1);
        assert_string_equal(made.text, "model auto for RTX A6000 (estimated), 1 of 4 at random");
    }
    rg_order_fini(&made, tuning);
    rg_arena_fini(&tuning->arena);
    rg_free(context, tuning, sizeof *tuning);
    return status;
}

/** Ranking a small space with evidence, comparing with the same run, and taking it as the order of a tuning. */
static ridge_status rank(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    static struct ridge_value values[2] = {{RIDGE_INT, .as.integer = 64}, {RIDGE_INT, .as.integer = 128}};
    static const struct ridge_record records[2] = {
        {.values = &values[0], .in_space = true, .summary = {.n = 1, .median_s = 1}},
        {.values = &values[1], .in_space = true, .summary = {.n = 1, .median_s = 2}}};
    static const char *const names[] = {"block_x"};
    const struct ridge_run run = {.info.device = "RTX A4000",
                                  .dimension_count = 1,
                                  .dimension_names = names,
                                  .record_count = 2,
                                  .records = records};
    const struct ridge_evidence evidence = {&run, NULL};
    struct ridge_device_match match;
    struct ridge_spec *spec = NULL;
    struct ridge_space *space = NULL;
    struct ridge_ranking *ranking = NULL;
    struct ridge_calibration found;
    (void)path;
    ridge_status status = ridge_device_find(rank_devices, "RTX A6000", &match, error);
    status = status == RIDGE_OK ? ridge_spec_load(context, rank_spec, NULL, 0, &spec, error) : status;
    status = status == RIDGE_OK ? ridge_space_create(context, spec, &space, error) : status;
    const struct ridge_rank_options options = {.model = RIDGE_MODEL_AUTO,
                                               .devices = rank_devices,
                                               .device = &match,
                                               .evidence = &evidence,
                                               .evidence_count = 1};
    status = status == RIDGE_OK ? ridge_rank(context, space, &options, &ranking, error) : status;
    status = status == RIDGE_OK ? ridge_calibrate(context, space, ranking, &run, 5, &found, NULL, error) : status;
    struct ridge_rank_identity identity;
    status = status == RIDGE_OK ? ridge_rank_identify(context, space, &options, &identity, error) : status;
    status = status == RIDGE_OK ? order(context, space, &options, error) : status;
    ridge_ranking_destroy(ranking);
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    return status;
}

static bool always(void *user, const struct ridge_value *values)
{
    (void)user;
    return values[1].as.integer > 0;
}

/** Writing: what failed is not there, so that the same call works the next time. */
static ridge_status put(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    struct ridge_store *store = NULL;
    int64_t run = 0;
    const struct ridge_run_info info = fixture_info();
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_WRITE, &store, error);
    if (status == RIDGE_OK) {
        status = fixture_run(store, 3, &run, error);
    }
    if (status == RIDGE_OK) {
        status = rg_store_run_reopen(store, run, &info, always, NULL, error);
    }
    ridge_store_close(store);
    return status;
}

static void make_fixture(const struct scratch *scratch)
{
    struct ridge_error error = {0};
    int64_t id = 0;
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    assert_ok(fixture_run(store, 24, &id, &error), &error);
    ridge_store_close(store);
}

static void test_loading(void **state)
{
    make_fixture(*state);
    fail_everywhere(*state, load_only, 8);
}

static void test_reports(void **state)
{
    make_fixture(*state);
    fail_everywhere(*state, report, 30);
}

static void test_listing(void **state)
{
    make_fixture(*state);
    fail_everywhere(*state, list, 4);
}

static void test_putting(void **state)
{
    fail_everywhere(*state, put, 5);
}

/** The winner of a run as code, and as JSON. */
static ridge_status apply(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    struct ridge_run *run = NULL;
    const struct ridge_sink sink = {swallow, NULL};
    const struct ridge_header_about about = {"name", "command", NULL};
    ridge_status status = load(context, path, &run, error);
    status = status == RIDGE_OK ? ridge_apply_header(context, run, RIDGE_HEADER_C, &about, sink, error) : status;
    status = status == RIDGE_OK ? ridge_apply_header(context, run, RIDGE_HEADER_CUDA, &about, sink, error) : status;
    status = status == RIDGE_OK ? ridge_apply_json(run, &about, sink, error) : status;
    ridge_run_destroy(run);
    return status;
}

static void test_apply(void **state)
{
    make_fixture(*state);
    fail_everywhere(*state, apply, 12);
}

static char points_path[160];

/** Fit a footprint calibration, write it, and load those that are compiled in. */
static ridge_status footprint(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    static const struct ridge_footprint_fit_options options = {.device = "d", .hold_out = "b"};
    struct ridge_footprint_fit *fit = NULL;
    struct ridge_footprint_db *db = NULL;
    const struct ridge_sink sink = {swallow, NULL};
    (void)path;
    ridge_status status = ridge_footprint_fit_create(context, points_path, &options, &fit, error);
    if (status == RIDGE_OK) {
        status = ridge_footprint_write(context, ridge_footprint_fit_get(fit), sink, error);
    }
    status = status == RIDGE_OK ? ridge_footprint_db_create(context, NULL, &db, error) : status;
    ridge_footprint_db_destroy(db);
    ridge_footprint_fit_destroy(fit);
    return status;
}

static void test_footprints(void **state)
{
    const struct scratch *scratch = *state;
    snprintf(points_path, sizeof points_path, "%s/points.csv", scratch->folder);
    write_text(points_path, "label,bytes,throughput\na,1024,1\na,2048,0.9\nb,1024,1\nb,2048,0.9\n");
    fail_everywhere(scratch, footprint, 6);
}

/** Find a policy, write it as a header, and write a transform to be tuned into the folder of `path`. */
static ridge_status policy(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    static const struct ridge_transform_request request = {
        .capability = "9.0", .input_count = 1, .input_bytes = {4}, .output_bytes = 4};
    static const struct ridge_transform_kernel kernel = {.input_count = 1, .inputs = {"f32"}, .output = "f32"};
    const struct ridge_sink sink = {swallow, NULL};
    const struct ridge_header_about about = {"name", "command", NULL};
    struct ridge_policy_table *table = NULL;
    struct ridge_transform_policy found;
    char folder[160];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    ridge_status status = ridge_policy_table_create(context, NULL, &table, error);
    if (status == RIDGE_OK) {
        status = ridge_transform_policy_find(table, rank_devices, &request, &found, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_transform_policy_write(context, &found, RIDGE_HEADER_C, &about, sink, error);
    }
    status = status == RIDGE_OK ? ridge_transform_kernel_write(context, &kernel, folder, error) : status;
    ridge_policy_table_destroy(table);
    return status;
}

static void test_policies(void **state)
{
    struct ridge_context *context = test_context();
    assert_int_equal(ridge_device_db_create(context, NULL, &rank_devices, NULL), RIDGE_OK);
    fail_everywhere(*state, policy, 6);
    ridge_device_db_destroy(rank_devices);
    ridge_context_destroy(context);
}

static char records_path[160];

/** Read a file of records, write it in each form, and put it into a store. */
static ridge_status import(const struct ridge_context *context, const char *path, struct ridge_error *error)
{
    struct ridge_run *run = NULL;
    struct ridge_store *store = NULL;
    const struct ridge_sink sink = {swallow, NULL};
    int64_t id = 0;
    bool added = false;
    ridge_status status = ridge_record_read(context, records_path, NULL, &run, error);
    if (status == RIDGE_OK) {
        status = ridge_record_write(run, RIDGE_RECORD_CACHE, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_record_write(run, RIDGE_RECORD_T4, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_report_csv(run, RIDGE_REPORT_SAMPLES, sink, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_store_open(context, path, RIDGE_STORE_WRITE, &store, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_store_import(store, run, &id, &added, error);
    }
    ridge_store_close(store);
    ridge_run_destroy(run);
    return status;
}

static const char *const record_texts[] = {
    "{\"device_name\": \"d\", \"kernel_name\": \"k\", \"tune_params_keys\": [\"a\", \"b\"], \"cache\": {\n"
    "\"x,1\": {\"a\": \"x\", \"b\": 1, \"time\": NaN, \"times\": [1, 2, 3]},\n"
    "\"y,1\": {\"a\": \"y\", \"b\": 1, \"time\": \"InvalidConfig\"},\n\"z",
    "{\"metadata\": {\"timeunit\": \"milisec\"}, \"results\": [{\"configuration\": {\"a\": \"x\"}, \"times\": {\"runtimes\": "
    "[1.5]}, \"invalidity\": \"correct\"}, {\"configuration\": {\"a\": \"y\"}, \"times\": {}, \"invalidity\": \"timeout\"}]}",
    "{\"Metadata\": {\"TimeUnit\": \"us\"}, \"Results\": [{\"Status\": \"Ok\", \"TotalDuration\": 7, \"Configuration\": "
    "[{\"Name\": \"a\", \"Value\": \"x\"}]}]}",
    "id,a,outcome,median_s,text\nx,\"p,q\",ok,1,\nx,r,wrong,,no\n",
};

static void test_records(void **state)
{
    const struct scratch *scratch = *state;
    snprintf(records_path, sizeof records_path, "%s/records", scratch->folder);
    for (size_t i = 0; i < sizeof record_texts / sizeof record_texts[0]; i++) {
        write_text(records_path, record_texts[i]);
        fail_everywhere(scratch, import, 10);
    }
}

static void test_ranking(void **state)
{
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    assert_ok(ridge_device_db_create(context, NULL, &rank_devices, &error), &error);
    write_rank_spec();
    fail_everywhere(*state, rank, 20);
    remove(rank_spec);
    ridge_device_db_destroy(rank_devices);
    ridge_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_loading), scratch_test(test_reports),    scratch_test(test_listing),
        scratch_test(test_putting), scratch_test(test_records),    scratch_test(test_ranking),
        scratch_test(test_apply),   scratch_test(test_footprints), scratch_test(test_policies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
