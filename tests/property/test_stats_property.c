/* SPDX-License-Identifier: MIT */
/**
 * \file Random pairs and orders, most of them with ties, against the definitions written out: Spearman's rho as Pearson's
 * r of average ranks, and what an order is worth at its top. A seed on the command line repeats a run.
 */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "ridge/stats.h"

enum {
    ROUNDS = 4000,
    MOST = 40
};

static uint64_t seed = 20261130;

/** One value of a few, so that many are equal; now and then an infinite one. */
static double value_of(struct rg_rng *rng, uint64_t kinds)
{
    return rg_rng_below(rng, 12) == 0 ? (double)INFINITY : 1 + (double)rg_rng_below(rng, kinds);
}

/** The mean of the places that a value takes: 1 + those below it + half of its other equals. */
static double rank_of(const double *values, size_t count, size_t index)
{
    double rank = 1;
    for (size_t i = 0; i < count; i++) {
        rank += values[i] < values[index] ? 1 : 0;
        rank += i != index && values[i] == values[index] ? 0.5 : 0;
    }
    return rank;
}

/** \return Pearson's r of the ranks; NaN where a side does not vary. */
static double rho_of(const double *x, const double *y, size_t count)
{
    const double middle = ((double)count + 1) / 2;
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (size_t i = 0; i < count; i++) {
        const double a = rank_of(x, count, i) - middle;
        const double b = rank_of(y, count, i) - middle;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

static void rho_is_that_of_average_ranks(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_rng rng;
    rg_rng_init(&rng, seed);
    for (size_t round = 0; round < ROUNDS; round++) {
        double x[MOST];
        double y[MOST];
        double got = 2;
        const size_t count = 3 + (size_t)rg_rng_below(&rng, MOST - 2);
        const uint64_t kinds = 1 + rg_rng_below(&rng, count);
        for (size_t i = 0; i < count; i++) {
            x[i] = value_of(&rng, kinds);
            y[i] = rg_rng_below(&rng, 2) ? x[i] : value_of(&rng, kinds);
        }
        const double want = rho_of(x, y, count);
        const ridge_status status = ridge_spearman(context, x, count, y, count, &got, NULL);
        assert_int_equal(status, isnan(want) ? RIDGE_E_EMPTY : RIDGE_OK);
        if (status == RIDGE_OK && !(fabs(got - want) <= 1e-12)) {
            fail_msg("seed %llu, round %zu: %.17g, not %.17g", (unsigned long long)seed, round, got, want);
        }
    }
    ridge_context_destroy(context);
}

/** An order of up to MOST configurations by their costs, equal ones in any order. */
struct sheet {
    double cost[MOST];
    double time_s[MOST];
    uint32_t order[MOST];
    size_t count;
};

static void sheet_fill(struct sheet *sheet, struct rg_rng *rng)
{
    sheet->count = 1 + (size_t)rg_rng_below(rng, MOST);
    const uint64_t kinds = 1 + rg_rng_below(rng, 30);
    for (size_t i = 0; i < sheet->count; i++) {
        sheet->cost[i] = value_of(rng, kinds);
        sheet->time_s[i] = value_of(rng, kinds);
        size_t at = i;
        for (; at > 0 && sheet->cost[sheet->order[at - 1]] > sheet->cost[i]; at--) {
            sheet->order[at] = sheet->order[at - 1];
        }
        sheet->order[at] = (uint32_t)i;
    }
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/** Of the (up to) ten fastest that ran, those in the first tenth. Equals of the tenth stand for each other. */
static uint32_t recall_of(const struct sheet *sheet, const double *sorted)
{
    size_t best = 0;
    uint32_t found = 0;
    while (best < 10 && best < sheet->count && isfinite(sorted[best])) {
        best++;
    }
    for (size_t i = 0; best > 0 && i < (sheet->count + 9) / 10; i++) {
        found += sheet->time_s[sheet->order[i]] <= sorted[best - 1];
    }
    return found < best ? found : (uint32_t)best;
}

/**
 * Expected place of the first within reach, from the chance that none of the first k is: of a group of `size` with
 * `within`, drawing k without putting back misses all with chance C(size - within, k) / C(size, k).
 */
static double evaluations_of(const struct sheet *sheet, double reach)
{
    size_t begin = 0;
    while (begin < sheet->count) {
        size_t size = 0;
        size_t within = 0;
        for (size_t i = begin; i < sheet->count; i++) {
            if (sheet->cost[sheet->order[i]] <= sheet->cost[sheet->order[begin]]) {
                size++;
                within += isfinite(sheet->time_s[sheet->order[i]]) && sheet->time_s[sheet->order[i]] <= reach;
            }
        }
        double expected = (double)begin;
        double missed = 1;
        for (size_t k = 0; within > 0 && k + within <= size; k++) {
            expected += missed;
            missed *= (double)(size - within - k) / (double)(size - k);
        }
        if (within > 0) {
            return expected;
        }
        begin += size;
    }
    return (double)NAN;
}

static void an_order_is_worth_what_it_says(void **state)
{
    (void)state;
    struct rg_rng rng;
    rg_rng_init(&rng, seed + 1);
    for (size_t round = 0; round < ROUNDS; round++) {
        struct sheet sheet;
        double sorted[MOST];
        sheet_fill(&sheet, &rng);
        memcpy(sorted, sheet.time_s, sizeof sorted);
        qsort(sorted, sheet.count, sizeof *sorted, ascending);
        const struct ridge_ordering ordering = {sheet.cost, sheet.time_s, sheet.order, sheet.count};
        const double margin = (double)rg_rng_below(&rng, 3) / 4;
        const double want = evaluations_of(&sheet, sorted[0] * (1 + margin));
        const double got = ridge_evaluations(&ordering, margin);
        if (isnan(want) != isnan(got) || fabs(want - got) > 1e-9) {
            fail_msg("seed %llu, round %zu: %.17g evaluations, not %.17g", (unsigned long long)seed, round, got, want);
        }
        assert_int_equal(ridge_recall10(&ordering), recall_of(&sheet, sorted));
        assert_true(isnan(ridge_random_evaluations(&ordering, margin)) == isinf(sorted[0]));
        const uint64_t k = 1 + rg_rng_below(&rng, sheet.count);
        double best = (double)INFINITY;
        for (size_t i = 0; i < k; i++) {
            best = fmin(best, sheet.time_s[sheet.order[i]]);
        }
        const double regret = ridge_regret(&ordering, k);
        assert_true(isinf(best) ? isinf(regret) : regret == best / sorted[0]);
    }
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : seed;
    printf("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {cmocka_unit_test(rho_is_that_of_average_ranks),
                                       cmocka_unit_test(an_order_is_worth_what_it_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
