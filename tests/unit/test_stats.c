/* SPDX-License-Identifier: MIT */
/** \file stats: quantiles, the interval of the median against a long-hand binomial sum, what can be told apart. */
#include "rg_test.h"

#include <stdlib.h>

#include "ridge/stats.h"

/** Oracle: the largest k with coverage >= 95 %, from Pascal's triangle in long double. */
static uint64_t oracle_rank(unsigned n)
{
    long double row[1001] = {1.0L};
    for (unsigned i = 1; i <= n; i++) {
        for (unsigned j = i; j > 0; j--) {
            row[j] = (row[j] + row[j - 1]) / 2;
        }
        row[0] /= 2;
    }
    uint64_t best = 0;
    long double coverage = 1.0L;
    for (unsigned k = 1; k <= n / 2; k++) {
        coverage -= row[k - 1] + row[n - (k - 1)];
        best = coverage >= 0.95L ? k : best;
    }
    return best;
}

/** Summarise 1, 2, ... n in a scrambled order: then x(k) is k. */
static struct ridge_summary summary_of_ranks(uint64_t n)
{
    double *samples = calloc(n, sizeof *samples);
    double *scratch = calloc(n, sizeof *scratch);
    assert_non_null(samples);
    assert_non_null(scratch);
    for (uint64_t i = 0; i < n; i++) {
        samples[i] = (double)((i * 7919) % n + 1);
    }
    struct ridge_summary summary;
    ridge_summarise(samples, n, scratch, &summary);
    assert_true(scratch[0] == 1.0 && scratch[n - 1] == (double)n);
    free(samples);
    free(scratch);
    return summary;
}

static void test_interval_against_the_binomial_sum(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 1000; n += n < 130 ? 1 : 29) {
        const struct ridge_summary summary = summary_of_ranks(n);
        const uint64_t rank = oracle_rank(n);
        assert_int_equal(summary.n, n);
        if (rank == 0) {
            assert_true(isnan(summary.ci95_low_s) && isnan(summary.ci95_high_s));
            assert_true(n < 6);
            continue;
        }
        assert_true(summary.ci95_low_s == (double)rank);
        assert_true(summary.ci95_high_s == (double)(n + 1 - rank));
    }
}

static void test_interval_table(void **state)
{
    (void)state;
    /* The last three were computed once with exact integers (Python). */
    static const struct {
        uint64_t n, low, high;
    } rows[] = {{6, 1, 6},     {7, 1, 7},        {9, 2, 8},           {20, 6, 15},           {25, 8, 18},
                {100, 40, 61}, {1000, 469, 532}, {10001, 4902, 5100}, {100000, 49690, 50311}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_summary summary = summary_of_ranks(rows[i].n);
        assert_true(summary.ci95_low_s == (double)rows[i].low);
        assert_true(summary.ci95_high_s == (double)rows[i].high);
    }
}

static void test_millions_of_samples(void **state)
{
    (void)state;
    const uint64_t n = 2000000;
    const struct ridge_summary summary = summary_of_ranks(n);
    /* There the normal approximation is good to a rank. */
    assert_close(summary.ci95_low_s, (double)n / 2 - 1.959964 * sqrt((double)n) / 2, 0, 1.5);
    assert_true(summary.ci95_low_s + summary.ci95_high_s == (double)n + 1);
    assert_true(summary.median_s == (double)n / 2 + 0.5);
}

static void test_quantiles(void **state)
{
    (void)state;
    const double sorted[] = {1, 2, 4, 8};
    assert_true(ridge_quantile(sorted, 4, 0) == 1);
    assert_true(ridge_quantile(sorted, 4, 1) == 8);
    assert_true(ridge_quantile(sorted, 4, 0.5) == 3);
    assert_close(ridge_quantile(sorted, 4, 0.25), 1.75, 1e-15, 0);
    assert_close(ridge_quantile(sorted, 4, 0.9), 6.8, 1e-15, 0);
    assert_true(ridge_quantile(sorted, 1, 0.3) == 1);
}

