/* SPDX-License-Identifier: MIT */
#include "space/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const struct ridge_ratio unknown = {(double)NAN, (double)NAN, (double)NAN};

/** A record and the run that it is of. */
struct part {
    const struct ridge_record *record;
    size_t member;
};

static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left;
    const struct part *b = right;
    const int order = strcmp(a->record->id, b->record->id);
    return order != 0 ? order : (a->member > b->member) - (a->member < b->member);
}

static int compare_entries(const void *left, const void *right)
{
    const struct ridge_group_entry *a = left;
    const struct ridge_group_entry *b = right;
    if (a->complete != b->complete) {
        return a->complete ? -1 : 1;
    }
    if (a->tied != b->tied) {
        return a->tied ? -1 : 1;
    }
    const int order = a->complete ? (a->score.value < b->score.value) - (a->score.value > b->score.value) : 0;
    return order != 0 ? order : strcmp(a->id, b->id);
}

static bool is_measured(const struct ridge_record *record)
{
    return record && record->outcome == RIDGE_OUTCOME_OK && record->first.n > 0;
}

static double fastest_s(const struct ridge_run *run)
{
    double fastest = (double)NAN;
    for (size_t i = 0; i < run->record_count; i++) {
        const struct ridge_record *record = &run->records[i];
        if (record->in_space && is_measured(record)) {
            fastest = fmin(fastest, record->first.median_s);
        }
    }
    return fastest;
}

/** The weights of the members, in `out`. */
static void weights_of(const struct ridge_group *group, double out[RIDGE_WORKLOAD_MAX])
{
    for (size_t i = 0; i < group->member_count; i++) {
        out[i] = group->members[i].weight;
    }
}

static struct ridge_ratio score_of(const struct ridge_group *group, const struct ridge_group_entry *entry)
{
    double weights[RIDGE_WORKLOAD_MAX];
    struct ridge_ratio ratios[RIDGE_WORKLOAD_MAX];
    weights_of(group, weights);
    for (size_t i = 0; i < group->member_count; i++) {
        const double best_s = group->members[i].fastest_s; /* a scale, the same for all: it has no interval */
        const struct ridge_summary best = {.median_s = best_s, .ci95_low_s = best_s, .ci95_high_s = best_s};
        ratios[i] = ridge_ratio_of(&best, &entry->records[i]->first);
    }
    return ridge_ratio_mean(ratios, weights, group->member_count);
}

/** How many times as fast as another configuration one is, by the first pass. */
static struct ridge_ratio speed_up(const struct ridge_group *group, const struct ridge_group_entry *entry,
                                   const struct ridge_group_entry *base)
{
    double weights[RIDGE_WORKLOAD_MAX];
    struct ridge_ratio ratios[RIDGE_WORKLOAD_MAX];
    if (entry == base) {
        return (struct ridge_ratio){1, 1, 1};
    }
    weights_of(group, weights);
    for (size_t i = 0; i < group->member_count; i++) {
        ratios[i] = ridge_ratio_of(&base->records[i]->first, &entry->records[i]->first);
    }
    return ridge_ratio_mean(ratios, weights, group->member_count);
}

/** The time of one record over that of another, of a pass that both were in. */
static struct ridge_ratio compare_times(const struct ridge_run *run, const struct ridge_record *over,
                                        const struct ridge_record *under)
{
    if (over->finalist && under->finalist) {
        return ridge_ratio_of(&over->summary, &under->summary);
    }
    const double drift = run->drift_ratio > 1 ? run->drift_ratio : 1;
    const struct ridge_ratio ratio = ridge_ratio_of(&over->first, &under->first);
    return (struct ridge_ratio){ratio.value, ratio.low / drift, ratio.high * drift};
}

/** The time of one configuration over that of another, over all workloads. */
static struct ridge_ratio compare(const struct ridge_group *group, const struct ridge_group_entry *over,
                                  const struct ridge_group_entry *under)
{
    double weights[RIDGE_WORKLOAD_MAX];
    struct ridge_ratio ratios[RIDGE_WORKLOAD_MAX];
    weights_of(group, weights);
    for (size_t i = 0; i < group->member_count; i++) {
        ratios[i] = compare_times(group->members[i].run, over->records[i], under->records[i]);
    }
    return ridge_ratio_mean(ratios, weights, group->member_count);
}

