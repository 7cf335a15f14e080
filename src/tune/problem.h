/* SPDX-License-Identifier: MIT */
/**
 * \file A problem: a spec with its params, its arguments filled, and memory of this process that a kernel run by
 * src/engine may write. Opened before workers are forked: the inputs are then shared, what is written is not.
 * Thread rule: one thread at a time.
 */
#ifndef RG_TUNE_PROBLEM_H
#define RG_TUNE_PROBLEM_H

#include "engine/engine.h"
#include "tune/job.h"
#include "tune/workload.h"

struct rg_problem {
    struct ridge_spec *spec;
    struct rg_workload workload;
    void *written[RG_MAX_ARGUMENTS]; /**< by argument: what the kernel writes; NULL: it does not */
};

/** Where a problem comes from. Borrowed for the call. */
struct rg_problem_source {
    const char *path; /**< of the spec */
    const char *const *set;
    size_t set_count;
    bool check;        /**< the reduced problem of [check] */
    const char *along; /**< with `at`: a param that gets another value; NULL: none */
    int64_t at;
};

ridge_status rg_problem_open(const struct ridge_context *context, const struct rg_problem_source *source,
                             struct rg_problem *out, struct ridge_error *error);
void rg_problem_close(struct rg_problem *problem); /**< all zero is fine */

/** Put what the kernel writes back to how it was: outputs are zero, or full of RG_POISON_BYTE with `poison`. */
void rg_problem_reset(struct rg_problem *problem, bool poison);

/** The arguments of a launch, as the engine takes them. */
struct rg_engine_arguments {
    struct rg_engine_buffer buffers[RG_MAX_ARGUMENTS];
    size_t buffer_count;
    struct rg_engine_argument list[RG_MAX_ARGUMENTS];
    size_t count;
    uint64_t shared_dynamic_bytes;
};

/** Fill them. CUDA takes local memory as dynamic shared memory and arrays by value; OpenCL C takes both as pointers. */
void rg_problem_arguments(const struct rg_problem *problem, const struct rg_job *job, bool cuda,
                          struct rg_engine_arguments *out);

#endif
