/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A spec: what a kernel.toml says (docs/spec-format.md). Read once, then unchanging.
 * Thread rule: a loaded spec may be read by any thread.
 */
#ifndef RIDGE_SPEC_H
#define RIDGE_SPEC_H

#include "ridge/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ridge_spec;

/**
 * Load a spec.
 * \param path      a kernel.toml, or a folder that holds one
 * \param set       `count` texts `name=value` that override `[bench] params` (the `--set` of the command line)
 * \param[out] out  owned by the caller; freed by ridge_spec_destroy
 * \retval RIDGE_E_IO      missing or unreadable
 * \retval RIDGE_E_SYNTAX  not TOML, or an expression that does not parse
 * \retval RIDGE_E_NAME    an unknown key, or a name that an expression uses and nobody defines
 * \retval RIDGE_E_VALUE   a value of the wrong type or out of range, duplicates, no values
 */
RIDGE_API ridge_status ridge_spec_load(const struct ridge_context *context, const char *path, const char *const *set,
                                       size_t count, struct ridge_spec **out, struct ridge_error *error);

/** Free a spec. NULL is fine. */
RIDGE_API void ridge_spec_destroy(struct ridge_spec *spec);

/** \return the kernel's name. Borrowed. */
RIDGE_API const char *ridge_spec_kernel(const struct ridge_spec *spec);

/** \return the folder that the kernel.toml stands in. Borrowed. */
RIDGE_API const char *ridge_spec_folder(const struct ridge_spec *spec);

/** \return the path of the kernel.toml. Borrowed. */
RIDGE_API const char *ridge_spec_path(const struct ridge_spec *spec);

#ifdef __cplusplus
}
#endif
#endif
