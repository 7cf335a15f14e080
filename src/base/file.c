/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/** Read what is behind an open descriptor; `expected` is its size as the system says. */
static ridge_status read_all(struct rg_arena *arena, int descriptor, const char *path, size_t expected, char **text,
                             size_t *length, struct ridge_error *error)
{
    char *bytes = rg_arena_alloc(arena, expected + 1);
    if (!bytes) {
        return rg_error_memory(error, expected + 1);
    }
    size_t have = 0;
    while (have < expected) {
        const ssize_t got = read(descriptor, bytes + have, expected - have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot read the file");
        }
        if (got == 0) {
            break;
        }
        have += (size_t)got;
    }
    bytes[have] = '\0';
    *text = bytes;
    if (length) {
        *length = have;
    }
    return RIDGE_OK;
}

ridge_status rg_file_read(struct rg_arena *arena, const char *path, char **text, size_t *length,
                          struct ridge_error *error)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe that nobody fills is no wait */
    if (descriptor < 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot open the file");
    }
    struct stat facts;
    ridge_status status = RIDGE_OK;
    if (fstat(descriptor, &facts) != 0) {
        status = rg_error_system(error, RIDGE_E_IO, errno, path, "cannot read the file");
    } else if (!S_ISREG(facts.st_mode)) {
        const struct rg_place place = {.file = path};
        status = rg_error_at(error, RIDGE_E_IO, &place, "not a regular file (write its content to one first)");
    } else if ((uint64_t)facts.st_size > arena->context->max_input_bytes) {
        const struct rg_place place = {.file = path};
        status = rg_error_at(error, RIDGE_E_LIMIT, &place, "%lld bytes are too many (at most %zu)",
                             (long long)facts.st_size, arena->context->max_input_bytes);
    } else {
        status = read_all(arena, descriptor, path, (size_t)facts.st_size, text, length, error);
    }
    close(descriptor);
    return status;
}

static ridge_status write_all(int descriptor, const char *path, const char *bytes, size_t length,
                              struct ridge_error *error)
{
    while (length > 0) {
        const ssize_t put = write(descriptor, bytes, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot write the file");
        }
        bytes += put;
        length -= (size_t)put;
    }
    return RIDGE_OK;
}

static ridge_status synchronise(int descriptor, const char *path, struct ridge_error *error)
{
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot write the file");
    }
    return RIDGE_OK;
}

static ridge_status file_replace(const char *path, const char *bytes, size_t length, bool durable,
                                 struct ridge_error *error)
{
    char temporary[4096];
    const int needed = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    if (needed < 0 || (size_t)needed >= sizeof temporary) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the path is too long: %.200s...", path);
    }
    const int descriptor = mkstemp(temporary);
    if (descriptor < 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot make a file beside it");
    }
    ridge_status status = write_all(descriptor, path, bytes, length, error);
    if (status == RIDGE_OK && durable) {
        status = synchronise(descriptor, path, error);
    }
    if (fchmod(descriptor, 0644) != 0 && status == RIDGE_OK) {
        status = rg_error_system(error, RIDGE_E_IO, errno, path, "cannot set the mode of the file");
    }
    if (close(descriptor) != 0 && status == RIDGE_OK) {
        status = rg_error_system(error, RIDGE_E_IO, errno, path, "cannot write the file");
    }
    if (status == RIDGE_OK && rename(temporary, path) != 0) {
        status = rg_error_system(error, RIDGE_E_IO, errno, path, "cannot put the file in its place");
    }
    if (status != RIDGE_OK) {
        unlink(temporary);
    }
    return status;
}

ridge_status rg_file_write(const char *path, const char *bytes, size_t length, struct ridge_error *error)
{
    return file_replace(path, bytes, length, true, error);
}

ridge_status rg_file_write_soon(const char *path, const char *bytes, size_t length, struct ridge_error *error)
{
    return file_replace(path, bytes, length, false, error);
}

ridge_status rg_file_write_through(const char *path, const char *bytes, size_t length, struct ridge_error *error)
{
    const int descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot open the file for writing");
    }
    ridge_status status = write_all(descriptor, path, bytes, length, error);
    if (status == RIDGE_OK) {
        status = synchronise(descriptor, path, error);
    }
    if (close(descriptor) != 0 && status == RIDGE_OK) {
        status = rg_error_system(error, RIDGE_E_IO, errno, path, "cannot write the file");
    }
    return status;
}

ridge_status rg_folder_make(const char *path, struct ridge_error *error)
{
    char part[4096];
    const size_t length = strlen(path);
    if (length >= sizeof part) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the path is too long: %.200s...", path);
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return rg_error_system(error, RIDGE_E_IO, errno, part, "cannot make the folder");
        }
    }
    return RIDGE_OK;
}

void rg_folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
    (void)rmdir(path);
}

void rg_descriptors_close(int keep)
{
    const unsigned kept = keep > STDERR_FILENO ? (unsigned)keep : STDERR_FILENO;
    if (kept > STDERR_FILENO + 1) {
        (void)close_range(STDERR_FILENO + 1, kept - 1, 0);
    }
    (void)close_range(kept + 1, UINT_MAX, 0);
}
