/* SPDX-License-Identifier: MIT */
/*
 * How good the rankings are: every recorded set is ranked without its own device's records and compared with what was
 * measured. bench_rank SPECS DATA prints the tables of docs/calibration.md; --speed SPECS [DATA] how fast ranking is, and
 * reading the recorded files.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cost.h"
#include "model/model.h"
#include "rank_import.h"
#include "ridge/calibrate.h"
#include "ridge/record.h"

static const struct set {
    const char *kernel;
    const char *file;
    const char *device;
} sets[] = {
    {"convolution_15", "convolution_15/A100.json.gz", "A100 PCIe 40GB"},
    {"convolution_15", "convolution_15/A4000.json.gz", "RTX A4000"},
    {"convolution_15", "t4/convolution_15_A100.json.gz", "A100 PCIe 40GB"},
    {"convolution_17", "convolution_17/A4000.json.gz", "RTX A4000"},
    {"convolution_17", "convolution_17/A6000.json.gz", "RTX A6000"},
    {"convolution_tile8", "convolution_tile8/RTX_2080_Ti.json.gz", "RTX 2080 Ti"},
    {"convolution_tile8", "convolution_tile8/RTX_3060_laptop.json.gz", "RTX 3060 Laptop GPU"},
    {"convolution_tile8", "convolution_tile8/RTX_3090.json.gz", "GeForce RTX 3090"},
    {"convolution_tile8", "ktt/convolution_tile8_RTX_3090.json.gz", "GeForce RTX 3090"},
    {"dedispersion", "dedispersion/A4000.json.gz", "RTX A4000"},
    {"gemm", "gemm/RTX_2080_Ti.json.gz", "RTX 2080 Ti"},
    {"gemm", "gemm/RTX_3060_laptop.json.gz", "RTX 3060 Laptop GPU"},
    {"gemm", "gemm/RTX_3090.json.gz", "GeForce RTX 3090"},
    {"pnpoly", "pnpoly/RTX_3060_laptop.json.gz", "RTX 3060 Laptop GPU"},
    {"pnpoly", "pnpoly/RTX_3090.json.gz", "GeForce RTX 3090"},
    {"pnpoly", "ktt/pnpoly_RTX_3090.json.gz", "GeForce RTX 3090"},
    {"convolution_15", "convolution_15/MI250X.json.gz", "MI250X"},
    {"convolution_15", "convolution_15/W6600.json.gz", "W6600"},
    {"convolution_17", "convolution_17/MI50.json.gz", "MI50"},
    {"dedispersion", "dedispersion/MI250X.json.gz", "MI250X"},
    {"dedispersion", "dedispersion/W6600.json.gz", "W6600"},
};

enum {
    SETS = sizeof sets / sizeof sets[0]
};

static const struct {
    const char *name;
    ridge_model model;
    bool without_judged;
} columns[] = {
    {"occupancy-waves", RIDGE_MODEL_OCCUPANCY_WAVES, false}, {"work", RIDGE_MODEL_WORK, false},
    {"work without judged", RIDGE_MODEL_WORK, true},         {"transfer", RIDGE_MODEL_TRANSFER, false},
    {"transfer without judged", RIDGE_MODEL_TRANSFER, true}, {"auto", RIDGE_MODEL_AUTO, false},
    {"auto without judged", RIDGE_MODEL_AUTO, true},
};

enum {
    COLUMNS = sizeof columns / sizeof columns[0]
};

struct bench {
    struct ridge_context *context;
    struct ridge_device_db *devices;
    const char *specs;
    struct ridge_run *runs[SETS];
    struct ridge_run views[SETS]; /* the runs with dimensions named as the specs name them */
    const char *names[SETS][64];
    struct ridge_calibration results[SETS][COLUMNS];
    bool done[SETS][COLUMNS];
    bool amd[SETS];
    bool all; /* medians take other tools' records too */
};

static int fail(const struct ridge_error *error)
{
    char text[4096];
    ridge_error_format(error, text, sizeof text);
    fprintf(stderr, "bench_rank: %s\n", text);
    return 1;
}

static ridge_status read_runs(struct bench *bench, const char *data, struct ridge_error *error)
{
    for (size_t i = 0; i < SETS; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", data, sets[i].file);
        const struct ridge_record_hints hints = {sets[i].kernel, sets[i].device};
        const ridge_status status = ridge_record_read(bench->context, path, &hints, &bench->runs[i], error);
        if (status != RIDGE_OK) {
            return status;
        }
        bench->views[i] = *bench->runs[i];
        for (size_t k = 0; k < bench->views[i].dimension_count && k < 64; k++) {
            const char *name = bench->runs[i]->dimension_names[k];
            bench->names[i][k] = strcmp(name, "PADDING") == 0 ? "use_padding" : name; /* KTT's name for it */
        }
        bench->views[i].dimension_names = bench->names[i];
    }
    return RIDGE_OK;
}

