/* SPDX-License-Identifier: MIT */
/**
 * \file Instructions across a warp: shfl, vote, match, redux, activemask, elect. Warps take turns: all lanes; some lanes
 * behind a predicate, named by the member mask; one half; both halves with a mask each.
 */
#include <string.h>

#include "kernel.h"

enum {
    BLOCK = 256,
    WARPS = 128,
    THREADS = WARPS * 32
};

enum column {
    A,
    B,
    C,
    MASK,
    ON,
    HOLDS,
    RESULT,
    PREDICATE,
    COLUMNS
};

static u64 start[COLUMNS][THREADS];
static u64 cells[COLUMNS][THREADS];

static void choose_values(const struct spelling *spelling)
{
    const bool shuffles = is(spelling, "shfl");
    for (unsigned t = 0; t < THREADS; t++) {
        const unsigned warp = t / 32;
        const unsigned lane = t % 32;
        const unsigned way = shuffles && warp % 4 == 1 ? 0 : warp % 4;
        const u32 some = (u32)(warp * 2654435761U) | 1U << (warp % 31);
        const u32 half = lane < 16 ? 0xffffU : 0xffff0000U;
        const u32 masks[] = {0xffffffffU, some, warp & 8 ? 0xffffU : 0xffff0000U, half};
        const bool narrow = way != 0;
        const bool alike = warp & 16;
        start[MASK][t] = masks[way];
        start[ON][t] = masks[way] >> lane & 1;
        start[A][t] = alike ? 0x123456789abcdef0U + warp : random_bits() % (warp & 32 ? 5 : (u64)-1);
        start[B][t] = (warp & 64 ? random_bits() : warp * 7) % (narrow ? 16 : 33);
        start[C][t] = (random_bits() & 31) | (warp & 2 ? (u64)(random_bits() & 31) << 8 : 0) | (narrow ? 0x1000 : 0);
        start[HOLDS][t] = warp % 5 == 0 || (warp % 5 > 1 && (random_bits() & 1));
        start[RESULT][t] = cut(random_bits(), 32);
        start[PREDICATE][t] = random_bits() & 1;
        if (shuffles && narrow && has(spelling, "idx")) {
            start[B][t] |= lane & 16; /* from its own half */
        }
    }
}

static const char *operands_of(const struct spelling *spelling)
{
    static const struct {
        const char *opcode;
        const char *word;
        const char *operands;
    } all[] = {{"shfl", "", "%d|%p, %a, %b, %c"}, {"vote", "ballot", "%d, %q"}, {"vote", "", "%p, %q"},
               {"match", "all", "%d|%p, %a"},     {"match", "", "%d, %a"},      {"redux", "", "%d, %a"},
               {"activemask", "", "%d"},          {"elect", "", "%d|%p"}};
    size_t i = 0;
    while (!is(spelling, all[i].opcode) || (all[i].word[0] && !has(spelling, all[i].word))) {
        i++;
    }
    return all[i].operands;
}

static void write_kernel(struct text *text, const struct spelling *spelling)
{
    const unsigned bits = has(spelling, "b64") ? 64 : 32;
    text_begin(text, "", ".reg .pred %p, %q, %g;\n.reg .b32 %b, %c, %d, %mask, %x;\n");
    text_add(
        text,
        ".reg .b%u %%a;\nld.b%u %%a, [%%at+%d];\nld.u32 %%b, [%%at+%d];\nld.u32 %%c, [%%at+%d];\nld.u32 %%mask, [%%at+%d];\n"
        "ld.u32 %%x, [%%at+%d];\nsetp.ne.u32 %%g, %%x, 0;\nld.u32 %%x, [%%at+%d];\nsetp.ne.u32 %%q, %%x, 0;\n"
        "ld.u32 %%d, [%%at+%d];\nld.u32 %%x, [%%at+%d];\nsetp.ne.u32 %%p, %%x, 0;\n",
        bits, bits, A * THREADS * 8, B * THREADS * 8, C * THREADS * 8, MASK * THREADS * 8, ON * THREADS * 8,
        HOLDS * THREADS * 8, RESULT * THREADS * 8, PREDICATE * THREADS * 8);
    text_add(text, "@%%g %s %s%s;\n", spelling->text, operands_of(spelling), has(spelling, "sync") ? ", %mask" : "");
    text_add(text, "st.u32 [%%at+%d], %%d;\nselp.u32 %%x, 1, 0, %%p;\nst.u32 [%%at+%d], %%x;\n", RESULT * THREADS * 8,
             PREDICATE * THREADS * 8);
    text_end(text);
}

