/* SPDX-License-Identifier: MIT */
/** \file Occupancy: the field cases (answers of cuda_occupancy.h 13.0 and of LLVM's rules), advice that holds. */
#include "rg_test.h"

#include "base/rng.h"
#include "occupancy_fixture.h"

static ridge_status refused(void **state, const char *name, const struct ridge_occupancy_options *options,
                            const char *part)
{
    const struct fixture *fixture = *state;
    struct ridge_device_match match;
    struct ridge_occupancy_table *table = NULL;
    struct ridge_error error = {0};
    assert_ok(ridge_device_find(fixture->db, name, &match, &error), &error);
    const ridge_status status = ridge_occupancy_table_create(fixture->context, &match, options, &table, &error);
    assert_null(table);
    if (!strstr(error.message, part)) {
        fail_msg("'%s' does not hold '%s'", error.message, part);
    }
    return status;
}

#define BIT(resource) (1U << (resource))
enum {
    WARPS = BIT(RIDGE_RESOURCE_WARPS),
    REGISTERS = BIT(RIDGE_RESOURCE_REGISTERS),
    SMEM = BIT(RIDGE_RESOURCE_SHARED_MEMORY),
    BLOCKS = BIT(RIDGE_RESOURCE_BLOCKS)
};

/** One question about an NVIDIA device with its answer. */
struct row {
    const char *id, *name;
    const struct ridge_occupancy_options *options;
    struct ridge_launch launch;
    uint32_t blocks, warps, limiters;
    ridge_launch_rule rule;
    const char *verdict; /* part of it */
};

static const struct ridge_occupancy_options carve40 = {.carveout = RIDGE_CARVEOUT_PERCENT, .carveout_value = 40};
static const struct ridge_occupancy_options carve20 = {.carveout = RIDGE_CARVEOUT_PERCENT, .carveout_value = 20};
static const struct ridge_occupancy_options carve100k = {.carveout = RIDGE_CARVEOUT_KIB, .carveout_value = 100};
static const struct ridge_occupancy_options limited = {.opt_in = true, .smem_dynamic_max_bytes = 60000};
static const struct ridge_occupancy_options built192 = {.kernel_max_threads = 192};
static const struct ridge_occupancy_options barriers16 = {.barriers = 16};
static const struct ridge_occupancy_options barriers70 = {.barriers = 70};
static const struct ridge_occupancy_options resources129 = {.virtual_resources = 129};

