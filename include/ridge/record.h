/* SPDX-License-Identifier: MIT */
/**
 * \file
 * Reading recorded tuning results: Kernel Tuner cache files, T4, KTT JSON, CSV; gzip too. What kind of file it is is
 * told from its content. The result is a run of kind `recorded`. Thread rule: any thread.
 */
#ifndef RIDGE_RECORD_H
#define RIDGE_RECORD_H

#include "ridge/run.h"
#include "ridge/sink.h"

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

/** What a run can be written as for other programs. CSV is ridge_report_csv. */
typedef enum ridge_record_format {
    RIDGE_RECORD_T4,   /**< T4 1.0.0 */
    RIDGE_RECORD_CACHE /**< Kernel Tuner cache, closed */
} ridge_record_format;

/**
 * Write a run for other programs. ridge_record_read gives the same values back, to the last bit. What the format has no
 * place for (an outcome without a word of its own, texts, the compiler's numbers) stands under names that begin with
 * ridge_, where other readers pass over it.
 * \retval RIDGE_E_IO  the sink refuses bytes
 */
RIDGE_API ridge_status ridge_record_write(const struct ridge_run *run, ridge_record_format format,
                                          struct ridge_sink sink, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
