/* SPDX-License-Identifier: MIT */
#include "binary/demangle.h"

#include <cxxabi.h>

const char *rg_demangle(const char *name, char **text, size_t *bytes)
{
    int status = 0;
    char *made = abi::__cxa_demangle(name, *text, bytes, &status);
    if (status != 0 || !made) {
        return nullptr;
    }
    *text = made;
    return made;
}
