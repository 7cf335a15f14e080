/* SPDX-License-Identifier: MIT */
/** \file What one launch uses up, as [model] says. */
#include <math.h>

#include "space/spec.h"

/** The value of an amount: NaN when it has none, or cannot be. */
static double amount_of(const struct rg_expr *expr, const struct ridge_value *values)
{
    struct ridge_value value;
    struct rg_fault fault;
    if (!rg_expr_eval(expr, values, &value, &fault)) {
        return (double)NAN;
    }
    const double amount = value.type == RIDGE_INT     ? (double)value.as.integer
                          : value.type == RIDGE_FLOAT ? value.as.number
                                                      : (double)NAN;
    return amount >= 0 && isfinite(amount) ? amount : (double)NAN;
}

/** Whether the kernel computes with doubles: it has such a buffer and none of floats. */
static bool computes_f64(const struct ridge_spec *spec)
{
    bool f32 = false;
    bool f64 = false;
    for (size_t i = 0; i < spec->argument_count; i++) {
        const rg_access access = spec->arguments[i].access;
        const bool buffer = access == RG_ACCESS_IN || access == RG_ACCESS_OUT || access == RG_ACCESS_INOUT;
        f32 = f32 || (buffer && spec->arguments[i].element == RG_F32);
        f64 = f64 || (buffer && spec->arguments[i].element == RG_F64);
    }
    return f64 && !f32;
}

bool rg_spec_work(const struct ridge_spec *spec, const struct ridge_value *values, struct ridge_work *out)
{
    const struct {
        const struct rg_expr *expr;
        ridge_roof resource;
    } rows[] = {{spec->model_flops, computes_f64(spec) ? RIDGE_ROOF_F64 : RIDGE_ROOF_F32},
                {spec->model_read_bytes, RIDGE_ROOF_READ},
                {spec->model_write_bytes, RIDGE_ROOF_WRITE},
                {spec->model_bytes, RIDGE_ROOF_BYTES}};
    bool any = false;
    *out = (struct ridge_work){0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].expr) {
            out->amount[rows[i].resource] = amount_of(rows[i].expr, values);
            any = true;
        }
    }
    /* Reads and writes apart say more than their sum, and would be counted twice beside it. */
    if (spec->model_read_bytes && spec->model_write_bytes) {
        out->amount[RIDGE_ROOF_BYTES] = 0;
    }
    return any;
}
