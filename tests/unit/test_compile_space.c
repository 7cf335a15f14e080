/* SPDX-License-Identifier: MIT */
/** \file Compiling a space with a stand-in for NVRTC: what is shared, what fails, crashes and hangs, what is known. */
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ridge/compile.h"

static const char *fake_library;
static char folder[FOLDER_BYTES];
static char compiles[300];
static struct ridge_context *context;
static struct ridge_spec *spec;
static struct ridge_space *space;

static int setup(void **state)
{
    (void)state;
    folder_make(folder, "compile");
    snprintf(compiles, sizeof compiles, "%s/compiles", folder);
    setenv("FAKE_NVRTC_LOG", compiles, 1);
    unsetenv("FAKE_NVRTC");
    unsetenv("FAKE_NVRTC_CUBIN");
    context = test_context();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    ridge_context_destroy(context);
    space = NULL;
    spec = NULL;
    folder_remove(folder);
    return 0;
}

/** Make the space of a spec with these dimensions and a source with this text. */
static void space_make(const char *dimensions, const char *source)
{
    char text[2048];
    struct ridge_error error = {0};
    snprintf(text, sizeof text,
             "[kernel]\nname = \"k\"\nentry = \"k\"\nsources = { cuda = \"k.cu\" }\n%s[bench]\ngrid_x = 1\n"
             "[[bench.args]]\nname = \"scratch\"\nkind = \"local_bytes\"\nlen = \"block_x * 4\"\n",
             dimensions);
    folder_write(folder, "kernel.toml", text);
    folder_write(folder, "k.cu", source);
    assert_ok(ridge_spec_load(context, folder, NULL, 0, &spec, &error), &error);
    assert_ok(ridge_space_create(context, spec, &space, &error), &error);
}

static struct ridge_compiled *compile(const char *const *targets, size_t count, double timeout_s)
{
    const struct ridge_compile_options options = {.targets = targets,
                                                  .target_count = count,
                                                  .cuda_path = fake_library,
                                                  .work_folder = folder,
                                                  .workers = 2,
                                                  .timeout_s = timeout_s,
                                                  .keep_bytes = true};
    struct ridge_compiled *compiled = NULL;
    struct ridge_error error = {0};
    assert_ok(ridge_compile_space(context, space, &options, &compiled, &error), &error);
    return compiled;
}

static const char *const sm_90[] = {"sm_90"};

static void shared(void **state)
{
    (void)state;
    space_make("[dims.block_x]\nvalues = [32, 64, 128]\n[dims.tile]\nvalues = [1, 2]\n", "tile\n");
    struct ridge_compiled *compiled = compile(sm_90, 1, 10);
    assert_int_equal(ridge_compiled_configurations(compiled), 6);
    assert_int_equal(ridge_compiled_count(compiled, 0), 2);
    assert_int_equal(count_lines(compiles), 2);
    for (uint64_t i = 0; i < 6; i++) {
        uint32_t choice[2];
        char macro[32];
        const struct ridge_compiled_binary *binary = ridge_compiled_of(compiled, 0, i);
        assert_int_equal(ridge_space_at(space, i, choice, NULL), RIDGE_OK);
        snprintf(macro, sizeof macro, "-Dtile=%lld\n", (long long)ridge_space_value(space, 1, choice[1])->as.integer);
        assert_int_equal(binary->outcome, RIDGE_OUTCOME_OK);
        assert_int_equal(binary->configurations, 3);
        assert_non_null(memmem(binary->bytes, binary->size, macro, strlen(macro)));
        assert_null(memmem(binary->bytes, binary->size, "block_x", 7));
        assert_false(binary->known); /* the stand-in's code is no cubin */
    }
    assert_string_not_equal(ridge_compiled_at(compiled, 0, 0)->key, ridge_compiled_at(compiled, 0, 1)->key);
    ridge_compiled_destroy(compiled);
}

/** One specialisation fails, one crashes, one hangs; the rest compile, in spite of them. */
static void fates(void **state)
{
    (void)state;
    static const struct {
        const char *fate;
        ridge_outcome outcome;
        const char *log;
    } cases[] = {
        {"fine", RIDGE_OUTCOME_OK, ""},
        {"error", RIDGE_OUTCOME_COMPILE, "k.cu(7): error: that is no C++\n"},
        {"crash", RIDGE_OUTCOME_CRASHED, "the compiler crashed: signal 6 (Aborted)"},
        {"hang", RIDGE_OUTCOME_TIMEOUT, "the compiler was killed: it had not ended after 0.2 s"},
        {"well", RIDGE_OUTCOME_OK, ""},
    };
    space_make(
        "[dims.block_x]\nvalues = [32]\n[dims.fate]\nvalues = [\"fine\", \"error\", \"crash\", \"hang\", \"well\"]\n",
        "fate // block_x\n");
    struct ridge_compiled *compiled = compile(sm_90, 1, 0.2);
    for (size_t i = 0; i < 5; i++) {
        const struct ridge_compiled_binary *binary = ridge_compiled_of(compiled, 0, i);
        assert_int_equal(binary->outcome, cases[i].outcome);
        assert_non_null(strstr(binary->log, cases[i].log));
        assert_int_equal(binary->bytes != NULL, cases[i].outcome == RIDGE_OUTCOME_OK);
    }
    struct ridge_code code[5];
    assert_int_equal(ridge_compiled_code(compiled, 0, code, NULL), RIDGE_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(code[i].failed, cases[i].outcome != RIDGE_OUTCOME_OK);
        assert_int_equal(code[i].smem_dynamic_bytes, 128);
        assert_false(code[i].compiled);
    }
    ridge_compiled_destroy(compiled);
}

