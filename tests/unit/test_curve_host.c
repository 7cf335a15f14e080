/* SPDX-License-Identifier: MIT */
/**
 * \file curve on the host: every set of loops moves its bytes, time follows the passes, a pool that no cache holds reads
 * slower than a cache, and what the process may use is read from files. Rates are compared with each other only.
 */
#include "rg_test.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "curve/host_limits.h"
#include "curve/host_loops.h"
#include "curve/host_probe.h"
#include "sanitized.h"
#include "scratch.h"

#define MIB (UINT64_C(1) << 20)

static const unsigned every_access = (1U << RG_ACCESS_COUNT) - 1;

static struct rg_probe_state *open_probe(const struct ridge_context *context, uint64_t pool_bytes, unsigned threads,
                                         struct rg_probe_facts *facts)
{
    struct rg_probe_state *state = NULL;
    struct ridge_error error = {0};
    const struct rg_probe_request request = {
        .device = "host", .pool_bytes = pool_bytes, .threads = threads, .accesses = every_access};
    assert_ok(rg_probe_host.open(context, &request, &state, facts, &error), &error);
    return state;
}

/** The proof is of every set of loops that this processor can run, at sizes with and without a remainder. */
static void test_every_loop_moves_its_bytes(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {64, 100, 192, 4096, 8192, 10000, 65536, 1000000};
    struct ridge_context *context = test_context();
    struct rg_probe_facts facts;
    struct rg_probe_state *probe = open_probe(context, 8 * MIB, 0, &facts);
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
    rg_probe_host.close(probe);
    ridge_context_destroy(context);
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
    struct ridge_context *context = test_context();
    struct rg_probe_facts facts;
    struct rg_probe_state *probe = open_probe(context, MIB, 1, &facts);
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        probe->loops[access] = &forgetful;
        struct ridge_error error = {0};
        forgetful.loops[access] = forgetful_loop;
        assert_int_equal(rg_host_verify(probe, (ridge_access)access, 8192, &error), RIDGE_E_MEASURE);
        assert_non_null(strstr(error.message, "did not move its bytes"));
    }
    rg_probe_host.close(probe);
    ridge_context_destroy(context);
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

/** Nothing is optimised away: twice the passes take twice as long. The least of many times is compared. */
static void test_time_follows_the_passes(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_probe_facts facts;
    struct rg_probe_state *probe = open_probe(context, 8 * MIB, 1, &facts);
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        struct rg_probe_job job = {.access = (ridge_access)access, .bytes = 12288, .passes = 300, .warm = true};
        uint64_t bytes[2];
        if (!(facts.accesses & 1U << access)) {
            continue;
        }
        const double one = least_s(probe, &job, &bytes[0]);
        job.passes *= 2;
        const double twice = least_s(probe, &job, &bytes[1]);
        assert_int_equal(bytes[1], 2 * bytes[0]);
        assert_int_equal(bytes[0], UINT64_C(12288) * 300);
        assert_true(twice > 1.5 * one && twice < 3 * one);
    }
    rg_probe_host.close(probe);
    ridge_context_destroy(context);
}

/** Traffic happens: small windows of a large pool, in permuted order, read far slower than one that stays in a cache. */
static void test_a_slow_pool_reads_slow(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_probe_facts facts;
    struct rg_probe_state *probe = open_probe(context, 256 * MIB, 1, &facts);
    if (facts.pool_bytes < 200 * MIB || RG_SANITIZED) {
        rg_probe_host.close(probe);
        ridge_context_destroy(context);
        skip(); /* not enough memory, or the loops are slowed down */
    }
    uint64_t bytes;
    const struct rg_probe_job warm = {.bytes = 8192, .passes = 500, .warm = true};
    const struct rg_probe_job cold = {.bytes = 8192, .passes = 500};
    const double warm_s = least_s(probe, &warm, &bytes);
    const double cold_s = least_s(probe, &cold, &bytes);
    assert_true(cold_s > 2 * warm_s);
    rg_probe_host.close(probe);
    ridge_context_destroy(context);
}

/** A launch costs more than a pass inside a stream, and one that is waited for more than that. */
static void test_disciplines_differ(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_probe_facts facts;
    struct rg_probe_state *probe = open_probe(context, MIB, 1, &facts);
    struct rg_probe_job job = {.bytes = 1024, .passes = 500, .warm = true};
    uint64_t bytes;
    double seconds[RG_DISCIPLINE_COUNT];
    for (unsigned i = 0; i < RG_DISCIPLINE_COUNT; i++) {
        job.discipline = (ridge_discipline)i;
        seconds[i] = least_s(probe, &job, &bytes);
    }
    assert_true(seconds[RIDGE_DISCIPLINE_STREAM] < seconds[RIDGE_DISCIPLINE_ONESHOT]);
    assert_true(seconds[RIDGE_DISCIPLINE_LAUNCH] < seconds[RIDGE_DISCIPLINE_ONESHOT]);
    assert_true(facts.launch_overhead_s > 0 && facts.launch_overhead_s < 1e-3);
    rg_probe_host.close(probe);
    ridge_context_destroy(context);
}

