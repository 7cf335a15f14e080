/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What is known about devices: facts with their sources, and names that lead to them. A fact that nobody could
 * source is absent; asking for it is an error that names the field.
 *
 * The facts are compiled in (data/devices/) and can be extended or replaced by a folder of files of the same form
 * (docs/device-format.md). Thread rule: a database is unchanging after ridge_device_db_create and may be read by any
 * thread.
 */
#ifndef RIDGE_DEVICE_H
#define RIDGE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "ridge/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Every fact: name, key in the files, greatest value that is not absurd, meaning. "Multiprocessor" is an SM (NVIDIA),
 * a compute unit (AMD), a GPU core (Apple) or an Xe-core (Intel).
 */
#define RIDGE_FACT_LIST(X)                                                                                            \
    X(RIDGE_FACT_WARP_THREADS, "warp_threads", 128, "threads of a warp")                                              \
    X(RIDGE_FACT_MAX_THREADS_PER_BLOCK, "max_threads_per_block", 65536, "threads of a block, at most")                \
    X(RIDGE_FACT_MAX_BLOCK_X, "max_block_x", 65536, "threads of a block along x, at most")                            \
    X(RIDGE_FACT_MAX_BLOCK_Y, "max_block_y", 65536, "threads of a block along y, at most")                            \
    X(RIDGE_FACT_MAX_BLOCK_Z, "max_block_z", 65536, "threads of a block along z, at most")                            \
    X(RIDGE_FACT_MAX_GRID_X, "max_grid_x", 4294967295.0, "blocks of a grid along x, at most")                         \
    X(RIDGE_FACT_MAX_GRID_Y, "max_grid_y", 4294967295.0, "blocks of a grid along y, at most")                         \
    X(RIDGE_FACT_MAX_GRID_Z, "max_grid_z", 4294967295.0, "blocks of a grid along z, at most")                         \
    X(RIDGE_FACT_MAX_THREADS_PER_SM, "max_threads_per_multiprocessor", 65536, "resident threads, at most")            \
    X(RIDGE_FACT_MAX_BLOCKS_PER_SM, "max_blocks_per_multiprocessor", 1024, "resident blocks, at most")                \
    X(RIDGE_FACT_REGISTERS_PER_SM, "registers_per_multiprocessor", 1048576, "32-bit registers")                       \
    X(RIDGE_FACT_REGISTERS_PER_BLOCK, "registers_per_block", 1048576, "32-bit registers of a block, at most")         \
    X(RIDGE_FACT_MAX_REGISTERS_PER_THREAD, "max_registers_per_thread", 512, "registers of a thread, at most")         \
    X(RIDGE_FACT_REGISTER_UNIT, "register_unit_per_warp", 65536, "registers are given to a warp in units of so many") \
    X(RIDGE_FACT_SUB_PARTITIONS, "sub_partitions", 16, "parts of a multiprocessor, each with its own registers")      \
    X(RIDGE_FACT_LAUNCH_CHECK_PARTITIONS, "launch_check_sub_partitions", 16,                                          \
      "a kernel must also fit registers cut into so many parts")                                                      \
    X(RIDGE_FACT_SMEM_PER_SM, "smem_bytes_per_multiprocessor", 16777216, "shared memory, bytes")                      \
    X(RIDGE_FACT_SMEM_PER_BLOCK, "smem_bytes_per_block", 16777216, "shared memory of a block without opt-in, bytes")  \
    X(RIDGE_FACT_SMEM_STATIC, "smem_static_bytes", 16777216, "statically declared shared memory of a block, bytes")   \
    X(RIDGE_FACT_SMEM_OPT_IN, "smem_bytes_per_block_opt_in", 16777216, "shared memory of a block with opt-in, bytes") \
    X(RIDGE_FACT_SMEM_RESERVED, "smem_reserved_bytes_per_block", 65536, "shared memory the driver takes a block")     \
    X(RIDGE_FACT_SMEM_UNIT, "smem_unit_bytes", 65536, "shared memory is given in units of so many bytes")             \
    X(RIDGE_FACT_CARVEOUTS, "carveouts_kib", 16384, "sizes shared memory can be set to, KiB")                         \
    X(RIDGE_FACT_BARRIERS_PER_SM, "barriers_per_multiprocessor", 4096, "block barriers")                              \
    X(RIDGE_FACT_VIRTUAL_PER_SM, "virtual_resources_per_multiprocessor", 4096, "virtual resources")                   \
    X(RIDGE_FACT_CLUSTER_PORTABLE, "max_cluster_blocks", 1024, "blocks of a cluster, at most; 0: no clusters")        \
    X(RIDGE_FACT_CLUSTER_OPT_IN, "max_cluster_blocks_opt_in", 1024, "blocks of a cluster with opt-in, at most")       \
    X(RIDGE_FACT_PARAMETER_BYTES, "max_parameter_bytes", 1048576, "kernel parameters, bytes")                         \
    X(RIDGE_FACT_SIMDS_PER_CU, "simds_per_compute_unit", 16, "SIMDs of a compute unit")                               \
    X(RIDGE_FACT_MAX_WAVES, "max_waves_per_simd", 64, "resident waves of a SIMD, at most")                            \
    X(RIDGE_FACT_WAVE_THREADS, "wave_threads", 128, "wave sizes that a kernel can be compiled for")                   \
    X(RIDGE_FACT_VGPRS_WAVE32, "vgprs_per_simd_wave32", 4096, "vector registers a lane, wave32")                      \
    X(RIDGE_FACT_VGPRS_WAVE64, "vgprs_per_simd_wave64", 4096, "vector registers a lane, wave64")                      \
    X(RIDGE_FACT_VGPR_UNIT_WAVE32, "vgpr_unit_wave32", 64, "vector registers are given in units of so many, wave32")  \
    X(RIDGE_FACT_VGPR_UNIT_WAVE64, "vgpr_unit_wave64", 64, "vector registers are given in units of so many, wave64")  \
    X(RIDGE_FACT_MAX_VGPRS, "max_vgprs_per_thread", 512, "vector registers of a thread, at most")                     \
    X(RIDGE_FACT_ACCUMULATION, "accumulation_registers", 2, "0 none, 1 a file of their own, 2 one file with VGPRs")   \
    X(RIDGE_FACT_SGPRS_PER_SIMD, "sgprs_per_simd", 4096, "scalar registers; 0: they never limit")                     \
    X(RIDGE_FACT_SGPR_UNIT, "sgpr_unit", 64, "scalar registers are given in units of so many")                        \
    X(RIDGE_FACT_MAX_SGPRS, "max_sgprs_per_wave", 128, "scalar registers of a wave, at most")                         \
    X(RIDGE_FACT_LDS_PER_CU, "lds_bytes_per_compute_unit", 16777216, "LDS of a compute unit, bytes")                  \
    X(RIDGE_FACT_LDS_PER_WGP, "lds_bytes_per_workgroup_processor", 16777216, "LDS of two compute units, bytes")       \
    X(RIDGE_FACT_LDS_PER_GROUP, "lds_bytes_per_group", 16777216, "LDS of a workgroup, at most, bytes")                \
    X(RIDGE_FACT_LDS_UNIT, "lds_unit_bytes", 65536, "LDS is given in units of so many bytes")                         \
    X(RIDGE_FACT_GROUPS_PER_CU, "max_groups_per_compute_unit", 1024, "workgroups of several waves, at most")          \
    X(RIDGE_FACT_HARDWARE_THREADS, "hardware_threads_per_core", 4096, "resident hardware threads of a core, at most") \
    X(RIDGE_FACT_REGISTERS_PER_HARDWARE_THREAD, "registers_per_hardware_thread", 4096,                                \
      "registers of a hardware thread")                                                                               \
    X(RIDGE_FACT_SMEM_STEPS, "smem_steps_kib", 16384, "sizes a block's shared memory is rounded up to, KiB")          \
    X(RIDGE_FACT_MULTIPROCESSORS, "multiprocessors", 65536, "multiprocessors of the device")                          \
    X(RIDGE_FACT_BASE_CLOCK, "base_clock_hz", 1e11, "base clock, Hz")                                                 \
    X(RIDGE_FACT_BOOST_CLOCK, "boost_clock_hz", 1e11, "boost clock, Hz")                                              \
    X(RIDGE_FACT_MEMORY, "memory_gb", 1e6, "memory, GB as the vendor counts them")                                    \
    X(RIDGE_FACT_BANDWIDTH, "bandwidth_bytes_per_s", 1e15, "memory bandwidth of the data sheet, bytes/s")             \
    X(RIDGE_FACT_L2, "l2_bytes", 1e12, "level 2 cache, bytes")                                                        \
    X(RIDGE_FACT_L3, "l3_bytes", 1e12, "Infinity Cache or system level cache, bytes")                                 \
    X(RIDGE_FACT_FP32, "fp32_flop_per_s", 1e18, "FP32 rate of the data sheet, FLOP/s")                                \
    X(RIDGE_FACT_LATENCY, "memory_latency_s", 1, "time that a read from memory takes, seconds")

