/* SPDX-License-Identifier: MIT */
/**
 * \file Lane loops of all plain operations. Compiled once for each vector width (src/engine/meson.build): RG_LANES_TABLE
 * names the table. Results go through a block on the stack, so that the compiler need not ask whether columns overlap.
 */
#include <string.h>

#include "engine/lanes_list.h"
#include "engine/lanes_math.h"
#include "engine/run.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wtype-limits"
#if !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wduplicated-branches"
#    pragma GCC diagnostic ignored "-Wlogical-op"
#else
#    pragma GCC diagnostic ignored "-Wimplicit-int-float-conversion"
#endif

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef __int128 s128;
typedef float f32;
typedef double f64;
typedef uint16_t f16;
typedef uint16_t bf16;

static inline s32 rg_clamp_s32(s64 value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (s32)value;
}

/* Macro arguments here are names of types and functions, which no parentheses can enclose. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
/** Write the lanes of a mask. */
#define RG_BLEND(NAME, T)                                                          \
    static inline void NAME(T *restrict to, const T *restrict from, uint32_t mask) \
    {                                                                              \
        if (mask == 0xffffffffU) {                                                 \
            memcpy(to, from, RG_LANES * sizeof(T));                                \
            return;                                                                \
        }                                                                          \
        for (unsigned i = 0; i < RG_LANES; i++) {                                  \
            to[i] = mask >> i & 1 ? from[i] : to[i];                               \
        }                                                                          \
    }
RG_BLEND(blend2, uint16_t)
RG_BLEND(blend4, uint32_t)
RG_BLEND(blend8, uint64_t)

static inline void blend(void *to, const void *from, size_t bytes, uint32_t mask)
{
    if (bytes == 2) {
        blend2(to, from, mask);
    } else if (bytes == 4) {
        blend4(to, from, mask);
    } else {
        blend8(to, from, mask);
    }
}

#define RG_LANE_FUNCTION(key, class, count, TD, TA, TB, TC, text)                      \
    static void run_##key(struct rg_warp *warp, const struct rg_op *op, uint32_t mask) \
    {                                                                                  \
        const TA *column_a = RG_COLUMN(TA, warp, op->a);                               \
        const TB *column_b = RG_COLUMN(TB, warp, op->b);                               \
        const TC *column_c = RG_COLUMN(TC, warp, op->c);                               \
        _Alignas(64) TD result[RG_LANES];                                              \
        for (unsigned i = 0; i < RG_LANES; i++) {                                      \
            const TA a = column_a[i];                                                  \
            const TB b = column_b[count > 1 ? i : 0];                                  \
            const TC c = column_c[count > 2 ? i : 0];                                  \
            result[i] = (TD)(text);                                                    \
        }                                                                              \
        blend(RG_COLUMN(TD, warp, op->d), result, sizeof(TD), mask);                   \
    }
/* cppcheck-suppress shiftTooManyBitsSigned; arithmetic shifts are what PTX and both compilers have */
RG_PLAIN_LANES(RG_LANE_FUNCTION)

#define RG_COMPARE_FUNCTION(key, class, T, text)                                          \
    static void run_is_##key(struct rg_warp *warp, const struct rg_op *op, uint32_t mask) \
    {                                                                                     \
        const T *column_a = RG_COLUMN(T, warp, op->a);                                    \
        const T *column_b = RG_COLUMN(T, warp, op->b);                                    \
        uint32_t holds = 0;                                                               \
        for (unsigned i = 0; i < RG_LANES; i++) {                                         \
            const T a = column_a[i];                                                      \
            const T b = column_b[i];                                                      \
            holds |= (uint32_t)(text) << i;                                               \
        }                                                                                 \
        warp->compare = holds & mask;                                                     \
    }
RG_COMPARE_LANES(RG_COMPARE_FUNCTION)

