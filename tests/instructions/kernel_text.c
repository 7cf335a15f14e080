/* SPDX-License-Identifier: MIT */
/**
 * \file Instructions whose meaning is what a few lines around them do: branches, calls, barriers, fences, addresses,
 * copies. A row gives the lines, "$" for the spelling; what stands before "@@" comes before the kernel. %r is the result
 * of each of the 128 threads (two blocks of 64); %t, %l0 to %l7, %x, %y, %z, %p and %q are free, s is shared memory,
 * g, c and l are variables of global, constant and local memory that begin with 5, 6 and nothing.
 */
#include <string.h>

#include "engine/engine.h"
#include "kernel.h"

enum {
    BLOCK = 64,
    THREADS = 128,
    DATA = 4096
};

struct memory {
    u64 results[THREADS];
    uint8_t unused[DATA - THREADS * 8];
    u32 data[THREADS * 4]; /* source of copies: 16 bytes a thread */
};

/** The lines with "$" replaced. */
static void add_lines(struct text *text, const struct spelling *spelling, const char *lines, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (lines[i] == '$') {
            text_add(text, "%s", spelling->text);
        } else {
            text_add(text, "%c", lines[i]);
        }
    }
}

static void write_kernel(struct text *text, const struct row *row, const struct spelling *spelling)
{
    static struct text kernel;
    const char *split = strstr(row->operands, "@@");
    const char *body = split ? split + 2 : row->operands;
    text_begin(&kernel, "",
               ".reg .pred %p, %q;\n.reg .b32 %r, %x, %y, %z, %t;\n.reg .b64 %l<8>;\n"
               ".shared .align 16 .b8 s[2048];\n.local .align 16 .b8 l[16];\nmov.u32 %r, 0;\nmov.u32 %t, %tid.x;\n");
    add_lines(&kernel, spelling, body, strlen(body));
    text_add(&kernel, "\nst.u32 [%%at], %%r;\n");
    text_end(&kernel);
    const char *rest = strstr(kernel.bytes, ".visible");
    text->at = 0;
    text_add(text, "%.*s.global .align 16 .u32 g[4] = {5};\n.const .align 16 .u32 c[4] = {6};\n",
             (int)(rest - kernel.bytes), kernel.bytes);
    add_lines(text, spelling, row->operands, split ? (size_t)(split - row->operands) : 0);
    text_add(text, "%s", rest);
}

static void fill(struct memory *memory)
{
    memset(memory, 0, sizeof *memory);
    for (unsigned i = 0; i < THREADS * 4; i++) {
        memory->data[i] = i * 2654435761U;
    }
    for (unsigned t = 0; t < THREADS; t++) {
        memory->results[t] = 77;
    }
}

unsigned check_text(const struct row *row, const struct spelling *spelling)
{
    static struct text text;
    static struct memory memory;
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    unsigned wrong = 0;
    write_kernel(&text, row, spelling);
    for (size_t i = 0; i < count; i++) {
        fill(&memory);
        const struct launch request = {.text = text.bytes,
                                       .grid = THREADS / BLOCK,
                                       .block = BLOCK,
                                       .bytes = &memory,
                                       .size = sizeof memory,
                                       .table = &tables[i]};
        if (!launch(&request)) {
            return report(spelling, "did not run");
        }
        for (unsigned t = 0; t < THREADS; t++) {
            const u64 in[MOST_SOURCES] = {t % BLOCK, t, t % 32, 0};
            struct outcome wanted = {0};
            row->define(spelling, in, &wanted);
            if (memory.results[t] != wanted.value) {
                wrong += report(spelling, "thread %u has %llu, not %llu", t, (unsigned long long)memory.results[t],
                                (unsigned long long)wanted.value);
            }
        }
    }
    return wrong;
}

unsigned check_trap(const struct row *row, const struct spelling *spelling)
{
    static struct text text;
    static struct memory memory;
    struct lane_table tables[3];
    unsigned wrong = 0;
    lane_tables(tables);
    fill(&memory);
    write_kernel(&text, row, spelling);
    const struct launch request = {.text = text.bytes,
                                   .grid = 1,
                                   .block = BLOCK,
                                   .bytes = &memory,
                                   .size = sizeof memory,
                                   .wants_finding = true,
                                   .table = &tables[0]};
    wrong += launch(&request) ? 0 : report(spelling, "is not reported");
    wrong += memory.results[0] == 77 ? 0 : report(spelling, "lets the thread go on");
    return wrong;
}

/* What the lines give; in: the thread of its block, of all, of its warp. */
DEFINE(three)
{
    (void)spelling;
    (void)in;
    out->value = 3;
}

DEFINE(quarter) /* every fourth thread, beginning with 1, goes another way */
{
    (void)spelling;
    out->value = in[0] % 4 == 1 ? 15 : 6;
}

DEFINE(third)
{
    (void)spelling;
    out->value = 10 + in[0] % 3;
}

DEFINE(plus_seven)
{
    (void)spelling;
    out->value = in[0] + 7;
}

DEFINE(even_plus_seven) /* odd threads return early */
{
    (void)spelling;
    out->value = in[0] % 2 ? in[0] : in[0] + 7;
}

DEFINE(ended)
{
    (void)spelling;
    out->value = in[0] % 2 ? 77 : 3;
}

DEFINE(mirrored) /* what the thread at the other end of the block wrote */
{
    (void)spelling;
    out->value = 63 - in[0];
}

DEFINE(warp_mirrored)
{
    (void)spelling;
    out->value = in[0] ^ 31;
}

DEFINE(produced) /* the second warp reads what the first wrote */
{
    (void)spelling;
    out->value = in[0] < 32 ? 3 : in[0] - 32;
}

DEFINE(counted)
{
    (void)spelling;
    (void)in;
    out->value = 22; /* multiples of three below 64 */
}

DEFINE(all_any) /* all of: below 64; any of: 63; both parts of the lines */
{
    (void)in;
    out->value = has(spelling, "and") ? 1 : 3;
}

DEFINE(five)
{
    (void)spelling;
    (void)in;
    out->value = 5;
}

/** Which of the generic addresses (shared, global, local, constant, parameter) a space has. */
DEFINE(spaces)
{
    (void)in;
    out->value = has(spelling, "global")  ? 2
                 : has(spelling, "local") ? 4
                 : has(spelling, "const") ? 8
                 : has(spelling, "param") ? 16
                                          : 1;
}

/** The first words of the thread's 16 bytes, added. */
static u64 copied(u64 thread, unsigned words)
{
    u32 sum = 0;
    for (unsigned i = 0; i < words; i++) {
        sum += (u32)(thread * 4 + i) * 2654435761U;
    }
    return sum;
}

DEFINE(copied) /* .cg: 16 bytes; .ca: also 4, 8, and 4 with zeros behind, times 3, 5, 7 */
{
    const u32 whole = (u32)copied(in[1], 4);
    out->value =
        has(spelling, "cg") ? whole : (u32)(whole + 3 * copied(in[1], 1) + 5 * copied(in[1], 2) + 7 * copied(in[1], 1));
}

DEFINE(copied_whole)
{
    (void)spelling;
    out->value = copied(in[1], 4);
}

DEFINE(copied_late) /* before waiting: what was there */
{
    (void)spelling;
    out->value = (u32)(1 + 10 * copied(in[1], 1));
}
