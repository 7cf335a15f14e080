/* SPDX-License-Identifier: MIT */
#include "space/space_program.h"

#include <string.h>

#include "base/checked.h"
#include "expr/expr_arithmetic.h"
#include "expr/expr_compile.h"

__extension__ typedef __int128 wide;

enum {
    TABLE_SIZE = 2 * RG_MAX_REGISTERS
};

struct range {
    wide low;
    wide high;
};

static wide wide_min(wide a, wide b)
{
    return a < b ? a : b;
}

static wide wide_max(wide a, wide b)
{
    return a > b ? a : b;
}

/** \return the range of a function at the ends of both ranges, where its extremes are. */
static struct range corner_range(const struct rg_register *a, const struct rg_register *b, wide (*apply)(wide, wide))
{
    const wide corners[4] = {apply(a->low, b->low), apply(a->low, b->high), apply(a->high, b->low),
                             apply(a->high, b->high)};
    return (struct range){wide_min(wide_min(corners[0], corners[1]), wide_min(corners[2], corners[3])),
                          wide_max(wide_max(corners[0], corners[1]), wide_max(corners[2], corners[3]))};
}

static wide product(wide a, wide b)
{
    return a * b;
}

static wide quotient(wide a, wide b)
{
    return a / b;
}

static wide floor_quotient(wide a, wide b)
{
    return a / b - (a % b < 0);
}

static struct range rest_range(rg_register_op op, const struct rg_register *a, const struct rg_register *b)
{
    const wide most = (wide)b->high - 1;
    if (a->low == a->high && b->low == b->high) {
        const wide rest = (wide)a->low % b->low;
        const wide exact = op == RG_REGISTER_MODULO && rest < 0 ? rest + b->low : rest;
        return (struct range){exact, exact};
    }
    if (a->low >= 0) {
        return (struct range){0, wide_min(a->high, most)};
    }
    return (struct range){op == RG_REGISTER_REMAINDER ? -most : 0, most};
}

/** 0 or 1 where the ranges decide, else both. */
static struct range truth_range(bool always, bool never)
{
    return (struct range){always ? 1 : 0, never ? 0 : 1};
}

/** \return the range of an operation. One that may fault has a range beyond 64 bits. */
static struct range operation_range(rg_register_op op, const struct rg_register *a, const struct rg_register *b)
{
    static const struct range faults = {(wide)INT64_MIN - 1, (wide)INT64_MAX + 1};
    const bool same = a->low == a->high && b->low == b->high && a->low == b->low;
    const bool apart = a->high < b->low || b->high < a->low;
    switch (op) {
    case RG_REGISTER_ADD: return (struct range){(wide)a->low + b->low, (wide)a->high + b->high};
    case RG_REGISTER_SUBTRACT: return (struct range){(wide)a->low - b->high, (wide)a->high - b->low};
    case RG_REGISTER_MULTIPLY: return corner_range(a, b, product);
    case RG_REGISTER_DIVIDE: return b->low > 0 ? corner_range(a, b, quotient) : faults;
    case RG_REGISTER_FLOOR_DIVIDE: return b->low > 0 ? corner_range(a, b, floor_quotient) : faults;
    case RG_REGISTER_REMAINDER:
    case RG_REGISTER_MODULO: return b->low > 0 ? rest_range(op, a, b) : faults;
    case RG_REGISTER_MIN: return (struct range){wide_min(a->low, b->low), wide_min(a->high, b->high)};
    case RG_REGISTER_MAX: return (struct range){wide_max(a->low, b->low), wide_max(a->high, b->high)};
    case RG_REGISTER_EQUAL: return truth_range(same, apart);
    case RG_REGISTER_NOT_EQUAL: return truth_range(apart, same);
    case RG_REGISTER_LESS: return truth_range(a->high < b->low, a->low >= b->high);
    case RG_REGISTER_LESS_EQUAL: return truth_range(a->high <= b->low, a->low > b->high);
    case RG_REGISTER_AND: return (struct range){wide_min(a->low, b->low), wide_min(a->high, b->high)};
    case RG_REGISTER_OR: return (struct range){wide_max(a->low, b->low), wide_max(a->high, b->high)};
    case RG_REGISTER_CONSTANT:
    case RG_REGISTER_VARIABLE:
    case RG_REGISTER_CHOICE: break;
    }
    return faults;
}

