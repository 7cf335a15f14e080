/* SPDX-License-Identifier: MIT */
/** \file Whole files in and out. Thread rule: any thread. */
#ifndef RG_BASE_FILE_H
#define RG_BASE_FILE_H

#include "base/arena.h"

/**
 * Read a whole regular file into an arena, with a terminator behind it.
 * \param[out] text    the bytes; borrowed from the arena
 * \param[out] length  bytes, without the terminator; may be NULL
 * \retval RIDGE_E_IO     it is missing, a directory or unreadable; the message names it.
 * \retval RIDGE_E_LIMIT  it is longer than the context's max_input_bytes.
 */
ridge_status rg_file_read(struct rg_arena *arena, const char *path, char **text, size_t *length,
                          struct ridge_error *error);

/** Write a whole file through a temporary beside it and a rename: never half a file. */
ridge_status rg_file_write(const char *path, const char *bytes, size_t length, struct ridge_error *error);

/** The same without waiting for the disk: for what can be made again. */
ridge_status rg_file_write_soon(const char *path, const char *bytes, size_t length, struct ridge_error *error);

/** Write behind what is there, such as a pipe or the file that a descriptor is open on. */
ridge_status rg_file_write_through(const char *path, const char *bytes, size_t length, struct ridge_error *error);

/** Make a folder and those above it that are missing. One that is there is fine. */
ridge_status rg_folder_make(const char *path, struct ridge_error *error);

/** Remove a folder and the plain files in it. What is not there, or cannot be removed, is left. */
void rg_folder_remove(const char *path);

/**
 * In a child that runs what others wrote: close every descriptor but the standard three and one. What it leaves running
 * then holds no lock of the parent, and it cannot write into the parent's files.
 */
void rg_descriptors_close(int keep);

#endif
