/* SPDX-License-Identifier: MIT */
/* Which machine code runs on which architecture. */
#include <stdlib.h>
#include <string.h>

#include "ridge/binary.h"

/** Compute capabilities of Tegra: their code and that of others do not run on each other. */
static const unsigned tegra[] = {53, 62, 72, 87, 101, 110};

static bool is_tegra(unsigned capability)
{
    for (size_t i = 0; i < sizeof tegra / sizeof tegra[0]; i++) {
        if (tegra[i] == capability) {
            return true;
        }
    }
    return false;
}

static bool cubin_runs(unsigned target, char suffix, unsigned capability)
{
    if (target == capability) {
        return true;
    }
    const bool is_later = target / 10 == capability / 10 && target < capability;
    return suffix != 'a' && is_later && !is_tegra(target) && !is_tegra(capability);
}

/** Read "8.6" as 86; 0 when it is none. */
static unsigned read_capability(const char *text)
{
    char *end = NULL;
    const unsigned long major = strtoul(text, &end, 10);
    const bool is_pair = *end == '.' && end[1] >= '0' && end[1] <= '9';
    return is_pair && major < 100 ? (unsigned)major * 10 + (unsigned)(end[1] - '0') : 0;
}

bool ridge_binary_target_runs(const char *target, const char *architecture)
{
    if (strncmp(architecture, "cc:", 3) == 0) {
        char *suffix = NULL;
        const unsigned long sm = strncmp(target, "sm_", 3) == 0 ? strtoul(target + 3, &suffix, 10) : 0;
        return sm > 0 && sm < 1000 && cubin_runs((unsigned)sm, *suffix, read_capability(architecture + 3));
    }
    const size_t length = strcspn(target, ":");
    return length > 0 && strlen(architecture) == length && strncmp(target, architecture, length) == 0;
}