/** Whether a file is another tool's record of a kernel and device that is there already. */
static bool is_other_tool(size_t set)
{
    return strncmp(sets[set].file, "t4/", 3) == 0 || strncmp(sets[set].file, "ktt/", 4) == 0;
}

/** Records of the same kernel on every other device. */
static size_t gather_evidence(const struct bench *bench, size_t own, struct ridge_evidence *evidence)
{
    size_t count = 0;
    for (size_t i = 0; i < SETS; i++) {
        if (strcmp(sets[i].kernel, sets[own].kernel) == 0 && strcmp(sets[i].device, sets[own].device) != 0 &&
            !is_other_tool(i)) {
            evidence[count++] = (struct ridge_evidence){&bench->views[i], sets[i].device};
        }
    }
    return count;
}

static ridge_status run_set(struct bench *bench, size_t index, struct ridge_error *error)
{
    struct ridge_device_match match;
    struct ridge_spec *spec = NULL;
    struct ridge_space *space = NULL;
    struct ridge_evidence evidence[SETS];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", bench->specs, sets[index].kernel);
    ridge_status status = ridge_device_find(bench->devices, sets[index].device, &match, error);
    status = status == RIDGE_OK ? ridge_spec_load(bench->context, path, NULL, 0, &spec, error) : status;
    status = status == RIDGE_OK ? ridge_space_create(bench->context, spec, &space, error) : status;
    bench->amd[index] = status == RIDGE_OK && strcmp(match.devices[0]->vendor, "AMD") == 0;
    for (size_t i = 0; i < COLUMNS && status == RIDGE_OK; i++) {
        const struct ridge_rank_options options = {.model = columns[i].model,
                                                   .devices = bench->devices,
                                                   .device = &match,
                                                   .evidence = evidence,
                                                   .evidence_count = gather_evidence(bench, index, evidence),
                                                   .without_judged = columns[i].without_judged};
        struct ridge_ranking *ranking = NULL;
        status = ridge_rank(bench->context, space, &options, &ranking, error);
        if (status == RIDGE_OK) {
            status = ridge_calibrate(bench->context, space, ranking, &bench->views[index], 0, &bench->results[index][i],
                                     NULL, error);
            bench->done[index][i] = status == RIDGE_OK;
        }
        ridge_ranking_destroy(ranking);
    }
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    return status;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return count > 0 ? ridge_quantile(values, count, 0.5) : (double)NAN;
}

/** What a summary takes of one result. */
typedef double (*pick_fn)(const struct ridge_calibration *result);
static double pick_rho(const struct ridge_calibration *result)
{
    return result->rho;
}
static double pick_recall(const struct ridge_calibration *result)
{
    return result->recall10;
}
static double pick_regret1(const struct ridge_calibration *result)
{
    return result->regret[0];
}
static double pick_regret10(const struct ridge_calibration *result)
{
    return result->regret[1];
}
static double pick_regret50(const struct ridge_calibration *result)
{
    return result->regret[2];
}
static double pick_regret100(const struct ridge_calibration *result)
{
    return result->regret[3];
}
static double pick_evals5(const struct ridge_calibration *result)
{
    return log(result->evals_to_5pct);
}
static double pick_evals1(const struct ridge_calibration *result)
{
    return log(result->evals_to_1pct);
}
static double pick_random5(const struct ridge_calibration *result)
{
    return log(result->random_evals_to_5pct);
}
static double pick_random1(const struct ridge_calibration *result)
{
    return log(result->random_evals_to_1pct);
}

static size_t collect(const struct bench *bench, bool amd, size_t column, pick_fn pick, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < SETS; i++) {
        if (bench->amd[i] == amd && bench->done[i][column] && (bench->all || !is_other_tool(i))) {
            out[count++] = pick(&bench->results[i][column]);
        }
    }
    return count;
}

static double median_of(const struct bench *bench, bool amd, size_t column, pick_fn pick)
{
    double values[SETS] = {0};
    return median(values, collect(bench, amd, column, pick, values));
}

static double geometric(const struct bench *bench, bool amd, size_t column, pick_fn pick)
{
    double values[SETS] = {0};
    const size_t count = collect(bench, amd, column, pick, values);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return exp(sum / (double)count);
}

