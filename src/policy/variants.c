/* SPDX-License-Identifier: MIT */
/* Source of names and score: NVIDIA/cccl benchmarks/scripts (variants label_value joined by dots, speed-up over a base). */
#include "ridge/variants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"

enum {
    MOST_DIMENSIONS = 64
};

/** What is handed out, with how much memory it takes. */
struct owned {
    struct ridge_variants variants;
    size_t bytes;
    struct ridge_variant items[];
};

struct builder {
    const struct ridge_variants_request *request;
    const struct ridge_record *base[RIDGE_VARIANT_RUNS];
    size_t order[MOST_DIMENSIONS]; /* dimensions by label */
    const char *labels[MOST_DIMENSIONS];
};

static const struct ridge_record *find(const struct ridge_run *run, const char *id)
{
    for (size_t i = 0; i < run->record_count; i++) {
        if (strcmp(run->records[i].id, id) == 0) {
            return &run->records[i];
        }
    }
    return NULL;
}

static bool is_measured(const struct ridge_record *record)
{
    return record && record->outcome == RIDGE_OUTCOME_OK && record->first.n > 0;
}

static const char *label_of(const struct ridge_variants_request *request, const char *dimension)
{
    for (size_t i = 0; i < request->label_count; i++) {
        if (strcmp(request->labels[i].dimension, dimension) == 0) {
            return request->labels[i].label;
        }
    }
    return dimension;
}

/** Sort the dimensions by label; there are few. */
static void sort_labels(struct builder *builder)
{
    const struct ridge_run *run = builder->request->runs[0];
    for (size_t i = 0; i < run->dimension_count; i++) {
        const char *label = label_of(builder->request, run->dimension_names[i]);
        size_t at = i;
        for (; at > 0 && strcmp(builder->labels[at - 1], label) > 0; at--) {
            builder->labels[at] = builder->labels[at - 1];
            builder->order[at] = builder->order[at - 1];
        }
        builder->labels[at] = label;
        builder->order[at] = i;
    }
}

static void write_name(const struct builder *builder, const struct ridge_record *record, char *out)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < builder->request->runs[0]->dimension_count && used < RIDGE_VARIANT_NAME_BYTES; i++) {
        char value[64];
        ridge_value_format(&record->values[builder->order[i]], value, sizeof value);
        used += (size_t)snprintf(out + used, RIDGE_VARIANT_NAME_BYTES - used, "%s%s_%s", i > 0 ? "." : "",
                                 builder->labels[i], value);
    }
}

static struct ridge_ratio speed_up(const struct ridge_record *base, const struct ridge_record *record)
{
    return base == record ? (struct ridge_ratio){1, 1, 1} : ridge_ratio_of(&base->first, &record->first);
}

static void fill(const struct builder *builder, const struct ridge_record *record, struct ridge_variant *out)
{
    const struct ridge_variants_request *request = builder->request;
    *out = (struct ridge_variant){.complete = true};
    memcpy(out->id, record->id, sizeof out->id);
    write_name(builder, record, out->name);
    out->is_base = strcmp(record->id, request->base_id) == 0;
    for (size_t i = 0; i < request->run_count; i++) {
        const struct ridge_record *here = find(request->runs[i], record->id);
        out->sizes[i] = is_measured(here) && builder->base[i]
                            ? speed_up(builder->base[i], here)
                            : (struct ridge_ratio){(double)NAN, (double)NAN, (double)NAN};
        out->complete = out->complete && is_measured(here);
    }
    out->score = out->complete ? ridge_ratio_mean(out->sizes, request->weights, request->run_count)
                               : (struct ridge_ratio){(double)NAN, (double)NAN, (double)NAN};
}

