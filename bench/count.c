/* SPDX-License-Identifier: MIT */
/*
 * How good rankings by counted work are, beside those by hand-written expressions: bench_count SPECS DATA [N] draws N
 * configurations of each recorded kernel, counts them by running their code, and compares every ranking of these
 * configurations with what was recorded. Prints the table of docs/engine-counts.md.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/model.h"
#include "ridge/calibrate.h"
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
    uint64_t failed;
};

/** The rankings that are compared; all of the same configurations. */
static const struct column {
    const char *name;
    ridge_model model;
    bool counted; /* by the counts of the code, and none of the spec's expressions */
    bool without_judged;
} columns[] = {
    {"occupancy-waves", RIDGE_MODEL_OCCUPANCY_WAVES, false, false},
    {"work, by hand", RIDGE_MODEL_WORK, false, false},
    {"without judged", RIDGE_MODEL_WORK, false, true},
    {"work, counted", RIDGE_MODEL_WORK, true, false},
    {"without judged", RIDGE_MODEL_WORK, true, true},
};

enum {
    COLUMNS = sizeof columns / sizeof columns[0],
    BY_HAND = 1,
    BY_COUNT = 3
};

struct result {
    double rho[COLUMNS];
    struct ridge_interval interval; /* of the counted one */
    double rho_all;                 /* by hand, over all that was recorded: as in docs/calibration.md */
    uint64_t n;
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
    if (ridge_space_sample(counted->space, sample, 1, counted->choices, &counted->drawn, &error) != RIDGE_OK) {
        stop(path, &error);
    }
    for (uint64_t i = 0; i < counted->drawn; i++) {
        (void)ridge_space_index(counted->space, counted->choices + i * counted->width, &counted->indices[i], NULL);
    }
    const struct ridge_trace_options options = {
        .machine = machine[0] ? machine : NULL, .quick = true, .timeout_s = 1800, .cache_folder = cache};
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

/** With BENCH_COUNT_ROWS in the environment: everything that is known of a configuration, for looking at residuals. */
static void print_row(const struct counted *counted, uint64_t i, const struct set *set, double measured_s,
                      struct ridge_ranking *const *rankings)
{
    const uint32_t *choice = counted->choices + i * counted->width;
    const struct ridge_code *code = &counted->codes[counted->indices[i]];
    const struct ridge_estimate *by_count = &rankings[BY_COUNT]->estimates[counted->indices[i]];
    const struct ridge_estimate *by_hand = &rankings[BY_HAND]->estimates[counted->indices[i]];
    fprintf(stderr, "row %s %g %g %g %s %s", set->file, measured_s, by_count->cost, by_hand->cost,
            ridge_bound_word((ridge_bound)by_count->bound), ridge_bound_word((ridge_bound)by_hand->bound));
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

/** Rank the whole space in every way. */
static void rank(const struct counted *counted, const struct set *set, struct ridge_ranking **rankings)
{
    struct ridge_error error = {0};
    struct ridge_device_match match;
    if (ridge_device_find(devices, set->device, &match, &error) != RIDGE_OK) {
        stop(set->file, &error);
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        const struct ridge_rank_options options = {.model = columns[i].model,
                                                   .devices = devices,
                                                   .device = &match,
                                                   .without_judged = columns[i].without_judged,
                                                   .code = columns[i].counted ? counted->codes : NULL,
                                                   .code_count = columns[i].counted ? counted->space_count : 0};
        const struct ridge_space *space = columns[i].counted ? counted->bare : counted->space;
        if (ridge_rank(context, space, &options, &rankings[i], &error) != RIDGE_OK) {
            stop(set->file, &error);
        }
    }
}

/** Compare the rankings of what was drawn, counted and recorded. */
static void compare_rankings(const struct counted *counted, const struct set *set,
                             struct ridge_ranking *const *rankings, const double *times, struct result *result)
{
    static double costs[COLUMNS][MOST_SAMPLE];
    static double measured[MOST_SAMPLE];
    for (uint64_t i = 0; i < counted->drawn; i++) {
        const uint64_t at = counted->indices[i];
        if (isnan(times[i]) || !counted->codes[at].work) {
            continue;
        }
        for (size_t k = 0; k < COLUMNS; k++) {
            costs[k][result->n] = rankings[k]->estimates[at].cost;
        }
        measured[result->n++] = times[i];
        if (getenv("BENCH_COUNT_ROWS")) {
            print_row(counted, i, set, times[i], rankings);
        }
    }
    for (size_t k = 0; k < COLUMNS; k++) {
        result->rho[k] = (double)NAN;
        (void)ridge_spearman(context, costs[k], result->n, measured, result->n, &result->rho[k], NULL);
    }
    (void)ridge_spearman_interval(context, costs[BY_COUNT], measured, result->n, RESAMPLES, 1, &result->interval, NULL);
}

static struct result judge(const struct counted *counted, const struct set *set, const char *data)
{
    char path[4096];
    static double times[MOST_SAMPLE];
    struct ridge_error error = {0};
    struct ridge_run *run = NULL;
    struct ridge_ranking *rankings[COLUMNS] = {NULL};
    struct ridge_calibration all = {.rho = (double)NAN};
    const struct ridge_record_hints hints = {NULL, set->device};
    snprintf(path, sizeof path, "%s/%s", data, set->file);
    if (ridge_record_read(context, path, &hints, &run, &error) != RIDGE_OK) {
        stop(path, &error);
    }
    rank(counted, set, rankings);
    times_of(counted, rankings[BY_HAND], run, times);
    struct result result = {.n = 0};
    compare_rankings(counted, set, rankings, times, &result);
    if (ridge_calibrate(context, counted->space, rankings[BY_HAND], run, 0, &all, NULL, &error) != RIDGE_OK) {
        stop(path, &error);
    }
    result.rho_all = all.rho;
    for (size_t i = 0; i < COLUMNS; i++) {
        ridge_ranking_destroy(rankings[i]);
    }
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

static void print_head(uint64_t sample)
{
    printf("%llu configurations of each kernel, drawn at random (seed 1):\n\n| set | n |", (unsigned long long)sample);
    for (size_t i = 0; i < COLUMNS; i++) {
        printf(" %s |%s", columns[i].name, i == BY_COUNT ? " 95 % |" : "");
    }
    printf(" registers | by hand, all recorded |\n|---|---|");
    for (size_t i = 0; i < COLUMNS + 3; i++) {
        printf("---|");
    }
    printf("\n");
}

static void print_set(const struct set *set, const struct result *result, const char *machine)
{
    printf("| %s | %llu |", set->file, (unsigned long long)result->n);
    for (size_t i = 0; i < COLUMNS; i++) {
        printf(" %.3f |", result->rho[i]);
        if (i == BY_COUNT) {
            printf(" %.3f to %.3f |", result->interval.low, result->interval.high);
        }
    }
    printf(" %s | %.3f |\n", machine[0] ? machine : "not known", result->rho_all);
    (void)fflush(stdout);
}

/** Medians of a column over the sets of a vendor; the one behind the last column is that over all recorded. */
static double median_of(const struct result *results, const bool *there, bool amd, size_t column, uint64_t *n)
{
    double values[SETS] = {0};
    *n = 0;
    for (size_t i = 0; i < SETS; i++) {
        if (there[i] && sets[i].amd == amd) {
            values[(*n)++] = column < COLUMNS ? results[i].rho[column] : results[i].rho_all;
        }
    }
    return median(values, *n);
}

static void print_medians(const struct result *results, const bool *there)
{
    for (int amd = 0; amd < 2; amd++) {
        uint64_t n = 0;
        const double all = median_of(results, there, amd != 0, COLUMNS, &n);
        if (n == 0) {
            continue;
        }
        printf("| **median of %llu, %s** | |", (unsigned long long)n, amd ? "AMD" : "NVIDIA");
        for (size_t i = 0; i < COLUMNS; i++) {
            printf(" **%.3f** |%s", median_of(results, there, amd != 0, i, &n), i == BY_COUNT ? " |" : "");
        }
        printf(" | **%.3f** |\n", all);
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
    print_head(sample);
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
            fprintf(stderr, "%s %s: %.1f ms to run one (median), %llu of %llu not counted\n", sets[i].kernel, machine,
                    1e3 * median(counted.runs_s, counted.drawn), (unsigned long long)counted.failed,
                    (unsigned long long)counted.drawn);
        }
        results[i] = judge(&counted, &sets[i], argv[2]);
        there[i] = true;
        print_set(&sets[i], &results[i], machine);
    }
    print_medians(results, there);
    uncount(&counted);
    ridge_device_db_destroy(devices);
    ridge_context_destroy(context);
    return 0;
}
