/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "engine/ptx_code.h"
#include "engine/run.h"

u64 seed = 20261130;

static struct rg_rng generator;
static bool generator_started;

u64 random_bits(void)
{
    if (!generator_started) {
        rg_rng_init(&generator, seed);
        generator_started = true;
    }
    return rg_rng_next(&generator);
}

size_t lane_tables(struct lane_table tables[3])
{
    size_t count = 0;
    tables[count++] = (struct lane_table){"plain", rg_lanes_plain};
#if defined(__x86_64__)
    const rg_lane_fn *best = rg_lanes_pick();
    if (best != rg_lanes_plain) {
        tables[count++] = (struct lane_table){"AVX2", rg_lanes_v3};
    }
    if (best == rg_lanes_v4) {
        tables[count++] = (struct lane_table){"AVX-512", rg_lanes_v4};
    }
#endif
    return count;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text->bytes + text->at, sizeof text->bytes - text->at, format, list);
    va_end(list);
    text->at += (size_t)length;
    if (text->at >= sizeof text->bytes) {
        fprintf(stderr, "a generated kernel is too long\n");
        exit(1);
    }
}

/** %%at: 8 bytes a thread behind the buffer's start; %%base, %%i: the thread's number, %%lane. */
void text_begin(struct text *text, const char *parameters, const char *registers)
{
    text->at = 0;
    text_add(
        text,
        ".version 8.6\n.target sm_100\n.address_size 64\n.visible .entry k(.param .u64 p%s)\n{\n"
        ".reg .b32 %%i, %%lane, %%block, %%width;\n.reg .b64 %%base, %%at;\n%s"
        "ld.param.u64 %%base, [p];\nmov.u32 %%lane, %%tid.x;\nmov.u32 %%block, %%ctaid.x;\nmov.u32 %%width, %%ntid.x;\n"
        "mad.lo.u32 %%i, %%block, %%width, %%lane;\nmad.wide.u32 %%at, %%i, 8, %%base;\nmov.u32 %%lane, %%laneid;\n",
        parameters, registers);
}

void text_end(struct text *text)
{
    text_add(text, "ret;\n}\n");
}

struct seen {
    bool any;
    char text[400];
};

static void note_finding(void *user, const struct rg_engine_finding *finding)
{
    struct seen *seen = user;
    if (!seen->any) {
        snprintf(seen->text, sizeof seen->text, "line %u: %s: %s", finding->ptx_line, rg_rule_word(finding->rule),
                 finding->reason);
    }
    seen->any = true;
}

static bool reached[RG_CODE_COUNT];

unsigned report_unreached(void)
{
    unsigned count = 0;
    for (unsigned code = 0; code < RG_CODE_COUNT; code++) {
        if (!reached[code]) {
            fprintf(stderr, "no spelling reaches the lane loop %s\n", rg_codes[code].key);
            count++;
        }
    }
    return count;
}

/** Let the operations go by a table. */
static void bind(struct rg_ptx *ptx, const rg_lane_fn *lanes)
{
    for (size_t i = 0; i < ptx->op_count; i++) {
        struct rg_op *op = &ptx->ops[i];
        if (op->code < RG_CODE_COUNT) {
            reached[op->code] = true;
            op->run = op->run == op->inner ? lanes[op->code] : op->run;
            op->inner = lanes[op->code];
        }
    }
}

static struct ridge_context *shared_context(void)
{
    static struct ridge_context *context;
    if (!context) {
        ridge_context_create(NULL, &context, NULL);
    }
    return context;
}

bool launch(const struct launch *launch)
{
    struct ridge_error error = {0};
    struct rg_ptx *ptx = NULL;
    struct ridge_context *context = shared_context();
    struct seen seen = {0};
    ridge_status status = rg_ptx_read(context, launch->text, strlen(launch->text), "k.ptx", &ptx, &error);
    if (!status) {
        bind(ptx, launch->table->lanes);
        struct rg_engine_buffer buffer = {"p", launch->bytes, launch->size, true, true};
        const struct rg_engine_argument arguments[2] = {
            {.kind = RG_ENGINE_POINTER},
            {.kind = RG_ENGINE_SCALAR, .bytes = launch->scalar, .size = launch->scalar_size}};
        const struct rg_engine_run request = {.context = context,
                                              .ptx = ptx,
                                              .grid = {launch->grid, 1, 1},
                                              .block = {launch->block, 1, 1},
                                              .buffers = &buffer,
                                              .buffer_count = 1,
                                              .arguments = arguments,
                                              .argument_count = launch->scalar ? 2 : 1,
                                              .finding = note_finding,
                                              .user = &seen};
        status = rg_engine_run(&request, NULL, &error);
    }
    const bool good = !status && seen.any == launch->wants_finding;
    if (!good) {
        fprintf(stderr, "%s%s (line %u)\n%s\n", error.message, seen.text, error.line, error.source_line);
    }
    rg_ptx_destroy(ptx);
    return good;
}

