/* SPDX-License-Identifier: MIT */
/** \file What the files of the OpenCL backend share. Thread rule: a session belongs to one thread. */
#ifndef RG_BACKEND_OPENCL_H
#define RG_BACKEND_OPENCL_H

#include "backend/backend.h"
#include "backend/opencl_loader.h"

enum {
    RG_OPENCL_PROGRAMS = 8, /* built programs kept in a session */
    RG_OPENCL_MAX_PLATFORMS = 32,
    RG_OPENCL_MAX_DEVICES = 64,
    RG_OPENCL_FOLDER_BYTES = 4096
};

/** Limits of the device. Bytes or threads; 0 where the driver does not say. */
struct rg_opencl_limits {
    uint64_t memory_bytes;
    uint64_t max_allocation_bytes;
    uint64_t local_bytes;
    uint64_t max_block_threads;
    uint64_t max_block[3];
    uint64_t alignment_bytes; /**< where a sub-buffer may begin */
    unsigned address_bits;
};

/** An argument's buffer: `data` is a part of `whole`, with guard zones before and behind it. */
struct rg_opencl_buffer {
    cl_mem whole;
    cl_mem data; /**< the kernel's view; the same object as `whole` when `before` is 0 */
    size_t before;
    size_t bytes;
    size_t behind;
};

/** A built program, found again by the text of its options and prelude. */
struct rg_opencl_program {
    struct rg_buffer key;
    cl_program program; /**< NULL: the slot is free */
    uint64_t used_at;
};

struct rg_session {
    struct rg_session_request request;
    struct rg_opencl_api api;
    struct rg_opencl_limits limits;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    bool profiling;                   /**< device times are to be had */
    struct rg_opencl_buffer *buffers; /**< one a shape; empty for what is no buffer */
    unsigned char *zone;              /**< room to look at one guard zone */
    cl_mem scratch;                   /**< for evict; NULL when not asked for */
    size_t scratch_bytes;
    unsigned char round;                         /**< of evict: changes the pattern */
    char include_folder[RG_OPENCL_FOLDER_BYTES]; /**< as it can be handed to the compiler; "" when it cannot */
    struct rg_opencl_program programs[RG_OPENCL_PROGRAMS];
    uint64_t tick; /**< counts uses of programs */
};

/** A kernel with what its launches have to keep to. */
struct rg_kernel {
    cl_kernel kernel;
    uint64_t max_block_threads; /**< of this kernel on this device; 0: unknown */
    uint64_t wanted_block[3];   /**< reqd_work_group_size; all 0: none */
    uint64_t local_bytes;       /**< local memory that it declares itself */
};

/* opencl_facts.c */

/** Find a device. \retval RIDGE_E_UNAVAILABLE there is none with these numbers; says how many there are. */
ridge_status rg_opencl_find(const struct rg_opencl_api *api, unsigned platform_index, unsigned device_index,
                            cl_device_id *device, struct ridge_error *error);
void rg_opencl_limits_get(const struct rg_opencl_api *api, cl_device_id device, struct rg_opencl_limits *limits);
ridge_status rg_opencl_enumerate(const struct ridge_context *context,
                                 void (*visit)(void *user, const struct rg_device_facts *facts), void *user,
                                 struct ridge_error *error);

/* opencl_buffer.c */

/** Make all buffers and their guard zones. \retval RIDGE_E_LIMIT the device has not so much memory. */
ridge_status rg_opencl_buffers_open(struct rg_session *session, struct ridge_error *error);
void rg_opencl_buffers_close(struct rg_session *session);
ridge_status rg_opencl_buffer_write(struct rg_session *session, size_t argument, const void *from,
                                    struct ridge_error *error);
ridge_status rg_opencl_buffer_read(struct rg_session *session, size_t argument, void *to, struct ridge_error *error);
ridge_status rg_opencl_guards_check(struct rg_session *session, struct rg_trouble *trouble, struct ridge_error *error);

/* opencl_build.c */

/** Find a way to name the source's folder in the options: they have no quoting that every driver understands. */
ridge_status rg_opencl_include_folder(struct rg_session *session, struct ridge_error *error);
ridge_status rg_opencl_build(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                             const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                             struct ridge_error *error);
void rg_opencl_kernel_destroy(struct rg_session *session, struct rg_kernel *kernel);
void rg_opencl_programs_close(struct rg_session *session);

/* opencl_check.c */

/** Compare the kernel's arguments with the shapes. \retval RIDGE_E_VALUE they do not fit; says which and why. */
ridge_status rg_opencl_arguments_check(const struct rg_session *session, cl_kernel kernel, struct ridge_error *error);
/** Ask for the limits of a kernel. */
ridge_status rg_opencl_kernel_limits(const struct rg_session *session, struct rg_kernel *kernel,
                                     struct ridge_error *error);
/** Whether the device can launch it; if not, trouble says what is too large, and whose limit it is. */
bool rg_opencl_launchable(const struct rg_session *session, const struct rg_kernel *kernel,
                          const struct rg_launch *launch, struct rg_trouble *trouble);

#endif
