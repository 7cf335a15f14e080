/* SPDX-License-Identifier: MIT */
/**
 * \file The parts of the transform's sources that are the same for all elements. Constant; any thread. Before each stand
 * the macros SMALLEST, OUT_T, PARAMETERS, EACH_INPUT and SUM that transform_kernel.c writes.
 */
#ifndef RG_POLICY_TRANSFORM_SOURCES_H
#define RG_POLICY_TRANSFORM_SOURCES_H

#include <stdbool.h>

struct rg_transform_source {
    const char *name;       /**< of the file; NULL ends the list */
    bool opencl;            /**< types are those of OpenCL C */
    const char *space;      /**< before a pointer's type: "__global " */
    const char *restricted; /**< how `restrict` is written */
    const char *text;
};

extern const struct rg_transform_source rg_transform_sources[];

#endif
