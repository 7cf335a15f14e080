/* SPDX-License-Identifier: MIT */
/**
 * \file A crew: worker processes that take numbered jobs one after another. A job that crashes or hangs takes its
 * process with it and nothing else. Results go through memory that is shared. Thread rule: one thread; it blocks.
 */
#ifndef RG_TUNE_CREW_H
#define RG_TUNE_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ridge/context.h"

/** How a job ended. */
typedef enum rg_crew_end {
    RG_CREW_DONE,   /**< the slot holds what `work` left there */
    RG_CREW_LATE,   /**< killed at its deadline */
    RG_CREW_CRASHED /**< its process died: `signal`, or 0 where it ended by itself */
} rg_crew_end;

struct rg_crew {
    const struct ridge_context *context;
    unsigned workers;  /**< processes; 0: one a usable CPU; never more than jobs */
    size_t slot_bytes; /**< of a result */
    double timeout_s;  /**< of a job; 0: none */
    /** Do a job: in a worker. The slot is all zero before. */
    void (*work)(void *user, uint64_t job, void *slot);
    /** Free what a worker holds: in the worker, before it ends by itself. NULL: nothing. */
    void (*leave)(void *user);
    /** A job has ended: in the caller, in the order in which they end. \return false to end early */
    bool (*done)(void *user, uint64_t job, const void *slot, rg_crew_end end, int signal);
    void *user;
};

/** Do jobs 0 to `jobs` - 1. \retval RIDGE_E_INTERNAL no process, pipe or memory could be had */
ridge_status rg_crew_run(const struct rg_crew *crew, uint64_t jobs, struct ridge_error *error);

#endif
