/* SPDX-License-Identifier: MIT */
#include "code_cache.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool make(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static const char *below(char *out, size_t bytes, const char *parent, const char *between)
{
    char middle[CACHE_PATH_BYTES];
    const int length = snprintf(middle, sizeof middle, "%s%s", parent, between);
    if (length < 0 || (size_t)length >= sizeof middle || !make(middle)) {
        return NULL;
    }
    const int whole = snprintf(out, bytes, "%s/ridge", middle);
    return whole > 0 && (size_t)whole < bytes && make(out) ? out : NULL;
}

const char *code_cache_path(char *out, size_t bytes)
{
    const char *own = getenv("RIDGE_CACHE");
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own && own[0] == '\0') {
        return NULL; /* set and empty: keep nothing */
    }
    if (own) {
        const int length = snprintf(out, bytes, "%s", own);
        return length > 0 && (size_t)length < bytes && make(out) ? out : NULL;
    }
    if (cache && cache[0] == '/') {
        return below(out, bytes, cache, "");
    }
    return home && home[0] == '/' ? below(out, bytes, home, "/.cache") : NULL;
}
