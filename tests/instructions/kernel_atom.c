/* SPDX-License-Identifier: MIT */
/** \file Atomic operations: each thread at a place of its own, over edges; then the threads of a block at one place, where
 * the lanes come one after another (that is the engine's order; PTX leaves it open). */
#include <string.h>

#include "kernel.h"

enum {
    MOST_THREADS = 8192,
    BLOCK = 256,
    CROSSED = 6144,
    RANDOM = 512
};

enum column {
    MEMORY,
    B,
    C,
    GUARD,
    RESULT,
    COLUMNS
};

static u64 cells[COLUMNS * MOST_THREADS];
static u64 start[COLUMNS * MOST_THREADS];

struct atom {
    const struct spelling *spelling;
    define_fn define;
    bool shared;
    bool same; /* all threads of a block at one place */
    size_t threads;
};

static u64 *column(u64 *all, const struct atom *atom, enum column which)
{
    return all + which * atom->threads;
}

static void choose_values(struct atom *atom)
{
    const struct type type = last_type(atom->spelling);
    u64 edges[MOST_EDGES];
    const size_t sources = has(atom->spelling, "cas") ? 3 : 2;
    size_t count = edges_of(type, false, edges);
    while ((sources == 3 ? count * count * count : count * count) > CROSSED) {
        count--;
    }
    const size_t crossed = sources == 3 ? count * count * count : count * count;
    atom->threads = (crossed + RANDOM + BLOCK - 1) / BLOCK * BLOCK;
    for (size_t t = 0; t < atom->threads; t++) {
        size_t rest = t;
        for (enum column c = MEMORY; c <= C; c++) {
            column(start, atom, c)[t] = t < crossed ? edges[rest % count] : random_of(type, false);
            rest /= count;
        }
        column(start, atom, GUARD)[t] = t / 32 % 3 == 0 || (random_bits() & 3);
        column(start, atom, RESULT)[t] = random_bits();
    }
}

static void write_kernel(struct text *text, const struct atom *atom)
{
    const struct spelling *s = atom->spelling;
    const unsigned bits = last_type(s).bits;
    const bool returns = is(s, "atom");
    const bool generic = !has(s, "global") && !has(s, "shared") && !has(s, "shared::cta");
    const size_t step = atom->threads * 8;
    text_begin(text, "", ".reg .pred %g;\n.reg .b32 %x, %mine;\n.reg .b64 %m, %own;\n.shared .align 16 .b8 s[2048];\n");
    text_add(
        text,
        ".reg .b%u %%d, %%b, %%c, %%v;\nld.u32 %%x, [%%at+%zu];\nsetp.ne.u32 %%g, %%x, 0;\nld.b%u %%b, [%%at+%zu];\n"
        "ld.b%u %%c, [%%at+%zu];\nld.b%u %%d, [%%at+%zu];\nmov.u32 %%mine, %%tid.x;\n",
        bits, GUARD * step, bits, B * step, bits, C * step, bits, RESULT * step);
    if (atom->shared) { /* its own place in shared memory, filled and copied back */
        text_add(text,
                 "mul.wide.u32 %%m, %%mine, 8;\nmov.u64 %%own, s;\nadd.u64 %%own, %%own, %%m;\nld.b%u %%v, [%%at];\n"
                 "st.shared.b%u [%%own], %%v;\nbar.sync 0;\nmov.u64 %%m, %s;\n%s",
                 bits, bits, atom->same ? "s" : "%own", generic ? "cvta.shared.u64 %m, %m;\n" : "");
    } else if (atom->same) {
        text_add(text, "mul.wide.u32 %%m, %%mine, 8;\nsub.u64 %%m, %%at, %%m;\n");
    } else {
        text_add(text, "mov.u64 %%m, %%at;\n");
    }
    text_add(text, "@%%g %s %s[%%m], %%b%s%s;\n", s->text, returns ? "%d, " : "", has(s, "cas") ? ", %c" : "",
             has(s, "L2::cache_hint") ? ", %base" : "");
    if (atom->shared) {
        text_add(text, "bar.sync 0;\nld.shared.b%u %%v, [%%own];\nst.b%u [%%at], %%v;\n", bits, bits);
    }
    text_add(text, "st.b%u [%%at+%zu], %%d;\n", bits, RESULT * step);
    text_end(text);
}

