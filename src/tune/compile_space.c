/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/cpus.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "compile/cache.h"
#include "space/space.h"
#include "tune/compile_pool.h"
#include "tune/compiled.h"
#include "tune/job.h"
#include "tune/specialise.h"

static const double default_timeout_s = 120;

enum {
    KEY_BYTES = 17
};

/** A source of the spec, and which configurations share its code. */
struct source {
    struct rg_compile_job job; /**< without macros and target; `text` NULL: not read yet */
    struct rg_specialisations groups;
};

struct target {
    struct ridge_compiled_target shown;
    const struct source *source;
    struct ridge_compiled_binary *binaries; /**< one a group */
};

struct ridge_compiled {
    const struct ridge_context *context;
    const struct ridge_space *space;
    const struct ridge_spec *spec;
    const struct ridge_compile_options *options; /**< during the call only */
    struct rg_arena arena;
    struct rg_compilers *compilers; /**< during the call only */
    struct source sources[RG_LANGUAGE_COUNT];
    size_t target_count;
    struct target *targets;
    size_t next_target;
    uint64_t next_group;
    uint64_t done;
    uint64_t job_count;
};

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/** The language that a target's compiler takes: CUDA C++ for NVIDIA where there is such a source. */
static ridge_status language_find(const struct ridge_spec *spec, const char *target, rg_language *out,
                                  struct ridge_error *error)
{
    const bool amd = begins_with(target, "gfx");
    const bool ptx = begins_with(target, "compute_");
    if (!amd && !ptx && !begins_with(target, "sm_")) {
        return rg_error_set(
            error, RIDGE_E_UNAVAILABLE,
            "there is no compiler for the target '%.40s' (sm_75, sm_90a and such for NVIDIA, compute_80 "
            "for its PTX, gfx90a and such for AMD)",
            target);
    }
    if (!amd && spec->sources[RG_LANGUAGE_CUDA]) {
        *out = RG_LANGUAGE_CUDA;
        return RIDGE_OK;
    }
    if (spec->sources[RG_LANGUAGE_OPENCL] && (amd || ptx)) {
        *out = RG_LANGUAGE_OPENCL;
        return RIDGE_OK;
    }
    const struct rg_place place = {.file = spec->path};
    return rg_error_at(error, RIDGE_E_VALUE, &place,
                       "there is no source for the target %.40s (add %s = \"...\" to sources)", target,
                       amd ? "opencl" : "cuda");
}

static ridge_status source_open(struct ridge_compiled *compiled, rg_language language, struct ridge_error *error)
{
    struct source *source = &compiled->sources[language];
    const struct ridge_spec *spec = compiled->spec;
    if (source->job.text) {
        return RIDGE_OK;
    }
    char *text = NULL;
    struct ridge_error why = {0};
    const ridge_status status = rg_file_read(&compiled->arena, spec->sources[language], &text, NULL, &why);
    if (status != RIDGE_OK) {
        return rg_error_at(error, status, &spec->source_places[language], "%s: %s", spec->sources[language],
                           why.message);
    }
    source->job = (struct rg_compile_job){.language = language == RG_LANGUAGE_CUDA ? RG_SOURCE_CUDA : RG_SOURCE_OPENCL,
                                          .path = spec->sources[language],
                                          .text = text,
                                          .folder = spec->folder,
                                          .entry = spec->entry};
    return rg_specialise(compiled->context, compiled->space, &source->job, &compiled->arena, &source->groups, error);
}

/** Name a specialisation by the target and the values that make a difference. */
static const char *key_make(struct ridge_compiled *compiled, const struct target *target, uint64_t group)
{
    const struct rg_specialisations *groups = &target->source->groups;
    uint32_t choice[RG_MAX_DIMENSIONS];
    struct rg_sha256 hash;
    char hex[RG_SHA256_HEX_BYTES];
    rg_sha256_init(&hash);
    rg_sha256_update(&hash, target->shown.name, strlen(target->shown.name) + 1);
    if (ridge_space_at(compiled->space, groups->first[group], choice, NULL) != RIDGE_OK) {
        return NULL;
    }
    for (size_t i = 0; i < compiled->spec->dimension_count; i++) {
        if (groups->needed[i]) {
            char text[256];
            ridge_value_format(ridge_space_value(compiled->space, i, choice[i]), text, sizeof text);
            rg_sha256_update(&hash, compiled->spec->dimensions[i].name, strlen(compiled->spec->dimensions[i].name));
            rg_sha256_update(&hash, "=", 1);
            rg_sha256_update(&hash, text, strlen(text));
            rg_sha256_update(&hash, "\n", 1);
        }
    }
    rg_sha256_final_hex(&hash, hex);
    return rg_arena_copy(&compiled->arena, hex, KEY_BYTES - 1);
}

