/* SPDX-License-Identifier: MIT */
/**
 * \file The inside of an occupancy table: resolved rules as plain numbers, the look-up tables made from them, and the
 * one function that answers. Registers are counted per lane of a warp, so that NVIDIA and AMD have one form: a
 * sub-partition (SIMD) of NVIDIA has 16384 registers for 32 lanes, which are 512 a lane.
 * Thread rule: a filled table is unchanging; everything here is pure.
 */
#ifndef RG_OCCUPANCY_TABLE_H
#define RG_OCCUPANCY_TABLE_H

#include "ridge/occupancy.h"

enum {
    RG_MAX_REGISTERS = 512,   /**< greatest register count with an entry of its own */
    RG_MAX_SMEM_UNITS = 2048, /**< greatest number of shared memory units with an entry of its own */
    RG_MAX_WARPS = 64,        /**< warps of a block with an entry of their own */
    RG_MAX_STEPS = 16,        /**< carve-out sizes */
    RG_NONE = 65535           /**< in the tables: no limit */
};

/** How accumulation registers count. */
typedef enum rg_pool {
    RG_POOL_NONE,     /**< there are none */
    RG_POOL_SEPARATE, /**< a file of their own: the larger count decides */
    RG_POOL_UNIFIED   /**< one file: vector registers rounded up to 4, then added */
} rg_pool;

/** The rules of one device under given options. RIDGE_NO_LIMIT where a limit does not apply. */
struct rg_occupancy_rules {
    bool is_amd;
    bool counts_pairs;     /**< RDNA: the "multiprocessor" is a work-group processor, two compute units */
    uint32_t warp_threads; /**< a power of two */
    uint32_t max_threads;  /**< of a block, by the device */
    uint32_t kernel_max_threads;
    uint32_t max_warps;              /**< resident */
    uint32_t max_blocks;             /**< resident, blocks of several warps */
    uint32_t max_blocks_single_warp; /**< resident, blocks of one warp */

    uint32_t max_registers;    /**< of a thread */
    uint32_t register_lanes;   /**< lanes that have registers of their own: warp_threads, Intel 1 */
    uint32_t register_unit;    /**< per lane */
    uint32_t partitions;       /**< sub-partitions or SIMDs */
    uint32_t file_registers;   /**< per lane of a sub-partition */
    uint32_t check_partitions; /**< a block must also fit registers cut into so many parts */
    uint32_t block_registers;  /**< per lane, of a block with its warps rounded up to whole rows of check_partitions */
    rg_pool pool;
    uint32_t accumulation_registers;
    uint32_t scalar_registers; /**< of a wave, to say so */
    uint32_t scalar_warps;     /**< resident warps that the scalar registers allow */

    uint32_t smem_total;         /**< bytes of a multiprocessor */
    uint32_t smem_preferred;     /**< bytes after the carve-out, as far as a block fits into it */
    uint32_t smem_unit;          /**< bytes */
    uint32_t smem_reserved;      /**< bytes a block */
    uint32_t smem_block_limit;   /**< bytes of a block that can be asked for under these options */
    uint32_t smem_default_limit; /**< without opt-in */
    uint32_t smem_opt_in_limit;  /**< with opt-in */
    uint32_t smem_static_max;
    uint32_t smem_dynamic_max;
    uint32_t steps[RG_MAX_STEPS];       /**< carve-outs in bytes, ascending */
    uint32_t step_count;                /**< 0: shared memory has a fixed size */
    uint32_t block_steps[RG_MAX_STEPS]; /**< Intel: sizes of a block in bytes, ascending */
    uint32_t block_step_count;          /**< 0: a block is rounded up to units */

    uint32_t barriers; /**< of the kernel, to say so */
    uint32_t barrier_blocks;
    uint32_t virtual_resources;
    uint32_t virtual_blocks;

    double max_grid[3]; /**< blocks; 0: not known */
};

/** Registers of a thread: what they allow. */
struct rg_register_entry {
    uint16_t warps;           /**< resident; RG_NONE: no registers, no limit */
    uint16_t max_block_warps; /**< a block of more cannot be launched */
};

