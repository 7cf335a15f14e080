/* SPDX-License-Identifier: MIT */
/**
 * \file `transfer`: how configurations stood on other recorded devices of the same vendor. Failed ones share the last
 * places of their record. Records of another vendor make a ranking worse (measured; docs/model.md) and are not used.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "model/model.h"

/** One record while it is taken in. */
struct taking {
    const struct ridge_context *context;
    const struct ridge_run *run;
    struct rg_join join;
    double *cost; /**< by record */
    double *rank;
    uint32_t *order;
};

static ridge_status rank_records(struct taking *taking, struct ridge_error *error)
{
    const struct ridge_run *run = taking->run;
    taking->cost = rg_alloc(taking->context, run->record_count * sizeof *taking->cost);
    taking->rank = rg_alloc(taking->context, run->record_count * sizeof *taking->rank);
    taking->order = rg_alloc(taking->context, run->record_count * sizeof *taking->order);
    if (!taking->cost || !taking->rank || !taking->order) {
        return rg_error_memory(error, run->record_count * sizeof *taking->cost);
    }
    for (size_t i = 0; i < run->record_count; i++) {
        taking->cost[i] = rg_record_time(&run->records[i]);
    }
    const ridge_status status =
        rg_order_by_cost(taking->context, taking->cost, NULL, run->record_count, taking->order, error);
    if (status == RIDGE_OK) {
        rg_normalised_ranks(taking->cost, taking->order, run->record_count, taking->rank);
    }
    return status;
}

static void taking_fini(struct taking *taking)
{
    rg_free(taking->context, taking->cost, taking->run->record_count * sizeof *taking->cost);
    rg_free(taking->context, taking->rank, taking->run->record_count * sizeof *taking->rank);
    rg_free(taking->context, taking->order, taking->run->record_count * sizeof *taking->order);
}

/** Generation: compute capabilities up to the point, gfx targets up to the last two digits. */
static size_t generation_length(const char *name)
{
    const char *point = strchr(name, '.');
    const size_t length = strlen(name);
    return point ? (size_t)(point - name) : length > 2 ? length - 2 : length;
}

static double closeness(const struct ridge_device *a, const struct ridge_device *b, bool without_judged)
{
    if (!a->architecture || !b->architecture) {
        return 1;
    }
    const char *left = a->architecture->name;
    const char *right = b->architecture->name;
    if (strcmp(left, right) == 0) {
        return rg_judged(RG_JUDGED_SAME, without_judged);
    }
    const size_t length = generation_length(left);
    const bool near = length == generation_length(right) && strncmp(left, right, length) == 0;
    return near ? rg_judged(RG_JUDGED_FAMILY, without_judged) : 1;
}

double rg_evidence_weight(const struct ridge_rank_options *options, const struct ridge_evidence *evidence,
                          struct rg_notes *notes)
{
    const char *name = evidence->device ? evidence->device : evidence->run->info.device;
    struct ridge_device_match match;
    struct ridge_error ignored = {0};
    if (!options->devices || ridge_device_find(options->devices, name, &match, &ignored) != RIDGE_OK) {
        rg_note(notes, "evidence of `%s` is not used: the device is not known (name it)", name);
        return 0;
    }
    const struct ridge_device *own = options->device->devices[0];
    if (match.devices[0] == own) {
        rg_note(notes, "evidence of %s itself says how good the ranking is; the ranking does not use it", own->name);
        return 0;
    }
    if (strcmp(match.devices[0]->vendor, own->vendor) != 0) {
        rg_note(notes, "evidence of %s (%s) is not used: records of another vendor make a ranking worse",
                match.devices[0]->name, match.devices[0]->vendor);
        return 0;
    }
    return closeness(match.devices[0], own, options->without_judged);
}

static ridge_status take(struct taking *taking, double weight, double *sum, double *weights, uint64_t *found,
                         struct ridge_error *error)
{
    const ridge_status status = rank_records(taking, error);
    for (size_t i = 0; status == RIDGE_OK && i < taking->run->record_count; i++) {
        const uint64_t row = rg_join_row(&taking->join, &taking->run->records[i]);
        if (row != UINT64_MAX) {
            sum[row] += weight * taking->rank[i];
            weights[row] += weight;
            ++*found;
        }
    }
    taking_fini(taking);
    return status;
}

ridge_status rg_transfer(const struct ridge_context *context, const struct rg_rows *rows,
                         const struct ridge_rank_options *options, double *score, size_t *used, struct rg_notes *notes,
                         struct ridge_error *error)
{
    double *weights = rg_alloc(context, rows->count * sizeof *weights);
    if (!weights) {
        return rg_error_memory(error, rows->count * sizeof *weights);
    }
    memset(score, 0, rows->count * sizeof *score);
    *used = 0;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < options->evidence_count && status == RIDGE_OK; i++) {
        const struct ridge_evidence *evidence = &options->evidence[i];
        const double weight = rg_evidence_weight(options, evidence, notes);
        struct taking taking = {.context = context, .run = evidence->run};
        const char *missing = weight > 0 ? rg_join_init(&taking.join, rows, evidence->run) : NULL;
        if (missing) {
            rg_note(notes, "evidence of `%s` is not used: it has no dimension `%s`", evidence->run->info.device,
                    missing);
        }
        if (weight <= 0 || missing || evidence->run->record_count == 0) {
            continue;
        }
        uint64_t found = 0;
        status = take(&taking, weight, score, weights, &found, error);
        rg_note(notes, "evidence of %s: %llu configurations, weight %g",
                evidence->device ? evidence->device : evidence->run->info.device, (unsigned long long)found, weight);
        *used += found > 0;
    }
    for (uint64_t i = 0; i < rows->count; i++) {
        score[i] = weights[i] > 0 ? score[i] / weights[i] : (double)NAN;
    }
    rg_free(context, weights, rows->count * sizeof *weights);
    return status;
}
