/* SPDX-License-Identifier: MIT */
/** \file store: what is put comes back; reopened runs; several processes. Schemas, and what came with them: test_store_schema. Faults: test_store_faults. */
#include "rg_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ridge/stats.h"
#include "run_fixture.h"
#include "scratch.h"
#include "store/schema.h"
#include "store/store_internal.h"

static void test_round_trip(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(fixture_run(store, 24, &id, &error), &error);
    ridge_store_close(store);
    store = scratch_open(scratch, RIDGE_STORE_READ);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, 0, &run, &error), &error);
    ridge_store_close(store);
    const struct ridge_run_info info = fixture_info();
    assert_int_equal(run->id, id);
    assert_string_equal(run->info.device, info.device);
    assert_string_equal(run->info.platform, info.platform);
    assert_string_equal(run->info.kernel, info.kernel);
    assert_string_equal(run->info.host, info.host);
    assert_string_equal(run->info.order, info.order);
    assert_true(run->info.seed == UINT64_MAX);
    assert_int_equal(run->info.space_count, 24);
    assert_int_equal(run->state, RIDGE_RUN_COMPLETE);
    assert_string_equal(run->state_text, "every configuration was tried");
    assert_int_equal(strlen(run->started_at), 24);
    assert_close(run->seconds.total, 62.0, 1e-12, 0);
    assert_close(run->drift_ratio, 1.2, 1e-12, 0);
    assert_int_equal(run->note_count, 1);
    assert_int_equal(run->dimension_count, FIXTURE_DIMENSIONS);
    assert_string_equal(run->dimension_names[3], "scale");
    assert_int_equal(run->record_count, 24);
    for (unsigned i = 0; i < 24; i++) {
        const struct ridge_record *record = &run->records[i];
        struct ridge_value values[FIXTURE_DIMENSIONS];
        char name[RIDGE_ID_BYTES];
        const char *text = NULL;
        double samples_s[FIXTURE_SAMPLES];
        fixture_values(i, values, name);
        fixture_samples(i, i < 3, samples_s);
        assert_string_equal(record->id, name);
        assert_string_equal(record->values[0].as.text, values[0].as.text);
        assert_true(record->values[1].as.integer == values[1].as.integer);
        assert_int_equal(record->values[2].type, RIDGE_BOOL);
        assert_true(record->values[2].as.truth == values[2].as.truth);
        assert_int_equal(record->values[3].type, RIDGE_FLOAT);
        assert_true(record->values[3].as.number == values[3].as.number);
        assert_int_equal(record->outcome, fixture_outcome(i, &text));
        assert_true((record->text == NULL) == (text == NULL));
        assert_true(!text || strcmp(record->text, text) == 0);
        assert_int_equal(record->finalist, i < 3);
        assert_int_equal(record->converged, i % 2 == 0);
        assert_int_equal(record->rejected, i == 7 ? 2 : 0);
        assert_int_equal(record->sample_count, record->outcome == RIDGE_OUTCOME_OK ? FIXTURE_SAMPLES : 0);
        assert_memory_equal(record->samples_s, samples_s, record->sample_count * sizeof(double));
    }
    assert_true(run->ranked_count == 20 && run->tied_count >= 1 && run->outcomes[RIDGE_OUTCOME_COMPILE] == 1);
    ridge_run_destroy(run);
}

static void test_a_failure_text_is_kept_whole(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    const struct ridge_run_info info = fixture_info();
    int64_t id = 0;
    assert_ok(rg_store_run_begin(store, &info, fixture_names, 0, &id, &error), &error);
    const size_t length = (size_t)1 << 20;
    char *text = malloc(length + 1);
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)('a' + i % 26);
    }
    text[length] = '\0';
    const struct rg_result result = {.id = "c1-0000000000000001", .outcome = RIDGE_OUTCOME_COMPILE, .text = text};
    assert_ok(rg_store_result_put(store, id, &result, &error), &error);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    assert_string_equal(run->records[0].text, text);
    assert_int_equal(run->ranked_count, 0);
    assert_int_equal(run->tied_count, 0);
    free(text);
    ridge_run_destroy(run);
    ridge_store_close(store);
}

