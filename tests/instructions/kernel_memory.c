/* SPDX-License-Identifier: MIT */
/**
 * \file Loads and stores. Each thread has 16 bytes of its own in the memory that the spelling names (generic: in each that
 * a generic address can mean), moved there and back byte by byte; every second lane of a second warp is off.
 */
#include <stdio.h>
#include <string.h>

#include "kernel.h"

enum {
    THREADS = 64,
    SLOT = 16,
    STEP = 32, /* between slots: what lies between must stay */
    MARK = 0x5a
};

enum home {
    GLOBAL,
    SHARED_HOME,
    LOCAL,
    CONSTANT,
    PARAMETER,
    FUNCTION,
    HOMES
};

/** Buffer: what the slots hold at first, what they hold in the end, and registers before and after. */
struct bytes {
    uint8_t before[THREADS * STEP];
    uint8_t after[THREADS * STEP];
    u64 old[THREADS];
    u64 registers[4][THREADS];
    uint8_t place[THREADS * STEP]; /* the memory itself when it is global */
};

struct access {
    const struct spelling *spelling;
    enum home home;
    unsigned count;         /* registers of the vector */
    unsigned register_bits; /* of each */
    bool stores;
    bool narrow_address; /* 32 bits */
};

static const char *const spaces[HOMES] = {"global", "shared", "local", "const", "param", "param"};

/** Whether the address is a generic one. */
static bool is_generic(const struct spelling *spelling)
{
    static const char *const words[] = {"global", "shared", "shared::cta",  "local",
                                        "const",  "param",  "param::entry", "param::func"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (has(spelling, words[i])) {
            return false;
        }
    }
    return !is(spelling, "ldu");
}

/** ".shared" behind ld and st that move single bytes. */
static const char *suffix_of(const struct access *access)
{
    static char suffix[16];
    snprintf(suffix, sizeof suffix, ".%s", spaces[access->home]);
    return is_generic(access->spelling) ? "" : suffix;
}

/** In from the slot's start, where the access fits there. */
static unsigned displacement(const struct access *access)
{
    const unsigned bytes = last_type(access->spelling).bits / 8 * access->count;
    return bytes < SLOT ? bytes : 0;
}

static void write_instruction(struct text *text, const struct access *access, const char *address)
{
    static const char *const lists[] = {"%d0", "{%d0, %d1}", "", "{%d0, %d1, %d2, %d3}"};
    const char *policy = has(access->spelling, "L2::cache_hint") ? ", %base" : "";
    const char *list = lists[access->count - 1];
    if (access->stores) {
        text_add(text, "@%%g %s [%s+%u], %s%s;\n", access->spelling->text, address, displacement(access), list, policy);
    } else {
        text_add(text, "@%%g %s %s, [%s+%u]%s;\n", access->spelling->text, list, address, displacement(access), policy);
    }
}

/** The registers of the vector from or to the buffer. */
static void write_registers(struct text *text, const struct access *access, bool load, size_t place, size_t step)
{
    for (unsigned i = 0; i < access->count; i++) {
        const size_t at = place + i * step;
        if (load) {
            text_add(text, "ld.global.b%u %%d%u, [%%at+%zu];\n", access->register_bits, i, at);
        } else {
            text_add(text, "st.global.b%u [%%at+%zu], %%d%u;\n", access->register_bits, at, i);
        }
    }
}

/** Each of the 16 bytes: from the buffer into the memory at an address, or back behind it. */
static void write_bytes(struct text *text, const char *suffix, const char *address, bool back)
{
    for (int i = 0; i < SLOT; i++) {
        if (back) {
            text_add(text, "ld%s.u8 %%byte, [%s+%d];\nst.global.u8 [%%to+%zu], %%byte;\n", suffix, address, i,
                     offsetof(struct bytes, after) + (size_t)i);
        } else {
            text_add(text, "ld.global.u8 %%byte, [%%to+%d];\nst%s.u8 [%s+%d], %%byte;\n", i, suffix, address, i);
        }
    }
}

/** %m: the thread's slot, as an address of its space, or a generic one. */
static void write_address(struct text *text, const struct access *access)
{
    static const char *const names[HOMES] = {"", "shared_memory", "local_memory", "constant_memory", "q", ""};
    if (access->home == GLOBAL) {
        text_add(text, "add.u64 %%m, %%to, %zu;\n", offsetof(struct bytes, place));
    } else {
        text_add(text, "mov.u64 %%m, %s;\n%s", names[access->home],
                 access->home == LOCAL ? "" : "add.u64 %m, %m, %slot;\n");
    }
    if (is_generic(access->spelling) && access->home != GLOBAL) {
        text_add(text, "cvta.%s.u64 %%m, %%m;\n", spaces[access->home]);
    }
    text_add(text, "cvt.u32.u64 %%narrow, %%m;\n");
}

