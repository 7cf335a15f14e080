/* SPDX-License-Identifier: MIT */
#include "tune/problem.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"

static ridge_status spec_load(const struct ridge_context *context, const struct rg_problem_source *source,
                              struct ridge_spec **out, struct ridge_error *error)
{
    enum {
        MOST_SETS = 256
    };
    const char *set[MOST_SETS];
    char along[512];
    if (source->set_count >= MOST_SETS) {
        return rg_error_set(error, RIDGE_E_LIMIT, "%zu params are set (at most %d)", source->set_count, MOST_SETS - 1);
    }
    struct ridge_spec_options options = {.set = set, .set_count = source->set_count, .check = source->check};
    for (size_t i = 0; i < source->set_count; i++) {
        set[i] = source->set[i];
    }
    if (source->along) {
        snprintf(along, sizeof along, "%s=%lld", source->along, (long long)source->at);
        set[options.set_count++] = along;
    }
    return ridge_spec_load_with(context, source->path, &options, out, error);
}

static ridge_status written_reserve(struct rg_problem *problem, struct ridge_error *error)
{
    for (size_t i = 0; i < problem->workload.count; i++) {
        const struct rg_shape *shape = &problem->workload.shapes[i];
        if (shape->kind != RG_SHAPE_BUFFER || !shape->written) {
            continue;
        }
        void *memory = mmap(NULL, (size_t)shape->bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            return rg_error_memory(error, (size_t)shape->bytes);
        }
        problem->written[i] = memory;
    }
    return RIDGE_OK;
}

ridge_status rg_problem_open(const struct ridge_context *context, const struct rg_problem_source *source,
                             struct rg_problem *out, struct ridge_error *error)
{
    struct rg_problem problem = {.spec = NULL};
    ridge_status status = spec_load(context, source, &problem.spec, error);
    if (status == RIDGE_OK) {
        status = rg_workload_init(&problem.workload, problem.spec, error);
    }
    if (status == RIDGE_OK) {
        status = rg_workload_fill_inputs(&problem.workload, context, error);
    }
    if (status == RIDGE_OK) {
        status = written_reserve(&problem, error);
    }
    if (status != RIDGE_OK) {
        rg_problem_close(&problem);
        return status;
    }
    *out = problem;
    return RIDGE_OK;
}

void rg_problem_close(struct rg_problem *problem)
{
    for (size_t i = 0; i < problem->workload.count; i++) {
        if (problem->written[i]) {
            (void)munmap(problem->written[i], (size_t)problem->workload.shapes[i].bytes);
        }
    }
    rg_workload_fini(&problem->workload);
    ridge_spec_destroy(problem->spec);
    memset(problem, 0, sizeof *problem);
}

void rg_problem_reset(struct rg_problem *problem, bool poison)
{
    for (size_t i = 0; i < problem->workload.count; i++) {
        const struct rg_shape *shape = &problem->workload.shapes[i];
        void *memory = problem->written[i];
        if (!memory) {
            continue;
        }
        if (shape->read) {
            memcpy(memory, problem->workload.initial[i], (size_t)shape->bytes);
        } else if (poison) {
            memset(memory, RG_POISON_BYTE, (size_t)shape->bytes);
        } else {
            (void)madvise(memory, (size_t)shape->bytes, MADV_DONTNEED); /* zero again, without touching it */
        }
    }
}

static void buffer_argument(const struct rg_problem *problem, size_t index, struct rg_engine_arguments *out)
{
    const struct rg_shape *shape = &problem->workload.shapes[index];
    out->buffers[out->buffer_count] = (struct rg_engine_buffer){
        .name = shape->name,
        .bytes = problem->written[index] ? problem->written[index] : problem->workload.initial[index],
        .size = shape->bytes,
        .writable = shape->written,
        .initialised = shape->read,
    };
    out->list[out->count++] = (struct rg_engine_argument){.kind = RG_ENGINE_POINTER, .buffer = out->buffer_count++};
}

void rg_problem_arguments(const struct rg_problem *problem, const struct rg_job *job, bool cuda,
                          struct rg_engine_arguments *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < problem->workload.count; i++) {
        const struct rg_shape *shape = &problem->workload.shapes[i];
        if (shape->kind == RG_SHAPE_LOCAL && cuda) {
            out->shared_dynamic_bytes += job->scalars[i];
        } else if (shape->kind == RG_SHAPE_LOCAL) {
            out->list[out->count++] = (struct rg_engine_argument){.kind = RG_ENGINE_LOCAL, .size = job->scalars[i]};
        } else if (shape->kind == RG_SHAPE_BUFFER && shape->by_value && cuda) {
            out->list[out->count++] = (struct rg_engine_argument){
                .kind = RG_ENGINE_SCALAR, .bytes = problem->workload.initial[i], .size = shape->bytes};
        } else if (shape->kind == RG_SHAPE_BUFFER) {
            buffer_argument(problem, i, out);
        } else {
            out->list[out->count++] = (struct rg_engine_argument){
                .kind = RG_ENGINE_SCALAR, .bytes = &job->scalars[i], .size = shape->element_bytes};
        }
    }
}
