/* SPDX-License-Identifier: MIT */
/** \file The command line of Ridge: finds the command and hands over. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "options.h"
#include "progress.h"
#include "ridge/sink.h"
#include "ridge/units.h"

const struct command commands[] = {
    {"tune", "SPEC", "measure the configurations of a kernel.toml on a device and find the best", cmd_tune},
    {"space", "SPEC", "show the configurations of a kernel.toml and what its constraints remove", cmd_space},
    {"runs", "", "list the runs in an evidence database", cmd_runs},
    {"show", "RUN|GROUP", "show what a run came to (its number, or last), or a group of runs (g3)", cmd_show},
    {"import", "FILE...", "take in recorded results: Kernel Tuner caches, T4, KTT results, CSV; gzip too", cmd_import},
    {"export", "RUN", "write a run as a file that other tools read", cmd_export},
    {"apply", "RUN|GROUP", "write the winner of a run, or of a group, as a header for C or CUDA, or as JSON",
     cmd_apply},
    {"backends", "", "list what can run kernels here, and what is missing", cmd_backends},
    {"rank", "SPEC", "rank the configurations of a kernel.toml for a device without running them", cmd_rank},
    {"trace", "SPEC", "count the work of a configuration by running some of its blocks on this CPU", cmd_trace},
    {"check", "SPEC", "judge whether configurations are safe and right, without a device", cmd_check},
    {"calibrate", "SPEC", "say how good a ranking is, against recorded measurements", cmd_calibrate},
    {"predict", "--device NAME --footprint BASE:CAND", "say whether more shared memory pays on a device", cmd_predict},
    {"policy", "COMMAND", "say how to run a transform on a chip that nobody tuned it for", cmd_policy},
    {"compile", "SPEC", "compile the configurations of a kernel.toml for any GPU, without one", cmd_compile},
    {"devices", "[NAME]", "show what is known about devices, with sources", cmd_devices},
    {"occupancy", "--device NAME", "say how many blocks are resident, what limits them and what would help",
     cmd_occupancy},
    {"curve", "", "measure how fast memory is at every working set, and find its levels", cmd_curve},
    {"ceiling", "--bytes SIZE", "say how fast a kernel that moves so many bytes can be here", cmd_ceiling},
    {"peak", "", "measure how fast a device computes, what a launch costs, and its latencies", cmd_peak},
    {"score", "--time TIME", "say what a time comes to against what the device can do, and which roof binds",
     cmd_score},
    {"inspect", "FILE | --compare OLD NEW", "say what a compiler made of kernels: registers, memory, spills",
     cmd_inspect},
    {"check-launch", "FILE", "", cmd_check_launch},
    {NULL, NULL, NULL, NULL},
};

struct status_exit {
    ridge_status status;
    int code;
};

/** Which exit code a failed call ends with; any other status is a fault in Ridge. */
static const struct status_exit status_exits[] = {
    {RIDGE_E_ARGUMENT, EXIT_USAGE}, {RIDGE_E_MEMORY, EXIT_INTERNAL}, {RIDGE_E_IO, EXIT_INPUT},
    {RIDGE_E_SYNTAX, EXIT_INPUT},   {RIDGE_E_NAME, EXIT_INPUT},      {RIDGE_E_VALUE, EXIT_INPUT},
    {RIDGE_E_LIMIT, EXIT_INPUT},    {RIDGE_E_STORE, EXIT_INPUT},     {RIDGE_E_UNAVAILABLE, EXIT_NO_DEVICE},
    {RIDGE_E_DEVICE, EXIT_MEASURE}, {RIDGE_E_EMPTY, EXIT_NEGATIVE},  {RIDGE_E_MEASURE, EXIT_MEASURE},
};

int report_error(const struct ridge_error *error)
{
    char text[4096];
    ridge_error_format(error, text, sizeof text);
    fflush(stdout);
    fprintf(stderr, "ridge: %s\n", text);
    for (size_t i = 0; i < sizeof status_exits / sizeof status_exits[0]; i++) {
        if (status_exits[i].status == error->status) {
            return status_exits[i].code;
        }
    }
    return EXIT_INTERNAL;
}

static bool write_stdout(void *user, const char *bytes, size_t length)
{
    (void)user;
    if (fwrite(bytes, 1, length, stdout) == length) {
        return true;
    }
    /* Said here, while errno is that of the write. */
    fprintf(stderr, "ridge: cannot write the output: %s\n", strerror(errno));
    return false;
}

struct ridge_sink stdout_sink(void)
{
    return (struct ridge_sink){write_stdout, NULL};
}

int output_check(const char *path)
{
    struct ridge_error error = {0};
    return !path || ridge_file_check(path, &error) == RIDGE_OK ? EXIT_DONE : report_error(&error);
}

int finish_output(int code)
{
    const bool failed_before = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed_before) {
        return code;
    }
    /* A sink that was refused has said so already, and its command ends with EXIT_INPUT. */
    if (!failed_before || code != EXIT_INPUT) {
        fprintf(stderr, "ridge: cannot write the output: %s\n", strerror(errno));
    }
    return EXIT_INPUT;
}

static void print_usage(FILE *to)
{
    fprintf(to,
            "Usage: ridge COMMAND [arguments]\n\nFinds the launch configuration a compute kernel should run with.\n\n"
            "Commands:\n");
    for (const struct command *command = commands; command->name; command++) {
        if (command->summary[0] != '\0') {
            print_help_line(to, 12, command->name, command->summary);
        }
    }
    fprintf(to, "\nridge COMMAND --help says more; ridge --version prints the version.\n");
}

/** A number that differs for different texts. Source: FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t text_number(const char *text)
{
    uint64_t number = 0xcbf29ce484222325U;
    for (; *text; text++) {
        number = (number ^ (unsigned char)*text) * 0x100000001b3U;
    }
    return number;
}

/** A line for standard error. The same again is left out, whichever process says it: each may, for each configuration. */
static void log_line(void *user, ridge_log_level level, const char *message)
{
    _Atomic uint64_t *last = user; /* the last line, shared by all processes */
    const uint64_t number = text_number(message);
    if (level != RIDGE_LOG_DEBUG && atomic_exchange(last, number) != number) {
        progress_clear();
        fprintf(stderr, "ridge: %s: %s\n", level == RIDGE_LOG_WARNING ? "warning" : "note", message);
    }
}

static int unknown_command(const char *name)
{
    const char *names[32];
    size_t count = 0;
    for (const struct command *command = commands; command->name && count < 32; command++) {
        names[count++] = command->name;
    }
    const char *near = ridge_near_name(name, names, count);
    if (near) {
        fprintf(stderr, "ridge: there is no command '%s' (did you mean %s?)\n", name, near);
    } else {
        fprintf(stderr, "ridge: there is no command '%s' (see ridge --help)\n", name);
    }
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return finish_output(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("ridge %s\n", ridge_version());
        return finish_output(EXIT_DONE);
    }
    const struct command *command = command_find(argv[1]);
    if (!command) {
        return unknown_command(argv[1]);
    }
    static _Atomic uint64_t own;
    void *shared = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const struct ridge_context_options options = {.log = log_line, .log_user = shared == MAP_FAILED ? &own : shared};
    struct ridge_context *context = NULL;
    struct ridge_error error = {0};
    if (ridge_context_create(&options, &context, &error) != RIDGE_OK) {
        return report_error(&error);
    }
    const int code = command->run(context, argc - 1, argv + 1);
    ridge_context_destroy(context);
    return finish_output(code);
}
