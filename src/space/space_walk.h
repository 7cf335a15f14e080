/* SPDX-License-Identifier: MIT */
/**
 * \file Walking a space: a plan says which dimensions in which order, and after which of them each constraint is
 * known; a walk goes through the assignments that pass, backtracking as soon as one does not.
 * Thread rule: a plan is unchanging after it is made; a walk belongs to one thread.
 */
#ifndef RG_SPACE_SPACE_WALK_H
#define RG_SPACE_SPACE_WALK_H

#include <stdatomic.h>

#include "space/space.h"

struct ridge_space {
    const struct ridge_context *context;
    const struct ridge_spec *spec;
    atomic_uchar *reported; /**< by constraint: its first fault was logged */
};

enum {
    RG_NO_CONSTRAINT = -1
};

struct rg_plan {
    size_t depth;
    unsigned dimensions[RG_MAX_DIMENSIONS]; /**< by level */
    unsigned *checks;                       /**< constraints: those without dimensions, then level by level */
    size_t check_count;
    size_t capacity;
    size_t begin[RG_MAX_DIMENSIONS + 1]; /**< by level: its first check; those before begin[0] have no dimension */
};

struct rg_walk {
    const struct ridge_space *space;
    const struct rg_plan *plan;
    long wanted_fault;      /**< this constraint passes where it faults; RG_NO_CONSTRAINT */
    unsigned char *faulted; /**< by constraint: set when it faults; NULL: not wanted */
    bool ended;
    bool started;
    size_t level;
    uint32_t choice[RG_MAX_DIMENSIONS];           /**< by dimension */
    struct ridge_value values[RG_MAX_DIMENSIONS]; /**< by dimension; of those up to `level` */
};

/** Which dimensions and constraints count: dimensions of one group, and the constraints before a limit. */
struct rg_part {
    const unsigned *group; /**< by dimension; NULL: all are in group 0 */
    unsigned wanted;       /**< the group */
    size_t constraints;    /**< only the first so many are checked */
};

/** Make a plan. A constraint is in it when its dimensions are; one without dimensions always. \return false: no memory. */
bool rg_plan_init(struct rg_plan *plan, const struct ridge_space *space, const struct rg_part *part);
void rg_plan_fini(struct rg_plan *plan, const struct ridge_space *space);

/** Stand before the first assignment. */
void rg_walk_begin(struct rg_walk *walk, const struct ridge_space *space, const struct rg_plan *plan);

/** Go to the next assignment that passes. \return false at the end. */
bool rg_walk_next(struct rg_walk *walk);

/** A number of configurations: exact below 2^64, and about right above. */
struct rg_size {
    uint64_t exact; /**< saturates */
    double about;
};

/** Groups of dimensions that constraints tie together; counted apart. */
struct rg_groups {
    size_t count;
    unsigned group[RG_MAX_DIMENSIONS];      /**< by dimension */
    struct rg_size size[RG_MAX_DIMENSIONS]; /**< by group: assignments that pass */
    struct rg_size total;
};

/** How to count. */
struct rg_count_options {
    size_t constraints;     /**< only the first so many */
    long wanted_fault;      /**< as in rg_walk */
    unsigned char *faulted; /**< as in rg_walk */
};

/** Form the groups and count each. \return false: no memory. */
bool rg_groups_count(struct rg_groups *groups, const struct ridge_space *space, const struct rg_count_options *options);

#endif
