/* SPDX-License-Identifier: MIT */
/** \file Files of records as they are in the field, read from memory. Round trips: test_record_files. */
#include "own_locale.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "store/import.h"

#define HEADER                                                                                               \
    "{\"device_name\": \"Example GPU\", \"kernel_name\": \"blur\", \"problem_size\": [2048, 1024],\n"        \
    "\"tune_params_keys\": [\"tile\", \"stage\"], \"tune_params\": {\"tile\": [32, 96], \"stage\": [1, 2]}," \
    "\n\"objective\": \"time\", \"cache\": {\n"
#define FIRST                                                                                                        \
    "\"32,2\": {\"tile\": 32, \"stage\": 2, \"time\": 1.3, \"times\": [1.31, 1.29, 1.30], \"compile_time\": 210.5, " \
    "\"verification_time\": 3.0, \"benchmark_time\": 9.0, \"GB/s\": 88.0, \"timestamp\": \"2031-01-02 03:04:05+00:00\"}"
#define SECOND "\"96,1\": {\"tile\": 96, \"stage\": 1, \"time\": 0.9, \"times\": [0.9]}"
#define END    "}\n}"

/** Read a text that must be good. */
static struct ridge_run *parse(struct ridge_context *context, const char *text)
{
    struct ridge_run *run = NULL;
    struct ridge_error error = {0};
    assert_ok(rg_record_parse(context, "test.json", text, strlen(text), NULL, &run, &error), &error);
    return run;
}

/** Read a text that must be refused, with words in the message. \return the line of the error */
static unsigned refuse(struct ridge_context *context, const char *text, ridge_status status, const char *words)
{
    struct ridge_run *run = NULL;
    struct ridge_error error = {0};
    const ridge_status got = rg_record_parse(context, "test.json", text, strlen(text), NULL, &run, &error);
    if (got != status || !strstr(error.message, words)) {
        fail_msg("status %d, message '%s'; wanted %d, '%s'", (int)got, error.message, (int)status, words);
    }
    assert_null(run);
    return error.line;
}

static bool has_note(const struct ridge_run *run, const char *words)
{
    for (size_t i = 0; i < run->note_count; i++) {
        if (strstr(run->notes[i], words)) {
            return true;
        }
    }
    return false;
}

static int setup(void **state)
{
    *state = test_context();
    return 0;
}

static int teardown(void **state)
{
    ridge_context_destroy(*state);
    return 0;
}

static void test_cache(void **state)
{
    struct ridge_run *run = parse(*state, HEADER FIRST ",\n" SECOND END);
    assert_string_equal(run->info.kernel, "blur");
    assert_string_equal(run->info.device, "Example GPU");
    assert_string_equal(run->info.parameters, "problem_size=2048x1024");
    assert_string_equal(run->info.spec_path, "test.json");
    assert_int_equal(strlen(run->info.source_hash), 64);
    assert_string_equal(run->started_at, "2031-01-02T03:04:05Z");
    assert_int_equal(run->state, RIDGE_RUN_COMPLETE);
    assert_int_equal(run->note_count, 0);
    assert_int_equal(run->dimension_count, 2);
    assert_string_equal(run->dimension_names[0], "stage");
    assert_int_equal(run->record_count, 2);
    const struct ridge_record *record = &run->records[0];
    assert_int_equal(record->kind, RIDGE_RECORDED);
    assert_int_equal(record->outcome, RIDGE_OUTCOME_OK);
    assert_true(record->in_space);
    assert_int_equal(record->values[0].as.integer, 2);
    assert_int_equal(record->values[1].as.integer, 32);
    assert_int_equal(record->sample_count, 3);
    assert_true(record->samples_s[1] == 1.29 / 1000);
    assert_true(record->compile_s == 210.5 / 1000);
    assert_true(record->run_s == 12.0 / 1000);
    assert_true(record->registers == -1 && record->shared_bytes == -1 && record->spill_bytes == -1);
    assert_true(isnan(run->records[1].compile_s));
    assert_int_equal(run->ranked[0], 1);
    ridge_run_destroy(run);
}

