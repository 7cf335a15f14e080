/* SPDX-License-Identifier: MIT */
/** \file ridge policy tune transform: measure a generated transform on the device at hand, at several sizes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd_policy.h"
#include "database.h"
#include "policy_tune.h"
#include "progress.h"
#include "ridge/tune.h"
#include "ridge/units.h"
#include "stop.h"

enum {
    MOST_ELEMENTS = 1 << 30, /* indices are 32-bit integers */
    WORD_BYTES = 16
};

struct tuning {
    struct ridge_context *context;
    /* as given */
    const char *device, *in, *out, *sizes_text, *weights_text, *folder;
    bool no_input, json;
    double budget_s;
    uint64_t samples, seed, limit;
    /* read */
    struct ridge_transform_kernel kernel;
    char inputs[RIDGE_TRANSFORM_INPUTS][WORD_BYTES];
    size_t count;
    uint64_t elements[RIDGE_VARIANT_RUNS];
    double weights[RIDGE_VARIANT_RUNS];
    uint64_t bytes_each;
    char database[DATABASE_PATH_BYTES];
    /* measured */
    struct ridge_store *store;
    struct ridge_run *runs[RIDGE_VARIANT_RUNS];
    char base_id[RIDGE_ID_BYTES];
    const volatile sig_atomic_t *stop;
    double ends_s;          /* when the budget is spent */
    uint64_t tried_at_most; /* configurations at the largest size: the others need no more */
};

