/* SPDX-License-Identifier: MIT */
/** \file space/run: the ranking of a run, its tied set, its spread, and words. */
#include "rg_test.h"

#include <stdio.h>

#include "ridge/stats.h"
#include "space/run.h"

/** What a test says of a record: seven samples around the median, `spread` apart. */
struct row {
    double median_s;
    double spread_s; /* 0: a single sample, so that its interval is unknown */
    ridge_outcome outcome;
    bool outside;
    bool finalist;
    double first_s; /* a finalist's median in the first pass */
};

#define MEASURED(median, spread)                   \
    {                                              \
        .median_s = (median), .spread_s = (spread) \
    }

/** Make and rank a run. Ids are in the order of the rows, c1-0...0, c1-0...1. */
static struct ridge_run *drifted_run(struct ridge_context *context, const struct row *rows, size_t count,
                                     double drift_ratio)
{
    struct rg_run *run = NULL;
    struct ridge_error error = {0};
    assert_ok(rg_run_create(context, &run, &error), &error);
    assert_ok(rg_run_reserve(run, count, &error), &error);
    for (size_t i = 0; i < count; i++) {
        struct ridge_record *record = &run->records[i];
        double samples_s[7];
        for (int at = 0; at < 7; at++) {
            samples_s[at] = rows[i].median_s + (at - 3) * rows[i].spread_s / 6;
        }
        snprintf(record->id, sizeof record->id, "c1-%016u", (unsigned)i);
        record->outcome = rows[i].outcome;
        record->in_space = !rows[i].outside;
        record->finalist = rows[i].finalist;
        record->first = (struct ridge_summary){.n = 7,
                                               .median_s = rows[i].first_s,
                                               .ci95_low_s = rows[i].first_s * 0.995,
                                               .ci95_high_s = rows[i].first_s * 1.005};
        const uint64_t n = rows[i].outcome == RIDGE_OUTCOME_OK ? (rows[i].spread_s > 0 ? 7 : 1) : 0;
        assert_ok(rg_record_samples_set(run, record, samples_s + (n == 1 ? 3 : 0), n, &error), &error);
    }
    run->shown.drift_ratio = drift_ratio;
    assert_ok(rg_run_rank(run, &error), &error);
    return &run->shown;
}

static struct ridge_run *ranked_run(struct ridge_context *context, const struct row *rows, size_t count)
{
    return drifted_run(context, rows, count, (double)NAN);
}

static void check_order(const struct ridge_run *run, const size_t *order, size_t count, size_t tied)
{
    assert_int_equal(run->ranked_count, count);
    assert_int_equal(run->tied_count, tied);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(run->ranked[i], order[i]);
    }
}

static void test_order_is_by_median_then_id(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct row rows[] = {MEASURED(3, 0.1), MEASURED(1, 0.1), MEASURED(2, 0.1), MEASURED(5, 0.1),
                               MEASURED(3, 0.1)};
    struct ridge_run *run = ranked_run(context, rows, 5);
    const size_t order[] = {1, 2, 0, 4, 3};
    check_order(run, order, 5, 1);
    assert_close(run->spread_ratio, 5, 1e-12, 0);
    assert_int_equal(run->outcomes[RIDGE_OUTCOME_OK], 5);
    ridge_run_destroy(run);
    ridge_context_destroy(context);
}

/** A slower one with a wide interval is tied, one between them with a narrow interval is not: the tied come first. */
static void test_tied_set(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct row rows[] = {MEASURED(1.00, 0.02), MEASURED(1.05, 0.02), MEASURED(1.10, 0.30), MEASURED(1.01, 0.02),
                               MEASURED(9, 0)};
    struct ridge_run *run = ranked_run(context, rows, 5);
    const size_t order[] = {0, 3, 2, 4, 1};
    check_order(run, order, 5, 4);
    assert_true(ridge_distinguishable(&run->records[0].summary, &run->records[1].summary));
    assert_close(run->spread_ratio, 9, 1e-12, 0);
    ridge_run_destroy(run);
    ridge_context_destroy(context);
}

