/* SPDX-License-Identifier: MIT */
/* One configuration under oclgrind-kernel, which runs a kernel by itself: a file names source, launch and arguments,
 * and the contents of the outputs are printed at the end. */
#include "tune/gate_tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/error.h"
#include "base/file.h"

/** Without optimisation lines are exact, and oclgrind 21.10 meets no `freeze`, at which --uninitialized stops. */
static const char options_always[] = "-cl-std=CL1.2 -cl-opt-disable";

/** A link to the folder of the source: the options are split at spaces, and a folder may have any name. */
static const char include_name[] = "include";

/** Runs in the folder of its files, so that no path has a space. $0 is the folder. */
static const char script[] = "cd \"$0\" && exec oclgrind-kernel \"$@\" kernel.sim >values";

/** Types of the description file, by bytes. **Source**: src/kernel/Simulation.cpp of Oclgrind. */
static const char *const type_names[9] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};

static ridge_status find(struct ridge_gate *gate, struct ridge_error *error)
{
    static const char *const argv[] = {"oclgrind-kernel", "--version", NULL};
    struct rg_buffer text;
    struct rg_command_end end;
    rg_buffer_init(&text, gate->context);
    const ridge_status status = rg_command_run(gate->context, argv, 10, &text, &end, NULL);
    rg_buffer_fini(&text);
    if (status == RIDGE_E_UNAVAILABLE) {
        return rg_error_set(error, status,
                            "oclgrind is not installed: there is no oclgrind-kernel on the PATH (on Debian: "
                            "apt-get install oclgrind; or leave out --with oclgrind to judge with Ridge's own engine)");
    }
    return status == RIDGE_OK ? status : rg_error_set(error, status, "oclgrind-kernel --version cannot be run");
}

static void values_write(struct rg_buffer *out, const void *memory, uint64_t count, size_t element_bytes)
{
    const unsigned char *at = memory;
    for (uint64_t i = 0; i < count; i++, at += element_bytes) {
        uint64_t value = 0;
        memcpy(&value, at, element_bytes); /* little-endian hosts, as everywhere in src/tune */
        rg_buffer_printf(out, "%llu%c", (unsigned long long)value, i % 16 == 15 ? '\n' : ' ');
    }
    rg_buffer_puts(out, "\n");
}

static void argument_write(const struct ridge_gate *gate, const struct rg_job *job, size_t index, struct rg_buffer *out)
{
    const struct rg_shape *shape = &gate->problem.workload.shapes[index];
    const void *written = gate->problem.written[index];
    if (shape->kind == RG_SHAPE_LOCAL) {
        rg_buffer_printf(out, "<size=%llu uchar>\n", (unsigned long long)job->scalars[index]);
        return;
    }
    const bool scalar = shape->kind == RG_SHAPE_SCALAR;
    const uint64_t bytes = scalar ? shape->element_bytes : shape->bytes;
    rg_buffer_printf(out, "<size=%llu %s%s>\n", (unsigned long long)bytes, type_names[shape->element_bytes],
                     written ? " dump" : "");
    values_write(out,
                 scalar    ? &job->scalars[index]
                 : written ? written
                           : gate->problem.workload.initial[index],
                 bytes / shape->element_bytes, shape->element_bytes);
}

static ridge_status include_link(const struct ridge_gate *gate, const char *folder, struct ridge_error *error)
{
    char path[512];
    char *include = realpath(gate->sources.folders[RG_LANGUAGE_OPENCL], NULL);
    snprintf(path, sizeof path, "%s/%s", folder, include_name);
    const bool linked = include && symlink(include, path) == 0;
    free(include);
    return linked ? RIDGE_OK : rg_error_system(error, RIDGE_E_IO, errno, path, "cannot make a link");
}

