/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What a compiler made: reads the kernels in cubins, fat binaries, host programs with embedded ones, AMD code objects
 * and offload bundles, without any vendor's tool. Files are mapped, not read. Thread rule: an opened file is unchanging;
 * visits of several threads may run at the same time.
 */
#ifndef RIDGE_BINARY_H
#define RIDGE_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ridge/context.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RIDGE_NOT_STATED UINT32_MAX /**< the file does not say */

/** An attribute of a cubin's kernel that this reader does not know. */
struct ridge_binary_attribute {
    uint8_t code;           /**< EIATTR code */
    uint8_t format;         /**< 1: no value, 2: a byte, 3: two bytes, 4: `bytes` bytes */
    uint16_t value;         /**< formats 2 and 3 */
    uint32_t bytes;         /**< format 4 */
    const uint8_t *payload; /**< format 4; borrowed for the visit */
};

/** One kernel for one target. Texts are borrowed for the visit. Numbers that the file does not state are
 * RIDGE_NOT_STATED. All are kind `stated`: the compiler wrote them. */
struct ridge_binary_kernel {
    const char *name;          /**< as in the file (mangled) */
    const char *readable_name; /**< demangled; the same text where it is no C++ name */
    const char *target;        /**< "sm_90a", "gfx90a:xnack+" */
    const char *toolkit;       /**< "13.0"; "": not stated */
    const char *image;         /**< where in the file: "fatbin 2, entry 1", "bundle hipv4-...-gfx90a"; "": the file */
    uint32_t registers;        /**< a thread: 32-bit registers; VGPRs, with AGPRs where they share a file */
    uint32_t accumulation_registers; /**< AMD: AGPRs */
    uint32_t scalar_registers;       /**< AMD: SGPRs of a wave */
    uint32_t smem_static_bytes;      /**< a block, without the system's reserve */
    uint32_t smem_reserved_bytes;    /**< a block, by the system */
    uint32_t stack_bytes;            /**< a thread: frame */
    uint32_t cumulative_stack_bytes; /**< a thread: with what it calls */
    uint32_t spill_store_bytes;
    uint32_t spill_load_bytes;
    uint32_t vgpr_spills; /**< AMD: spilled registers */
    uint32_t sgpr_spills; /**< AMD */
    uint32_t barriers;
    uint32_t parameter_bytes;
    uint32_t max_threads[3];                         /**< launch bounds */
    uint32_t required_threads[3];                    /**< required block */
    uint32_t wave_threads;                           /**< AMD: 32 or 64 */
    uint32_t code_bytes;                             /**< machine code of this kernel */
    bool relocatable;                                /**< to be linked: registers and stack may grow */
    bool compute_unit_mode;                          /**< RDNA: one compute unit a workgroup */
    uint32_t unknown_attributes;                     /**< attributes that this reader does not know */
    const struct ridge_binary_attribute *attributes; /**< those */
};

/** A piece of a file that is code for one target, or stands for it. Texts are borrowed for the visit. */
struct ridge_binary_image {
    const char *place;       /**< where in the file; "": the file */
    const char *kind;        /**< "cubin", "PTX", "LTO IR", "AMD code object", "host code", "unknown kind 17" */
    const char *target;      /**< "sm_90a"; "": not stated */
    const char *codec;       /**< "LZ4", "zstd"; "": as it is */
    uint64_t stored_bytes;   /**< in the file */
    uint64_t unpacked_bytes; /**< equal to the above without a codec */
    unsigned object;         /**< 1: of the file's first object; more where several stand one behind the other */
};

struct ridge_binary;

/**
 * Open a file. \param[out] out  freed by ridge_binary_close
 * \retval RIDGE_E_IO      it cannot be read, or is a directory or a pipe
 * \retval RIDGE_E_SYNTAX  it is no object of a kind that is known, or damaged; with the byte offset
 */
RIDGE_API ridge_status ridge_binary_open(const struct ridge_context *context, const char *path,
                                         struct ridge_binary **out, struct ridge_error *error);
/** The same over bytes in memory, borrowed until it is closed. `name` is for messages. */
RIDGE_API ridge_status ridge_binary_open_bytes(const struct ridge_context *context, const void *bytes, size_t size,
                                               const char *name, struct ridge_binary **out, struct ridge_error *error);
RIDGE_API void ridge_binary_close(struct ridge_binary *binary); /**< NULL is fine */

/** What kind of file it is: "cubin", "fatbin", "host program", "archive", "AMD code object", "offload bundle", "compressed
 * offload bundle". */
RIDGE_API const char *ridge_binary_kind(const struct ridge_binary *binary);

/** Whom to tell of the kernels in a file, and which to read. */
struct ridge_binary_visitor {
    /** Told of every kernel, in the order of the file, from the calling thread. \return false to stop */
    bool (*kernel)(void *user, const struct ridge_binary_kernel *kernel);
    /** \return whether to read code for a target ("sm_90a"); asked before it is unpacked, maybe more than once.
     * NULL: all is read */
    bool (*wants)(void *user, const char *target);
    void *user;       /**< handed to both */
    unsigned threads; /**< that unpack where there is much to unpack, the calling one counted; 0: one a usable
                           processor. They end before the call does and tell nobody anything */
};

/**
 * Visit the kernels of every image. What cannot be read of one image is told as a warning through the context's log
 * and counted; the rest goes on.
 * \param[out] skipped  images that could not be read; may be NULL
 */
RIDGE_API ridge_status ridge_binary_visit(const struct ridge_binary *binary, const struct ridge_binary_visitor *visitor,
                                          uint64_t *skipped, struct ridge_error *error);

/**
 * The same with a function alone.
 * \param visit  returns false to stop
 */
RIDGE_API ridge_status ridge_binary_each(const struct ridge_binary *binary,
                                         bool (*visit)(void *user, const struct ridge_binary_kernel *kernel),
                                         void *user, uint64_t *skipped, struct ridge_error *error);

/**
 * Visit every image, PTX and such included, without reading kernels.
 * \param visit  returns false to stop
 */
RIDGE_API ridge_status ridge_binary_each_image(const struct ridge_binary *binary,
                                               bool (*visit)(void *user, const struct ridge_binary_image *image),
                                               void *user, struct ridge_error *error);

/**
 * Whether a kernel is what a person calls `name`: the mangled name, the readable one with or without parameters,
 * template arguments, namespaces. Spaces do not matter. "axpb" fits lab::axpb<float, 3>(...), "axpb<float,3>" too.
 */
RIDGE_API bool ridge_binary_kernel_is(const struct ridge_binary_kernel *kernel, const char *name);

/**
 * Cut a readable name down to what a person calls the kernel: "lab::axpb<float, 3>" of
 * "void lab::axpb<float, 3>(float*, float const*, float)". Written as snprintf does.
 * \return bytes that the whole text needs, without the terminator
 */
RIDGE_API size_t ridge_binary_short_name(const char *readable_name, char *out, size_t bytes);

/**
 * Whether machine code for a target runs on an architecture: sm_80 on cc:8.6, sm_90a on cc:9.0 only, gfx90a:xnack+ on
 * gfx90a.
 *
 * Source: CUDA C++ Programming Guide, "Binary Compatibility" (same major, minor not below; not between desktop and
 * Tegra) and "Family-Specific Features".
 * \param architecture  name of a record of ridge/device.h
 */
RIDGE_API bool ridge_binary_target_runs(const char *target, const char *architecture);

#ifdef __cplusplus
}
#endif
#endif