static void test_facts(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_probe_facts facts;
    struct rg_probe_state *probe = open_probe(context, 4 * MIB, 1, &facts);
    struct ridge_error error = {0};
    struct rg_probe_sample sample;
    assert_string_equal(facts.backend, "host");
    assert_string_equal(facts.selector, "host");
    assert_true(facts.device[0] && facts.driver[0] && strstr(facts.compiler, "loops: "));
    assert_true(facts.threads == 1 && facts.pool_bytes >= 4 * MIB);
    assert_int_equal(facts.accesses & 15U, 15U);
    for (unsigned access = 0; access < RG_ACCESS_COUNT; access++) {
        char chosen[64];
        snprintf(chosen, sizeof chosen, "%s for %s", probe->loops[access]->name,
                 ridge_access_word((ridge_access)access));
        assert_true(probe->loops[access]->usable() && (access > RIDGE_ACCESS_TRIAD || strstr(facts.compiler, chosen)));
    }
    const double clock_hz = rg_host_clock_hz(probe);
    assert_true(isnan(clock_hz) || (clock_hz > 1e8 && clock_hz < 1e10));
    /* What does not fit the pool fails alone. */
    const struct rg_probe_job job = {.bytes = 64 * MIB, .passes = 1};
    assert_int_equal(rg_host_run(probe, &job, &sample, &error), RIDGE_E_MEASURE);
    rg_probe_host.close(probe);
    rg_probe_host.close(NULL);
    ridge_context_destroy(context);
}

/** BP-109: as many threads as the process may use, and not more than that. */
static void test_threads_follow_the_affinity(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_probe_facts facts;
    struct rg_probe_state *probe = NULL;
    struct ridge_error error = {0};
    cpu_set_t before;
    cpu_set_t one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct rg_host_topology topology;
    rg_host_topology(&topology);
    CPU_ZERO(&one);
    CPU_SET((size_t)topology.cpus[0], &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    probe = open_probe(context, MIB, 0, &facts);
    assert_int_equal(facts.threads, 1);
    rg_probe_host.close(probe);
    const struct rg_probe_request request = {.device = "host", .pool_bytes = MIB, .threads = 64};
    assert_int_equal(rg_probe_host.open(context, &request, &probe, &facts, &error), RIDGE_E_ARGUMENT);
    assert_non_null(strstr(error.message, "64 threads are more than the processors that this process may use: 1"));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    ridge_context_destroy(context);
}

/** What the system says is of all caches that the threads use: the curve shows them together too. */
static void test_cache_bytes(void **state)
{
    (void)state;
    struct rg_host_topology topology = {.cpu_count = 4, .cache_bytes = {32, 1024, 4096}};
    static const uint32_t ids[3][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {7, 7, 7, 7}};
    for (size_t i = 0; i < 3; i++) {
        memcpy(topology.cache_ids[i], ids[i], sizeof ids[i]);
    }
    assert_int_equal(rg_host_cache_bytes(&topology, 0, 4), 4 * 32);
    assert_int_equal(rg_host_cache_bytes(&topology, 0, 1), 32);
    assert_int_equal(rg_host_cache_bytes(&topology, 1, 4), 2 * 1024);
    assert_int_equal(rg_host_cache_bytes(&topology, 2, 3), 4096);
    assert_int_equal(rg_host_cache_bytes(&topology, 2, 0), 0);
}

static void put_file(const struct scratch *scratch, const char *path, const char *text)
{
    char command[512];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s/%s')\" && printf %%s '%s' > '%s/%s'", scratch->folder,
             path, text, scratch->folder, path);
    assert_int_equal(system(command), 0);
}

static void test_limits_of_a_control_group(void **state)
{
    const struct scratch *scratch = *state;
    assert_true(rg_host_cpu_quota(scratch->folder) == 0);
    assert_true(rg_host_memory_available(scratch->folder) == 0);
    put_file(scratch, "proc/self/cgroup", "0::/a/b\n");
    put_file(scratch, "sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_true(rg_host_cpu_quota(scratch->folder) == 0);
    put_file(scratch, "sys/fs/cgroup/a/cpu.max", "150000 100000\n"); /* of the group above */
    assert_close(rg_host_cpu_quota(scratch->folder), 1.5, 1e-12, 0);
    put_file(scratch, "proc/meminfo", "MemTotal: 9 kB\nMemAvailable:   2048 kB\n");
    assert_int_equal(rg_host_memory_available(scratch->folder), 2 * MIB);
    put_file(scratch, "sys/fs/cgroup/a/b/memory.max", "1048576\n");
    put_file(scratch, "sys/fs/cgroup/a/b/memory.current", "48576\n");
    assert_int_equal(rg_host_memory_available(scratch->folder), 1000000);
    put_file(scratch, "sys/fs/cgroup/a/b/memory.current", "2000000\n");
    assert_int_equal(rg_host_memory_available(scratch->folder), 1);
    /* The older files. */
    put_file(scratch, "proc/self/cgroup", "4:cpu,cpuacct:/c\n7:memory:/c\n");
    put_file(scratch, "sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n");
    put_file(scratch, "sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
    assert_true(rg_host_cpu_quota(scratch->folder) == 0);
    put_file(scratch, "sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "50000\n");
    assert_close(rg_host_cpu_quota(scratch->folder), 0.5, 1e-12, 0);
    put_file(scratch, "sys/fs/cgroup/memory/c/memory.limit_in_bytes", "700\n");
    put_file(scratch, "sys/fs/cgroup/memory/c/memory.usage_in_bytes", "200\n");
    assert_int_equal(rg_host_memory_available(scratch->folder), 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_loop_moves_its_bytes),  cmocka_unit_test(test_a_loop_that_moves_nothing),
        cmocka_unit_test(test_time_follows_the_passes),     cmocka_unit_test(test_a_slow_pool_reads_slow),
        cmocka_unit_test(test_disciplines_differ),          cmocka_unit_test(test_facts),
        cmocka_unit_test(test_threads_follow_the_affinity), cmocka_unit_test(test_cache_bytes),
        scratch_test(test_limits_of_a_control_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
