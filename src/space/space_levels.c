/* SPDX-License-Identifier: MIT */
/** \file What each level of a group computes, checks and hands on. */
#include <string.h>

#include "expr/expr_arithmetic.h"
#include "space/space_build.h"

static int level_of(const struct rg_builder *builder, uint32_t index)
{
    return rg_dimensions_level(builder->program.registers[index].dimensions);
}

static void use(struct rg_builder *builder, uint32_t index, int level)
{
    int *last = &builder->last_use[index];
    *last = level > *last ? level : *last;
}

/** Operands come before what uses them, so one pass from the end suffices. */
void rg_builder_find_uses(struct rg_builder *builder)
{
    const struct rg_program *program = &builder->program;
    for (uint32_t i = 0; i < program->count; i++) {
        builder->last_use[i] = RG_NO_LEVEL;
    }
    for (size_t i = 0; i < program->check_count; i++) {
        use(builder, program->checks[i], level_of(builder, program->checks[i]));
    }
    for (size_t i = 0; i < program->whole_count; i++) {
        for (uint64_t rest = program->wholes[i].dimensions; rest != 0; rest &= rest - 1) {
            use(builder, (uint32_t)__builtin_ctzll(rest), rg_dimensions_level(program->wholes[i].dimensions));
        }
    }
    for (uint32_t i = program->count; i-- > 0;) {
        const struct rg_register *made = &program->registers[i];
        if (builder->last_use[i] != RG_NO_LEVEL && made->op > RG_REGISTER_CHOICE) {
            use(builder, made->left, level_of(builder, i));
            use(builder, made->right, level_of(builder, i));
        }
    }
}

static bool is_check(const struct rg_program *program, uint32_t index)
{
    for (size_t i = 0; i < program->check_count; i++) {
        if (program->checks[i] == index) {
            return true;
        }
    }
    return false;
}

static void set_operand(const struct rg_builder *builder, uint32_t index, int level, const int64_t **column,
                        const int64_t **value)
{
    const struct rg_register *operand = &builder->program.registers[index];
    *column = level_of(builder, index) == level ? builder->columns[index] : NULL;
    *value = operand->op == RG_REGISTER_CONSTANT ? &operand->low : &builder->scalars[index];
}

/** Room for a column at a level: as many rows as there are values, at most RG_COLUMN. */
static int64_t *make_column(struct rg_builder *builder, const struct rg_level *level)
{
    const size_t rows = level->facts->count < RG_COLUMN ? level->facts->count : RG_COLUMN;
    return rg_arena_array(&builder->arena, rows, sizeof(int64_t));
}

static bool add_step(struct rg_builder *builder, struct rg_level *level, uint32_t index)
{
    const struct rg_register *made = &builder->program.registers[index];
    const bool check = is_check(&builder->program, index);
    struct rg_step step = {.check = check, .out = level->column};
    if (made->op > RG_REGISTER_CHOICE) {
        step.compute =
            rg_column_function(made, &builder->program.registers[made->left], &builder->program.registers[made->right]);
        set_operand(builder, made->left, (int)level->dimension, &step.left_column, &step.left_value);
        set_operand(builder, made->right, (int)level->dimension, &step.right_column, &step.right_value);
        step.out = make_column(builder, level);
    }
    builder->columns[index] = step.out;
    if (step.compute || check) {
        level->steps[level->step_count++] = step;
    }
    return step.out != NULL;
}

static bool add_steps(struct rg_builder *builder, struct rg_level *level)
{
    const struct rg_program *program = &builder->program;
    size_t here = 0;
    for (uint32_t i = 0; i < program->count; i++) {
        here += level_of(builder, i) == (int)level->dimension && builder->last_use[i] != RG_NO_LEVEL;
    }
    level->steps = rg_arena_array(&builder->arena, here, sizeof *level->steps);
    level->exports = rg_arena_array(&builder->arena, here, sizeof *level->exports);
    if (!level->steps || !level->exports) {
        return false;
    }
    for (uint32_t i = 0; i < program->count; i++) {
        if (level_of(builder, i) != (int)level->dimension || builder->last_use[i] == RG_NO_LEVEL) {
            continue;
        }
        if (!add_step(builder, level, i)) {
            return false;
        }
        if (builder->last_use[i] > (int)level->dimension) {
            level->exports[level->export_count++] = (struct rg_export){i, builder->columns[i]};
        }
    }
    return true;
}

