/* SPDX-License-Identifier: MIT */
/**
 * \file curve on the host: every set of loops moves its bytes, time follows the passes, a pool that no cache holds reads
 * slower than a cache, and a probe that is told to end ends. Rates are compared with each other only.
 */
#include "rg_test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "curve/host_loops.h"
#include "curve/host_probe.h"
#include "curve/machine_watch.h"
#include "sanitized.h"

#define MIB (UINT64_C(1) << 20)

static const unsigned every_access = (1U << RG_ACCESS_COUNT) - 1;

/** The probe of the host, opened. */
struct host {
    struct ridge_context *context;
    struct rg_probe_facts facts;
    struct rg_probe_state *probe;
};

static struct host open_host(uint64_t pool_bytes, unsigned threads)
{
    struct host host = {.context = test_context()};
    struct ridge_error error = {0};
    const struct rg_probe_request request = {
        .device = "host", .pool_bytes = pool_bytes, .threads = threads, .accesses = every_access};
    assert_ok(rg_probe_host.open(host.context, &request, &host.probe, &host.facts, &error), &error);
    return host;
}

static void close_host(const struct host *host)
{
    rg_probe_host.close(host->probe);
    ridge_context_destroy(host->context);
}

/** Skip a test of times where the loops are slowed down, or the pool got less memory than it takes. */
static void skip_unless_fast(const struct host *host, uint64_t least_pool_bytes)
{
    if (host->facts.pool_bytes < least_pool_bytes || RG_SANITIZED) {
        close_host(host);
        skip();
    }
}

/** The proof is of every set of loops that this processor can run, at sizes with and without a remainder. */
static void test_every_loop_moves_its_bytes(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {64, 100, 192, 4096, 8192, 10000, 65536, 1000000};
    const struct host host = open_host(8 * MIB, 0);
    struct rg_probe_state *probe = host.probe;
    size_t sets = 0;
    for (size_t set = 0; rg_host_loop_sets[set]; set++) {
        if (!rg_host_loop_sets[set]->usable()) {
            continue;
        }
        sets++;
        for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
            probe->loops[access] = rg_host_loop_sets[set];
            for (size_t i = 0; rg_host_loop_sets[set]->loops[access] && i < sizeof sizes / sizeof sizes[0]; i++) {
                struct ridge_error error = {0};
                assert_ok(rg_host_verify(probe, (ridge_access)access, sizes[i], &error), &error);
            }
        }
    }
    assert_true(sets >= 1);
    close_host(&host);
}

static uint64_t forgetful_loop(const struct rg_host_work *work)
{
    return work->value + work->passes - 1;
}

/** A loop that moves nothing is found out, for every access. */
static void test_a_loop_that_moves_nothing(void **state)
{
    (void)state;
    struct rg_host_loops forgetful = {.name = "none"};
    const struct host host = open_host(MIB, 1);
    struct rg_probe_state *probe = host.probe;
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        probe->loops[access] = &forgetful;
        struct ridge_error error = {0};
        forgetful.loops[access] = forgetful_loop;
        assert_int_equal(rg_host_verify(probe, (ridge_access)access, 8192, &error), RIDGE_E_MEASURE);
        assert_non_null(strstr(error.message, "did not move its bytes"));
    }
    close_host(&host);
}

/** Least time of some jobs. */
static double least_s(struct rg_probe_state *probe, const struct rg_probe_job *wanted, uint64_t *bytes)
{
    double least = (double)INFINITY;
    struct rg_probe_job job = *wanted;
    for (int i = 0; i < 60; i++) {
        struct rg_probe_sample sample;
        struct ridge_error error = {0};
        assert_ok(rg_host_run(probe, &job, &sample, &error), &error);
        least = sample.seconds < least ? sample.seconds : least;
        *bytes = sample.bytes;
        job.first += job.passes;
    }
    return least;
}

/** Nothing is optimised away: twice the passes take twice as long, within 5 %. The least of many times is compared; on a
 * machine that is busy even that may be off, so that one of some tries must be right. */
