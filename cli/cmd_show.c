/* SPDX-License-Identifier: MIT */
/** \file ridge show: what one run, or a group of runs, came to, as text, JSON or CSV. */
#include <stdio.h>
#include <string.h>

#include "cmd_show.h"
#include "database.h"
#include "options.h"
#include "ridge/chart.h"
#include "terminal.h"

enum {
    MOST_COLUMNS = 1000,
    PICTURE_WIDTH = 800
};

struct show {
    const char *db;
    const char *against;  /* an earlier run to compare with; NULL: none */
    uint64_t earlier;     /* its number */
    const char *roofline; /* file of the picture; NULL: none is asked for */
    bool json;
    bool csv;
    bool failed;
    uint64_t limit;
    uint64_t width;
};

static int show_run(const struct ridge_run *run, const struct show *show)
{
    struct ridge_error error = {0};
    const unsigned failed = show->failed ? (unsigned)RIDGE_REPORT_FAILED : 0U;
    if (show->json) {
        return report_exit(ridge_report_json(run, RIDGE_REPORT_RESULTS | failed, stdout_sink(), &error), &error);
    }
    if (show->csv) {
        return report_exit(ridge_report_csv(run, failed, stdout_sink(), &error), &error);
    }
    struct ridge_report_options look = terminal_options();
    look.failed_only = show->failed;
    look.limit = (size_t)show->limit;
    look.width = show->width > 0 ? (unsigned)show->width : look.width;
    return report_exit(ridge_report_text(run, &look, stdout_sink(), &error), &error);
}

/** What the picture is made of. */
struct picture {
    const struct ridge_run *run;
    const struct ridge_ceilings *ceilings;
    unsigned width_px;
};

static ridge_status picture_fill(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct picture *picture = user;
    return ridge_roofline_picture(picture->run, picture->ceilings, picture->width_px, sink, error);
}