static int best_first(const void *left, const void *right)
{
    const struct ridge_variant *a = left;
    const struct ridge_variant *b = right;
    if (a->complete != b->complete) {
        return a->complete ? -1 : 1;
    }
    if (a->complete && (a->score.value > b->score.value || a->score.value < b->score.value)) {
        return a->score.value > b->score.value ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

/** Mark what the best score cannot be told from, and find the fastest of each size. */
static void judge(struct ridge_variants *variants, struct ridge_variant *items)
{
    for (size_t i = 0; i < variants->count && items[i].complete; i++) {
        items[i].tied = !(items[i].score.high < items[0].score.low);
    }
    for (size_t run = 0; run < variants->run_count; run++) {
        variants->best_of_run[run] = variants->count;
        double best = 0;
        for (size_t i = 0; i < variants->count; i++) {
            if (items[i].sizes[run].value > best) { /* false for NaN */
                best = items[i].sizes[run].value;
                variants->best_of_run[run] = i;
            }
        }
    }
}

static ridge_status check(struct builder *builder, struct ridge_error *error)
{
    const struct ridge_variants_request *request = builder->request;
    if (request->run_count == 0 || request->run_count > RIDGE_VARIANT_RUNS ||
        request->runs[0]->dimension_count > MOST_DIMENSIONS) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "there are %zu runs to compare (1 to %d)", request->run_count,
                            RIDGE_VARIANT_RUNS);
    }
    for (size_t i = 0; i < request->run_count; i++) {
        const struct ridge_run *run = request->runs[i];
        bool same = run->dimension_count == request->runs[0]->dimension_count;
        for (size_t k = 0; same && k < run->dimension_count; k++) {
            same = strcmp(run->dimension_names[k], request->runs[0]->dimension_names[k]) == 0;
        }
        if (!same || (request->weights && !(request->weights[i] > 0 && isfinite(request->weights[i])))) {
            return rg_error_set(error, RIDGE_E_ARGUMENT, "run %zu has other dimensions, or its weight is not above 0",
                                i);
        }
        builder->base[i] = find(run, request->base_id);
        if (!is_measured(builder->base[i])) {
            return rg_error_set(error, RIDGE_E_EMPTY, "the base %s was not measured with %s: %s", request->base_id,
                                run->info.parameters,
                                builder->base[i] && builder->base[i]->text ? builder->base[i]->text
                                                                           : "it was not tried");
        }
    }
    return RIDGE_OK;
}

ridge_status ridge_variants_create(const struct ridge_context *context, const struct ridge_variants_request *request,
                                   struct ridge_variants **out, struct ridge_error *error)
{
    struct builder builder = {.request = request};
    const ridge_status status = check(&builder, error);
    if (status != RIDGE_OK) {
        return status;
    }
    sort_labels(&builder);
    size_t most = 0;
    for (size_t i = 0; i < request->run_count; i++) {
        most += request->runs[i]->record_count;
    }
    const size_t bytes = sizeof(struct owned) + most * sizeof(struct ridge_variant);
    struct owned *owned = rg_alloc(context, bytes);
    if (!owned) {
        return rg_error_memory(error, bytes);
    }
    struct ridge_variants *variants = &owned->variants;
    struct ridge_variant *items = owned->items;
    *variants = (struct ridge_variants){.run_count = request->run_count, .items = items};
    owned->bytes = bytes;
    for (size_t i = 0; i < request->run_count; i++) {
        for (size_t k = 0; k < request->runs[i]->record_count; k++) {
            const struct ridge_record *record = &request->runs[i]->records[k];
            bool seen = false;
            for (size_t before = 0; before < i && !seen; before++) {
                seen = find(request->runs[before], record->id) != NULL;
            }
            if (!seen) {
                fill(&builder, record, &items[variants->count++]);
            }
        }
    }
    qsort(items, variants->count, sizeof *items, best_first);
    judge(variants, items);
    *out = variants;
    return RIDGE_OK;
}

void ridge_variants_destroy(const struct ridge_context *context, struct ridge_variants *variants)
{
    if (variants) {
        struct owned *owned = (struct owned *)(void *)variants; /* its first member */
        rg_free(context, owned, owned->bytes);
    }
}