static void print_medians(const struct bench *bench, bool amd)
{
    printf("\n### %s\n\nMedians; evaluations: geometric means.\n\n",
           bench->all ? "All sets, with the t4 and ktt files" : "All sets, each device once");
    printf(
        "| model | rho | recall10 | regret@1 | @10 | @50 | @100 | to 5 %% | to 1 %% |\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < COLUMNS; i++) {
        printf("| %s | %.3f | %.1f | %.3f | %.3f | %.3f | %.3f | %.1f | %.1f |\n", columns[i].name,
               median_of(bench, amd, i, pick_rho), median_of(bench, amd, i, pick_recall),
               median_of(bench, amd, i, pick_regret1), median_of(bench, amd, i, pick_regret10),
               median_of(bench, amd, i, pick_regret50), median_of(bench, amd, i, pick_regret100),
               geometric(bench, amd, i, pick_evals5), geometric(bench, amd, i, pick_evals1));
    }
    printf("| random order | | | | | | | %.1f | %.1f |\n", geometric(bench, amd, 0, pick_random5),
           geometric(bench, amd, 0, pick_random1));
}

static void print_sets(const struct bench *bench, bool amd)
{
    printf("\n### Set by set\n");
    printf(
        "\n| set | device | model | n | rho | recall10 | regret@1 | @10 | @50 | @100 | to 5 %% | random | to 1 %% | random |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < SETS; i++) {
        for (size_t k = 0; k < COLUMNS && bench->amd[i] == amd; k++) {
            const struct ridge_calibration *r = &bench->results[i][k];
            printf("| %s | %s | %s | %llu | %.3f | %u | %.3f | %.3f | %.3f | %.3f | %.1f | %.1f | %.1f | %.1f |\n",
                   sets[i].file, sets[i].device, columns[k].name, (unsigned long long)r->n, r->rho, r->recall10,
                   r->regret[0], r->regret[1], r->regret[2], r->regret[3], r->evals_to_5pct, r->random_evals_to_5pct,
                   r->evals_to_1pct, r->random_evals_to_1pct);
        }
    }
}

/** Estimate one kernel's space again and again. */
static ridge_status time_model(struct bench *bench, const char *kernel, bool waves, struct ridge_error *error)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", bench->specs, kernel);
    struct ridge_spec *spec = NULL;
    struct ridge_space *space = NULL;
    struct ridge_ranking *ranking = NULL;
    struct ridge_device_match match;
    struct rg_sheet sheet;
    struct rg_work_model work = {.table = NULL};
    struct rg_occupancy_waves published;
    struct rg_arena arena;
    rg_arena_init(&arena, bench->context);
    struct rg_notes notes = {.arena = &arena};
    ridge_status status = ridge_device_find(bench->devices, "GeForce RTX 3090", &match, error);
    status = status == RIDGE_OK ? ridge_spec_load(bench->context, path, NULL, 0, &spec, error) : status;
    status = status == RIDGE_OK ? ridge_space_create(bench->context, spec, &space, error) : status;
    const struct ridge_rank_options options = {.model = RIDGE_MODEL_OCCUPANCY_WAVES, .device = &match};
    status = status == RIDGE_OK ? ridge_rank(bench->context, space, &options, &ranking, error) : status;
    status = status == RIDGE_OK ? rg_sheet_init(&sheet, bench->context, space, !waves, error) : status;
    status = status == RIDGE_OK ? rg_occupancy_waves_init(&published, &match, &notes, error) : status;
    status = status == RIDGE_OK ? rg_work_model_init(&work, bench->context, spec, &options, &notes, error) : status;
    struct rg_desk *desk = calloc(1, sizeof *desk);
    if (status != RIDGE_OK || !desk) {
        free(desk);
        return status == RIDGE_OK ? RIDGE_E_MEMORY : status;
    }
    struct ridge_estimate out[RG_COLUMN_ROWS];
    uint64_t rows = 0;
    const double begin = cpu_seconds();
    double end = begin;
    for (; end - begin < 0.3; end = cpu_seconds()) {
        for (uint64_t at = 0; at < ranking->count; at += RG_COLUMN_ROWS) {
            const uint64_t left = ranking->count - at;
            const size_t count = left < RG_COLUMN_ROWS ? (size_t)left : RG_COLUMN_ROWS;
            rg_sheet_fill(&sheet, ranking->choices + at * ranking->dimension_count, count, desk);
            if (waves) {
                rg_occupancy_waves_estimate(&published, desk, count, out);
            } else {
                rg_work_estimate(&work, desk, count, out);
            }
            rows += count;
        }
    }
    printf("| %s | %s | %.2f |\n", kernel, waves ? "occupancy-waves" : "work", 1e-6 * (double)rows / (end - begin));
    free(desk);
    rg_sheet_fini(&sheet);
    rg_work_model_fini(&work);
    rg_arena_fini(&arena);
    ridge_ranking_destroy(ranking);
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    return RIDGE_OK;
}

