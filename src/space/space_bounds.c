/* SPDX-License-Identifier: MIT */
/** \file What a condition allows while some of its dimensions have no value yet. */
#include "space/space_program.h"

static uint32_t bound(struct rg_program *program, uint32_t of, int level, bool upper);

static bool known(const struct rg_program *program, uint32_t of, int level)
{
    return (program->registers[of].dimensions & ~rg_dimensions_upto(level)) == 0;
}

static uint32_t static_bound(struct rg_program *program, uint32_t of, bool upper)
{
    return rg_program_constant(program, upper ? program->registers[of].high : program->registers[of].low);
}

static uint32_t bound_operation(struct rg_program *program, const struct rg_register *of, int level, bool upper)
{
    const int64_t low_left = program->registers[of->left].low;
    const int64_t low_right = program->registers[of->right].low;
    switch ((unsigned)of->op) {
    case RG_REGISTER_ADD:
    case RG_REGISTER_MIN:
    case RG_REGISTER_MAX:
        return rg_program_make(program, of->op, bound(program, of->left, level, upper),
                               bound(program, of->right, level, upper));
    case RG_REGISTER_MULTIPLY:
        if (low_left >= 0 && low_right >= 0) {
            return rg_program_make(program, of->op, bound(program, of->left, level, upper),
                                   bound(program, of->right, level, upper));
        }
        return RG_NO_REGISTER;
    case RG_REGISTER_SUBTRACT:
        return rg_program_make(program, of->op, bound(program, of->left, level, upper),
                               bound(program, of->right, level, !upper));
    case RG_REGISTER_DIVIDE:
    case RG_REGISTER_FLOOR_DIVIDE:
        if (low_left >= 0) {
            return rg_program_make(program, of->op, bound(program, of->left, level, upper),
                                   bound(program, of->right, level, !upper));
        }
        return RG_NO_REGISTER;
    default: return RG_NO_REGISTER;
    }
}

/** \return a register known at `level` that is never above (`upper`: below) the given one. Recursion: RG_EXPR_MAX_HEIGHT. */
static uint32_t bound(struct rg_program *program, uint32_t of, int level, bool upper)
{
    if (known(program, of, level)) {
        return of;
    }
    const struct rg_register operation = program->registers[of];
    const bool leaf = operation.op <= RG_REGISTER_CHOICE;
    const uint32_t better = leaf ? RG_NO_REGISTER : bound_operation(program, &operation, level, upper);
    return better != RG_NO_REGISTER ? better : static_bound(program, of, upper);
}

/** \return the product of the factors that are known at `level`. */
static uint32_t known_factor(struct rg_program *program, uint32_t of, int level)
{
    if (known(program, of, level)) {
        return of;
    }
    const struct rg_register operation = program->registers[of];
    if (operation.op != RG_REGISTER_MULTIPLY || program->registers[operation.left].low <= 0 ||
        program->registers[operation.right].low <= 0) {
        return rg_program_constant(program, 1);
    }
    return rg_program_make(program, RG_REGISTER_MULTIPLY, known_factor(program, operation.left, level),
                           known_factor(program, operation.right, level));
}

/** rest == 0, the dividend known: every known factor of the divisor divides it. */
static uint32_t possible_divisor(struct rg_program *program, const struct rg_register *equal, int level)
{
    const struct rg_register rest = program->registers[equal->left];
    const struct rg_register zero = program->registers[equal->right];
    const bool fits = (rest.op == RG_REGISTER_MODULO || rest.op == RG_REGISTER_REMAINDER) && zero.low == 0 &&
                      zero.high == 0 && known(program, rest.left, level);
    if (!fits) {
        return rg_program_constant(program, 1);
    }
    const uint32_t factor = known_factor(program, rest.right, level);
    return rg_program_make(program, RG_REGISTER_EQUAL, rg_program_make(program, rest.op, rest.left, factor),
                           equal->right);
}

static uint32_t possible_order(struct rg_program *program, rg_register_op op, uint32_t left, uint32_t right, int level)
{
    return rg_program_make(program, op, bound(program, left, level, false), bound(program, right, level, true));
}

static uint32_t possible_equal(struct rg_program *program, const struct rg_register *equal, int level)
{
    const uint32_t divides = possible_divisor(program, equal, level);
    const uint32_t below = possible_order(program, RG_REGISTER_LESS_EQUAL, equal->left, equal->right, level);
    const uint32_t above = possible_order(program, RG_REGISTER_LESS_EQUAL, equal->right, equal->left, level);
    return rg_program_make(program, RG_REGISTER_AND, divides, rg_program_make(program, RG_REGISTER_AND, below, above));
}

uint32_t rg_program_possible(struct rg_program *program, uint32_t truth, int level)
{
    if (known(program, truth, level)) {
        return truth;
    }
    const struct rg_register wanted = program->registers[truth];
    switch ((unsigned)wanted.op) {
    case RG_REGISTER_AND:
    case RG_REGISTER_OR:
        return rg_program_make(program, wanted.op, rg_program_possible(program, wanted.left, level),
                               rg_program_possible(program, wanted.right, level));
    case RG_REGISTER_LESS:
    case RG_REGISTER_LESS_EQUAL: return possible_order(program, wanted.op, wanted.left, wanted.right, level);
    case RG_REGISTER_EQUAL: return possible_equal(program, &wanted, level);
    default: return rg_program_constant(program, 1);
    }
}
