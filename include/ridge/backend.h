/* SPDX-License-Identifier: MIT */
/**
 * \file
 * What can run kernels here: backends and their devices. Looking for devices happens in a child process with a
 * deadline, since a driver may start threads, crash or hang; it must not be called while other threads of the caller
 * hold locks that the child would need (that is, best from a program with one thread).
 */
#ifndef RIDGE_BACKEND_H
#define RIDGE_BACKEND_H

#include <stdint.h>

#include "ridge/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A device. Texts are as the driver gives them, may hold any character, and are borrowed. Unknown numbers are 0. */
struct ridge_device_line {
    const char *selector; /**< what --device takes for it: "opencl:0:0", "cuda:0" */
    const char *name;
    const char *platform; /**< OpenCL platform; "" elsewhere */
    const char *driver;   /**< driver and version; compiler and version for the host */
    const char *version;  /**< such as "OpenCL 3.0 PoCL ..."; "" elsewhere */
    const char *kind;     /**< "cpu", "gpu", "accelerator", "other", "none" */
    uint32_t compute_units;
    uint64_t memory_bytes;
    uint64_t max_allocation_bytes;
    uint64_t local_memory_bytes;
    uint64_t max_block_threads;
    const char *note; /**< such as where the driver and the device database disagree; "": nothing is to be said */
};

/** A backend with its devices. */
struct ridge_backend_line {
    const char *name;          /**< "opencl" */
    const char *absent_reason; /**< why there is no device, and what to install; NULL: there is one */
    size_t device_count;
    const struct ridge_device_line *devices; /**< borrowed for the visit */
};

/**
 * Visit every backend in turn.
 * \param visit       is called once a backend, in the caller's process
 * \param user        handed to `visit`
 * \param deadline_s  how long the drivers of one backend may take, seconds; 0: 30
 * \retval RIDGE_OK   also when no backend has a device
 */
RIDGE_API ridge_status ridge_backend_each(const struct ridge_context *context,
                                          void (*visit)(void *user, const struct ridge_backend_line *backend),
                                          void *user, double deadline_s, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
