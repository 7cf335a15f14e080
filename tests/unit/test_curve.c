/* SPDX-License-Identifier: MIT */
/** \file curve: sizes, windows, ceilings and levels against the vectors of the facts. All of it is arithmetic. */
#include "rg_test.h"

#include <stdlib.h>

#include "curve/curve_rules.h"
#include "curve/probe.h"
#include "curve/window.h"
#include "ridge/units.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

static void test_sweep_size(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        uint64_t size;
    } vectors[] = {{16384, 16384},
                   {16385, 16384},
                   {32767, 16384},
                   {0, 8192},
                   {1, 8192},
                   {8191, 8192},
                   {UINT64_MAX, UINT64_C(1) << 63}};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        assert_int_equal(ridge_curve_sweep_size(vectors[i].bytes), vectors[i].size);
    }
}

static void test_sweep_sizes(void **state)
{
    (void)state;
    uint64_t sizes[RG_SWEEP_MOST];
    assert_int_equal(rg_sweep_sizes(64 * KIB, sizes), 4);
    assert_int_equal(sizes[0], 8 * KIB);
    assert_int_equal(sizes[3], 64 * KIB);
    /* A cap between two powers stops at the last that fits; one below 8 KiB stands alone. */
    assert_int_equal(rg_sweep_sizes(100 * KIB, sizes), 4);
    assert_int_equal(rg_sweep_sizes(8 * KIB, sizes), 1);
    assert_int_equal(rg_sweep_sizes(100, sizes), 1);
    assert_int_equal(sizes[0], 100);
}

static void test_points_clean(void **state)
{
    (void)state;
    struct ridge_curve_point points[] = {
        {.bytes = 4, .bytes_per_s = 1},           {.bytes = 0, .bytes_per_s = 1},
        {.bytes = 2, .bytes_per_s = 5},           {.bytes = 4, .bytes_per_s = 9},
        {.bytes = 3, .bytes_per_s = -1},          {.bytes = 8, .bytes_per_s = (double)INFINITY},
        {.bytes = 9, .bytes_per_s = (double)NAN}, {.bytes = 1, .bytes_per_s = 7}};
    assert_int_equal(ridge_curve_points_clean(points, sizeof points / sizeof points[0]), 3);
    assert_true(points[0].bytes == 1 && points[1].bytes == 2 && points[2].bytes == 4);
    assert_true(points[2].bytes_per_s == 1); /* the first of two of one size */
}

static const struct ridge_curve_point two[] = {{.bytes = MIB, .bytes_per_s = 100, .best_bytes_per_s = (double)NAN},
                                               {.bytes = 4 * MIB, .bytes_per_s = 200, .best_bytes_per_s = (double)NAN}};

static void test_ceiling_published(void **state)
{
    (void)state;
    const struct ridge_curve curve = {.points = two, .point_count = 2};
    const struct ridge_curve empty = {.point_count = 0};
    assert_close(ridge_curve_ceiling_published(&curve, 2 * MIB), 150, 1e-12, 0);
    assert_true(ridge_curve_ceiling_published(&curve, MIB) == 100);
    assert_true(ridge_curve_ceiling_published(&curve, 4 * MIB) == 200);
    assert_true(ridge_curve_ceiling_published(&curve, 1) == 100);
    assert_true(ridge_curve_ceiling_published(&curve, UINT64_MAX) == 200);
    assert_true(isnan(ridge_curve_ceiling_published(&empty, 1)));
}

