/* SPDX-License-Identifier: MIT */
#include "tune/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static const char *const axis_names[] = {"x", "y", "z"};

static const char *macro_text(struct rg_arena *arena, const struct ridge_value *value)
{
    if (value->type == RIDGE_BOOL) {
        return value->as.truth ? "1" : "0";
    }
    const size_t length = ridge_value_format(value, NULL, 0);
    char *text = rg_arena_alloc(arena, length + 1);
    if (text) {
        ridge_value_format(value, text, length + 1);
    }
    return text;
}

/** Say that an expression has no value for this configuration. */
static void fault_trouble(const struct ridge_spec *spec, const struct rg_expr *expr, const char *what,
                          const struct ridge_value *values, const struct rg_fault *fault, struct rg_trouble *trouble)
{
    struct ridge_error error = {0};
    rg_expr_fault_error(expr, what, spec->symbols, spec->symbol_count, values, fault, &error);
    rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "%s", error.message);
}

/** Evaluate a size that must be a whole number of at least 1; NULL is 1. \return false with trouble set. */
static bool size_eval(const struct ridge_spec *spec, const struct rg_expr *expr, const char *what, const char *axis,
                      const struct ridge_value *values, uint64_t *out, struct rg_trouble *trouble)
{
    *out = 1;
    if (!expr) {
        return true;
    }
    char name[32];
    snprintf(name, sizeof name, "%s%s", what, axis);
    struct ridge_value value;
    struct rg_fault fault;
    if (!rg_expr_eval(expr, values, &value, &fault)) {
        fault_trouble(spec, expr, name, values, &fault, trouble);
        return false;
    }
    if (value.type == RIDGE_FLOAT && value.as.number == floor(value.as.number) && fabs(value.as.number) < 1e18) {
        value = (struct ridge_value){.type = RIDGE_INT, .as.integer = (int64_t)value.as.number};
    }
    if (value.type != RIDGE_INT || value.as.integer < 1) {
        char text[64];
        ridge_value_format(&value, text, sizeof text);
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "%s is %s from `%s` (a whole number of at least 1)", name,
                       text, rg_expr_text(expr));
        return false;
    }
    *out = (uint64_t)value.as.integer;
    return true;
}

struct integer_range {
    int64_t low;
    uint64_t high;
};

/** What each integer element type can hold. */
static const struct integer_range integer_ranges[] = {
    [RG_I8] = {INT8_MIN, INT8_MAX},    [RG_U8] = {0, UINT8_MAX},          [RG_I16] = {INT16_MIN, INT16_MAX},
    [RG_U16] = {0, UINT16_MAX},        [RG_I32] = {INT32_MIN, INT32_MAX}, [RG_U32] = {0, UINT32_MAX},
    [RG_I64] = {INT64_MIN, INT64_MAX}, [RG_U64] = {0, UINT64_MAX},
};

/** Turn a value into the bits of a scalar argument. \return false when it does not fit. */
static bool scalar_bits(rg_element element, const struct ridge_value *value, uint64_t *bits)
{
    if (value->type == RIDGE_TEXT) {
        return false;
    }
    *bits = 0;
    if (element == RG_F32 || element == RG_F64) {
        const double number = value->type == RIDGE_FLOAT ? value->as.number
                              : value->type == RIDGE_INT ? (double)value->as.integer
                                                         : (double)value->as.truth;
        const float narrow = (float)number;
        memcpy(bits, element == RG_F32 ? (const void *)&narrow : (const void *)&number, rg_element_bytes(element));
        return true;
    }
    if (value->type == RIDGE_FLOAT) {
        return false;
    }
    const int64_t integer = value->type == RIDGE_INT ? value->as.integer : (int64_t)value->as.truth;
    const struct integer_range *range = &integer_ranges[element];
    if (integer < range->low || (integer > 0 && (uint64_t)integer > range->high)) {
        return false;
    }
    *bits = (uint64_t)integer;
    return true;
}

static bool scalar_eval(const struct ridge_spec *spec, const struct rg_argument *argument,
                        const struct ridge_value *values, uint64_t *bits, struct rg_trouble *trouble)
{
    struct ridge_value value;
    struct rg_fault fault;
    if (!rg_expr_eval(argument->value, values, &value, &fault)) {
        fault_trouble(spec, argument->value, argument->name, values, &fault, trouble);
        return false;
    }
    if (!scalar_bits(argument->element, &value, bits)) {
        char text[64];
        ridge_value_format(&value, text, sizeof text);
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "%s is %s, which %s cannot hold", argument->name, text,
                       rg_element_word(argument->element));
        return false;
    }
    return true;
}

ridge_status rg_job_macros(struct rg_arena *arena, const struct ridge_spec *spec, const struct ridge_value *values,
                           struct rg_macro *out, struct ridge_error *error)
{
    for (size_t i = 0; i < spec->dimension_count; i++) {
        const char *text = macro_text(arena, &values[i]);
        if (!text) {
            return rg_error_memory(error, 64);
        }
        out[i] = (struct rg_macro){spec->dimensions[i].name, text, spec->dimensions[i].launch};
    }
    return RIDGE_OK;
}

void rg_job_scalars(const struct ridge_spec *spec, const struct ridge_value *values, uint64_t *out,
                    struct rg_trouble *trouble)
{
    for (size_t i = 0; i < spec->argument_count; i++) {
        const struct rg_argument *argument = &spec->arguments[i];
        if (argument->access == RG_ACCESS_SCALAR && !scalar_eval(spec, argument, values, &out[i], trouble)) {
            return;
        }
    }
}

ridge_status rg_job_init(struct rg_job *job, const struct ridge_spec *spec, const struct ridge_value *values,
                         struct rg_trouble *trouble, struct ridge_error *error)
{
    memset(job, 0, sizeof *job);
    rg_arena_init(&job->arena, spec->context);
    job->macro_count = spec->dimension_count;
    const ridge_status status = rg_job_macros(&job->arena, spec, values, job->macros, error);
    if (status != RIDGE_OK) {
        return status;
    }
    job->launch.dimensions = spec->domain;
    job->launch.scalars = job->scalars;
    for (size_t axis = 0; axis < 3; axis++) {
        if (!size_eval(spec, spec->grid[axis], "grid_", axis_names[axis], values, &job->launch.grid[axis], trouble) ||
            !size_eval(spec, spec->block[axis], "block_", axis_names[axis], values, &job->launch.block[axis],
                       trouble)) {
            return RIDGE_OK;
        }
    }
    for (size_t i = 0; i < spec->argument_count; i++) {
        const struct rg_argument *argument = &spec->arguments[i];
        if (argument->access == RG_ACCESS_LOCAL &&
            !size_eval(spec, argument->length, "local memory of ", argument->name, values, &job->scalars[i], trouble)) {
            return RIDGE_OK;
        }
    }
    rg_job_scalars(spec, values, job->scalars, trouble);
    return RIDGE_OK;
}

void rg_job_fini(struct rg_job *job)
{
    rg_arena_fini(&job->arena);
}
