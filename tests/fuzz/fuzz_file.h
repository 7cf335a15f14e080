/* SPDX-License-Identifier: MIT */
/** \file Any bytes as a file with a path, in memory: for what reads files only. */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    FUZZ_PATH_BYTES = 64
};

/** \return a descriptor to close, or -1: there is no memory for it. */
static int fuzz_file(const uint8_t *data, size_t size, char path[FUZZ_PATH_BYTES])
{
    const int descriptor = memfd_create("fuzz", 0);
    if (descriptor >= 0 && size > 0 && write(descriptor, data, size) != (ssize_t)size) {
        close(descriptor);
        return -1;
    }
    snprintf(path, FUZZ_PATH_BYTES, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

#endif
