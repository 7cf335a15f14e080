/* SPDX-License-Identifier: MIT */
/** \file ridge check-launch FILE: the program that compute-sanitizer runs for `ridge check --with`. Not for people. */
#include "options.h"
#include "ridge/check.h"

int cmd_check_launch(struct ridge_context *context, int argc, char **argv)
{
    const char *file = NULL;
    const struct option options[] = {{0}};
    struct ridge_error error = {0};
    switch (options_parse(command_find("check-launch"), options, argc, argv, &file, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    return ridge_check_launch(context, file, &error) == RIDGE_OK ? EXIT_DONE : report_error(&error);
}
