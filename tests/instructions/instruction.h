/* SPDX-License-Identifier: MIT */
/**
 * \file The test of every instruction: spellings are made from the forms that the engine accepts (src/engine/ptx_form_list.c),
 * each is claimed by a row of one table (rows.c), and a row says what the instruction means in plain C. Definitions are
 * written from the PTX ISA's text and call nothing of the engine: floats are exact numbers, rounded once (real.c).
 */
#ifndef INSTRUCTION_H
#define INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/ptx_form.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

enum {
    MOST_WORDS = 16,
    MOST_SOURCES = 4,
    MOST_TYPES = 4
};

/** A binary floating-point format. */
struct format {
    unsigned exponent_bits;
    unsigned fraction_bits;
    unsigned unused_bits; /**< zeros below: tf32 in a register of 32 bits */
};

struct type {
    char kind; /**< 'u' 's' 'b' 'f', 'p' a predicate */
    unsigned bits;
    unsigned parts; /**< 2: a pair of halves */
    struct format format;
};

/** An instruction as it is written, without its operands. */
struct spelling {
    const char *opcode;
    char words[MOST_WORDS][32];
    unsigned word_count;
    char text[160];
    struct type types[MOST_TYPES];
    unsigned type_count;
};

bool is(const struct spelling *spelling, const char *opcode);
bool has(const struct spelling *spelling, const char *word);
struct type type_of(const char *word); /**< kind 0: no type */
struct type last_type(const struct spelling *spelling);

/** Call `visit` for every spelling of the engine's forms; words that change nothing come once each. */
void each_spelling(void (*visit)(const struct spelling *spelling, void *user), void *user);

/* Exact numbers (real.c): mantissa * 2^exponent; bit 0 stands for all that is below it. */
enum real_kind {
    REAL_ZERO,
    REAL_FINITE,
    REAL_INFINITE,
    REAL_NAN
};

struct real {
    enum real_kind kind;
    bool negative;
    int exponent;
    u128 mantissa;
};

/** How to round: nearest even, zero, down, up, nearest with ties away. */
enum rounding {
    NEAREST,
    ZERO,
    DOWN,
    UP,
    AWAY
};

struct real real_of_bits(struct format format, u64 bits);
struct real real_of_integer(bool negative, u64 magnitude);
u64 real_round(struct format format, struct real x, enum rounding rounding);
struct real real_negated(struct real x);
struct real real_add(struct real a, struct real b, enum rounding rounding);
struct real real_multiply(struct real a, struct real b);
struct real real_divide(struct real a, struct real b);
struct real real_square_root(struct real a);
int real_compare(struct real a, struct real b); /**< -1, 0, 1; neither is NaN */
/** Round to a whole number of up to 66 bits; \return its magnitude, 2^70 where it is larger. */
s128 real_whole(struct real x, enum rounding rounding);
struct real real_flushed(struct format format, struct real x); /**< subnormal: zero of its sign */
bool is_nan(struct format format, u64 bits);
enum rounding rounding_of(const struct spelling *spelling);

/** What one thread's sources give. */
struct outcome {
    u64 value;
    u64 second; /**< of a second destination */
    u64 other;  /**< with `either`: a value that PTX allows as well */
    bool either;
};
typedef void (*define_fn)(const struct spelling *spelling, const u64 *in, struct outcome *out);
/** Whether a result is one that PTX allows, where it allows several. */
typedef bool (*approve_fn)(const struct spelling *spelling, const u64 *in, u64 got);

struct row;
typedef unsigned (*check_fn)(const struct row *row,
                             const struct spelling *spelling); /**< \return the differences found */

/**
 * A row: which spellings it is for, and what they mean. Operands: destination, then sources, with blanks between: T the
 * last type, A and B the first and second, W twice as wide as T, u32 and so on; n a count or position of 32 bits, p a
 * predicate, p? a predicate when the spelling joins one, c the carry of the thread, #N a literal from 0 to N - 1.
 */
struct row {
    const char *opcode;
    const char *words; /**< as of a form: every word of the spelling must have its place */
    const char *operands;
    define_fn define;
    approve_fn approve;
    check_fn check;
};
extern const struct row rows[];
extern const size_t row_count;

bool row_takes(const struct row *row, const struct spelling *spelling);

/** The widths of lanes that this machine runs: name and table, the portable one first. */
struct lane_table {
    const char *name;
    const void *lanes;
};
size_t lane_tables(struct lane_table tables[3]);

extern u64 seed;

/** Name the lane loops of the engine that nothing ran so far; \return how many. */
unsigned report_unreached(void);

/* Definitions (define_*.c). */
#define DEFINE(name)  void define_##name(const struct spelling *spelling, const u64 *in, struct outcome *out)
#define APPROVE(name) bool approve_##name(const struct spelling *spelling, const u64 *in, u64 got)
DEFINE(integer);
DEFINE(multiply);
DEFINE(multiply24);
DEFINE(divide);
DEFINE(logic);
DEFINE(shift);
DEFINE(funnel);
DEFINE(count);
DEFINE(field);
DEFINE(insert);
DEFINE(permute);
DEFINE(table);
DEFINE(dot);
DEFINE(distances);
DEFINE(compare);
DEFINE(set);
DEFINE(select);
DEFINE(copy);
DEFINE(float);
DEFINE(testp);
DEFINE(copysign);
DEFINE(carry);
DEFINE(convert);
DEFINE(convert_bytes);
DEFINE(atom);
DEFINE(three);
DEFINE(quarter);
DEFINE(third);
DEFINE(plus_seven);
DEFINE(even_plus_seven);
DEFINE(ended);
DEFINE(mirrored);
DEFINE(warp_mirrored);
DEFINE(produced);
DEFINE(counted);
DEFINE(all_any);
DEFINE(five);
DEFINE(spaces);
DEFINE(copied);
DEFINE(copied_whole);
DEFINE(copied_late);
APPROVE(near);

s128 number_of(struct type type, u64 bits); /**< an integer's value */
s128 clamped(struct type type, s128 x);     /**< to what an integer type holds */
u64 cut(u64 bits, unsigned width);          /**< to so many bits */

/* Ways to check (kernel_*.c). */
unsigned check_lanes(const struct row *row, const struct spelling *spelling);
unsigned check_move(const struct row *row, const struct spelling *spelling);
unsigned check_access(const struct row *row, const struct spelling *spelling);
unsigned check_atom(const struct row *row, const struct spelling *spelling);
unsigned check_warp(const struct row *row, const struct spelling *spelling);
unsigned check_text(const struct row *row, const struct spelling *spelling);
unsigned check_trap(const struct row *row, const struct spelling *spelling);
unsigned check_wmma(const struct row *row, const struct spelling *spelling);
unsigned check_wmma_move(const struct row *row, const struct spelling *spelling);
unsigned check_mma(const struct row *row, const struct spelling *spelling);
unsigned check_ldmatrix(const struct row *row, const struct spelling *spelling);

#endif
