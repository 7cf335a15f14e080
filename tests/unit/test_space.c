/* SPDX-License-Identifier: MIT */
/** \file space: order, counts of the field cases, ids, samples, explanations, and finding. */
#include "spec_fixture.h"

#include "failing_allocator.h"
#include "space/space.h"

#define HEAD "[kernel]\nname = \"k\"\n"

static uint64_t count_of(const char *text)
{
    struct spec_fixture f;
    fixture_open(&f, text);
    uint64_t count = 0;
    assert_ok(ridge_space_count(f.space, &count, &f.error), &f.error);
    struct ridge_space_cursor *cursor = NULL;
    assert_ok(ridge_space_cursor_create(f.space, &cursor, &f.error), &f.error);
    const uint32_t *choice = NULL;
    uint64_t walked = 0;
    while (ridge_space_cursor_next(cursor, &choice, &f.error) == RIDGE_OK && choice) {
        assert_true(rg_space_accepts(f.space, choice));
        walked++;
    }
    assert_int_equal(walked, count);
    assert_int_equal(ridge_space_cursor_next(cursor, &choice, &f.error), RIDGE_OK);
    assert_null(choice);
    ridge_space_cursor_destroy(cursor);
    fixture_close(&f);
    return count;
}

/** BP-001, BP-003, BP-007, BP-009, BP-015, BP-021, BP-023 of the field cases. */
static void test_counts_of_the_field(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t count;
    } rows[] = {
        {HEAD "[dims]\na.values = [2, 4, 8, 16]\nb.values = [1, 3, 5]\n[constraints]\nexprs = ['(a * b <= 20)']\n", 8},
        {HEAD "[dims]\na.values = [2, 4, 8, 16]\nb.values = [1, 3, 5]\n[constraints]\nexprs = ['a * b <= 20']\n", 8},
        {HEAD
         "[dims]\na.values = [2, 4, 8, 16]\nb.values = [1, 3, 5]\n[constraints]\nexprs = ['((a) * (b)) <= (20)']\n",
         8},
        {HEAD
         "[dims]\nu.values = [4, 8, 12, 16]\nv.values = [2, 3, 6, 8]\n[constraints]\nexprs = ['24 <= u * v < 96']\n",
         10},
        {HEAD "[dims]\nd.values = [0, 1, 2, 5, 10]\n[constraints]\nexprs = ['20 % d == 0']\n", 4},
        {HEAD "[dims]\nwx.values = [16, 32, 64]\nwy.values = [8, 16, 32]\n", 9},
        {HEAD "[dims]\nblock_size_x.values = [16, 32, 64]\nblock_size_y.values = [8, 16, 32]\n", 9},
        {HEAD "[dims]\nx.values = { from = 0.1, to = 0.7, step = 0.1 }\n", 7},
        {HEAD "[dims]\nx.values = { from = 0.1, to = 0.7, step = 0.1 }\n[constraints]\nexprs = ['x == 0.3']\n", 1},
        {HEAD "[dims]\na.values = [1, 2]\n[constraints]\nexprs = ['a > 5']\n", 0},
        {HEAD "[dims]\nT.values = ['vec<float, 2>', 'unsigned int', 'half']\nw.values = [1, 2]\n"
              "[constraints]\nexprs = [\"T != 'half' or w == 2\"]\n",
         5},
        {HEAD "[dims]\na.values = [1, 2]\n[constraints]\nexprs = ['n > 5']\n[bench]\nparams = { n = 1 }\n", 0},
        {HEAD "[dims]\na.values = [1, 2]\n[constraints]\nexprs = ['n > 5']\n[bench]\nparams = { n = 6 }\n", 2},
        {HEAD "[dims]\na.values = [true, false]\n[constraints]\nexprs = ['not a']\n", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(count_of(rows[i].text), rows[i].count);
    }
}

