/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Occupancy: how many blocks of a kernel are resident on a multiprocessor, what limits them and by how much, whether
 * the kernel can be launched at all, and what would change it (docs/occupancy.md).
 *
 * A table holds the rules of one device under given options, prepared so that an answer is a few look-ups. Everything
 * here is built on the same look-up and can never disagree with it. All answers are kind `stated`: they follow
 * vendors' rules and are not measured. Thread rule: a table is unchanging; functions over one are pure, allocate
 * nothing and may be called from any thread.
 */
#ifndef RIDGE_OCCUPANCY_H
#define RIDGE_OCCUPANCY_H

#include "ridge/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What can limit resident blocks: name, word. The first six have the order of cuda_occupancy.h's factors. */
#define RIDGE_RESOURCE_LIST(X)                       \
    X(RIDGE_RESOURCE_WARPS, "warps")                 \
    X(RIDGE_RESOURCE_REGISTERS, "registers")         \
    X(RIDGE_RESOURCE_SHARED_MEMORY, "shared_memory") \
    X(RIDGE_RESOURCE_BLOCKS, "blocks")               \
    X(RIDGE_RESOURCE_BARRIERS, "barriers")           \
    X(RIDGE_RESOURCE_VIRTUAL, "virtual_resources")   \
    X(RIDGE_RESOURCE_SCALAR_REGISTERS, "scalar_registers")

typedef enum ridge_resource {
#define RIDGE_RESOURCE_ENUM(name, word) name,
    RIDGE_RESOURCE_LIST(RIDGE_RESOURCE_ENUM)
#undef RIDGE_RESOURCE_ENUM
} ridge_resource;

/** Why a launch is refused: name, word. */
#define RIDGE_LAUNCH_LIST(X)                                    \
    X(RIDGE_LAUNCH_OK, "launchable")                            \
    X(RIDGE_LAUNCH_NO_THREADS, "no_threads")                    \
    X(RIDGE_LAUNCH_THREADS, "threads_per_block")                \
    X(RIDGE_LAUNCH_KERNEL_THREADS, "kernel_threads_per_block")  \
    X(RIDGE_LAUNCH_THREAD_REGISTERS, "registers_per_thread")    \
    X(RIDGE_LAUNCH_BLOCK_REGISTERS, "registers_per_block")      \
    X(RIDGE_LAUNCH_SMEM_STATIC, "static_shared_memory")         \
    X(RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN, "shared_memory_opt_in")   \
    X(RIDGE_LAUNCH_SMEM, "shared_memory_per_block")             \
    X(RIDGE_LAUNCH_SMEM_DYNAMIC, "dynamic_shared_memory_limit") \
    X(RIDGE_LAUNCH_BARRIERS, "barriers")                        \
    X(RIDGE_LAUNCH_VIRTUAL, "virtual_resources")                \
    X(RIDGE_LAUNCH_SCALAR_REGISTERS, "scalar_registers")        \
    X(RIDGE_LAUNCH_NO_CODE, "does_not_compile") /* of rankings only: there is nothing to launch */

typedef enum ridge_launch_rule {
#define RIDGE_LAUNCH_ENUM(name, word) name,
    RIDGE_LAUNCH_LIST(RIDGE_LAUNCH_ENUM)
#undef RIDGE_LAUNCH_ENUM
} ridge_launch_rule;

enum {
    RIDGE_RESOURCE_COUNT = RIDGE_RESOURCE_SCALAR_REGISTERS + 1, /**< the last of the list */
    RIDGE_VERDICT_BYTES = 256,
    RIDGE_ADVICE_MAX = 8,
    RIDGE_SUGGESTION_MAX = 64
};

#define RIDGE_NO_LIMIT UINT32_MAX /**< this resource does not limit */

RIDGE_API const char *ridge_resource_word(ridge_resource resource); /**< never NULL */
RIDGE_API const char *ridge_launch_word(ridge_launch_rule rule);    /**< never NULL */

/** How shared memory and the first-level cache share their memory. */
typedef enum ridge_carveout {
    RIDGE_CARVEOUT_DEFAULT, /**< the driver's default: as much shared memory as there is */
    RIDGE_CARVEOUT_PERCENT, /**< a share of the most there is, rounded up to a size the device offers */
    RIDGE_CARVEOUT_KIB      /**< a size the device offers */
} ridge_carveout;

/** What is the same for all configurations of a table. All zero is the default. */
struct ridge_occupancy_options {
    ridge_carveout carveout;         /**< NVIDIA 7.0 and later */
    uint32_t carveout_value;         /**< percent (0 to 100) or KiB */
    bool opt_in;                     /**< the kernel asked for more dynamic shared memory than the default limit */
    uint32_t smem_dynamic_max_bytes; /**< with opt_in: how much it asked for; 0: as much as each configuration needs */
    uint32_t barriers;               /**< block barriers of the kernel; 0: not counted */
    uint32_t virtual_resources;      /**< 0: none */
    uint32_t kernel_max_threads;     /**< threads per block the kernel was built for (launch bounds); 0: not known */
    uint32_t wave_threads;  /**< AMD: 32 or 64; 0: the compiler's default. Intel: the subgroup, 16 or 32; needed */
    bool compute_unit_mode; /**< RDNA: one compute unit a workgroup, instead of two (the default) */
    uint32_t accumulation_registers; /**< AMD: AGPRs of a thread */
    uint32_t scalar_registers;       /**< AMD: SGPRs of a wave; 0: not known, not counted */
};

