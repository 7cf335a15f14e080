/* SPDX-License-Identifier: MIT */
/**
 * \file What source a kernel is written in and the macros that make one configuration of it. Plain data.
 */
#ifndef RG_COMPILE_SOURCE_H
#define RG_COMPILE_SOURCE_H

#include <stdbool.h>

typedef enum rg_source_language {
    RG_SOURCE_OPENCL,
    RG_SOURCE_CUDA,
    RG_SOURCE_C,
    RG_SOURCE_ANY
} rg_source_language;

/** A macro: -Dname=value. The value may hold any character. */
struct rg_macro {
    const char *name;
    const char *value;
    bool launch; /**< a launch dimension: a backend may leave it out when the source does not name it */
};

#endif
