/* SPDX-License-Identifier: MIT */
/** \file A locale of another language for a test, made where it is not installed: what a host program may have set. */
#ifndef RG_OWN_LOCALE_H
#define RG_OWN_LOCALE_H

#include <locale.h>

#include "folder.h"

/**
 * Set a locale, such as "de_DE", with UTF-8; `setlocale(LC_ALL, "C")` ends it.
 * \param folder  where it may be made; it must stay until then
 * \return false: it is not here and cannot be made
 */
static inline bool own_locale_set(const char *folder, const char *name)
{
    char command[512];
    char full[64];
    snprintf(full, sizeof full, "%s.UTF-8", name);
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 '%s/%s' >/dev/null 2>&1", name, folder, full);
    return setlocale(LC_ALL, full) ||
           (system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, full));
}

#endif
