/* SPDX-License-Identifier: MIT */
/** \file Equal nodes become one, and what was built once is remembered. */
#include <string.h>

#include "base/buffer.h"
#include "space/space_build.h"

enum {
    FIRST_TABLE = 256,
    FIRST_MEMO = 64,
    MOST_MEMO_BYTES = 4 << 20 /* of one level */
};

static uint64_t spread(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

static uint64_t hash_edges(const uint32_t *choices, const uint32_t *children, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        hash = spread(hash, (uint64_t)choices[i] << 32 | children[i]);
    }
    return hash;
}

static uint32_t fail(struct rg_builder *builder, ridge_status status)
{
    builder->status = status;
    return RG_DEAD_NODE;
}

static uint32_t fail_memory(struct rg_builder *builder, size_t bytes)
{
    return fail(builder, rg_error_memory(builder->error, bytes));
}

/** Keep the table at most half full. */
static bool table_grow(struct rg_builder *builder)
{
    const struct rg_graph *graph = &builder->factor->graph;
    if ((size_t)graph->node_count * 2 < builder->table_capacity) {
        return true;
    }
    const size_t capacity = builder->table_capacity ? builder->table_capacity * 2 : FIRST_TABLE;
    uint32_t *table = rg_alloc(builder->space->context, capacity * sizeof *table);
    if (!table) {
        return false;
    }
    for (uint32_t node = RG_DEAD_NODE + 1; node < graph->node_count; node++) {
        const uint32_t begin = graph->begin[node];
        size_t at =
            (size_t)hash_edges(graph->choices + begin, graph->children + begin, graph->begin[node + 1] - begin) &
            (capacity - 1);
        while (table[at] != 0) {
            at = (at + 1) & (capacity - 1);
        }
        table[at] = node;
    }
    rg_free(builder->space->context, builder->table, builder->table_capacity * sizeof *builder->table);
    builder->table = table;
    builder->table_capacity = capacity;
    return true;
}

static bool same_edges(const struct rg_graph *graph, uint32_t node, const struct rg_level *level)
{
    const uint32_t begin = graph->begin[node];
    return graph->begin[node + 1] - begin == level->edge_count &&
           memcmp(graph->choices + begin, level->edge_choices, level->edge_count * sizeof(uint32_t)) == 0 &&
           memcmp(graph->children + begin, level->edge_children, level->edge_count * sizeof(uint32_t)) == 0;
}

static bool reserve(struct rg_builder *builder, size_t edges)
{
    const struct ridge_context *context = builder->space->context;
    struct rg_graph *graph = &builder->factor->graph;
    return rg_reserve(context, &graph->choices, &graph->choice_capacity, edges, sizeof *graph->choices) &&
           rg_reserve(context, &graph->children, &graph->child_capacity, edges, sizeof *graph->children) &&
           rg_reserve(context, &graph->ways, &graph->way_capacity, edges, sizeof *graph->ways) &&
           rg_reserve(context, &graph->begin, &graph->begin_capacity, (size_t)graph->node_count + 2,
                      sizeof *graph->begin);
}

static uint32_t fail_ways(struct rg_builder *builder)
{
    struct rg_buffer names;
    rg_buffer_init(&names, builder->space->context);
    for (size_t i = 0; i < builder->level_count; i++) {
        rg_buffer_printf(&names, "%s%s", i ? ", " : "", builder->levels[i].facts->name);
    }
    builder->status = rg_error_set(builder->error, RIDGE_E_LIMIT,
                                   "the constraints tie together %.160s: 2^64 combinations of their values or more "
                                   "(add constraints)",
                                   rg_buffer_text(&names));
    rg_buffer_fini(&names);
    return RG_DEAD_NODE;
}