static const char declarations[] =
    ".reg .pred %g;\n.reg .b16 %byte;\n.reg .b32 %x, %narrow;\n.reg .b64 %slot, %to, %m;\n";

static void begin_kernel(struct text *text, const struct access *access)
{
    text_begin(text, access->home == PARAMETER ? ", .param .align 16 .b8 q[2048]" : "", declarations);
    text_add(
        text,
        ".reg .b%u %%d<4>;\n.shared .align 16 .b8 shared_memory[%d];\n.local .align 16 .b8 local_memory[%d];\n"
        "mul.wide.u32 %%slot, %%i, %d;\nadd.u64 %%to, %%base, %%slot;\nshr.u32 %%x, %%i, 5;\nand.b32 %%x, %%x, %%i;\n"
        "setp.eq.u32 %%g, %%x, 0;\n",
        access->register_bits, THREADS * STEP, STEP, STEP);
}

static void write_kernel(struct text *text, const struct access *access)
{
    const char *suffix = suffix_of(access);
    begin_kernel(text, access);
    write_address(text, access);
    if (access->home != CONSTANT && access->home != PARAMETER) {
        write_bytes(text, suffix, "%m", false);
    }
    const size_t registers = offsetof(struct bytes, registers);
    write_registers(text, access, true, access->stores ? registers : offsetof(struct bytes, old),
                    access->stores ? THREADS * 8 : 0);
    write_instruction(text, access, access->narrow_address ? "%narrow" : "%m");
    if (access->stores) {
        write_bytes(text, suffix, "%m", true);
    } else {
        write_registers(text, access, false, registers, THREADS * 8);
    }
    text_end(text);
}

/** A function with 16 bytes as its parameter: a load stands in it, a store in front of its call. */
static void write_call(struct text *text, const struct access *access)
{
    static struct text body;
    const size_t registers = offsetof(struct bytes, registers);
    begin_kernel(&body, access);
    text_add(&body, "{\n.param .align 16 .b8 a0[16];\n.param .b64 a1;\n.param .b64 a2;\n.param .b32 a3;\n");
    write_bytes(&body, ".param", "a0", false);
    if (access->stores) {
        write_registers(&body, access, true, registers, THREADS * 8);
        write_instruction(&body, access, "a0");
    }
    text_add(&body,
             "selp.u32 %%x, 1, 0, %%g;\nst.param.b64 [a1], %%at;\nst.param.b64 [a2], %%to;\nst.param.b32 [a3], %%x;\n"
             "call f, (a0, a1, a2, a3);\n}\n");
    text_end(&body);
    const char *kernel = strstr(body.bytes, ".visible");
    text->at = 0;
    text_add(
        text,
        "%.*s.func f(.param .align 16 .b8 a[16], .param .b64 b, .param .b64 c, .param .b32 on)\n{\n%s.reg .b64 %%at;\n"
        ".reg .b%u %%d<4>;\nld.param.b64 %%at, [b];\nld.param.b64 %%to, [c];\nld.param.b32 %%x, [on];\nsetp.ne.u32 %%g, %%x, 0;\n",
        (int)(kernel - body.bytes), body.bytes, declarations, access->register_bits);
    if (access->stores) {
        write_bytes(text, ".param", "a", true);
    } else {
        write_registers(text, access, true, offsetof(struct bytes, old), 0);
        write_instruction(text, access, "a");
        write_registers(text, access, false, registers, THREADS * 8);
    }
    text_add(text, "ret;\n}\n%s", kernel);
}

/** Constant memory with its bytes as initial values. */
static void add_constants(struct text *text, const uint8_t *bytes)
{
    static struct text kernel;
    kernel = *text;
    const char *rest = strstr(kernel.bytes, ".visible");
    text->at = (size_t)(rest - kernel.bytes);
    text_add(text, ".const .align 16 .b8 constant_memory[%d] = {%u", THREADS * STEP, bytes[0]);
    for (int i = 1; i < THREADS * STEP; i++) {
        text_add(text, ", %u", bytes[i]);
    }
    text_add(text, "};\n%s", rest);
}

