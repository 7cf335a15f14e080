/* SPDX-License-Identifier: MIT */
/**
 * \file
 * A spec: what a kernel.toml says (docs/spec-format.md). Read once, then unchanging.
 * Thread rule: a loaded spec may be read by any thread.
 */
#ifndef RIDGE_SPEC_H
#define RIDGE_SPEC_H

#include <stdbool.h>

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

/** How to load a spec. All zero: as ridge_spec_load without overrides. */
struct ridge_spec_options {
    const char *const *set; /**< as `set` of ridge_spec_load */
    size_t set_count;
    bool no_block_limit; /**< T1: do not add block_size_x * block_size_y * block_size_z <= 1024 */
    bool without_work;   /**< leave out [model.work]: what is counted of the code then stands alone */
    bool check;          /**< the reduced problem: [check] params override [bench] params; `set` overrides both */
    size_t workload;     /**< 0: the params as [bench] gives them; else those of workload number `workload`, from 1 */
};

/**
 * Load a spec of any format: a kernel.toml or its folder, a T1 JSON file, a Kernel Tuner cache file, closed or not, or a
 * source with comments %RANGE% NAME short start:end:step. The JSON ones may be packed with gzip. A source is told by its
 * name (.cu .cuh .cl .c .h .cpp .cc .hpp), the others by their content.
 */
RIDGE_API ridge_status ridge_spec_load_with(const struct ridge_context *context, const char *path,
                                            const struct ridge_spec_options *options, struct ridge_spec **out,
                                            struct ridge_error *error);

enum {
    RIDGE_WORKLOAD_MAX = 16 /**< workloads of a spec, at most */
};

/** One of [[bench.workloads]]: params to tune with, and how much they count. Borrowed from the spec. */
struct ridge_workload {
    const char *name; /**< as given, else its params: "n=1024" */
    double weight;    /**< above 0 */
};

/** \return workload number `index`, from 0, as written; NULL: no more. */
RIDGE_API const struct ridge_workload *ridge_spec_workload(const struct ridge_spec *spec, size_t index);

/**
 * Find a workload by its name.
 * \param[out] index  from 0
 * \retval RIDGE_E_NAME  there is none; the message says which there are
 */
RIDGE_API ridge_status ridge_spec_workload_find(const struct ridge_spec *spec, const char *name, size_t *index,
                                                struct ridge_error *error);

/** \return the id of the configuration that [bench] names as `base`, to compare others with; NULL: none. Borrowed. */
RIDGE_API const char *ridge_spec_base(const struct ridge_spec *spec);

/** \return note number `index`, from 0, on what the file does not say itself and a reader should know; NULL: no more. */
RIDGE_API const char *ridge_spec_note(const struct ridge_spec *spec, size_t index);

/** Free a spec. NULL is fine. */
RIDGE_API void ridge_spec_destroy(struct ridge_spec *spec);

/** \return the kernel's name. Borrowed. */
RIDGE_API const char *ridge_spec_kernel(const struct ridge_spec *spec);

/** \return whether [model.work] says what the kernel does. */
RIDGE_API bool ridge_spec_has_work(const struct ridge_spec *spec);

/** \return whether it names an OpenCL or CUDA source, so that work can be counted in the code. */
RIDGE_API bool ridge_spec_has_device_source(const struct ridge_spec *spec);

/** \return the folder that the kernel.toml stands in. Borrowed. */
RIDGE_API const char *ridge_spec_folder(const struct ridge_spec *spec);

/** \return the path of the kernel.toml. Borrowed. */
RIDGE_API const char *ridge_spec_path(const struct ridge_spec *spec);

#ifdef __cplusplus
}
#endif
#endif
