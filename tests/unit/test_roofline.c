/* SPDX-License-Identifier: MIT */
/** \file roofline: the published rules with their vectors, points without bytes or FLOP, what switches the stop off. */
#include "rg_test.h"

#include <float.h>

#include "ridge/roofline.h"

static struct ridge_peaks peaks_of(ridge_roof resource, double per_s)
{
    struct ridge_peaks peaks = ridge_peaks_unknown();
    peaks.per_s[resource] = per_s;
    peaks.launch_overhead_s = 0;
    return peaks;
}

static void time_at_the_peak(void **state)
{
    (void)state;
    assert_close(ridge_roof_time(9e5, 1e6), 0.9, 1e-15, 0);
    const double peaks[] = {0, -1, (double)NAN, (double)INFINITY, DBL_MIN / 2};
    for (size_t i = 0; i < sizeof peaks / sizeof peaks[0]; i++) {
        assert_true(isnan(ridge_roof_time(1, peaks[i])));
    }
}

/* Behaviours section 2: 900000 bytes read at 1e6/s and 100000 written at 2e5/s in 1 s score 0.9 and 0.5. */
static void reads_and_writes_score_apart(void **state)
{
    (void)state;
    struct ridge_work work = {0};
    work.amount[RIDGE_ROOF_READ] = 900000;
    work.amount[RIDGE_ROOF_WRITE] = 100000;
    struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_READ, 1e6);
    peaks.per_s[RIDGE_ROOF_WRITE] = 2e5;
    struct ridge_score score;
    ridge_roofline_score(&work, &peaks, 1, &score);
    assert_close(score.share[RIDGE_ROOF_READ], 0.9, 1e-15, 0);
    assert_close(score.share[RIDGE_ROOF_WRITE], 0.5, 1e-15, 0);
    assert_int_equal(score.binding, RIDGE_ROOF_READ);
    assert_close(score.roofline_s, 0.9, 1e-15, 0);
    assert_true(isnan(score.share[RIDGE_ROOF_F32]));
    assert_true(isnan(score.achieved_per_s[RIDGE_ROOF_BYTES]));
}

static void beating_the_peak_is_not_clamped(void **state)
{
    (void)state;
    struct ridge_work work = {0};
    work.amount[RIDGE_ROOF_BYTES] = 3e9;
    const struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_BYTES, 1e9);
    struct ridge_score score;
    ridge_roofline_score(&work, &peaks, 1, &score);
    assert_close(score.share[RIDGE_ROOF_BYTES], 3, 1e-15, 0);
}

static void an_unknown_peak_scores_nothing_and_does_not_bind(void **state)
{
    (void)state;
    struct ridge_work work = {0};
    work.amount[RIDGE_ROOF_BYTES] = 1;
    work.amount[RIDGE_ROOF_F64] = 1e12;
    const struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_BYTES, 10);
    struct ridge_score score;
    ridge_roofline_score(&work, &peaks, 1, &score);
    assert_int_equal(score.binding, RIDGE_ROOF_BYTES);
    assert_true(isnan(score.share[RIDGE_ROOF_F64]));
    assert_close(score.achieved_per_s[RIDGE_ROOF_F64], 1e12, 1e-15, 0);
    ridge_roofline_score(&(struct ridge_work){0}, &peaks, 1, &score);
    assert_int_equal(score.binding, -1);
    assert_true(isnan(score.roofline_s));
}

/* BP-106: a copy of 512 MiB in 0.4 ms moves 2684.4 GB/s, read and write counted. */
static void a_copy_counts_both_directions(void **state)
{
    (void)state;
    struct ridge_work work = {0};
    work.amount[RIDGE_ROOF_READ] = 512.0 * 1048576;
    work.amount[RIDGE_ROOF_WRITE] = 512.0 * 1048576;
    assert_close(ridge_work_bytes(&work) / 0.4e-3, 2684.4e9, 1e-4, 0);
}

static void the_stop_is_the_slowest_resource(void **state)
{
    (void)state;
    struct ridge_work work = {0};
    work.amount[RIDGE_ROOF_READ] = 900000;
    work.amount[RIDGE_ROOF_WRITE] = 100000;
    struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_READ, 1e6);
    peaks.per_s[RIDGE_ROOF_WRITE] = 2e5;
    peaks.launch_overhead_s = 0.25;
    assert_close(ridge_roofline_limit(&work, &peaks, 0.9), 1 + 0.25, 1e-15, 0);
}

static void anything_that_is_not_normal_switches_the_stop_off(void **state)
{
    (void)state;
    struct ridge_work work = {0};
    work.amount[RIDGE_ROOF_READ] = 1e6;
    const struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_READ, 1e6);
    assert_true(!isnan(ridge_roofline_limit(&work, &peaks, 0.95)));
    const double bad[] = {-1, (double)NAN, (double)INFINITY, DBL_MIN / 2};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct ridge_peaks other = peaks;
        other.per_s[RIDGE_ROOF_READ] = bad[i];
        assert_true(isnan(ridge_roofline_limit(&work, &other, 0.95)));
        other = peaks;
        other.launch_overhead_s = bad[i];
        assert_true(isnan(ridge_roofline_limit(&work, &other, 0.95)));
        assert_true(isnan(ridge_roofline_limit(&work, &peaks, bad[i])));
        struct ridge_work more = work;
        more.amount[RIDGE_ROOF_WRITE] = bad[i];
        assert_true(isnan(ridge_roofline_limit(&more, &peaks, 0.95)));
    }
    assert_true(isnan(ridge_roofline_limit(&work, &peaks, 0)));
    assert_true(isnan(ridge_roofline_limit(&(struct ridge_work){0}, &peaks, 0.95)));
    work.amount[RIDGE_ROOF_F32] = 1; /* used, and its peak is not known */
    assert_true(isnan(ridge_roofline_limit(&work, &peaks, 0.95)));
}

/* BP-104: (1e9 FLOP, 0 bytes), (0, 1e9), (1e9, 1e3), each in 1 ms. */
static void no_bytes_and_no_flop_are_not_at_infinity(void **state)
{
    (void)state;
    double intensity = 0;
    assert_int_equal(ridge_roofline_place_of(1e9, 0, 1e-3, &intensity), RIDGE_PLACE_NO_TRAFFIC);
    assert_true(isnan(intensity));
    assert_int_equal(ridge_roofline_place_of(0, 1e9, 1e-3, &intensity), RIDGE_PLACE_NO_OPERATION);
    assert_true(isnan(intensity));
    assert_int_equal(ridge_roofline_place_of(1e9, 1e3, 1e-3, &intensity), RIDGE_PLACE_POINT);
    assert_close(intensity, 1e6, 1e-15, 0);
    assert_int_equal(ridge_roofline_place_of(0, 0, 1e-3, &intensity), RIDGE_PLACE_NOWHERE);
    assert_int_equal(ridge_roofline_place_of(1, 1, 0, &intensity), RIDGE_PLACE_NOWHERE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_at_the_peak),
        cmocka_unit_test(reads_and_writes_score_apart),
        cmocka_unit_test(beating_the_peak_is_not_clamped),
        cmocka_unit_test(an_unknown_peak_scores_nothing_and_does_not_bind),
        cmocka_unit_test(a_copy_counts_both_directions),
        cmocka_unit_test(the_stop_is_the_slowest_resource),
        cmocka_unit_test(anything_that_is_not_normal_switches_the_stop_off),
        cmocka_unit_test(no_bytes_and_no_flop_are_not_at_infinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
