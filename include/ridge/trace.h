/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Counting the work of configurations: each is compiled, some of its blocks are run on this CPU, and what a GPU would
 * have to issue and move is counted (docs/engine.md, docs/model.md). Work is done in worker processes.
 * Thread rule: a tracer belongs to one thread; what it hands out lives until its next call.
 */
#ifndef RIDGE_TRACE_H
#define RIDGE_TRACE_H

#include <signal.h>

#include "ridge/rank.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RIDGE_TRACE_CLASSES = 18, /**< of instructions: ridge_trace_class_word */
    RIDGE_WORK_KEYS = 13      /**< of [model.work]: ridge_work_key */
};

/** \return the word of an instruction class, "fma", "shared", ...; NULL: there are not that many. */
RIDGE_API const char *ridge_trace_class_word(size_t index);

/** What is counted beside instructions: name, key, meaning. Sums over what was run, but for the last two. */
#define RIDGE_TALLY_LIST(X)                                                                            \
    X(RIDGE_TALLY_WARPS, "warps", "warps of the blocks")                                               \
    X(RIDGE_TALLY_THREADS, "threads", "threads of the blocks")                                         \
    X(RIDGE_TALLY_UNIFORM, "uniform", "warp instructions whose operands are the same in all lanes")    \
    X(RIDGE_TALLY_SHARED, "shared_accesses", "warp instructions that touch shared memory")             \
    X(RIDGE_TALLY_WAVEFRONTS, "shared_wavefronts", "cycles of the 32 banks that they need")            \
    X(RIDGE_TALLY_REQUESTS, "global_requests", "warp instructions that touch global memory")           \
    X(RIDGE_TALLY_SECTORS, "global_sectors", "32-byte granules that they touch")                       \
    X(RIDGE_TALLY_LINES, "global_lines", "128-byte lines that they touch")                             \
    X(RIDGE_TALLY_GUARDED, "guarded_accesses", "of them, behind a condition on the lane")              \
    X(RIDGE_TALLY_READ_GLOBAL, "global_bytes_read", "by active lanes")                                 \
    X(RIDGE_TALLY_READ_SHARED, "shared_bytes_read", "by active lanes")                                 \
    X(RIDGE_TALLY_READ_LOCAL, "local_bytes_read", "by active lanes")                                   \
    X(RIDGE_TALLY_READ_CONSTANT, "constant_bytes_read", "by active lanes")                             \
    X(RIDGE_TALLY_WRITTEN_GLOBAL, "global_bytes_written", "by active lanes")                           \
    X(RIDGE_TALLY_WRITTEN_SHARED, "shared_bytes_written", "by active lanes")                           \
    X(RIDGE_TALLY_WRITTEN_LOCAL, "local_bytes_written", "by active lanes")                             \
    X(RIDGE_TALLY_DISTINCT, "distinct_sectors", "32-byte granules of a block, each once, over blocks") \
    X(RIDGE_TALLY_ATOMICS, "atomics", "lanes of atomic operations")                                    \
    X(RIDGE_TALLY_CONFLICTS, "atomic_conflicts", "lanes beyond the first at one address")              \
    X(RIDGE_TALLY_BARRIERS, "barriers", "barriers that warps waited at")                               \
    X(RIDGE_TALLY_DIVERGENT, "divergent_branches", "branches that lanes of a warp took differently")   \
    X(RIDGE_TALLY_CHAIN, "chain_cycles", "cycles along the longest dependence chain, over warps")      \
    X(RIDGE_TALLY_LOOP, "loop_bytes", "code of the innermost loop that ran most (not a sum)")

typedef enum ridge_tally_key {
#define RIDGE_TALLY_ENUM(name, key, meaning) name,
    RIDGE_TALLY_LIST(RIDGE_TALLY_ENUM)
#undef RIDGE_TALLY_ENUM
} ridge_tally_key;

enum {
    RIDGE_TALLY_COUNT = RIDGE_TALLY_LOOP + 1
};

/** \return the key of a tally, or its meaning; NULL: there are not that many. */
RIDGE_API const char *ridge_tally_key_word(size_t index);
RIDGE_API const char *ridge_tally_meaning(size_t index);

/** Counts. */
struct ridge_tally {
    double warp_instructions[RIDGE_TRACE_CLASSES];
    double lane_instructions[RIDGE_TRACE_CLASSES]; /**< active lanes of them */
    double of[RIDGE_TALLY_COUNT];
};

/** A block that was run. */
struct ridge_trace_block {
    uint64_t index;           /**< x fastest */
    double weight;            /**< blocks that it stands for, itself included */
    double warp_instructions; /**< as run */
};

/** The counts of a source line, over the blocks that were run. */
struct ridge_trace_line {
    const char *file;
    unsigned line;
    double warp_instructions;
    double shared_wavefronts;
    double global_requests;
    double global_sectors;
};

