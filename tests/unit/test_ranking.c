/* SPDX-License-Identifier: MIT */
/** \file Rank correlation and quality of an order, the published model's vectors, and what rankings promise. */
#include "spec_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "expr/expr_integer.h"
#include "model/model.h"
#include "ridge/calibrate.h"

static double rho_of(const double *x, size_t x_count, const double *y, size_t y_count, ridge_status *status)
{
    struct ridge_context *context = test_context();
    double rho = 0;
    struct ridge_error error = {0};
    *status = ridge_spearman(context, x, x_count, y, y_count, &rho, &error);
    ridge_context_destroy(context);
    return rho;
}

static void spearman_vectors(void **state)
{
    (void)state;
    const double up[] = {1, 2, 3, 4};
    const double tens[] = {10, 20, 30, 40};
    const double down[] = {40, 30, 20, 10};
    const double ties[] = {1, 1, 2, 3};
    const double other[] = {5, 5, 7, 9};
    const double flat[] = {2, 2, 2, 2};
    const double infinite[] = {1, 2, 3, (double)INFINITY};
    const double nan[] = {1, 2, 3, (double)NAN};
    ridge_status status;
    assert_close(rho_of(up, 4, tens, 4, &status), 1, 0, 1e-15);
    assert_close(rho_of(up, 4, down, 4, &status), -1, 0, 1e-15);
    assert_true(rho_of(ties, 4, other, 4, &status) > 0.99);
    assert_close(rho_of(infinite, 4, tens, 4, &status), 1, 0, 1e-15);
    rho_of(up, 2, tens, 2, &status);
    assert_int_equal(status, RIDGE_E_EMPTY);
    rho_of(up, 4, tens, 3, &status);
    assert_int_equal(status, RIDGE_E_EMPTY);
    rho_of(up, 4, flat, 4, &status);
    assert_int_equal(status, RIDGE_E_EMPTY);
    rho_of(nan, 4, tens, 4, &status);
    assert_int_equal(status, RIDGE_E_ARGUMENT);
}

/** The interval holds rho, is narrow for many pairs, and is the same each time. */
static void spearman_interval(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct rg_rng rng;
    rg_rng_init(&rng, 7);
    double x[300];
    double y[300];
    for (size_t i = 0; i < 300; i++) {
        x[i] = rg_rng_unit(&rng);
        y[i] = x[i] + 0.5 * rg_rng_unit(&rng);
    }
    double rho = 0;
    struct ridge_interval wide;
    struct ridge_interval narrow;
    struct ridge_interval again;
    assert_ok(ridge_spearman(context, x, 300, y, 300, &rho, &error), &error);
    assert_ok(ridge_spearman_interval(context, x, y, 300, 400, 1, &narrow, &error), &error);
    assert_ok(ridge_spearman_interval(context, x, y, 300, 400, 1, &again, &error), &error);
    assert_ok(ridge_spearman_interval(context, x, y, 30, 400, 1, &wide, &error), &error);
    assert_true(narrow.low < rho && rho < narrow.high);
    assert_true(narrow.high - narrow.low < wide.high - wide.low);
    assert_true(narrow.high <= 1 && narrow.low > 0.5);
    assert_memory_equal(&narrow, &again, sizeof narrow);
    ridge_context_destroy(context);
}

/** Mean place of the first within reach, over all orders of equal costs: by shuffling many times. */
static void evaluations_of_ties(void **state)
{
    (void)state;
    const double cost[] = {1, 1, 1, 1, 2, 2};
    const double time[] = {9, (double)INFINITY, 1.04, 7, 1.0, 8};
    const uint32_t order[] = {0, 1, 2, 3, 4, 5};
    const struct ridge_ordering ordering = {cost, time, order, 6};
    assert_close(ridge_evaluations(&ordering, 0.05), 2.5, 1e-12, 0); /* one of a group of four: (4 + 1) / 2 */
    assert_close(ridge_evaluations(&ordering, 0.01), 5.5, 1e-12, 0); /* behind the four, one of two */
    assert_close(ridge_random_evaluations(&ordering, 0.05), 7.0 / 3, 1e-12, 0);
    assert_close(ridge_random_evaluations(&ordering, 0.01), 3.5, 1e-12, 0);
    assert_close(ridge_regret(&ordering, 1), 9, 1e-12, 0);
    assert_close(ridge_regret(&ordering, 3), 1.04, 1e-12, 0);
    assert_close(ridge_regret(&ordering, 100), 1, 1e-12, 0);
    struct rg_rng rng;
    rg_rng_init(&rng, 3);
    double sum = 0;
    for (size_t round = 0; round < 20000; round++) {
        uint32_t shuffled[] = {0, 1, 2, 3};
        for (size_t i = 3; i > 0; i--) {
            const size_t k = rg_rng_below(&rng, i + 1);
            const uint32_t kept = shuffled[i];
            shuffled[i] = shuffled[k];
            shuffled[k] = kept;
        }
        size_t at = 0;
        while (time[shuffled[at]] > 1.05) {
            at++;
        }
        sum += (double)at + 1;
    }
    assert_close(sum / 20000, 2.5, 0.03, 0);
}

