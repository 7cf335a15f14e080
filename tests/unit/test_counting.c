/* SPDX-License-Identifier: MIT */
/** \file Counting work: which blocks stand for a grid, lines through counts, crews of processes, keys of the spec. */
#include "rg_test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "ridge/device.h"
#include "ridge/trace.h"
#include "space/spec.h"
#include "tune/crew.h"
#include "tune/sampling.h"
#include "tune/tally.h"

static struct rg_sampled sampled[RG_SAMPLE_MOST];

static double weights(const struct rg_sampling *sampling, size_t *count)
{
    double sum = 0;
    *count = rg_sampling_choose(sampling, sampled);
    for (size_t i = 0; i < *count; i++) {
        sum += sampled[i].weight;
        assert_true(i == 0 || sampled[i].index > sampled[i - 1].index);
    }
    return sum;
}

static void test_samples_stand_for_all(void **state)
{
    (void)state;
    const uint64_t sizes[] = {1, 2, 3, 7, 16, 100};
    for (size_t x = 0; x < 6; x++) {
        for (size_t y = 0; y < 6; y++) {
            for (int quick = 0; quick < 2; quick++) {
                const struct rg_sampling sampling = {
                    .grid = {sizes[x] + 3, sizes[y], 1}, .active = {sizes[x], sizes[y], 1}, .quick = quick != 0};
                size_t count = 0;
                assert_true(weights(&sampling, &count) == (double)(sizes[x] * sizes[y]));
                assert_true(count > 0 && count <= 9);
            }
        }
    }
}

static void test_edges_are_among_them(void **state)
{
    (void)state;
    const struct rg_sampling sampling = {.grid = {10, 10, 1}, .active = {10, 10, 1}};
    size_t count = 0;
    (void)weights(&sampling, &count);
    assert_int_equal(count, 9);
    assert_true(sampled[0].index == 0 && sampled[4].index == 55 && sampled[8].index == 99);
    assert_true(sampled[4].weight == 64);
}

static void test_wanted_blocks(void **state)
{
    (void)state;
    struct rg_sampling sampling = {.grid = {100, 100, 1}, .active = {100, 100, 1}, .wanted = 5};
    size_t count = 0;
    assert_true(fabs(weights(&sampling, &count) - 10000) < 1e-6);
    assert_int_equal(count, 5);
    assert_true(sampled[0].index == 0 && sampled[4].index == 9999);
    sampling.all = true;
    assert_int_equal(rg_sampling_choose(&sampling, sampled), 0); /* more than there is room for */
}

/** Every tally has a key, which is a word of JSON, and a meaning; the first that is none has neither. */
static void test_tally_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < RIDGE_TALLY_COUNT; i++) {
        const char *key = ridge_tally_key_word(i);
        assert_non_null(key);
        assert_int_equal(strspn(key, "abcdefghijklmnopqrstuvwxyz_"), strlen(key));
        assert_non_null(ridge_tally_meaning(i));
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(key, ridge_tally_key_word(k));
        }
    }
    assert_string_equal(ridge_tally_meaning(RIDGE_TALLY_BARRIERS), "barriers that warps waited at");
    assert_null(ridge_tally_key_word(RIDGE_TALLY_COUNT));
    assert_null(ridge_tally_meaning(RIDGE_TALLY_COUNT));
}

static void test_counts_grow_along_a_line(void **state)
{
    (void)state;
    struct ridge_tally low = {.of = {[RIDGE_TALLY_WARPS] = 8, [RIDGE_TALLY_BARRIERS] = 14, [RIDGE_TALLY_LOOP] = 64}};
    struct ridge_tally high = {.of = {[RIDGE_TALLY_WARPS] = 8, [RIDGE_TALLY_BARRIERS] = 24, [RIDGE_TALLY_LOOP] = 64}};
    const struct rg_count_rule rule = {"k", {10, 20}, 100};
    low.warp_instructions[RG_CLASS_FMA] = 100;
    high.warp_instructions[RG_CLASS_FMA] = 200;
    rg_tally_extend(&low, &high, &rule, &high);
    assert_true(high.warp_instructions[RG_CLASS_FMA] == 1000);
    assert_true(high.of[RIDGE_TALLY_BARRIERS] == 104);
    assert_true(high.of[RIDGE_TALLY_WARPS] == 8);
    assert_true(high.of[RIDGE_TALLY_LOOP] == 64);
}

