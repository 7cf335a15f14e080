/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Ranking a space without running anything: models that estimate what each configuration costs on a device
 * (docs/model.md). Every number here is kind `estimated`. Thread rule: a ranking is unchanging after it is made; any
 * thread may read it.
 */
#ifndef RIDGE_RANK_H
#define RIDGE_RANK_H

#include "ridge/device.h"
#include "ridge/run.h"
#include "ridge/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Models: name, word, what the cost is. */
#define RIDGE_MODEL_LIST(X)                                                                       \
    X(RIDGE_MODEL_AUTO, "auto", "mean of normalised ranks, 0.75 of transfer and 0.25 of work")    \
    X(RIDGE_MODEL_TRANSFER, "transfer", "mean normalised rank on other recorded devices")         \
    X(RIDGE_MODEL_WORK, "work", "seconds, of the counted work; compare within this ranking only") \
    X(RIDGE_MODEL_OCCUPANCY_WAVES, "occupancy-waves", "waves over occupancy; without a unit, no time")

typedef enum ridge_model {
#define RIDGE_MODEL_ENUM(name, word, cost) name,
    RIDGE_MODEL_LIST(RIDGE_MODEL_ENUM)
#undef RIDGE_MODEL_ENUM
} ridge_model;

/** What a configuration waits for most: name, word. */
#define RIDGE_BOUND_LIST(X)                                                          \
    X(RIDGE_BOUND_NONE, "none")                                                      \
    X(RIDGE_BOUND_UNLAUNCHABLE, "unlaunchable")                                      \
    X(RIDGE_BOUND_UNKNOWN, "unknown") /* an expression cannot be evaluated for it */ \
    X(RIDGE_BOUND_THREADS, "threads")                                                \
    X(RIDGE_BOUND_SHARED_MEMORY, "shared_memory")                                    \
    X(RIDGE_BOUND_BLOCKS, "blocks")                                                  \
    X(RIDGE_BOUND_FMA, "fma")                                                        \
    X(RIDGE_BOUND_ISSUE, "instructions")                                             \
    X(RIDGE_BOUND_WAVEFRONTS, "wavefronts")                                          \
    X(RIDGE_BOUND_LATENCY, "latency")                                                \
    X(RIDGE_BOUND_L2, "l2")                                                          \
    X(RIDGE_BOUND_DRAM, "dram")                                                      \
    X(RIDGE_BOUND_LAUNCH, "launch")

typedef enum ridge_bound {
#define RIDGE_BOUND_ENUM(name, word) name,
    RIDGE_BOUND_LIST(RIDGE_BOUND_ENUM)
#undef RIDGE_BOUND_ENUM
} ridge_bound;

RIDGE_API const char *ridge_model_word(ridge_model model); /**< never NULL */
RIDGE_API const char *ridge_model_cost(ridge_model model); /**< what its cost is, never NULL */
RIDGE_API const char *ridge_bound_word(ridge_bound bound); /**< never NULL */
/** \return whether there is a model with that word. */
RIDGE_API bool ridge_model_find(const char *word, ridge_model *out);

/** Records of another device, for `transfer` and `auto`. */
struct ridge_evidence {
    const struct ridge_run *run; /**< borrowed for the call */
    const char *device;          /**< which device it is; NULL: as the run says */
};

/** What the code of a configuration says: of its compiled form, and of running it (src/engine). */
struct ridge_code {
    bool compiled;              /**< the next five are known */
    uint32_t registers;         /**< a thread */
    uint32_t smem_static_bytes; /**< a block */
    uint32_t smem_dynamic_bytes;
    uint32_t spill_bytes; /**< a thread: stores and loads */
    uint32_t max_threads; /**< launch bounds; 0: none */
    bool failed;          /**< it does not compile: it cannot be launched */
    const double *work;   /**< counted work in the order of ridge_work_key, NaN: not counted; NULL: none. An expression
                               of [model.work] wins over it */
};

