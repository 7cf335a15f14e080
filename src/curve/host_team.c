/* SPDX-License-Identifier: MIT */
#include "curve/host_team.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/error.h"

enum {
    SPINS_BEFORE_YIELD = 4096, /* some microseconds; longer than any thread is late on a quiet machine */
    ASK_NS = 50 * 1000 * 1000  /* between questions whether to end: nobody feels it, and no sample is so long */
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void rg_team_meet(struct rg_team *team)
{
    const unsigned turn = atomic_load_explicit(&team->turn, memory_order_acquire);
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 == team->active) {
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&team->turn, turn + 1, memory_order_release);
        return;
    }
    for (unsigned spins = 0; atomic_load_explicit(&team->turn, memory_order_acquire) == turn; spins++) {
        if (spins < SPINS_BEFORE_YIELD) {
            relax();
        } else if (rg_team_is_ended(team)) {
            return;
        } else {
            sched_yield();
        }
    }
}

/** Move this thread to its processor. \return errno; 0: done, or not asked for */
static int pin(int cpu)
{
    if (cpu < 0) {
        return 0;
    }
    cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
    if (!set) {
        return ENOMEM;
    }
    const size_t bytes = CPU_ALLOC_SIZE((size_t)cpu + 1);
    CPU_ZERO_S(bytes, set);
    CPU_SET_S((size_t)cpu, bytes, set);
    const int failed = sched_setaffinity(0, bytes, set) == 0 ? 0 : errno;
    CPU_FREE(set);
    return failed;
}

static void *serve(void *argument)
{
    struct rg_worker *worker = argument;
    struct rg_team *team = worker->team;
    uint64_t seen = 0;
    worker->pin_error = pin(worker->cpu);
    for (;;) {
        pthread_mutex_lock(&team->lock);
        while (team->generation == seen) {
            pthread_cond_wait(&team->go, &team->lock);
        }
        seen = team->generation;
        const rg_task task = team->task;
        const bool takes_part = worker->index < team->active;
        pthread_mutex_unlock(&team->lock);
        if (task && takes_part) {
            task(worker);
        }
        pthread_mutex_lock(&team->lock);
        if (--team->running == 0) {
            pthread_cond_signal(&team->done);
        }
        pthread_mutex_unlock(&team->lock);
        if (!task) {
            return NULL;
        }
    }
}

bool rg_team_asks(struct rg_team *team)
{
    if (team->stopped && !rg_team_is_ended(team) && team->stopped(team->user)) {
        atomic_store_explicit(&team->ended, true, memory_order_relaxed);
    }
    return rg_team_is_ended(team);
}

/** Wait for the last worker, asking now and then whether to end. The lock is held. */
static void wait_for_workers(struct rg_team *team)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    while (team->running > 0) {
        until.tv_nsec += ASK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        while (team->running > 0 && pthread_cond_timedwait(&team->done, &team->lock, &until) == 0) {
        }
        if (team->running > 0) {
            pthread_mutex_unlock(&team->lock);
            (void)rg_team_asks(team);
            pthread_mutex_lock(&team->lock);
        }
    }
}

void rg_team_run(struct rg_team *team, rg_task task)
{
    pthread_mutex_lock(&team->lock);
    atomic_store_explicit(&team->arrived, 0, memory_order_relaxed); /* who was told to end may have left a barrier */
    team->task = task;
    team->running = team->count;
    team->generation++;
    pthread_cond_broadcast(&team->go);
    wait_for_workers(team);
    pthread_mutex_unlock(&team->lock);
}

static void do_nothing(struct rg_worker *worker)
{
    (void)worker;
}

/** Start as many as go. Signals stay with the threads of the caller. \return errno of the first that did not; 0 */
static int start_threads(struct rg_team *team, const int *cpus)
{
    sigset_t all;
    sigset_t before;
    int failed = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team->count < team->capacity && failed == 0) {
        struct rg_worker *worker = &team->workers[team->count];
        *worker = (struct rg_worker){.team = team, .index = team->count, .cpu = cpus[team->count]};
        failed = pthread_create(&worker->thread, NULL, serve, worker);
        team->count += failed == 0 ? 1 : 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

ridge_status rg_team_start(struct rg_team *team, const struct ridge_context *context, const int *cpus, unsigned count,
                           struct ridge_error *error)
{
    memset(team, 0, sizeof *team);
    struct rg_worker *workers = rg_alloc(context, count * sizeof *workers);
    if (!workers) {
        return rg_error_memory(error, count * sizeof *workers);
    }
    team->context = context;
    team->workers = workers;
    team->capacity = count;
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->go, NULL);
    pthread_cond_init(&team->done, &steady);
    pthread_condattr_destroy(&steady);
    const int failed = start_threads(team, cpus);
    if (team->count == 0) {
        rg_team_end(team);
        return rg_error_system(error, RIDGE_E_MEASURE, failed, NULL, "no thread can be started");
    }
    team->active = team->count;
    rg_team_run(team, do_nothing); /* every thread has tried to pin itself now */
    return RIDGE_OK;
}

void rg_team_end(struct rg_team *team)
{
    if (!team->workers) {
        return;
    }
    if (team->count > 0) {
        rg_team_run(team, NULL);
    }
    for (unsigned i = 0; i < team->count; i++) {
        pthread_join(team->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->go);
    pthread_mutex_destroy(&team->lock);
    rg_free(team->context, team->workers, team->capacity * sizeof *team->workers);
    memset(team, 0, sizeof *team);
}
