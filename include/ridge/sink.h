/* SPDX-License-Identifier: MIT */
/** \file Where text goes that the library makes: the library itself never prints. Thread rule: one thread a sink. */
#ifndef RIDGE_SINK_H
#define RIDGE_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "ridge/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Receives pieces of text in order. */
struct ridge_sink {
    /** \return false when the bytes could not be taken (a full disk); the writer then stops and says so. */
    bool (*write)(void *user, const char *bytes, size_t length);
    void *user; /**< handed to `write` */
};

/** Writes something into a sink. */
typedef ridge_status (*ridge_fill_fn)(void *user, struct ridge_sink sink, struct ridge_error *error);

/**
 * Write a file whole or not at all: through a temporary beside it and a rename. What is no regular file (a pipe,
 * /dev/stdout) is written to directly.
 * \retval RIDGE_E_IO  a folder, an existing file that is read-only, no permission, no space; nothing was changed
 */
RIDGE_API ridge_status ridge_file_fill(const struct ridge_context *context, const char *path, ridge_fill_fn fill,
                                       void *user, struct ridge_error *error);

/**
 * Find out whether ridge_file_fill could write a file now, before the work whose result it is for. Nothing is changed.
 * \retval RIDGE_E_IO  the folder is not there or may not be written in, or what is there may not be replaced
 */
RIDGE_API ridge_status ridge_file_check(const char *path, struct ridge_error *error);

#ifdef __cplusplus
}
#endif
#endif
