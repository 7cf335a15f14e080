/* SPDX-License-Identifier: MIT */
#include "compile/nvrtc.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/error.h"
#include "compile/artifact.h"
#include "compile/nvrtc_library.h"
#include "compile/source_text.h"

enum {
    MAX_ARCHITECTURES = 128,
    MORE_OPTIONS = 5 /* architecture, lines, three folders */
};

struct rg_nvrtc {
    const struct ridge_context *context;
    struct rg_nvrtc_api api;
    char name[32];                        /**< "NVRTC 13.0" */
    char identity[64];                    /**< with what tells builds of one version apart */
    char include_folder[PATH_MAX];        /**< of the toolkit's headers; "": none near the library */
    int architectures[MAX_ARCHITECTURES]; /**< 75, 80, ... */
    int architecture_count;               /**< 0: it cannot say */
};

/** A name of one of CUDA's headers near the library, as a toolkit, a distribution or a Python package lays them out. */
static void include_folder_find(struct rg_nvrtc *nvrtc)
{
    static const char *const folders[] = {"../include", "../../include", "../../../include",
                                          "../../cuda_runtime/include"};
    char library[PATH_MAX];
    memcpy(library, nvrtc->api.path, sizeof library);
    const char *beside = dirname(library);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char folder[PATH_MAX];
        char header[PATH_MAX];
        struct stat facts;
        if ((size_t)snprintf(folder, sizeof folder, "%s/%s", beside, folders[i]) < sizeof folder &&
            (size_t)snprintf(header, sizeof header, "%s/cuda_fp16.h", folder) < sizeof header &&
            stat(header, &facts) == 0 && realpath(folder, nvrtc->include_folder)) {
            return;
        }
    }
    nvrtc->include_folder[0] = '\0';
}

static void architectures_read(struct rg_nvrtc *nvrtc)
{
    const struct rg_nvrtc_api *api = &nvrtc->api;
    int count = 0;
    if (api->nvrtcGetNumSupportedArchs && api->nvrtcGetSupportedArchs &&
        api->nvrtcGetNumSupportedArchs(&count) == RG_NVRTC_SUCCESS && count > 0 && count <= MAX_ARCHITECTURES &&
        api->nvrtcGetSupportedArchs(nvrtc->architectures) == RG_NVRTC_SUCCESS) {
        nvrtc->architecture_count = count;
    }
}

ridge_status rg_nvrtc_open(const struct ridge_context *context, const char *cuda_path, struct rg_nvrtc **out,
                           struct ridge_error *error)
{
    struct rg_nvrtc *made = rg_alloc(context, sizeof *made);
    if (!made) {
        return rg_error_memory(error, sizeof *made);
    }
    made->context = context;
    ridge_status status = rg_nvrtc_load(&made->api, cuda_path, error);
    int major = 0;
    int minor = 0;
    if (status == RIDGE_OK && made->api.nvrtcVersion(&major, &minor) != RG_NVRTC_SUCCESS) {
        status =
            rg_error_set(error, RIDGE_E_UNAVAILABLE, "%s does not say its version: it does not work", made->api.path);
    }
    if (status != RIDGE_OK) {
        rg_free(context, made, sizeof *made);
        return status;
    }
    struct stat facts = {0};
    const bool seen = stat(made->api.path, &facts) == 0;
    snprintf(made->name, sizeof made->name, "NVRTC %d.%d", major, minor);
    snprintf(made->identity, sizeof made->identity, "%s %lld", made->name, seen ? (long long)facts.st_size : 0LL);
    include_folder_find(made);
    architectures_read(made);
    *out = made;
    return RIDGE_OK;
}

void rg_nvrtc_close(struct rg_nvrtc *nvrtc)
{
    if (nvrtc) {
        rg_free(nvrtc->context, nvrtc, sizeof *nvrtc); /* the library stays: it is not made to be unloaded */
    }
}

const char *rg_nvrtc_name(const struct rg_nvrtc *nvrtc)
{
    return nvrtc->name;
}

const char *rg_nvrtc_identity(const struct rg_nvrtc *nvrtc)
{
    return nvrtc->identity;
}

/** The number and what follows it in "sm_90a" or "compute_90a"; NULL when it is neither. */
static const char *capability_text(const char *target)
{
    static const char *const beginnings[] = {"sm_", "compute_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        const size_t length = strlen(beginnings[i]);
        if (strncmp(target, beginnings[i], length) == 0) {
            return target + length;
        }
    }
    return NULL;
}

static ridge_status unknown_target(const struct rg_nvrtc *nvrtc, const char *target, struct ridge_error *error)
{
    struct rg_buffer known;
    rg_buffer_init(&known, nvrtc->context);
    for (int i = 0; i < nvrtc->architecture_count; i++) {
        rg_buffer_printf(&known, "%ssm_%d", i > 0 ? ", " : "", nvrtc->architectures[i]);
    }
    rg_error_set(error, RIDGE_E_UNAVAILABLE,
                 "%s does not know the target '%.40s' (it knows %s; an older toolkit knows older targets, a newer one "
                 "newer: name it with --cuda-path)",
                 nvrtc->name, target, known.length > 0 ? rg_buffer_text(&known) : "targets that it does not list");
    rg_buffer_fini(&known);
    return RIDGE_E_UNAVAILABLE;
}

