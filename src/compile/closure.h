/* SPDX-License-Identifier: MIT */
/**
 * \file All text that a source is compiled from: itself and the files beside it that it includes, and theirs. It decides
 * which macros make a difference and whether a kept artifact is still the right one. Thread rule: one thread a closure.
 */
#ifndef RG_COMPILE_CLOSURE_H
#define RG_COMPILE_CLOSURE_H

#include "base/buffer.h"
#include "compile/compiler.h"

struct rg_closure {
    struct rg_buffer text; /**< the source, then each file once, with a 0 byte after each but the last */
    struct rg_buffer code; /**< the same without comments */
    bool complete;         /**< nothing is read that is not in `text` or belongs to the compiler */
};

/** Gather. \param[out] out  freed by rg_closure_fini, also after a failure */
ridge_status rg_closure_init(struct rg_closure *out, const struct ridge_context *context,
                             const struct rg_compile_job *job, struct ridge_error *error);
void rg_closure_fini(struct rg_closure *closure);

/**
 * Whether a macro of a job can make a difference to what is compiled: a text, the entry or another macro names it, or
 * that cannot be known.
 */
bool rg_closure_needs(const struct rg_closure *closure, const struct rg_compile_job *job, size_t macro);

#endif
