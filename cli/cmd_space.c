/* SPDX-License-Identifier: MIT */
/** \file ridge space: what a spec's space holds, and what each constraint takes away. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "ridge/json.h"
#include "ridge/space.h"
#include "ridge/units.h"
#include "space_find.h"
#include "space_rows.h"

struct arguments {
    bool count, list, json, explain, no_block_limit;
    const char *format;     /* NULL: text, or JSON with --json */
    const char *neighbours; /* an id, an index, or name=value,... */
    const char *kind;
    struct option_optional sample;
    uint64_t seed;
    struct option_list set;
};

/** A spec, its space, and what is known about it. */
struct view {
    struct ridge_context *context;
    const struct arguments *arguments;
    struct ridge_spec *spec;
    struct ridge_space *space;
    struct ridge_constraint_effect *effects;
    size_t effect_count;
    uint64_t count;                     /* saturates */
    char count_text[RIDGE_COUNT_BYTES]; /* "" where the count is beyond 128 bits */
    struct ridge_json json;
    struct rows *rows;
};

/** Where configurations go: one call each. \return false to stop. */
typedef bool (*show_fn)(struct view *view, const uint32_t *choice);

static ridge_status out_of_memory(struct ridge_error *error)
{
    error->status = RIDGE_E_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory");
    return RIDGE_E_MEMORY;
}

/** Print a value as it is; a text that could be mistaken for something else is put in quotes. */
static void print_value(const struct ridge_value *value)
{
    if (value->type != RIDGE_TEXT) {
        char text[64];
        ridge_value_format(value, text, sizeof text);
        fputs(text, stdout);
        return;
    }
    const char *text = value->as.text;
    if (text[0] != '\0' && !strpbrk(text, " =,\"\\")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putchar('\\');
        }
        putchar(*text);
    }
    putchar('"');
}

static bool print_configuration(struct view *view, const uint32_t *choice)
{
    char id[RIDGE_ID_BYTES];
    ridge_space_id(view->space, choice, id);
    fputs(id, stdout);
    for (size_t i = 0; i < ridge_space_dimension_count(view->space); i++) {
        printf(" %s=", ridge_space_dimension_name(view->space, i));
        print_value(ridge_space_value(view->space, i, choice[i]));
    }
    putchar('\n');
    view->count += view->arguments->list;
    return !ferror(stdout);
}

static void json_value(struct ridge_json *json, const char *key, const struct ridge_value *value)
{
    switch (value->type) {
    case RIDGE_INT: ridge_json_i64(json, key, value->as.integer); break;
    case RIDGE_FLOAT: ridge_json_double(json, key, value->as.number); break;
    case RIDGE_BOOL: ridge_json_bool(json, key, value->as.truth); break;
    case RIDGE_TEXT: ridge_json_text(json, key, value->as.text); break;
    }
}

static bool json_configuration(struct view *view, const uint32_t *choice)
{
    char id[RIDGE_ID_BYTES];
    ridge_space_id(view->space, choice, id);
    ridge_json_object_begin_compact(&view->json, NULL);
    ridge_json_text(&view->json, "id", id);
    ridge_json_object_begin(&view->json, "values");
    for (size_t i = 0; i < ridge_space_dimension_count(view->space); i++) {
        json_value(&view->json, ridge_space_dimension_name(view->space, i),
                   ridge_space_value(view->space, i, choice[i]));
    }
    ridge_json_object_end(&view->json);
    ridge_json_object_end(&view->json);
    return !view->json.failed;
}

static bool rows_configuration(struct view *view, const uint32_t *choice)
{
    return rows_put(view->rows, &(struct row){choice, NULL});
}

/** As fast as it goes: what a row shares with the one before is not written again. */
static ridge_status each_row(struct view *view, struct ridge_error *error)
{
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_cursor_create(view->space, &cursor, error);
    const uint32_t *choice = NULL;
    while (status == RIDGE_OK) {
        status = ridge_space_cursor_next(cursor, &choice, error);
        if (status != RIDGE_OK || !choice || !rows_put(view->rows, &(struct row){choice, cursor})) {
            break;
        }
        view->count++;
    }
    ridge_space_cursor_destroy(cursor);
    return status;
}

