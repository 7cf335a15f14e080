/* SPDX-License-Identifier: MIT */
/**
 * \file The OpenCL memory probe: on the device that is here, its traffic happens and is counted; on a library that runs
 * nothing, it is refused; small devices and devices without event times are told of. Each case with the library runs in
 * this program started anew, with LD_LIBRARY_PATH set. Usage: test_probe_opencl FAKE_LIBRARY
 */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "backend/bench_device.h"
#include "curve/probe.h"
#include "curve/probe_device.h"
#include "curve/window.h"
#include "sanitized.h"

enum {
    OUTPUT_BYTES = 8192,
    MIB = 1 << 20,
    ALL_ACCESSES = (1 << (RIDGE_ACCESS_STREAMING_WRITE + 1)) - 1
};

static const char *fake_library;
static const char *own_program;

/** Run this program with the library that runs nothing; its output is to say something. */
static void assert_says(const char *fake_mode, int exit_code, const char *says)
{
    char command[2048];
    char output[OUTPUT_BYTES];
    snprintf(command, sizeof command, "LD_LIBRARY_PATH='%.*s' FAKE_OPENCL='%s' '%s' --child 2>&1",
             (int)(strrchr(fake_library, '/') - fake_library), fake_library, fake_mode, own_program);
    FILE *from = popen(command, "r");
    assert_non_null(from);
    output[fread(output, 1, sizeof output - 1, from)] = '\0';
    const int end = pclose(from);
    const int code = WIFEXITED(end) ? WEXITSTATUS(end) : -1;
    if (code != exit_code || !strstr(output, says)) {
        fail_msg("mode '%s': exit code %d, not %d with '%s':\n%s", fake_mode, code, exit_code, says, output);
    }
}

/** Open the fake device, say what was opened, and look whether any access is believed. */
static int child(void)
{
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct rg_probe_facts facts;
    struct rg_probe_state *state = NULL;
    const struct rg_probe_request request = {
        .device = "opencl", .pool_bytes = (uint64_t)256 * MIB, .accesses = ALL_ACCESSES};
    ridge_status status = rg_probe_opencl.open(context, &request, &state, &facts, &error);
    if (status == RIDGE_OK) {
        printf("pool %llu\n", (unsigned long long)facts.pool_bytes);
        for (size_t i = 0; i < facts.note_count; i++) {
            printf("note: %s\n", facts.notes[i]);
        }
        for (unsigned i = 0; i < RIDGE_ACCESS_STREAMING_WRITE && status == RIDGE_OK; i++) {
            struct ridge_error why = {0};
            const ridge_status verified = rg_probe_opencl.verify(state, (ridge_access)i, MIB, &why);
            printf("%s: %s\n", ridge_access_word((ridge_access)i), why.message);
            status = verified == RIDGE_E_MEASURE ? RIDGE_OK : RIDGE_E_INTERNAL;
        }
    }
    rg_probe_opencl.close(state);
    ridge_context_destroy(context);
    printf("%s\n", error.message);
    return (int)status;
}

static void a_library_that_runs_nothing_is_never_timed(void **state)
{
    (void)state;
    assert_says("", RIDGE_OK, "read: the read probe does not do its work");
    assert_says("", RIDGE_OK, "write: the write probe does not do its work");
    assert_says("", RIDGE_OK, "copy: the copy probe does not do its work");
    assert_says("", RIDGE_OK, "triad: the triad probe does not do its work");
}

static void small_and_silent_devices_are_told_of(void **state)
{
    (void)state;
    assert_says("", RIDGE_OK, "pool 16777216");
    assert_says("four-mib", RIDGE_OK, "pool 4194304");
    assert_says("four-mib", RIDGE_OK, "note: the device gives a pool of 4 MiB and not of 256 MiB");
    assert_says("no-profiling", RIDGE_OK, "note: the device has no event times");
    assert_says("no-memory", RIDGE_E_MEMORY, "gives no pool of 1048576 bytes");
    assert_says("fail:clEnqueueNDRangeKernel", RIDGE_E_DEVICE, "clEnqueueNDRangeKernel");
    assert_says("event-fails", RIDGE_E_DEVICE, "a launch of a probe");
    assert_says("fail:clBuildProgram", RIDGE_E_DEVICE, "does not compile");
    assert_says("no-device", RIDGE_E_UNAVAILABLE, "has no device");
}

/** The device that is here, opened once for all tests below. */
struct here {
    struct ridge_context *context;
    struct rg_probe_state *state;
    struct rg_probe_facts facts;
};

static int here_open(void **state)
{
    static struct here here;
    struct ridge_error error = {0};
    const struct rg_probe_request request = {
        .device = "opencl", .pool_bytes = (uint64_t)48 * MIB, .accesses = ALL_ACCESSES};
    here.context = test_context();
    const ridge_status status = rg_probe_opencl.open(here.context, &request, &here.state, &here.facts, &error);
    *state = status == RIDGE_E_UNAVAILABLE ? NULL : &here;
    return status == RIDGE_OK || status == RIDGE_E_UNAVAILABLE ? 0 : -1;
}

static int here_close(void **state)
{
    struct here *here = *state;
    if (here) {
        rg_probe_opencl.close(here->state);
        ridge_context_destroy(here->context);
    }
    return 0;
}