/** Time is linear between points of a cold curve, and below the first it cannot be shorter than there. */
static void test_ceiling_cold(void **state)
{
    (void)state;
    const struct ridge_curve curve = {.points = two, .point_count = 2};
    struct ridge_ceiling ceiling;
    struct ridge_error error = {0};
    assert_ok(ridge_curve_ceiling_at(&curve, 2 * MIB, &ceiling, &error), &error);
    const double time = 1.0 / 100 + (4.0 / 200 - 1.0 / 100) / 3; /* in MiB and its rates */
    assert_close(ceiling.bytes_per_s, 2 / time, 1e-12, 0);
    assert_int_equal(ceiling.place, RIDGE_CEILING_INSIDE);
    assert_true(ceiling.low_bytes == MIB && ceiling.high_bytes == 4 * MIB);
    assert_close(ridge_curve_ceiling(&curve, MIB / 2), 50, 1e-12, 0);
    assert_close(ridge_curve_ceiling(&curve, MIB), 100, 1e-12, 0);
    assert_close(ridge_curve_ceiling(&curve, UINT64_MAX), 200, 1e-12, 0);
    double before = 0;
    for (uint64_t bytes = 1000; bytes < 8 * MIB; bytes += 9973) {
        const double seconds = (double)bytes / ridge_curve_ceiling(&curve, bytes);
        assert_true(seconds >= before * (1 - 1e-12)); /* more bytes never take less time */
        assert_true(ridge_curve_ceiling(&curve, bytes) <= 200 * (1 + 1e-12));
        before = seconds;
    }
    const struct ridge_curve empty = {.point_count = 0};
    assert_int_equal(ridge_curve_ceiling_at(&empty, 1, &ceiling, &error), RIDGE_E_EMPTY);
    assert_true(isnan(ridge_curve_ceiling(&empty, 1)));
}

/** A curve of a fixed cost and a rate. */
static void fill_line(struct ridge_curve_point *points, size_t count, double fixed_s, double rate)
{
    for (size_t i = 0; i < count; i++) {
        const double bytes = (double)(8 * KIB << i);
        const double got = bytes / (fixed_s + bytes / rate);
        points[i] = (struct ridge_curve_point){.bytes = 8 * KIB << i,
                                               .bytes_per_s = got,
                                               .ci95 = {0.95 * got, 1.05 * got},
                                               .best_bytes_per_s = 1.1 * got,
                                               .n = 30};
    }
}

/** t(N) = t0 + N / B comes back exactly, from the points up to 4 MiB alone. */
static void test_fit(void **state)
{
    (void)state;
    struct ridge_curve_point points[14];
    struct ridge_curve curve = {.points = points, .point_count = 14};
    struct ridge_curve_fit fit;
    fill_line(points, 14, 300e-9, 30e9);
    points[12].bytes_per_s *= 2; /* 32 MiB: not of the ramp */
    assert_true(ridge_curve_fit_ramp(&curve, &fit));
    assert_close(fit.fixed_s, 300e-9, 1e-9, 0);
    assert_close(fit.bytes_per_s, 30e9, 1e-9, 0);
    assert_close(fit.half_bytes, 9000, 1e-9, 0);
    assert_true(fit.worst_ratio < 1e-9);
    assert_int_equal(fit.last_bytes, 4 * MIB);
    points[2].bytes_per_s *= 0.8; /* a quarter slower */
    assert_true(ridge_curve_fit_ramp(&curve, &fit));
    assert_true(fit.worst_ratio > 0.1 && fit.worst_ratio < 0.25);
    /* A flat curve costs nothing, not less. */
    fill_line(points, 14, -1e-9, 30e9);
    assert_true(ridge_curve_fit_ramp(&curve, &fit));
    assert_true(fit.fixed_s == 0 && fit.half_bytes == 0);
    assert_close(fit.bytes_per_s, 30e9, 0.01, 0);
    curve.point_count = 2;
    assert_false(ridge_curve_fit_ramp(&curve, &fit));
    assert_true(fit.bytes_per_s == 0);
    curve.point_count = 14;
    curve.warm = true;
    assert_false(ridge_curve_fit_ramp(&curve, &fit));
}

