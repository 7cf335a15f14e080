/* SPDX-License-Identifier: MIT */
/** \file ridge check: the gate. Is each configuration safe and right? */
#include "cmd_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code_cache.h"
#include "rank_count.h"
#include "ranker.h"
#include "space_find.h"

enum {
    PROGRAM_BYTES = 4096
};

static bool each(void *user, uint64_t index, const struct ridge_checked *checked)
{
    struct check_view *view = user;
    view->counts[checked->verdict]++;
    if (!check_keep(&view->kept[index], checked)) {
        return false;
    }
    if (!view->json) {
        check_print_rows(view);
    }
    return true;
}

static void take_first(struct check_view *view, const struct ridge_ranking *ranking)
{
    const size_t width = ranking->dimension_count;
    view->model = ridge_model_word(ranking->model);
    view->count = view->top.value < ranking->count ? view->top.value : ranking->count;
    view->choices = calloc(view->count * width + 1, sizeof *view->choices);
    for (uint64_t i = 0; view->choices && i < view->count; i++) {
        memcpy(view->choices + i * width, ranking->choices + ranking->order[i] * width, width * sizeof *view->choices);
    }
}

/** Take the configurations that a ranking puts first: the same that `ridge rank` prints. */
static int choose_top(struct check_view *view)
{
    struct ranker ranker = {.context = view->context,
                            .spec_path = view->spec_path,
                            .device_name = view->device_name,
                            .data = view->data,
                            .set = view->set};
    struct rank_count counts = {.seed = 0};
    int code = ranker_open(&ranker);
    if (code == EXIT_DONE && rank_count_is_needed(&ranker)) {
        code = rank_count_open(&counts, &ranker, view->options.cuda_path, !view->json);
        ranker.code = counts.counted.code;
        ranker.code_count = counts.counted.configurations;
        view->counted = true;
    }
    struct ridge_ranking *ranking = code == EXIT_DONE ? ranker_rank(&ranker, ranker.model, &code) : NULL;
    if (ranking) {
        take_first(view, ranking);
    }
    ridge_ranking_destroy(ranking);
    rank_count_close(&counts);
    ranker_close(&ranker);
    return code;
}

static ridge_status choose_all(struct check_view *view, struct ridge_error *error)
{
    const size_t width = ridge_space_dimension_count(view->space);
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_count(view->space, &view->count, error);
    if (status == RIDGE_OK) {
        status = ridge_space_cursor_create(view->space, &cursor, error);
    }
    view->choices = status == RIDGE_OK ? calloc(view->count * width + 1, sizeof *view->choices) : NULL;
    for (uint64_t i = 0; view->choices && i < view->count && status == RIDGE_OK; i++) {
        const uint32_t *choice = NULL;
        status = ridge_space_cursor_next(cursor, &choice, error);
        if (status == RIDGE_OK && choice) {
            memcpy(view->choices + i * width, choice, width * sizeof *choice);
        }
    }
    ridge_space_cursor_destroy(cursor);
    return status;
}

static ridge_status choose_one(struct check_view *view, struct ridge_error *error)
{
    view->count = 1;
    view->choices = calloc(ridge_space_dimension_count(view->space) + 1, sizeof *view->choices);
    return view->choices ? find_configuration(view->space, view->configuration, view->choices, error) : RIDGE_OK;
}