static const struct row rows[] = {
    {"BP-053", "cc:8.6", NULL, {1024, 40, 0, 0}, 1, 32, WARPS | REGISTERS, RIDGE_LAUNCH_OK, "launchable"},
    {"BP-053", "cc:8.6", NULL, {1536, 40, 0, 0}, 0, 0, WARPS | REGISTERS, RIDGE_LAUNCH_THREADS, "1024"},
    {"BP-054", "cc:8.6", NULL, {48, 24, 0, 0}, 16, 32, BLOCKS, RIDGE_LAUNCH_OK, ""},
    {"BP-054", "cc:8.9", NULL, {48, 24, 0, 0}, 24, 48, WARPS | BLOCKS, RIDGE_LAUNCH_OK, ""},
    {"BP-054", "cc:12.0", NULL, {48, 24, 0, 0}, 24, 48, WARPS | BLOCKS, RIDGE_LAUNCH_OK, ""},
    {"BP-056",
     "cc:9.0",
     NULL,
     {896, 80, 0, 0},
     0,
     0,
     REGISTERS,
     RIDGE_LAUNCH_BLOCK_REGISTERS,
     "needs 71680 of 65536 registers"},
    {"BP-056", "cc:9.0", NULL, {896, 72, 0, 0}, 1, 28, REGISTERS, RIDGE_LAUNCH_OK, ""},
    {"BP-056", "cc:9.0", NULL, {800, 80, 0, 0}, 0, 0, REGISTERS, RIDGE_LAUNCH_BLOCK_REGISTERS, "whole rows"},
    {"BP-056", "cc:9.0", NULL, {768, 80, 0, 0}, 1, 24, REGISTERS, RIDGE_LAUNCH_OK, ""},
    {"BP-058", "cc:8.6", NULL, {128, 40, 256, 49000}, 0, 0, SMEM, RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN, "opt-in"},
    {"BP-058", "cc:8.6", &opted, {128, 40, 256, 49000}, 2, 8, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-058", "cc:8.6", NULL, {128, 40, 256, 48896}, 2, 8, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-059", "cc:9.0", &opted, {192, 96, 0, 104448}, 2, 12, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-059", "12.0", &opted, {192, 96, 0, 104448}, 0, 0, SMEM, RIDGE_LAUNCH_SMEM, "101376"},
    {"BP-059", "12.0", &opted, {192, 96, 0, 69632}, 1, 6, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-061", "cc:8.0", NULL, {160, 48, 0, 20480}, 7, 35, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-061", "cc:8.0", &carve40, {160, 48, 0, 20480}, 4, 20, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-061", "cc:8.0", &carve20, {160, 48, 0, 20480}, 3, 15, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-061", "cc:8.0", &carve100k, {160, 48, 0, 20480}, 4, 20, SMEM, RIDGE_LAUNCH_OK, ""},
    {"BP-062", "cc:5.0", NULL, {128, 70, 0, 0}, 7, 28, REGISTERS, RIDGE_LAUNCH_OK, ""},
    {"BP-062", "cc:5.2", NULL, {128, 70, 0, 0}, 7, 28, REGISTERS, RIDGE_LAUNCH_OK, ""},
    {"BP-064", "cc:9.0", NULL, {1024, 72, 0, 0}, 0, 0, REGISTERS, RIDGE_LAUNCH_BLOCK_REGISTERS, "73728"},
    {"BP-066", "cc:12.0", NULL, {32, 20, 0, 0}, 24, 24, BLOCKS, RIDGE_LAUNCH_OK, ""},
    {"BP-066", "cc:10.0", NULL, {32, 20, 0, 0}, 32, 32, BLOCKS, RIDGE_LAUNCH_OK, ""},
    {"BP-070", "cc:6.1", NULL, {640, 44, 0, 0}, 2, 40, REGISTERS, RIDGE_LAUNCH_OK, ""},
    {"BP-073", "cc:8.0", NULL, {2048, 16, 0, 0}, 0, 0, WARPS, RIDGE_LAUNCH_THREADS, "2048 threads"},
    {"BP-073", "cc:8.0", NULL, {256, 16, 0, 0}, 8, 64, WARPS, RIDGE_LAUNCH_OK, ""},
    {"BP-074", "cc:9.0", &opted, {1024, 72, 0, 61440}, 0, 0, REGISTERS, RIDGE_LAUNCH_BLOCK_REGISTERS, "73728 of 65536"},
    {"compilers", "cc:8.6", NULL, {256, 256, 0, 0}, 0, 0, REGISTERS, RIDGE_LAUNCH_THREAD_REGISTERS, "255"},
    {"compilers", "cc:8.6", &opted, {256, 32, 49153, 0}, 0, 0, SMEM, RIDGE_LAUNCH_SMEM_STATIC, "static"},
    {"compilers", "cc:8.6", &opted, {256, 32, 49152, 0}, 2, 16, SMEM, RIDGE_LAUNCH_OK, ""},
    {"limit", "cc:8.6", &limited, {256, 32, 0, 60001}, 0, 0, SMEM, RIDGE_LAUNCH_SMEM_DYNAMIC, "60000"},
    {"bounds", "cc:8.6", &built192, {256, 32, 0, 0}, 0, 0, WARPS, RIDGE_LAUNCH_KERNEL_THREADS, "at most 192"},
    {"zero", "cc:8.6", NULL, {0, 32, 0, 0}, 0, 0, WARPS, RIDGE_LAUNCH_NO_THREADS, "0 threads"},
    {"absurd",
     "cc:8.6",
     NULL,
     {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
     0,
     0,
     WARPS | REGISTERS | SMEM,
     RIDGE_LAUNCH_THREADS,
     "4294967295"},
    {"barriers", "cc:9.0", &barriers16, {64, 16, 0, 0}, 4, 8, BIT(RIDGE_RESOURCE_BARRIERS), RIDGE_LAUNCH_OK, ""},
    {"barriers",
     "cc:9.0",
     &barriers70,
     {64, 16, 0, 0},
     0,
     0,
     BIT(RIDGE_RESOURCE_BARRIERS),
     RIDGE_LAUNCH_BARRIERS,
     "70"},
    {"virtual",
     "cc:10.0",
     &resources129,
     {64, 16, 0, 0},
     0,
     0,
     BIT(RIDGE_RESOURCE_VIRTUAL),
     RIDGE_LAUNCH_VIRTUAL,
     "129"},
};

static void nvidia_answers(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        const struct ridge_occupancy answer = ask(state, row->name, row->options, row->launch);
        if (answer.blocks != row->blocks || answer.warps != row->warps || answer.rule != row->rule ||
            !strstr(answer.verdict, row->verdict) || (row->blocks && answer.limiters != row->limiters) ||
            (answer.limiters & row->limiters) != (row->blocks ? row->limiters : answer.limiters & row->limiters)) {
            fail_msg("row %zu (%s %s): %u blocks, %u warps, limiters 0x%x, %s: %s", i, row->id, row->name,
                     answer.blocks, answer.warps, answer.limiters, ridge_launch_word(answer.rule), answer.verdict);
        }
    }
    assert_close(ask(state, "cc:6.1", NULL, (struct ridge_launch){640, 44, 0, 0}).ratio, 0.625, 0, 1e-12);
}

/* The launch rule that 274 recorded failures of pnpoly on an RTX 3090 prove (shared data README). */
static void register_rule_of_recorded_data(void **state)
{
    struct ridge_occupancy_table *table = table_of(state, "RTX 3090", NULL);
    for (uint32_t threads = 32; threads <= 1024; threads += 32) {
        for (uint32_t registers = 1; registers <= 255; registers++) {
            const uint32_t rows_of_warps = (threads / 32 + 3) / 4;
            const uint32_t warp_registers = ((registers + 7) / 8 * 8 * 32 + 255) / 256 * 256;
            const struct ridge_launch launch = {threads, registers, 0, 0};
            struct ridge_occupancy answer;
            ridge_occupancy_one(table, &launch, &answer);
            assert_int_equal(answer.blocks == 0, rows_of_warps * warp_registers > 16384);
        }
    }
    ridge_occupancy_table_destroy(table);
}

/* Field case BP-069: padding shared memory cannot give more blocks than registers do. */
static void count_blocks(void *user, const struct ridge_sweep_range *range)
{
    *(uint32_t *)user |= 1U << range->cell.blocks;
}

static void padding_stops_where_registers_limit(void **state)
{
    struct ridge_occupancy_table *table = table_of(state, "cc:8.9", &opted);
    const struct ridge_launch launch = {160, 100, 0, 0};
    uint32_t seen = 0;
    ridge_occupancy_sweep(table, &launch, RIDGE_SWEEP_SMEM, count_blocks, &seen);
    assert_int_equal(seen, 1U << 1 | 1U << 2 | 1U << 3);
    ridge_occupancy_table_destroy(table);
}

/** Checks ranges against single answers. */
struct sweep_check {
    const struct ridge_occupancy_table *table;
    struct ridge_launch launch;
    ridge_sweep what;
    uint32_t next;
};

static void check_range(void *user, const struct ridge_sweep_range *range)
{
    struct sweep_check *check = user;
    const uint32_t ends[] = {range->first, range->last};
    assert_true(range->first >= check->next && range->last >= range->first);
    check->next = range->last + 1;
    for (size_t i = 0; i < 2; i++) {
        struct ridge_launch launch = check->launch;
        uint32_t *const varied[] = {&launch.threads, &launch.registers, &launch.smem_dynamic_bytes};
        *varied[check->what] = ends[i];
        struct ridge_occupancy answer;
        ridge_occupancy_one(check->table, &launch, &answer);
        assert_int_equal(answer.blocks, range->cell.blocks);
        assert_int_equal(answer.limiters, range->cell.limiters);
    }
}

static void sweeps_agree_with_single_answers(void **state)
{
    static const char *const names[] = {"cc:5.2", "cc:7.5", "cc:8.0", "cc:12.0", "gfx950", "gfx1030"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct ridge_occupancy_table *table = table_of(state, names[i], NULL);
        for (int what = RIDGE_SWEEP_THREADS; what <= RIDGE_SWEEP_SMEM; what++) {
            struct sweep_check check = {table, {192, 44, 500, 0}, (ridge_sweep)what, 0};
            ridge_occupancy_sweep(table, &check.launch, (ridge_sweep)what, check_range, &check);
            assert_true(check.next > 100);
        }
        ridge_occupancy_table_destroy(table);
    }
}

static bool advice_has(const struct ridge_advice *advice, size_t count, uint32_t threads, uint32_t registers,
                       uint32_t blocks)
{
    for (size_t i = 0; i < count; i++) {
        if (advice[i].launch.threads == threads && advice[i].launch.registers == registers &&
            advice[i].to.blocks == blocks) {
            return true;
        }
    }
    return false;
}

/* Field cases BP-056 and BP-070: advice must hold. */
static void advice_of_field_cases(void **state)
{
    struct ridge_advice advice[RIDGE_ADVICE_MAX];
    struct ridge_occupancy_table *table = table_of(state, "cc:9.0", NULL);
    struct ridge_launch launch = {896, 80, 0, 0};
    size_t count = ridge_occupancy_advise(table, &launch, advice);
    assert_true(advice_has(advice, count, 896, 72, 1));
    assert_true(advice_has(advice, count, 768, 80, 1));
    ridge_occupancy_table_destroy(table);

    table = table_of(state, "cc:6.1", NULL);
    launch = (struct ridge_launch){640, 44, 0, 0};
    count = ridge_occupancy_advise(table, &launch, advice);
    assert_true(advice_has(advice, count, 640, 32, 3));
    uint64_t needed = 0;
    uint64_t available = 0;
    assert_true(ridge_occupancy_next_need(table, &launch, RIDGE_RESOURCE_REGISTERS, &needed, &available));
    assert_int_equal(needed, 92160);
    assert_int_equal(available, 65536);
    assert_false(ridge_occupancy_next_need(table, &launch, RIDGE_RESOURCE_SHARED_MEMORY, &needed, &available));
    ridge_occupancy_table_destroy(table);

    table = table_of(state, "cc:8.6", NULL);
    launch = (struct ridge_launch){128, 40, 256, 49000};
    count = ridge_occupancy_advise(table, &launch, advice);
    assert_true(count >= 2 && advice[0].changes_opt_in && advice[0].to.blocks == 2);
    assert_true(advice[1].changes_smem && advice[1].launch.smem_dynamic_bytes == 48896);
    ridge_occupancy_table_destroy(table);
}

/** Every piece of advice gives what it says, and one step less does not help. */
static void check_advice(const struct ridge_occupancy_table *table, const struct ridge_launch *launch)
{
    struct ridge_advice advice[RIDGE_ADVICE_MAX];
    struct ridge_occupancy now;
    ridge_occupancy_one(table, launch, &now);
    const size_t count = ridge_occupancy_advise(table, launch, advice);
    assert_true(count <= RIDGE_ADVICE_MAX);
    for (size_t i = 0; i < count; i++) {
        struct ridge_occupancy then;
        if (advice[i].changes_opt_in) {
            assert_int_equal(now.rule, RIDGE_LAUNCH_SMEM_NEEDS_OPT_IN);
            continue;
        }
        ridge_occupancy_one(table, &advice[i].launch, &then);
        assert_int_equal(then.blocks, advice[i].to.blocks);
        assert_true(then.warps > now.warps);
        if (advice[i].changes_registers && !advice[i].changes_smem &&
            advice[i].launch.registers + 1 < launch->registers) {
            struct ridge_launch nearer = advice[i].launch;
            nearer.registers++;
            ridge_occupancy_one(table, &nearer, &then);
            assert_true(then.warps <= now.warps);
        }
        if (advice[i].changes_smem && !advice[i].changes_registers) {
            struct ridge_launch nearer = advice[i].launch;
            nearer.smem_dynamic_bytes++;
            ridge_occupancy_one(table, &nearer, &then);
            assert_true(then.warps <= now.warps);
        }
    }
}

static void advice_holds(void **state)
{
    static const char *const names[] = {"cc:5.3",  "cc:6.0", "cc:7.5", "cc:8.0", "cc:8.6",  "cc:9.0",
                                        "cc:12.0", "gfx906", "gfx90a", "gfx950", "gfx1030", "gfx1100"};
    struct rg_rng rng;
    rg_rng_init(&rng, 7);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct ridge_occupancy_table *table = table_of(state, names[i], NULL);
        for (int k = 0; k < 1500; k++) {
            const struct ridge_launch launch = {(uint32_t)rg_rng_below(&rng, 1200), (uint32_t)rg_rng_below(&rng, 270),
                                                (uint32_t)rg_rng_below(&rng, 20000) * (uint32_t)rg_rng_below(&rng, 2),
                                                (uint32_t)rg_rng_below(&rng, 60000) * (uint32_t)rg_rng_below(&rng, 2)};
            check_advice(table, &launch);
        }
        ridge_occupancy_table_destroy(table);
    }
}