/** What was counted of one configuration. Borrowed from the tracer. */
struct ridge_trace {
    char id[RIDGE_ID_BYTES];
    ridge_outcome outcome;   /**< RIDGE_OUTCOME_OK, or why nothing was counted: the rest is then not set */
    const char *text;        /**< why */
    const char *language;    /**< "CUDA", "OpenCL C", "PTX" */
    const char *compiler;    /**< "NVRTC 13.0"; "": a PTX file */
    const char *other_entry; /**< of a PTX file: its only kernel, where that is not the spec's by name; else "" */
    const char *target;      /**< "compute_80"; of a PTX file what it names, such as "sm_80" */
    bool cached;             /**< the compiled code was found in the cache */
    uint64_t grid[3];
    uint64_t block[3];
    uint64_t active[3]; /**< blocks that do something, along each axis; the grid where all do */
    uint64_t shared_bytes;
    const char *along; /**< a param that the counts were extended along; NULL: none */
    int64_t at[2];     /**< what it was when they were counted */
    int64_t along_value;
    size_t block_count;
    const struct ridge_trace_block *blocks;
    struct ridge_tally sum; /**< of the grid: blocks by weight, extended */
    double spread;          /**< most over least warp instructions of a block that was run; infinite: one has none */
    double work[RIDGE_WORK_KEYS];       /**< counted, in the order of ridge_work_key; NaN: not counted */
    double expression[RIDGE_WORK_KEYS]; /**< what [model.work] says; NaN: nothing */
    size_t line_count;
    const struct ridge_trace_line *lines; /**< most instructions first; asked for by `lines` */
    bool compiled;                        /**< asked for by `machine`: the next two are known. Kind: stated */
    uint32_t registers;                   /**< a thread */
    uint32_t spill_bytes;                 /**< a thread: stores and loads */
    double compile_s;
    double run_s;
};

/** How to trace. All zero is the default. */
struct ridge_trace_options {
    const char *const *set; /**< as for ridge_spec_load */
    size_t set_count;
    const char *ptx;          /**< a .ptx file to run instead of the spec's source; NULL: none */
    const char *target;       /**< "compute_80" (the default), "compute_90", ... */
    const char *machine;      /**< "sm_86": compiled for this too, for its registers; NULL, or no compiler: left out */
    uint64_t blocks;          /**< blocks to run; 0: corners, edges and the middle */
    bool all_blocks;          /**< run them all */
    bool quick;               /**< for ranking: the middle and the last block only */
    bool lines;               /**< count by source line too */
    double timeout_s;         /**< of a configuration; 0: 60 */
    unsigned workers;         /**< processes; 0: one a usable CPU */
    const char *cuda_path;    /**< a toolkit's folder, or an NVRTC library; NULL: looked for */
    const char *cache_folder; /**< compiled code is kept here; NULL: not kept */
    const char *work_folder;  /**< where temporary files go; NULL: /tmp */
    const volatile sig_atomic_t *stop; /**< not 0: end early; may be NULL */
};

struct ridge_tracer;

/**
 * Get ready to count configurations of a spec: its arguments are filled. \param path  of the kernel.toml or its folder
 * \param[out] out  freed by ridge_tracer_close
 * \retval RIDGE_E_VALUE  the spec has neither CUDA nor OpenCL source
 */
RIDGE_API ridge_status ridge_tracer_open(const struct ridge_context *context, const char *path,
                                         const struct ridge_trace_options *options, struct ridge_tracer **out,
                                         struct ridge_error *error);
RIDGE_API void ridge_tracer_close(struct ridge_tracer *tracer); /**< NULL is fine */

/** The space that configurations are of. Borrowed. */
RIDGE_API const struct ridge_space *ridge_tracer_space(const struct ridge_tracer *tracer);

/**
 * Count configurations, several at once, each in a worker process.
 * \param choices  `count` rows of value indices
 * \param each     called for each when it has ended, in any order; \return false to end early
 * \retval RIDGE_E_UNAVAILABLE  there is no compiler for the sources; says what is missing
 */
RIDGE_API ridge_status ridge_trace_each(struct ridge_tracer *tracer, const uint32_t *choices, uint64_t count,
                                        bool (*each)(void *user, uint64_t index, const struct ridge_trace *trace),
                                        void *user, struct ridge_error *error);

/** How to count a space for a ranking. */
struct ridge_count_options {
    const struct ridge_device_match *device;                     /**< to rank for */
    uint64_t limit;                                              /**< configurations to count at most; 0: 1000 */
    uint64_t seed;                                               /**< of what is drawn at random */
    void (*progress)(void *user, uint64_t done, uint64_t total); /**< NULL: nothing is shown */
    void *user;
};

/** A space that was counted. */
struct ridge_counted {
    const struct ridge_context *context; /**< whose memory it is */
    uint64_t configurations;             /**< of the space */
    uint64_t counted;                    /**< that were tried */
    uint64_t drawn;          /**< of these, at random; the others are neighbours of the best. 0: all were tried */
    uint64_t failed;         /**< of these, could not be counted */
    char reason[512];        /**< of the first of these; "": none */
    uint64_t registers;      /**< of these, have registers of compiled code */
    double median_run_s;     /**< of running one, compiling apart */
    double median_compile_s; /**< of compiling one that was not kept from before; 0: all were */
    char language[16];
    char compiler[64];
    struct ridge_code *code; /**< one a configuration, for ridge_rank_options; freed by ridge_counted_fini */
    double *work;            /**< what its rows point into */
};

/**
 * Count the configurations of a space, or so many of it: some drawn at random, then neighbours of the best.
 * \param[out] out  freed by ridge_counted_fini
 * \retval RIDGE_E_MEASURE  none could be counted
 */
RIDGE_API ridge_status ridge_count_space(struct ridge_tracer *tracer, const struct ridge_count_options *options,
                                         struct ridge_counted *out, struct ridge_error *error);
RIDGE_API void ridge_counted_fini(struct ridge_counted *counted); /**< all zero is fine */

/** What one kind of work takes by itself on a device, and all together. Kind: estimated. */
struct ridge_trace_cost {
    struct ridge_estimate estimate; /**< of all */
    double part_s[RIDGE_WORK_KEYS]; /**< by key: of the count alone; NaN: not counted, or no time by itself */
};

/** What counted work costs on a device. \param trace  of a configuration of the tracer */
RIDGE_API ridge_status ridge_trace_price(struct ridge_tracer *tracer, const struct ridge_trace *trace,
                                         const uint32_t *choice, const struct ridge_device_match *device,
                                         struct ridge_trace_cost *out, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
