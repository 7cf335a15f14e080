/* SPDX-License-Identifier: MIT */
/** \file t1: T1 JSON, Kernel Tuner cache files and gzip as specs: what is read, what is refused and where. */
#include "spec_fixture.h"

#include <zlib.h>

#include "failing_allocator.h"

#define PARAMETER(name, type, values) "{\"Name\": \"" name "\", \"Type\": \"" type "\", \"Values\": \"" values "\"}"
#define SPACE(parameters, conditions) \
    "{\"ConfigurationSpace\": {\"TuningParameters\": [" parameters "], \"Conditions\": [" conditions "]}}"
#define CONDITION(text) "{\"Expression\": \"" text "\"}"

static uint64_t count_of(struct spec_fixture *f, const char *text)
{
    uint64_t count = 0;
    fixture_open(f, text);
    assert_ok(ridge_space_count(f->space, &count, &f->error), &f->error);
    return count;
}

/** BP-004, BP-006, BP-012, BP-013, BP-039 of the field cases, and types. */
static void test_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t count;
    } rows[] = {
        {SPACE(PARAMETER("s", "int", "[8, 16, 64, 128]"), CONDITION("16 <= s <= 64")), 2},
        {SPACE(
             PARAMETER("K", "int", "[24, 36]") "," PARAMETER("A", "int", "[4, 6]") "," PARAMETER("C", "int", "[4, 8]"),
             CONDITION("K % ((A * 3) / C) == 0")),
         6},
        {SPACE(
             PARAMETER("px", "int", "[2, 5]") "," PARAMETER("py", "int", "[1, 4]") "," PARAMETER("ch", "int", "[1, 3]"),
             "{\"Parameters\": [\"px\", \"py\"], \"Expression\": \"px*py*ch <= 15\"}"),
         5},
        {SPACE(
             PARAMETER("a", "int", "[8 * k for k in range(1, 5)]") "," PARAMETER(
                 "b", "int", "[3] + list(range(6, 20+1, 7))") "," PARAMETER("c", "uint", "[2**k for k in range(0, 4)]"),
             ""),
         64},
        {"{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"g\", \"Type\": \"int\", \"Values\": \"[0]\", "
         "\"Default\": [0]}]}, \"KernelSpecification\": {\"LocalSize\": {\"X\": \"bx\"}}}",
         1},
        {SPACE(PARAMETER("u", "bool", "[True, False]") "," PARAMETER("v", "bool", "[0, 1]"), CONDITION("u or v")), 3},
        {SPACE(PARAMETER("t", "string", "['a', 'b']") "," PARAMETER("f", "float", "[1, 2.5]"),
               CONDITION("t == 'a' or f > 2")),
         3},
        {SPACE(PARAMETER("x", "int", "[k for k in range(10) if k % 3 == 0] + [100]"), ""), 5},
        {SPACE(PARAMETER("x", "int", "range(10, 0, -3)"), ""), 4},
        {SPACE(PARAMETER("x", "int", "(1, 2, (3))"), ""), 3},
        {SPACE(PARAMETER("x", "int", "[min(i, 3) for i in (1, 2, 9)]"), ""), 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spec_fixture f;
        assert_int_equal(count_of(&f, rows[i].text), rows[i].count);
        fixture_close(&f);
    }
}

static void test_values_in_order(void **state)
{
    (void)state;
    struct spec_fixture f;
    assert_int_equal(count_of(&f, SPACE(PARAMETER("b", "int", "[3] + list(range(6, 20+1, 7))"), "")), 4);
    static const int64_t want[] = {3, 6, 13, 20};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(ridge_space_value(f.space, 0, i)->as.integer, want[i]);
    }
    fixture_close(&f);
}

static void test_block_limit(void **state)
{
    (void)state;
    static const char text[] =
        SPACE(PARAMETER("block_size_x", "int", "[512, 1024]") "," PARAMETER("block_size_y", "int", "[1, 2]"), "");
    struct spec_fixture f;
    assert_int_equal(count_of(&f, text), 3);
    assert_string_equal(ridge_spec_note(f.spec, 0), "`block_size_x * block_size_y <= 1024` was added, as Kernel Tuner "
                                                    "does (--no-block-limit leaves it out)");
    assert_null(ridge_spec_note(f.spec, 1));
    struct ridge_spec *free_spec = NULL;
    struct ridge_space *space = NULL;
    uint64_t count = 0;
    const struct ridge_spec_options options = {.no_block_limit = true};
    assert_ok(ridge_spec_load_with(f.context, f.path, &options, &free_spec, &f.error), &f.error);
    assert_ok(ridge_space_create(f.context, free_spec, &space, &f.error), &f.error);
    assert_ok(ridge_space_count(space, &count, &f.error), &f.error);
    assert_int_equal(count, 4);
    assert_null(ridge_spec_note(free_spec, 0));
    ridge_space_destroy(space);
    ridge_spec_destroy(free_spec);
    fixture_close(&f);
}

