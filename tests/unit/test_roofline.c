/* SPDX-License-Identifier: MIT */
/** \file roofline: the published rules with their vectors, points without bytes or FLOP, what switches the stop off. */
#include "rg_test.h"

#include <float.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "ridge/report.h"
#include "spec_fixture.h"

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

static struct ridge_work mixed_work(double reads, double writes)
{
    struct ridge_work work = {0};
    work.amount[RIDGE_ROOF_READ] = reads;
    work.amount[RIDGE_ROOF_WRITE] = writes;
    return work;
}

/* reference/curve.md 4.8: two bounds, and the copy counts from 1:2 to 2:1. */
static void reads_beside_writes_are_like_a_copy(void **state)
{
    (void)state;
    struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_READ, 60);
    peaks.per_s[RIDGE_ROOF_WRITE] = 50;
    peaks.per_s[RIDGE_ROOF_BYTES] = 64;
    const struct {
        double reads, writes;
        bool copy;
    } rows[] = {{60, 60, true}, {60, 30, true}, {30, 60, true}, {61, 30, false}, {30, 61, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_work work = mixed_work(rows[i].reads, rows[i].writes);
        const double overlap_s = fmax(rows[i].reads / 60, rows[i].writes / 50);
        const double copy_s = (rows[i].reads + rows[i].writes) / 64;
        struct ridge_score score;
        ridge_roofline_score(&work, &peaks, 4, &score);
        assert_close(score.overlap_s, overlap_s, 1e-15, 0);
        assert_close(score.copy_s, copy_s, 1e-15, 0);
        assert_int_equal(score.copy_counts, rows[i].copy);
        assert_close(score.roofline_s, rows[i].copy ? copy_s : overlap_s, 1e-15, 0);
        assert_int_equal(score.binding == RIDGE_ROOF_BYTES, rows[i].copy);
        assert_int_equal(isnan(score.share[RIDGE_ROOF_BYTES]), !rows[i].copy);
        assert_close(ridge_roofline_limit(&work, &peaks, 1), rows[i].copy ? copy_s : overlap_s, 1e-15, 0);
    }
}

static void without_a_copy_they_count_apart(void **state)
{
    (void)state;
    struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_READ, 60);
    peaks.per_s[RIDGE_ROOF_WRITE] = 50;
    const struct ridge_work work = mixed_work(60, 60);
    struct ridge_score score;
    ridge_roofline_score(&work, &peaks, 4, &score);
    assert_true(!score.copy_counts && isnan(score.copy_s) && score.binding == RIDGE_ROOF_WRITE);
    /* Only one of them used, or their sum given: nothing is mixed. */
    const struct ridge_work reads = mixed_work(60, 0);
    peaks.per_s[RIDGE_ROOF_BYTES] = 64;
    ridge_roofline_score(&reads, &peaks, 4, &score);
    assert_true(!score.copy_counts && isnan(score.overlap_s) && isnan(score.copy_s));
    struct ridge_work sum = work;
    sum.amount[RIDGE_ROOF_BYTES] = 120;
    ridge_roofline_score(&sum, &peaks, 4, &score);
    assert_true(!score.copy_counts && isnan(score.overlap_s));
}

