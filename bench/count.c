/* SPDX-License-Identifier: MIT */
/*
 * How good rankings by counted work are, beside those by hand-written expressions: bench_count SPECS DATA [N] draws N
 * configurations of each recorded kernel, counts them by running their code, and compares both rankings of these
 * configurations with what was recorded. Prints the tables of docs/engine-counts.md.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/model.h"
#include "ridge/record.h"
#include "ridge/stats.h"
#include "ridge/trace.h"

enum {
    DEFAULT_SAMPLE = 100,
    MOST_SAMPLE = 4096,
    RESAMPLES = 500
};

static const struct set {
    const char *kernel;
    const char *file;
    const char *device;
    bool amd;
} sets[] = {
    {"convolution_15", "convolution_15/A100.json.gz", "A100 PCIe 40GB", false},
    {"convolution_15", "convolution_15/A4000.json.gz", "RTX A4000", false},
    {"convolution_15", "convolution_15/MI250X.json.gz", "MI250X", true},
    {"convolution_15", "convolution_15/W6600.json.gz", "W6600", true},
    {"convolution_17", "convolution_17/A4000.json.gz", "RTX A4000", false},
    {"convolution_17", "convolution_17/A6000.json.gz", "RTX A6000", false},
    {"convolution_17", "convolution_17/MI50.json.gz", "MI50", true},
    {"convolution_tile8", "convolution_tile8/RTX_2080_Ti.json.gz", "RTX 2080 Ti", false},
    {"convolution_tile8", "convolution_tile8/RTX_3060_laptop.json.gz", "RTX 3060 Laptop GPU", false},
    {"convolution_tile8", "convolution_tile8/RTX_3090.json.gz", "GeForce RTX 3090", false},
    {"dedispersion", "dedispersion/A4000.json.gz", "RTX A4000", false},
    {"dedispersion", "dedispersion/MI250X.json.gz", "MI250X", true},
    {"dedispersion", "dedispersion/W6600.json.gz", "W6600", true},
    {"gemm", "gemm/RTX_2080_Ti.json.gz", "RTX 2080 Ti", false},
    {"gemm", "gemm/RTX_3060_laptop.json.gz", "RTX 3060 Laptop GPU", false},
    {"gemm", "gemm/RTX_3090.json.gz", "GeForce RTX 3090", false},
    {"pnpoly", "pnpoly/RTX_3060_laptop.json.gz", "RTX 3060 Laptop GPU", false},
    {"pnpoly", "pnpoly/RTX_3090.json.gz", "GeForce RTX 3090", false},
};

enum {
    SETS = sizeof sets / sizeof sets[0]
};

/** The counts of one kernel's drawn configurations; registers are those of the machine counted for. */
struct counted {
    const char *kernel;
    char machine[16];
    struct ridge_spec *spec;
    struct ridge_spec *bare_spec;
    struct ridge_space *space;
    struct ridge_space *bare;
    size_t width;
    uint32_t *choices;
    uint64_t drawn;
    uint64_t *indices;
    struct ridge_code *codes; /* of the whole space */
    uint64_t space_count;
    double (*work)[RIDGE_WORK_KEYS];
    double *runs_s;
    double *compiles_s;
    uint64_t failed;
};

struct result {
    double by_count;
    double by_hand;
    struct ridge_interval interval;
    uint64_t n;
    double run_s;
    double compile_s;
};

static struct ridge_context *context; /* of the whole program, as the next */
static struct ridge_device_db *devices;

static void stop(const char *what, const struct ridge_error *error)
{
    fprintf(stderr, "bench_count: %s: %s\n", what, error->message);
    exit(1);
}