static void test_canonical_order(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_open(&f, HEAD "[dims]\nb.values = [3, 1]\nB.values = ['y', 'x']\n");
    static const uint32_t want[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    assert_string_equal(ridge_space_dimension_name(f.space, 0), "B");
    assert_int_equal(ridge_space_dimension_size(f.space, 1), 2);
    assert_string_equal(ridge_space_value(f.space, 0, 0)->as.text, "y");
    assert_true(ridge_space_cartesian(f.space) == 4);
    assert_ptr_equal(rg_space_spec(f.space), f.spec);
    struct ridge_space_cursor *cursor = NULL;
    assert_ok(ridge_space_cursor_create(f.space, &cursor, &f.error), &f.error);
    for (size_t i = 0; i < 4; i++) {
        const uint32_t *choice = NULL;
        assert_ok(ridge_space_cursor_next(cursor, &choice, &f.error), &f.error);
        assert_memory_equal(choice, want[i], sizeof want[i]);
    }
    ridge_space_cursor_destroy(cursor);
    fixture_close(&f);
}

/** Python: "c1-" + hashlib.sha256(b"launchbound.config.v1\0matmul\0block_x=8\nblock_y=16\ntile=4\n").hexdigest()[:16] */
static void test_ids(void **state)
{
    (void)state;
    struct spec_fixture f;
    char id[RIDGE_ID_BYTES];
    fixture_open(&f,
                 "[kernel]\nname = 'matmul'\n[dims]\ntile.values = [4]\nblock_y.values = [16]\nblock_x.values = [8]\n");
    ridge_space_id(f.space, (const uint32_t[]){0, 0, 0}, id);
    assert_string_equal(id, "c1-a53d219c3b6deca5");
    fixture_close(&f);
    fixture_open(
        &f, "[kernel]\nname = 'gr\xC3\xB6\xC3\x9F\x65'\n[dims]\nT.values = ['x', 'vec<float, 2>']\nf.values = [0.3]\n"
            "g.values = [2.0]\non.values = [true]\nZ.values = [-1]\n");
    ridge_space_id(f.space, (const uint32_t[]){1, 0, 0, 0, 0}, id);
    assert_string_equal(id, "c1-cb6ad5f4831213c2");
    fixture_close(&f);
}

/** BP-018, and numbers beyond 64 bits. */
static void test_large_spaces(void **state)
{
    (void)state;
    char text[4096] = HEAD "[dims]\n";
    size_t used = strlen(text);
    for (int i = 0; i < 10; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "d%d.values = { from = 1, to = 9 }\n", i);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "[constraints]\nexprs = [");
    for (int i = 0; i < 9; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "'d%d == d%d', ", i, i + 1);
    }
    snprintf(text + used, sizeof text - used, "]\n");
    assert_int_equal(count_of(text), 9);

    struct spec_fixture f;
    used = strlen(strcpy(text, HEAD "[dims]\n"));
    for (int i = 0; i < 40; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "d%02d.values = { from = 1, to = 9 }\n", i);
    }
    snprintf(text + used, sizeof text - used, "[constraints]\nexprs = ['d00 > 3', 'd01 + d39 > 9']\n");
    fixture_open(&f, text);
    uint64_t count = 0;
    assert_ok(ridge_space_count(f.space, &count, &f.error), &f.error);
    assert_true(count == UINT64_MAX);
    struct ridge_constraint_effect effects[2];
    assert_ok(ridge_space_explain(f.space, effects, &f.error), &f.error);
    assert_true(effects[0].removed == UINT64_MAX && effects[1].removed == UINT64_MAX);
    uint32_t choice[40];
    uint64_t drawn = 0;
    assert_int_equal(ridge_space_sample(f.space, 1, 1, choice, &drawn, &f.error), RIDGE_E_LIMIT);
    fixture_close(&f);
}

struct log_lines {
    size_t count;
    char last[1024];
};

static void keep_line(void *user, ridge_log_level level, const char *message)
{
    struct log_lines *lines = user;
    assert_int_equal(level, RIDGE_LOG_WARNING);
    lines->count++;
    snprintf(lines->last, sizeof lines->last, "%s", message);
}