/** Below the first point a stream follows the line of the fit, and a launch takes as long as there. */
static void test_ceiling_below(void **state)
{
    (void)state;
    struct ridge_curve_point points[10];
    struct ridge_curve curve = {.points = points, .point_count = 10};
    struct ridge_ceiling ceiling;
    fill_line(points, 10, 300e-9, 30e9);
    assert_int_equal(ridge_curve_ceiling_at(&curve, 2 * KIB, &ceiling, NULL), RIDGE_OK);
    assert_close(ceiling.typical_bytes_per_s, 2048 / (300e-9 + 2048 / 30e9), 1e-9, 0);
    assert_string_equal(ceiling.regime, "below_sweep");
    assert_true(ceiling.ci95.low < ceiling.typical_bytes_per_s && ceiling.ci95.high > ceiling.typical_bytes_per_s);
    double before = 0;
    for (uint64_t bytes = 1; bytes < 16 * KIB; bytes += 61) {
        const double seconds = (double)bytes / ridge_curve_ceiling(&curve, bytes);
        assert_true(seconds >= before * (1 - 1e-12));
        before = seconds;
    }
    curve.discipline = RIDGE_DISCIPLINE_LAUNCH;
    assert_int_equal(ridge_curve_ceiling_at(&curve, 2 * KIB, &ceiling, NULL), RIDGE_OK);
    assert_close(ceiling.typical_bytes_per_s, points[0].bytes_per_s / 4, 1e-9, 0);
    /* Where the first point is faster than the rest, fewer bytes are not faster still. */
    curve.discipline = RIDGE_DISCIPLINE_STREAM;
    points[0].bytes_per_s = 60e9;
    points[0].best_bytes_per_s = 61e9;
    assert_int_equal(ridge_curve_ceiling_at(&curve, KIB, &ceiling, NULL), RIDGE_OK);
    assert_true(ceiling.typical_bytes_per_s <= 60e9 * (1 + 1e-12) && ceiling.bytes_per_s <= 61e9 * (1 + 1e-12));
}

