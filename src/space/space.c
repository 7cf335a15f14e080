/* SPDX-License-Identifier: MIT */
#include "space/space.h"

#include <string.h>

#include "expr/expr_arithmetic.h"
#include "space/run.h"
#include "space/space_walk.h"

ridge_status ridge_space_create(const struct ridge_context *context, const struct ridge_spec *spec,
                                struct ridge_space **out, struct ridge_error *error)
{
    if (!context || !spec || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context, spec or out is NULL (give each)");
    }
    struct ridge_space *space = rg_alloc(context, sizeof *space);
    if (!space) {
        return rg_error_memory(error, sizeof *space);
    }
    space->context = context;
    space->spec = spec;
    space->reported = rg_alloc(context, spec->constraint_count * sizeof *space->reported);
    if (!space->reported && spec->constraint_count > 0) {
        rg_free(context, space, sizeof *space);
        return rg_error_memory(error, spec->constraint_count * sizeof *space->reported);
    }
    *out = space;
    return RIDGE_OK;
}

void ridge_space_destroy(struct ridge_space *space)
{
    if (space) {
        rg_free(space->context, space->reported, space->spec->constraint_count * sizeof *space->reported);
        rg_free(space->context, space, sizeof *space);
    }
}

const struct ridge_spec *rg_space_spec(const struct ridge_space *space)
{
    return space->spec;
}

size_t ridge_space_dimension_count(const struct ridge_space *space)
{
    return space->spec->dimension_count;
}

const char *ridge_space_dimension_name(const struct ridge_space *space, size_t dimension)
{
    return space->spec->dimensions[dimension].name;
}

size_t ridge_space_dimension_size(const struct ridge_space *space, size_t dimension)
{
    return space->spec->dimensions[dimension].count;
}

const struct ridge_value *ridge_space_value(const struct ridge_space *space, size_t dimension, uint32_t choice)
{
    return &space->spec->dimensions[dimension].values[choice];
}

double ridge_space_cartesian(const struct ridge_space *space)
{
    double size = 1;
    for (size_t i = 0; i < space->spec->dimension_count; i++) {
        size *= (double)space->spec->dimensions[i].count;
    }
    return size;
}

void rg_space_choice_values(const struct ridge_space *space, const uint32_t *choice, struct ridge_value *values)
{
    for (size_t i = 0; i < space->spec->dimension_count; i++) {
        values[i] = space->spec->dimensions[i].values[choice[i]];
    }
}

bool rg_space_accepts(const struct ridge_space *space, const uint32_t *choice)
{
    struct ridge_value values[RG_MAX_DIMENSIONS];
    rg_space_choice_values(space, choice, values);
    for (size_t i = 0; i < space->spec->constraint_count; i++) {
        bool passes = false;
        struct rg_fault fault;
        if (!rg_expr_test(space->spec->constraints[i].expr, values, &passes, &fault) || !passes) {
            return false;
        }
    }
    return true;
}

bool rg_space_find(const struct ridge_space *space, const struct ridge_value *values, uint32_t *choice)
{
    for (size_t i = 0; i < space->spec->dimension_count; i++) {
        const struct rg_dimension *dimension = &space->spec->dimensions[i];
        size_t at = 0;
        while (at < dimension->count && !rg_value_equal(dimension->values[at], values[i])) {
            at++;
        }
        if (at == dimension->count) {
            return false;
        }
        choice[i] = (uint32_t)at;
    }
    return rg_space_accepts(space, choice);
}

void ridge_space_id(const struct ridge_space *space, const uint32_t *choice, char out[RIDGE_ID_BYTES])
{
    const struct ridge_spec *spec = space->spec;
    struct rg_sha256 hash;
    rg_id_begin(&hash, spec->kernel);
    for (size_t i = 0; i < spec->dimension_count; i++) {
        rg_id_value(&hash, spec->dimensions[i].name, &spec->dimensions[i].values[choice[i]]);
    }
    rg_id_end(&hash, out);
}

struct ridge_space_cursor {
    struct rg_plan plan;
    struct rg_walk walk;
};

ridge_status ridge_space_cursor_create(const struct ridge_space *space, struct ridge_space_cursor **out,
                                       struct ridge_error *error)
{
    if (!space || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or out is NULL (give both)");
    }
    struct ridge_space_cursor *cursor = rg_alloc(space->context, sizeof *cursor);
    const struct rg_part all = {.constraints = space->spec->constraint_count};
    if (!cursor || !rg_plan_init(&cursor->plan, space, &all)) {
        rg_free(space->context, cursor, sizeof *cursor);
        return rg_error_memory(error, sizeof *cursor);
    }
    rg_walk_begin(&cursor->walk, space, &cursor->plan);
    *out = cursor;
    return RIDGE_OK;
}

void ridge_space_cursor_destroy(struct ridge_space_cursor *cursor)
{
    if (cursor) {
        const struct ridge_space *space = cursor->walk.space;
        rg_plan_fini(&cursor->plan, space);
        rg_free(space->context, cursor, sizeof *cursor);
    }
}

ridge_status ridge_space_cursor_next(struct ridge_space_cursor *cursor, const uint32_t **choice,
                                     struct ridge_error *error)
{
    if (!cursor || !choice) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "cursor or choice is NULL (give both)");
    }
    *choice = rg_walk_next(&cursor->walk) ? cursor->walk.choice : NULL;
    return RIDGE_OK;
}
