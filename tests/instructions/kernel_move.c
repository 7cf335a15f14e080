/* SPDX-License-Identifier: MIT */
/** \file mov: lane by lane, and between a register and its parts: mov.b64 {lower, upper}, d and back. */
#include <string.h>

#include "kernel.h"

enum {
    THREADS = 256
};

/** Split a register into parts, some of them dropped, and join others again; each thread with bits of its own. */
static void write_parts(struct text *text, const struct spelling *spelling, unsigned bits, unsigned parts, bool guarded)
{
    const unsigned part = bits / parts;
    const unsigned holds = part < 16 ? 16 : part;
    const char *guard = guarded ? "@%g " : "";
    text_begin(text, "", ".reg .pred %g;\n.reg .b32 %x;\n");
    text_add(text, ".reg .b%u %%d, %%e;\n.reg .b%u %%h<4>;\nand.b32 %%x, %%lane, 5;\nsetp.eq.u32 %%g, %%x, 4;\n", bits,
             holds);
    text_add(text, "ld.b%u %%d, [%%at];\nmov.b%u %%e, 7;\n", bits, bits);
    for (unsigned i = 0; i < parts; i++) {
        text_add(text, "mov.b%u %%h%u, %u;\n", holds, i, i);
    }
    text_add(text, "%s%s {%%h0, %s", guard, spelling->text, parts == 2 ? "%h1" : "_, %h2, %h3");
    text_add(text, "}, %%d;\n%s%s %%e, {%%h%u", guard, spelling->text, parts - 1);
    for (unsigned i = 1; i < parts; i++) {
        text_add(text, ", %%h%u", parts - 1 - i);
    }
    text_add(text, "};\nst.b%u [%%at+%u], %%e;\n", bits, THREADS * 8);
    for (unsigned i = 0; i < parts; i++) {
        text_add(text, "st.b%u [%%at+%u], %%h%u;\n", holds, (2 + i) * THREADS * 8, i);
    }
    text_end(text);
}

static unsigned compare_parts(const struct spelling *spelling, u64 (*cells)[THREADS], unsigned bits, unsigned parts,
                              bool guarded)
{
    const unsigned part = bits / parts;
    unsigned wrong = 0;
    for (unsigned t = 0; t < THREADS; t++) {
        const bool on = !guarded || (t & 5) == 4;
        u64 joined = 0;
        for (unsigned i = 0; i < parts; i++) {
            const bool dropped = parts == 4 && i == 1;
            const u64 wanted = on && !dropped ? cut(cells[0][t] >> (part * i), part) : i;
            joined |= cut(wanted, part) << (part * (parts - 1 - i));
            wrong += cells[2 + i][t] == wanted
                         ? 0
                         : report(spelling, "part %u of %u is %llx, not %llx", i, parts,
                                  (unsigned long long)cells[2 + i][t], (unsigned long long)wanted);
        }
        joined = on ? joined : 7;
        wrong += cells[1][t] == joined ? 0
                                       : report(spelling, "%u parts make %llx, not %llx", parts,
                                                (unsigned long long)cells[1][t], (unsigned long long)joined);
    }
    return wrong;
}

static unsigned check_parts(const struct spelling *spelling, unsigned bits, unsigned parts, bool guarded)
{
    static struct text text;
    static u64 cells[6][THREADS];
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    unsigned wrong = 0;
    write_parts(&text, spelling, bits, parts, guarded);
    for (size_t i = 0; i < count; i++) {
        memset(cells, 0, sizeof cells);
        for (unsigned t = 0; t < THREADS; t++) {
            cells[0][t] = cut(random_bits(), bits);
        }
        const struct launch request = {
            .text = text.bytes, .grid = 1, .block = THREADS, .bytes = cells, .size = sizeof cells, .table = &tables[i]};
        wrong +=
            launch(&request) ? compare_parts(spelling, cells, bits, parts, guarded) : report(spelling, "did not run");
    }
    return wrong;
}

unsigned check_move(const struct row *row, const struct spelling *spelling)
{
    const struct type type = last_type(spelling);
    unsigned wrong = check_lanes(row, spelling);
    for (unsigned parts = 2; type.kind == 'b' && parts <= 4; parts += 2) {
        const bool possible = type.bits / parts >= 8;
        wrong += possible
                     ? check_parts(spelling, type.bits, parts, false) + check_parts(spelling, type.bits, parts, true)
                     : 0;
    }
    return wrong;
}
