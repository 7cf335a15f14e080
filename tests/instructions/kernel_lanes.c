/* SPDX-License-Identifier: MIT */
/**
 * \file Instructions that work lane by lane. Each thread has sources of its own; the kernel has the instruction several
 * times: plain, behind a predicate (a lane that is off keeps its old value), with its destination among its sources, and
 * with a literal for each source.
 */
#include <stdio.h>
#include <string.h>

#include "kernel.h"

enum {
    MOST_VARIANTS = 12,
    MOST_THREADS = 8192,
    BLOCK = 256,
    CROSSED = 4096, /* combinations of edges at most */
    JOINED = 640,   /* of comparisons that are joined: there are thousands of them */
    RANDOM = 1024,
    COLUMNS = MOST_SOURCES + 2 + MOST_VARIANTS
};

enum column {
    BITS = MOST_SOURCES,
    OLD = MOST_SOURCES + 1,
    RESULTS = MOST_SOURCES + 2
}; /* BITS: 1 guard, 4 old predicate */

struct operand {
    char what; /* 'r' a register, 'n' a count, 'p' a predicate, 'c' the carry, '#' a literal always */
    struct type type;
    u64 literals;
};

enum variant_kind {
    PLAIN,
    GUARDED,
    IN_PLACE,
    NEGATED,
    BOTH,
    WIDE_SOURCE,
    WIDE_TARGET,
    CARRY,
    CARRY_GUARDED,
    LITERAL_OF
};

struct variant {
    enum variant_kind kind;
    unsigned source; /* of LITERAL_OF */
    u64 literal;
};

struct kernel_case {
    const struct row *row;
    const struct spelling *spelling;
    struct operand operands[1 + MOST_SOURCES]; /* the destination first */
    unsigned sources;
    struct variant variants[MOST_VARIANTS];
    unsigned variant_count;
    u64 always; /* value of a '#' operand */
    size_t threads;
};

static u64 cells[COLUMNS * MOST_THREADS];
static u64 first_results[MOST_VARIANTS * MOST_THREADS];

static u64 *column(const struct kernel_case *one, unsigned index)
{
    return cells + index * one->threads;
}

static struct operand parse_operand(const char *token, const struct spelling *spelling)
{
    struct operand operand = {'r', last_type(spelling), 0};
    switch (token[0]) {
    case 'T': break;
    case 'A': operand.type = spelling->types[0]; break;
    case 'B': operand.type = spelling->types[1]; break;
    case 'W': operand.type.bits *= 2; break;
    case 'n': operand = (struct operand){'n', type_of("u32"), 0}; break;
    case 'p': operand = (struct operand){'p', type_of("pred"), 0}; break;
    case 'c': operand.what = 'c'; break;
    case '#':
        sscanf(token + 1, "%llu", (unsigned long long *)&operand.literals);
        operand.what = '#';
        break;
    default: operand.type = type_of(token); break;
    }
    operand.what = operand.what == 'r' && operand.type.kind == 'p' ? 'p' : operand.what;
    return operand;
}

static bool joins(const struct spelling *spelling)
{
    return has(spelling, "and") || has(spelling, "or") || has(spelling, "xor");
}

static void parse_operands(struct kernel_case *one)
{
    char tokens[64];
    snprintf(tokens, sizeof tokens, "%s", one->row->operands);
    unsigned count = 0;
    char *rest = NULL;
    for (char *token = strtok_r(tokens, " ", &rest); token; token = strtok_r(NULL, " ", &rest)) {
        if (strcmp(token, "p?") != 0 || joins(one->spelling)) {
            one->operands[count++] = parse_operand(token, one->spelling);
        }
    }
    one->sources = count - 1;
}

static void add_variant(struct kernel_case *one, enum variant_kind kind, unsigned source, u64 literal)
{
    one->variants[one->variant_count++] = (struct variant){kind, source, literal};
}

