/* SPDX-License-Identifier: MIT */
/* What a ranking takes from compiled code. */
#include <string.h>

#include "base/error.h"
#include "ridge/compile.h"
#include "space/space.h"
#include "tune/compiled.h"
#include "tune/job.h"

static uint32_t known_or_zero(uint32_t value)
{
    return value == RIDGE_NOT_STATED ? 0 : value;
}

/** The threads of a block with these sides; 0: they are not stated. */
static uint32_t block_threads(const uint32_t sides[3])
{
    uint64_t threads = 1;
    for (size_t i = 0; i < 3; i++) {
        const bool stated = sides[i] != RIDGE_NOT_STATED && sides[i] != 0;
        const uint32_t unstated = i == 0 ? 0 : 1;
        threads *= stated ? sides[i] : unstated;
    }
    return threads < UINT32_MAX ? (uint32_t)threads : 0;
}

/** Threads that a block may have by what the kernel declares; 0: it declares nothing. */
static uint32_t max_threads(const struct ridge_binary_kernel *kernel)
{
    const uint32_t required = block_threads(kernel->required_threads);
    return required > 0 ? required : block_threads(kernel->max_threads);
}

static struct ridge_code code_of(const struct ridge_compiled_binary *binary)
{
    struct ridge_code code = {.failed =
                                  binary->outcome != RIDGE_OUTCOME_OK && binary->outcome != RIDGE_OUTCOME_SKIPPED};
    if (binary->known) {
        const struct ridge_binary_kernel *kernel = &binary->kernel;
        code.compiled = true;
        code.registers = known_or_zero(kernel->registers); /* AMD: with AGPRs, where they share a file */
        code.smem_static_bytes = known_or_zero(kernel->smem_static_bytes);
        code.spill_bytes = known_or_zero(kernel->spill_store_bytes) + known_or_zero(kernel->spill_load_bytes);
        code.max_threads = max_threads(kernel);
    }
    return code;
}

/** Whether the spec has local memory that is sized at launch. */
static bool has_local(const struct ridge_spec *spec)
{
    for (size_t i = 0; i < spec->argument_count; i++) {
        if (spec->arguments[i].access == RG_ACCESS_LOCAL) {
            return true;
        }
    }
    return false;
}

/** The local memory that a launch asks for; what cannot be evaluated is 0: it cannot be launched for other reasons. */
static ridge_status dynamic_bytes(const struct ridge_spec *spec, const struct ridge_value *values, uint32_t *out,
                                  struct ridge_error *error)
{
    struct rg_job job;
    struct rg_trouble trouble = {.outcome = RIDGE_OUTCOME_OK, .text = NULL};
    const ridge_status status = rg_job_init(&job, spec, values, &trouble, error);
    uint64_t bytes = 0;
    for (size_t i = 0; i < spec->argument_count && trouble.outcome == RIDGE_OUTCOME_OK; i++) {
        bytes += spec->arguments[i].access == RG_ACCESS_LOCAL ? job.scalars[i] : 0;
    }
    *out = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    rg_job_fini(&job);
    return status;
}

ridge_status ridge_compiled_code(const struct ridge_compiled *compiled, size_t target, struct ridge_code *out,
                                 struct ridge_error *error)
{
    const struct ridge_space *space = rg_compiled_space(compiled);
    const struct ridge_spec *spec = rg_space_spec(space);
    const bool local = has_local(spec);
    struct ridge_space_cursor *cursor = NULL;
    ridge_status status = ridge_space_cursor_create(space, &cursor, error);
    for (uint64_t i = 0; i < ridge_compiled_configurations(compiled) && status == RIDGE_OK; i++) {
        const uint32_t *choice = NULL;
        status = ridge_space_cursor_next(cursor, &choice, error);
        out[i] = code_of(ridge_compiled_of(compiled, target, i));
        if (status == RIDGE_OK && choice && local) {
            struct ridge_value values[RG_MAX_DIMENSIONS];
            rg_space_choice_values(space, choice, values);
            status = dynamic_bytes(spec, values, &out[i].smem_dynamic_bytes, error);
        }
    }
    ridge_space_cursor_destroy(cursor);
    return status;
}
