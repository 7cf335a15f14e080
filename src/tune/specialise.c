/* SPDX-License-Identifier: MIT */
#include "tune/specialise.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "compile/closure.h"
#include "compile/source_text.h"
#include "tune/job.h"

enum {
    MOST_CONFIGURATIONS = 1 << 28,
    MOST_SPECIALISATIONS = 1 << 20
};

/** A configuration and the number that its values that make a difference come to. */
struct keyed {
    uint64_t key;
    uint64_t configuration;
};

/** The text of a value may name another dimension. */
static void named_by_values(const struct ridge_spec *spec, bool *needed)
{
    for (size_t i = 0; i < spec->dimension_count; i++) {
        const struct rg_dimension *dimension = &spec->dimensions[i];
        for (size_t k = 0; dimension->type == RIDGE_TEXT && k < dimension->count; k++) {
            const struct rg_macro macro = {dimension->name, dimension->values[k].as.text, false};
            for (size_t other = 0; other < spec->dimension_count; other++) {
                const struct rg_macro pair[] = {{spec->dimensions[other].name, "", false}, macro};
                needed[other] = needed[other] || (other != i && rg_macro_may_matter("", pair, 2, 0));
            }
        }
    }
}

static ridge_status needed_find(const struct ridge_context *context, const struct ridge_spec *spec,
                                const struct rg_compile_job *source, bool *needed, struct ridge_error *error)
{
    struct rg_closure closure;
    struct rg_macro macros[RG_MAX_DIMENSIONS];
    struct rg_compile_job job = *source;
    job.macros = macros;
    job.macro_count = spec->dimension_count;
    for (size_t i = 0; i < spec->dimension_count; i++) {
        macros[i] = (struct rg_macro){spec->dimensions[i].name, "", spec->dimensions[i].launch};
    }
    ridge_status status = rg_closure_init(&closure, context, &job, error);
    for (size_t i = 0; i < spec->dimension_count && status == RIDGE_OK; i++) {
        needed[i] = rg_closure_needs(&closure, &job, i);
    }
    rg_closure_fini(&closure);
    named_by_values(spec, needed);
    return status;
}

/** Number the combinations of the values that make a difference, as digits. \return false when that is too many. */
static bool weights_make(const struct ridge_spec *spec, const bool *needed, uint64_t *weights)
{
    uint64_t weight = 1;
    for (size_t i = 0; i < spec->dimension_count; i++) {
        weights[i] = needed[i] ? weight : 0;
        if (needed[i] && !rg_multiply_u64(weight, spec->dimensions[i].count, &weight)) {
            return false;
        }
    }
    return true;
}

static ridge_status keys_make(const struct ridge_space *space, const uint64_t *weights, uint64_t count,
                              struct keyed *out, struct ridge_error *error)
{
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_cursor_create(space, &cursor, error);
    const size_t width = ridge_space_dimension_count(space);
    for (uint64_t i = 0; i < count && status == RIDGE_OK; i++) {
        const uint32_t *choice = NULL;
        status = ridge_space_cursor_next(cursor, &choice, error);
        if (status != RIDGE_OK || !choice) {
            break;
        }
        out[i] = (struct keyed){.key = 0, .configuration = i};
        for (size_t k = 0; k < width; k++) {
            out[i].key += weights[k] * choice[k];
        }
    }
    ridge_space_cursor_destroy(cursor);
    return status;
}

static int keyed_compare(const void *left, const void *right)
{
    const struct keyed *a = left;
    const struct keyed *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->configuration < b->configuration ? -1 : a->configuration > b->configuration;
}

/** Number the groups of equal keys. */
static ridge_status groups_number(const struct keyed *keys, struct rg_arena *arena, struct rg_specialisations *out,
                                  struct ridge_error *error)
{
    out->count = 0;
    for (uint64_t i = 0; i < out->configurations; i++) {
        out->count += i == 0 || keys[i].key != keys[i - 1].key;
    }
    if (out->count > MOST_SPECIALISATIONS) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "the space has %llu specialisations to compile (at most %d: add constraints)",
                            (unsigned long long)out->count, MOST_SPECIALISATIONS);
    }
    out->of = rg_arena_array(arena, out->configurations, sizeof *out->of);
    out->first = rg_arena_array(arena, out->count, sizeof *out->first);
    out->sharing = rg_arena_array(arena, out->count, sizeof *out->sharing);
    if (!out->of || !out->first || !out->sharing) {
        return rg_error_memory(error, out->configurations * sizeof *out->of);
    }
    uint64_t group = 0;
    for (uint64_t i = 0; i < out->configurations; i++) {
        group += i > 0 && keys[i].key != keys[i - 1].key;
        if (out->sharing[group] == 0) {
            out->first[group] = keys[i].configuration;
        }
        out->sharing[group]++;
        out->of[keys[i].configuration] = (uint32_t)group;
    }
    return RIDGE_OK;
}

ridge_status rg_specialise(const struct ridge_context *context, const struct ridge_space *space,
                           const struct rg_compile_job *source, struct rg_arena *arena, struct rg_specialisations *out,
                           struct ridge_error *error)
{
    const struct ridge_spec *spec = rg_space_spec(space);
    uint64_t weights[RG_MAX_DIMENSIONS] = {0};
    memset(out, 0, sizeof *out);
    ridge_status status = ridge_space_count(space, &out->configurations, error);
    if (status == RIDGE_OK && out->configurations == 0) {
        return rg_error_set(error, RIDGE_E_EMPTY, "the space has no configurations (see ridge space --explain)");
    }
    if (status == RIDGE_OK && out->configurations > MOST_CONFIGURATIONS) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the space has more than %d configurations (add constraints)",
                            MOST_CONFIGURATIONS);
    }
    status = status == RIDGE_OK ? needed_find(context, spec, source, out->needed, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    if (!weights_make(spec, out->needed, weights)) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the dimensions have too many values to compile for");
    }
    const size_t bytes = out->configurations * sizeof(struct keyed);
    struct keyed *keys = rg_alloc(context, bytes);
    if (!keys) {
        return rg_error_memory(error, bytes);
    }
    status = keys_make(space, weights, out->configurations, keys, error);
    if (status == RIDGE_OK) {
        qsort(keys, out->configurations, sizeof *keys, keyed_compare);
        status = groups_number(keys, arena, out, error);
    }
    rg_free(context, keys, bytes);
    return status;
}