/** What one block asks for. */
struct ridge_launch {
    uint32_t threads;            /**< per block */
    uint32_t registers;          /**< per thread, as the compiler says; 0: none, not limiting */
    uint32_t smem_static_bytes;  /**< per block, fixed when compiled */
    uint32_t smem_dynamic_bytes; /**< per block, given when launched */
};

struct ridge_occupancy_table;

/**
 * Prepare the rules of a device.
 * \param options   borrowed for the call; NULL: all defaults
 * \param[out] out  owned by the caller; freed by ridge_occupancy_table_destroy; does not refer to the database
 * \retval RIDGE_E_UNAVAILABLE  no rules are known for it, a fact they need has no source, or candidates disagree
 * \retval RIDGE_E_VALUE        an option that the device does not have, such as a carve-out it does not offer
 */
RIDGE_API ridge_status ridge_occupancy_table_create(const struct ridge_context *context,
                                                    const struct ridge_device_match *match,
                                                    const struct ridge_occupancy_options *options,
                                                    struct ridge_occupancy_table **out, struct ridge_error *error);

/** Free a table. NULL is fine. */
RIDGE_API void ridge_occupancy_table_destroy(struct ridge_occupancy_table *table);

/** The short answer of ridge_occupancy_batch. */
struct ridge_occupancy_cell {
    uint16_t blocks;  /**< resident on a multiprocessor; 0: it cannot be launched */
    uint16_t warps;   /**< resident on a multiprocessor */
    uint8_t limiters; /**< set of 1 << ridge_resource: every resource that allows no more blocks than these */
    uint8_t rule;     /**< ridge_launch_rule */
};

/** Arrays of what blocks ask for; `count` elements each. NULL: 0 for all. */
struct ridge_launch_columns {
    const uint32_t *threads;
    const uint32_t *registers;
    const uint32_t *smem_static_bytes;
    const uint32_t *smem_dynamic_bytes;
};

/**
 * Answer many configurations.
 *
 * Source of the NVIDIA rules: cuda_occupancy.h of CUDA 13.0. Checked by: tests/diff/occupancy_header.c.
 * \param[out] out  `count` answers, the caller's memory
 */
RIDGE_API void ridge_occupancy_batch(const struct ridge_occupancy_table *table,
                                     const struct ridge_launch_columns *columns, size_t count,
                                     struct ridge_occupancy_cell *out);

/** The long answer for one configuration. */
struct ridge_occupancy {
    uint32_t blocks; /**< resident on a multiprocessor; 0: it cannot be launched */
    uint32_t warps_per_block;
    uint32_t warps;                       /**< resident on a multiprocessor */
    uint32_t max_warps;                   /**< a multiprocessor can hold */
    double ratio;                         /**< warps / max_warps */
    uint32_t limiters;                    /**< set of 1 << ridge_resource */
    uint32_t limit[RIDGE_RESOURCE_COUNT]; /**< blocks that each resource alone allows; RIDGE_NO_LIMIT */
    ridge_launch_rule rule;
    char verdict[RIDGE_VERDICT_BYTES]; /**< "launchable", or the rule with its numbers */
    uint32_t registers_per_thread_allocated;
    uint32_t registers_per_block_allocated;
    uint32_t registers_per_block_wasted;     /**< given beyond what was asked, and to idle lanes of the last warp */
    uint32_t registers_total;                /**< of the multiprocessor */
    uint32_t smem_per_block_allocated_bytes; /**< with what the driver reserves */
    uint32_t smem_per_block_wasted_bytes;    /**< given beyond what was asked, without the reserve */
    uint32_t smem_reserved_bytes;
    uint32_t smem_total_bytes; /**< shared memory of the multiprocessor as carved out for this launch */
    uint32_t idle_lanes;       /**< lanes of the last warp of each block that have no thread */
};

/** Answer one configuration. */
RIDGE_API void ridge_occupancy_one(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                   struct ridge_occupancy *out);

/** A change that gives more resident warps, or makes a launch possible. It was tried on the same table. */
struct ridge_advice {
    struct ridge_launch launch;     /**< what to ask for instead */
    struct ridge_occupancy_cell to; /**< what that gives */
    bool changes_threads;
    bool changes_registers;
    bool changes_smem;
    bool changes_opt_in; /**< the kernel must ask for more than the default limit of shared memory */
};