/** BP-032, BP-033: times of zero and below are kept, counted and never ranked; what is no number is only counted. */
static void test_samples_that_are_no_times(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    const struct ridge_run_info info = fixture_info();
    int64_t id = 0;
    assert_ok(rg_store_run_begin(store, &info, fixture_names, 0, &id, &error), &error);
    const double mixed[] = {-0.9, 0.02, 0.021, (double)NAN};
    const double zero[] = {0.0, 0.0};
    const struct rg_result first = {.id = "c1-0000000000000001", .samples_s = mixed, .sample_count = 4, .rejected = 1};
    const struct rg_result second = {.id = "c1-0000000000000002", .samples_s = zero, .sample_count = 2};
    assert_ok(rg_store_result_put(store, id, &first, &error), &error);
    assert_ok(rg_store_result_put(store, id, &second, &error), &error);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    assert_int_equal(run->ranked_count, 1);
    assert_int_equal(run->ranked[0], 0);
    assert_close(run->records[0].summary.median_s, 0.0205, 1e-12, 0);
    assert_int_equal(run->records[0].rejected, 3);
    assert_int_equal(run->records[1].rejected, 2);
    assert_true(isnan(run->spread_ratio));
    ridge_run_destroy(run);
    ridge_store_close(store);
}

static void test_puts_that_are_wrong(void **state)
{
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    const struct ridge_run_info info = fixture_info();
    int64_t id = 0;
    struct ridge_error error = {0};
    struct ridge_run *run = NULL;
    assert_int_equal(ridge_store_run_load(store, 0, &run, &error), RIDGE_E_NAME);
    assert_non_null(strstr(error.message, "no runs yet"));
    assert_ok(rg_store_run_begin(store, &info, fixture_names, 4, &id, NULL), &error);
    assert_ok(fixture_put(store, id, 0, NULL), &error);
    error = (struct ridge_error){0};
    assert_int_equal(fixture_put(store, id, 0, &error), RIDGE_E_ARGUMENT);
    error = (struct ridge_error){0};
    assert_int_equal(fixture_put(store, 7, 0, &error), RIDGE_E_NAME);
    assert_string_equal(error.message, "there is no run 7 (there are: 1)");
    const double sample = 1;
    assert_int_equal(rg_store_final_put(store, id, "c1-x", &sample, 1, NULL, NULL), RIDGE_E_NAME);
    assert_int_equal(rg_store_note_add(store, 9, "x", NULL), RIDGE_E_NAME);
    assert_int_equal(ridge_store_run_load(store, 9, &run, NULL), RIDGE_E_NAME);
    /* Nothing is left open: the next put works. */
    assert_ok(fixture_put(store, id, 1, &error), &error);
    ridge_store_close(store);
    store = scratch_open(*state, RIDGE_STORE_READ);
    assert_int_equal(fixture_put(store, id, 2, NULL), RIDGE_E_ARGUMENT);
    ridge_store_close(store);
}

static bool without_half(void *user, const struct ridge_value *values)
{
    (void)user;
    return strcmp(values[0].as.text, "half") != 0;
}

/** A run resumed with a smaller space keeps what fell out of it, but does not rank it (BP-046). */
static void test_reopened_run(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    int64_t id = 0;
    int64_t found = -1;
    assert_ok(rg_store_run_newest(store, "nothing", INT64_MAX, &found, &error), &error);
    assert_int_equal(found, 0);
    assert_ok(fixture_run(store, 12, &id, &error), &error);
    struct ridge_run_info info = fixture_info();
    assert_ok(rg_store_run_newest(store, info.kernel, INT64_MAX, &found, &error), &error);
    assert_int_equal(found, id);
    info.space_count = 16;
    info.driver = "4.0";
    assert_ok(rg_store_run_reopen(store, id, &info, without_half, NULL, &error), &error);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    assert_int_equal(run->state, RIDGE_RUN_OPEN);
    assert_string_equal(run->ended_at, "");
    assert_string_equal(run->info.driver, "4.0");
    uint64_t counted = 0;
    for (size_t i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        counted += run->outcomes[i];
    }
    assert_int_equal(counted, 8);
    for (size_t i = 0; i < run->record_count; i++) {
        assert_int_equal(run->records[i].in_space, i % 3 != 1);
    }
    for (size_t i = 0; i < run->ranked_count; i++) {
        assert_true(run->records[run->ranked[i]].in_space);
    }
    ridge_run_destroy(run);
    const struct ridge_run_seconds more = {1, 2, 3, 6};
    assert_ok(rg_store_run_end(store, id, RIDGE_RUN_STOPPED, NULL, &more, &error), &error);
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    assert_close(run->seconds.total, 68, 1e-12, 0);
    assert_close(run->seconds.own, 4.9, 1e-12, 0);
    assert_string_equal(run->state_text, "");
    ridge_run_destroy(run);
    ridge_store_close(store);
}

