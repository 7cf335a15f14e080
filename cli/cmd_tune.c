/* SPDX-License-Identifier: MIT */
/** \file ridge tune: measure the configurations of a spec on a device. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_cache.h"
#include "database.h"
#include "options.h"
#include "progress.h"
#include "ridge/report.h"
#include "ridge/tune.h"
#include "terminal.h"
#include "tune_gate.h"

/** What the command line asked for. */
struct tune_arguments {
    const char *spec_path;
    const char *device;
    const char *order;
    const char *cache;
    const char *db;
    struct option_list set;
    struct ridge_tune_options tune;
    struct option_optional max_configs;
    struct option_optional samples;
    struct option_optional jobs;
    bool json;
    bool gate;
};

/** How often the person asked to stop: 1: end after this candidate; 2: end now. */
static volatile sig_atomic_t stop_level;

static void on_signal(int number)
{
    (void)number;
    stop_level = stop_level < 2 ? stop_level + 1 : 2;
}

static void signals_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A reader of the output that leaves must not end the run. */
    (void)signal(SIGPIPE, SIG_IGN);
}

static enum parsed parse(int argc, char **argv, struct tune_arguments *out)
{
    const char *positional[1] = {NULL};
    const struct option options[] = {
        {"device", OPTION_TEXT, &out->device, "DEVICE",
         "opencl[:platform[:device]], host, replay:FILE (default: opencl)", NULL},
        {"budget", OPTION_DURATION, &out->tune.budget_s, "TIME", "end after this long, such as 60s or 5m", NULL},
        {"max-configs", OPTION_OPTIONAL, &out->max_configs, "N", "try at most N configurations", NULL},
        {"order", OPTION_TEXT, &out->order, "ORDER", "exhaustive or random (default: exhaustive)", "exhaustive|random"},
        {"seed", OPTION_COUNT, &out->tune.seed, "S", "seed of the random order", NULL},
        {"set", OPTION_LIST, &out->set, "NAME=VALUE", "override a parameter of [bench]; may be repeated", NULL},
        {"cache", OPTION_TEXT, &out->cache, "MODE", "cold or warm (default: warm)", "cold|warm"},
        {"samples", OPTION_OPTIONAL, &out->samples, "N", "time exactly N launches a configuration", NULL},
        {"precision", OPTION_NUMBER, &out->tune.precision_ratio, "RATIO",
         "half width of the interval that is wanted (default: 0.01)", NULL},
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
    out->spec_path = positional[0];
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

/** Turn words and numbers into options of the library. \return false with a message */
static bool arguments_take(struct tune_arguments *arguments)
{
    enum {
        MOST_SAMPLES = 10000,
        MOST_JOBS = 64
    };
    struct ridge_tune_options *tune = &arguments->tune;
    uint64_t jobs = 0;
    if (!take_count("max-configs", &arguments->max_configs, UINT64_MAX, &tune->max_configs) ||
        !take_count("samples", &arguments->samples, MOST_SAMPLES, &tune->samples) ||
        !take_count("jobs", &arguments->jobs, MOST_JOBS, &jobs)) {
        return false;
    }
    if (!(tune->precision_ratio > 0 && tune->precision_ratio < 1)) {
        fprintf(stderr, "ridge tune: --precision: a ratio between 0 and 1 is wanted (write 0.01 for 1 %%)\n");
        return false;
    }
    tune->device = arguments->device;
    tune->order = strcmp(arguments->order, "random") == 0 ? RIDGE_ORDER_RANDOM : RIDGE_ORDER_EXHAUSTIVE;
    tune->cold = strcmp(arguments->cache, "cold") == 0;
    tune->workers = (unsigned)jobs;
    tune->work_root = getenv("TMPDIR");
    return true;
}

/** Print what came of it. */
static int result_print(const struct ridge_space *space, struct ridge_store *store, int64_t id, bool json, bool gate,
                        struct ridge_error *error)
{
    struct ridge_run *run = NULL;
    if (ridge_store_run_load(store, id, &run, error) != RIDGE_OK) {
        return report_error(error);
    }
    const struct ridge_report_options options = terminal_options();
    const ridge_status status =
        json ? ridge_report_json(run, 0, stdout_sink(), error) : ridge_report_text(run, &options, stdout_sink(), error);
    const int code = run->ranked_count > 0 ? EXIT_DONE : EXIT_NEGATIVE;
    if (status == RIDGE_OK && gate && !json) {
        tune_gate_print(space, run);
    }
    ridge_run_destroy(run);
    return status == RIDGE_OK ? code : report_exit(status, error);
}

static int tune(struct ridge_context *context, const struct ridge_space *space, struct ridge_store *store,
                const struct tune_arguments *arguments, struct ridge_gate *gate)
{
    struct ridge_error error = {0};
    struct progress progress;
    progress_begin(&progress);
    struct ridge_tune_options options = arguments->tune;
    options.gate = gate;
    options.progress = progress_show;
    options.user = &progress;
    options.stop = &stop_level;
    signals_catch();
    int64_t run = 0;
    const ridge_status status = ridge_tune(context, space, store, &options, &run, &error);
    progress_end(&progress);
    if (status == RIDGE_OK) {
        return result_print(space, store, run, arguments->json, arguments->gate, &error);
    }
    const int code = report_error(&error);
    if (run > 0 && progress.any) {
        fprintf(stderr, "ridge: what was measured before is kept as run %lld\n", (long long)run);
    }
    return code;
}

/** Open the gate where it was asked for, and tune. */
static int gated(struct ridge_context *context, const struct ridge_space *space, struct ridge_store *store,
                 const struct tune_arguments *arguments)
{
    struct ridge_error error = {0};
    struct ridge_gate *gate = NULL;
    char cache[CACHE_PATH_BYTES];
    const struct ridge_check_options options = {.set = arguments->set.items,
                                                .set_count = arguments->set.count,
                                                .workers = arguments->tune.workers,
                                                .cache_folder =
                                                    code_cache_path(arguments->spec_path, cache, sizeof cache),
                                                .work_folder = arguments->tune.work_root};
    if (arguments->gate && ridge_gate_open(context, arguments->spec_path, &options, &gate, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const int code = tune(context, space, store, arguments, gate);
    ridge_gate_close(gate);
    return code;
}

static int with_space(struct ridge_context *context, const struct ridge_spec *spec,
                      const struct tune_arguments *arguments)
{
    struct ridge_error error = {0};
    struct ridge_space *space = NULL;
    struct ridge_store *store = NULL;
    char path[DATABASE_PATH_BYTES];
    int code;
    if (!database_path(path, sizeof path, arguments->db, ridge_spec_folder(spec))) {
        return EXIT_USAGE;
    }
    if (ridge_space_create(context, spec, &space, &error) != RIDGE_OK ||
        ridge_store_open(context, path, RIDGE_STORE_WRITE, &store, &error) != RIDGE_OK) {
        code = report_error(&error);
    } else {
        code = gated(context, space, store, arguments);
    }
    ridge_store_close(store);
    ridge_space_destroy(space);
    return code;
}

int cmd_tune(struct ridge_context *context, int argc, char **argv)
{
    struct tune_arguments arguments = {
        .device = "opencl", .order = "exhaustive", .cache = "warm", .tune.precision_ratio = 0.01};
    const enum parsed parsed = parse(argc, argv, &arguments);
    if (parsed != PARSED_GO) {
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    }
    if (!arguments_take(&arguments)) {
        return EXIT_USAGE;
    }
    struct ridge_error error = {0};
    struct ridge_spec *spec = NULL;
    if (ridge_spec_load(context, arguments.spec_path, arguments.set.items, arguments.set.count, &spec, &error) !=
        RIDGE_OK) {
        return report_error(&error);
    }
    const int code = with_space(context, spec, &arguments);
    ridge_spec_destroy(spec);
    return code;
}
