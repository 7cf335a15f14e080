/* SPDX-License-Identifier: MIT */
/** \file Counting, and what each constraint takes away: differences of counts under the first 0, 1, 2 ... constraints. */
#include "space/space_walk.h"

static ridge_status count_first(const struct ridge_space *space, size_t constraints, unsigned char *faulted,
                                struct rg_size *out, struct ridge_error *error)
{
    const struct rg_count_options options = {constraints, RG_NO_CONSTRAINT, faulted};
    struct rg_groups groups;
    if (!rg_groups_count(&groups, space, &options)) {
        return rg_error_memory(error, constraints * sizeof(unsigned));
    }
    *out = groups.total;
    return RIDGE_OK;
}

ridge_status ridge_space_count(const struct ridge_space *space, uint64_t *out, struct ridge_error *error)
{
    if (!space || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or out is NULL (give both)");
    }
    struct rg_size size;
    const ridge_status status = count_first(space, space->spec->constraint_count, NULL, &size, error);
    if (status == RIDGE_OK) {
        *out = size.exact;
    }
    return status;
}

size_t ridge_space_constraint_count(const struct ridge_space *space)
{
    return space->spec->constraint_count;
}

static uint64_t difference(struct rg_size before, struct rg_size after)
{
    static const double two_to_64 = 18446744073709551616.0;
    if (before.exact != UINT64_MAX) {
        return before.exact - after.exact;
    }
    const double about = before.about - after.about;
    return about < two_to_64 ? (uint64_t)about : UINT64_MAX;
}

/** Count the configurations that pass all constraints before one and for which that one cannot be evaluated. */
static ridge_status count_faults(const struct ridge_space *space, size_t constraint, uint64_t *out,
                                 struct ridge_error *error)
{
    const struct rg_count_options options = {constraint + 1, (long)constraint, NULL};
    struct rg_groups groups;
    if (!rg_groups_count(&groups, space, &options)) {
        return rg_error_memory(error, constraint * sizeof(unsigned));
    }
    *out = groups.total.exact;
    return RIDGE_OK;
}

static ridge_status explain(const struct ridge_space *space, struct ridge_constraint_effect *effects,
                            unsigned char *faulted, struct ridge_error *error)
{
    struct rg_size before;
    ridge_status status = count_first(space, 0, faulted, &before, error);
    for (size_t i = 0; i < space->spec->constraint_count && status == RIDGE_OK; i++) {
        struct rg_size after = {0, 0};
        effects[i] = (struct ridge_constraint_effect){.text = rg_expr_text(space->spec->constraints[i].expr)};
        status = count_first(space, i + 1, faulted, &after, error);
        if (status != RIDGE_OK) {
            break;
        }
        effects[i].removed = difference(before, after);
        if (faulted[i]) {
            status = count_faults(space, i, &effects[i].failed, error);
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
