/* SPDX-License-Identifier: MIT */
/**
 * \file Drawing configurations. Groups of dimensions that no constraint ties together make every configuration a
 * number: one digit a group, the digit being the rank of an assignment of that group. Distinct numbers are drawn by a
 * Fisher-Yates shuffle that stops early; then each group is walked once, and its assignments are written into the rows
 * that want them. So nothing is kept of the configurations that were not drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/rng.h"
#include "space/space_walk.h"

struct slot {
    uint64_t key; /**< position + 1; 0: empty */
    uint64_t value;
};

/** The array 0, 1, 2 ... of a shuffle, of which only changed elements are kept. */
struct sparse {
    struct slot *slots;
    size_t mask;
    size_t bytes;
};

static bool sparse_init(struct sparse *sparse, const struct ridge_context *context, uint64_t changes)
{
    size_t room = 16;
    while (room / 2 <= changes) {
        if (!rg_multiply_size(room, 2, &room)) {
            return false;
        }
    }
    sparse->mask = room - 1;
    if (!rg_multiply_size(room, sizeof *sparse->slots, &sparse->bytes)) {
        return false;
    }
    sparse->slots = rg_alloc(context, sparse->bytes);
    return sparse->slots != NULL;
}

/** \return the slot of a position, or the empty one where it belongs. At most half of them are ever full. */
static struct slot *sparse_find(const struct sparse *sparse, uint64_t position)
{
    const uint64_t spread = (position ^ (position >> 31)) * 0x9E3779B97F4A7C15U;
    size_t at = (size_t)(spread >> 20) & sparse->mask;
    while (sparse->slots[at].key != 0 && sparse->slots[at].key != position + 1) {
        at = (at + 1) & sparse->mask;
    }
    return &sparse->slots[at];
}

static uint64_t sparse_get(const struct sparse *sparse, uint64_t position)
{
    const struct slot *slot = sparse_find(sparse, position);
    return slot->key != 0 ? slot->value : position;
}

/** Draw `count` distinct numbers below `total`, in random order. */
static bool draw_numbers(const struct ridge_context *context, uint64_t total, uint64_t count, uint64_t seed,
                         uint64_t *numbers)
{
    struct sparse sparse;
    if (!sparse_init(&sparse, context, count)) {
        return false;
    }
    struct rg_rng rng;
    rg_rng_init(&rng, seed);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t other = i + rg_rng_below(&rng, total - i);
        const uint64_t here = sparse_get(&sparse, i);
        struct slot *slot = sparse_find(&sparse, other);
        numbers[i] = slot->key != 0 ? slot->value : other;
        *slot = (struct slot){other + 1, here};
    }
    rg_free(context, sparse.slots, sparse.bytes);
    return true;
}

/** A row that wants the assignment number `rank` of a group. */
struct wish {
    uint64_t rank;
    uint64_t row;
};