/** How to rank. */
struct ridge_rank_options {
    ridge_model model;
    const struct ridge_device_db *devices;   /**< knows the devices of the evidence; NULL: no evidence is used */
    const struct ridge_device_match *device; /**< to rank for */
    const struct ridge_evidence *evidence;   /**< NULL: none */
    size_t evidence_count;
    bool without_judged;           /**< leave out every constant that has no source */
    const struct ridge_code *code; /**< NULL, or one a configuration, in the space's order */
    uint64_t code_count;
};

/** \return the keys of [model.work] in order ("blocks", "fma", ...), NULL at the end. */
RIDGE_API const char *ridge_work_key(size_t index);

/** What a model says of one configuration. */
struct ridge_estimate {
    double cost;      /**< smaller is better; infinite: it cannot be launched or estimated */
    double occupancy; /**< resident warps over the most there can be */
    double waves;     /**< blocks over the blocks resident on the whole device */
    uint8_t bound;    /**< ridge_bound */
    uint8_t rule;     /**< ridge_launch_rule: the launch verdict */
};

/** A ranking. All pointers are borrowed from it. */
struct ridge_ranking {
    ridge_model model;        /**< as asked */
    const char *cost_meaning; /**< what the costs are: those of `work` where a model fell back to it */
    uint64_t count;           /**< configurations: all of the space */
    size_t dimension_count;
    const uint32_t *choices; /**< `count` rows of value indices, in the space's order */
    const struct ridge_estimate *estimates;
    const uint32_t *order; /**< indices, best first; equal costs in a fixed order that favours no dimension */
    size_t note_count;
    const char *const *notes; /**< what was left out of the model, which evidence was used and which not */
    double transfer_share;    /**< of the cost, in `auto`; 1 for transfer, 0 for others */
    uint64_t covered;         /**< configurations that the evidence covers */
};

/**
 * Rank all of a space.
 * \param[out] out  owned by the caller; freed by ridge_ranking_destroy
 * \retval RIDGE_E_UNAVAILABLE  a fact of the device that the model needs is not known
 * \retval RIDGE_E_VALUE        the spec does not say what the model needs
 * \retval RIDGE_E_EMPTY        the space has no configurations
 * \retval RIDGE_E_LIMIT        it has more than 2^28
 */
RIDGE_API ridge_status ridge_rank(const struct ridge_context *context, const struct ridge_space *space,
                                  const struct ridge_rank_options *options, struct ridge_ranking **out,
                                  struct ridge_error *error);

/** Free a ranking. NULL is fine. */
RIDGE_API void ridge_ranking_destroy(struct ridge_ranking *ranking);

/** What a ranking depends on: how good it was is known only where all of this is the same. SHA-256, hex. */
struct ridge_rank_identity {
    unsigned model_version; /**< of the model's formulas and constants */
    char space[65];         /**< dimensions and constraints */
    char work[65];          /**< parameters, launch dimensions and [model] of the spec */
    char device[65];        /**< the known facts of the device */
    char evidence[65];      /**< the records that are ranked by, with their results; whatever their order */
};

/** \return the version of a model: another one may rank otherwise. */
RIDGE_API unsigned ridge_model_version(ridge_model model);

/** Say what a ranking with these options would depend on. \retval RIDGE_E_ARGUMENT  space, device or out is missing */
RIDGE_API ridge_status ridge_rank_identify(const struct ridge_context *context, const struct ridge_space *space,
                                           const struct ridge_rank_options *options, struct ridge_rank_identity *out,
                                           struct ridge_error *error);

/** \return what differs, in words ("the evidence is another"); NULL: nothing does. */
RIDGE_API const char *ridge_rank_difference(const struct ridge_rank_identity *left,
                                            const struct ridge_rank_identity *right);

/** \return how many constants of the models are judged. */
RIDGE_API size_t ridge_judged_count(void);

/** A constant that was chosen after looking at measurements, and has no source. */
struct ridge_judged {
    const char *name;
    double with;    /**< its value */
    double without; /**< what stands in its place without the judged ones */
    const char *meaning;
};
/** \return one of them, counted from 0; NULL: there are not that many. */
RIDGE_API const struct ridge_judged *ridge_judged_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
