/* SPDX-License-Identifier: MIT */
#include "binary/unpack.h"

#include <lz4.h>
#include <zstd.h>

/** \return the most bytes that `size` packed bytes can hold. */
static uint64_t most_bytes(enum rg_codec codec, uint64_t size)
{
    uint64_t most = 0;
    if (codec == RG_CODEC_LZ4) {
        /* Source: LZ4 block format: a byte of a length adds 255 at most. */
        return __builtin_mul_overflow(size, UINT64_C(255), &most) ? UINT64_MAX : most;
    }
    /* Source: RFC 8878, 3.1.1.2: a block has a header of 3 bytes and 1 byte at least, and 128 KiB at most. */
    return __builtin_mul_overflow(size / 4 + 1, UINT64_C(131072), &most) ? UINT64_MAX : most;
}

static ridge_status check_claim(const struct rg_visit *visit, const struct rg_image *image,
                                const struct rg_packed *packed, struct ridge_error *error)
{
    const uint64_t most = most_bytes(packed->codec, packed->bytes.size);
    if (packed->unpacked_bytes > most) {
        return rg_image_error(image, error, packed->offset, "%zu packed bytes claim to hold %llu (at most %llu)",
                              packed->bytes.size, (unsigned long long)packed->unpacked_bytes, (unsigned long long)most);
    }
    if (packed->unpacked_bytes > RG_UNPACK_MOST_BYTES || packed->bytes.size > RG_UNPACK_MOST_BYTES) {
        return rg_image_error(image, error, packed->offset, "an image of %llu bytes is too large (at most %d)",
                              (unsigned long long)packed->unpacked_bytes, RG_UNPACK_MOST_BYTES);
    }
    if (packed->unpacked_bytes > visit->unpack_left) {
        return rg_image_error(
            image, error, packed->offset,
            "the images of the file unpack to absurdly much (1024 times its size and 64 MiB at most)");
    }
    return RIDGE_OK;
}

/** \return the bytes written, or -1 for damaged input. */
static int64_t unpack_into(struct rg_visit *visit, const struct rg_packed *packed, void *to)
{
    const size_t room = (size_t)packed->unpacked_bytes;
    if (packed->codec == RG_CODEC_LZ4) {
        return LZ4_decompress_safe((const char *)packed->bytes.at, to, (int)packed->bytes.size, (int)room);
    }
    const size_t written = ZSTD_decompressDCtx(visit->unpacker, to, room, packed->bytes.at, packed->bytes.size);
    return ZSTD_isError(written) ? -1 : (int64_t)written;
}

ridge_status rg_unpack(struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed, void **out,
                       struct ridge_error *error)
{
    static const char *const names[] = {[RG_CODEC_LZ4] = "LZ4", [RG_CODEC_ZSTD] = "zstd"};
    const ridge_status status = check_claim(visit, image, packed, error);
    if (status != RIDGE_OK) {
        return status;
    }
    if (packed->unpacked_bytes == 0) {
        return rg_image_error(image, error, packed->offset, "a packed image that claims to hold nothing");
    }
    const size_t room = (size_t)packed->unpacked_bytes;
    void *to = rg_resize(visit->context, NULL, 0, room);
    visit->unpacker = visit->unpacker ? visit->unpacker : ZSTD_createDCtx();
    if (!to || !visit->unpacker) {
        rg_free(visit->context, to, room);
        return rg_error_memory(error, room);
    }
    visit->unpack_left -= room;
    const int64_t written = unpack_into(visit, packed, to);
    if (written != (int64_t)room) {
        rg_free(visit->context, to, room);
        return rg_image_error(image, error, packed->offset,
                              "damaged %s data: %zu packed bytes that should hold %zu (is the file cut off?)",
                              names[packed->codec], packed->bytes.size, room);
    }
    *out = to;
    return RIDGE_OK;
}

void rg_unpack_fini(struct rg_visit *visit)
{
    ZSTD_freeDCtx(visit->unpacker);
    visit->unpacker = NULL;
}