static int compare_wishes(const void *left, const void *right)
{
    const struct wish *a = left;
    const struct wish *b = right;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/** Walk a group and write its assignments into the rows that want them; wishes ascend by rank. */
static bool grant(const struct ridge_space *space, const struct rg_groups *groups, unsigned group,
                  const struct wish *wishes, uint64_t count, uint32_t *rows)
{
    const size_t width = space->spec->dimension_count;
    const struct rg_part part = {groups->group, group, space->spec->constraint_count};
    struct rg_plan plan;
    if (!rg_plan_init(&plan, space, &part)) {
        return false;
    }
    struct rg_walk walk;
    rg_walk_begin(&walk, space, &plan);
    uint64_t rank = 0;
    for (uint64_t i = 0; i < count && rg_walk_next(&walk); rank++) {
        for (; i < count && wishes[i].rank == rank; i++) {
            for (size_t level = 0; level < plan.depth; level++) {
                const unsigned dimension = plan.dimensions[level];
                rows[wishes[i].row * width + dimension] = walk.choice[dimension];
            }
        }
    }
    rg_plan_fini(&plan, space);
    return true;
}

/** Turn numbers into rows, one digit of each number after the other; `numbers` is used up. */
static bool fill_rows(const struct ridge_space *space, const struct rg_groups *groups, uint64_t *numbers,
                      struct wish *wishes, uint64_t count, uint32_t *rows)
{
    for (unsigned group = 0; group < groups->count; group++) {
        const uint64_t size = groups->size[group].exact;
        for (uint64_t i = 0; i < count; i++) {
            wishes[i] = (struct wish){numbers[i] % size, i};
            numbers[i] /= size;
        }
        qsort(wishes, count, sizeof *wishes, compare_wishes);
        if (!grant(space, groups, group, wishes, count, rows)) {
            return false;
        }
    }
    return true;
}

static ridge_status draw(const struct ridge_space *space, const struct rg_groups *groups, uint64_t count, uint64_t seed,
                         uint32_t *rows, struct ridge_error *error)
{
    if (count == 0) {
        return RIDGE_OK;
    }
    size_t number_bytes;
    size_t wish_bytes;
    if (!rg_multiply_size(count, sizeof(uint64_t), &number_bytes) ||
        !rg_multiply_size(count, sizeof(struct wish), &wish_bytes)) {
        return rg_error_memory(error, SIZE_MAX);
    }
    uint64_t *numbers = rg_alloc(space->context, number_bytes);
    struct wish *wishes = rg_alloc(space->context, wish_bytes);
    const bool done = numbers && wishes && draw_numbers(space->context, groups->total.exact, count, seed, numbers) &&
                      fill_rows(space, groups, numbers, wishes, count, rows);
    rg_free(space->context, numbers, number_bytes);
    rg_free(space->context, wishes, wish_bytes);
    return done ? RIDGE_OK : rg_error_memory(error, wish_bytes);
}

static ridge_status count_groups(const struct ridge_space *space, struct rg_groups *groups, struct ridge_error *error)
{
    const struct rg_count_options options = {space->spec->constraint_count, RG_NO_CONSTRAINT, NULL};
    if (!rg_groups_count(groups, space, &options)) {
        return rg_error_memory(error, space->spec->constraint_count * sizeof(unsigned));
    }
    if (groups->total.exact == UINT64_MAX) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "the space has 2^64 configurations or more and cannot be drawn from (add constraints)");
    }
    return RIDGE_OK;
}

ridge_status ridge_space_sample(const struct ridge_space *space, uint64_t count, uint64_t seed, uint32_t *choices,
                                uint64_t *drawn, struct ridge_error *error)
{
    if (!space || !drawn || (count > 0 && !choices)) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space, choices or drawn is NULL (give each)");
    }
    struct rg_groups groups;
    ridge_status status = count_groups(space, &groups, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const uint64_t have = count < groups.total.exact ? count : groups.total.exact;
    status = draw(space, &groups, have, seed, choices, error);
    if (status == RIDGE_OK) {
        *drawn = have;
    }
    return status;
}

ridge_status rg_space_shuffle(const struct ridge_space *space, uint64_t most, uint64_t seed, uint32_t **rows,
                              uint64_t *count, struct ridge_error *error)
{
    struct rg_groups groups;
    ridge_status status = count_groups(space, &groups, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const uint64_t have = most < groups.total.exact ? most : groups.total.exact;
    size_t bytes;
    if (!rg_multiply_size(have, space->spec->dimension_count * sizeof(uint32_t), &bytes)) {
        return rg_error_memory(error, SIZE_MAX);
    }
    uint32_t *made = rg_alloc(space->context, bytes);
    if (!made && bytes > 0) {
        return rg_error_memory(error, bytes);
    }
    status = draw(space, &groups, have, seed, made, error);
    if (status != RIDGE_OK) {
        rg_free(space->context, made, bytes);
        return status;
    }
    *rows = made;
    *count = have;
    return RIDGE_OK;
}
