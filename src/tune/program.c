/* SPDX-License-Identifier: MIT */
#include "tune/program.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "ridge/binary.h"

/** The languages that the engine can run, the preferred one first. */
static const struct {
    rg_language language;
    rg_source_language source;
} runnable[] = {{RG_LANGUAGE_CUDA, RG_SOURCE_CUDA}, {RG_LANGUAGE_OPENCL, RG_SOURCE_OPENCL}};

enum {
    RUNNABLE_COUNT = sizeof runnable / sizeof runnable[0]
};

static const char *folder_of(struct rg_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? rg_arena_copy(arena, path, (size_t)(slash - path) + (slash == path)) : ".";
}

static ridge_status source_read(struct rg_sources *sources, rg_language language, struct ridge_error *error)
{
    const char *path = sources->spec->sources[language];
    char *text = NULL;
    if (!path) {
        return RIDGE_OK;
    }
    const ridge_status status = rg_file_read(&sources->arena, path, &text, NULL, error);
    sources->texts[language] = text;
    sources->folders[language] = folder_of(&sources->arena, path);
    return status == RIDGE_OK && !sources->folders[language] ? rg_error_memory(error, strlen(path)) : status;
}

ridge_status rg_sources_open(const struct ridge_context *context, const struct ridge_spec *spec, const char *ptx,
                             struct rg_sources *out, struct ridge_error *error)
{
    *out = (struct rg_sources){.context = context, .spec = spec, .ptx_path = ptx};
    rg_arena_init(&out->arena, context);
    ridge_status status = RIDGE_OK;
    char *text = NULL;
    if (ptx) {
        status = rg_file_read(&out->arena, ptx, &text, &out->ptx_bytes, error);
        out->ptx_text = text;
        return status;
    }
    for (size_t i = 0; i < RUNNABLE_COUNT && status == RIDGE_OK; i++) {
        status = source_read(out, runnable[i].language, error);
    }
    if (status == RIDGE_OK && !out->texts[RG_LANGUAGE_CUDA] && !out->texts[RG_LANGUAGE_OPENCL]) {
        const struct rg_place place = {.file = spec->path};
        return rg_error_at(error, RIDGE_E_VALUE, &place,
                           "the spec has neither a CUDA nor an OpenCL source (add one to sources of [kernel]; a C "
                           "source is judged by ridge tune --device host)");
    }
    return status;
}

void rg_sources_close(struct rg_sources *sources)
{
    rg_compilers_close(sources->compilers);
    rg_arena_fini(&sources->arena);
    memset(sources, 0, sizeof *sources);
}

/** Read the PTX and find the kernel in it. */
static ridge_status program_read(const struct rg_sources *sources, const char *text, size_t bytes, const char *path,
                                 const char *entry, struct rg_ptx_program *program, struct ridge_error *error)
{
    const ridge_status status = rg_ptx_read(sources->context, text, bytes, path, &program->ptx, error);
    if (status != RIDGE_OK) {
        return status;
    }
    program->entry_index = rg_ptx_entry_find(program->ptx, entry);
    if (program->entry_index == SIZE_MAX && rg_ptx_entry_count(program->ptx) == 1 && sources->ptx_path) {
        program->entry_index = 0; /* a mangled name: there is no other */
        program->renamed = true;
    }
    if (program->entry_index == SIZE_MAX) {
        const struct rg_place place = {.file = path};
        return rg_error_at(error, RIDGE_E_NAME, &place, "there is no kernel `%s` in the compiled code (see `entry`)",
                           entry);
    }
    program->entry = rg_ptx_entry_at(program->ptx, program->entry_index);
    return RIDGE_OK;
}

static ridge_status compile(struct rg_sources *sources, size_t which, const struct rg_job *job, const char *machine,
                            struct rg_artifact *out, struct ridge_error *error)
{
    const struct ridge_spec *spec = sources->spec;
    const rg_language language = runnable[which].language;
    const struct rg_compile_job work = {
        .language = runnable[which].source,
        .path = spec->sources[language],
        .text = sources->texts[language],
        .folder = sources->folders[language],
        .entry = spec->entry,
        .macros = job->macros,
        .macro_count = job->macro_count,
        .target = machine ? machine : sources->target_text,
        .form = machine ? RG_ARTIFACT_BINARY : RG_ARTIFACT_PTX,
    };
    return rg_compile(sources->compilers, &work, out, error);
}

/** Compile with the first language that has a source and a compiler. */
static ridge_status compile_any(struct rg_sources *sources, const struct rg_job *job, struct rg_ptx_program *out,
                                struct ridge_error *error)
{
    ridge_status status = RIDGE_E_UNAVAILABLE;
    for (size_t i = 0; i < RUNNABLE_COUNT; i++) {
        const rg_language language = runnable[i].language;
        const bool last = language == RG_LANGUAGE_OPENCL || !sources->texts[RG_LANGUAGE_OPENCL];
        if (!sources->texts[language] || (language == RG_LANGUAGE_CUDA && sources->without_cuda)) {
            continue;
        }
        struct ridge_error missing = {0};
        status = compile(sources, i, job, NULL, &out->artifact, last ? error : &missing);
        out->language = language;
        out->is_cuda = language == RG_LANGUAGE_CUDA;
        if (status != RIDGE_E_UNAVAILABLE || last) {
            return status;
        }
        sources->without_cuda = true;
    }
    return status;
}

