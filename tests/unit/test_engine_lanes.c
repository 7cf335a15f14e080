/* SPDX-License-Identifier: MIT */
/** \file The lane loops of every vector width that this machine runs give the same results, for every operation and mask. */
#include "base/rng.h"
#include "engine/ptx_code.h"
#include "engine/run.h"
#include "rg_test.h"

enum {
    COLUMN = 256,
    MEMORY = 5 * COLUMN
};

struct machine {
    _Alignas(64) uint8_t registers[MEMORY];
    struct rg_warp warp;
};

static void start(struct machine *machine, uint64_t seed)
{
    struct rg_rng rng;
    rg_rng_init(&rng, seed);
    memset(&machine->warp, 0, sizeof machine->warp);
    machine->warp.registers = machine->registers;
    for (size_t i = 0; i < MEMORY; i += 8) {
        uint64_t value = rg_rng_next(&rng);
        value = i % 24 == 0 ? value % 70 : value; /* small ones too: shifts, lengths */
        memcpy(machine->registers + i, &value, 8);
    }
}

static bool is_nan(uint64_t bits, uint8_t type)
{
    switch (type) {
    case RG_F32: return (bits & 0x7fffffff) > 0x7f800000;
    case RG_F64: return (bits & ~((uint64_t)1 << 63)) > 0x7ff0000000000000;
    default: return false;
    }
}

static void compare(const struct machine *a, const struct machine *b, unsigned code)
{
    const struct rg_code_facts *facts = &rg_codes[code];
    assert_int_equal(a->warp.compare, b->warp.compare);
    for (size_t at = 0; facts->types[0] != RG_PRED && at < MEMORY; at += facts->bytes[0]) {
        uint64_t x = 0;
        uint64_t y = 0;
        memcpy(&x, a->registers + at, facts->bytes[0]);
        memcpy(&y, b->registers + at, facts->bytes[0]);
        if (x != y && !(is_nan(x, facts->types[0]) && is_nan(y, facts->types[0]))) {
            print_error("%s: %llx and %llx at %zu\n", facts->key, (unsigned long long)x, (unsigned long long)y, at);
        }
        assert_true(x == y || (is_nan(x, facts->types[0]) && is_nan(y, facts->types[0])));
    }
}

static void check_table(const rg_lane_fn *table)
{
    static const uint32_t masks[] = {0xffffffff, 1, 0x80000000, 0x0f0f1234};
    for (unsigned code = 0; code < RG_CODE_load; code++) {
        for (uint64_t seed = 0; seed < 16; seed++) {
            struct machine plain;
            struct machine wide;
            const struct rg_op op = {.d = COLUMN, .a = 2 * COLUMN, .b = 3 * COLUMN, .c = 4 * COLUMN, .immediate = 0xb2};
            start(&plain, seed);
            start(&wide, seed);
            rg_lanes_plain[code](&plain.warp, &op, masks[seed % 4]);
            table[code](&wide.warp, &op, masks[seed % 4]);
            compare(&plain, &wide, code);
        }
    }
}

static void test_tables_agree(void **state)
{
    (void)state;
#if defined(__x86_64__)
    const rg_lane_fn *best = rg_lanes_pick();
    if (best == rg_lanes_plain) {
        skip();
    }
    check_table(rg_lanes_v3);
    if (best == rg_lanes_v4) {
        check_table(rg_lanes_v4);
    }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
