/* SPDX-License-Identifier: MIT */
/** \file Footprint verdicts: every published row, families in their order, fitting, holding out, bad files. */
#include "folder.h"

#include "ridge/footprint.h"

struct fixture {
    struct ridge_context *context;
    struct ridge_footprint_db *db;
    char folder[FOLDER_BYTES];
};

static int setup(void **state)
{
    static struct fixture fixture;
    struct ridge_error error = {0};
    fixture.context = test_context();
    folder_make(fixture.folder, "footprint");
    assert_ok(ridge_footprint_db_create(fixture.context, NULL, &fixture.db, &error), &error);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    folder_remove(fixture->folder);
    ridge_footprint_db_destroy(fixture->db);
    ridge_context_destroy(fixture->context);
    return 0;
}

static struct ridge_prediction predict(void **state, const char *device, uint64_t base, uint64_t candidate)
{
    const struct fixture *fixture = *state;
    struct ridge_prediction prediction;
    ridge_footprint_predict(fixture->db, device, base, candidate, &prediction);
    assert_int_not_equal(prediction.reason[0], '\0');
    assert_true(isnan(prediction.ratio) == (prediction.verdict == RIDGE_VERDICT_UNKNOWN));
    return prediction;
}

/** behaviours.md section 3: fitted rows within 0.02, held-out rows within 0.06. */
static void published_rows_are_reproduced(void **state)
{
    static const struct {
        uint64_t base, candidate;
        double measured, within;
    } rows[] = {{2048, 4096, 0.906, 0.02},  {2048, 6144, 0.842, 0.02},  {4096, 8192, 0.952, 0.06},
                {4096, 12288, 0.811, 0.06}, {2048, 512, 1.190, 0.0005}, {2048, 8192, 0.810, 0.0005}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_prediction got = predict(state, "Apple M4 Pro", rows[i].base, rows[i].candidate);
        assert_close(got.ratio, rows[i].measured, 0, rows[i].within);
    }
}