/* A share within the interval of the ceiling says nothing against it. */
static void a_ceiling_is_beaten_beyond_its_interval(void **state)
{
    (void)state;
    struct ridge_peaks peaks = peaks_of(RIDGE_ROOF_READ, 60);
    peaks.spread_ratio[RIDGE_ROOF_READ] = 0.05;
    const struct ridge_work work = mixed_work(60, 0);
    struct ridge_score score;
    ridge_roofline_score(&work, &peaks, 1 / 1.04, &score);
    assert_false(score.ceiling_beaten);
    ridge_roofline_score(&work, &peaks, 1 / 1.06, &score);
    assert_true(score.ceiling_beaten);
    ridge_roofline_score(&(struct ridge_work){0}, &peaks, 1, &score);
    assert_false(score.ceiling_beaten);
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

static const char spec_text[] = "[kernel]\nname = \"k\"\nsources = { c = \"k.c\" }\n"
                                "[dims.a]\nvalues = [1, 2]\n[[bench.args]]\nkind = \"in_%s\"\nlen = 8\n"
                                "[[bench.args]]\nkind = \"f32\"\nvalue = 1\n[model]\n%s\n";

static struct ridge_work work_of(const char *element, const char *model, int64_t a, bool expected)
{
    char text[1024];
    struct spec_fixture fixture;
    struct ridge_work work;
    const struct ridge_value value = {.type = RIDGE_INT, .as.integer = a};
    snprintf(text, sizeof text, spec_text, element, model);
    assert_ok(fixture_load(&fixture, text, NULL, 0), &fixture.error);
    assert_int_equal(rg_spec_work(fixture.spec, &value, &work), expected);
    fixture_close(&fixture);
    return work;
}

static void the_model_says_what_a_launch_uses_up(void **state)
{
    (void)state;
    struct ridge_work work = work_of("f32", "flops = \"10 * a\"\nbytes = 7", 2, true);
    assert_close(work.amount[RIDGE_ROOF_F32], 20, 0, 0);
    assert_close(work.amount[RIDGE_ROOF_BYTES], 7, 0, 0);
    assert_true(work.amount[RIDGE_ROOF_READ] == 0);
    work = work_of("f64", "flops = 5\nread_bytes = 3\nwrite_bytes = \"4 * a\"\nbytes = 9", 1, true);
    assert_close(work.amount[RIDGE_ROOF_F64], 5, 0, 0); /* a buffer of doubles; the scalar does not count */
    assert_true(work.amount[RIDGE_ROOF_F32] == 0);
    assert_close(work.amount[RIDGE_ROOF_READ], 3, 0, 0);
    assert_close(work.amount[RIDGE_ROOF_WRITE], 4, 0, 0);
    assert_true(work.amount[RIDGE_ROOF_BYTES] == 0); /* said by its parts */
    work = work_of("f32", "bytes = \"1 // (a - 1)\"\nflops = \"1 - 2 * a\"", 1, true);
    assert_true(isnan(work.amount[RIDGE_ROOF_BYTES]) && isnan(work.amount[RIDGE_ROOF_F32]));
    (void)work_of("f32", "smem_bytes = 4", 1, false);
}

static bool into_buffer(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

/** Number of times that a text stands in another. */
static size_t times_in(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        count++;
    }
    return count;
}

/** The x (or y) of the rectangle of a class, its middle. */
static double middle_of(const char *svg, const char *css_class, const char *axis)
{
    char what[64];
    snprintf(what, sizeof what, "class=\"%s\"", css_class);
    const char *at = strstr(svg, what);
    assert_non_null(at);
    snprintf(what, sizeof what, " %s=\"", axis);
    at = strstr(at, what);
    assert_non_null(at);
    return strtod(at + strlen(what), NULL) + 5; /* the best is 10 wide */
}

/* BP-104 as a picture: the third point is the best, and inside the axes, however far right it lies. */
static void a_picture_holds_every_point(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    static const struct ridge_work works[] = {{.amount = {[RIDGE_ROOF_F32] = 1e9, [RIDGE_ROOF_BYTES] = 1e3}},
                                              {.amount = {[RIDGE_ROOF_F32] = 1e9}},
                                              {.amount = {[RIDGE_ROOF_BYTES] = 1e9}}};
    struct ridge_record records[3] = {0};
    static const size_t ranked[] = {0, 1, 2};
    for (size_t i = 0; i < 3; i++) {
        records[i].work = &works[i];
        records[i].summary = (struct ridge_summary){.n = 7, .median_s = 1e-3};
    }
    const struct ridge_run run = {.id = 1,
                                  .info = {.kernel = "k<>&", .device = "d"},
                                  .started_at = "then",
                                  .record_count = 3,
                                  .records = records,
                                  .ranked_count = 3,
                                  .ranked = ranked};
    const unsigned widths[] = {320, 800, 4000};
    for (size_t i = 0; i < 3; i++) {
        struct rg_buffer buffer;
        struct ridge_error error = {0};
        rg_buffer_init(&buffer, context);
        const struct ridge_sink sink = {into_buffer, &buffer};
        assert_ok(ridge_roofline_picture(&run, NULL, widths[i], sink, &error), &error);
        const char *svg = rg_buffer_text(&buffer);
        assert_int_equal(times_in(svg, "class=\"best\""), 1);
        assert_int_equal(times_in(svg, "class=\"point\""), 1); /* by its bandwidth */
        assert_non_null(strstr(svg, "not drawn: no memory"));
        assert_non_null(strstr(svg, "bandwidth only"));
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf\""));
        assert_null(strstr(svg, "<script"));
        assert_non_null(strstr(svg, "k&lt;&gt;&amp;"));
        const double x = middle_of(svg, "best", "x");
        assert_true(x >= 98 && x <= widths[i] - 20);
        rg_buffer_fini(&buffer);
    }
    struct rg_buffer nothing;
    rg_buffer_init(&nothing, context);
    const struct ridge_sink sink = {into_buffer, &nothing};
    assert_int_equal(ridge_roofline_picture(&run, NULL, 319, sink, NULL), RIDGE_E_ARGUMENT);
    assert_int_equal(nothing.length, 0);
    rg_buffer_fini(&nothing);
    ridge_context_destroy(context);
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
        cmocka_unit_test(reads_beside_writes_are_like_a_copy),
        cmocka_unit_test(without_a_copy_they_count_apart),
        cmocka_unit_test(a_ceiling_is_beaten_beyond_its_interval),
        cmocka_unit_test(anything_that_is_not_normal_switches_the_stop_off),
        cmocka_unit_test(no_bytes_and_no_flop_are_not_at_infinity),
        cmocka_unit_test(the_model_says_what_a_launch_uses_up),
        cmocka_unit_test(a_picture_holds_every_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
