/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "ridge/units.h"

const struct command *command_find(const char *name)
{
    for (const struct command *command = commands; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

enum {
    HELP_COLUMNS = 80
};

void print_help_line(FILE *to, int width, const char *left, const char *text)
{
    const size_t indent = (size_t)width + 3; /* two before, one after */
    size_t column = (size_t)fprintf(to, "  %-*s ", width, left);
    const char *between = "";
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (*between && column + 1 + length > HELP_COLUMNS) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
            between = "";
        }
        column += (size_t)fprintf(to, "%s%.*s", between, (int)length, text);
        text += length + strspn(text + length, " ");
        between = " ";
    }
    fputc('\n', to);
}

static void print_help(const struct command *command, const struct option *options)
{
    printf("Usage: ridge %s%s%s [options]\n\n%s\n\nOptions:\n", command->name, command->arguments[0] ? " " : "",
           command->arguments, command->summary);
    for (const struct option *option = options; option->name; option++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->value_name ? " " : "",
                 option->value_name ? option->value_name : "");
        print_help_line(stdout, 22, left, option->help);
    }
    print_help_line(stdout, 22, "--help", "print this");
}

static enum parsed wrong(const struct command *command, const char *what, const char *text, const char *right)
{
    fprintf(stderr, "ridge %s: %s%s%s%s (%s)\n", command->name, what, text ? " '" : "", text ? text : "",
            text ? "'" : "", right);
    return PARSED_WRONG;
}

/** \return the option that `name` (`length` bytes) names, or NULL. */
static const struct option *option_find(const struct option *options, const char *name, size_t length)
{
    for (const struct option *option = options; option->name; option++) {
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

/** Whether `word` is one of the words of "a|b|c". */
static bool is_choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = choices; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0') && length > 0) {
            return true;
        }
    }
    return false;
}

/** Read bytes, which may be none: 0, 512, 64KiB. */
static ridge_status room_parse(const char *text, uint64_t *bytes, struct ridge_error *error)
{
    return ridge_count_parse(text, UINT64_MAX, bytes, NULL) == RIDGE_OK ? RIDGE_OK
                                                                        : ridge_size_parse(text, bytes, error);
}

/** Whether the value is a path. An empty one would mean the default, and so another file than the one that was meant. */
static bool names_a_file(const struct option *option)
{
    static const char *const names[] = {"FILE", "FOLDER", "PATH"};
    for (size_t i = 0; option->value_name && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(option->value_name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/** Store a value. \return false with a message when it is not right. */
static bool option_store(const struct command *command, const struct option *option, const char *value)
{
    struct ridge_error error = {0};
    ridge_status status = RIDGE_OK;
    if (option->kind != OPTION_FLAG && value[0] == '\0' && names_a_file(option)) {
        fprintf(stderr, "ridge %s: --%s is empty, as of a variable that is not set (give %s, or leave it out)\n",
                command->name, option->name, option->value_name);
        return false;
    }
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)option->target = true; break;
    case OPTION_TEXT:
        if (option->choices && !is_choice(option->choices, value)) {
            fprintf(stderr, "ridge %s: --%s does not take '%s' (it takes one of %s)\n", command->name, option->name,
                    value, option->choices);
            return false;
        }
        *(const char **)option->target = value;
        break;
    case OPTION_COUNT: status = ridge_count_parse(value, UINT64_MAX, option->target, &error); break;
    case OPTION_OPTIONAL:
    case OPTION_OPTIONAL_SIZE: {
        struct option_optional *optional = option->target;
        optional->given = true;
        status = option->kind == OPTION_OPTIONAL ? ridge_count_parse(value, UINT64_MAX, &optional->value, &error)
                                                 : room_parse(value, &optional->value, &error);
        break;
    }
    case OPTION_DURATION: status = ridge_duration_parse(value, option->target, &error); break;
    case OPTION_SIZE: status = ridge_size_parse(value, option->target, &error); break;
    case OPTION_NUMBER: status = ridge_number_parse(value, option->target, &error); break;
    case OPTION_LIST: {
        struct option_list *list = option->target;
        if (list->count == OPTION_LIST_MAX) {
            fprintf(stderr, "ridge %s: --%s is given too often (at most %d times)\n", command->name, option->name,
                    OPTION_LIST_MAX);
            return false;
        }
        list->items[list->count++] = value;
        break;
    }
    }
    if (status != RIDGE_OK) {
        fprintf(stderr, "ridge %s: --%s: %s\n", command->name, option->name, error.message);
    }
    return status == RIDGE_OK;
}

/** Handle `--name`, `--name value` or `--name=value` at argv[*at]. */
static enum parsed parse_option(const struct command *command, const struct option *options, int argc, char **argv,
                                int *at)
{
    const char *name = argv[*at] + 2;
    const size_t length = strcspn(name, "=");
    const struct option *option = option_find(options, name, length);
    if (!option) {
        const char *names[64];
        size_t count = 0;
        for (const struct option *known = options; known->name && count < 64; known++) {
            names[count++] = known->name;
        }
        char bare[64];
        snprintf(bare, sizeof bare, "%.*s", (int)(length < 60 ? length : 60), name);
        const char *near = ridge_near_name(bare, names, count);
        char right[128];
        snprintf(right, sizeof right, near ? "did you mean --%s?" : "see ridge %s --help", near ? near : command->name);
        return wrong(command, "there is no option", argv[*at], right);
    }
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (option->kind == OPTION_FLAG && value) {
        return wrong(command, "takes no value: option", argv[*at], "leave out the part from = on");
    }
    if (option->kind != OPTION_FLAG && !value) {
        if (*at + 1 >= argc) {
            return wrong(command, "a value is missing after", argv[*at], option->help);
        }
        value = argv[++*at];
    }
    return option_store(command, option, value) ? PARSED_GO : PARSED_WRONG;
}

enum parsed options_parse(const struct command *command, const struct option *options, int argc, char **argv,
                          const char **positional, size_t least, size_t most)
{
    size_t found = 0;
    bool only_positional = false;
    char output[] = "--output"; /* the one option that has a short name: -o */
    for (int at = 1; at < argc; at++) {
        const char *text = argv[at];
        if (!only_positional && strcmp(text, "--") == 0) {
            only_positional = true;
            continue;
        }
        if (!only_positional && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)) {
            print_help(command, options);
            return PARSED_HELP;
        }
        const bool is_output = strcmp(text, "-o") == 0 && option_find(options, "output", 6);
        if (!only_positional && is_output) {
            argv[at] = output;
        }
        if (!only_positional && (is_output || strncmp(text, "--", 2) == 0)) {
            if (parse_option(command, options, argc, argv, &at) != PARSED_GO) {
                return PARSED_WRONG;
            }
            continue;
        }
        if (!only_positional && text[0] == '-' && text[1] != '\0') {
            return wrong(command, "there is no option", text, "options start with two dashes");
        }
        if (found == most) {
            return wrong(command, "too many arguments: did not expect", text,
                         command->arguments[0] ? command->arguments : "it takes options only");
        }
        positional[found++] = text;
    }
    if (found < least) {
        return wrong(command, "an argument is missing", NULL, command->arguments);
    }
    return PARSED_GO;
}
