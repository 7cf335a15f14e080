/* SPDX-License-Identifier: MIT */
/** \file curve: the sweep against an invented machine: what is measured, with what, and what ends it. */
#include "curve_machine.h"

/** BP-097: each size has its level, and the figure of memory comes from the largest sizes only. */
static void test_a_steady_machine(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.seed = 3};
    struct ridge_curve_set *set = sweep(context, &request);
    const struct ridge_curve *curve = &set->curves[0];
    assert_int_equal(set->count, 4); /* stream, launch, oneshot, warm */
    assert_int_equal(curve->point_count, 18);
    assert_true(curve->points[0].bytes == 8 * KIB && curve->points[17].bytes == 1024 * MIB);
    for (size_t i = 0; i < curve->point_count; i++) {
        const struct ridge_curve_point *point = &curve->points[i];
        const double right = (double)point->bytes / (300e-9 + (double)point->bytes / 30e9);
        assert_close(point->bytes_per_s, right, 0.01, 0);
        assert_true(point->ci95.low <= point->bytes_per_s && point->bytes_per_s <= point->ci95.high);
        assert_true(point->best_bytes_per_s >= point->bytes_per_s);
        assert_true(point->n >= 6);
    }
    assert_true(machine.continued);
    assert_string_equal(curve->sentinels, "steady");
    assert_int_equal(curve->note_count, 0);
    assert_close(curve->clock_hz, 3e9, 1e-9, 0);
    /* The levels come from the warm curve, with its rates; memory has the curve's own. */
    assert_int_equal(curve->level_count, 4);
    assert_string_equal(curve->levels[0].name, "L1");
    assert_in_range(curve->levels[0].bytes, 40 * KIB, 56 * KIB);
    assert_in_range(curve->levels[1].bytes, 900 * KIB, 1300 * KIB);
    assert_in_range(curve->levels[2].bytes, 14 * MIB, 20 * MIB);
    assert_close(curve->levels[1].bytes_per_s, 200e9, 0.02, 0);
    assert_string_equal(curve->levels[3].name, "memory");
    assert_close(curve->levels[3].bytes_per_s, 30e9, 0.02, 0);
    assert_string_equal(ridge_curve_level_of(curve, 64 * KIB)->name, "L2");
    /* The disciplines beside it end at 4 MiB; the warm one has points inside the octaves with an edge. */
    assert_int_equal(set->curves[2].discipline, RIDGE_DISCIPLINE_ONESHOT);
    assert_int_equal(set->curves[2].points[set->curves[2].point_count - 1].bytes, 4 * MIB);
    assert_close(set->curves[2].points[0].bytes_per_s, 8192 / (20e-6 + 300e-9 + 8192 / 30e9), 0.02, 0);
    assert_true(set->curves[3].warm && set->curves[3].point_count > 18);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** For a write the edges come from a warm read, and the rates from the warm write. */
static void test_a_write(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.access = RIDGE_ACCESS_WRITE};
    struct ridge_curve_set *set = sweep(context, &request);
    assert_int_equal(set->count, 4);
    for (size_t i = 0; i < set->count; i++) {
        assert_int_equal(set->curves[i].access, RIDGE_ACCESS_WRITE);
    }
    assert_int_equal(set->curves[0].level_count, 4);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

static void test_the_published_sweep(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.published = true, .max_bytes = 100 * MIB};
    struct ridge_curve_set *set = sweep(context, &request);
    assert_true(set->count == 1 && set->curves[0].published);
    assert_int_equal(set->curves[0].points[set->curves[0].point_count - 1].bytes, 64 * MIB);
    assert_int_equal(set->curves[0].level_count, 0);
    assert_true(set->curves[0].pool_bytes >= 512 * MIB);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** A cap below 8 KiB is a curve of one point. */
