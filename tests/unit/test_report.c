/* SPDX-License-Identifier: MIT */
/** \file report: layout by display columns, the same bytes in a locale with a comma. Golden files: tests/cli/runs. */
#include "own_locale.h"

#include "base/buffer.h"
#include "report/page.h"
#include "report/report_common.h"
#include "report/report_units.h"
#include "run_fixture.h"
#include "scratch.h"
#include "text/columns.h"
#include "text/utf8.h"

#define KANJI    "\xE8\xAA\xBF" /* two columns */
#define ROCKET   "\xF0\x9F\x9A\x80"
#define COMBINED "e\xCC\x81" /* one column, two characters */

static void test_columns(void **state)
{
    (void)state;
    assert_int_equal(rg_columns(""), 0);
    assert_int_equal(rg_columns("plain"), 5);
    assert_int_equal(rg_columns("gr\xC3\xB6\xC3\x9F"
                                "e"),
                     5);
    assert_int_equal(rg_columns(KANJI KANJI), 4);
    assert_int_equal(rg_columns(ROCKET), 2);
    assert_int_equal(rg_columns(COMBINED), 1);
    assert_int_equal(rg_columns("\x1b[1m"), 4); /* the escape is shown as one replacement */
    assert_int_equal(rg_columns("\xFF\xFE"), 2);
}

/** BP-049: whatever is cut or wrapped at whatever width, no character is broken and no line is too long. */
static void test_bp_049_nothing_is_cut_inside_a_character(void **state)
{
    (void)state;
    static const char text[] = "gr\xC3\xB6\xC3\x9F"
                               "e " KANJI KANJI KANJI " " ROCKET ROCKET ROCKET " " COMBINED COMBINED " \xFF\x1b[31mred "
                               "averyveryveryveryveryveryveryveryverylongwordindeed end";
    struct ridge_context *context = test_context();
    for (size_t columns = 0; columns < 90; columns++) {
        struct rg_page page;
        rg_page_init(&page, context, 40, false);
        rg_page_cut(&page, text, columns);
        assert_true(rg_columns(rg_buffer_text(&page.text)) <= columns);
        rg_buffer_clear(&page.text);
        rg_page_cell(&page, RG_PLAIN, text, columns, columns % 2 == 0);
        assert_int_equal(rg_columns(rg_buffer_text(&page.text)), columns);
        rg_buffer_clear(&page.text);
        page.width = columns < 5 ? 5 : columns;
        rg_page_wrap(&page, text, 0, 2);
        size_t line = 0;
        for (const char *at = rg_buffer_text(&page.text); *at;) {
            const size_t bytes = rg_utf8_width(at);
            assert_true(bytes > 0 && *at != '\x1b');
            line = *at == '\n' ? 0 : line + rg_glyph_at(at).columns;
            assert_true(line <= page.width);
            at += bytes;
        }
        rg_page_fini(&page);
    }
    ridge_context_destroy(context);
}

static void test_wrapping(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *wrapped;
    } rows[] = {
        {"", "\n"},
        {"one two", "one two\n"},
        {"0123456789 0123456789 0123456789 012345 x", "0123456789 0123456789 0123456789 012345\n  x\n"},
        {"0123456789 0123456789 0123456789 took 12 ms.", "0123456789 0123456789 0123456789 took\n  12 ms.\n"},
        {"0123456789 0123456789 0123456789 took 12 more", "0123456789 0123456789 0123456789 took 12\n  more\n"}};
    struct ridge_context *context = test_context();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rg_page page;
        rg_page_init(&page, context, 1, false);
        assert_int_equal(page.width, RG_PAGE_LEAST_WIDTH);
        rg_page_wrap(&page, rows[i].text, 0, 2);
        assert_string_equal(rg_buffer_text(&page.text), rows[i].wrapped);
        rg_page_fini(&page);
    }
    ridge_context_destroy(context);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0.0"}, {3.31, "3.3"}, {9.94, "9.9"}, {9.96, "10"}, {1234.4, "1234"}, {2.96, "3.0"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[RIDGE_NUMBER_BYTES];
        rg_short_format(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
    static const struct {
        double low_s, high_s;
        const char *text;
    } intervals[] = {
        {1.2e-3, 1.26e-3, "1.20-1.26 ms"}, {9.8e-4, 1.02e-3, "980 us-1.02 ms"}, {(double)NAN, (double)NAN, "unknown"}};
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        char text[RG_INTERVAL_BYTES];
        const struct ridge_summary summary = {.ci95_low_s = intervals[i].low_s, .ci95_high_s = intervals[i].high_s};
        rg_interval_format(&summary, text);
        assert_string_equal(text, intervals[i].text);
    }
}