static void choose_variants(struct kernel_case *one)
{
    const struct operand *target = &one->operands[0];
    const struct operand *first = &one->operands[1];
    const bool converts = is(one->spelling, "cvt");
    const bool compares = is(one->spelling, "setp");
    add_variant(one, PLAIN, 0, 0);
    add_variant(one, GUARDED, 0, 0);
    if (first->what == 'r' && target->what == 'r' && register_bits(first->type) == register_bits(target->type)) {
        add_variant(one, IN_PLACE, 0, 0);
    }
    if (compares && (first->type.kind != 'f' || first->type.bits / first->type.parts > 16)) {
        add_variant(one, BOTH, 0, 0);
    }
    if (converts && first->type.kind != 'f' && first->type.kind != 'b' && first->type.bits < 64) {
        add_variant(one, WIDE_SOURCE, 0, 0);
    }
    if (converts && target->type.kind != 'f' && target->type.kind != 'b' && target->type.bits < 64) {
        add_variant(one, WIDE_TARGET, 0, 0);
    }
    for (unsigned i = 0; i < one->sources; i++) {
        const struct operand *operand = &one->operands[i + 1];
        u64 edges[MOST_EDGES];
        char literal[32];
        if (operand->what == 'p') {
            add_variant(one, NEGATED, i, 0);
        }
        if (operand->what == 'c') {
            add_variant(one, CARRY, 0, 0);
            add_variant(one, CARRY_GUARDED, 0, 0);
        }
        if (operand->what != 'r' && operand->what != 'n') {
            continue;
        }
        const u64 value = edges[random_bits() % edges_of(operand->type, operand->what == 'n', edges)];
        if (write_literal(operand->type, value, literal, sizeof literal)) {
            add_variant(one, LITERAL_OF, i, value);
        }
    }
}

/** Cross the edges of all sources; random values behind them. */
static void choose_values(struct kernel_case *one, size_t crossed_most)
{
    u64 edges[MOST_SOURCES][MOST_EDGES];
    size_t counts[MOST_SOURCES];
    size_t crossed = 1;
    for (unsigned i = 0; i < one->sources; i++) {
        const struct operand *operand = &one->operands[i + 1];
        counts[i] = operand->what == '#' ? 1
                    : operand->what == 'p' || operand->what == 'c'
                        ? 2
                        : edges_of(operand->type, operand->what == 'n', edges[i]);
    }
    for (bool shrank = true; shrank;) { /* shorten the longest list until they fit */
        unsigned longest = 0;
        crossed = 1;
        for (unsigned i = 0; i < one->sources; i++) {
            crossed *= counts[i];
            longest = counts[i] > counts[longest] ? i : longest;
        }
        shrank = crossed > crossed_most;
        counts[longest] -= shrank;
    }
    one->threads = (crossed + (crossed_most == CROSSED ? RANDOM : 64) + BLOCK - 1) / BLOCK * BLOCK;
    for (size_t t = 0; t < one->threads; t++) {
        size_t rest = t;
        for (unsigned i = 0; i < one->sources; i++) {
            const struct operand *operand = &one->operands[i + 1];
            const size_t at = rest % counts[i];
            rest /= counts[i];
            column(one, i)[t] = operand->what == 'p' || operand->what == 'c' ? (t < crossed ? at : random_bits() & 1)
                                : operand->what == '#'                       ? one->always
                                : t < crossed                                ? edges[i][at]
                                              : random_of(operand->type, operand->what == 'n');
            if (operand->type.bits < 64 && operand->what == 'r') {
                column(one, i)[t] |= random_bits() << operand->type.bits; /* what lies above the type does not matter */
            }
        }
        const bool whole_warp = t / 32 % 3 == 0;
        column(one, OLD)[t] = random_bits();
        column(one, BITS)[t] = (whole_warp ? 1 : random_bits() & 1) | (random_bits() & 4);
    }
}

static void add_source(struct text *text, const struct kernel_case *one, const struct variant *variant, unsigned i)
{
    const struct operand *operand = &one->operands[i + 1];
    char literal[32];
    if (operand->what == 'c') {
        return;
    }
    if (operand->what == '#') {
        text_add(text, ", %llu", (unsigned long long)one->always);
    } else if (variant->kind == LITERAL_OF && variant->source == i) {
        write_literal(operand->type, variant->literal, literal, sizeof literal);
        text_add(text, ", %s", literal);
    } else if (operand->what == 'p') {
        text_add(text, ", %s%%q%u", variant->kind == NEGATED && variant->source == i ? "!" : "", i);
    } else if (variant->kind == WIDE_SOURCE && i == 0) {
        text_add(text, ", %%wide");
    } else if (variant->kind == IN_PLACE && i == 0) {
        text_add(text, ", %%d");
    } else {
        text_add(text, ", %%s%u", i);
    }
}

static bool is_guarded(const struct variant *variant)
{
    return variant->kind == GUARDED || variant->kind == CARRY_GUARDED;
}