typedef enum ridge_fact {
#define RIDGE_FACT_ENUM(name, key, maximum, meaning) name,
    RIDGE_FACT_LIST(RIDGE_FACT_ENUM)
#undef RIDGE_FACT_ENUM
} ridge_fact;

enum {
    RIDGE_FACT_COUNT = RIDGE_FACT_LATENCY + 1, /**< the last of the list */
    RIDGE_MATCH_MAX = 64
};

RIDGE_API const char *ridge_fact_key(ridge_fact fact);     /**< as in the files; never NULL */
RIDGE_API const char *ridge_fact_meaning(ridge_fact fact); /**< never NULL */

/** One value of one device. Borrowed from the database. */
struct ridge_fact_value {
    bool known;
    double number;      /**< the value; the greatest one of a list */
    const double *list; /**< a list: ascending; NULL for a single value */
    size_t list_count;  /**< values at `list` */
    const char *source; /**< where it comes from, in words */
    const char *note;   /**< what disagrees, or what to know; NULL: nothing */
    const char *of;     /**< name of the record that states it: the device's or its architecture's */
};

/** A GPU or an architecture (a compute capability, a gfx target). Borrowed from the database. */
struct ridge_device {
    const char *name;   /**< "A100 PCIe 40GB", "cc:8.6", "gfx90a" */
    const char *vendor; /**< "NVIDIA", "AMD", "Apple", "Intel", ... */
    const char *title;  /**< "Ampere GA10x", or "" */
    const char *note;   /**< what to know about it; NULL: nothing */
    const char *family; /**< which occupancy rules it follows: "nvidia", "gcn", "rdna", "intel"; NULL: none are known */
    bool is_architecture;     /**< it names limits only, not a product */
    const char *const *alias; /**< other names */
    size_t alias_count;
    const struct ridge_device *architecture;         /**< whose limits it has; itself for one; NULL: unknown */
    struct ridge_fact_value facts[RIDGE_FACT_COUNT]; /**< with those of its architecture */
};