/** Show every configuration, or those that --sample draws. */
static ridge_status each(struct view *view, show_fn show, struct ridge_error *error)
{
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_cursor_create(view->space, &cursor, error);
    const uint32_t *choice = NULL;
    while (status == RIDGE_OK) {
        status = ridge_space_cursor_next(cursor, &choice, error);
        if (status != RIDGE_OK || !choice || !show(view, choice)) {
            break;
        }
    }
    ridge_space_cursor_destroy(cursor);
    return status;
}

static ridge_status each_drawn(struct view *view, show_fn show, struct ridge_error *error)
{
    const size_t width = ridge_space_dimension_count(view->space);
    const uint64_t wanted = view->arguments->sample.value < view->count ? view->arguments->sample.value : view->count;
    uint32_t *choices = wanted < SIZE_MAX / sizeof *choices / width ? calloc(wanted, width * sizeof *choices) : NULL;
    if (!choices && wanted > 0) {
        return out_of_memory(error);
    }
    uint64_t drawn = 0;
    const ridge_status status = ridge_space_sample(view->space, wanted, view->arguments->seed, choices, &drawn, error);
    for (uint64_t i = 0; status == RIDGE_OK && i < drawn && show(view, choices + i * width); i++) {
    }
    free(choices);
    return status;
}

static ridge_status each_neighbour(struct view *view, show_fn show, struct ridge_error *error)
{
    const struct arguments *arguments = view->arguments;
    const ridge_neighbour kind =
        arguments->kind && strcmp(arguments->kind, "adjacent") == 0 ? RIDGE_ADJACENT : RIDGE_HAMMING;
    const size_t width = ridge_space_dimension_count(view->space);
    uint32_t *own = calloc(width, sizeof *own);
    uint64_t count = 0;
    ridge_status status =
        own ? find_configuration(view->space, arguments->neighbours, own, error) : out_of_memory(error);
    if (status == RIDGE_OK) {
        status = ridge_space_neighbours(view->space, own, kind, NULL, 0, &count, error);
    }
    uint32_t *choices = status == RIDGE_OK ? calloc(count + 1, width * sizeof *choices) : NULL;
    if (status == RIDGE_OK) {
        status = choices ? ridge_space_neighbours(view->space, own, kind, choices, count, &count, error)
                         : out_of_memory(error);
    }
    for (uint64_t i = 0; status == RIDGE_OK && i < count && show(view, choices + i * width); i++) {
    }
    free(choices);
    free(own);
    return status;
}

static ridge_status each_wanted(struct view *view, show_fn show, struct ridge_error *error)
{
    if (view->arguments->neighbours) {
        return each_neighbour(view, show, error);
    }
    return view->arguments->list ? each(view, show, error) : each_drawn(view, show, error);
}

/** Rows of CSV or JSON, or ids (--format). */
static ridge_status show_rows(struct view *view, struct ridge_error *error)
{
    const char *format = view->arguments->format;
    const enum rows_format wanted =
        strcmp(format, "csv") == 0 ? ROWS_CSV : (strcmp(format, "json") == 0 ? ROWS_JSON : ROWS_IDS);
    view->rows = rows_begin(view->space, wanted, stdout_sink());
    if (!view->rows) {
        return out_of_memory(error);
    }
    const ridge_status status =
        view->arguments->list ? each_row(view, error) : each_wanted(view, rows_configuration, error);
    (void)rows_end(view->rows); /* a full disk is found by finish_output */
    return status;
}

static void print_cartesian(const char *before, double size, const char *after)
{
    char text[RIDGE_NUMBER_BYTES];
    ridge_number_format(size, text);
    printf("%s%s%s", before, text, after);
}

static void print_effects(FILE *to, const struct view *view)
{
    for (size_t i = 0; i < view->effect_count; i++) {
        const struct ridge_constraint_effect *effect = &view->effects[i];
        fprintf(to, "  `%s` removes %" PRIu64, effect->text, effect->removed);
        if (effect->failed > 0) {
            fprintf(to, ", %" PRIu64 " of them because it cannot be evaluated", effect->failed);
        }
        fputs(effect->whole ? " (slow: evaluated whole)\n" : "\n", to);
    }
}

