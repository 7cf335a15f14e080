/* SPDX-License-Identifier: MIT */
/**
 * \file Files as memory, without reading them. A file that another process makes shorter while it is mapped ends the
 * program (SIGBUS), as with every program that maps files. Any thread.
 */
#ifndef RG_BINARY_MAPPING_H
#define RG_BINARY_MAPPING_H

#include "base/error.h"
#include "binary/view.h"

/** A mapped file. */
struct rg_mapping {
    void *memory;
    size_t size;
};

/**
 * Map a regular file for reading.
 * \retval RIDGE_E_IO     it cannot be opened, or is a directory, a pipe or a device
 * \retval RIDGE_E_SYNTAX  it is empty
 */
ridge_status rg_mapping_open(const char *path, struct rg_mapping *out, struct ridge_error *error);

/** Map an open file of `size` bytes. \return false: errno says why */
bool rg_mapping_of(int descriptor, size_t size, struct rg_mapping *out);

/** Unmap. One that is all zero is fine. */
void rg_mapping_close(const struct rg_mapping *mapping);

/** Drop the whole pages from `begin` to before `end` from memory: they are read from the file again when touched. */
void rg_mapping_drop(const uint8_t *begin, const uint8_t *end);

#endif
