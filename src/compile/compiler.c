/* SPDX-License-Identifier: MIT */
#include "compile/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/temporary.h"
#include "compile/artifact.h"
#include "compile/cache.h"
#include "compile/clang.h"
#include "compile/nvrtc.h"
#include "compile/source_text.h"

struct rg_compilers {
    const struct ridge_context *context;
    struct rg_arena arena; /**< of what follows */
    struct rg_compilers_options options;
    char folder[4096]; /**< for temporary files; "": not made yet */
    struct rg_nvrtc *nvrtc;
    struct rg_clang clang[RG_CLANG_KINDS];
};

/** \return a copy, NULL for NULL; *fine turns false when memory is out. */
static const char *text_keep(struct rg_compilers *compilers, const char *text, bool *fine)
{
    const char *copy = text ? rg_arena_strdup(&compilers->arena, text) : NULL;
    *fine = *fine && (copy || !text);
    return copy;
}

ridge_status rg_compilers_open(const struct ridge_context *context, const struct rg_compilers_options *options,
                               struct rg_compilers **out, struct ridge_error *error)
{
    struct rg_compilers *made = rg_alloc(context, sizeof *made);
    if (!made) {
        return rg_error_memory(error, sizeof *made);
    }
    made->context = context;
    rg_arena_init(&made->arena, context);
    bool fine = true;
    if (options) {
        made->options = *options;
        made->options.cuda_path = text_keep(made, options->cuda_path, &fine);
        made->options.cache_folder = text_keep(made, options->cache_folder, &fine);
        made->options.work_folder = text_keep(made, options->work_folder, &fine);
    }
    if (!fine) {
        rg_compilers_close(made);
        return rg_error_memory(error, sizeof *made);
    }
    *out = made;
    return RIDGE_OK;
}

void rg_compilers_close(struct rg_compilers *compilers)
{
    if (!compilers) {
        return;
    }
    if (compilers->folder[0] != '\0') {
        rg_temporary_remove(compilers->folder);
    }
    rg_nvrtc_close(compilers->nvrtc);
    rg_arena_fini(&compilers->arena);
    rg_free(compilers->context, compilers, sizeof *compilers);
}

static ridge_status folder_make(struct rg_compilers *compilers, struct ridge_error *error)
{
    const char *below = compilers->options.work_folder ? compilers->options.work_folder : "/tmp";
    if (compilers->folder[0] != '\0') {
        return RIDGE_OK;
    }
    return rg_temporary_make(below, compilers->folder, sizeof compilers->folder, error);
}

static ridge_status nvrtc_get(struct rg_compilers *compilers, struct ridge_error *error)
{
    if (compilers->nvrtc) {
        return RIDGE_OK;
    }
    return rg_nvrtc_open(compilers->context, compilers->options.cuda_path, &compilers->nvrtc, error);
}

static ridge_status clang_get(struct rg_compilers *compilers, rg_clang_kind kind, struct ridge_error *error)
{
    struct rg_clang *clang = &compilers->clang[kind];
    if (clang->program[0] != '\0') {
        return RIDGE_OK;
    }
    const ridge_status status = folder_make(compilers, error);
    if (status != RIDGE_OK) {
        return status;
    }
    *clang = (struct rg_clang){
        .context = compilers->context, .timeout_s = compilers->options.timeout_s, .folder = compilers->folder};
    return rg_clang_find(clang, kind, error);
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/** Which compiler a job is for. */
enum route {
    ROUTE_NVRTC,
    ROUTE_CLANG_AMD,
    ROUTE_CLANG_NVIDIA
};

static ridge_status route_find(const struct rg_compile_job *job, enum route *out, struct ridge_error *error)
{
    const bool amd = begins_with(job->target, "gfx");
    const bool nvidia = begins_with(job->target, "sm_") || begins_with(job->target, "compute_");
    if (!amd && !nvidia) {
        return rg_error_set(
            error, RIDGE_E_UNAVAILABLE,
            "there is no compiler for the target '%.40s' (sm_75, sm_90a and such for NVIDIA, gfx90a and "
            "such for AMD)",
            job->target);
    }
    if (job->language == RG_SOURCE_CUDA && nvidia) {
        *out = ROUTE_NVRTC;
        return RIDGE_OK;
    }
    if (job->language != RG_SOURCE_OPENCL) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "%s: this source cannot be compiled for '%.40s' (CUDA C++ becomes code for NVIDIA GPUs, "
                            "OpenCL C for AMD GPUs)",
                            job->path, job->target);
    }
    if (amd && job->form == RG_ARTIFACT_PTX) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE, "there is no PTX for '%.40s': it is of NVIDIA GPUs",
                            job->target);
    }
    if (nvidia && job->form == RG_ARTIFACT_BINARY) {
        return rg_error_set(error, RIDGE_E_UNAVAILABLE,
                            "%s: OpenCL C is compiled to PTX only for '%.40s' (CUDA C++ becomes machine code)",
                            job->path, job->target);
    }
    *out = amd ? ROUTE_CLANG_AMD : ROUTE_CLANG_NVIDIA;
    return RIDGE_OK;
}

