/* SPDX-License-Identifier: MIT */
/**
 * \file Runs blocks of a PTX kernel on this CPU: a warp at a time over vector lanes, exactly; counts what a GPU would
 * have to issue and move; sees races, divergent barriers and stray accesses. docs/engine.md says how, what is counted
 * and what is not modelled. Knows nothing of specs: whoever calls works out launch and arguments (src/tune/trace.c).
 * Thread rule: a module is unchanging after it is read; a run belongs to one thread.
 */
#ifndef RG_ENGINE_ENGINE_H
#define RG_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ridge/context.h"

struct rg_ptx; /**< a PTX module, decoded */

/**
 * Read PTX. \param text  borrowed for the call. \param path  shown in messages
 * \retval RIDGE_E_SYNTAX       not PTX, or truncated, with line and column
 * \retval RIDGE_E_UNAVAILABLE  an instruction, type or version that this reader does not know, with line and text
 */
ridge_status rg_ptx_read(const struct ridge_context *context, const char *text, size_t size, const char *path,
                         struct rg_ptx **out, struct ridge_error *error);
void rg_ptx_destroy(struct rg_ptx *ptx); /**< NULL is fine */

/** What a kernel of a module declares. Borrowed from the module. */
struct rg_ptx_entry {
    const char *name;
    size_t parameter_count;
    const uint32_t *parameter_bytes; /**< size of each */
    uint32_t shared_static_bytes;
    uint32_t max_threads[3];      /**< .maxntid; 0: not given */
    uint32_t required_threads[3]; /**< .reqntid; 0: not given */
    uint64_t instructions;        /**< static */
};
/** What its .target names: 80 for sm_80; 0: nothing. */
uint32_t rg_ptx_target(const struct rg_ptx *ptx);
size_t rg_ptx_entry_count(const struct rg_ptx *ptx);
const struct rg_ptx_entry *rg_ptx_entry_at(const struct rg_ptx *ptx, size_t index);
/** \return the index of a kernel, or SIZE_MAX. */
size_t rg_ptx_entry_find(const struct rg_ptx *ptx, const char *name);

/** Device memory of a run: its bytes are the caller's. Addresses are given by the engine, far apart, so that an access
 * outside is seen. */
struct rg_engine_buffer {
    const char *name; /**< for findings: "argument a" */
    void *bytes;      /**< written in place when `writable` */
    uint64_t size;
    bool writable;    /**< false: a write is a finding */
    bool initialised; /**< false: a read of a byte nobody wrote is a finding */
};

typedef enum rg_engine_argument_kind {
    RG_ENGINE_POINTER, /**< the address of buffer number `buffer` */
    RG_ENGINE_SCALAR,  /**< `size` bytes at `bytes` */
    RG_ENGINE_LOCAL    /**< OpenCL local memory: `size` bytes of shared memory, the parameter is its address */
} rg_engine_argument_kind;

struct rg_engine_argument {
    rg_engine_argument_kind kind;
    size_t buffer;
    const void *bytes;
    uint64_t size;
};

/** Instruction classes: name, key. */
#define RG_CLASS_LIST(X)              \
    X(RG_CLASS_FMA, "fma")            \
    X(RG_CLASS_FLOAT, "float")        \
    X(RG_CLASS_DOUBLE, "double")      \
    X(RG_CLASS_HALF, "half")          \
    X(RG_CLASS_INTEGER, "integer")    \
    X(RG_CLASS_SPECIAL, "special")    \
    X(RG_CLASS_CONVERT, "conversion") \
    X(RG_CLASS_MOVE, "move")          \
    X(RG_CLASS_BRANCH, "branch")      \
    X(RG_CLASS_SHARED, "shared")      \
    X(RG_CLASS_GLOBAL, "global")      \
    X(RG_CLASS_CONSTANT, "constant")  \
    X(RG_CLASS_LOCAL, "local")        \
    X(RG_CLASS_ATOMIC, "atomic")      \
    X(RG_CLASS_BARRIER, "barrier")    \
    X(RG_CLASS_SHUFFLE, "shuffle")    \
    X(RG_CLASS_MATRIX, "matrix")      \
    X(RG_CLASS_DIVIDE, "division")

typedef enum rg_class {
#define RG_CLASS_ENUM(name, key) name,
    RG_CLASS_LIST(RG_CLASS_ENUM)
#undef RG_CLASS_ENUM
    RG_CLASS_COUNT
} rg_class;

