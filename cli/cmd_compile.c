/* SPDX-License-Identifier: MIT */
/** \file ridge compile: every distinct specialisation of a spec for any target, without a device. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile_output.h"
#include "options.h"
#include "progress.h"
#include "ridge/value.h"
#include "terminal.h"

enum {
    MOST_TARGETS = 32,
    MOST_REASONS = 10, /* shown a target */
    PATH_BYTES = 4096
};

struct compile_command {
    struct ridge_context *context;
    const char *spec_path;
    const char *target_list;
    const char *out;
    const char *cuda_path;
    struct option_list set;
    struct option_optional jobs;
    double timeout_s;
    bool no_cache;
    bool json;
    /* taken apart */
    char target_text[512];
    const char *targets[MOST_TARGETS];
    size_t target_count;
    char cache[PATH_BYTES];
    /* loaded */
    struct ridge_spec *spec;
    struct ridge_space *space;
};

static volatile sig_atomic_t stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = 1;
}

static void signals_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/** Take "sm_75,gfx90a" apart. \return false with a message */
static bool targets_take(struct compile_command *command)
{
    if (!command->target_list || strlen(command->target_list) >= sizeof command->target_text) {
        fprintf(stderr, command->target_list
                            ? "ridge compile: --target: the list is too long\n"
                            : "ridge compile: --target is missing (such as sm_90 or gfx90a; several with commas)\n");
        return false;
    }
    memcpy(command->target_text, command->target_list, strlen(command->target_list) + 1);
    char *rest = command->target_text;
    while (rest) {
        const char *name = strsep(&rest, ",");
        if (name[0] == '\0' || strchr(name, '/')) {
            fprintf(stderr, "ridge compile: --target: '%s' is no list of targets (such as sm_75,sm_90,gfx90a)\n",
                    command->target_list);
            return false;
        }
        if (command->target_count == MOST_TARGETS) {
            fprintf(stderr, "ridge compile: --target: at most %d targets\n", MOST_TARGETS);
            return false;
        }
        for (size_t i = 0; i < command->target_count; i++) {
            if (strcmp(command->targets[i], name) == 0) {
                fprintf(stderr, "ridge compile: --target: %s is named twice (once)\n", name);
                return false;
            }
        }
        command->targets[command->target_count++] = name;
    }
    return true;
}

static void range_text(const struct compile_range *range, char *out, size_t bytes)
{
    if (!range->any) {
        snprintf(out, bytes, "-");
    } else if (range->low == range->high) {
        snprintf(out, bytes, "%llu", (unsigned long long)range->low);
    } else {
        snprintf(out, bytes, "%llu-%llu", (unsigned long long)range->low, (unsigned long long)range->high);
    }
}

static void print_target(const struct ridge_compiled *compiled, size_t target)
{
    const struct ridge_compiled_target *shown = ridge_compiled_target_at(compiled, target);
    const struct compile_sum sum = compile_sum_of(compiled, target);
    if (shown->unavailable) {
        return;
    }
    const struct compile_range *ranges[] = {&sum.sharing, &sum.registers, &sum.smem,
                                            &sum.stack,   &sum.spills,    &sum.size};
    char texts[6][48];
    for (size_t i = 0; i < 6; i++) {
        range_text(ranges[i], texts[i], sizeof texts[i]);
    }
    printf("%-14s %9llu %7llu %12s %9s %11s %9s %7s %13s  %s\n", shown->name,
           (unsigned long long)(ridge_compiled_count(compiled, target) - sum.failed - sum.skipped),
           (unsigned long long)sum.failed, texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], sum.compiler);
}

/** Print the configuration whose code takes the most registers, where they differ: what limits a launch first. */
static void print_hungriest(const struct compile_command *command, const struct ridge_compiled *compiled, size_t target)
{
    const struct compile_sum sum = compile_sum_of(compiled, target);
    uint32_t choice[256];
    char id[RIDGE_ID_BYTES];
    const struct ridge_compiled_binary *most = NULL;
    for (uint64_t i = 0; sum.registers.any && i < ridge_compiled_count(compiled, target) && !most; i++) {
        const struct ridge_compiled_binary *binary = ridge_compiled_at(compiled, target, i);
        most = binary->known && binary->kernel.registers == sum.registers.high ? binary : NULL;
    }
    if (!most || sum.registers.low == sum.registers.high ||
        ridge_space_at(command->space, most->first, choice, NULL) != RIDGE_OK) {
        return;
    }
    ridge_space_id(command->space, choice, id);
    printf("%s: most registers, %u: %s ", ridge_compiled_target_at(compiled, target)->name, most->kernel.registers, id);
    for (size_t i = 0; i < ridge_space_dimension_count(command->space); i++) {
        char text[64];
        const struct ridge_value *value = ridge_space_value(command->space, i, choice[i]);
        ridge_value_format(value, text, sizeof text);
        printf(" %s=", ridge_space_dimension_name(command->space, i));
        terminal_text(value->type == RIDGE_TEXT ? value->as.text : text);
    }
    putchar('\n');
}

