/* SPDX-License-Identifier: MIT */
/** \file Ranking a space: enumerate, estimate in blocks, mix, order. */
#include "ridge/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "model/model.h"

static const double transfer_part = 0.75; /* of the mix. Source: shared evaluation, docs/model.md */

static const struct {
    const char *word;
    const char *cost;
} models[] = {
#define MODEL_ROW(name, word, cost) {word, cost},
    RIDGE_MODEL_LIST(MODEL_ROW)
#undef MODEL_ROW
};

static const char *const bounds[] = {
#define BOUND_WORD(name, word) word,
    RIDGE_BOUND_LIST(BOUND_WORD)
#undef BOUND_WORD
};

const char *ridge_model_word(ridge_model model)
{
    return (size_t)model < sizeof models / sizeof models[0] ? models[model].word : "?";
}

const char *ridge_model_cost(ridge_model model)
{
    return (size_t)model < sizeof models / sizeof models[0] ? models[model].cost : "?";
}

const char *ridge_bound_word(ridge_bound bound)
{
    return (size_t)bound < sizeof bounds / sizeof bounds[0] ? bounds[bound] : "?";
}

bool ridge_model_find(const char *word, ridge_model *out)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        if (strcmp(models[i].word, word) == 0) {
            *out = (ridge_model)i;
            return true;
        }
    }
    return false;
}

/** A ranking and what it lives in. */
struct ranking {
    struct ridge_ranking shown; /* first */
    const struct ridge_context *context;
    struct rg_arena arena;
    uint32_t *choices;
    size_t choice_capacity;
    uint64_t *keys;
    struct ridge_estimate *estimates;
    double *cost;
    double *score; /* of transfer */
    uint32_t *order;
    struct rg_notes notes;
};

enum {
    MOST_ROWS = 1 << 28
};

/** Refuse what has no place in memory before any of it is listed. */
static ridge_status size_check(const struct ridge_space *space, struct ridge_error *error)
{
    uint64_t count = 0;
    const ridge_status status = ridge_space_count(space, &count, error);
    if (status == RIDGE_OK && count > MOST_ROWS) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the space has more than %d configurations (add constraints)",
                            MOST_ROWS);
    }
    return status;
}

static ridge_status enumerate(struct ranking *ranking, const struct ridge_space *space, struct ridge_error *error)
{
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = size_check(space, error);
    if (status == RIDGE_OK) {
        status = ridge_space_cursor_create(space, &cursor, error);
    }
    const size_t width = ranking->shown.dimension_count;
    uint64_t count = 0;
    while (status == RIDGE_OK) {
        const uint32_t *choice = NULL;
        status = ridge_space_cursor_next(cursor, &choice, error);
        if (status != RIDGE_OK || !choice) {
            break;
        }
        if (!rg_reserve(ranking->context, &ranking->choices, &ranking->choice_capacity, (count + 1) * width,
                        sizeof *ranking->choices)) {
            status = rg_error_memory(error, (count + 1) * width * sizeof *ranking->choices);
        } else {
            memcpy(ranking->choices + count * width, choice, width * sizeof *choice);
            count++;
        }
    }
    ridge_space_cursor_destroy(cursor);
    ranking->shown.count = count;
    ranking->shown.choices = ranking->choices;
    if (status == RIDGE_OK && count == 0) {
        return rg_error_set(error, RIDGE_E_EMPTY, "the space has no configurations (see ridge space --explain)");
    }
    return status;
}

static ridge_status reserve(struct ranking *ranking, struct ridge_error *error)
{
    const uint64_t count = ranking->shown.count;
    ranking->keys = rg_arena_array(&ranking->arena, count, sizeof *ranking->keys);
    ranking->estimates = rg_arena_array(&ranking->arena, count, sizeof *ranking->estimates);
    ranking->cost = rg_arena_array(&ranking->arena, count, sizeof *ranking->cost);
    ranking->score = rg_arena_array(&ranking->arena, count, sizeof *ranking->score);
    ranking->order = rg_arena_array(&ranking->arena, count, sizeof *ranking->order);
    if (!ranking->keys || !ranking->estimates || !ranking->cost || !ranking->score || !ranking->order) {
        return rg_error_memory(error, count * sizeof *ranking->estimates);
    }
    return RIDGE_OK;
}

