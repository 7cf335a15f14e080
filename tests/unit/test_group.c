/* SPDX-License-Identifier: MIT */
/** \file Scores over several workloads, against sums written out here, and groups of runs in a store. */
#include "rg_test.h"

#include "base/rng.h"
#include "ridge/group.h"
#include "run_fixture.h"
#include "scratch.h"

enum {
    CONFIGURATIONS = 12,
    WORKLOADS = 3
};

/** Runs of one dimension whose records have a median and an interval around it. */
struct runs {
    struct ridge_record records[WORKLOADS][CONFIGURATIONS];
    struct ridge_run runs[WORKLOADS];
    const struct ridge_run *pointers[WORKLOADS];
    struct ridge_value values[CONFIGURATIONS];
};

static const char *const dimension_names[] = {"tile"};
static const char *const names[WORKLOADS] = {"small", "middle", "large"};

static struct ridge_summary summary(double median_s, double half)
{
    return (struct ridge_summary){
        .n = 9, .median_s = median_s, .ci95_low_s = median_s * (1 - half), .ci95_high_s = median_s * (1 + half)};
}

static void record_fill(struct runs *runs, size_t workload, size_t at, double median_s, double half)
{
    struct ridge_record *record = &runs->records[workload][at];
    *record = (struct ridge_record){.values = &runs->values[at], .in_space = true, .kind = RIDGE_MEASURED};
    record->first = summary(median_s, half);
    record->summary = record->first;
    snprintf(record->id, sizeof record->id, "c1-%016zu", at);
}

/** Medians from `times_s`, by workload and configuration. */
static void runs_fill(struct runs *runs, const double *times_s, size_t count, double half)
{
    memset(runs, 0, sizeof *runs);
    for (size_t workload = 0; workload < WORKLOADS; workload++) {
        for (size_t i = 0; i < count; i++) {
            runs->values[i] = (struct ridge_value){RIDGE_INT, {.integer = (int64_t)i}};
            record_fill(runs, workload, i, times_s[workload * count + i], half);
        }
        runs->runs[workload] = (struct ridge_run){.id = (int64_t)workload + 1,
                                                  .drift_ratio = (double)NAN,
                                                  .dimension_count = 1,
                                                  .dimension_names = dimension_names,
                                                  .record_count = count,
                                                  .records = runs->records[workload]};
        runs->pointers[workload] = &runs->runs[workload];
    }
}

static struct ridge_group *group_of(const struct ridge_context *context, const struct runs *runs, const double *weights,
                                    const char *base)
{
    const struct ridge_group_request request = {1, WORKLOADS, WORKLOADS, runs->pointers, names, weights, base};
    struct ridge_group *group = NULL;
    struct ridge_error error = {0};
    assert_ok(ridge_group_create(context, &request, &group, &error), &error);
    return group;
}

static void test_ratio_by_hand(void **state)
{
    (void)state;
    const struct ridge_summary over = {.median_s = 6, .ci95_low_s = 5, .ci95_high_s = 8};
    const struct ridge_summary under = {.median_s = 3, .ci95_low_s = 2, .ci95_high_s = 4};
    const struct ridge_ratio ratio = ridge_ratio_of(&over, &under);
    assert_close(ratio.value, 2, 1e-15, 0);
    assert_close(ratio.low, 1.25, 1e-15, 0);
    assert_close(ratio.high, 4, 1e-15, 0);
    /* 2 and 8 alike: 4. Twice the weight on 8: (2 * 8 * 8)^(1/3) = 128^(1/3). */
    const struct ridge_ratio pair[] = {{2, 1, 4}, {8, 4, 16}};
    const double weights[] = {1, 2};
    assert_close(ridge_ratio_mean(pair, NULL, 2).value, 4, 1e-15, 0);
    assert_close(ridge_ratio_mean(pair, NULL, 2).low, 2, 1e-15, 0);
    assert_close(ridge_ratio_mean(pair, NULL, 2).high, 8, 1e-15, 0);
    assert_close(ridge_ratio_mean(pair, weights, 2).value, cbrt(128), 1e-15, 0);
    assert_close(ridge_ratio_mean(pair, weights, 1).value, 2, 1e-15, 0);
    static const double largest[] = {1.7e308, 1.7e308};
    assert_close(ridge_ratio_mean(pair, largest, 2).value, 4, 1e-15, 0);
    const struct ridge_ratio unknown[] = {{2, (double)NAN, (double)NAN}, {8, 4, 16}};
    assert_close(ridge_ratio_mean(unknown, NULL, 2).value, 4, 1e-15, 0);
    assert_true(isnan(ridge_ratio_mean(unknown, NULL, 2).low));
}

