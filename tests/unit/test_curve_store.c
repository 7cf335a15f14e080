/* SPDX-License-Identifier: MIT */
/** \file curve: what is saved comes back, the newest that fits; whether it is old; the picture. */
#include "rg_test.h"

#include <stdio.h>
#include <sys/utsname.h>

#include "base/buffer.h"
#include "base/file.h"
#include "curve/curve_rules.h"
#include "curve/host_limits.h"
#include "ridge/chart.h"
#include "ridge/curve.h"
#include "scratch.h"

static const struct ridge_curve_point points[] = {
    {.bytes = 8192,
     .bytes_per_s = 1e9,
     .ci95 = {0.9e9, 1.1e9},
     .best_bytes_per_s = 1.05e9,
     .n = 30,
     .flags = 1U << RIDGE_POINT_CONTENDED | 1U << RIDGE_POINT_STEP_STRUCTURAL},
    {.bytes = 16384, .bytes_per_s = 2e9, .ci95 = {(double)NAN, (double)NAN}, .best_bytes_per_s = (double)NAN, .n = 3},
    {.bytes = 32768, .bytes_per_s = 3e9, .ci95 = {2.9e9, 3.1e9}, .best_bytes_per_s = 3e9, .n = 7},
};
static const struct ridge_curve_level levels[] = {{"L1", 20000, 3e9, 32768}, {"memory", 0, 1e9, 0}};
static const struct ridge_thread_trial trials[] = {{4, 5e9}, {2, (double)NAN}};
static const char *const notes[] = {"the first & <least>", "the second"};

static struct ridge_curve curve_of(const char *selector, unsigned threads)
{
    return (struct ridge_curve){
        .device = "a device",
        .backend = "opencl",
        .selector = selector,
        .threads = threads,
        .points = points,
        .point_count = 3,
        .levels = levels,
        .level_count = 2,
        .notes = notes,
        .note_count = 2,
        .made_at = "2031-01-02T03:04:05.678Z",
        .compiler = "a compiler",
        .driver = "a driver",
        .clock_hz = 3e9,
        .launch_overhead_s = (double)NAN,
        .pool_bytes = 1 << 28,
        .reuse_bytes = 1 << 27,
        .sentinels = "steady",
        .trial_bytes = 1 << 26,
        .trial_count = 2,
        .trials = trials,
    };
}

static int64_t put(struct ridge_store *store, const struct ridge_curve *curves, size_t count)
{
    const struct ridge_curve_set set = {.count = count, .curves = curves};
    struct ridge_error error = {0};
    int64_t id = 0;
    assert_ok(ridge_store_curves_put(store, &set, &id, &error), &error);
    return id;
}

static void test_round_trip(void **state)
{
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    struct ridge_error error = {0};
    struct ridge_curve_set *set = NULL;
    const struct ridge_curve saved = curve_of("opencl:0:1", 4);
    assert_int_equal(put(store, &saved, 1), 1);
    const struct ridge_curve_key key = {.device = "opencl:0:1"};
    assert_ok(ridge_store_curve_find(store, &key, &set, &error), &error);
    const struct ridge_curve *curve = &set->curves[0];
    assert_int_equal(set->count, 1);
    assert_string_equal(curve->device, saved.device);
    assert_string_equal(curve->backend, saved.backend);
    assert_string_equal(curve->selector, saved.selector);
    assert_string_equal(curve->made_at, saved.made_at);
    assert_string_equal(curve->compiler, saved.compiler);
    assert_string_equal(curve->driver, saved.driver);
    assert_string_equal(curve->sentinels, saved.sentinels);
    assert_true(curve->clock_hz == 3e9 && isnan(curve->launch_overhead_s));
    assert_true(curve->pool_bytes == saved.pool_bytes && curve->reuse_bytes == saved.reuse_bytes);
    assert_true(curve->threads == 4 && !curve->warm && !curve->published);
    assert_int_equal(curve->point_count, 3);
    assert_memory_equal(&curve->points[0], &points[0], sizeof points[0]);
    assert_true(isnan(curve->points[1].ci95.low) && isnan(curve->points[1].best_bytes_per_s));
    assert_memory_equal(&curve->points[2], &points[2], sizeof points[2]);
    assert_int_equal(curve->trial_bytes, saved.trial_bytes);
    assert_int_equal(curve->trial_count, 2);
    assert_true(curve->trials[0].threads == 4 && curve->trials[0].bytes_per_s == 5e9);
    assert_true(curve->trials[1].threads == 2 && isnan(curve->trials[1].bytes_per_s));
    assert_int_equal(curve->level_count, 2);
    assert_string_equal(curve->levels[1].name, "memory");
    assert_true(curve->levels[0].bytes == 20000 && curve->levels[0].hint_bytes == 32768);
    assert_int_equal(curve->note_count, 2);
    assert_string_equal(curve->notes[1], "the second");
    ridge_curve_set_destroy(set);
    ridge_store_close(store);
}

