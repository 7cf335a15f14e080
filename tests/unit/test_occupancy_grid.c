/* SPDX-License-Identifier: MIT */
/** \file Grids, clusters, suggested block sizes, waste, batches. */
#include "rg_test.h"

#include "occupancy_fixture.h"

/* Field cases BP-064 and BP-071. */
static void grids(void **state)
{
    struct ridge_error error = {0};
    struct ridge_grid_answer answer;
    uint64_t blocks = 77;
    struct ridge_occupancy_table *table = table_of(state, "cc:9.0", NULL);
    const struct ridge_launch unfit = {1024, 72, 0, 0};
    const struct ridge_launch fits = {256, 32, 0, 0};
    assert_int_equal(ridge_grid_persistent(table, &unfit, 132, &blocks, &error), RIDGE_E_EMPTY);
    assert_non_null(strstr(error.message, "cannot be resident"));
    assert_int_equal(blocks, 77);
    assert_ok(ridge_grid_persistent(table, &fits, 132, &blocks, &error), &error);
    assert_int_equal(blocks, 8 * 132);
    memset(&error, 0, sizeof error);
    assert_int_equal(ridge_occupancy_grid(table, &fits, (const uint64_t[]){1, 70000, 1}, 132, &answer, &error),
                     RIDGE_E_VALUE);
    assert_non_null(strstr(error.message, "65535"));
    assert_int_equal(ridge_occupancy_grid(table, &fits, (const uint64_t[]){1, 0, 1}, 132, &answer, NULL),
                     RIDGE_E_VALUE);
    assert_int_equal(ridge_occupancy_grid(table, &fits, (const uint64_t[]){1, 1, 1}, 0, &answer, NULL), RIDGE_E_VALUE);
    assert_ok(ridge_grid_for_elements(2147483647, 256, &blocks, &error), &error);
    assert_int_equal(blocks, 8388608);
    assert_ok(ridge_grid_for_elements(UINT64_MAX, 1024, &blocks, &error), &error);
    assert_true(blocks == UINT64_C(1) << 54);
    memset(&error, 0, sizeof error);
    assert_int_equal(ridge_grid_for_elements(0, 256, &blocks, &error), RIDGE_E_VALUE);
    assert_non_null(strstr(error.message, "nothing to launch"));
    assert_ok(ridge_occupancy_grid(table, &fits, (const uint64_t[]){2640, 1, 1}, 132, &answer, &error), &error);
    assert_int_equal(answer.full_waves, 2);
    assert_int_equal(answer.tail_blocks, 2640 - 2 * 1056);
    assert_close(answer.waves, 2.5, 1e-12, 0);
    assert_close(answer.efficiency, 2.5 / 3, 1e-12, 0);
    ridge_occupancy_table_destroy(table);
}

static void clusters(void **state)
{
    static const struct {
        const char *name;
        uint32_t blocks;
        ridge_status status;
        bool opt_in;
    } cases[] = {{"cc:9.0", 8, RIDGE_OK, false},       {"cc:9.0", 16, RIDGE_OK, true},
                 {"cc:9.0", 17, RIDGE_E_VALUE, false}, {"cc:12.0", 16, RIDGE_E_UNAVAILABLE, false},
                 {"cc:8.6", 2, RIDGE_E_VALUE, false},  {"cc:8.6", 1, RIDGE_OK, false},
                 {"cc:9.0", 0, RIDGE_E_VALUE, false}};
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ridge_device_match match;
        bool opt_in = false;
        assert_int_equal(ridge_device_find(fixture->db, cases[i].name, &match, NULL), RIDGE_OK);
        assert_int_equal(ridge_cluster_check(&match, cases[i].blocks, &opt_in, NULL), cases[i].status);
        assert_true(cases[i].status != RIDGE_OK || opt_in == cases[i].opt_in);
    }
}

static void suggestions_are_in_order(void **state)
{
    struct ridge_suggestion out[RIDGE_SUGGESTION_MAX];
    struct ridge_occupancy_table *table = table_of(state, "A100", NULL);
    const struct ridge_launch launch = {0, 64, 0, 0};
    const size_t count = ridge_occupancy_suggest(table, &launch, 16, out);
    assert_int_equal(count, 32);
    for (size_t i = 0; i < count; i++) {
        struct ridge_occupancy answer;
        ridge_occupancy_one(table, &out[i].launch, &answer);
        assert_int_equal(answer.warps, out[i].cell.warps);
        assert_int_equal(out[i].launch.smem_dynamic_bytes, out[i].launch.threads * 16);
        assert_true(i == 0 || out[i - 1].cell.warps >= out[i].cell.warps);
        assert_true(i == 0 || out[i - 1].cell.warps != out[i].cell.warps ||
                    out[i - 1].launch.threads < out[i].launch.threads);
    }
    assert_int_equal(ridge_occupancy_suggest(table, &(struct ridge_launch){0, 255, 60000, 0}, 0, out), 0);
    ridge_occupancy_table_destroy(table);
}

static void waste(void **state)
{
    const struct ridge_occupancy answer = ask(state, "cc:8.6", NULL, (struct ridge_launch){100, 33, 0, 1000});
    assert_int_equal(answer.idle_lanes, 28);
    assert_int_equal(answer.registers_per_thread_allocated, 40);
    assert_int_equal(answer.registers_per_block_allocated, 40 * 128);
    assert_int_equal(answer.registers_per_block_wasted, 40 * 128 - 3300);
    assert_int_equal(answer.smem_per_block_allocated_bytes, 2048);
    assert_int_equal(answer.smem_per_block_wasted_bytes, 24);
    assert_int_equal(answer.smem_reserved_bytes, 1024);
}

static void batch_takes_missing_columns(void **state)
{
    struct ridge_occupancy_table *table = table_of(state, "cc:8.6", NULL);
    const uint32_t threads[] = {128, 0, 2048};
    const struct ridge_launch_columns columns = {.threads = threads};
    struct ridge_occupancy_cell cells[3];
    ridge_occupancy_batch(table, &columns, 3, cells);
    assert_int_equal(cells[0].blocks, 12);
    assert_int_equal(cells[1].rule, RIDGE_LAUNCH_NO_THREADS);
    assert_int_equal(cells[2].rule, RIDGE_LAUNCH_THREADS);
    ridge_occupancy_table_destroy(table);
    ridge_occupancy_table_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids),
        cmocka_unit_test(clusters),
        cmocka_unit_test(suggestions_are_in_order),
        cmocka_unit_test(waste),
        cmocka_unit_test(batch_takes_missing_columns),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
