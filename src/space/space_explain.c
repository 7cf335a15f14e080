/* SPDX-License-Identifier: MIT */
/** \file Counting, and what each constraint takes away: differences of counts under the first 0, 1, 2 ... constraints. */
#include "space/space_walk.h"

static ridge_status count(const struct ridge_space *space, const struct rg_count_options *options, struct rg_size *out,
                          struct ridge_error *error)
{
    struct rg_groups groups;
    if (!rg_groups_count(&groups, space, options)) {
        return rg_error_memory(error, options->constraints * sizeof(unsigned));
    }
    *out = groups.total;
    return RIDGE_OK;
}

ridge_status ridge_space_count(const struct ridge_space *space, uint64_t *out, struct ridge_error *error)
{
    if (!space || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "space or out is NULL (give both)");
    }
    const struct rg_count_options options = {space->spec->constraint_count, RG_NO_CONSTRAINT, NULL};
    struct rg_size size = {0, 0};
    const ridge_status status = count(space, &options, &size, error);
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

static ridge_status explain(const struct ridge_space *space, struct ridge_constraint_effect *effects,
                            struct rg_count_options options, struct ridge_error *error)
{
    struct rg_size before = {0, 0};
    ridge_status status = count(space, &options, &before, error);
    for (size_t i = 0; i < space->spec->constraint_count && status == RIDGE_OK; i++) {
        struct rg_size after = {0, 0};
        effects[i] = (struct ridge_constraint_effect){.text = rg_expr_text(space->spec->constraints[i].expr)};
        options.constraints = i + 1;
        status = count(space, &options, &after, error);
        if (status != RIDGE_OK) {
            break;
        }
        effects[i].removed = difference(before, after);
        if (options.faulted[i]) {
            const struct rg_count_options where_it_faults = {i + 1, (long)i, NULL};
            struct rg_size failed = {0, 0};
            status = count(space, &where_it_faults, &failed, error);
            effects[i].failed = failed.exact;
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
    const struct rg_count_options options = {0, RG_NO_CONSTRAINT, faulted};
    const ridge_status status = explain(space, effects, options, error);
    rg_free(space->context, faulted, count);
    return status;
}