/** Print why specialisations failed: each distinct first error once, with one of its configurations. */
static void print_failures(const struct compile_command *command, const struct ridge_compiled *compiled, size_t target)
{
    const uint64_t count = ridge_compiled_count(compiled, target);
    size_t printed = 0;
    for (uint64_t i = 0; i < count && printed < MOST_REASONS; i++) {
        const struct ridge_compiled_binary *binary = ridge_compiled_at(compiled, target, i);
        const int length = compile_reason_length(binary);
        uint64_t same = 0;
        bool first = binary->outcome != RIDGE_OUTCOME_OK && binary->outcome != RIDGE_OUTCOME_SKIPPED;
        for (uint64_t k = 0; first && k < count; k++) {
            const struct ridge_compiled_binary *other = ridge_compiled_at(compiled, target, k);
            const bool equal = other->outcome == binary->outcome && compile_reason_length(other) == length &&
                               memcmp(other->log, binary->log, (size_t)length) == 0;
            first = !equal || k >= i;
            same += equal;
        }
        if (!first) {
            continue;
        }
        uint32_t choice[256];
        char id[RIDGE_ID_BYTES] = "";
        char line[1024];
        if (ridge_space_at(command->space, binary->first, choice, NULL) == RIDGE_OK) {
            ridge_space_id(command->space, choice, id);
        }
        printf("%s%s: %llu of %llu: ", printed == 0 ? "\n" : "", ridge_compiled_target_at(compiled, target)->name,
               (unsigned long long)same, (unsigned long long)count);
        snprintf(line, sizeof line, "%s: %.*s", ridge_outcome_word(binary->outcome), length, binary->log);
        terminal_text(line);
        printf(" (such as %s)\n", id);
        printed++;
    }
}

static void print_text(const struct compile_command *command, const struct ridge_compiled *compiled)
{
    double seconds = 0;
    uint64_t cached = 0;
    bool states = false;
    printf("%s: %llu configurations\n\n", ridge_spec_kernel(command->spec),
           (unsigned long long)ridge_compiled_configurations(compiled));
    printf("%-14s %9s %7s %12s %9s %11s %9s %7s %13s  %s\n", "target", "binaries", "failed", "shared by", "registers",
           "smem bytes", "stack", "spills", "code bytes", "compiler");
    for (size_t i = 0; i < ridge_compiled_target_count(compiled); i++) {
        const struct compile_sum sum = compile_sum_of(compiled, i);
        seconds += sum.seconds;
        cached += sum.cached;
        states = states || sum.registers.any || sum.smem.any || sum.stack.any || sum.spills.any;
        print_target(compiled, i);
    }
    for (size_t i = 0; i < ridge_compiled_target_count(compiled); i++) {
        print_failures(command, compiled, i);
    }
    printf("\n");
    for (size_t i = 0; i < ridge_compiled_target_count(compiled); i++) {
        const struct compile_sum sum = compile_sum_of(compiled, i);
        if (sum.skipped > 0 && !ridge_compiled_target_at(compiled, i)->unavailable) {
            printf("%s: %llu were not compiled: it was stopped\n", ridge_compiled_target_at(compiled, i)->name,
                   (unsigned long long)sum.skipped);
        }
    }
    if (seconds > 0) {
        printf("%.1f s in compilers\n", seconds);
    }
    if (cached > 0) {
        printf("%llu compiled before (%s)\n", (unsigned long long)cached, command->cache);
    }
    for (size_t i = 0; i < ridge_compiled_target_count(compiled); i++) {
        print_hungriest(command, compiled, i);
    }
    if (command->out) {
        printf("Written to %s: index.json there says which file is of which configurations, with its registers\n",
               command->out);
    }
    if (states) {
        printf("Registers, shared memory, stack and spills are stated: the compiler wrote them into the code.\n");
    }
}