static void all_of_the_first_failed(void **state)
{
    (void)state;
    const double cost[] = {1, 2, 3};
    const double time[] = {(double)INFINITY, 2, 1};
    const uint32_t order[] = {0, 1, 2};
    const struct ridge_ordering ordering = {cost, time, order, 3};
    assert_true(isinf(ridge_regret(&ordering, 1)));
    assert_int_equal(ridge_recall10(&ordering), 0);
    assert_close(ridge_evaluations(&ordering, 0.05), 3, 1e-12, 0);
}

/** bank_conflict_degree and lines_per_warp against counting. */
static void lanes_against_counting(void **state)
{
    (void)state;
    for (int64_t stride = 0; stride < 80; stride++) {
        for (int64_t width = 1; width < 40; width++) {
            int seen[4096] = {0};
            int banks[32] = {0};
            int most = 0;
            for (int64_t lane = 0; lane < 32; lane++) {
                const int64_t word = lane / width * stride + lane % width;
                banks[word % 32] += seen[word] == 0;
                seen[word] = 1;
                most = banks[word % 32] > most ? banks[word % 32] : most;
            }
            int64_t got = 0;
            assert_int_equal(rg_integer_bank_conflicts(stride, width, &got), RG_FAULT_NONE);
            assert_int_equal(got, most);
            int lines[64] = {0};
            int count = 0;
            for (int64_t byte = 0; byte < 32 * 40 * 4; byte++) {
                const int64_t lane = stride > 0 ? byte / width : byte;
                const int64_t at = lane * stride + byte % width;
                if (lane < 32 && at / 128 < 64) {
                    count += lines[at / 128] == 0;
                    lines[at / 128] = 1;
                }
            }
            assert_int_equal(rg_integer_warp_lines(stride, width, &got), RG_FAULT_NONE);
            assert_int_equal(got, stride > 0 ? count : (width + 127) / 128);
        }
    }
}

/** What a test ranks, and for what. */
struct bench {
    struct spec_fixture spec;
    struct ridge_device_db *devices;
    struct ridge_ranking *ranking;
};

static void bench_open(struct bench *bench, const char *text)
{
    struct ridge_error error = {0};
    fixture_open(&bench->spec, text);
    bench->ranking = NULL;
    assert_ok(ridge_device_db_create(bench->spec.context, NULL, &bench->devices, &error), &error);
}

static void bench_close(struct bench *bench)
{
    ridge_ranking_destroy(bench->ranking);
    ridge_device_db_destroy(bench->devices);
    fixture_close(&bench->spec);
}

/** Rank by evidence too. \param evidence  NULL: none */
static ridge_status rank_by(struct bench *bench, const char *device, ridge_model model,
                            const struct ridge_evidence *evidence, struct ridge_error *error)
{
    struct ridge_device_match match;
    assert_ok(ridge_device_find(bench->devices, device, &match, error), error);
    const struct ridge_rank_options options = {.model = model,
                                               .devices = bench->devices,
                                               .device = &match,
                                               .evidence = evidence,
                                               .evidence_count = evidence ? 1 : 0};
    ridge_ranking_destroy(bench->ranking);
    bench->ranking = NULL;
    return ridge_rank(bench->spec.context, bench->spec.space, &options, &bench->ranking, error);
}

static ridge_status rank(struct bench *bench, const char *device, ridge_model model, struct ridge_error *error)
{
    return rank_by(bench, device, model, NULL, error);
}

/** A bench that has ranked the spec by its counts of work. */
static const struct ridge_ranking *bench_open_ranked(struct bench *bench, const char *text)
{
    struct ridge_error error = {0};
    bench_open(bench, text);
    assert_ok(rank(bench, "RTX A4000", RIDGE_MODEL_WORK, &error), &error);
    return bench->ranking;
}

static const char waves_spec[] =
    "[kernel]\nname = 'k'\n[dims.block_x]\nvalues = [32, 64, 256, 1024, 1536, 2048]\n"
    "[dims.smem]\nvalues = [0, 16384, 49152, 49153]\n"
    "[bench]\nparams = { n = 1048576 }\ngrid_x = 'n / block_x'\n[model]\nsmem_bytes = 'smem'\n";

