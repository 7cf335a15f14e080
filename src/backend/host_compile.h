/* SPDX-License-Identifier: MIT */
/**
 * \file C functions compiled by the system's compiler (`cc` on the PATH) into a shared object and called with the
 * arguments of a spec. Thread rule: any thread, with a work folder of its own.
 */
#ifndef RG_BACKEND_HOST_COMPILE_H
#define RG_BACKEND_HOST_COMPILE_H

#include "backend/backend.h"

/** A function to compile. Everything is borrowed for the call. */
struct rg_host_source {
    const struct ridge_context *context;
    const char *work_folder; /**< where files are made, and removed again */
    unsigned number;         /**< tells programs of one folder apart: each needs its own */
    const char *path;        /**< of the C source */
    const char *entry;
    const struct rg_shape *shapes; /**< RG_SHAPE_LOCAL is passed over */
    size_t shape_count;
    const struct rg_macro *macros;
    size_t macro_count;
};

/** A compiled function. `call` takes a pointer to each shape's buffer or scalar, by shape. */
struct rg_host_program {
    void *library;
    void (*call)(void *const *pointers);
};

/**
 * Compile and load. Trouble: RIDGE_OUTCOME_COMPILE with the compiler's log; `out` is then not written.
 * \retval RIDGE_E_UNAVAILABLE  there is no C compiler
 * \retval RIDGE_E_NAME   the source has no such function
 * \retval RIDGE_E_VALUE  its arguments are others than the shapes say
 */
ridge_status rg_host_compile(const struct rg_host_source *source, struct rg_host_program *out,
                             struct rg_trouble *trouble, struct ridge_error *error);

/** Unload. All zero is fine. */
void rg_host_program_fini(struct rg_host_program *program);

/** Write the first line of `cc --version`. \retval RIDGE_E_UNAVAILABLE there is no C compiler; says what to install */
ridge_status rg_host_compiler_name(const struct ridge_context *context, char *out, size_t room,
                                   struct ridge_error *error);

/**
 * Compile a function and call it once: the reference of a verification. Call it in a process that may crash.
 * \param source   `number` and macros as for rg_host_compile
 * \param scalars  by shape, as in struct rg_launch
 * \param buffers  by shape; NULL where the shape is no buffer
 * \retval RIDGE_E_VALUE  it does not compile, or does not fit; the message holds the compiler's first error
 */
ridge_status rg_host_function_run(const struct rg_host_source *source, const uint64_t *scalars, void *const *buffers,
                                  struct ridge_error *error);

#endif
