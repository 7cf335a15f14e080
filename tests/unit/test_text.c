/* SPDX-License-Identifier: MIT */
/** \file text: numbers in and out, JSON writing, also in a locale with a decimal comma. */
#include "own_locale.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "ridge/json.h"
#include "ridge/units.h"

static void check_numbers(void)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.3, "0.3"},
                {2.0, "2"},
                {1e6, "1000000"},
                {1e-7, "1e-07"},
                {-0.5, "-0.5"},
                {1e300, "1e+300"},
                {0.1 + 0.2, "0.30000000000000004"},
                {9007199254740993.0, "9007199254740992"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[RIDGE_NUMBER_BYTES];
        ridge_number_format(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
        double back = 0;
        assert_int_equal(ridge_number_parse(text, &back, NULL), RIDGE_OK);
        assert_true(back == rows[i].value);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    check_numbers();
}

static void test_numbers_in_a_comma_locale(void **state)
{
    (void)state;
    char folder[FOLDER_BYTES];
    folder_make(folder, "locale");
    const bool found = own_locale_set(folder, "de_DE");
    folder_remove(folder);
    if (!found) {
        skip();
    }
    check_numbers();
    double seconds = 0;
    assert_int_equal(ridge_duration_parse("1.5m", &seconds, NULL), RIDGE_OK);
    assert_close(seconds, 90, 1e-12, 0);
    char text[RIDGE_NUMBER_BYTES];
    ridge_duration_format(0.00123, text);
    assert_string_equal(text, "1.23 ms");
    setlocale(LC_ALL, "C");
}

/** In Turkish an i is no small I: units are read as anywhere. */
static void test_units_in_a_turkish_locale(void **state)
{
    (void)state;
    char folder[FOLDER_BYTES];
    folder_make(folder, "locale");
    const bool found = own_locale_set(folder, "tr_TR");
    folder_remove(folder);
    if (!found) {
        skip();
    }
    uint64_t bytes = 0;
    assert_int_equal(ridge_size_parse("3 MIB", &bytes, NULL), RIDGE_OK);
    assert_int_equal(bytes, 3 << 20);
    static const char *const names[] = {"TITAN"};
    assert_string_equal(ridge_near_name("titan", names, 1), "TITAN");
    setlocale(LC_ALL, "C");
}

static void test_random_doubles_round_trip(void **state)
{
    (void)state;
    struct rg_rng rng;
    rg_rng_init(&rng, 1);
    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = rg_rng_next(&rng);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        char text[RIDGE_NUMBER_BYTES];
        double back = 0;
        ridge_number_format(value, text);
        assert_int_equal(ridge_number_parse(text, &back, NULL), RIDGE_OK);
        assert_true(back == value);
    }
}

static void test_counts_and_durations(void **state)
{
    (void)state;
    uint64_t count = 0;
    assert_int_equal(ridge_count_parse("0x10", 100, &count, NULL), RIDGE_OK);
    assert_int_equal(count, 16);
    static const char *const bad_counts[] = {"", "-1", "1.5", "101", "18446744073709551616", "0x", "7k"};
    for (size_t i = 0; i < sizeof bad_counts / sizeof bad_counts[0]; i++) {
        assert_int_equal(ridge_count_parse(bad_counts[i], 100, &count, NULL), RIDGE_E_VALUE);
    }
    double seconds = 0;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"60s", 60}, {"2m", 120}, {"200 ms", 0.2}, {"3", 3}, {"1h", 3600}, {"5us", 5e-6}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(ridge_duration_parse(good[i].text, &seconds, NULL), RIDGE_OK);
        assert_close(seconds, good[i].seconds, 1e-12, 0);
    }
    static const char *const bad[] = {"", "s", "0s", "-3s", "5 parsecs", "1e400s", "nan"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(ridge_duration_parse(bad[i], &seconds, NULL), RIDGE_E_VALUE);
    }
}

static void test_duration_text(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{1.5, "1.50 s"},    {0.0123, "12.3 ms"}, {0.9999, "1.00 s"}, {0.00099961, "1.00 ms"},
                {4.2e-7, "420 ns"}, {123, "123 s"},      {1e99, "1e+99 s"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[RIDGE_NUMBER_BYTES];
        ridge_duration_format(rows[i].seconds, text);
        assert_string_equal(text, rows[i].text);
    }
}