struct ridge_device_db;

/**
 * Load what is compiled in and then, when given, every *.toml file of a folder, or one file: a record with a name that is known
 * already takes its place, other records are added.
 * \param folder    or one file; borrowed for the call; NULL: only what is compiled in
 * \param[out] out  owned by the caller; freed by ridge_device_db_destroy
 * \retval RIDGE_E_IO      the folder or a file in it cannot be read
 * \retval RIDGE_E_SYNTAX  a file is not TOML
 * \retval RIDGE_E_NAME    an unknown key, source or architecture
 * \retval RIDGE_E_VALUE   a wrong or absurd value, a value without a source, a name that stands twice
 */
RIDGE_API ridge_status ridge_device_db_create(const struct ridge_context *context, const char *folder,
                                              struct ridge_device_db **out, struct ridge_error *error);

/** As above with one file instead of a folder. */
RIDGE_API ridge_status ridge_device_db_create_with_file(const struct ridge_context *context, const char *path,
                                                        struct ridge_device_db **out, struct ridge_error *error);

/** Free a database. NULL is fine. */
RIDGE_API void ridge_device_db_destroy(struct ridge_device_db *db);

/** \return how many records there are. */
RIDGE_API size_t ridge_device_count(const struct ridge_device_db *db);
/** \return record `index`: architectures first, then products, each in the order of the files. */
RIDGE_API const struct ridge_device *ridge_device_at(const struct ridge_device_db *db, size_t index);