/** What estimates rows: one of the models, then the verdicts of compiled code. NULL: not used. */
struct estimator {
    const struct rg_occupancy_waves *waves;
    const struct rg_work_model *work;
    const struct ridge_occupancy_table *verdicts;
};

/** Estimate all rows, a block at a time. */
static ridge_status estimate_rows(struct ranking *ranking, const struct rg_sheet *sheet,
                                  const struct ridge_rank_options *options, const struct estimator *by,
                                  struct ridge_error *error)
{
    struct rg_desk *desk = rg_alloc(ranking->context, sizeof *desk);
    if (!desk) {
        return rg_error_memory(error, sizeof *desk);
    }
    for (uint64_t at = 0; at < ranking->shown.count; at += RG_COLUMN_ROWS) {
        const uint64_t left = ranking->shown.count - at;
        const size_t count = left < RG_COLUMN_ROWS ? (size_t)left : RG_COLUMN_ROWS;
        rg_sheet_fill(sheet, ranking->choices + at * ranking->shown.dimension_count, count, desk);
        desk->code = options->code ? options->code + at : NULL;
        if (by->waves) {
            rg_occupancy_waves_estimate(by->waves, desk, count, ranking->estimates + at);
        } else if (by->work) {
            rg_work_estimate(by->work, desk, count, ranking->estimates + at);
        }
        if (by->verdicts) {
            rg_code_verdicts(by->verdicts, desk, count, ranking->estimates + at);
        }
    }
    rg_free(ranking->context, desk, sizeof *desk);
    for (uint64_t i = 0; i < ranking->shown.count; i++) {
        ranking->cost[i] = ranking->estimates[i].cost;
    }
    return RIDGE_OK;
}

/** Estimate by `occupancy-waves`, or (NULL) by nothing; compiled code decides what can be launched. */
static ridge_status estimate_launches(struct ranking *ranking, const struct ridge_space *space,
                                      const struct ridge_rank_options *options, const struct rg_occupancy_waves *waves,
                                      struct ridge_error *error)
{
    struct rg_sheet sheet;
    struct ridge_occupancy_table *verdicts = NULL;
    ridge_status status = options->code ? rg_code_table(ranking->context, options, &verdicts, error) : RIDGE_OK;
    if (status == RIDGE_OK) {
        status = rg_sheet_init(&sheet, ranking->context, space, false, error);
    }
    if (status == RIDGE_OK) {
        const struct estimator by = {.waves = waves, .verdicts = verdicts};
        status = estimate_rows(ranking, &sheet, options, &by, error);
        rg_sheet_fini(&sheet);
    }
    ridge_occupancy_table_destroy(verdicts);
    return status;
}

static ridge_status rank_occupancy_waves(struct ranking *ranking, const struct ridge_space *space,
                                         const struct ridge_rank_options *options, struct ridge_error *error)
{
    struct rg_occupancy_waves model;
    const ridge_status status = rg_occupancy_waves_init(&model, options->device, &ranking->notes, error);
    return status == RIDGE_OK ? estimate_launches(ranking, space, options, &model, error) : status;
}

static ridge_status rank_work(struct ranking *ranking, const struct ridge_space *space,
                              const struct ridge_rank_options *options, struct ridge_error *error)
{
    struct rg_sheet sheet;
    struct rg_work_model model;
    ridge_status status =
        rg_work_model_init(&model, ranking->context, rg_space_spec(space), options, &ranking->notes, error);
    if (status != RIDGE_OK) {
        return status;
    }
    status = rg_sheet_init(&sheet, ranking->context, space, true, error);
    if (status == RIDGE_OK) {
        const struct estimator by = {.work = &model};
        status = estimate_rows(ranking, &sheet, options, &by, error);
        rg_sheet_fini(&sheet);
    }
    rg_work_model_fini(&model);
    return status;
}

