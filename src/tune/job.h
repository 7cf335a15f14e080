/* SPDX-License-Identifier: MIT */
/**
 * \file What one configuration means: its macros, its launch and its scalars, worked out from the spec's expressions.
 * Thread rule: one thread a job.
 */
#ifndef RG_TUNE_JOB_H
#define RG_TUNE_JOB_H

#include "backend/backend.h"
#include "space/spec.h"

struct rg_job {
    struct rg_arena arena;
    struct rg_macro macros[RG_MAX_DIMENSIONS];
    size_t macro_count;
    uint64_t scalars[RG_MAX_ARGUMENTS];
    struct rg_launch launch; /**< its scalars point into this job */
};

/** Write the macros of a configuration, one a dimension. Their values live in the arena. */
ridge_status rg_job_macros(struct rg_arena *arena, const struct ridge_spec *spec, const struct ridge_value *values,
                           struct rg_macro *out, struct ridge_error *error);

/** Work out the scalar arguments alone, one an argument. Trouble: RIDGE_OUTCOME_UNLAUNCHABLE when one cannot be. */
void rg_job_scalars(const struct ridge_spec *spec, const struct ridge_value *values, uint64_t *out,
                    struct rg_trouble *trouble);

/**
 * Work out a configuration. Trouble: RIDGE_OUTCOME_UNLAUNCHABLE when the grid, a block or a scalar cannot be.
 * \param values  one a dimension
 * \retval RIDGE_E_MEMORY  no memory
 */
ridge_status rg_job_init(struct rg_job *job, const struct ridge_spec *spec, const struct ridge_value *values,
                         struct rg_trouble *trouble, struct ridge_error *error);
void rg_job_fini(struct rg_job *job);

#endif
