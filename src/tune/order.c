/* SPDX-License-Identifier: MIT */
/**
 * \file In what order candidates are taken: canonical, by chance, best estimated first, or that with every fourth by
 * chance. The last two rank the whole space before anything is measured. Thread rule: that of the session.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "space/space.h"
#include "tune/session.h"

/** Rows that a random order holds at most: a larger space is sampled, and the run then ends as limited. */
static const uint64_t max_drawn = 200000;

/** Of the order `auto`: one pick in so many is uniform among what was not picked before. With a model that is right it
 * costs a third more evaluations; with one that is wrong, at most four times those of a random order. */
enum {
    RANDOM_EVERY = 4
};

static size_t row_bytes(const struct ridge_space *space)
{
    return ridge_space_dimension_count(space) * sizeof(uint32_t);
}

static bool by_model(const struct rg_tuning *tuning)
{
    return tuning->options.order == RIDGE_ORDER_MODEL || tuning->options.order == RIDGE_ORDER_AUTO;
}

/** Find the device to rank for: the one that was named, else the tuned one by its own name. */
static ridge_status rank_device(const struct rg_tuning *tuning, const struct ridge_rank_options *rank,
                                struct ridge_device_match *own, const struct ridge_device_match **out,
                                struct ridge_error *error)
{
    struct ridge_error why = {0};
    *out = rank->device;
    if (rank->device) {
        return RIDGE_OK;
    }
    if (!rank->devices) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "there is no device to rank for, nor a database (give one)");
    }
    *out = own;
    if (ridge_device_find(rank->devices, tuning->setup.facts->name, own, &why) == RIDGE_OK) {
        return RIDGE_OK;
    }
    return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                        "an order by model needs facts of the device, and the tuned one is not known by its own name "
                        "(name the one to rank for with --rank-device, or take --order random): %.700s",
                        why.message);
}

/** What a model that mixes came down to, where one of its parts is missing. */
static const char *alone(const struct ridge_ranking *ranking)
{
    const bool takes_evidence = ranking->model == RIDGE_MODEL_AUTO || ranking->model == RIDGE_MODEL_TRANSFER;
    if (takes_evidence && ranking->transfer_share <= 0) {
        return ", here work alone,";
    }
    return ranking->model == RIDGE_MODEL_AUTO && ranking->transfer_share >= 1 ? ", here transfer alone," : "";
}