static void verdicts_are_the_published_ones(void **state)
{
    static const struct {
        uint64_t base, candidate;
        ridge_verdict verdict;
    } rows[] = {
        {2048, 4096, RIDGE_VERDICT_SLOWER},    {2048, 6144, RIDGE_VERDICT_SLOWER},
        {2048, 8192, RIDGE_VERDICT_SLOWER},    {2048, 2048, RIDGE_VERDICT_TOO_CLOSE},
        {2048, 2949, RIDGE_VERDICT_TOO_CLOSE}, {2048, 2951, RIDGE_VERDICT_SLOWER}, /* 1 - ratio passes 0.05 at 2949.7 */
        {8192, 2048, RIDGE_VERDICT_FASTER},    {0, 2048, RIDGE_VERDICT_UNKNOWN},
        {2048, 0, RIDGE_VERDICT_UNKNOWN},      {0, 0, RIDGE_VERDICT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(predict(state, "Apple M4 Pro", rows[i].base, rows[i].candidate).verdict, rows[i].verdict);
    }
    double last = 1;
    for (uint64_t stages = 2; stages <= 16; stages++) { /* deeper is always worse */
        const double ratio = predict(state, "Apple M4 Max", 2048, 2048 * stages).ratio;
        assert_true(ratio < last);
        last = ratio;
    }
    assert_close(predict(state, "M4", 1, UINT64_C(1) << 40).ratio, 0, 0, 0);
}

/** The published points span 2048 to 12288 bytes and changes by up to three times; the rule itself goes on. */
static void beyond_the_points_is_said(void **state)
{
    static const struct {
        uint64_t base, candidate;
        bool extrapolated;
    } rows[] = {{2048, 6144, false},        {6144, 2048, false}, {4096, 12288, false}, {2048, 2048, false},
                {2047, 4096, true},         {2048, 6145, true},  {6145, 2048, true},   {4097, 12289, true},
                {2048, 999999999999, true}, {0, 2048, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_prediction got = predict(state, "Apple M4 Pro", rows[i].base, rows[i].candidate);
        assert_int_equal(got.extrapolated, rows[i].extrapolated);
    }
    const struct ridge_prediction far = predict(state, "Apple M4 Pro", 2048, 999999999999);
    assert_int_equal(far.verdict, RIDGE_VERDICT_SLOWER);
    assert_true(far.ratio == 0);
    const struct ridge_footprint_span span = ridge_footprint_span(far.footprint);
    assert_true(span.least_bytes == 2048 && span.most_bytes == 12288 && span.most_change == 3);
}

static void families_are_told_by_name(void **state)
{
    static const char *const known[] = {"Apple M4 Pro", "apple m4", "APPLE M4 MAX", "M4", "Apple M4 Pro (20-core)"};
    static const struct {
        const char *device, *says;
    } unknown[] = {
        {"Apple M3 Max", "Apple M3 is"},
        {"Apple M2", "Apple M2 is"},
        {"Apple M1 Pro", "Apple M1 Pro, Max or Ultra is"},
        {"apple m1 ULTRA", "Apple M1 Pro, Max or Ultra is"},
        {"Apple M1", "Apple M1 is"},
        {"GeForce RTX 4090", "no calibration knows"},
        {"", "no calibration knows"},
        {"Tesla M4", "no calibration knows"},
        {"Tesla M40", "no calibration knows"},
        {"Quadro M4000", "no calibration knows"},
        {"Apple M5", "no calibration knows"},
        {"Apple M4X", "no calibration knows"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(predict(state, known[i], 2048, 6144).verdict, RIDGE_VERDICT_SLOWER);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const struct ridge_prediction got = predict(state, unknown[i].device, 2048, 6144);
        assert_int_equal(got.verdict, RIDGE_VERDICT_UNKNOWN);
        if (!strstr(got.reason, unknown[i].says)) {
            fail_msg("'%s': %s", unknown[i].device, got.reason);
        }
    }
    /* The order m4, m3, m2, m1 pro, m1: a name that holds two is of the first. */
    assert_int_equal(predict(state, "M3 beside M4", 2048, 6144).verdict, RIDGE_VERDICT_SLOWER);
    assert_non_null(strstr(predict(state, "M1 Pro beside M2", 2048, 6144).reason, "Apple M2 is"));
}

static const char *put(void **state, const char *name, const char *text)
{
    const struct fixture *fixture = *state;
    return folder_write(fixture->folder, name, text);
}

static ridge_status fit(void **state, const char *csv, const char *hold_out, struct ridge_footprint_fit **out,
                        struct ridge_error *error)
{
    const struct fixture *fixture = *state;
    const struct ridge_footprint_fit_options options = {.device = "My Chip", .hold_out = hold_out};
    return ridge_footprint_fit_create(fixture->context, put(state, "points.csv", csv), &options, out, error);
}

static void a_line_is_fitted_exactly(void **state)
{
    struct ridge_error error = {0};
    struct ridge_footprint_fit *made = NULL;
    assert_ok(fit(state,
                  "bytes,label,time_s\r\n1024,a,1\r\n4096,a,1.25\r\n2048,a,1.1111111111111112\r\n\"512\",\"b, x\",2\r\n"
                  "1024,\"b, x\",2.2222222222222223\r\n",
                  "b, x", &made, &error),
              &error);
    const struct ridge_footprint *got = ridge_footprint_fit_get(made);
    assert_close(got->slope_ratio, -0.1, 0, 1e-12);
    assert_close(got->held_out_error_ratio, 0, 0, 1e-12);
    assert_close(got->dead_band_ratio, 0.01, 0, 0); /* never less than throughput repeats within */
    assert_true(ridge_footprint_claims(got));
    ridge_footprint_fit_destroy(made);
}

static void rows_of_several_shapes_go_together(void **state)
{
    struct ridge_error error = {0};
    struct ridge_footprint_fit *made = NULL;
    assert_ok(fit(state, "label,bytes,throughput\na,1024,10\na,1024,1000\na,2048,8\na,2048,450\n", NULL, &made, &error),
              &error);
    const struct ridge_footprint *got = ridge_footprint_fit_get(made);
    assert_close(got->series[0].relative[1], 0.6, 0, 1e-12); /* the root of 0.8 * 0.45 */
    assert_false(ridge_footprint_claims(got));
    ridge_footprint_fit_destroy(made);
}

static void nothing_is_claimed_beyond_the_bound(void **state)
{
    struct ridge_error error = {0};
    struct ridge_footprint_fit *made = NULL;
    assert_ok(fit(state, "label,bytes,throughput\na,1024,1\na,2048,0.9\nb,1024,1\nb,2048,0.83\n", "b", &made, &error),
              &error);
    const struct ridge_footprint *got = ridge_footprint_fit_get(made);
    assert_close(got->held_out_error_ratio, 0.07, 0, 1e-9);
    assert_close(got->dead_band_ratio, 0.07, 0, 1e-9);
    assert_false(ridge_footprint_claims(got));
    ridge_footprint_fit_destroy(made);
}

struct saved {
    void **state;
    const struct ridge_footprint *footprint;
};

static ridge_status fill(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct saved *saved = user;
    const struct fixture *fixture = *saved->state;
    return ridge_footprint_write(fixture->context, saved->footprint, sink, error);
}

static void what_is_saved_is_used(void **state)
{
    const struct fixture *fixture = *state;
    struct ridge_error error = {0};
    struct ridge_footprint_fit *made = NULL;
    struct ridge_footprint_db *db = NULL;
    char path[128];
    snprintf(path, sizeof path, "%s/mine.toml", fixture->folder);
    assert_ok(fit(state, "label,bytes,throughput\n\"a\"\"\\\",1024,1\n\"a\"\"\\\",2048,1.1\nb,1024,1\nb,2048,1.08\n",
                  "b", &made, &error),
              &error);
    struct saved saved = {state, ridge_footprint_fit_get(made)};
    assert_ok(ridge_file_fill(fixture->context, path, fill, &saved, &error), &error);
    for (int i = 0; i < 2; i++) { /* the file, and its folder */
        struct ridge_prediction got;
        assert_ok(ridge_footprint_db_create(fixture->context, i == 0 ? path : fixture->folder, &db, &error), &error);
        ridge_footprint_predict(db, "my CHIP", 1024, 2048, &got);
        assert_int_equal(got.verdict, RIDGE_VERDICT_FASTER);
        assert_close(got.ratio, 1.1, 0, 1e-12);
        assert_string_equal(got.footprint->series[0].label, "a\"\\");
        ridge_footprint_predict(db, "My Chip 2", 1024, 2048, &got);
        assert_int_equal(got.verdict, RIDGE_VERDICT_UNKNOWN);
        ridge_footprint_predict(db, "Apple M4", 2048, 4096, &got);
        assert_int_equal(got.verdict, RIDGE_VERDICT_SLOWER);
        ridge_footprint_db_destroy(db);
    }
    ridge_footprint_fit_destroy(made);
}

static void bad_points_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *csv, *hold_out, *says;
        unsigned line, column;
    } rows[] = {
        {"", NULL, "the header does not name", 1, 1},
        {"label,bytes\na,1\n", NULL, "the header does not name", 1, 1},
        {"label,bytes,throughput,time_s\n", NULL, "the header does not name", 1, 1},
        {"label,bytes,througput\n", NULL, "did you mean throughput", 1, 13},
        {"label,bytes,throughput,bytes\n", NULL, "stands twice", 1, 24},
        {"label,bytes,throughput\na,1024\n", NULL, "the row has 2 fields", 2, 1},
        {"label,bytes,throughput\na,1024,1\na,0,2\n", NULL, "'0' is no whole number of bytes", 3, 3},
        {"label,bytes,throughput\na,1024,fast\n", NULL, "'fast' is no number", 2, 8},
        {"label,bytes,throughput\na,2.5,1\n", NULL, "'2.5' is no whole number of bytes", 2, 3},
        {"label,bytes,throughput\na,1024,nan\n", NULL, "'nan' is no number", 2, 8},
        {"label,bytes,throughput\n,1024,1\n", NULL, "the label is empty", 2, 1},
        {"label,bytes,throughput\na,1024,\"1\n", NULL, "a quote is not closed", 2, 1},
        {"label,bytes,throughput\n", NULL, "no point below the header", 0, 0},
        {"label,bytes,throughput\na,1024,1\n", NULL, "one footprint only", 0, 0},
        {"label,bytes,throughput\na,1024,1\na,2048,1\na,2048,2\n", NULL, "as many for each", 0, 0},
        {"label,bytes,throughput\na,1024,1\na,2048,1\n", "b", "no row has the label 'b'", 0, 0},
        {"label,bytes,throughput\na,1024,1\na,2048,1\n", "a", "no series is left", 0, 0},
        {"label,bytes,throughput\na,1024,1\na,2048,1e300\n", NULL, "times its baseline", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_error error = {0};
        struct ridge_footprint_fit *made = NULL;
        assert_int_not_equal(fit(state, rows[i].csv, rows[i].hold_out, &made, &error), RIDGE_OK);
        if (!strstr(error.message, rows[i].says) || error.line != rows[i].line || error.column != rows[i].column) {
            fail_msg("row %zu: %u:%u: %s", i, error.line, error.column, error.message);
        }
    }
}

#define GOOD_TOP "format = 1\n[sources]\nme = \"me\"\n[[calibration]]\nname = \"x\"\n"
#define GOOD_BODY \
    "kind = \"recorded\"\nsource = \"me\"\nscope = \"s\"\ndead_band_ratio = 0.05\nfit_error_ratio = 0.02\nbound_ratio = 0.06\n"
#define GOOD_SERIES "[[calibration.series]]\nlabel = \"a\"\nrole = \"fitted\"\nbytes = [1, 2]\nrelative = [1, 0.9]\n"

static void bad_files_are_refused_with_field_and_place(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "format = 1"},
        {"format = 2\n", "format = 1"},
        {"formt = 1\n", "did you mean format"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = -0.1\n" GOOD_BODY, "lacks its series"},
        {GOOD_TOP "device = \"d\"\n" GOOD_BODY GOOD_SERIES, "lacks its slope_ratio"},
        {GOOD_TOP "slope_ratio = -0.1\n" GOOD_BODY GOOD_SERIES, "for a family or for a device"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = \"steep\"\n" GOOD_BODY GOOD_SERIES, "slope_ratio is a text"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = -0.3\n" GOOD_BODY GOOD_SERIES, "up to 0.200 from the slope_ratio"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = nan\n" GOOD_BODY GOOD_SERIES, "slope_ratio is out of range"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = -0.1\nheld_out_error_ratio = 0.01\n" GOOD_BODY GOOD_SERIES,
         "no series is held out"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = -0.1\n" GOOD_BODY
                  "[[calibration.series]]\nlabel = \"a\"\nrole = \"fited\"\nbytes = [1, 2]\nrelative = [1, 0.9]\n",
         "role is 'fited'"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = -0.1\n" GOOD_BODY
                  "[[calibration.series]]\nlabel = \"a\"\nrole = \"fitted\"\nbytes = [2, 1]\nrelative = [1, 0.9]\n",
         "bytes do not ascend"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = -0.1\n" GOOD_BODY
                  "[[calibration.series]]\nlabel = \"a\"\nrole = \"fitted\"\nbytes = [1, 2]\nrelative = [1]\n",
         "bytes has 2 values and relative 1"},
        {GOOD_TOP "device = \"d\"\nslope_ratio = -0.1\n" GOOD_BODY
                  "[[calibration.series]]\nlabel = \"a\"\nrole = \"fitted\"\nbytes = [1, 2]\nrelative = [0.9, 1]\n",
         "the first value of relative is not 1"},
        {"format = 1\n[sources]\nme = \"me\"\n[[calibration]]\nname = \"x\"\nsource = \"you\"\n",
         "there is no source 'you'"},
        {"format = 1\nfamily = 3\n", "write [[family]]"},
        {"format = 1\n[[family]]\nname = \"f\"\nwords = 3\n", "words is an integer"},
    };
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_error error = {0};
        struct ridge_footprint_db *db = NULL;
        const char *path = put(state, "bad.toml", rows[i].text);
        assert_int_not_equal(ridge_footprint_db_create(fixture->context, path, &db, &error), RIDGE_OK);
        if (!strstr(error.message, rows[i].says) || error.line == 0 || strcmp(error.file, path) != 0) {
            fail_msg("row %zu: %s:%u: %s", i, error.file, error.line, error.message);
        }
    }
    unlink(put(state, "bad.toml", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(published_rows_are_reproduced, setup, teardown),
        cmocka_unit_test_setup_teardown(verdicts_are_the_published_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(beyond_the_points_is_said, setup, teardown),
        cmocka_unit_test_setup_teardown(families_are_told_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_is_fitted_exactly, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_of_several_shapes_go_together, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_claimed_beyond_the_bound, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_saved_is_used, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_points_are_refused_with_their_place, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_files_are_refused_with_field_and_place, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