/** Check what counts of configuration 0: `final` says whether the samples of the final rounds do. */
static void check_stage(struct ridge_store *store, int64_t id, bool final)
{
    struct ridge_error error = {0};
    struct ridge_run *run = NULL;
    double samples_s[FIXTURE_SAMPLES];
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    assert_int_equal(run->records[0].finalist, final);
    fixture_samples(0, final, samples_s);
    assert_int_equal(run->records[0].sample_count, FIXTURE_SAMPLES);
    assert_memory_equal(run->records[0].samples_s, samples_s, sizeof samples_s);
    double sorted[FIXTURE_SAMPLES];
    struct ridge_summary first;
    fixture_samples(0, 0, samples_s);
    ridge_summarise(samples_s, FIXTURE_SAMPLES, sorted, &first);
    assert_memory_equal(&run->records[0].first, &first, sizeof first);
    ridge_run_destroy(run);
}

/** Samples of final rounds count once there are enough for an interval, and can be set aside again. */
static void test_final_rounds(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    const struct ridge_run_info info = fixture_info();
    int64_t id = 0;
    assert_ok(rg_store_run_begin(store, &info, fixture_names, FIXTURE_DIMENSIONS, &id, &error), &error);
    assert_ok(fixture_put(store, id, 0, &error), &error);
    struct ridge_value values[FIXTURE_DIMENSIONS];
    char name[RIDGE_ID_BYTES];
    double samples_s[FIXTURE_SAMPLES];
    fixture_values(0, values, name);
    fixture_samples(0, 1, samples_s);
    check_stage(store, id, false);
    for (uint64_t count = 1; count <= FIXTURE_SAMPLES; count++) {
        assert_ok(rg_store_final_put(store, id, name, samples_s, count, NULL, &error), &error);
        if (count < 6) {
            check_stage(store, id, false);
        }
    }
    check_stage(store, id, true);
    assert_ok(rg_store_finals_reset(store, id, &error), &error);
    check_stage(store, id, false);
    assert_ok(rg_store_finals_reset(store, id, &error), &error);
    assert_ok(rg_store_final_put(store, id, name, samples_s, FIXTURE_SAMPLES, NULL, &error), &error);
    check_stage(store, id, true);
    ridge_store_close(store);
}

struct seen {
    unsigned count;
    struct ridge_run_line last;
    double best_s;
};

static bool see(void *user, const struct ridge_run_line *line)
{
    struct seen *seen = user;
    seen->count++;
    seen->last = *line;
    seen->best_s = line->best_s;
    return seen->count < 2;
}

static void test_list_of_runs(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    struct seen seen = {0};
    int64_t id = 0;
    assert_ok(ridge_store_run_each(store, see, &seen, &error), &error);
    assert_int_equal(seen.count, 0);
    assert_ok(fixture_run(store, 0, &id, &error), &error);
    assert_ok(fixture_run(store, 24, &id, &error), &error);
    assert_ok(fixture_run(store, 24, &id, &error), &error);
    assert_ok(ridge_store_run_each(store, see, &seen, &error), &error);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.last.id, 2);
    assert_int_equal(seen.last.results, 24);
    assert_int_equal(seen.last.ok, 20);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, 2, &run, &error), &error);
    assert_true(seen.best_s == run->records[run->ranked[0]].summary.median_s);
    ridge_run_destroy(run);
    ridge_store_close(store);
}

