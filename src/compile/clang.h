/* SPDX-License-Identifier: MIT */
/**
 * \file clang and libclc as programs and files of the system: OpenCL C to AMD code objects and to PTX.
 * Thread rule: one thread at a time. A clang that was found may be used by processes forked after that: each compiles
 * into files of its own.
 */
#ifndef RG_COMPILE_CLANG_H
#define RG_COMPILE_CLANG_H

#include "compile/compiler.h"

/** What it compiles to. */
typedef enum rg_clang_kind {
    RG_CLANG_AMD,
    RG_CLANG_NVIDIA,
    RG_CLANG_KINDS
} rg_clang_kind;

/** A kind, as clang and libclc name it. */
struct rg_clang_target {
    const char *triple;
    const char *library;   /**< file of libclc */
    const char *beginning; /**< of the targets' names: "gfx" */
    const char *devices;   /**< for messages */
};
extern const struct rg_clang_target rg_clang_targets[RG_CLANG_KINDS];

/** Text in front of each source for NVIDIA: functions that libclc lacks there. */
extern const char rg_nvidia_builtins[];

/** A clang and the library of built-ins that belongs to it. */
struct rg_clang {
    const struct ridge_context *context;
    double timeout_s;
    const char *folder; /**< for temporary files; borrowed */
    char program[32];   /**< on the PATH, such as "clang-15"; "": not found yet */
    char name[32];      /**< "clang 15.0.6" */
    char identity[320]; /**< with what tells builds of one version apart */
    char library[256];  /**< of built-ins; "": there is none that this clang reads */
};

/**
 * Find the newest clang that compiles for a kind with libclc's built-ins; where there is none, the newest that compiles
 * without. Fields `context`, `timeout_s` and `folder` are set before.
 * \retval RIDGE_E_UNAVAILABLE  there is no clang; what to install
 */
ridge_status rg_clang_find(struct rg_clang *clang, rg_clang_kind kind, struct ridge_error *error);

/** Compile; see rg_nvrtc_compile. */
ridge_status rg_clang_compile(const struct rg_clang *clang, rg_clang_kind kind, const struct rg_compile_job *job,
                              struct rg_artifact *out, struct ridge_error *error);

#endif
