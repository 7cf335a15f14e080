/* SPDX-License-Identifier: MIT */
/** \file The lock that tuners of a machine share: those that build and overlap do not keep out one that wants to time. */
#include "rg_test.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tune/session.h"

enum {
    MOST_HOLDS = 200 /* by then whoever waits is starved. Holds are counted, not seconds: real tuners may be at work */
};

/** What the processes share. */
struct table {
    atomic_int holds;             /* how often building was begun */
    volatile sig_atomic_t ending; /* the stop flag of everyone */
};

static void pause_ms(long milliseconds)
{
    const struct timespec pause = {.tv_nsec = milliseconds * 1000000};
    nanosleep(&pause, NULL);
}

static void lock_open(struct rg_tuning *tuning, const struct table *table)
{
    static const struct rg_tuning closed = {.lock = -1, .lock_turn = -1};
    *tuning = closed;
    tuning->setup.backend = &rg_backend_host;
    tuning->options.stop = &table->ending;
    rg_machine_lock_open(tuning);
    assert_true(tuning->lock >= 0);
}

/** Build again and again, each time until the other one builds too (or cannot): somebody always holds the lock. */
static int build_always(struct table *table)
{
    static struct rg_tuning tuning;
    lock_open(&tuning, table);
    while (!table->ending) {
        rg_machine_lock_share(&tuning);
        const int mine = atomic_fetch_add(&table->holds, 1) + 1;
        table->ending = table->ending || mine >= MOST_HOLDS;
        pause_ms(5);
        for (int waits = 0; waits < 100 && !table->ending && atomic_load(&table->holds) == mine; waits++) {
            pause_ms(1);
        }
    }
    rg_machine_lock_close(&tuning);
    return 0;
}

static void test_builders_do_not_starve_timing(void **state)
{
    (void)state;
    static struct rg_tuning tuning;
    pid_t builders[2];
    struct table *table = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(table != MAP_FAILED);
    for (size_t i = 0; i < 2; i++) {
        builders[i] = fork();
        assert_true(builders[i] >= 0);
        if (builders[i] == 0) {
            _exit(build_always(table));
        }
    }
    while (atomic_load(&table->holds) < 4) {
        pause_ms(1);
    }
    lock_open(&tuning, table);
    rg_machine_lock_alone(&tuning);
    const bool starved = table->ending != 0;
    const int before = atomic_load(&table->holds);
    pause_ms(50);
    const int after = atomic_load(&table->holds);
    table->ending = 1;
    rg_machine_lock_close(&tuning);
    for (size_t i = 0; i < 2; i++) {
        int end = 0;
        assert_int_equal(waitpid(builders[i], &end, 0), builders[i]);
        assert_true(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    }
    assert_int_equal(munmap(table, sizeof *table), 0);
    assert_false(starved);
    assert_int_equal(after, before); /* it is alone: nobody builds meanwhile */
}

static void keep_longest(void *user, const struct ridge_tune_progress *now)
{
    double *longest_s = user;
    *longest_s = now->waiting_s > *longest_s ? now->waiting_s : *longest_s;
}

/** Another one measures for long: whoever waits is told, again and again, and no more once it is over. */
static void test_long_waits_are_told(void **state)
{
    (void)state;
    static struct rg_tuning holder;
    static struct rg_tuning tuning;
    static struct table table;
    double longest_s = 0;
    lock_open(&holder, &table);
    rg_machine_lock_alone(&holder);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) { /* it shares the lock of the holder, and ends it */
        for (int waits = 0; waits < 30; waits++) {
            pause_ms(100);
        }
        rg_machine_lock_close(&holder);
        _exit(0);
    }
    rg_machine_lock_close(&holder);
    lock_open(&tuning, &table);
    tuning.options.progress = keep_longest;
    tuning.options.user = &longest_s;
    rg_machine_lock_alone(&tuning);
    rg_machine_lock_close(&tuning);
    assert_true(longest_s >= 1);
    assert_true(tuning.shown.waiting_s <= 0);
    int end = 0;
    assert_int_equal(waitpid(child, &end, 0), child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_builders_do_not_starve_timing),
                                       cmocka_unit_test(test_long_waits_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
