/* SPDX-License-Identifier: MIT */
#include "text/fact_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static ridge_status read_embedded(const struct rg_fact_files *files, struct ridge_error *error)
{
    for (const struct rg_embedded *file = files->embedded; file->name; file++) {
        const ridge_status status = files->read(files->user, file->name, file->text, file->length, error);
        if (status != RIDGE_OK) {
            return status;
        }
    }
    return RIDGE_OK;
}

static ridge_status read_file(const struct rg_fact_files *files, struct rg_arena *arena, const char *path,
                              struct ridge_error *error)
{
    char *text = NULL;
    size_t length = 0;
    const char *kept = rg_arena_strdup(arena, path);
    if (!kept) {
        return rg_error_memory(error, strlen(path));
    }
    const ridge_status status = rg_file_read(arena, kept, &text, &length, error);
    return status == RIDGE_OK ? files->read(files->user, kept, text, length, error) : status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_toml(const char *name)
{
    const size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".toml") == 0 && name[0] != '.';
}

/** Collect the paths of the fact files of an open folder. */
static ridge_status list_folder(DIR *folder, struct rg_arena *arena, const char *path, const char ***paths,
                                size_t *capacity, size_t *count, struct ridge_error *error)
{
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!is_toml(entry->d_name)) {
            continue;
        }
        const char *full = rg_arena_printf(arena, "%s/%s", path, entry->d_name);
        if (!full || !rg_reserve(arena->context, (void *)paths, capacity, *count + 1, sizeof **paths)) {
            return rg_error_memory(error, strlen(path));
        }
        (*paths)[(*count)++] = full;
    }
    return RIDGE_OK;
}

static ridge_status read_folder(const struct rg_fact_files *files, struct rg_arena *arena, struct ridge_error *error)
{
    DIR *folder = opendir(files->path);
    if (!folder) {
        return rg_error_system(error, RIDGE_E_IO, errno, files->path, "the folder of %s files cannot be read",
                               files->what);
    }
    const char **paths = NULL;
    size_t capacity = 0;
    size_t count = 0;
    ridge_status status = list_folder(folder, arena, files->path, &paths, &capacity, &count, error);
    closedir(folder);
    if (status == RIDGE_OK && !paths) {
        status = rg_error_set(error, RIDGE_E_IO, "%s holds no %s files (*.toml)", files->path, files->what);
    }
    if (status == RIDGE_OK && paths) {
        qsort(paths, count, sizeof *paths, by_name);
    }
    for (size_t i = 0; paths && i < count && status == RIDGE_OK; i++) {
        status = read_file(files, arena, paths[i], error);
    }
    rg_free(arena->context, (void *)paths, capacity * sizeof *paths);
    return status;
}

ridge_status rg_fact_files_read(const struct rg_fact_files *files, struct rg_arena *arena, struct ridge_error *error)
{
    struct stat facts;
    const ridge_status status = read_embedded(files, error);
    if (status != RIDGE_OK || !files->path) {
        return status;
    }
    if (stat(files->path, &facts) == 0 && !S_ISDIR(facts.st_mode)) {
        return read_file(files, arena, files->path, error);
    }
    return read_folder(files, arena, error);
}
