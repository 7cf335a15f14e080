/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "ridge/sink.h"

static bool buffer_write(void *user, const char *bytes, size_t length)
{
    struct rg_buffer *buffer = user;
    rg_buffer_append(buffer, bytes, length);
    return !buffer->failed;
}

static bool is_link(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
}

/** Whether a name is one of an open descriptor, such as /dev/stdout or /dev/fd/1, whatever that is open on. */
static bool is_descriptor(const char *path)
{
    const bool system = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return system && strncmp(path, "/dev/shm/", 9) != 0 && is_link(path);
}

/** Where a file's bytes go. */
struct target {
    char path[PATH_MAX];
    bool direct; /* into what is there: no file can take its place */
};

/** The folder of the target: a file is made beside it. */
static ridge_status check_folder(const struct target *target, const char *path, struct ridge_error *error)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(target->path, '/');
    const size_t length = slash ? (size_t)(slash - target->path) + 1 : 0;
    memcpy(folder, target->path, length);
    memcpy(folder + length, ".", sizeof ".");
    if (access(folder, W_OK | X_OK) != 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot make a file beside it");
    }
    return RIDGE_OK;
}

/** Look where a path leads. Whoever may write everywhere (root) still does not replace a read-only file. */
static ridge_status look(const char *path, struct target *out, struct ridge_error *error)
{
    struct stat facts;
    const struct rg_place place = {.file = path};
    const bool there = stat(path, &facts) == 0;
    if (path[0] == '\0') {
        return rg_error_set(error, RIDGE_E_IO, "the file has no name (give it one)");
    }
    if (strlen(path) + sizeof "." > sizeof out->path) {
        return rg_error_set(error, RIDGE_E_LIMIT, "the path is too long: %.200s...", path);
    }
    memcpy(out->path, path, strlen(path) + 1);
    out->direct = there && (!S_ISREG(facts.st_mode) || is_descriptor(path));
    if (there && S_ISDIR(facts.st_mode)) {
        return rg_error_at(error, RIDGE_E_IO, &place, "it is a folder (name a file)");
    }
    if (there && !out->direct && (facts.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) {
        return rg_error_at(error, RIDGE_E_IO, &place, "the file is read-only (make it writable or name another)");
    }
    if (there && access(path, W_OK) != 0) {
        return rg_error_at(error, RIDGE_E_IO, &place, "you may not write this file (name another)");
    }
    char real[PATH_MAX]; /* of a link: it stays, and what it leads to is written */
    if (there && !out->direct && is_link(path) && realpath(path, real)) {
        memcpy(out->path, real, strlen(real) + 1);
    }
    return out->direct ? RIDGE_OK : check_folder(out, path, error);
}

static ridge_status put(const struct target *target, const struct rg_buffer *text, struct ridge_error *error)
{
    return target->direct ? rg_file_write_through(target->path, rg_buffer_text(text), text->length, error)
                          : rg_file_write(target->path, rg_buffer_text(text), text->length, error);
}

ridge_status ridge_file_check(const char *path, struct ridge_error *error)
{
    struct target target;
    return look(path, &target, error);
}

ridge_status ridge_file_fill(const struct ridge_context *context, const char *path, ridge_fill_fn fill, void *user,
                             struct ridge_error *error)
{
    struct rg_buffer text;
    struct target target = {0};
    ridge_status status = look(path, &target, error);
    if (status != RIDGE_OK) {
        return status;
    }
    rg_buffer_init(&text, context);
    status = fill(user, (struct ridge_sink){buffer_write, &text}, error);
    if (text.failed) {
        status = RIDGE_E_MEMORY;
        if (error) {
            *error = (struct ridge_error){0}; /* the sink's refusal is not what happened */
        }
        rg_error_memory(error, text.capacity);
    }
    if (status == RIDGE_OK) {
        status = put(&target, &text, error);
    }
    rg_buffer_fini(&text);
    return status;
}
