/* SPDX-License-Identifier: MIT */
/** \file The curves that a sweep hands over, in memory of their own. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "curve/sweep.h"

void ridge_curve_set_destroy(struct ridge_curve_set *set)
{
    if (set) {
        rg_arena_destroy(set->memory); /* the set itself stands in it */
    }
}

/** The levels of one curve: caches at the rates of the warm one of the set, memory at the curve's own. */
static const struct ridge_curve_level *make_levels(struct rg_sweep *sweep, const struct ridge_curve *curve)
{
    struct ridge_curve_point warm[RG_ITEMS_MOST];
    const bool is_main = sweep->request->warm;
    size_t warm_count = rg_role_points(sweep, RG_ROLE_WARM, false, warm);
    if (warm_count == 0) {
        warm_count = rg_role_points(sweep, is_main ? RG_ROLE_MAIN : RG_ROLE_EDGES, false, warm);
    }
    struct ridge_curve_level *levels = rg_arena_array(sweep->arena, RG_LEVELS_MOST, sizeof *levels);
    for (size_t i = 0; levels && i < sweep->plateau_count; i++) {
        const bool last = i + 1 == sweep->plateau_count;
        const uint64_t from = sweep->plateau_begin[i];
        const uint64_t to = sweep->plateau_end[i];
        const double own = rg_middle_between(curve->points, curve->point_count, from, to);
        const bool takes_own = last && sweep->memory && isfinite(own);
        levels[i] = (struct ridge_curve_level){
            .name = rg_level_name(i, sweep->plateau_count, sweep->memory),
            .bytes = last ? 0 : sweep->plateaus[i].capacity_bytes,
            .bytes_per_s = takes_own ? own : rg_middle_between(warm, warm_count, from, to),
            .hint_bytes = !last && i < 3 ? sweep->facts.cache_hint_bytes[i] : 0,
        };
    }
    return levels;
}

/** What all curves of the set have in common. */
static struct ridge_curve common(struct rg_sweep *sweep)
{
    char now[RG_TIMESTAMP_BYTES];
    rg_clock_timestamp(now);
    const struct rg_probe_facts *facts = &sweep->facts;
    const char **notes = rg_arena_array(sweep->arena, sweep->note_count, sizeof *notes);
    if (notes) {
        memcpy(notes, sweep->notes, sweep->note_count * sizeof *notes);
    }
    struct ridge_thread_trial *trials = rg_arena_array(sweep->arena, sweep->trial_count, sizeof *trials);
    if (trials) {
        memcpy(trials, sweep->trials, sweep->trial_count * sizeof *trials);
    }
    return (struct ridge_curve){
        .device = rg_arena_strdup(sweep->arena, facts->device),
        .backend = rg_arena_strdup(sweep->arena, facts->backend),
        .published = sweep->request->published,
        .threads = facts->threads,
        .made_at = rg_arena_strdup(sweep->arena, now),
        .compiler = rg_arena_strdup(sweep->arena, facts->compiler),
        .driver = rg_arena_strdup(sweep->arena, facts->driver),
        .clock_hz = rg_sentinels_clock_hz(sweep),
        .launch_overhead_s = facts->launch_overhead_s,
        .note_count = notes ? sweep->note_count : 0,
        .notes = notes,
        .selector = rg_arena_strdup(sweep->arena, facts->selector),
        .pool_bytes = facts->pool_bytes,
        .trial_bytes = sweep->trial_bytes,
        .trial_count = trials ? sweep->trial_count : 0,
        .trials = trials,
        .sentinels = rg_sentinels_word(sweep),
        .stopped = sweep->stopped,
    };
}

/** Add the curve of a role, when it has points. \return false: memory is out */
static bool add_curve(struct rg_sweep *sweep, enum rg_role role, const struct ridge_curve *common_part,
                      struct ridge_curve *curves, size_t *count)
{
    struct ridge_curve_point points[RG_ITEMS_MOST];
    const size_t point_count = rg_role_points(sweep, role, false, points);
    if (point_count == 0) {
        return true;
    }
    const struct rg_item *item = sweep->items;
    while (item->role != role) {
        item++;
    }
    struct ridge_curve_point *kept = rg_arena_array(sweep->arena, point_count, sizeof *kept);
    if (!kept) {
        return false;
    }
    rg_sweep_flags(sweep, role, points, point_count);
    memcpy(kept, points, point_count * sizeof *kept);
    struct ridge_curve *curve = &curves[(*count)++];
    *curve = *common_part;
    curve->access = item->job.access;
    curve->discipline = item->job.discipline;
    curve->warm = item->job.warm;
    curve->reuse_bytes = curve->warm ? 0 : sweep->reuse_bytes;
    curve->points = kept;
    curve->point_count = point_count;
    curve->levels = make_levels(sweep, curve);
    curve->level_count = curve->levels ? sweep->plateau_count : 0;
    return curve->levels != NULL;
}

ridge_status rg_sweep_finish(struct rg_sweep *sweep, struct ridge_curve_set **out, struct ridge_error *error)
{
    struct ridge_curve_set *set = rg_arena_alloc(sweep->arena, sizeof *set);
    struct ridge_curve *curves = rg_arena_array(sweep->arena, RG_ROLE_COUNT, sizeof *curves);
    sweep->moved = rg_sentinels_judge(sweep);
    rg_sentinels_trend(sweep);
    rg_sweep_levels(sweep, false);
    rg_sweep_notes(sweep);
    const struct ridge_curve common_part = common(sweep);
    const bool texts = common_part.device && common_part.backend && common_part.made_at && common_part.compiler &&
                       common_part.driver && common_part.selector;
    bool ok = set && curves && texts;
    size_t count = 0;
    for (enum rg_role role = RG_ROLE_MAIN; ok && role < RG_ROLE_EDGES; role++) {
        ok = add_curve(sweep, role, &common_part, curves, &count);
        if (ok && role == RG_ROLE_MAIN && count == 0 && sweep->stopped) {
            return rg_probe_ended(error);
        }
        if (ok && role == RG_ROLE_MAIN && count == 0) {
            const char *why = sweep->note_count > 0 ? sweep->notes[0] : "the clock gave no times";
            return rg_error_set(error, RIDGE_E_MEASURE, "no point could be measured: %s", why);
        }
    }
    if (!ok) {
        return rg_error_memory(error, sizeof *set);
    }
    *set = (struct ridge_curve_set){.count = count, .curves = curves, .memory = sweep->arena};
    *out = set;
    return RIDGE_OK;
}
