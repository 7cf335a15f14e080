/* SPDX-License-Identifier: MIT */
/* Counting a space for a ranking: all of it, or a random part and then neighbours of the best, round by round. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "space/space.h"
#include "stats/sort.h"
#include "tune/tracer.h"

enum {
    DEFAULT_LIMIT = 1000,
    EXPANDED_AT_ONCE = 8 /* of the best, whose neighbours are counted in a round */
};

static const char smaller[] = "a smaller problem counts faster: [count], or --set"; /* what helps where it takes long */

/** What is being counted. */
struct counting {
    struct ridge_tracer *tracer;
    const struct ridge_count_options *options;
    struct ridge_counted *out;
    size_t width;
    uint64_t limit;
    uint64_t count;    /* of the space */
    bool *tried;       /* by configuration */
    bool *expanded;    /* by configuration: its neighbours were tried */
    uint32_t *choices; /* of a round */
    uint64_t *indices; /* of a round, in the space's order */
    uint64_t round;    /* configurations of it */
    double *runs_s;
    uint64_t run_count;
    double *compiles_s;
    uint64_t compile_count;
};

static bool counted_one(void *user, uint64_t index, const struct ridge_trace *trace)
{
    struct counting *counting = user;
    struct ridge_counted *out = counting->out;
    const uint64_t at = counting->indices[index];
    struct ridge_code *code = &out->code[at];
    double *work = out->work + out->counted * RIDGE_WORK_KEYS;
    const bool usable = trace->outcome == RIDGE_OUTCOME_OK && !isnan(trace->work[RG_WORK_INSTRUCTIONS]);
    out->counted++;
    if (trace->compile_s > 0 && !trace->cached) {
        counting->compiles_s[counting->compile_count++] = trace->compile_s;
    }
    if (usable) {
        counting->runs_s[counting->run_count++] = trace->run_s;
        memcpy(work, trace->work, sizeof trace->work);
        code->work = work;
        code->compiled = trace->compiled;
        code->registers = trace->registers;
        code->spill_bytes = trace->spill_bytes;
        code->smem_static_bytes = (uint32_t)trace->shared_bytes;
        out->registers += trace->compiled;
        snprintf(out->language, sizeof out->language, "%s", trace->language);
        snprintf(out->compiler, sizeof out->compiler, "%s", trace->compiler);
    } else {
        if (trace->outcome == RIDGE_OUTCOME_TIMEOUT) {
            rg_log(counting->tracer->context, RIDGE_LOG_WARNING, "%s: %s (%s)", trace->id, trace->text, smaller);
        }
        code->failed = trace->outcome == RIDGE_OUTCOME_COMPILE;
        out->failed++;
        if (out->reason[0] == '\0') {
            snprintf(out->reason, sizeof out->reason, "%s: %.*s", ridge_outcome_word(trace->outcome),
                     trace->text ? (int)strcspn(trace->text, "\n") : 0, trace->text ? trace->text : "");
        }
    }
    if (counting->options->progress) {
        counting->options->progress(counting->options->user, out->counted, counting->limit);
    }
    return true;
}

/** Add a configuration to the round, unless it was tried or there is no room. */
static void add(struct counting *counting, const uint32_t *choice)
{
    uint64_t index = 0;
    const bool room = counting->out->counted + counting->round < counting->limit;
    if (!room || ridge_space_index(counting->tracer->space, choice, &index, NULL) != RIDGE_OK ||
        counting->tried[index]) {
        return;
    }
    counting->tried[index] = true;
    counting->indices[counting->round] = index;
    memcpy(counting->choices + counting->round * counting->width, choice, counting->width * sizeof *choice);
    counting->round++;
}

static ridge_status run_round(struct counting *counting, struct ridge_error *error)
{
    const uint64_t count = counting->round;
    counting->round = 0;
    return ridge_trace_each(counting->tracer, counting->choices, count, counted_one, counting, error);
}

static ridge_status all_round(struct counting *counting, struct ridge_error *error)
{
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_cursor_create(counting->tracer->space, &cursor, error);
    const uint32_t *choice = NULL;
    while (status == RIDGE_OK) {
        status = ridge_space_cursor_next(cursor, &choice, error);
        if (status != RIDGE_OK || !choice) {
            break;
        }
        add(counting, choice);
    }
    ridge_space_cursor_destroy(cursor);
    return status == RIDGE_OK ? run_round(counting, error) : status;
}

static ridge_status random_round(struct counting *counting, struct ridge_error *error)
{
    uint32_t *rows = NULL;
    uint64_t drawn = 0;
    ridge_status status = rg_space_shuffle(counting->tracer->space, (counting->limit + 1) / 2, counting->options->seed,
                                           &rows, &drawn, error);
    for (uint64_t i = 0; i < drawn && status == RIDGE_OK; i++) {
        add(counting, rows + i * counting->width);
    }
    rg_free(counting->tracer->context, rows, drawn * counting->width * sizeof *rows);
    status = status == RIDGE_OK ? run_round(counting, error) : status;
    counting->out->drawn = counting->out->counted;
    return status;
}

static ridge_status add_neighbours(struct counting *counting, const uint32_t *choice, struct ridge_error *error)
{
    const struct ridge_space *space = counting->tracer->space;
    const struct ridge_context *context = counting->tracer->context;
    uint64_t count = 0;
    ridge_status status = ridge_space_neighbours(space, choice, RIDGE_HAMMING, NULL, 0, &count, error);
    const size_t bytes = (size_t)count * counting->width * sizeof(uint32_t);
    uint32_t *rows = count > 0 ? rg_alloc(context, bytes) : NULL;
    if (status != RIDGE_OK || !rows) {
        return status;
    }
    status = ridge_space_neighbours(space, choice, RIDGE_HAMMING, rows, count, &count, error);
    for (uint64_t i = 0; i < count && status == RIDGE_OK; i++) {
        add(counting, rows + i * counting->width);
    }
    rg_free(context, rows, bytes);
    return status;
}