/** Rank the space, and say by what in `order->text`. */
static ridge_status order_rank(struct rg_order *order, struct rg_tuning *tuning, struct ridge_error *error)
{
    if (!tuning->options.rank) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "an order by model needs to know how to rank (fill `rank`)");
    }
    struct ridge_rank_options rank = *tuning->options.rank;
    struct ridge_device_match own;
    ridge_status status = rank_device(tuning, &rank, &own, &rank.device, error);
    if (status == RIDGE_OK) {
        status = ridge_rank(tuning->context, tuning->space, &rank, &order->ranking, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    const struct ridge_ranking *ranking = order->ranking;
    for (size_t i = 0; i < ranking->note_count; i++) {
        rg_log(tuning->context, RIDGE_LOG_INFO, "order: %s", ranking->notes[i]);
    }
    char share[48] = "";
    if (tuning->options.order == RIDGE_ORDER_AUTO) {
        snprintf(share, sizeof share, ", 1 of %d at random", RANDOM_EVERY);
    }
    order->text = rg_arena_printf(&tuning->arena, "model %s%s for %s (estimated)%s", ridge_model_word(ranking->model),
                                  alone(ranking), rank.device->devices[0]->name, share);
    return order->text ? RIDGE_OK : rg_error_memory(error, sizeof share);
}

/** The order `auto`: rows of the ranking, every fourth pick from a shuffled list; what was picked is passed over. */
static void interleave(const struct ridge_ranking *ranking, const uint32_t *shuffled, bool *picked, uint32_t *rows)
{
    const uint32_t *lists[2] = {ranking->order, shuffled};
    uint64_t at[2] = {0, 0};
    for (uint64_t i = 0; i < ranking->count; i++) {
        const size_t from = i % RANDOM_EVERY == RANDOM_EVERY - 1;
        while (picked[lists[from][at[from]]]) {
            at[from]++;
        }
        rows[i] = lists[from][at[from]];
        picked[rows[i]] = true;
    }
}

static ridge_status order_mix(struct rg_order *order, const struct rg_tuning *tuning, struct ridge_error *error)
{
    const struct ridge_context *context = tuning->context;
    const uint64_t count = order->ranking->count;
    uint32_t *shuffled = rg_alloc(context, count * sizeof *shuffled);
    bool *picked = rg_alloc(context, count * sizeof *picked);
    order->rows = rg_alloc(context, count * sizeof *order->rows);
    const bool fine = shuffled && picked && order->rows;
    if (fine) {
        struct rg_rng rng;
        rg_rng_init(&rng, tuning->options.seed);
        for (uint64_t i = 0; i < count; i++) { /* Source: Fisher and Yates, inside out */
            const uint64_t other = rg_rng_below(&rng, i + 1);
            shuffled[i] = shuffled[other];
            shuffled[other] = (uint32_t)i;
        }
        interleave(order->ranking, shuffled, picked, order->rows);
    }
    rg_free(context, shuffled, count * sizeof *shuffled);
    rg_free(context, picked, count * sizeof *picked);
    return fine ? RIDGE_OK : rg_error_memory(error, count * sizeof *shuffled);
}

ridge_status rg_order_init(struct rg_order *order, struct rg_tuning *tuning, uint64_t space_count,
                           struct ridge_error *error)
{
    memset(order, 0, sizeof *order);
    order->space = tuning->space;
    order->most = space_count;
    order->text = tuning->options.order == RIDGE_ORDER_RANDOM ? "random" : "exhaustive";
    if (tuning->options.max_configs > 0 && tuning->options.max_configs < space_count) {
        order->most = tuning->options.max_configs;
    }
    if (by_model(tuning)) {
        const ridge_status status = order_rank(order, tuning, error);
        const bool mixes = status == RIDGE_OK && tuning->options.order == RIDGE_ORDER_AUTO;
        return mixes ? order_mix(order, tuning, error) : status;
    }
    if (tuning->options.order == RIDGE_ORDER_EXHAUSTIVE) {
        return ridge_space_cursor_create(tuning->space, &order->cursor, error);
    }
    order->most = order->most < max_drawn ? order->most : max_drawn;
    return rg_space_shuffle(tuning->space, order->most, tuning->options.seed, &order->drawn, &order->drawn_count,
                            error);
}

void rg_order_fini(struct rg_order *order, const struct rg_tuning *tuning)
{
    ridge_space_cursor_destroy(order->cursor);
    rg_free(tuning->context, order->drawn, (size_t)order->drawn_count * row_bytes(tuning->space));
    rg_free(tuning->context, order->rows, order->ranking ? order->ranking->count * sizeof *order->rows : 0);
    ridge_ranking_destroy(order->ranking);
    memset(order, 0, sizeof *order);
}

ridge_status rg_order_next(struct rg_order *order, const uint32_t **choice, struct ridge_error *error)
{
    *choice = NULL;
    const uint64_t place = order->next++;
    if (place >= order->most) {
        return RIDGE_OK;
    }
    if (order->cursor) {
        return ridge_space_cursor_next(order->cursor, choice, error);
    }
    const size_t width = ridge_space_dimension_count(order->space);
    if (order->ranking) {
        const uint32_t *rows = order->rows ? order->rows : order->ranking->order;
        *choice = order->ranking->choices + rows[place] * width;
        return RIDGE_OK;
    }
    *choice = order->drawn + place * width;
    return RIDGE_OK;
}
