/* SPDX-License-Identifier: MIT */
/** \file backend: choice of a device, troubles, guard zones, reading of source text, and the null backend. */
#include "backend_test.h"

#include "backend/guard.h"
#include "compile/source_text.h"

static const struct rg_launch unit_launch = {.dimensions = 1, .grid = {1}, .block = {1}};

static void test_device_choice(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const struct rg_backend *backend;
        unsigned platform;
        unsigned device;
    } good[] = {{"opencl", &rg_backend_opencl, 0, 0},
                {"opencl:1", &rg_backend_opencl, 1, 0},
                {"opencl:2:13", &rg_backend_opencl, 2, 13},
                {"host", &rg_backend_host, 0, 0},
                {"null", &rg_backend_null, 0, 0}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct rg_device_choice choice;
        struct ridge_error error = {0};
        assert_ok(rg_device_choose(good[i].text, &choice, &error), &error);
        assert_ptr_equal(choice.backend, good[i].backend);
        assert_int_equal(choice.platform_index, good[i].platform);
        assert_int_equal(choice.device_index, good[i].device);
    }
    static const struct {
        const char *text;
        const char *says;
    } bad[] = {
        {"opencll", "did you mean opencl?"}, {"", "opencl:PLATFORM"},    {"zebra:0", "there is no device 'zebra:0'"},
        {"opencl:", "opencl:PLATFORM"},      {"opencl:x", "'opencl:x'"}, {"opencl:0:1:2", "'opencl:0:1:2'"},
        {"opencl:-1", "'opencl:-1'"},        {"opencl:0x1", "0x1"},      {"opencl:99999999999999999999", "9999"},
        {"host:0", "host is one device"},    {"null:1", "one device"},   {"opencl:0:", "opencl:0:"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct rg_device_choice choice = {0};
        struct ridge_error error = {0};
        assert_int_equal(rg_device_choose(bad[i].text, &choice, &error), RIDGE_E_UNAVAILABLE);
        assert_error_says(&error, bad[i].says);
        assert_null(choice.backend);
    }
}

static void test_backend_table(void **state)
{
    (void)state;
    for (const struct rg_backend *const *at = rg_backends; *at; at++) {
        const struct rg_backend *backend = *at;
        assert_true(backend->enumerate && backend->open && backend->close && backend->buffer_write &&
                    backend->buffer_read && backend->guards_check && backend->build && backend->kernel_destroy &&
                    backend->launch && backend->evict);
        assert_ptr_equal(rg_backend_find(backend->name, strlen(backend->name)), backend);
        backend->close(NULL);
    }
    assert_null(rg_backend_find("open", 4));
}

static void test_first_trouble_wins(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
    rg_trouble_set(&trouble, RIDGE_OUTCOME_LAUNCH, "it failed with %d", 7);
    rg_trouble_set(&trouble, RIDGE_OUTCOME_WRONG, "later");
    assert_int_equal(trouble.outcome, RIDGE_OUTCOME_LAUNCH);
    assert_string_equal(rg_buffer_text(&text), "it failed with 7");
    rg_trouble_set(NULL, RIDGE_OUTCOME_LAUNCH, "nowhere");
    rg_buffer_fini(&text);
    ridge_context_destroy(context);
}

static void test_guard_distance(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    const struct rg_shape shape = buffer_shape("out", "float", "float", 4, 10);
    unsigned char zone[256];
    for (size_t at = 0; at < sizeof zone; at += 51) {
        for (int side = RG_GUARD_BEFORE; side <= RG_GUARD_BEHIND; side++) {
            struct rg_buffer text;
            char want[64];
            rg_buffer_init(&text, context);
            struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
            rg_guard_fill(zone, sizeof zone);
            assert_false(rg_guard_damaged(zone, sizeof zone, (enum rg_guard_side)side, &shape, &trouble));
            zone[at] ^= 1U;
            assert_true(rg_guard_damaged(zone, sizeof zone, (enum rg_guard_side)side, &shape, &trouble));
            assert_int_equal(trouble.outcome, RIDGE_OUTCOME_WRONG);
            snprintf(want, sizeof want, "nearest %zu bytes from its %s",
                     side == RG_GUARD_BEFORE ? sizeof zone - at : at + 1,
                     side == RG_GUARD_BEFORE ? "beginning" : "end");
            assert_non_null(strstr(rg_buffer_text(&text), want));
            assert_non_null(strstr(rg_buffer_text(&text), "'out'"));
            rg_buffer_fini(&text);
        }
    }
    ridge_context_destroy(context);
}

