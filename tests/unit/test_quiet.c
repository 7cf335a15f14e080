/* SPDX-License-Identifier: MIT */
/** \file tune: what the clock at each sample and the load of the machine come to, and what is kept of samples. */
#include "rg_test.h"

#include "base/clock.h"
#include "curve/machine_watch.h"
#include "ridge/report.h"
#include "run_fixture.h"
#include "scratch.h"
#include "store/store_internal.h"
#include "tune/quiet.h"

enum {
    FOUR = 4
};

/* BP-101: clocks and times of four samples; the last two were throttled. */
static const double clocks_hz[FOUR] = {1980e6, 1980e6, 1395e6, 1390e6};
static const double samples_s[FOUR] = {1.00, 1.01, 1.42, 1.43};

static void bp_101_throttled_samples_are_found(void **state)
{
    (void)state;
    struct rg_quiet quiet = {0};
    char text[RG_QUIET_TEXT];
    bool low[FOUR];
    double kept[FOUR];
    assert_false(rg_quiet_clock_text(&quiet, text));
    rg_quiet_clocks(&quiet, clocks_hz, FOUR, low);
    assert_true(!low[0] && !low[1] && low[2] && low[3]);
    assert_true(rg_quiet_clock_text(&quiet, text));
    assert_non_null(strstr(text, "2 of 4 samples were taken at a clock more than 10 % below the usual"));
    memcpy(kept, samples_s, sizeof kept);
    assert_int_equal(rg_samples_keep(kept, low, FOUR), 2);
    assert_true(kept[0] == 1.00 && kept[1] == 1.01);
}

/** What is throttled as a whole is measured against what others had; then all of it stays. */
static void a_whole_configuration_may_be_throttled(void **state)
{
    (void)state;
    static const double usual[FOUR] = {2e9, 2e9, 1.95e9, 2e9};
    static const double slow[FOUR] = {1.5e9, 1.5e9, 1.5e9, 2e9};
    static const double unknown[FOUR] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    struct rg_quiet quiet = {0};
    bool low[FOUR];
    double kept[FOUR];
    for (int i = 0; i < 100; i++) {
        rg_quiet_clocks(&quiet, usual, FOUR, low);
        assert_true(!low[0] && !low[1] && !low[2] && !low[3]);
    }
    rg_quiet_clocks(&quiet, slow, FOUR, low);
    assert_true(low[0] && low[1] && low[2] && !low[3]);
    memcpy(kept, samples_s, sizeof kept);
    assert_int_equal(rg_samples_keep(kept, low, FOUR), FOUR);
    assert_memory_equal(kept, samples_s, sizeof kept);
    rg_quiet_clocks(&quiet, unknown, FOUR, low);
    assert_true(!low[0] && !low[3]);
    assert_int_equal(rg_samples_keep(kept, NULL, FOUR), FOUR);
    assert_int_equal(rg_samples_keep(kept, low, 0), 0);
}

/** Other programs count from a tenth of the machine on. */
static void bp_107_other_programs_are_told_of(void **state)
{
    (void)state;
    struct rg_quiet quiet = {0};
    char text[RG_QUIET_TEXT];
    assert_false(rg_quiet_load_text(&quiet, 2, text));
    rg_quiet_load(&quiet, 1, 0.19);
    assert_false(rg_quiet_load_text(&quiet, 2, text));
    rg_quiet_load(&quiet, 1, 0.81);
    assert_true(rg_quiet_load_text(&quiet, 2, text));
    assert_non_null(strstr(text, "other programs had 25 % of its processors"));
    quiet = (struct rg_quiet){.watched_s = 0.01, .others_s = 0.02};
    assert_false(rg_quiet_load_text(&quiet, 2, text)); /* too short to tell */
}

/** The database keeps every sample with its clock, and the run counts those that were not throttled. */
static void bp_101_the_evidence_keeps_all_of_them(void **state)
{
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    struct ridge_error error = {0};
    struct rg_quiet quiet = {0};
    struct ridge_run *run = NULL;
    bool low[FOUR];
    int64_t id = 0;
    assert_ok(fixture_run(store, 1, &id, &error), &error);
    rg_quiet_clocks(&quiet, clocks_hz, FOUR, low);
    struct ridge_value values[FIXTURE_DIMENSIONS];
    char unused[RIDGE_ID_BYTES];
    fixture_values(7, values, unused);
    const struct rg_result result = {.id = "c1-throttled",
                                     .values = values,
                                     .samples_s = samples_s,
                                     .sample_count = FOUR,
                                     .clocks = {clocks_hz, low}};
    assert_ok(rg_store_result_put(store, id, &result, &error), &error);
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    const struct ridge_record *record = &run->records[run->record_count - 1];
    assert_string_equal(record->id, "c1-throttled");
    assert_close(record->summary.median_s, 1.005, 1e-12, 0);
    assert_true(record->sample_count == 2 && record->throttled == 2);
    ridge_run_destroy(run);
    assert_int_equal(sqlite3_exec(store->database, "DELETE FROM sample WHERE clock_hz > 1.5e9", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    record = &run->records[run->record_count - 1];
    assert_true(record->sample_count == 2 && record->throttled == 2); /* nothing else is left: they count */
    ridge_run_destroy(run);
    ridge_store_close(store);
}

/** What this process does is its own work, not that of others; the clock is that of a processor. */
static void the_machine_can_be_watched(void **state)
{
    (void)state;
    const double begin_s = rg_clock_s();
    const double machine_s = rg_machine_busy_s("");
    const struct rg_account before = rg_account_process();
    volatile double sum = 0;
    while (rg_clock_s() - begin_s < 0.3) {
        sum = sum + 1;
    }
    const struct rg_account after = rg_account_process();
    assert_true(after.busy_s - before.busy_s > 0.02);
    assert_true(machine_s == 0 || rg_machine_busy_s("") - machine_s > 0.5 * (after.busy_s - before.busy_s) - 0.02);
    const double clock_hz = rg_clock_hz_now(RG_CLOCK_STEPS_QUICK);
    assert_true(isnan(clock_hz) || (clock_hz > 1e7 && clock_hz < 1e10));
    assert_true(rg_clock_step_s() > 0 && rg_clock_step_s() < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bp_101_throttled_samples_are_found), cmocka_unit_test(a_whole_configuration_may_be_throttled),
        cmocka_unit_test(bp_107_other_programs_are_told_of),  scratch_test(bp_101_the_evidence_keeps_all_of_them),
        cmocka_unit_test(the_machine_can_be_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