static void test_a_small_cap(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 1000, .disciplines = 1U << RIDGE_DISCIPLINE_STREAM};
    struct ridge_curve_set *set = sweep(context, &request);
    assert_int_equal(set->curves[0].point_count, 1);
    assert_int_equal(set->curves[0].points[0].bytes, 1000);
    ridge_curve_set_destroy(set);
    /* A curve that ends inside the first cache does not take it for memory. */
    const struct ridge_curve_request inside = {.max_bytes = 32 * KIB};
    set = sweep(context, &inside);
    assert_int_equal(set->curves[0].level_count, 1);
    assert_string_equal(set->curves[0].levels[0].name, "outermost");
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** All workers, half of them, ...: the best number is kept, said, and used; what is asked for is not tried. */
static void test_how_many_threads(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_curve_request request = {.max_bytes = MIB};
    machine.facts.threads = 16;
    machine.kept_threads = 4;
    struct ridge_curve_set *set = sweep(context, &request);
    const struct ridge_curve *curve = &set->curves[0];
    assert_int_equal(machine.opened, 2);
    assert_int_equal(curve->threads, 4);
    assert_int_equal(curve->trial_count, 5);
    assert_true(curve->trials[0].threads == 16 && curve->trials[4].threads == 1);
    assert_true(curve->trials[2].threads == 4);
    assert_close(curve->trials[2].bytes_per_s, 30e9, 0.02, 0);
    assert_close(curve->trials[0].bytes_per_s, 20e9, 0.02, 0);
    assert_int_equal(curve->trial_bytes, 64 * MIB);
    assert_close(curve->points[curve->point_count - 1].bytes_per_s, (double)MIB / (300e-9 + (double)MIB / 30e9), 0.02,
                 0);
    ridge_curve_set_destroy(set);
    /* Fewer that are no faster are not taken, and the device stays open. */
    machine_reset(NULL);
    set = sweep(context, &request);
    assert_true(set->curves[0].threads == 2 && set->curves[0].trial_count == 2 && machine.opened == 1);
    ridge_curve_set_destroy(set);
    machine_reset(NULL);
    machine.kept_threads = 1;
    request.threads = 2;
    set = sweep(context, &request);
    assert_true(set->curves[0].threads == 2 && set->curves[0].trial_count == 0 && set->curves[0].trial_bytes == 0);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** Caches that turn out larger than the pool was made for get a larger one. */
static void test_large_caches(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {0};
    struct ridge_curve_set *set = sweep(context, &request);
    assert_int_equal(machine.opened, 1);
    ridge_curve_set_destroy(set);
    third_cache = 0x1p28;
    set = sweep(context, &request);
    assert_int_equal(machine.opened, 3);
    assert_true(set->curves[0].pool_bytes > 2000 * MIB);
    assert_int_equal(set->curves[0].note_count, 0);
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

/** A device that only knows single launches has a curve of those. */
static void test_a_device_that_can_do_little(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_curve_request request = {0};
    struct ridge_error error = {0};
    struct ridge_curve_set *set = NULL;
    machine.facts.disciplines = 1U << RIDGE_DISCIPLINE_ONESHOT;
    set = sweep(context, &request);
    assert_int_equal(set->count, 1);
    assert_int_equal(set->curves[0].discipline, RIDGE_DISCIPLINE_ONESHOT);
    assert_int_equal(set->curves[0].level_count, 0);
    ridge_curve_set_destroy(set);
    request.disciplines = 1U << RIDGE_DISCIPLINE_STREAM;
    assert_int_equal(rg_sweep_run(context, &request, &fake, &set, &error), RIDGE_E_ARGUMENT);
    machine.facts.accesses = 1U << RIDGE_ACCESS_READ;
    request = (struct ridge_curve_request){.access = RIDGE_ACCESS_STREAMING_WRITE};
    assert_int_equal(rg_sweep_run(context, &request, &fake, &set, &error), RIDGE_E_ARGUMENT);
    ridge_context_destroy(context);
}

static void test_a_probe_that_is_wrong(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_curve_request request = {0};
    struct ridge_curve_set *set = NULL;
    machine.verify_fails = true;
    assert_int_equal(rg_sweep_run(context, &request, &fake, &set, NULL), RIDGE_E_MEASURE);
    request.max_seconds = -1;
    assert_int_equal(rg_sweep_run(context, &request, &fake, &set, NULL), RIDGE_E_ARGUMENT);
    request = (struct ridge_curve_request){.max_bytes = UINT64_MAX};
    assert_int_equal(rg_sweep_run(context, &request, &fake, &set, NULL), RIDGE_E_ARGUMENT);
    request = (struct ridge_curve_request){.device = "nothing"};
    assert_int_equal(ridge_curve_measure(context, &request, &set, NULL), RIDGE_E_UNAVAILABLE);
    ridge_context_destroy(context);
}

/** A person who stops after so many jobs. */
static bool go_on(void *user, double done)
{
    const uint64_t *most_jobs = user;
    assert_true(done >= 0 && done <= 1);
    return machine.jobs < *most_jobs;
}

/** Stopped at any moment, no job more is run, and what was measured is handed over. */
static void test_stopping(void **state)
{
    struct ridge_context *context = test_context();
    size_t partial = 0;
    size_t nothing = 0;
    for (uint64_t most = 0; most < 2000; most = most * 5 / 4 + 1) {
        const struct ridge_curve_request request = {.progress = go_on, .user = &most};
        struct ridge_curve_set *set = NULL;
        struct ridge_error error = {0};
        machine_reset(state);
        const ridge_status status = rg_sweep_run(context, &request, &fake, &set, &error);
        assert_int_equal(machine.jobs, most);
        if (status == RIDGE_OK) {
            assert_true(set->curves[0].stopped && has_note(&set->curves[0], "incomplete: stopped by the person"));
            assert_true(set->curves[0].point_count > 0);
            partial++;
        } else {
            assert_int_equal(status, RIDGE_E_EMPTY);
            assert_string_equal(error.message, "stopped before anything was measured");
            nothing++;
        }
        ridge_curve_set_destroy(set);
    }
    assert_true(partial > 0 && nothing > 0);
    ridge_curve_set_destroy(NULL);
    ridge_context_destroy(context);
}

/** Threads are tried within the time that there is: one sample of each number where it is over by then. */
static void test_trials_end_with_the_time(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request slow = {.max_bytes = 8 * KIB, .max_seconds = 1e-6};
    machine.job_ns = 1000;
    ridge_curve_set_destroy(sweep(context, &slow));
    assert_int_equal(machine.trial_jobs, 4); /* three to calibrate */
    machine_reset(state);
    const struct ridge_curve_request unhurried = {.max_bytes = 8 * KIB, .max_seconds = 1e6};
    const uint64_t rounds = 7;
    ridge_curve_set_destroy(sweep(context, &unhurried));
    assert_int_equal(machine.trial_jobs, 3 + rounds);
    ridge_context_destroy(context);
}

/** What a probe chose when it was opened first it is told when it is opened again. */
static void test_loops_are_chosen_once(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = 8 * KIB};
    machine.kept_threads = 1;
    ridge_curve_set_destroy(sweep(context, &request));
    assert_int_equal(machine.opened, 2);
    assert_int_equal(machine.loops, 7);
    ridge_context_destroy(context);
}

/** Working sets that no pool of this machine has room for are left out, and that is said once. */
static void test_more_than_the_memory(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct ridge_curve_request request = {.max_bytes = UINT64_C(1) << 40};
    machine.facts.pool_bytes = 32 * MIB;
    struct ridge_curve_set *set = sweep(context, &request);
    const struct ridge_curve *curve = &set->curves[0];
    assert_int_equal(curve->points[curve->point_count - 1].bytes, 32 * MIB);
    assert_true(has_note(curve, "no room for working sets above 32 MiB: they are left out"));
    assert_false(has_note(curve, "failed and is left out"));
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        machine_test(test_a_steady_machine),
        machine_test(test_a_write),
        machine_test(test_the_published_sweep),
        machine_test(test_a_small_cap),
        machine_test(test_how_many_threads),
        machine_test(test_large_caches),
        machine_test(test_a_device_that_can_do_little),
        machine_test(test_a_probe_that_is_wrong),
        machine_test(test_stopping),
        machine_test(test_trials_end_with_the_time),
        machine_test(test_loops_are_chosen_once),
        machine_test(test_more_than_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