static void test_parameters(void **state)
{
    (void)state;
    const char *at = "label=two words n=512 odd=a=b";
    static const char *const names[] = {"label", "n", "odd"};
    static const char *const values[] = {"two words", "512", "a=b"};
    struct rg_parameter parameter;
    for (size_t i = 0; i < 3; i++) {
        assert_true(rg_report_parameter(&at, &parameter));
        assert_int_equal(parameter.name_bytes, strlen(names[i]));
        assert_memory_equal(parameter.name, names[i], parameter.name_bytes);
        assert_int_equal(parameter.value_bytes, strlen(values[i]));
        assert_memory_equal(parameter.value, values[i], parameter.value_bytes);
    }
    assert_false(rg_report_parameter(&at, &parameter));
}

static bool into_buffer(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

static bool refuse(void *user, const char *bytes, size_t length)
{
    (void)user;
    (void)bytes;
    (void)length;
    return false;
}

/** Every form of the report of the fixture's run, one behind the other. */
static void write_every_form(const struct ridge_run *run, struct ridge_sink sink)
{
    struct ridge_error error = {0};
    assert_ok(ridge_report_json(run, RIDGE_REPORT_RESULTS, sink, &error), &error);
    assert_ok(ridge_report_csv(run, 0, sink, &error), &error);
    assert_ok(ridge_report_text(run, NULL, sink, &error), &error);
    const struct ridge_report_options options = {.width = 60, .colour = true, .limit = 3};
    assert_ok(ridge_report_text(run, &options, sink, &error), &error);
}

static struct ridge_run *load_fixture(const struct scratch *scratch)
{
    struct ridge_error error = {0};
    int64_t id = 0;
    struct ridge_run *run = NULL;
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    assert_ok(fixture_run(store, 24, &id, &error), &error);
    assert_ok(ridge_store_run_load(store, id, &run, &error), &error);
    ridge_store_close(store);
    return run;
}

static void test_a_comma_locale_changes_nothing(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_run *run = load_fixture(scratch);
    struct rg_buffer plain;
    struct rg_buffer comma;
    rg_buffer_init(&plain, scratch->context);
    rg_buffer_init(&comma, scratch->context);
    write_every_form(run, (struct ridge_sink){into_buffer, &plain});
    const bool possible = own_locale_set(scratch->folder, "de_DE");
    if (possible) {
        write_every_form(run, (struct ridge_sink){into_buffer, &comma});
        setlocale(LC_ALL, "C");
        assert_string_equal(rg_buffer_text(&plain), rg_buffer_text(&comma));
    }
    rg_buffer_fini(&plain);
    rg_buffer_fini(&comma);
    ridge_run_destroy(run);
    if (!possible) {
        skip();
    }
}

static void test_a_sink_that_refuses(void **state)
{
    struct ridge_run *run = load_fixture(*state);
    const struct ridge_sink sink = {refuse, NULL};
    assert_int_equal(ridge_report_json(run, 0, sink, NULL), RIDGE_E_IO);
    assert_int_equal(ridge_report_csv(run, 0, sink, NULL), RIDGE_E_IO);
    assert_int_equal(ridge_report_text(run, NULL, sink, NULL), RIDGE_E_IO);
    ridge_run_destroy(run);
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_READ);
    assert_int_equal(ridge_report_runs_json(store, sink, NULL), RIDGE_E_IO);
    assert_int_equal(ridge_report_runs_text(store, NULL, sink, NULL), RIDGE_E_IO);
    ridge_store_close(store);
}

/** Colour adds escape sequences and nothing else. */
static void test_colour(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_run *run = load_fixture(scratch);
    struct rg_buffer plain;
    struct rg_buffer colour;
    rg_buffer_init(&plain, scratch->context);
    rg_buffer_init(&colour, scratch->context);
    const struct ridge_report_options options = {.colour = true};
    assert_int_equal(ridge_report_text(run, NULL, (struct ridge_sink){into_buffer, &plain}, NULL), RIDGE_OK);
    assert_int_equal(ridge_report_text(run, &options, (struct ridge_sink){into_buffer, &colour}, NULL), RIDGE_OK);
    assert_null(strchr(plain.text, '\x1b'));
    assert_non_null(strchr(colour.text, '\x1b'));
    const char *at = plain.text;
    for (const char *other = colour.text; *other; other++) {
        if (*other == '\x1b') {
            other += strcspn(other, "m");
            continue;
        }
        assert_int_equal(*other, *at);
        at++;
    }
    rg_buffer_fini(&plain);
    rg_buffer_fini(&colour);
    ridge_run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),         cmocka_unit_test(test_bp_049_nothing_is_cut_inside_a_character),
        cmocka_unit_test(test_wrapping),        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_parameters),      scratch_test(test_a_comma_locale_changes_nothing),
        scratch_test(test_a_sink_that_refuses), scratch_test(test_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
