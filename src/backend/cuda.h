/* SPDX-License-Identifier: MIT */
/** \file What the files of the CUDA backend share. Thread rule: a session belongs to one thread. */
#ifndef RG_BACKEND_CUDA_H
#define RG_BACKEND_CUDA_H

#include "backend/backend.h"
#include "backend/cuda_loader.h"
#include "compile/compiler.h"

enum {
    RG_CUDA_MAX_DEVICES = 64
};

/** Limits of the device, as the driver says. Bytes or threads; 0 where it does not. */
struct rg_cuda_limits {
    int capability; /**< compute capability, 10 * major + minor */
    uint64_t max_block_threads;
    uint64_t max_block[3];
    uint64_t max_grid[3];
    uint64_t smem_block_bytes;  /**< without opt-in */
    uint64_t smem_opt_in_bytes; /**< with it */
    uint64_t l2_bytes;
};

/** An argument's memory, with guard zones before and behind the part that the kernel gets. */
struct rg_cuda_buffer {
    rg_cu_pointer whole; /**< 0: no buffer */
    rg_cu_pointer data;
    void *host; /**< not written: what it was last filled from: a parameter that is passed by value points there */
};

/** A loaded module: found again by the bytes it was made of, as long as a kernel of it lives. */
struct rg_cuda_module {
    struct rg_artifact artifact;
    rg_cu_module module;
    uint64_t users; /**< kernels that were taken from it and not destroyed yet */
    struct rg_cuda_module *next;
};

struct rg_session {
    struct rg_session_request request;
    struct rg_cuda_api api;
    struct rg_cuda_limits limits;
    rg_cu_device device;
    rg_cu_context context; /**< the primary context; NULL: not retained */
    rg_cu_event begin;
    rg_cu_event end;
    struct rg_compilers *compilers; /**< opened with the first build */
    struct rg_cuda_buffer *buffers; /**< one a shape */
    unsigned char *zone;            /**< room to look at one guard zone */
    rg_cu_pointer scratch;          /**< for evict; 0 when not asked for */
    size_t scratch_bytes;
    unsigned char round;            /**< of evict: changes the pattern */
    struct rg_cuda_module *modules; /**< a list */
};

/** A kernel with what its launches have to keep to. */
struct rg_kernel {
    rg_cu_function function;
    struct rg_cuda_module *module;
    uint64_t max_block_threads; /**< of this kernel: its registers and launch bounds */
    uint64_t smem_static_bytes;
    uint64_t registers;
};

/* cuda_facts.c */

void rg_cuda_limits_get(const struct rg_cuda_api *api, rg_cu_device device, struct rg_cuda_limits *limits);
/** Find a device. \retval RIDGE_E_UNAVAILABLE there is none with this number; says how many there are. */
ridge_status rg_cuda_find(const struct rg_cuda_api *api, unsigned index, rg_cu_device *device,
                          struct ridge_error *error);
ridge_status rg_cuda_enumerate(const struct ridge_context *context,
                               void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                               struct ridge_error *error);

/* cuda_buffer.c */

/** Make all buffers and their guard zones. \retval RIDGE_E_LIMIT the device has not so much memory. */
ridge_status rg_cuda_buffers_open(struct rg_session *session, struct ridge_error *error);
void rg_cuda_buffers_close(struct rg_session *session);
ridge_status rg_cuda_buffer_write(struct rg_session *session, size_t argument, const void *from,
                                  struct ridge_error *error);
ridge_status rg_cuda_buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error);
ridge_status rg_cuda_guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error);

/* cuda_build.c */

/**
 * Compile to machine code for a compute capability (10 * major + minor), or, where the compiler is too old to know it, to
 * PTX that the driver translates. \param job  its target and form are set here
 */
ridge_status rg_cuda_compile(struct rg_compilers *compilers, int capability, const struct rg_compile_job *job,
                             struct rg_artifact *out, struct ridge_error *error);

ridge_status rg_cuda_build(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                           const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                           struct ridge_error *error);
void rg_cuda_kernel_destroy(struct rg_session *session, struct rg_kernel *kernel);

/* cuda_check.c */

/** Compare the kernel's parameters with the shapes where the driver tells them. \retval RIDGE_E_VALUE they do not fit. */
ridge_status rg_cuda_parameters_check(const struct rg_session *session, rg_cu_function function,
                                      struct ridge_error *error);
/** Whether the device can launch it; if not, trouble says what is too large, and whose limit it is. */
bool rg_cuda_launchable(const struct rg_session *session, const struct rg_kernel *kernel,
                        const struct rg_launch *launch, struct rg_trouble *trouble);
/** \return dynamic shared memory of a launch, bytes: its local arguments together; UINT64_MAX when too many. */
uint64_t rg_cuda_dynamic_bytes(const struct rg_session *session, const struct rg_launch *launch);

#endif