static void print_groups(const struct view *view)
{
    const size_t dimensions = ridge_space_dimension_count(view->space);
    printf("groups of dimensions that constraints tie together:\n");
    for (size_t group = 0; group < ridge_space_group_count(view->space); group++) {
        double product = 1;
        const char *between = "  ";
        for (size_t i = 0; i < dimensions; i++) {
            if (ridge_space_dimension_group(view->space, i) == group) {
                printf("%s%s", between, ridge_space_dimension_name(view->space, i));
                product *= (double)ridge_space_dimension_size(view->space, i);
                between = ", ";
            }
        }
        printf(": %" PRIu64, ridge_space_group_size(view->space, group));
        print_cartesian(" of ", product, "\n");
    }
}

static void print_explanation(const struct view *view)
{
    print_groups(view);
    print_cartesian("Cartesian size: ", ridge_space_cartesian(view->space), "\n");
    if (view->effect_count > 0) {
        printf("constraints, each with what it is the first to remove:\n");
        print_effects(stdout, view);
    }
    printf("configurations: %s\n", view->count_text[0] ? view->count_text : "2^128 or more");
}

static void print_dimension(const struct view *view, size_t dimension)
{
    enum {
        MOST_SHOWN = 16
    };
    const size_t size = ridge_space_dimension_size(view->space, dimension);
    printf("  %s:", ridge_space_dimension_name(view->space, dimension));
    for (size_t i = 0; i < size; i++) {
        if (size > MOST_SHOWN && i == MOST_SHOWN - 2) {
            printf(" ...");
            i = size - 1;
        }
        putchar(' ');
        print_value(ridge_space_value(view->space, dimension, (uint32_t)i));
    }
    printf(size > 1 ? " (%zu values)\n" : "\n", size);
}

static void print_summary(const struct view *view)
{
    const size_t dimensions = ridge_space_dimension_count(view->space);
    printf("kernel: %s\ndimensions: %zu\n", ridge_spec_kernel(view->spec), dimensions);
    for (size_t i = 0; i < dimensions; i++) {
        print_dimension(view, i);
    }
    print_cartesian("Cartesian size: ", ridge_space_cartesian(view->space), "\n");
    if (view->effect_count > 0) {
        printf("constraints, each with what it is the first to remove:\n");
        print_effects(stdout, view);
    }
    printf("configurations: %s\n", view->count_text[0] ? view->count_text : "2^128 or more");
}

static void json_dimensions(struct view *view)
{
    ridge_json_array_begin(&view->json, "dimensions");
    for (size_t i = 0; i < ridge_space_dimension_count(view->space); i++) {
        ridge_json_object_begin_compact(&view->json, NULL);
        ridge_json_text(&view->json, "name", ridge_space_dimension_name(view->space, i));
        ridge_json_array_begin(&view->json, "values");
        for (size_t k = 0; k < ridge_space_dimension_size(view->space, i); k++) {
            json_value(&view->json, NULL, ridge_space_value(view->space, i, (uint32_t)k));
        }
        ridge_json_array_end(&view->json);
        ridge_json_object_end(&view->json);
    }
    ridge_json_array_end(&view->json);
}

static void json_effects(struct view *view)
{
    ridge_json_array_begin(&view->json, "constraints");
    for (size_t i = 0; i < view->effect_count; i++) {
        ridge_json_object_begin_compact(&view->json, NULL);
        ridge_json_text(&view->json, "text", view->effects[i].text);
        ridge_json_u64(&view->json, "removed", view->effects[i].removed);
        ridge_json_u64(&view->json, "failed", view->effects[i].failed);
        ridge_json_bool(&view->json, "whole", view->effects[i].whole);
        ridge_json_object_end(&view->json);
    }
    ridge_json_array_end(&view->json);
}

