/* SPDX-License-Identifier: MIT */
/** \file Matrix instructions: how a fragment lies in the registers of a warp. Pure. */
#ifndef RG_ENGINE_MATRIX_H
#define RG_ENGINE_MATRIX_H

#include "engine/ptx_module.h"

typedef enum rg_fragment_layout {
    RG_FRAGMENT_OPAQUE, /**< wmma: PTX leaves it open; one that only has to agree with itself */
    RG_FRAGMENT_A,      /**< mma.sync: given by PTX */
    RG_FRAGMENT_B,
    RG_FRAGMENT_C
} rg_fragment_layout;

struct rg_fragment {
    const uint32_t *slots;
    uint32_t count; /**< registers */
    rg_type type;
    uint32_t rows;
    uint32_t columns;
    rg_fragment_layout layout;
};

struct rg_matrix {
    struct rg_fragment d;
    struct rg_fragment a;
    struct rg_fragment b;
    struct rg_fragment c;
    bool saturates;
    bool by_columns; /**< in memory: neighbours are of one column */
    uint32_t stride; /**< column of the leading dimension in elements; RG_NO_SLOT: dense */
};

#endif
