/* SPDX-License-Identifier: MIT */
/** \file What ridge tune --gate says of the configurations that were refused. */
#ifndef CLI_TUNE_GATE_H
#define CLI_TUNE_GATE_H

#include "ridge/run.h"
#include "ridge/space.h"

/** Print how many the gate refused, and which of them an estimate says would have been faster than the best. */
void tune_gate_print(const struct ridge_space *space, const struct ridge_run *run);

#endif