/** The names of the places on a curve, and what is taken above its end. */
static void test_regimes(void **state)
{
    (void)state;
    struct ridge_curve_point points[14];
    static const struct ridge_curve_level levels[] = {
        {.name = "L1", .bytes = 40 * KIB}, {.name = "L2", .bytes = MIB}, {.name = "memory"}};
    struct ridge_curve curve = {.points = points, .point_count = 14, .levels = levels, .level_count = 3};
    struct ridge_ceiling ceiling;
    const struct {
        uint64_t bytes;
        bool warm;
        const char *regime;
    } rows[] = {{KIB, false, "below_sweep"},        {16 * KIB, false, "ramp"},   {3 * MIB, false, "memory"},
                {1024 * MIB, false, "above_sweep"}, {16 * KIB, true, "level:1"}, {128 * KIB, true, "level:2"},
                {40 * KIB, true, "transition"},     {4 * MIB, true, "memory"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fill_line(points, 14, rows[i].warm ? 0 : 300e-9, 30e9);
        points[0].bytes_per_s *= rows[i].warm ? 4 : 1;
        points[1].bytes_per_s *= rows[i].warm ? 4 : 1;
        points[2].bytes_per_s *= rows[i].warm ? 4 : 1;
        curve.warm = rows[i].warm;
        assert_int_equal(ridge_curve_ceiling_at(&curve, rows[i].bytes, &ceiling, NULL), RIDGE_OK);
        assert_string_equal(ceiling.regime, rows[i].regime);
        assert_false(ceiling.extrapolated);
    }
    /* The last two octaves are flat: their median; else the last point, and that is said. */
    curve.warm = false;
    points[13].best_bytes_per_s *= 1.05;
    points[12].flags = 1U << RIDGE_POINT_WIDE;
    assert_int_equal(ridge_curve_ceiling_at(&curve, 1024 * MIB, &ceiling, NULL), RIDGE_OK);
    assert_close(ceiling.bytes_per_s, points[12].best_bytes_per_s, 1e-12, 0);
    assert_int_equal(ceiling.flags, 1U << RIDGE_POINT_WIDE);
    /* The interval is that of the typical rate: of all those points, too. */
    points[13].bytes_per_s *= 1.08;
    points[13].ci95 = (struct ridge_interval){points[13].bytes_per_s * 0.99, points[13].bytes_per_s * 1.01};
    assert_int_equal(ridge_curve_ceiling_at(&curve, 1024 * MIB, &ceiling, NULL), RIDGE_OK);
    assert_close(ceiling.typical_bytes_per_s, points[12].bytes_per_s, 1e-12, 0);
    assert_true(ceiling.ci95.low < ceiling.typical_bytes_per_s && ceiling.ci95.high > ceiling.typical_bytes_per_s);
    points[11].ci95 = (struct ridge_interval){(double)NAN, (double)NAN};
    assert_int_equal(ridge_curve_ceiling_at(&curve, 1024 * MIB, &ceiling, NULL), RIDGE_OK);
    assert_true(isnan(ceiling.ci95.low) && isnan(ceiling.ci95.high));
    curve.point_count = 4;
    fill_line(points, 4, 3e-6, 30e9);
    assert_int_equal(ridge_curve_ceiling_at(&curve, MIB, &ceiling, NULL), RIDGE_OK);
    assert_true(ceiling.extrapolated);
    assert_close(ceiling.bytes_per_s, points[3].best_bytes_per_s, 1e-12, 0);
    points[0].flags = 1U << RIDGE_POINT_CONTENDED;
    points[1].flags = 1U << RIDGE_POINT_WIDE;
    assert_int_equal(ridge_curve_ceiling_at(&curve, 12 * KIB, &ceiling, NULL), RIDGE_OK);
    assert_int_equal(ceiling.flags, 1U << RIDGE_POINT_CONTENDED | 1U << RIDGE_POINT_WIDE);
}

/** Neighbours that go the wrong way share their mean; what goes the right way stays. */
static void test_envelope(void **state)
{
    (void)state;
    static const double cold[] = {1, 3, 2, 4, 3, 2, 9};
    static const double cold_right[] = {1, 2.5, 2.5, 3, 3, 3, 9};
    static const double warm[] = {9, 5, 7, 6, 1};
    static const double warm_right[] = {9, 6, 6, 6, 1};
    struct ridge_curve_point points[7];
    double rates[7];
    struct ridge_curve curve = {.points = points, .point_count = 7};
    for (size_t i = 0; i < 7; i++) {
        points[i] = (struct ridge_curve_point){.bytes = i + 1, .bytes_per_s = cold[i]};
    }
    ridge_curve_envelope(&curve, rates);
    for (size_t i = 0; i < 7; i++) {
        assert_close(rates[i], cold_right[i], 1e-12, 0);
    }
    for (size_t i = 0; i < 5; i++) {
        points[i].bytes_per_s = warm[i];
    }
    curve.warm = true;
    curve.point_count = 5;
    ridge_curve_envelope(&curve, rates);
    for (size_t i = 0; i < 5; i++) {
        assert_close(rates[i], warm_right[i], 1e-12, 0);
    }
}

/** Across an edge of a warm curve the lower rate counts; elsewhere the rate goes over smoothly. */
static void test_ceiling_warm(void **state)
{
    (void)state;
    static const struct ridge_curve_point points[] = {{.bytes = 16 * KIB, .bytes_per_s = 400, .best_bytes_per_s = 420},
                                                      {.bytes = 32 * KIB, .bytes_per_s = 380, .best_bytes_per_s = 400},
                                                      {.bytes = 64 * KIB, .bytes_per_s = 160, .best_bytes_per_s = 170}};
    static const struct ridge_curve_level levels[] = {{.name = "L1", .bytes = 48 * KIB}, {.name = "memory"}};
    const struct ridge_curve curve = {
        .points = points, .point_count = 3, .warm = true, .levels = levels, .level_count = 2};
    struct ridge_ceiling ceiling;
    assert_int_equal(ridge_curve_ceiling_at(&curve, 40 * KIB, &ceiling, NULL), RIDGE_OK);
    assert_int_equal(ceiling.place, RIDGE_CEILING_KNEE);
    assert_true(ceiling.bytes_per_s == 170 && ceiling.typical_bytes_per_s == 160);
    assert_string_equal(ceiling.level, "L1");
    assert_int_equal(ridge_curve_ceiling_at(&curve, 23170, &ceiling, NULL), RIDGE_OK);
    assert_close(ceiling.bytes_per_s, sqrt(420.0 * 400), 1e-4, 0);
    assert_int_equal(ridge_curve_ceiling_at(&curve, 1000, &ceiling, NULL), RIDGE_OK);
    assert_true(ceiling.place == RIDGE_CEILING_BELOW && ceiling.bytes_per_s == 420);
    assert_int_equal(ridge_curve_ceiling_at(&curve, MIB, &ceiling, NULL), RIDGE_OK);
    assert_true(ceiling.place == RIDGE_CEILING_ABOVE && ceiling.bytes_per_s == 170);
    assert_string_equal(ceiling.level, "memory");
}

/** Every window is visited before one comes again, and neighbours in time are far apart in the pool. */
static void test_windows(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 8, 100, 1000, 4096, 65536, 65537};
    unsigned char *seen = calloc(65537, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct rg_window_plan plan;
        assert_true(rg_window_plan(RIDGE_ACCESS_READ, counts[i] * 8192, 8192, &plan));
        assert_int_equal(plan.count, counts[i]);
        memset(seen, 0, counts[i]);
        for (uint64_t pass = 0; pass < counts[i]; pass++) {
            const uint64_t window = rg_window_at(&plan, pass + 77);
            const uint64_t next = rg_window_at(&plan, pass + 78);
            const uint64_t apart = window > next ? window - next : next - window;
            assert_true(window < plan.count && seen[window] == 0);
            assert_true(counts[i] < 100 || (apart > counts[i] / 4 && apart < counts[i] * 3 / 4));
            seen[window] = 1;
        }
        assert_int_equal(plan.reuse_bytes, counts[i] * 8192);
    }
    free(seen);
}

