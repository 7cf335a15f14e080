/* SPDX-License-Identifier: MIT */
/**
 * \file Another judge: oclgrind in place of the engine. Thread rule: one thread at a time; called in a worker process.
 */
#ifndef RG_TUNE_GATE_TOOL_H
#define RG_TUNE_GATE_TOOL_H

#include "tune/gate.h"

/**
 * See whether the judge of the options can be had and can read the spec's sources. No judge is fine.
 * \retval RIDGE_E_UNAVAILABLE  it is not installed
 * \retval RIDGE_E_VALUE        there is no judge of that name, or the spec has no source for it
 */
ridge_status rg_gate_tool_find(struct ridge_gate *gate, struct ridge_error *error);

/** Run a configuration under the judge: findings go into the slot, outputs into the problem. Trouble: it cannot run. */
ridge_status rg_gate_tool_run(struct ridge_gate *gate, const struct rg_job *job, struct rg_gate_slot *slot,
                              struct rg_trouble *trouble, struct ridge_error *error);

/** Turn a log of oclgrind into findings. \param source  the file that findings name */
void rg_gate_tool_read_log(const char *log, const char *source, struct rg_gate_slot *slot);

#endif