unsigned report(const struct spelling *spelling, const char *format, ...)
{
    static char last[sizeof spelling->text];
    static unsigned count;
    if (strcmp(last, spelling->text) != 0) {
        memcpy(last, spelling->text, sizeof last);
        count = 0;
    }
    if (count++ < 4) {
        va_list list;
        va_start(list, format);
        fprintf(stderr, "%s: ", spelling->text);
        vfprintf(stderr, format, list);
        fprintf(stderr, "\n");
        va_end(list);
    }
    return 1;
}

unsigned register_bits(struct type type)
{
    return type.bits < 16 ? 16 : type.bits;
}

static unsigned add_edge(u64 *edges, unsigned count, u64 bits)
{
    for (unsigned i = 0; i < count; i++) {
        if (edges[i] == bits) {
            return count;
        }
    }
    edges[count] = bits;
    return count < MOST_EDGES - 1 ? count + 1 : count;
}

static unsigned integer_edges(unsigned width, u64 *edges)
{
    static const u64 numbers[] = {2,          31,         32,         33,         63,       64,       255,
                                  7,          8,          15,         16,         127,      128,      256,
                                  3,          65535,      65536,      0x7fffff,   0x800000, 0xffffff, 0x1000000,
                                  0x7fffffff, 0x80000000, 0xffffffff, 0x100000000};
    static const u64 patterns[] = {0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x0123456789abcdef, 0xfedcba9876543210};
    const u64 top = (u64)1 << (width - 1);
    const u64 first[] = {0, 1, ~(u64)0, top, top - 1, ~(u64)1, top + 1, top - 2};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        count = add_edge(edges, count, cut(first[i], width));
    }
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        count = add_edge(edges, count, patterns[i] >> (64 - width));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        count = add_edge(edges, count, cut(numbers[i], width));
    }
    return count;
}

/** The bits of mantissa * 2^exponent in a format. */
static u64 float_bits(struct format format, bool negative, u64 mantissa, int exponent)
{
    return real_round(format, (struct real){REAL_FINITE, negative, exponent, mantissa}, ZERO);
}

/** Numbers half way between neighbours of narrower formats, and around the limits of these and of integers. */
static unsigned limit_edges(struct format format, u64 *edges, unsigned count)
{
    static const struct {
        u64 mantissa;
        int exponent;
    } numbers[] = {{0x801, -11},     {0x803, -11},     {0x101, -8},       {0x103, -8},
                   {1, -25},         {3, -25},         {0x7ff, -25},      {1, -24},
                   {0x3ff, -24},     {0xffe00, -4},    {0xffefffff, -16}, {0xfff, 4},
                   {65520, 0},       {0x1ff, 119},     {0x1fe, 119},      {0xffffff, 104},
                   {0xfff, 116},     {0x1001, -12},    {0x1003, -12},     {1, 31},
                   {0x7fffffff, 0},  {1, 32},          {0xffffffff, 0},   {1, 63},
                   {1, 64},          {255, 0},         {511, -1},         {257, -1},
                   {65535, 0},       {131071, -1},     {32767, 0},        {65535, -1},
                   {127, 0},         {1, -134},        {3, -134},         {1, -149},
                   {1, -150},        {3, -150},        {0x1ffffff, -25},  {0x1000001, -24},
                   {0x3ffffff, 102}, {0x1ffffff, 103}, {0x1ffffff, -151}, {0x7fffff, -149},
                   {0xffffff, -150}, {1, 126},         {3, 125},          {0xfffffffffffff8, 8}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (int negative = 0; negative < 2; negative++) {
            const u64 bits = float_bits(format, negative, numbers[i].mantissa, numbers[i].exponent);
            count = negative && i >= 26 ? count : add_edge(edges, count, bits);
        }
    }
    return count;
}