/** Put the transfer score, or its mix with the work rank, in the place of the cost. */
static ridge_status mix(struct ranking *ranking, bool have_work, double part, struct ridge_error *error)
{
    const uint64_t count = ranking->shown.count;
    double *work = rg_alloc(ranking->context, count * sizeof *work);
    if (!work) {
        return rg_error_memory(error, count * sizeof *work);
    }
    ridge_status status = RIDGE_OK;
    if (have_work) {
        status = rg_order_by_cost(ranking->context, ranking->cost, NULL, count, ranking->order, error);
        rg_normalised_ranks(ranking->cost, ranking->order, count, work);
    }
    for (uint64_t i = 0; i < count; i++) {
        const bool covered = !isnan(ranking->score[i]);
        const double fallback = have_work ? work[i] : 1;
        const double own = covered ? ranking->score[i] : fallback;
        const double mixed = have_work ? part * own + (1 - part) * work[i] : own;
        ranking->cost[i] = isinf(ranking->cost[i]) ? ranking->cost[i] : mixed;
        ranking->estimates[i].cost = ranking->cost[i];
        ranking->shown.covered += covered;
    }
    rg_free(ranking->context, work, count * sizeof *work);
    return status;
}

/** Whether there is work to rank by, written or counted: then it says itself why it is of no use. */
static bool is_work_given(const struct ridge_space *space, const struct ridge_rank_options *options)
{
    bool counted[RG_WORK_COUNT];
    rg_code_counted(options, counted);
    return counted[RG_WORK_INSTRUCTIONS] || ridge_spec_has_work(rg_space_spec(space));
}

/** What the costs are. Without clock or bandwidth (rg_rates_init leaves out what needs them) they are no time. */
static const char *cost_meaning(ridge_model model, const struct ridge_device_match *device)
{
    const struct ridge_fact_value *value = NULL;
    const bool whole = ridge_match_fact(device, RIDGE_FACT_BOOST_CLOCK, &value, NULL) == RIDGE_OK &&
                       ridge_match_fact(device, RIDGE_FACT_BANDWIDTH, &value, NULL) == RIDGE_OK;
    return model == RIDGE_MODEL_WORK && !whole
               ? "the counted work WITHOUT memory and launches, which is no time; compare within this ranking only"
               : ridge_model_cost(model);
}

