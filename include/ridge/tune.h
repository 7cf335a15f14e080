/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Tuning: try the configurations of a space on a device, keep everything measured, and rank it.
 *
 * ridge_tune forks worker processes that build, verify and time candidates; a crash, hang or lost device takes a
 * worker with it and never the caller. It blocks until the run ends. Thread rule: one call at a time a process; other
 * threads of the process may go on, but the workers are forked without them.
 */
#ifndef RIDGE_TUNE_H
#define RIDGE_TUNE_H

#include <signal.h>

#include "ridge/check.h"
#include "ridge/footprint.h"
#include "ridge/rank.h"
#include "ridge/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In what order candidates are taken. */
typedef enum ridge_order {
    RIDGE_ORDER_EXHAUSTIVE, /**< canonical order of the space */
    RIDGE_ORDER_RANDOM,     /**< uniform without repeats, by seed */
    RIDGE_ORDER_MODEL,      /**< best estimated first, by `rank` */
    RIDGE_ORDER_AUTO        /**< the same, with one pick in four uniform among what was not picked before, by seed */
} ridge_order;

/** How a run stands, for showing. All pointers are borrowed for the call. */
struct ridge_tune_progress {
    uint64_t done;       /**< configurations with an outcome, resumed ones included */
    uint64_t total;      /**< configurations that will be tried at most */
    uint64_t space;      /**< configurations of the space */
    const char *order;   /**< as the run records it: "exhaustive", "model work for RTX A4000 (estimated)", ... */
    uint64_t failed;     /**< of `done`: any outcome but ok */
    bool reference;      /**< the reference is being run; nothing else is known yet */
    bool finals;         /**< the finalists are being measured again */
    double waiting_s;    /**< how long another tuner has been waited for, told each second; 0: none is */
    double elapsed_s;    /**< seconds since this call began */
    double left_s;       /**< seconds that are left, estimated; NaN: unknown yet */
    const char *best_id; /**< NULL: none yet */
    struct ridge_summary best;
    const char *id;        /**< the configuration that just ended; NULL: none did */
    ridge_outcome outcome; /**< of it */
    double median_s;       /**< of it; NaN when it failed */
    const char *text;      /**< why it failed; whole log */
};

/** How to tune. All zero but `device` is a good default. */
struct ridge_tune_options {
    const char
        *device; /**< "opencl", "opencl:1", "opencl:0:1", "cuda", "cuda:1", "host", "null", "replay:FILE": the recorded
                               results of a file as a device, each recorded time taken once */
    double budget_s; /**< seconds for the whole run; 0: no limit. What was begun is ended: one build, one measurement
                               of a candidate, and at the end at least two finalists in three processes */
    uint64_t max_configs; /**< configurations to try; 0: no limit */
    ridge_order order;
    uint64_t seed; /**< of the random order, and of the random picks of `auto` */
    /** How the orders `model` and `auto` rank, before anything is measured; without a `device`: for the tuned one, found
     * in `devices` by the name that its driver gives. NULL for the other orders. */
    const struct ridge_rank_options *rank;
    bool cold;              /**< drive the data out of the caches before each launch */
    bool resume;            /**< go on with the newest run of this kernel, when it is comparable */
    double timeout_s;       /**< for building, for the first launch, and for each further one; 0: 30 s */
    uint64_t samples;       /**< launches timed a configuration, exactly; 0: until the interval is narrow enough */
    double precision_ratio; /**< wanted half width of the interval over the median; 0: 0.01 */
    int64_t group; /**< that the run joins when its spec was loaded with a workload; 0: its own, kept when resumed */
    double stop_at_ratio;        /**< end when a candidate reaches this share of the roofline; 0: do not. The ceilings
                                      are the saved ones of the device, else measured at the start and saved */
    unsigned workers;            /**< processes that build and verify in parallel; 0: one a usable CPU */
    const char *work_root;       /**< where temporary folders go; NULL: /tmp */
    const char *cuda_path;       /**< CUDA: a toolkit's folder or an NVRTC library; NULL: looked for */
    const char *artifact_folder; /**< CUDA: compiled kernels are kept here by content; NULL: not kept */
    /** Leave out what this predicts to be slower for its shared memory ([model] smem_bytes), and nothing else, with a note
     * on how many; NULL: nothing is left out. Borrowed for the call. */
    const struct ridge_footprint_db *footprints;
    uint64_t footprint_base_bytes;     /**< footprint to compare with; 0: the smallest of the space that is not 0 */
    uint64_t footprint_check;          /**< measure so many of those left out, and say whether they deserved it */
    const volatile sig_atomic_t *stop; /**< NULL, or: 1: end after this candidate; 2: end now. May be set by a signal */
    struct ridge_gate *gate; /**< judges each configuration first; what it refuses is skipped, with the rule as text;
                                  NULL: none */
    void (*progress)(void *user, const struct ridge_tune_progress *progress); /**< NULL: nothing is shown */
    void *user;
};

/**
 * Tune.
 *
 * \param space    its spec says what to build, launch and verify
 * \param store    opened for writing; each result is durable in it before the next is measured
 * \param[out] run the run's id in the store, also written when the run failed after it had begun; load it with
 *                 ridge_store_run_load
 * \retval RIDGE_E_ARGUMENT     more samples than can be kept; an order by a model without `rank`
 * \retval RIDGE_E_EMPTY        no configuration satisfies the constraints
 * \retval RIDGE_E_UNAVAILABLE  no such backend or device; or the device, or a fact of it that the order needs, is not known
 * \retval RIDGE_E_MEASURE      the reference failed, or the device was lost for good
 * \retval RIDGE_E_NAME, RIDGE_E_VALUE, RIDGE_E_LIMIT  the kernel does not fit the spec: entry, arguments, memory
 */
RIDGE_API ridge_status ridge_tune(const struct ridge_context *context, const struct ridge_space *space,
                                  struct ridge_store *store, const struct ridge_tune_options *options, int64_t *run,
                                  struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
