/* SPDX-License-Identifier: MIT */
#include "compile/clang.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/error.h"
#include "base/file.h"
#include "compile/artifact.h"
#include "compile/source_text.h"

enum {
    MORE_ARGUMENTS = 32
};

/** Files of one compile. */
struct files {
    const char *source;
    const char *object;
};

static const char *const flags[] = {
    "-x",
    "cl",
    "-cl-std=CL1.2",
    "-O3",
    "-nogpulib",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics",
    "-Wno-linker-warnings", /* libclc's name of the target is older than clang's */
};

/** \return the arguments, NULL-ended, or NULL when memory is out. */
static const char *const *arguments_make(const struct rg_clang *clang, rg_clang_kind kind,
                                         const struct rg_compile_job *job, const struct files *files,
                                         struct rg_arena *arena)
{
    const char **argv = rg_arena_array(arena, MORE_ARGUMENTS + job->macro_count + job->option_count, sizeof *argv);
    if (!argv) {
        return NULL;
    }
    size_t count = 0;
    argv[count++] = clang->program;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        argv[count++] = flags[i];
    }
    argv[count++] = "-target";
    argv[count++] = rg_clang_targets[kind].triple;
    if (kind == RG_CLANG_NVIDIA) {
        const char *number = strchr(job->target, '_') + 1;
        argv[count++] = rg_arena_printf(arena, "-march=sm_%s", number);
        argv[count++] = "-S";
        argv[count++] = "-gline-directives-only";
        argv[count++] = "-fno-dwarf-directory-asm";              /* ptxas and drivers know no folder in .file */
        argv[count++] = "-fdebug-compilation-dir=/ridge-source"; /* paths as they were given, wherever we run */
        argv[count++] = "-fdebug-prefix-map=/ridge-source=";
    } else {
        argv[count++] = rg_arena_printf(arena, "-mcpu=%s", job->target);
    }
    if (clang->library[0] != '\0') {
        const char *const library[] = {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", clang->library};
        memcpy(argv + count, library, sizeof library);
        count += 4;
    }
    if (job->folder) {
        argv[count++] = "-I";
        argv[count++] = job->folder;
    }
    const size_t macros_at = count;
    for (size_t i = 0; i < job->macro_count; i++) {
        argv[count++] = rg_arena_printf(arena, "-D%s=%s", job->macros[i].name, job->macros[i].value);
    }
    for (size_t i = macros_at; i < count; i++) {
        if (!argv[i]) {
            return NULL;
        }
    }
    for (size_t i = 0; i < job->option_count; i++) {
        argv[count++] = job->options[i];
    }
    const char *const rest[] = {"-o", files->object, files->source, NULL};
    memcpy(argv + count, rest, sizeof rest);
    return argv;
}

/** Messages and lines speak of the file that the person wrote. */
static ridge_status source_write(const struct rg_clang *clang, rg_clang_kind kind, const struct rg_compile_job *job,
                                 const char *path, struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, clang->context);
    rg_buffer_puts(&text, kind == RG_CLANG_NVIDIA ? rg_nvidia_builtins : "");
    rg_buffer_puts(&text, "#line 1 ");
    rg_source_quote(&text, job->path);
    rg_buffer_puts(&text, "\n");
    rg_buffer_puts(&text, job->text);
    const ridge_status status = text.failed ? rg_error_memory(error, text.length)
                                            : rg_file_write_soon(path, rg_buffer_text(&text), text.length, error);
    rg_buffer_fini(&text);
    return status;
}

/** Append the targets that a clang knows, as it lists them when it is given one that it does not. */
static void targets_append(const struct rg_clang *clang, rg_clang_kind kind, struct rg_buffer *out)
{
    static const char before[] = "valid target CPU values are: ";
    const char *const argv[] = {clang->program,  "-cc1",      "-triple", rg_clang_targets[kind].triple,
                                "-target-cpu",   "none",      "-x",      "cl",
                                "-fsyntax-only", "/dev/null", NULL};
    struct rg_buffer text;
    struct rg_command_end end = {0};
    rg_buffer_init(&text, clang->context);
    rg_command_run(clang->context, argv, clang->timeout_s, &text, &end, NULL);
    const char *at = strstr(rg_buffer_text(&text), before);
    at = at ? at + strlen(before) : "";
    const char *comma = "";
    while (*at && *at != '\n') {
        const size_t length = strcspn(at, ",\n");
        if (strncmp(at, rg_clang_targets[kind].beginning, 3) == 0) {
            rg_buffer_printf(out, "%s%.*s", comma, (int)length, at);
            comma = ", ";
        }
        at += length;
        at += strspn(at, ", ");
    }
    rg_buffer_fini(&text);
}

