/* SPDX-License-Identifier: MIT */
/** \file Fat binaries: what their entries are. What is read of them: fatbin.c. Pure; any thread. */
#ifndef RG_BINARY_FATBIN_H
#define RG_BINARY_FATBIN_H

#include "binary/unpack.h"

/** Kinds of entries. */
enum {
    RG_FATBIN_PTX = 1,
    RG_FATBIN_CUBIN = 2,
    RG_FATBIN_LTO = 8
};

struct rg_fatbin_entry {
    uint16_t kind;
    uint64_t header_bytes;
    uint64_t payload_bytes; /**< padded */
    uint64_t packed_bytes;
    uint64_t unpacked_bytes;
    uint64_t flags;
    uint32_t arch;
    struct rg_view payload;
};

/** Where a walk over entries stands: containers one behind the other, entries in them. Begin with `bytes` alone. */
struct rg_fatbin_walk {
    struct rg_view bytes;
    uint64_t at;
    uint64_t end;       /**< of the container; `at` there: the next one is to be opened */
    unsigned container; /**< its number */
    unsigned number;    /**< of the last entry in it */
    uint64_t entries;   /**< so far */
};

/** \return whether bytes begin as a fat binary does. */
bool rg_is_fatbin(struct rg_view bytes);

/** \return the offset of the next byte that is not 0: objects begin with none. */
uint64_t rg_skip_padding(struct rg_view bytes, uint64_t from);

/** Take the next entry. \return false at the end (no further container begins at `at`), and where the bytes are damaged:
 * then `error` is set */
bool rg_fatbin_next(struct rg_fatbin_walk *walk, const struct rg_image *image, struct rg_fatbin_entry *out,
                    struct ridge_error *error);

bool rg_fatbin_is_packed(const struct rg_fatbin_entry *entry);

/** The packed bytes of one that is packed; fewer than it says where they do not lie in it. */
struct rg_packed rg_fatbin_packed(const struct rg_fatbin_entry *entry);

/** \return 'a' of sm_90a, 'f' of sm_100f, or 0. */
char rg_fatbin_suffix(const struct rg_fatbin_entry *entry);

#endif
