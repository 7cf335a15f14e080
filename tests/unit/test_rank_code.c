/* SPDX-License-Identifier: MIT */
/** \file Ranking with what compiled code says: launch verdicts, occupancy, counted work, code that is not there. */
#include "rg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ridge/occupancy.h"
#include "ridge/rank.h"

static const char spec_text[] = "[kernel]\nname = \"toy\"\nentry = \"toy\"\nsources = { cuda = \"toy.cu\" }\n"
                                "[dims.block_x]\nvalues = [64, 128, 256, 512]\n"
                                "[bench]\ngrid_x = \"1048576 / block_x\"\n";
static const char work_text[] = "[model.work]\nfma = \"100\"\ninstructions = \"200\"\nregisters = \"16\"\n";

enum {
    ROWS = 4
};

/** A space over a spec of its own, an A10G, and a row of code a configuration. */
struct fixture {
    struct ridge_context *context;
    struct ridge_spec *spec;
    struct ridge_space *space;
    struct ridge_device_db *devices;
    struct ridge_device_match device;
    struct ridge_code code[ROWS];
};

static void open_fixture(struct fixture *fixture, const char *more)
{
    char path[] = "/tmp/ridge-rank-code-XXXXXX";
    struct ridge_error error = {0};
    *fixture = (struct fixture){.context = test_context()};
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, spec_text, strlen(spec_text)), strlen(spec_text));
    assert_int_equal(write(file, more, strlen(more)), strlen(more));
    close(file);
    assert_ok(ridge_spec_load(fixture->context, path, NULL, 0, &fixture->spec, &error), &error);
    unlink(path);
    assert_ok(ridge_space_create(fixture->context, fixture->spec, &fixture->space, &error), &error);
    assert_ok(ridge_device_db_create(fixture->context, NULL, &fixture->devices, &error), &error);
    assert_ok(ridge_device_find(fixture->devices, "A10G", &fixture->device, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        fixture->code[i] = (struct ridge_code){.compiled = true, .registers = 32};
    }
}

static void close_fixture(struct fixture *fixture)
{
    ridge_space_destroy(fixture->space);
    ridge_spec_destroy(fixture->spec);
    ridge_device_db_destroy(fixture->devices);
    ridge_context_destroy(fixture->context);
}

/** Rank; \return the ranking. */
static struct ridge_ranking *rank(const struct fixture *fixture, ridge_model model, const struct ridge_code *code)
{
    struct ridge_error error = {0};
    const struct ridge_rank_options options = {.model = model,
                                               .devices = fixture->devices,
                                               .device = &fixture->device,
                                               .code = code,
                                               .code_count = code ? ROWS : 0};
    struct ridge_ranking *ranking = NULL;
    assert_ok(ridge_rank(fixture->context, fixture->space, &options, &ranking, &error), &error);
    assert_int_equal(ranking->count, ROWS);
    return ranking;
}

static bool has_note(const struct ridge_ranking *ranking, const char *text)
{
    for (size_t i = 0; i < ranking->note_count; i++) {
        if (strstr(ranking->notes[i], text)) {
            return true;
        }
    }
    return false;
}

/** What each row's code makes of it, whatever the model. */
static void verdicts(void **state)
{
    (void)state;
    static const ridge_model models[] = {RIDGE_MODEL_OCCUPANCY_WAVES, RIDGE_MODEL_WORK, RIDGE_MODEL_AUTO};
    struct fixture fixture;
    open_fixture(&fixture, work_text);
    fixture.code[0] = (struct ridge_code){.failed = true};
    fixture.code[1] = (struct ridge_code){.compiled = true, .registers = 32, .max_threads = 64};
    fixture.code[2] = (struct ridge_code){.compiled = true, .registers = 32, .smem_static_bytes = 49153};
    fixture.code[3] = (struct ridge_code){.compiled = true, .registers = 255}; /* 512 threads of 255 registers */
    static const ridge_launch_rule rules[ROWS] = {RIDGE_LAUNCH_NO_CODE, RIDGE_LAUNCH_KERNEL_THREADS,
                                                  RIDGE_LAUNCH_SMEM_STATIC, RIDGE_LAUNCH_BLOCK_REGISTERS};
    for (size_t m = 0; m < 3; m++) {
        struct ridge_ranking *ranking = rank(&fixture, models[m], fixture.code);
        for (size_t i = 0; i < ROWS; i++) {
            assert_true(isinf(ranking->estimates[i].cost));
            assert_int_equal(ranking->estimates[i].bound, RIDGE_BOUND_UNLAUNCHABLE);
            assert_int_equal(ranking->estimates[i].rule, rules[i]);
        }
        assert_true(has_note(ranking, "3 of 4 configurations are those of their compiled code"));
        assert_true(has_note(ranking, "1 configurations do not compile"));
        ridge_ranking_destroy(ranking);
    }
    assert_string_equal(ridge_launch_word(RIDGE_LAUNCH_NO_CODE), "does_not_compile");
    close_fixture(&fixture);
}