/** Warps of a block: what they allow, whatever its registers and shared memory. */
struct rg_warp_entry {
    uint32_t inverse; /**< n * inverse >> 20 is n / warps for n * warps < 2^20 */
    uint16_t blocks;  /**< least of warps, blocks, barriers, virtual resources and scalar registers */
    uint8_t limiters; /**< which of these allow no more */
};

/** The plain numbers of a table that every answer needs. */
struct rg_table_head {
    uint32_t warp_shift;
    uint32_t warp_addend;  /**< threads of a warp - 1 */
    uint32_t thread_limit; /**< least of the device's, the kernel's and what the tables have entries for */
    uint32_t max_registers;
    uint32_t smem_static_max;
    uint32_t smem_dynamic_max;
    uint32_t smem_addend;  /**< reserve, and what rounds up to units */
    uint32_t smem_shift;   /**< log2 of the largest power of two that divides the unit */
    uint64_t smem_units;   /**< entries in use; more is refused */
    uint64_t opt_in_units; /**< more is refused even with opt-in */
};

struct ridge_occupancy_table {
    struct rg_occupancy_rules rules;
    const struct ridge_context *context; /**< whose memory it is */
    struct rg_table_head head;
    struct rg_warp_entry warps[RG_MAX_WARPS + 1];
    struct rg_register_entry registers[RG_MAX_REGISTERS + 2]; /**< the last: more than any thread has */
    uint16_t by_smem[RG_MAX_SMEM_UNITS + 2];                  /**< by units; the last in use: refused */
};

/** Make the tables of rules. The rules have been checked: no divisor is 0. */
void rg_occupancy_table_fill(struct ridge_occupancy_table *table, const struct rg_occupancy_rules *rules);

/** A fact that a family of rules needs, and where it goes. */
struct rg_wanted_fact {
    ridge_fact fact;
    uint32_t *to;
};

/** Read facts. \retval RIDGE_E_UNAVAILABLE  one is missing, or the devices of the name differ; all missing ones are named */
ridge_status rg_occupancy_facts(const struct ridge_device_match *match, const struct rg_wanted_fact *wanted,
                                size_t count, struct ridge_error *error);

/** Resolve the rules of NVIDIA's family. */
ridge_status rg_occupancy_nvidia(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                                 struct rg_occupancy_rules *rules, struct ridge_error *error);

/** Resolve the rules of GCN, CDNA and RDNA. */
ridge_status rg_occupancy_amd(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                              bool is_rdna, struct rg_occupancy_rules *rules, struct ridge_error *error);

/** Resolve the rules of Intel's Xe cores. */
ridge_status rg_occupancy_intel(const struct ridge_device_match *match, const struct ridge_occupancy_options *options,
                                struct rg_occupancy_rules *rules, struct ridge_error *error);

/** Choose a wave or subgroup size: the one asked for when the device has it; 0: the first it has. */
ridge_status rg_occupancy_wave(const struct ridge_device_match *match, uint32_t asked, uint32_t *wave,
                               struct ridge_error *error);

/** \return registers per lane that a thread with so many is given (AMD: with its accumulation registers). */
uint32_t rg_registers_allocated(const struct rg_occupancy_rules *rules, uint32_t registers);

/** \return bytes that a block with so many is given, with the reserve. */
uint64_t rg_smem_allocated(const struct rg_occupancy_rules *rules, uint64_t bytes);

/** \return shared memory of the multiprocessor, as carved out when blocks are given so many bytes. */
uint32_t rg_smem_carved(const struct rg_occupancy_rules *rules, uint64_t allocated_bytes);

/** Fill `limit` with the blocks that each resource alone allows. */
void rg_occupancy_limits(const struct ridge_occupancy_table *table, const struct ridge_launch *launch,
                         uint32_t limit[RIDGE_RESOURCE_COUNT]);

/** The short answer for one configuration: what ridge_occupancy_batch says of it. */
struct ridge_occupancy_cell rg_occupancy_cell(const struct ridge_occupancy_table *table,
                                              const struct ridge_launch *launch);

#endif
