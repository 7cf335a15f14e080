/* SPDX-License-Identifier: MIT */
/**
 * \file While a factorised space is being built: levels, what they compute, and what they remember.
 * Thread rule: one thread a builder.
 */
#ifndef RG_SPACE_SPACE_BUILD_H
#define RG_SPACE_SPACE_BUILD_H

#include "space/space_columns.h"
#include "space/space_factor.h"

/** One register to compute at a level, over all values of its dimension. */
struct rg_step {
    rg_column_fn compute;       /**< NULL: the dimension itself, a check */
    const int64_t *left_column; /**< NULL: *left_value */
    const int64_t *left_value;
    const int64_t *right_column;
    const int64_t *right_value;
    int64_t *out;
    bool check;
};

/**
 * What follows a partial configuration depends only on the registers that are still used: the key. A node found once
 * for a key is found again. Direct mapped: a key may displace another, which is then built again.
 */
struct rg_memo {
    bool used;
    size_t capacity; /**< a power of two, or 0 */
    size_t stored;
    int64_t *keys;
    uint32_t *nodes; /**< 0: empty */
};

/** A register that later levels use, with where its value of this level stands. */
struct rg_export {
    uint32_t register_index;
    const int64_t *column;
};

struct rg_level {
    unsigned dimension;
    bool last;
    const struct rg_dimension *facts;
    int64_t *numbers; /**< its values as integers, or its choices */
    int64_t *column;  /**< those of the rows at hand: `numbers`, or a copy of a part */
    struct rg_step *steps;
    size_t step_count;
    struct rg_export *exports;
    size_t export_count;
    uint32_t *keys; /**< registers up to this level that later levels use */
    size_t key_count;
    const struct rg_whole **wholes;
    size_t whole_count;
    struct rg_memo memo;
    uint16_t alive[RG_COLUMN]; /**< rows that pass */
    uint32_t *edge_choices;    /**< of the node that is being made */
    uint32_t *edge_children;
    size_t edge_count;
    size_t edge_choice_capacity;
    size_t edge_child_capacity;
};

struct rg_builder {
    const struct ridge_space *space;
    const struct rg_factor_options *options;
    struct rg_factor *factor;
    struct rg_program program;
    struct rg_arena arena;   /**< levels and what they point to, but not what grows */
    int64_t *scalars;        /**< by register: its value for the path at hand */
    int64_t **columns;       /**< by register: its column */
    int *last_use;           /**< by register: the highest level that uses it, RG_NO_LEVEL: none */
    struct rg_level *levels; /**< of the group at hand */
    size_t level_count;
    uint32_t *table; /**< nodes by content, open addressing; 0: empty */
    size_t table_capacity;
    struct ridge_value values[RG_MAX_DIMENSIONS]; /**< by dimension, of the path at hand */
    ridge_status status;
    struct ridge_error *error;
};

/** Make the levels of a group. \return false: no memory. */
bool rg_levels_init(struct rg_builder *builder, uint64_t group);
void rg_levels_fini(struct rg_builder *builder);

/** Find which registers are used, and until when. */
void rg_builder_find_uses(struct rg_builder *builder);

/** \return the node with the edges collected at a level; RG_DEAD_NODE on a failure, which is then in builder->status. */
uint32_t rg_builder_intern(struct rg_builder *builder, const struct rg_level *level);

/** \return the node remembered for the key of the path at hand, or 0. */
uint32_t rg_memo_find(const struct rg_builder *builder, const struct rg_level *level);
void rg_memo_store(struct rg_builder *builder, struct rg_level *level, uint32_t node);

#endif