/** The formula of the published model, written again from its description. */
static double published_cost(double threads, double smem, double sm, double threads_sm, double warps_sm, double smem_sm)
{
    double blocks = fmin(floor(threads_sm / threads), 16);
    if (smem > 0) {
        blocks = fmin(blocks, floor(smem_sm / smem));
    }
    if (blocks < 1 || smem > 49152) {
        return (double)INFINITY;
    }
    const double grid = floor(1048576 / threads);
    const double occupancy = fmin(1, blocks * ceil(threads / 32) / warps_sm);
    return fmax(1, grid / (blocks * sm)) / fmax(occupancy, 1e-6);
}

static void published_model(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double sm, threads, warps, smem;
    } devices[] = {{"A10G", 80, 1536, 48, 102400}, {"Tesla T4", 40, 1024, 32, 65536}, {"cc:7.5", 40, 1024, 32, 65536}};
    struct bench bench;
    bench_open(&bench, waves_spec);
    for (size_t d = 0; d < 3; d++) {
        struct ridge_error error = {0};
        assert_ok(rank(&bench, devices[d].name, RIDGE_MODEL_OCCUPANCY_WAVES, &error), &error);
        const struct ridge_ranking *ranking = bench.ranking;
        assert_int_equal(ranking->count, 24);
        for (size_t i = 0; i < 24; i++) {
            const uint32_t *choice = ranking->choices + 2 * i;
            const struct ridge_space *space = bench.spec.space;
            const double want = published_cost((double)ridge_space_value(space, 0, choice[0])->as.integer,
                                               (double)ridge_space_value(space, 1, choice[1])->as.integer,
                                               devices[d].sm, devices[d].threads, devices[d].warps, devices[d].smem);
            if (isinf(want)) {
                assert_true(isinf(ranking->estimates[i].cost) && isinf(ranking->estimates[i].waves));
                assert_int_equal(ranking->estimates[i].bound, RIDGE_BOUND_UNLAUNCHABLE);
                assert_int_not_equal(ranking->estimates[i].rule, RIDGE_LAUNCH_OK);
            } else {
                assert_close(ranking->estimates[i].cost, want, 1e-12, 0);
            }
        }
        for (size_t i = 1; i < 24; i++) { /* in order, and what cannot be launched last */
            assert_true(ranking->estimates[ranking->order[i - 1]].cost <= ranking->estimates[ranking->order[i]].cost);
        }
    }
    bench_close(&bench);
}

static void model_needs_counts(void **state)
{
    (void)state;
    struct bench bench;
    struct ridge_error error = {0};
    bench_open(&bench, waves_spec);
    assert_int_equal(rank(&bench, "A10G", RIDGE_MODEL_WORK, &error), RIDGE_E_VALUE);
    assert_non_null(strstr(error.message, "[model.work]"));
    error = (struct ridge_error){0};
    assert_int_equal(rank(&bench, "A10G", RIDGE_MODEL_AUTO, &error), RIDGE_E_VALUE);
    assert_non_null(strstr(error.message, "--evidence"));
    assert_null(bench.ranking);
    bench_close(&bench);
}

static const char work_spec[] = "[kernel]\nname = 'k'\n[dims.block_x]\nvalues = [32, 128, 1024, 2048]\n"
                                "[dims.t]\nvalues = [0, 1, 2, 4]\n[bench]\nparams = { n = 4194304 }\n"
                                "grid_x = 'n / block_x'\n[model.let]\nper = '1000 * t'\n[model.work]\nfma = 'per'\n"
                                "dram_bytes = '8 * n / t'\n";

static bool notes_hold(const struct ridge_ranking *ranking, const char *part)
{
    for (size_t i = 0; i < ranking->note_count; i++) {
        if (strstr(ranking->notes[i], part)) {
            return true;
        }
    }
    return false;
}

/** Missing counts are named; more work costs more; faults and launch rules come last with their reason. */
static void work_promises(void **state)
{
    (void)state;
    struct bench bench;
    const struct ridge_ranking *ranking = bench_open_ranked(&bench, work_spec);
    assert_true(notes_hold(ranking, "instructions") && notes_hold(ranking, "l2_bytes"));
    assert_int_equal(ranking->count, 16);
    for (size_t i = 0; i < 16; i++) {
        const struct ridge_estimate *estimate = &ranking->estimates[i];
        const bool too_large = ranking->choices[2 * i] == 3;
        const bool faults = ranking->choices[2 * i + 1] == 0;
        assert_int_equal(isinf(estimate->cost) != 0, too_large || faults);
        if (faults) {
            assert_int_equal(estimate->bound, RIDGE_BOUND_UNKNOWN);
        } else if (too_large) {
            assert_int_equal(estimate->bound, RIDGE_BOUND_UNLAUNCHABLE);
            assert_int_equal(estimate->rule, RIDGE_LAUNCH_THREADS);
        } else if (ranking->choices[2 * i + 1] == 3) {
            assert_true(estimate->cost > ranking->estimates[i - 1].cost);
            assert_int_equal(estimate->bound, RIDGE_BOUND_FMA);
        }
    }
    bench_close(&bench);
}

