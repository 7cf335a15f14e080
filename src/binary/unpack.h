/* SPDX-License-Identifier: MIT */
/**
 * \file Unpacking compressed images, with a limit on what a claim may make us allocate. Thread rule: one thread a
 * visit, one a decoder.
 */
#ifndef RG_BINARY_UNPACK_H
#define RG_BINARY_UNPACK_H

#include "binary/mapping.h"
#include "binary/visit.h"

enum {
    RG_UNPACK_MOST_BYTES = 1 << 29, /**< 512 MiB: the largest image that is unpacked */
    RG_UNPACK_LARGE_BYTES = 1 << 24 /**< 16 MiB: images above it go to a file where that can be had */
};

enum rg_codec {
    RG_CODEC_LZ4, /**< a raw block */
    RG_CODEC_ZSTD
};

/** \return its name, for people. */
const char *rg_codec_name(enum rg_codec codec);

/** What to unpack. */
struct rg_packed {
    enum rg_codec codec;
    struct rg_view bytes;
    uint64_t offset;         /**< of the bytes in the image, for messages */
    uint64_t unpacked_bytes; /**< as the file claims */
};

/** What was unpacked, in memory or, where there is none, in a mapped file without a name. All zero: nothing. */
struct rg_unpacked {
    struct rg_view bytes;
    void *memory;
    size_t capacity; /**< of the memory */
    struct rg_mapping file;
};

/** Refuse a claim that the bytes cannot hold, or that is more than may be unpacked. */
ridge_status rg_unpack_check(const struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed,
                             struct ridge_error *error);

/**
 * Unpack what was checked, into the memory of `out` where it is large enough, else into a file. Any thread.
 * \param[in,out] decoder  ZSTD_DCtx; made where it is NULL
 * \return false: the bytes are damaged, or memory or a file cannot be had
 */
bool rg_unpack_run(void **decoder, const struct rg_packed *packed, struct rg_unpacked *out);

/** Check and unpack, into a file or memory. \param[out] out  freed by rg_unpacked_free */
ridge_status rg_unpack(struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed,
                       struct rg_unpacked *out, struct ridge_error *error);

/** Free what was unpacked, and its memory. One that is all zero is fine. */
void rg_unpacked_free(const struct ridge_context *context, struct rg_unpacked *unpacked);

/** Free a decoder. NULL is fine. */
void rg_unpack_decoder_free(void *decoder);

#endif