/** Draw the run against what is saved of its device; without that, only its points. */
static int draw_run(struct ridge_context *context, struct ridge_store *store, const struct ridge_run *run,
                    const struct show *show)
{
    struct ridge_error error = {0};
    struct ridge_ceilings ceilings;
    const bool warm = strcmp(run->info.cache, "warm") == 0;
    const ridge_status found =
        ridge_store_ceilings_load(store, run->info.backend, run->info.device, warm, &ceilings, &error);
    if (found != RIDGE_OK && found != RIDGE_E_EMPTY) {
        return report_error(&error);
    }
    struct picture picture = {run, found == RIDGE_OK ? &ceilings : NULL, PICTURE_WIDTH};
    picture.width_px = show->width > 0 ? (unsigned)show->width : picture.width_px;
    error = (struct ridge_error){0};
    const ridge_status status = ridge_file_fill(context, show->roofline, picture_fill, &picture, &error);
    if (found == RIDGE_OK) {
        ridge_ceilings_fini(&ceilings);
    }
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

static int compare_runs(struct ridge_store *store, const struct ridge_run *run, const struct show *show)
{
    struct ridge_error error = {0};
    struct ridge_run *earlier = NULL;
    const ridge_status status = ridge_store_run_load(store, (int64_t)show->earlier, &earlier, &error);
    const int code = status == RIDGE_OK ? show_against(run, earlier) : report_error(&error);
    ridge_run_destroy(earlier);
    return code;
}

static int show_from(struct ridge_context *context, uint64_t number, const struct show *show)
{
    int code = EXIT_DONE;
    struct ridge_store *store = database_open(context, show->db, &code);
    if (!store) {
        return code;
    }
    struct ridge_run *run = NULL;
    struct ridge_error error = {0};
    const ridge_status status = ridge_store_run_load(store, (int64_t)number, &run, &error);
    code = status != RIDGE_OK ? report_error(&error)
           : show->against    ? compare_runs(store, run, show)
           : show->roofline   ? draw_run(context, store, run, show)
                              : show_run(run, show);
    ridge_run_destroy(run);
    ridge_store_close(store);
    return code;
}

static int show_group(const struct ridge_group *group, const struct show *show)
{
    struct ridge_error error = {0};
    const unsigned failed = show->failed ? (unsigned)RIDGE_REPORT_FAILED : 0U;
    if (show->json) {
        return report_exit(ridge_report_group_json(group, RIDGE_REPORT_RESULTS | failed, stdout_sink(), &error),
                           &error);
    }
    if (show->csv) {
        return report_exit(ridge_report_group_csv(group, failed, stdout_sink(), &error), &error);
    }
    struct ridge_report_options look = terminal_options();
    look.limit = (size_t)show->limit;
    look.width = show->width > 0 ? (unsigned)show->width : look.width;
    return report_exit(ridge_report_group_text(group, &look, stdout_sink(), &error), &error);
}

static int show_group_from(struct ridge_context *context, const char *name, const struct show *show)
{
    int code = EXIT_DONE;
    uint64_t number = 0;
    struct ridge_error error = {0};
    struct ridge_group *group = NULL;
    if (!group_number_parse("show", name, &number)) {
        return EXIT_USAGE;
    }
    if (show->roofline || (show->failed && !show->json && !show->csv)) {
        fprintf(stderr, "ridge show: --%s takes a run, not a group (name one of its runs)\n",
                show->roofline ? "roofline" : "failed");
        return EXIT_USAGE;
    }
    struct ridge_store *store = database_open(context, show->db, &code);
    if (!store) {
        return code;
    }
    code = ridge_store_group_load(store, (int64_t)number, &group, &error) == RIDGE_OK ? show_group(group, show)
                                                                                      : report_error(&error);
    ridge_group_destroy(group);
    ridge_store_close(store);
    return code;
}

int cmd_show(struct ridge_context *context, int argc, char **argv)
{
    struct show show = {0};
    const struct option options[] = {
        {"db", OPTION_TEXT, &show.db, "FILE", "the evidence database (default: RIDGE_DB, else .ridge/evidence.db)",
         NULL},
        {"json", OPTION_FLAG, &show.json, NULL, "print JSON with every result (docs/run-json.md)", NULL},
        {"csv", OPTION_FLAG, &show.csv, NULL, "print CSV, one row a configuration", NULL},
        {"roofline", OPTION_TEXT, &show.roofline, "FILE",
         "draw the run against what the device can do, as SVG, instead (--width: pixels)", NULL},
        {"against", OPTION_TEXT, &show.against, "RUN",
         "say instead whether its best is slower than that of an earlier run: exit 1 when it is", NULL},
        {"failed", OPTION_FLAG, &show.failed, NULL, "only the configurations that failed, with their whole text", NULL},
        {"limit", OPTION_COUNT, &show.limit, "N", "rows in the table of the fastest (default 10)", NULL},
        {"width", OPTION_COUNT, &show.width, "N", "columns of the text (default: those of the terminal, else 100)",
         NULL},
        {0},
    };
    const char *name = NULL;
    switch (options_parse(command_find("show"), options, argc, argv, &name, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (show.json && show.csv) {
        fprintf(stderr, "ridge show: --json and --csv were both given (take one)\n");
        return EXIT_USAGE;
    }
    if (show.roofline && (show.json || show.csv || show.failed)) {
        fprintf(stderr, "ridge show: --roofline draws instead of printing (leave out --json, --csv and --failed)\n");
        return EXIT_USAGE;
    }
    if (show.against && (show.roofline || show.json || show.csv || show.failed || is_group_name(name))) {
        fprintf(stderr, "ridge show: --against compares two runs, and says so in text alone\n");
        return EXIT_USAGE;
    }
    const uint64_t widest = show.roofline ? RIDGE_CHART_MOST_WIDTH : MOST_COLUMNS;
    if (show.width > widest) {
        fprintf(stderr, "ridge show: --width: %llu is too large (at most %llu)\n", (unsigned long long)show.width,
                (unsigned long long)widest);
        return EXIT_USAGE;
    }
    uint64_t number = 0;
    if (is_group_name(name)) {
        return show_group_from(context, name, &show);
    }
    if (show.against && !run_number_parse("show", show.against, &show.earlier)) {
        return EXIT_USAGE;
    }
    return run_number_parse("show", name, &number) ? show_from(context, number, &show) : EXIT_USAGE;
}
