/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "backend/cuda.h"
#include "base/error.h"
#include "compile/source_text.h"

/* Compute capabilities to fall back to, newest first: the driver translates their PTX for a newer device. */
static const int older_capabilities[] = {121, 120, 110, 103, 100, 90, 89, 87, 86, 80, 75, 72, 70, 61, 60, 52, 50};

static ridge_status compilers_open(struct rg_session *session, struct ridge_error *error)
{
    const struct rg_compilers_options options = {.cuda_path = session->request.cuda_path,
                                                 .cache_folder = session->request.artifact_folder};
    return session->compilers ? RIDGE_OK
                              : rg_compilers_open(session->request.context, &options, &session->compilers, error);
}

ridge_status rg_cuda_compile(struct rg_compilers *compilers, int capability, const struct rg_compile_job *job,
                             struct rg_artifact *out, struct ridge_error *error)
{
    char target[32];
    struct rg_compile_job own = *job;
    snprintf(target, sizeof target, "sm_%d", capability);
    own.target = target;
    own.form = RG_ARTIFACT_BINARY;
    ridge_status status = rg_compile(compilers, &own, out, error);
    for (size_t i = 0; i < sizeof older_capabilities / sizeof older_capabilities[0] && status == RIDGE_E_UNAVAILABLE;
         i++) {
        struct ridge_error ignored = {0};
        if (older_capabilities[i] >= capability) {
            continue;
        }
        snprintf(target, sizeof target, "compute_%d", older_capabilities[i]);
        own.form = RG_ARTIFACT_PTX;
        status = rg_compile(compilers, &own, out, &ignored);
    }
    if (status == RIDGE_OK && error) {
        *error = (struct ridge_error){0};
    }
    return status;
}

static struct rg_cuda_module *module_find(const struct rg_session *session, const struct rg_artifact *artifact)
{
    struct rg_cuda_module *module = session->modules;
    while (module && (module->artifact.size != artifact->size ||
                      memcmp(module->artifact.bytes, artifact->bytes, artifact->size) != 0)) {
        module = module->next;
    }
    return module;
}

/** Load a module that no living kernel has. Takes the artifact over when it succeeds. */
static ridge_status module_load(struct rg_session *session, struct rg_artifact *artifact, struct rg_cuda_module **out,
                                struct rg_trouble *trouble, struct ridge_error *error)
{
    struct rg_cuda_module *module = rg_alloc(session->request.context, sizeof *module);
    if (!module) {
        return rg_error_memory(error, sizeof *module);
    }
    const rg_cu_result code = session->api.cuModuleLoadData(&module->module, artifact->bytes);
    if (code == RG_CUDA_SUCCESS) {
        module->artifact = *artifact;
        *artifact = (struct rg_artifact){0};
        module->next = session->modules;
        session->modules = module;
        *out = module;
        return RIDGE_OK;
    }
    rg_free(session->request.context, module, sizeof *module);
    char text[256];
    rg_cuda_error_text(&session->api, code, text, sizeof text);
    switch (code) {
    case RG_CUDA_ERROR_NO_BINARY_FOR_GPU:
    case RG_CUDA_ERROR_INVALID_PTX:
    case RG_CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
        rg_trouble_set(trouble, RIDGE_OUTCOME_COMPILE,
                       "the driver does not take what the compiler made: %s (is the driver older than %s?)", text,
                       artifact->compiler);
        return RIDGE_OK;
    case RG_CUDA_ERROR_OUT_OF_MEMORY:
        rg_trouble_set(trouble, RIDGE_OUTCOME_LAUNCH, "the device has no memory left for the code: %s", text);
        return RIDGE_OK;
    default: return rg_cuda_failed(&session->api, error, code, "cuModuleLoadData");
    }
}

static void module_release(struct rg_session *session, struct rg_cuda_module *module)
{
    if (--module->users > 0) {
        return;
    }
    struct rg_cuda_module **at = &session->modules;
    while (*at != module) {
        at = &(*at)->next;
    }
    *at = module->next;
    (void)session->api.cuModuleUnload(module->module);
    rg_artifact_fini(&module->artifact);
    rg_free(session->request.context, module, sizeof *module);
}

static ridge_status module_get(struct rg_session *session, struct rg_compile_job *job, struct rg_cuda_module **out,
                               struct rg_trouble *trouble, struct ridge_error *error)
{
    struct rg_artifact artifact = {0};
    ridge_status status = compilers_open(session, error);
    if (status == RIDGE_OK) {
        status = rg_cuda_compile(session->compilers, session->limits.capability, job, &artifact, error);
    }
    if (status != RIDGE_OK) {
        return status;
    }
    if (artifact.failed) {
        struct rg_buffer log;
        rg_buffer_init(&log, session->request.context);
        rg_buffer_puts(&log, artifact.log);
        rg_trouble_log(trouble, RIDGE_OUTCOME_COMPILE, &log);
        rg_buffer_fini(&log);
    } else {
        *out = module_find(session, &artifact);
        status = *out ? RIDGE_OK : module_load(session, &artifact, out, trouble, error);
    }
    if (*out) {
        (*out)->users++;
    }
    rg_artifact_fini(&artifact);
    return status;
}

