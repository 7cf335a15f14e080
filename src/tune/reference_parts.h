/* SPDX-License-Identifier: MIT */
/** \file Ways to fill what outputs must be, and to refuse what judges nothing. Thread rule: one thread at a time. */
#ifndef RG_TUNE_REFERENCE_PARTS_H
#define RG_TUNE_REFERENCE_PARTS_H

#include "ridge/space.h"
#include "tune/workload.h"

/**
 * Compile the C reference and call it on the expected outputs: in a process that may crash.
 * \param folder  for temporary files
 */
ridge_status rg_reference_c(const struct ridge_context *context, const struct ridge_space *space,
                            struct rg_workload *workload, const char *folder, struct ridge_error *error);

/** Read the files of the spec into the expected outputs. */
ridge_status rg_reference_files(const struct ridge_context *context, struct rg_workload *workload,
                                struct ridge_error *error);

/** A reference with a NaN judges nothing: refuse it, unless the spec says that NaN is what is wanted. */
ridge_status rg_reference_refuse_nan(const struct rg_workload *workload, struct ridge_error *error);

#endif