static bool take(void *user, uint64_t index, const struct ridge_trace *trace)
{
    struct counted *counted = user;
    const bool usable = trace->outcome == RIDGE_OUTCOME_OK && !isnan(trace->work[RG_WORK_INSTRUCTIONS]);
    counted->runs_s[index] = trace->run_s;
    counted->compiles_s[index] = trace->compile_s;
    if (!usable) {
        counted->failed++;
        fprintf(stderr, "%s %s: %s\n", counted->kernel, trace->id, trace->text ? trace->text : "no instructions");
        return true;
    }
    struct ridge_code *code = &counted->codes[counted->indices[index]];
    memcpy(counted->work[index], trace->work, sizeof trace->work);
    *code = (struct ridge_code){.compiled = trace->compiled,
                                .registers = trace->registers,
                                .spill_bytes = trace->spill_bytes,
                                .smem_static_bytes = (uint32_t)trace->shared_bytes,
                                .work = counted->work[index]};
    return true;
}

static void spaces_open(struct counted *counted, const char *path)
{
    struct ridge_error error = {0};
    const struct ridge_spec_options bare = {.without_work = true};
    if (ridge_spec_load(context, path, NULL, 0, &counted->spec, &error) != RIDGE_OK ||
        ridge_spec_load_with(context, path, &bare, &counted->bare_spec, &error) != RIDGE_OK ||
        ridge_space_create(context, counted->spec, &counted->space, &error) != RIDGE_OK ||
        ridge_space_create(context, counted->bare_spec, &counted->bare, &error) != RIDGE_OK ||
        ridge_space_count(counted->space, &counted->space_count, &error) != RIDGE_OK) {
        stop(path, &error);
    }
    counted->width = ridge_space_dimension_count(counted->space);
}

static void count(struct counted *counted, const char *specs, const char *kernel, const char *machine, uint64_t sample)
{
    char path[4096];
    char cache[4096];
    struct ridge_error error = {0};
    struct ridge_tracer *tracer = NULL;
    snprintf(path, sizeof path, "%s/%s", specs, kernel);
    snprintf(cache, sizeof cache, "%s/%s/.ridge/compiled", specs, kernel);
    counted->kernel = kernel;
    snprintf(counted->machine, sizeof counted->machine, "%s", machine);
    spaces_open(counted, path);
    counted->choices = calloc(sample * counted->width, sizeof *counted->choices);
    counted->indices = calloc(sample, sizeof *counted->indices);
    counted->codes = calloc(counted->space_count, sizeof *counted->codes);
    counted->work = calloc(sample, sizeof *counted->work);
    counted->runs_s = calloc(sample, sizeof(double));
    counted->compiles_s = calloc(sample, sizeof(double));
    if (ridge_space_sample(counted->space, sample, 1, counted->choices, &counted->drawn, &error) != RIDGE_OK) {
        stop(path, &error);
    }
    for (uint64_t i = 0; i < counted->drawn; i++) {
        (void)ridge_space_index(counted->space, counted->choices + i * counted->width, &counted->indices[i], NULL);
    }
    const struct ridge_trace_options options = {
        .machine = machine[0] ? machine : NULL, .quick = true, .timeout_s = 300, .cache_folder = cache};
    if (ridge_tracer_open(context, path, &options, &tracer, &error) != RIDGE_OK ||
        ridge_trace_each(tracer, counted->choices, counted->drawn, take, counted, &error) != RIDGE_OK) {
        stop(path, &error);
    }
    ridge_tracer_close(tracer);
}

static void uncount(struct counted *counted)
{
    ridge_space_destroy(counted->bare);
    ridge_space_destroy(counted->space);
    ridge_spec_destroy(counted->bare_spec);
    ridge_spec_destroy(counted->spec);
    free(counted->choices);
    free(counted->indices);
    free(counted->codes);
    free(counted->work);
    free(counted->runs_s);
    free(counted->compiles_s);
    memset(counted, 0, sizeof *counted);
}

