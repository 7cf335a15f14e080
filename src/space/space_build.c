/* SPDX-License-Identifier: MIT */
/** \file Building a factorised space: groups, then each group depth first in the order of its dimensions. */
#include "space/space_build.h"

#include <string.h>

#include "base/checked.h"

static bool whole_passes(struct rg_builder *builder, const struct rg_whole *whole)
{
    const struct rg_expr *expr = builder->space->spec->constraints[whole->constraint].expr;
    bool passes = false;
    struct rg_fault fault;
    const bool evaluated = rg_expr_test(expr, builder->values, &passes, &fault);
    if (!evaluated) {
        if (builder->options->faulted) {
            builder->options->faulted[whole->constraint] = 1;
        }
        rg_space_report_fault(builder->space, whole->constraint, builder->values, &fault);
    }
    return whole->where_it_faults ? !evaluated : evaluated && passes;
}

static size_t keep_true(uint16_t *alive, size_t count, const int64_t *truth)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t row = alive[i];
        alive[kept] = row;
        kept += truth[row] != 0;
    }
    return kept;
}

static size_t keep_whole(struct rg_builder *builder, struct rg_level *level, size_t start, size_t count)
{
    for (size_t k = 0; k < level->whole_count && count > 0; k++) {
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            const uint16_t row = level->alive[i];
            builder->values[level->dimension] = level->facts->values[start + row];
            level->alive[kept] = row;
            kept += whole_passes(builder, level->wholes[k]);
        }
        count = kept;
    }
    return count;
}

/** Compute a level for the values from `start`. \return how many rows pass; they are in level->alive, ascending. */
static size_t compute(struct rg_builder *builder, struct rg_level *level, size_t start, size_t rows)
{
    size_t count = rows;
    for (size_t i = 0; i < rows; i++) {
        level->alive[i] = (uint16_t)i;
    }
    if (level->column != level->numbers) {
        memcpy(level->column, level->numbers + start, rows * sizeof *level->column);
    }
    for (size_t i = 0; i < level->step_count && count > 0; i++) {
        const struct rg_step *step = &level->steps[i];
        if (step->compute) {
            const struct rg_operand left = {step->left_column, step->left_column ? 0 : *step->left_value};
            const struct rg_operand right = {step->right_column, step->right_column ? 0 : *step->right_value};
            step->compute(left, right, step->out, rows);
        }
        if (step->check) {
            count = keep_true(level->alive, count, step->out);
        }
    }
    return keep_whole(builder, level, start, count);
}

static bool add_edge(struct rg_builder *builder, struct rg_level *level, size_t choice, uint32_t child)
{
    const struct ridge_context *context = builder->space->context;
    const size_t needed = level->edge_count + 1;
    if (!rg_reserve(context, &level->edge_choices, &level->edge_choice_capacity, needed, sizeof(uint32_t)) ||
        !rg_reserve(context, &level->edge_children, &level->edge_child_capacity, needed, sizeof(uint32_t))) {
        builder->status = rg_error_memory(builder->error, needed * sizeof(uint32_t));
        return false;
    }
    level->edge_choices[level->edge_count] = (uint32_t)choice;
    level->edge_children[level->edge_count++] = child;
    return true;
}

static uint32_t build_node(struct rg_builder *builder, size_t depth);

/** \return the node behind one value of a level. */
static uint32_t follow(struct rg_builder *builder, size_t depth, size_t start, size_t row)
{
    struct rg_level *level = &builder->levels[depth];
    if (level->last) {
        return RG_END_NODE;
    }
    for (size_t i = 0; i < level->export_count; i++) {
        builder->scalars[level->exports[i].register_index] = level->exports[i].column[row];
    }
    builder->values[level->dimension] = level->facts->values[start + row];
    uint32_t node = rg_memo_find(builder, level);
    if (node == 0) {
        node = build_node(builder, depth + 1);
        rg_memo_store(builder, level, node);
    }
    return node;
}

/** Recursion: one call a dimension. */
static uint32_t build_node(struct rg_builder *builder, size_t depth)
{
    struct rg_level *level = &builder->levels[depth];
    level->edge_count = 0;
    for (size_t start = 0; start < level->facts->count; start += RG_COLUMN) {
        const size_t left = level->facts->count - start;
        const size_t count = compute(builder, level, start, left < RG_COLUMN ? left : RG_COLUMN);
        for (size_t i = 0; i < count; i++) {
            const size_t row = level->alive[i];
            const uint32_t child = follow(builder, depth, start, row);
            if (builder->status != RIDGE_OK ||
                (child != RG_DEAD_NODE && !add_edge(builder, level, start + row, child))) {
                return RG_DEAD_NODE;
            }
        }
    }
    return level->edge_count > 0 ? rg_builder_intern(builder, level) : RG_DEAD_NODE;
}

static bool build_group(struct rg_builder *builder, size_t group, uint64_t dimensions)
{
    if (!rg_levels_init(builder, dimensions)) {
        builder->status = rg_error_memory(builder->error, sizeof *builder->levels);
    } else {
        builder->factor->roots[group] = build_node(builder, 0);
    }
    rg_levels_fini(builder);
    return builder->status == RIDGE_OK;
}