/** A copy splits its bytes over two buffers, a triad over three; whole lines are moved, and said. */
static void test_window_bytes(void **state)
{
    (void)state;
    struct rg_window_plan plan;
    assert_true(rg_window_plan(RIDGE_ACCESS_COPY, MIB, 8192, &plan));
    assert_true(plan.buffers == 2 && plan.window_bytes == 4096 && plan.pass_bytes == 8192);
    assert_int_equal(plan.reuse_bytes, MIB);
    assert_true(rg_window_plan(RIDGE_ACCESS_TRIAD, 3 * MIB, 8192, &plan));
    assert_true(plan.buffers == 3 && plan.window_bytes == 2688 && plan.pass_bytes == 8064);
    assert_true(rg_window_plan(RIDGE_ACCESS_READ, MIB, 10, &plan));
    assert_int_equal(plan.pass_bytes, 64);
    assert_true(rg_window_plan(RIDGE_ACCESS_READ, MIB, MIB, &plan) && plan.count == 1);
    assert_false(rg_window_plan(RIDGE_ACCESS_READ, MIB, 2 * MIB, &plan));
    assert_false(rg_window_plan(RIDGE_ACCESS_READ, MIB, 0, &plan));
    /* A pass number near the end of its range does not overflow. */
    assert_true(rg_window_plan(RIDGE_ACCESS_READ, UINT64_C(1) << 40, 64, &plan));
    assert_true(rg_window_at(&plan, UINT64_MAX) < plan.count);
}

/** Warm reads of 8 KiB to 1 GiB in GB/s. Source: reference/curve.md tables 2.3 and 2.4. */
static const double one_thread[] = {340,  377,  386,  154,  163,  163,  212,  124,  100,
                                    96.5, 93.5, 86.9, 60.1, 51.1, 37.9, 35.5, 34.5, 36.1};
static const double two_threads[] = {621, 684, 712, 770, 294, 308,  314,  402,  212,
                                     189, 197, 171, 164, 100, 74.7, 69.7, 70.8, 70.2};