/** Put records with one id together. `parts` are sorted. \return how many entries there are. */
static size_t collect(const struct ridge_group *group, const struct part *parts, size_t count,
                      struct ridge_group_entry *entries)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ridge_record *record = parts[i].record;
        if (used == 0 || strcmp(entries[used - 1].id, record->id) != 0) {
            struct ridge_group_entry *entry = &entries[used++];
            *entry = (struct ridge_group_entry){.values = record->values, .score = unknown, .over_base = unknown};
            memcpy(entry->id, record->id, sizeof entry->id);
        }
        entries[used - 1].records[parts[i].member] = record;
    }
    for (size_t i = 0; i < used; i++) {
        entries[i].complete = group->member_count == group->workload_count;
        for (size_t k = 0; k < group->member_count; k++) {
            entries[i].complete = entries[i].complete && is_measured(entries[i].records[k]);
        }
    }
    return used;
}

static const struct ridge_group_entry *find_base(const struct ridge_group *group)
{
    for (size_t i = 0; group->base_id && i < group->entry_count; i++) {
        if (group->entries[i].complete && strcmp(group->entries[i].id, group->base_id) == 0) {
            return &group->entries[i];
        }
    }
    return NULL;
}

static void score(struct ridge_group *group, struct ridge_group_entry *entries)
{
    const struct ridge_group_entry *base = find_base(group);
    for (size_t i = 0; i < group->entry_count; i++) {
        if (entries[i].complete) {
            entries[i].score = score_of(group, &entries[i]);
            entries[i].over_base = base ? speed_up(group, &entries[i], base) : unknown;
            group->ranked_count++;
        }
    }
}

/** \return the best by score, unless the final rounds tell that another is faster. The entries are sorted. */
static size_t find_best(const struct ridge_group *group)
{
    size_t best = 0;
    for (size_t i = 1; i < group->ranked_count; i++) {
        best = compare(group, &group->entries[i], &group->entries[best]).high < 1 ? i : best;
    }
    return best;
}

/** Sort by score, find the best and what is tied with it, and put those first. */
static void rank(struct ridge_group *group, struct ridge_group_entry *entries)
{
    qsort(entries, group->entry_count, sizeof *entries, compare_entries);
    if (group->ranked_count == 0) {
        return;
    }
    const size_t at = find_best(group);
    const struct ridge_group_entry best = entries[at];
    memmove(entries + 1, entries, at * sizeof *entries);
    entries[0] = best;
    for (size_t i = 0; i < group->ranked_count; i++) {
        entries[i].tied = i == 0 || !(compare(group, &entries[i], &best).low > 1);
        group->tied_count += entries[i].tied;
    }
    qsort(entries + 1, group->entry_count - 1, sizeof *entries, compare_entries);
}

static bool same_dimensions(const struct ridge_run *a, const struct ridge_run *b)
{
    bool same = a->dimension_count == b->dimension_count;
    for (size_t i = 0; same && i < a->dimension_count; i++) {
        same = strcmp(a->dimension_names[i], b->dimension_names[i]) == 0;
    }
    return same;
}

static ridge_status check(const struct ridge_group_request *request, struct ridge_error *error)
{
    if (request->member_count == 0 || request->member_count > RIDGE_WORKLOAD_MAX) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "there are %zu runs in the group (1 to %d)", request->member_count,
                            RIDGE_WORKLOAD_MAX);
    }
    for (size_t i = 0; i < request->member_count; i++) {
        if (!(request->weights[i] > 0) || !isfinite(request->weights[i])) {
            return rg_error_set(error, RIDGE_E_ARGUMENT, "the weight of workload `%s` is not above 0",
                                request->names[i]);
        }
        if (!same_dimensions(request->runs[0], request->runs[i])) {
            return rg_error_set(error, RIDGE_E_ARGUMENT, "runs %lld and %lld of the group have other dimensions",
                                (long long)request->runs[0]->id, (long long)request->runs[i]->id);
        }
    }
    return RIDGE_OK;
}