static void test_time_follows_the_passes(void **state)
{
    (void)state;
    enum {
        TRIES = 8,
        PASSES = 3000
    };
    const struct host host = open_host(8 * MIB, 1);
    struct rg_probe_state *probe = host.probe;
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        struct rg_probe_job job = {.access = (ridge_access)access, .bytes = 12288, .warm = true};
        double ratio = 0;
        const bool judged = host.facts.accesses & 1U << access && !RG_SANITIZED; /* whose own work is timed too */
        for (int i = 0; i < TRIES && host.facts.accesses & 1U << access && !(ratio > 1.9 && ratio < 2.1); i++) {
            uint64_t bytes[2];
            job.passes = PASSES;
            const double one = least_s(probe, &job, &bytes[0]);
            job.passes = 2 * PASSES;
            ratio = least_s(probe, &job, &bytes[1]) / one;
            assert_int_equal(bytes[1], 2 * bytes[0]);
            assert_int_equal(bytes[0], UINT64_C(12288) * PASSES);
        }
        assert_true(!judged || (ratio > 1.9 && ratio < 2.1));
    }
    close_host(&host);
}

/** Least seconds of some passes over small windows: `step` from one to the next, each time from the window after the last
 * one, or from the first one again. */
static double least_walk_s(struct rg_probe_state *probe, uint64_t step, bool restart)
{
    enum {
        PASSES = 1000 /* 8 MiB: small enough for a cache */
    };
    const struct rg_probe_job job = {.bytes = 8192, .passes = PASSES};
    double least = (double)INFINITY;
    assert_true(rg_host_prepare(probe, &job) > 0);
    struct rg_host_work work = probe->team.workers[0].work;
    work.step = step > 0 ? step : work.step;
    for (int i = 0; i < 40; i++) {
        const double begin_s = rg_clock_s();
        (void)probe->loops[RIDGE_ACCESS_READ]->loops[RIDGE_ACCESS_READ](&work);
        const double seconds = rg_clock_s() - begin_s;
        /* The first walk of those that begin again finds nothing in the caches yet. */
        least = seconds < least && (i > 0 || !restart) ? seconds : least;
        work.window = restart ? 0 : (work.window + PASSES * work.step) % work.window_count;
    }
    return least;
}

/** What the permuted order and the position that is carried on are for: without them small windows read much faster than
 * memory lets a kernel read them. Source: reference/curve.md, findings 2 and 3. */
static void test_order_and_position_matter(void **state)
{
    (void)state;
    const struct host host = open_host(256 * MIB, 1);
    struct rg_probe_state *probe = host.probe;
    skip_unless_fast(&host, 200 * MIB);
    const double permuted_s = least_walk_s(probe, 0, false);
    assert_true(permuted_s > 1.5 * least_walk_s(probe, 1, false)); /* the prefetchers run on across the borders */
    assert_true(permuted_s > 1.5 * least_walk_s(probe, 0, true));  /* the caches still have the first windows */
    close_host(&host);
}

#if defined(__x86_64__)
/** Sums with one vector in flight: each addition waits for the one before. The chain is kept by a constraint of x86. */
static uint64_t one_in_flight(const struct rg_host_work *work)
{
    typedef uint64_t words __attribute__((vector_size(16), may_alias));
    words sum = {0};
    for (uint64_t pass = 0; pass < work->passes; pass++) {
        const words *at = (const void *)work->buffers[0];
        for (uint64_t i = 0; i < work->part_bytes / sizeof sum; i++) {
            sum += at[i];
            __asm__ volatile("" : "+x"(sum));
        }
        __asm__ volatile("" ::: "memory");
    }
    return sum[0] + sum[1];
}
#endif

/** The loops have eight vectors in flight: with one an L1 would seem slower than it is. */
static void test_eight_in_flight(void **state)
{
    (void)state;
#if defined(__x86_64__)
    const struct host host = open_host(MIB, 1);
    struct rg_probe_state *probe = host.probe;
    const struct rg_host_loops one = {.name = "one", .loops = {[RIDGE_ACCESS_READ] = one_in_flight}};
    const struct rg_probe_job job = {.bytes = 8192, .passes = 20000, .warm = true};
    uint64_t bytes;
    skip_unless_fast(&host, 0);
    size_t last = 0;
    while (rg_host_loop_sets[last + 1]) {
        last++;
    }
    probe->loops[RIDGE_ACCESS_READ] = rg_host_loop_sets[last]; /* vectors of 16 bytes, too */
    const double eight_s = least_s(probe, &job, &bytes);
    probe->loops[RIDGE_ACCESS_READ] = &one;
    assert_true(least_s(probe, &job, &bytes) > 1.3 * eight_s);
    close_host(&host);
#else
    skip();
#endif
}

