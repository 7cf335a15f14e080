/* SPDX-License-Identifier: MIT */
/** \file Judging outputs. Thread rule: pure; any thread. */
#ifndef RG_TUNE_VERIFY_H
#define RG_TUNE_VERIFY_H

#include "backend/backend.h"
#include "space/spec.h"

/**
 * Compare an output with what it must be: |got - want| <= absolute + relative * |want| for floats, equality for
 * integers when both tolerances are 0, else the same bound. A NaN fails unless `equal_nan` is set and both are NaN;
 * an infinity passes only against the same infinity. Without `want` only NaN is looked for, in floats.
 * Trouble: RIDGE_OUTCOME_WRONG with the first wrong element, how many there are, and the largest difference.
 */
void rg_verify_output(const struct rg_verify *verify, const struct rg_argument *argument, const void *got,
                      const void *want, uint64_t count, struct rg_trouble *trouble);

#endif
