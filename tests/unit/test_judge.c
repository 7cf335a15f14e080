/* SPDX-License-Identifier: MIT */
/** \file What other judges write: logs of compute-sanitizer in both of its forms, whole, cut short and strange; and the two
 * files between a judge and the program that it launches. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "tune/gate_launch.h"
#include "tune/gate_tool.h"

static struct rg_gate_slot slot;
static struct rg_sanitizer_log told;

static void read_log(const char *log)
{
    memset(&slot, 0, sizeof slot);
    rg_sanitizer_read_log(log, "dir/kernel.cu", &slot, &told);
}

static void assert_finding(size_t which, rg_rule rule, const char *file, unsigned line, uint64_t count)
{
    assert_true(which < slot.finding_count);
    assert_int_equal(slot.findings[which].rule, rule);
    assert_string_equal(slot.findings[which].file, file);
    assert_int_equal(slot.findings[which].line, line);
    assert_int_equal(slot.findings[which].count, count);
}

static void test_nothing_found_is_a_whole_log_without_errors(void **state)
{
    (void)state;
    read_log("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n");
    assert_true(told.whole && told.errors == 0 && told.findings == 0 && told.unknown[0] == '\0');
    read_log("========= COMPUTE-SANITIZER\n========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n");
    assert_true(told.whole && told.errors == 0);
    read_log("========= COMPUTE-SANITIZER\n");
    assert_false(told.whole);
    read_log("");
    assert_false(told.whole);
}

static void test_places_of_both_forms(void **state)
{
    (void)state;
    read_log("========= Invalid __global__ read of size 4 bytes\n"
             "=========     at k(float *)+0x90 in /home/a/dir/kernel.cu:12\n"
             "========= Invalid __global__ atomic of size 4 bytes\n"
             "=========     at 0x578 in /home/a/dir/kernel.cu:13:k(float*)\n"
             "========= Invalid __local__ write of size 4 bytes\n"
             "=========     at k(float *)+0x90 in kernel.cu:14\n"
             "========= Invalid __global__ write of size 4 bytes\n"
             "=========     at 0x3b0 in void k<unsigned long,Degree<int=2048>>(ns::a*)\n"
             "========= Invalid __global__ write of size 4 bytes\n"
             "=========     at f(int)+0x10 in /include/other.cuh:99\n"
             "=========     Device Frame:k(float *)+0x30 in /home/a/dir/kernel.cu:15\n"
             "========= Invalid __global__ write of size 4 bytes\n"
             "=========     at f(int)+0x10 in /include/other.cuh:98\n"
             "========= ERROR SUMMARY: 6 errors\n");
    const unsigned lines[] = {12, 13, 14, 0, 15};
    for (size_t i = 0; i < 5; i++) {
        assert_finding(i, RG_RULE_OUT_OF_BOUNDS, "dir/kernel.cu", lines[i], 1);
    }
    assert_finding(5, RG_RULE_OUT_OF_BOUNDS, "/include/other.cuh", 98, 1);
    assert_int_equal(told.findings, 6);
    assert_int_equal(told.errors, 6);
}

static void test_a_race_is_told_where_it_writes(void **state)
{
    (void)state;
    read_log("========= ERROR: Race reported between Read access at k()+0x280 in kernel.cu:46\n"
             "=========     and Write access at k()+0xf0 in kernel.cu:40 [4 hazards]\n"
             "=========\n"
             "========= WARN: Race reported between Write access at k()+0xf0 in kernel.cu:50\n"
             "=========     and Read access at k()+0x280 in kernel.cu:56 [4 hazards]\n"
             "=========     and Read access at k()+0x290 in kernel.cu:57 [4 hazards]\n"
             "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
    assert_finding(0, RG_RULE_SHARED_RACE, "dir/kernel.cu", 40, 1);
    assert_string_equal(slot.findings[0].reason, "read at line 46 and write at line 40");
    assert_finding(1, RG_RULE_WARP_RACE, "dir/kernel.cu", 50, 1);
    assert_string_equal(slot.findings[1].reason, "write at line 50 and read at line 56 and read at line 57");
    assert_int_equal(told.errors, 2);
}

/* Each hazard counts; the paragraph that sums them up does not. */
static void test_hazards_of_one_line_add_up(void **state)
{
    (void)state;
    static const char hazard[] =
        "========= Error: Potential RAW hazard detected at __shared__ 0x%x in block (0,0,0) :\n"
        "=========     Write Thread (0,0,0) at k()+0xf0 in kernel.cu:40\n"
        "=========     Read Thread (33,0,0) at k()+0x280 in kernel.cu:46\n";
    static const char analysis[] = "========= Error: Race reported between Write access at k()+0xf0 in kernel.cu:40\n"
                                   "=========     and Read access at k()+0x280 in kernel.cu:46 [4 hazards]\n";
    char log[4096];
    for (int first = 0; first < 2; first++) {
        snprintf(log, sizeof log, "%s%s%s%s========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)\n",
                 first ? analysis : "", hazard, hazard, first ? "" : analysis);
        read_log(log);
        assert_int_equal(slot.finding_count, 1);
        assert_int_equal(slot.findings[0].count, 2);
    }
}