/** The description of the run. The lines of kernel.cl keep their numbers. */
static ridge_status files_write(const struct ridge_gate *gate, const struct rg_job *job, const char *folder,
                                struct ridge_error *error)
{
    char path[512];
    const char *source = gate->sources.texts[RG_LANGUAGE_OPENCL];
    ridge_status status = include_link(gate, folder, error);
    snprintf(path, sizeof path, "%s/kernel.cl", folder);
    status = status == RIDGE_OK ? rg_file_write_soon(path, source, strlen(source), error) : status;
    struct rg_buffer text;
    rg_buffer_init(&text, gate->context);
    const struct rg_launch *launch = &job->launch;
    rg_buffer_printf(&text, "kernel.cl %s\n", gate->spec->entry);
    for (size_t i = 0; i < 3; i++) {
        rg_buffer_printf(&text, "%llu ", (unsigned long long)launch->grid[i] * launch->block[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        rg_buffer_printf(&text, "%llu ", (unsigned long long)launch->block[i]);
    }
    rg_buffer_puts(&text, "\n");
    for (size_t i = 0; i < gate->problem.workload.count; i++) {
        argument_write(gate, job, i, &text);
    }
    snprintf(path, sizeof path, "%s/kernel.sim", folder);
    status = status == RIDGE_OK && text.failed ? rg_error_memory(error, text.length) : status;
    status = status == RIDGE_OK ? rg_file_write_soon(path, rg_buffer_text(&text), text.length, error) : status;
    rg_buffer_fini(&text);
    return status;
}

/** Read "  name[index] = value" lines back into the outputs. \return false when some are missing */
static bool values_read(struct ridge_gate *gate, const char *text)
{
    for (size_t i = 0; i < gate->problem.workload.count; i++) {
        const struct rg_shape *shape = &gate->problem.workload.shapes[i];
        unsigned char *out = gate->problem.written[i];
        const uint64_t count = out ? shape->bytes / shape->element_bytes : 0;
        for (uint64_t at = 0; at < count; at++, out += shape->element_bytes) {
            const char *equals = text ? strstr(text, "] = ") : NULL;
            if (!equals) {
                return false;
            }
            char *end = NULL;
            const uint64_t value = strtoull(equals + 4, &end, 10);
            memcpy(out, &value, shape->element_bytes);
            text = end;
        }
    }
    return true;
}

/** Run it in its folder. \param[out] said  what it wrote on standard error */
static ridge_status tool_run(const struct ridge_gate *gate, const struct rg_job *job, const char *folder,
                             struct rg_buffer *said, struct rg_command_end *end, struct ridge_error *error)
{
    struct rg_buffer options;
    rg_buffer_init(&options, gate->context);
    rg_buffer_printf(&options, "%s -I%s", options_always, include_name);
    for (size_t i = 0; i < job->macro_count; i++) {
        rg_buffer_printf(&options, " -D%s=%s", job->macros[i].name, job->macros[i].value);
    }
    const char *argv[] = {"sh",
                          "-c",
                          script,
                          folder,
                          "--data-races",
                          "--uninitialized",
                          "--max-errors",
                          "1000",
                          "--log",
                          "log",
                          "--build-options",
                          rg_buffer_text(&options),
                          NULL};
    const ridge_status status = options.failed
                                    ? rg_error_memory(error, options.length)
                                    : rg_command_run(gate->context, argv, rg_judge_seconds(gate), said, end, error);
    rg_buffer_fini(&options);
    return status;
}

/** What became of a run, once its log was read. */
static void end_tell(const struct ridge_gate *gate, const struct rg_command_end *end, const char *log, bool whole,
                     struct rg_gate_slot *slot)
{
    const char *fatal = strstr(log, "OCLGRIND FATAL ERROR");
    if (fatal) {
        const char *what = strchr(fatal, '\n') ? strchr(fatal, '\n') + 1 : fatal;
        rg_judge_say(slot, "oclgrind cannot run it: %.*s", (int)strcspn(what, "\n"), what);
    } else if (end->timed_out) {
        rg_judge_say(slot, "timeout: oclgrind did not end within %g s " RG_GATE_TOO_LATE, rg_judge_seconds(gate));
    } else if (end->signal != 0) {
        rg_judge_say(slot, "oclgrind died: signal %d", end->signal);
    } else if (end->exit_code == 0 && !whole) {
        rg_judge_say(slot, "oclgrind did not print all of the outputs");
    }
}

static ridge_status run(struct ridge_gate *gate, const struct rg_judged *judged, struct ridge_error *error)
{
    struct rg_buffer said;
    struct rg_arena arena;
    struct rg_command_end end = {0};
    rg_buffer_init(&said, gate->context);
    rg_arena_init(&arena, gate->context);
    ridge_status status = files_write(gate, judged->job, judged->folder, error);
    status = status == RIDGE_OK ? tool_run(gate, judged->job, judged->folder, &said, &end, error) : status;
    if (status == RIDGE_OK) {
        const char *log = rg_judge_file(&arena, judged->folder, "log");
        rg_oclgrind_read_log(log, gate->spec->sources[RG_LANGUAGE_OPENCL], judged->slot);
        const bool whole = values_read(gate, rg_judge_file(&arena, judged->folder, "values"));
        end_tell(gate, &end, log, whole, judged->slot);
        if (judged->slot->text[0] == '\0' && end.exit_code != 0) {
            const char *why = said.length > 0 ? rg_buffer_text(&said) : log[0] ? log : "it did not say why";
            rg_trouble_set(judged->trouble, RIDGE_OUTCOME_COMPILE, "oclgrind did not run it: %s", why);
        }
    }
    rg_arena_fini(&arena);
    rg_buffer_fini(&said);
    return status;
}

const struct rg_judge rg_judge_oclgrind = {
    .name = "oclgrind",
    .language = RG_LANGUAGE_OPENCL,
    .language_name = "OpenCL C",
    .find = find,
    .run = run,
};