static unsigned float_edges(struct format format, u64 *edges)
{
    const unsigned f = format.fraction_bits;
    const u64 sign = (u64)1 << (format.exponent_bits + f);
    const u64 infinite = sign - ((u64)1 << f);
    const u64 least = (u64)1 << f;
    const u64 one = real_round(format, real_of_integer(false, 1), NEAREST) >> format.unused_bits;
    const u64 half = (u64)1 << f; /* steps by powers of two */
    const u64 first[] = {0,
                         sign,
                         one,
                         one | sign,
                         infinite,
                         infinite | sign,
                         infinite - 1,
                         1,
                         least,
                         infinite + least / 2,
                         infinite + 1,
                         least - 1,
                         sign | 1,
                         sign | least,
                         one + 1,
                         one - 1,
                         one + half,
                         one - half,
                         one + half / 2,
                         (one + half / 2) | sign,
                         sign | (infinite - 1),
                         sign | (least - 1),
                         one + half + half / 4,
                         (one - half) | sign,
                         least + 1,
                         sign | (infinite + 3),
                         one + 2,
                         sign | (one + half),
                         one + 23 * half,
                         one - 23 * half,
                         infinite - 2,
                         sign | (one + 1)};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        count = add_edge(edges, count, first[i] << format.unused_bits);
    }
    return limit_edges(format, edges, count);
}

unsigned edges_of(struct type type, bool counts, u64 edges[MOST_EDGES])
{
    static const u64 amounts[] = {0,  1,  31,         32,         63,         64,         255, 2,   7,   8,
                                  15, 16, 33,         65,         127,        128,        254, 256, 257, 0x80000000,
                                  30, 24, 0xffffffff, 0x7fffffff, 0x100 + 31, 0xffff0001, 62,  17};
    if (counts) {
        memcpy(edges, amounts, sizeof amounts);
        return sizeof amounts / sizeof amounts[0];
    }
    if (type.kind != 'f') {
        return integer_edges(type.bits, edges);
    }
    unsigned count = float_edges(type.format, edges);
    for (unsigned i = 0; type.parts == 2 && i < count; i++) {
        edges[i] |= edges[(i * 7 + 3) % count] << 16; /* another one in the upper half: those of below 16 bits still */
        edges[i] = cut(edges[i], 32);
    }
    return count;
}

u64 random_of(struct type type, bool counts)
{
    if (type.kind == 'f' && type.parts == 2) {
        const struct type half = {'f', 16, 1, type.format};
        const u64 lower = random_of(half, false);
        return lower | random_of(half, false) << 16;
    }
    const u64 bits = random_bits();
    const unsigned how = random_bits() & 3;
    if (counts || (type.kind != 'f' && how == 0)) {
        return bits % 80;
    }
    if (type.kind != 'f' || how == 0) {
        return cut(bits, register_bits(type));
    }
    const int exponent = how == 1 ? (int)(bits >> 60) - 8 : (int)(bits >> 57) - 64; /* near one, and further away */
    return real_round(type.format, (struct real){REAL_FINITE, bits >> 56 & 1, exponent - 40, bits & 0xffffffffff},
                      NEAREST);
}

bool same_value(struct type type, u64 got, u64 wanted)
{
    const unsigned width = type.bits / type.parts;
    for (unsigned part = 0; part < type.parts; part++) {
        const u64 x = cut(got >> (width * part), width);
        const u64 y = cut(wanted >> (width * part), width);
        if (x != y && !(type.kind == 'f' && is_nan(type.format, x) && is_nan(type.format, y))) {
            return false;
        }
    }
    return true;
}

bool write_literal(struct type type, u64 bits, char *text, size_t size)
{
    if (type.kind == 'f' && type.parts == 1 && type.bits >= 32 && !type.format.unused_bits) {
        snprintf(text, size, type.bits == 32 ? "0f%08llX" : "0d%016llX", (unsigned long long)bits);
        return true;
    }
    if (type.kind == 'f' || type.kind == 'p' || type.parts == 2) {
        return false;
    }
    const s128 number = number_of(type, bits);
    const u64 magnitude = (u64)(number < 0 ? -number : number);
    snprintf(text, size, type.kind == 's' ? "%s%llu" : "%s0x%llx", number < 0 ? "-" : "",
             (unsigned long long)magnitude);
    return true;
}