/**
 * Find the nearest changes of each kind that help: fewer registers, less shared memory, both together, fewer or more
 * threads, opt-in. Each is the smallest change of its kind.
 * \param[out] out  room for RIDGE_ADVICE_MAX
 * \return how many there are
 */
RIDGE_API size_t ridge_occupancy_advise(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                        struct ridge_advice *out);

/**
 * Say what one block more would need of a resource, when that resource limits.
 * \param[out] needed     registers or bytes of the multiprocessor for one block more
 * \param[out] available  what there is
 * \return false when the resource does not limit or is neither registers nor shared memory
 */
RIDGE_API bool ridge_occupancy_next_need(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                         ridge_resource resource, uint64_t *needed, uint64_t *available);

/** What a sweep varies. */
typedef enum ridge_sweep {
    RIDGE_SWEEP_THREADS,
    RIDGE_SWEEP_REGISTERS,
    RIDGE_SWEEP_SMEM /**< dynamic shared memory */
} ridge_sweep;

/** Values from `first` to `last`, a whole number of steps, that all give the same answer. */
struct ridge_sweep_range {
    uint32_t first;
    uint32_t last;
    struct ridge_occupancy_cell cell;
};

/**
 * Vary one thing and visit the ranges of equal answers, ascending: threads in whole warps up to the block limit,
 * registers from 1 to the thread limit, dynamic shared memory by the byte up to what the table lets a block have.
 * Only values that can be launched are visited.
 */
RIDGE_API void ridge_occupancy_sweep(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                     ridge_sweep what, void (*visit)(void *user, const struct ridge_sweep_range *range),
                                     void *user);

/** A block size with what it gives. */
struct ridge_suggestion {
    struct ridge_launch launch;
    struct ridge_occupancy_cell cell;
};

/**
 * List whole-warp block sizes by resident warps, most first; among equals the smaller block first: its blocks end
 * and begin in finer steps.
 * \param launch                 `threads` is not read
 * \param smem_bytes_per_thread  added to the dynamic shared memory for each thread
 * \param[out] out               room for RIDGE_SUGGESTION_MAX
 * \return how many can be launched
 */
RIDGE_API size_t ridge_occupancy_suggest(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                                         uint32_t smem_bytes_per_thread, struct ridge_suggestion *out);

/** How a grid fills a device. */
struct ridge_grid_answer {
    uint64_t blocks;          /**< of the grid */
    uint64_t blocks_per_wave; /**< resident on the whole device */
    uint64_t full_waves;
    uint64_t tail_blocks; /**< of the last wave, when it is not full; else 0 */
    double waves;         /**< blocks / blocks_per_wave */
    double tail_ratio;    /**< part of the device that the last wave fills; 1 when it is full */
    double efficiency;    /**< waves / waves rounded up: the best that equal blocks can reach */
};

/**
 * Say how a grid fills a device.
 * \param grid             blocks along x, y, z; each at least 1
 * \param multiprocessors  of the device, at least 1
 * \retval RIDGE_E_VALUE  a side of 0 (nothing to launch) or above the device's limit
 * \retval RIDGE_E_EMPTY  the kernel cannot be resident
 */
RIDGE_API ridge_status ridge_occupancy_grid(const struct ridge_occupancy_table *table,
                                            const struct ridge_launch *launch, const uint64_t grid[3],
                                            uint32_t multiprocessors, struct ridge_grid_answer *out,
                                            struct ridge_error *error);

/** Blocks for `elements` with one thread an element, rounded up. \retval RIDGE_E_VALUE nothing to launch. */
RIDGE_API ridge_status ridge_grid_for_elements(uint64_t elements, uint32_t threads, uint64_t *blocks,
                                               struct ridge_error *error);

/**
 * Blocks that fill a device exactly once (a persistent kernel).
 * \retval RIDGE_E_EMPTY  the kernel cannot be resident: there is no such grid
 */
RIDGE_API ridge_status ridge_grid_persistent(const struct ridge_occupancy_table *table,
                                             const struct ridge_launch *launch, uint32_t multiprocessors,
                                             uint64_t *blocks, struct ridge_error *error);

/**
 * Check a cluster size.
 * \param blocks  of a cluster, at least 1
 * \param[out] needs_opt_in  it is above the portable size
 * \retval RIDGE_E_VALUE        the device has no clusters, or not so large ones
 * \retval RIDGE_E_UNAVAILABLE  no source says whether the device takes it
 */
RIDGE_API ridge_status ridge_cluster_check(const struct ridge_device_match *match, uint32_t blocks, bool *needs_opt_in,
                                           struct ridge_error *error);

/** \return whether the table counts in pairs of compute units (RDNA's default mode): halve the multiprocessors. */
RIDGE_API bool ridge_occupancy_counts_pairs(const struct ridge_occupancy_table *table);

/** \return SIMDs of what the table counts in, to turn warps into waves per SIMD; 0 for other vendors than AMD. */
RIDGE_API uint32_t ridge_occupancy_simds(const struct ridge_occupancy_table *table);

#ifdef __cplusplus
}
#endif
#endif
