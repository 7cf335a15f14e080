/* SPDX-License-Identifier: MIT */
/**
 * \file
 * The winner of a tuned run as code that can be compiled in, or as JSON. Thread rule: any thread; a sink belongs to one.
 */
#ifndef RIDGE_APPLY_H
#define RIDGE_APPLY_H

#include "ridge/group.h"
#include "ridge/header.h"
#include "ridge/run.h"
#include "ridge/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Write the best configuration of a run as a self-contained header: a structure, constants, and a comment that says on
 * which device, how, when and by what it was found, and which other configurations are indistinguishable from it.
 * Names are made into identifiers, texts are escaped.
 * \retval RIDGE_E_EMPTY  nothing of the run was measured
 * \retval RIDGE_E_IO     the sink refuses bytes
 */
RIDGE_API ridge_status ridge_apply_header(const struct ridge_context *context, const struct ridge_run *run,
                                          ridge_header form, const struct ridge_header_about *about,
                                          struct ridge_sink sink, struct ridge_error *error);

/** The same as a JSON object (ridge.apply/1); `name` of `about` is not used. */
RIDGE_API ridge_status ridge_apply_json(const struct ridge_run *run, const struct ridge_header_about *about,
                                        struct ridge_sink sink, struct ridge_error *error);

/**
 * Write the best configuration over all workloads of a group in the same form, with its time for each and its score.
 * \retval RIDGE_E_EMPTY  none was measured with every workload
 */
RIDGE_API ridge_status ridge_apply_group_header(const struct ridge_context *context, const struct ridge_group *group,
                                                ridge_header code, const struct ridge_header_about *about,
                                                struct ridge_sink sink, struct ridge_error *error);

/** The same as a JSON object (ridge.apply-group/1); `name` of `about` is not used. */
RIDGE_API ridge_status ridge_apply_group_json(const struct ridge_group *group, const struct ridge_header_about *about,
                                              struct ridge_sink sink, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