static double first_rate(struct ridge_store *store, const struct ridge_curve_key *key, unsigned *threads)
{
    struct ridge_curve_set *set = NULL;
    struct ridge_error error = {0};
    const ridge_status status = ridge_store_curve_find(store, key, &set, &error);
    if (status != RIDGE_OK) {
        assert_int_equal(status, RIDGE_E_EMPTY);
        assert_non_null(strstr(error.message, "ridge curve --device"));
        return 0;
    }
    const double rate = set->curves[0].points[0].bytes_per_s;
    *threads = set->curves[0].threads;
    ridge_curve_set_destroy(set);
    return rate;
}

/** One device never gets another's curve, nor a warm one for a cold one; of several the newest with most threads, and before
 * those the newest whose number was tried out. */
static void test_which_is_found(void **state)
{
    struct ridge_store *store = scratch_open(*state, RIDGE_STORE_WRITE);
    unsigned threads = 0;
    struct ridge_curve_point faster = points[0];
    struct ridge_curve curves[] = {curve_of("opencl:0:1", 4), curve_of("opencl:0:1", 4)};
    curves[0].trial_bytes = curves[1].trial_bytes = 0;
    curves[0].trial_count = curves[1].trial_count = 0;
    curves[1].warm = true;
    faster.bytes_per_s = 5e9;
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "opencl"}, &threads) == 0);
    put(store, curves, 2);
    const struct ridge_curve_key any = {.device = "opencl"};
    assert_true(first_rate(store, &any, &threads) == 1e9);
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "opencl:0"}, &threads) == 1e9);
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "opencl:0:0"}, &threads) == 0);
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "%"}, &threads) == 0);
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "host"}, &threads) == 0);
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "opencl", .warm = true}, &threads) == 1e9);
    assert_true(
        first_rate(store, &(struct ridge_curve_key){.device = "opencl", .access = RIDGE_ACCESS_COPY}, &threads) == 0);
    struct ridge_curve newer = curves[0];
    newer.points = &faster;
    newer.point_count = 1;
    put(store, &newer, 1);
    assert_true(first_rate(store, &any, &threads) == 5e9);
    newer.threads = 1;
    put(store, &newer, 1);
    assert_true(first_rate(store, &any, &threads) == 5e9 && threads == 4);
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "opencl", .threads = 1}, &threads) == 5e9);
    assert_int_equal(threads, 1);
    for (unsigned tried = 3; tried > 1; tried--) {
        const struct ridge_curve best = curve_of("opencl:0:1", tried);
        put(store, &best, 1);
        assert_true(first_rate(store, &any, &threads) == 1e9 && threads == tried);
    }
    ridge_store_close(store);
}

/** A store opened for reading takes nothing, and a curve with two points of one size leaves nothing half done. */
static void test_refused(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_store *store = scratch_open(scratch, RIDGE_STORE_WRITE);
    const struct ridge_curve_point twice[] = {points[0], points[0]};
    struct ridge_curve curve = curve_of("host", 1);
    const struct ridge_curve_set set = {.count = 1, .curves = &curve};
    int64_t id = 0;
    unsigned threads;
    curve.points = twice;
    curve.point_count = 2;
    assert_int_equal(ridge_store_curves_put(store, &set, &id, NULL), RIDGE_E_STORE);
    assert_true(first_rate(store, &(struct ridge_curve_key){.device = "host"}, &threads) == 0);
    ridge_store_close(store);
    store = scratch_open(scratch, RIDGE_STORE_READ);
    curve.point_count = 1;
    assert_int_equal(ridge_store_curves_put(store, &set, &id, NULL), RIDGE_E_ARGUMENT);
    ridge_store_close(store);
}

static void test_whether_it_is_old(void **state)
{
    (void)state;
    char why[512];
    char driver[256];
    struct utsname system;
    struct rg_host_topology topology;
    struct ridge_curve curve = curve_of("host", 1);
    uname(&system);
    rg_host_topology_plain(&topology);
    snprintf(driver, sizeof driver, "%.64s %.64s %.64s", system.sysname, system.release, system.machine);
    curve.backend = "host";
    curve.device = topology.model;
    curve.driver = driver;
    assert_false(ridge_curve_is_old(&curve, why));
    assert_string_equal(why, "");
    curve.driver = "Linux 2.4.0 x86_64";
    assert_true(ridge_curve_is_old(&curve, why));
    assert_non_null(strstr(why, "under Linux 2.4.0 x86_64; this is Linux"));
    curve.device = "Z80";
    assert_true(ridge_curve_is_old(&curve, why));
    assert_non_null(strstr(why, "another processor: Z80; this is "));
}