static ridge_status rank_transfer(struct ranking *ranking, const struct ridge_space *space,
                                  const struct ridge_rank_options *options, struct ridge_error *error)
{
    struct ridge_error why = {0};
    ridge_status status = rank_work(ranking, space, options, &why);
    const ridge_status work_status = status;
    const bool have_work = status == RIDGE_OK;
    if (!have_work && status != RIDGE_E_VALUE && status != RIDGE_E_UNAVAILABLE) {
        return rg_error_set(error, status, "%s", why.message);
    }
    if (!have_work) {
        rg_note(&ranking->notes, "work is not used: %s", why.message);
        status = options->code ? estimate_launches(ranking, space, options, NULL, error) : RIDGE_OK;
        if (status != RIDGE_OK) {
            return status;
        }
    }
    const struct rg_rows rows = {space, ranking->shown.count, ranking->choices, ranking->keys};
    size_t used = 0;
    status = rg_transfer(ranking->context, &rows, options, ranking->score, &used, &ranking->notes, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (used == 0 && !have_work && is_work_given(space, options)) {
        return rg_error_set(error, work_status, "%s", why.message);
    }
    if (used == 0 && !have_work) {
        const bool has_code = ridge_spec_has_device_source(rg_space_spec(space));
        return rg_error_set(error, RIDGE_E_VALUE,
                            "nothing to rank by: no record of another device of the vendor was given and the spec "
                            "counts no work (give --evidence, or write [model.work]%s)",
                            has_code ? "; ridge rank --count counts it in the code" : "");
    }
    if (used == 0) {
        ranking->shown.cost_meaning = cost_meaning(RIDGE_MODEL_WORK, options->device);
        rg_note(&ranking->notes, "no record of another device of the same vendor: the ranking is that of work alone");
        return RIDGE_OK;
    }
    const bool mixes = options->model == RIDGE_MODEL_AUTO && have_work;
    const double part = mixes ? transfer_part : 1;
    ranking->shown.cost_meaning = ridge_model_cost(mixes ? RIDGE_MODEL_AUTO : RIDGE_MODEL_TRANSFER);
    ranking->shown.transfer_share = part;
    if (mixes) {
        rg_note(&ranking->notes, "shares: %g transfer (%zu record%s of the same vendor), %g work (safest at the top)",
                part, used, used == 1 ? "" : "s", 1 - part);
    }
    return mix(ranking, have_work, part, error);
}

static ridge_status rank(struct ranking *ranking, const struct ridge_space *space,
                         const struct ridge_rank_options *options, struct ridge_error *error)
{
    ridge_status status = enumerate(ranking, space, error);
    status = status == RIDGE_OK ? rg_code_check(options, ranking->shown.count, error) : status;
    status = status == RIDGE_OK ? reserve(ranking, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    for (uint64_t i = 0; i < ranking->shown.count; i++) {
        ranking->keys[i] = rg_rows_key(space, ranking->choices + i * ranking->shown.dimension_count);
    }
    rg_code_note(options, &ranking->notes);
    switch (options->model) {
    case RIDGE_MODEL_OCCUPANCY_WAVES: status = rank_occupancy_waves(ranking, space, options, error); break;
    case RIDGE_MODEL_WORK: status = rank_work(ranking, space, options, error); break;
    case RIDGE_MODEL_TRANSFER:
    case RIDGE_MODEL_AUTO: status = rank_transfer(ranking, space, options, error); break;
    }
    if (status == RIDGE_OK && ranking->notes.failed) {
        status = rg_error_memory(error, sizeof ranking->notes);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    for (uint64_t i = 0; i < ranking->shown.count; i++) { /* equal costs: in an order that favours no dimension */
        ranking->keys[i] = (ranking->keys[i] + 1) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return rg_order_by_cost(ranking->context, ranking->cost, ranking->keys, ranking->shown.count, ranking->order,
                            error);
}

ridge_status ridge_rank(const struct ridge_context *context, const struct ridge_space *space,
                        const struct ridge_rank_options *options, struct ridge_ranking **out, struct ridge_error *error)
{
    if (!context || !space || !options || !options->device || !out || options->device->count == 0) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "context, space, device or out is NULL (give each)");
    }
    if (ridge_space_cartesian(space) >= 1.8e19) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "the space is larger than 2^64 before its constraints (fewer values)");
    }
    struct ranking *ranking = rg_alloc(context, sizeof *ranking);
    if (!ranking) {
        return rg_error_memory(error, sizeof *ranking);
    }
    ranking->context = context;
    ranking->shown.model = options->model;
    ranking->shown.cost_meaning = cost_meaning(options->model, options->device);
    ranking->shown.dimension_count = ridge_space_dimension_count(space);
    rg_arena_init(&ranking->arena, context);
    ranking->notes.arena = &ranking->arena;
    const ridge_status status = rank(ranking, space, options, error);
    ranking->shown.estimates = ranking->estimates;
    ranking->shown.order = ranking->order;
    ranking->shown.note_count = ranking->notes.count;
    ranking->shown.notes = ranking->notes.items;
    if (status != RIDGE_OK) {
        ridge_ranking_destroy(&ranking->shown);
        return status;
    }
    *out = &ranking->shown;
    return RIDGE_OK;
}

void ridge_ranking_destroy(struct ridge_ranking *shown)
{
    if (shown) {
        struct ranking *ranking = (struct ranking *)(void *)shown;
        const struct ridge_context *context = ranking->context;
        rg_free(context, ranking->choices, ranking->choice_capacity * sizeof *ranking->choices);
        rg_arena_fini(&ranking->arena);
        rg_free(context, ranking, sizeof *ranking);
    }
}