static size_t powers(const double *rates, size_t count, struct ridge_curve_point *points)
{
    for (size_t i = 0; i < count; i++) {
        points[i] = (struct ridge_curve_point){.bytes = 8 * KIB << i, .bytes_per_s = rates[i] * 1e9};
        points[i].ci95 = (struct ridge_interval){rates[i] * 0.95e9, rates[i] * 1.05e9};
    }
    return count;
}

/** The shape that the facts call hard: L1 ends in (40, 64) KiB, L2 in (0.5, 1.5) MiB, L3 in (8, 64) MiB. */
static void test_levels_of_the_reference(void **state)
{
    (void)state;
    struct ridge_curve_point points[18];
    struct rg_plateau plateaus[RG_LEVELS_MOST];
    const size_t count = powers(one_thread, 18, points);
    assert_int_equal(rg_plateaus(points, count, plateaus), 4);
    assert_in_range(plateaus[0].capacity_bytes, 40 * KIB, 64 * KIB);
    assert_in_range(plateaus[1].capacity_bytes, MIB / 2, 3 * MIB / 2);
    assert_in_range(plateaus[2].capacity_bytes, 8 * MIB, 64 * MIB);
    assert_int_equal(plateaus[3].capacity_bytes, 0);
    assert_close(plateaus[0].bytes_per_s, 377e9, 0.1, 0);
    assert_close(plateaus[1].bytes_per_s, 163e9, 0.1, 0);
    assert_close(plateaus[2].bytes_per_s, 95e9, 0.1, 0);
    assert_close(plateaus[3].bytes_per_s, 35.5e9, 0.1, 0);
    assert_true(rg_is_memory(points, &plateaus[3], 1024 * MIB));
    assert_false(rg_is_memory(points, &plateaus[3], 256 * MIB));
    assert_string_equal(rg_level_name(0, 4, true), "L1");
    assert_string_equal(rg_level_name(2, 4, true), "L3");
    assert_string_equal(rg_level_name(3, 4, true), "memory");
    assert_string_equal(rg_level_name(3, 4, false), "outermost");
    const size_t again = powers(two_threads, 18, points);
    assert_int_equal(rg_plateaus(points, again, plateaus), 4);
    assert_in_range(plateaus[0].capacity_bytes, 64 * KIB, 128 * KIB);
    assert_in_range(plateaus[1].capacity_bytes, MIB, 2 * MIB);
    assert_in_range(plateaus[2].capacity_bytes, 16 * MIB, 128 * MIB);
}

/** Caches whose rates are close are told apart when the intervals are narrow, and not when they are wide. */
static void test_levels_that_are_close(void **state)
{
    (void)state;
    static const double rates[] = {200, 200, 200, 117, 117, 117, 117, 116, 99, 99, 99, 98, 45, 30, 30, 30, 30};
    struct ridge_curve_point points[17];
    struct rg_plateau plateaus[RG_LEVELS_MOST];
    const size_t count = powers(rates, 17, points);
    for (size_t i = 0; i < count; i++) {
        points[i].ci95 = (struct ridge_interval){points[i].bytes_per_s * 0.98, points[i].bytes_per_s * 1.02};
    }
    assert_int_equal(rg_plateaus(points, count, plateaus), 4);
    assert_in_range(plateaus[1].capacity_bytes, MIB, 2 * MIB);
    for (size_t i = 0; i < count; i++) {
        points[i].ci95 = (struct ridge_interval){points[i].bytes_per_s * 0.8, points[i].bytes_per_s * 1.2};
    }
    assert_int_equal(rg_plateaus(points, count, plateaus), 3);
}

/** A curve that only falls has no plateau, a flat one has one, and nothing has none. */
static void test_levels_of_odd_curves(void **state)
{
    (void)state;
    struct ridge_curve_point points[12];
    struct rg_plateau plateaus[RG_LEVELS_MOST];
    double rates[12];
    for (size_t i = 0; i < 12; i++) {
        rates[i] = 1000 / pow(1.4, (double)i);
    }
    assert_int_equal(rg_plateaus(points, powers(rates, 12, points), plateaus), 0);
    for (size_t i = 0; i < 12; i++) {
        rates[i] = 100 + (double)(i % 2);
    }
    assert_int_equal(rg_plateaus(points, powers(rates, 12, points), plateaus), 1);
    assert_true(plateaus[0].first == 0 && plateaus[0].last == 11);
    assert_int_equal(rg_plateaus(points, 0, plateaus), 0);
    assert_int_equal(rg_plateaus(points, 1, plateaus), 0);
}