/** What jobs came to. */
struct seen {
    uint64_t done;
    uint64_t late;
    uint64_t crashed;
    int signal;
    uint64_t sum;
};

static void crew_work(void *user, uint64_t job, void *slot)
{
    (void)user;
    if (job == 3) {
        (void)kill(getpid(), SIGKILL); /* what no handler sees */
    }
    while (job == 5) {
        (void)pause();
    }
    *(uint64_t *)slot = job * job;
}

static bool crew_done(void *user, uint64_t job, const void *slot, rg_crew_end end, int signal)
{
    struct seen *seen = user;
    seen->done += end == RG_CREW_DONE;
    seen->late += end == RG_CREW_LATE && job == 5;
    seen->crashed += end == RG_CREW_CRASHED && job == 3;
    seen->signal = end == RG_CREW_CRASHED ? signal : seen->signal;
    seen->sum += end == RG_CREW_DONE ? *(const uint64_t *)slot : 0;
    return true;
}

static void test_crew_survives(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct seen seen = {0};
    const struct rg_crew crew = {.context = context,
                                 .workers = 3,
                                 .slot_bytes = sizeof(uint64_t),
                                 .timeout_s = 2,
                                 .work = crew_work,
                                 .done = crew_done,
                                 .user = &seen};
    assert_ok(rg_crew_run(&crew, 10, &error), &error);
    assert_true(seen.done == 8 && seen.late == 1 && seen.crashed == 1);
    assert_true(seen.sum == 285 - 9 - 25);
    assert_int_equal(seen.signal, SIGKILL);
    ridge_context_destroy(context);
}

static void work_and_die_later(void *user, uint64_t job, void *slot)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    (void)user;
    (void)slot;
    if (job == 0) {
        (void)signal(SIGALRM, SIG_DFL);
        (void)setitimer(ITIMER_REAL, &soon, NULL);
    }
}

static bool wait_for_death(void *user, uint64_t job, const void *slot, rg_crew_end end, int signal)
{
    const struct timespec long_enough = {.tv_nsec = 300000000};
    (void)slot;
    (void)signal;
    *(uint64_t *)user += end == RG_CREW_DONE;
    if (job == 0) {
        (void)nanosleep(&long_enough, NULL);
    }
    return true;
}

