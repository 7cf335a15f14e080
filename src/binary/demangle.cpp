/* SPDX-License-Identifier: MIT */
#include "binary/demangle.h"

#include <cmath>
#include <cstring>
#include <cxxabi.h>

/**
 * Whether a mangled name surely has a readable form of reasonable length. A mangled name may refer to its own parts,
 * so that a hostile one of 300 bytes stands for gigabytes, and the demangler has no limit. n references multiply a
 * text by 3^(n/3) at most (parts of three references each), and a pack expansion by the length of the pack.
 */
static bool is_tame(const char *name)
{
    const double most_bytes = 268435456;
    const size_t longest = 16384;
    const size_t length = strnlen(name, longest + 1);
    size_t references = 0;
    size_t expansions = 0;
    for (size_t i = 0; i + 1 < length; i++) {
        if (name[i] == 'D' && name[i + 1] == 'p') {
            expansions++;
        }
        if (name[i] == 'S' || name[i] == 'T') {
            const size_t digits = std::strspn(name + i + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
            references += name[i + 1 + digits] == '_';
        }
    }
    const double size = static_cast<double>(length);
    const double bytes = size * std::pow(3.0, static_cast<double>(references) / 3) *
                         std::pow(size / 4 + 1, static_cast<double>(expansions));
    return length <= longest && bytes < most_bytes;
}

const char *rg_demangle(const char *name, char **text, size_t *bytes)
{
    int status = 0;
    if (std::strncmp(name, "_Z", 2) != 0 || !is_tame(name)) {
        return nullptr;
    }
    char *made = abi::__cxa_demangle(name, *text, bytes, &status);
    if (status != 0 || !made) {
        return nullptr;
    }
    *text = made;
    return made;
}
