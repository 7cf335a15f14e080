/* SPDX-License-Identifier: MIT */
/** \file Variants over several sizes: names, speed-ups, scores, what is missing, what ties. */
#include "rg_test.h"

#include <stdio.h>

#include "ridge/variants.h"

enum {
    RECORDS = 4
};

static const char *const names[] = {"alg", "block_x", "bif"};
static const struct ridge_variant_label labels[] = {{"block_x", "tpb"}};

/** A run of up to four configurations with exact medians, each with an interval of 1 % on either side. */
struct made {
    struct ridge_run run;
    struct ridge_record records[RECORDS];
    struct ridge_value values[RECORDS][3];
};

static const struct ridge_run *make(struct made *made, const double *medians_s)
{
    memset(made, 0, sizeof *made);
    for (size_t i = 0; i < RECORDS; i++) {
        struct ridge_record *record = &made->records[i];
        made->values[i][0] = (struct ridge_value){RIDGE_INT, {.integer = (int64_t)i}};
        made->values[i][1] = (struct ridge_value){RIDGE_INT, {.integer = 256}};
        made->values[i][2] = (struct ridge_value){RIDGE_TEXT, {.text = "8"}};
        snprintf(record->id, sizeof record->id, "c1-%zu", i);
        record->values = made->values[i];
        record->outcome = medians_s[i] > 0 ? RIDGE_OUTCOME_OK : RIDGE_OUTCOME_COMPILE;
        record->text = medians_s[i] > 0 ? NULL : "does not compile";
        record->first = (struct ridge_summary){.n = medians_s[i] > 0 ? 9 : 0,
                                               .median_s = medians_s[i],
                                               .ci95_low_s = medians_s[i] * 0.99,
                                               .ci95_high_s = medians_s[i] * 1.01};
    }
    made->run.dimension_count = 3;
    made->run.dimension_names = names;
    made->run.record_count = RECORDS;
    made->run.records = made->records;
    made->run.info.parameters = "n=1";
    return &made->run;
}

static struct made one, two;

static int setup(void **state)
{
    *state = test_context();
    return 0;
}

static int teardown(void **state)
{
    ridge_context_destroy(*state);
    return 0;
}

static ridge_status create(void **state, const double *first, const double *second, const double *weights,
                           const char *base, struct ridge_variants **out, struct ridge_error *error)
{
    const struct ridge_run *runs[] = {make(&one, first), make(&two, second)};
    const struct ridge_variants_request request = {2, runs, weights, base, 1, labels};
    return ridge_variants_create(*state, &request, out, error);
}

/** The BI-V100's numbers: 47.2 us and 142.2 us, 64 KiB against 32 and 16 KiB. */
static void the_published_scores_come_out(void **state)
{
    static const double small[] = {47.2e-6, 47.2e-6 / 1.203, 47.2e-6 / 1.115, 47.2e-6 / 1.101};
    static const double large[] = {142.2e-6, 142.2e-6 / 1.059, 142.2e-6 / 1.033, 142.2e-6 / 1.030};
    struct ridge_error error = {0};
    struct ridge_variants *variants = NULL;
    assert_ok(create(state, small, large, NULL, "c1-0", &variants, &error), &error);
    assert_int_equal(variants->count, 4);
    assert_string_equal(variants->items[0].name, "alg_1.bif_8.tpb_256");
    assert_close(variants->items[0].sizes[0].value, 1.203, 1e-12, 0);
    assert_close(variants->items[0].sizes[1].value, 1.059, 1e-12, 0);
    assert_close(variants->items[0].score.value, sqrt(1.203 * 1.059), 1e-12, 0);
    assert_close(variants->items[0].sizes[0].low, 1.203 * 0.99 / 1.01, 1e-12, 0);
    assert_close(variants->items[0].sizes[0].high, 1.203 * 1.01 / 0.99, 1e-12, 0);
    assert_true(variants->items[0].tied);
    assert_false(variants->items[1].tied); /* 1.073 against 1.129: 2 % on either side */
    assert_true(variants->items[3].is_base);
    assert_close(variants->items[3].score.low, 1, 0, 0);
    assert_int_equal(variants->best_of_run[0], 0);
    ridge_variants_destroy(*state, variants);
}

static void weights_decide(void **state)
{
    static const double small[] = {1, 0.5, 1, 1};
    static const double large[] = {1, 1.5, 0.8, 1};
    static const double weights[] = {1, 3};
    struct ridge_error error = {0};
    struct ridge_variants *variants = NULL;
    assert_ok(create(state, small, large, NULL, "c1-0", &variants, &error), &error);
    assert_string_equal(variants->items[0].id, "c1-1"); /* sqrt(2 / 1.5) against sqrt(1 / 0.8) */
    assert_close(variants->items[0].score.value, sqrt(2 / 1.5), 1e-12, 0);
    ridge_variants_destroy(*state, variants);
    assert_ok(create(state, small, large, weights, "c1-0", &variants, &error), &error);
    assert_string_equal(variants->items[0].id, "c1-2");
    assert_close(variants->items[0].score.value, pow(1.25, 0.75), 1e-12, 0);
    assert_string_equal(variants->items[variants->best_of_run[0]].id, "c1-1");
    assert_string_equal(variants->items[variants->best_of_run[1]].id, "c1-2");
    ridge_variants_destroy(*state, variants);
}

static void what_was_not_measured_everywhere_has_no_score(void **state)
{
    static const double small[] = {1, 0.5, 2, 3};
    static const double large[] = {1, 0, 2, 3};
    struct ridge_error error = {0};
    struct ridge_variants *variants = NULL;
    assert_ok(create(state, small, large, NULL, "c1-0", &variants, &error), &error);
    const struct ridge_variant *last = &variants->items[3];
    assert_string_equal(last->id, "c1-1");
    assert_false(last->complete);
    assert_false(last->tied);
    assert_true(isnan(last->score.value) && isnan(last->sizes[1].value));
    assert_close(last->sizes[0].value, 2, 1e-12, 0);
    assert_int_equal(variants->best_of_run[0], 3);
    assert_int_equal(variants->best_of_run[1], 0);
    ridge_variants_destroy(*state, variants);
}

static void a_base_that_was_not_measured_is_an_error(void **state)
{
    static const double small[] = {1, 1, 1, 1};
    static const double large[] = {0, 1, 1, 1};
    static const double bad[] = {1, 0};
    struct ridge_variants *variants = NULL;
    struct ridge_error error = {0};
    assert_int_equal(create(state, small, large, NULL, "c1-0", &variants, &error), RIDGE_E_EMPTY);
    assert_non_null(strstr(error.message, "does not compile"));
    memset(&error, 0, sizeof error);
    assert_int_equal(create(state, small, small, NULL, "c1-9", &variants, &error), RIDGE_E_EMPTY);
    memset(&error, 0, sizeof error);
    assert_int_equal(create(state, small, small, bad, "c1-0", &variants, &error), RIDGE_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_published_scores_come_out, setup, teardown),
        cmocka_unit_test_setup_teardown(weights_decide, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_not_measured_everywhere_has_no_score, setup, teardown),
        cmocka_unit_test_setup_teardown(a_base_that_was_not_measured_is_an_error, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
