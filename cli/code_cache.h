/* SPDX-License-Identifier: MIT */
/** \file Where compiled code is kept between commands. */
#ifndef CLI_CODE_CACHE_H
#define CLI_CODE_CACHE_H

#include <stddef.h>

enum {
    CACHE_PATH_BYTES = 4096
};

/**
 * Find the folder: RIDGE_CACHE, else ridge below XDG_CACHE_HOME, else .cache/ridge in the home folder; it is made.
 * \return `out`, or NULL: nothing is kept
 */
const char *code_cache_path(char *out, size_t bytes);

#endif