/** BP-007: counted nowhere, logged once a constraint, counted in `failed`. */
static void test_faults(void **state)
{
    (void)state;
    struct log_lines lines = {0};
    const struct ridge_context_options options = {.log = keep_line, .log_user = &lines};
    struct spec_fixture f;
    fixture_write(&f, HEAD "[dims]\nd.values = [0, 1, 2, 5, 10]\ne.values = [1, 2]\n[constraints]\n"
                           "exprs = ['e * d != 2', '20 % d == 0', '1 // (d - 5) == 0 or d == 1']\n");
    assert_int_equal(ridge_context_create(&options, &f.context, NULL), RIDGE_OK);
    assert_ok(ridge_spec_load(f.context, f.folder, NULL, 0, &f.spec, &f.error), &f.error);
    assert_ok(ridge_space_create(f.context, f.spec, &f.space, &f.error), &f.error);
    uint64_t count = 0;
    for (int i = 0; i < 3; i++) {
        assert_ok(ridge_space_count(f.space, &count, &f.error), &f.error);
    }
    assert_int_equal(count, 3); /* d=1 e=1; d=10 with both */
    assert_int_equal(lines.count, 2);
    struct ridge_constraint_effect effects[3];
    assert_int_equal(ridge_space_constraint_count(f.space), 3);
    assert_ok(ridge_space_explain(f.space, effects, &f.error), &f.error);
    assert_int_equal(lines.count, 2);
    assert_non_null(strstr(lines.last, "kernel.toml:7:"));
    static const uint64_t want[3][2] = {{2, 0}, {2, 2}, {3, 2}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(effects[i].removed, want[i][0]);
        assert_int_equal(effects[i].failed, want[i][1]);
    }
    assert_string_equal(effects[1].text, "20 % d == 0");
    fixture_close(&f);
}

static void test_find(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_open(&f,
                 HEAD "[dims]\na.values = [1, 2, 4]\nf.values = [0.5, 2.0]\n[constraints]\nexprs = ['a * f > 1']\n");
    uint32_t choice[2] = {9, 9};
    struct ridge_value values[2] = {{RIDGE_INT, .as.integer = 4}, {RIDGE_INT, .as.integer = 2}};
    assert_true(rg_space_find(f.space, values, choice));
    assert_int_equal(choice[0], 2);
    assert_int_equal(choice[1], 1);
    struct ridge_value back[2];
    rg_space_choice_values(f.space, choice, back);
    assert_true(back[0].as.integer == 4 && back[1].type == RIDGE_FLOAT && back[1].as.number == 2);
    values[0].as.integer = 1;
    values[1] = (struct ridge_value){RIDGE_FLOAT, .as.number = 0.5};
    assert_false(rg_space_find(f.space, values, choice)); /* the constraint */
    assert_int_equal(choice[0], 0);
    values[0].as.integer = 3;
    assert_false(rg_space_find(f.space, values, choice));
    values[0] = (struct ridge_value){RIDGE_TEXT, .as.text = "4"};
    assert_false(rg_space_find(f.space, values, choice));
    fixture_close(&f);
}

/** Each of 6 configurations is drawn first about as often: chi-square with 5 degrees of freedom stays under 30. */
static void test_sample_is_uniform(void **state)
{
    (void)state;
    enum {
        ROUNDS = 6000
    };
    struct spec_fixture f;
    fixture_open(&f, HEAD "[dims]\na.values = [1, 2, 3]\nb.values = [1, 2, 3]\nc.values = [1, 2]\n"
                          "[constraints]\nexprs = ['a < b']\n");
    unsigned seen[18] = {0};
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        uint32_t choice[3];
        uint64_t drawn = 0;
        assert_ok(ridge_space_sample(f.space, 1, seed, choice, &drawn, &f.error), &f.error);
        assert_int_equal(drawn, 1);
        assert_true(rg_space_accepts(f.space, choice));
        seen[choice[0] * 6 + choice[1] * 2 + choice[2]]++;
    }
    double chi = 0;
    size_t hit = 0;
    for (size_t i = 0; i < 18; i++) {
        hit += seen[i] > 0;
        chi += seen[i] > 0 ? (seen[i] - ROUNDS / 6.0) * (seen[i] - ROUNDS / 6.0) / (ROUNDS / 6.0) : 0;
    }
    assert_int_equal(hit, 6);
    assert_true(chi < 30);
    fixture_close(&f);
}

