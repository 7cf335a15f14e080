/* SPDX-License-Identifier: MIT */
/** \file Every spelling that the engine accepts has a row and does what the row says; every row is for something. */
#include <stdio.h>
#include <stdlib.h>

#include "instruction.h"
#include "rg_test.h"

struct walk {
    size_t spellings;
    size_t without_row;
    unsigned wrong; /* spellings */
    bool run;
    bool *used;
    const char *only; /* an opcode, or NULL */
};

static const struct row *find_row(const struct spelling *spelling)
{
    for (size_t i = 0; i < row_count; i++) {
        if (row_takes(&rows[i], spelling)) {
            return &rows[i];
        }
    }
    return NULL;
}

static void visit(const struct spelling *spelling, void *user)
{
    struct walk *walk = user;
    if (walk->only && !is(spelling, walk->only)) {
        return;
    }
    const struct row *row = find_row(spelling);
    walk->spellings++;
    if (!row) {
        walk->without_row++;
        print_error("%s: accepted by the engine, but no row of tests/instructions/rows.c says what it means\n",
                    spelling->text);
        return;
    }
    walk->used[row - rows] = true;
    if (walk->run && row->check(row, spelling)) {
        walk->wrong++;
    }
}

static struct walk walk_all(bool run)
{
    struct walk walk = {.run = run, .only = getenv("INSTRUCTION")};
    walk.used = calloc(row_count, sizeof *walk.used);
    assert_non_null(walk.used);
    each_spelling(visit, &walk);
    assert_true(walk.spellings > 0); /* INSTRUCTION may be misspelt */
    return walk;
}

static void test_every_form_has_a_row(void **state)
{
    (void)state;
    const struct walk walk = walk_all(false);
    size_t unused = 0;
    for (size_t i = 0; i < row_count && !walk.only; i++) {
        if (!walk.used[i]) {
            print_error("the row %s %s is for nothing that the engine accepts\n", rows[i].opcode, rows[i].words);
            unused++;
        }
    }
    print_message("%zu spellings, %zu rows\n", walk.spellings, row_count);
    free(walk.used);
    assert_int_equal(walk.without_row, 0);
    assert_int_equal(unused, 0);
}

static void test_every_spelling(void **state)
{
    (void)state;
    print_message("seed %llu (INSTRUCTION_SEED chooses another, INSTRUCTION one opcode)\n", (unsigned long long)seed);
    const struct walk walk = walk_all(true);
    free(walk.used);
    assert_int_equal(walk.wrong, 0);
    assert_int_equal(walk.only ? 0 : report_unreached(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_has_a_row),
        cmocka_unit_test(test_every_spelling),
    };
    const char *chosen = getenv("INSTRUCTION_SEED");
    seed = chosen ? strtoull(chosen, NULL, 10) : seed;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