/** Dynamic shared memory beyond the default limit is asked for by whoever launches; beyond the most, it is refused. */
static void dynamic_shared_memory(void **state)
{
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture, work_text);
    fixture.code[0].smem_dynamic_bytes = 60000;
    fixture.code[1].smem_dynamic_bytes = 120000;
    struct ridge_ranking *ranking = rank(&fixture, RIDGE_MODEL_WORK, fixture.code);
    assert_int_equal(ranking->estimates[0].rule, RIDGE_LAUNCH_OK);
    assert_true(isfinite(ranking->estimates[0].cost));
    assert_int_equal(ranking->estimates[1].rule, RIDGE_LAUNCH_SMEM);
    ridge_ranking_destroy(ranking);
    close_fixture(&fixture);
}

/** The published baseline keeps its costs; the counted-work model takes the registers of the code. */
static void registers(void **state)
{
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture, work_text);
    for (size_t i = 0; i < ROWS; i++) {
        fixture.code[i].registers = 128;
    }
    struct ridge_ranking *before = rank(&fixture, RIDGE_MODEL_OCCUPANCY_WAVES, NULL);
    struct ridge_ranking *after = rank(&fixture, RIDGE_MODEL_OCCUPANCY_WAVES, fixture.code);
    assert_memory_equal(before->estimates, after->estimates, ROWS * sizeof *before->estimates);
    ridge_ranking_destroy(before);
    ridge_ranking_destroy(after);
    before = rank(&fixture, RIDGE_MODEL_WORK, NULL);
    after = rank(&fixture, RIDGE_MODEL_WORK, fixture.code);
    assert_close(before->estimates[2].occupancy, 1, 1e-12, 0);
    assert_close(after->estimates[2].occupancy, 1.0 / 3, 1e-12, 0); /* 65536 registers: 512 of 1536 threads */
    ridge_ranking_destroy(before);
    ridge_ranking_destroy(after);
    close_fixture(&fixture);
}

/** Rows without compiled code keep the spec's expressions. */
static void rows_without_code(void **state)
{
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture, work_text);
    fixture.code[1] = (struct ridge_code){.compiled = false, .registers = 255, .max_threads = 1};
    struct ridge_ranking *before = rank(&fixture, RIDGE_MODEL_WORK, NULL);
    struct ridge_ranking *after = rank(&fixture, RIDGE_MODEL_WORK, fixture.code);
    assert_close(after->estimates[1].cost, before->estimates[1].cost, 0, 0);
    ridge_ranking_destroy(before);
    ridge_ranking_destroy(after);
    close_fixture(&fixture);
}

static size_t count_index(const char *key)
{
    size_t index = 0;
    while (strcmp(ridge_work_key(index), key) != 0) {
        index++;
    }
    return index;
}

/** Work counted by running the code stands where the spec has no expression; the spec's wins. */
static void counted_work(void **state)
{
    (void)state;
    double work[32];
    struct fixture fixture;
    for (size_t i = 0; i < 32; i++) {
        work[i] = (double)NAN;
    }
    work[count_index("instructions")] = 5000;
    work[count_index("fma")] = 1e6; /* the spec says 100 */
    open_fixture(&fixture, "[model.work]\nfma = \"100\"\n");
    struct ridge_ranking *before = rank(&fixture, RIDGE_MODEL_WORK, NULL);
    fixture.code[2].work = work;
    struct ridge_ranking *after = rank(&fixture, RIDGE_MODEL_WORK, fixture.code);
    assert_true(after->estimates[2].cost > 10 * before->estimates[2].cost);
    assert_int_equal(after->estimates[2].bound, RIDGE_BOUND_ISSUE);
    assert_close(after->estimates[3].cost, before->estimates[3].cost, 1e-9, 0);
    assert_true(has_note(after, "counted by running the code: instructions"));
    assert_false(has_note(after, "left out: instructions"));
    assert_true(has_note(before, "left out: instructions"));
    ridge_ranking_destroy(before);
    ridge_ranking_destroy(after);
    close_fixture(&fixture);
    open_fixture(&fixture, ""); /* a spec that counts nothing can be ranked by what was counted */
    fixture.code[2].work = work;
    after = rank(&fixture, RIDGE_MODEL_AUTO, fixture.code);
    assert_true(isfinite(after->estimates[2].cost));
    assert_true(isinf(after->estimates[3].cost)); /* what was not counted has no estimate, and comes last */
    assert_int_equal(after->estimates[3].bound, RIDGE_BOUND_UNKNOWN);
    assert_int_equal(after->order[0], 2);
    ridge_ranking_destroy(after);
    close_fixture(&fixture);
}

static void wrong_count(void **state)
{
    (void)state;
    struct fixture fixture;
    open_fixture(&fixture, work_text);
    struct ridge_error error = {0};
    struct ridge_ranking *ranking = NULL;
    const struct ridge_rank_options options = {
        .model = RIDGE_MODEL_WORK, .device = &fixture.device, .code = fixture.code, .code_count = 3};
    assert_int_equal(ridge_rank(fixture.context, fixture.space, &options, &ranking, &error), RIDGE_E_ARGUMENT);
    assert_string_equal(error.message, "there are 3 rows of code for 4 configurations (one for each)");
    close_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),          cmocka_unit_test(dynamic_shared_memory), cmocka_unit_test(registers),
        cmocka_unit_test(rows_without_code), cmocka_unit_test(counted_work),          cmocka_unit_test(wrong_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
