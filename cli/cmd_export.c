/* SPDX-License-Identifier: MIT */
/** \file ridge export: a run as a file that other tools read. */
#include <stdio.h>
#include <string.h>

#include "database.h"
#include "options.h"
#include "ridge/record.h"
#include "ridge/report.h"
#include "terminal.h"

struct export
{
    const char *format;
    const char *output;
    const char *db;
    const struct ridge_run *run;
};

static ridge_status fill(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct export *export = user;
    if (strcmp(export->format, "csv") == 0) {
        return ridge_report_csv(export->run, RIDGE_REPORT_SAMPLES, sink, error);
    }
    const bool t4 = strcmp(export->format, "t4") == 0;
    return ridge_record_write(export->run, t4 ? RIDGE_RECORD_T4 : RIDGE_RECORD_CACHE, sink, error);
}

static int export_run(const struct ridge_context *context, struct export *export)
{
    struct ridge_error error = {0};
    if (!export->output) {
        return report_exit(fill(export, stdout_sink(), &error), &error);
    }
    const ridge_status status = ridge_file_fill(context, export->output, fill, export, &error);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

int cmd_export(struct ridge_context *context, int argc, char **argv)
{
    struct export export = {0};
    const char *name = NULL;
    const struct option options[] = {
        {"format", OPTION_TEXT, &export.format, "FORMAT", "t4, kt-cache (Kernel Tuner) or csv", "t4|kt-cache|csv"},
        {"output", OPTION_TEXT, &export.output, "FILE", "where to write it (default: standard output)", NULL},
        {"db", OPTION_TEXT, &export.db, "FILE", "the evidence database (default: RIDGE_DB, else .ridge/evidence.db)",
         NULL},
        {0},
    };
    switch (options_parse(command_find("export"), options, argc, argv, &name, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    uint64_t number = 0;
    if (!export.format) {
        fprintf(stderr, "ridge export: --format is missing (t4, kt-cache or csv)\n");
        return EXIT_USAGE;
    }
    if (!run_number_parse("export", name, &number)) {
        return EXIT_USAGE;
    }
    int code = EXIT_DONE;
    struct ridge_store *store = database_open(context, export.db, &code);
    if (!store) {
        return code;
    }
    struct ridge_run *run = NULL;
    struct ridge_error error = {0};
    const ridge_status status = ridge_store_run_load(store, (int64_t)number, &run, &error);
    export.run = run;
    code = status == RIDGE_OK ? export_run(context, &export) : report_error(&error);
    ridge_run_destroy(run);
    ridge_store_close(store);
    return code;
}
