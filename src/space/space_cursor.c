/* SPDX-License-Identifier: MIT */
/** \file Walking a factorised space: an odometer whose wheels are the edges of each group's node. */
#include "space/space_factor.h"
#include "space/space_id.h"

struct ridge_space_cursor {
    const struct ridge_space *space;
    bool started;
    bool ended;
    size_t changed;                   /* the first dimension whose value changed */
    uint32_t node[RG_MAX_DIMENSIONS]; /* by dimension */
    uint32_t edge[RG_MAX_DIMENSIONS]; /* by dimension */
    uint32_t end[RG_MAX_DIMENSIONS];  /* by dimension: the edge behind the last */
    uint32_t choice[RG_MAX_DIMENSIONS];
    struct rg_id_maker ids;
};

ridge_status ridge_space_cursor_create(const struct ridge_space *space, struct ridge_space_cursor **out,
                                       struct ridge_error *error)
{
    if (!space || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or out is NULL (give both)");
    }
    struct ridge_space_cursor *cursor = rg_alloc(space->context, sizeof *cursor);
    if (!cursor) {
        return rg_error_memory(error, sizeof *cursor);
    }
    cursor->space = space;
    cursor->ended = space->factor.total.about == 0;
    rg_id_maker_init(&cursor->ids, space->spec);
    *out = cursor;
    return RIDGE_OK;
}

void ridge_space_cursor_destroy(struct ridge_space_cursor *cursor)
{
    if (cursor) {
        rg_free(cursor->space->context, cursor, sizeof *cursor);
    }
}

/** Take the edge at which a dimension stands: its value, and the node of the next dimension of its group. */
static inline void take(struct ridge_space_cursor *cursor, size_t dimension)
{
    const struct rg_factor *factor = &cursor->space->factor;
    const uint32_t edge = cursor->edge[dimension];
    const unsigned next = factor->next[dimension];
    cursor->choice[dimension] = factor->graph.choices[edge];
    if (next < RG_MAX_DIMENSIONS) {
        cursor->node[next] = factor->graph.children[edge];
    }
}

/** Put all dimensions from one on at their first edges. */
static inline void rewind_from(struct ridge_space_cursor *cursor, size_t dimension)
{
    const uint32_t *begin = cursor->space->factor.graph.begin;
    const size_t width = cursor->space->spec->dimension_count;
    for (; dimension < width; dimension++) {
        cursor->edge[dimension] = begin[cursor->node[dimension]];
        cursor->end[dimension] = begin[cursor->node[dimension] + 1];
        take(cursor, dimension);
    }
}

static bool start(struct ridge_space_cursor *cursor)
{
    const struct rg_factor *factor = &cursor->space->factor;
    cursor->started = true;
    for (size_t i = 0; i < factor->group_count; i++) {
        cursor->node[factor->first[i]] = factor->roots[i];
    }
    cursor->changed = 0;
    rewind_from(cursor, 0);
    return true;
}

static bool advance(struct ridge_space_cursor *cursor)
{
    if (cursor->ended) {
        return false;
    }
    if (!cursor->started) {
        return start(cursor);
    }
    size_t dimension = cursor->space->spec->dimension_count - 1;
    while (++cursor->edge[dimension] == cursor->end[dimension]) {
        if (dimension == 0) {
            cursor->ended = true;
            return false;
        }
        dimension--;
    }
    cursor->changed = dimension;
    cursor->ids.known = dimension < cursor->ids.known ? dimension : cursor->ids.known;
    take(cursor, dimension);
    rewind_from(cursor, dimension + 1);
    return true;
}

ridge_status ridge_space_cursor_next(struct ridge_space_cursor *cursor, const uint32_t **choice,
                                     struct ridge_error *error)
{
    if (!cursor || !choice) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "cursor or choice is NULL (give both)");
    }
    *choice = advance(cursor) ? cursor->choice : NULL;
    return RIDGE_OK;
}

size_t ridge_space_cursor_changed(const struct ridge_space_cursor *cursor)
{
    return cursor->changed;
}

void ridge_space_cursor_id(struct ridge_space_cursor *cursor, char out[RIDGE_ID_BYTES])
{
    rg_id_maker_next(&cursor->ids, cursor->choice, out);
}