/** Two configurations, each the fastest somewhere: the weights decide which one is best overall. */
static void test_weights_decide(void **state)
{
    (void)state;
    static const double times_s[] = {1, 2, /* small */ 1, 1, /* middle */ 4, 1 /* large */};
    const double alike[] = {1, 1, 1};
    const double small[] = {10, 1, 1};
    struct runs runs;
    struct ridge_context *context = test_context();
    runs_fill(&runs, times_s, 2, 0.001);
    struct ridge_group *group = group_of(context, &runs, alike, NULL);
    assert_string_equal(ridge_group_winner(group)->id, "c1-0000000000000001");
    assert_close(group->entries[0].score.value, cbrt(0.5), 1e-14, 0);
    assert_close(group->entries[1].score.value, cbrt(0.25), 1e-14, 0);
    assert_int_equal(group->tied_count, 1);
    assert_true(isnan(group->entries[0].over_base.value));
    ridge_group_destroy(group);
    group = group_of(context, &runs, small, "c1-0000000000000001");
    assert_string_equal(ridge_group_winner(group)->id, "c1-0000000000000000");
    assert_close(group->entries[0].score.value, pow(0.25, 1.0 / 12), 1e-14, 0);
    assert_close(group->entries[0].over_base.value, pow(1024.0 / 4, 1.0 / 12), 1e-14, 0);
    assert_close(group->entries[1].over_base.low, 1, 0, 0);
    ridge_group_destroy(group);
    ridge_context_destroy(context);
}

/** The lowest time of a workload. */
static double fastest_of(const double *times_s, size_t workload)
{
    double fastest_s = times_s[workload * CONFIGURATIONS];
    for (size_t i = 1; i < CONFIGURATIONS; i++) {
        fastest_s = fmin(fastest_s, times_s[workload * CONFIGURATIONS + i]);
    }
    return fastest_s;
}

/** Check one place of the ranking: its score as a product of powers, and whether it is tied with the best. */
static void check_entry(const struct ridge_group *group, size_t place, const double *times_s, const double *weights,
                        double total)
{
    const struct ridge_group_entry *entry = &group->entries[place];
    const size_t at = (size_t)entry->values[0].as.integer;
    double product = 1;
    double least = 1; /* of its time over that of the best */
    for (size_t k = 0; k < WORKLOADS; k++) {
        const struct ridge_record *best = group->entries[0].records[k];
        product *= pow(fastest_of(times_s, k) / times_s[k * CONFIGURATIONS + at], weights[k] / total);
        least *= pow(entry->records[k]->first.ci95_low_s / best->first.ci95_high_s, weights[k] / total);
    }
    assert_close(entry->score.value, product, 1e-12, 0);
    assert_true(product <= group->entries[0].score.value * (1 + 1e-12));
    assert_int_equal(entry->tied, place == 0 || !(least > 1));
}

static void test_against_brute_force(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_rng rng;
    rg_rng_init(&rng, 7);
    for (unsigned round = 0; round < 200; round++) {
        double times_s[(size_t)WORKLOADS * CONFIGURATIONS];
        double weights[WORKLOADS];
        double total = 0;
        struct runs runs;
        for (size_t i = 0; i < sizeof times_s / sizeof times_s[0]; i++) {
            times_s[i] = 1e-3 * (1 + 3 * rg_rng_unit(&rng));
        }
        for (size_t i = 0; i < WORKLOADS; i++) {
            weights[i] = 0.1 + rg_rng_unit(&rng);
            total += weights[i];
        }
        runs_fill(&runs, times_s, CONFIGURATIONS, 0.05 * rg_rng_unit(&rng));
        struct ridge_group *group = group_of(context, &runs, weights, NULL);
        assert_int_equal(group->entry_count, CONFIGURATIONS);
        assert_int_equal(group->ranked_count, CONFIGURATIONS);
        size_t tied = 0;
        for (size_t i = 0; i < CONFIGURATIONS; i++) {
            check_entry(group, i, times_s, weights, total);
            tied += group->entries[i].tied;
        }
        assert_int_equal(group->tied_count, tied);
        ridge_group_destroy(group);
    }
    ridge_context_destroy(context);
}

