/* SPDX-License-Identifier: MIT */
/**
 * \file Drawing configurations: distinct numbers below the size of the space, by a Fisher-Yates shuffle that stops
 * early, each turned into the configuration with that index. Nothing is kept of what was not drawn.
 */
#include "base/checked.h"
#include "base/rng.h"
#include "space/space_factor.h"

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

static ridge_status draw(const struct ridge_space *space, uint64_t count, uint64_t seed, uint32_t *rows,
                         struct ridge_error *error)
{
    size_t bytes;
    if (count == 0) {
        return RIDGE_OK;
    }
    if (!rg_multiply_size(count, sizeof(uint64_t), &bytes)) {
        return rg_error_memory(error, SIZE_MAX);
    }
    uint64_t *numbers = rg_alloc(space->context, bytes);
    const uint64_t total = (uint64_t)space->factor.total.exact;
    const bool done = numbers && draw_numbers(space->context, total, count, seed, numbers);
    for (uint64_t i = 0; i < count && done; i++) {
        rg_factor_at(&space->factor, numbers[i], rows + i * space->spec->dimension_count);
    }
    rg_free(space->context, numbers, bytes);
    return done ? RIDGE_OK : rg_error_memory(error, bytes);
}

static ridge_status check_size(const struct ridge_space *space, struct ridge_error *error)
{
    if (space->factor.total.exact > UINT64_MAX) {
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
    ridge_status status = check_size(space, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const uint64_t total = (uint64_t)space->factor.total.exact;
    const uint64_t have = count < total ? count : total;
    status = draw(space, have, seed, choices, error);
    if (status == RIDGE_OK) {
        *drawn = have;
    }
    return status;
}

ridge_status rg_space_shuffle(const struct ridge_space *space, uint64_t most, uint64_t seed, uint32_t **rows,
                              uint64_t *count, struct ridge_error *error)
{
    ridge_status status = check_size(space, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const uint64_t total = (uint64_t)space->factor.total.exact;
    const uint64_t have = most < total ? most : total;
    size_t bytes;
    if (!rg_multiply_size(have, space->spec->dimension_count * sizeof(uint32_t), &bytes)) {
        return rg_error_memory(error, SIZE_MAX);
    }
    uint32_t *made = rg_alloc(space->context, bytes);
    if (!made && bytes > 0) {
        return rg_error_memory(error, bytes);
    }
    status = draw(space, have, seed, made, error);
    if (status != RIDGE_OK) {
        rg_free(space->context, made, bytes);
        return status;
    }
    *rows = made;
    *count = have;
    return RIDGE_OK;
}