/** The id is that of the same configuration in a space with the same kernel. */
static void test_ids(void **state)
{
    struct ridge_run *run = parse(*state, HEADER FIRST END);
    const struct ridge_value stage = {RIDGE_INT, {.integer = 2}};
    const struct ridge_value tile = {RIDGE_INT, {.integer = 32}};
    struct rg_sha256 hash;
    char id[RIDGE_ID_BYTES];
    rg_id_begin(&hash, "blur");
    rg_id_value(&hash, "stage", &stage);
    rg_id_value(&hash, "tile", &tile);
    rg_id_end(&hash, id);
    assert_string_equal(run->records[0].id, id);
    ridge_run_destroy(run);
}

static void test_bp_025_open_cache(void **state)
{
    const char *const texts[] = {HEADER FIRST ",\n" SECOND ",\n", HEADER FIRST ",\n" SECOND "\n",
                                 HEADER FIRST ",\n" SECOND "},\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ridge_run *run = parse(*state, texts[i]);
        assert_int_equal(run->record_count, 2);
        assert_int_equal(run->state, RIDGE_RUN_OPEN);
        assert_true(has_note(run, "open file"));
        assert_false(has_note(run, "dropped"));
        ridge_run_destroy(run);
    }
}

static void test_bp_027_cut_anywhere(void **state)
{
    struct ridge_run *run = parse(*state, HEADER FIRST ",\n\"96,1\": {\"tile\": 96, \"stage\": 1, \"time\": 1.2");
    assert_int_equal(run->record_count, 1);
    assert_true(has_note(run, "middle of a result, which was dropped"));
    ridge_run_destroy(run);
    refuse(*state, "", RIDGE_E_VALUE, "the file is empty");
    refuse(*state, " \n", RIDGE_E_VALUE, "the file is empty");
    refuse(*state, "{", RIDGE_E_VALUE, "ends before its first result");
    refuse(*state, HEADER, RIDGE_E_VALUE, "there are no results");
    /* Cut at every byte: one, two or no records, never a crash, never half a record. */
    const char whole[] = HEADER FIRST ",\n" SECOND END;
    for (size_t length = 0; length < sizeof whole; length++) {
        struct ridge_error error = {0};
        run = NULL;
        const ridge_status status = rg_record_parse(*state, "cut", whole, length, NULL, &run, &error);
        const size_t records =
            (length >= strlen(HEADER FIRST) ? 1U : 0U) + (length >= strlen(HEADER FIRST ",\n" SECOND) ? 1U : 0U);
        assert_int_equal(status == RIDGE_OK ? run->record_count : 0, records);
        assert_true(status == RIDGE_OK || error.message[0]);
        ridge_run_destroy(run);
    }
}

static void test_bp_028_bytes_behind_the_end(void **state)
{
    const char t4[] = "{\"metadata\": {\"timeunit\": \"ms\"}, \"results\": [{\"configuration\": {\"a\": 1}, \"times\": "
                      "{\"runtimes\": [1.0]}, \"invalidity\": \"correct\", \"correctness\": 1}]}";
    const char *const tails[] = {"}", "5]}", "\n}", "x"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        char text[512];
        char words[64];
        snprintf(text, sizeof text, "%s%s", t4, tails[i]);
        snprintf(words, sizeof words, "behind the end of the document (byte %zu)",
                 strlen(t4) + (tails[i][0] == '\n' ? 1 : 0));
        refuse(*state, text, RIDGE_E_SYNTAX, words);
    }
}

