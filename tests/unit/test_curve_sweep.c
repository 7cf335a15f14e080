/* SPDX-License-Identifier: MIT */
/**
 * \file curve: the sweep against a probe that invents its times, so that every kind of machine is at hand: steady ones,
 * ones that move, clocks that step, points that fail, devices that can do little. Time is the probe's own.
 */
#include "rg_test.h"

#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "curve/sweep.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

/** What the invented machine does. */
static struct machine {
    struct rg_probe_facts facts;
    uint64_t jobs;
    unsigned opened;
    uint64_t slow_from, slow_to; /* jobs at half the rate */
    uint64_t fail_bytes;         /* working set that fails */
    bool clock_steps;            /* every third sample has no time or a negative one */
    bool all_fault;              /* page faults in every sample */
    unsigned busy_of_ten;        /* samples in ten that are disturbed, and take twice as long */
    unsigned kept_threads;       /* that are faster than all of them; 0: none are */
    unsigned threads_now;        /* 0: as many as were opened */
    double cooling_jobs;         /* over which the clock falls by a fifth; 0: it does not */
    double clock_step_s;         /* times are multiples of that */
    double now_s;                /* of the machine's own clock */
    bool restarts;               /* small cold windows are still in a cache */
    uint64_t dip_bytes;          /* cold working set that reads slower than its neighbours, always */
    bool disturbed;              /* the job at hand */
    bool restless;               /* a third of the sentinels find memory at half its rate */
    uint64_t far_jobs;
    bool verify_fails;
    bool reuse_ok;
    uint64_t next_first[64]; /* by log2 of the size: where the next job of a cold size must begin; 0: not seen yet */
    bool continued;          /* every job began where the last of its size ended */
    double noise;
    struct rg_rng rng;
} machine;

/** Bytes that the third cache of the invented machine holds. */
static double third_cache = 0x1p24;

/** L1 to 48 KiB, L2 to 1 MiB, L3 to 16 MiB, memory; cold: a fixed cost and the rate of memory. Bytes a second. */
static double warm_rate(double bytes)
{
    const struct {
        double bytes, rate;
    } levels[] = {{48 * 1024.0, 400e9}, {0x1p20, 200e9}, {third_cache, 100e9}, {(double)INFINITY, 30e9}};
    size_t i = 0;
    while (bytes > levels[i].bytes) {
        i++;
    }
    return levels[i].rate;
}

static ridge_status fake_open(const struct ridge_context *context, const struct rg_probe_request *request,
                              struct rg_probe_state **out, struct rg_probe_facts *facts, struct ridge_error *error)
{
    (void)context;
    (void)error;
    *facts = machine.facts;
    machine.opened++;
    if (facts->pool_bytes == 0) {
        facts->pool_bytes = request->pool_bytes;
    }
    facts->accesses &= request->accesses;
    facts->threads = request->threads > 0 ? request->threads : facts->threads;
    facts->clock_step_s = machine.clock_step_s;
    machine.threads_now = facts->threads;
    *out = NULL;
    return RIDGE_OK;
}

static void fake_close(struct rg_probe_state *state)
{
    (void)state;
}

static ridge_status fake_verify(struct rg_probe_state *state, ridge_access access, uint64_t bytes,
                                struct ridge_error *error)
{
    (void)state;
    (void)access;
    (void)bytes;
    (void)error;
    return machine.verify_fails ? RIDGE_E_MEASURE : RIDGE_OK;
}

/** The position must be carried from job to job: a size never begins again where it began before. */
static void check_position(const struct rg_probe_job *job)
{
    const unsigned slot = 63 - (unsigned)__builtin_clzll(job->bytes);
    if (job->warm || job->discipline != RIDGE_DISCIPLINE_STREAM || job->bytes == 64 * MIB) {
        return;
    }
    if (machine.next_first[slot] != 0 && job->first != machine.next_first[slot]) {
        machine.continued = false;
    }
    machine.next_first[slot] = job->first + job->passes;
}

/** What the machine of this test does to a job that would take so long. */
static double seconds_on_machine(const struct rg_probe_job *job, double seconds)
{
    const bool slow = machine.jobs >= machine.slow_from && machine.jobs < machine.slow_to;
    const bool far = job->bytes == 64 * MIB && !job->warm;
    machine.far_jobs += far ? 1 : 0;
    machine.disturbed = 10 * rg_rng_unit(&machine.rng) < machine.busy_of_ten;
    seconds *= slow || (machine.restless && far && machine.far_jobs / 3 % 2) ? 2 : 1;
    seconds *= machine.disturbed ? 2 : 1;
    seconds *= machine.kept_threads > 0 && machine.threads_now != machine.kept_threads ? 1.5 : 1;
    seconds *= job->bytes == machine.dip_bytes && !job->warm ? 1.5 : 1;
    return seconds;
}

/** Times as a clock with steps tells them. */
static double seconds_by_clock(double seconds)
{
    const double before_s = machine.now_s;
    machine.now_s += seconds;
    if (machine.clock_step_s <= 0) {
        return seconds;
    }
    return (floor(machine.now_s / machine.clock_step_s) - floor(before_s / machine.clock_step_s)) *
           machine.clock_step_s;
}