/** What a job says that it moved is what it moved: words of a known pool that a write, a copy, a triad changed. */
static void test_bytes_of_a_known_run(void **state)
{
    (void)state;
    static const struct {
        ridge_access access;
        unsigned written_of; /* one buffer of so many is written */
    } rows[] = {{RIDGE_ACCESS_READ, 0}, {RIDGE_ACCESS_WRITE, 1}, {RIDGE_ACCESS_COPY, 2}, {RIDGE_ACCESS_TRIAD, 3}};
    const struct host host = open_host(12 * MIB, 0);
    struct rg_probe_state *probe = host.probe;
    uint64_t *before = malloc(probe->pool_bytes);
    assert_non_null(before);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rg_probe_job job = {.access = rows[i].access, .bytes = 3 * 8192, .passes = 1, .first = i};
        struct rg_probe_sample sample;
        struct ridge_error error = {0};
        memcpy(before, probe->pool, probe->pool_bytes);
        assert_ok(rg_host_run(probe, &job, &sample, &error), &error);
        assert_int_equal(sample.bytes, 3 * 8192);
        uint64_t changed = 0;
        for (uint64_t k = 0; k < probe->pool_bytes / 8; k++) {
            changed += memcmp(probe->pool + 8 * k, before + k, 8) != 0 ? 8 : 0;
        }
        assert_int_equal(changed, rows[i].written_of > 0 ? sample.bytes / rows[i].written_of : 0);
    }
    free(before);
    close_host(&host);
}

/** Memory that was never touched is not timed: its page faults are seen, and only then. */
static void test_untouched_memory(void **state)
{
    (void)state;
    const struct host host = open_host(8 * MIB, 1);
    struct rg_probe_state *probe = host.probe;
    struct rg_probe_job job = {.bytes = 64 * 1024, .passes = 8};
    struct rg_probe_sample sample;
    struct ridge_error error = {0};
    assert_ok(rg_host_run(probe, &job, &sample, &error), &error);
    assert_false(sample.void_sample);
    assert_int_equal(madvise(probe->pool, probe->pool_bytes, MADV_DONTNEED), 0);
    assert_ok(rg_host_run(probe, &job, &sample, &error), &error);
    assert_true(sample.void_sample);
    close_host(&host);
}

/** Fewer workers take all of the pool among them, move the same bytes, and all come back. */
static void test_fewer_workers(void **state)
{
    (void)state;
    const struct host host = open_host(64 * MIB, 0);
    struct rg_probe_state *probe = host.probe;
    struct ridge_error error = {0};
    struct rg_probe_sample sample;
    const struct rg_probe_job job = {.bytes = 40 * MIB, .passes = 1};
    for (unsigned threads = host.facts.threads; threads > 0; threads /= 2) {
        rg_probe_host.use_threads(probe, threads);
        assert_ok(rg_host_run(probe, &job, &sample, &error), &error);
        assert_int_equal(sample.bytes, 40 * MIB);
        assert_false(sample.void_sample); /* nothing that was not touched */
        assert_ok(rg_host_verify(probe, RIDGE_ACCESS_COPY, 100000, &error), &error);
    }
    rg_probe_host.use_threads(probe, host.facts.threads);
    assert_ok(rg_host_verify(probe, RIDGE_ACCESS_READ, 100000, &error), &error);
    close_host(&host);
}

/** A thread that takes the processor away again and again. */
static void *compete(void *argument)
{
    atomic_bool *end = argument;
    while (!atomic_load(end)) {
    }
    return NULL;
}

