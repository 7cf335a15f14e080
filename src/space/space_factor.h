/* SPDX-License-Identifier: MIT */
/**
 * \file A space, factorised. Dimensions that no constraint ties together are in different groups, and the space is the
 * product of its groups, which is never multiplied out. A group is a graph: a node stands for everything that can
 * still follow the values taken so far; an edge is a value of the next dimension of the group with the node behind it
 * and how many ways there are through the edges up to and with it. Equal nodes are one node. So a configuration is
 * one path a group, and its rank in canonical order follows from the numbers on the edges, in time that depends on the
 * dimensions alone. Thread rule: unchanging after it is made.
 */
#ifndef RG_SPACE_SPACE_FACTOR_H
#define RG_SPACE_SPACE_FACTOR_H

#include <stdatomic.h>

#include "space/space_program.h"

__extension__ typedef unsigned __int128 rg_u128;

enum {
    RG_END_NODE = 0, /**< behind the last dimension of a group: one way */
    RG_DEAD_NODE = 1 /**< nothing follows */
};

struct rg_graph {
    uint32_t *begin; /**< by node: its first edge; one more entry for the end of the last */
    uint32_t node_count;
    uint32_t edge_count;
    uint32_t *choices;  /**< by edge, ascending in a node */
    uint32_t *children; /**< by edge */
    uint64_t *ways;     /**< by edge: of the node's edges up to and with this one */
    size_t begin_capacity;
    size_t choice_capacity;
    size_t child_capacity;
    size_t way_capacity;
};

/** A number of configurations: exact below 2^128, and about right above. */
struct rg_size {
    rg_u128 exact;
    bool overflows;
    double about;
};

struct rg_factor {
    const struct ridge_space *space;
    size_t group_count;
    unsigned group_of[RG_MAX_DIMENSIONS]; /**< by dimension */
    unsigned next[RG_MAX_DIMENSIONS];     /**< by dimension: the next of its group; RG_MAX_DIMENSIONS: none */
    unsigned first[RG_MAX_DIMENSIONS];    /**< by group: its first dimension */
    uint32_t roots[RG_MAX_DIMENSIONS];    /**< by group */
    struct rg_size total;
    struct rg_graph graph;
};

/** What to build. */
struct rg_factor_options {
    struct rg_program_options program;
    unsigned char *faulted; /**< by constraint: set when it faults; NULL: not wanted */
    bool *whole;            /**< by constraint: set when it was evaluated whole; NULL: not wanted */
};

struct ridge_space {
    const struct ridge_context *context;
    const struct ridge_spec *spec;
    atomic_uchar *reported; /**< by constraint: its first fault was logged */
    bool *whole;            /**< by constraint: it could not be taken apart */
    struct rg_factor factor;
};

/** Log a fault of a constraint, once for the life of the space. */
void rg_space_report_fault(const struct ridge_space *space, unsigned constraint, const struct ridge_value *values,
                           const struct rg_fault *fault);

/** Build. rg_factor_fini either way. \retval RIDGE_E_LIMIT one group alone has 2^64 ways or more; the message names it. */
ridge_status rg_factor_init(struct rg_factor *factor, const struct ridge_space *space,
                            const struct rg_factor_options *options, struct ridge_error *error);
void rg_factor_fini(struct rg_factor *factor);

/** \return the ways from a node to the end of its group. */
static inline uint64_t rg_graph_ways(const struct rg_graph *graph, uint32_t node)
{
    if (node <= RG_DEAD_NODE) {
        return node == RG_END_NODE;
    }
    return graph->ways[graph->begin[node + 1] - 1];
}

/** \return the edge of a node with that choice, or UINT32_MAX. */
uint32_t rg_graph_find(const struct rg_graph *graph, uint32_t node, uint32_t choice);

/** Write the configuration with that rank in canonical order; `rank` is below the total, which does not overflow. */
void rg_factor_at(const struct rg_factor *factor, rg_u128 rank, uint32_t *choice);

/** \return whether a configuration is in the space; then *rank is its rank where the total does not overflow. */
bool rg_factor_rank(const struct rg_factor *factor, const uint32_t *choice, rg_u128 *rank);

/** \return whether the values of one group of a configuration can stand together. */
bool rg_factor_group_accepts(const struct rg_factor *factor, unsigned group, const uint32_t *choice);

#endif