/** OpenCL C passes local memory as parameters, CUDA does not. */
static bool looks_like_cuda(const struct ridge_spec *spec, const struct rg_ptx_entry *entry)
{
    size_t locals = 0;
    for (size_t i = 0; i < spec->argument_count; i++) {
        locals += spec->arguments[i].access == RG_ACCESS_LOCAL;
    }
    return locals == 0 || entry->parameter_count + locals == spec->argument_count;
}

ridge_status rg_ptx_program_make(struct rg_sources *sources, const struct rg_job *job, struct rg_ptx_program *out,
                                 struct rg_trouble *trouble, struct ridge_error *error)
{
    *out = (struct rg_ptx_program){.ptx = NULL};
    if (sources->ptx_text) {
        const ridge_status status = program_read(sources, sources->ptx_text, sources->ptx_bytes, sources->ptx_path,
                                                 sources->spec->entry, out, error);
        out->is_cuda = status == RIDGE_OK && looks_like_cuda(sources->spec, out->entry);
        return status;
    }
    ridge_status status = RIDGE_OK;
    if (!sources->compilers) {
        status = rg_compilers_open(sources->context, &sources->how, &sources->compilers, error);
    }
    const double began_s = rg_clock_s();
    if (status == RIDGE_OK) {
        status = compile_any(sources, job, out, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    out->compile_s = rg_clock_s() - began_s;
    out->cached = out->artifact.cached;
    snprintf(out->compiler, sizeof out->compiler, "%s", out->artifact.compiler ? out->artifact.compiler : "");
    if (out->artifact.failed) {
        rg_trouble_set(trouble, RIDGE_OUTCOME_COMPILE, "%s", out->artifact.log);
        return RIDGE_OK;
    }
    struct ridge_error why = {0};
    status = program_read(sources, (const char *)out->artifact.bytes, out->artifact.size,
                          sources->spec->sources[out->language], out->artifact.entry, out, &why);
    if (status == RIDGE_E_UNAVAILABLE) { /* an instruction that the engine does not know: of this configuration */
        rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "the engine cannot run it: line %u of its PTX: %s",
                       why.line, why.message);
        return RIDGE_OK;
    }
    return status == RIDGE_OK ? status : rg_error_set(error, status, "%s", why.message);
}

/** The kernel that is looked for in machine code. */
struct wanted {
    const char *name;
    struct rg_machine_facts *out;
};

static bool kernel_seen(void *user, const struct ridge_binary_kernel *kernel)
{
    const struct wanted *wanted = user;
    if (strcmp(kernel->name, wanted->name) != 0) {
        return true;
    }
    const uint32_t spills[] = {kernel->spill_store_bytes, kernel->spill_load_bytes};
    wanted->out->known = kernel->registers != RIDGE_NOT_STATED;
    wanted->out->registers = kernel->registers;
    for (size_t i = 0; i < 2; i++) {
        wanted->out->spill_bytes += spills[i] == RIDGE_NOT_STATED ? 0 : spills[i];
    }
    return false;
}

void rg_machine_facts_find(struct rg_sources *sources, const struct rg_ptx_program *program, const struct rg_job *job,
                           const char *machine, struct rg_machine_facts *out)
{
    *out = (struct rg_machine_facts){.known = false};
    struct rg_artifact artifact = {.bytes = NULL};
    struct ridge_binary *binary = NULL;
    struct ridge_error ignored = {0};
    struct wanted wanted = {NULL, out};
    if (!program->is_cuda || sources->ptx_text || compile(sources, 0, job, machine, &artifact, &ignored) != RIDGE_OK ||
        artifact.failed) {
        rg_artifact_fini(&artifact);
        return;
    }
    wanted.name = artifact.entry;
    if (ridge_binary_open_bytes(sources->context, artifact.bytes, artifact.size, machine, &binary, &ignored) ==
        RIDGE_OK) {
        (void)ridge_binary_each(binary, kernel_seen, &wanted, NULL, &ignored);
    }
    ridge_binary_close(binary);
    rg_artifact_fini(&artifact);
}

ridge_status rg_engine_refusal(ridge_status status, struct ridge_error *error, struct rg_trouble *trouble)
{
    if (status != RIDGE_E_ARGUMENT && status != RIDGE_E_LIMIT) {
        return status;
    }
    rg_trouble_set(trouble, RIDGE_OUTCOME_UNLAUNCHABLE, "%s", error->message);
    *error = (struct ridge_error){0};
    return RIDGE_OK;
}

void rg_ptx_program_fini(struct rg_ptx_program *program)
{
    rg_ptx_destroy(program->ptx);
    rg_artifact_fini(&program->artifact);
    memset(program, 0, sizeof *program);
}
