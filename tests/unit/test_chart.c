/* SPDX-License-Identifier: MIT */
/** \file The SVG chart: escaping, no scripts, both colour schemes, every bar, what is refused, a sink that fails. */
#include "rg_test.h"

#include "base/buffer.h"
#include "ridge/chart.h"

static bool append(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

static bool refuse_after(void *user, const char *bytes, size_t length)
{
    size_t *left = user;
    (void)bytes;
    if (*left < length) {
        return false;
    }
    *left -= length;
    return true;
}

static const struct ridge_chart_bar bars[] = {
    {0, 10, 1, 0, "first & <best>"}, {10, 20, 0.5, 1, NULL}, {20, 40, 0.25, 7, "last"}};

static struct ridge_chart chart_of(unsigned width_px)
{
    return (struct ridge_chart){.title = "A title \"quoted\" that is long enough to need more than one line",
                                .subtitle = "Stated: \xff not UTF-8, and much longer than a narrow picture is wide",
                                .x_label = "x",
                                .y_label = "y",
                                .kinds = {"a", "b", NULL, NULL, NULL, NULL, NULL, "c"},
                                .bars = bars,
                                .count = 3,
                                .x_last = 40,
                                .mark = 15,
                                .mark_label = "here",
                                .width_px = width_px};
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        count++;
    }
    return count;
}

static void a_chart_has_its_parts(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    static const unsigned widths[] = {320, 720, 4000};
    for (size_t i = 0; i < 3; i++) {
        struct rg_buffer buffer;
        struct ridge_error error = {0};
        const struct ridge_chart chart = chart_of(widths[i]);
        rg_buffer_init(&buffer, context);
        assert_ok(ridge_chart_write(&chart, (struct ridge_sink){append, &buffer}, &error), &error);
        const char *text = rg_buffer_text(&buffer);
        assert_int_equal(count_of(text, "<rect class=\"k"), 3 + 3);
        assert_non_null(strstr(text, "<title>first &amp; &lt;best&gt;</title>"));
        assert_non_null(strstr(text, "&quot;quoted&quot;"));
        assert_non_null(strstr(text, "\xEF\xBF\xBD not UTF-8"));
        assert_non_null(strstr(text, "prefers-color-scheme: dark"));
        assert_non_null(strstr(text, ">here</text>"));
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "nan"));
        assert_int_equal(count_of(text, "<svg"), count_of(text, "</svg>"));
        assert_int_equal(count_of(text, "<text"), count_of(text, "</text>"));
        rg_buffer_fini(&buffer);
    }
    ridge_context_destroy(context);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    size_t left = 0;
    const struct ridge_sink sink = {refuse_after, &left};
    struct ridge_chart chart = chart_of(319);
    assert_int_equal(ridge_chart_write(&chart, sink, NULL), RIDGE_E_ARGUMENT);
    chart = chart_of(4001);
    assert_int_equal(ridge_chart_write(&chart, sink, NULL), RIDGE_E_ARGUMENT);
    chart = chart_of(720);
    chart.x_last = 0;
    assert_int_equal(ridge_chart_write(&chart, sink, NULL), RIDGE_E_ARGUMENT);
    chart.x_last = (double)NAN;
    assert_int_equal(ridge_chart_write(&chart, sink, NULL), RIDGE_E_ARGUMENT);
}

static void a_full_disk_is_said(void **state)
{
    (void)state;
    const struct ridge_chart chart = chart_of(720);
    for (size_t room = 0; room < 3000; room += 97) {
        size_t left = room;
        assert_int_equal(ridge_chart_write(&chart, (struct ridge_sink){refuse_after, &left}, NULL), RIDGE_E_IO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_has_its_parts),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_full_disk_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
