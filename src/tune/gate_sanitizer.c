/* SPDX-License-Identifier: MIT */
/* One configuration under compute-sanitizer: each of its tools runs a program that launches the configuration once
 * (gate_launch.c). Clean is only what all four ran to the end and found nothing in. **Source** for options and what they
 * do: NVIDIA's Compute Sanitizer manual, command line options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/error.h"
#include "base/file.h"
#include "tune/gate_launch.h"
#include "tune/gate_tool.h"

/** The tools, in the order in which the manual wants them run: the others do not check addresses. */
static const struct tool {
    const char *name;
    const char *options[5]; /**< ended by NULL */
    bool outputs;           /**< its run is the one whose outputs are compared */
    bool shared;            /**< it watches shared memory where it can and is told to */
} tools[] = {
    /* A driver is asked for what it may not know, so that API errors mean nothing. */
    {"memcheck", {"--report-api-errors", "no", "--padding", "4096", NULL}, true, false},
    {"racecheck", {"--racecheck-report", "all", NULL}, false, false},
    {"initcheck", {NULL}, false, true},
    {"synccheck", {NULL}, false, false},
};

enum {
    TOOL_COUNT = sizeof tools / sizeof tools[0],
    MOST_WORDS = 32
};

/** Of a run in which something was found; no other program's. */
static const char found_exit_code[] = "86";

/** That of initcheck for shared memory; 2025.3 does not have it, 2026.4 has. */
static const char shared_option[] = "--initcheck-address-space";

static ridge_status version_read(struct ridge_gate *gate, const char *text, const struct rg_command_end *end,
                                 struct ridge_error *error)
{
    static const char word[] = "Version ";
    const char *at = strstr(text, word);
    const size_t length = at ? strspn(at += strlen(word), "0123456789.") : 0;
    if (end->exit_code != 0 || length == 0) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "%.200s --version does not say which it is (%.*s)",
                            gate->judge_program, strcspn(text, "\n") < 200 ? (int)strcspn(text, "\n") : 200, text);
    }
    snprintf(gate->judge_version, sizeof gate->judge_version, "%.*s", length < 32 ? (int)length : 31, at);
    return RIDGE_OK;
}

/** See in its own help whether it has what it will be asked for. */
static ridge_status help_read(struct ridge_gate *gate, const char *text, struct ridge_error *error)
{
    static const char *const needed[] = {
        "--error-exitcode",   "--launch-timeout",    "--log-file",       "--padding",     "--print-limit",
        "--racecheck-report", "--report-api-errors", "--show-backtrace", "--strip-paths", "--target-processes"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!strstr(text, needed[i])) {
            return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                                "%.200s, version %s, is too old: it has no option %s (2025.3 has)", gate->judge_program,
                                gate->judge_version, needed[i]);
        }
    }
    gate->judge_shared = strstr(text, shared_option) != NULL;
    return RIDGE_OK;
}

/** Run gate->judge_program with one option. UNAVAILABLE: there is no such program. */
static ridge_status program_ask(struct ridge_gate *gate, const char *option, struct rg_buffer *text,
                                struct rg_command_end *end, struct ridge_error *error)
{
    static const double patience_s = 30;
    const char *argv[] = {gate->judge_program, option, NULL};
    rg_buffer_clear(text);
    const ridge_status status = rg_command_run(gate->context, argv, patience_s, text, end, error);
    if (status == RIDGE_OK && (end->timed_out || end->signal != 0)) {
        char how[64];
        snprintf(how, sizeof how, end->timed_out ? "did not end within %d s" : "died: signal %d",
                 end->timed_out ? (int)patience_s : end->signal);
        return rg_error_set(error, RIDGE_E_IO, "%.200s %s %s", gate->judge_program, option, how);
    }
    return status;
}