static int complain(const char *what, const char *text, const char *right)
{
    fprintf(stderr, "ridge policy tune: %s%s%s%s (%s)\n", what, text ? " '" : "", text ? text : "", text ? "'" : "",
            right);
    return EXIT_USAGE;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/** Cut the next word of "a,b,c" off. \return false when it is empty or too long */
static bool next_word(const char **at, char *out, size_t bytes)
{
    const size_t length = strcspn(*at, ",");
    if (length == 0 || length >= bytes) {
        return false;
    }
    memcpy(out, *at, length);
    out[length] = '\0';
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

/** Read "64M". */
static bool elements_parse(char *text, uint64_t *out)
{
    static const char letters[] = "KMG";
    const size_t length = strlen(text);
    const char *letter = length > 1 ? strchr(letters, text[length - 1]) : NULL;
    const unsigned shift = letter ? (unsigned)(letter - letters + 1) * 10 : 0;
    if (letter) {
        text[length - 1] = '\0';
    }
    return ridge_count_parse(text, (uint64_t)MOST_ELEMENTS >> shift, out, NULL) == RIDGE_OK && (*out <<= shift) > 0;
}

static int sizes_take(struct tuning *tuning)
{
    for (const char *at = tuning->sizes_text; at;) {
        char word[32];
        uint64_t *elements = &tuning->elements[tuning->count];
        if (tuning->count == RIDGE_VARIANT_RUNS || !next_word(&at, word, sizeof word) ||
            !elements_parse(word, elements)) {
            return complain("--sizes does not take", tuning->sizes_text,
                            "up to 16 numbers of elements, such as 1M,16M,64M");
        }
        for (size_t i = 0; i < tuning->count; i++) {
            if (tuning->elements[i] == *elements) {
                return complain("a size stands twice in --sizes", tuning->sizes_text, "leave one out");
            }
        }
        tuning->weights[tuning->count++] = 1;
    }
    size_t weights = 0;
    for (const char *at = tuning->weights_text; at; weights++) {
        char word[32];
        if (weights == tuning->count || !next_word(&at, word, sizeof word) ||
            ridge_number_parse(word, &tuning->weights[weights], NULL) != RIDGE_OK || !(tuning->weights[weights] > 0)) {
            return complain("--weights does not take", tuning->weights_text, "a number above 0 for each of --sizes");
        }
    }
    return tuning->weights_text && weights != tuning->count
               ? complain("--weights has too few numbers:", tuning->weights_text, "one for each of --sizes")
               : EXIT_DONE;
}

static int elements_take(struct tuning *tuning)
{
    uint32_t bytes = 0;
    struct ridge_error error = {0};
    for (const char *at = tuning->in; at;) {
        const size_t index = tuning->kernel.input_count;
        if (index == RIDGE_TRANSFORM_INPUTS || !next_word(&at, tuning->inputs[index], WORD_BYTES) ||
            ridge_element_parse(tuning->inputs[index], &bytes, &error) != RIDGE_OK) {
            return complain("--in does not take", tuning->in, "up to 16 elements, such as f32 or f32,f32");
        }
        tuning->kernel.inputs[tuning->kernel.input_count++] = tuning->inputs[index];
        tuning->bytes_each += bytes;
    }
    if (ridge_element_parse(tuning->out, &bytes, &error) != RIDGE_OK) {
        return complain("--out does not take", tuning->out, "an element, such as f32");
    }
    tuning->bytes_each += bytes;
    tuning->kernel.output = tuning->out;
    tuning->kernel.staged = strncmp(tuning->device, "host", 4) != 0;
    return EXIT_DONE;
}

static int arguments_take(struct tuning *tuning)
{
    if (!tuning->out) {
        return complain("--out is missing", NULL, "the element that is written, such as f32");
    }
    if (tuning->no_input == (tuning->in != NULL)) {
        return complain("--in or --no-input is wanted", NULL, "one of the two");
    }
    const int code = sizes_take(tuning);
    return code == EXIT_DONE ? elements_take(tuning) : code;
}

/** Tune once. The first call of a size measures the base alone; the second resumes with the rest in random order. */
static ridge_status tune_once(struct tuning *tuning, const struct ridge_space *space, bool base, double budget_s,
                              int64_t *run, struct ridge_error *error)
{
    struct progress progress;
    progress_begin(&progress);
    const struct ridge_tune_options options = {
        .device = tuning->device,
        .budget_s = budget_s,
        .max_configs = base ? 1 : tuning->tried_at_most,
        .order = base ? RIDGE_ORDER_EXHAUSTIVE : RIDGE_ORDER_RANDOM,
        .seed = tuning->seed,
        .resume = !base,
        .samples = tuning->samples,
        .work_root = getenv("TMPDIR"),
        .stop = tuning->stop,
        .progress = progress_show,
        .user = &progress,
    };
    const ridge_status status = ridge_tune(tuning->context, space, tuning->store, &options, run, error);
    progress_end(&progress);
    return status;
}

/** Tune a space, its base first. */
static ridge_status tune_space(struct tuning *tuning, const struct ridge_space *space, double budget_s, int64_t *run,
                               struct ridge_error *error)
{
    uint32_t first[64] = {0};
    ridge_status status = ridge_space_at(space, 0, first, error);
    if (status != RIDGE_OK) {
        return status;
    }
    ridge_space_id(space, first, tuning->base_id);
    const double began_s = now_s();
    status = tune_once(tuning, space, true, 0, run, error);
    const double left_s = budget_s - (now_s() - began_s);
    if (status == RIDGE_OK && *tuning->stop == 0 && left_s > 0) {
        status = tune_once(tuning, space, false, left_s, run, error);
    }
    return status;
}

/** Measure one size within its share of the budget. */
static int tune_size(struct tuning *tuning, size_t index, double budget_s)
{
    struct ridge_error error = {0};
    struct ridge_spec *spec = NULL;
    struct ridge_space *space = NULL;
    char set[32];
    char text[32];
    int64_t run = 0;
    const char *sets[] = {set};
    snprintf(set, sizeof set, "n=%" PRIu64, tuning->elements[index]);
    elements_text(tuning->elements[index], text, sizeof text);
    fprintf(stderr, "%s elements:\n", text);
    ridge_status status = ridge_spec_load(tuning->context, tuning->folder, sets, 1, &spec, &error);
    status = status == RIDGE_OK ? ridge_space_create(tuning->context, spec, &space, &error) : status;
    status = status == RIDGE_OK ? tune_space(tuning, space, budget_s, &run, &error) : status;
    if (status == RIDGE_OK) {
        status = ridge_store_run_load(tuning->store, run, &tuning->runs[index], &error);
    }
    if (status == RIDGE_OK && tuning->tried_at_most == 0) {
        tuning->tried_at_most = tuning->runs[index]->record_count;
    }
    ridge_space_destroy(space);
    ridge_spec_destroy(spec);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

/** \return the largest size that is not measured yet, or `count`. */
static size_t next_size(const struct tuning *tuning)
{
    size_t next = tuning->count;
    for (size_t i = 0; i < tuning->count; i++) {
        if (!tuning->runs[i] && (next == tuning->count || tuning->elements[i] > tuning->elements[next])) {
            next = i;
        }
    }
    return next;
}

/** Measure the largest size first, with half of the budget: it decides how many variants the others try. */
static int tune_all(struct tuning *tuning)
{
    tuning->stop = stop_catch();
    tuning->ends_s = now_s() + tuning->budget_s;
    for (size_t left = tuning->count; left > 0; left--) {
        const double left_s = tuning->ends_s - now_s();
        const double share = left == 1 ? 1 : left == tuning->count ? 0.5 : 1.0 / (double)left;
        const int code = tune_size(tuning, next_size(tuning), left_s > 1 ? left_s * share : 1);
        if (code != EXIT_DONE) {
            return code;
        }
        if (*tuning->stop > 0 && left > 1) {
            fprintf(stderr, "ridge policy tune: stopped; what was measured is kept in %s\n", tuning->database);
            return EXIT_NEGATIVE;
        }
    }
    return EXIT_DONE;
}

static int show(const struct tuning *tuning, const char *title)
{
    static const struct ridge_variant_label labels[] = {{"block_x", "tpb"}};
    struct ridge_error error = {0};
    struct ridge_variants *variants = NULL;
    struct policy_tuned tuned = {.title = title,
                                 .folder = tuning->folder,
                                 .database = tuning->database,
                                 .count = tuning->count,
                                 .bytes_each = tuning->bytes_each,
                                 .limit = tuning->limit > 0 ? (size_t)tuning->limit : 10};
    for (size_t i = 0; i < tuning->count; i++) {
        tuned.runs[i] = tuning->runs[i];
        tuned.elements[i] = tuning->elements[i];
    }
    const struct ridge_variants_request request = {tuning->count,   tuned.runs, tuning->weights,
                                                   tuning->base_id, 1,          labels};
    if (ridge_variants_create(tuning->context, &request, &variants, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    tuned.variants = variants;
    int code = EXIT_DONE;
    if (tuning->json) {
        code = policy_tuned_print_json(&tuned);
    } else {
        policy_tuned_print(&tuned);
    }
    ridge_variants_destroy(tuning->context, variants);
    return code;
}

static int run(struct tuning *tuning)
{
    struct ridge_error error = {0};
    char title[256];
    snprintf(title, sizeof title, "transform %s to %s", tuning->in ? tuning->in : "nothing", tuning->out);
    if (ridge_transform_kernel_write(tuning->context, &tuning->kernel, tuning->folder, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    if (!database_path(tuning->database, sizeof tuning->database, NULL, tuning->folder)) {
        return EXIT_USAGE;
    }
    if (ridge_store_open(tuning->context, tuning->database, RIDGE_STORE_WRITE, &tuning->store, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    int code = tune_all(tuning);
    code = code == EXIT_DONE ? show(tuning, title) : code;
    for (size_t i = 0; i < tuning->count; i++) {
        ridge_run_destroy(tuning->runs[i]);
    }
    ridge_store_close(tuning->store);
    return code;
}

int cmd_policy_tune(struct ridge_context *context, int argc, char **argv)
{
    static const struct command command = {
        "policy tune", "transform", "measure a generated transform on the device at hand, at several sizes", NULL};
    struct tuning tuning = {.context = context,
                            .device = "opencl",
                            .sizes_text = "1M,16M,64M",
                            .folder = "ridge_transform",
                            .budget_s = 120};
    const struct option options[] = {
        {"device", OPTION_TEXT, &tuning.device, "DEVICE",
         "opencl[:platform[:device]], cuda[:device], host (default: opencl)", NULL},
        {"in", OPTION_TEXT, &tuning.in, "ELEMENTS", "what is read, such as f32 or f32,f32", NULL},
        {"out", OPTION_TEXT, &tuning.out, "ELEMENT", "what is written", NULL},
        {"no-input", OPTION_FLAG, &tuning.no_input, NULL, "nothing is read: it only fills", NULL},
        {"sizes", OPTION_TEXT, &tuning.sizes_text, "LIST", "numbers of elements (default: 1M,16M,64M)", NULL},
        {"weights", OPTION_TEXT, &tuning.weights_text, "LIST", "of the sizes in the score (default: all alike)", NULL},
        {"budget", OPTION_DURATION, &tuning.budget_s, "TIME", "for all sizes together (default: 2m)", NULL},
        {"samples", OPTION_COUNT, &tuning.samples, "N", "time exactly N launches a variant", NULL},
        {"seed", OPTION_COUNT, &tuning.seed, "S", "of the order in which variants are tried", NULL},
        {"work", OPTION_TEXT, &tuning.folder, "FOLDER",
         "where kernel, sources and evidence go (default: ridge_transform)", NULL},
        {"limit", OPTION_COUNT, &tuning.limit, "N", "rows of the table (default: 10)", NULL},
        {"json", OPTION_FLAG, &tuning.json, NULL, "print JSON (ridge.policy-tune/1)", NULL},
        {0},
    };
    const char *what = NULL;
    switch (options_parse(&command, options, argc, argv, &what, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (strcmp(what, "transform") != 0) {
        return complain("there is no policy", what, "transform is the only one");
    }
    const int code = arguments_take(&tuning);
    return code == EXIT_DONE ? run(&tuning) : code;
}
