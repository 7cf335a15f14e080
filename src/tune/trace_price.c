/* SPDX-License-Identifier: MIT */
/* What counted work costs: the ranking of a space in which one configuration has counts, with all and with each alone. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "tune/tracer.h"

/** Which counts make one part, and which have no time of their own. */
static const struct {
    rg_work_count shown; /**< under which key */
    rg_work_count with[2];
    size_t with_count;
} parts[] = {
    {RG_WORK_FMA, {RG_WORK_FMA}, 1},
    {RG_WORK_INSTRUCTIONS, {RG_WORK_INSTRUCTIONS, RG_WORK_UNIFORM}, 2},
    {RG_WORK_SHARED_WAVEFRONTS, {RG_WORK_SHARED_WAVEFRONTS, RG_WORK_SHARED_ACCESSES}, 2},
    {RG_WORK_GLOBAL_WAVEFRONTS, {RG_WORK_GLOBAL_WAVEFRONTS}, 1},
    {RG_WORK_L2_BYTES, {RG_WORK_L2_BYTES}, 1},
    {RG_WORK_DRAM_BYTES, {RG_WORK_DRAM_BYTES}, 1},
    {RG_WORK_LATENCY_CYCLES, {RG_WORK_LATENCY_CYCLES}, 1},
};

/** A space whose rows have no counts but one. */
struct pricing {
    const struct ridge_context *context;
    const struct ridge_space *space;
    const struct ridge_device_match *device;
    struct ridge_code *codes;
    uint64_t count;
    uint64_t at;
};

static ridge_status price(const struct pricing *pricing, const double *work, struct ridge_estimate *out,
                          struct ridge_error *error)
{
    const struct ridge_rank_options options = {
        .model = RIDGE_MODEL_WORK, .device = pricing->device, .code = pricing->codes, .code_count = pricing->count};
    struct ridge_ranking *ranking = NULL;
    pricing->codes[pricing->at].work = work;
    const ridge_status status = ridge_rank(pricing->context, pricing->space, &options, &ranking, error);
    if (status == RIDGE_OK) {
        *out = ranking->estimates[pricing->at];
        ridge_ranking_destroy(ranking);
    }
    return status;
}

static ridge_status price_parts(const struct pricing *pricing, const struct ridge_trace *trace,
                                struct ridge_trace_cost *out, struct ridge_error *error)
{
    ridge_status status = price(pricing, trace->work, &out->estimate, error);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == RIDGE_OK; i++) {
        double alone[RIDGE_WORK_KEYS];
        struct ridge_estimate estimate = {.cost = (double)NAN};
        for (size_t k = 0; k < RIDGE_WORK_KEYS; k++) {
            alone[k] = (double)NAN;
        }
        alone[RG_WORK_BLOCKS] = trace->work[RG_WORK_BLOCKS];
        alone[RG_WORK_REGISTERS] = trace->work[RG_WORK_REGISTERS];
        for (size_t k = 0; k < parts[i].with_count; k++) {
            alone[parts[i].with[k]] = trace->work[parts[i].with[k]];
        }
        if (!isnan(alone[parts[i].shown])) {
            status = price(pricing, alone, &estimate, error);
        }
        /* What is shorter than launching the blocks has no time by itself. */
        out->part_s[parts[i].shown] = estimate.bound == RIDGE_BOUND_LAUNCH ? (double)NAN : estimate.cost;
    }
    return status;
}

ridge_status ridge_trace_price(struct ridge_tracer *tracer, const struct ridge_trace *trace, const uint32_t *choice,
                               const struct ridge_device_match *device, struct ridge_trace_cost *out,
                               struct ridge_error *error)
{
    const struct ridge_context *context = tracer->context;
    struct pricing pricing = {.context = context, .device = device};
    for (size_t i = 0; i < RIDGE_WORK_KEYS; i++) {
        out->part_s[i] = (double)NAN;
    }
    ridge_status status = rg_tracer_bare_space(tracer, &pricing.space, error);
    if (status == RIDGE_OK) {
        status = ridge_space_count(pricing.space, &pricing.count, error);
    }
    if (status == RIDGE_OK) {
        status = ridge_space_index(pricing.space, choice, &pricing.at, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    pricing.codes = rg_alloc(context, pricing.count * sizeof *pricing.codes);
    if (!pricing.codes) {
        return rg_error_memory(error, pricing.count * sizeof *pricing.codes);
    }
    status = price_parts(&pricing, trace, out, error);
    rg_free(context, pricing.codes, pricing.count * sizeof *pricing.codes);
    return status;
}
