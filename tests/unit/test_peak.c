/* SPDX-License-Identifier: MIT */
/** \file peak: loops that compute what they must, one random cycle, peaks of the host and in the store. */
#include "rg_test.h"

#include <stdlib.h>
#include <unistd.h>

#include "curve/peak.h"
#include "curve/peak_loops.h"
#include "ridge/ceilings.h"
#include "scratch.h"

#define MIB (UINT64_C(1) << 20)

static void every_loop_set_computes(void **state)
{
    (void)state;
    size_t sets = 0;
    for (size_t i = 0; rg_peak_loop_sets[i]; i++) {
        const struct rg_peak_loops *loops = rg_peak_loop_sets[i];
        if (!loops->usable()) {
            continue;
        }
        sets++;
        assert_int_equal(loops->lanes_f32, 2 * loops->lanes_f64);
        /* Chains begin at 0.5, 1.5, ... 11.5; a halving and a half bring each nearer to 1 by half. */
        assert_close(loops->f64(0, 0.5, 0.5), 6, 1e-12, 0);
        assert_close(loops->f64(1, 0.5, 0.5), 3.5, 1e-12, 0);
        assert_close(loops->f64(200, 0.5, 0.5), 1, 1e-12, 0);
        assert_close(loops->f32(1, 0.5, 0.5), 3.5, 1e-6, 0);
        assert_close(loops->f32(200, 0.5, 0.5), 1, 1e-6, 0);
    }
    assert_true(sets >= 1);
}

static void the_chase_visits_every_line_once(void **state)
{
    (void)state;
    enum {
        LINES = 1000
    };
    uint32_t *words = calloc((size_t)LINES * RG_CHASE_LINE_WORDS, sizeof *words);
    assert_non_null(words);
    rg_chase_fill(words, LINES);
    uint32_t at = 0;
    size_t neighbours = 0;
    for (size_t i = 1; i < LINES; i++) {
        const uint32_t next = words[at];
        assert_int_equal(next % RG_CHASE_LINE_WORDS, 0);
        assert_true(next < LINES * RG_CHASE_LINE_WORDS);
        assert_true(next != 0);
        neighbours += next == at + RG_CHASE_LINE_WORDS;
        at = next;
    }
    assert_int_equal(words[at], 0);
    assert_true(neighbours < 20); /* 1 of 1000 is expected: no prefetcher could follow */
    free(words);
}