static const char cache_text[] =
    "{\"device_name\": \"x\", \"kernel_name\": \"blur\", \"tune_params_keys\": [\"tile\", \"s\"],\n"
    "\"tune_params\": {\"tile\": [8, 16, 32], \"s\": [\"a\", \"\\u00e9\"]}, \"cache\": {\n"
    "\"8,a\": {\"tile\": 8, \"time\": 1.0},\n";

/** A cache file that is still being written has no closing brackets. */
static void test_cache(void **state)
{
    (void)state;
    struct spec_fixture f;
    assert_int_equal(count_of(&f, cache_text), 6);
    assert_string_equal(ridge_spec_kernel(f.spec), "blur");
    assert_string_equal(ridge_space_dimension_name(f.space, 0), "s");
    assert_string_equal(ridge_space_value(f.space, 0, 1)->as.text, "\xC3\xA9");
    assert_non_null(strstr(ridge_spec_note(f.spec, 0), "holds no constraints"));
    fixture_close(&f);
    assert_int_equal(count_of(&f, "{\"cache\": {\"a\": \"}\\\"\"}, \"tune_params\": {\"t\": [1.5, 2.5]}}"), 2);
    fixture_close(&f);
}

static void test_gzip(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_write(&f, "");
    f.context = test_context();
    gzFile packed = gzopen(f.path, "wb");
    assert_int_equal(gzwrite(packed, cache_text, sizeof cache_text - 1), sizeof cache_text - 1);
    assert_int_equal(gzclose(packed), Z_OK);
    assert_ok(ridge_spec_load(f.context, f.path, NULL, 0, &f.spec, &f.error), &f.error);
    ridge_spec_destroy(f.spec);
    f.spec = NULL;
    assert_int_equal(truncate(f.path, 40), 0);
    assert_int_equal(ridge_spec_load(f.context, f.path, NULL, 0, &f.spec, &f.error), RIDGE_E_SYNTAX);
    assert_non_null(strstr(f.error.message, "gzip data is damaged or cut off"));
    fixture_close(&f);
}

