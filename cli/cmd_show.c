/* SPDX-License-Identifier: MIT */
/** \file ridge show: what one run came to, as text, JSON or CSV. */
#include <stdio.h>
#include <string.h>

#include "database.h"
#include "options.h"
#include "terminal.h"

struct show {
    const char *db;
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
    code = status == RIDGE_OK ? show_run(run, show) : report_error(&error);
    ridge_run_destroy(run);
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
    if (show.width > 1000) {
        fprintf(stderr, "ridge show: --width: %llu is too large (at most 1000)\n", (unsigned long long)show.width);
        return EXIT_USAGE;
    }
    uint64_t number = 0;
    return run_number_parse("show", name, &number) ? show_from(context, number, &show) : EXIT_USAGE;
}