static void json_groups(struct view *view)
{
    ridge_json_array_begin(&view->json, "groups");
    for (size_t group = 0; group < ridge_space_group_count(view->space); group++) {
        ridge_json_object_begin_compact(&view->json, NULL);
        ridge_json_array_begin(&view->json, "dimensions");
        for (size_t i = 0; i < ridge_space_dimension_count(view->space); i++) {
            if (ridge_space_dimension_group(view->space, i) == group) {
                ridge_json_text(&view->json, NULL, ridge_space_dimension_name(view->space, i));
            }
        }
        ridge_json_array_end(&view->json);
        ridge_json_u64(&view->json, "count", ridge_space_group_size(view->space, group));
        ridge_json_object_end(&view->json);
    }
    ridge_json_array_end(&view->json);
}

static void json_head(struct view *view)
{
    ridge_json_text(&view->json, "schema", "ridge.space/1");
    ridge_json_text(&view->json, "kernel", ridge_spec_kernel(view->spec));
    if (view->count < UINT64_MAX) {
        ridge_json_u64(&view->json, "count", view->count);
    } else {
        ridge_json_text(&view->json, "count", view->count_text[0] ? view->count_text : NULL);
    }
    if (ridge_spec_note(view->spec, 0)) {
        ridge_json_array_begin(&view->json, "notes");
        for (size_t i = 0; ridge_spec_note(view->spec, i); i++) {
            ridge_json_text(&view->json, NULL, ridge_spec_note(view->spec, i));
        }
        ridge_json_array_end(&view->json);
    }
}

/** The whole answer as one object (docs/spec-format.md). */
static ridge_status show_json(struct view *view, struct ridge_error *error)
{
    const struct arguments *arguments = view->arguments;
    const bool configurations = arguments->list || arguments->sample.given || arguments->neighbours;
    ridge_json_begin(&view->json, stdout_sink());
    ridge_json_object_begin(&view->json, NULL);
    json_head(view);
    if (!arguments->count && !configurations) {
        ridge_json_double(&view->json, "cartesian", ridge_space_cartesian(view->space));
        json_dimensions(view);
    }
    if (arguments->explain) {
        json_groups(view);
    }
    if (view->effects) {
        json_effects(view);
    }
    ridge_status status = RIDGE_OK;
    if (configurations) {
        ridge_json_array_begin(&view->json, "configurations");
        status = each_wanted(view, json_configuration, error);
        ridge_json_array_end(&view->json);
    }
    ridge_json_object_end(&view->json);
    (void)ridge_json_end(&view->json); /* a full disk is found by finish_output */
    return status;
}

static ridge_status show_text(struct view *view, struct ridge_error *error)
{
    const struct arguments *arguments = view->arguments;
    if (arguments->format) {
        return show_rows(view, error);
    }
    if (arguments->list || arguments->sample.given || arguments->neighbours) {
        return each_wanted(view, print_configuration, error);
    }
    if (arguments->count) {
        const ridge_status status = ridge_space_count_text(view->space, view->count_text, error);
        if (status == RIDGE_OK) {
            printf("%s\n", view->count_text);
        }
        return status;
    }
    if (arguments->explain) {
        print_explanation(view);
    } else {
        print_summary(view);
    }
    return RIDGE_OK;
}

static void say_empty(const struct view *view)
{
    fflush(stdout);
    fprintf(stderr, "ridge: %s: no configuration satisfies the constraints (loosen one of them)\n",
            ridge_spec_path(view->spec));
    print_effects(stderr, view);
}

static ridge_status find_effects(struct view *view, struct ridge_error *error)
{
    view->effect_count = ridge_space_constraint_count(view->space);
    view->effects = calloc(view->effect_count + 1, sizeof *view->effects);
    return view->effects ? ridge_space_explain(view->space, view->effects, error) : out_of_memory(error);
}

/** Ask the space what the answer needs. A list in text needs no count: its first line must not wait for the last. */
static ridge_status look(struct view *view, struct ridge_error *error)
{
    const struct arguments *arguments = view->arguments;
    if (arguments->list && !arguments->json) {
        return RIDGE_OK;
    }
    const ridge_status status = ridge_space_count(view->space, &view->count, error);
    const bool configurations = arguments->list || arguments->sample.given || arguments->neighbours;
    if (ridge_space_count_text(view->space, view->count_text, NULL) != RIDGE_OK) {
        view->count_text[0] = '\0';
    }
    const bool effects_wanted = !arguments->count && (!configurations || view->count == 0);
    return status == RIDGE_OK && effects_wanted ? find_effects(view, error) : status;
}

