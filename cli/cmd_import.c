/* SPDX-License-Identifier: MIT */
/** \file ridge import: recorded results of other tools become runs of the evidence database. */
#include <stdio.h>

#include "database.h"
#include "options.h"
#include "ridge/record.h"
#include "ridge/units.h"
#include "terminal.h"

struct import {
    struct ridge_context *context;
    char path[DATABASE_PATH_BYTES];
    struct ridge_store *store; /* opened, and made when missing, once there is something to put into it */
    struct ridge_record_hints hints;
};

/** Say what came of a file. */
static void print_run(const char *path, const struct ridge_run *run, int64_t id)
{
    const uint64_t ok = run->outcomes[RIDGE_OUTCOME_OK];
    terminal_text(path);
    printf(": run %lld, ", (long long)id);
    terminal_text(run->info.driver);
    printf(": ");
    terminal_text(run->info.kernel[0] ? run->info.kernel : "(no kernel)");
    printf(" on ");
    terminal_text(run->info.device[0] ? run->info.device : "(no device)");
    printf("\n  %zu configurations, %llu measured, %llu failed", run->record_count, (unsigned long long)ok,
           (unsigned long long)(run->record_count - ok));
    if (run->ranked_count > 0) {
        char best[RIDGE_NUMBER_BYTES];
        ridge_duration_format(run->records[run->ranked[0]].summary.median_s, best);
        printf("; best recorded median %s", best);
    }
    printf("\n");
    for (size_t i = 0; i < run->note_count; i++) {
        printf("  note: ");
        terminal_text(run->notes[i]);
        printf("\n");
    }
}

static int import_file(struct import *import, const char *path)
{
    struct ridge_run *run = NULL;
    struct ridge_error error = {0};
    int64_t id = 0;
    bool added = false;
    ridge_status status = ridge_record_read(import->context, path, &import->hints, &run, &error);
    if (status == RIDGE_OK && !import->store) {
        status = ridge_store_open(import->context, import->path, RIDGE_STORE_WRITE, &import->store, &error);
    }
    if (status == RIDGE_OK) {
        status = ridge_store_import(import->store, run, &id, &added, &error);
    }
    if (status != RIDGE_OK) {
        ridge_run_destroy(run);
        return report_error(&error);
    }
    if (added) {
        print_run(path, run, id);
    } else {
        terminal_text(path);
        printf(": it is there already as run %lld: nothing was added\n", (long long)id);
    }
    ridge_run_destroy(run);
    return EXIT_DONE;
}

int cmd_import(struct ridge_context *context, int argc, char **argv)
{
    const char *db = NULL;
    struct import import = {.context = context};
    const char *files[OPTION_LIST_MAX] = {NULL};
    const struct option options[] = {
        {"kernel", OPTION_TEXT, &import.hints.kernel, "NAME",
         "the kernel that was measured (default: as the file says)", NULL},
        {"device", OPTION_TEXT, &import.hints.device, "NAME",
         "the device it was measured on (default: as the file says)", NULL},
        {"db", OPTION_TEXT, &db, "FILE", "the evidence database (default: RIDGE_DB, else .ridge/evidence.db)", NULL},
        {0},
    };
    switch (options_parse(command_find("import"), options, argc, argv, files, 1, OPTION_LIST_MAX)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (!database_path(import.path, sizeof import.path, db, NULL)) {
        return EXIT_INPUT;
    }
    int code = EXIT_DONE;
    for (size_t i = 0; i < OPTION_LIST_MAX && files[i]; i++) {
        const int one = import_file(&import, files[i]);
        code = one != EXIT_DONE ? one : code;
    }
    ridge_store_close(import.store);
    return code;
}