#define RG_SELECT_FUNCTION(bits)                                                               \
    static void run_select_##bits(struct rg_warp *warp, const struct rg_op *op, uint32_t mask) \
    {                                                                                          \
        const u##bits *a = RG_COLUMN(u##bits, warp, op->a);                                    \
        const u##bits *b = RG_COLUMN(u##bits, warp, op->b);                                    \
        const uint32_t chosen = *rg_predicate(warp, op->c) ^ (op->mode ? 0xffffffffU : 0);     \
        _Alignas(64) u##bits result[RG_LANES];                                                 \
        for (unsigned i = 0; i < RG_LANES; i++) {                                              \
            result[i] = chosen >> i & 1 ? a[i] : b[i];                                         \
        }                                                                                      \
        blend(RG_COLUMN(u##bits, warp, op->d), result, sizeof result[0], mask);                \
    }
RG_SELECT_FUNCTION(16)
RG_SELECT_FUNCTION(32)
RG_SELECT_FUNCTION(64)

/** Where the lanes of an access lie, when all of them lie well in one region. */
struct reach {
    uint8_t *bytes;
    uint64_t stride; /**< between lanes: local memory */
    uint64_t base;
};

static bool find_reach(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, bool writes, struct reach *reach)
{
    const struct rg_run *run = warp->run;
    uint64_t *addresses = warp->addresses;
    const unsigned first = (unsigned)__builtin_ctz(mask);
    const uint64_t displacement = (uint64_t)op->immediate;
    const uint32_t bytes = op->bytes * (op->list_count ? op->list_count : 1U);
    if (op->mode == 4) {
        const uint32_t *column = RG_COLUMN(uint32_t, warp, op->a);
        const uint32_t usual = column[first];
        for (unsigned i = 0; i < RG_LANES; i++) {
            addresses[i] = (uint32_t)((mask >> i & 1 ? column[i] : usual) + (uint32_t)displacement);
        }
    } else {
        const uint64_t *column = RG_COLUMN(uint64_t, warp, op->a);
        const uint64_t usual = column[first];
        for (unsigned i = 0; i < RG_LANES; i++) {
            addresses[i] = (mask >> i & 1 ? column[i] : usual) + displacement;
        }
    }
    const struct rg_region *region = rg_memory_region(run, op->space, addresses[first], &reach->base);
    if (!region || region->size < bytes || (writes && !region->writable)) {
        return false;
    }
    const uint64_t last = region->size - bytes;
    uint64_t wrong = 0;
    for (unsigned i = 0; i < RG_LANES; i++) {
        const uint64_t offset = addresses[i] - reach->base;
        wrong |= (uint64_t)(offset > last) | (offset & (bytes - 1));
    }
    reach->bytes = region->bytes;
    reach->stride = 0;
    warp->reached = op->space == RG_SPACE_GENERIC ? (region == &run->shared ? RG_SPACE_SHARED : RG_SPACE_GLOBAL)
                                                  : (rg_space)op->space;
    warp->access = mask;
    return wrong == 0;
}

#define RG_LOAD_FUNCTION(NAME, MEMORY, REGISTER)                                                                    \
    static void NAME(const struct reach *reach, const uint64_t *addresses, uint64_t extra, void *to, uint32_t mask) \
    {                                                                                                               \
        _Alignas(64) REGISTER result[RG_LANES];                                                                     \
        const uint8_t *from = reach->bytes + extra;                                                                 \
        for (unsigned i = 0; i < RG_LANES; i++) {                                                                   \
            MEMORY value;                                                                                           \
            memcpy(&value, from + (addresses[i] - reach->base), sizeof value);                                      \
            result[i] = (REGISTER)value;                                                                            \
        }                                                                                                           \
        blend(to, result, sizeof(REGISTER), mask);                                                                  \
    }
RG_LOAD_FUNCTION(load_u8_2, uint8_t, uint16_t)
RG_LOAD_FUNCTION(load_u8_4, uint8_t, uint32_t)
RG_LOAD_FUNCTION(load_u8_8, uint8_t, uint64_t)
RG_LOAD_FUNCTION(load_s8_2, int8_t, uint16_t)
RG_LOAD_FUNCTION(load_s8_4, int8_t, uint32_t)
RG_LOAD_FUNCTION(load_s8_8, int8_t, uint64_t)
RG_LOAD_FUNCTION(load_u16_2, uint16_t, uint16_t)
RG_LOAD_FUNCTION(load_u16_4, uint16_t, uint32_t)
RG_LOAD_FUNCTION(load_u16_8, uint16_t, uint64_t)
RG_LOAD_FUNCTION(load_s16_4, int16_t, uint32_t)
RG_LOAD_FUNCTION(load_s16_8, int16_t, uint64_t)
RG_LOAD_FUNCTION(load_u32_4, uint32_t, uint32_t)
RG_LOAD_FUNCTION(load_u32_8, uint32_t, uint64_t)
RG_LOAD_FUNCTION(load_s32_8, int32_t, uint64_t)
RG_LOAD_FUNCTION(load_u64_8, uint64_t, uint64_t)

typedef void (*load_fn)(const struct reach *reach, const uint64_t *addresses, uint64_t extra, void *to, uint32_t mask);

/** By log2 of the bytes in memory, signedness, log2 of the register's bytes less one. */
static const load_fn loads[4][2][3] = {
    {{load_u8_2, load_u8_4, load_u8_8}, {load_s8_2, load_s8_4, load_s8_8}},
    {{load_u16_2, load_u16_4, load_u16_8}, {load_u16_2, load_s16_4, load_s16_8}},
    {{NULL, load_u32_4, load_u32_8}, {NULL, load_u32_4, load_s32_8}},
    {{NULL, NULL, load_u64_8}, {NULL, NULL, load_u64_8}},
};

static void run_load(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct reach reach;
    if (!find_reach(warp, op, mask, false, &reach)) {
        rg_memory_slow(warp, op, mask, false);
        return;
    }
    const bool is_signed = rg_types[op->type].kind == RG_KIND_SIGNED;
    const load_fn load = loads[__builtin_ctz(op->bytes)][is_signed][__builtin_ctz(op->register_bytes) - 1];
    if (!op->list_count) {
        load(&reach, warp->addresses, 0, warp->registers + op->d, mask);
        return;
    }
    for (uint32_t k = 0; k < op->list_count; k++) {
        if (op->list[k] != RG_NO_SLOT) {
            load(&reach, warp->addresses, (uint64_t)k * op->bytes, warp->registers + op->list[k], mask);
        }
    }
}

static void store_one(const struct rg_warp *warp, const struct rg_op *op, const struct reach *reach, uint32_t slot,
                      uint64_t extra, uint32_t mask)
{
    uint8_t *to = reach->bytes + extra;
    const uint8_t *column = warp->registers + slot;
    const uint32_t pitch = op->register_bytes;
    const uint64_t *addresses = warp->addresses;
#define RG_STORE_LANES(bytes)                                                             \
    for (unsigned i = 0; i < RG_LANES; i++) {                                             \
        if (mask >> i & 1) {                                                              \
            memcpy(to + (addresses[i] - reach->base), column + (size_t)i * pitch, bytes); \
        }                                                                                 \
    }
    switch (op->bytes) {
    case 1: RG_STORE_LANES(1); break;
    case 2: RG_STORE_LANES(2); break;
    case 4: RG_STORE_LANES(4); break;
    default: RG_STORE_LANES(8); break;
    }
}

static void run_store(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    struct reach reach;
    if (!find_reach(warp, op, mask, true, &reach)) {
        rg_memory_slow(warp, op, mask, true);
        return;
    }
    if (!op->list_count) {
        store_one(warp, op, &reach, op->d, 0, mask);
        return;
    }
    for (uint32_t k = 0; k < op->list_count; k++) {
        store_one(warp, op, &reach, op->list[k], (uint64_t)k * op->bytes, mask);
    }
}

const rg_lane_fn RG_LANES_TABLE[] = {
#define RG_LANE_ROW(key, class, count, d, a, b, c, text) run_##key,
    RG_PLAIN_LANES(RG_LANE_ROW)
#undef RG_LANE_ROW
#define RG_COMPARE_ROW(key, class, t, text) run_is_##key,
        RG_COMPARE_LANES(RG_COMPARE_ROW)
#undef RG_COMPARE_ROW
            run_select_16,
    run_select_32,
    run_select_64,
    run_load,
    run_store,
};
/* NOLINTEND(bugprone-macro-parentheses) */
