/* SPDX-License-Identifier: MIT */
/** \file Comparisons of pairs of halves: set and setp on f16x2 and bf16x2. Source: PTX ISA, "Half Precision Comparison". */
#include "engine/lanes_math.h"
#include "engine/run.h"

static bool holds(rg_pair_comparison comparison, float a, float b)
{
    const bool nan = a != a || b != b;
    switch (comparison) {
    case RG_PAIR_EQ: return a == b;
    case RG_PAIR_NE: return !nan && a != b;
    case RG_PAIR_LT: return a < b;
    case RG_PAIR_LE: return a <= b;
    case RG_PAIR_GT: return a > b;
    case RG_PAIR_GE: return a >= b;
    case RG_PAIR_EQU: return nan || a == b;
    case RG_PAIR_NEU: return a != b;
    case RG_PAIR_LTU: return nan || a < b;
    case RG_PAIR_LEU: return nan || a <= b;
    case RG_PAIR_GTU: return nan || a > b;
    case RG_PAIR_GEU: return nan || a >= b;
    case RG_PAIR_NUM: return !nan;
    case RG_PAIR_NAN: return nan;
    case RG_PAIR_COUNT: break;
    }
    return false;
}

static float half_of(const struct rg_op *op, uint32_t word, unsigned part)
{
    const uint16_t whole = (uint16_t)(word >> (16 * part));
    const uint16_t bits = op->around & RG_AROUND_FLUSH ? rg_flush_half(whole, 0x7c00U) : whole;
    return op->type == RG_BF16X2 ? rg_bf16_float(bits) : rg_half_float(bits);
}

static bool join(const struct rg_warp *warp, const struct rg_op *op, bool value, unsigned lane)
{
    const bool other = op->c != RG_NO_SLOT && (*rg_predicate(warp, op->c) >> lane & 1) != (op->bytes != 0);
    switch (op->mode2) {
    case 1: return value && other;
    case 2: return value || other;
    case 3: return value != other;
    default: return value;
    }
}

/** register_bytes 0: setp, to predicates d and extra; else set, each half all ones (mode of integers) or 1.0. */
void rg_run_pair_compare(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    const uint32_t *a = RG_COLUMN(uint32_t, warp, op->a);
    const uint32_t *b = RG_COLUMN(uint32_t, warp, op->b);
    const uint32_t yes = (uint32_t)op->immediate;
    const uint32_t slots[2] = {op->d, op->extra};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t word = 0;
        for (unsigned part = 0; part < 2; part++) {
            const bool value =
                holds((rg_pair_comparison)op->mode, half_of(op, a[lane], part), half_of(op, b[lane], part));
            const bool joined = join(warp, op, value, lane);
            word |= joined ? yes << (16 * part) : 0;
            if (op->register_bytes == 0 && slots[part] != RG_NO_SLOT) {
                uint32_t *predicate = rg_predicate(warp, slots[part]);
                *predicate = (*predicate & ~(1U << lane)) | (uint32_t)joined << lane;
            }
        }
        if (op->register_bytes) {
            RG_COLUMN(uint32_t, warp, op->d)[lane] = word;
        }
    }
}
