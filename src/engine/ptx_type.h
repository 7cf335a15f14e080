/* SPDX-License-Identifier: MIT */
/** \file Types and state spaces of PTX. Source: PTX ISA, chapters "Fundamental Types" and "State Spaces". Pure. */
#ifndef RG_ENGINE_PTX_TYPE_H
#define RG_ENGINE_PTX_TYPE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum rg_kind {
    RG_KIND_BITS,
    RG_KIND_UNSIGNED,
    RG_KIND_SIGNED,
    RG_KIND_FLOAT,
    RG_KIND_PREDICATE
} rg_kind;

/** name, word, bytes, kind */
#define RG_TYPE_LIST(X)                      \
    X(RG_PRED, "pred", 1, RG_KIND_PREDICATE) \
    X(RG_B8, "b8", 1, RG_KIND_BITS)          \
    X(RG_B16, "b16", 2, RG_KIND_BITS)        \
    X(RG_B32, "b32", 4, RG_KIND_BITS)        \
    X(RG_B64, "b64", 8, RG_KIND_BITS)        \
    X(RG_B128, "b128", 16, RG_KIND_BITS)     \
    X(RG_U8, "u8", 1, RG_KIND_UNSIGNED)      \
    X(RG_U16, "u16", 2, RG_KIND_UNSIGNED)    \
    X(RG_U32, "u32", 4, RG_KIND_UNSIGNED)    \
    X(RG_U64, "u64", 8, RG_KIND_UNSIGNED)    \
    X(RG_S8, "s8", 1, RG_KIND_SIGNED)        \
    X(RG_S16, "s16", 2, RG_KIND_SIGNED)      \
    X(RG_S32, "s32", 4, RG_KIND_SIGNED)      \
    X(RG_S64, "s64", 8, RG_KIND_SIGNED)      \
    X(RG_F16, "f16", 2, RG_KIND_FLOAT)       \
    X(RG_F16X2, "f16x2", 4, RG_KIND_FLOAT)   \
    X(RG_BF16, "bf16", 2, RG_KIND_FLOAT)     \
    X(RG_BF16X2, "bf16x2", 4, RG_KIND_FLOAT) \
    X(RG_E4M3X2, "e4m3x2", 2, RG_KIND_FLOAT) \
    X(RG_E5M2X2, "e5m2x2", 2, RG_KIND_FLOAT) \
    X(RG_TF32, "tf32", 4, RG_KIND_FLOAT)     \
    X(RG_F32, "f32", 4, RG_KIND_FLOAT)       \
    X(RG_F64, "f64", 8, RG_KIND_FLOAT)

typedef enum rg_type {
#define RG_TYPE_ENUM(name, word, bytes, kind) name,
    RG_TYPE_LIST(RG_TYPE_ENUM)
#undef RG_TYPE_ENUM
    RG_TYPE_COUNT
} rg_type;

struct rg_type_facts {
    const char *word;
    uint32_t bytes;
    rg_kind kind;
};
extern const struct rg_type_facts rg_types[RG_TYPE_COUNT];

/** \return the type of a word without its dot, or RG_TYPE_COUNT. */
rg_type rg_type_find(const char *word, uint32_t length);

typedef enum rg_space {
    RG_SPACE_GENERIC,
    RG_SPACE_GLOBAL,
    RG_SPACE_SHARED,
    RG_SPACE_LOCAL,
    RG_SPACE_CONST,
    RG_SPACE_PARAM,      /**< parameters of the kernel */
    RG_SPACE_CALL_PARAM, /**< parameters of functions: a thread's own */
    RG_SPACE_COUNT
} rg_space;

/**
 * The flat address map. Each global buffer begins at a multiple of 2^40; the windows of the other spaces do too, above
 * all buffers: an access that leaves one meets nothing.
 */
enum {
    RG_REGION_BITS = 40
};
#define RG_WINDOW(space)      (((uint64_t)0xA00000 + (uint64_t)(space)) << RG_REGION_BITS)
#define RG_BUFFER_BASE(index) (((uint64_t)(index) + 1) << RG_REGION_BITS)

#endif
