/* SPDX-License-Identifier: MIT */
/* The temporary folder of a process, ridge-PID-XXXXXX. One that was killed leaves its own behind; the next one removes
 * it. */
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

void rg_temporary_remove(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char inner[1024];
        const int needed = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && needed > 0 && (size_t)needed < sizeof inner) {
            rg_folder_remove(inner);
        }
    }
    closedir(folder);
    rg_folder_remove(path);
}

/** \return whether a name is that of a folder whose process is gone. */
static bool is_left_behind(const char *name)
{
    static const char prefix[] = "ridge-";
    char *end = NULL;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    const long pid = strtol(name + sizeof prefix - 1, &end, 10);
    return pid > 0 && *end == '-' && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

static void left_behind_remove(const char *root)
{
    DIR *folder = opendir(root);
    if (!folder) {
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[512];
        const int needed = snprintf(path, sizeof path, "%s/%s", root, entry->d_name);
        if (needed > 0 && (size_t)needed < sizeof path && is_left_behind(entry->d_name)) {
            rg_temporary_remove(path);
        }
    }
    closedir(folder);
}

ridge_status rg_temporary_make(const char *root, char *out, size_t bytes, struct ridge_error *error)
{
    const int needed = snprintf(out, bytes, "%s/ridge-%d-XXXXXX", root, (int)getpid());
    if (needed < 0 || (size_t)needed >= bytes) {
        out[0] = '\0';
        return rg_error_set(error, RIDGE_E_LIMIT, "the path of the temporary folder is too long: %.200s", root);
    }
    left_behind_remove(root);
    if (!mkdtemp(out)) {
        out[0] = '\0';
        return rg_error_system(error, RIDGE_E_IO, errno, root, "cannot make a temporary folder");
    }
    return RIDGE_OK;
}
