/* SPDX-License-Identifier: MIT */
/** \file Atomic operations and reductions on memory, lane after lane. Source: PTX ISA, "atom", "red". */
#include <string.h>

#include "engine/lanes_math.h"
#include "engine/run.h"

static uint64_t add(rg_type type, uint64_t a, uint64_t b)
{
    switch ((int)type) {
    case RG_F32: return rg_f32_bits(rg_f32((uint32_t)a) + rg_f32((uint32_t)b));
    case RG_F64: return rg_f64_bits(rg_f64(a) + rg_f64(b));
    case RG_F16: return rg_half_add((uint16_t)a, (uint16_t)b);
    case RG_BF16: return rg_bf_add((uint16_t)a, (uint16_t)b);
    case RG_F16X2: return RG_PAIR2(rg_half_add, a, b);
    case RG_BF16X2: return RG_PAIR2(rg_bf_add, a, b);
    default: return a + b;
    }
}

/** Whether a < b in the type. */
static bool is_less(rg_type type, uint64_t a, uint64_t b)
{
    const unsigned unused = 64 - 8 * rg_types[type].bytes;
    if (rg_types[type].kind == RG_KIND_SIGNED) {
        return (int64_t)(a << unused) < (int64_t)(b << unused);
    }
    return a << unused < b << unused;
}

uint64_t rg_atom_apply(rg_atom atom, rg_type type, uint64_t old, uint64_t b, uint64_t c)
{
    switch (atom) {
    case RG_ATOM_ADD: return add(type, old, b);
    case RG_ATOM_EXCHANGE: return b;
    case RG_ATOM_MIN: return is_less(type, b, old) ? b : old;
    case RG_ATOM_MAX: return is_less(type, old, b) ? b : old;
    case RG_ATOM_INCREMENT: return old >= b ? 0 : old + 1;
    case RG_ATOM_DECREMENT: return old == 0 || old > b ? b : old - 1;
    case RG_ATOM_CAS: return old == b ? c : old;
    case RG_ATOM_AND: return old & b;
    case RG_ATOM_OR: return old | b;
    case RG_ATOM_XOR: return old ^ b;
    case RG_ATOM_COUNT: break;
    }
    return old;
}

/** Sums of f32 in global memory take subnormal numbers for zeros. Source: PTX ISA, "atom". */
static uint32_t add_flushed(uint32_t a, uint32_t b)
{
    return rg_flush_f32(rg_f32_bits(rg_f32(rg_flush_f32(a)) + rg_f32(rg_flush_f32(b))));
}

void rg_run_atom(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    warp->access = 0;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        const uint64_t address = op->mode == 4
                                     ? (uint32_t)(RG_COLUMN(uint32_t, warp, op->a)[lane] + (uint32_t)op->immediate)
                                     : RG_COLUMN(uint64_t, warp, op->a)[lane] + (uint64_t)op->immediate;
        uint64_t old = 0;
        warp->addresses[lane] = address;
        uint8_t *place = rg_memory_place(warp, op, lane, (rg_space)op->space, address, op->bytes, true, &warp->reached);
        if (place) {
            memcpy(&old, place, op->bytes);
            const uint64_t b = rg_lane_get(warp, op->b, op->register_bytes, lane);
            const uint64_t c = rg_lane_get(warp, op->c, op->register_bytes, lane);
            const bool flushes = op->mode2 == RG_ATOM_ADD && op->type == RG_F32 && warp->reached == RG_SPACE_GLOBAL;
            const uint64_t value = flushes ? add_flushed((uint32_t)old, (uint32_t)b)
                                           : rg_atom_apply((rg_atom)op->mode2, (rg_type)op->type, old, b, c);
            memcpy(place, &value, op->bytes);
            warp->access |= 1U << lane;
        }
        if (op->d != RG_NO_SLOT) {
            rg_lane_set(warp, op->d, op->register_bytes, lane, old);
        }
    }
}