static ridge_status show(struct view *view, const char *path, struct ridge_error *error)
{
    const struct arguments *arguments = view->arguments;
    const struct ridge_spec_options options = {
        .set = arguments->set.items, .set_count = arguments->set.count, .no_block_limit = arguments->no_block_limit};
    ridge_status status = ridge_spec_load_with(view->context, path, &options, &view->spec, error);
    for (size_t i = 0; status == RIDGE_OK && ridge_spec_note(view->spec, i); i++) {
        fprintf(stderr, "ridge: note: %s: %s\n", path, ridge_spec_note(view->spec, i));
    }
    if (status == RIDGE_OK) {
        status = ridge_space_create(view->context, view->spec, &view->space, error);
    }
    if (status == RIDGE_OK) {
        status = look(view, error);
    }
    if (status == RIDGE_OK) {
        status = arguments->json ? show_json(view, error) : show_text(view, error);
    }
    if (status == RIDGE_OK && view->count == 0 && !arguments->count && !arguments->neighbours && !view->effects) {
        status = find_effects(view, error);
    }
    return status;
}

/** \return what is wrong with the options taken together, or NULL. */
static const char *complain(const struct arguments *arguments)
{
    const bool neighbours = arguments->neighbours != NULL;
    const int questions =
        arguments->count + arguments->list + arguments->sample.given + arguments->explain + neighbours;
    if (questions > 1) {
        return "two questions at once (give one of --count, --list, --sample, --explain and --neighbours)";
    }
    if (arguments->kind && !neighbours) {
        return "--kind belongs to --neighbours (give that too)";
    }
    if (arguments->format && !arguments->list && !arguments->sample.given && !neighbours) {
        return "--format belongs to --list, --sample or --neighbours (give one of them)";
    }
    return arguments->format && arguments->json ? "--format and --json say two things (give one)" : NULL;
}

int cmd_space(struct ridge_context *context, int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct option options[] = {
        {"count", OPTION_FLAG, &arguments.count, NULL, "print the number of configurations alone", NULL},
        {"list", OPTION_FLAG, &arguments.list, NULL, "print every configuration, one a line", NULL},
        {"sample", OPTION_OPTIONAL, &arguments.sample, "N", "print N configurations drawn at random", NULL},
        {"seed", OPTION_COUNT, &arguments.seed, "S", "start of the random numbers (0)", NULL},
        {"explain", OPTION_FLAG, &arguments.explain, NULL, "print what each constraint removes", NULL},
        {"neighbours", OPTION_TEXT, &arguments.neighbours, "ID",
         "print the neighbours of a configuration (also name=value,... or #index)", NULL},
        {"kind", OPTION_TEXT, &arguments.kind, "KIND",
         "neighbours: hamming (one dimension differs; default) or adjacent (by one step)", "hamming|adjacent"},
        {"format", OPTION_TEXT, &arguments.format, "FORMAT",
         "configurations as csv, json or ids, without ids in the first two", "csv|json|ids"},
        {"no-block-limit", OPTION_FLAG, &arguments.no_block_limit, NULL,
         "T1: do not add the limit of 1024 threads a block", NULL},
        {"set", OPTION_LIST, &arguments.set, "NAME=VALUE", "override a param of [bench]", NULL},
        {"json", OPTION_FLAG, &arguments.json, NULL, "print JSON (ridge.space/1)", NULL},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, NULL},
    };
    const char *path = NULL;
    switch (options_parse(command_find("space"), options, argc, argv, &path, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    const char *problem = complain(&arguments);
    if (problem) {
        fprintf(stderr, "ridge space: %s\n", problem);
        return EXIT_USAGE;
    }
    struct view view = {.context = context, .arguments = &arguments};
    struct ridge_error error = {0};
    int code = EXIT_DONE;
    if (show(&view, path, &error) != RIDGE_OK) {
        code = report_error(&error);
    } else if (view.count == 0 && !arguments.count && !arguments.neighbours) {
        say_empty(&view);
        code = EXIT_NEGATIVE;
    }
    free(view.effects);
    ridge_space_destroy(view.space);
    ridge_spec_destroy(view.spec);
    return code;
}
