/* SPDX-License-Identifier: MIT */
/**
 * \file Constraints taken apart: a table of registers, each an operation on 64-bit integers whose operands are earlier
 * registers. Equal operations are one register. A register is known as soon as the highest dimension that it depends on
 * has its value; that dimension is its level. Only operations that can neither overflow nor divide by zero for any
 * values of the dimensions become registers, so that a register always has a value and and/or need no short circuit.
 * What cannot be taken apart is kept whole and evaluated as bytecode. Thread rule: one thread while it is made.
 */
#ifndef RG_SPACE_SPACE_PROGRAM_H
#define RG_SPACE_SPACE_PROGRAM_H

#include "expr/expr_node.h"
#include "space/space.h"

enum {
    RG_MAX_GUARDS = 16,
    RG_MAX_REGISTERS = 8192, /**< of one space; what does not fit is evaluated whole */
    RG_NO_LEVEL = -1
};

static const uint32_t RG_NO_REGISTER = UINT32_MAX;

/** Operations. The comparisons give 0 or 1; AND and OR take 0 or 1. */
typedef enum rg_register_op {
    RG_REGISTER_CONSTANT,
    RG_REGISTER_VARIABLE, /**< value of a dimension of integers or booleans */
    RG_REGISTER_CHOICE,   /**< value index of any other dimension: only a key, never an operand */
    RG_REGISTER_ADD,
    RG_REGISTER_SUBTRACT,
    RG_REGISTER_MULTIPLY,
    RG_REGISTER_DIVIDE,       /**< truncating, by a positive divisor */
    RG_REGISTER_FLOOR_DIVIDE, /**< by a positive divisor */
    RG_REGISTER_REMAINDER,    /**< of DIVIDE */
    RG_REGISTER_MODULO,       /**< of FLOOR_DIVIDE */
    RG_REGISTER_MIN,
    RG_REGISTER_MAX,
    RG_REGISTER_EQUAL,
    RG_REGISTER_NOT_EQUAL,
    RG_REGISTER_LESS,
    RG_REGISTER_LESS_EQUAL,
    RG_REGISTER_AND,
    RG_REGISTER_OR
} rg_register_op;

struct rg_register {
    rg_register_op op;
    uint32_t left; /**< operands; RG_REGISTER_VARIABLE, RG_REGISTER_CHOICE: `left` is the dimension */
    uint32_t right;
    int64_t low; /**< the range of its values; of a constant both are the constant */
    int64_t high;
    uint64_t dimensions; /**< a bit each dimension that it depends on */
};

/** A constraint that is evaluated as bytecode. */
struct rg_whole {
    unsigned constraint;
    bool where_it_faults; /**< passes where it cannot be evaluated, and only there */
    uint64_t dimensions;
};

struct rg_program {
    const struct ridge_spec *spec;
    struct rg_arena arena;         /**< everything here */
    struct rg_register *registers; /**< the first ones are the dimensions, in order */
    uint32_t count;
    uint32_t *table;  /**< open addressing by content: register + 1, or 0 */
    uint32_t *checks; /**< registers that must not be 0, without repeats */
    size_t check_count;
    uint64_t *ties; /**< dimensions that stand in one check or whole constraint; one an entry */
    size_t tie_count;
    struct rg_whole *wholes;
    size_t whole_count;
    /**
     * Registers that are not 0 wherever the part at hand is evaluated at all, as in `x == 0 or n % x == 0`; only while a
     * constraint is translated.
     */
    uint32_t guards[RG_MAX_GUARDS];
    size_t guard_count;
    bool never;  /**< a constraint is never satisfied */
    bool failed; /**< memory ran out */
};

/** Which constraints. */
struct rg_program_options {
    size_t constraints;   /**< only the first so many */
    long where_it_faults; /**< this one passes only where it cannot be evaluated; RG_NO_CONSTRAINT: none */
};

enum {
    RG_NO_CONSTRAINT = -1
};

/** Take the constraints of a spec apart. \return false: no memory. rg_program_fini either way. */
bool rg_program_init(struct rg_program *program, const struct ridge_spec *spec,
                     const struct rg_program_options *options);
void rg_program_fini(struct rg_program *program);

/* Making registers. RG_NO_REGISTER as an operand gives RG_NO_REGISTER. */

uint32_t rg_program_constant(struct rg_program *program, int64_t value);
/** An operation, folded where its range is one value. \return RG_NO_REGISTER when it could fault or nothing more fits. */
uint32_t rg_program_make(struct rg_program *program, rg_register_op op, uint32_t left, uint32_t right);

/** Require a register to be true, and what follows from it for each of its dimensions but the last. */
void rg_program_require(struct rg_program *program, uint32_t truth);

/**
 * \return a register that depends only on dimensions up to `level` and is true wherever `truth` can still become true:
 *         by bounds of sums, products and quotients, and by the known factors of a divisor.
 */
uint32_t rg_program_possible(struct rg_program *program, uint32_t truth, int level);

/** Take one constraint apart, from its checked tree. \return false: a part of it must be evaluated whole. */
bool rg_program_translate(struct rg_program *program, const struct rg_node *root);

/** \return the dimensions up to and with `level`, as bits. */
static inline uint64_t rg_dimensions_upto(int level)
{
    return level < 0 ? 0 : UINT64_MAX >> (63 - level);
}

/** \return the level of a set of dimensions: the highest, RG_NO_LEVEL of none. */
static inline int rg_dimensions_level(uint64_t dimensions)
{
    return dimensions ? 63 - __builtin_clzll(dimensions) : RG_NO_LEVEL;
}

#endif