static void test_what_is_not_known_is_kept(void **state)
{
    (void)state;
    read_log("========= COMPUTE-SANITIZER\n========= Error: process didn't terminate successfully\n"
             "========= Target application returned an error\n========= ERROR SUMMARY: 0 errors\n");
    assert_string_equal(told.unknown, "Error: process didn't terminate successfully");
    assert_int_equal(told.findings, 0);
    read_log("a line of the program\n========= ERROR SUMMARY: 1000 errors\n"
             "========= ERROR SUMMARY: 900 errors were not printed. Use --print-limit option to adjust the number\n");
    assert_true(told.whole && told.errors == 1000 && told.unknown[0] == '\0');
}

static void test_strange_logs_do_no_harm(void **state)
{
    (void)state;
    enum {
        LONG = 10000
    };
    char *log = malloc(LONG + 200);
    assert_non_null(log);
    snprintf(log, 64, "========= Invalid __global__ read ");
    memset(log + strlen(log), 'x', LONG);
    snprintf(log + LONG, 200,
             "\r\n=========     at %s in kernel.cu:99999999999999999999\r\n=========     and Write at \n", "k");
    read_log(log);
    assert_int_equal(slot.finding_count, 1);
    free(log);
    read_log(
        "=========     at k in kernel.cu:3\n=========     by thread (0,0,0)\n=========     Write Thread (0 at x\n");
    assert_int_equal(slot.finding_count, 0);
    read_log("========= ERROR SUMMARY: many errors\n");
    assert_false(told.whole);
    read_log("========= Barrier error");
    assert_finding(0, RG_RULE_DIVERGENT_BARRIER, "dir/kernel.cu", 0, 1);
    read_log("==== Invalid __global__ read\n");
    assert_int_equal(slot.finding_count, 0);
}

static void test_more_findings_than_room(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    for (int i = 1; i <= 2 * RG_GATE_FINDINGS; i++) {
        rg_buffer_printf(&text,
                         "========= Invalid __global__ read of size 4 bytes\n=========     at k in kernel.cu:%d\n", i);
    }
    read_log(rg_buffer_text(&text));
    assert_int_equal(slot.finding_count, RG_GATE_FINDINGS);
    assert_int_equal(told.findings, 2 * RG_GATE_FINDINGS);
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
}

static void test_an_order_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct rg_launch_order order = {.spec = "a b=c/kernel.toml",
                                          .set = {"n=70", "name=x y\n"},
                                          .set_count = 2,
                                          .choice = {0, 7, 4294967295},
                                          .choice_count = 3,
                                          .outcome = "o",
                                          .outputs = "p",
                                          .seconds = 15};
    struct rg_launch_order again;
    struct ridge_error error = {0};
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    assert_ok(rg_launch_order_write(&order, &text, &error), &error);
    assert_ok(rg_launch_order_read(rg_buffer_text(&text), text.length, &again, &error), &error);
    assert_string_equal(again.spec, order.spec);
    assert_string_equal(again.set[1], order.set[1]);
    assert_int_equal(again.set_count, 2);
    assert_memory_equal(again.choice, order.choice, 3 * sizeof *order.choice);
    assert_int_equal(again.choice_count, 3);
    assert_string_equal(again.outputs, "p");
    assert_null(again.cuda_path);
    assert_int_equal(again.seconds, 15);
    assert_int_equal(rg_launch_order_read(rg_buffer_text(&text), text.length - 1, &again, &error), RIDGE_E_SYNTAX);
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
}

static void test_no_orders(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        {"", 0},
        {"spec=a", 7},
        {"spec=a\0outcome", 15},
        {"spec=a\0outcome=b\0more=c", 24},
        {"spec=a\0outcome=b\0choice=x", 26},
        {"spec=a\0outcome=b\0choice=4294967296", 35},
        {"spec=a\0outcome=b\0seconds=", 26},
        {"spec=a\0outcome=b\0seconds=-1", 28},
        {"outcome=b", 10},
        {"a-key-that-is-longer-than-any-there-is=b", 41},
    };
    struct rg_launch_order order;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_error error = {0};
        assert_int_equal(rg_launch_order_read(rows[i].text, rows[i].length, &order, &error), RIDGE_E_SYNTAX);
        assert_true(error.message[0] != '\0');
    }
}

static void test_outcomes(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct rg_launched launched = {
        .status = RIDGE_OK, .outcome = RIDGE_OUTCOME_LAUNCH, .device = "NVIDIA H200", .text = "it failed\nlong log"};
    struct rg_launched again;
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    rg_launched_write(&launched, &text);
    assert_true(rg_launched_read(rg_buffer_text(&text), &again));
    assert_int_equal(again.outcome, RIDGE_OUTCOME_LAUNCH);
    assert_string_equal(again.device, "NVIDIA H200");
    assert_string_equal(again.text, "it failed\nlong log");
    static const char *const wrong[] = {"",           "0",           "0 ",          "0 0",     "0 0 name",
                                        "a 0 name\n", "99 0 name\n", "0 99 name\n", "-1 0 n\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(rg_launched_read(wrong[i], &again));
    }
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_found_is_a_whole_log_without_errors),
        cmocka_unit_test(test_places_of_both_forms),
        cmocka_unit_test(test_a_race_is_told_where_it_writes),
        cmocka_unit_test(test_hazards_of_one_line_add_up),
        cmocka_unit_test(test_what_is_not_known_is_kept),
        cmocka_unit_test(test_strange_logs_do_no_harm),
        cmocka_unit_test(test_more_findings_than_room),
        cmocka_unit_test(test_an_order_is_read_as_it_was_written),
        cmocka_unit_test(test_no_orders),
        cmocka_unit_test(test_outcomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