static ridge_status fill_members(struct rg_group *whole, const struct ridge_group_request *request,
                                 struct ridge_error *error)
{
    struct ridge_group_member *members = rg_arena_array(&whole->arena, request->member_count, sizeof *members);
    const char *base = request->base_id ? rg_arena_strdup(&whole->arena, request->base_id) : NULL;
    if (!members || (request->base_id && !base)) {
        return rg_error_memory(error, request->member_count * sizeof *members);
    }
    for (size_t i = 0; i < request->member_count; i++) {
        const char *name = rg_arena_strdup(&whole->arena, request->names[i]);
        if (!name) {
            return rg_error_memory(error, strlen(request->names[i]));
        }
        members[i] = (struct ridge_group_member){.name = name,
                                                 .weight = request->weights[i],
                                                 .run = request->runs[i],
                                                 .fastest_s = fastest_s(request->runs[i])};
    }
    whole->shown =
        (struct ridge_group){.id = request->id,
                             .workload_count = request->workload_count > request->member_count ? request->workload_count
                                                                                               : request->member_count,
                             .member_count = request->member_count,
                             .members = members,
                             .base_id = base,
                             .dimension_count = request->runs[0]->dimension_count,
                             .dimension_names = request->runs[0]->dimension_names};
    return RIDGE_OK;
}

static ridge_status fill_entries(struct rg_group *whole, struct ridge_error *error)
{
    struct ridge_group *group = &whole->shown;
    size_t most = 0;
    for (size_t i = 0; i < group->member_count; i++) {
        most += group->members[i].run->record_count;
    }
    struct part *parts = rg_arena_array(&whole->arena, most + 1, sizeof *parts);
    struct ridge_group_entry *entries = rg_arena_array(&whole->arena, most + 1, sizeof *entries);
    if (!parts || !entries) {
        return rg_error_memory(error, most * sizeof *entries);
    }
    size_t count = 0;
    for (size_t i = 0; i < group->member_count; i++) {
        const struct ridge_run *run = group->members[i].run;
        for (size_t k = 0; k < run->record_count; k++) {
            if (run->records[k].in_space) {
                parts[count++] = (struct part){&run->records[k], i};
            }
        }
    }
    qsort(parts, count, sizeof *parts, compare_parts);
    group->entries = entries;
    group->entry_count = collect(group, parts, count, entries);
    score(group, entries);
    rank(group, entries);
    return RIDGE_OK;
}

ridge_status ridge_group_create(const struct ridge_context *context, const struct ridge_group_request *request,
                                struct ridge_group **out, struct ridge_error *error)
{
    ridge_status status = check(request, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_group *whole = rg_alloc(context, sizeof *whole);
    if (!whole) {
        return rg_error_memory(error, sizeof *whole);
    }
    rg_arena_init(&whole->arena, context);
    status = fill_members(whole, request, error);
    if (status == RIDGE_OK) {
        status = fill_entries(whole, error);
    }
    if (status != RIDGE_OK) {
        ridge_group_destroy(&whole->shown);
        return status;
    }
    *out = &whole->shown;
    return RIDGE_OK;
}

void ridge_group_destroy(struct ridge_group *group)
{
    if (!group) {
        return;
    }
    struct rg_group *whole = (struct rg_group *)group;
    const struct ridge_context *context = whole->arena.context;
    for (size_t i = 0; i < RIDGE_WORKLOAD_MAX; i++) {
        ridge_run_destroy(whole->owned[i]);
    }
    rg_arena_fini(&whole->arena);
    rg_free(context, whole, sizeof *whole);
}

const struct ridge_context *rg_group_context(const struct ridge_group *group)
{
    return ((const struct rg_group *)group)->arena.context;
}

const struct ridge_group_entry *ridge_group_winner(const struct ridge_group *group)
{
    return group->ranked_count > 0 ? &group->entries[0] : NULL;
}
