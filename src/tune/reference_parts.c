/* SPDX-License-Identifier: MIT */
#include "tune/reference_parts.h"

#include <math.h>
#include <string.h>

#include "backend/host_compile.h"
#include "base/file.h"
#include "space/space.h"
#include "tune/job.h"

/** What the function is called on: the expected outputs, and copies of what it reads, which it may change. */
static ridge_status buffers_make(const struct ridge_context *context, const struct rg_workload *workload,
                                 void **buffers, struct ridge_error *error)
{
    for (size_t i = 0; i < workload->count; i++) {
        buffers[i] = workload->expected[i];
        if (buffers[i] || !workload->initial[i]) {
            continue;
        }
        buffers[i] = rg_alloc(context, (size_t)workload->shapes[i].bytes);
        if (!buffers[i]) {
            return rg_error_memory(error, (size_t)workload->shapes[i].bytes);
        }
        memcpy(buffers[i], workload->initial[i], (size_t)workload->shapes[i].bytes);
    }
    return RIDGE_OK;
}

static void buffers_free(const struct ridge_context *context, const struct rg_workload *workload, void **buffers)
{
    for (size_t i = 0; i < workload->count; i++) {
        if (!workload->expected[i]) {
            rg_free(context, buffers[i], (size_t)workload->shapes[i].bytes);
        }
    }
}

ridge_status rg_reference_c(const struct ridge_context *context, const struct ridge_space *space,
                            struct rg_workload *workload, const char *folder, struct ridge_error *error)
{
    const struct ridge_spec *spec = workload->spec;
    static const uint32_t first[RG_MAX_DIMENSIONS] = {0};
    struct ridge_value values[RG_MAX_DIMENSIONS];
    uint64_t scalars[RG_MAX_ARGUMENTS] = {0};
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = &text};
    rg_space_choice_values(space, first, values);
    /* A reference must not depend on the configuration: of the first one only the scalars are used. */
    rg_job_scalars(spec, values, scalars, &trouble);
    ridge_status status = RIDGE_OK;
    if (trouble.outcome != RIDGE_OUTCOME_OK) {
        status = rg_error_at(error, RIDGE_E_VALUE, &spec->verify.place, "the reference cannot be called: %s",
                             rg_buffer_text(&text));
    }
    rg_buffer_fini(&text);
    if (status != RIDGE_OK) {
        return status;
    }
    void *buffers[RG_MAX_ARGUMENTS] = {0};
    const struct rg_host_source source = {
        .context = context,
        .work_folder = folder,
        .path = spec->verify.c_source,
        .entry = spec->verify.c_entry,
        .shapes = workload->shapes,
        .shape_count = workload->count,
    };
    status = buffers_make(context, workload, buffers, error);
    status = status == RIDGE_OK ? rg_host_function_run(&source, scalars, buffers, error) : status;
    buffers_free(context, workload, buffers);
    return status;
}

ridge_status rg_reference_files(const struct ridge_context *context, struct rg_workload *workload,
                                struct ridge_error *error)
{
    const struct rg_verify *verify = &workload->spec->verify;
    size_t file = 0;
    for (size_t i = 0; i < workload->count; i++) {
        if (!workload->expected[i]) {
            continue;
        }
        if (file == verify->file_count) {
            return rg_error_at(error, RIDGE_E_VALUE, &verify->place, "%zu files for more outputs than that (one each)",
                               verify->file_count);
        }
        struct rg_arena arena;
        rg_arena_init(&arena, context);
        char *text = NULL;
        size_t length = 0;
        ridge_status status = rg_file_read(&arena, verify->files[file], &text, &length, error);
        if (status == RIDGE_OK && length != workload->shapes[i].bytes) {
            status = rg_error_at(error, RIDGE_E_VALUE, &verify->place, "%s holds %zu bytes (%s has %llu)",
                                 verify->files[file], length, workload->shapes[i].name,
                                 (unsigned long long)workload->shapes[i].bytes);
        }
        if (status == RIDGE_OK) {
            memcpy(workload->expected[i], text, length);
        }
        rg_arena_fini(&arena);
        if (status != RIDGE_OK) {
            return status;
        }
        file++;
    }
    return RIDGE_OK;
}

/** \return index of the first NaN of a float array, or `count`. */
static uint64_t nan_find(const void *array, rg_element element, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const bool is_nan = element == RG_F32 ? isnan(((const float *)array)[i]) : isnan(((const double *)array)[i]);
        if (is_nan) {
            return i;
        }
    }
    return count;
}

ridge_status rg_reference_refuse_nan(const struct rg_workload *workload, struct ridge_error *error)
{
    const struct ridge_spec *spec = workload->spec;
    for (size_t i = 0; i < workload->count && !spec->verify.equal_nan; i++) {
        const struct rg_argument *argument = &spec->arguments[i];
        if (!workload->expected[i] || (argument->element != RG_F32 && argument->element != RG_F64)) {
            continue;
        }
        const uint64_t count = workload->shapes[i].bytes / workload->shapes[i].element_bytes;
        const uint64_t at = nan_find(workload->expected[i], argument->element, count);
        if (at < count) {
            return rg_error_at(error, RIDGE_E_MEASURE, &spec->verify.place,
                               "the reference gives nan at %s[%llu]: it was not written, or is not a number "
                               "(equal_nan = true allows it)",
                               argument->name, (unsigned long long)at);
        }
    }
    return RIDGE_OK;
}