static void test_bp_030_failures_in_every_form(void **state)
{
    struct ridge_run *run =
        parse(*state, HEADER "\"1\": {\"tile\": 1, \"stage\": 1, \"time\": 1e20},\n"
                             "\"2\": {\"tile\": 2, \"stage\": 1, \"time\": \"RuntimeFailedConfig\"},"
                             "\"3\": {\"tile\": 3, \"stage\": 1, \"__error__\": "
                             "\"CompilationFailedConfig\"},\n"
                             "\"5\": {\"tile\": 5, \"stage\": 1, \"time\": \"InvalidConfig\"},\n"
                             "\"4\": {\"tile\": 4, \"stage\": 1, \"time\": 3.2}" END);
    const ridge_outcome outcomes[] = {RIDGE_OUTCOME_LAUNCH, RIDGE_OUTCOME_LAUNCH, RIDGE_OUTCOME_COMPILE,
                                      RIDGE_OUTCOME_UNLAUNCHABLE, RIDGE_OUTCOME_OK};
    const char *const texts[] = {"recorded as a time of 1e20 or more", "RuntimeFailedConfig", "CompilationFailedConfig",
                                 "InvalidConfig"};
    assert_int_equal(run->record_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(run->records[i].outcome, outcomes[i]);
        assert_int_equal(run->records[i].sample_count, i == 4);
        if (i < 4) {
            assert_string_equal(run->records[i].text, texts[i]);
        }
    }
    assert_int_equal(run->ranked_count, 1);
    assert_true(run->records[run->ranked[0]].summary.median_s == 3.2 / 1000);
    assert_true(has_note(run, "1e20"));
    ridge_run_destroy(run);
}

#define T4(results) "{\"schema_version\": \"1.0.0\", \"metadata\": {\"timeunit\": \"ms\"}, \"results\": [" results "]}"
#define T4_RESULT(a, runtimes, more)                                                                    \
    "{\"configuration\": {\"a\": " a "}, \"times\": {\"compilation\": 5, \"runtimes\": " runtimes "}, " \
    "\"invalidity\": \"correct\", \"correctness\": 1, \"objectives\": [\"time\"]" more "}"

static void test_bp_032_zero_time(void **state)
{
    struct ridge_run *run =
        parse(*state, T4(T4_RESULT("1", "[0.0]", "") "," T4_RESULT("2", "[0.9]", "") "," T4_RESULT("3", "[1.1]", "")));
    assert_int_equal(run->ranked_count, 2);
    assert_true(run->records[run->ranked[0]].summary.median_s == 0.9 / 1000);
    assert_int_equal(run->records[0].outcome, RIDGE_OUTCOME_SKIPPED);
    assert_true(has_note(run, "below what the clock can tell"));
    ridge_run_destroy(run);
}

static void test_bp_033_negative_time(void **state)
{
    struct ridge_run *run =
        parse(*state, HEADER "\"1\": {\"tile\": 1, \"stage\": 1, \"time\": -0.9, \"times\": [-0.9, 0.02, 0.021]}" END);
    assert_int_equal(run->records[0].sample_count, 2);
    assert_int_equal(run->records[0].rejected, 1);
    assert_close(run->records[0].summary.median_s, 0.0205e-3, 1e-12, 0);
    ridge_run_destroy(run);
}

static void test_bp_035_real_world_t4(void **state)
{
    /* A time misspelt, no version, no runtimes: read, with notes. */
    struct ridge_run *run = parse(
        *state, "{\"metadata\": {\"timeunit\": \"milisec\"}, \"results\": [{\"configuration\": {\"a\": 1}, \"times\": "
                "{\"compilation\": 5, \"runtimes\": null}, \"measurements\": [{\"name\": \"time\", \"value\": 2.5, "
                "\"unit\": \"\"}]}]}");
    assert_true(has_note(run, "milisec is read as milliseconds"));
    assert_true(run->records[0].samples_s[0] == 2.5 / 1000);
    ridge_run_destroy(run);
    /* Another objective: neither lower nor higher is assumed to be better. */
    refuse(*state,
           "{\"metadata\": {\"timeunit\": \"milisec\"}, \"results\": [{\"configuration\": {\"a\": 1}, \"times\": {}, "
           "\"measurements\": [{\"name\": \"score\", \"value\": -0.4}], \"objectives\": [\"score\"]}]}",
           RIDGE_E_VALUE, "the objective 'score' is no time");
    refuse(*state, "{\"metadata\": {\"timeunit\": \"fortnights\"}, \"results\": [{}]}", RIDGE_E_VALUE, "fortnights");
}

