/* SPDX-License-Identifier: MIT */
/** \file ridge runs: the list of runs in an evidence database. */
#include "database.h"
#include "options.h"
#include "terminal.h"

int cmd_runs(struct ridge_context *context, int argc, char **argv)
{
    const char *db = NULL;
    bool json = false;
    const struct option options[] = {
        {"db", OPTION_TEXT, &db, "FILE", "the evidence database (default: RIDGE_DB, else .ridge/evidence.db)", NULL},
        {"json", OPTION_FLAG, &json, NULL, "print JSON", NULL},
        {0},
    };
    switch (options_parse(command_find("runs"), options, argc, argv, NULL, 0, 0)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    int code = EXIT_DONE;
    struct ridge_store *store = database_open(context, db, &code);
    if (!store) {
        return code;
    }
    const struct ridge_report_options look = terminal_options();
    struct ridge_error error = {0};
    const ridge_status status = json ? ridge_report_runs_json(store, stdout_sink(), &error)
                                     : ridge_report_runs_text(store, &look, stdout_sink(), &error);
    code = report_exit(status, &error);
    ridge_store_close(store);
    return code;
}