/** BP-095: a first launch that takes ten times as long does not change the choice, and is flagged. */
static void test_bp_095_first_launch(void **state)
{
    (void)state;
    const double a[] = {9.6, 1.02, 1.00, 1.03, 1.01};
    const double b[] = {1.31, 1.30, 1.29, 1.32, 1.28};
    double scratch[5];
    struct ridge_summary first;
    struct ridge_summary second;
    ridge_summarise(a, 5, scratch, &first);
    ridge_summarise(b, 5, scratch, &second);
    assert_true(first.median_s == 1.02 && second.median_s == 1.30);
    assert_true(first.minimum_s == 1.00 && first.maximum_s == 9.6);
    assert_int_equal(first.outliers, 1);
    assert_int_equal(second.outliers, 0);
    assert_true(a[0] == 9.6);
}

/** BP-103: one sample, two equal samples, none. */
static void test_bp_103_few_samples(void **state)
{
    (void)state;
    const double samples[] = {0.5, 0.5};
    double scratch[2];
    for (uint64_t n = 1; n <= 2; n++) {
        struct ridge_summary summary;
        ridge_summarise(samples, n, scratch, &summary);
        assert_int_equal(summary.n, n);
        assert_true(summary.median_s == 0.5 && summary.minimum_s == 0.5 && summary.maximum_s == 0.5);
        assert_true(isnan(summary.ci95_low_s) && isnan(summary.ci95_high_s));
        assert_int_equal(summary.outliers, 0);
    }
    struct ridge_summary none;
    ridge_summarise(NULL, 0, NULL, &none);
    assert_int_equal(none.n, 0);
    assert_true(isnan(none.median_s));
}

/** BP-126: three samples tell apart only what lies far apart; seven clear ones do by their intervals. */
static void test_bp_126_indistinguishable(void **state)
{
    (void)state;
    const double a[] = {2.00, 2.10, 1.90};
    const double b[] = {1.99, 2.12, 1.92};
    const double c[] = {3.0, 3.1, 2.9};
    const double near[] = {2.2, 2.25, 2.3};
    const double many_a[] = {2.00, 2.10, 1.90, 2.01, 2.02, 1.99, 1.98};
    const double many_b[] = {1.99, 2.12, 1.92, 2.00, 2.01, 1.97, 2.03};
    const double many_c[] = {3.0, 3.1, 2.9, 3.01, 3.02, 2.99, 2.98};
    double scratch[7];
    struct ridge_summary x;
    struct ridge_summary y;
    ridge_summarise(a, 3, scratch, &x);
    ridge_summarise(b, 3, scratch, &y);
    assert_false(ridge_distinguishable(&x, &y));
    ridge_summarise(near, 3, scratch, &y);
    assert_false(ridge_distinguishable(&x, &y)); /* above all of the others, but by less than those are wide */
    ridge_summarise(c, 3, scratch, &y);
    assert_true(ridge_distinguishable(&x, &y) && ridge_distinguishable(&y, &x));
    assert_true(ridge_is_slower(&y, &x, 1) && !ridge_is_slower(&x, &y, 1));
    assert_false(ridge_is_slower(&y, &x, 1.3)); /* the machine moved by so much */
    ridge_summarise(many_a, 7, scratch, &x);
    assert_true(ridge_distinguishable(&x, &y));
    ridge_summarise(c, 2, scratch, &y);
    assert_false(ridge_distinguishable(&x, &y)); /* two say nothing */
    ridge_summarise(many_b, 7, scratch, &y);
    assert_false(ridge_distinguishable(&x, &y));
    ridge_summarise(many_c, 7, scratch, &y);
    assert_true(ridge_distinguishable(&x, &y));
    assert_true(ridge_distinguishable(&y, &x));
    assert_false(ridge_distinguishable(&x, &x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval_against_the_binomial_sum),
        cmocka_unit_test(test_interval_table),
        cmocka_unit_test(test_millions_of_samples),
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_bp_095_first_launch),
        cmocka_unit_test(test_bp_103_few_samples),
        cmocka_unit_test(test_bp_126_indistinguishable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