/** What is missing, or failed, in one workload has no score, and says so; it does not slow the others down. */
static void test_incomplete(void **state)
{
    (void)state;
    static const double times_s[] = {1, 2, 3, /**/ 1, 2, 3, /**/ 1, 2, 3};
    const double weights[] = {1, 1, 1};
    struct runs runs;
    struct ridge_context *context = test_context();
    runs_fill(&runs, times_s, 3, 0.001);
    runs.records[1][0].outcome = RIDGE_OUTCOME_UNLAUNCHABLE;
    runs.records[1][0].first.n = 0;
    runs.runs[2].record_count = 2; /* the third was not tried with the last workload */
    struct ridge_group *group = group_of(context, &runs, weights, "c1-0000000000000000");
    assert_int_equal(group->entry_count, 3);
    assert_int_equal(group->ranked_count, 1);
    assert_string_equal(ridge_group_winner(group)->id, "c1-0000000000000001");
    /* Fastest are 1, 2 and 1: what is fastest somewhere counts there, with a score or without one. */
    assert_close(group->entries[0].score.value, cbrt(0.25), 1e-14, 0);
    assert_true(isnan(group->entries[0].over_base.value));
    assert_true(isnan(group->entries[1].score.value));
    assert_int_equal(group->entries[1].records[1]->outcome, RIDGE_OUTCOME_UNLAUNCHABLE);
    assert_null(group->entries[2].records[2]);
    ridge_group_destroy(group);
    /* Fewer runs than the spec has workloads: nothing is complete. */
    const struct ridge_group_request request = {1, WORKLOADS + 1, WORKLOADS, runs.pointers, names, weights, NULL};
    struct ridge_error error = {0};
    assert_ok(ridge_group_create(context, &request, &group, &error), &error);
    assert_int_equal(group->ranked_count, 0);
    assert_null(ridge_group_winner(group));
    ridge_group_destroy(group);
    ridge_context_destroy(context);
}

/** Drift makes ties of what the first pass tells apart; final rounds tell apart again. */
static void test_drift_and_finals(void **state)
{
    (void)state;
    static const double times_s[] = {1.00, 1.05, /**/ 1.00, 1.05, /**/ 1.00, 1.05};
    const double weights[] = {1, 1, 1};
    struct runs runs;
    struct ridge_context *context = test_context();
    runs_fill(&runs, times_s, 2, 0.001);
    struct ridge_group *group = group_of(context, &runs, weights, NULL);
    assert_int_equal(group->tied_count, 1);
    ridge_group_destroy(group);
    for (size_t k = 0; k < WORKLOADS; k++) {
        runs.runs[k].drift_ratio = 1.1;
    }
    group = group_of(context, &runs, weights, NULL);
    assert_int_equal(group->tied_count, 2);
    ridge_group_destroy(group);
    /* In the final rounds it is the other one that is faster: then that is best, whatever the first pass said. */
    for (size_t k = 0; k < WORKLOADS; k++) {
        for (size_t i = 0; i < 2; i++) {
            runs.records[k][i].finalist = true;
            runs.records[k][i].summary = summary(i == 0 ? 1.05 : 1.04, 0.001);
        }
    }
    group = group_of(context, &runs, weights, NULL);
    assert_string_equal(ridge_group_winner(group)->id, "c1-0000000000000001");
    assert_int_equal(group->tied_count, 1);
    ridge_group_destroy(group);
    ridge_context_destroy(context);
}

static void test_refused(void **state)
{
    (void)state;
    static const double times_s[] = {1, 1, 1};
    static const char *const other_names[] = {"other"};
    struct runs runs;
    struct ridge_group *group = NULL;
    struct ridge_context *context = test_context();
    const double weights[] = {1, 0, 1};
    const double right[] = {1, 1, 1};
    runs_fill(&runs, times_s, 1, 0.001);
    struct ridge_group_request request = {1, WORKLOADS, 0, runs.pointers, names, weights, NULL};
    assert_int_equal(ridge_group_create(context, &request, &group, NULL), RIDGE_E_ARGUMENT);
    request.member_count = RIDGE_WORKLOAD_MAX + 1;
    assert_int_equal(ridge_group_create(context, &request, &group, NULL), RIDGE_E_ARGUMENT);
    request.member_count = WORKLOADS;
    assert_int_equal(ridge_group_create(context, &request, &group, NULL), RIDGE_E_ARGUMENT);
    request.weights = right;
    runs.runs[2].dimension_names = other_names;
    assert_int_equal(ridge_group_create(context, &request, &group, NULL), RIDGE_E_ARGUMENT);
    assert_null(group);
    ridge_context_destroy(context);
}

