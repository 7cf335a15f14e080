/* SPDX-License-Identifier: MIT */
/**
 * \file The CUDA driver as it is found at run time: libcuda.so.1 is opened with dlopen, never linked.
 * Thread rule: a loaded table is unchanging; CUDA's own rules hold for the calls.
 */
#ifndef RG_BACKEND_CUDA_LOADER_H
#define RG_BACKEND_CUDA_LOADER_H

#include "backend/cuda_abi.h"
#include "base/context.h"

/** The loaded calls. */
struct rg_cuda_api {
    void *library;
#define RG_CU_FIELD(name, arguments) rg_cu_result(*(name)) arguments; /* NOLINT(bugprone-macro-parentheses) */
    RG_CU_CALLS(RG_CU_FIELD, RG_CU_FIELD)
#undef RG_CU_FIELD
};

/**
 * Open the library, take its calls and start the driver. The library is never unloaded: it leaves threads behind.
 * \retval RIDGE_E_UNAVAILABLE  no library, a call that is needed is missing, or no device; the message says what to do
 */
ridge_status rg_cuda_load(struct rg_cuda_api *api, struct ridge_error *error);

/** Write "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered (700)". */
const char *rg_cuda_error_text(const struct rg_cuda_api *api, rg_cu_result code, char *out, size_t bytes);

/** Set RIDGE_E_DEVICE: "<call> failed: CUDA_ERROR_... (700)", with the code in `native`. */
ridge_status rg_cuda_failed(const struct rg_cuda_api *api, struct ridge_error *error, rg_cu_result code,
                            const char *call);

#endif
