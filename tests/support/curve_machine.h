/* SPDX-License-Identifier: MIT */
/**
 * \file A probe that invents its times, so that every kind of machine is at hand for tests of the sweep: steady ones, ones
 * that move, clocks that step, points that fail, devices that can do little. Time is the probe's own. One a program.
 */
#ifndef CURVE_MACHINE_H
#define CURVE_MACHINE_H

#include "rg_test.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "curve/sweep.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

/** What the invented machine does. */
static struct machine {
    struct rg_probe_facts facts;
    uint64_t jobs;
    uint64_t trial_jobs; /* with fewer threads than were opened */
    unsigned job_ns;     /* that a job really takes */
    unsigned char loops; /* that an opening was told to read with */
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
static inline double warm_rate(double bytes)
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

static inline ridge_status fake_open(const struct ridge_context *context, const struct rg_probe_request *request,
                                     struct rg_probe_state **out, struct rg_probe_facts *facts,
                                     struct ridge_error *error)
{
    (void)context;
    (void)error;
    *facts = machine.facts;
    machine.opened++;
    machine.loops = request->loops ? request->loops[RIDGE_ACCESS_READ] : 0;
    facts->loops[RIDGE_ACCESS_READ] = 7;
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

static inline void fake_close(struct rg_probe_state *state)
{
    (void)state;
}

static inline ridge_status fake_verify(struct rg_probe_state *state, ridge_access access, uint64_t bytes,
                                       struct ridge_error *error)
{
    (void)state;
    (void)access;
    (void)bytes;
    (void)error;
    return machine.verify_fails ? RIDGE_E_MEASURE : RIDGE_OK;
}

/** The position must be carried from job to job: a size never begins again where it began before. */
static inline void check_position(const struct rg_probe_job *job)
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
static inline double seconds_on_machine(const struct rg_probe_job *job, double seconds)
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
static inline double seconds_by_clock(double seconds)
{
    const double before_s = machine.now_s;
    machine.now_s += seconds;
    if (machine.clock_step_s <= 0) {
        return seconds;
    }
    return (floor(machine.now_s / machine.clock_step_s) - floor(before_s / machine.clock_step_s)) *
           machine.clock_step_s;
}

static inline ridge_status fake_run(struct rg_probe_state *state, const struct rg_probe_job *job,
                                    struct rg_probe_sample *out, struct ridge_error *error)
{
    (void)state;
    (void)error;
    machine.jobs++;
    machine.trial_jobs += machine.threads_now < machine.facts.threads ? 1 : 0;
    for (const uint64_t end_ns = rg_clock_ns() + machine.job_ns; rg_clock_ns() < end_ns;) {
    }
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

static inline double fake_clock(struct rg_probe_state *state)
{
    (void)state;
    const double cooled = machine.cooling_jobs > 0 ? 0.2 * (double)machine.jobs / machine.cooling_jobs : 0;
    return machine.jobs >= machine.slow_from && machine.jobs < machine.slow_to ? 1.5e9 : 3e9 * (1 - cooled);
}

static inline void fake_use_threads(struct rg_probe_state *state, unsigned threads)
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

static inline int machine_reset(void **state)
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

static inline struct ridge_curve_set *sweep(const struct ridge_context *context,
                                            const struct ridge_curve_request *request)
{
    struct ridge_curve_set *set = NULL;
    struct ridge_error error = {0};
    assert_ok(rg_sweep_run(context, request, &fake, &set, &error), &error);
    return set;
}

static inline const struct ridge_curve_point *point_at(const struct ridge_curve *curve, uint64_t bytes)
{
    for (size_t i = 0; i < curve->point_count; i++) {
        if (curve->points[i].bytes == bytes) {
            return &curve->points[i];
        }
    }
    return NULL;
}

static inline bool has_note(const struct ridge_curve *curve, const char *part)
{
    for (size_t i = 0; i < curve->note_count; i++) {
        if (strstr(curve->notes[i], part)) {
            return true;
        }
    }
    return false;
}

static inline bool has_flag(const struct ridge_curve_point *point, ridge_point_flag flag)
{
    return point && (point->flags >> flag & 1U) != 0;
}

/** Whether every point has the rate that the machine really has for it. */
static inline void check_rates(const struct ridge_curve *curve, double tolerance)
{
    for (size_t i = 0; i < curve->point_count; i++) {
        const double bytes = (double)curve->points[i].bytes;
        assert_close(curve->points[i].bytes_per_s, bytes / (300e-9 + bytes / 30e9), tolerance, 0);
    }
}

#define machine_test(function) cmocka_unit_test_setup(function, machine_reset)

#endif
