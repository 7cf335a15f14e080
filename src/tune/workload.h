/* SPDX-License-Identifier: MIT */
/**
 * \file The arguments of the kernel: their shapes, what the buffers hold before a launch, and what the outputs must
 * hold after it. The memory is shared with the worker processes forked later. Thread rule: one thread at a time.
 */
#ifndef RG_TUNE_WORKLOAD_H
#define RG_TUNE_WORKLOAD_H

#include "backend/launch.h"
#include "space/spec.h"

/** Byte that unwritten outputs are full of: a NaN in f32 and f64, -1 or the largest number in integers. */
enum {
    RG_POISON_BYTE = 0xFF
};

struct rg_workload {
    const struct ridge_spec *spec;
    size_t count;
    struct rg_shape shapes[RG_MAX_ARGUMENTS];
    void *initial[RG_MAX_ARGUMENTS];  /**< contents before a launch; outputs are poisoned; NULL: no buffer */
    void *expected[RG_MAX_ARGUMENTS]; /**< contents that an output must have after, once rg_reference_run has filled
                                         them; NULL: no output, or nothing to compare with */
};

/**
 * Work out the shapes and reserve the memory, before any worker is forked: what is written later is seen by all.
 * \retval RIDGE_E_VALUE  a length that cannot be
 * \retval RIDGE_E_LIMIT  more memory than this machine can give
 */
ridge_status rg_workload_init(struct rg_workload *workload, const struct ridge_spec *spec, struct ridge_error *error);
void rg_workload_fini(struct rg_workload *workload);

/**
 * Fill the initial contents, and the expected outputs with the same. Done once the device has taken buffers of this
 * size, so that a size which is too large costs nothing.
 * \retval RIDGE_E_IO, RIDGE_E_VALUE  a fill file that is missing or has another size
 */
ridge_status rg_workload_fill(struct rg_workload *workload, const struct ridge_context *context,
                              struct ridge_error *error);

/** Fill what a kernel reads and nothing else: an output that is never looked at needs no memory. */
ridge_status rg_workload_fill_inputs(struct rg_workload *workload, const struct ridge_context *context,
                                     struct ridge_error *error);

/** Make the memory read-only in this process: a stray write of a kernel then faults instead of spoiling the others. */
void rg_workload_protect(struct rg_workload *workload);

/**
 * Refuse what this machine cannot hold: the contents, the expected outputs, and the copy of one worker.
 * \param on_host  the device's memory is this machine's
 * \retval RIDGE_E_LIMIT  with both numbers
 */
ridge_status rg_workload_check(const struct rg_workload *workload, bool on_host, struct ridge_error *error);

/** \return bytes of all buffers together. */
uint64_t rg_workload_bytes(const struct rg_workload *workload);

#endif
