/* SPDX-License-Identifier: MIT */
/**
 * \file Random small spaces with random constraints, against the plain way: every member of the Cartesian product,
 * every constraint in the order written. Prints its seed; a seed on the command line repeats one run.
 */
#include "spec_fixture.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "space/space.h"

enum {
    MAX_DIMENSIONS = 5,
    MAX_CONSTRAINTS = 4,
    MAX_PRODUCT = 4096,
    SPACES = 400
};

static uint64_t first_seed = 20311;
static uint64_t last_seed;

static const char *pick(struct rg_rng *rng, const char *const *words, size_t count)
{
    return words[rg_rng_below(rng, count)];
}

/** A random term of two names and two operators: it may divide by zero or overflow. */
static void put_term(struct rg_buffer *text, struct rg_rng *rng, size_t dimensions)
{
    static const char *const operators[] = {"+", "-", "*", "/", "%", "//", "* 4611686018427387904 *"};
    rg_buffer_printf(text, "d%d %s d%d", (int)rg_rng_below(rng, dimensions), pick(rng, operators, 7),
                     (int)rg_rng_below(rng, dimensions));
}

static void put_constraint(struct rg_buffer *text, struct rg_rng *rng, size_t dimensions)
{
    static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const joints[] = {"and", "or"};
    put_term(text, rng, dimensions);
    rg_buffer_printf(text, " %s %d", pick(rng, comparisons, 6), (int)rg_rng_below(rng, 4));
    if (rg_rng_below(rng, 3) == 0) {
        rg_buffer_printf(text, " %s ", pick(rng, joints, 2));
        put_term(text, rng, dimensions);
        rg_buffer_printf(text, " %s 1", pick(rng, comparisons, 6));
    }
}

/** Write a spec whose dimensions are d0, d1 ..., each with a few distinct integers around 0. */
static void put_spec(struct rg_buffer *text, struct rg_rng *rng)
{
    const size_t dimensions = 1 + rg_rng_below(rng, MAX_DIMENSIONS);
    const size_t constraints = rg_rng_below(rng, MAX_CONSTRAINTS + 1);
    rg_buffer_puts(text, "[kernel]\nname = 'k'\n[dims]\n");
    for (size_t i = 0; i < dimensions; i++) {
        const int begin = (int)rg_rng_below(rng, 4) - 2;
        rg_buffer_printf(text, "d%zu.values = { from = %d, to = %d }\n", i, begin, begin + (int)rg_rng_below(rng, 5));
    }
    rg_buffer_puts(text, "[constraints]\nexprs = [\n");
    for (size_t i = 0; i < constraints; i++) {
        rg_buffer_puts(text, "'");
        put_constraint(text, rng, dimensions);
        rg_buffer_puts(text, "',\n");
    }
    rg_buffer_puts(text, "]\n");
}

/** What the plain way finds. */
struct truth {
    size_t width;
    uint64_t count;
    uint32_t rows[MAX_PRODUCT][MAX_DIMENSIONS];
    uint64_t removed[MAX_CONSTRAINTS];
    uint64_t failed[MAX_CONSTRAINTS];
};

/** Judge one member of the product. */
static void judge(const struct ridge_spec *spec, const uint32_t *choice, struct truth *truth)
{
    struct ridge_value values[MAX_DIMENSIONS];
    for (size_t i = 0; i < truth->width; i++) {
        values[i] = spec->dimensions[i].values[choice[i]];
    }
    for (size_t i = 0; i < spec->constraint_count; i++) {
        bool passes = false;
        struct rg_fault fault;
        const bool known = rg_expr_test(spec->constraints[i].expr, values, &passes, &fault);
        if (!known || !passes) {
            truth->removed[i]++;
            truth->failed[i] += !known;
            return;
        }
    }
    memcpy(truth->rows[truth->count++], choice, truth->width * sizeof *choice);
}

/** Count up like an odometer, the last dimension fastest. */
static void find_truth(const struct ridge_spec *spec, struct truth *truth)
{
    memset(truth, 0, sizeof *truth);
    truth->width = spec->dimension_count;
    uint32_t choice[MAX_DIMENSIONS] = {0};
    bool more = true;
    while (more) {
        judge(spec, choice, truth);
        more = false;
        for (size_t i = truth->width; i-- > 0 && !more;) {
            choice[i]++;
            more = choice[i] < spec->dimensions[i].count;
            choice[i] = more ? choice[i] : 0;
        }
    }
}

static void check_walk(struct spec_fixture *f, const struct truth *truth)
{
    struct ridge_space_cursor *cursor = NULL;
    assert_ok(ridge_space_cursor_create(f->space, &cursor, &f->error), &f->error);
    const uint32_t *choice = NULL;
    for (uint64_t i = 0; i < truth->count; i++) {
        assert_ok(ridge_space_cursor_next(cursor, &choice, &f->error), &f->error);
        assert_non_null(choice);
        assert_memory_equal(choice, truth->rows[i], truth->width * sizeof *choice);
    }
    assert_ok(ridge_space_cursor_next(cursor, &choice, &f->error), &f->error);
    assert_null(choice);
    ridge_space_cursor_destroy(cursor);
}

static uint64_t find_row(const struct truth *truth, const uint32_t *row)
{
    uint64_t at = 0;
    while (at < truth->count && memcmp(truth->rows[at], row, truth->width * sizeof *row) != 0) {
        at++;
    }
    return at;
}

/** All of a space, and half of it: each row a member, none twice. */
static void check_sample(struct spec_fixture *f, const struct truth *truth, uint64_t seed)
{
    static uint32_t rows[MAX_PRODUCT * MAX_DIMENSIONS];
    static bool seen[MAX_PRODUCT];
    const uint64_t asked[2] = {MAX_PRODUCT, truth->count / 2};
    for (size_t k = 0; k < 2; k++) {
        uint64_t drawn = 0;
        assert_ok(ridge_space_sample(f->space, asked[k], seed, rows, &drawn, &f->error), &f->error);
        assert_int_equal(drawn, asked[k] < truth->count ? asked[k] : truth->count);
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < drawn; i++) {
            const uint64_t at = find_row(truth, rows + i * truth->width);
            assert_true(at < truth->count && !seen[at]);
            seen[at] = true;
        }
    }
}

static void check_space(uint64_t seed)
{
    static struct truth truth;
    struct rg_rng rng;
    rg_rng_init(&rng, seed);
    struct ridge_context *context = test_context();
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    put_spec(&text, &rng);
    struct spec_fixture f;
    fixture_open(&f, rg_buffer_text(&text));
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
    find_truth(f.spec, &truth);
    uint64_t count = 0;
    assert_ok(ridge_space_count(f.space, &count, &f.error), &f.error);
    assert_int_equal(count, truth.count);
    check_walk(&f, &truth);
    check_sample(&f, &truth, seed);
    struct ridge_constraint_effect effects[MAX_CONSTRAINTS];
    assert_ok(ridge_space_explain(f.space, effects, &f.error), &f.error);
    for (size_t i = 0; i < f.spec->constraint_count; i++) {
        assert_int_equal(effects[i].removed, truth.removed[i]);
        assert_int_equal(effects[i].failed, truth.failed[i]);
    }
    fixture_close(&f);
}

static void test_against_the_plain_way(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SPACES; i++) {
        last_seed = first_seed + i;
        check_space(last_seed);
    }
}

/** Runs after a failure too: which space it was. */
static int say_seed(void **state)
{
    (void)state;
    print_message("last seed: %llu\n", (unsigned long long)last_seed);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        first_seed = strtoull(argv[1], NULL, 10);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_against_the_plain_way, say_seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