static void test_bp_038_units(void **state)
{
    struct ridge_run *run = parse(*state, "{\"metadata\": {\"timeunit\": \"microseconds\"}, \"results\": "
                                          "[" T4_RESULT("1", "[900]", "") "]}");
    assert_true(run->records[0].summary.median_s == 900 / 1e6);
    ridge_run_destroy(run);
    run = parse(*state, T4(T4_RESULT("1", "[1.1]", "")));
    assert_true(run->records[0].summary.median_s == 1.1 / 1e3);
    ridge_run_destroy(run);
    run = parse(*state, "{\"results\": [" T4_RESULT("1", "[1.1]", "") "]}");
    assert_true(has_note(run, "milliseconds are assumed"));
    ridge_run_destroy(run);
}

/** In Turkish an i is no small I: the words of a file mean what they mean anywhere. */
static void test_words_in_a_turkish_locale(void **state)
{
    static const char text[] =
        "{\"metadata\": {\"timeunit\": \"MILLISECONDS\"}, \"results\": [{\"configuration\": {\"a\": 1}, "
        "\"times\": {\"runtimes\": null}, \"measurements\": [{\"name\": \"time\", \"value\": 2.5, "
        "\"unit\": \"\"}], \"objectives\": [\"TIME\"]}]}";
    char folder[FOLDER_BYTES];
    folder_make(folder, "locale");
    const bool found = own_locale_set(folder, "tr_TR");
    folder_remove(folder);
    if (!found) {
        skip();
    }
    struct ridge_run *run = parse(*state, text);
    setlocale(LC_ALL, "C");
    assert_int_equal(run->record_count, 1);
    assert_true(run->records[0].samples_s[0] == 2.5 / 1000);
    ridge_run_destroy(run);
}

static void test_bp_042_versions(void **state)
{
    refuse(*state, "{\"schema_version\": \"9.4.0\", \"cache\": {}}", RIDGE_E_VALUE, "9.4.0 is newer than supported");
    refuse(*state, "{\"schema_version\": \"one.two\", \"cache\": {}}", RIDGE_E_VALUE, "'one.two' is no version");
    refuse(*state, "{\"schema_version\": \"2.0.0\", \"results\": []}", RIDGE_E_VALUE, "newer");
    refuse(*state, "{\"schema_version\": 3, \"results\": []}", RIDGE_E_VALUE, "no version");
}

static void test_bp_043_device_names(void **state)
{
    struct ridge_run *run =
        parse(*state, "{\"device_name\": \"Some(R) a\\\"b\\\\c \\u00b5 @ 3\", \"kernel_name\": \"k\", "
                      "\"tune_params_keys\": [\"w\"], \"cache\": {\"1\": {\"w\": 1, \"time\": 1}}}");
    assert_string_equal(run->info.device, "Some(R) a\"b\\c \xC2\xB5 @ 3");
    ridge_run_destroy(run);
    const char empty[] = "{\"device_name\": \"\", \"kernel_name\": \"k\", \"tune_params_keys\": [\"w\"], "
                         "\"cache\": {\"1\": {\"w\": 1, \"time\": 1}}}";
    run = parse(*state, empty);
    assert_string_equal(run->info.device, "");
    assert_true(has_note(run, "--device"));
    ridge_run_destroy(run);
    const struct ridge_record_hints hints = {"other", "MI250X"};
    struct ridge_error error = {0};
    assert_ok(rg_record_parse(*state, "e", empty, strlen(empty), &hints, &run, &error), &error);
    assert_string_equal(run->info.device, "MI250X");
    assert_string_equal(run->info.kernel, "other");
    assert_int_equal(run->note_count, 0);
    ridge_run_destroy(run);
}

