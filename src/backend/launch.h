/* SPDX-License-Identifier: MIT */
/**
 * \file What is handed to a backend: shapes of arguments, macros, one launch. Backends do not know specs or spaces:
 * whoever calls them evaluates the expressions. Plain memory.
 */
#ifndef RG_BACKEND_LAUNCH_H
#define RG_BACKEND_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/source.h"
#include "ridge/run.h"

typedef enum rg_shape_kind {
    RG_SHAPE_BUFFER,
    RG_SHAPE_SCALAR,
    RG_SHAPE_LOCAL
} rg_shape_kind;

/** An argument of the kernel. */
struct rg_shape {
    rg_shape_kind kind;
    const char *name;     /**< for messages */
    bool read;            /**< buffer: the kernel reads it */
    bool written;         /**< buffer: the kernel writes it */
    bool by_value;        /**< buffer: a CUDA kernel takes its bytes themselves as the parameter, no pointer */
    size_t element_bytes; /**< of a buffer's element, or of the scalar */
    const char *c_type;   /**< "float", "unsigned int": C and CUDA */
    const char *cl_type;  /**< "float", "uint": OpenCL C */
    uint64_t bytes;       /**< buffer: whole size, at least 1 */
};

/** One launch. */
struct rg_launch {
    unsigned dimensions;     /**< 1 to 3 */
    uint64_t grid[3];        /**< blocks; each at least 1 */
    uint64_t block[3];       /**< threads; each at least 1 */
    const uint64_t *scalars; /**< by argument: bit pattern of a scalar in the low bytes, or bytes of local memory */
};

#endif
