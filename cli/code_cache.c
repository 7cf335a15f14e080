/* SPDX-License-Identifier: MIT */
#include "code_cache.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *code_cache_path(const char *spec_path, char *out, size_t bytes)
{
    struct stat facts;
    const bool folder = stat(spec_path, &facts) == 0 && S_ISDIR(facts.st_mode);
    const char *slash = strrchr(spec_path, '/');
    const int length = folder  ? snprintf(out, bytes, "%s/.ridge/compiled", spec_path)
                       : slash ? snprintf(out, bytes, "%.*s/.ridge/compiled", (int)(slash - spec_path), spec_path)
                               : snprintf(out, bytes, "./.ridge/compiled");
    return length > 0 && (size_t)length < bytes ? out : NULL;
}
