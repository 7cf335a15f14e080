/* SPDX-License-Identifier: MIT */
/** \file Names of kernels as people write them, and which target runs on which device. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "binary/demangle.h"
#include "ridge/binary.h"

/** A mangled name of 400 bytes that stands for gigabytes is left as it is; a common one is not. */
static void test_hostile_name(void **state)
{
    (void)state;
    char *text = NULL;
    size_t bytes = 0;
    char bomb[1024] = "_Z1fSt4pairIiiE";
    for (size_t i = 0; i < 40; i++) {
        char level[32];
        snprintf(level, sizeof level, i == 0 ? "St4pairIS0_S0_E" : "St4pairIS%c_S%c_E",
                 (char)(i < 10 ? '0' + i : 'A' + i - 10), (char)(i < 10 ? '0' + i : 'A' + i - 10));
        strcat(bomb, level);
    }
    assert_null(rg_demangle(bomb, &text, &bytes));
    assert_null(rg_demangle("plain", &text, &bytes));
    assert_null(rg_demangle("_Z", &text, &bytes));
    const char *readable = rg_demangle("_ZN3lab4axpbIfLi3EEEvPT_PKS1_S1_", &text, &bytes);
    assert_non_null(readable);
    assert_string_equal(readable, "void lab::axpb<float, 3>(float*, float const*, float)");
    free(text);
}

static bool name_is(const char *readable, const char *name)
{
    const struct ridge_binary_kernel kernel = {.name = "_Zmangled", .readable_name = readable};
    return ridge_binary_kernel_is(&kernel, name);
}

static void test_names(void **state)
{
    (void)state;
    const char *axpb = "void lab::axpb<float, 3>(float*, float const*, float)";
    assert_true(name_is(axpb, "axpb"));
    assert_true(name_is(axpb, "lab::axpb"));
    assert_true(name_is(axpb, "axpb<float,3>"));
    assert_true(name_is(axpb, " axpb < float , 3 > "));
    assert_true(name_is(axpb, "lab::axpb<float, 3>"));
    assert_true(name_is(axpb, "_Zmangled"));
    assert_true(name_is(axpb, axpb));
    assert_false(name_is(axpb, "axpb<float>"));
    assert_false(name_is(axpb, "xpb"));
    assert_false(name_is(axpb, "lab"));
    assert_false(name_is(axpb, ""));
    assert_true(name_is("(anonymous namespace)::hidden(float*)", "hidden"));
    assert_true(name_is("k", "k"));
    assert_true(name_is("void a::b<std::vector<int> >::c<(int)3>(int)", "c"));
    assert_true(name_is("void a::b<std::vector<int> >::c<(int)3>(int)", "b<std::vector<int>>::c"));
    assert_false(name_is("void a::b<std::vector<int> >::c<(int)3>(int)", "vector"));
    char text[64];
    assert_int_equal(ridge_binary_short_name(axpb, text, sizeof text), 19);
    assert_string_equal(text, "lab::axpb<float, 3>");
}

static void test_targets(void **state)
{
    (void)state;
    assert_true(ridge_binary_target_runs("sm_80", "cc:8.0"));
    assert_true(ridge_binary_target_runs("sm_80", "cc:8.6"));
    assert_true(ridge_binary_target_runs("sm_86", "cc:8.9"));
    assert_true(ridge_binary_target_runs("sm_90a", "cc:9.0"));
    assert_true(ridge_binary_target_runs("sm_100f", "cc:10.3"));
    assert_true(ridge_binary_target_runs("sm_120", "cc:12.1"));
    assert_false(ridge_binary_target_runs("sm_86", "cc:8.0"));
    assert_false(ridge_binary_target_runs("sm_80", "cc:9.0"));
    assert_false(ridge_binary_target_runs("sm_100a", "cc:10.3"));
    assert_false(ridge_binary_target_runs("sm_80", "cc:8.7")); /* Tegra */
    assert_true(ridge_binary_target_runs("gfx90a:xnack+", "gfx90a"));
    assert_false(ridge_binary_target_runs("gfx90a", "gfx908"));
    assert_false(ridge_binary_target_runs("", "gfx90a"));
    assert_false(ridge_binary_target_runs("sm_", "cc:8.0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_hostile_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