/** BP-047: a mark at the beginning and other line ends. BP-023: values with commas. BP-049: other alphabets. */
static void test_bp_047_marks_and_values(void **state)
{
    struct ridge_run *run = parse(*state, "\xEF\xBB\xBF{\"device_name\": \"d\", \"kernel_name\": \"k\",\r\n"
                                          "\"tune_params_keys\": [\"T\", \"w\", \"on\", \"f\"], \"cache\": {\r\n"
                                          "\"vec<float, 2>,1\": {\"T\": \"vec<float, 2>\", \"w\": 1, \"on\": true, "
                                          "\"f\": 2.0, \"time\": 1},\r\n"
                                          "\"gr\xC3\xB6\xC3\x9F"
                                          "e,1\": {\"T\": \"gr\xC3\xB6\xC3\x9F"
                                          "e\", \"w\": 1, "
                                          "\"on\": false, \"f\": 0.5, \"time\": 2}}}");
    assert_int_equal(run->record_count, 2);
    assert_string_equal(run->records[0].values[0].as.text, "vec<float, 2>");
    assert_string_equal(run->records[1].values[0].as.text, "gr\xC3\xB6\xC3\x9F"
                                                           "e");
    assert_int_equal(run->records[0].values[1].type, RIDGE_FLOAT);
    assert_int_equal(run->records[0].values[2].type, RIDGE_BOOL);
    assert_true(run->records[0].values[2].as.truth);
    ridge_run_destroy(run);
}

static void test_bp_050_other_names(void **state)
{
    struct ridge_run *run =
        parse(*state, T4(T4_RESULT("1", "[1.0]", "") ", {\"configuration\": {\"b\": 1}, \"times\": {}, "
                                                     "\"invalidity\": \"correct\", \"correctness\": 1}"));
    assert_int_equal(run->record_count, 1);
    assert_true(
        has_note(run, "1 results were skipped: they do not have the dimensions of the first (the first in line 1)"));
    ridge_run_destroy(run);
    refuse(*state, HEADER "\"1\": {\"WGS\": 1, \"time\": 1}" END, RIDGE_E_VALUE, "none of its 1 results can be used");
}

static void test_bp_128_text_where_numbers_belong(void **state)
{
    struct ridge_run *run = parse(
        *state, T4("{\"configuration\": {\"a\": 1}, \"times\": {}, \"measurements\": [{\"name\": \"time\", \"value\": "
                   "\"-\"}]}, {\"configuration\": {\"a\": 2}, \"times\": {}, \"measurements\": [{\"name\": "
                   "\"time\", \"value\": 4.0}, {\"name\": \"x\", \"value\": \"-\"}]}, {\"configuration\": {\"a\": "
                   "3}, \"times\": {}, \"measurements\": [{\"name\": \"time\", \"value\": \"5.5\"}]}"));
    assert_int_equal(run->record_count, 3);
    assert_int_equal(run->ranked_count, 1);
    assert_int_equal(run->records[0].outcome, RIDGE_OUTCOME_SKIPPED);
    assert_int_equal(run->records[2].outcome, RIDGE_OUTCOME_SKIPPED);
    assert_true(has_note(run, "2 times are text where a number belongs"));
    ridge_run_destroy(run);
}

static void test_literals_and_commas(void **state)
{
    struct ridge_run *run = parse(*state, HEADER "\"1\": {\"tile\": 1, \"stage\": 1, \"time\": NaN, \"times\": [NaN, "
                                                 "-Infinity, 2.0, inf, ], \"GB/s\": Infinity, },\n"
                                                 "\"2\": {\"tile\": 2, \"stage\": 1, \"time\": 3e0, \"NaN\": \"NaN\"}"
                                                 ",\n" END);
    assert_int_equal(run->record_count, 2);
    assert_int_equal(run->records[0].sample_count, 1);
    assert_int_equal(run->records[0].rejected, 3);
    assert_true(has_note(run, "5 NaN or Infinity literals"));
    assert_true(has_note(run, "3 commas before a closing bracket"));
    ridge_run_destroy(run);
}

