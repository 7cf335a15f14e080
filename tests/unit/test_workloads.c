/* SPDX-License-Identifier: MIT */
/** \file space/spec_workloads: what [[bench.workloads]] and `base` mean, and what is refused and where. */
#include "spec_fixture.h"

#define HEAD                                                                                  \
    "[kernel]\nname = \"k\"\n[dims.a]\nvalues = [1, 2]\n[dims.b]\nvalues = [4, 8]\n[bench]\n" \
    "params = { n = 512, ratio = 0.5, fast = true, kind = \"plain\" }\n"
#define W "[[bench.workloads]]\n"

static const char *param_text(const struct ridge_spec *spec, const char *name)
{
    static char text[64];
    for (size_t i = 0; i < spec->param_count; i++) {
        if (strcmp(spec->params[i].name, name) == 0) {
            ridge_value_format(spec->params[i].constant, text, sizeof text);
            return text;
        }
    }
    return "none";
}

static void test_workloads(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "base = { b = 8, a = 1 }\n" W "name = \"small\"\nparams = { n = 64 }\n" W
             "params = { n = 1024, ratio = 2, kind = \"odd one\" }\nweight = 2.5\n" W "params = {}\nweight = 3\n";
    struct spec_fixture fixture;
    fixture_open(&fixture, text);
    const struct ridge_spec *spec = fixture.spec;
    assert_string_equal(ridge_spec_workload(spec, 0)->name, "small");
    assert_close(ridge_spec_workload(spec, 0)->weight, 1, 0, 0);
    assert_string_equal(ridge_spec_workload(spec, 1)->name, "kind=odd one n=1024 ratio=2.0");
    assert_close(ridge_spec_workload(spec, 1)->weight, 2.5, 0, 0);
    assert_string_equal(ridge_spec_workload(spec, 2)->name, "as written");
    assert_null(ridge_spec_workload(spec, 3));
    assert_string_equal(param_text(spec, "n"), "512");
    uint32_t choice[] = {0, 1};
    char id[RIDGE_ID_BYTES];
    ridge_space_id(fixture.space, choice, id);
    assert_string_equal(ridge_spec_base(spec), id);
    /* With one chosen its params stand in the place of those of [bench], and --set changes the others. */
    static const char *const set[] = {"ratio=0.25"};
    const struct ridge_spec_options options = {.set = set, .set_count = 1, .workload = 1};
    struct ridge_spec *chosen = NULL;
    assert_ok(ridge_spec_load_with(fixture.context, fixture.path, &options, &chosen, &fixture.error), &fixture.error);
    assert_string_equal(param_text(chosen, "n"), "64");
    assert_string_equal(param_text(chosen, "ratio"), "0.25");
    assert_string_equal(param_text(chosen, "fast"), "true");
    assert_string_not_equal(chosen->arguments_hash, spec->arguments_hash);
    ridge_spec_destroy(chosen);
    fixture_close(&fixture);
}

static void test_find(void **state)
{
    (void)state;
    struct spec_fixture fixture;
    struct ridge_error error = {0};
    size_t index = 99;
    fixture_open(&fixture, HEAD W "name = \"small\"\nparams = { n = 1 }\n" W "name = \"large\"\nparams = { n = 2 }\n");
    assert_ok(ridge_spec_workload_find(fixture.spec, "large", &index, &error), &error);
    assert_int_equal(index, 1);
    assert_int_equal(ridge_spec_workload_find(fixture.spec, "smal", &index, &error), RIDGE_E_NAME);
    assert_non_null(strstr(error.message, "there is no workload `smal` (did you mean `small`?)"));
    error = (struct ridge_error){0};
    assert_int_equal(ridge_spec_workload_find(fixture.spec, "qqqqqqqq", &index, &error), RIDGE_E_NAME);
    assert_non_null(strstr(error.message, "(there are: small, large)"));
    fixture_close(&fixture);
    fixture_open(&fixture, HEAD);
    error = (struct ridge_error){0};
    assert_int_equal(ridge_spec_workload_find(fixture.spec, "small", &index, &error), RIDGE_E_NAME);
    assert_non_null(strstr(error.message, "there are no workloads"));
    assert_null(ridge_spec_base(fixture.spec));
    fixture_close(&fixture);
}

