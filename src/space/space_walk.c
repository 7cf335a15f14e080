/* SPDX-License-Identifier: MIT */
#include "space/space_walk.h"

#include <stdio.h>
#include <string.h>

static bool in_part(const struct rg_part *part, unsigned dimension)
{
    return !part->group || part->group[dimension] == part->wanted;
}

/** \return the level at which a constraint is known, -1 when it uses no dimension, -2 when it is not of this part. */
static long check_level(const struct ridge_space *space, const struct rg_part *part, const long *level_of,
                        size_t constraint)
{
    size_t count = 0;
    const unsigned *slots = rg_expr_slots(space->spec->constraints[constraint].expr, &count);
    long level = -1;
    for (size_t i = 0; i < count; i++) {
        if (!in_part(part, slots[i])) {
            return -2;
        }
        level = level_of[slots[i]] > level ? level_of[slots[i]] : level;
    }
    return level;
}

static bool add_checks(struct rg_plan *plan, const struct ridge_space *space, const struct rg_part *part,
                       const long *level_of, long level)
{
    for (size_t i = 0; i < part->constraints; i++) {
        if (check_level(space, part, level_of, i) != level) {
            continue;
        }
        if (!rg_reserve(space->context, &plan->checks, &plan->capacity, plan->check_count + 1, sizeof *plan->checks)) {
            return false;
        }
        plan->checks[plan->check_count++] = (unsigned)i;
    }
    return true;
}

bool rg_plan_init(struct rg_plan *plan, const struct ridge_space *space, const struct rg_part *part)
{
    memset(plan, 0, sizeof *plan);
    long level_of[RG_MAX_DIMENSIONS] = {0};
    for (size_t i = 0; i < space->spec->dimension_count; i++) {
        if (in_part(part, (unsigned)i)) {
            level_of[i] = (long)plan->depth;
            plan->dimensions[plan->depth++] = (unsigned)i;
        }
    }
    bool done = add_checks(plan, space, part, level_of, -1);
    for (size_t level = 0; level < plan->depth && done; level++) {
        plan->begin[level] = plan->check_count;
        done = add_checks(plan, space, part, level_of, (long)level);
    }
    plan->begin[plan->depth] = plan->check_count;
    if (!done) {
        rg_plan_fini(plan, space);
    }
    return done;
}

void rg_plan_fini(struct rg_plan *plan, const struct ridge_space *space)
{
    rg_free(space->context, plan->checks, plan->capacity * sizeof *plan->checks);
    plan->checks = NULL;
}

/** Log the first fault of each constraint, once for the life of the space. */
static void report_fault(const struct rg_walk *walk, unsigned constraint, const struct rg_fault *fault)
{
    const struct ridge_space *space = walk->space;
    const struct ridge_spec *spec = space->spec;
    if (walk->faulted) {
        walk->faulted[constraint] = 1;
    }
    if (atomic_exchange(&space->reported[constraint], 1)) {
        return;
    }
    struct ridge_error error = {0};
    (void)rg_expr_fault_error(spec->constraints[constraint].expr, "constraint", spec->symbols, spec->symbol_count,
                              walk->values, fault, &error);
    rg_log(space->context, RIDGE_LOG_WARNING, "%s:%u:%u: %s; such configurations are left out", error.file, error.line,
           error.column, error.message);
}

static bool check_passes(const struct rg_walk *walk, unsigned constraint)
{
    bool passes = false;
    struct rg_fault fault;
    const bool evaluated = rg_expr_test(walk->space->spec->constraints[constraint].expr, walk->values, &passes, &fault);
    if (!evaluated) {
        report_fault(walk, constraint, &fault);
    }
    if ((long)constraint == walk->wanted_fault) {
        return !evaluated;
    }
    return evaluated && passes;
}

static bool checks_pass(const struct rg_walk *walk, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!check_passes(walk, walk->plan->checks[i])) {
            return false;
        }
    }
    return true;
}

void rg_walk_begin(struct rg_walk *walk, const struct ridge_space *space, const struct rg_plan *plan)
{
    memset(walk, 0, sizeof *walk);
    walk->space = space;
    walk->plan = plan;
    walk->wanted_fault = RG_NO_CONSTRAINT;
}