/** The records a name fits. */
struct ridge_device_match {
    const char *asked; /**< the name, as given; borrowed from the caller */
    size_t count;      /**< at least 1 */
    const struct ridge_device *devices[RIDGE_MATCH_MAX];
};

/**
 * Find what a name fits. Case, spaces, dashes, underscores, (R), (TM) and words such as NVIDIA or GeForce do not
 * matter. A name that is all of a device's name or alias fits only that; otherwise it fits every device of whose name
 * it gives some words in order ("A100", "RTX 3090"). Compute capabilities: cc:8.6, 8.6, sm_86, compute_86, sm_90a,
 * and 86 (the last digit is the minor version). AMD targets: gfx90a, gfx90a:xnack-.
 * \param name      borrowed as long as `out` is used
 * \retval RIDGE_E_UNAVAILABLE  nothing fits; the message lists near and known names. Nothing is ever assumed.
 */
RIDGE_API ridge_status ridge_device_find(const struct ridge_device_db *db, const char *name,
                                         struct ridge_device_match *out, struct ridge_error *error);

/**
 * Ask a fact of what a name fits.
 * \param[out] out  the value that all candidates agree in; borrowed from the database
 * \retval RIDGE_E_UNAVAILABLE  no source for it is known (the field is named), or the candidates disagree (they are
 *                              listed)
 */
RIDGE_API ridge_status ridge_match_fact(const struct ridge_device_match *match, ridge_fact fact,
                                        const struct ridge_fact_value **out, struct ridge_error *error);

/** As above, for a whole number. \param[out] out  0 .. 2^32-1 */
RIDGE_API ridge_status ridge_match_count(const struct ridge_device_match *match, ridge_fact fact, uint32_t *out,
                                         struct ridge_error *error);

/** As above, for the family of occupancy rules. \retval RIDGE_E_UNAVAILABLE none are known, or they disagree. */
RIDGE_API ridge_status ridge_match_family(const struct ridge_device_match *match, const char **out,
                                          struct ridge_error *error);

/** What a driver's attributes mean (they mislead on AMD: see ridge_device_reported_read). */
struct ridge_device_reported {
    uint32_t compute_units;  /**< multiprocessors in the sense of this file */
    bool counted_in_pairs;   /**< the driver counted work-group processors, each of two compute units */
    bool blocks_implausible; /**< the blocks per multiprocessor are below what the rules allow: not taken as a limit */
};

/**
 * Read what HIP or CUDA report. On RDNA the driver counts work-group processors (two compute units each). A number
 * of blocks per multiprocessor below the known limit of the architecture is known to be wrong there and is not used.
 * \param multiprocessors  as reported, at least 1
 * \param max_blocks       as reported; 0: not reported
 * \retval RIDGE_E_VALUE       no multiprocessors, or absurdly many
 * \retval RIDGE_E_UNAVAILABLE  as ridge_match_fact
 */
RIDGE_API ridge_status ridge_device_reported_read(const struct ridge_device_match *match, uint64_t multiprocessors,
                                                  uint64_t max_blocks, struct ridge_device_reported *out,
                                                  struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
