/* SPDX-License-Identifier: MIT */
/** \file ridge calibrate footprint: fit a verdict to measured points, and say whether it may be believed. */
#include <math.h>
#include <stdio.h>

#include "footprint_show.h"
#include "options.h"

struct calibrate {
    struct ridge_context *context;
    const char *points, *save;
    struct ridge_footprint_fit_options fit;
    bool json;
};

struct save {
    const struct ridge_context *context;
    const struct ridge_footprint *footprint;
};

static ridge_status fill(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct save *save = user;
    return ridge_footprint_write(save->context, save->footprint, sink, error);
}

static int print_json(const struct calibrate *calibrate, const struct ridge_footprint *footprint)
{
    struct ridge_json json;
    ridge_json_begin(&json, stdout_sink());
    ridge_json_object_begin(&json, NULL);
    ridge_json_text(&json, "schema", "ridge.calibrate-footprint/1");
    ridge_json_text(&json, "device", footprint->device);
    ridge_json_bool(&json, "claims", ridge_footprint_claims(footprint));
    footprint_json(&json, footprint);
    ridge_json_text(&json, "saved", calibrate->save);
    ridge_json_object_end(&json);
    return ridge_json_end(&json) ? EXIT_DONE : EXIT_INPUT;
}

static void print_claim(const struct ridge_footprint *footprint)
{
    if (isnan(footprint->held_out_error_ratio)) {
        puts("\nNo claim: every series was fitted on, so nothing says how far the fit can be trusted\n"
             "(name one with --hold-out LABEL).");
    } else if (!ridge_footprint_claims(footprint)) {
        printf("\nNo claim: the held-out series is off by up to %.3f, above the bound of %.3g.\n",
               footprint->held_out_error_ratio, footprint->bound_ratio);
    } else {
        printf("\nIt holds: the held-out series is predicted within %.3f, and the bound is %.3g.\n",
               footprint->held_out_error_ratio, footprint->bound_ratio);
    }
}

static void print_text(const struct calibrate *calibrate, const struct ridge_footprint *footprint)
{
    printf("%s, fitted to %s\n", footprint->name, calibrate->points);
    printf("ratio = max(0, 1 %c %.4g * log2(candidate / base)), estimated\n", footprint->slope_ratio < 0 ? '-' : '+',
           fabs(footprint->slope_ratio));
    printf("dead band %.3f: the largest residual of any point, at least 0.01\n\n", footprint->dead_band_ratio);
    footprint_points_print(footprint);
    print_claim(footprint);
    if (calibrate->save) {
        printf("Saved with its points: ridge predict --calibrations %s\n", calibrate->save);
    }
}

static int run(const struct calibrate *calibrate)
{
    struct ridge_error error = {0};
    struct ridge_footprint_fit *fit = NULL;
    ridge_status status =
        ridge_footprint_fit_create(calibrate->context, calibrate->points, &calibrate->fit, &fit, &error);
    if (status == RIDGE_OK && calibrate->save) {
        struct save save = {calibrate->context, ridge_footprint_fit_get(fit)};
        status = ridge_file_fill(calibrate->context, calibrate->save, fill, &save, &error);
    }
    int code = status == RIDGE_OK ? EXIT_DONE : report_error(&error);
    if (status == RIDGE_OK) {
        const struct ridge_footprint *footprint = ridge_footprint_fit_get(fit);
        if (calibrate->json) {
            code = print_json(calibrate, footprint);
        } else {
            print_text(calibrate, footprint);
        }
        code = code == EXIT_DONE && !ridge_footprint_claims(footprint) ? EXIT_NEGATIVE : code;
    }
    ridge_footprint_fit_destroy(fit);
    return code;
}

int cmd_calibrate_footprint(struct ridge_context *context, int argc, char **argv)
{
    static const struct command command = {"calibrate footprint", "--points FILE --device NAME",
                                           "fit a footprint verdict to measured points", NULL};
    struct calibrate calibrate = {.context = context, .fit.bound_ratio = (double)NAN}; /* NaN: not given */
    const struct option options[] = {
        {"points", OPTION_TEXT, &calibrate.points, "FILE", "CSV: label,bytes,throughput (or time_s)", NULL},
        {"device", OPTION_TEXT, &calibrate.fit.device, "NAME", "the device that they were measured on", NULL},
        {"hold-out", OPTION_TEXT, &calibrate.fit.hold_out, "LABEL", "predict this series instead of fitting on it",
         NULL},
        {"bound", OPTION_NUMBER, &calibrate.fit.bound_ratio, "RATIO",
         "how far off a held-out point may be (default 0.06)", NULL},
        {"save", OPTION_TEXT, &calibrate.save, "FILE", "keep the calibration with its points", NULL},
        {"json", OPTION_FLAG, &calibrate.json, NULL, "print JSON (ridge.calibrate-footprint/1)", NULL},
        {0},
    };
    const char *none[1];
    switch (options_parse(&command, options, argc, argv, none, 0, 0)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (!calibrate.points || !calibrate.fit.device) {
        fprintf(stderr, "ridge calibrate footprint: --%s is missing (%s)\n", calibrate.points ? "device" : "points",
                calibrate.points ? "name the device" : "a CSV file with label,bytes,throughput");
        return EXIT_USAGE;
    }
    if (calibrate.fit.bound_ratio <= 0 || calibrate.fit.bound_ratio >= 1) {
        fprintf(stderr, "ridge calibrate footprint: --bound is not between 0 and 1 (write 0.06 for 6 %%)\n");
        return EXIT_USAGE;
    }
    const int code = output_check(calibrate.save);
    return code == EXIT_DONE ? run(&calibrate) : code;
}
