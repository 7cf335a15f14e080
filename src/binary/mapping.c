/* SPDX-License-Identifier: MIT */
#include "binary/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/** What a file is that is no regular one. */
static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) {
        return "a directory (name a file in it)";
    }
    if (S_ISFIFO(mode) || S_ISSOCK(mode)) {
        return "a pipe (write its content to a file first: files are mapped)";
    }
    return "no regular file (write its content to a file first: files are mapped)";
}

bool rg_mapping_of(int descriptor, size_t size, struct rg_mapping *out)
{
    void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    *out = (struct rg_mapping){memory, size};
    return true;
}

static ridge_status map_descriptor(int descriptor, const char *path, struct rg_mapping *out, struct ridge_error *error)
{
    const struct rg_place place = {.file = path};
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot read the file");
    }
    if (!S_ISREG(facts.st_mode)) {
        return rg_error_at(error, RIDGE_E_IO, &place, "it is %s", kind_of(facts.st_mode));
    }
    if (facts.st_size == 0) {
        return rg_error_at(error, RIDGE_E_SYNTAX, &place, "the file is empty (compiled code was expected)");
    }
    return rg_mapping_of(descriptor, (size_t)facts.st_size, out)
               ? RIDGE_OK
               : rg_error_system(error, RIDGE_E_IO, errno, path, "cannot map the file");
}

ridge_status rg_mapping_open(const char *path, struct rg_mapping *out, struct ridge_error *error)
{
    /* O_NONBLOCK: opening a pipe that nobody writes to must not wait. */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return rg_error_system(error, RIDGE_E_IO, errno, path, "cannot open the file");
    }
    const ridge_status status = map_descriptor(descriptor, path, out, error);
    close(descriptor);
    return status;
}

void rg_mapping_close(const struct rg_mapping *mapping)
{
    if (mapping->size > 0) {
        munmap(mapping->memory, mapping->size);
    }
}

void rg_mapping_drop(const uint8_t *begin, const uint8_t *end)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uint8_t *first = begin + (page - (uintptr_t)begin % page) % page;
    const uint8_t *last = end - (uintptr_t)end % page;
    void *memory;
    memcpy(&memory, &first, sizeof memory); /* madvise takes no const */
    if (first < last) {
        (void)madvise(memory, (size_t)(last - first), MADV_DONTNEED); /* a hint: nothing depends on it */
    }
}
