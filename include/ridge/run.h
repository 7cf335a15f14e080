/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A run: what was measured of one kernel on one device, with its ranking. Made by ridge_store_run_load.
 * Thread rule: a loaded run is unchanging and may be read by any thread.
 */
#ifndef RIDGE_RUN_H
#define RIDGE_RUN_H

#include "ridge/kind.h"
#include "ridge/roofline.h"
#include "ridge/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a configuration: name, word in every table and file, meaning. */
#define RIDGE_OUTCOME_LIST(X)                                                                         \
    X(RIDGE_OUTCOME_OK, "ok", "measured and, where asked, verified")                                  \
    X(RIDGE_OUTCOME_CONSTRAINT, "constraint", "a constraint could not be evaluated or rejects it")    \
    X(RIDGE_OUTCOME_UNLAUNCHABLE, "unlaunchable", "the device cannot launch it: a limit is exceeded") \
    X(RIDGE_OUTCOME_COMPILE, "compile", "it does not compile")                                        \
    X(RIDGE_OUTCOME_LAUNCH, "launch", "the driver refused or failed the launch")                      \
    X(RIDGE_OUTCOME_WRONG, "wrong", "its output is wrong")                                            \
    X(RIDGE_OUTCOME_TIMEOUT, "timeout", "it did not end in time")                                     \
    X(RIDGE_OUTCOME_CRASHED, "crashed", "its process died")                                           \
    X(RIDGE_OUTCOME_SKIPPED, "skipped", "it was not tried")

typedef enum ridge_outcome {
#define RIDGE_OUTCOME_ENUM(name, word, meaning) name,
    RIDGE_OUTCOME_LIST(RIDGE_OUTCOME_ENUM)
#undef RIDGE_OUTCOME_ENUM
} ridge_outcome;

/** How many outcomes there are. */
enum {
    RIDGE_OUTCOME_COUNT = RIDGE_OUTCOME_SKIPPED + 1
};

/** How a run ended. */
typedef enum ridge_run_state {
    RIDGE_RUN_OPEN,     /**< it is running, or was killed */
    RIDGE_RUN_COMPLETE, /**< every configuration of the space was tried */
    RIDGE_RUN_LIMITED,  /**< the budget or the number of configurations was reached */
    RIDGE_RUN_STOPPED,  /**< the person stopped it */
    RIDGE_RUN_FAILED    /**< the tool failed */
} ridge_run_state;

RIDGE_API const char *ridge_outcome_word(ridge_outcome outcome);   /**< never NULL */
RIDGE_API const char *ridge_run_state_word(ridge_run_state state); /**< never NULL */

/** Summary of samples. Source of the interval: ridge/stats.h. */
struct ridge_summary {
    uint64_t n;        /**< samples; 0: nothing below is set */
    double median_s;   /**< seconds */
    double ci95_low_s; /**< distribution-free 95 % interval of the median; NaN when n is too small for one */
    double ci95_high_s;
    double minimum_s;
    double maximum_s;
    uint64_t outliers; /**< samples beyond Tukey's fences */
};

/** One configuration and what became of it. All pointers are borrowed from the run. */
struct ridge_record {
    char id[RIDGE_ID_BYTES];
    const struct ridge_value *values; /**< one a dimension of the run, in its order */
    ridge_outcome outcome;
    ridge_kind kind;
    const char *text;        /**< why it failed: whole log; NULL when it did not */
    bool in_space;           /**< false: the spec no longer has it (resumed with another space); never ranked */
    bool finalist;           /**< its samples are those of the interleaved final rounds */
    bool converged;          /**< the interval became as narrow as was asked for */
    const double *samples_s; /**< the samples behind the summary, seconds, in the order taken */
    uint64_t sample_count;
    uint64_t rejected;    /**< samples thrown away: zero or negative time */
    uint64_t throttled;   /**< samples at a clock far below the usual: left out, unless they are more than half */
    double compile_s;     /**< seconds to build it */
    double run_s;         /**< seconds to verify and measure it */
    int64_t registers;    /**< a thread needs, as the compiler says; -1: unknown */
    int64_t shared_bytes; /**< static shared memory of a block; -1: unknown */
    int64_t spill_bytes;  /**< memory that a thread's registers spill to; -1: unknown */
    struct ridge_summary summary;
    struct ridge_summary first;    /**< of the samples taken before the finals; the same as `summary` without finals */
    const struct ridge_work *work; /**< what a launch uses up, as [model] of the spec says; NULL: it does not */
    const struct ridge_score
        *score; /**< of the median, against the saved ceilings of the device; NULL: there are none */
};