/** The recorded times of the drawn configurations; NaN where there is none. */
static void times_of(const struct counted *counted, const struct ridge_ranking *ranking, const struct ridge_run *run,
                     double *times)
{
    struct rg_join join;
    uint64_t *keys = calloc(counted->space_count, sizeof *keys);
    for (uint64_t i = 0; i < counted->space_count; i++) {
        keys[i] = rg_rows_key(counted->space, ranking->choices + i * counted->width);
    }
    const struct rg_rows rows = {counted->space, counted->space_count, ranking->choices, keys};
    const char *missing = rg_join_init(&join, &rows, run);
    double *all = calloc(counted->space_count, sizeof *all);
    for (uint64_t i = 0; i < run->record_count && !missing; i++) {
        const uint64_t at = rg_join_row(&join, &run->records[i]);
        if (at != UINT64_MAX) {
            all[at] = rg_record_time(&run->records[i]);
        }
    }
    for (uint64_t i = 0; i < counted->drawn; i++) {
        const double time = all[counted->indices[i]];
        times[i] = time > 0 && isfinite(time) ? time : (double)NAN;
    }
    free(all);
    free(keys);
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(const double *values, uint64_t n)
{
    double sorted[MOST_SAMPLE];
    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare);
    return n > 0 ? (sorted[n / 2] + sorted[(n - 1) / 2]) / 2 : (double)NAN;
}

/** What one configuration was measured and estimated at. */
struct costs {
    double measured_s;
    const struct ridge_estimate *by_count;
    const struct ridge_estimate *by_hand;
};

/** With BENCH_COUNT_ROWS in the environment: everything that is known of a configuration, for looking at residuals. */
static void print_row(const struct counted *counted, uint64_t i, const struct set *set, const struct costs *costs)
{
    const uint32_t *choice = counted->choices + i * counted->width;
    const struct ridge_code *code = &counted->codes[counted->indices[i]];
    fprintf(stderr, "row %s %g %g %g %s %s", set->file, costs->measured_s, costs->by_count->cost, costs->by_hand->cost,
            ridge_bound_word((ridge_bound)costs->by_count->bound),
            ridge_bound_word((ridge_bound)costs->by_hand->bound));
    for (size_t k = 0; k < counted->width; k++) {
        char value[64];
        ridge_value_format(ridge_space_value(counted->space, k, choice[k]), value, sizeof value);
        fprintf(stderr, " %s=%s", ridge_space_dimension_name(counted->space, k), value);
    }
    for (size_t k = 0; k < RIDGE_WORK_KEYS; k++) {
        fprintf(stderr, " %s:%g", ridge_work_key(k), counted->work[i][k]);
    }
    fprintf(stderr, " registers:%u spills:%u\n", code->registers, code->spill_bytes);
}

static struct result judge(const struct counted *counted, const struct set *set, const char *data)
{
    char path[4096];
    struct ridge_error error = {0};
    struct ridge_device_match match;
    struct ridge_run *run = NULL;
    struct ridge_ranking *by_count = NULL;
    struct ridge_ranking *by_hand = NULL;
    const struct ridge_record_hints hints = {NULL, set->device};
    snprintf(path, sizeof path, "%s/%s", data, set->file);
    if (ridge_record_read(context, path, &hints, &run, &error) != RIDGE_OK ||
        ridge_device_find(devices, set->device, &match, &error) != RIDGE_OK) {
        stop(path, &error);
    }
    struct ridge_rank_options options = {.model = RIDGE_MODEL_WORK, .devices = devices, .device = &match};
    if (ridge_rank(context, counted->space, &options, &by_hand, &error) != RIDGE_OK) {
        stop(set->file, &error);
    }
    options.code = counted->codes;
    options.code_count = counted->space_count;
    if (ridge_rank(context, counted->bare, &options, &by_count, &error) != RIDGE_OK) {
        stop(set->file, &error);
    }
    static double times[MOST_SAMPLE];
    static double x[MOST_SAMPLE];
    static double y[MOST_SAMPLE];
    static double z[MOST_SAMPLE];
    times_of(counted, by_hand, run, times);
    struct result result = {.by_count = (double)NAN, .by_hand = (double)NAN};
    for (uint64_t i = 0; i < counted->drawn; i++) {
        const uint64_t at = counted->indices[i];
        if (!isnan(times[i]) && counted->codes[at].work) {
            x[result.n] = by_count->estimates[at].cost;
            y[result.n] = by_hand->estimates[at].cost;
            z[result.n++] = times[i];
            if (getenv("BENCH_COUNT_ROWS")) {
                print_row(counted, i, set,
                          &(const struct costs){times[i], &by_count->estimates[at], &by_hand->estimates[at]});
            }
        }
    }
    (void)ridge_spearman(context, x, result.n, z, result.n, &result.by_count, NULL);
    (void)ridge_spearman(context, y, result.n, z, result.n, &result.by_hand, NULL);
    (void)ridge_spearman_interval(context, x, z, result.n, RESAMPLES, 1, &result.interval, NULL);
    result.run_s = median(counted->runs_s, counted->drawn);
    result.compile_s = median(counted->compiles_s, counted->drawn);
    ridge_ranking_destroy(by_count);
    ridge_ranking_destroy(by_hand);
    ridge_run_destroy(run);
    return result;
}

