/* SPDX-License-Identifier: MIT */
/** \file space_factor: the published spaces, sizes beyond 64 and 128 bits, groups, what is taken apart, draws. */
#include "spec_fixture.h"

#include "space/space.h"

#define HEAD "[kernel]\nname = \"k\"\n"

static const char *fixtures;

static void open_published(struct spec_fixture *f, const char *name)
{
    memset(f, 0, sizeof *f);
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", fixtures, name);
    f->context = test_context();
    assert_ok(ridge_spec_load(f->context, path, NULL, 0, &f->spec, &f->error), &f->error);
    assert_ok(ridge_space_create(f->context, f->spec, &f->space, &f->error), &f->error);
}

/** Counts as published; walking gives as many, each with its index. */
static void test_published_spaces(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t count;
        double cartesian;
    } rows[] = {{"dedispersion", 11130, 22272},  {"expdist", 294000, 9732096},      {"hotspot", 349853, 22200000},
                {"gemm", 116928, 663552},        {"microhh", 138600, 1166400},      {"atf_prl_2x2", 1200, 36864},
                {"atf_prl_4x4", 10800, 9437184}, {"atf_prl_8x8", 48720, 2415919104}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spec_fixture f;
        uint64_t count = 0;
        uint64_t walked = 0;
        uint64_t index = 0;
        open_published(&f, rows[i].name);
        assert_ok(ridge_space_count(f.space, &count, &f.error), &f.error);
        assert_int_equal(count, rows[i].count);
        assert_true(ridge_space_cartesian(f.space) == rows[i].cartesian);
        struct ridge_space_cursor *cursor = NULL;
        assert_ok(ridge_space_cursor_create(f.space, &cursor, &f.error), &f.error);
        const uint32_t *choice = NULL;
        while (ridge_space_cursor_next(cursor, &choice, &f.error) == RIDGE_OK && choice) {
            if (walked % 97 == 0) {
                assert_ok(ridge_space_index(f.space, choice, &index, &f.error), &f.error);
                assert_int_equal(index, walked);
            }
            walked++;
        }
        assert_int_equal(walked, count);
        ridge_space_cursor_destroy(cursor);
        fixture_close(&f);
    }
}

static void test_block_limit_of_expdist(void **state)
{
    (void)state;
    struct spec_fixture f;
    struct ridge_spec *spec = NULL;
    struct ridge_space *space = NULL;
    uint64_t count = 0;
    open_published(&f, "expdist");
    const struct ridge_spec_options options = {.no_block_limit = true};
    assert_ok(ridge_spec_load_with(f.context, ridge_spec_path(f.spec), &options, &spec, &f.error), &f.error);
    assert_ok(ridge_space_create(f.context, spec, &space, &f.error), &f.error);
    assert_ok(ridge_space_count(space, &count, &f.error), &f.error);
    assert_int_equal(count, 504000);
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    fixture_close(&f);
}

/** `count` dimensions of 100 values each, and one more constraint or none. */
static void open_large(struct spec_fixture *f, int count, const char *constraints)
{
    char text[8192] = HEAD "[dims]\n";
    size_t used = strlen(text);
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "d%02d.values = { from = 1, to = 100 }\n", i);
    }
    snprintf(text + used, sizeof text - used, "[constraints]\nexprs = [%s]\n", constraints);
    fixture_open(f, text);
}

static void test_beyond_64_bits(void **state)
{
    (void)state;
    struct spec_fixture f;
    char count[RIDGE_COUNT_BYTES];
    uint64_t number = 0;
    uint32_t choice[64];
    open_large(&f, 12, "'d00 % 2 == 0'");
    assert_ok(ridge_space_count_text(f.space, count, &f.error), &f.error);
    assert_string_equal(count, "500000000000000000000000");
    assert_ok(ridge_space_count(f.space, &number, &f.error), &f.error);
    assert_true(number == UINT64_MAX);
    assert_ok(ridge_space_at(f.space, 1234567, choice, &f.error), &f.error);
    assert_int_equal(choice[11], 67);
    assert_int_equal(choice[10], 45);
    assert_ok(ridge_space_index(f.space, choice, &number, &f.error), &f.error);
    assert_int_equal(number, 1234567);
    for (size_t i = 0; i < 12; i++) {
        choice[i] = 99;
    }
    assert_int_equal(ridge_space_index(f.space, choice, &number, &f.error), RIDGE_E_LIMIT);
    uint64_t drawn = 0;
    struct ridge_error error = {0};
    assert_int_equal(ridge_space_sample(f.space, 1, 0, choice, &drawn, &error), RIDGE_E_LIMIT);
    fixture_close(&f);
}

static void test_beyond_128_bits(void **state)
{
    (void)state;
    struct spec_fixture f;
    char count[RIDGE_COUNT_BYTES];
    uint64_t number = 0;
    uint32_t choice[64] = {0};
    open_large(&f, 20, "");
    assert_int_equal(ridge_space_count_text(f.space, count, &f.error), RIDGE_E_LIMIT);
    assert_non_null(strstr(f.error.message, "2^128"));
    assert_int_equal(ridge_space_at(f.space, 0, choice, &f.error), RIDGE_E_LIMIT);
    struct ridge_error error = {0};
    assert_int_equal(ridge_space_index(f.space, choice, &number, &error), RIDGE_E_LIMIT);
    assert_true(ridge_space_contains(f.space, choice));
    assert_ok(ridge_space_neighbours(f.space, choice, RIDGE_HAMMING, NULL, 0, &number, &f.error), &f.error);
    assert_int_equal(number, 20 * 99);
    fixture_close(&f);
}

