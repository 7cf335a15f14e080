/* SPDX-License-Identifier: MIT */
/** \file What is kept of a granule: the last plain write, and reads and strong writes since, as many as order does not
 * make superfluous. Of global memory a few, from two blocks at least where two came. */
#include <string.h>

#include "engine/judge.h"

enum {
    MOST_GLOBAL = 4
};

struct rg_shadow *rg_shadow_of(struct rg_run *run, rg_space space, uint64_t address, struct rg_region **region)
{
    struct rg_judge *judge = run->judge;
    *region = NULL;
    if (space == RG_SPACE_SHARED) {
        return &judge->shared[(uint32_t)address / judge->shared_grain];
    }
    const uint64_t number = address >> RG_REGION_BITS;
    if (number < 1 || number > run->region_count) {
        return NULL;
    }
    *region = &run->regions[number - 1];
    if (!(*region)->writable) {
        return NULL; /* nobody writes: nothing to race with */
    }
    if (!(*region)->shadow) {
        (*region)->shadow =
            rg_pages_new(run->context, (*region)->size / judge->global_grain + 1, sizeof(struct rg_shadow));
    }
    const uint64_t offset = address & (((uint64_t)1 << RG_REGION_BITS) - 1);
    struct rg_shadow *shadow = (*region)->shadow ? rg_pages_at((*region)->shadow, offset / judge->global_grain) : NULL;
    run->failed |= !shadow;
    return shadow;
}

/** The same kind by the same warp since its last barrier: order knows no difference. */
static bool is_like(const struct rg_access *a, const struct rg_access *b)
{
    return a->block == b->block && a->warp_clock == b->warp_clock &&
           ((a->op_marks ^ b->op_marks) & (RG_ACCESS_MARKS & ~RG_ACCESS_MIXED)) == 0;
}

/** Room for one more. \return false: as many are kept as may be */
static bool make_room(struct rg_run *run, struct rg_shadow *shadow, bool shared)
{
    const uint16_t most = shared ? (uint16_t)(2 * run->warp_count + 8) : MOST_GLOBAL;
    const uint16_t have = (uint16_t)(RG_ACCESS_FIRST + shadow->capacity);
    if (shadow->count < have) {
        return true;
    }
    if (have >= most) {
        return false;
    }
    const uint16_t all = (uint16_t)(most - RG_ACCESS_FIRST);
    const uint16_t wanted = shadow->capacity || all < 4 ? all : 4;
    struct rg_access *more = rg_arena_array(&run->arena, wanted, sizeof *more);
    if (!more) {
        run->failed = true;
        return false;
    }
    if (shadow->capacity) {
        memcpy(more, shadow->more, shadow->capacity * sizeof *more);
    }
    shadow->more = more;
    shadow->capacity = (uint8_t)wanted;
    return true;
}

void rg_shadow_note(struct rg_warp *warp, unsigned lane, struct rg_shadow *shadow, const struct rg_access *mine,
                    int memory)
{
    struct rg_access *like = NULL;
    struct rg_access *superfluous = NULL;
    bool one_block = true;
    for (uint32_t i = 0; i < shadow->count; i++) {
        struct rg_access *other = rg_shadow_at(shadow, i);
        const bool same = ((other->op_marks ^ mine->op_marks) & ~(uint32_t)RG_ACCESS_MIXED) == 0;
        if (same && is_like(other, mine)) {
            other->lanes |= mine->lanes;
            return;
        }
        like = is_like(other, mine) ? other : like;
        one_block = one_block && other->block == mine->block;
        superfluous = !superfluous && same && rg_order_unseen(warp, lane, other, memory) == 0 ? other : superfluous;
    }
    if (superfluous) {
        *superfluous = *mine;
    } else if (make_room(warp->run, shadow, memory == RG_MEMORY_SHARED)) {
        shadow->count++;
        *rg_shadow_at(shadow, shadow->count - 1U) = *mine;
    } else if (like) {
        like->lanes |= mine->lanes;
        like->op_marks |= RG_ACCESS_MIXED;
    } else if (!one_block) {
        *rg_shadow_at(shadow, shadow->count - 1U) = *mine;
    }
}
