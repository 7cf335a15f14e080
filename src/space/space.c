/* SPDX-License-Identifier: MIT */
#include "space/space.h"

#include "expr/expr_arithmetic.h"
#include "space/space_factor.h"

void rg_space_report_fault(const struct ridge_space *space, unsigned constraint, const struct ridge_value *values,
                           const struct rg_fault *fault)
{
    const struct ridge_spec *spec = space->spec;
    if (atomic_exchange(&space->reported[constraint], 1)) {
        return;
    }
    struct ridge_error error = {0};
    (void)rg_expr_fault_error(spec->constraints[constraint].expr, "constraint", spec->symbols, spec->symbol_count,
                              values, fault, &error);
    rg_log(space->context, RIDGE_LOG_WARNING, "%s:%u:%u: %s; such configurations are left out", error.file, error.line,
           error.column, error.message);
}

static ridge_status build(struct ridge_space *space, struct ridge_error *error)
{
    const size_t constraints = space->spec->constraint_count;
    if (constraints > 0) {
        space->reported = rg_alloc(space->context, constraints * sizeof *space->reported);
        space->whole = rg_alloc(space->context, constraints * sizeof *space->whole);
        if (!space->reported || !space->whole) {
            return rg_error_memory(error, constraints);
        }
    }
    const struct rg_factor_options options = {{constraints, RG_NO_CONSTRAINT}, NULL, space->whole};
    return rg_factor_init(&space->factor, space, &options, error);
}

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
    const ridge_status status = build(space, error);
    if (status != RIDGE_OK) {
        ridge_space_destroy(space);
        return status;
    }
    *out = space;
    return RIDGE_OK;
}

void ridge_space_destroy(struct ridge_space *space)
{
    if (space) {
        rg_factor_fini(&space->factor);
        rg_free(space->context, space->reported, space->spec->constraint_count * sizeof *space->reported);
        rg_free(space->context, space->whole, space->spec->constraint_count * sizeof *space->whole);
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
    rg_u128 rank;
    return rg_factor_rank(&space->factor, choice, &rank);
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