/** Sums over what was run; warp counts are warp instructions, thread counts are active lanes. */
struct rg_engine_counts {
    uint64_t blocks;
    uint64_t warps;
    uint64_t threads;
    uint64_t warp_instructions[RG_CLASS_COUNT];
    uint64_t thread_instructions[RG_CLASS_COUNT];
    uint64_t
        uniform_instructions;   /**< warp instructions whose operands are the same in all lanes (address arithmetic of
                                        the warp): a scalar unit could do them */
    uint64_t shared_accesses;   /**< warp instructions that touch shared memory */
    uint64_t shared_wavefronts; /**< cycles of the 32 banks that they need */
    uint64_t global_requests;   /**< warp instructions that touch global memory */
    uint64_t global_sectors;    /**< distinct 32-byte granules a request touches, summed */
    uint64_t global_lines;      /**< distinct 128-byte lines a request touches, summed */
    uint64_t guarded_accesses;  /**< global accesses behind a condition that may differ from lane to lane */
    uint64_t bytes_read[4];     /**< by space: global, shared, local, constant: of active lanes */
    uint64_t bytes_written[4];
    uint64_t distinct_sectors; /**< of a block, summed over blocks: its traffic with perfect reuse inside a block */
    uint64_t launch_sectors;   /**< distinct over all blocks that were run */
    uint64_t atomics;
    uint64_t atomic_conflicts; /**< lanes beyond the first at one address */
    uint64_t barriers;         /**< of a warp */
    uint64_t divergent_branches;
    double chain_cycles; /**< longest dependence chain of a warp, mean over warps, with the latencies of
                                        docs/engine.md */
    uint64_t loop_bytes; /**< 16 x static instructions of the innermost loop run most */
};

/** The counts of one source line or instruction. */
struct rg_engine_line {
    const char *file; /**< from .loc; "": the PTX itself */
    uint32_t line;
    uint64_t warp_instructions;
    uint64_t shared_wavefronts;
    uint64_t global_requests;
    uint64_t global_sectors;
};

/** Rules of the gate: name, word. */
#define RG_RULE_LIST(X)                               \
    X(RG_RULE_SHARED_RACE, "shared-race")             \
    X(RG_RULE_WARP_RACE, "warp-race")                 \
    X(RG_RULE_GLOBAL_RACE, "global-race")             \
    X(RG_RULE_DIVERGENT_BARRIER, "divergent-barrier") \
    X(RG_RULE_UNINITIALISED, "uninitialised-read")    \
    X(RG_RULE_OUT_OF_BOUNDS, "out-of-bounds")         \
    X(RG_RULE_MISALIGNED, "misaligned")               \
    X(RG_RULE_READ_ONLY, "write-to-input")            \
    X(RG_RULE_LAUNCH_BOUNDS, "launch-bounds")         \
    X(RG_RULE_WRONG_OUTPUT, "wrong-output")           \
    X(RG_RULE_NEVER_ENDS, "never-ends")               \
    X(RG_RULE_SHUFFLE, "shuffle-of-absent-lane")      \
    X(RG_RULE_TRAP, "trap")                           \
    X(RG_RULE_UNSUPPORTED, "unsupported")

typedef enum rg_rule {
#define RG_RULE_ENUM(name, word) name,
    RG_RULE_LIST(RG_RULE_ENUM)
#undef RG_RULE_ENUM
    RG_RULE_COUNT
} rg_rule;

const char *rg_rule_word(rg_rule rule);
const char *rg_class_word(rg_class class);

/** Something wrong with what was run. Texts are borrowed for the call of `finding`. */
struct rg_engine_finding {
    rg_rule rule;
    const char *file; /**< from .loc; else the PTX */
    uint32_t line;
    uint32_t ptx_line;
    const char *reason; /**< a sentence with threads, address, buffer, and the other access of a race */
    uint64_t count;     /**< how often at this instruction */
};

/** What to run, and how. All pointers are borrowed for the call. */
struct rg_engine_run {
    const struct ridge_context *context;
    const struct rg_ptx *ptx;
    size_t entry;
    uint64_t grid[3];
    uint64_t block[3];
    uint64_t shared_dynamic_bytes;
    struct rg_engine_buffer *buffers;
    size_t buffer_count;
    const struct rg_engine_argument *arguments; /**< one a parameter of the entry */
    size_t argument_count;
    const uint64_t *blocks; /**< linear indices (x fastest) of the blocks to run, ascending; NULL: all */
    uint64_t block_count;
    bool count;
    bool check;                       /**< judge safety: races, uninitialised reads; bounds are always judged */
    uint64_t max_thread_instructions; /**< 0: 10^10. One more is RG_RULE_NEVER_ENDS */
    double max_seconds;               /**< 0: no limit */
    void (*finding)(void *user,
                    const struct rg_engine_finding *finding);    /**< once an instruction and rule; may be NULL */
    void (*line)(void *user, const struct rg_engine_line *line); /**< with `count`: by source line; may be NULL */
    void (*block_done)(void *user, uint64_t block, const struct rg_engine_counts *counts); /**< with `count`: those of
                                                                                              this block; may be NULL */
    void *user;
};

/**
 * Run. Findings are no errors: a stray access is not done (a read gives 0), and the run goes on unless that is
 * impossible (never ends, trap).
 * \param[out] counts  may be NULL
 * \retval RIDGE_E_ARGUMENT  arguments do not fit the kernel
 * \retval RIDGE_E_LIMIT     more memory than allowed
 */
ridge_status rg_engine_run(const struct rg_engine_run *request, struct rg_engine_counts *counts,
                           struct ridge_error *error);

#endif
