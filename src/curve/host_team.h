/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Threads that do one task together: each on its processor, released at once by a barrier that spins. Between tasks
 * they sleep. Who waits for them asks some times a second whether to end; a task that is told to leaves its loops, and
 * barriers no longer hold. Thread rule: a team belongs to the thread that made it.
 */
#ifndef RG_CURVE_HOST_TEAM_H
#define RG_CURVE_HOST_TEAM_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/context.h"
#include "curve/host_loops.h"

struct rg_team;

/** One thread. A task reads `work` and writes the rest. */
struct rg_worker {
    struct rg_team *team;
    pthread_t thread;
    unsigned index;
    int cpu;             /**< to run on; -1: any */
    int pin_error;       /**< errno of pinning; 0: pinned, or not asked for */
    unsigned char *pool; /**< its own part */
    uint64_t pool_bytes;
    rg_host_loop loop;
    struct rg_host_work work;
    uint64_t result;   /**< of the loop: summed over launches */
    uint64_t begin_ns; /**< of the timed part */
    uint64_t end_ns;
    uint64_t faults;    /**< pages, inside the timed part */
    unsigned disturbed; /**< inside it: bits RG_DISTURBED_* */
    double clock_hz;
};

/** What a thread does; called by every thread of the team at the same time. */
typedef void (*rg_task)(struct rg_worker *worker);

struct rg_team {
    const struct ridge_context *context;
    unsigned count;    /**< threads that run */
    unsigned capacity; /**< workers allocated */
    unsigned active;   /**< the first so many take part in tasks; set while no task runs */
    struct rg_worker *workers;
    bool (*stopped)(void *user); /**< asked by the thread that the team belongs to: whether to end. NULL: never */
    void *user;                  /**< handed to it */
    atomic_bool ended;           /**< it said so */
    pthread_mutex_t lock;
    pthread_cond_t go;
    pthread_cond_t done;
    uint64_t generation; /**< of the task: guarded by lock */
    unsigned running;    /**< threads still at it: guarded by lock */
    rg_task task;        /**< NULL: end */
    atomic_uint arrived; /**< at the barrier */
    atomic_uint turn;    /**< of the barrier */
};

/**
 * Start threads. Fewer than asked for may start (`count` says how many), at least one.
 * \param cpus  where each is to run; -1: anywhere
 * \retval RIDGE_E_MEASURE  not one could be started
 */
ridge_status rg_team_start(struct rg_team *team, const struct ridge_context *context, const int *cpus, unsigned count,
                           struct ridge_error *error);

/** End the threads. A team that is all zero is fine. */
void rg_team_end(struct rg_team *team);

/** Wake every thread, let it do the task, wait for the last one. */
void rg_team_run(struct rg_team *team, rg_task task);

/** Ask now whether to end. \return whether tasks are to leave their loops, from now on or before */
bool rg_team_asks(struct rg_team *team);

/** Whether a task is to leave its loops. Any thread. */
static inline bool rg_team_is_ended(struct rg_team *team)
{
    return atomic_load_explicit(&team->ended, memory_order_relaxed);
}

/** Inside a task: wait, spinning, until every thread is here, or the team is told to end. */
void rg_team_meet(struct rg_team *team);

#endif
