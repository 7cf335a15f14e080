/* SPDX-License-Identifier: MIT */
/** \file ridge calibrate: how good a ranking was, against a record, beside the occupancy-waves baseline. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "ridge/json.h"
#include "saved_calibration.h"
#include "terminal.h"

enum {
    RESAMPLES = 1000
};

struct calibrate {
    struct ranker ranker;
    const char *record;
    const char *svg;
    const char *db;
    bool json;
    bool save;
    char saved_in[DATABASE_PATH_BYTES]; /* empty: it was not kept */
    struct ridge_run *run;
    struct ridge_calibration result;
    struct ridge_calibration baseline;
    struct ridge_calibration_point *points;
};

static ridge_status draw(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct calibrate *calibrate = user;
    char title[256];
    char words[CALIBRATION_BYTES];
    snprintf(title, sizeof title, "%s on %s, model %s (estimated): predicted rank against measured time",
             ridge_spec_kernel(calibrate->ranker.spec), calibrate->ranker.device.devices[0]->name,
             ridge_model_word(calibrate->ranker.model));
    calibration_words(&calibrate->result, words);
    return ridge_calibration_picture(calibrate->points, calibrate->result.configurations, title, words, sink, error);
}

static void json_body(struct ridge_json *json, const struct ridge_calibration *result)
{
    static const char *const keys[RIDGE_REGRETS] = {"1", "10", "50", "100"};
    ridge_json_double(json, "rho", result->rho);
    ridge_json_array_begin_compact(json, "rho_ci95");
    ridge_json_double(json, NULL, result->rho_ci95.low);
    ridge_json_double(json, NULL, result->rho_ci95.high);
    ridge_json_array_end(json);
    ridge_json_u64(json, "n", result->n);
    ridge_json_u64(json, "recall10", result->recall10);
    ridge_json_object_begin_compact(json, "regret");
    for (size_t i = 0; i < RIDGE_REGRETS; i++) {
        ridge_json_double(json, keys[i], result->regret[i]);
    }
    ridge_json_object_end(json);
    ridge_json_double(json, "evals_to_5pct", result->evals_to_5pct);
    ridge_json_double(json, "evals_to_1pct", result->evals_to_1pct);
    ridge_json_double(json, "random_evals_to_5pct", result->random_evals_to_5pct);
    ridge_json_double(json, "random_evals_to_1pct", result->random_evals_to_1pct);
}

static int print_json(const struct calibrate *calibrate, const struct ridge_ranking *ranking)
{
    struct ridge_json json;
    char words[CALIBRATION_BYTES];
    calibration_words(&calibrate->result, words);
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "kind", "estimated");
    ridge_json_text(&json, "calibration", words);
    ridge_json_text(&json, "kernel", ridge_spec_kernel(calibrate->ranker.spec));
    ridge_json_text(&json, "device", calibrate->ranker.device.devices[0]->name);
    ridge_json_text(&json, "model", ridge_model_word(calibrate->ranker.model));
    ridge_json_text(&json, "record", calibrate->record);
    json_body(&json, &calibrate->result);
    ridge_json_u64(&json, "configurations", calibrate->result.configurations);
    ridge_json_u64(&json, "outside", calibrate->result.outside);
    ridge_json_object_begin(&json, "baseline");
    ridge_json_text(&json, "model", ridge_model_word(RIDGE_MODEL_OCCUPANCY_WAVES));
    json_body(&json, &calibrate->baseline);
    ridge_json_object_end(&json);
    ridge_json_array_begin(&json, "notes");
    for (size_t i = 0; i < ranking->note_count; i++) {
        ridge_json_text(&json, NULL, ranking->notes[i]);
    }
    ridge_json_array_end(&json);
    if (calibrate->saved_in[0]) {
        ridge_json_text(&json, "saved_in", calibrate->saved_in);
    }
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

static void print_row(const char *name, double own, double baseline, double random)
{
    char text[3][32] = {"", "", ""};
    const double values[3] = {own, baseline, random};
    for (size_t i = 0; i < 3; i++) {
        if (isinf(values[i])) {
            snprintf(text[i], sizeof text[i], "all failed");
        } else if (!isnan(values[i])) {
            snprintf(text[i], sizeof text[i], "%.3f", values[i]);
        }
    }
    printf("%-34s  %12s  %15s  %12s\n", name, text[0], text[1], text[2]);
}

static void print_text(const struct calibrate *calibrate, const struct ridge_ranking *ranking)
{
    const struct ridge_calibration *own = &calibrate->result;
    const struct ridge_calibration *base = &calibrate->baseline;
    char words[CALIBRATION_BYTES];
    calibration_words(own, words);
    printf("%s on %s by model %s, estimated, against %s\n", ridge_spec_kernel(calibrate->ranker.spec),
           calibrate->ranker.device.devices[0]->name, ridge_model_word(calibrate->ranker.model), calibrate->record);
    printf("calibration: %s; %" PRIu64 " configurations with the failed ones\n", words, own->configurations);
    if (own->outside > 0) {
        printf("note: %" PRIu64 " records are not in the space and were not counted\n", own->outside);
    }
    for (size_t i = 0; i < ranking->note_count; i++) {
        printf("note: %s\n", ranking->notes[i]);
    }
    printf("\n%-34s  %12s  %15s  %12s\n", "", ridge_model_word(calibrate->ranker.model), "occupancy-waves",
           "random order");
    print_row("Spearman rho", own->rho, base->rho, (double)NAN);
    print_row("of the 10 best, in the first 10 %", own->recall10, base->recall10, (double)NAN);
    for (size_t i = 0; i < RIDGE_REGRETS; i++) {
        char name[64];
        snprintf(name, sizeof name, "best of the first %" PRIu64 " over optimum", ridge_regret_k(i));
        print_row(name, own->regret[i], base->regret[i], (double)NAN);
    }
    print_row("evaluations to come within 5 %", own->evals_to_5pct, base->evals_to_5pct, own->random_evals_to_5pct);
    print_row("evaluations to come within 1 %", own->evals_to_1pct, base->evals_to_1pct, own->random_evals_to_1pct);
    if (calibrate->saved_in[0]) {
        printf("\nsaved in ");
        terminal_text(calibrate->saved_in);
        printf(": ridge rank shows it for this kernel, device, model and evidence\n");
    }
}