static ridge_status target_check(const struct rg_nvrtc *nvrtc, const struct rg_compile_job *job,
                                 struct ridge_error *error)
{
    const char *number = capability_text(job->target);
    if (!number) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "CUDA C++ cannot be compiled for '%.40s' (for sm_75, sm_90 and such)", job->target);
    }
    if (job->form == RG_ARTIFACT_BINARY && (!nvrtc->api.nvrtcGetCUBIN || !nvrtc->api.nvrtcGetCUBINSize)) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "%s makes no machine code (that of CUDA 11.1 or newer does)",
                            nvrtc->name);
    }
    const long wanted = strtol(number, NULL, 10);
    for (int i = 0; i < nvrtc->architecture_count; i++) {
        if (nvrtc->architectures[i] == wanted) {
            return RIDGE_OK;
        }
    }
    return nvrtc->architecture_count > 0 ? unknown_target(nvrtc, job->target, error) : RIDGE_OK;
}

/** \return the options, or NULL when memory is out. */
static const char *const *options_make(const struct rg_nvrtc *nvrtc, const struct rg_compile_job *job,
                                       struct rg_arena *arena, int *count)
{
    const char **options = rg_arena_array(arena, MORE_OPTIONS + job->macro_count + job->option_count, sizeof *options);
    if (!options) {
        return NULL;
    }
    const bool ptx = job->form == RG_ARTIFACT_PTX;
    size_t used = 0;
    options[used++] =
        rg_arena_printf(arena, "--gpu-architecture=%s_%s", ptx ? "compute" : "sm", capability_text(job->target));
    if (ptx) {
        options[used++] = "-lineinfo";
    }
    if (job->folder) {
        options[used++] = rg_arena_printf(arena, "--include-path=%s", job->folder);
    }
    if (nvrtc->include_folder[0] != '\0') {
        options[used++] = rg_arena_printf(arena, "--include-path=%s", nvrtc->include_folder);
        options[used++] = rg_arena_printf(arena, "--include-path=%s/cccl", nvrtc->include_folder); /* since 13.0 */
    }
    for (size_t i = 0; i < job->macro_count; i++) {
        options[used++] = rg_arena_printf(arena, "-D%s=%s", job->macros[i].name, job->macros[i].value);
    }
    for (size_t i = 0; i < job->option_count; i++) {
        options[used++] = job->options[i];
    }
    for (size_t i = 0; i < used; i++) {
        if (!options[i]) {
            return NULL;
        }
    }
    *count = (int)used;
    return options;
}

static ridge_status call_failed(const struct rg_nvrtc *nvrtc, const char *call, int code, struct ridge_error *error)
{
    return rg_error_set(error, code == RG_NVRTC_OUT_OF_MEMORY ? RIDGE_E_MEMORY : RIDGE_E_DEVICE,
                        "%s: %s failed with code %d", nvrtc->name, call, code);
}

/** Fetch a text or object with its terminator. `*size` is that of NVRTC. */
static ridge_status output_get(const struct rg_nvrtc *nvrtc, const char *call,
                               int (*size_get)(rg_nvrtc_program, size_t *), int (*get)(rg_nvrtc_program, char *),
                               rg_nvrtc_program program, char **out, size_t *size, struct ridge_error *error)
{
    size_t bytes = 0;
    int code = size_get(program, &bytes);
    if (code != RG_NVRTC_SUCCESS || bytes > SIZE_MAX / 2) {
        return call_failed(nvrtc, call, code, error);
    }
    char *made = rg_alloc(nvrtc->context, bytes + 1);
    if (!made) {
        return rg_error_memory(error, bytes + 1);
    }
    code = get(program, made);
    if (code != RG_NVRTC_SUCCESS) {
        rg_free(nvrtc->context, made, bytes + 1);
        return call_failed(nvrtc, call, code, error);
    }
    *out = made;
    *size = bytes;
    return RIDGE_OK;
}

static ridge_status log_get(const struct rg_nvrtc *nvrtc, rg_nvrtc_program program, struct rg_buffer *log,
                            struct ridge_error *error)
{
    char *text = NULL;
    size_t size = 0;
    const ridge_status status = output_get(nvrtc, "nvrtcGetProgramLog", nvrtc->api.nvrtcGetProgramLogSize,
                                           nvrtc->api.nvrtcGetProgramLog, program, &text, &size, error);
    if (status == RIDGE_OK) {
        rg_buffer_puts(log, text);
        rg_free(nvrtc->context, text, size + 1);
    }
    return status;
}