/** Number the groups by their first dimensions. \param[out] groups  them, as sets of dimensions */
static void form_groups(struct rg_builder *builder, uint64_t *groups)
{
    struct rg_factor *factor = builder->factor;
    const size_t width = builder->space->spec->dimension_count;
    const struct rg_program *program = &builder->program;
    uint64_t of[RG_MAX_DIMENSIONS];
    for (size_t i = 0; i < width; i++) {
        of[i] = UINT64_C(1) << i;
    }
    for (size_t i = 0; i < program->tie_count; i++) {
        uint64_t all = program->ties[i];
        for (uint64_t rest = program->ties[i]; rest != 0; rest &= rest - 1) {
            all |= of[__builtin_ctzll(rest)];
        }
        for (uint64_t rest = all; rest != 0; rest &= rest - 1) {
            of[__builtin_ctzll(rest)] = all;
        }
    }
    for (unsigned i = 0; i < width; i++) {
        const unsigned first = (unsigned)__builtin_ctzll(of[i]);
        const uint64_t later = of[i] & ~rg_dimensions_upto((int)i);
        if (first == i) {
            factor->first[factor->group_count] = i;
            groups[factor->group_count++] = of[i];
        }
        factor->group_of[i] = first == i ? (unsigned)factor->group_count - 1 : factor->group_of[first];
        factor->next[i] = later ? (unsigned)__builtin_ctzll(later) : RG_MAX_DIMENSIONS;
    }
}

static void multiply(struct rg_size *total, uint64_t ways)
{
    total->about *= (double)ways;
    total->overflows = total->overflows || __builtin_mul_overflow(total->exact, (rg_u128)ways, &total->exact);
    if (total->overflows) {
        total->exact = ~(rg_u128)0;
    }
}

static void set_total(struct rg_factor *factor)
{
    factor->total = (struct rg_size){1, false, 1};
    for (size_t i = 0; i < factor->group_count; i++) {
        if (factor->roots[i] == RG_DEAD_NODE) {
            factor->total = (struct rg_size){0, false, 0};
            return;
        }
        multiply(&factor->total, rg_graph_ways(&factor->graph, factor->roots[i]));
    }
}

/** Constraints that use no dimension. \return whether all of them hold. */
static bool constants_hold(struct rg_builder *builder)
{
    const struct rg_program *program = &builder->program;
    bool hold = !program->never;
    for (size_t i = 0; i < program->whole_count && hold; i++) {
        hold = program->wholes[i].dimensions != 0 || whole_passes(builder, &program->wholes[i]);
    }
    return hold;
}

static bool prepare(struct rg_builder *builder)
{
    const struct ridge_context *context = builder->space->context;
    struct rg_graph *graph = &builder->factor->graph;
    rg_arena_init(&builder->arena, context);
    if (!rg_program_init(&builder->program, builder->space->spec, &builder->options->program)) {
        return false;
    }
    const size_t count = builder->program.count;
    builder->scalars = rg_arena_array(&builder->arena, count, sizeof *builder->scalars);
    builder->columns = rg_arena_array(&builder->arena, count, sizeof *builder->columns);
    builder->last_use = rg_arena_array(&builder->arena, count, sizeof *builder->last_use);
    if (!builder->scalars || !builder->columns || !builder->last_use ||
        !rg_reserve(context, &graph->begin, &graph->begin_capacity, RG_DEAD_NODE + 2, sizeof *graph->begin)) {
        return false;
    }
    memset(graph->begin, 0, (RG_DEAD_NODE + 2) * sizeof *graph->begin);
    graph->node_count = RG_DEAD_NODE + 1;
    for (size_t i = 0; builder->options->whole && i < builder->program.whole_count; i++) {
        builder->options->whole[builder->program.wholes[i].constraint] = true;
    }
    rg_builder_find_uses(builder);
    return true;
}

static void build(struct rg_builder *builder)
{
    struct rg_factor *factor = builder->factor;
    uint64_t groups[RG_MAX_DIMENSIONS] = {0};
    form_groups(builder, groups);
    const bool possible = constants_hold(builder);
    for (size_t i = 0; i < factor->group_count; i++) {
        factor->roots[i] = RG_DEAD_NODE;
    }
    for (size_t i = 0; i < factor->group_count && possible; i++) {
        if (!build_group(builder, i, groups[i])) {
            return;
        }
    }
    set_total(factor);
}

ridge_status rg_factor_init(struct rg_factor *factor, const struct ridge_space *space,
                            const struct rg_factor_options *options, struct ridge_error *error)
{
    memset(factor, 0, sizeof *factor);
    factor->space = space;
    struct rg_builder *builder = rg_alloc(space->context, sizeof *builder);
    if (!builder) {
        return rg_error_memory(error, sizeof *builder);
    }
    builder->space = space;
    builder->options = options;
    builder->factor = factor;
    builder->error = error;
    if (prepare(builder)) {
        build(builder);
    } else {
        builder->status = rg_error_memory(error, RG_MAX_REGISTERS * sizeof(struct rg_register));
    }
    const ridge_status status = builder->status;
    rg_free(space->context, builder->table, builder->table_capacity * sizeof *builder->table);
    rg_program_fini(&builder->program);
    rg_arena_fini(&builder->arena);
    rg_free(space->context, builder, sizeof *builder);
    return status;
}
