/* SPDX-License-Identifier: MIT */
/** \file ridge curve: measure memory throughput against working set. */
#include <stdio.h>
#include <string.h>

#include "curve_choice.h"
#include "database.h"
#include "ridge/chart.h"
#include "terminal.h"

struct curve_arguments {
    struct curve_choice choice;
    uint64_t max_bytes;
    uint64_t seed;
    const char *svg;
    struct option_optional width;
    const char *db;
    bool save;
    bool json;
};

/** A set on its way into a file. */
struct picture {
    const struct ridge_curve_set *set;
    unsigned width_px;
};

static enum parsed parse(int argc, char **argv, struct curve_arguments *out)
{
    struct curve_choice *choice = &out->choice;
    const struct option options[] = {
        {"device", OPTION_TEXT, &choice->device, "DEVICE",
         "host, opencl[:platform[:device]], cuda[:device] (default: host)", NULL},
        {"access", OPTION_TEXT, &choice->access, "ACCESS", CURVE_ACCESS_WORDS " (default: read)", CURVE_ACCESS_WORDS},
        {"cache", OPTION_TEXT, &choice->cache, "MODE", "cold or warm (default: cold)", "cold|warm"},
        {"discipline", OPTION_TEXT, &choice->discipline, "WAY",
         "only this way of asking for the bytes: " CURVE_DISCIPLINE_WORDS, CURVE_DISCIPLINE_WORDS},
        {"threads", OPTION_OPTIONAL, &choice->threads, "N",
         "threads (default: the fastest of all that may be used, half, ...)", NULL},
        {"max", OPTION_SIZE, &out->max_bytes, "SIZE", "largest working set (default: 1GiB)", NULL},
        {"rule", OPTION_TEXT, &choice->rule, "RULE", "ridge, or published: the published sweep alone (default: ridge)",
         "ridge|published"},
        {"max-seconds", OPTION_DURATION, &choice->max_seconds, "TIME",
         "to measure, beyond touching the memory once (default: 15s)", NULL},
        {"seed", OPTION_COUNT, &out->seed, "S", "seed of the order of the points", NULL},
        {"save", OPTION_FLAG, &out->save, NULL, "keep it in the evidence database, for ridge ceiling and ridge score",
         NULL},
        {"db", OPTION_TEXT, &out->db, "FILE", "evidence database (default: RIDGE_DB, else .ridge/evidence.db)", NULL},
        {"svg", OPTION_TEXT, &out->svg, "FILE", "draw it too", NULL},
        {"width", OPTION_OPTIONAL, &out->width, "PIXELS", "of the picture (default: 800)", NULL},
        {"json", OPTION_FLAG, &out->json, NULL, "print JSON", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    return options_parse(command_find("curve"), options, argc, argv, NULL, 0, 0);
}

static ridge_status draw(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct picture *picture = user;
    return ridge_curve_picture(picture->set->curves, picture->set->count, picture->width_px, sink, error);
}

static ridge_status save(struct ridge_context *context, const struct curve_arguments *arguments,
                         const struct ridge_curve_set *set, int64_t *id, struct ridge_error *error)
{
    char path[DATABASE_PATH_BYTES];
    struct ridge_store *store = NULL;
    if (!database_path(path, sizeof path, arguments->db, NULL)) {
        return RIDGE_E_ARGUMENT;
    }
    ridge_status status = ridge_store_open(context, path, RIDGE_STORE_WRITE, &store, error);
    if (status == RIDGE_OK) {
        status = ridge_store_curves_put(store, set, id, error);
    }
    ridge_store_close(store);
    if (status == RIDGE_OK && !arguments->json) {
        printf("\nsaved as curve %lld in %s\n", (long long)*id, path);
    }
    return status;
}

/** Print, save and draw: what was measured is shown even when keeping it fails. */
static int hand_over(struct ridge_context *context, const struct curve_arguments *arguments,
                     const struct ridge_curve_set *set)
{
    struct ridge_error error = {0};
    int64_t id = 0;
    struct picture picture = {set, arguments->width.given ? (unsigned)arguments->width.value : 800};
    ridge_status status = RIDGE_OK;
    if (!arguments->json) {
        curve_text(set);
    }
    if (arguments->save) {
        status = save(context, arguments, set, &id, &error);
    }
    int code = arguments->json ? curve_json(set, id) : EXIT_DONE;
    if (status == RIDGE_OK && arguments->svg) {
        status = ridge_file_fill(context, arguments->svg, draw, &picture, &error);
    }
    if (status != RIDGE_OK) {
        return report_error(&error);
    }
    return code == EXIT_DONE && set->curves[0].stopped ? EXIT_NEGATIVE : code;
}

/** Measuring takes its time: what cannot be written is said before. */
static int outputs_check(struct ridge_context *context, const struct curve_arguments *arguments)
{
    const int code = output_check(arguments->svg);
    return code == EXIT_DONE && arguments->save ? database_check(context, arguments->db, NULL) : code;
}

int cmd_curve(struct ridge_context *context, int argc, char **argv)
{
    struct curve_arguments arguments = {.choice = CURVE_CHOICE_DEFAULT};
    const enum parsed parsed = parse(argc, argv, &arguments);
    if (parsed != PARSED_GO) {
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    }
    const uint64_t width = arguments.width.value;
    if (arguments.width.given && (width < RIDGE_CHART_LEAST_WIDTH || width > RIDGE_CHART_MOST_WIDTH)) {
        fprintf(stderr, "ridge curve: --width: a picture cannot be that wide (%d to %d pixels)\n",
                RIDGE_CHART_LEAST_WIDTH, RIDGE_CHART_MOST_WIDTH);
        return EXIT_USAGE;
    }
    struct ridge_curve_request request;
    if (!curve_choice_take("curve", &arguments.choice, &request)) {
        return EXIT_USAGE;
    }
    const int ready = outputs_check(context, &arguments);
    if (ready != EXIT_DONE) {
        return ready;
    }
    request.max_bytes = arguments.max_bytes;
    request.seed = arguments.seed;
    curve_signals_catch();
    struct ridge_error error = {0};
    struct ridge_curve_set *set = NULL;
    const ridge_status status = ridge_curve_measure(context, &request, &set, &error);
    curve_progress_end();
    if (status != RIDGE_OK) {
        return report_error(&error);
    }
    const int code = hand_over(context, &arguments, set);
    ridge_curve_set_destroy(set);
    return code;
}
