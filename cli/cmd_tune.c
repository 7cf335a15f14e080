/* SPDX-License-Identifier: MIT */
/** \file ridge tune: measure the configurations of a spec on a device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "code_cache.h"
#include "database.h"
#include "options.h"
#include "progress.h"
#include "ranker.h"
#include "ridge/report.h"
#include "ridge/tune.h"
#include "ridge/units.h"
#include "stop.h"
#include "terminal.h"
#include "tune_gate.h"

/** What the command line asked for. */
struct tune_arguments {
    struct ranker ranker; /* the spec and its space; the rest only for an order by model */
    const char *device;
    const char *order;
    const char *top;
    const char *cache;
    const char *db;
    const char *workload;
    bool no_workloads;
    const char *filter;
    const char *calibrations;
    struct ridge_tune_options tune;
    struct option_optional max_configs;
    struct option_optional samples;
    struct option_optional jobs;
    double stop_at; /* NaN: not given */
    struct option_optional footprint_base;
    bool json;
    bool gate;
};

static enum parsed parse(int argc, char **argv, struct tune_arguments *out)
{
    const char *positional[1] = {NULL};
    const struct option options[] = {
        {"device", OPTION_TEXT, &out->device, "DEVICE",
         "opencl[:platform[:device]], cuda[:device], host, replay:FILE (default: opencl)", NULL},
        {"cuda-path", OPTION_TEXT, &out->tune.cuda_path, "PATH", "CUDA toolkit or NVRTC library to compile with", NULL},
        {"budget", OPTION_DURATION, &out->tune.budget_s, "TIME", "end after this long, such as 60s or 5m", NULL},
        {"max-configs", OPTION_OPTIONAL, &out->max_configs, "N", "try at most N configurations", NULL},
        {"order", OPTION_TEXT, &out->order, "ORDER",
         "exhaustive, random, model (best estimated first), or auto (the same, 1 of 4 at random); default: exhaustive, "
         "or random where --budget, --max-configs or --stop-at may end it early",
         "exhaustive|random|model|auto"},
        {"top", OPTION_TEXT, &out->top, "N|P%", "with --order model or auto: try only the first N, or P % of the space",
         NULL},
        RANKER_MODEL_OPTIONS(&out->ranker),
        {"rank-device", OPTION_TEXT, &out->ranker.device_name, "NAME",
         "rank for this device (default: the tuned one by its own name; see ridge devices)", NULL},
        {"seed", OPTION_COUNT, &out->tune.seed, "S", "seed of the random order and of the random picks", NULL},
        {"workload", OPTION_TEXT, &out->workload, "NAME",
         "only this one of the spec's workloads (default: each in turn)", NULL},
        {"no-workloads", OPTION_FLAG, &out->no_workloads, NULL,
         "the params of [bench] as written, none of the workloads", NULL},
        {"set", OPTION_LIST, &out->ranker.set, "NAME=VALUE", "override a parameter of [bench]; may be repeated", NULL},
        {"cache", OPTION_TEXT, &out->cache, "MODE", "cold or warm (default: warm)", "cold|warm"},
        {"samples", OPTION_OPTIONAL, &out->samples, "N", "time exactly N launches a configuration", NULL},
        {"precision", OPTION_NUMBER, &out->tune.precision_ratio, "RATIO",
         "half width of the interval that is wanted (default: 0.01)", NULL},
        {"filter", OPTION_TEXT, &out->filter, "NAME",
         "footprint: leave out what is predicted to be slower for its shared memory", "footprint"},
        {"footprint-base", OPTION_OPTIONAL, &out->footprint_base, "BYTES",
         "footprint to compare with (default: the smallest that is not 0)", NULL},
        {"filter-check", OPTION_COUNT, &out->tune.footprint_check, "N",
         "measure N of those left out, and say whether that was right", NULL},
        {"calibrations", OPTION_TEXT, &out->calibrations, "PATH",
         "a folder or file of footprint calibrations over those compiled in", NULL},
        {"stop-at", OPTION_NUMBER, &out->stop_at, "RATIO",
         "end when a configuration reaches this share of the roofline, such as 0.95", NULL},
        {"timeout", OPTION_DURATION, &out->tune.timeout_s, "TIME",
         "for a build, and for a launch; ten times that for a C reference (default: 30s)", NULL},
        {"jobs", OPTION_OPTIONAL, &out->jobs, "N", "processes that build at once (default: one a CPU)", NULL},
        {"db", OPTION_TEXT, &out->db, "FILE",
         "evidence database (default: RIDGE_DB, else .ridge/evidence.db beside the spec)", NULL},
        {"resume", OPTION_FLAG, &out->tune.resume, NULL, "go on with the newest run of this kernel", NULL},
        {"gate", OPTION_FLAG, &out->gate, NULL, "judge each configuration first, and never launch what is refused",
         NULL},
        {"json", OPTION_FLAG, &out->json, NULL, "print the result as JSON", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    const enum parsed parsed = options_parse(command_find("tune"), options, argc, argv, positional, 1, 1);
    out->ranker.spec_path = positional[0];
    return parsed;
}

/** Take a number that must be at least 1 when it is given. \return false with a message */
static bool take_count(const char *name, const struct option_optional *given, uint64_t most, uint64_t *out)
{
    if (given->given && (given->value == 0 || given->value > most)) {
        fprintf(stderr, "ridge tune: --%s: %llu makes no sense (1 to %llu)\n", name, (unsigned long long)given->value,
                (unsigned long long)most);
        return false;
    }
    *out = given->value;
    return true;
}

/**
 * The order that was asked for. Where none was and the run may end early: random, since the first part of the canonical
 * order holds the first values of the first dimensions only, and its best is no sample of the space.
 */
static ridge_order order_of(const struct tune_arguments *arguments)
{
    const char *word = arguments->order;
    static const struct {
        const char *word;
        ridge_order order;
    } orders[] = {{"random", RIDGE_ORDER_RANDOM}, {"model", RIDGE_ORDER_MODEL}, {"auto", RIDGE_ORDER_AUTO}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        if (word && strcmp(orders[i].word, word) == 0) {
            return orders[i].order;
        }
    }
    const bool may_end_early =
        arguments->tune.budget_s > 0 || arguments->max_configs.given || !isnan(arguments->stop_at);
    return !word && may_end_early ? RIDGE_ORDER_RANDOM : RIDGE_ORDER_EXHAUSTIVE;
}

/** Whether the configurations are taken in the order of a model. */
static bool by_model(const struct tune_arguments *arguments)
{
    return arguments->tune.order == RIDGE_ORDER_MODEL || arguments->tune.order == RIDGE_ORDER_AUTO;
}

/** Check that the options of ranking stand only where something is ranked. \return false with a message */
static bool check_ranking(const struct tune_arguments *arguments)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"top", arguments->top != NULL},
        {"model", arguments->ranker.model_word != NULL},
        {"evidence", arguments->ranker.evidence_files.count > 0},
        {"data", arguments->ranker.data != NULL},
        {"rank-device", arguments->ranker.device_name != NULL},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0] && !by_model(arguments); i++) {
        if (options[i].given) {
            fprintf(stderr, "ridge tune: --%s belongs to an order by model (add --order model or --order auto)\n",
                    options[i].name);
            return false;
        }
    }
    if (arguments->top && arguments->max_configs.given) {
        fprintf(stderr, "ridge tune: --top and --max-configs were both given (take one)\n");
        return false;
    }
    return true;
}