/** Waves per SIMD of groups of one wave. */
static uint32_t waves(void **state, const char *name, const struct ridge_occupancy_options *options, uint32_t threads,
                      uint32_t registers)
{
    struct ridge_occupancy_table *table = table_of(state, name, options);
    const struct ridge_launch launch = {threads, registers, 0, 0};
    struct ridge_occupancy answer;
    ridge_occupancy_one(table, &launch, &answer);
    const uint32_t simds = ridge_occupancy_simds(table);
    ridge_occupancy_table_destroy(table);
    return answer.warps / simds;
}

static void amd_answers(void **state)
{
    const struct ridge_occupancy_options agpr64 = {.accumulation_registers = 64};
    const struct ridge_occupancy_options wave64 = {.wave_threads = 64};
    const struct ridge_occupancy_options wave32 = {.wave_threads = 32};
    const struct ridge_occupancy_options cu = {.compute_unit_mode = true};
    /* BP-075 */
    assert_int_equal(waves(state, "gfx908", &agpr64, 64, 96), 2);
    assert_int_equal(waves(state, "gfx90a", &agpr64, 64, 96), 3);
    assert_int_equal(waves(state, "gfx942", &agpr64, 64, 96), 3);
    /* BP-077 */
    assert_int_equal(ask(state, "gfx90a", NULL, (struct ridge_launch){256, 16, 13000, 0}).blocks, 4);
    assert_int_equal(ask(state, "gfx90a", NULL, (struct ridge_launch){256, 16, 0, 13312}).blocks, 4);
    /* BP-079 */
    assert_int_equal(waves(state, "gfx1030", &wave32, 32, 98), 9);
    assert_int_equal(waves(state, "gfx1030", &wave64, 64, 98), 4);
    assert_int_equal(waves(state, "gfx1100", &wave32, 32, 98), 12);
    assert_int_equal(waves(state, "gfx1100", &wave64, 64, 98), 7);
    assert_int_equal(waves(state, "gfx1100", &cu, 32, 98), 12);
    /* BP-080 */
    assert_int_equal(waves(state, "gfx906", NULL, 64, 20), 10);
    assert_int_equal(ask(state, "gfx906", NULL, (struct ridge_launch){64, 20, 0, 0}).warps, 40);
    /* BP-082 */
    const struct ridge_occupancy none = ask(state, "gfx90a", NULL, (struct ridge_launch){64, 0, 0, 0});
    assert_int_equal(none.limit[RIDGE_RESOURCE_REGISTERS], RIDGE_NO_LIMIT);
    assert_int_equal(none.warps, 32);
    assert_int_equal(ask(state, "gfx90a", NULL, (struct ridge_launch){0, 8, 0, 0}).rule, RIDGE_LAUNCH_NO_THREADS);
    const struct ridge_occupancy large = ask(state, "gfx90a", NULL, (struct ridge_launch){2048, 8, 0, 0});
    assert_true(large.blocks == 0 && large.rule == RIDGE_LAUNCH_THREADS && strstr(large.verdict, "1024"));
    const struct ridge_occupancy lds = ask(state, "gfx90a", NULL, (struct ridge_launch){64, 8, 70000, 0});
    assert_true(lds.blocks == 0 && lds.rule == RIDGE_LAUNCH_SMEM && strstr(lds.verdict, "65536"));
    /* BP-084 */
    assert_int_equal(ask(state, "gfx90a", &built192, (struct ridge_launch){256, 8, 0, 0}).rule,
                     RIDGE_LAUNCH_KERNEL_THREADS);
    /* a group whose waves do not fit the register files */
    const struct ridge_occupancy unfit = ask(state, "gfx90a", NULL, (struct ridge_launch){1024, 168, 0, 0});
    assert_true(unfit.blocks == 0 && unfit.rule == RIDGE_LAUNCH_BLOCK_REGISTERS && strstr(unfit.verdict, "SIMDs"));
}