static ridge_status binaries_make(struct ridge_compiled *compiled, struct target *target, struct ridge_error *error)
{
    const struct rg_specialisations *groups = &target->source->groups;
    target->binaries = rg_arena_array(&compiled->arena, groups->count, sizeof *target->binaries);
    if (!target->binaries) {
        return rg_error_memory(error, groups->count * sizeof *target->binaries);
    }
    for (uint64_t i = 0; i < groups->count; i++) {
        const char *key = key_make(compiled, target, i);
        if (!key) {
            return rg_error_memory(error, KEY_BYTES);
        }
        target->binaries[i] = (struct ridge_compiled_binary){.key = key,
                                                             .outcome = RIDGE_OUTCOME_SKIPPED,
                                                             .log = "",
                                                             .entry = "",
                                                             .compiler = "",
                                                             .configurations = groups->sharing[i],
                                                             .first = groups->first[i]};
    }
    return RIDGE_OK;
}

/** The job of a target, without macros. */
static struct rg_compile_job target_job(const struct target *target)
{
    struct rg_compile_job job = target->source->job;
    job.target = target->shown.name;
    job.form = begins_with(job.target, "compute_") ? RG_ARTIFACT_PTX : RG_ARTIFACT_BINARY;
    return job;
}

/** No compiler here is for this target. */
static ridge_status target_refuse(struct ridge_compiled *compiled, struct target *target, const char *reason,
                                  struct ridge_error *error)
{
    if (!target->shown.unavailable) {
        compiled->job_count -= target->source->groups.count;
        target->shown.unavailable = rg_arena_strdup(&compiled->arena, reason);
    }
    return target->shown.unavailable ? RIDGE_OK : rg_error_memory(error, strlen(reason));
}

static ridge_status target_open(struct ridge_compiled *compiled, struct target *target, const char *name,
                                struct ridge_error *error)
{
    rg_language language = RG_LANGUAGE_CUDA;
    ridge_status status = language_find(compiled->spec, name, &language, error);
    if (status != RIDGE_OK) {
        return status;
    }
    status = source_open(compiled, language, error);
    if (status != RIDGE_OK) {
        return status;
    }
    target->source = &compiled->sources[language];
    target->shown.name = rg_arena_strdup(&compiled->arena, name);
    target->shown.source = compiled->spec->sources[language];
    if (!target->shown.name) {
        return rg_error_memory(error, strlen(name));
    }
    status = binaries_make(compiled, target, error);
    if (status != RIDGE_OK) {
        return status;
    }
    compiled->job_count += target->source->groups.count;
    const struct rg_compile_job job = target_job(target);
    struct ridge_error why = {0};
    status = rg_compilers_prepare(compiled->compilers, &job, &why);
    if (status == RIDGE_E_UNAVAILABLE) {
        return target_refuse(compiled, target, why.message, error);
    }
    if (status != RIDGE_OK && error) {
        *error = why; /* with the path that it is about */
    }
    return status;
}

/**
 * Targets in their order, the specialisations of each from the last to the first: those with the largest values, which
 * are the last ones of most specs, take longest, and a long job that is begun last leaves other workers without one.
 */
static uint64_t next_job(void *user)
{
    struct ridge_compiled *compiled = user;
    for (; compiled->next_target < compiled->target_count; compiled->next_target++, compiled->next_group = 0) {
        const struct target *target = &compiled->targets[compiled->next_target];
        if (!target->shown.unavailable && compiled->next_group < target->source->groups.count) {
            return (uint64_t)compiled->next_target << 32 | (target->source->groups.count - ++compiled->next_group);
        }
    }
    return UINT64_MAX;
}