/** One group of 2^64 ways or more is refused, and named. */
static void test_group_beyond_64_bits(void **state)
{
    (void)state;
    struct spec_fixture f;
    open_large(&f, 12, "'d00 + d01 + d02 + d03 + d04 + d05 + d06 + d07 <= 100'");
    char count[RIDGE_COUNT_BYTES];
    assert_ok(ridge_space_count_text(f.space, count, &f.error), &f.error);
    assert_string_equal(count, "18608789430000000000"); /* C(100, 8) * 100^4 */
    fixture_close(&f);
    struct spec_fixture g;
    char text[4096] = HEAD "[dims]\n";
    size_t used = strlen(text);
    for (int i = 0; i < 12; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "d%02d.values = { from = 1, to = 100 }\n", i);
    }
    snprintf(
        text + used, sizeof text - used, "%s",
        "[constraints]\nexprs = ['d00 + d01 + d02 + d03 + d04 + d05 + d06 + d07 + d08 + d09 + d10 + d11 < 1100']\n");
    assert_ok(fixture_load(&g, text, NULL, 0), &g.error);
    assert_int_equal(ridge_space_create(g.context, g.spec, &g.space, &g.error), RIDGE_E_LIMIT);
    assert_non_null(strstr(g.error.message, "d00, d01, d02"));
    fixture_close(&g);
}

static void test_groups_and_wholes(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_open(&f, HEAD "[dims]\na.values = [1, 2, 3]\nb.values = [1, 2]\nc.values = [1, 2]\nd.values = [1.5, 2.5]\n"
                          "[constraints]\nexprs = ['a <= c and b > 0', 'b * d > 2', 'a + b + c > 0']\n");
    struct ridge_constraint_effect effects[3];
    assert_ok(ridge_space_explain(f.space, effects, &f.error), &f.error);
    assert_false(effects[0].whole);
    assert_true(effects[1].whole);
    assert_false(effects[2].whole);
    assert_int_equal(ridge_space_group_count(f.space), 2);
    assert_int_equal(ridge_space_dimension_group(f.space, 0), ridge_space_dimension_group(f.space, 2));
    assert_int_equal(ridge_space_dimension_group(f.space, 1), ridge_space_dimension_group(f.space, 3));
    assert_int_equal(ridge_space_group_size(f.space, 0), 3);
    assert_int_equal(ridge_space_group_size(f.space, 1), 3);
    fixture_close(&f);
}

/** A division that cannot fail where it is reached is taken apart; one that can is not. Counted by Python. */
static void test_guarded_divisions(void **state)
{
    (void)state;
    static const struct {
        const char *constraint;
        bool whole;
        uint64_t removed;
        uint64_t failed;
    } rows[] = {
        {"u == 0 or a % u == 0", false, 5, 0}, {"u != 0 and a % u == 0", false, 8, 0},
        {"not u or a // u > 1", false, 7, 0},  {"0 < u and a % u == 0", false, 8, 0},
        {"u and a % u == 0", false, 8, 0},     {"a % u == 0 or u == 0", true, 8, 3},
        {"u == 1 or a % u == 0", true, 8, 3},  {"u >= 0 and a % u == 0", true, 8, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spec_fixture f;
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "[dims]\na.values = [1, 2, 3]\nu.values = [0, 1, 2, 4]\n[constraints]\nexprs = ['%s']\n",
                 rows[i].constraint);
        fixture_open(&f, text);
        struct ridge_constraint_effect effect;
        assert_ok(ridge_space_explain(f.space, &effect, &f.error), &f.error);
        assert_int_equal(effect.whole, rows[i].whole);
        assert_int_equal(effect.removed, rows[i].removed);
        assert_int_equal(effect.failed, rows[i].failed);
        fixture_close(&f);
    }
}

/** Chi-square over all configurations of a space with interleaved groups: 500 draws of 20 of 90, fixed seeds. */
static void test_draws_are_uniform(void **state)
{
    (void)state;
    enum {
        DRAWS = 500,
        EACH = 20
    };
    struct spec_fixture f;
    uint64_t count = 0;
    fixture_open(&f, HEAD "[dims]\na.values = [1, 2, 3, 4]\nb.values = [1, 2, 3, 4]\nc.values = [1, 2, 3, 4]\n"
                          "d.values = [1, 2, 3]\n[constraints]\nexprs = ['a <= c', 'b >= d']\n");
    assert_ok(ridge_space_count(f.space, &count, &f.error), &f.error);
    assert_int_equal(count, 90);
    unsigned seen[90] = {0};
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        uint32_t rows[EACH * 4];
        uint64_t drawn = 0;
        assert_ok(ridge_space_sample(f.space, EACH, seed, rows, &drawn, &f.error), &f.error);
        for (uint64_t i = 0; i < drawn; i++) {
            uint64_t index = 0;
            assert_ok(ridge_space_index(f.space, rows + i * 4, &index, &f.error), &f.error);
            seen[index]++;
        }
    }
    const double expected = (double)DRAWS * EACH / 90;
    double chi = 0;
    for (size_t i = 0; i < 90; i++) {
        chi += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
    }
    /* 89 degrees of freedom, a little less spread as nothing is drawn twice: 99.9 % of such sums are below 135. */
    assert_true(chi < 135);
    assert_true(chi > 35);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    fixtures = argc > 1 ? argv[1] : "tests/fixtures/spaces";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_spaces),     cmocka_unit_test(test_block_limit_of_expdist),
        cmocka_unit_test(test_beyond_64_bits),       cmocka_unit_test(test_beyond_128_bits),
        cmocka_unit_test(test_group_beyond_64_bits), cmocka_unit_test(test_groups_and_wholes),
        cmocka_unit_test(test_guarded_divisions),    cmocka_unit_test(test_draws_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