/** Take value number `choice` at the walk's level. \return false when the dimension has no more. */
static bool take(struct rg_walk *walk, uint32_t choice)
{
    const unsigned dimension = walk->plan->dimensions[walk->level];
    const struct rg_dimension *facts = &walk->space->spec->dimensions[dimension];
    if (choice >= facts->count) {
        return false;
    }
    walk->choice[dimension] = choice;
    walk->values[dimension] = facts->values[choice];
    return true;
}

bool rg_walk_next(struct rg_walk *walk)
{
    const struct rg_plan *plan = walk->plan;
    if (walk->ended) {
        return false;
    }
    uint32_t choice = 0;
    if (walk->started) {
        walk->level = plan->depth - 1;
        choice = walk->choice[plan->dimensions[walk->level]] + 1;
    } else if (!checks_pass(walk, 0, plan->begin[0])) {
        walk->ended = true;
        return false;
    }
    walk->started = true;
    while (true) {
        if (!take(walk, choice)) {
            if (walk->level == 0) {
                walk->ended = true;
                return false;
            }
            choice = walk->choice[plan->dimensions[--walk->level]] + 1;
        } else if (!checks_pass(walk, plan->begin[walk->level], plan->begin[walk->level + 1])) {
            choice++;
        } else if (walk->level + 1 == plan->depth) {
            return true;
        } else {
            walk->level++;
            choice = 0;
        }
    }
}

static struct rg_size multiply(struct rg_size a, struct rg_size b)
{
    struct rg_size product = {0, a.about * b.about};
    if (__builtin_mul_overflow(a.exact, b.exact, &product.exact)) {
        product.exact = UINT64_MAX;
    }
    return product;
}

/** Give all dimensions of one group the number of another. */
static void merge(struct rg_groups *groups, size_t dimension_count, unsigned from, unsigned into)
{
    for (size_t i = 0; i < dimension_count; i++) {
        if (groups->group[i] == from) {
            groups->group[i] = into;
        }
    }
}

/** Number the groups 0, 1, 2 in the order of their first dimensions. */
static void renumber(struct rg_groups *groups, size_t dimension_count)
{
    unsigned number_of[RG_MAX_DIMENSIONS];
    bool seen[RG_MAX_DIMENSIONS] = {false};
    for (size_t i = 0; i < dimension_count; i++) {
        const unsigned old = groups->group[i];
        if (!seen[old]) {
            seen[old] = true;
            number_of[old] = (unsigned)groups->count++;
        }
        groups->group[i] = number_of[old];
    }
}

static void form_groups(struct rg_groups *groups, const struct ridge_space *space, size_t constraints)
{
    const size_t dimension_count = space->spec->dimension_count;
    memset(groups, 0, sizeof *groups);
    for (size_t i = 0; i < dimension_count; i++) {
        groups->group[i] = (unsigned)i;
    }
    for (size_t i = 0; i < constraints; i++) {
        size_t count = 0;
        const unsigned *slots = rg_expr_slots(space->spec->constraints[i].expr, &count);
        for (size_t k = 1; k < count; k++) {
            merge(groups, dimension_count, groups->group[slots[k]], groups->group[slots[0]]);
        }
    }
    renumber(groups, dimension_count);
}

static bool count_group(struct rg_groups *groups, const struct ridge_space *space,
                        const struct rg_count_options *options, unsigned group)
{
    const struct rg_part part = {groups->group, group, options->constraints};
    struct rg_plan plan;
    if (!rg_plan_init(&plan, space, &part)) {
        return false;
    }
    uint64_t count = 0;
    if (plan.check_count == 0) {
        count = space->spec->dimensions[plan.dimensions[0]].count; /* nothing ties it: a group of one */
    } else {
        struct rg_walk walk;
        rg_walk_begin(&walk, space, &plan);
        walk.wanted_fault = options->wanted_fault;
        walk.faulted = options->faulted;
        while (rg_walk_next(&walk)) {
            count++;
        }
    }
    groups->size[group] = (struct rg_size){count, (double)count};
    rg_plan_fini(&plan, space);
    return true;
}

bool rg_groups_count(struct rg_groups *groups, const struct ridge_space *space, const struct rg_count_options *options)
{
    form_groups(groups, space, options->constraints);
    groups->total = (struct rg_size){1, 1};
    for (size_t i = 0; i < groups->count; i++) {
        if (!count_group(groups, space, options, (unsigned)i)) {
            return false;
        }
        groups->total = multiply(groups->total, groups->size[i]);
    }
    return true;
}
