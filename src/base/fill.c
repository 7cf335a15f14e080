/* SPDX-License-Identifier: MIT */
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

/** Put the text where it belongs. Whoever may write everywhere (root) still does not replace a read-only file. */
static ridge_status put(const char *path, const struct rg_buffer *text, struct ridge_error *error)
{
    struct stat facts;
    const struct rg_place place = {.file = path};
    const bool there = stat(path, &facts) == 0;
    if (there && S_ISDIR(facts.st_mode)) {
        return rg_error_at(error, RIDGE_E_IO, &place, "it is a folder (name a file)");
    }
    if (there && (!S_ISREG(facts.st_mode) || is_descriptor(path))) {
        return rg_file_write_through(path, rg_buffer_text(text), text->length, error);
    }
    if (there && (facts.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) {
        return rg_error_at(error, RIDGE_E_IO, &place, "the file is read-only (make it writable or name another)");
    }
    if (there && access(path, W_OK) != 0) {
        return rg_error_at(error, RIDGE_E_IO, &place, "you may not write this file (name another)");
    }
    char target[PATH_MAX]; /* of a link: it stays, and what it leads to is written */
    const bool follow = there && is_link(path) && realpath(path, target);
    return rg_file_write(follow ? target : path, rg_buffer_text(text), text->length, error);
}

ridge_status ridge_file_fill(const struct ridge_context *context, const char *path, ridge_fill_fn fill, void *user,
                             struct ridge_error *error)
{
    struct rg_buffer text;
    rg_buffer_init(&text, context);
    ridge_status status = fill(user, (struct ridge_sink){buffer_write, &text}, error);
    if (text.failed) {
        status = RIDGE_E_MEMORY;
        if (error) {
            *error = (struct ridge_error){0}; /* the sink's refusal is not what happened */
        }
        rg_error_memory(error, text.capacity);
    }
    if (status == RIDGE_OK) {
        status = put(path, &text, error);
    }
    rg_buffer_fini(&text);
    return status;
}