/** Walk over the threads in their order, keeping what memory should hold. */
static unsigned compare(const struct atom *atom)
{
    static u64 memory[MOST_THREADS];
    const struct type type = last_type(atom->spelling);
    const bool returns = is(atom->spelling, "atom");
    unsigned wrong = 0;
    memcpy(memory, column(start, atom, MEMORY), atom->threads * 8);
    for (size_t t = 0; t < atom->threads; t++) {
        const size_t place = atom->same ? t / BLOCK * BLOCK : t;
        const bool on = column(start, atom, GUARD)[t];
        const u64 b = cut(column(start, atom, B)[t], type.bits);
        const u64 c = cut(column(start, atom, C)[t], type.bits);
        const u64 old = cut(memory[place], type.bits);
        const u64 in[MOST_SOURCES] = {old, b, c, !atom->shared};
        struct outcome wanted = {0};
        const u64 result = on && returns ? old : column(start, atom, RESULT)[t];
        if (on) {
            atom->define(atom->spelling, in, &wanted);
            memory[place] = wanted.value;
        }
        const u64 got = column(cells, atom, RESULT)[t];
        if (!same_value(type, got, result)) {
            wrong +=
                report(atom->spelling, "returns %llx, not %llx", (unsigned long long)got, (unsigned long long)result);
        }
    }
    for (size_t t = 0; t < atom->threads; t++) {
        const u64 got = column(cells, atom, MEMORY)[t];
        if (!same_value(type, got, memory[t])) {
            wrong += report(
                atom->spelling, "%s%s: of %llx, %llx, %llx came %llx, not %llx", atom->shared ? "shared" : "global",
                atom->same ? ", all at one place" : "", (unsigned long long)column(start, atom, MEMORY)[t],
                (unsigned long long)column(start, atom, B)[t], (unsigned long long)column(start, atom, C)[t],
                (unsigned long long)got, (unsigned long long)memory[t]);
        }
    }
    return wrong;
}

static unsigned run_atom(struct atom *atom)
{
    static struct text text;
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    const size_t bytes = COLUMNS * atom->threads * 8;
    unsigned wrong = 0;
    write_kernel(&text, atom);
    for (size_t i = 0; i < count; i++) {
        memcpy(cells, start, bytes);
        const struct launch request = {.text = text.bytes,
                                       .grid = atom->threads / BLOCK,
                                       .block = BLOCK,
                                       .bytes = cells,
                                       .size = bytes,
                                       .table = &tables[i]};
        wrong += launch(&request) ? compare(atom) : report(atom->spelling, "did not run");
    }
    return wrong;
}

unsigned check_atom(const struct row *row, const struct spelling *spelling)
{
    const bool global = has(spelling, "global");
    const bool shared = has(spelling, "shared") || has(spelling, "shared::cta");
    unsigned wrong = 0;
    for (unsigned way = 0; way < 4; way++) {
        struct atom atom = {spelling, row->define, way & 1, way >> 1, 0};
        if (atom.shared ? global : shared) {
            continue;
        }
        choose_values(&atom);
        wrong += run_atom(&atom);
    }
    return wrong;
}

/** What memory holds after an operation: in: what it held, b, c, and whether it is global memory. Global memory flushes
 * subnormal numbers of f32. Source: PTX ISA, "atom". */
DEFINE(atom)
{
    const struct type type = last_type(spelling);
    const u64 old = in[0];
    const u64 b = in[1];
    if (has(spelling, "add") && type.kind == 'f') {
        const unsigned width = type.bits / type.parts;
        const bool flushes = type.bits == 32 && type.parts == 1 && in[3];
        for (unsigned part = 0; part < type.parts; part++) {
            struct real x = real_of_bits(type.format, cut(old >> (width * part), width));
            struct real y = real_of_bits(type.format, cut(b >> (width * part), width));
            x = flushes ? real_flushed(type.format, x) : x;
            y = flushes ? real_flushed(type.format, y) : y;
            struct real sum = real_add(x, y, NEAREST);
            sum = flushes ? real_flushed(type.format, sum) : sum;
            out->value |= real_round(type.format, sum, NEAREST) << (width * part);
        }
        return;
    }
    const bool less = number_of(type, b) < number_of(type, old);
    out->value = has(spelling, "add")           ? old + b
                 : has(spelling, "and")         ? old & b
                 : has(spelling, "or")          ? old | b
                 : has(spelling, "xor")         ? old ^ b
                 : has(spelling, "exch")        ? b
                 : has(spelling, "cas")         ? (old == b ? in[2] : old)
                 : has(spelling, "inc")         ? (old >= b ? 0 : old + 1)
                 : has(spelling, "dec")         ? (old == 0 || old > b ? b : old - 1)
                 : less == has(spelling, "min") ? b
                                                : old;
    out->value = cut(out->value, type.bits);
}
