/* SPDX-License-Identifier: MIT */
/**
 * \file Compilers that need no device: NVRTC (by dlopen) for CUDA, clang for OpenCL C. One compile is one call; the
 * artifact is cached by content. Spec-level compiling (each distinct specialisation of a space, in worker processes) is
 * built on this in src/tune/compile_space.c.
 * Thread rule: a compiler may be used by one thread at a time; compilers may crash, so call them in a worker process.
 */
#ifndef RG_COMPILE_COMPILER_H
#define RG_COMPILE_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#include "compile/source.h"
#include "ridge/context.h"

/** What comes out of a compiler. */
typedef enum rg_artifact_form {
    RG_ARTIFACT_PTX,   /**< text, ends with a 0 byte that `size` does not count */
    RG_ARTIFACT_BINARY /**< cubin, or AMD code object */
} rg_artifact_form;

/** What to compile. All pointers are borrowed for the call. */
struct rg_compile_job {
    rg_source_language language; /**< RG_SOURCE_CUDA or RG_SOURCE_OPENCL */
    const char *path;            /**< of the source, as shown in messages */
    const char *text;            /**< of the source */
    const char *folder;          /**< for #include; NULL: none */
    const char *entry;           /**< kernel: a plain name, or a C++ name expression such as "axpb<float, 3>" (CUDA) */
    const struct rg_macro *macros;
    size_t macro_count;
    const char *const *options; /**< further options of the compiler; NULL: none */
    size_t option_count;
    const char *target;    /**< "sm_90", "sm_90a", "gfx90a"; for PTX "compute_80" or "sm_80" */
    rg_artifact_form form; /**< PTX is for NVIDIA targets only */
};

/** Why there is no artifact. */
typedef enum rg_failure {
    RG_FAILURE_NONE,
    RG_FAILURE_SOURCE, /**< the source does not compile */
    RG_FAILURE_CRASH,  /**< the compiler crashed */
    RG_FAILURE_TIMEOUT /**< the compiler was killed at its deadline */
} rg_failure;

/** A compiled kernel. */
struct rg_artifact {
    unsigned char *bytes; /**< owned */
    size_t size;
    char *entry;    /**< owned: the name in the object (mangled for C++) */
    char *compiler; /**< owned: "NVRTC 13.0", "clang 15.0.6": part of the cache key */
    char *log;      /**< owned: warnings, or why it failed (the first error first); "" when there is nothing to say */
    bool cached;    /**< it came from the cache */
    bool damaged;   /**< what the cache had was damaged, and was made again */
    bool failed;    /**< the source does not compile: `bytes` is NULL, `log` says why. Not an error of the tool */
    rg_failure failure;
    const struct ridge_context *context; /**< whose memory it is */
};

/** How to find compilers, and where to keep artifacts. All NULL is the default. */
struct rg_compilers_options {
    const char
        *cuda_path; /**< a toolkit's folder, or an NVRTC library; NULL: the loader's path, then /usr/local/cuda */
    const char *cache_folder; /**< artifacts are kept here by content; NULL: not kept */
    bool cache_is_fixed;      /**< what is there is used, nothing more is kept */
    const char *work_folder;  /**< a folder for temporary files is made in it, and removed; NULL: /tmp */
    double timeout_s;         /**< a clang that takes longer is killed: an outcome; 0: no deadline */
};

struct rg_compilers; /**< the opened compilers; opened when first needed */

ridge_status rg_compilers_open(const struct ridge_context *context, const struct rg_compilers_options *options,
                               struct rg_compilers **out, struct ridge_error *error);
void rg_compilers_close(struct rg_compilers *compilers); /**< NULL is fine */

/**
 * Find the compiler of a job, if that runs as a program of its own: processes forked after that need not look for it.
 * A library is not opened. \retval RIDGE_E_UNAVAILABLE  as for rg_compile
 */
ridge_status rg_compilers_prepare(struct rg_compilers *compilers, const struct rg_compile_job *job,
                                  struct ridge_error *error);

/**
 * Compile one job.
 * \param[out] out  freed by rg_artifact_fini; also written when the source does not compile (`failed`, RIDGE_OK)
 * \retval RIDGE_E_UNAVAILABLE  no compiler for this language and target; the message says what is missing and how to
 *                              get it, or which targets this compiler knows
 */
ridge_status rg_compile(struct rg_compilers *compilers, const struct rg_compile_job *job, struct rg_artifact *out,
                        struct ridge_error *error);
void rg_artifact_fini(struct rg_artifact *artifact);

#endif
