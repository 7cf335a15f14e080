/* SPDX-License-Identifier: MIT */
/** \file What the process may use of its machine, and what the machine did to it, as files and clocks tell. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "curve/host_limits.h"
#include "curve/machine_watch.h"
#include "scratch.h"

#define MIB (UINT64_C(1) << 20)

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

/** With the time of half a processor of two there is one thread, by which curve and peak are measured alike. */
static void test_threads_of(const char *root)
{
    const struct rg_host_topology two = {.cpu_count = 2};
    char limit[RG_HOST_LIMIT_BYTES];
    unsigned threads = 0;
    assert_int_equal(rg_host_threads(root, &two, 0, &threads, limit, NULL), RIDGE_OK);
    assert_int_equal(threads, 1);
    assert_string_equal(limit, "the control group allows the time of 0.5 processors of 2");
    assert_int_equal(rg_host_threads(root, &two, 2, &threads, limit, NULL), RIDGE_E_ARGUMENT);
    assert_int_equal(rg_host_threads("/nowhere", &two, 0, &threads, limit, NULL), RIDGE_OK);
    assert_int_equal(threads, 2);
    assert_string_equal(limit, "");
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
    test_threads_of(scratch->folder);
    put_file(scratch, "sys/fs/cgroup/memory/c/memory.limit_in_bytes", "700\n");
    put_file(scratch, "sys/fs/cgroup/memory/c/memory.usage_in_bytes", "200\n");
    assert_int_equal(rg_host_memory_available(scratch->folder), 500);
}

/** The time that a hypervisor gave to others: of the processors asked for, or of all. */
static void test_stolen_time(void **state)
{
    const struct scratch *scratch = *state;
    const int cpus[] = {0, 12};
    assert_int_equal(rg_steal_ticks(scratch->folder, cpus, 2), 0);
    put_file(scratch, "proc/stat",
             "cpu  1 2 3 4 5 6 7 60 9 10\ncpu0 1 2 3 4 5 6 7 10 9 10\ncpu1 1 2 3 4 5 6 7 20 9 10\n"
             "cpu12 1 2 3 4 5 6 7 30 9 10\nintr 99 0 0 0 0 0 0 77 0\n");
    assert_int_equal(rg_steal_ticks(scratch->folder, cpus, 2), 40);
    assert_int_equal(rg_steal_ticks(scratch->folder, cpus, 1), 10);
    assert_int_equal(rg_steal_ticks(scratch->folder, NULL, 0), 60);
    /* At work is all but waiting for work (4) and for disks (5). */
    assert_close(rg_machine_busy_s(scratch->folder), 79.0 / (double)sysconf(_SC_CLK_TCK), 1e-12, 0);
    /* Kernels before 2.6.11 know no such column; nonsense has none. */
    put_file(scratch, "proc/stat", "cpu  1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7\ncpux\ncpu12 what\n");
    assert_int_equal(rg_steal_ticks(scratch->folder, cpus, 2), 0);
    assert_int_equal(rg_steal_ticks(scratch->folder, NULL, 0), 0);
}

static void test_disturbances(void **state)
{
    (void)state;
    const struct rg_account before = {.faults = 1, .switches = 5, .busy_s = 1};
    struct rg_account after = {.faults = 1, .switches = 5, .busy_s = 1.99};
    assert_int_equal(rg_account_disturbances(&before, &after, 1), 0);
    after.busy_s = 1.97;
    assert_int_equal(rg_account_disturbances(&before, &after, 1), RG_DISTURBED_SHARE);
    assert_int_equal(rg_account_disturbances(&before, &after, 0), 0); /* threads that sleep between passes */
    after.switches++;
    assert_int_equal(rg_account_disturbances(&before, &after, 1), RG_DISTURBED_SHARE | RG_DISTURBED_SWITCH);
    assert_string_equal(rg_disturbance_word(0), "steal");
    assert_string_equal(rg_disturbance_word(RG_DISTURBANCES), "?");
}

static void test_readings(void **state)
{
    (void)state;
    double values[60];
    assert_true(rg_reading_is_off(1.2, 1) && rg_reading_is_off(0.8, 1) && !rg_reading_is_off(1.05, 1));
    assert_false(rg_reading_is_off((double)NAN, 1));
    assert_false(rg_reading_is_off(1, (double)NAN));
    for (size_t i = 0; i < 60; i++) {
        values[i] = 3e9 * (1 - 0.2 * (double)i / 60);
    }
    assert_int_equal(rg_readings_trend(values, 60), RG_TREND_FALL);
    assert_int_equal(rg_readings_trend(values, 5), RG_TREND_STEADY); /* too few to tell */
    values[7] = 1e9;                                                 /* one reading that is off changes nothing */
    assert_int_equal(rg_readings_trend(values, 60), RG_TREND_FALL);
    for (size_t i = 0; i < 60; i++) {
        values[i] = i % 20 < 10 ? 3e9 : 2e9;
    }
    assert_int_equal(rg_readings_trend(values, 60), RG_TREND_STEADY); /* up and down */
    for (size_t i = 0; i < 60; i++) {
        values[i] = i < 30 ? 2e9 : 3e9;
    }
    assert_int_equal(rg_readings_trend(values, 60), RG_TREND_DRIFT);
    for (size_t i = 0; i < 60; i++) {
        values[i] = (double)NAN;
    }
    assert_int_equal(rg_readings_trend(values, 60), RG_TREND_STEADY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache_bytes), scratch_test(test_limits_of_a_control_group),
        scratch_test(test_stolen_time),     cmocka_unit_test(test_disturbances),
        cmocka_unit_test(test_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