/** A worker that dies between two jobs has broken neither: the next goes to another. */
static void test_crew_death_between_jobs(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    uint64_t count = 0;
    const struct rg_crew crew = {.context = context,
                                 .workers = 1,
                                 .slot_bytes = 8,
                                 .timeout_s = 5,
                                 .work = work_and_die_later,
                                 .done = wait_for_death,
                                 .user = &count};
    assert_ok(rg_crew_run(&crew, 2, &error), &error);
    assert_true(count == 2);
    ridge_context_destroy(context);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void keep_words(void *user, ridge_log_level level, const char *message)
{
    (void)level;
    snprintf(user, 512, "%s", message);
}

static void keep_progress(void *user, uint64_t done, uint64_t total)
{
    uint64_t *seen = user;
    seen[done] = total;
}

/** A kernel that never ends: how far it is is told before the first ends, and what was waited for is said. */
static void test_never_ends(void **state)
{
    (void)state;
    char spec[] = "/tmp/ridge-counting-XXXXXX";
    char ptx[64];
    char words[512] = "";
    uint64_t seen[2] = {0, 0};
    close(mkstemp(spec));
    snprintf(ptx, sizeof ptx, "%s.ptx", spec);
    write_text(spec, "[kernel]\nname = \"k\"\nsources = { cuda = \"none.cu\" }\n[dims.block_x]\nvalues = [32]\n"
                     "[bench]\ngrid_x = \"1\"\n");
    write_text(ptx, ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nAGAIN:\nbra AGAIN;\n}\n");
    const struct ridge_context_options telling = {.log = keep_words, .log_user = words};
    const struct ridge_trace_options options = {.ptx = ptx, .timeout_s = 0.2};
    struct ridge_device_match device;
    struct ridge_device_db *devices = NULL;
    struct ridge_context *context = NULL;
    struct ridge_tracer *tracer = NULL;
    struct ridge_counted counted;
    struct ridge_error error = {0};
    assert_ok(ridge_context_create(&telling, &context, &error), &error);
    assert_ok(ridge_device_db_create(context, NULL, &devices, &error), &error);
    assert_ok(ridge_device_find(devices, "A100 PCIe 40GB", &device, &error), &error);
    assert_ok(ridge_tracer_open(context, spec, &options, &tracer, &error), &error);
    const struct ridge_count_options how = {.device = &device, .progress = keep_progress, .user = seen};
    assert_int_equal(ridge_count_space(tracer, &how, &counted, &error), RIDGE_E_MEASURE);
    assert_non_null(strstr(words, "it was not counted within 0.2 s (a smaller problem counts faster"));
    assert_non_null(strstr(error.message, "no configuration could be counted; the first: timeout: "));
    assert_true(seen[0] == 1 && seen[1] == 1);
    ridge_tracer_close(tracer);
    ridge_device_db_destroy(devices);
    ridge_context_destroy(context);
    unlink(spec);
    unlink(ptx);
}

static const char base[] = "[kernel]\nname = \"k\"\n[dims.block_x]\nvalues = [32]\n"
                           "[bench]\nparams = { n = 100, k = 64 }\n[[bench.args]]\nkind = \"in_f32\"\nlen = \"n\"\n";

/** Load a spec of two texts. \return its status */
static ridge_status load(struct ridge_context *context, const char *more, bool check, struct ridge_spec **spec,
                         struct ridge_error *error)
{
    char path[] = "/tmp/ridge-counting-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(write(descriptor, base, strlen(base)) == (ssize_t)strlen(base));
    assert_true(write(descriptor, more, strlen(more)) == (ssize_t)strlen(more));
    close(descriptor);
    const struct ridge_spec_options options = {.check = check};
    const ridge_status status = ridge_spec_load_with(context, path, &options, spec, error);
    unlink(path);
    return status;
}

static void test_keys(void **state)
{
    (void)state;
    struct ridge_context *context = test_context();
    struct ridge_error error = {0};
    struct ridge_spec *spec = NULL;
    const char good[] = "by_value = true\n[check]\nparams = { n = 7 }\n[count]\nalong = \"k\"\nat = [8, 16]\n";
    assert_ok(load(context, good, false, &spec, &error), &error);
    assert_true(spec->arguments[0].by_value);
    assert_string_equal(spec->count_rule.along, "k");
    assert_true(spec->count_rule.at[0] == 8 && spec->count_rule.at[1] == 16 && spec->count_rule.value == 64);
    assert_true(spec->params[1].constant->as.integer == 100);
    ridge_spec_destroy(spec);
    assert_ok(load(context, good, true, &spec, &error), &error);
    assert_true(spec->params[1].constant->as.integer == 7);
    ridge_spec_destroy(spec);
    ridge_context_destroy(context);
}

static void test_wrong_keys(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *says;
    } rows[] = {
        {"[check]\n", "`params`"},
        {"[check]\nparams = { m = 1 }\n", "no `m`"},
        {"[check]\nparams = { n = 1.5 }\n", "another type"},
        {"[check]\nparam = 1\n", "did you mean `params`"},
        {"[count]\nalong = \"k\"\n", "`at`"},
        {"[count]\nalong = \"z\"\nat = [1, 2]\n", "`z`"},
        {"[count]\nalong = \"k\"\nat = [2, 2]\n", "ascending"},
        {"[count]\nalong = \"k\"\nat = [0, 2]\n", "above 0"},
        {"[count]\nalong = \"k\"\nat = [1, 2, 3]\n", "two whole numbers"},
        {"[[bench.args]]\nkind = \"out_f32\"\nlen = \"n\"\nby_value = true\n", "by value"},
    };
    struct ridge_context *context = test_context();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ridge_error error = {0};
        struct ridge_spec *spec = NULL;
        assert_int_not_equal(load(context, rows[i].text, false, &spec, &error), RIDGE_OK);
        if (!strstr(error.message, rows[i].says) || error.line == 0) {
            fail_msg("%s gives: %s", rows[i].text, error.message);
        }
    }
    ridge_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_stand_for_all),
        cmocka_unit_test(test_edges_are_among_them),
        cmocka_unit_test(test_wanted_blocks),
        cmocka_unit_test(test_tally_words),
        cmocka_unit_test(test_counts_grow_along_a_line),
        cmocka_unit_test(test_crew_survives),
        cmocka_unit_test(test_crew_death_between_jobs),
        cmocka_unit_test(test_never_ends),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_wrong_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
