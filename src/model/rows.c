/* SPDX-License-Identifier: MIT */
/** \file Rows of a space by configuration, and orders and ranks of costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/context.h"
#include "base/error.h"
#include "model/model.h"

uint64_t rg_rows_key(const struct ridge_space *space, const uint32_t *choice)
{
    uint64_t key = 0;
    for (size_t i = 0; i < ridge_space_dimension_count(space); i++) {
        key = key * ridge_space_dimension_size(space, i) + choice[i];
    }
    return key;
}

uint64_t rg_rows_find(const struct rg_rows *rows, const uint32_t *choice)
{
    const uint64_t key = rg_rows_key(rows->space, choice);
    uint64_t low = 0;
    uint64_t high = rows->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (rows->keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < rows->count && rows->keys[low] == key ? low : UINT64_MAX;
}

/** Find a name; tools differ in case. \return `count` when it is not there. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
    size_t near = count;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
        near = rg_same_letters(names[i], name) ? i : near;
    }
    return near;
}

const char *rg_join_init(struct rg_join *join, const struct rg_rows *rows, const struct ridge_run *run)
{
    *join = (struct rg_join){.rows = rows, .run = run};
    for (size_t i = 0; i < ridge_space_dimension_count(rows->space); i++) {
        const char *name = ridge_space_dimension_name(rows->space, i);
        const size_t at = find_name(run->dimension_names, run->dimension_count, name);
        join->column[i] = at;
        if (at == run->dimension_count && ridge_space_dimension_size(rows->space, i) > 1) {
            return name;
        }
    }
    return NULL;
}

uint64_t rg_join_row(const struct rg_join *join, const struct ridge_record *record)
{
    struct ridge_value values[RG_MAX_DIMENSIONS];
    uint32_t choice[RG_MAX_DIMENSIONS];
    const struct ridge_space *space = join->rows->space;
    for (size_t i = 0; i < ridge_space_dimension_count(space); i++) {
        const size_t at = join->column[i];
        values[i] = at < join->run->dimension_count ? record->values[at] : *ridge_space_value(space, i, 0);
    }
    return rg_space_find(space, values, choice) ? rg_rows_find(join->rows, choice) : UINT64_MAX;
}

double rg_record_time(const struct ridge_record *record)
{
    const bool ok = record->outcome == RIDGE_OUTCOME_OK && record->summary.n > 0;
    return ok ? record->summary.median_s : (double)INFINITY;
}

struct entry {
    double cost;
    uint64_t tie;
    uint32_t index;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    const int by_cost = (a->cost > b->cost) - (a->cost < b->cost);
    const int by_tie = (a->tie > b->tie) - (a->tie < b->tie);
    return by_cost ? by_cost : by_tie ? by_tie : (a->index > b->index) - (a->index < b->index);
}

ridge_status rg_order_by_cost(const struct ridge_context *context, const double *cost, const uint64_t *ties,
                              uint64_t count, uint32_t *order, struct ridge_error *error)
{
    struct entry *entries = rg_alloc(context, count * sizeof *entries);
    if (!entries) {
        return rg_error_memory(error, count * sizeof *entries);
    }
    for (uint64_t i = 0; i < count; i++) {
        entries[i] = (struct entry){cost[i], ties ? ties[i] : i, (uint32_t)i};
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    for (uint64_t i = 0; i < count; i++) {
        order[i] = entries[i].index;
    }
    rg_free(context, entries, count * sizeof *entries);
    return RIDGE_OK;
}

void rg_normalised_ranks(const double *cost, const uint32_t *order, uint64_t count, double *ranks)
{
    for (uint64_t i = 0; i < count;) {
        uint64_t end = i + 1;
        while (end < count && !(cost[order[end]] > cost[order[i]])) {
            end++;
        }
        const double rank = ((double)i + 1 + (double)end) / 2 / (double)count;
        for (; i < end; i++) {
            ranks[order[i]] = rank;
        }
    }
}