/** Where shfl reads: c has the last lane in bits 0 to 4 and which bits of the lane stay in bits 8 to 12. */
static bool shuffle(const struct spelling *spelling, unsigned warp, unsigned lane, u64 *value)
{
    const unsigned t = warp * 32 + lane;
    const unsigned stay = start[C][t] >> 8 & 31;
    const int last = (int)((lane & stay) | (start[C][t] & 31 & ~stay));
    const unsigned by = start[B][t] & 31;
    int from = (int)((lane & stay) | (by & ~stay)); /* idx */
    bool inside = from <= last;
    if (has(spelling, "up")) {
        from = (int)lane - (int)by;
        inside = from >= last;
    } else if (!has(spelling, "idx")) {
        from = has(spelling, "down") ? (int)(lane + by) : (int)(lane ^ by);
        inside = from <= last;
    }
    *value = cut(start[A][warp * 32 + (inside ? (unsigned)from : lane)], 32);
    return inside;
}

static u64 reduced(const struct spelling *spelling, unsigned warp, u32 group)
{
    const struct type type = last_type(spelling);
    u64 sum = 0;
    bool first = true;
    for (unsigned lane = 0; lane < 32; lane++) {
        const u64 value = cut(start[A][warp * 32 + lane], 32);
        if (!(group >> lane & 1)) {
            continue;
        }
        const bool less = number_of(type, value) < number_of(type, sum);
        sum = first                          ? value
              : has(spelling, "add")         ? sum + value
              : has(spelling, "and")         ? sum & value
              : has(spelling, "or")          ? sum | value
              : has(spelling, "xor")         ? sum ^ value
              : less == has(spelling, "min") ? value
                                             : sum;
        first = false;
    }
    return cut(sum, 32);
}

struct answer {
    u64 value;
    bool predicate;
    bool gives_value;
    bool gives_predicate;
};

static struct answer answer_of(const struct spelling *spelling, unsigned warp, unsigned lane, u32 group)
{
    const unsigned width = has(spelling, "b64") ? 64 : 32;
    u32 holding = 0;
    u32 alike = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned t = warp * 32 + i;
        holding |= (u32)((group >> i & 1) && start[HOLDS][t]) << i;
        alike |= (u32)((group >> i & 1) && cut(start[A][t], width) == cut(start[A][warp * 32 + lane], width)) << i;
    }
    struct answer answer = {0, false, true, false};
    if (is(spelling, "shfl")) {
        answer.gives_predicate = true;
        answer.predicate = shuffle(spelling, warp, lane, &answer.value);
    } else if (is(spelling, "vote")) {
        answer.gives_value = has(spelling, "ballot");
        answer.gives_predicate = !answer.gives_value;
        answer.value = holding;
        answer.predicate = has(spelling, "all")   ? holding == group
                           : has(spelling, "any") ? holding != 0
                                                  : holding == 0 || holding == group;
    } else if (is(spelling, "match")) {
        answer.gives_predicate = has(spelling, "all");
        answer.predicate = alike == group;
        answer.value = !answer.gives_predicate ? alike : alike == group ? group : 0;
    } else if (is(spelling, "redux")) {
        answer.value = reduced(spelling, warp, group);
    } else {
        const bool elects = is(spelling, "elect");
        answer.value = elects ? (u64)__builtin_ctz(group) : group;
        answer.gives_predicate = elects;
        answer.predicate = lane == (unsigned)__builtin_ctz(group);
    }
    return answer;
}

static unsigned compare(const struct spelling *spelling, const char *table)
{
    unsigned wrong = 0;
    for (unsigned t = 0; t < THREADS; t++) {
        u32 on = 0;
        for (unsigned i = 0; i < 32; i++) {
            on |= (u32)start[ON][t / 32 * 32 + i] << i;
        }
        const u32 group = has(spelling, "sync") ? (u32)start[MASK][t] : on;
        u64 value = start[RESULT][t];
        u64 predicate = start[PREDICATE][t];
        if (start[ON][t]) {
            const struct answer answer = answer_of(spelling, t / 32, t % 32, group);
            value = answer.gives_value ? answer.value : value;
            predicate = answer.gives_predicate ? answer.predicate : predicate;
        }
        if (cells[RESULT][t] != value || cells[PREDICATE][t] != predicate) {
            wrong += report(spelling, "%s: warp %u, lane %u: %llx and %llu, not %llx and %llu", table, t / 32, t % 32,
                            (unsigned long long)cells[RESULT][t], (unsigned long long)cells[PREDICATE][t],
                            (unsigned long long)value, (unsigned long long)predicate);
        }
    }
    return wrong;
}

unsigned check_warp(const struct row *row, const struct spelling *spelling)
{
    static struct text text;
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    unsigned wrong = 0;
    (void)row;
    choose_values(spelling);
    write_kernel(&text, spelling);
    for (size_t i = 0; i < count; i++) {
        memcpy(cells, start, sizeof cells);
        const struct launch request = {.text = text.bytes,
                                       .grid = THREADS / BLOCK,
                                       .block = BLOCK,
                                       .bytes = cells,
                                       .size = sizeof cells,
                                       .table = &tables[i]};
        wrong += launch(&request) ? compare(spelling, tables[i].name) : report(spelling, "did not run");
    }
    return wrong;
}
