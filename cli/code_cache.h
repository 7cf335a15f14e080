/* SPDX-License-Identifier: MIT */
/** \file Where compiled code is kept between commands. */
#ifndef CLI_CODE_CACHE_H
#define CLI_CODE_CACHE_H

#include <stddef.h>

enum {
    CACHE_PATH_BYTES = 4096
};

/** Write the folder beside a spec, given by its file or its folder. \return `out`, or NULL: the path is too long */
const char *code_cache_path(const char *spec_path, char *out, size_t bytes);

#endif