/** BP-107: other programs on the same processor are seen. What a sweep makes of that is shown in test_curve_sweep.c. */
static void test_a_competing_thread(void **state)
{
    (void)state;
    enum {
        RIVALS = 2,
        SAMPLES = 9
    };
    struct rg_host_topology topology;
    cpu_set_t before;
    cpu_set_t one;
    pthread_t rivals[RIVALS];
    atomic_bool end = false;
    /* Longer than the system lets one thread run while others wait. */
    struct rg_probe_job job = {.bytes = 32 * MIB, .passes = 20};
    unsigned disturbed = 0;
    rg_host_topology(&topology);
    CPU_ZERO(&one);
    CPU_SET((size_t)topology.cpus[0], &one);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const struct host host = open_host(64 * MIB, 1);
    for (int i = 0; i < RIVALS; i++) {
        assert_int_equal(pthread_create(&rivals[i], NULL, compete, &end), 0);
    }
    for (int i = 0; i < SAMPLES; i++) {
        struct rg_probe_sample sample;
        struct ridge_error error = {0};
        assert_ok(rg_host_run(host.probe, &job, &sample, &error), &error);
        job.first += job.passes;
        disturbed += sample.disturbed & (RG_DISTURBED_SHARE | RG_DISTURBED_SWITCH) ? 1 : 0;
    }
    atomic_store(&end, true);
    for (int i = 0; i < RIVALS; i++) {
        pthread_join(rivals[i], NULL);
    }
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(disturbed > SAMPLES / 2);
    close_host(&host);
}

/** Traffic happens: small windows of a large pool, in permuted order, read far slower than one that stays in a cache. */
static void test_a_slow_pool_reads_slow(void **state)
{
    (void)state;
    const struct host host = open_host(256 * MIB, 1);
    struct rg_probe_state *probe = host.probe;
    skip_unless_fast(&host, 200 * MIB);
    uint64_t bytes;
    const struct rg_probe_job warm = {.bytes = 8192, .passes = 500, .warm = true};
    const struct rg_probe_job cold = {.bytes = 8192, .passes = 500};
    const double warm_s = least_s(probe, &warm, &bytes);
    const double cold_s = least_s(probe, &cold, &bytes);
    assert_true(cold_s > 2 * warm_s);
    close_host(&host);
}

/** A launch costs more than a pass inside a stream, and one that is waited for more than that. */
static void test_disciplines_differ(void **state)
{
    (void)state;
    const struct host host = open_host(MIB, 1);
    struct rg_probe_state *probe = host.probe;
    struct rg_probe_job job = {.bytes = 1024, .passes = 500, .warm = true};
    uint64_t bytes;
    double seconds[RG_DISCIPLINE_COUNT];
    for (unsigned i = 0; i < RG_DISCIPLINE_COUNT; i++) {
        job.discipline = (ridge_discipline)i;
        seconds[i] = least_s(probe, &job, &bytes);
    }
    assert_true(seconds[RIDGE_DISCIPLINE_STREAM] < seconds[RIDGE_DISCIPLINE_ONESHOT]);
    assert_true(seconds[RIDGE_DISCIPLINE_LAUNCH] < seconds[RIDGE_DISCIPLINE_ONESHOT]);
    assert_true(host.facts.launch_overhead_s > 0 && host.facts.launch_overhead_s < 1e-3);
    close_host(&host);
}

static void test_facts(void **state)
{
    (void)state;
    const struct host host = open_host(4 * MIB, 1);
    struct rg_probe_state *probe = host.probe;
    struct ridge_error error = {0};
    struct rg_probe_sample sample;
    assert_string_equal(host.facts.backend, "host");
    assert_string_equal(host.facts.selector, "host");
    assert_true(host.facts.device[0] && host.facts.driver[0] && strstr(host.facts.compiler, "loops: "));
    assert_true(host.facts.threads == 1 && host.facts.pool_bytes >= 4 * MIB);
    assert_int_equal(host.facts.accesses & 15U, 15U);
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        char chosen[64];
        snprintf(chosen, sizeof chosen, "%s for %s", probe->loops[access]->name,
                 ridge_access_word((ridge_access)access));
        assert_true(probe->loops[access]->usable() &&
                    (access > RIDGE_ACCESS_TRIAD || strstr(host.facts.compiler, chosen)));
    }
    const double clock_hz = rg_host_clock_hz(probe);
    assert_true(isnan(clock_hz) || (clock_hz > 1e8 && clock_hz < 1e10));
    /* What does not fit the pool fails alone. */
    const struct rg_probe_job job = {.bytes = 64 * MIB, .passes = 1};
    assert_int_equal(rg_host_run(probe, &job, &sample, &error), RIDGE_E_MEASURE);
    close_host(&host);
    rg_probe_host.close(NULL);
}

