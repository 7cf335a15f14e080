/* SPDX-License-Identifier: MIT */
/** \file The inside of a device database. Thread rule: unchanging once created. */
#ifndef RG_DEVICE_DB_H
#define RG_DEVICE_DB_H

#include "base/arena.h"
#include "base/error.h"
#include "ridge/device.h"
#include "text/toml.h"

/** A device while files are being read. */
struct rg_device_record {
    struct ridge_device device;
    struct rg_place place;              /**< of its name */
    const char *architecture_name;      /**< as written; NULL: none */
    struct rg_place architecture_place; /**< of that */
    unsigned file;                      /**< which file it comes from, counted from 0 */
};

/** One record; a structure, so that a size in bytes is never mistaken for that of the record. */
struct rg_device_slot {
    struct rg_device_record *record;
};

struct ridge_device_db {
    const struct ridge_context *context;
    struct rg_arena arena;
    struct rg_device_slot *slots; /**< architectures first once created */
    size_t count;
    size_t capacity;
    unsigned files; /**< read so far */
};

/**
 * Read one file of devices into the database (docs/device-format.md).
 * \param text  NUL-terminated; lives as long as the database
 */
ridge_status rg_device_read(struct ridge_device_db *db, const char *name, const char *text, size_t length,
                            struct ridge_error *error);

/** \return the record with that name or alias, folded as ridge_device_find does; NULL: none. */
struct rg_device_record *rg_device_record_find(const struct ridge_device_db *db, const char *name);

enum {
    RG_FOLDED_BYTES = 96,
    RG_FOLDED_WORDS = 12
};

/** A name cut into lower-case words, without the words that any name of the vendor may have. */
struct rg_folded {
    char text[RG_FOLDED_BYTES]; /**< words, each NUL-terminated */
    const char *words[RG_FOLDED_WORDS];
    size_t count;
    const char *vendor; /**< that a dropped word stands for; NULL: none */
};

/** \return false when the name is too long or has too many words. */
bool rg_device_fold(const char *name, struct rg_folded *out);

/** Write the form of an architecture's name that the files use ("cc:8.6", "gfx90a"). \return false: it is none. */
bool rg_device_architecture_name(const char *name, char *out, size_t bytes);

#endif
