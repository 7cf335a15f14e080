/* SPDX-License-Identifier: MIT */
/** \file curve: the sweep on bad days of an invented machine, and what is then said of points. */
#include "curve_machine.h"

/** The machine is half as fast for a while: those points are measured again, and the answer is that of the fast one. */
static void test_a_machine_that_moves(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {0};
    struct ridge_curve_set *set = sweep(context, &request);
    const uint64_t jobs = machine.jobs;
    ridge_curve_set_destroy(set);
    machine_reset(NULL);
    machine.slow_from = jobs / 2;
    machine.slow_to = jobs / 2 + jobs / 5;
    set = sweep(context, &request);
    const struct ridge_curve *curve = &set->curves[0];
    assert_string_equal(curve->sentinels, "moved");
    assert_true(has_note(curve, "the machine moved: "));
    for (size_t i = 0; i < curve->point_count; i++) {
        const double right = (double)curve->points[i].bytes / (300e-9 + (double)curve->points[i].bytes / 30e9);
        assert_close(curve->points[i].bytes_per_s, right, 0.02, 0);
    }
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

static void test_a_point_that_fails(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {0};
    machine.fail_bytes = 128 * KIB;
    struct ridge_curve_set *set = sweep(context, &request);
    assert_int_equal(set->curves[0].point_count, 17);
    assert_null(point_at(&set->curves[0], 128 * KIB));
    assert_true(has_note(&set->curves[0], "read of 131072 bytes (stream) failed and is left out: the invented device"));
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** BP-101 and its kin: times that are none are thrown away and counted. */
static void test_a_clock_that_steps(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {0};
    machine.clock_steps = true;
    struct ridge_curve_set *set = sweep(context, &request);
    assert_int_equal(set->curves[0].point_count, 18);
    assert_close(set->curves[0].points[17].bytes_per_s, 30e9, 0.02, 0);
    assert_true(has_note(&set->curves[0], "the clock steps"));
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

static void test_faults_in_every_sample(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 64 * KIB};
    struct ridge_curve_set *set = NULL;
    struct ridge_error error = {0};
    machine.all_fault = true;
    machine.jobs = 2000;
    assert_int_equal(rg_sweep_run(context, &request, &fake, &set, &error), RIDGE_E_MEASURE);
    assert_non_null(strstr(error.message, "no point could be measured"));
    assert_non_null(strstr(error.message, "page faults"));
    ridge_context_destroy(context);
}

/** BP-107: contention is said, with what it does to the answer. */
static void test_a_busy_machine(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = MIB};
    machine.busy_of_ten = 10;
    machine.noise = 1.5;
    struct ridge_curve_set *set = sweep(context, &request);
    assert_true(has_note(&set->curves[0], "the machine is busy: in 100 % of the samples"));
    assert_true(has_note(&set->curves[0], "(steal 100 %)"));
    assert_true(has_note(&set->curves[0], "not converged: "));
    for (size_t i = 0; i < set->curves[0].point_count; i++) {
        assert_true(has_flag(&set->curves[0].points[i], RIDGE_POINT_CONTENDED));
        assert_true(has_flag(&set->curves[0].points[i], RIDGE_POINT_WIDE));
    }
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** Samples that were disturbed do not count while they are the fewer, whatever took the processors away. */
static void test_a_machine_that_is_sometimes_busy(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 16 * MIB};
    machine.busy_of_ten = 2;
    struct ridge_curve_set *set = sweep(context, &request);
    check_rates(&set->curves[0], 0.01);
    assert_true(has_note(&set->curves[0], "the machine is busy: in "));
    assert_true(has_note(&set->curves[0], "those are left out (measure again"));
    assert_false(has_flag(&set->curves[0].points[3], RIDGE_POINT_CONTENDED));
    ridge_curve_set_destroy(set);
    /* When they are most, all of them count, and that is said. */
    machine_reset(NULL);
    machine.busy_of_ten = 8;
    set = sweep(context, &request);
    size_t contended = 0;
    for (size_t i = 0; i < set->curves[0].point_count; i++) {
        contended += has_flag(&set->curves[0].points[i], RIDGE_POINT_CONTENDED) ? 1 : 0;
    }
    assert_true(contended > set->curves[0].point_count / 2);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** A clock that falls from beginning to end is called so; nothing is thrown away for it. */
static void test_a_machine_that_heats_up(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 16 * MIB};
    struct ridge_curve_set *set = sweep(context, &request);
    const uint64_t jobs = machine.jobs;
    assert_string_equal(set->curves[0].sentinels, "steady");
    ridge_curve_set_destroy(set);
    machine_reset(NULL);
    machine.cooling_jobs = (double)jobs;
    set = sweep(context, &request);
    assert_string_equal(set->curves[0].sentinels, "throttle");
    assert_true(has_note(&set->curves[0], "throttle: the clock fell from beginning to end"));
    check_rates(&set->curves[0], 0.01);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** Points beside sentinels that moved are measured again three times, and then stand as they are. */
static void test_a_machine_that_never_rests(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 16 * MIB};
    struct ridge_curve_set *set = sweep(context, &request);
    const uint64_t jobs = machine.jobs;
    ridge_curve_set_destroy(set);
    machine_reset(NULL);
    machine.restless = true;
    set = sweep(context, &request);
    assert_string_equal(set->curves[0].sentinels, "moved");
    assert_true(machine.jobs > jobs * 5 / 4 && machine.jobs < jobs * 2); /* nine rounds instead of six */
    for (size_t i = 0; i < set->curves[0].point_count; i++) {
        assert_true(set->curves[0].points[i].n <= (uint64_t)(6 + 3) * 5);
    }
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** A clock with steps of 15 ms: samples become long enough, and the curve is right. */
static void test_a_coarse_clock(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 64 * MIB};
    machine.clock_step_s = 15e-3;
    struct ridge_curve_set *set = sweep(context, &request);
    check_rates(&set->curves[0], 0.03);
    assert_true(has_note(&set->curves[0], "the clock has steps of 15 ms"));
    ridge_curve_set_destroy(set);
    /* One that is fine enough changes nothing but the length of the samples. */
    machine_reset(NULL);
    machine.clock_step_s = 1e-5;
    set = sweep(context, &request);
    check_rates(&set->curves[0], 0.01);
    assert_int_equal(set->curves[0].note_count, 0);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** Small cold sizes that are faster than memory were in a cache, as when every sample begins again at window 0. */
static void test_windows_that_are_still_warm(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {0};
    struct ridge_curve_set *set = sweep(context, &request);
    for (size_t i = 0; i < set->curves[0].point_count; i++) {
        assert_false(has_flag(&set->curves[0].points[i], RIDGE_POINT_WARM_SUSPECT));
    }
    ridge_curve_set_destroy(set);
    machine_reset(NULL);
    machine.restarts = true;
    set = sweep(context, &request);
    assert_true(has_flag(point_at(&set->curves[0], 8 * KIB), RIDGE_POINT_WARM_SUSPECT));
    assert_true(has_flag(point_at(&set->curves[0], 64 * KIB), RIDGE_POINT_WARM_SUSPECT));
    assert_false(has_flag(point_at(&set->curves[0], 128 * KIB), RIDGE_POINT_WARM_SUSPECT));
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** A cold rate that falls with the size: always there it is the machine's, while the machine moves it is not. */
static void test_steps_that_go_the_wrong_way(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.disciplines = 1U << RIDGE_DISCIPLINE_STREAM, .max_bytes = 16 * MIB};
    machine.dip_bytes = MIB;
    struct ridge_curve_set *set = sweep(context, &request);
    for (size_t i = 0; i < set->curves[0].point_count; i++) {
        const struct ridge_curve_point *point = &set->curves[0].points[i];
        assert_int_equal(has_flag(point, RIDGE_POINT_STEP_STRUCTURAL), point->bytes == MIB);
        assert_false(has_flag(point, RIDGE_POINT_STEP_CONTENTION));
    }
    const struct ridge_curve_point *dip = point_at(&set->curves[0], MIB);
    assert_close(dip ? dip->bytes_per_s : 0, (double)MIB / 1.5 / (300e-9 + (double)MIB / 30e9), 0.01,
                 0); /* kept as it is */
    ridge_curve_set_destroy(set);
    machine_reset(NULL);
    machine.dip_bytes = MIB;
    machine.restless = true;
    set = sweep(context, &request);
    assert_true(has_flag(point_at(&set->curves[0], MIB), RIDGE_POINT_STEP_CONTENTION));
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** One point of six rounds with five times each, all of a round alike. */
static void fill_rounds(struct rg_item *item, uint64_t bytes, const double seconds[6])
{
    *item = (struct rg_item){.job = {.bytes = bytes, .passes = 1}, .time_count = 30};
    for (size_t i = 0; i < 30; i++) {
        item->times[i] =
            (struct rg_pass_time){.seconds = seconds[i / 5], .bytes = (double)bytes, .round = (unsigned)i / 5};
    }
}

/** A step that the intervals do not bear out is noise. */
static void test_a_step_that_is_noise(void **state)
{
    (void)state;
    static const double low_s[6] = {1, 1, 1.04, 1, 1, 1};
    static const double high_s[6] = {2.2, 2.2, 2.04, 2.2, 2.2, 2.2};
    static struct rg_item items[2];
    static struct rg_sentinel sentinels[2];
    struct ridge_curve_point points[2];
    struct rg_sweep sweep = {.items = items, .item_count = 2, .sentinels = sentinels, .sentinel_count = 2};
    sweep.facts.pool_bytes = 1024 * MIB;
    fill_rounds(&items[0], MIB, low_s);
    fill_rounds(&items[1], 2 * MIB, high_s);
    assert_true(rg_item_point(&sweep, &items[0], &points[0]) && rg_item_point(&sweep, &items[1], &points[1]));
    rg_sweep_flags(&sweep, RG_ROLE_MAIN, points, 2);
    assert_true(has_flag(&points[1], RIDGE_POINT_STEP_NOISE));
    assert_false(has_flag(&points[1], RIDGE_POINT_STEP_STRUCTURAL));
    assert_false(has_flag(&points[0], RIDGE_POINT_STEP_NOISE));
}

/** A pool that is too small for the caches is said, and so is a pool smaller than the working set. */
static void test_a_small_pool(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 64 * MIB};
    machine.facts.pool_bytes = 32 * MIB;
    snprintf(machine.facts.notes[machine.facts.note_count++], RG_PROBE_TEXT_BYTES, "less memory");
    struct ridge_curve_set *set = sweep(context, &request);
    assert_true(has_note(&set->curves[0], "less than three times the caches"));
    assert_true(has_note(&set->curves[0], "less memory"));
    assert_int_equal(set->curves[0].reuse_bytes, 32 * MIB);
    assert_true(has_flag(point_at(&set->curves[0], 32 * MIB), RIDGE_POINT_POOL_LIMITED));
    assert_false(has_flag(point_at(&set->curves[0], 16 * MIB), RIDGE_POINT_POOL_LIMITED));
    assert_true(has_flag(point_at(&set->curves[0], 16 * MIB), RIDGE_POINT_WARM_SUSPECT)); /* the reuse distance */
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        machine_test(test_a_machine_that_moves),
        machine_test(test_a_point_that_fails),
        machine_test(test_a_clock_that_steps),
        machine_test(test_faults_in_every_sample),
        machine_test(test_a_busy_machine),
        machine_test(test_a_machine_that_is_sometimes_busy),
        machine_test(test_a_machine_that_heats_up),
        machine_test(test_a_machine_that_never_rests),
        machine_test(test_a_coarse_clock),
        machine_test(test_windows_that_are_still_warm),
        machine_test(test_steps_that_go_the_wrong_way),
        machine_test(test_a_step_that_is_noise),
        machine_test(test_a_small_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