static struct here *here_or_skip(void **state)
{
    if (!*state) {
        skip();
    }
    return *state;
}

static void its_traffic_happens(void **state)
{
    struct here *here = here_or_skip(state);
    static const uint64_t sizes[] = {192, 8192, 8192 + 64 * 3, 1000000, 8 * MIB};
    for (unsigned access = 0; access < RIDGE_ACCESS_STREAMING_WRITE; access++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct ridge_error error = {0};
            assert_ok(rg_probe_opencl.verify(here->state, (ridge_access)access, sizes[i], &error), &error);
        }
    }
    assert_int_equal(here->facts.accesses & (1U << RIDGE_ACCESS_STREAMING_WRITE), 0);
    assert_true(here->facts.launch_overhead_s > 1e-7 && here->facts.launch_overhead_s < 1);
}

/** After passes over every window the whole pool has been written: a later verification finds nothing of before. */
static void every_discipline_counts_its_bytes(void **state)
{
    struct here *here = here_or_skip(state);
    for (unsigned discipline = 0; discipline <= RIDGE_DISCIPLINE_ONESHOT; discipline++) {
        for (unsigned access = 0; access < RIDGE_ACCESS_STREAMING_WRITE; access++) {
            struct ridge_error error = {0};
            struct rg_probe_sample sample;
            struct rg_window_plan plan;
            const struct rg_probe_job job = {.access = (ridge_access)access,
                                             .discipline = (ridge_discipline)discipline,
                                             .bytes = MIB,
                                             .passes = 20,
                                             .first = 1000};
            assert_ok(rg_probe_opencl.run(here->state, &job, &sample, &error), &error);
            assert_true(rg_window_plan(job.access, here->facts.pool_bytes, job.bytes, &plan));
            assert_int_equal(sample.bytes, 20 * plan.pass_bytes);
            /* 20 MiB: faster than any memory would be no traffic; a second would be no launch. */
            assert_true(sample.seconds > 20.0 * MIB / 1e13 && sample.seconds < 30);
        }
    }
}

static double fastest_of(struct here *here, struct rg_probe_job *job)
{
    double least_s = (double)INFINITY;
    for (int i = 0; i < 9; i++) {
        struct ridge_error error = {0};
        struct rg_probe_sample sample;
        assert_ok(rg_probe_opencl.run(here->state, job, &sample, &error), &error);
        least_s = fmin(least_s, sample.seconds);
        job->first += job->passes;
    }
    return least_s;
}

/** Nothing is dropped: many passes over one window take in proportion, and bytes of memory longer than of a cache. */
static void no_pass_is_dropped(void **state)
{
    struct here *here = here_or_skip(state);
    struct rg_probe_job job = {.access = RIDGE_ACCESS_READ, .bytes = 16384, .passes = 4000, .warm = true};
    const double once_s = fastest_of(here, &job);
    job.passes *= 16;
    const double often_s = fastest_of(here, &job);
    assert_true(often_s > 6 * once_s && often_s < 60 * once_s);
}

/** Parts of their own for each work-item, which is what a processor gets, are much faster there than neighbours side by
 * side. Source: reference/curve.md, finding 7 (22 times at 1 GiB). */
static void a_processor_gets_its_own_layout(void **state)
{
    struct here *here = here_or_skip(state);
    struct ridge_error error = {0};
    struct rg_device_choice choice;
    struct rg_bench *bench = NULL;
    assert_ok(rg_device_choose("opencl", &choice, &error), &error);
    assert_ok(rg_bench_open(here->context, &choice, &bench, &error), &error);
    const bool is_cpu = rg_bench_facts_of(bench)->cpu;
    rg_bench_close(bench);
    const bool is_apart = strstr(here->facts.compiler, "each work-item a part of its own") != NULL;
    assert_int_equal(is_apart, is_cpu);
}

static void a_window_that_does_not_fit_is_refused(void **state)
{
    struct here *here = here_or_skip(state);
    struct ridge_error error = {0};
    struct rg_probe_sample sample;
    const struct rg_probe_job job = {.access = RIDGE_ACCESS_READ, .bytes = (uint64_t)1 << 40, .passes = 1};
    assert_int_equal(rg_probe_opencl.run(here->state, &job, &sample, &error), RIDGE_E_LIMIT);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--child") == 0) {
        return child();
    }
    if (argc != 2) {
        return 2;
    }
    own_program = argv[0];
    fake_library = argv[1];
    const struct CMUnitTest fake[] = {
        cmocka_unit_test(a_library_that_runs_nothing_is_never_timed),
        cmocka_unit_test(small_and_silent_devices_are_told_of),
    };
    const struct CMUnitTest real[] = {
        cmocka_unit_test(its_traffic_happens),
        cmocka_unit_test(every_discipline_counts_its_bytes),
        cmocka_unit_test(no_pass_is_dropped),
        cmocka_unit_test(a_processor_gets_its_own_layout),
        cmocka_unit_test(a_window_that_does_not_fit_is_refused),
    };
    const int failed = cmocka_run_group_tests(fake, NULL, NULL);
    return failed + cmocka_run_group_tests(real, here_open, here_close);
}
