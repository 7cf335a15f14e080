/* SPDX-License-Identifier: MIT */
/** \file Which working sets a sweep measures. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "curve/sweep.h"
#include "ridge/units.h"

/** What each role measures beside the main curve, and up to where. */
struct role_plan {
    enum rg_role role;
    ridge_discipline discipline;
    bool warm;
    uint64_t cap_bytes;
};

static void add_item(struct rg_sweep *sweep, enum rg_role role, ridge_access access, ridge_discipline discipline,
                     bool warm, uint64_t bytes)
{
    if (sweep->item_count == RG_ITEMS_MOST) {
        return;
    }
    struct rg_item *item = &sweep->items[sweep->item_count++];
    item->role = role;
    item->job =
        (struct rg_probe_job){.access = access, .discipline = discipline, .bytes = bytes, .passes = 1, .warm = warm};
    /* Each item begins elsewhere, so that it does not find what the one before it left. */
    item->job.first = rg_rng_below(&sweep->rng, UINT64_C(1) << 30);
}

static void add_sizes(struct rg_sweep *sweep, const struct role_plan *plan, ridge_access access)
{
    uint64_t sizes[RG_SWEEP_MOST];
    const uint64_t cap = plan->cap_bytes < sweep->max_bytes ? plan->cap_bytes : sweep->max_bytes;
    size_t count = rg_sweep_sizes(cap, sizes);
    struct rg_window_plan fits;
    const size_t wanted = count;
    while (count > 1 && !rg_window_plan(access, sweep->facts.pool_bytes, sizes[count - 1], &fits)) {
        count--;
    }
    if (count < wanted) {
        char largest[RIDGE_NUMBER_BYTES];
        ridge_size_format(sizes[count - 1], largest);
        rg_sweep_note(sweep, "the pool has no room for working sets above %s: they are left out", largest);
    }
    for (size_t i = 0; i < count; i++) {
        add_item(sweep, plan->role, access, plan->discipline, plan->warm, sizes[i]);
    }
}

/** The discipline of the main curve: the only one asked for, else stream where the device can, else the next. */
static bool main_discipline(const struct rg_sweep *sweep, ridge_discipline *out)
{
    const unsigned asked = sweep->request->disciplines ? sweep->request->disciplines : ~0U;
    const unsigned can = sweep->facts.disciplines & asked;
    for (unsigned i = 0; i <= RIDGE_DISCIPLINE_ONESHOT; i++) {
        if (can & 1U << i) {
            *out = (ridge_discipline)i;
            return true;
        }
    }
    return false;
}

ridge_status rg_sweep_plan(struct rg_sweep *sweep, struct ridge_error *error)
{
    const struct ridge_curve_request *request = sweep->request;
    ridge_discipline discipline = RIDGE_DISCIPLINE_STREAM;
    if (!(sweep->facts.accesses & 1U << request->access) || !main_discipline(sweep, &discipline)) {
        return rg_error_set(error, RIDGE_E_ARGUMENT,
                            "%s cannot do this access in this discipline here (ask for another)", sweep->facts.device);
    }
    const struct role_plan main_plan = {RG_ROLE_MAIN, discipline, request->warm, UINT64_MAX};
    add_sizes(sweep, &main_plan, request->access);
    if (request->published) {
        return RIDGE_OK;
    }
    const unsigned wanted = request->disciplines ? request->disciplines : ~0U;
    const struct role_plan beside[] = {
        {RG_ROLE_LAUNCH, RIDGE_DISCIPLINE_LAUNCH, request->warm, RG_RAMP_END_BYTES},
        {RG_ROLE_ONESHOT, RIDGE_DISCIPLINE_ONESHOT, request->warm, RG_RAMP_END_BYTES},
    };
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        const unsigned bit = 1U << beside[i].discipline;
        if (beside[i].discipline != discipline && (wanted & sweep->facts.disciplines & bit)) {
            add_sizes(sweep, &beside[i], request->access);
        }
    }
    const bool stream = (sweep->facts.disciplines & 1U << RIDGE_DISCIPLINE_STREAM) != 0;
    if (stream && (!request->warm || discipline != RIDGE_DISCIPLINE_STREAM)) {
        const struct role_plan plan = {RG_ROLE_WARM, RIDGE_DISCIPLINE_STREAM, true, UINT64_MAX};
        add_sizes(sweep, &plan, request->access);
    }
    if (stream && request->access != RIDGE_ACCESS_READ && (sweep->facts.accesses & 1U << RIDGE_ACCESS_READ)) {
        const struct role_plan plan = {RG_ROLE_EDGES, RIDGE_DISCIPLINE_STREAM, true, UINT64_MAX};
        add_sizes(sweep, &plan, RIDGE_ACCESS_READ);
    }
    return RIDGE_OK;
}

double rg_item_rough_rate(const struct rg_item *item)
{
    return item->failed || item->pass_s <= 0 ? (double)NAN : (double)item->job.bytes / item->pass_s;
}

void rg_sweep_refine(struct rg_sweep *sweep)
{
    const double noticed = 1.15; /* ratio of neighbours. Source: reference/curve.md 4.7 */
    const size_t count = sweep->item_count;
    for (size_t i = 1; i < count; i++) {
        const struct rg_item *low = &sweep->items[i - 1];
        const struct rg_item *high = &sweep->items[i];
        const double ratio = rg_item_rough_rate(high) / rg_item_rough_rate(low);
        const bool differ = ratio > noticed || ratio < 1 / noticed;
        if (low->role != high->role || !high->job.warm || high->job.discipline != RIDGE_DISCIPLINE_STREAM || !differ) {
            continue;
        }
        for (int quarter = 1; quarter < 4; quarter++) {
            const double bytes = (double)low->job.bytes * exp2(quarter / 4.0);
            add_item(sweep, high->role, high->job.access, high->job.discipline, true, (uint64_t)bytes / 512 * 512);
        }
    }
}

uint64_t rg_sweep_reuse(const struct rg_sweep *sweep, const struct rg_item *item)
{
    struct rg_window_plan plan;
    if (item->job.warm || !rg_window_plan(item->job.access, sweep->facts.pool_bytes, item->job.bytes, &plan)) {
        return 0;
    }
    return plan.reuse_bytes;
}
