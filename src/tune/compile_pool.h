/* SPDX-License-Identifier: MIT */
/**
 * \file Worker processes that compile: each takes one job after the other; one that crashes or takes too long is
 * replaced. Thread rule: one thread a run; it forks.
 */
#ifndef RG_TUNE_COMPILE_POOL_H
#define RG_TUNE_COMPILE_POOL_H

#include <signal.h>

#include "compile/compiler.h"
#include "ridge/run.h"

/** What became of a job. */
struct rg_compile_answer {
    ridge_outcome outcome; /**< OK, COMPILE, TIMEOUT, CRASHED */
    ridge_status status;   /**< other than RIDGE_OK: the tool failed, `error` says how */
    struct ridge_error error;
    double seconds;               /**< in the compiler */
    struct rg_artifact *artifact; /**< may be taken by setting it to all zero; its log says why it failed */
};

/** A run of jobs. Everything is borrowed. */
struct rg_compile_run {
    const struct ridge_context *context;
    unsigned workers;
    double timeout_s;
    const volatile sig_atomic_t *stop; /**< may be NULL */
    void *user;
    uint64_t (*next)(void *user); /**< \return the number of a job to begin; UINT64_MAX: no more */
    /** Compile, in a worker. */
    ridge_status (*compile)(void *user, uint64_t job, struct rg_artifact *out, struct ridge_error *error);
    /** In the calling process. A status other than RIDGE_OK ends the run. */
    ridge_status (*done)(void *user, uint64_t job, struct rg_compile_answer *answer, struct ridge_error *error);
};

/** Do all jobs, or those begun when the stop flag rises. */
ridge_status rg_compile_run_all(const struct rg_compile_run *run, struct ridge_error *error);

#endif