static void test_quantities(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *unit;
        double value;
    } good[] = {{"64MiB", "B", 67108864}, {"2GFLOP", "FLOP", 2e9}, {"2 GFLOP", "FLOP", 2e9},
                {"5e8", "FLOP", 5e8},     {"60GB/s", "B/s", 60e9}, {"1.5TFLOP/s", "FLOP/s", 1.5e12},
                {"3 kB", "B", 3000},      {"0", "FLOP", 0},        {"1KiB/s", "B/s", 1024},
                {"7FLOP", "FLOP", 7}};
    static const struct {
        const char *text;
        const char *unit;
    } bad[] = {{"", "B"},      {"GB/s", "B/s"},    {"-3GB/s", "B/s"}, {"60GB", "B/s"}, {"60GB/s", "B"},
               {"2G", "FLOP"}, {"2XFLOP", "FLOP"}, {"1e400", "B"},    {"inf", "B"},    {"2GFLOPs", "FLOP"}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = -1;
        assert_int_equal(ridge_quantity_parse(good[i].text, good[i].unit, &value, NULL), RIDGE_OK);
        assert_close(value, good[i].value, 1e-12, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = -1;
        assert_int_equal(ridge_quantity_parse(bad[i].text, bad[i].unit, &value, NULL), RIDGE_E_VALUE);
        assert_close(value, -1, 0, 0);
    }
}

static void test_quantity_text(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *unit;
        const char *text;
    } rows[] = {{53.42e9, "B/s", "53.42 GB/s"},      {2e9, "FLOP", "2 GFLOP"}, {999.97e6, "B", "1 GB"},
                {1234.4e15, "B", "1234 PB"},         {12.345, "B", "12.35 B"}, {0, "B", "0 B"},
                {118.2e9, "FLOP/s", "118.2 GFLOP/s"}};
    char text[RIDGE_NUMBER_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ridge_quantity_format(rows[i].value, rows[i].unit, text);
        assert_string_equal(text, rows[i].text);
    }
    ridge_quantity_format((double)NAN, "B", text);
    assert_string_equal(text, "unknown");
}

static bool into_buffer(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

static void test_json(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_buffer buffer;
    rg_buffer_init(&buffer, context);
    struct ridge_json json;
    ridge_json_begin(&json, (struct ridge_sink){into_buffer, &buffer});
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "text", "a\"b\\\n\x01\xC3\xA4\xFF");
    ridge_json_double(&json, "nan", (double)NAN);
    ridge_json_array_begin_compact(&json, "pair");
    ridge_json_double(&json, NULL, 0.1);
    ridge_json_i64(&json, NULL, INT64_MIN);
    ridge_json_array_end(&json);
    ridge_json_object_begin(&json, "empty");
    ridge_json_object_end(&json);
    ridge_json_object_end(&json);
    assert_true(ridge_json_end(&json));
    assert_string_equal(rg_buffer_text(&buffer),
                        "{\n  \"text\": \"a\\\"b\\\\\\n\\u0001\xC3\xA4\xEF\xBF\xBD\",\n  \"nan\": null,\n"
                        "  \"pair\": [0.1, -9223372036854775808],\n  \"empty\": {}\n}\n");
    rg_buffer_fini(&buffer);
    ridge_context_destroy(context);
}

static bool refuse(void *user, const char *bytes, size_t length)
{
    (void)user;
    (void)bytes;
    (void)length;
    return false;
}

static void test_json_says_when_the_sink_refuses(void **state)
{
    (void)state;
    struct ridge_json json;
    ridge_json_begin(&json, (struct ridge_sink){refuse, NULL});
    ridge_json_text(&json, NULL, "x");
    assert_false(ridge_json_end(&json));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_in_a_comma_locale),
        cmocka_unit_test(test_units_in_a_turkish_locale),
        cmocka_unit_test(test_random_doubles_round_trip),
        cmocka_unit_test(test_counts_and_durations),
        cmocka_unit_test(test_duration_text),
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_quantity_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_says_when_the_sink_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