/** A value as a register holds it: signed types with their sign, others with zeros above. */
static u64 loaded(const struct access *access, const uint8_t *slot, unsigned index)
{
    const struct type type = last_type(access->spelling);
    u64 bits = 0;
    memcpy(&bits, slot + displacement(access) + index * type.bits / 8, type.bits / 8);
    return cut((u64)number_of(type, bits), access->register_bits);
}

static unsigned compare(const struct access *access, const struct bytes *got, const struct bytes *start)
{
    const unsigned bytes = last_type(access->spelling).bits / 8;
    unsigned wrong = 0;
    for (unsigned t = 0; t < THREADS; t++) {
        const bool on = (t >> 5 & t & 1) == 0;
        uint8_t slot[SLOT];
        memcpy(slot, start->before + t * STEP, SLOT);
        for (unsigned i = 0; i < access->count; i++) {
            const u64 wanted = on ? loaded(access, slot, i) : cut(start->old[t], access->register_bits);
            const u64 have = cut(got->registers[i][t], access->register_bits);
            if (!access->stores && have != wanted) {
                wrong += report(access->spelling, "%s: thread %u loads %llx, not %llx", spaces[access->home], t,
                                (unsigned long long)have, (unsigned long long)wanted);
            }
        }
        for (unsigned i = 0; i < access->count && on; i++) {
            memcpy(slot + displacement(access) + i * bytes, &start->registers[i][t], bytes);
        }
        if (access->stores && memcmp(slot, got->after + t * STEP, SLOT) != 0) {
            wrong += report(access->spelling, "%s: thread %u leaves other bytes", spaces[access->home], t);
        }
        if (access->home == GLOBAL &&
            memcmp(start->place + t * STEP + SLOT, got->place + t * STEP + SLOT, STEP - SLOT) != 0) {
            wrong += report(access->spelling, "thread %u writes beside its slot", t);
        }
    }
    return wrong;
}

static unsigned run_access(const struct access *access)
{
    static struct text text;
    static struct bytes start;
    static struct bytes bytes;
    struct lane_table tables[3];
    const size_t count = lane_tables(tables);
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof start; i += 8) {
        const u64 bits = random_bits();
        memcpy((uint8_t *)&start + i, &bits, 8);
    }
    if (access->home == FUNCTION) {
        write_call(&text, access);
    } else {
        write_kernel(&text, access);
    }
    if (access->home == CONSTANT) {
        add_constants(&text, start.before);
    }
    for (size_t i = 0; i < count; i++) {
        bytes = start;
        const struct launch request = {.text = text.bytes,
                                       .grid = 1,
                                       .block = THREADS,
                                       .bytes = &bytes,
                                       .size = sizeof bytes,
                                       .scalar = access->home == PARAMETER ? start.before : NULL,
                                       .scalar_size = sizeof start.before,
                                       .table = &tables[i]};
        wrong += launch(&request) ? compare(access, &bytes, &start) : report(access->spelling, "did not run");
    }
    return wrong;
}

static bool lives_in(const struct spelling *spelling, enum home home, bool stores)
{
    switch (home) {
    case GLOBAL: return has(spelling, "global") || is_generic(spelling) || is(spelling, "ldu");
    case SHARED_HOME: return has(spelling, "shared") || has(spelling, "shared::cta") || is_generic(spelling);
    case LOCAL: return has(spelling, "local") || is_generic(spelling);
    case CONSTANT: return has(spelling, "const");
    case PARAMETER: return !stores && (has(spelling, "param") || has(spelling, "param::entry"));
    case FUNCTION: return has(spelling, "param::func") || has(spelling, "param");
    case HOMES: break;
    }
    return false;
}

unsigned check_access(const struct row *row, const struct spelling *spelling)
{
    const struct type type = last_type(spelling);
    const bool stores = is(spelling, "st");
    unsigned wrong = 0;
    (void)row;
    for (enum home home = GLOBAL; home < HOMES; home++) {
        struct access access = {spelling, home,   has(spelling, "v4") ? 4 : has(spelling, "v2") ? 2 : 1,
                                0,        stores, false};
        if (!lives_in(spelling, home, stores)) {
            continue;
        }
        access.register_bits = register_bits(type);
        wrong += run_access(&access);
        access.narrow_address = home == SHARED_HOME && !is_generic(spelling);
        for (unsigned bits = 2 * access.register_bits; bits <= 64 && type.kind != 'f'; bits *= 2) {
            access.register_bits = bits;
            wrong += run_access(&access);
        }
    }
    return wrong;
}
