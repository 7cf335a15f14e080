/* SPDX-License-Identifier: MIT */
/** \file Command lines: one table of options a command, which parses, checks and prints its own help. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ridge/context.h"
#include "ridge/sink.h"

/** Exit codes (DESIGN section 5). */
enum {
    EXIT_DONE = 0,
    EXIT_NEGATIVE = 1, /* it ran and the answer is negative */
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,
    EXIT_NO_DEVICE = 4,
    EXIT_MEASURE = 5,
    EXIT_INTERNAL = 70
};

enum option_kind {
    OPTION_FLAG,         /* bool */
    OPTION_TEXT,         /* const char * */
    OPTION_COUNT,        /* uint64_t */
    OPTION_DURATION,     /* double, seconds */
    OPTION_SIZE,         /* uint64_t, bytes: 64KiB, 3MiB, 1.5GB */
    OPTION_NUMBER,       /* double */
    OPTION_LIST,         /* struct option_list: may be given several times */
    OPTION_OPTIONAL,     /* struct option_optional: a count that may be given or not */
    OPTION_OPTIONAL_SIZE /* struct option_optional: bytes, 0 too, that may be given or not: 0, 512, 64KiB */
};

enum {
    OPTION_LIST_MAX = 64
};

struct option_list {
    size_t count;
    const char *items[OPTION_LIST_MAX];
};

struct option_optional {
    bool given;
    uint64_t value;
};

struct option {
    const char *name; /* without the dashes; NULL ends the table */
    enum option_kind kind;
    void *target;
    const char *value_name; /* as shown in the help: "N", "FILE"; NULL for a flag */
    const char *help;
    const char *choices; /* OPTION_TEXT: allowed words, separated by '|'; NULL: any */
};

struct command {
    const char *name;
    const char *arguments; /* as shown in the usage line: "SPEC" */
    const char *summary;   /* "": for programs, not for people: not in the list */
    int (*run)(struct ridge_context *context, int argc, char **argv);
};

/** All commands, ended by a NULL name. */
extern const struct command commands[];

/** What parsing came to. */
enum parsed {
    PARSED_GO,
    PARSED_HELP,
    PARSED_WRONG
};

/**
 * Parse `argv[1...]`. Positional arguments go to `positional` (between `least` and `most`; the rest stays NULL).
 * Prints help on standard output (PARSED_HELP: exit 0) and mistakes on standard error (PARSED_WRONG: exit 2).
 */
enum parsed options_parse(const struct command *command, const struct option *options, int argc, char **argv,
                          const char **positional, size_t least, size_t most);

/** Print a line of a help text: a name in so many columns, and its text broken at spaces after 80 columns. */
void print_help_line(FILE *to, int width, const char *left, const char *text);

/** \return the command with that name, or NULL. */
const struct command *command_find(const char *name);

/** Print "ridge: <error>" on standard error. \return the exit code that belongs to its status. */
int report_error(const struct ridge_error *error);

/** A sink that writes to standard output. */
struct ridge_sink stdout_sink(void);

/** Find out before the work whether a file can be written after it. NULL: none is asked for. \return EXIT_DONE, or what
 * to exit with: the message has been printed */
int output_check(const char *path);

/** Flush standard output. \return `code`, or EXIT_INPUT with a message when writing failed (a full disk). */
int finish_output(int code);

/* One function a command, in cmd_<name>.c. */
int cmd_space(struct ridge_context *context, int argc, char **argv);
int cmd_tune(struct ridge_context *context, int argc, char **argv);
int cmd_runs(struct ridge_context *context, int argc, char **argv);
int cmd_show(struct ridge_context *context, int argc, char **argv);
int cmd_import(struct ridge_context *context, int argc, char **argv);
int cmd_export(struct ridge_context *context, int argc, char **argv);
int cmd_backends(struct ridge_context *context, int argc, char **argv);
int cmd_devices(struct ridge_context *context, int argc, char **argv);
int cmd_rank(struct ridge_context *context, int argc, char **argv);
int cmd_trace(struct ridge_context *context, int argc, char **argv);
int cmd_check(struct ridge_context *context, int argc, char **argv);
int cmd_check_launch(struct ridge_context *context, int argc, char **argv);
int cmd_calibrate(struct ridge_context *context, int argc, char **argv);
int cmd_calibrate_footprint(struct ridge_context *context, int argc, char **argv);
int cmd_apply(struct ridge_context *context, int argc, char **argv);
int cmd_policy(struct ridge_context *context, int argc, char **argv);
int cmd_predict(struct ridge_context *context, int argc, char **argv);
int cmd_inspect(struct ridge_context *context, int argc, char **argv);
int cmd_compile(struct ridge_context *context, int argc, char **argv);
int cmd_curve(struct ridge_context *context, int argc, char **argv);
int cmd_ceiling(struct ridge_context *context, int argc, char **argv);
int cmd_peak(struct ridge_context *context, int argc, char **argv);
int cmd_score(struct ridge_context *context, int argc, char **argv);
int cmd_occupancy(struct ridge_context *context, int argc, char **argv);

#endif
