/* SPDX-License-Identifier: MIT */
/**
 * \file Matrix instructions. Products are exact and summed in double (integers: in 64 bits), then rounded once: PTX
 * leaves order and precision of the sum open ("at least single precision"). Source: PTX ISA, "Warp Level Matrix
 * Multiply-Accumulate Instructions", with the figures of the fragments of mma.sync.
 */
#include <string.h>

#include "engine/lanes_math.h"
#include "engine/matrix.h"
#include "engine/run.h"

enum {
    MOST = 32 /**< rows or columns */
};

struct tile {
    double value[MOST][MOST];
};

struct spot {
    uint32_t row;
    uint32_t column;
};

static uint32_t per_register(rg_type type)
{
    return type == RG_F16 || type == RG_BF16 ? 2 : type == RG_S8 || type == RG_U8 ? 4 : 1;
}

/** Where element `i` of a lane lies in the matrix. */
static struct spot spot_of(const struct rg_fragment *fragment, unsigned lane, uint32_t i)
{
    const uint32_t each = per_register(fragment->type);
    const uint32_t reg = i / each;
    const uint32_t part = i % each;
    const uint32_t group = lane / 4;
    const uint32_t within = lane % 4;
    switch (fragment->layout) {
    case RG_FRAGMENT_A: {
        /* Registers go down the rows first (two groups of 8), then along k. */
        const uint32_t down = fragment->rows / 8;
        return (struct spot){group + 8 * (reg % down), within * each + part + 4 * each * (reg / down)};
    }
    case RG_FRAGMENT_B: return (struct spot){within * each + part + 4 * each * reg, group};
    case RG_FRAGMENT_C: return (struct spot){group + 8 * (i / 2), within * 2 + i % 2};
    case RG_FRAGMENT_OPAQUE: break;
    }
    const uint32_t index = (lane * fragment->count * each + i) % (fragment->rows * fragment->columns);
    return (struct spot){index / fragment->columns, index % fragment->columns};
}

static double element_value(rg_type type, uint64_t bits)
{
    switch ((int)type) {
    case RG_F16: return (double)rg_half_float((uint16_t)bits);
    case RG_BF16: return (double)rg_bf16_float((uint16_t)bits);
    case RG_TF32: return (double)rg_f32((uint32_t)bits & 0xffffe000U);
    case RG_F32: return (double)rg_f32((uint32_t)bits);
    case RG_F64: return rg_f64(bits);
    case RG_S8: return (int8_t)bits;
    case RG_U8: return (uint8_t)bits;
    default: return (int32_t)bits;
    }
}

static uint64_t element_bits(rg_type type, double value, bool saturates)
{
    switch ((int)type) {
    case RG_F16: return rg_to_half(value, RG_ROUND_NEAREST);
    case RG_F32: return rg_f32_bits((float)value);
    case RG_F64: return rg_f64_bits(value);
    default: break;
    }
    const int64_t whole = (int64_t)value;
    if (saturates && (whole > INT32_MAX || whole < INT32_MIN)) {
        return (uint32_t)(whole > 0 ? INT32_MAX : INT32_MIN);
    }
    return (uint32_t)whole;
}

static void gather(const struct rg_warp *warp, const struct rg_fragment *fragment, struct tile *tile)
{
    const uint32_t each = per_register(fragment->type);
    const uint32_t width = fragment->type == RG_F64 ? 8 : 4;
    const uint32_t bits = 8 * width / each;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        for (uint32_t i = 0; i < fragment->count * each; i++) {
            const uint64_t word = rg_lane_get(warp, fragment->slots[i / each], width, lane);
            const struct spot spot = spot_of(fragment, lane, i);
            const uint64_t part = bits == 64 ? word : word >> (bits * (i % each)) & (((uint64_t)1 << bits) - 1);
            tile->value[spot.row][spot.column] = element_value(fragment->type, part);
        }
    }
}

static void scatter(struct rg_warp *warp, const struct rg_fragment *fragment, const struct tile *tile, bool saturates)
{
    const uint32_t each = per_register(fragment->type);
    const uint32_t width = fragment->type == RG_F64 ? 8 : 4;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        for (uint32_t reg = 0; reg < fragment->count; reg++) {
            uint64_t word = 0;
            for (uint32_t part = 0; part < each; part++) {
                const struct spot spot = spot_of(fragment, lane, reg * each + part);
                word |= element_bits(fragment->type, tile->value[spot.row][spot.column], saturates)
                        << (8 * width / each * part);
            }
            rg_lane_set(warp, fragment->slots[reg], width, lane, word);
        }
    }
}

/** All lanes must take part. */
static bool is_whole(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    char thread[96];
    if (mask == 0xffffffffU) {
        return true;
    }
    if (rg_finding_new(warp->run, op, RG_RULE_SHUFFLE)) {
        rg_finding_reason(warp->run, "%s runs a matrix instruction with lanes 0x%08x of its warp only",
                          rg_thread_text(warp, (unsigned)__builtin_ctz(mask), thread, sizeof thread), mask);
    }
    return false;
}

