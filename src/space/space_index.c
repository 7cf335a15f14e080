/* SPDX-License-Identifier: MIT */
/** \file Configurations by rank, ranks of configurations, and neighbours. */
#include "space/space_factor.h"

#include <string.h>

static ridge_status refuse_size(struct ridge_error *error)
{
    return rg_error_set(error, RIDGE_E_LIMIT,
                        "the space has 2^128 configurations or more and has no indices (add constraints)");
}

ridge_status ridge_space_at(const struct ridge_space *space, uint64_t index, uint32_t *choice,
                            struct ridge_error *error)
{
    if (!space || !choice) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or choice is NULL (give both)");
    }
    if (space->factor.total.overflows) {
        return refuse_size(error);
    }
    if (index >= space->factor.total.exact) {
        return rg_error_set(error, RIDGE_E_VALUE, "there is no configuration %llu (the space has %llu, from 0 on)",
                            (unsigned long long)index, (unsigned long long)space->factor.total.exact);
    }
    rg_factor_at(&space->factor, index, choice);
    return RIDGE_OK;
}

static bool choices_exist(const struct ridge_space *space, const uint32_t *choice)
{
    for (size_t i = 0; i < space->spec->dimension_count; i++) {
        if (choice[i] >= space->spec->dimensions[i].count) {
            return false;
        }
    }
    return true;
}

bool ridge_space_contains(const struct ridge_space *space, const uint32_t *choice)
{
    return choices_exist(space, choice) && rg_space_accepts(space, choice);
}

static ridge_status refuse_stranger(struct ridge_error *error)
{
    return rg_error_set(error, RIDGE_E_VALUE, "the configuration is not in the space (a constraint excludes it)");
}

ridge_status ridge_space_index(const struct ridge_space *space, const uint32_t *choice, uint64_t *index,
                               struct ridge_error *error)
{
    if (!space || !choice || !index) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space, choice or index is NULL (give each)");
    }
    rg_u128 rank;
    if (!rg_factor_rank(&space->factor, choice, &rank)) {
        return refuse_stranger(error);
    }
    if (space->factor.total.overflows) {
        return refuse_size(error);
    }
    if (rank > UINT64_MAX) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the index of the configuration is 2^64 or more (add constraints)");
    }
    *index = (uint64_t)rank;
    return RIDGE_OK;
}

/** Where neighbours are put. */
struct rows {
    uint32_t *choices;
    size_t width;
    uint64_t capacity;
    uint64_t count;
};

static void put_row(struct rows *rows, const uint32_t *choice)
{
    if (rows->count < rows->capacity) {
        memcpy(rows->choices + rows->count * rows->width, choice, rows->width * sizeof *choice);
    }
    rows->count++;
}

/** Only the group of the dimension that changes needs a look. */
static void put_neighbours(const struct ridge_space *space, uint32_t *choice, size_t dimension, bool adjacent,
                           struct rows *rows)
{
    const uint32_t own = choice[dimension];
    const uint32_t size = (uint32_t)space->spec->dimensions[dimension].count;
    const uint32_t first = adjacent && own > 0 ? own - 1 : (adjacent ? own : 0);
    const uint32_t last = adjacent && own + 1 < size ? own + 1 : (adjacent ? own : size - 1);
    for (uint32_t i = first; i <= last; i++) {
        choice[dimension] = i;
        if (i != own && rg_factor_group_accepts(&space->factor, space->factor.group_of[dimension], choice)) {
            put_row(rows, choice);
        }
    }
    choice[dimension] = own;
}

ridge_status ridge_space_neighbours(const struct ridge_space *space, const uint32_t *choice, ridge_neighbour kind,
                                    uint32_t *choices, uint64_t capacity, uint64_t *count, struct ridge_error *error)
{
    if (!space || !choice || !count || (capacity > 0 && !choices)) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space, choice, choices or count is NULL (give each)");
    }
    if (!ridge_space_contains(space, choice)) {
        return refuse_stranger(error);
    }
    uint32_t changed[RG_MAX_DIMENSIONS];
    struct rows rows = {.width = space->spec->dimension_count, .capacity = capacity};
    rows.choices = choices;
    memcpy(changed, choice, rows.width * sizeof *choice);
    for (size_t i = 0; i < rows.width; i++) {
        put_neighbours(space, changed, i, kind == RIDGE_ADJACENT, &rows);
    }
    *count = rows.count;
    return RIDGE_OK;
}