/** Turn --top 20 or --top 5% into a number of configurations. \return false with a message */
static bool take_top(struct tune_arguments *arguments, uint64_t space_count)
{
    const char *text = arguments->top;
    const size_t length = text ? strlen(text) : 0;
    char number[64];
    double percent = 0;
    if (!text) {
        return true;
    }
    if (length > 0 && length < sizeof number && text[length - 1] == '%') {
        snprintf(number, sizeof number, "%.*s", (int)length - 1, text);
        if (ridge_number_parse(number, &percent, NULL) == RIDGE_OK && percent > 0 && percent <= 100) {
            arguments->tune.max_configs = (uint64_t)ceil(percent / 100 * (double)space_count);
            return true;
        }
    } else if (ridge_count_parse(text, UINT64_MAX, &arguments->tune.max_configs, NULL) == RIDGE_OK &&
               arguments->tune.max_configs > 0) {
        return true;
    }
    fprintf(stderr, "ridge tune: --top: '%s' is no part of a space (a number such as 20, or a share such as 5%%)\n",
            text);
    return false;
}

/** Turn words and numbers into options of the library. \return false with a message */
static bool arguments_take(struct tune_arguments *arguments)
{
    enum {
        MOST_SAMPLES = 10000,
        MOST_JOBS = 64,
        MOST_CHECKED = 10000
    };
    struct ridge_tune_options *tune = &arguments->tune;
    uint64_t jobs = 0;
    if (!take_count("max-configs", &arguments->max_configs, UINT64_MAX, &tune->max_configs) ||
        !take_count("samples", &arguments->samples, MOST_SAMPLES, &tune->samples) ||
        !take_count("jobs", &arguments->jobs, MOST_JOBS, &jobs) ||
        !take_count("footprint-base", &arguments->footprint_base, UINT64_MAX, &tune->footprint_base_bytes)) {
        return false;
    }
    if (!(tune->precision_ratio > 0 && tune->precision_ratio < 1)) {
        fprintf(stderr, "ridge tune: --precision: a ratio between 0 and 1 is wanted (write 0.01 for 1 %%)\n");
        return false;
    }
    if (!arguments->filter &&
        (tune->footprint_base_bytes > 0 || tune->footprint_check > 0 || arguments->calibrations)) {
        fprintf(stderr, "ridge tune: --footprint-base, --filter-check and --calibrations belong to --filter footprint "
                        "(give that too)\n");
        return false;
    }
    if (tune->footprint_check > MOST_CHECKED) {
        fprintf(stderr, "ridge tune: --filter-check: %llu is too many (at most %d)\n",
                (unsigned long long)tune->footprint_check, MOST_CHECKED);
        return false;
    }
    if (!isnan(arguments->stop_at) && !(arguments->stop_at > 0 && arguments->stop_at <= 10)) {
        fprintf(stderr, "ridge tune: --stop-at: a share of the roofline is wanted (write 0.95 for 95 %%)\n");
        return false;
    }
    tune->stop_at_ratio = isnan(arguments->stop_at) ? 0 : arguments->stop_at;
    if (arguments->workload && arguments->no_workloads) {
        fprintf(stderr, "ridge tune: --workload and --no-workloads were both given (take one)\n");
        return false;
    }
    tune->device = arguments->device;
    tune->order = order_of(arguments);
    tune->cold = strcmp(arguments->cache, "cold") == 0;
    tune->workers = (unsigned)jobs;
    tune->work_root = getenv("TMPDIR");
    return check_ranking(arguments);
}

