/* SPDX-License-Identifier: MIT */
/** \file ridge policy tune: what its measuring hands to its printing. */
#ifndef CLI_POLICY_TUNE_H
#define CLI_POLICY_TUNE_H

#include "options.h"
#include "ridge/variants.h"

/** What came of tuning one kernel at several sizes. */
struct policy_tuned {
    const char *title;    /**< "transform f32 to f32" */
    const char *folder;   /**< where kernel, sources and evidence are */
    const char *database; /**< for ridge apply */
    size_t count;
    uint64_t elements[RIDGE_VARIANT_RUNS];
    uint64_t bytes_each; /**< moved an element */
    const struct ridge_run *runs[RIDGE_VARIANT_RUNS];
    const struct ridge_variants *variants;
    size_t limit; /**< rows to print */
};

void policy_tuned_print(const struct policy_tuned *tuned);
int policy_tuned_print_json(const struct policy_tuned *tuned);

/** Write a number of elements: 64M, 1000. */
void elements_text(uint64_t elements, char *out, size_t bytes);

#endif