/** 4194304 threads of 2000 FMA on 48 multiprocessors of 128 lanes at 1.56 GHz, whole waves: no less than that. */
static void work_is_a_time(void **state)
{
    (void)state;
    struct bench bench;
    const struct ridge_ranking *ranking = bench_open_ranked(&bench, work_spec);
    const double least_s = 4194304.0 * 2000 / (48 * 128 * 1.56e9);
    assert_close(ranking->estimates[4 + 2].cost, least_s, 0.05, 0); /* block_x = 128, t = 2 */
    bench_close(&bench);
}

/** A record made by hand: time is 1 + t, so a small t is the best. */
static struct ridge_run make_run(struct ridge_record *records, struct ridge_value *values, const char *device)
{
    static const char *const names[] = {"BLOCK_X", "t"}; /* another tool's case */
    static const int64_t blocks[] = {32, 128, 1024};
    for (size_t i = 0; i < 12; i++) {
        values[2 * i] = (struct ridge_value){RIDGE_INT, .as.integer = blocks[i / 4]};
        values[2 * i + 1] = (struct ridge_value){RIDGE_INT, .as.integer = (int64_t[]){0, 1, 2, 4}[i % 4]};
        records[i] = (struct ridge_record){.values = &values[2 * i], .outcome = RIDGE_OUTCOME_OK, .in_space = true};
        records[i].summary.n = 1;
        records[i].summary.median_s = 1 + (double)(i % 4) + 0.001 * (double)i;
    }
    records[5].outcome = RIDGE_OUTCOME_LAUNCH;
    return (struct ridge_run){.info.kernel = "k",
                              .info.device = device,
                              .dimension_count = 2,
                              .dimension_names = names,
                              .record_count = 12,
                              .records = records};
}

static void transfer_stays_with_the_vendor(void **state)
{
    (void)state;
    struct bench bench;
    struct ridge_error error = {0};
    struct ridge_record records[12];
    struct ridge_value values[24];
    const struct ridge_run run = make_run(records, values, "NVIDIA GeForce RTX 3090");
    const struct ridge_evidence evidence = {&run, NULL};
    bench_open(&bench, work_spec);
    static const char *const targets[] = {"RTX A4000", "MI50"};
    for (size_t i = 0; i < 2; i++) {
        assert_ok(rank_by(&bench, targets[i], RIDGE_MODEL_AUTO, &evidence, &error), &error);
        const struct ridge_ranking *ranking = bench.ranking;
        assert_close(ranking->transfer_share, i == 0 ? 0.75 : 0, 1e-12, 0);
        assert_int_equal(ranking->covered, i == 0 ? 12 : 0);
        assert_true(i == 0 ? notes_hold(ranking, "0.75 transfer") : notes_hold(ranking, "another vendor"));
    }
    bench_close(&bench);
}

static void calibration_counts(void **state)
{
    (void)state;
    struct bench bench;
    struct ridge_error error = {0};
    struct ridge_record records[12];
    struct ridge_value values[24];
    struct ridge_calibration found;
    struct ridge_calibration_point points[12];
    struct ridge_run run = make_run(records, values, "x");
    values[0].as.integer = 33; /* a configuration that the space does not have */
    const struct ridge_ranking *ranking = bench_open_ranked(&bench, work_spec);
    const struct ridge_space *space = bench.spec.space;
    assert_ok(ridge_calibrate(bench.spec.context, space, ranking, &run, 100, &found, points, &error), &error);
    assert_int_equal(found.outside, 1);
    assert_int_equal(found.configurations, 11);
    assert_int_equal(found.n, 10);
    assert_true(found.rho_ci95.low <= found.rho_ci95.high);
    static const char *const other[] = {"a", "b"};
    run.dimension_names = other;
    assert_int_equal(ridge_calibrate(bench.spec.context, space, ranking, &run, 0, &found, NULL, &error), RIDGE_E_NAME);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spearman_vectors),       cmocka_unit_test(spearman_interval),
        cmocka_unit_test(evaluations_of_ties),    cmocka_unit_test(all_of_the_first_failed),
        cmocka_unit_test(lanes_against_counting), cmocka_unit_test(published_model),
        cmocka_unit_test(model_needs_counts),     cmocka_unit_test(work_promises),
        cmocka_unit_test(work_is_a_time),         cmocka_unit_test(transfer_stays_with_the_vendor),
        cmocka_unit_test(calibration_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
