/* SPDX-License-Identifier: MIT */
/**
 * \file A worker: a forked process that opens the device and builds, verifies and times configurations on request.
 * Requests and replies are plain structs over a socket pair; the reply is followed by its samples, the clock at each of
 * them, and its text.
 * The worker never touches the store, prints nothing, and dies with its parent.
 */
#ifndef RG_TUNE_WORKER_H
#define RG_TUNE_WORKER_H

#include <stdatomic.h>

#include "backend/backend.h"
#include "ridge/stats.h"
#include "tune/workload.h"

enum {
    RG_WORKER_SLOTS = 48,        /**< built configurations that a worker can hold */
    RG_MAX_SAMPLES = 10000,      /**< timed launches of one configuration */
    RG_MAX_REPLY_TEXT = 1 << 20, /**< bytes of a failure's text that are kept */
    RG_REPLY_MARK = 0x52674d6b   /**< begins a reply: what a kernel writes into the connection does not */
};

typedef enum rg_request_kind {
    RG_REQUEST_PREPARE, /**< build into a slot, launch once, verify */
    RG_REQUEST_MEASURE, /**< time what is in a slot */
    RG_REQUEST_RELEASE  /**< free a slot; no reply */
} rg_request_kind;

struct rg_request {
    rg_request_kind kind;
    uint32_t slot;
    uint32_t choice[RG_MAX_DIMENSIONS]; /**< PREPARE: the configuration */
    bool keep_outputs;                  /**< PREPARE: the outputs become the expected ones; nothing is compared */
    uint64_t least_samples;             /**< MEASURE: never stop before */
    uint64_t most_samples;              /**< MEASURE: stop there */
    double precision_ratio;             /**< MEASURE: stop when the interval's half width over the median is this */
    double race_above_s;                /**< MEASURE: stop when it is certainly slower than this; infinite: never */
    double budget_s;                    /**< MEASURE: stop when the samples together took this long */
    double warm_up_s;                   /**< MEASURE: launch untimed for this long, once at least */
};

struct rg_reply {
    uint32_t mark;       /**< RG_REPLY_MARK */
    ridge_status status; /**< other than RIDGE_OK: the tool failed; `text` is the error's message */
    ridge_outcome outcome;
    uint32_t text_bytes;
    uint32_t rejected; /**< samples of zero or negative time */
    uint64_t sample_count;
    bool converged;
    bool damaged;             /**< it wrote outside its buffers: nothing else is to be judged in this process */
    double watched_s;         /**< seconds of wall time in which samples were taken */
    double others_s;          /**< processor seconds that other programs had meanwhile, on the whole machine */
    double build_s;           /**< seconds in the compiler */
    double launch_s;          /**< seconds in launches, timed or not */
    double own_s;             /**< seconds in copying, verifying and evaluating */
    struct ridge_error error; /**< when status is not RIDGE_OK */
};

/** What the worker is doing, for the parent's deadlines: written by the worker, read by the parent. */
struct rg_worker_page {
    atomic_int stage;              /**< rg_stage */
    atomic_uint_fast64_t since_ns; /**< when the stage began, by rg_clock_ns */
};

typedef enum rg_stage {
    RG_STAGE_IDLE,
    RG_STAGE_OPEN,
    RG_STAGE_BUILD,
    RG_STAGE_FIRST_LAUNCH,
    RG_STAGE_LAUNCH
} rg_stage;

/** Everything that a worker needs; made before the fork and unchanging. */
struct rg_worker_setup {
    const struct ridge_space *space;
    const struct ridge_spec *spec;
    struct rg_workload *workload;
    const struct rg_backend *backend;
    struct rg_session_request session; /**< work_folder is set by the pool for each worker */
    struct rg_device_facts *facts;     /**< shared memory: the worker writes what it opened */
};

/** The worker's life. Never returns: ends with _exit. */
_Noreturn void rg_worker_main(const struct rg_worker_setup *setup, int socket, struct rg_worker_page *page);

#endif
