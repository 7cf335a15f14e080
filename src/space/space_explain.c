/* SPDX-License-Identifier: MIT */
/**
 * \file Counting, groups, and what each constraint takes away: differences of the sizes under the first 0, 1, 2 ...
 * constraints, each built factorised.
 */
#include "space/space_factor.h"

#include <string.h>

ridge_status ridge_space_count(const struct ridge_space *space, uint64_t *out, struct ridge_error *error)
{
    if (!space || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or out is NULL (give both)");
    }
    const rg_u128 total = space->factor.total.exact;
    *out = total < UINT64_MAX ? (uint64_t)total : UINT64_MAX;
    return RIDGE_OK;
}

ridge_status ridge_space_count_text(const struct ridge_space *space, char out[RIDGE_COUNT_BYTES],
                                    struct ridge_error *error)
{
    if (!space || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or out is NULL (give both)");
    }
    if (space->factor.total.overflows) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "the space has 2^128 configurations or more and is not counted exactly (add constraints)");
    }
    char digits[RIDGE_COUNT_BYTES];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    rg_u128 rest = space->factor.total.exact;
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    memcpy(out, digits + at, sizeof digits - at);
    return RIDGE_OK;
}

size_t ridge_space_group_count(const struct ridge_space *space)
{
    return space->factor.group_count;
}

size_t ridge_space_dimension_group(const struct ridge_space *space, size_t dimension)
{
    return space->factor.group_of[dimension];
}

uint64_t ridge_space_group_size(const struct ridge_space *space, size_t group)
{
    return rg_graph_ways(&space->factor.graph, space->factor.roots[group]);
}

size_t ridge_space_bytes(const struct ridge_space *space)
{
    const struct rg_graph *graph = &space->factor.graph;
    return graph->begin_capacity * sizeof *graph->begin + graph->choice_capacity * sizeof *graph->choices +
           graph->child_capacity * sizeof *graph->children + graph->way_capacity * sizeof *graph->ways;
}

size_t ridge_space_constraint_count(const struct ridge_space *space)
{
    return space->spec->constraint_count;
}

/** Build with other constraints than the space itself, for the size alone. */
static ridge_status measure(const struct ridge_space *space, struct rg_program_options program, unsigned char *faulted,
                            struct rg_size *out, struct ridge_error *error)
{
    struct rg_factor_options options = {.program = program};
    options.faulted = faulted;
    struct rg_factor factor;
    const ridge_status status = rg_factor_init(&factor, space, &options, error);
    *out = factor.total;
    rg_factor_fini(&factor);
    return status;
}

static uint64_t difference(struct rg_size before, struct rg_size after)
{
    static const double two_to_64 = 18446744073709551616.0;
    if (!before.overflows) {
        const rg_u128 removed = before.exact - after.exact;
        return removed < UINT64_MAX ? (uint64_t)removed : UINT64_MAX;
    }
    const double about = before.about - after.about;
    return about < two_to_64 ? (uint64_t)about : UINT64_MAX;
}

static ridge_status explain(const struct ridge_space *space, struct ridge_constraint_effect *effects,
                            unsigned char *faulted, struct ridge_error *error)
{
    struct rg_size before = {0};
    ridge_status status = measure(space, (struct rg_program_options){0, RG_NO_CONSTRAINT}, NULL, &before, error);
    for (size_t i = 0; i < space->spec->constraint_count && status == RIDGE_OK; i++) {
        struct rg_size after = {0};
        status = measure(space, (struct rg_program_options){i + 1, RG_NO_CONSTRAINT}, faulted, &after, error);
        effects[i] = (struct ridge_constraint_effect){.text = rg_expr_text(space->spec->constraints[i].expr),
                                                      .removed = difference(before, after),
                                                      .whole = space->whole[i]};
        if (status == RIDGE_OK && faulted[i]) {
            struct rg_size failed = {0};
            status = measure(space, (struct rg_program_options){i + 1, (long)i}, NULL, &failed, error);
            effects[i].failed = failed.exact < UINT64_MAX ? (uint64_t)failed.exact : UINT64_MAX;
        }
        before = after;
    }
    return status;
}

ridge_status ridge_space_explain(const struct ridge_space *space, struct ridge_constraint_effect *effects,
                                 struct ridge_error *error)
{
    if (!space || (!effects && space->spec->constraint_count > 0)) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or effects is NULL (give both)");
    }
    const size_t count = space->spec->constraint_count;
    unsigned char *faulted = rg_alloc(space->context, count);
    if (!faulted && count > 0) {
        return rg_error_memory(error, count);
    }
    const ridge_status status = explain(space, effects, faulted, error);
    rg_free(space->context, faulted, count);
    return status;
}