/** See whether a program is there, and what it can do. Where it is not, gate->judge_program is "". */
static ridge_status program_try(struct ridge_gate *gate, const char *folder, struct ridge_error *error)
{
    struct rg_buffer text;
    struct rg_command_end end = {0};
    rg_buffer_init(&text, gate->context);
    snprintf(gate->judge_program, sizeof gate->judge_program, "%s%scompute-sanitizer", folder, folder[0] ? "/" : "");
    struct ridge_error failure = {0};
    ridge_status status = program_ask(gate, "--version", &text, &end, &failure);
    if (status != RIDGE_OK && (failure.native == ENOENT || failure.native == ENOTDIR)) {
        gate->judge_program[0] = '\0';
    } else if (status != RIDGE_OK) {
        rg_error_set(error, status, "compute-sanitizer is there but does not work: %.300s", failure.message);
    }
    status = status == RIDGE_OK ? version_read(gate, rg_buffer_text(&text), &end, error) : status;
    status = status == RIDGE_OK ? program_ask(gate, "--help", &text, &end, error) : status;
    status = status == RIDGE_OK ? help_read(gate, rg_buffer_text(&text), error) : status;
    rg_buffer_fini(&text);
    return status;
}

static ridge_status find(struct ridge_gate *gate, struct ridge_error *error)
{
    char own[4096] = "";
    const char *const folders[] = {own, "", "/usr/local/cuda/bin"}; /* of --cuda-path, on the PATH, the usual one */
    if (gate->options.cuda_path) {
        snprintf(own, sizeof own, "%s/bin", gate->options.cuda_path);
    }
    for (size_t i = own[0] ? 0 : 1; i < sizeof folders / sizeof folders[0]; i++) {
        const ridge_status status = program_try(gate, folders[i], error);
        if (gate->judge_program[0] != '\0') {
            return status;
        }
    }
    return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                        "compute-sanitizer is not installed: it is neither on the PATH nor in /usr/local/cuda/bin (it "
                        "comes with the CUDA toolkit: name its folder with --cuda-path; or leave out --with "
                        "compute-sanitizer to judge with Ridge's own engine)");
}

/** One run of one tool. */
struct run {
    struct ridge_gate *gate;
    const struct rg_judged *judged;
    const struct tool *tool;
    double seconds; /**< that it may take */
    struct rg_arena arena;
    struct rg_buffer said; /**< on standard output and error */
    struct rg_command_end end;
    struct rg_sanitizer_log log;
};

/** A file of this run. */
static const char *file_name(struct run *run, const char *kind)
{
    const char *name = rg_arena_printf(&run->arena, "%s/%s.%s", run->judged->folder, run->tool->name, kind);
    return name ? name : "";
}

/** A path as the option --log-file takes it: % is doubled. */
static const char *log_name(struct run *run)
{
    struct rg_buffer text;
    rg_buffer_init(&text, run->gate->context);
    for (const char *at = file_name(run, "log"); *at; at++) {
        rg_buffer_puts(&text, *at == '%' ? "%" : "");
        rg_buffer_append(&text, at, 1);
    }
    const char *name = rg_arena_strdup(&run->arena, rg_buffer_text(&text));
    rg_buffer_fini(&text);
    return name ? name : "";
}

static ridge_status order_write(struct run *run, struct ridge_error *error)
{
    const struct ridge_check_options *options = &run->gate->options;
    if (options->set_count > RG_LAUNCH_ORDER_SETS) {
        return rg_error_set(error, RIDGE_E_LIMIT,
                            "%zu params are overridden, and compute-sanitizer takes %d (put them "
                            "into [bench] or [check] of the spec)",
                            options->set_count, RG_LAUNCH_ORDER_SETS);
    }
    struct rg_launch_order order = {
        .spec = run->gate->spec->path,
        .set_count = options->set_count,
        .choice_count = ridge_space_dimension_count(run->gate->space),
        .cuda_path = options->cuda_path,
        .cache_folder = options->cache_folder,
        .outcome = file_name(run, "outcome"),
        .outputs = run->tool->outputs ? file_name(run, "outputs") : NULL,
        .seconds = (unsigned)run->seconds + 1,
    };
    for (size_t i = 0; i < order.set_count; i++) {
        order.set[i] = options->set[i];
    }
    memcpy(order.choice, run->judged->choice, order.choice_count * sizeof *order.choice);
    struct rg_buffer text;
    rg_buffer_init(&text, run->gate->context);
    ridge_status status = rg_launch_order_write(&order, &text, error);
    if (status == RIDGE_OK) {
        status = rg_file_write_soon(file_name(run, "order"), rg_buffer_text(&text), text.length, error);
    }
    rg_buffer_fini(&text);
    return status;
}