/** BP-109: as many threads as the process may use, and not more than that. */
static void test_threads_follow_the_affinity(void **state)
{
    (void)state;
    struct ridge_error error = {0};
    cpu_set_t before;
    cpu_set_t one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct rg_host_topology topology;
    rg_host_topology(&topology);
    CPU_ZERO(&one);
    CPU_SET((size_t)topology.cpus[0], &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    struct host host = open_host(MIB, 0);
    assert_int_equal(host.facts.threads, 1);
    rg_probe_host.close(host.probe);
    const struct rg_probe_request request = {.device = "host", .pool_bytes = MIB, .threads = 64};
    assert_int_equal(rg_probe_host.open(host.context, &request, &host.probe, &host.facts, &error), RIDGE_E_ARGUMENT);
    assert_non_null(strstr(error.message, "64 threads are more than the processors that this process may use: 1"));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    ridge_context_destroy(host.context);
}

static bool is_over(void *user)
{
    const bool *over = user;
    return *over;
}

/** Jobs that would last for ever end when the probe is told to, whatever way they ask for their bytes. */
static void test_told_to_end(void **state)
{
    (void)state;
    static const ridge_discipline ways[] = {RIDGE_DISCIPLINE_LAUNCH, RIDGE_DISCIPLINE_ONESHOT};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        bool over = false;
        struct host host = {.context = test_context()};
        struct ridge_error error = {0};
        const struct rg_probe_request request = {.device = "host",
                                                 .pool_bytes = 4 << 20,
                                                 .accesses = 1U << RIDGE_ACCESS_READ,
                                                 .stopped = is_over,
                                                 .user = &over};
        assert_ok(rg_probe_host.open(host.context, &request, &host.probe, &host.facts, &error), &error);
        const struct rg_probe_job job = {.access = RIDGE_ACCESS_READ,
                                         .discipline = ways[i],
                                         .bytes = 8192,
                                         .passes = UINT64_C(1) << 50,
                                         .warm = true};
        struct rg_probe_sample sample = {0};
        over = true;
        assert_int_equal(rg_host_run(host.probe, &job, &sample, &error), RIDGE_E_EMPTY);
        assert_string_equal(error.message, "stopped before anything was measured");
        assert_int_equal(rg_host_verify(host.probe, RIDGE_ACCESS_READ, 8192, NULL), RIDGE_E_EMPTY);
        close_host(&host);
    }
}

/** What was chosen before is taken, and not tried again. */
static void test_loops_of_before(void **state)
{
    (void)state;
    struct host host = {.context = test_context()};
    struct ridge_error error = {0};
    unsigned char loops[RG_ACCESS_COUNT] = {0};
    size_t last = 0;
    while (rg_host_loop_sets[last + 1]) {
        last++; /* the one that no processor with another would choose */
    }
    loops[RIDGE_ACCESS_READ] = (unsigned char)(last + 1);
    const struct rg_probe_request request = {
        .device = "host", .pool_bytes = 4 << 20, .accesses = 1U << RIDGE_ACCESS_READ, .loops = loops};
    assert_ok(rg_probe_host.open(host.context, &request, &host.probe, &host.facts, &error), &error);
    assert_int_equal(host.facts.loops[RIDGE_ACCESS_READ], last + 1);
    assert_int_equal(host.facts.loops[RIDGE_ACCESS_WRITE], 0);
    assert_non_null(strstr(host.facts.compiler, rg_host_loop_sets[last]->name));
    close_host(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_loop_moves_its_bytes),
        cmocka_unit_test(test_a_loop_that_moves_nothing),
        cmocka_unit_test(test_time_follows_the_passes),
        cmocka_unit_test(test_a_slow_pool_reads_slow),
        cmocka_unit_test(test_disciplines_differ),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_threads_follow_the_affinity),
        cmocka_unit_test(test_order_and_position_matter),
        cmocka_unit_test(test_eight_in_flight),
        cmocka_unit_test(test_bytes_of_a_known_run),
        cmocka_unit_test(test_untouched_memory),
        cmocka_unit_test(test_fewer_workers),
        cmocka_unit_test(test_a_competing_thread),
        cmocka_unit_test(test_told_to_end),
        cmocka_unit_test(test_loops_of_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