static void test_what_does_not_rank(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct row rows[] = {{1, 0.1, RIDGE_OUTCOME_WRONG, false, false, 0},
                               {2, 0.1, RIDGE_OUTCOME_OK, true, false, 0},
                               {0, 0, RIDGE_OUTCOME_OK, false, false, 0},
                               {3, 0.1, RIDGE_OUTCOME_OK, false, false, 0},
                               {0, 0, RIDGE_OUTCOME_COMPILE, true, false, 0}};
    struct ridge_run *run = ranked_run(context, rows, 5);
    const size_t order[] = {3};
    check_order(run, order, 1, 1);
    assert_int_equal(run->records[2].rejected, 1);
    assert_int_equal(run->outcomes[RIDGE_OUTCOME_OK], 2);
    assert_int_equal(run->outcomes[RIDGE_OUTCOME_WRONG], 1);
    assert_int_equal(run->outcomes[RIDGE_OUTCOME_COMPILE], 0);
    assert_true(isnan(run->spread_ratio));
    ridge_run_destroy(run);
    run = ranked_run(context, NULL, 0);
    check_order(run, NULL, 0, 0);
    ridge_run_destroy(run);
    ridge_run_destroy(NULL);
    ridge_context_destroy(context);
}

/** The final rounds decide: a lucky first measurement does not beat a finalist, even when nothing else is slower. */
static void test_finalists(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    /* Times of the finals are compared with each other, times of the first pass with each other, widened by drift. */
    const struct row rows[] = {{1.0, 0.01, RIDGE_OUTCOME_OK, false, false, 0},
                               {1.2, 0.01, RIDGE_OUTCOME_OK, false, true, 0.95},
                               {1.1, 0.01, RIDGE_OUTCOME_OK, false, true, 0.9},
                               {1.1, 0.30, RIDGE_OUTCOME_OK, false, false, 0},
                               {0.5, 0.01, RIDGE_OUTCOME_OK, true, true, 0.5}};
    struct ridge_run *run = ranked_run(context, rows, 5);
    const size_t order[] = {2, 1, 0, 3};
    check_order(run, order, 4, 1);
    ridge_run_destroy(run);
    run = drifted_run(context, rows, 5, 1.2);
    const size_t drifted[] = {2, 0, 3, 1};
    check_order(run, drifted, 4, 3);
    ridge_run_destroy(run);
    ridge_context_destroy(context);
}

/** The order of the records does not matter. */
static void test_ranking_ignores_the_order_of_records(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct row rows[] = {MEASURED(2, 0.1), MEASURED(1, 0.1),    MEASURED(1, 0.1),
                               MEASURED(4, 2.5), MEASURED(1.05, 0.2), MEASURED(3, 0)};
    struct row turned[6];
    struct ridge_run *first = ranked_run(context, rows, 6);
    for (size_t shift = 1; shift < 6; shift++) {
        for (size_t i = 0; i < 6; i++) {
            turned[i] = rows[(i + shift) % 6];
        }
        struct ridge_run *second = ranked_run(context, turned, 6);
        assert_int_equal(first->tied_count, second->tied_count);
        for (size_t i = 0; i < 6; i++) {
            assert_true(first->records[first->ranked[i]].summary.median_s ==
                        second->records[second->ranked[i]].summary.median_s);
        }
        ridge_run_destroy(second);
    }
    ridge_run_destroy(first);
    ridge_context_destroy(context);
}

static void test_words(void **state)
{
    (void)state;
    for (int i = 0; i < RIDGE_OUTCOME_COUNT; i++) {
        assert_int_equal(rg_outcome_find(ridge_outcome_word((ridge_outcome)i)), i);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rg_kind_find(ridge_kind_word((ridge_kind)i)), i);
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(rg_run_state_find(ridge_run_state_word((ridge_run_state)i)), i);
    }
    assert_string_equal(ridge_outcome_word((ridge_outcome)99), "?");
    assert_string_equal(ridge_kind_word((ridge_kind)99), "?");
    assert_string_equal(ridge_run_state_word((ridge_run_state)99), "?");
    assert_int_equal(rg_outcome_find("fine"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_by_median_then_id),
        cmocka_unit_test(test_tied_set),
        cmocka_unit_test(test_what_does_not_rank),
        cmocka_unit_test(test_finalists),
        cmocka_unit_test(test_ranking_ignores_the_order_of_records),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