/** Every refusal names what is wrong, with its place. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
        const char *message;
    } rows[] = {
        {"{\"ConfigurationSpace\": {\"TuningParameters\": [}]}}", 1, 46, "no value starts like this"},
        {"{\n\"a\": 1,\n\"a\": 2}", 3, 1, "`a` stands twice"},
        {"{\"a\": \"x\ny\"}", 1, 7, "never closed"},
        {"{\"a\": \"\\q\"}", 1, 9, "no such escape"},
        {"{\"a\": \"\\ud800\"}", 1, 9, "this is no character"},
        {"{\"a\": 01}", 1, 7, "no value starts like this"},
        {"{\"a\": 9223372036854775808}", 1, 7, "does not fit in 64 bits"},
        {"{\"a\": 1} x", 1, 10, "behind the end"},
        {"{\"a\": [1", 1, 9, "is missing here"},
        {"{\"a\": 1}", 1, 1, "describes no space"},
        {SPACE(PARAMETER("x", "int", "5"), ""), 1, 86, "the values of `x`: this form is not understood"},
        {SPACE(PARAMETER("x", "int", "[1, 2, 1]"), ""), 1, 86, "one stands twice"},
        {SPACE(PARAMETER("x", "int", "[]"), ""), 1, 86, "there are none"},
        {SPACE(PARAMETER("x", "int", "[1.5]"), ""), 1, 86, "1.5 is not an integer, as Type says"},
        {SPACE(PARAMETER("x", "uint", "[-1]"), ""), 1, 86, "`x` is uint and has the value -1"},
        {SPACE(PARAMETER("x", "complex", "[1]"), ""), 1, 68, "`x` has the type \"complex\""},
        {SPACE(PARAMETER("x", "int", "[1, y]"), ""), 1, 90, "unknown name `y`"},
        {SPACE(PARAMETER("x", "int", "[1] * 2"), ""), 1, 90, "only sums of lists"},
        {SPACE(PARAMETER("x", "int", "range(1, 5, 0)"), ""), 1, 92, "the step of range() is 0"},
        {SPACE(PARAMETER("x", "int", "range(10000000)"), ""), 1, 101, "too many"},
        {SPACE(PARAMETER("x", "int", "[a for a, b in range(3)]"), ""), 1, 94, "`in` is missing"},
        {SPACE(PARAMETER("x", "int", "[1 // 0]"), ""), 1, 89, "division by zero"},
        {SPACE(PARAMETER("2x", "int", "[1]"), ""), 1, 0, "cannot name a parameter"},
        {SPACE(PARAMETER("x", "int", "[1]") "," PARAMETER("x", "int", "[1]"), ""), 1, 0,
         "two parameters are called `x`"},
        {SPACE(PARAMETER("x", "int", "[1]"), CONDITION("x < y")), 1, 0, "unknown name `y`"},
        {SPACE(PARAMETER("x", "int", "[1]"), CONDITION("x = 1")), 1, 0, "=="},
        {SPACE(PARAMETER("x", "int", "[1]"), "7"), 1, 0, "a condition is an integer"},
        {SPACE("{\"Name\": \"x\", \"Value\": \"[1]\"}", ""), 1, 0, "did you mean `Values`?"},
        {"{\"ConfigurationSpace\": {\"TuningParameters\": []}, \"General\": {\"FormatVersion\": 2}}", 1, 0,
         "format version 2"},
        {"{\"ConfigurationSpace\": {\"TuningParameters\": []}}", 1, 0, "there are 0 tuning parameters"},
        {"{\"tune_params\": {\"x\": [1, 2.5]}}", 1, 27, "`x` mixes"},
        {"{\"tune_params\": {\"x\": [null]}}", 1, 24, "null is no value"},
        {"{\"tune_params\": {}}", 1, 17, "no object of 1 to"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spec_fixture f;
        const ridge_status status = fixture_load(&f, rows[i].text, NULL, 0);
        if (status == RIDGE_OK || !strstr(f.error.message, rows[i].message) || f.error.line != rows[i].line ||
            (rows[i].column != 0 && f.error.column != rows[i].column) || f.error.column == 0) {
            print_message("%s\ngave %u:%u: %s", rows[i].text, f.error.line, f.error.column, f.error.message);
            wrong++;
        }
        fixture_close(&f);
    }
    assert_int_equal(wrong, 0);
}

/** Load and make the space with memory that ends ever later: refused cleanly until it suffices. */
static void check_memory(const char *path)
{
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        struct failing_allocator allocator = {.fail_at = fail_at};
        struct ridge_context *context = failing_context(&allocator);
        const size_t before = allocator.bytes;
        struct ridge_spec *spec = NULL;
        struct ridge_space *space = NULL;
        struct ridge_error error = {0};
        ridge_status status = ridge_spec_load(context, path, NULL, 0, &spec, &error);
        status = status == RIDGE_OK ? ridge_space_create(context, spec, &space, &error) : status;
        assert_true(status == RIDGE_OK || status == RIDGE_E_MEMORY);
        done = !allocator.failed;
        ridge_space_destroy(space);
        ridge_spec_destroy(spec);
        assert_int_equal(allocator.bytes, before);
        ridge_context_destroy(context);
        assert_true(fail_at < 2000);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    struct spec_fixture f;
    fixture_write(&f,
                  SPACE(PARAMETER("block_size_x", "int", "[2**k for k in range(4) if k != 2] + [100]") "," PARAMETER(
                            "t", "string", "('a', 'b')") "," PARAMETER("u", "bool", "[0, 1]"),
                        "{\"Parameters\": [], \"Expression\": \"8 % block_size_x == 0 and t == 'a' or u\"}"));
    check_memory(f.path);
    gzFile packed = gzopen(f.path, "wb");
    assert_int_equal(gzwrite(packed, cache_text, sizeof cache_text - 1), sizeof cache_text - 1);
    assert_int_equal(gzclose(packed), Z_OK);
    check_memory(f.path);
    fixture_close(&f);
}

static void test_no_nesting_without_end(void **state)
{
    (void)state;
    char text[8192];
    struct spec_fixture f;
    memset(text, '[', sizeof text - 1);
    memcpy(text, "{\"a\":", 5);
    text[sizeof text - 1] = '\0';
    assert_int_equal(fixture_load(&f, text, NULL, 0), RIDGE_E_LIMIT);
    fixture_close(&f);
    memset(text, '(', sizeof text);
    const int head = snprintf(
        text, sizeof text, "%s",
        "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"x\", \"Type\": \"int\", \"Values\": \"");
    memset(text + head, '(', 3000);
    for (int i = 0; i < 1000; i++) {
        memcpy(text + head + 5 * i, "list(", 5);
    }
    snprintf(text + head + 5000, sizeof text - (size_t)head - 5000, "\"}]}}");
    assert_int_equal(fixture_load(&f, text, NULL, 0), RIDGE_E_VALUE);
    assert_non_null(strstr(f.error.message, "nested too deeply"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_values_in_order),
        cmocka_unit_test(test_block_limit),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_nesting_without_end),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