/** More than was asked for than there is memory, or words that 32 bits can number, ends where it can, with a note. */
static void the_chase_stays_within_the_memory(void **state)
{
    (void)state;
    static const struct {
        uint64_t asked, memory, most;
        const char *note;
    } rows[] = {
        {0, UINT64_MAX, MIB, NULL},
        {64 * MIB, UINT64_MAX, 64 * MIB, NULL},
        {UINT64_C(100) << 40, 4096 * MIB, 4096 * MIB,
         "the latencies end at 4 GiB and not at 100 TiB: no more memory may be used for them"},
        {UINT64_C(100) << 40, UINT64_MAX, UINT64_C(16) << 30,
         "the latencies end at 16 GiB and not at 100 TiB: more cannot be followed"},
        {4096, UINT64_MAX, 4096, "no latencies: 4 KiB are too few (8 KiB at least)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ridge_peak_request request = {.latency_bytes = rows[i].asked};
        struct ridge_peak peak = {0};
        assert_int_equal(rg_chase_most(&request, MIB, rows[i].memory, &peak), rows[i].most);
        assert_int_equal(peak.note_count, rows[i].note ? 1 : 0);
        assert_string_equal(peak.notes[0], rows[i].note ? rows[i].note : "");
    }
}

static void the_best_is_reached_twice(void **state)
{
    (void)state;
    const double samples[] = {1, 9, 3, 5, 4, 2, 6};
    struct ridge_peak_rate rate;
    rg_peak_rate_set(&rate, samples, 7);
    assert_int_equal(rate.n, 7);
    assert_close(rate.flop_per_s, 4, 0, 0);
    assert_close(rate.best_flop_per_s, 6, 0, 0);
    rg_peak_rate_set(&rate, samples, 1);
    assert_close(rate.best_flop_per_s, 1, 0, 0);
    assert_true(isnan(rate.ci95.low));
}

static void the_host_has_a_peak(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct ridge_peak peak;
    const struct ridge_peak_request request = {.device = "host", .threads = 1, .latency_bytes = 1 << 20};
    assert_ok(ridge_peak_measure(context, &request, &peak, &error), &error);
    assert_string_equal(peak.backend, "host");
    assert_int_equal(peak.threads, 1);
    /* One thread: more than a tenth of an operation a nanosecond, less than any processor's. */
    assert_true(peak.f32.best_flop_per_s > 1e8 && peak.f32.best_flop_per_s < 1e13);
    assert_true(peak.f64.best_flop_per_s > 1e8 && peak.f64.best_flop_per_s < peak.f32.best_flop_per_s * 1.5);
    assert_true(peak.f32.flop_per_s <= peak.f32.best_flop_per_s);
    assert_true(peak.launch.median_s > 0 && peak.launch.median_s < 1e-3);
    assert_int_equal(peak.latency_count, 8); /* 8 KiB, 16 KiB, ... 1 MiB */
    for (size_t i = 0; i < peak.latency_count; i++) {
        assert_int_equal(peak.latencies[i].bytes, 8192U << i);
        assert_true(peak.latencies[i].time.minimum_s > 1e-10 && peak.latencies[i].time.minimum_s < 1e-5);
    }
    ridge_context_destroy(context);
}

static void what_cannot_be_measured_says_so(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct ridge_peak peak;
    struct ridge_peak_request request = {.device = "null"};
    assert_int_equal(ridge_peak_measure(context, &request, &peak, &error), RIDGE_E_UNAVAILABLE);
    assert_non_null(strstr(error.message, "null"));
    request = (struct ridge_peak_request){.device = "host", .threads = 1000};
    error = (struct ridge_error){0};
    assert_int_equal(ridge_peak_measure(context, &request, &peak, &error), RIDGE_E_ARGUMENT);
    ridge_context_destroy(context);
}

/** A device's peak, or a skip where there is no OpenCL. */
static void an_opencl_device_has_a_peak(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct ridge_peak peak;
    const struct ridge_peak_request request = {.device = "opencl", .latency_bytes = 1 << 16};
    const ridge_status status = ridge_peak_measure(context, &request, &peak, &error);
    if (status == RIDGE_E_UNAVAILABLE) {
        ridge_context_destroy(context);
        skip();
    }
    assert_ok(status, &error);
    assert_string_equal(peak.backend, "opencl");
    assert_true(peak.f32.n > 0 && peak.f32.best_flop_per_s > 1e8);
    assert_true(peak.launch.n > 0);
    assert_int_equal(peak.latency_count, 4);
    ridge_context_destroy(context);
}

static struct ridge_peak invented(const char *device, double flop_per_s)
{
    struct ridge_peak peak = {.threads = 2, .note_count = 1, .latency_count = 2};
    strcpy(peak.backend, "opencl");
    strcpy(peak.selector, "opencl:0:1");
    strncpy(peak.device, device, sizeof peak.device - 1);
    strcpy(peak.driver, "driver 1");
    strcpy(peak.compiler, "compiler 2");
    strcpy(peak.made_at, "2031-01-02T03:04:05.678Z");
    strcpy(peak.notes[0], "a note");
    peak.f32 = (struct ridge_peak_rate){
        .n = 21, .flop_per_s = flop_per_s, .ci95 = {flop_per_s / 2, flop_per_s * 2}, .best_flop_per_s = flop_per_s * 3};
    peak.launch = (struct ridge_summary){
        .n = 3, .median_s = 1e-5, .ci95_low_s = (double)NAN, .ci95_high_s = (double)NAN, .minimum_s = 9e-6};
    peak.latencies[0] = (struct ridge_peak_latency){.bytes = 8192, .time = peak.launch};
    peak.latencies[1] = (struct ridge_peak_latency){.bytes = 16384, .time = peak.launch};
    return peak;
}

static void what_is_saved_comes_back(void **state)
{
    struct ridge_error error = {0};
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    const struct ridge_peak older = invented("A", 1e9);
    const struct ridge_peak newer = invented("A", 2e9);
    const struct ridge_peak other = invented("B", 3e9);
    struct ridge_peak found;
    int64_t id = 0;
    assert_int_equal(ridge_store_peak_find(store, "opencl", NULL, &found, &error), RIDGE_E_EMPTY);
    assert_non_null(strstr(error.message, "ridge peak --device opencl --save"));
    error = (struct ridge_error){0};
    assert_ok(ridge_store_peak_put(store, &older, &id, &error), &error);
    assert_ok(ridge_store_peak_put(store, &newer, &id, &error), &error);
    assert_ok(ridge_store_peak_put(store, &other, &id, &error), &error);
    assert_int_equal(id, 3);
    assert_ok(ridge_store_peak_find(store, "opencl", "A", &found, &error), &error);
    assert_close(found.f32.flop_per_s, 2e9, 0, 0);
    assert_close(found.f32.best_flop_per_s, 6e9, 0, 0);
    assert_close(found.f32.ci95.high, 4e9, 0, 0);
    assert_int_equal(found.f64.n, 0);
    assert_int_equal(found.launch_device.n, 0);
    assert_true(isnan(found.launch.ci95_low_s));
    assert_int_equal(found.latency_count, 2);
    assert_int_equal(found.latencies[1].bytes, 16384);
    assert_string_equal(found.notes[0], "a note");
    assert_string_equal(found.compiler, "compiler 2");
    assert_int_equal(found.threads, 2);
    assert_ok(ridge_store_peak_find(store, "opencl:0:1", NULL, &found, &error), &error);
    assert_string_equal(found.device, "B");
    assert_int_equal(ridge_store_peak_find(store, "opencl", "opencl", &found, &error), RIDGE_E_EMPTY);
    ridge_store_close(store);
}

/** Peaks of some work from invented ceilings: each roof from its own part, unknown ones NaN. */
static void ceilings_become_peaks(void **state)
{
    (void)state;
    struct ridge_ceilings ceilings = {.kind = RIDGE_RECORDED, .has_peak = true, .peak = invented("A", 1e9)};
    struct ridge_work work = {0};
    struct ridge_peaks peaks;
    work.amount[RIDGE_ROOF_READ] = 1e6;
    ridge_ceilings_peaks(&ceilings, &work, &peaks);
    assert_close(peaks.per_s[RIDGE_ROOF_F32], 3e9, 0, 0);
    assert_true(isnan(peaks.per_s[RIDGE_ROOF_F64]));
    assert_true(isnan(peaks.per_s[RIDGE_ROOF_READ]));
    assert_true(isnan(peaks.per_s[RIDGE_ROOF_BYTES]));
    assert_close(peaks.launch_overhead_s, 1e-5, 0, 0);
    assert_int_equal(peaks.kind[RIDGE_ROOF_F32], RIDGE_RECORDED);
    struct ridge_curve_point points[] = {{.bytes = 1 << 20, .bytes_per_s = 1e9, .best_bytes_per_s = 2e9, .n = 7}};
    struct ridge_curve curve = {
        .access = RIDGE_ACCESS_READ, .warm = true, .made_at = "2031-01-03", .point_count = 1, .points = points};
    struct ridge_curve_set set = {.count = 1, .curves = &curve};
    ceilings.curves[0] = &set;
    work.amount[RIDGE_ROOF_READ] = 1 << 20;
    ridge_ceilings_peaks(&ceilings, &work, &peaks);
    assert_close(peaks.per_s[RIDGE_ROOF_READ], 2e9, 1e-12, 0);
    assert_close(peaks.per_s[RIDGE_ROOF_BYTES], 2e9, 1e-12, 0);
    assert_true(isnan(peaks.per_s[RIDGE_ROOF_WRITE]));
    char words[RIDGE_CEILINGS_WORDS];
    ridge_ceilings_words(&ceilings, words);
    assert_string_equal(words, "peak of 2031-01-02, curves of 2031-01-03: warm read");
    assert_int_equal(ridge_ceilings_needed(&work), RIDGE_CEILING_READ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loop_set_computes),
        cmocka_unit_test(the_chase_visits_every_line_once),
        cmocka_unit_test(the_chase_stays_within_the_memory),
        cmocka_unit_test(the_best_is_reached_twice),
        cmocka_unit_test(the_host_has_a_peak),
        cmocka_unit_test(what_cannot_be_measured_says_so),
        cmocka_unit_test(an_opencl_device_has_a_peak),
        scratch_test(what_is_saved_comes_back),
        cmocka_unit_test(ceilings_become_peaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
