/* SPDX-License-Identifier: MIT */
/** \file What a configuration means: macros, grid, blocks, scalars, and the buffers of a workload. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ridge/space.h"
#include "space/space.h"
#include "tune/job.h"
#include "tune/workload.h"

struct fixture {
    struct ridge_context *context;
    struct ridge_spec *spec;
    struct ridge_space *space;
    char path[64];
};

static void fixture_open(struct fixture *fixture, const char *text)
{
    struct ridge_error error = {0};
    snprintf(fixture->path, sizeof fixture->path, "/tmp/ridge-job-XXXXXX");
    const int descriptor = mkstemp(fixture->path);
    assert_true(write(descriptor, text, strlen(text)) == (ssize_t)strlen(text));
    close(descriptor);
    fixture->context = test_context();
    assert_ok(ridge_spec_load(fixture->context, fixture->path, NULL, 0, &fixture->spec, &error), &error);
    assert_ok(ridge_space_create(fixture->context, fixture->spec, &fixture->space, &error), &error);
}

static void fixture_close(struct fixture *fixture)
{
    ridge_space_destroy(fixture->space);
    ridge_spec_destroy(fixture->spec);
    ridge_context_destroy(fixture->context);
    unlink(fixture->path);
}

static const char *const spec_text = "[kernel]\nname = \"k\"\ndomain = 2\nsources = {}\n"
                                     "[dims.block_x]\nvalues = [16]\n"
                                     "[dims.name]\nvalues = [\"vec<float, 2>\"]\n"
                                     "[dims.on]\nvalues = [true]\n"
                                     "[dims.scale]\nvalues = [0.5]\n"
                                     "[dims.tile]\nvalues = [4, 0, 300]\n"
                                     "[bench]\nparams = { n = 1000 }\ngrid_x = \"n / block_x\"\ngrid_y = \"tile\"\n"
                                     "[[bench.args]]\nkind = \"u8\"\nvalue = \"tile\"\n"
                                     "[[bench.args]]\nkind = \"f32\"\nvalue = \"scale\"\n"
                                     "[[bench.args]]\nkind = \"local_bytes\"\nlen = \"4 * tile\"\n";

/** Work out the configuration with tile number `tile`. */
static ridge_outcome job_make(const struct fixture *fixture, uint32_t tile, struct rg_job *job, struct rg_buffer *text)
{
    const uint32_t choice[] = {0, 0, 0, 0, tile};
    struct ridge_value values[5];
    struct ridge_error error = {0};
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = text};
    rg_space_choice_values(fixture->space, choice, values);
    assert_ok(rg_job_init(job, fixture->spec, values, &trouble, &error), &error);
    return trouble.outcome;
}

static void test_macros_launch_and_scalars(void **state)
{
    (void)state;
    struct fixture fixture;
    struct rg_job job;
    struct rg_buffer text;
    fixture_open(&fixture, spec_text);
    rg_buffer_init(&text, fixture.context);
    assert_int_equal(job_make(&fixture, 0, &job, &text), RIDGE_OUTCOME_OK);
    static const char *const values[] = {"16", "vec<float, 2>", "1", "0.5", "4"};
    assert_int_equal(job.macro_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(job.macros[i].value, values[i]);
    }
    assert_true(job.macros[0].launch);
    assert_false(job.macros[4].launch);
    assert_int_equal(job.launch.dimensions, 2);
    assert_int_equal(job.launch.grid[0], 62);
    assert_int_equal(job.launch.grid[1], 4);
    assert_int_equal(job.launch.grid[2], 1);
    assert_int_equal(job.launch.block[0], 16);
    assert_int_equal(job.launch.block[1], 1);
    assert_int_equal(job.scalars[0], 4);
    assert_int_equal(job.scalars[1], 0x3F000000); /* 0.5F */
    assert_int_equal(job.scalars[2], 16);
    rg_job_fini(&job);
    rg_buffer_fini(&text);
    fixture_close(&fixture);
}

static void test_what_cannot_be_launched(void **state)
{
    (void)state;
    struct fixture fixture;
    struct rg_job job;
    struct rg_buffer text;
    fixture_open(&fixture, spec_text);
    rg_buffer_init(&text, fixture.context);
    assert_int_equal(job_make(&fixture, 1, &job, &text), RIDGE_OUTCOME_UNLAUNCHABLE);
    assert_string_equal(rg_buffer_text(&text), "grid_y is 0 from `tile` (a whole number of at least 1)");
    rg_job_fini(&job);
    rg_buffer_clear(&text);
    assert_int_equal(job_make(&fixture, 2, &job, &text), RIDGE_OUTCOME_UNLAUNCHABLE);
    assert_string_equal(rg_buffer_text(&text), "argument 1 is 300, which u8 cannot hold");
    rg_job_fini(&job);
    rg_buffer_fini(&text);
    fixture_close(&fixture);
}

static void test_workload_is_seeded_and_poisoned(void **state)
{
    (void)state;
    struct fixture fixture;
    struct rg_workload first;
    struct rg_workload again;
    struct ridge_error error = {0};
    fixture_open(&fixture,
                 "[kernel]\nname = \"k\"\nsources = {}\n[dims.a]\nvalues = [1]\n[bench]\nparams = { n = 1000 }\n"
                 "grid_x = 1\n"
                 "[[bench.args]]\nkind = \"in_f32\"\nlen = \"n\"\nfill = \"uniform\"\n"
                 "[[bench.args]]\nkind = \"in_f32\"\nlen = \"n\"\nfill = \"uniform\"\n"
                 "[[bench.args]]\nkind = \"inout_i32\"\nlen = \"n\"\nfill = \"iota\"\n"
                 "[[bench.args]]\nkind = \"out_f64\"\nlen = \"n\"\n");
    assert_ok(rg_workload_init(&first, fixture.spec, &error), &error);
    assert_ok(rg_workload_fill(&first, fixture.context, &error), &error);
    assert_ok(rg_workload_init(&again, fixture.spec, &error), &error);
    assert_ok(rg_workload_fill(&again, fixture.context, &error), &error);
    assert_memory_equal(first.initial[0], again.initial[0], 4000);
    assert_memory_not_equal(first.initial[0], first.initial[1], 4000);
    const float *uniform = first.initial[0];
    for (size_t i = 0; i < 1000; i++) {
        assert_true(uniform[i] >= 0 && uniform[i] <= 1);
        assert_int_equal(((const int32_t *)first.initial[2])[i], i);
        assert_true(isnan(((const double *)first.initial[3])[i]));
    }
    assert_null(first.expected[3]);
    assert_int_equal(rg_workload_bytes(&first), 4000 + 4000 + 4000 + 8000);
    rg_workload_fini(&first);
    rg_workload_fini(&again);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_macros_launch_and_scalars),
        cmocka_unit_test(test_what_cannot_be_launched),
        cmocka_unit_test(test_workload_is_seeded_and_poisoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