static int speed(struct bench *bench, const char *data)
{
    struct import_file files[SETS];
    struct ridge_error error = {0};
    printf("| space | model | million configurations a second a core |\n|---|---|---|\n");
    for (size_t i = 0; i < SETS; i++) {
        const bool seen = i > 0 && strcmp(sets[i].kernel, sets[i - 1].kernel) == 0;
        files[i] = (struct import_file){sets[i].file, {sets[i].kernel, sets[i].device}};
        if (seen || i > 15) {
            continue;
        }
        if (time_model(bench, sets[i].kernel, false, &error) != RIDGE_OK ||
            time_model(bench, sets[i].kernel, true, &error) != RIDGE_OK) {
            return fail(&error);
        }
    }
    return data && print_import_speed(bench->context, data, files, SETS, &error) != RIDGE_OK ? fail(&error) : 0;
}

/** Whether a set is a record of another device of the same vendor and kernel, by the same tool. */
static bool is_peer(const struct bench *bench, size_t own, size_t other)
{
    return strcmp(sets[own].kernel, sets[other].kernel) == 0 && strcmp(sets[own].device, sets[other].device) != 0 &&
           bench->amd[own] == bench->amd[other] && !is_other_tool(other);
}

/** Rank a set by the record of one other device alone: how alike the two devices are, as far as ranks go. */
static ridge_status likeness(struct bench *bench, size_t own, size_t other, double *rho, struct ridge_error *error)
{
    struct ridge_device_match match;
    struct ridge_spec *spec = NULL;
    struct ridge_space *space = NULL;
    struct ridge_ranking *ranking = NULL;
    struct ridge_calibration found = {.rho = (double)NAN};
    const struct ridge_evidence evidence = {&bench->views[other], sets[other].device};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", bench->specs, sets[own].kernel);
    ridge_status status = ridge_device_find(bench->devices, sets[own].device, &match, error);
    status = status == RIDGE_OK ? ridge_spec_load(bench->context, path, NULL, 0, &spec, error) : status;
    status = status == RIDGE_OK ? ridge_space_create(bench->context, spec, &space, error) : status;
    const struct ridge_rank_options options = {.model = RIDGE_MODEL_TRANSFER,
                                               .devices = bench->devices,
                                               .device = &match,
                                               .evidence = &evidence,
                                               .evidence_count = 1};
    status = status == RIDGE_OK ? ridge_rank(bench->context, space, &options, &ranking, error) : status;
    status = status == RIDGE_OK
                 ? ridge_calibrate(bench->context, space, ranking, &bench->views[own], 0, &found, NULL, error)
                 : status;
    *rho = found.rho;
    ridge_ranking_destroy(ranking);
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    return status;
}

static ridge_status print_peers(struct bench *bench, bool amd, struct ridge_error *error)
{
    ridge_status status = RIDGE_OK;
    printf(
        "\n### Which records there are\n\nWith one record, transfer is as good as the two devices are alike; with "
        "none, transfer and auto are work.\n\n"
        "| set | device | other devices of the vendor | rho of ranking by each of them alone |\n|---|---|---|---|\n");
    for (size_t i = 0; i < SETS && status == RIDGE_OK; i++) {
        size_t count = 0;
        char text[256] = "none: work alone";
        for (size_t k = 0, used = 0; k < SETS && status == RIDGE_OK && bench->amd[i] == amd; k++) {
            double rho = 0;
            if (is_other_tool(i) || !is_peer(bench, i, k)) {
                continue;
            }
            status = likeness(bench, i, k, &rho, error);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.3f", count++ > 0 ? ", " : "",
                                     sets[k].device, rho);
        }
        if (bench->amd[i] == amd && !is_other_tool(i)) {
            printf("| %s | %s | %zu | %s |\n", sets[i].file, sets[i].device, count, text);
        }
    }
    return status;
}

