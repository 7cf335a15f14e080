/* SPDX-License-Identifier: MIT */
/**
 * \file The workers of a session, seen from the parent: start, ask, wait with deadlines, kill, start anew.
 * Thread rule: one thread a pool.
 */
#ifndef RG_TUNE_POOL_H
#define RG_TUNE_POOL_H

#include <signal.h>
#include <sys/types.h>

#include "tune/worker.h"

enum {
    RG_MAX_WORKERS = 64
};

struct rg_worker {
    pid_t pid; /**< 0: not running */
    int socket;
    bool busy;  /**< a reply is owed */
    bool fresh; /**< it has served nothing yet */
    char folder[128];
};

/** What rg_pool_wait saw. */
typedef enum rg_event_kind {
    RG_EVENT_REPLY,   /**< `reply`, `samples`, `text` hold the answer */
    RG_EVENT_DIED,    /**< the process ended by itself; `text` says how; it is not running any more */
    RG_EVENT_TIMEOUT, /**< it was killed at its deadline; `text` says at what */
    RG_EVENT_STOP     /**< the stop flag rose, or the time given passed; nothing was read */
} rg_event_kind;

struct rg_event {
    rg_event_kind kind;
    size_t worker;
    struct rg_reply reply;
    const double *samples;   /**< borrowed from the pool until the next wait */
    const double *clocks_hz; /**< the same: at each of them; NaN: unknown */
    const char *text;        /**< the same; never NULL */
};

/** \return whether the answer is good: nothing failed, neither tool nor configuration. */
static inline bool rg_event_is_good(const struct rg_event *event)
{
    return event->kind == RG_EVENT_REPLY && event->reply.status == RIDGE_OK && event->reply.outcome == RIDGE_OUTCOME_OK;
}

struct rg_pool {
    const struct ridge_context *context;
    const struct rg_worker_setup *setup;
    double timeout_s;
    const volatile sig_atomic_t *stop; /**< NULL: none */
    size_t count;
    struct rg_worker workers[RG_MAX_WORKERS];
    struct rg_worker_page *pages; /**< shared, one a worker */
    double *samples;              /**< RG_MAX_SAMPLES, then the clock at each */
    char *text;
    char root[96]; /**< folder of the session's temporary files */
};

/** Make a pool; no worker is started yet. `root` is a folder that rg_pool_fini removes with all in it. */
ridge_status rg_pool_init(struct rg_pool *pool, const struct ridge_context *context,
                          const struct rg_worker_setup *setup, size_t count, double timeout_s,
                          const volatile sig_atomic_t *stop, const char *root, struct ridge_error *error);

/** Kill what runs and free everything. */
void rg_pool_fini(struct rg_pool *pool);

/** Make sure that a worker runs: fork it and wait until it has opened the device. */
ridge_status rg_pool_start(struct rg_pool *pool, size_t index, struct ridge_error *error);

/** Kill a worker. It may be started again. */
void rg_pool_kill(struct rg_pool *pool, size_t index);

/** Send a request to an idle running worker; a worker that is gone is seen by the next wait. */
void rg_pool_send(struct rg_pool *pool, size_t index, const struct rg_request *request);

/**
 * Wait for a busy worker: a reply, a death or a deadline.
 * \param stop_level  come back with RG_EVENT_STOP once the stop flag is at least this high
 * \retval RIDGE_E_INTERNAL  no worker is busy, or the system refuses to wait
 */
ridge_status rg_pool_wait(struct rg_pool *pool, int stop_level, struct rg_event *event, struct ridge_error *error);

#endif