static void unavailable_target(void **state)
{
    (void)state;
    static const char *const targets[] = {"sm_35", "sm_90", "compute_75"};
    space_make("[dims.block_x]\nvalues = [32]\n[dims.tile]\nvalues = [1, 2, 3]\n", "tile\n");
    struct ridge_compiled *compiled = compile(targets, 3, 10);
    assert_non_null(strstr(ridge_compiled_target_at(compiled, 0)->unavailable, "NVRTC 99.1 does not know the target"));
    assert_null(ridge_compiled_target_at(compiled, 1)->unavailable);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(ridge_compiled_at(compiled, 0, i)->outcome, RIDGE_OUTCOME_SKIPPED);
        assert_int_equal(ridge_compiled_at(compiled, 1, i)->outcome, RIDGE_OUTCOME_OK);
        assert_non_null(strstr((const char *)ridge_compiled_at(compiled, 2, i)->bytes, "compute_75"));
    }
    ridge_compiled_destroy(compiled);
}

static void no_source(void **state)
{
    (void)state;
    static const char *const targets[] = {"gfx90a"};
    static const char *const wrong[] = {"h100"};
    space_make("[dims.block_x]\nvalues = [32]\n", "");
    struct ridge_compiled *compiled = NULL;
    struct ridge_error error = {0};
    struct ridge_compile_options options = {.targets = targets, .target_count = 1, .cuda_path = fake_library};
    assert_int_equal(ridge_compile_space(context, space, &options, &compiled, &error), RIDGE_E_VALUE);
    assert_string_equal(error.message, "there is no source for the target gfx90a (add opencl = \"...\" to sources)");
    error = (struct ridge_error){0};
    options.targets = wrong;
    assert_int_equal(ridge_compile_space(context, space, &options, &compiled, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "there is no compiler for the target 'h100'"));
    error = (struct ridge_error){0};
    options.target_count = 0;
    assert_int_equal(ridge_compile_space(context, space, &options, &compiled, &error), RIDGE_E_ARGUMENT);
}

/** A library that fails in the middle ends the whole with its words. */
static void tool_fails(void **state)
{
    (void)state;
    space_make("[dims.block_x]\nvalues = [32]\n[dims.tile]\nvalues = [1, 2, 3]\n", "tile\n");
    setenv("FAKE_NVRTC", "fail:nvrtcGetCUBIN", 1);
    struct ridge_compiled *compiled = NULL;
    struct ridge_error error = {0};
    const struct ridge_compile_options options = {.targets = sm_90, .target_count = 1, .cuda_path = fake_library};
    assert_int_equal(ridge_compile_space(context, space, &options, &compiled, &error), RIDGE_E_DEVICE);
    assert_string_equal(error.message, "NVRTC 99.1: nvrtcGetCUBIN failed with code 11");
}

static void stopped(void **state)
{
    (void)state;
    static volatile sig_atomic_t stop = 1;
    space_make("[dims.block_x]\nvalues = [32]\n[dims.tile]\nvalues = [1, 2, 3]\n", "tile\n");
    struct ridge_compiled *compiled = NULL;
    struct ridge_error error = {0};
    const struct ridge_compile_options options = {
        .targets = sm_90, .target_count = 1, .cuda_path = fake_library, .stop = &stop};
    assert_ok(ridge_compile_space(context, space, &options, &compiled, &error), &error);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(ridge_compiled_at(compiled, 0, i)->outcome, RIDGE_OUTCOME_SKIPPED);
    }
    ridge_compiled_destroy(compiled);
    assert_int_equal(count_lines(compiles), 0);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    fake_library = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shared, setup, teardown),
        cmocka_unit_test_setup_teardown(fates, setup, teardown),
        cmocka_unit_test_setup_teardown(unavailable_target, setup, teardown),
        cmocka_unit_test_setup_teardown(no_source, setup, teardown),
        cmocka_unit_test_setup_teardown(tool_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(stopped, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