static void test_source_text(void **state)
{
    (void)state;
    assert_true(rg_source_names("a = block_x;", "block_x"));
    assert_true(rg_source_names("block_x", "block_x"));
    assert_true(rg_source_names("my_block_x + block_x", "block_x"));
    assert_false(rg_source_names("block_x2 + my_block_x", "block_x"));
    assert_false(rg_source_names("", "block_x"));
    assert_true(rg_source_includes("int a;\n#  include \"b.h\"\n"));
    assert_false(rg_source_includes("# define include\n"));
    size_t length;
    const char *reason = rg_log_reason("note: x\nk.cl:3:5: error: bad\nmore error: y\n", &length);
    assert_int_equal(length, strlen("k.cl:3:5: error: bad"));
    assert_memory_equal(reason, "k.cl:3:5: error: bad", length);
    reason = rg_log_reason("\n\n  something odd\n", &length);
    assert_memory_equal(reason, "something odd", length);
}

/** The samples of one configuration, from a session of its own. */
static void samples_take(const struct rg_macro *macros, size_t macro_count, double *samples, size_t count)
{
    struct bench bench;
    struct rg_kernel *kernel;
    const struct rg_shape shape = buffer_shape("a", "float", "float", 4, 4);
    bench_open(&bench, &rg_backend_null, "", "nothing", &shape, 1);
    assert_ok(bench_build(&bench, macros, macro_count, &unit_launch, &kernel), &bench.error);
    for (size_t i = 0; i < count; i++) {
        samples[i] = bench_launch(&bench, kernel, &unit_launch);
    }
    float read[4] = {1, 1, 1, 1};
    assert_ok(bench.backend->buffer_write(bench.session, 0, read, NULL), &bench.error);
    assert_ok(bench.backend->buffer_read(bench.session, 0, read, NULL), &bench.error);
    assert_true(read[0] == 0 && read[3] == 0);
    assert_ok(bench.backend->guards_check(bench.session, &bench.trouble, NULL), &bench.error);
    assert_ok(bench.backend->evict(bench.session, NULL), &bench.error);
    bench.backend->kernel_destroy(bench.session, kernel);
    bench_close(&bench);
}

static void test_null_times_repeat(void **state)
{
    (void)state;
    const struct rg_macro ab[] = {{"a", "1", false}, {"b", "2", true}};
    const struct rg_macro ba[] = {{"b", "2", true}, {"a", "1", false}};
    const struct rg_macro other[] = {{"a", "2", false}, {"b", "1", true}};
    double first[50];
    double again[50];
    double different[50];
    samples_take(ab, 2, first, 50);
    samples_take(ba, 2, again, 50);
    samples_take(other, 2, different, 50);
    assert_memory_equal(first, again, sizeof first);
    assert_true(first[0] != different[0]);
    double least = first[0];
    double most = first[0];
    for (size_t i = 0; i < 50; i++) {
        least = fmin(least, first[i]);
        most = fmax(most, first[i]);
    }
    assert_true(least >= 1e-3 && most <= 10.2e-3 && most > least && most <= least * 1.011);
    /* The times of a configuration are part of recorded test results: pinned. */
    assert_close(first[0], 0.0041933091155593244, 1e-15, 0.0);
}

static void test_null_refuses_empty_launch(void **state)
{
    (void)state;
    struct bench bench;
    struct rg_kernel *kernel;
    const struct rg_launch no_block = {.dimensions = 2, .grid = {1, 1}, .block = {1, 0}};
    const struct rg_launch no_grid = {.dimensions = 3, .grid = {1, 1, 0}, .block = {1, 1, 1}};
    bench_open(&bench, &rg_backend_null, "", "nothing", NULL, 0);
    assert_ok(bench_build(&bench, NULL, 0, &no_block, &kernel), &bench.error);
    assert_null(kernel);
    assert_trouble(&bench, RIDGE_OUTCOME_UNLAUNCHABLE, "block_y is 0 threads");
    assert_ok(bench_build(&bench, NULL, 0, &no_grid, &kernel), &bench.error);
    assert_trouble(&bench, RIDGE_OUTCOME_UNLAUNCHABLE, "grid_z is 0 blocks");
    bench.backend->kernel_destroy(bench.session, NULL);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_choice),
        cmocka_unit_test(test_backend_table),
        cmocka_unit_test(test_first_trouble_wins),
        cmocka_unit_test(test_guard_distance),
        cmocka_unit_test(test_source_text),
        cmocka_unit_test(test_null_times_repeat),
        cmocka_unit_test(test_null_refuses_empty_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
