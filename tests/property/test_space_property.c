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
    MAX_NEIGHBOURS = MAX_DIMENSIONS * 5,
    SPACES = 3000 /* in turn a kernel.toml and a T1 file */
};

static uint64_t first_seed = 20311;
static uint64_t last_seed;

static const char *pick(struct rg_rng *rng, const char *const *words, size_t count)
{
    return words[rg_rng_below(rng, count)];
}

/** Write a pattern with a random dimension for each @. */
static void put_pattern(struct rg_buffer *text, struct rg_rng *rng, size_t dimensions, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '@') {
            rg_buffer_printf(text, "d%d", (int)rg_rng_below(rng, dimensions));
        } else {
            rg_buffer_append(text, pattern, 1);
        }
    }
}

/** A random term: it may divide by zero or overflow, and it may be one that can be taken apart. */
static void put_term(struct rg_buffer *text, struct rg_rng *rng, size_t dimensions)
{
    static const char *const patterns[] = {"@ + @",
                                           "@ - @",
                                           "@ * @",
                                           "@ / @",
                                           "@ % @",
                                           "@ // @",
                                           "@ * 4611686018427387904 * @",
                                           "@ * @ * @",
                                           "@ * (@ + 2 * @)",
                                           "min(@, @) + @",
                                           "@ % (@ * @)",
                                           "12 % (@ * @)",
                                           "(@ / @) % @",
                                           "max(@, 2) - (@ // (1 + abs(@)))",
                                           "-@ * @ - @",
                                           "(@ + @) // 2 * @",
                                           "@ ** 2"};
    put_pattern(text, rng, dimensions, pick(rng, patterns, sizeof patterns / sizeof patterns[0]));
}

static void put_constraint(struct rg_buffer *text, struct rg_rng *rng, size_t dimensions)
{
    static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const joints[] = {"and", "or"};
    static const char *const wholes[] = {"@ <= @ < @",
                                         "@ in (1, 3, @)",
                                         "not (@ > @ or @ == 1)",
                                         "@ != 0 and @ % @ == 0",
                                         "@ or @",
                                         "@ not in [0, 2]",
                                         "@ == 0 or 12 % @ == 0",
                                         "(1 if @ > 1 else @) == @",
                                         "0 < @ * @ * @ <= 8",
                                         "@ < @ and @ < @"};
    if (rg_rng_below(rng, 4) == 0) {
        put_pattern(text, rng, dimensions, pick(rng, wholes, sizeof wholes / sizeof wholes[0]));
        return;
    }
    put_term(text, rng, dimensions);
    rg_buffer_printf(text, " %s %d", pick(rng, comparisons, 6), (int)rg_rng_below(rng, 4));
    if (rg_rng_below(rng, 3) == 0) {
        rg_buffer_printf(text, " %s ", pick(rng, joints, 2));
        put_term(text, rng, dimensions);
        rg_buffer_printf(text, " %s 1", pick(rng, comparisons, 6));
    }
}

/** What the two formats write around the same parts. */
static const struct format {
    const char *begin, *between, *constraints, *constraint_begin, *constraint_end, *end;
} formats[2] = {
    {"[kernel]\nname = 'k'\n[dims]\n", "", "[constraints]\nexprs = [\n", "'", "',\n", "]\n"},
    {"{\"ConfigurationSpace\": {\"TuningParameters\": [\n", ",\n", "], \"Conditions\": [", "{\"Expression\": \"", "\"}",
     "]}}"},
};

/** Mostly a few distinct integers; sometimes floats, or booleans. */
static void put_dimension(struct rg_buffer *text, struct rg_rng *rng, size_t number, bool positive, bool t1)
{
    static const char t1_format[] = "{\"Name\": \"d%zu\", \"Type\": \"%s\", \"Values\": \"%s\"}";
    const uint64_t kind = rg_rng_below(rng, 12);
    const int begin = positive ? 1 : (int)rg_rng_below(rng, 4) - 2;
    const int end = begin + (int)rg_rng_below(rng, 5);
    char values[64];
    if (kind == 0 || kind == 1) {
        const char *list = kind == 0 ? "[0.5, -1.0, 2.0]" : (t1 ? "[True, False]" : "[true, false]");
        if (t1) {
            rg_buffer_printf(text, t1_format, number, kind == 0 ? "float" : "bool", list);
        } else {
            rg_buffer_printf(text, "d%zu.values = %s\n", number, list);
        }
    } else if (t1) {
        snprintf(values, sizeof values, "list(range(%d, 1 + %d))", begin, end);
        rg_buffer_printf(text, t1_format, number, "int", values);
    } else {
        rg_buffer_printf(text, "d%zu.values = { from = %d, to = %d }\n", number, begin, end);
    }
}