/**
 * Registers of this group up to this level that a later one uses. When all its dimensions are among them no two paths
 * have the same key, and remembering is no use.
 */
static bool add_keys(struct rg_builder *builder, struct rg_level *level, uint64_t group)
{
    const struct rg_program *program = &builder->program;
    const uint64_t upto = group & rg_dimensions_upto((int)level->dimension);
    uint64_t seen = 0;
    level->keys = rg_arena_array(&builder->arena, program->count, sizeof *level->keys);
    for (uint32_t i = 0; level->keys && i < program->count; i++) {
        const uint64_t dimensions = program->registers[i].dimensions;
        if ((dimensions & upto) != 0 && (dimensions & ~upto) == 0 && builder->last_use[i] > (int)level->dimension) {
            level->keys[level->key_count++] = i;
            seen |= program->registers[i].op <= RG_REGISTER_CHOICE ? dimensions : 0;
        }
    }
    level->memo.used = !level->last && seen != upto;
    return level->keys != NULL;
}

static bool add_wholes(struct rg_builder *builder, struct rg_level *level)
{
    const struct rg_program *program = &builder->program;
    level->wholes = rg_arena_array(&builder->arena, program->whole_count, sizeof(struct rg_whole *));
    for (size_t i = 0; level->wholes && i < program->whole_count; i++) {
        if (rg_dimensions_level(program->wholes[i].dimensions) == (int)level->dimension) {
            level->wholes[level->whole_count++] = &program->wholes[i];
        }
    }
    return level->wholes != NULL;
}

static bool add_numbers(struct rg_builder *builder, struct rg_level *level)
{
    const struct rg_dimension *facts = level->facts;
    const bool integers = facts->type == RIDGE_INT || facts->type == RIDGE_BOOL;
    level->numbers = rg_arena_array(&builder->arena, facts->count, sizeof *level->numbers);
    if (!level->numbers) {
        return false;
    }
    for (size_t i = 0; i < facts->count; i++) {
        level->numbers[i] = integers ? rg_value_as_integer(facts->values[i]) : (int64_t)i;
    }
    level->column = facts->count <= RG_COLUMN ? level->numbers : make_column(builder, level);
    return level->column != NULL;
}

bool rg_levels_init(struct rg_builder *builder, uint64_t group)
{
    builder->level_count = 0;
    builder->levels = rg_arena_array(&builder->arena, (size_t)__builtin_popcountll(group), sizeof *builder->levels);
    if (!builder->levels) {
        return false;
    }
    for (uint64_t rest = group; rest != 0; rest &= rest - 1) {
        struct rg_level *level = &builder->levels[builder->level_count++];
        level->dimension = (unsigned)__builtin_ctzll(rest);
        level->last = (rest & (rest - 1)) == 0;
        level->facts = &builder->space->spec->dimensions[level->dimension];
        if (!add_numbers(builder, level) || !add_steps(builder, level) || !add_keys(builder, level, group) ||
            !add_wholes(builder, level)) {
            return false;
        }
    }
    return true;
}

void rg_levels_fini(struct rg_builder *builder)
{
    const struct ridge_context *context = builder->space->context;
    for (size_t i = 0; i < builder->level_count; i++) {
        struct rg_level *level = &builder->levels[i];
        struct rg_memo *memo = &level->memo;
        rg_free(context, memo->keys, memo->capacity * (level->key_count ? level->key_count * sizeof *memo->keys : 1));
        rg_free(context, memo->nodes, memo->capacity * sizeof *memo->nodes);
        rg_free(context, level->edge_choices, level->edge_choice_capacity * sizeof *level->edge_choices);
        rg_free(context, level->edge_children, level->edge_child_capacity * sizeof *level->edge_children);
    }
    builder->level_count = 0;
}