static void test_twice(void **state)
{
    struct ridge_run *run = parse(*state, HEADER FIRST ",\n" SECOND ",\n\"32,2\": {\"tile\": 32, \"stage\": 2, "
                                                       "\"time\": 7}" END);
    assert_int_equal(run->record_count, 2);
    assert_int_equal(run->records[0].values[1].as.integer, 96);
    assert_true(run->records[1].summary.median_s == 7.0 / 1000);
    assert_true(has_note(run, "1 results were replaced"));
    ridge_run_destroy(run);
}

/** What is not well formed is refused where it stands; nothing of the file counts. */
static void test_syntax(void **state)
{
    assert_int_equal(refuse(*state, HEADER FIRST ",\n\"x\": {\"tile\": 1 2}" END, RIDGE_E_SYNTAX, "byte"), 5);
    refuse(*state, HEADER FIRST ",\n\"x\": [1]" END, RIDGE_E_SYNTAX, "a list stands where a record should");
    refuse(*state, HEADER FIRST ",\n\"x\": 5" END, RIDGE_E_SYNTAX, "something else stands");
    refuse(*state, HEADER FIRST ",\n\"x\": \"y\"" END, RIDGE_E_SYNTAX, "a text stands");
    refuse(*state, HEADER FIRST "]\n}", RIDGE_E_SYNTAX, "no opening one");
    refuse(*state, "{\"cache\": 5}", RIDGE_E_VALUE, "no kind of record file that is known");
    refuse(*state, "[1]", RIDGE_E_VALUE, "no kind of record file");
    refuse(*state, "hello", RIDGE_E_VALUE, "no kind of record file");
    refuse(*state, "{\"device_name\": 5 5, \"cache\": {" FIRST END, RIDGE_E_SYNTAX, "byte 18");
    refuse(*state, "{\"cache\": {" FIRST "}, \"b\": 5 5}", RIDGE_E_SYNTAX, "byte");
    refuse(*state, "{\"cache\": {" FIRST END, RIDGE_E_VALUE, "tune_params_keys");
    refuse(*state, "{\"tune_params_keys\": [\"a\", \"a\"], \"cache\": {" FIRST END, RIDGE_E_VALUE, "listed twice");
    refuse(*state, HEADER "\"x\": {\"tile\": 99999999999999999999, \"stage\": 1}" END, RIDGE_E_SYNTAX, "integer");
    char deep[300];
    memset(deep, '{', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    refuse(*state, deep, RIDGE_E_SYNTAX, "");
}

static void test_ktt(void **state)
{
    struct ridge_run *run = parse(
        *state,
        "{\"Metadata\": {\"Device\": \"GPU\", \"TimeUnit\": \"Microseconds\", \"Timestamp\": \"2024-04-20 03:41:57 "
        "UTC\"}, \"Results\": [{\"KernelName\": \"Conv\", \"Status\": \"Ok\", \"TotalDuration\": 7368.064, "
        "\"Configuration\": [{\"Name\": \"X\", \"Value\": 2}, {\"Name\": \"F\", \"Value\": 0.5}], "
        "\"ComputationResults\": [{\"CompilationData\": {\"RegistersCount\": 28, \"LocalMemorySize\": 2944, "
        "\"PrivateMemorySize\": 0}}]}, {\"Status\": \"ComputationFailed\", \"TotalDuration\": 0.0, \"Configuration\": "
        "[{\"Name\": \"F\", \"Value\": 0.5}, {\"Name\": \"X\", \"Value\": 4}]}, {\"Status\": \"DeviceLimitsExceeded\", "
        "\"Configuration\": [{\"Name\": \"F\", \"Value\": 0.5}, {\"Name\": \"X\", \"Value\": 8}]}, {\"Status\": \"?\", "
        "\"Configuration\": [{\"Name\": \"F\", \"Value\": 0.5}, {\"Name\": \"X\", \"Value\": 9}]}]}");
    assert_string_equal(run->info.kernel, "Conv");
    assert_string_equal(run->info.device, "GPU");
    assert_int_equal(run->record_count, 4);
    assert_true(run->records[0].samples_s[0] == 7368.064 / 1e6);
    assert_int_equal(run->records[0].registers, 28);
    assert_int_equal(run->records[0].shared_bytes, 2944);
    assert_int_equal(run->records[0].spill_bytes, 0);
    assert_int_equal(run->records[1].outcome, RIDGE_OUTCOME_LAUNCH);
    assert_int_equal(run->records[1].values[1].as.integer, 4);
    assert_int_equal(run->records[1].registers, -1);
    assert_int_equal(run->records[2].outcome, RIDGE_OUTCOME_UNLAUNCHABLE);
    assert_int_equal(run->records[3].outcome, RIDGE_OUTCOME_SKIPPED);
    assert_true(has_note(run, "outcome that is not known"));
    ridge_run_destroy(run);
}

static void test_csv(void **state)
{
    struct ridge_run *run =
        parse(*state, "id,T,dimension.kind,outcome,kind,median_s,rejected,text,samples_s,kernel,device,registers\r\n"
                      "x,\"a,\"\"b\",1,ok,recorded,2,1,,1.5 2 2.5,k,d,12\r\n"
                      "x,c,2.0,compile,recorded,,0,\"two\nlines\",,k,d,\r\n");
    assert_int_equal(run->record_count, 2);
    assert_string_equal(run->dimension_names[1], "kind");
    assert_string_equal(run->records[0].values[0].as.text, "a,\"b");
    assert_int_equal(run->records[0].values[1].type, RIDGE_INT);
    assert_int_equal(run->records[1].values[1].type, RIDGE_FLOAT);
    assert_int_equal(run->records[0].sample_count, 3);
    assert_int_equal(run->records[0].rejected, 1);
    assert_int_equal(run->records[0].registers, 12);
    assert_string_equal(run->records[1].text, "two\nlines");
    assert_string_equal(run->info.kernel, "k");
    ridge_run_destroy(run);
    /* Every integer keeps its type; what lies beyond is a float. */
    run = parse(*state, "id,a,outcome,median_s,kernel,device\nx,-9223372036854775808,ok,1,k,d\n"
                        "x,9223372036854775807,ok,1,k,d\nx,9223372036854775808,ok,1,k,d\n");
    assert_int_equal(run->records[0].values[0].type, RIDGE_INT);
    assert_true(run->records[0].values[0].as.integer == INT64_MIN);
    assert_true(run->records[1].values[0].as.integer == INT64_MAX);
    assert_int_equal(run->records[2].values[0].type, RIDGE_FLOAT);
    ridge_run_destroy(run);
    assert_int_equal(refuse(*state, "id,a,outcome\nx,1,ok,5\n", RIDGE_E_SYNTAX, "not as many fields"), 2);
    refuse(*state, "id,a,outcome\nx,\"1,ok,5\n", RIDGE_E_SYNTAX, "quote is not closed");
    refuse(*state, "id,a,b\nx,1,2\n", RIDGE_E_SYNTAX, "the header does not list");
    refuse(*state, "id,a,outcome,median_s\n", RIDGE_E_VALUE, "no results");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_bp_025_open_cache),
        cmocka_unit_test(test_bp_027_cut_anywhere),
        cmocka_unit_test(test_bp_028_bytes_behind_the_end),
        cmocka_unit_test(test_bp_030_failures_in_every_form),
        cmocka_unit_test(test_bp_032_zero_time),
        cmocka_unit_test(test_bp_033_negative_time),
        cmocka_unit_test(test_bp_035_real_world_t4),
        cmocka_unit_test(test_bp_038_units),
        cmocka_unit_test(test_words_in_a_turkish_locale),
        cmocka_unit_test(test_bp_042_versions),
        cmocka_unit_test(test_bp_043_device_names),
        cmocka_unit_test(test_bp_047_marks_and_values),
        cmocka_unit_test(test_bp_050_other_names),
        cmocka_unit_test(test_bp_128_text_where_numbers_belong),
        cmocka_unit_test(test_literals_and_commas),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_ktt),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