/** The compiler refused. What is said of the entry's name stands at a place that nobody wrote: say it plainly. */
static ridge_status refused(const struct rg_nvrtc *nvrtc, const struct rg_compile_job *job, int code,
                            const struct rg_buffer *log, struct rg_artifact *out, struct ridge_error *error)
{
    const char *text = rg_buffer_text(log);
    if (code == RG_NVRTC_INVALID_OPTION) {
        size_t length;
        const char *reason = rg_log_reason(text, &length);
        if (strstr(text, "gpu-architecture")) {
            return unknown_target(nvrtc, job->target, error);
        }
        return rg_error_set(error, RIDGE_E_VALUE, "%s refuses an option: %.*s", nvrtc->name,
                            length < 600 ? (int)length : 600, reason);
    }
    if (code != RG_NVRTC_COMPILATION) {
        return call_failed(nvrtc, "nvrtcCompileProgram", code, error);
    }
    if (strncmp(text, "__nv_name_map", 13) == 0) {
        return rg_artifact_fail(out, error, "%s: error: there is no kernel '%s' in it\n%s", job->path, job->entry,
                                text);
    }
    return rg_artifact_fail_with_log(out, log, error);
}

static ridge_status result_take(const struct rg_nvrtc *nvrtc, const struct rg_compile_job *job,
                                rg_nvrtc_program program, struct rg_artifact *out, struct ridge_error *error)
{
    const struct rg_nvrtc_api *api = &nvrtc->api;
    const bool ptx = job->form == RG_ARTIFACT_PTX;
    char *bytes = NULL;
    size_t size = 0;
    const ridge_status status =
        output_get(nvrtc, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", ptx ? api->nvrtcGetPTXSize : api->nvrtcGetCUBINSize,
                   ptx ? api->nvrtcGetPTX : api->nvrtcGetCUBIN, program, &bytes, &size, error);
    if (status != RIDGE_OK || !bytes) {
        return status;
    }
    const char *entry = NULL;
    const int code = api->nvrtcGetLoweredName(program, job->entry, &entry);
    if (code != RG_NVRTC_SUCCESS || !entry) {
        rg_free(nvrtc->context, bytes, size + 1);
        return call_failed(nvrtc, "nvrtcGetLoweredName", code, error);
    }
    /* NVRTC counts the terminator of PTX; there may be more zeros. */
    out->size = ptx ? strlen(bytes) : size;
    out->bytes = rg_resize(nvrtc->context, bytes, size + 1, out->size + 1);
    if (!out->bytes) {
        rg_free(nvrtc->context, bytes, size + 1);
        return rg_error_memory(error, out->size + 1);
    }
    return rg_artifact_text(out, &out->entry, entry, error);
}

static ridge_status program_compile(const struct rg_nvrtc *nvrtc, const struct rg_compile_job *job,
                                    rg_nvrtc_program program, struct rg_artifact *out, struct ridge_error *error)
{
    struct rg_arena arena;
    struct rg_buffer log;
    rg_arena_init(&arena, nvrtc->context);
    rg_buffer_init(&log, nvrtc->context);
    int option_count = 0;
    const char *const *options = options_make(nvrtc, job, &arena, &option_count);
    ridge_status status = options ? RIDGE_OK : rg_error_memory(error, job->macro_count * sizeof *options);
    if (status == RIDGE_OK) {
        int code = nvrtc->api.nvrtcAddNameExpression(program, job->entry);
        if (code != RG_NVRTC_SUCCESS) {
            status = call_failed(nvrtc, "nvrtcAddNameExpression", code, error);
        } else {
            code = nvrtc->api.nvrtcCompileProgram(program, option_count, options);
            status = log_get(nvrtc, program, &log, error);
        }
        if (status == RIDGE_OK && code == RG_NVRTC_SUCCESS) {
            status = result_take(nvrtc, job, program, out, error);
        } else if (status == RIDGE_OK) {
            status = refused(nvrtc, job, code, &log, out, error);
        }
    }
    if (status == RIDGE_OK && !out->log) {
        status = rg_artifact_text(out, &out->log, rg_buffer_text(&log), error);
    }
    rg_buffer_fini(&log);
    rg_arena_fini(&arena);
    return status;
}

ridge_status rg_nvrtc_compile(struct rg_nvrtc *nvrtc, const struct rg_compile_job *job, struct rg_artifact *out,
                              struct ridge_error *error)
{
    ridge_status status = target_check(nvrtc, job, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rg_nvrtc_program program = NULL;
    const int code = nvrtc->api.nvrtcCreateProgram(&program, job->text, job->path, 0, NULL, NULL);
    if (code != RG_NVRTC_SUCCESS) {
        return call_failed(nvrtc, "nvrtcCreateProgram", code, error);
    }
    status = program_compile(nvrtc, job, program, out, error);
    nvrtc->api.nvrtcDestroyProgram(&program);
    return status;
}