static void add_variant_text(struct text *text, const struct kernel_case *one, unsigned v)
{
    const struct variant *variant = &one->variants[v];
    const struct operand *target = &one->operands[0];
    const bool predicate = target->what == 'p';
    const unsigned bits = variant->kind == WIDE_TARGET ? 64 : register_bits(target->type);
    const size_t at = (RESULTS + v) * one->threads * 8;
    const char *name = predicate ? "%p" : variant->kind == WIDE_TARGET ? "%widest" : "%d";
    const bool pair = predicate && (variant->kind == BOTH || last_type(one->spelling).parts == 2);
    if (predicate) {
        text_add(text, "setp.ne.u32 %%p, %%old_bit, 0;\nsetp.ne.u32 %%r, %%old_bit, 0;\n");
    } else if (variant->kind == IN_PLACE) {
        text_add(text, "mov.b%u %%d, %%s0;\n", bits);
    } else {
        text_add(text, "ld.b%u %s, [%%at+%zu];\n", bits, name, OLD * one->threads * 8);
    }
    if (one->operands[one->sources].what == 'c') {
        text_add(text, "add.cc.u32 %%x, %%carry, -1;\n"); /* carries when %carry is 1 */
    }
    text_add(text, "%s%s %s%s", is_guarded(variant) ? "@%g " : "", one->spelling->text, name, pair ? "|%r" : "");
    for (unsigned i = 0; i < one->sources; i++) {
        add_source(text, one, variant, i);
    }
    text_add(text, ";\n");
    if (predicate) {
        text_add(text,
                 "selp.u32 %%x, 1, 0, %%p;\nselp.u32 %%y, 2, 0, %%r;\nor.b32 %%x, %%x, %%y;\nst.u32 [%%at+%zu], %%x;\n",
                 at);
    } else if (variant->kind == CARRY || variant->kind == CARRY_GUARDED) {
        text_add(text, "addc.u32 %%x, 0, 0;\nst.u32 [%%at+%zu], %%x;\n", at);
    } else {
        text_add(text, "st.b%u [%%at+%zu], %s;\n", bits, at, name);
    }
}

static void write_kernel(struct text *text, const struct kernel_case *one)
{
    text_begin(
        text, "",
        ".reg .pred %p, %r, %g, %q<4>;\n.reg .b32 %x, %y, %bits, %old_bit, %carry;\n.reg .b64 %wide, %widest;\n");
    if (one->operands[0].what != 'p') {
        text_add(text, ".reg .b%u %%d;\n", register_bits(one->operands[0].type));
    }
    text_add(
        text,
        "ld.u32 %%bits, [%%at+%zu];\nand.b32 %%x, %%bits, 1;\nsetp.ne.u32 %%g, %%x, 0;\nand.b32 %%old_bit, %%bits, 4;\n",
        BITS * one->threads * 8);
    for (unsigned i = 0; i < one->sources; i++) {
        const struct operand *operand = &one->operands[i + 1];
        const size_t at = i * one->threads * 8;
        if (operand->what == 'p') {
            text_add(text, "ld.u32 %%x, [%%at+%zu];\nsetp.ne.u32 %%q%u, %%x, 0;\n", at, i);
        } else if (operand->what == 'c') {
            text_add(text, "ld.u32 %%carry, [%%at+%zu];\n", at);
        } else if (operand->what != '#') {
            const unsigned bits = register_bits(operand->type);
            text_add(text, ".reg .b%u %%s%u;\nld.b%u %%s%u, [%%at+%zu];\n", bits, i, bits, i, at);
        }
    }
    text_add(text, "ld.b64 %%wide, [%%at];\n");
    for (unsigned v = 0; v < one->variant_count; v++) {
        add_variant_text(text, one, v);
    }
    text_end(text);
}

static void gather(const struct kernel_case *one, const struct variant *variant, size_t t, u64 in[MOST_SOURCES])
{
    for (unsigned i = 0; i < MOST_SOURCES; i++) {
        const struct operand *operand = &one->operands[i + 1];
        in[i] = i >= one->sources                              ? 0
                : operand->what == 'p' || operand->what == 'c' ? column(one, i)[t] & 1
                : operand->what == '#'                         ? one->always
                                                               : cut(column(one, i)[t], register_bits(operand->type));
    }
    if (variant->kind == LITERAL_OF) {
        in[variant->source] = variant->literal;
    } else if (variant->kind == NEGATED) {
        in[variant->source] ^= 1;
    }
}