static ridge_status attributes_get(const struct rg_session *session, struct rg_kernel *kernel,
                                   struct ridge_error *error)
{
    const struct {
        int attribute;
        uint64_t *to;
    } rows[] = {{RG_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &kernel->max_block_threads},
                {RG_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &kernel->smem_static_bytes},
                {RG_CU_FUNC_ATTRIBUTE_NUM_REGS, &kernel->registers}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int value = 0;
        const rg_cu_result code = session->api.cuFuncGetAttribute(&value, rows[i].attribute, kernel->function);
        if (code != RG_CUDA_SUCCESS) {
            return rg_cuda_failed(&session->api, error, code, "cuFuncGetAttribute");
        }
        *rows[i].to = value > 0 ? (uint64_t)value : 0;
    }
    return RIDGE_OK;
}

/** Ask for more dynamic shared memory than a kernel gets without asking. */
static ridge_status smem_opt_in(const struct rg_session *session, struct rg_kernel *kernel,
                                const struct rg_launch *launch, struct ridge_error *error)
{
    const uint64_t dynamic = rg_cuda_dynamic_bytes(session, launch);
    if (kernel->smem_static_bytes + dynamic <= session->limits.smem_block_bytes) {
        return RIDGE_OK;
    }
    const rg_cu_result code = session->api.cuFuncSetAttribute(
        kernel->function, RG_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)dynamic);
    return code == RG_CUDA_SUCCESS ? RIDGE_OK : rg_cuda_failed(&session->api, error, code, "cuFuncSetAttribute");
}

static ridge_status kernel_fill(struct rg_session *session, struct rg_kernel *kernel, const struct rg_launch *launch,
                                struct rg_trouble *trouble, struct ridge_error *error)
{
    const struct rg_artifact *artifact = &kernel->module->artifact;
    const rg_cu_result code =
        session->api.cuModuleGetFunction(&kernel->function, kernel->module->module, artifact->entry);
    if (code == RG_CUDA_ERROR_NOT_FOUND) {
        const struct rg_place place = {.file = session->request.source_path};
        return rg_error_at(error, RIDGE_E_NAME, &place,
                           "there is no kernel '%s' in it (is it `extern \"C\" __global__`?)", session->request.entry);
    }
    if (code != RG_CUDA_SUCCESS) {
        return rg_cuda_failed(&session->api, error, code, "cuModuleGetFunction");
    }
    ridge_status status = rg_cuda_parameters_check(session, kernel->function, error);
    if (status == RIDGE_OK) {
        status = attributes_get(session, kernel, error);
    }
    if (status == RIDGE_OK && rg_cuda_launchable(session, kernel, launch, trouble)) {
        status = smem_opt_in(session, kernel, launch, error);
    }
    return status;
}

ridge_status rg_cuda_build(struct rg_session *session, const struct rg_macro *macros, size_t macro_count,
                           const struct rg_launch *launch, struct rg_kernel **out, struct rg_trouble *trouble,
                           struct ridge_error *error)
{
    static const char *const with_lines[] = {"-lineinfo"};
    struct rg_compile_job job = {
        .language = RG_SOURCE_CUDA,
        .path = session->request.source_path,
        .text = session->request.source_text,
        .folder = session->request.source_folder,
        .entry = session->request.entry,
        .macros = macros,
        .macro_count = macro_count,
        .options = with_lines,
        .option_count = session->request.bare ? 1 : 0,
    };
    struct rg_cuda_module *module = NULL;
    ridge_status status = module_get(session, &job, &module, trouble, error);
    if (!module) {
        return status;
    }
    struct rg_kernel *kernel = rg_alloc(session->request.context, sizeof *kernel);
    if (!kernel) {
        module_release(session, module);
        return rg_error_memory(error, sizeof *kernel);
    }
    kernel->module = module;
    status = kernel_fill(session, kernel, launch, trouble, error);
    if (status == RIDGE_OK && trouble->outcome == RIDGE_OUTCOME_OK) {
        *out = kernel;
        return RIDGE_OK;
    }
    rg_cuda_kernel_destroy(session, kernel);
    return status;
}

void rg_cuda_kernel_destroy(struct rg_session *session, struct rg_kernel *kernel)
{
    if (kernel) {
        module_release(session, kernel->module);
        rg_free(session->request.context, kernel, sizeof *kernel);
    }
}
