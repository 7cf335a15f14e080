/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "space/space.h"
#include "tune/session.h"

/** Rows that a random order holds at most: a larger space is sampled, and the run then ends as limited. */
static const uint64_t max_drawn = 200000;

static size_t row_bytes(const struct ridge_space *space)
{
    return ridge_space_dimension_count(space) * sizeof(uint32_t);
}

ridge_status rg_order_init(struct rg_order *order, const struct rg_tuning *tuning, uint64_t space_count,
                           struct ridge_error *error)
{
    memset(order, 0, sizeof *order);
    order->space = tuning->space;
    order->most = space_count;
    if (tuning->options.max_configs > 0 && tuning->options.max_configs < space_count) {
        order->most = tuning->options.max_configs;
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
    memset(order, 0, sizeof *order);
}

ridge_status rg_order_next(struct rg_order *order, const uint32_t **choice, struct ridge_error *error)
{
    *choice = NULL;
    const uint64_t row = order->next++;
    if (row >= order->most) {
        return RIDGE_OK;
    }
    if (order->cursor) {
        return ridge_space_cursor_next(order->cursor, choice, error);
    }
    *choice = order->drawn + row * ridge_space_dimension_count(order->space);
    return RIDGE_OK;
}