/** Count the neighbours of the best that were counted and not looked around yet. */
static ridge_status neighbour_round(struct counting *counting, bool *more, struct ridge_error *error)
{
    const struct ridge_space *bare = NULL;
    struct ridge_ranking *ranking = NULL;
    ridge_status status = rg_tracer_bare_space(counting->tracer, &bare, error);
    const struct ridge_rank_options options = {.model = RIDGE_MODEL_WORK,
                                               .device = counting->options->device,
                                               .code = counting->out->code,
                                               .code_count = counting->count};
    if (status == RIDGE_OK) {
        status = ridge_rank(counting->tracer->context, bare, &options, &ranking, error);
    }
    size_t looked = 0;
    for (uint64_t i = 0; status == RIDGE_OK && i < counting->count && looked < EXPANDED_AT_ONCE; i++) {
        const uint32_t at = ranking->order[i];
        if (isinf(ranking->estimates[at].cost)) {
            break;
        }
        if (!counting->expanded[at]) {
            counting->expanded[at] = true;
            looked++;
            status = add_neighbours(counting, ranking->choices + at * counting->width, error);
        }
    }
    ridge_ranking_destroy(ranking);
    *more = looked > 0;
    return status == RIDGE_OK && counting->round > 0 ? run_round(counting, error) : status;
}

static ridge_status reserve(struct counting *counting, struct rg_arena *arena, struct ridge_error *error)
{
    const uint64_t count = counting->count;
    const uint64_t limit = counting->limit;
    counting->out->code = rg_alloc(counting->tracer->context, count * sizeof *counting->out->code);
    counting->out->work = rg_alloc(counting->tracer->context, count * RIDGE_WORK_KEYS * sizeof(double));
    counting->tried = rg_arena_array(arena, count, sizeof *counting->tried);
    counting->expanded = rg_arena_array(arena, count, sizeof *counting->expanded);
    counting->choices = rg_arena_array(arena, limit * counting->width, sizeof *counting->choices);
    counting->indices = rg_arena_array(arena, limit, sizeof *counting->indices);
    counting->runs_s = rg_arena_array(arena, limit, sizeof *counting->runs_s);
    counting->compiles_s = rg_arena_array(arena, limit, sizeof *counting->compiles_s);
    const bool got = counting->out->code && counting->out->work && counting->tried && counting->expanded &&
                     counting->choices && counting->indices && counting->runs_s && counting->compiles_s;
    return got ? RIDGE_OK : rg_error_memory(error, count * sizeof *counting->out->code);
}

static ridge_status rounds(struct counting *counting, struct ridge_error *error)
{
    if (counting->options->progress) { /* the first may take long */
        counting->options->progress(counting->options->user, 0, counting->limit);
    }
    if (counting->limit == counting->count) {
        return all_round(counting, error);
    }
    ridge_status status = random_round(counting, error);
    bool more = counting->out->failed < counting->out->counted;
    while (status == RIDGE_OK && more && counting->out->counted < counting->limit) {
        status = neighbour_round(counting, &more, error);
    }
    return status;
}

void ridge_counted_fini(struct ridge_counted *counted)
{
    if (counted->context) {
        rg_free(counted->context, counted->code, counted->configurations * sizeof *counted->code);
        rg_free(counted->context, counted->work, counted->configurations * RIDGE_WORK_KEYS * sizeof(double));
    }
    *counted = (struct ridge_counted){.context = NULL};
}

ridge_status ridge_count_space(struct ridge_tracer *tracer, const struct ridge_count_options *options,
                               struct ridge_counted *out, struct ridge_error *error)
{
    if (!tracer || !options || !options->device || !out) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "tracer, options, device or out is NULL (give each)");
    }
    *out = (struct ridge_counted){.context = tracer->context};
    struct counting counting = {.tracer = tracer,
                                .options = options,
                                .out = out,
                                .width = ridge_space_dimension_count(tracer->space),
                                .limit = options->limit > 0 ? options->limit : DEFAULT_LIMIT};
    struct rg_arena arena;
    rg_arena_init(&arena, tracer->context);
    ridge_status status = ridge_space_count(tracer->space, &counting.count, error);
    out->configurations = counting.count;
    counting.limit = counting.count < counting.limit ? counting.count : counting.limit;
    if (status == RIDGE_OK && counting.count == 0) {
        status = rg_error_set(error, RIDGE_E_EMPTY, "the space has no configurations (see ridge space --explain)");
    }
    status = status == RIDGE_OK ? reserve(&counting, &arena, error) : status;
    status = status == RIDGE_OK ? rounds(&counting, error) : status;
    if (status == RIDGE_OK && out->failed == out->counted) {
        status = rg_error_set(error, RIDGE_E_MEASURE, "no configuration could be counted; the first: %s", out->reason);
    }
    out->median_run_s = counting.run_count > 0 ? rg_median(counting.runs_s, counting.run_count) : 0;
    out->median_compile_s = counting.compile_count > 0 ? rg_median(counting.compiles_s, counting.compile_count) : 0;
    rg_arena_fini(&arena);
    if (status != RIDGE_OK) {
        ridge_counted_fini(out);
    }
    return status;
}
