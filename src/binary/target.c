/* SPDX-License-Identifier: MIT */
/* Which machine code runs on which architecture. */
#include <stdio.h>
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

bool ridge_binary_target_runs(const char *target, const char *architecture)
{
    unsigned sm = 0;
    unsigned major = 0;
    unsigned minor = 0;
    char suffix = '\0';
    if (sscanf(architecture, "cc:%2u.%1u", &major, &minor) == 2) {
        return sscanf(target, "sm_%4u%c", &sm, &suffix) >= 1 && cubin_runs(sm, suffix, 10 * major + minor);
    }
    const size_t length = strcspn(target, ":");
    return length > 0 && strlen(architecture) == length && strncmp(target, architecture, length) == 0;
}