/** \return the first macro whose value cannot be the body of one, or NULL. */
static const struct rg_macro *wrong_macro(const struct rg_compile_job *job)
{
    for (size_t i = 0; i < job->macro_count; i++) {
        if (!rg_macro_is_possible(&job->macros[i])) {
            return &job->macros[i];
        }
    }
    return NULL;
}

ridge_status rg_compilers_prepare(struct rg_compilers *compilers, const struct rg_compile_job *job,
                                  struct ridge_error *error)
{
    enum route route = ROUTE_NVRTC;
    const ridge_status status = route_find(job, &route, error);
    if (status != RIDGE_OK || route == ROUTE_NVRTC) {
        return status;
    }
    return clang_get(compilers, route == ROUTE_CLANG_AMD ? RG_CLANG_AMD : RG_CLANG_NVIDIA, error);
}

/** A compiler that was opened. */
struct chosen {
    enum route route;
    rg_clang_kind kind;
    const char *name;
    const char *identity;
};

static ridge_status choose(struct rg_compilers *compilers, const struct rg_compile_job *job, struct chosen *out,
                           struct ridge_error *error)
{
    ridge_status status = route_find(job, &out->route, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (out->route == ROUTE_NVRTC) {
        status = nvrtc_get(compilers, error);
        out->name = status == RIDGE_OK ? rg_nvrtc_name(compilers->nvrtc) : "";
        out->identity = status == RIDGE_OK ? rg_nvrtc_identity(compilers->nvrtc) : "";
        return status;
    }
    out->kind = out->route == ROUTE_CLANG_AMD ? RG_CLANG_AMD : RG_CLANG_NVIDIA;
    out->name = compilers->clang[out->kind].name;
    out->identity = compilers->clang[out->kind].identity;
    return clang_get(compilers, out->kind, error);
}

static ridge_status compile(struct rg_compilers *compilers, const struct chosen *chosen,
                            const struct rg_compile_job *job, struct rg_artifact *out, struct ridge_error *error)
{
    const ridge_status status = rg_artifact_text(out, &out->compiler, chosen->name, error);
    if (status != RIDGE_OK) {
        return status;
    }
    return chosen->route == ROUTE_NVRTC
               ? rg_nvrtc_compile(compilers->nvrtc, job, out, error)
               : rg_clang_compile(&compilers->clang[chosen->kind], chosen->kind, job, out, error);
}

/** Compile, or find what was compiled before. The job has the macros that make a difference. */
static ridge_status find_or_compile(struct rg_compilers *compilers, const struct chosen *chosen,
                                    const struct rg_compile_job *job, const struct rg_closure *closure,
                                    struct rg_artifact *out, struct ridge_error *error)
{
    const char *folder = closure->complete ? compilers->options.cache_folder : NULL;
    char key[RG_SHA256_HEX_BYTES];
    if (folder) {
        rg_cache_key(job, closure, chosen->identity, key);
        if (rg_cache_get(folder, key, out)) {
            return RIDGE_OK;
        }
    }
    const ridge_status status = compile(compilers, chosen, job, out, error);
    if (status == RIDGE_OK && folder && !compilers->options.cache_is_fixed && !out->failed) {
        rg_cache_put(folder, key, out);
    }
    return status;
}

/** Leave out the macros that make no difference, and compile. */
static ridge_status compile_needed(struct rg_compilers *compilers, const struct chosen *chosen,
                                   const struct rg_compile_job *job, struct rg_artifact *out, struct ridge_error *error)
{
    struct rg_arena arena;
    struct rg_closure closure;
    rg_arena_init(&arena, compilers->context);
    struct rg_macro *macros = rg_arena_array(&arena, job->macro_count + 1, sizeof *macros);
    ridge_status status = rg_closure_init(&closure, compilers->context, job, error);
    if (status == RIDGE_OK && !macros) {
        status = rg_error_memory(error, job->macro_count * sizeof *macros);
    }
    if (status == RIDGE_OK && macros) {
        struct rg_compile_job needed = *job;
        needed.macros = macros;
        needed.macro_count = 0;
        for (size_t i = 0; i < job->macro_count; i++) {
            if (rg_closure_needs(&closure, job, i)) {
                macros[needed.macro_count++] = job->macros[i];
            }
        }
        const struct rg_macro *wrong = wrong_macro(&needed);
        status =
            wrong ? rg_artifact_fail(out, error, "the value of %s cannot be a macro: it has a line break", wrong->name)
                  : find_or_compile(compilers, chosen, &needed, &closure, out, error);
    }
    rg_closure_fini(&closure);
    rg_arena_fini(&arena);
    return status;
}

ridge_status rg_compile(struct rg_compilers *compilers, const struct rg_compile_job *job, struct rg_artifact *out,
                        struct ridge_error *error)
{
    struct chosen chosen = {0};
    struct rg_artifact made = {.context = compilers->context};
    ridge_status status = choose(compilers, job, &chosen, error);
    if (status == RIDGE_OK) {
        status = compile_needed(compilers, &chosen, job, &made, error);
    }
    if (status != RIDGE_OK) {
        rg_artifact_fini(&made);
        return status;
    }
    *out = made;
    return RIDGE_OK;
}
