/* SPDX-License-Identifier: MIT */
/**
 * \file curve: the sweep against a probe that invents its times, so that every kind of machine is at hand: steady ones,
 * ones that move, clocks that step, points that fail, devices that can do little. Time is the probe's own.
 */
#include "rg_test.h"

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
    bool busy;                   /* every sample disturbed */
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
    seconds += job->discipline == RIDGE_DISCIPLINE_ONESHOT ? 20e-6 : 0;
    if (machine.jobs >= machine.slow_from && machine.jobs < machine.slow_to) {
        seconds *= 2;
    }
    seconds *= 1 + machine.noise * (rg_rng_unit(&machine.rng) - 0.5);
    *out = (struct rg_probe_sample){.seconds = seconds * (double)job->passes,
                                    .bytes = job->bytes * job->passes,
                                    .void_sample = machine.all_fault && machine.jobs > 2000,
                                    .disturbed = machine.busy};
    if (machine.clock_steps && machine.jobs % 3 == 0) {
        out->seconds = machine.jobs % 2 ? 0 : -1;
    }
    return RIDGE_OK;
}

static double fake_clock(struct rg_probe_state *state)
{
    (void)state;
    return machine.jobs >= machine.slow_from && machine.jobs < machine.slow_to ? 1.5e9 : 3e9;
}

static const struct rg_probe fake = {.backend = "fake",
                                     .open = fake_open,
                                     .close = fake_close,
                                     .verify = fake_verify,
                                     .run = fake_run,
                                     .clock_hz = fake_clock};

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
    machine.busy = true;
    machine.noise = 1.5;
    struct ridge_curve_set *set = sweep(context, &request);
    assert_true(has_note(&set->curves[0], "the machine is busy: in 100 % of the samples"));
    assert_true(has_note(&set->curves[0], "not converged: "));
    ridge_curve_set_destroy(set);
    ridge_context_destroy(context);
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
        machine_test(test_a_steady_machine),      machine_test(test_a_write),
        machine_test(test_the_published_sweep),   machine_test(test_a_small_cap),
        machine_test(test_a_machine_that_moves),  machine_test(test_a_point_that_fails),
        machine_test(test_a_clock_that_steps),    machine_test(test_faults_in_every_sample),
        machine_test(test_a_busy_machine),        machine_test(test_a_small_pool),
        machine_test(test_large_caches),          machine_test(test_a_device_that_can_do_little),
        machine_test(test_a_probe_that_is_wrong), machine_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
