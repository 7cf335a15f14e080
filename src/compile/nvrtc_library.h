/* SPDX-License-Identifier: MIT */
/**
 * \file The functions of NVRTC that are used, and finding its library. Declared here: no CUDA header is needed.
 * Source: the names, parameters and result codes are those of nvrtc.h of CUDA 13.0. Thread rule: a loaded table is
 * unchanging.
 */
#ifndef RG_COMPILE_NVRTC_LIBRARY_H
#define RG_COMPILE_NVRTC_LIBRARY_H

#include "base/context.h"

typedef struct rg_nvrtc_program_ *rg_nvrtc_program; /**< NVRTC's own */

/** Result codes that mean something to us. */
enum {
    RG_NVRTC_SUCCESS = 0,
    RG_NVRTC_OUT_OF_MEMORY = 1,
    RG_NVRTC_INVALID_OPTION = 5,
    RG_NVRTC_COMPILATION = 6
};

/** Functions: name, parameters, whether it may be missing (NVRTC before 11.2). All return a result code. */
#define RG_NVRTC_CALLS(REQ, OPT)                                                                               \
    REQ(nvrtcVersion, (int *major, int *minor))                                                                \
    REQ(nvrtcCreateProgram, (rg_nvrtc_program * program, const char *text, const char *name, int header_count, \
                             const char *const *headers, const char *const *header_names))                     \
    REQ(nvrtcDestroyProgram, (rg_nvrtc_program * program))                                                     \
    REQ(nvrtcCompileProgram, (rg_nvrtc_program program, int option_count, const char *const *options))         \
    REQ(nvrtcGetProgramLogSize, (rg_nvrtc_program program, size_t * bytes))                                    \
    REQ(nvrtcGetProgramLog, (rg_nvrtc_program program, char *out))                                             \
    REQ(nvrtcGetPTXSize, (rg_nvrtc_program program, size_t * bytes))                                           \
    REQ(nvrtcGetPTX, (rg_nvrtc_program program, char *out))                                                    \
    REQ(nvrtcAddNameExpression, (rg_nvrtc_program program, const char *expression))                            \
    REQ(nvrtcGetLoweredName, (rg_nvrtc_program program, const char *expression, const char **out))             \
    OPT(nvrtcGetCUBINSize, (rg_nvrtc_program program, size_t * bytes))                                         \
    OPT(nvrtcGetCUBIN, (rg_nvrtc_program program, char *out))                                                  \
    OPT(nvrtcGetNumSupportedArchs, (int *count))                                                               \
    OPT(nvrtcGetSupportedArchs, (int *out))

struct rg_nvrtc_api {
    void *library;
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declarator takes none */
#define RG_NVRTC_MEMBER(name, parameters) int(*name) parameters;
    RG_NVRTC_CALLS(RG_NVRTC_MEMBER, RG_NVRTC_MEMBER)
#undef RG_NVRTC_MEMBER
    char path[4096]; /**< of the library, links resolved */
};

/** Find, load and look up. See rg_nvrtc_open. */
ridge_status rg_nvrtc_load(struct rg_nvrtc_api *api, const char *cuda_path, struct ridge_error *error);

#endif