/** The views are for people with sqlite3: they must agree with the ranking. */
static void test_views(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(fixture_run(store, 24, &id, &error), &error);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, 0, &run, &error), &error);
    const struct ridge_record *best = &run->records[run->ranked[0]];
    sqlite3_stmt *query = NULL;
    assert_int_equal(sqlite3_prepare_v2(store->database, "SELECT configuration_id, configuration, median_s FROM best",
                                        -1, &query, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_string_equal(sqlite3_column_text(query, 0), best->id);
    assert_non_null(strstr((const char *)sqlite3_column_text(query, 1), " fast="));
    assert_true(sqlite3_column_double(query, 2) == best->summary.median_s);
    assert_int_equal(sqlite3_step(query), SQLITE_DONE);
    sqlite3_finalize(query);
    ridge_run_destroy(run);
    ridge_store_close(store);
}

/** Write half of a space into a run, in a process of its own. */
static pid_t start_writer(const struct scratch *scratch, int64_t run, unsigned first, unsigned step, unsigned count,
                          int done)
{
    const pid_t child = fork();
    if (child != 0) {
        return child;
    }
    struct ridge_store *store = NULL;
    struct ridge_error error = {0};
    ridge_status status = ridge_store_open(scratch->context, scratch->path, RIDGE_STORE_WRITE, &store, &error);
    for (unsigned i = first; status == RIDGE_OK && i < count; i += step) {
        status = fixture_put(store, run, i, &error);
        if (status == RIDGE_OK && done >= 0 && write(done, "x", 1) != 1) {
            _exit(3);
        }
    }
    ridge_store_close(store);
    if (status != RIDGE_OK) {
        fprintf(stderr, "writer: %s\n", error.message);
    }
    _exit(status == RIDGE_OK ? 0 : 2);
}

/** BP-029: two processes at once on one file; also both may be the one that makes it. */
static void test_bp_029_two_writers(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    const struct ridge_run_info info = fixture_info();
    int64_t id = 0;
    assert_ok(rg_store_run_begin(store, &info, fixture_names, FIXTURE_DIMENSIONS, &id, &error), &error);
    ridge_store_close(store);
    pid_t children[2];
    for (unsigned i = 0; i < 2; i++) {
        children[i] = start_writer(scratch, id, i, 2, 200, -1);
    }
    for (unsigned i = 0; i < 2; i++) {
        int code = 0;
        assert_int_equal(waitpid(children[i], &code, 0), children[i]);
        assert_int_equal(code, 0);
    }
    store = scratch_open(scratch, RIDGE_STORE_READ);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    assert_int_equal(run->record_count, 200);
    ridge_run_destroy(run);
    ridge_store_close(store);
}

static void test_two_makers(void **state)
{
    struct scratch *scratch = *state;
    for (unsigned round = 0; round < 10; round++) {
        folder_clear(scratch->folder);
        pid_t children[3];
        for (unsigned i = 0; i < 3; i++) {
            children[i] = start_writer(scratch, 1, 0, 1, 0, -1);
        }
        for (unsigned i = 0; i < 3; i++) {
            int code = 0;
            assert_int_equal(waitpid(children[i], &code, 0), children[i]);
            assert_int_equal(code, 0);
        }
    }
}

/** A reader sees a consistent run while another process writes, and needs no right to write. */
static void test_reading_while_it_is_written(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_error error = {0};
    struct ridge_store *writer = scratch_open(scratch, RIDGE_STORE_WRITE);
    int64_t id = 0;
    assert_ok(fixture_run(writer, 5, &id, &error), &error);
    assert_ok(rg_store_begin(writer, "test", &error), &error);
    struct ridge_store *reader = scratch_open(scratch, RIDGE_STORE_READ);
    struct ridge_run *run = NULL;
    assert_ok(ridge_store_run_load(reader, 0, &run, &error), &error);
    assert_int_equal(run->record_count, 5);
    ridge_run_destroy(run);
    rg_store_rollback(writer);
    ridge_store_close(reader);
    ridge_store_close(writer);
}

/** Killed at any moment, the file opens and every result that was reported as put is there, whole. */
static void test_killed_writers(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_error error = {0};
    struct rg_rng rng;
    rg_rng_init(&rng, 20310102);
    for (unsigned round = 0; round < 12; round++) {
        struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
        const struct ridge_run_info info = fixture_info();
        int64_t id = 0;
        assert_ok(rg_store_run_begin(store, &info, fixture_names, FIXTURE_DIMENSIONS, &id, &error), &error);
        ridge_store_close(store);
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = start_writer(scratch, id, 0, 1, 100000, ends[1]);
        close(ends[1]);
        usleep((useconds_t)rg_rng_below(&rng, 60000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        char byte;
        size_t reported = 0;
        while (read(ends[0], &byte, 1) == 1) {
            reported++;
        }
        close(ends[0]);
        store = scratch_open(scratch, RIDGE_STORE_READ);
        struct ridge_run *run = NULL;
        assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
        assert_true(run->record_count == reported || run->record_count == reported + 1);
        for (size_t i = 0; i < run->record_count; i++) {
            const bool ok = run->records[i].outcome == RIDGE_OUTCOME_OK;
            assert_int_equal(run->records[i].sample_count, ok ? FIXTURE_SAMPLES : 0);
        }
        ridge_run_destroy(run);
        ridge_store_close(store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_round_trip),
        scratch_test(test_a_failure_text_is_kept_whole),
        scratch_test(test_samples_that_are_no_times),
        scratch_test(test_puts_that_are_wrong),
        scratch_test(test_reopened_run),
        scratch_test(test_final_rounds),
        scratch_test(test_list_of_runs),
        scratch_test(test_views),
        scratch_test(test_bp_029_two_writers),
        scratch_test(test_two_makers),
        scratch_test(test_reading_while_it_is_written),
        scratch_test(test_killed_writers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