/** All of a space in random order: each configuration once, another order for another seed, the same for the same. */
static void test_shuffle(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_open(&f, HEAD "[dims]\na.values = { from = 0, to = 99 }\nb.values = { from = 0, to = 99 }\n"
                          "c.values = [0, 1]\n[constraints]\nexprs = ['(a + b) % 3 == 0']\n");
    uint64_t count = 0;
    assert_ok(ridge_space_count(f.space, &count, &f.error), &f.error);
    uint32_t *rows = NULL;
    uint32_t *again = NULL;
    uint64_t got = 0;
    assert_ok(rg_space_shuffle(f.space, UINT64_MAX, 3, &rows, &got, &f.error), &f.error);
    assert_int_equal(got, count);
    static bool seen[20000];
    memset(seen, 0, sizeof seen);
    for (uint64_t i = 0; i < got; i++) {
        const uint32_t *row = rows + 3 * i;
        bool *mark = &seen[row[0] * 200 + row[1] * 2 + row[2]];
        assert_true(!*mark && rg_space_accepts(f.space, row));
        *mark = true;
    }
    assert_ok(rg_space_shuffle(f.space, 1000, 3, &again, &got, &f.error), &f.error);
    assert_int_equal(got, 1000);
    assert_memory_equal(again, rows, 1000 * 3 * sizeof *rows);
    rg_free(f.context, again, 1000 * 3 * sizeof *rows);
    assert_ok(rg_space_shuffle(f.space, 1000, 4, &again, &got, &f.error), &f.error);
    assert_memory_not_equal(again, rows, 1000 * 3 * sizeof *rows);
    rg_free(f.context, again, 1000 * 3 * sizeof *rows);
    rg_free(f.context, rows, count * 3 * sizeof *rows);
    fixture_close(&f);
    fixture_open(&f, HEAD "[dims]\na.values = [1]\n[constraints]\nexprs = ['a > 1']\n");
    rows = NULL;
    assert_ok(rg_space_shuffle(f.space, 10, 4, &rows, &got, &f.error), &f.error);
    assert_int_equal(got, 0);
    assert_null(rows);
    fixture_close(&f);
}

/** Count, explain, walk and draw once. \return whether all had memory; fails on any other error. */
static bool use_space(const struct ridge_context *context, const struct ridge_spec *spec)
{
    struct ridge_space *space = NULL;
    struct ridge_space_cursor *cursor = NULL;
    struct ridge_constraint_effect effects[2];
    struct ridge_error error = {0};
    uint64_t count = 0;
    uint32_t choices[8];
    ridge_status status = ridge_space_create(context, spec, &space, &error);
    status = status == RIDGE_OK ? ridge_space_count(space, &count, &error) : status;
    status = status == RIDGE_OK ? ridge_space_explain(space, effects, &error) : status;
    status = status == RIDGE_OK ? ridge_space_cursor_create(space, &cursor, &error) : status;
    status = status == RIDGE_OK ? ridge_space_sample(space, 4, 1, choices, &count, &error) : status;
    assert_true(status == RIDGE_OK || status == RIDGE_E_MEMORY);
    assert_int_equal(error.status, status);
    ridge_space_cursor_destroy(cursor);
    ridge_space_destroy(space);
    return status == RIDGE_OK;
}

static void test_no_memory(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_open(&f, HEAD
                 "[dims]\na.values = [1, 2, 3]\nb.values = [1, 0]\n[constraints]\nexprs = ['a > b', 'a / b > 1']\n");
    bool done = false;
    size_t fail_at = 1;
    for (; !done; fail_at++) {
        struct failing_allocator allocator = {.fail_at = fail_at};
        struct ridge_context *context = failing_context(&allocator);
        done = use_space(context, f.spec);
        ridge_context_destroy(context);
        assert_int_equal(allocator.bytes, 0);
        assert_true(fail_at < 1000);
    }
    assert_true(fail_at > 5);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_of_the_field),
        cmocka_unit_test(test_canonical_order),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_large_spaces),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_sample_is_uniform),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