/** The result of one thread: as defined, or as PTX allows. */
static bool is_right(const struct kernel_case *one, const struct variant *variant, const u64 *in, size_t t, u64 got,
                     struct outcome *wanted)
{
    const struct operand *target = &one->operands[0];
    const bool on = !is_guarded(variant) || (column(one, BITS)[t] & 1);
    const unsigned bits = variant->kind == WIDE_TARGET ? 64 : register_bits(target->type);
    *wanted = (struct outcome){0};
    if (target->what == 'p') {
        const u64 old = column(one, BITS)[t] >> 2 & 1;
        const bool second = variant->kind == BOTH || last_type(one->spelling).parts == 2;
        one->row->define(one->spelling, in, wanted);
        wanted->value = on ? (wanted->value & 1) | (second ? wanted->second : old) << 1 : old * 3;
        return got == wanted->value;
    }
    if (variant->kind == CARRY || variant->kind == CARRY_GUARDED) {
        one->row->define(one->spelling, in, wanted);
        wanted->value = on ? wanted->second : in[one->sources - 1];
        return got == wanted->value;
    }
    if (!on) {
        wanted->value = cut(column(one, OLD)[t], bits);
        return cut(got, bits) == wanted->value;
    }
    if (one->row->approve) {
        return one->row->approve(one->spelling, in, cut(got, bits));
    }
    one->row->define(one->spelling, in, wanted);
    wanted->value = cut(wanted->value, bits);
    const bool computes = one->row->define == define_float || one->row->define == define_convert;
    if (target->type.kind == 'f' && computes) {
        return same_value(target->type, cut(got, bits), wanted->value) ||
               (wanted->either && same_value(target->type, cut(got, bits), wanted->other));
    }
    return cut(got, bits) == wanted->value;
}

static unsigned compare(const struct kernel_case *one, const struct lane_table *table)
{
    unsigned wrong = 0;
    for (unsigned v = 0; v < one->variant_count; v++) {
        const struct variant *variant = &one->variants[v];
        for (size_t t = 0; t < one->threads; t++) {
            u64 in[MOST_SOURCES];
            struct outcome wanted;
            const u64 got = column(one, RESULTS + v)[t];
            gather(one, variant, t, in);
            if (!is_right(one, variant, in, t, got, &wanted)) {
                wrong += report(one->spelling, "%s, way %u: of %llx, %llx, %llx, %llx came %llx, not %llx", table->name,
                                (unsigned)variant->kind, (unsigned long long)in[0], (unsigned long long)in[1],
                                (unsigned long long)in[2], (unsigned long long)in[3], (unsigned long long)got,
                                (unsigned long long)wanted.value);
            }
        }
    }
    return wrong;
}

/** Every other width must give the bits of the first; NaN is NaN. */
static unsigned compare_widths(const struct kernel_case *one, const struct lane_table *table)
{
    const struct type type = one->operands[0].type;
    unsigned wrong = 0;
    for (unsigned v = 0; v < one->variant_count; v++) {
        for (size_t t = 0; t < one->threads; t++) {
            const u64 got = column(one, RESULTS + v)[t];
            const u64 first = first_results[v * one->threads + t];
            const bool same = got == first || (type.kind == 'f' && same_value(type, got, first));
            wrong += same ? 0
                          : report(one->spelling, "%s gives %llx, where plain code gives %llx", table->name,
                                   (unsigned long long)got, (unsigned long long)first);
        }
    }
    return wrong;
}

static unsigned run_case(const struct kernel_case *one)
{
    static struct text text;
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    const size_t result_bytes = one->variant_count * one->threads * 8;
    unsigned wrong = 0;
    write_kernel(&text, one);
    for (size_t i = 0; i < count; i++) {
        const struct launch request = {.text = text.bytes,
                                       .grid = one->threads / BLOCK,
                                       .block = BLOCK,
                                       .bytes = cells,
                                       .size = (RESULTS + one->variant_count) * one->threads * 8,
                                       .table = &tables[i]};
        memset(column(one, RESULTS), 0, result_bytes);
        if (!launch(&request)) {
            return report(one->spelling, "did not run");
        }
        if (i == 0) {
            memcpy(first_results, column(one, RESULTS), result_bytes);
            wrong += compare(one, &tables[i]);
        } else {
            wrong += compare_widths(one, &tables[i]);
        }
    }
    return wrong;
}

unsigned check_lanes(const struct row *row, const struct spelling *spelling)
{
    struct kernel_case one = {.row = row, .spelling = spelling};
    parse_operands(&one);
    choose_variants(&one);
    const u64 literals = one.operands[one.sources].literals;
    unsigned wrong = 0;
    for (one.always = 0; one.always < (literals ? literals : 1); one.always++) {
        choose_values(&one, literals ? 2048 : joins(spelling) ? JOINED : CROSSED);
        wrong += run_case(&one);
    }
    return wrong;
}