/** "sm_86" of an NVIDIA GPU, "" of others. */
static void machine_of(const char *name, char out[16])
{
    struct ridge_error error = {0};
    struct ridge_device_match match;
    int major = 0;
    int minor = 0;
    out[0] = '\0';
    if (ridge_device_find(devices, name, &match, &error) == RIDGE_OK && match.devices[0]->architecture &&
        sscanf(match.devices[0]->architecture->name, "cc:%d.%d", &major, &minor) == 2) {
        snprintf(out, 16, "sm_%d%d", major, minor);
    }
}

static void print_medians(const struct result *results, const bool *there)
{
    printf("\n| sets | counted | by hand |\n|---|---|---|\n");
    for (int amd = 0; amd < 2; amd++) {
        double by_count[SETS] = {0};
        double by_hand[SETS] = {0};
        uint64_t n = 0;
        for (size_t i = 0; i < SETS; i++) {
            if (there[i] && sets[i].amd == (amd != 0)) {
                by_count[n] = results[i].by_count;
                by_hand[n++] = results[i].by_hand;
            }
        }
        printf("| median of %llu, %s | %.3f | %.3f |\n", (unsigned long long)n, amd ? "AMD" : "NVIDIA",
               median(by_count, n), median(by_hand, n));
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_count SPECS DATA [N] [KERNEL]\n");
        return 2;
    }
    struct ridge_error error = {0};
    const uint64_t asked = argc > 3 ? strtoull(argv[3], NULL, 10) : DEFAULT_SAMPLE;
    const uint64_t sample = asked > 0 && asked <= MOST_SAMPLE ? asked : DEFAULT_SAMPLE;
    if (ridge_context_create(NULL, &context, &error) != RIDGE_OK ||
        ridge_device_db_create(context, NULL, &devices, &error) != RIDGE_OK) {
        stop("start", &error);
    }
    struct counted counted = {.kernel = ""};
    struct result results[SETS];
    bool there[SETS] = {false};
    printf(
        "%llu configurations of each kernel, drawn at random (seed 1).\n\n| set | rho, counted | 95 %% | rho, by hand | n "
        "| ms to run one | registers |\n|---|---|---|---|---|---|---|\n",
        (unsigned long long)sample);
    for (size_t i = 0; i < SETS; i++) {
        char machine[16];
        char path[4096];
        struct stat facts;
        snprintf(path, sizeof path, "%s/%s", argv[2], sets[i].file);
        if ((argc > 4 && strcmp(argv[4], sets[i].kernel) != 0) || stat(path, &facts) != 0) {
            continue;
        }
        machine_of(sets[i].device, machine);
        if (strcmp(counted.kernel, sets[i].kernel) != 0 || strcmp(counted.machine, machine) != 0) {
            uncount(&counted);
            count(&counted, argv[1], sets[i].kernel, machine, sample);
        }
        results[i] = judge(&counted, &sets[i], argv[2]);
        there[i] = true;
        printf("| %s | %.3f | %.3f to %.3f | %.3f | %llu | %.1f | %s |\n", sets[i].file, results[i].by_count,
               results[i].interval.low, results[i].interval.high, results[i].by_hand, (unsigned long long)results[i].n,
               1e3 * results[i].run_s, machine[0] ? machine : "not known");
        (void)fflush(stdout);
    }
    print_medians(results, there);
    uncount(&counted);
    ridge_device_db_destroy(devices);
    ridge_context_destroy(context);
    return 0;
}