/** Put a file, with its folders, below the scratch folder. */
static void install(const struct scratch *scratch, const char *path, const char *text)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s%s", scratch->folder, path);
    char *name = strrchr(whole, '/');
    *name = '\0';
    assert_ok(rg_folder_make(whole, NULL), &(struct ridge_error){0});
    *name = '/';
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool is_old_by(const struct scratch *scratch, const char *backend, const char *made_at)
{
    char why[512];
    struct ridge_curve curve = curve_of("opencl:0:0", 1);
    curve.backend = backend;
    curve.made_at = made_at;
    const bool old = rg_curve_is_old(scratch->folder, &curve, why);
    assert_true((why[0] != '\0') == old);
    return old;
}

/** A driver that was installed after the curve was made; where there is none, nobody can tell. */
static void test_older_than_its_driver(void **state)
{
    const struct scratch *scratch = *state;
    static const char before[] = "1999-01-01T00:00:00.000Z";
    static const char after[] = "2999-01-01T00:00:00.000Z";
    assert_false(is_old_by(scratch, "opencl", before));
    assert_false(is_old_by(scratch, "cuda", before));
    install(scratch, "/etc/OpenCL/vendors/some.icd", "libsome.so.2\n");
    assert_true(is_old_by(scratch, "opencl", before));
    assert_false(is_old_by(scratch, "opencl", after));
    assert_false(is_old_by(scratch, "cuda", before)); /* an OpenCL driver says nothing of a CUDA curve */
    install(scratch, "/usr/lib64/libcuda.so.1", "a stand-in");
    assert_true(is_old_by(scratch, "cuda", before));
    assert_false(is_old_by(scratch, "cuda", after));
    assert_false(is_old_by(scratch, "cuda", NULL));
    assert_false(is_old_by(scratch, "null", before));
}

static bool append(void *user, const char *bytes, size_t length)
{
    rg_buffer_append(user, bytes, length);
    return true;
}

static bool refuse(void *user, const char *bytes, size_t length)
{
    (void)user;
    (void)bytes;
    (void)length;
    return false;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        count++;
    }
    return count;
}

static void test_picture(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_curve curves[] = {curve_of("host", 1), curve_of("host", 1)};
    curves[0].device = "an <odd> & \"quoted\" device with a name that is long enough for a second line";
    curves[1].warm = true;
    static const unsigned widths[] = {RIDGE_CHART_LEAST_WIDTH, 800, RIDGE_CHART_MOST_WIDTH};
    for (size_t i = 0; i < 3; i++) {
        struct rg_buffer buffer;
        struct ridge_error error = {0};
        rg_buffer_init(&buffer, scratch->context);
        curves[0].stopped = i == 1;
        assert_ok(ridge_curve_picture(curves, 2, widths[i], (struct ridge_sink){append, &buffer}, &error), &error);
        const char *text = rg_buffer_text(&buffer);
        assert_int_equal(count_of(text, "<polyline"), 2);
        assert_int_equal(count_of(text, "class=\"e0\""), 2); /* a point without an interval has no bar */
        assert_int_equal(count_of(text, "GB/s</title>"), 6);
        assert_non_null(strstr(text, "&lt;odd&gt; &amp; &quot;quoted&quot;"));
        assert_non_null(strstr(text, "prefers-color-scheme: dark"));
        assert_int_equal(strstr(text, "incomplete: it was interrupted") != NULL, i == 1);
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        rg_buffer_fini(&buffer);
    }
    struct ridge_error error = {0};
    const struct ridge_sink full = {refuse, NULL};
    assert_int_equal(ridge_curve_picture(curves, 2, 800, full, &error), RIDGE_E_IO);
    assert_int_equal(ridge_curve_picture(curves, 2, 10, full, NULL), RIDGE_E_ARGUMENT);
    assert_int_equal(ridge_curve_picture(curves, 0, 800, full, NULL), RIDGE_E_EMPTY);
}

/** One point alone still has axes. */
static void test_picture_of_one_point(void **state)
{
    struct scratch *scratch = *state;
    struct ridge_curve curve = curve_of("host", 1);
    struct rg_buffer buffer;
    struct ridge_error error = {0};
    curve.point_count = 1;
    curve.level_count = 0;
    rg_buffer_init(&buffer, scratch->context);
    assert_ok(ridge_curve_picture(&curve, 1, 800, (struct ridge_sink){append, &buffer}, &error), &error);
    assert_null(strstr(rg_buffer_text(&buffer), "nan"));
    rg_buffer_fini(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_round_trip),
        scratch_test(test_which_is_found),
        scratch_test(test_refused),
        cmocka_unit_test(test_whether_it_is_old),
        scratch_test(test_older_than_its_driver),
        scratch_test(test_picture),
        scratch_test(test_picture_of_one_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