/** Print what came of it. */
static int result_print(struct ridge_store *store, int64_t id, const struct tune_arguments *arguments,
                        struct ridge_error *error)
{
    struct ridge_run *run = NULL;
    if (ridge_store_run_load(store, id, &run, error) != RIDGE_OK) {
        return report_error(error);
    }
    const struct ridge_report_options options = terminal_options();
    const ridge_status status = arguments->json ? ridge_report_json(run, 0, stdout_sink(), error)
                                                : ridge_report_text(run, &options, stdout_sink(), error);
    const int code = run->ranked_count > 0 ? EXIT_DONE : EXIT_NEGATIVE;
    if (status == RIDGE_OK && arguments->gate && !arguments->json) {
        tune_gate_print(arguments->ranker.space, run);
    }
    ridge_run_destroy(run);
    return status == RIDGE_OK ? code : report_exit(status, error);
}

/** Print what came of all workloads. */
static int group_print(struct ridge_store *store, int64_t id, bool json)
{
    struct ridge_error error = {0};
    struct ridge_group *group = NULL;
    if (ridge_store_group_load(store, id, &group, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const struct ridge_report_options options = terminal_options();
    const ridge_status status = json ? ridge_report_group_json(group, 0, stdout_sink(), &error)
                                     : ridge_report_group_text(group, &options, stdout_sink(), &error);
    const int code = ridge_group_winner(group) ? EXIT_DONE : EXIT_NEGATIVE;
    ridge_group_destroy(group);
    return status == RIDGE_OK ? code : report_exit(status, &error);
}

/** Open the gate for the params that are loaded. \return an exit code, with a message unless it is EXIT_DONE */
static int gate_open(const struct tune_arguments *arguments, struct ridge_gate **out)
{
    const struct ranker *ranker = &arguments->ranker;
    struct ridge_error error = {0};
    char cache[CACHE_PATH_BYTES];
    const struct ridge_check_options options = {
        .set = ranker->set.items,
        .set_count = ranker->set.count,
        .workers = arguments->tune.workers,
        .cuda_path = arguments->tune.cuda_path,
        .cache_folder = code_cache_path(ranker->spec_path, cache, sizeof cache),
        .work_folder = arguments->tune.work_root,
    };
    return ridge_gate_open(ranker->context, ranker->spec_path, &options, out, &error) == RIDGE_OK
               ? EXIT_DONE
               : report_error(&error);
}

/** Tune the space that is loaded, within `options`. \return an exit code, with a message unless it is EXIT_DONE */
static int tune(struct ridge_store *store, const struct tune_arguments *arguments, struct ridge_tune_options options,
                int64_t *run)
{
    struct ridge_error error = {0};
    struct progress progress;
    const int opened = arguments->gate ? gate_open(arguments, &options.gate) : EXIT_DONE;
    if (opened != EXIT_DONE) {
        return opened;
    }
    progress_begin(&progress);
    const struct ranker *ranker = &arguments->ranker;
    const struct ridge_rank_options rank = ranker_options(ranker, ranker->model);
    options.progress = progress_show;
    options.user = &progress;
    options.stop = stop_catch();
    options.rank = by_model(arguments) ? &rank : NULL;
    const ridge_status status = ridge_tune(ranker->context, ranker->space, store, &options, run, &error);
    progress_end(&progress);
    ridge_gate_close(options.gate);
    if (status == RIDGE_OK) {
        return EXIT_DONE;
    }
    const int code = report_error(&error);
    if (*run > 0 && progress.any) {
        fprintf(stderr, "ridge: what was measured before is kept as run %lld\n", (long long)*run);
    }
    return code;
}

/** Load the spec with the params of a workload (0: as written), and what depends on it. \return an exit code */
static int load(struct tune_arguments *arguments, size_t workload)
{
    struct ridge_error error = {0};
    uint64_t count = 0;
    arguments->ranker.workload = workload;
    ridge_status status = ranker_load_spec(&arguments->ranker, &error);
    if (status == RIDGE_OK && arguments->top) {
        status = ridge_space_count(arguments->ranker.space, &count, &error);
    }
    if (status != RIDGE_OK) {
        return report_error(&error);
    }
    return take_top(arguments, count) ? EXIT_DONE : EXIT_USAGE;
}

static int tune_one(struct ridge_store *store, const struct tune_arguments *arguments)
{
    struct ridge_error error = {0};
    int64_t run = 0;
    const int code = tune(store, arguments, arguments->tune, &run);
    return code == EXIT_DONE ? result_print(store, run, arguments, &error) : code;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/** \return the share that workload number `at` has of what it and those behind it weigh. */
static double share_of(const struct ridge_spec *spec, size_t at)
{
    double left = 0;
    for (size_t i = at; ridge_spec_workload(spec, i); i++) {
        left += ridge_spec_workload(spec, i)->weight;
    }
    return ridge_spec_workload(spec, at)->weight / left;
}

/** Tune each workload, one run each; the runs are a group. A budget is shared by the weights of what is left. */
static int tune_all(struct ridge_store *store, struct tune_arguments *arguments)
{
    static const double least_s = 1e-3; /* of a budget that is spent: 0 would mean no limit */
    const double ends_s = now_s() + arguments->tune.budget_s;
    const volatile sig_atomic_t *stop = stop_catch();
    const struct ranker *ranker = &arguments->ranker;
    struct ridge_error error = {0};
    int64_t group = 0;
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && *stop == 0 && ridge_spec_workload(ranker->spec, i); i++) {
        int64_t run = 0;
        code = load(arguments, i + 1);
        if (code != EXIT_DONE) {
            break;
        }
        struct ridge_tune_options options = arguments->tune;
        options.group = group;
        if (options.budget_s > 0) {
            options.budget_s = fmax(least_s, (ends_s - now_s()) * share_of(ranker->spec, i));
        }
        fprintf(stderr, "workload %s:\n", ridge_spec_workload(ranker->spec, i)->name);
        code = tune(store, arguments, options, &run);
        if (code == EXIT_DONE && group == 0 && ridge_store_run_group(store, run, &group, &error) != RIDGE_OK) {
            code = report_error(&error);
        }
    }
    if (code != EXIT_DONE && group > 0) {
        fprintf(stderr, "ridge: what was measured before is kept (ridge show g%lld, ridge tune --resume)\n",
                (long long)group);
    }
    return code == EXIT_DONE ? group_print(store, group, arguments->json) : code;
}

static int with_store(struct tune_arguments *arguments)
{
    struct ridge_error error = {0};
    struct ridge_store *store = NULL;
    char path[DATABASE_PATH_BYTES];
    const struct ranker *ranker = &arguments->ranker;
    if (!database_path(path, sizeof path, arguments->db, ridge_spec_folder(ranker->spec))) {
        return EXIT_USAGE;
    }
    if (ridge_store_open(ranker->context, path, RIDGE_STORE_WRITE, &store, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const bool all = ranker->workload == 0 && !arguments->no_workloads && ridge_spec_workload(ranker->spec, 0);
    const int code = all ? tune_all(store, arguments) : tune_one(store, arguments);
    ridge_store_close(store);
    return code;
}

static int run(struct tune_arguments *arguments)
{
    struct ridge_error error = {0};
    size_t index = 0;
    int code = load(arguments, 0);
    if (code == EXIT_DONE && arguments->workload) {
        code = ridge_spec_workload_find(arguments->ranker.spec, arguments->workload, &index, &error) == RIDGE_OK
                   ? load(arguments, index + 1)
                   : report_error(&error);
    }
    if (code == EXIT_DONE && by_model(arguments) && ranker_load_facts(&arguments->ranker, &error) != RIDGE_OK) {
        code = report_error(&error);
    }
    return code == EXIT_DONE ? with_store(arguments) : code;
}

int cmd_tune(struct ridge_context *context, int argc, char **argv)
{
    struct tune_arguments arguments = {.ranker.context = context,
                                       .stop_at = (double)NAN,
                                       .device = "opencl",
                                       .cache = "warm",
                                       .tune.precision_ratio = 0.01};
    const enum parsed parsed = parse(argc, argv, &arguments);
    if (parsed != PARSED_GO) {
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    }
    if (!arguments_take(&arguments)) {
        return EXIT_USAGE;
    }
    struct ridge_footprint_db *footprints = NULL;
    struct ridge_error error = {0};
    int code;
    if (arguments.filter &&
        ridge_footprint_db_create(context, arguments.calibrations, &footprints, &error) != RIDGE_OK) {
        code = report_error(&error);
    } else {
        arguments.tune.footprints = footprints;
        code = run(&arguments);
    }
    ridge_footprint_db_destroy(footprints);
    ranker_close(&arguments.ranker);
    return code;
}