static ridge_status command_run(struct run *run, struct ridge_error *error)
{
    const char *launcher = run->gate->options.launcher ? run->gate->options.launcher : "ridge";
    const char *const before[] = {run->gate->judge_program,
                                  "--tool",
                                  run->tool->name,
                                  "--log-file",
                                  log_name(run),
                                  "--error-exitcode",
                                  found_exit_code,
                                  "--print-limit",
                                  "10000",
                                  "--show-backtrace",
                                  "device",
                                  "--strip-paths",
                                  "no",
                                  "--target-processes",
                                  "application-only",
                                  "--launch-timeout",
                                  "0"};
    const char *const behind[] = {launcher, "check-launch", file_name(run, "order")};
    const char *argv[MOST_WORDS];
    size_t count = 0;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        argv[count++] = before[i];
    }
    for (size_t i = 0; run->tool->options[i]; i++) {
        argv[count++] = run->tool->options[i];
    }
    if (run->tool->shared && run->gate->judge_shared) {
        argv[count++] = shared_option;
        argv[count++] = "all";
    }
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
        argv[count++] = behind[i];
    }
    argv[count] = NULL;
    return rg_command_run(run->gate->context, argv, run->seconds, &run->said, &run->end, error);
}

/** Read the outputs back into the problem. \return false when some are missing */
static bool outputs_read(struct run *run)
{
    struct rg_problem *problem = &run->gate->problem;
    char *text = NULL;
    size_t length = 0;
    size_t used = 0;
    struct ridge_error ignored = {0};
    if (rg_file_read(&run->arena, file_name(run, "outputs"), &text, &length, &ignored) != RIDGE_OK) {
        return false;
    }
    for (size_t i = 0; i < problem->workload.count; i++) {
        const size_t bytes = (size_t)problem->workload.shapes[i].bytes;
        if (!problem->written[i]) {
            continue;
        }
        if (bytes > length - used) {
            return false;
        }
        memcpy(problem->written[i], text + used, bytes);
        used += bytes;
    }
    return used == length;
}

/** The first line of what the tool said, to explain why it did not run. */
static const char *first_word(struct run *run)
{
    const char *said = rg_buffer_text(&run->said);
    const char *line = run->log.unknown[0] ? run->log.unknown : said;
    return line[0] ? rg_arena_copy(&run->arena, line, strcspn(line, "\n")) : "it did not say why";
}

/** Say why a run in which nothing was found is not to be trusted; say nothing of one that is. */
static void doubts_say(struct run *run, const struct rg_launched *launched)
{
    struct rg_gate_slot *slot = run->judged->slot;
    const char *tool = run->tool->name;
    if (run->end.timed_out) {
        rg_judge_say(slot, "timeout: %s did not end within %.3g s (--timeout is for all four tools)", tool,
                     run->seconds);
    } else if (run->end.signal != 0) {
        rg_judge_say(slot, "%s died: signal %d", tool, run->end.signal);
    } else if (!launched) {
        rg_judge_say(slot, "%s did not get to the launch (exit code %d): %s", tool, run->end.exit_code,
                     first_word(run));
    } else if (launched->status != RIDGE_OK) {
        rg_judge_say(slot, "%s: %s", tool, launched->text);
    } else if (launched->outcome != RIDGE_OUTCOME_OK) {
        rg_judge_say(slot, "%s: %s: %s", ridge_outcome_word(launched->outcome), tool, launched->text);
    } else if (!run->log.whole) {
        rg_judge_say(slot, "the log of %s is cut short: it has no summary%s%s", tool, run->log.unknown[0] ? "; " : "",
                     run->log.unknown);
    } else if (run->log.unknown[0] != '\0') {
        rg_judge_say(slot, "%s says what Ridge does not know: %s", tool, run->log.unknown);
    } else if (run->log.errors > 0 || run->end.exit_code != 0) {
        rg_judge_say(slot, "%s counts %llu errors (exit code %d) and tells none", tool,
                     (unsigned long long)run->log.errors, run->end.exit_code);
    }
}

