/* SPDX-License-Identifier: MIT */
/**
 * \file NVRTC, NVIDIA's compiler as a library, as it is found at run time: CUDA C++ to machine code and PTX.
 * Thread rule: one thread at a time; it may crash, so call it in a process that may.
 */
#ifndef RG_COMPILE_NVRTC_H
#define RG_COMPILE_NVRTC_H

#include "compile/compiler.h"

struct rg_nvrtc;

/**
 * Find and load one. \param cuda_path  a toolkit's folder, or the library itself; NULL: where the loader looks, then
 * the usual folders
 * \retval RIDGE_E_UNAVAILABLE  there is none, or it lacks a function; what to install
 */
ridge_status rg_nvrtc_open(const struct ridge_context *context, const char *cuda_path, struct rg_nvrtc **out,
                           struct ridge_error *error);
void rg_nvrtc_close(struct rg_nvrtc *nvrtc); /**< NULL is fine */

const char *rg_nvrtc_name(const struct rg_nvrtc *nvrtc);     /**< "NVRTC 13.0" */
const char *rg_nvrtc_identity(const struct rg_nvrtc *nvrtc); /**< tells builds of one version apart */

/** Compile. The macros of the job are all handed on. `out->context` is set; the rest is 0 before. */
ridge_status rg_nvrtc_compile(struct rg_nvrtc *nvrtc, const struct rg_compile_job *job, struct rg_artifact *out,
                              struct ridge_error *error);

#endif
