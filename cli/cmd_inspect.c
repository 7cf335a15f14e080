/* SPDX-License-Identifier: MIT */
/** \file ridge inspect: what a compiler made of kernels, from its files alone. */
#include "cmd_inspect.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *files[2];
    const char *kernel, *device, *fail_on, *data;
    struct option_optional threads, dynamic;
    bool compare, json;
};

static int wrong(const char *what, const char *right)
{
    fprintf(stderr, "ridge inspect: %s (%s)\n", what, right);
    return EXIT_USAGE;
}

/** Read --fail-on registers,spills into a set. Left out: all that there is to compare. */
static int read_fail_on(const struct arguments *arguments, unsigned *out)
{
    const char *text = arguments->fail_on;
    *out = 0;
    for (unsigned measure = 0; !text && measure <= MEASURE_OCCUPANCY; measure++) {
        *out |= measure != MEASURE_OCCUPANCY || arguments->device ? 1U << measure : 0;
    }
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        unsigned measure = 0;
        while (measure <= MEASURE_OCCUPANCY &&
               (strlen(measure_word(measure)) != length || strncmp(measure_word(measure), text, length) != 0)) {
            measure++;
        }
        if (measure > MEASURE_OCCUPANCY) {
            return wrong("--fail-on names something that is not compared", "registers, spills, shared, occupancy");
        }
        *out |= 1U << measure;
        text += length + (text[length] == ',');
    }
    if (*out == 0) {
        return wrong("--fail-on names nothing, so that nothing could fail", "registers, spills, shared, occupancy");
    }
    if ((*out >> MEASURE_OCCUPANCY & 1) && !arguments->device) {
        return wrong("--fail-on occupancy needs a device", "add --device NAME --threads N");
    }
    return EXIT_DONE;
}

static int check(const struct arguments *arguments)
{
    if (arguments->compare != (arguments->files[1] != NULL)) {
        return arguments->compare ? wrong("--compare takes two files", "--compare OLD NEW")
                                  : wrong("two files were given", "one, or --compare OLD NEW");
    }
    if (arguments->fail_on && !arguments->compare) {
        return wrong("--fail-on belongs to --compare", "--compare OLD NEW --fail-on registers,spills");
    }
    if ((arguments->device != NULL) != arguments->threads.given) {
        return arguments->device ? wrong("--threads is missing", "threads per block, such as 256")
                                 : wrong("--device is missing", "a GPU's name, cc:8.6 or gfx90a; see ridge devices");
    }
    if (arguments->dynamic.given && !arguments->device) {
        return wrong("--dynamic-smem belongs to --device", "add --device NAME --threads N");
    }
    if (arguments->data && !arguments->device) {
        return wrong("--data belongs to --device", "add --device NAME --threads N");
    }
    if (arguments->threads.value > 65536 || arguments->dynamic.value > INT32_MAX) {
        return wrong("--threads or --dynamic-smem is absurd", "at most 1024 threads a block, 232448 bytes");
    }
    return EXIT_DONE;
}

static int judge_all(struct judge *judge, struct inspection *inspection)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < inspection->count && code == EXIT_DONE; i++) {
        code = judge_kernel(judge, &inspection->kernels[i]);
    }
    return code;
}

static int show(struct judge *judge, const struct arguments *arguments)
{
    struct inspection inspection = {
        .path = arguments->files[0], .wanted = arguments->kernel, .judge = arguments->json ? NULL : judge};
    int code = inspection_read(judge->context, &inspection);
    code = code == EXIT_DONE ? judge_all(judge, &inspection) : code;
    if (code == EXIT_DONE) {
        code = arguments->json ? inspect_print_json(&inspection, judge) : inspect_print_text(&inspection, judge);
    }
    inspection_free(&inspection);
    return code;
}

static int compare(struct judge *judge, const struct arguments *arguments)
{
    struct inspection before = {.path = arguments->files[0], .wanted = arguments->kernel};
    struct inspection after = {.path = arguments->files[1], .wanted = arguments->kernel};
    struct gate gate = {.named = arguments->fail_on != NULL};
    int code = read_fail_on(arguments, &gate.fail_on);
    code = code == EXIT_DONE ? inspection_read(judge->context, &before) : code;
    code = code == EXIT_DONE ? inspection_read(judge->context, &after) : code;
    code = code == EXIT_DONE ? judge_all(judge, &before) : code;
    code = code == EXIT_DONE ? judge_all(judge, &after) : code;
    code = code == EXIT_DONE ? inspect_compare(&before, &after, judge, &gate, arguments->json) : code;
    inspection_free(&before);
    inspection_free(&after);
    return code;
}

/** Files are mapped: bytes that another process takes away meanwhile cannot be read. */
static void on_bus_error(int number)
{
    static const char words[] = "ridge: a file was made shorter while it was read (try again when it is whole)\n";
    (void)number;
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(EXIT_INPUT);
}

static int run(struct ridge_context *context, const struct arguments *arguments)
{
    int code = check(arguments);
    (void)signal(SIGBUS, on_bus_error);
    struct judge judge = {.context = context,
                          .name = arguments->device,
                          .threads = (uint32_t)arguments->threads.value,
                          .smem_dynamic_bytes = (uint32_t)arguments->dynamic.value};
    code = code == EXIT_DONE ? judge_open(&judge, arguments->data) : code;
    if (code == EXIT_DONE) {
        code = arguments->compare ? compare(&judge, arguments) : show(&judge, arguments);
    }
    judge_close(&judge);
    return code;
}

int cmd_inspect(struct ridge_context *context, int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct option options[] = {
        {"kernel", OPTION_TEXT, &arguments.kernel, "NAME",
         "only the kernels of that name: mangled, axpb, lab::axpb or axpb<float,3>", NULL},
        {"device", OPTION_TEXT, &arguments.device, "NAME", "judge for a GPU, cc:8.6 or gfx90a", NULL},
        {"threads", OPTION_OPTIONAL, &arguments.threads, "N", "threads per block, for --device", NULL},
        {"dynamic-smem", OPTION_OPTIONAL_SIZE, &arguments.dynamic, "SIZE",
         "dynamic shared memory per block, for --device (with opt-in where it needs it)", NULL},
        {"compare", OPTION_FLAG, &arguments.compare, NULL, "compare two files; exit 1 when the second one is worse",
         NULL},
        {"fail-on", OPTION_TEXT, &arguments.fail_on, "LIST",
         "what counts as worse: registers,spills,shared,occupancy (all)", NULL},
        {"data", OPTION_TEXT, &arguments.data, "FOLDER", "device files over those compiled in", NULL},
        {"json", OPTION_FLAG, &arguments.json, NULL, "print JSON", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    switch (options_parse(command_find("inspect"), options, argc, argv, arguments.files, 1, 2)) {
    case PARSED_GO: return run(context, &arguments);
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: break;
    }
    return EXIT_USAGE;
}