static ridge_status unknown_target(const struct rg_clang *clang, rg_clang_kind kind, const char *target,
                                   struct ridge_error *error)
{
    struct rg_buffer known;
    rg_buffer_init(&known, clang->context);
    targets_append(clang, kind, &known);
    rg_error_set(error, RIDGE_E_UNAVAILABLE, "%s does not know the target '%.40s' (it knows %s)", clang->name, target,
                 known.length > 0 ? rg_buffer_text(&known) : "targets that it does not list");
    rg_buffer_fini(&known);
    return RIDGE_E_UNAVAILABLE;
}

/** What a log says of the tools rather than of the source. \return RIDGE_OK when it is about the source. */
static ridge_status tools_check(const struct rg_clang *clang, rg_clang_kind kind, const struct rg_compile_job *job,
                                const char *log, struct ridge_error *error)
{
    if (strstr(log, "unknown target CPU") || strstr(log, "invalid target ID")) {
        return unknown_target(clang, kind, job->target, error);
    }
    if (strstr(log, "\"ld.lld\" doesn't exist") || strstr(log, "invalid linker name")) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "%s has no linker for AMD GPUs: ld.lld is not on the PATH (install the package lld)",
                            clang->name);
    }
    return RIDGE_OK;
}

/** Append a function's name without C++'s mangling of its parameters: _Z12get_local_idj. */
static void function_append(struct rg_buffer *out, const char *name, size_t length)
{
    size_t digits = 2;
    size_t bytes = 0;
    if (length < 3 || strncmp(name, "_Z", 2) != 0) {
        rg_buffer_append(out, name, length);
        return;
    }
    while (digits < length && name[digits] >= '0' && name[digits] <= '9') {
        bytes = bytes * 10 + (size_t)(name[digits++] - '0');
    }
    rg_buffer_append(out, name + digits, bytes < length - digits ? bytes : length - digits);
}

/** What a built-in is missing from. */
static void missing_append(const struct rg_clang *clang, rg_clang_kind kind, struct rg_buffer *out)
{
    if (clang->library[0] != '\0') {
        rg_buffer_printf(out, " (%s does not have it for %s)", clang->library, rg_clang_targets[kind].devices);
    } else {
        rg_buffer_printf(out,
                         " (%s has no library of OpenCL's built-in functions for %s: install libclc of its version, "
                         "such as the package libclc-15-dev for clang-15)",
                         clang->name, rg_clang_targets[kind].devices);
    }
}

/** PTX that calls what it does not contain cannot run. \return whether it does; `out` says what. */
static bool ptx_lacks(const struct rg_clang *clang, const struct rg_compile_job *job, const char *ptx,
                      struct rg_buffer *out)
{
    static const char declaration[] = ".extern .func";
    const char *comma = "";
    for (const char *at = strstr(ptx, declaration); at; at = strstr(at, declaration)) {
        at += strlen(declaration);
        at += strspn(at, " ");
        if (*at == '(') {
            at += strcspn(at, ")");
            at += strspn(at, ") \t\n");
        }
        const size_t length = strcspn(at, " \t\n(;");
        if (comma[0] == '\0') {
            rg_buffer_printf(out, "%s: error: a function that it calls is missing: ", job->path);
        }
        rg_buffer_puts(out, comma);
        function_append(out, at, length);
        comma = ", ";
    }
    if (comma[0] == '\0') {
        return false;
    }
    missing_append(clang, RG_CLANG_NVIDIA, out);
    return true;
}

/** Whether the object holds the kernel. */
static bool has_entry(rg_clang_kind kind, const char *bytes, size_t size, const char *entry, struct rg_buffer *word)
{
    rg_buffer_printf(word, kind == RG_CLANG_NVIDIA ? ".entry %s(" : "%s.kd", entry);
    return !word->failed && memmem(bytes, size, rg_buffer_text(word), word->length);
}

