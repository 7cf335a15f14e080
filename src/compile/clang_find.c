/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command.h"
#include "base/error.h"
#include "base/file.h"
#include "compile/clang.h"

enum {
    NEWEST = 30, /**< the highest version that is looked for by name */
    OLDEST = 13, /**< the first that declares OpenCL's built-in functions by itself */
    FIND_S = 60  /**< for a question to one: a short limit for compiling must not make it look absent */
};

const struct rg_clang_target rg_clang_targets[RG_CLANG_KINDS] = {
    [RG_CLANG_AMD] = {"amdgcn-amd-amdhsa", "amdgcn--amdhsa.bc", "gfx", "AMD GPUs"},
    [RG_CLANG_NVIDIA] = {"nvptx64-unknown-nvidiacl", "nvptx64--nvidiacl.bc", "sm_", "NVIDIA GPUs"},
};

/** Where Debian, Fedora and LLVM's own build put libclc. */
static const char *const library_folders[] = {"/usr/lib/clc", "/usr/share/clc", "/usr/lib64/clc", "/usr/local/lib/clc",
                                              "/usr/local/share/clc"};

static const char probe_text[] = "kernel void probe(global float *a) { a[get_global_id(0)] = sqrt(a[0]); }\n";

/** Write name and identity from "Debian clang version 15.0.6". \return false when the program is not there. */
static bool version_read(struct rg_clang *clang, const char *program)
{
    const char *const argv[] = {program, "--version", NULL};
    struct rg_buffer text;
    struct rg_command_end end = {0};
    rg_buffer_init(&text, clang->context);
    bool found = rg_command_run(clang->context, argv, FIND_S, &text, &end, NULL) == RIDGE_OK;
    found = found && end.exit_code == 0;
    if (found) {
        const char *line = rg_buffer_text(&text);
        const char *version = strstr(line, "version ");
        version = version ? version + strlen("version ") : "?";
        snprintf(clang->program, sizeof clang->program, "%s", program);
        snprintf(clang->name, sizeof clang->name, "clang %.*s", (int)strcspn(version, " -+~(\r\n"), version);
        snprintf(clang->identity, sizeof clang->identity, "%.*s", (int)strcspn(line, "\r\n"), line);
    }
    rg_buffer_fini(&text);
    return found;
}

/** Whether a clang compiles for a kind, with a library or (NULL) without. */
static bool probe(const struct rg_clang *clang, rg_clang_kind kind, const char *library)
{
    char source[PATH_MAX];
    char object[PATH_MAX];
    snprintf(source, sizeof source, "%s/probe-%ld.cl", clang->folder, (long)getpid());
    snprintf(object, sizeof object, "%s/probe-%ld.o", clang->folder, (long)getpid());
    if (rg_file_write_soon(source, probe_text, strlen(probe_text), NULL) != RIDGE_OK) {
        return false;
    }
    const char *argv[] = {clang->program,
                          "-x",
                          "cl",
                          "-target",
                          rg_clang_targets[kind].triple,
                          "-nogpulib",
                          "-S",
                          "-o",
                          object,
                          source,
                          "-Xclang",
                          "-mlink-builtin-bitcode",
                          "-Xclang",
                          library,
                          NULL};
    if (!library) {
        argv[10] = NULL;
    }
    struct rg_buffer log;
    struct rg_command_end end = {0};
    rg_buffer_init(&log, clang->context);
    const ridge_status status = rg_command_run(clang->context, argv, FIND_S, &log, &end, NULL);
    rg_buffer_fini(&log);
    unlink(source);
    unlink(object);
    return status == RIDGE_OK && end.exit_code == 0;
}

/** Find a library that this clang reads. \return whether there is one. */
static bool library_find(struct rg_clang *clang, rg_clang_kind kind)
{
    for (size_t i = 0; i < sizeof library_folders / sizeof library_folders[0]; i++) {
        char path[sizeof clang->library];
        struct stat facts;
        snprintf(path, sizeof path, "%s/%s", library_folders[i], rg_clang_targets[kind].library);
        if (stat(path, &facts) == 0 && probe(clang, kind, path)) {
            const size_t length = strlen(clang->identity);
            memcpy(clang->library, path, sizeof path);
            snprintf(clang->identity + length, sizeof clang->identity - length, " libclc %lld",
                     (long long)facts.st_size);
            return true;
        }
    }
    return false;
}

ridge_status rg_clang_find(struct rg_clang *clang, rg_clang_kind kind, struct ridge_error *error)
{
    struct rg_clang without = {0};
    bool any = false;
    for (int version = NEWEST; version >= OLDEST - 1; version--) {
        char program[32] = "clang";
        if (version >= OLDEST) {
            snprintf(program, sizeof program, "clang-%d", version);
        }
        if (!version_read(clang, program)) {
            continue;
        }
        any = true;
        if (library_find(clang, kind)) {
            return RIDGE_OK;
        }
        if (without.program[0] == '\0' && probe(clang, kind, NULL)) {
            without = *clang;
        }
    }
    if (without.program[0] != '\0') {
        *clang = without;
        return RIDGE_OK;
    }
    clang->program[0] = '\0';
    return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                        any ? "no clang on the PATH compiles OpenCL C for %s (install one that does and its built-ins, "
                              "such as the packages clang-15 and libclc-15-dev)"
                            : "there is no clang on the PATH, which compiles OpenCL C for %s (install the packages "
                              "clang-15, lld and libclc-15-dev)",
                        rg_clang_targets[kind].devices);
}
