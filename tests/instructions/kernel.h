/* SPDX-License-Identifier: MIT */
/** \file Running a generated kernel on each width of lanes, and what its values are. */
#ifndef KERNEL_H
#define KERNEL_H

#include "instruction.h"

/** A text that grows; static storage, one at a time. */
struct text {
    char bytes[1 << 16];
    size_t at;
};
void text_begin(struct text *text, const char *parameters, const char *registers);
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_end(struct text *text); /**< the kernel returns */

struct launch {
    const char *text;
    u64 grid;
    u64 block;
    void *bytes; /**< of the buffer, the first parameter */
    u64 size;
    const void *scalar; /**< of a second parameter; NULL: none */
    u64 scalar_size;
    bool wants_finding; /**< it must be one */
    const struct lane_table *table;
};
/** \return false, with the reason printed, when the text is refused or something is found. */
bool launch(const struct launch *launch);

/** Print a difference, the first few of a spelling only; \return 1. */
unsigned report(const struct spelling *spelling, const char *format, ...) __attribute__((format(printf, 2, 3)));

u64 random_bits(void);
unsigned register_bits(struct type type); /**< of the register that holds it */

enum {
    MOST_EDGES = 96
};
/** Values at which an operand of a type turns, in order of importance; \return how many. */
unsigned edges_of(struct type type, bool count, u64 edges[MOST_EDGES]);
u64 random_of(struct type type, bool count);

/** Whether values of a type, or each of a pair, are alike; any NaN is like any other. */
bool same_value(struct type type, u64 got, u64 wanted);

/** A literal of a type as PTX writes it; false: it has none. */
bool write_literal(struct type type, u64 bits, char *text, size_t size);

#endif
