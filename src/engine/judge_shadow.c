/* SPDX-License-Identifier: MIT */
/** \file What is kept of a granule: the last plain write, and reads and strong writes since, as many as order does not
 * make superfluous. Of global memory a few, from two blocks at least where two came. */
#include <string.h>

#include "engine/judge.h"

enum {
    MOST_GLOBAL = 4,  /**< records of a granule of global memory */
    MOST_APART = 4,   /**< instructions of a warp between two barriers that are told apart: the rest is one record */
    MOST_SHARED = 250 /**< records of a granule of shared memory */
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
    const uint32_t wanted_most = MOST_APART * run->warp_count + 8;
    const uint32_t of_shared = wanted_most < MOST_SHARED ? wanted_most : MOST_SHARED;
    const uint16_t most = (uint16_t)(shared ? of_shared : MOST_GLOBAL);
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

/** Whether an access by a warp is noted already where that of the last one is: most are by the same warp, lane by lane. */
static bool join_last(struct rg_shadow *shadow, const struct rg_access *mine)
{
    struct rg_access *last = shadow->hit < shadow->count ? rg_shadow_at(shadow, shadow->hit) : NULL;
    const bool same = last && (((last->op_marks ^ mine->op_marks) & ~(uint32_t)RG_ACCESS_MIXED) == 0 ||
                               (last->op_marks & RG_ACCESS_MIXED));
    if (!same || !is_like(last, mine)) {
        return false;
    }
    last->lanes |= mine->lanes;
    return true;
}

/** Where an access is kept: a place of its own, that of one that it makes superfluous, or with others of its warp. */
static void note_at(struct rg_shadow *shadow, uint32_t place, const struct rg_access *access)
{
    *rg_shadow_at(shadow, place) = *access;
    shadow->hit = (uint8_t)place;
    shadow->strong = shadow->strong || (access->op_marks & RG_ACCESS_WROTE);
}

static void join_at(struct rg_shadow *shadow, uint32_t place, const struct rg_access *mine)
{
    struct rg_access *other = rg_shadow_at(shadow, place);
    other->lanes |= mine->lanes;
    other->op_marks |= RG_ACCESS_MIXED;
    shadow->hit = (uint8_t)place;
}

/** \return an access of the same kind that comes before this one: whoever is ordered behind this one is so behind it. */
static uint32_t find_before(const struct rg_warp *warp, unsigned lane, struct rg_shadow *shadow,
                            const struct rg_access *mine, int memory)
{
    uint32_t place = 0;
    for (; place < shadow->count; place++) {
        const struct rg_access *other = rg_shadow_at(shadow, place);
        if (((other->op_marks ^ mine->op_marks) & (RG_ACCESS_MARKS & ~RG_ACCESS_MIXED)) == 0 &&
            rg_order_unseen(warp, lane, other, memory) == 0) {
            break;
        }
    }
    return place;
}

void rg_shadow_note(struct rg_warp *warp, unsigned lane, struct rg_shadow *shadow, const struct rg_access *mine,
                    int memory)
{
    const uint32_t none = UINT32_MAX;
    uint32_t like = none;
    uint32_t superfluous = none;
    uint32_t likes = 0;
    bool one_block = true;
    if (join_last(shadow, mine)) {
        return;
    }
    for (uint32_t i = 0; i < shadow->count; i++) {
        struct rg_access *other = rg_shadow_at(shadow, i);
        const bool same = ((other->op_marks ^ mine->op_marks) & ~(uint32_t)RG_ACCESS_MIXED) == 0;
        if (same && is_like(other, mine)) {
            other->lanes |= mine->lanes;
            shadow->hit = (uint8_t)i;
            return;
        }
        if (is_like(other, mine)) {
            like = i;
            likes++;
        }
        one_block = one_block && other->block == mine->block;
        superfluous = superfluous == none && same && rg_order_unseen(warp, lane, other, memory) == 0 ? i : superfluous;
    }
    if (superfluous != none) {
        note_at(shadow, superfluous, mine);
    } else if (likes < MOST_APART && make_room(warp->run, shadow, memory == RG_MEMORY_SHARED)) {
        shadow->count++;
        note_at(shadow, shadow->count - 1U, mine);
    } else if (like != none) {
        join_at(shadow, like, mine);
    } else {
        const uint32_t before = find_before(warp, lane, shadow, mine, memory);
        if (before < shadow->count || !one_block) {
            note_at(shadow, before < shadow->count ? before : shadow->count - 1U, mine);
        }
    }
}