/** Rules of the facts, written once more and slowly, for every GCN and CDNA target. */
static void amd_groups_by_a_second_model(void **state)
{
    static const struct {
        const char *name;
        uint32_t max_waves, file, unit, lds_unit, lds_group;
    } targets[] = {
        {"gfx900", 10, 256, 4, 512, 65536}, {"gfx90a", 8, 512, 8, 512, 65536}, {"gfx950", 8, 512, 8, 1280, 163840}};
    struct rg_rng rng;
    rg_rng_init(&rng, 11);
    for (size_t i = 0; i < 3; i++) {
        struct ridge_occupancy_table *table = table_of(state, targets[i].name, NULL);
        for (int k = 0; k < 20000; k++) {
            const struct ridge_launch launch = {1 + (uint32_t)rg_rng_below(&rng, 1024),
                                                1 + (uint32_t)rg_rng_below(&rng, 256),
                                                (uint32_t)rg_rng_below(&rng, 70000), 0};
            const uint32_t w = (launch.threads + 63) / 64;
            uint32_t best = targets[i].max_waves * 4 / w;
            const uint32_t rounded = (launch.registers + targets[i].unit - 1) / targets[i].unit * targets[i].unit;
            const uint32_t by_vgpr = targets[i].file / rounded * 4 / w;
            const uint32_t lds =
                (launch.smem_static_bytes + targets[i].lds_unit - 1) / targets[i].lds_unit * targets[i].lds_unit;
            uint32_t by_lds = lds ? targets[i].lds_group / lds : 1000;
            best = by_vgpr < best ? by_vgpr : best;
            best = by_lds < best ? by_lds : best;
            best = w > 1 && best > 16 ? 16 : best;
            struct ridge_occupancy answer;
            ridge_occupancy_one(table, &launch, &answer);
            assert_int_equal(answer.blocks, best);
        }
        ridge_occupancy_table_destroy(table);
    }
}

