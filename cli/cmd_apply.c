/* SPDX-License-Identifier: MIT */
/** \file ridge apply: the winner of a tuned run, or of a group of runs, as code. */
#include <stdio.h>
#include <string.h>

#include "command_text.h"
#include "database.h"
#include "options.h"
#include "ridge/apply.h"

struct apply {
    struct ridge_context *context;
    const char *db, *format, *name, *output;
    const struct ridge_run *run;     /* whose winner; of a group: the first of its runs */
    const struct ridge_group *group; /* NULL: of a run */
    char command[1024];
};

static ridge_status fill(void *user, struct ridge_sink sink, struct ridge_error *error)
{
    const struct apply *apply = user;
    char name[96];
    snprintf(name, sizeof name, "ridge_%.60s", apply->run->info.kernel);
    const struct ridge_header_about about = {apply->name ? apply->name : name, apply->command, NULL};
    if (strcmp(apply->format, "json") == 0) {
        return apply->group ? ridge_apply_group_json(apply->group, &about, sink, error)
                            : ridge_apply_json(apply->run, &about, sink, error);
    }
    const ridge_header code = strcmp(apply->format, "cuda-header") == 0 ? RIDGE_HEADER_CUDA : RIDGE_HEADER_C;
    return apply->group ? ridge_apply_group_header(apply->context, apply->group, code, &about, sink, error)
                        : ridge_apply_header(apply->context, apply->run, code, &about, sink, error);
}

/** Write what was loaded. */
static ridge_status write_out(struct apply *apply, struct ridge_error *error)
{
    return apply->output ? ridge_file_fill(apply->context, apply->output, fill, apply, error)
                         : fill(apply, stdout_sink(), error);
}

static ridge_status apply_run(struct apply *apply, struct ridge_store *store, int64_t number, struct ridge_error *error)
{
    struct ridge_run *run = NULL;
    ridge_status status = ridge_store_run_load(store, number, &run, error);
    if (status == RIDGE_OK) {
        apply->run = run;
        status = write_out(apply, error);
    }
    ridge_run_destroy(run);
    return status;
}

static ridge_status apply_group(struct apply *apply, struct ridge_store *store, int64_t number,
                                struct ridge_error *error)
{
    struct ridge_group *group = NULL;
    ridge_status status = ridge_store_group_load(store, number, &group, error);
    if (status == RIDGE_OK) {
        apply->group = group;
        apply->run = group->members[0].run;
        status = write_out(apply, error);
    }
    ridge_group_destroy(group);
    return status;
}

static int apply_from(struct apply *apply, uint64_t number, bool group)
{
    int code = EXIT_DONE;
    struct ridge_store *store = database_open(apply->context, apply->db, &code);
    if (!store) {
        return code;
    }
    struct ridge_error error = {0};
    const ridge_status status =
        group ? apply_group(apply, store, (int64_t)number, &error) : apply_run(apply, store, (int64_t)number, &error);
    ridge_store_close(store);
    return status == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

int cmd_apply(struct ridge_context *context, int argc, char **argv)
{
    struct apply apply = {.context = context};
    const struct option options[] = {
        {"format", OPTION_TEXT, &apply.format, "FORMAT", "c-header, cuda-header or json", "c-header|cuda-header|json"},
        {"name", OPTION_TEXT, &apply.name, "NAME", "what the header defines (default ridge_KERNEL)", NULL},
        {"output", OPTION_TEXT, &apply.output, "FILE", "-o: where it goes (default: standard output)", NULL},
        {"db", OPTION_TEXT, &apply.db, "FILE", "the evidence database (default: RIDGE_DB, else .ridge/evidence.db)",
         NULL},
        {0},
    };
    const char *name = NULL;
    command_text("apply", argc, argv, apply.command, sizeof apply.command);
    switch (options_parse(command_find("apply"), options, argc, argv, &name, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (!apply.format) {
        fprintf(stderr, "ridge apply: --format is missing (c-header, cuda-header or json)\n");
        return EXIT_USAGE;
    }
    uint64_t number = 0;
    const bool group = is_group_name(name);
    const bool read = group ? group_number_parse("apply", name, &number) : run_number_parse("apply", name, &number);
    return read ? apply_from(&apply, number, group) : EXIT_USAGE;
}