static ridge_status fake_run(struct rg_probe_state *state, const struct rg_probe_job *job, struct rg_probe_sample *out,
                             struct ridge_error *error)
{
    (void)state;
    (void)error;
    machine.jobs++;
    if (job->bytes == machine.fail_bytes) {
        if (error) {
            snprintf(error->message, sizeof error->message, "the invented device is lost");
        }
        return RIDGE_E_DEVICE;
    }
    check_position(job);
    const double bytes = (double)job->bytes;
    double seconds = job->warm ? bytes / warm_rate(bytes) : 300e-9 + bytes / 30e9;
    seconds = machine.restarts && !job->warm && bytes <= 65536 ? bytes / 90e9 : seconds;
    seconds += job->discipline == RIDGE_DISCIPLINE_ONESHOT ? 20e-6 : 0;
    seconds = seconds_on_machine(job, seconds);
    seconds *= 1 + machine.noise * (rg_rng_unit(&machine.rng) - 0.5);
    *out = (struct rg_probe_sample){.seconds = seconds_by_clock(seconds * (double)job->passes),
                                    .bytes = job->bytes * job->passes,
                                    .void_sample = machine.all_fault && machine.jobs > 2000,
                                    .disturbed = machine.disturbed ? RG_DISTURBED_STEAL : 0};
    if (machine.clock_steps && machine.jobs % 3 == 0) {
        out->seconds = machine.jobs % 2 ? 0 : -1;
    }
    return RIDGE_OK;
}

static double fake_clock(struct rg_probe_state *state)
{
    (void)state;
    const double cooled = machine.cooling_jobs > 0 ? 0.2 * (double)machine.jobs / machine.cooling_jobs : 0;
    return machine.jobs >= machine.slow_from && machine.jobs < machine.slow_to ? 1.5e9 : 3e9 * (1 - cooled);
}

static void fake_use_threads(struct rg_probe_state *state, unsigned threads)
{
    (void)state;
    machine.threads_now = threads;
}

static const struct rg_probe fake = {.backend = "fake",
                                     .open = fake_open,
                                     .close = fake_close,
                                     .verify = fake_verify,
                                     .run = fake_run,
                                     .clock_hz = fake_clock,
                                     .use_threads = fake_use_threads};

static int machine_reset(void **state)
{
    (void)state;
    machine = (struct machine){.continued = true, .noise = 0.01};
    machine.facts = (struct rg_probe_facts){
        .backend = "fake", .selector = "fake", .device = "an invented device", .driver = "1", .compiler = "none"};
    machine.facts.threads = 2;
    machine.facts.accesses = ~0U;
    machine.facts.disciplines = 7;
    machine.facts.launch_overhead_s = 1e-6;
    rg_rng_init(&machine.rng, 1);
    third_cache = 0x1p24;
    return 0;
}

static struct ridge_curve_set *sweep(const struct ridge_context *context, const struct ridge_curve_request *request)
{
    struct ridge_curve_set *set = NULL;
    struct ridge_error error = {0};
    assert_ok(rg_sweep_run(context, request, &fake, &set, &error), &error);
    return set;
}

static const struct ridge_curve_point *point_at(const struct ridge_curve *curve, uint64_t bytes)
{
    for (size_t i = 0; i < curve->point_count; i++) {
        if (curve->points[i].bytes == bytes) {
            return &curve->points[i];
        }
    }
    return NULL;
}

static bool has_note(const struct ridge_curve *curve, const char *part)
{
    for (size_t i = 0; i < curve->note_count; i++) {
        if (strstr(curve->notes[i], part)) {
            return true;
        }
    }
    return false;
}

static bool has_flag(const struct ridge_curve_point *point, ridge_point_flag flag)
{
    return point && (point->flags >> flag & 1U) != 0;
}

/** Whether every point has the rate that the machine really has for it. */
static void check_rates(const struct ridge_curve *curve, double tolerance)
{
    for (size_t i = 0; i < curve->point_count; i++) {
        const double bytes = (double)curve->points[i].bytes;
        assert_close(curve->points[i].bytes_per_s, bytes / (300e-9 + bytes / 30e9), tolerance, 0);
    }
}

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

static bool stop_at_once(void *user, double done)
{
    unsigned *calls = user;
    assert_true(done >= 0 && done <= 1);
    (*calls)++;
    return false;
}

/** Stopped, it hands over what there is. */
static void test_stopping(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    unsigned calls = 0;
    const struct ridge_curve_request request = {.progress = stop_at_once, .user = &calls};
    struct ridge_curve_set *set = sweep(context, &request);
    assert_true(calls > 0 && has_note(&set->curves[0], "stopped by the person"));
    assert_true(set->curves[0].point_count > 0);
    ridge_curve_set_destroy(set);
    ridge_curve_set_destroy(NULL);
    ridge_context_destroy(context);
}

#define machine_test(function) cmocka_unit_test_setup(function, machine_reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        machine_test(test_a_steady_machine),
        machine_test(test_a_write),
        machine_test(test_the_published_sweep),
        machine_test(test_a_small_cap),
        machine_test(test_a_machine_that_moves),
        machine_test(test_a_point_that_fails),
        machine_test(test_a_clock_that_steps),
        machine_test(test_faults_in_every_sample),
        machine_test(test_a_busy_machine),
        machine_test(test_a_small_pool),
        machine_test(test_large_caches),
        machine_test(test_a_device_that_can_do_little),
        machine_test(test_a_probe_that_is_wrong),
        machine_test(test_stopping),
        machine_test(test_a_machine_that_is_sometimes_busy),
        machine_test(test_a_machine_that_heats_up),
        machine_test(test_a_machine_that_never_rests),
        machine_test(test_a_coarse_clock),
        machine_test(test_how_many_threads),
        machine_test(test_windows_that_are_still_warm),
        machine_test(test_steps_that_go_the_wrong_way),
        machine_test(test_a_step_that_is_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