static void scalar_registers_limit_before_gfx10(void **state)
{
    const struct ridge_occupancy_options sgpr88 = {.scalar_registers = 88};
    const struct ridge_occupancy_options sgpr103 = {.scalar_registers = 103};
    assert_int_equal(waves(state, "gfx906", &sgpr88, 64, 16), 8);
    assert_int_equal(waves(state, "gfx1030", &sgpr88, 32, 16), 16);
    assert_int_equal(refused(state, "gfx906", &sgpr103, "103 SGPRs"), RIDGE_E_VALUE);
}

static void intel_answers(void **state)
{
    const struct ridge_occupancy_options sub16 = {.wave_threads = 16};
    const struct ridge_occupancy_options sub32 = {.wave_threads = 32};
    const struct ridge_occupancy_options sub32_barrier = {.wave_threads = 32, .barriers = 1};
    const struct ridge_occupancy_options sub8 = {.wave_threads = 8};
    /* a whole Xe-HPC core: 64 hardware threads of 16 */
    assert_int_equal(ask(state, "Max 1550", &sub16, (struct ridge_launch){1024, 128, 0, 0}).blocks, 1);
    assert_int_equal(ask(state, "Max 1550", &sub16, (struct ridge_launch){512, 256, 0, 0}).blocks, 1);
    assert_int_equal(ask(state, "Max 1550", &sub16, (struct ridge_launch){1024, 256, 0, 0}).rule,
                     RIDGE_LAUNCH_BLOCK_REGISTERS);
    /* shared memory goes in steps: 33 KiB are given as 48, 65 as 96 */
    assert_int_equal(ask(state, "Max 1550", &sub16, (struct ridge_launch){64, 0, 33 * 1024, 0}).blocks, 2);
    assert_int_equal(ask(state, "Max 1550", &sub16, (struct ridge_launch){64, 0, 32 * 1024, 0}).blocks, 4);
    assert_int_equal(ask(state, "Max 1550", &sub16, (struct ridge_launch){64, 0, 65 * 1024, 0}).blocks, 1);
    const struct ridge_occupancy arc = ask(state, "A770", &sub32, (struct ridge_launch){256, 100, 20000, 0});
    assert_int_equal(arc.blocks, 4);
    assert_int_equal(arc.smem_per_block_allocated_bytes, 32768);
    assert_int_equal(arc.max_warps, 128);
    assert_int_equal(ask(state, "A770", &sub32, (struct ridge_launch){32, 0, 0, 0}).blocks, 128);
    assert_int_equal(ask(state, "A770", &sub32_barrier, (struct ridge_launch){32, 0, 0, 0}).blocks, 32);
    assert_int_equal(ask(state, "A770", &sub32, (struct ridge_launch){32, 0, 65537, 0}).rule, RIDGE_LAUNCH_SMEM);
    assert_int_equal(ask(state, "A770", &sub32, (struct ridge_launch){32, 129, 0, 0}).rule,
                     RIDGE_LAUNCH_THREAD_REGISTERS);
    assert_int_equal(refused(state, "A770", NULL, "16 or 32"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "A770", &sub8, "16, 32"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "A770", &opted, "Intel"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "Xe-LP", &sub16, "smem_steps_kib"), RIDGE_E_UNAVAILABLE);
    assert_int_equal(refused(state, "B580", &sub16, "no occupancy rules"), RIDGE_E_UNAVAILABLE);
}