static uint64_t spread(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static bool same_register(const struct rg_register *a, const struct rg_register *b)
{
    return a->op == b->op && a->left == b->left && a->right == b->right &&
           (a->op != RG_REGISTER_CONSTANT || a->low == b->low);
}

/** \return the register with that content, made when there is none. */
static uint32_t intern(struct rg_program *program, struct rg_register wanted)
{
    const uint64_t constant = wanted.op == RG_REGISTER_CONSTANT ? (uint64_t)wanted.low : 0;
    uint64_t hash = spread(spread(wanted.op, wanted.left), wanted.right);
    size_t at = (size_t)(spread(hash, constant) % TABLE_SIZE);
    while (program->table[at] != 0) {
        const uint32_t found = program->table[at] - 1;
        if (same_register(&program->registers[found], &wanted)) {
            return found;
        }
        at = (at + 1) % TABLE_SIZE;
    }
    if (program->count == RG_MAX_REGISTERS) {
        return RG_NO_REGISTER;
    }
    program->registers[program->count] = wanted;
    program->table[at] = program->count + 1;
    return program->count++;
}

uint32_t rg_program_constant(struct rg_program *program, int64_t value)
{
    return intern(program, (struct rg_register){.op = RG_REGISTER_CONSTANT, .low = value, .high = value});
}

/** The registers of the dimensions come first, so that each has the number of its dimension. */
static void add_dimension(struct rg_program *program, unsigned dimension)
{
    const struct rg_dimension *facts = &program->spec->dimensions[dimension];
    struct rg_register made = {.op = RG_REGISTER_CHOICE,
                               .left = dimension,
                               .high = (int64_t)facts->count - 1,
                               .dimensions = UINT64_C(1) << dimension};
    if (facts->type == RIDGE_INT || facts->type == RIDGE_BOOL) {
        made.op = RG_REGISTER_VARIABLE;
        made.low = rg_value_as_integer(facts->values[0]);
        made.high = made.low;
        for (size_t i = 1; i < facts->count; i++) {
            const int64_t value = rg_value_as_integer(facts->values[i]);
            made.low = value < made.low ? value : made.low;
            made.high = value > made.high ? value : made.high;
        }
    }
    (void)intern(program, made);
}

uint32_t rg_program_make(struct rg_program *program, rg_register_op op, uint32_t left, uint32_t right)
{
    if (left == RG_NO_REGISTER || right == RG_NO_REGISTER) {
        return RG_NO_REGISTER;
    }
    const struct rg_register *a = &program->registers[left];
    const struct rg_register *b = &program->registers[right];
    const struct range range = operation_range(op, a, b);
    if (range.low < INT64_MIN || range.high > INT64_MAX) {
        return RG_NO_REGISTER;
    }
    if (range.low == range.high) {
        return rg_program_constant(program, (int64_t)range.low);
    }
    const bool neutral_left = (op == RG_REGISTER_MULTIPLY && a->low == 1 && a->high == 1) ||
                              (op == RG_REGISTER_AND && a->low == 1) || (op == RG_REGISTER_OR && a->high == 0) ||
                              (op == RG_REGISTER_ADD && a->low == 0 && a->high == 0);
    if (neutral_left) {
        return right;
    }
    const bool neutral_right = (op == RG_REGISTER_MULTIPLY && b->low == 1 && b->high == 1) ||
                               (op == RG_REGISTER_AND && b->low == 1) || (op == RG_REGISTER_OR && b->high == 0);
    if (neutral_right) {
        return left;
    }
    return intern(program, (struct rg_register){.op = op,
                                                .left = left,
                                                .right = right,
                                                .low = (int64_t)range.low,
                                                .high = (int64_t)range.high,
                                                .dimensions = a->dimensions | b->dimensions});
}

/** \return false when it was one already. So there are at most as many checks, and ties, as registers. */
static bool add_check(struct rg_program *program, uint32_t truth)
{
    for (size_t i = 0; i < program->check_count; i++) {
        if (program->checks[i] == truth) {
            return false;
        }
    }
    program->checks[program->check_count++] = truth;
    return true;
}

void rg_program_require(struct rg_program *program, uint32_t truth)
{
    const struct rg_register wanted = program->registers[truth];
    if (wanted.op == RG_REGISTER_CONSTANT) {
        program->never = program->never || wanted.low == 0;
        return;
    }
    for (int level = 0; level < rg_dimensions_level(wanted.dimensions); level++) {
        if (!(wanted.dimensions & (UINT64_C(1) << level))) {
            continue;
        }
        const uint32_t possible = rg_program_possible(program, truth, level);
        if (possible == RG_NO_REGISTER) {
            continue;
        }
        if (program->registers[possible].op != RG_REGISTER_CONSTANT) {
            (void)add_check(program, possible);
        } else if (program->registers[possible].low == 0) {
            program->never = true;
        }
    }
    if (add_check(program, truth)) {
        program->ties[program->tie_count++] = wanted.dimensions;
    }
}

static uint64_t slots_of(const struct rg_expr *expr)
{
    size_t count = 0;
    const unsigned *slots = rg_expr_slots(expr, &count);
    uint64_t dimensions = 0;
    for (size_t i = 0; i < count; i++) {
        dimensions |= UINT64_C(1) << slots[i];
    }
    return dimensions;
}

/** Keep a constraint whole: it is known when all its dimensions are, and depends on nothing but them. */
static void add_whole(struct rg_program *program, unsigned constraint, bool where_it_faults)
{
    const uint64_t dimensions = slots_of(program->spec->constraints[constraint].expr);
    program->wholes[program->whole_count++] = (struct rg_whole){constraint, where_it_faults, dimensions};
    program->ties[program->tie_count++] = dimensions;
}

static void add_constraint(struct rg_program *program, unsigned constraint, bool where_it_faults)
{
    const struct ridge_spec *spec = program->spec;
    if (where_it_faults) {
        add_whole(program, constraint, true);
        return;
    }
    struct rg_arena scratch;
    rg_arena_init(&scratch, program->arena.context);
    const struct rg_node *root =
        rg_expr_tree(&scratch, spec->constraints[constraint].expr, spec->symbols, spec->symbol_count);
    program->failed = program->failed || !root;
    program->guard_count = 0;
    if (root && !rg_program_translate(program, root)) {
        add_whole(program, constraint, false);
    }
    rg_arena_fini(&scratch);
}

bool rg_program_init(struct rg_program *program, const struct ridge_spec *spec,
                     const struct rg_program_options *options)
{
    memset(program, 0, sizeof *program);
    program->spec = spec;
    struct rg_arena *arena = &program->arena;
    rg_arena_init(arena, spec->context);
    program->registers = rg_arena_array(arena, RG_MAX_REGISTERS, sizeof *program->registers);
    program->table = rg_arena_array(arena, TABLE_SIZE, sizeof *program->table);
    program->checks = rg_arena_array(arena, RG_MAX_REGISTERS, sizeof *program->checks);
    program->ties = rg_arena_array(arena, RG_MAX_REGISTERS + spec->constraint_count, sizeof *program->ties);
    program->wholes = rg_arena_array(arena, spec->constraint_count, sizeof *program->wholes);
    if (!program->registers || !program->table || !program->checks || !program->ties || !program->wholes) {
        return false;
    }
    for (unsigned i = 0; i < spec->dimension_count; i++) {
        add_dimension(program, i);
    }
    for (size_t i = 0; i < options->constraints && !program->failed; i++) {
        add_constraint(program, (unsigned)i, (long)i == options->where_it_faults);
    }
    return !program->failed;
}

void rg_program_fini(struct rg_program *program)
{
    rg_arena_fini(&program->arena);
}