/** \return the group of a run; 0: none. */
static int64_t group_number(struct ridge_store *store, int64_t run)
{
    struct ridge_error error = {0};
    int64_t group = -1;
    assert_ok(ridge_store_run_group(store, run, &group, &error), &error);
    return group;
}

/** Put `count` runs of six results each. */
static void runs_put(struct ridge_store *store, size_t count, int64_t *runs)
{
    struct ridge_error error = {0};
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < count && status == RIDGE_OK; i++) {
        status = fixture_run(store, 6, &runs[i], &error);
    }
    assert_ok(status, &error);
}

static void put(struct ridge_store *store, int64_t run, struct rg_member member)
{
    struct ridge_error error = {0};
    assert_ok(rg_store_member_put(store, run, &member, &error), &error);
}

static void test_store_load(void **state)
{
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    struct ridge_error error = {0};
    struct ridge_group *group = NULL;
    int64_t runs[2];
    runs_put(store, 2, runs);
    assert_int_equal(group_number(store, runs[0]), 0);
    assert_int_equal(ridge_store_group_load(store, 1, &group, &error), RIDGE_E_NAME);
    assert_non_null(strstr(error.message, "no groups yet"));
    put(store, runs[0], (struct rg_member){.count = 2, .name = "small", .weight = 1});
    put(store, runs[1], (struct rg_member){.group = runs[0], .position = 1, .count = 2, .name = "large", .weight = 3});
    error = (struct ridge_error){0};
    assert_ok(ridge_store_group_load(store, runs[0], &group, &error), &error);
    assert_int_equal(group->member_count, 2);
    assert_int_equal(group->workload_count, 2);
    assert_string_equal(group->members[1].name, "large");
    assert_close(group->members[1].weight, 3, 0, 0);
    assert_int_equal(group->members[1].run->id, runs[1]);
    assert_int_equal(group->members[1].run->group, runs[0]);
    assert_int_equal(group->entry_count, 6);
    assert_true(group->ranked_count > 0 && group->ranked_count < 6);
    ridge_group_destroy(group);
    assert_int_equal(ridge_store_group_load(store, 99, &group, &error), RIDGE_E_NAME);
    assert_non_null(strstr(error.message, "there is no group g99 (there are: g1)"));
    const struct rg_member member = {.count = 1, .name = "small", .weight = 1};
    assert_int_equal(rg_store_member_put(store, 99, &member, NULL), RIDGE_E_NAME);
    ridge_store_close(store);
}

/** Members keep their group, give up their position to a newcomer, and leave when the spec has fewer workloads. */
static void test_store_members(void **state)
{
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    int64_t runs[3];
    runs_put(store, 3, runs);
    struct rg_member second = {.group = runs[0], .position = 1, .count = 2, .name = "large", .weight = 3};
    put(store, runs[0], (struct rg_member){.count = 2, .name = "small", .weight = 1});
    put(store, runs[1], second);
    assert_int_equal(group_number(store, runs[1]), runs[0]);
    put(store, runs[2], second); /* takes its place */
    assert_int_equal(group_number(store, runs[1]), 0);
    second.group = 0; /* keeps its group */
    put(store, runs[2], second);
    assert_int_equal(group_number(store, runs[2]), runs[0]);
    put(store, runs[0], (struct rg_member){.count = 1, .name = "small", .weight = 1}); /* one workload less */
    assert_int_equal(group_number(store, runs[2]), 0);
    assert_int_equal(group_number(store, runs[0]), runs[0]);
    ridge_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratio_by_hand),
        cmocka_unit_test(test_weights_decide),
        cmocka_unit_test(test_against_brute_force),
        cmocka_unit_test(test_incomplete),
        cmocka_unit_test(test_drift_and_finals),
        cmocka_unit_test(test_refused),
        scratch_test(test_store_load),
        scratch_test(test_store_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