/** \return the exit code: a target that no compiler knows, or for which nothing compiles, is not fine. */
static int judge(const struct ridge_compiled *compiled)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < ridge_compiled_target_count(compiled); i++) {
        const struct ridge_compiled_target *target = ridge_compiled_target_at(compiled, i);
        const struct compile_sum sum = compile_sum_of(compiled, i);
        if (target->unavailable) {
            fflush(stdout);
            fprintf(stderr, "ridge: %s: %s\n", target->name, target->unavailable);
            code = EXIT_NO_DEVICE;
        } else if ((sum.failed == ridge_compiled_count(compiled, i) || sum.skipped > 0) && code == EXIT_DONE) {
            code = EXIT_NEGATIVE;
        }
    }
    return code;
}

static int show(struct compile_command *command, const struct ridge_compiled *compiled)
{
    struct ridge_error error = {0};
    const char *kernel = ridge_spec_kernel(command->spec);
    if (command->out &&
        compile_folder_write(command->context, compiled, command->space, kernel, command->out, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    if (command->json) {
        const ridge_status status = compile_json(compiled, command->space, kernel, command->out != NULL, stdout_sink());
        return status == RIDGE_OK ? judge(compiled) : EXIT_INPUT;
    }
    print_text(command, compiled);
    return judge(compiled);
}

static int compile(struct compile_command *command)
{
    struct ridge_error error = {0};
    if (ridge_spec_load(command->context, command->spec_path, command->set.items, command->set.count, &command->spec,
                        &error) != RIDGE_OK ||
        ridge_space_create(command->context, command->spec, &command->space, &error) != RIDGE_OK ||
        (command->out && compile_folder_check(command->out, &error) != RIDGE_OK)) {
        return report_error(&error);
    }
    snprintf(command->cache, sizeof command->cache, "%s/.ridge/compiled", ridge_spec_folder(command->spec));
    static char words[] = "specialisations compiled";
    const struct ridge_compile_options options = {.targets = command->targets,
                                                  .target_count = command->target_count,
                                                  .cuda_path = command->cuda_path,
                                                  .cache_folder = command->no_cache ? NULL : command->cache,
                                                  .work_folder = getenv("TMPDIR"),
                                                  .workers = (unsigned)command->jobs.value,
                                                  .timeout_s = command->timeout_s,
                                                  .keep_bytes = command->out != NULL,
                                                  .stop = &stop_asked,
                                                  .progress = progress_count,
                                                  .user = words};
    struct ridge_compiled *compiled = NULL;
    signals_catch();
    if (ridge_compile_space(command->context, command->space, &options, &compiled, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const int code = show(command, compiled);
    ridge_compiled_destroy(compiled);
    return code;
}

int cmd_compile(struct ridge_context *context, int argc, char **argv)
{
    struct compile_command command = {.context = context};
    const struct option options[] = {
        {"target", OPTION_TEXT, &command.target_list, "LIST",
         "what to compile for: sm_90, gfx90a; compute_90 for PTX; several with commas", NULL},
        {"out", OPTION_TEXT, &command.out, "DIR", "write each binary and index.json into this folder", NULL},
        {"cuda-path", OPTION_TEXT, &command.cuda_path, "PATH",
         "a CUDA toolkit's folder, or an NVRTC library (default: the loader's path, then /usr/local/cuda)", NULL},
        {"set", OPTION_LIST, &command.set, "NAME=VALUE", "override a param of the spec; may be repeated", NULL},
        {"jobs", OPTION_OPTIONAL, &command.jobs, "N", "processes that compile at once (default: one a CPU)", NULL},
        {"timeout", OPTION_DURATION, &command.timeout_s, "TIME", "for one compile (default: 120s)", NULL},
        {"no-cache", OPTION_FLAG, &command.no_cache, NULL,
         "compile everything, and keep nothing in .ridge/compiled beside the spec", NULL},
        {"json", OPTION_FLAG, &command.json, NULL, "print JSON", NULL},
        {0},
    };
    switch (options_parse(command_find("compile"), options, argc, argv, &command.spec_path, 1, 1)) {
    case PARSED_HELP: return EXIT_DONE;
    case PARSED_WRONG: return EXIT_USAGE;
    case PARSED_GO: break;
    }
    if (command.jobs.given && (command.jobs.value == 0 || command.jobs.value > 64)) {
        fprintf(stderr, "ridge compile: --jobs: %llu makes no sense (1 to 64)\n",
                (unsigned long long)command.jobs.value);
        return EXIT_USAGE;
    }
    if (!targets_take(&command)) {
        return EXIT_USAGE;
    }
    const int code = compile(&command);
    ridge_space_destroy(command.space);
    ridge_spec_destroy(command.spec);
    return code;
}