static ridge_status result_take(const struct rg_clang *clang, rg_clang_kind kind, const struct rg_compile_job *job,
                                const struct files *files, struct rg_arena *arena, struct rg_artifact *out,
                                struct ridge_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    ridge_status status = rg_file_read(arena, files->object, &bytes, &size, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_buffer text;
    rg_buffer_init(&text, clang->context);
    if (kind == RG_CLANG_NVIDIA && ptx_lacks(clang, job, bytes, &text)) {
        status = rg_artifact_fail(out, error, "%s", rg_buffer_text(&text));
    } else if (!has_entry(kind, bytes, size, job->entry, &text)) {
        status = rg_artifact_fail(out, error, "%s: error: there is no kernel '%s' in it", job->path, job->entry);
    } else {
        out->bytes = rg_alloc(clang->context, size + 1);
        if (out->bytes) {
            memcpy(out->bytes, bytes, size);
            out->size = size;
            status = rg_artifact_text(out, &out->entry, job->entry, error);
        } else {
            status = rg_error_memory(error, size + 1);
        }
    }
    rg_buffer_fini(&text);
    return status;
}

/** The linker names a function that libclc lacks: say so in the first line. */
static ridge_status refused(const struct rg_clang *clang, rg_clang_kind kind, const struct rg_compile_job *job,
                            const struct rg_buffer *log, struct rg_artifact *out, struct ridge_error *error)
{
    static const char undefined[] = "undefined hidden symbol: ";
    const char *text = rg_buffer_text(log);
    const char *name = strstr(text, undefined);
    if (!name) {
        return rg_artifact_fail_with_log(out, log, error);
    }
    name += strlen(undefined);
    struct rg_buffer made;
    rg_buffer_init(&made, clang->context);
    rg_buffer_printf(&made, "%s: error: a function that it calls is missing: %.*s", job->path,
                     (int)strcspn(name, "(\r\n"), name);
    missing_append(clang, kind, &made);
    rg_buffer_printf(&made, "\n%s", text);
    const ridge_status status = rg_artifact_fail(out, error, "%s", rg_buffer_text(&made));
    rg_buffer_fini(&made);
    return status;
}

static ridge_status program_run(const struct rg_clang *clang, rg_clang_kind kind, const struct rg_compile_job *job,
                                const struct files *files, struct rg_arena *arena, struct rg_artifact *out,
                                struct ridge_error *error)
{
    const char *const *argv = arguments_make(clang, kind, job, files, arena);
    if (!argv) {
        return rg_error_memory(error, job->macro_count * sizeof *argv);
    }
    struct rg_buffer log;
    struct rg_command_end end = {0};
    rg_buffer_init(&log, clang->context);
    ridge_status status = rg_command_run(clang->context, argv, clang->timeout_s, &log, &end, error);
    if (status == RIDGE_OK && end.timed_out) {
        status =
            rg_artifact_fail(out, error, "%s was killed: it had not ended after %g s", clang->name, clang->timeout_s);
        out->failure = RG_FAILURE_TIMEOUT;
    } else if (status == RIDGE_OK && end.signal != 0) {
        status =
            rg_artifact_fail(out, error, "%s crashed: signal %d\n%s", clang->name, end.signal, rg_buffer_text(&log));
        out->failure = RG_FAILURE_CRASH;
    } else if (status == RIDGE_OK && end.exit_code == 0) {
        status = result_take(clang, kind, job, files, arena, out, error);
    } else if (status == RIDGE_OK) {
        status = tools_check(clang, kind, job, rg_buffer_text(&log), error);
        status = status == RIDGE_OK ? refused(clang, kind, job, &log, out, error) : status;
    }
    if (status == RIDGE_OK && !out->log) {
        status = rg_artifact_text(out, &out->log, rg_buffer_text(&log), error);
    }
    rg_buffer_fini(&log);
    return status;
}

ridge_status rg_clang_compile(const struct rg_clang *clang, rg_clang_kind kind, const struct rg_compile_job *job,
                              struct rg_artifact *out, struct ridge_error *error)
{
    struct rg_arena arena;
    rg_arena_init(&arena, clang->context);
    const struct files files = {
        rg_arena_printf(&arena, "%s/kernel-%ld.cl", clang->folder, (long)getpid()),
        rg_arena_printf(&arena, "%s/kernel-%ld.o", clang->folder, (long)getpid()),
    };
    ridge_status status = RIDGE_OK;
    if (!files.source || !files.object) {
        status = rg_error_memory(error, PATH_MAX);
    } else {
        status = source_write(clang, kind, job, files.source, error);
    }
    if (status == RIDGE_OK && files.source && files.object) {
        status = program_run(clang, kind, job, &files, &arena, out, error);
        unlink(files.source);
        unlink(files.object);
    }
    rg_arena_fini(&arena);
    return status;
}