/** Write a spec whose dimensions are d0, d1 ..., each with a few distinct integers, around 0 or from 1 on. */
static void put_spec(struct rg_buffer *text, struct rg_rng *rng, bool t1)
{
    const struct format *format = &formats[t1];
    const size_t dimensions = 1 + rg_rng_below(rng, MAX_DIMENSIONS);
    const size_t constraints = rg_rng_below(rng, MAX_CONSTRAINTS + 1);
    const bool positive = rg_rng_below(rng, 2) == 0;
    rg_buffer_puts(text, format->begin);
    for (size_t i = 0; i < dimensions; i++) {
        rg_buffer_puts(text, i ? format->between : "");
        put_dimension(text, rng, i, positive, t1);
    }
    rg_buffer_puts(text, format->constraints);
    for (size_t i = 0; i < constraints; i++) {
        rg_buffer_puts(text, i ? format->between : "");
        rg_buffer_puts(text, format->constraint_begin);
        put_constraint(text, rng, dimensions);
        rg_buffer_puts(text, format->constraint_end);
    }
    rg_buffer_puts(text, format->end);
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

/** Each configuration has its index, and each index its configuration; what is outside has none. */
static void check_indices(struct spec_fixture *f, const struct truth *truth)
{
    uint32_t choice[MAX_DIMENSIONS] = {0};
    uint64_t index = 0;
    for (uint64_t i = 0; i < truth->count; i++) {
        assert_ok(ridge_space_at(f->space, i, choice, &f->error), &f->error);
        assert_memory_equal(choice, truth->rows[i], truth->width * sizeof *choice);
        assert_ok(ridge_space_index(f->space, choice, &index, &f->error), &f->error);
        assert_int_equal(index, i);
    }
    struct ridge_error error = {0};
    assert_int_equal(ridge_space_at(f->space, truth->count, choice, &error), RIDGE_E_VALUE);
    memset(choice, 0, sizeof choice);
    const bool inside = truth->count > 0 && memcmp(choice, truth->rows[0], truth->width * sizeof *choice) == 0;
    assert_int_equal(ridge_space_contains(f->space, choice), inside);
    choice[0] = (uint32_t)ridge_space_dimension_size(f->space, 0);
    assert_false(ridge_space_contains(f->space, choice));
}

/** \return the dimension in which two rows differ, or -1 when it is not just one. */
static int one_difference(const uint32_t *a, const uint32_t *b, size_t width)
{
    int found = -1;
    for (size_t i = 0; i < width; i++) {
        if (a[i] != b[i] && found >= 0) {
            return -1;
        }
        found = a[i] != b[i] ? (int)i : found;
    }
    return found;
}

/** By dimension, then by value: the rows of the space in their order, taken dimension by dimension. */
static void check_neighbours(struct spec_fixture *f, const struct truth *truth, const uint32_t *row,
                             ridge_neighbour kind)
{
    uint32_t found[MAX_NEIGHBOURS * MAX_DIMENSIONS];
    uint64_t count = 0;
    uint64_t expected = 0;
    assert_ok(ridge_space_neighbours(f->space, row, kind, found, MAX_NEIGHBOURS, &count, &f->error), &f->error);
    for (int dimension = 0; dimension < (int)truth->width; dimension++) {
        for (uint64_t i = 0; i < truth->count; i++) {
            const uint32_t *other = truth->rows[i];
            const int differs = one_difference(row, other, truth->width);
            const long step = differs == dimension ? labs((long)row[dimension] - (long)other[dimension]) : 0;
            if (step == 1 || (step > 1 && kind == RIDGE_HAMMING)) {
                assert_true(expected < count);
                assert_memory_equal(found + expected * truth->width, other, truth->width * sizeof *other);
                expected++;
            }
        }
    }
    assert_int_equal(count, expected);
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
    put_spec(&text, &rng, seed % 2 == 0);
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
    check_indices(&f, &truth);
    for (uint64_t i = 0; i < truth.count; i += 1 + truth.count / 3) {
        check_neighbours(&f, &truth, truth.rows[i], RIDGE_HAMMING);
        check_neighbours(&f, &truth, truth.rows[i], RIDGE_ADJACENT);
    }
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