static void test_size_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } right[] = {{"8192", 8192},
                 {"8KiB", 8192},
                 {"8 KiB", 8192},
                 {"8k", 8192},
                 {"8K", 8192},
                 {"8kib", 8192},
                 {"3MiB", 3 * MIB},
                 {"3M", 3 * MIB},
                 {"1GiB", 1024 * MIB},
                 {"2G", 2048 * MIB},
                 {"1TiB", 1024 * 1024 * MIB},
                 {"1PiB", UINT64_C(1) << 50},
                 {"7 EiB", UINT64_C(7) << 60},
                 {"1kB", 1000},
                 {"1KB", 1000},
                 {"1.5GB", 1500000000},
                 {"1.1MB", 1100000},
                 {"0.5MiB", MIB / 2},
                 {"100 B", 100},
                 {"100b", 100},
                 {"1e6", 1000000}};
    static const char *const wrong[] = {"",       "KiB", "8Kib2", "x",    "-8KiB", "0",       "0.4",           "1.5",
                                        "8 KiBs", "inf", "nan",   "8EiB", "1e30",  "8..2KiB", "99999999999TiB"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        uint64_t bytes = 0;
        struct ridge_error error = {0};
        assert_ok(ridge_size_parse(right[i].text, &bytes, &error), &error);
        assert_int_equal(bytes, right[i].bytes);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint64_t bytes = 7;
        struct ridge_error error = {0};
        assert_int_equal(ridge_size_parse(wrong[i], &bytes, &error), RIDGE_E_VALUE);
        assert_true(bytes == 7 && strstr(error.message, "write it like 64KiB"));
    }
}

static void test_size_format(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } vectors[] = {{1, "1 B"},         {1023, "1023 B"},     {1024, "1 KiB"},       {1536, "1.5 KiB"},
                   {3 * MIB, "3 MiB"}, {47185920, "45 MiB"}, {1024 * MIB, "1 GiB"}, {MIB + MIB / 3, "1.3 MiB"}};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        char text[RIDGE_NUMBER_BYTES];
        ridge_size_format(vectors[i].bytes, text);
        assert_string_equal(text, vectors[i].text);
    }
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(ridge_access_word(RIDGE_ACCESS_STREAMING_WRITE), "streaming-write");
    assert_string_equal(ridge_discipline_word(RIDGE_DISCIPLINE_ONESHOT), "oneshot");
    assert_string_equal(ridge_access_word((ridge_access)99), "?");
    assert_string_equal(ridge_discipline_word((ridge_discipline)99), "?");
    assert_string_equal(ridge_ceiling_place_word((ridge_ceiling_place)99), "?");
    assert_string_equal(ridge_ceiling_place_word(RIDGE_CEILING_KNEE), "at an edge");
    assert_ptr_equal(rg_probe_find("host"), &rg_probe_host);
    assert_null(rg_probe_find("hos"));
    assert_null(rg_probe_find("nothing:0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep_size),
        cmocka_unit_test(test_sweep_sizes),
        cmocka_unit_test(test_points_clean),
        cmocka_unit_test(test_ceiling_published),
        cmocka_unit_test(test_ceiling_cold),
        cmocka_unit_test(test_ceiling_warm),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_ceiling_below),
        cmocka_unit_test(test_regimes),
        cmocka_unit_test(test_envelope),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_window_bytes),
        cmocka_unit_test(test_levels_of_the_reference),
        cmocka_unit_test(test_levels_that_are_close),
        cmocka_unit_test(test_levels_of_odd_curves),
        cmocka_unit_test(test_size_parse),
        cmocka_unit_test(test_size_format),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
