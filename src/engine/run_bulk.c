/* SPDX-License-Identifier: MIT */
/**
 * \file Bulk copies between global memory and the shared memory of the block: one thread asks for many bytes. They are made
 * at once, 16 bytes after 16, and a memory barrier is told. Source: PTX ISA, "cp.async.bulk".
 */
#include <string.h>

#include "engine/run.h"

enum {
    PIECE = 16
};

static uint64_t address_of(const struct rg_warp *warp, uint32_t slot, uint32_t width, uint64_t displacement,
                           unsigned lane)
{
    return width == 4 ? (uint32_t)(RG_COLUMN(uint32_t, warp, slot)[lane] + (uint32_t)displacement)
                      : RG_COLUMN(uint64_t, warp, slot)[lane] + displacement;
}

/** Up to 32 pieces, as one access of a warp: what counting and judging see. \return whether all lie in memory. */
static bool copy_pieces(struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint64_t to, uint64_t from,
                        uint32_t pieces)
{
    const bool loads = op->space == RG_SPACE_SHARED;
    const rg_space source = loads ? RG_SPACE_GLOBAL : RG_SPACE_SHARED;
    rg_space reached;
    warp->access = 0;
    for (uint32_t i = 0; i < pieces; i++) {
        const uint64_t at = (uint64_t)i * PIECE;
        const uint8_t *bytes = rg_memory_place(warp, op, lane, source, from + at, PIECE, false, &reached);
        uint8_t *place =
            bytes ? rg_memory_place(warp, op, lane, (rg_space)op->space, to + at, PIECE, true, &reached) : NULL;
        if (!place) {
            return false;
        }
        memcpy(place, bytes, PIECE);
        warp->addresses[i] = loads ? from + at : to + at;
        warp->addresses2[i] = loads ? to + at : from + at;
        warp->access |= 1U << i;
        if (warp->run->judge) {
            const struct rg_pending pending = {.from = warp->addresses[i],
                                               .to = (uint32_t)warp->addresses2[i],
                                               .bytes = PIECE,
                                               .source_bytes = PIECE,
                                               .lane = (uint8_t)lane};
            rg_judge_bulk(warp, op, &pending);
        }
    }
    return true;
}

void rg_run_bulk(struct rg_warp *warp, const struct rg_op *op, uint32_t mask)
{
    uint64_t displacement[3];
    memcpy(displacement, op->list, sizeof displacement);
    for (; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t to = address_of(warp, op->a, op->mode, displacement[0], lane);
        uint64_t from = address_of(warp, op->b, op->mode2, displacement[1], lane);
        const uint32_t bytes = RG_COLUMN(uint32_t, warp, op->c)[lane];
        for (uint32_t left = bytes / PIECE; left > 0;) {
            const uint32_t pieces = left < RG_LANES ? left : RG_LANES;
            if (!copy_pieces(warp, op, lane, to, from, pieces)) {
                break;
            }
            if (warp->run->tally) {
                rg_count_bulk(warp, op);
            }
            to += (uint64_t)pieces * PIECE;
            from += (uint64_t)pieces * PIECE;
            left -= pieces;
        }
        warp->access = 0;
        if (op->extra != RG_NO_SLOT) {
            rg_phase_copied(warp, op, lane, address_of(warp, op->extra, op->register_bytes, displacement[2], lane),
                            bytes);
        }
    }
}
