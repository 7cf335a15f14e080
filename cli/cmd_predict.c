/* SPDX-License-Identifier: MIT */
/** \file ridge predict: is more shared memory worth trying on this device? */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "footprint_show.h"
#include "options.h"
#include "ridge/units.h"

struct predict {
    const char *device, *footprint, *calibrations;
    bool json;
    uint64_t base_bytes, candidate_bytes;
};

/** Read "2048:6144". \return false with a message */
static bool footprint_parse(struct predict *predict)
{
    struct ridge_error error = {0};
    char base[32] = "";
    const char *colon = strchr(predict->footprint, ':');
    const size_t length = colon ? (size_t)(colon - predict->footprint) : sizeof base;
    if (length >= sizeof base) {
        fprintf(stderr,
                "ridge predict: --footprint '%s' is no pair (write BASE:CANDIDATE in bytes, such as 2048:6144)\n",
                predict->footprint);
        return false;
    }
    memcpy(base, predict->footprint, length);
    if (ridge_count_parse(base, INT64_MAX, &predict->base_bytes, &error) != RIDGE_OK ||
        ridge_count_parse(colon + 1, INT64_MAX, &predict->candidate_bytes, &error) != RIDGE_OK) {
        fprintf(stderr, "ridge predict: --footprint '%s': %s\n", predict->footprint, error.message);
        return false;
    }
    return true;
}

static int print_json(const struct predict *predict, const struct ridge_prediction *prediction)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.predict/1");
    ridge_json_text(&json, "device", predict->device);
    ridge_json_u64(&json, "base_bytes", predict->base_bytes);
    ridge_json_u64(&json, "candidate_bytes", predict->candidate_bytes);
    ridge_json_text(&json, "verdict", ridge_verdict_word(prediction->verdict));
    ridge_json_double(&json, "ratio", prediction->ratio);
    ridge_json_text(&json, "kind", "estimated");
    ridge_json_text(&json, "reason", prediction->reason);
    ridge_json_bool(&json, "extrapolated", prediction->extrapolated);
    footprint_json(&json, prediction->footprint);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

static void print_wrong(const struct ridge_footprint *footprint)
{
    if (footprint->wrong_count > 0) {
        puts("\nmeasured to be wrong outside of that scope:");
    }
    for (size_t i = 0; i < footprint->wrong_count; i++) {
        const struct ridge_footprint_wrong *wrong = &footprint->wrong[i];
        printf("  %s: estimated %.3f, measured %.3f%s%s\n", wrong->what, wrong->predicted_ratio, wrong->measured_ratio,
               wrong->note ? "; " : "", wrong->note ? wrong->note : "");
    }
}

static void print_extrapolated(const struct ridge_footprint *footprint)
{
    const struct ridge_footprint_span span = ridge_footprint_span(footprint);
    printf("beyond  what was measured: %.0f to %.0f bytes, changes by up to %.3g times; the rule is extrapolated\n",
           span.least_bytes, span.most_bytes, span.most_change);
}

static const char *meaning(ridge_verdict verdict)
{
    static const char *const meanings[] = {
        [RIDGE_VERDICT_UNKNOWN] = "measure it",
        [RIDGE_VERDICT_TOO_CLOSE] = "measure it",
        [RIDGE_VERDICT_FASTER] = "worth measuring",
        [RIDGE_VERDICT_SLOWER] = "not worth device time",
    };
    return meanings[verdict];
}

static void print_text(const struct predict *predict, const struct ridge_prediction *prediction)
{
    const struct ridge_footprint *footprint = prediction->footprint;
    printf("%s, %" PRIu64 " to %" PRIu64 " bytes: %s (%s)\n", predict->device, predict->base_bytes,
           predict->candidate_bytes, ridge_verdict_word(prediction->verdict), meaning(prediction->verdict));
    if (prediction->verdict != RIDGE_VERDICT_UNKNOWN) {
        printf("ratio   %.3f of the throughput, estimated\n", prediction->ratio);
    }
    printf("reason  %s\n", prediction->reason);
    if (!footprint) {
        return;
    }
    if (prediction->extrapolated) {
        print_extrapolated(footprint);
    }
    printf("scope   %s\n\n%s: %s, from %s\n", footprint->scope, footprint->name, footprint->kind, footprint->source);
    footprint_points_print(footprint);
    print_wrong(footprint);
    if (footprint->note) {
        printf("\nnote: %s\n", footprint->note);
    }
}

int cmd_predict(struct ridge_context *context, int argc, char **argv)
{
    struct predict predict = {0};
    const struct option options[] = {
        {"device", OPTION_TEXT, &predict.device, "NAME", "the device; its name as its driver gives it", NULL},
        {"footprint", OPTION_TEXT, &predict.footprint, "BASE:CAND", "bytes of shared memory a block, now and then",
         NULL},
        {"calibrations", OPTION_TEXT, &predict.calibrations, "PATH",
         "a folder or file of calibrations over those compiled in", NULL},
        {"json", OPTION_FLAG, &predict.json, NULL, "print JSON (ridge.predict/1)", NULL},
        {0},
    };
    const char *none[1];
    switch (options_parse(command_find("predict"), options, argc, argv, none, 0, 0)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (!predict.device || !predict.footprint) {
        fprintf(stderr,
                "ridge predict: %s is missing (ridge predict --device \"Apple M4 Pro\" --footprint 2048:6144)\n",
                predict.device ? "--footprint" : "--device");
        return EXIT_USAGE;
    }
    if (!footprint_parse(&predict)) {
        return EXIT_USAGE;
    }
    struct ridge_error error = {0};
    struct ridge_footprint_db *db = NULL;
    if (ridge_footprint_db_create(context, predict.calibrations, &db, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    struct ridge_prediction prediction;
    int code = EXIT_DONE;
    ridge_footprint_predict(db, predict.device, predict.base_bytes, predict.candidate_bytes, &prediction);
    if (predict.json) {
        code = print_json(&predict, &prediction);
    } else {
        print_text(&predict, &prediction);
    }
    ridge_footprint_db_destroy(db);
    return code;
}