static int choose(struct check_view *view)
{
    struct ridge_error error = {0};
    if (view->top.given) {
        return choose_top(view);
    }
    const ridge_status status = view->configuration ? choose_one(view, &error) : choose_all(view, &error);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

static int judge(struct check_view *view)
{
    struct ridge_error error = {0};
    view->kept = view->choices ? calloc(view->count + 1, sizeof *view->kept) : NULL;
    if (!view->kept) {
        fprintf(stderr, "ridge: out of memory\n");
        return EXIT_INTERNAL;
    }
    if (!view->json) {
        const char *problem = ridge_gate_problem(view->gate);
        printf("Checked whole%s%s\n", *problem ? " on the problem " : "", problem);
        if (view->model) {
            printf("First for %s by model %s%s, estimated\n", view->device_name, view->model,
                   view->counted ? " from counted work" : "");
        }
        putchar('\n');
    }
    if (ridge_check_each(view->gate, view->choices, view->count, each, view, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    if (view->json) {
        const int code = check_print_json(view);
        if (code != EXIT_DONE) {
            return code;
        }
    } else {
        check_print_sum(view);
    }
    return check_nothing_run(view) || view->counts[RIDGE_GATE_REFUSED] > 0 ? EXIT_NEGATIVE : EXIT_DONE;
}

static int run(struct check_view *view)
{
    struct ridge_error error = {0};
    if (ridge_gate_open(view->context, view->spec_path, &view->options, &view->gate, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    view->space = ridge_gate_space(view->gate);
    int code = choose(view);
    code = code == EXIT_DONE ? judge(view) : code;
    for (uint64_t i = 0; view->kept && i < view->count; i++) {
        check_forget(&view->kept[i]);
    }
    free(view->told);
    free(view->kept);
    free(view->choices);
    ridge_gate_close(view->gate);
    return code;
}

/** \return false with a message */
static bool is_sensible(const struct check_view *view, bool all)
{
    if ((view->configuration != NULL) + all + view->top.given > 1) {
        fprintf(stderr, "ridge check: more than one of --config, --all and --top was given (take one)\n");
        return false;
    }
    if (view->top.given && (!view->device_name || view->top.value == 0)) {
        fprintf(stderr,
                "ridge check: --top N needs --device NAME too: the device that they are ranked for (and N above 0)\n");
        return false;
    }
    if ((view->device_name || view->data) && !view->top.given) {
        fprintf(stderr,
                "ridge check: --%s is for what --top ranks for (add --top N; what is judged depends on no device)\n",
                view->device_name ? "device" : "data");
        return false;
    }
    return true;
}

/** \return the path of this program, or NULL where the system does not tell it. */
static const char *own_program(char *out, size_t bytes)
{
    const ssize_t length = readlink("/proc/self/exe", out, bytes - 1);
    out[length > 0 ? length : 0] = '\0';
    return length > 0 ? out : NULL;
}

int cmd_check(struct ridge_context *context, int argc, char **argv)
{
    struct check_view view = {.context = context};
    char cache[CACHE_PATH_BYTES];
    char program[PROGRAM_BYTES];
    bool all = false;
    const struct option options[] = {
        {"config", OPTION_TEXT, &view.configuration, "ID", "one configuration: its id, # and index, or name=value,...",
         NULL},
        {"all", OPTION_FLAG, &all, NULL, "all configurations (the default)", NULL},
        {"top", OPTION_OPTIONAL, &view.top, "N", "the N that are ranked first for --device", NULL},
        {"device", OPTION_TEXT, &view.device_name, "NAME", "for --top: the device to rank for", NULL},
        {"data", OPTION_TEXT, &view.data, "FOLDER", "for --top: device files over those compiled in", NULL},
        {"set", OPTION_LIST, &view.set, "NAME=VALUE", "override a param, also of [check]; may be repeated", NULL},
        {"ptx", OPTION_TEXT, &view.options.ptx, "FILE", "judge this PTX instead of the spec's source", NULL},
        {"cuda-path", OPTION_TEXT, &view.options.cuda_path, "PATH", "a CUDA toolkit, or its NVRTC library", NULL},
        {"with", OPTION_TEXT, &view.options.with, "TOOL",
         "another judge in place of the engine: oclgrind for OpenCL C, compute-sanitizer for CUDA on a GPU",
         "oclgrind|compute-sanitizer"},
        {"timeout", OPTION_DURATION, &view.options.timeout_s, "TIME", "for each configuration (default: 60s)", NULL},
        {"json", OPTION_FLAG, &view.json, NULL, "print JSON", NULL},
        {0},
    };
    switch (options_parse(command_find("check"), options, argc, argv, &view.spec_path, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (!is_sensible(&view, all)) {
        return EXIT_USAGE;
    }
    view.options.set = view.set.items;
    view.options.set_count = view.set.count;
    view.options.cache_folder = code_cache_path(view.spec_path, cache, sizeof cache);
    view.options.work_folder = getenv("TMPDIR");
    view.options.launcher = own_program(program, sizeof program);
    return run(&view);
}