static void options_a_device_does_not_have(void **state)
{
    const struct ridge_occupancy_options kib50 = {.carveout = RIDGE_CARVEOUT_KIB, .carveout_value = 50};
    const struct ridge_occupancy_options percent101 = {.carveout = RIDGE_CARVEOUT_PERCENT, .carveout_value = 101};
    const struct ridge_occupancy_options wave48 = {.wave_threads = 48};
    const struct ridge_occupancy_options wave32 = {.wave_threads = 32};
    const struct ridge_occupancy_options cu = {.compute_unit_mode = true};
    const struct ridge_occupancy_options agpr = {.accumulation_registers = 4};
    assert_int_equal(refused(state, "cc:8.6", &kib50, "0, 8, 16, 32, 64, 100"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "cc:8.6", &percent101, "101"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "cc:6.1", &carve40, "no carve-out"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "gfx90a", &carve40, "AMD"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "gfx90a", &opted, "AMD"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "gfx90a", &wave32, "64"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "gfx1030", &wave48, "32, 64"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "gfx90a", &cu, "compute unit mode"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "cc:8.6", &cu, "AMD"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "gfx906", &agpr, "accumulation"), RIDGE_E_VALUE);
    assert_int_equal(refused(state, "Apple M4", NULL, "no occupancy rules"), RIDGE_E_UNAVAILABLE);
    assert_int_equal(refused(state, "BI-V100", NULL, "no occupancy rules"), RIDGE_E_UNAVAILABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvidia_answers),
        cmocka_unit_test(register_rule_of_recorded_data),
        cmocka_unit_test(padding_stops_where_registers_limit),
        cmocka_unit_test(sweeps_agree_with_single_answers),
        cmocka_unit_test(advice_of_field_cases),
        cmocka_unit_test(advice_holds),
        cmocka_unit_test(amd_answers),
        cmocka_unit_test(amd_groups_by_a_second_model),
        cmocka_unit_test(scalar_registers_limit_before_gfx10),
        cmocka_unit_test(intel_answers),
        cmocka_unit_test(options_a_device_does_not_have),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
