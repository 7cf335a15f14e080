/* SPDX-License-Identifier: MIT */
/**
 * \file What a ranking model reads of a configuration, filled in columns, is what each expression gives by itself, to the
 * bit: configurations drawn from the spaces in the folder on the command line. A seed behind it repeats a run.
 */
#include "rg_test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/sheet.h"

enum {
    BLOCKS = 8 /* of each space */
};

static const char *folder;
static uint64_t seed = 20261130;

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b;
}

static void compare(const struct rg_desk *columns, const struct rg_desk *single, size_t count, const char *name)
{
    for (size_t row = 0; row < count; row++) {
        assert_int_equal(columns->faulted[row], single->faulted[row]);
        for (size_t cell = 0; cell < RG_CELL_COUNT; cell++) {
            if (!same(columns->cells[cell][row], single->cells[cell][row])) {
                fail_msg("seed %llu, %s, row %zu, cell %zu: %.17g in columns, %.17g by itself",
                         (unsigned long long)seed, name, row, cell, columns->cells[cell][row],
                         single->cells[cell][row]);
            }
        }
    }
}

/** Compare blocks of a space; the last one is not full. */
static void check_space(const struct ridge_context *context, const struct ridge_space *space, const char *name)
{
    struct ridge_error error = {0};
    struct rg_sheet sheet;
    uint64_t count = 0;
    const uint64_t wanted = BLOCKS * RG_COLUMN_ROWS - RG_COLUMN_ROWS / 3;
    const size_t width = ridge_space_dimension_count(space);
    uint32_t *choices = calloc(wanted * width, sizeof *choices);
    struct rg_desk *columns = calloc(1, sizeof *columns);
    struct rg_desk *single = calloc(1, sizeof *single);
    assert_true(choices && columns && single);
    assert_ok(ridge_space_sample(space, wanted, seed, choices, &count, &error), &error);
    assert_ok(rg_sheet_init(&sheet, context, space, true, &error), &error);
    for (uint64_t at = 0; at < count; at += RG_COLUMN_ROWS) {
        const size_t rows = count - at < RG_COLUMN_ROWS ? (size_t)(count - at) : RG_COLUMN_ROWS;
        rg_sheet_fill(&sheet, choices + at * width, rows, columns);
        rg_sheet_fill_single(&sheet, choices + at * width, rows, single);
        compare(columns, single, rows, name);
    }
    rg_sheet_fini(&sheet);
    free(choices);
    free(columns);
    free(single);
}

static void columns_equal_single(void **state)
{
    (void)state;
    DIR *list = opendir(folder);
    assert_non_null(list);
    size_t spaces = 0;
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        struct ridge_context *context = test_context();
        struct ridge_spec *spec = NULL;
        struct ridge_space *space = NULL;
        struct ridge_error error = {0};
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            assert_ok(ridge_spec_load(context, path, NULL, 0, &spec, &error), &error);
            assert_ok(ridge_space_create(context, spec, &space, &error), &error);
            check_space(context, space, entry->d_name);
            spaces++;
        }
        ridge_space_destroy(space);
        ridge_spec_destroy(spec);
        ridge_context_destroy(context);
    }
    closedir(list);
    assert_true(spaces >= 6);
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : "tests/fixtures/recorded";
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_equal_single)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