/** What stands between these tables and the goals, where one is missed. */
static void print_out_of_reach(bool amd)
{
    if (amd) {
        printf(
            "\nThe goal for transfer and auto, a median rho of 0.80, is not reached, and no way of mixing these records "
            "with work was found that\nreaches it (docs/model.md says what was tried): a median over five sets takes three "
            "at 0.80. The two of convolution_15 are there. That\nof convolution_17 has no other AMD device, so that its "
            "ranking is work alone. Those of dedispersion have one other each, and the two are no\nmore alike than the "
            "table says, while work ranks them worse still. The figure of 0.80 was reached with devices whose records are "
            "not here.\n");
        return;
    }
    printf(
        "\nThe goal for auto, a median regret@10 of 1.01, is missed by the set in the middle, that of dedispersion: it has "
        "no other NVIDIA\ndevice, so that its ranking is work alone.\n");
}

static ridge_status print_vendor(struct bench *bench, bool amd, struct ridge_error *error)
{
    printf("\n## %s\n", amd ? "AMD" : "NVIDIA");
    bench->all = false;
    print_medians(bench, amd);
    bench->all = true;
    if (!amd) {
        print_medians(bench, amd);
    }
    const ridge_status status = print_peers(bench, amd, error);
    print_out_of_reach(amd);
    print_sets(bench, amd);
    return status;
}

static void print_heading(void)
{
    printf(
        "# How good the rankings are\n\nMade by one command, at the root of the tree; nothing here is written by hand:\n\n"
        "    build/bench/bench_rank tests/fixtures/recorded ../shared/data/recorded > docs/calibration.md\n\n"
        "Every recorded set is ranked for its device, with the records of all other devices of the kernel as evidence and "
        "without its own, and\ncompared with what was measured. All sets that are there are in the tables. `rho`: "
        "Spearman's, over the measured configurations. `recall10`: of the\nten fastest, how many are in the first tenth. "
        "`regret@k`: the fastest of the first k over the fastest of all. `to 5 %%`: expected evaluations, failed\n"
        "ones counted, until one within 5 %% of the fastest. The t4 and ktt files are other tools' records of the same "
        "kernels and devices; they are never\nevidence. What the models are, and what no constant was fitted to: "
        "docs/model.md. Rankings by counted work, beside\n`work` on the same configurations: docs/engine-counts.md.\n\nThese sets are those that the judged constants, and the counts of the six specs, were looked at with: they are no test on unseen "
        "data. Leaving a device\nout keeps its records from transfer; it does not unlearn that. Counts of the specs that were changed "
        "after looking at residuals stay in\n`without judged`: the read-only factor, guards, unmerged loads and registers of the "
        "convolutions, the guards and loads of dedispersion, and\nbetween_method of pnpoly. The first version, before any of "
        "that, had a median rho of work of 0.733 on NVIDIA and 0.230 on AMD, t4 and ktt files included.\n\n## Judged constants\n\nThese have no source; `without judged` is the same model without "
        "them.\n\n| constant | value | without | what it is |\n|---|---|---|---|\n");
    for (size_t i = 0; i < ridge_judged_count(); i++) {
        const struct ridge_judged *judged = ridge_judged_at(i);
        printf("| `%s` | %g | %g | %s |\n", judged->name, judged->with, judged->without, judged->meaning);
    }
}

static int tables(struct bench *bench, const char *data)
{
    struct ridge_error error = {0};
    if (read_runs(bench, data, &error) != RIDGE_OK) {
        return fail(&error);
    }
    for (size_t i = 0; i < SETS; i++) {
        if (run_set(bench, i, &error) != RIDGE_OK) {
            return fail(&error);
        }
    }
    print_heading();
    if (print_vendor(bench, false, &error) != RIDGE_OK || print_vendor(bench, true, &error) != RIDGE_OK) {
        return fail(&error);
    }
    for (size_t i = 0; i < SETS; i++) {
        ridge_run_destroy(bench->runs[i]);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const bool fast = argc > 2 && strcmp(argv[1], "--speed") == 0;
    struct stat facts;
    if (argc != 3 && !(fast && argc == 4)) {
        fprintf(stderr, "usage: bench_rank SPECS DATA | bench_rank --speed SPECS [DATA]\n");
        return 2;
    }
    const char *data = fast ? argv[3] : argv[2];
    if (data && stat(data, &facts) != 0) {
        fprintf(stderr, "bench_rank: skipped: there is no %s\n", data);
        return 77;
    }
    static struct bench bench;
    struct ridge_error error = {0};
    bench.specs = fast ? argv[2] : argv[1];
    if (ridge_context_create(NULL, &bench.context, &error) != RIDGE_OK ||
        ridge_device_db_create(bench.context, NULL, &bench.devices, &error) != RIDGE_OK) {
        return fail(&error);
    }
    const int code = fast ? speed(&bench, data) : tables(&bench, data);
    ridge_device_db_destroy(bench.devices);
    ridge_context_destroy(bench.context);
    return code;
}