/** What identifies a run: results of two runs are comparable only when all of `kernel` to `cache` agree. */
struct ridge_run_info {
    const char *kernel;         /**< display name */
    const char *backend;        /**< opencl, host, null, ... */
    const char *device;         /**< name as the driver gives it */
    const char *platform;       /**< OpenCL platform, or "" */
    const char *driver;         /**< driver and its version, or compiler and its version for host */
    const char *source_hash;    /**< SHA-256 of the kernel's source text, hex */
    const char *arguments_hash; /**< SHA-256 of entry, arguments, grid and verification, hex */
    const char *parameters;     /**< "n=512 seed=0": names sorted */
    const char *cache;          /**< "warm" or "cold" */
    const char *space_hash;     /**< SHA-256 of dimensions and constraints, hex */
    const char *spec_path;
    const char *order;     /**< "exhaustive" or "random" */
    const char *reference; /**< how outputs were verified, or "none" */
    const char *ridge_version;
    const char *host; /**< name of the machine */
    uint64_t seed;
    uint64_t space_count; /**< configurations in the space */
};

/** Where the wall time of a run went. Unit: seconds. */
struct ridge_run_seconds {
    double compile; /**< building and verifying, all workers at once */
    double run;     /**< measuring */
    double own;     /**< everything else but waiting for another tuner of the machine, of which a note tells */
    double total;
};

/** A run. All pointers are borrowed from it. */
struct ridge_run {
    int64_t id;
    struct ridge_run_info info;
    ridge_run_state state;
    const char *state_text; /**< why it ended, in words; or "" */
    const char *started_at; /**< UTC, 2031-01-02T03:04:05.678Z */
    const char *ended_at;   /**< the same, or "" */
    struct ridge_run_seconds seconds;
    double drift_ratio; /**< slowest over fastest median of the sentinel; 1: none; NaN: unknown */
    size_t dimension_count;
    const char *const *dimension_names;
    size_t record_count;
    const struct ridge_record *records;     /**< in the order first measured */
    uint64_t outcomes[RIDGE_OUTCOME_COUNT]; /**< of the records in the space */
    size_t note_count;
    const char *const *notes; /**< warnings that belong to the run: contention, drift, failed sentinel */
    /* The ranking: only measured records of the space. The best is the finalist with the lowest median, or where there
     * are no finalists the record with the lowest; next come those that cannot be told apart from it, then the others:
     * each time finalists first, then by median, then by id. */
    size_t ranked_count;
    const size_t *ranked; /**< indices into `records`, best first */
    /** The first `tied_count` of `ranked`, the best included, are indistinguishable from it: by their final rounds when
     * both had them, else by the first pass, widened by the drift. */
    size_t tied_count;
    double spread_ratio;  /**< worst median over best; NaN with fewer than two */
    const char *ceilings; /**< what the scores are against, in words; NULL: no record has a score */
    int64_t group;        /**< the group that it belongs to (ridge/group.h); 0: none */
    const char *workload; /**< name of its workload there, or NULL */
};

/** Free a run. NULL is fine. */
RIDGE_API void ridge_run_destroy(struct ridge_run *run);

#ifdef __cplusplus
}
#endif
#endif