static int write_picture(struct calibrate *calibrate)
{
    struct ridge_error error = {0};
    return ridge_file_fill(calibrate->ranker.context, calibrate->svg, draw, calibrate, &error) == RIDGE_OK
               ? EXIT_DONE
               : report_error(&error);
}

static int compare(struct calibrate *calibrate, const struct ridge_ranking *ranking,
                   const struct ridge_ranking *baseline)
{
    struct ridge_error error = {0};
    const struct ranker *ranker = &calibrate->ranker;
    ridge_status status = ridge_calibrate(ranker->context, ranker->space, ranking, calibrate->run, RESAMPLES,
                                          &calibrate->result, calibrate->points, &error);
    if (status == RIDGE_OK) {
        status = ridge_calibrate(ranker->context, ranker->space, baseline, calibrate->run, RESAMPLES,
                                 &calibrate->baseline, NULL, &error);
    }
    if (status != RIDGE_OK) {
        return report_error(&error);
    }
    int code = calibrate->svg ? write_picture(calibrate) : EXIT_DONE;
    if (code == EXIT_DONE && calibrate->save) {
        code = saved_calibration_put(ranker, calibrate->db, calibrate->record, calibrate->run, &calibrate->result,
                                     calibrate->saved_in, sizeof calibrate->saved_in);
    }
    if (code == EXIT_DONE && calibrate->json) {
        code = print_json(calibrate, ranking);
    } else if (code == EXIT_DONE) {
        print_text(calibrate, ranking);
    }
    return code;
}

static int run(struct calibrate *calibrate)
{
    struct ridge_error error = {0};
    const struct ridge_record_hints hints = {ridge_spec_kernel(calibrate->ranker.spec), calibrate->ranker.device_name};
    if (ridge_record_read(calibrate->ranker.context, calibrate->record, &hints, &calibrate->run, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    calibrate->points = calloc(calibrate->run->record_count + 1, sizeof *calibrate->points);
    int code = EXIT_DONE;
    if (!calibrate->points) {
        fprintf(stderr, "ridge: out of memory\n");
        code = EXIT_INTERNAL;
    }
    struct ridge_ranking *ranking =
        code == EXIT_DONE ? ranker_rank(&calibrate->ranker, calibrate->ranker.model, &code) : NULL;
    struct ridge_ranking *baseline =
        ranking ? ranker_rank(&calibrate->ranker, RIDGE_MODEL_OCCUPANCY_WAVES, &code) : NULL;
    if (baseline) {
        code = compare(calibrate, ranking, baseline);
    }
    ridge_ranking_destroy(baseline);
    ridge_ranking_destroy(ranking);
    ridge_run_destroy(calibrate->run);
    free(calibrate->points);
    return code;
}

int cmd_calibrate(struct ridge_context *context, int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "footprint") == 0) { /* a spec of that name is given as ./footprint */
        return cmd_calibrate_footprint(context, argc - 1, argv + 1);
    }
    struct calibrate calibrate = {.ranker.context = context};
    const struct option options[] = {
        RANKER_OPTIONS(&calibrate.ranker),
        {"record", OPTION_TEXT, &calibrate.record, "FILE", "what was measured on the device", NULL},
        {"svg", OPTION_TEXT, &calibrate.svg, "FILE", "draw predicted rank against measured time", NULL},
        {"save", OPTION_FLAG, &calibrate.save, NULL, "keep it in the evidence database: ridge rank then shows it",
         NULL},
        {"db", OPTION_TEXT, &calibrate.db, "FILE",
         "that database (default: RIDGE_DB, else .ridge/evidence.db beside the spec)", NULL},
        {"json", OPTION_FLAG, &calibrate.json, NULL, "print JSON", NULL},
        {0},
    };
    switch (options_parse(command_find("calibrate"), options, argc, argv, &calibrate.ranker.spec_path, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (!calibrate.record) {
        fprintf(stderr, "ridge calibrate: --record is missing (name a file of measurements of this device)\n");
        return EXIT_USAGE;
    }
    if (calibrate.db && !calibrate.save) {
        fprintf(stderr, "ridge calibrate: --db belongs to --save (add it)\n");
        return EXIT_USAGE;
    }
    int code = output_check(calibrate.svg);
    code = code == EXIT_DONE ? ranker_open(&calibrate.ranker) : code;
    if (code == EXIT_DONE && calibrate.save) {
        code = database_check(context, calibrate.db, ridge_spec_folder(calibrate.ranker.spec));
    }
    code = code == EXIT_DONE ? run(&calibrate) : code;
    ranker_close(&calibrate.ranker);
    return code;
}
