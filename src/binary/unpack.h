/* SPDX-License-Identifier: MIT */
/** \file Unpacking compressed images, with a limit on what a claim may make us allocate. One thread a visit. */
#ifndef RG_BINARY_UNPACK_H
#define RG_BINARY_UNPACK_H

#include "binary/visit.h"

enum {
    RG_UNPACK_MOST_BYTES = 1 << 29 /**< 512 MiB: the largest image that is unpacked */
};

enum rg_codec {
    RG_CODEC_LZ4, /**< a raw block */
    RG_CODEC_ZSTD
};

/** What to unpack. */
struct rg_packed {
    enum rg_codec codec;
    struct rg_view bytes;
    uint64_t offset;         /**< of the bytes in the image, for messages */
    uint64_t unpacked_bytes; /**< as the file claims */
};

/**
 * Unpack. A claim that the bytes cannot hold is refused before anything is allocated.
 * \param[out] out  `unpacked_bytes` of them, freed by rg_free
 */
ridge_status rg_unpack(struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed, void **out,
                       struct ridge_error *error);

/** Free what a visit keeps for unpacking. */
void rg_unpack_fini(struct rg_visit *visit);

#endif
