/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Reading recorded tuning results: Kernel Tuner cache files, T4, KTT JSON, CSV; gzip too. What kind of file it is is
 * told from its content. The result is a run of kind `recorded`. Thread rule: any thread.
 */
#ifndef RIDGE_RECORD_H
#define RIDGE_RECORD_H

#include "ridge/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the file does not say, or says wrongly. NULL: as the file says. */
struct ridge_record_hints {
    const char *kernel;
    const char *device;
};

/**
 * Read a file of records.
 * \param[out] out  owned by the caller; freed by ridge_run_destroy. Its dimensions are sorted by name; failed
 *                  configurations have their outcome and text; notes say what was skipped or doubtful.
 * \retval RIDGE_E_IO, RIDGE_E_SYNTAX (with position), RIDGE_E_VALUE (no kind of file that is known; nothing usable)
 */
RIDGE_API ridge_status ridge_record_read(const struct ridge_context *context, const char *path,
                                         const struct ridge_record_hints *hints, struct ridge_run **out,
                                         struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