/** Whether a failure would be that of every configuration: then the tool fails, not this one. */
static bool is_of_all(ridge_status status)
{
    return status == RIDGE_E_UNAVAILABLE || status == RIDGE_E_NAME || status == RIDGE_E_VALUE;
}

static ridge_status run_read(struct run *run, struct ridge_error *error)
{
    struct rg_gate_slot *slot = run->judged->slot;
    const char *source = run->gate->spec->sources[RG_LANGUAGE_CUDA];
    struct rg_launched launched;
    char name[32];
    snprintf(name, sizeof name, "%s.outcome", run->tool->name);
    const bool came = rg_launched_read(rg_judge_file(&run->arena, run->judged->folder, name), &launched);
    if (came && is_of_all(launched.status)) {
        return rg_error_set(error, launched.status, "%s", launched.text);
    }
    if (came && (launched.outcome == RIDGE_OUTCOME_COMPILE || launched.outcome == RIDGE_OUTCOME_UNLAUNCHABLE)) {
        rg_trouble_set(run->judged->trouble, launched.outcome, "%s", launched.text);
        return RIDGE_OK;
    }
    if (came) {
        snprintf(slot->place, sizeof slot->place, "%s", launched.device);
    }
    snprintf(name, sizeof name, "%s.log", run->tool->name);
    rg_sanitizer_read_log(rg_judge_file(&run->arena, run->judged->folder, name), source, slot, &run->log);
    if (run->log.findings == 0) {
        doubts_say(run, came ? &launched : NULL);
    }
    if (run->tool->outputs && !outputs_read(run)) { /* where something was found the launch may have been ended */
        rg_judge_say(slot, "%s did not hand over all of the outputs", run->tool->name);
    }
    return RIDGE_OK;
}

static ridge_status tool_run(struct ridge_gate *gate, const struct rg_judged *judged, const struct tool *tool,
                             double seconds, struct ridge_error *error)
{
    struct run run = {.gate = gate, .judged = judged, .tool = tool, .seconds = seconds};
    rg_arena_init(&run.arena, gate->context);
    rg_buffer_init(&run.said, gate->context);
    ridge_status status = order_write(&run, error);
    status = status == RIDGE_OK ? command_run(&run, error) : status;
    status = status == RIDGE_OK ? run_read(&run, error) : status;
    rg_buffer_fini(&run.said);
    rg_arena_fini(&run.arena);
    return status;
}

/** All tools, each with its share of what time is left. */
static ridge_status run_all(struct ridge_gate *gate, const struct rg_judged *judged, struct ridge_error *error)
{
    const double until_s = rg_clock_s() + rg_judge_seconds(gate);
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < TOOL_COUNT && status == RIDGE_OK && judged->trouble->outcome == RIDGE_OUTCOME_OK; i++) {
        const double share_s = (until_s - rg_clock_s()) / (double)(TOOL_COUNT - i);
        status = tool_run(gate, judged, &tools[i], share_s > 0.1 ? share_s : 0.1, error);
    }
    return status;
}

const struct rg_judge rg_judge_sanitizer = {
    .name = "compute-sanitizer",
    .language = RG_LANGUAGE_CUDA,
    .language_name = "CUDA",
    .on_device = true,
    .find = find,
    .run = run_all,
};
