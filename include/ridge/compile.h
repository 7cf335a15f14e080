/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Compiling a space without a device: every distinct specialisation of a spec's source for each target, in worker
 * processes. Numbers of compiled code are kind `stated`: the compiler wrote them. Thread rule: the call forks, so the
 * calling process should have one thread; what it made is unchanging.
 */
#ifndef RIDGE_COMPILE_H
#define RIDGE_COMPILE_H

#include <signal.h>

#include "ridge/binary.h"
#include "ridge/rank.h"
#include "ridge/run.h"
#include "ridge/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How to compile. All zero but the targets is the default. */
struct ridge_compile_options {
    const char *const *targets; /**< "sm_90", "gfx90a"; "compute_90" makes PTX */
    size_t target_count;
    const char *cuda_path;    /**< a CUDA toolkit's folder, or an NVRTC library; NULL: where they usually are */
    const char *cache_folder; /**< compiled code is kept here by content; NULL: not kept */
    const char *work_folder;  /**< for temporary files; NULL: /tmp */
    unsigned workers;         /**< processes that compile at the same time; 0: one a usable CPU */
    double timeout_s;         /**< a compile that takes longer is killed: an outcome; 0: 120 */
    bool keep_bytes;          /**< keep the code itself, not only what it says of itself */
    const volatile sig_atomic_t *stop; /**< not 0: begin nothing more, and leave out the rest; may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t count); /**< after each compile; may be NULL */
    void *user;
};

/** One specialisation for one target. All texts are borrowed from the result, never NULL. */
struct ridge_compiled_binary {
    const char *key;            /**< 16 hex digits: a hash of the target and of the values that make a difference */
    ridge_outcome outcome;      /**< OK, COMPILE, TIMEOUT, CRASHED; SKIPPED: not begun */
    const char *log;            /**< the compiler's: warnings; when it failed, the first error is the first line */
    const char *entry;          /**< the kernel's name in the code */
    const char *compiler;       /**< "NVRTC 13.0" */
    const unsigned char *bytes; /**< NULL: not kept, or it failed */
    size_t size;                /**< of the code; known without the bytes too */
    double seconds;             /**< in the compiler; 0 when it was kept from before */
    bool cached;                /**< it was kept from before */
    uint64_t configurations;    /**< that share it */
    uint64_t first;             /**< of these, the first in the space's order */
    bool known;                 /**< `kernel` says what the code says of itself; not so for PTX */
    struct ridge_binary_kernel kernel;
};

/** What a target came to. */
struct ridge_compiled_target {
    const char *name;
    const char *source;      /**< the file that was compiled for it */
    const char *unavailable; /**< why nothing can be compiled for it; NULL: it can */
};

struct ridge_compiled;

/**
 * Compile every distinct specialisation: configurations that differ only in values that the source does not name share
 * one. A source that does not compile, and a compiler that crashes or hangs, are outcomes, not errors; so is a target
 * that no compiler here knows.
 * \param space     borrowed; must outlive the result
 * \param[out] out  freed by ridge_compiled_destroy
 * \retval RIDGE_E_VALUE  the spec has no source for a target, or no entry
 * \retval RIDGE_E_EMPTY  the space has no configurations
 * \retval RIDGE_E_LIMIT  there are more than 2^20 specialisations, or 2^28 configurations
 */
RIDGE_API ridge_status ridge_compile_space(const struct ridge_context *context, const struct ridge_space *space,
                                           const struct ridge_compile_options *options, struct ridge_compiled **out,
                                           struct ridge_error *error);
RIDGE_API void ridge_compiled_destroy(struct ridge_compiled *compiled); /**< NULL is fine */

/** \return the configurations of the space. */
RIDGE_API uint64_t ridge_compiled_configurations(const struct ridge_compiled *compiled);
/** \return how many targets it was compiled for. */
RIDGE_API size_t ridge_compiled_target_count(const struct ridge_compiled *compiled);
/** \return a target, counted from 0 in the order asked for. Borrowed. */
RIDGE_API const struct ridge_compiled_target *ridge_compiled_target_at(const struct ridge_compiled *compiled,
                                                                       size_t target);
/** \return how many specialisations there are for a target. */
RIDGE_API uint64_t ridge_compiled_count(const struct ridge_compiled *compiled, size_t target);
/** \return specialisation `index` for a target, below ridge_compiled_count. Borrowed. */
RIDGE_API const struct ridge_compiled_binary *ridge_compiled_at(const struct ridge_compiled *compiled, size_t target,
                                                                uint64_t index);
/** \return the specialisation of a configuration, by its index in the space's order. Borrowed. */
RIDGE_API const struct ridge_compiled_binary *ridge_compiled_of(const struct ridge_compiled *compiled, size_t target,
                                                                uint64_t configuration);

/**
 * Write what a ranking takes (ridge_rank_options.code), one row a configuration. Dynamic shared memory is that of the
 * spec's local_bytes arguments.
 */
RIDGE_API ridge_status ridge_compiled_code(const struct ridge_compiled *compiled, size_t target, struct ridge_code *out,
                                           struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