/** A workload that sets a param leaves nothing for --set to change: refused, not passed over. */
static void test_set_of_a_workload(void **state)
{
    (void)state;
    static const char *const set[] = {"n=5"};
    struct spec_fixture fixture;
    struct ridge_spec *chosen = NULL;
    fixture_open(&fixture, HEAD W "name = \"small\"\nparams = { n = 64 }\n");
    struct ridge_spec_options options = {.set = set, .set_count = 1, .workload = 1};
    assert_int_equal(ridge_spec_load_with(fixture.context, fixture.path, &options, &chosen, &fixture.error),
                     RIDGE_E_VALUE);
    assert_non_null(
        strstr(fixture.error.message, "workload `small` sets `n` itself (leave --set out, or give --no-workloads)"));
    options.workload = 2;
    assert_int_equal(ridge_spec_load_with(fixture.context, fixture.path, &options, &chosen, NULL), RIDGE_E_ARGUMENT);
    assert_null(chosen);
    fixture_close(&fixture);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ridge_status status;
        unsigned line;
        const char *message;
    } rows[] = {
        {HEAD W "params = { m = 1 }\n", RIDGE_E_NAME, 10, "[bench] params has no `m` (did you mean `n`?)"},
        {HEAD W "params = { quite_other = 1 }\n", RIDGE_E_NAME, 10, "its first one is `fast`"},
        {HEAD W "name = \"a\"\n", RIDGE_E_VALUE, 9, "the workload has no `params`"},
        {HEAD W "params = { n = 1 }\nwight = 2\n", RIDGE_E_NAME, 11, "did you mean `weight`?"},
        {HEAD W "params = { n = 1 }\nweight = 0\n", RIDGE_E_VALUE, 11, "not above 0"},
        {HEAD W "params = { n = 1 }\nweight = -1.5\n", RIDGE_E_VALUE, 11, "not above 0"},
        {HEAD W "params = { n = 1 }\nweight = inf\n", RIDGE_E_VALUE, 11, "not above 0"},
        {HEAD W "params = { n = 1 }\nweight = nan\n", RIDGE_E_VALUE, 11, "not above 0"},
        {HEAD W "params = { n = 1 }\nname = \"\"\n", RIDGE_E_VALUE, 11, "the text is empty"},
        {HEAD W "params = { n = 1 }\nname = \"a\\nb\"\n", RIDGE_E_VALUE, 11, "control character"},
        {HEAD W "params = { n = \"x\" }\n", RIDGE_E_VALUE, 10, "does not fit the param"},
        {HEAD W "params = { fast = 1 }\n", RIDGE_E_VALUE, 10, "true or false"},
        {HEAD W "params = { kind = 1 }\n", RIDGE_E_VALUE, 10, "a text"},
        {HEAD W "params = { ratio = [1] }\n", RIDGE_E_VALUE, 10, "is no value"},
        {HEAD W "name = \"a\"\nparams = { n = 1 }\n" W "name = \"a\"\nparams = { n = 2 }\n", RIDGE_E_NAME, 12,
         "the name `a` stands twice"},
        {HEAD W "name = \"a\"\nparams = { n = 512 }\n" W "name = \"b\"\nparams = {}\n", RIDGE_E_VALUE, 12,
         "workload `b` has the same params as `a`"},
        {HEAD "workloads = [1]\n", RIDGE_E_VALUE, 9, "a workload is an integer"},
        {HEAD "workloads = 1\n", RIDGE_E_VALUE, 9, "`workloads` of [bench] is an integer"},
        {HEAD "base = { a = 1 }\n", RIDGE_E_VALUE, 9, "the configuration has no `b`"},
        {HEAD "base = { a = 1, b = 5 }\n", RIDGE_E_VALUE, 9, "5 is no value of `b`"},
        {HEAD "base = \"first\"\n", RIDGE_E_VALUE, 9, "is no configuration"},
        {"[kernel]\nname = \"k\"\n[dims.a]\nvalues = [1]\n[[bench.workloads]]\nparams = { n = 1 }\n", RIDGE_E_NAME, 6,
         "[bench] has no params"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spec_fixture fixture;
        const ridge_status status = fixture_load(&fixture, rows[i].text, NULL, 0);
        if (status != rows[i].status || fixture.error.line != rows[i].line ||
            !strstr(fixture.error.message, rows[i].message)) {
            fail_msg("row %zu: line %u: %s", i, (unsigned)fixture.error.line, fixture.error.message);
        }
        fixture_close(&fixture);
    }
}

static void test_too_many(void **state)
{
    (void)state;
    char text[2048] = HEAD;
    for (unsigned i = 0; i <= RIDGE_WORKLOAD_MAX; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, W "params = { n = %u }\n", i);
    }
    struct spec_fixture fixture;
    assert_int_equal(fixture_load(&fixture, text, NULL, 0), RIDGE_E_LIMIT);
    assert_non_null(strstr(fixture.error.message, "there are 17 workloads (at most 16)"));
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workloads), cmocka_unit_test(test_find),     cmocka_unit_test(test_set_of_a_workload),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