/** In a worker: compile one group for one target. */
static ridge_status compile_one(void *user, uint64_t number, struct rg_artifact *out, struct ridge_error *error)
{
    const struct ridge_compiled *compiled = user;
    const struct target *target = &compiled->targets[number >> 32];
    uint32_t choice[RG_MAX_DIMENSIONS];
    struct ridge_value values[RG_MAX_DIMENSIONS];
    struct rg_macro macros[RG_MAX_DIMENSIONS];
    struct rg_arena arena;
    ridge_status status =
        ridge_space_at(compiled->space, target->source->groups.first[number & UINT32_MAX], choice, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rg_arena_init(&arena, compiled->context);
    rg_space_choice_values(compiled->space, choice, values);
    status = rg_job_macros(&arena, compiled->spec, values, macros, error);
    if (status == RIDGE_OK) {
        struct rg_compile_job job = target_job(target);
        job.macros = macros;
        job.macro_count = compiled->spec->dimension_count;
        status = rg_compile(compiled->compilers, &job, out, error);
    }
    rg_arena_fini(&arena);
    return status;
}

/** Looks for the kernel in what was compiled. */
struct reading {
    struct ridge_compiled *compiled;
    struct ridge_compiled_binary *binary;
    bool failed; /**< memory ran out */
};

static bool kernel_visit(void *user, const struct ridge_binary_kernel *kernel)
{
    struct reading *reading = user;
    struct rg_arena *arena = &reading->compiled->arena;
    if (strcmp(kernel->name, reading->binary->entry) != 0) {
        return true;
    }
    struct ridge_binary_kernel *kept = &reading->binary->kernel;
    *kept = *kernel;
    kept->name = reading->binary->entry;
    kept->readable_name = rg_arena_strdup(arena, kernel->readable_name);
    kept->target = rg_arena_strdup(arena, kernel->target);
    kept->toolkit = rg_arena_strdup(arena, kernel->toolkit);
    kept->image = "";
    kept->unknown_attributes = 0;
    kept->attributes = NULL;
    reading->failed = !kept->readable_name || !kept->target || !kept->toolkit;
    reading->binary->known = !reading->failed;
    return false;
}

static ridge_status code_read(struct ridge_compiled *compiled, struct ridge_compiled_binary *binary,
                              const struct rg_artifact *artifact, struct ridge_error *error)
{
    struct reading reading = {compiled, binary, false};
    struct ridge_binary *opened = NULL;
    if (ridge_binary_open_bytes(compiled->context, artifact->bytes, artifact->size, binary->key, &opened, NULL) !=
        RIDGE_OK) {
        return RIDGE_OK; /* PTX, or something new: then the numbers are not known */
    }
    (void)ridge_binary_each(opened, kernel_visit, &reading, NULL, NULL);
    ridge_binary_close(opened);
    return reading.failed ? rg_error_memory(error, sizeof *binary) : RIDGE_OK;
}

static const char *text_keep(struct ridge_compiled *compiled, const char *text)
{
    return text && text[0] != '\0' ? rg_arena_strdup(&compiled->arena, text) : "";
}

static ridge_status job_done(void *user, uint64_t number, struct rg_compile_answer *answer, struct ridge_error *error)
{
    struct ridge_compiled *compiled = user;
    struct target *target = &compiled->targets[number >> 32];
    struct ridge_compiled_binary *binary = &target->binaries[number & UINT32_MAX];
    struct rg_artifact *artifact = answer->artifact;
    if (answer->status == RIDGE_E_UNAVAILABLE) {
        return target_refuse(compiled, target, answer->error.message, error);
    }
    if (answer->status != RIDGE_OK) {
        if (error) {
            *error = answer->error;
        }
        return answer->status;
    }
    if (artifact
            ->damaged) { /* the worker's own words went nowhere: not the same, for what was said is not said again */
        rg_log(compiled->context, RIDGE_LOG_WARNING, "%s: compiled code that was kept is damaged: it is made again",
               compiled->options->cache_folder);
    }
    binary->outcome = answer->outcome;
    binary->seconds = answer->seconds;
    binary->cached = artifact->cached;
    binary->size = artifact->bytes ? artifact->size : 0;
    binary->log = text_keep(compiled, artifact->log);
    binary->entry = text_keep(compiled, artifact->entry);
    binary->compiler = text_keep(compiled, artifact->compiler);
    ridge_status status = binary->log && binary->entry && binary->compiler ? RIDGE_OK : rg_error_memory(error, 64);
    if (status == RIDGE_OK && artifact->bytes) {
        status = code_read(compiled, binary, artifact, error);
    }
    if (status == RIDGE_OK && compiled->options->keep_bytes) {
        binary->bytes = artifact->bytes;
        artifact->bytes = NULL;
    }
    compiled->done++;
    if (compiled->options->progress) {
        compiled->options->progress(compiled->options->user, compiled->done, compiled->job_count);
    }
    return status;
}

static ridge_status compile_all(struct ridge_compiled *compiled, struct ridge_error *error)
{
    const struct ridge_compile_options *options = compiled->options;
    const double timeout_s = options->timeout_s > 0 ? options->timeout_s : default_timeout_s;
    const struct rg_compilers_options tools = {.cuda_path = options->cuda_path,
                                               .cache_folder = options->cache_folder,
                                               .cache_is_fixed =
                                                   !rg_cache_prepare(compiled->context, options->cache_folder),
                                               .work_folder = options->work_folder,
                                               .timeout_s = timeout_s};
    ridge_status status = rg_compilers_open(compiled->context, &tools, &compiled->compilers, error);
    for (size_t i = 0; i < options->target_count && status == RIDGE_OK; i++) {
        status = target_open(compiled, &compiled->targets[i], options->targets[i], error);
        compiled->target_count += status == RIDGE_OK;
    }
    if (status == RIDGE_OK) {
        const struct rg_compile_run run = {.context = compiled->context,
                                           .workers = options->workers > 0 ? options->workers : rg_usable_cpus(),
                                           .timeout_s = timeout_s,
                                           .stop = options->stop,
                                           .user = compiled,
                                           .next = next_job,
                                           .compile = compile_one,
                                           .done = job_done};
        status = rg_compile_run_all(&run, error);
    }
    rg_compilers_close(compiled->compilers);
    compiled->compilers = NULL;
    compiled->options = NULL;
    return status;
}

ridge_status ridge_compile_space(const struct ridge_context *context, const struct ridge_space *space,
                                 const struct ridge_compile_options *options, struct ridge_compiled **out,
                                 struct ridge_error *error)
{
    if (options->target_count == 0) {
        return rg_error_set(error, RIDGE_E_ARGUMENT, "there is no target to compile for");
    }
    struct ridge_compiled *made = rg_alloc(context, sizeof *made);
    if (!made) {
        return rg_error_memory(error, sizeof *made);
    }
    made->context = context;
    made->space = space;
    made->spec = rg_space_spec(space);
    made->options = options;
    rg_arena_init(&made->arena, context);
    made->targets = rg_arena_array(&made->arena, options->target_count, sizeof *made->targets);
    const ridge_status status =
        made->targets ? compile_all(made, error) : rg_error_memory(error, sizeof *made->targets);
    if (status != RIDGE_OK) {
        ridge_compiled_destroy(made);
        return status;
    }
    *out = made;
    return RIDGE_OK;
}

static void bytes_free(const struct ridge_compiled *compiled, const struct ridge_compiled_binary *binary)
{
    if (binary->bytes) {
        void *bytes; /* handed out as unchanging, and ours */
        memcpy(&bytes, &binary->bytes, sizeof bytes);
        rg_free(compiled->context, bytes, binary->size + 1);
    }
}

void ridge_compiled_destroy(struct ridge_compiled *compiled)
{
    if (!compiled) {
        return;
    }
    for (size_t i = 0; compiled->targets && i < compiled->target_count; i++) {
        for (uint64_t k = 0; k < compiled->targets[i].source->groups.count; k++) {
            bytes_free(compiled, &compiled->targets[i].binaries[k]);
        }
    }
    rg_arena_fini(&compiled->arena);
    rg_free(compiled->context, compiled, sizeof *compiled);
}

const struct ridge_space *rg_compiled_space(const struct ridge_compiled *compiled)
{
    return compiled->space;
}

uint64_t ridge_compiled_configurations(const struct ridge_compiled *compiled)
{
    return compiled->targets[0].source->groups.configurations;
}

size_t ridge_compiled_target_count(const struct ridge_compiled *compiled)
{
    return compiled->target_count;
}

const struct ridge_compiled_target *ridge_compiled_target_at(const struct ridge_compiled *compiled, size_t target)
{
    return &compiled->targets[target].shown;
}

uint64_t ridge_compiled_count(const struct ridge_compiled *compiled, size_t target)
{
    return compiled->targets[target].source->groups.count;
}

const struct ridge_compiled_binary *ridge_compiled_at(const struct ridge_compiled *compiled, size_t target,
                                                      uint64_t index)
{
    return &compiled->targets[target].binaries[index];
}

const struct ridge_compiled_binary *ridge_compiled_of(const struct ridge_compiled *compiled, size_t target,
                                                      uint64_t configuration)
{
    return &compiled->targets[target].binaries[compiled->targets[target].source->groups.of[configuration]];
}