static uint32_t append(struct rg_builder *builder, const struct rg_level *level)
{
    struct rg_graph *graph = &builder->factor->graph;
    const size_t begin = graph->edge_count;
    const size_t end = begin + level->edge_count;
    if (end >= UINT32_MAX || graph->node_count >= UINT32_MAX - 2) {
        return fail(builder, rg_error_set(builder->error, RIDGE_E_LIMIT,
                                          "the space has more than 2^32 partial configurations (add constraints)"));
    }
    if (!reserve(builder, end)) {
        return fail_memory(builder, end * sizeof(uint64_t));
    }
    uint64_t ways = 0;
    for (size_t i = 0; i < level->edge_count; i++) {
        const uint32_t child = level->edge_children[i];
        graph->choices[begin + i] = level->edge_choices[i];
        graph->children[begin + i] = child;
        if (__builtin_add_overflow(ways, rg_graph_ways(graph, child), &ways)) {
            return fail_ways(builder);
        }
        graph->ways[begin + i] = ways;
    }
    graph->edge_count = (uint32_t)end;
    graph->begin[graph->node_count + 1] = (uint32_t)end;
    return graph->node_count++;
}

uint32_t rg_builder_intern(struct rg_builder *builder, const struct rg_level *level)
{
    if (!table_grow(builder)) {
        return fail_memory(builder, builder->table_capacity * sizeof *builder->table);
    }
    const size_t mask = builder->table_capacity - 1;
    size_t at = (size_t)hash_edges(level->edge_choices, level->edge_children, level->edge_count) & mask;
    while (builder->table[at] != 0) {
        if (same_edges(&builder->factor->graph, builder->table[at], level)) {
            return builder->table[at];
        }
        at = (at + 1) & mask;
    }
    const uint32_t node = append(builder, level);
    builder->table[at] = node == RG_DEAD_NODE ? 0 : node;
    return node;
}

static size_t memo_slot(const struct rg_builder *builder, const struct rg_level *level)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < level->key_count; i++) {
        hash = spread(hash, (uint64_t)builder->scalars[level->keys[i]]);
    }
    return (size_t)hash & (level->memo.capacity - 1);
}

uint32_t rg_memo_find(const struct rg_builder *builder, const struct rg_level *level)
{
    const struct rg_memo *memo = &level->memo;
    if (!memo->used || memo->capacity == 0) {
        return 0;
    }
    const size_t slot = memo_slot(builder, level);
    const int64_t *key = memo->keys + slot * level->key_count;
    for (size_t i = 0; i < level->key_count && memo->nodes[slot] != 0; i++) {
        if (key[i] != builder->scalars[level->keys[i]]) {
            return 0;
        }
    }
    return memo->nodes[slot];
}

/** Twice the room; what was stored is forgotten: a few nodes are built again. No memory: it stays as it is. */
static void memo_grow(struct rg_builder *builder, struct rg_level *level)
{
    const struct ridge_context *context = builder->space->context;
    struct rg_memo *memo = &level->memo;
    const size_t width = level->key_count * sizeof *memo->keys;
    const size_t capacity = memo->capacity ? memo->capacity * 4 : FIRST_MEMO;
    if (capacity * (width + sizeof *memo->nodes) > MOST_MEMO_BYTES) {
        return;
    }
    int64_t *keys = rg_alloc(context, capacity * (width ? width : 1));
    uint32_t *nodes = rg_alloc(context, capacity * sizeof *nodes);
    if (!keys || !nodes) {
        rg_free(context, keys, capacity * (width ? width : 1));
        rg_free(context, nodes, capacity * sizeof *nodes);
        return;
    }
    rg_free(context, memo->keys, memo->capacity * (width ? width : 1));
    rg_free(context, memo->nodes, memo->capacity * sizeof *memo->nodes);
    *memo = (struct rg_memo){.used = true, .capacity = capacity, .keys = keys, .nodes = nodes};
}

void rg_memo_store(struct rg_builder *builder, struct rg_level *level, uint32_t node)
{
    struct rg_memo *memo = &level->memo;
    if (!memo->used) {
        return;
    }
    if (memo->stored >= memo->capacity) {
        memo_grow(builder, level);
    }
    if (memo->capacity == 0) {
        return;
    }
    const size_t slot = memo_slot(builder, level);
    for (size_t i = 0; i < level->key_count; i++) {
        memo->keys[slot * level->key_count + i] = builder->scalars[level->keys[i]];
    }
    memo->nodes[slot] = node;
    memo->stored++;
}