void rg_run_mma(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const struct rg_matrix *matrix = op->matrix;
    static _Thread_local struct tile a;
    static _Thread_local struct tile b;
    static _Thread_local struct tile c;
    if (!is_whole(warp, op, mask)) {
        return;
    }
    gather(warp, &matrix->a, &a);
    gather(warp, &matrix->b, &b);
    gather(warp, &matrix->c, &c);
    for (uint32_t i = 0; i < matrix->a.rows; i++) {
        for (uint32_t k = 0; k < matrix->a.columns; k++) {
            for (uint32_t j = 0; j < matrix->b.columns; j++) {
                c.value[i][j] = fma(a.value[i][k], b.value[k][j], c.value[i][j]);
            }
        }
    }
    scatter(warp, &matrix->d, &c, matrix->saturates);
}

/** A tile in memory: each lane moves `bytes` of it, neighbours along the leading dimension. */
struct walk {
    uint64_t start;
    uint64_t stride_bytes;
    uint32_t line_bytes;
};

static struct walk walk_of(const struct rg_warp *warp, const struct rg_op *op)
{
    const struct rg_matrix *matrix = op->matrix;
    const uint32_t element = rg_types[matrix->d.type].bytes;
    const uint32_t along = matrix->by_columns ? matrix->d.rows : matrix->d.columns;
    struct walk walk = {.line_bytes = along * element};
    walk.start = (op->mode == 4 ? RG_COLUMN(uint32_t, warp, op->a)[0] : RG_COLUMN(uint64_t, warp, op->a)[0]) +
                 (uint64_t)op->immediate;
    walk.stride_bytes =
        (uint64_t)element * (matrix->stride == RG_NO_SLOT ? along : RG_COLUMN(uint32_t, warp, matrix->stride)[0]);
    return walk;
}

/** Move the whole tile between memory and `bytes`, in the order of the leading dimension. */
static void move_tile(struct rg_warp *warp, const struct rg_op *op, uint8_t *bytes, bool writes)
{
    const struct walk walk = walk_of(warp, op);
    warp->access = 0;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        const uint32_t at = lane * op->bytes;
        const uint64_t address = walk.start + at / walk.line_bytes * walk.stride_bytes + at % walk.line_bytes;
        const uint32_t piece = op->bytes > 16 ? 16 : op->bytes;
        bool good = true;
        warp->addresses[lane] = address;
        for (uint32_t done = 0; done < op->bytes; done += piece) {
            uint8_t *place =
                rg_memory_place(warp, op, lane, (rg_space)op->space, address + done, piece, writes, &warp->reached);
            if (place) {
                memcpy(writes ? place : bytes + at + done, writes ? bytes + at + done : place, piece);
            }
            good &= place != NULL;
        }
        warp->access |= good ? 1U << lane : 0;
    }
}

static uint8_t *element_in(const struct rg_matrix *matrix, uint8_t *bytes, struct spot spot)
{
    const uint32_t index =
        matrix->by_columns ? spot.column * matrix->d.rows + spot.row : spot.row * matrix->d.columns + spot.column;
    return bytes + (size_t)index * rg_types[matrix->d.type].bytes;
}

void rg_run_wmma_load(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const struct rg_fragment *fragment = &op->matrix->d;
    const uint32_t each = per_register(fragment->type);
    const uint32_t width = fragment->type == RG_F64 ? 8 : 4;
    uint8_t bytes[MOST * MOST * 8] = {0};
    if (!is_whole(warp, op, mask)) {
        warp->access = 0;
        return;
    }
    move_tile(warp, op, bytes, false);
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        for (uint32_t reg = 0; reg < fragment->count; reg++) {
            uint64_t word = 0;
            for (uint32_t part = 0; part < each; part++) {
                uint64_t element = 0;
                memcpy(&element, element_in(op->matrix, bytes, spot_of(fragment, lane, reg * each + part)),
                       rg_types[fragment->type].bytes);
                word |= element << (8 * width / each * part);
            }
            rg_lane_set(warp, fragment->slots[reg], width, lane, word);
        }
    }
}

void rg_run_wmma_store(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const struct rg_fragment *fragment = &op->matrix->d;
    const uint32_t each = per_register(fragment->type);
    const uint32_t width = fragment->type == RG_F64 ? 8 : 4;
    uint8_t bytes[MOST * MOST * 8] = {0};
    if (!is_whole(warp, op, mask)) {
        warp->access = 0;
        return;
    }
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        for (uint32_t i = 0; i < fragment->count * each; i++) {
            const uint64_t word = rg_lane_get(warp, fragment->slots[i / each], width, lane);
            const uint64_t part = word >> (8 * width / each * (i % each));
            memcpy(element_in(op->matrix, bytes, spot_of(fragment, lane, i)), &part, rg_types[fragment->type].bytes);
        }
    }
    move_tile(warp, op, bytes, true);
}
