/* SPDX-License-Identifier: MIT */
/** \file Files of facts: those compiled in, then a folder of *.toml files or one file over them. Thread rule: any thread. */
#ifndef RG_TEXT_FACT_FILES_H
#define RG_TEXT_FACT_FILES_H

#include "base/arena.h"
#include "base/embedded.h"
#include "base/error.h"

struct rg_fact_files {
    const char *what;                   /**< "device": as messages call the files */
    const struct rg_embedded *embedded; /**< ended by a NULL name */
    const char *path;                   /**< a folder or a file; NULL: only what is compiled in */
    /** Read one file. `name` and `text` live in the arena, or for ever. */
    ridge_status (*read)(void *user, const char *name, const char *text, size_t length, struct ridge_error *error);
    void *user;
};

/** Read all, those of a folder by name. \retval RIDGE_E_IO  the path cannot be read, or the folder holds none */
ridge_status rg_fact_files_read(const struct rg_fact_files *files, struct rg_arena *arena, struct ridge_error *error);

#endif
