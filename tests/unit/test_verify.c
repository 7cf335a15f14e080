/* SPDX-License-Identifier: MIT */
/** \file Judging outputs: tolerances, NaN, infinities, integers, and what the message says. */
#include "rg_test.h"

#include <stdio.h>

#include <stdio.h>

#include "tune/verify.h"

struct judged {
    ridge_outcome outcome;
    char text[512];
};

static struct judged judge(const struct rg_verify *verify, rg_element element, const void *got, const void *want,
                           uint64_t count)
{
    struct ridge_context *context = test_context();
    const struct rg_argument argument = {.name = "out", .element = element, .access = RG_ACCESS_OUT};
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
    struct judged judged = {0};
    rg_verify_output(verify, &argument, got, want, count, &trouble);
    judged.outcome = trouble.outcome;
    snprintf(judged.text, sizeof judged.text, "%s", rg_buffer_text(&text));
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
    return judged;
}

static const struct rg_verify loose = {.relative = 1e-4, .absolute = 1e-6};
static const struct rg_verify exact = {0};

/* BP-119: a NaN or an infinity never passes against a number; both NaN pass only when the spec says so. */
static void test_nan_and_infinity(void **state)
{
    (void)state;
    const float one_nan_three[] = {1, NAN, 3};
    const float numbers[] = {1, 2, 3};
    const float one_inf_three[] = {1, INFINITY, 3};
    const struct rg_verify both = {.relative = 1e-4, .equal_nan = true};
    assert_int_equal(judge(&loose, RG_F32, one_nan_three, numbers, 3).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&loose, RG_F32, one_nan_three, one_nan_three, 3).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&both, RG_F32, one_nan_three, one_nan_three, 3).outcome, RIDGE_OUTCOME_OK);
    assert_int_equal(judge(&both, RG_F32, one_nan_three, numbers, 3).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&loose, RG_F32, one_inf_three, numbers, 3).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&loose, RG_F32, numbers, one_inf_three, 3).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&loose, RG_F32, one_inf_three, one_inf_three, 3).outcome, RIDGE_OUTCOME_OK);
}

static void test_without_a_reference_only_nan_is_wrong(void **state)
{
    (void)state;
    const double numbers[] = {1, 2};
    const double nan_first[] = {(double)NAN, 2};
    const int32_t integers[] = {-1, -1};
    assert_int_equal(judge(&loose, RG_F64, numbers, NULL, 2).outcome, RIDGE_OUTCOME_OK);
    assert_int_equal(judge(&loose, RG_F64, nan_first, NULL, 2).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&loose, RG_I32, integers, NULL, 2).outcome, RIDGE_OUTCOME_OK);
}

static void test_tolerance_is_absolute_plus_relative(void **state)
{
    (void)state;
    const double want[] = {100, 0};
    const double inside[] = {100.009, 9e-7};
    const double relative_out[] = {100.02, 0};
    const double absolute_out[] = {100, 1.1e-6};
    assert_int_equal(judge(&loose, RG_F64, inside, want, 2).outcome, RIDGE_OUTCOME_OK);
    assert_int_equal(judge(&loose, RG_F64, relative_out, want, 2).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&loose, RG_F64, absolute_out, want, 2).outcome, RIDGE_OUTCOME_WRONG);
}

/* Two 64-bit integers may be one double and differ all the same. */
static void test_integers_are_exact(void **state)
{
    (void)state;
    const uint64_t want[] = {9007199254740992U};
    const uint64_t got[] = {9007199254740993U};
    const uint8_t bytes_want[] = {255, 0};
    const uint8_t bytes_got[] = {254, 0};
    assert_int_equal(judge(&exact, RG_U64, got, want, 1).outcome, RIDGE_OUTCOME_WRONG);
    assert_int_equal(judge(&exact, RG_U64, want, want, 1).outcome, RIDGE_OUTCOME_OK);
    assert_int_equal(judge(&exact, RG_U8, bytes_got, bytes_want, 2).outcome, RIDGE_OUTCOME_WRONG);
}

/* BP-117, BP-120: where, how many, how much; and when the bound asks more than the type can hold. */
static void test_message(void **state)
{
    (void)state;
    const float want[] = {1, 2, 3, 4};
    const float got[] = {1, 2.5F, 3, 6};
    const struct judged judged = judge(&loose, RG_F32, got, want, 4);
    assert_string_equal(judged.text, "out[1] is 2.5, expected 2; 2 of 4 elements differ, most by 2 at [3]");
    const struct rg_verify tight = {.relative = 1e-9};
    assert_non_null(strstr(judge(&tight, RG_F32, got, want, 4).text, "below the rounding of the type"));
    /* Who asks for the same bits hears of rounding only where it may be the reason. */
    const float near[] = {1, nextafterf(2, 3), 3, 4};
    const float hole[] = {1, NAN, 3, 4};
    assert_non_null(strstr(judge(&exact, RG_F32, near, want, 4).text, "below the rounding of the type"));
    assert_null(strstr(judge(&exact, RG_F32, got, want, 4).text, "below the rounding of the type"));
    assert_null(strstr(judge(&exact, RG_F32, hole, want, 4).text, "below the rounding of the type"));
    assert_null(strstr(judge(&tight, RG_F32, hole, want, 4).text, "below the rounding of the type"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nan_and_infinity),
        cmocka_unit_test(test_without_a_reference_only_nan_is_wrong),
        cmocka_unit_test(test_tolerance_is_absolute_plus_relative),
        cmocka_unit_test(test_integers_are_exact),
        cmocka_unit_test(test_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
