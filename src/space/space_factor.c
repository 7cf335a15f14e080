/* SPDX-License-Identifier: MIT */
#include "space/space_factor.h"

uint32_t rg_graph_find(const struct rg_graph *graph, uint32_t node, uint32_t choice)
{
    uint32_t low = graph->begin[node];
    uint32_t high = graph->begin[node + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (graph->choices[middle] < choice) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < graph->begin[node + 1] && graph->choices[low] == choice ? low : UINT32_MAX;
}

/** \return the first edge of a node with more than `rank` ways up to and with it. */
static uint32_t edge_of_rank(const struct rg_graph *graph, uint32_t node, uint64_t rank)
{
    uint32_t low = graph->begin[node];
    uint32_t high = graph->begin[node + 1] - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (graph->ways[middle] <= rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint64_t ways_before(const struct rg_graph *graph, uint32_t node, uint32_t edge)
{
    return edge > graph->begin[node] ? graph->ways[edge - 1] : 0;
}

/** Where a walk over the dimensions in canonical order stands: one node a group, and the ways through all of them. */
struct standing {
    uint32_t nodes[RG_MAX_DIMENSIONS]; /* by group */
    rg_u128 ways;
};

static void stand_at_roots(const struct rg_factor *factor, struct standing *standing)
{
    for (size_t i = 0; i < factor->group_count; i++) {
        standing->nodes[i] = factor->roots[i];
    }
    standing->ways = factor->total.exact;
}

/** \return the ways through all groups but one, of which the node is given; it is never a dead one. */
static rg_u128 ways_of_others(const struct rg_graph *graph, const struct standing *standing, uint32_t node)
{
    const uint64_t own = rg_graph_ways(graph, node);
    return own > 0 ? standing->ways / own : 0;
}

void rg_factor_at(const struct rg_factor *factor, rg_u128 rank, uint32_t *choice)
{
    const struct rg_graph *graph = &factor->graph;
    struct standing standing;
    stand_at_roots(factor, &standing);
    for (size_t i = 0; i < factor->space->spec->dimension_count; i++) {
        uint32_t *node = &standing.nodes[factor->group_of[i]];
        const rg_u128 others = ways_of_others(graph, &standing, *node);
        const uint32_t edge = edge_of_rank(graph, *node, others > 0 ? (uint64_t)(rank / others) : 0);
        rank -= others * ways_before(graph, *node, edge);
        choice[i] = graph->choices[edge];
        *node = graph->children[edge];
        standing.ways = others * rg_graph_ways(graph, *node);
    }
}

bool rg_factor_rank(const struct rg_factor *factor, const uint32_t *choice, rg_u128 *rank)
{
    const struct rg_graph *graph = &factor->graph;
    struct standing standing;
    stand_at_roots(factor, &standing);
    if (!factor->total.overflows && factor->total.exact == 0) {
        return false;
    }
    *rank = 0;
    for (size_t i = 0; i < factor->space->spec->dimension_count; i++) {
        uint32_t *node = &standing.nodes[factor->group_of[i]];
        const uint32_t edge = rg_graph_find(graph, *node, choice[i]);
        if (edge == UINT32_MAX) {
            return false;
        }
        const rg_u128 others = ways_of_others(graph, &standing, *node);
        *rank += others * ways_before(graph, *node, edge);
        *node = graph->children[edge];
        standing.ways = others * rg_graph_ways(graph, *node);
    }
    return true;
}

bool rg_factor_group_accepts(const struct rg_factor *factor, unsigned group, const uint32_t *choice)
{
    uint32_t node = factor->roots[group];
    for (unsigned i = factor->first[group]; i < RG_MAX_DIMENSIONS; i = factor->next[i]) {
        const uint32_t edge = node == RG_DEAD_NODE ? UINT32_MAX : rg_graph_find(&factor->graph, node, choice[i]);
        if (edge == UINT32_MAX) {
            return false;
        }
        node = factor->graph.children[edge];
    }
    return true;
}

void rg_factor_fini(struct rg_factor *factor)
{
    if (!factor->space) {
        return;
    }
    const struct ridge_context *context = factor->space->context;
    struct rg_graph *graph = &factor->graph;
    rg_free(context, graph->begin, graph->begin_capacity * sizeof *graph->begin);
    rg_free(context, graph->choices, graph->choice_capacity * sizeof *graph->choices);
    rg_free(context, graph->children, graph->child_capacity * sizeof *graph->children);
    rg_free(context, graph->ways, graph->way_capacity * sizeof *graph->ways);
    *graph = (struct rg_graph){0};
}
