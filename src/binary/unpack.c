/* SPDX-License-Identifier: MIT */
#include "binary/unpack.h"

#include <fcntl.h>
#include <lz4.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

enum {
    CHUNK_BYTES = 1 << 17,
    WINDOW_LOG_MOST = 23 /* 8 MiB: what unpacking into a file may remember beside it */
};

const char *rg_codec_name(enum rg_codec codec)
{
    static const char *const names[] = {[RG_CODEC_LZ4] = "LZ4", [RG_CODEC_ZSTD] = "zstd"};
    return names[codec];
}

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

/** \return whether it is one that goes to a file. */
static bool is_large(const struct rg_packed *packed)
{
    return packed->codec == RG_CODEC_ZSTD && packed->unpacked_bytes > RG_UNPACK_LARGE_BYTES;
}

ridge_status rg_unpack_check(const struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed,
                             struct ridge_error *error)
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
    if (packed->unpacked_bytes == 0) {
        return rg_image_error(image, error, packed->offset, "a packed image that claims to hold nothing");
    }
    return RIDGE_OK;
}

/** \return a file without a name, on a disk where there is one, or -1. */
static int file_make(uint64_t bytes)
{
    static const char *const folders[] = {"/var/tmp", "/tmp"};
    struct rlimit most;
    if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur < bytes) {
        return -1; /* writing more than that would end the program */
    }
    int descriptor = -1;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && descriptor < 0; i++) {
        descriptor = open(folders[i], O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    }
    return descriptor;
}

/** Unpack piece by piece. \return whether the file now has as many bytes as were claimed, and the frame has ended */
static bool write_unpacked(ZSTD_DCtx *decoder, const struct rg_packed *packed, int descriptor)
{
    char chunk[CHUNK_BYTES];
    ZSTD_inBuffer in = {packed->bytes.at, packed->bytes.size, 0};
    uint64_t written = 0;
    size_t hint = 1;
    while (hint != 0 && written <= packed->unpacked_bytes) {
        ZSTD_outBuffer out = {chunk, sizeof chunk, 0};
        const size_t read_before = in.pos;
        hint = ZSTD_decompressStream(decoder, &out, &in);
        const bool stands_still = out.pos == 0 && in.pos == read_before;
        if (ZSTD_isError(hint) || stands_still || write(descriptor, chunk, out.pos) != (ssize_t)out.pos) {
            return false;
        }
        written += out.pos;
    }
    return written == packed->unpacked_bytes && in.pos == in.size;
}

/** Unpack into a file, whose pages the system may take back, with a decoder that is not kept: it holds a window. */
static bool unpack_to_file(const struct rg_packed *packed, struct rg_unpacked *out)
{
    const int descriptor = file_make(packed->unpacked_bytes);
    ZSTD_DCtx *decoder = descriptor >= 0 ? ZSTD_createDCtx() : NULL;
    const bool fine = decoder && !ZSTD_isError(ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, WINDOW_LOG_MOST)) &&
                      write_unpacked(decoder, packed, descriptor) &&
                      rg_mapping_of(descriptor, (size_t)packed->unpacked_bytes, &out->file);
    ZSTD_freeDCtx(decoder);
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    return fine;
}

/** \return whether the memory now holds as many bytes as were claimed. */
static bool unpack_to_memory(void **decoder, const struct rg_packed *packed, void *to)
{
    const size_t room = (size_t)packed->unpacked_bytes;
    if (packed->codec == RG_CODEC_LZ4) {
        return LZ4_decompress_safe((const char *)packed->bytes.at, to, (int)packed->bytes.size, (int)room) == (int)room;
    }
    *decoder = *decoder ? *decoder : ZSTD_createDCtx();
    return *decoder && ZSTD_decompressDCtx(*decoder, to, room, packed->bytes.at, packed->bytes.size) == room;
}

bool rg_unpack_run(void **decoder, const struct rg_packed *packed, struct rg_unpacked *out)
{
    const bool in_memory = out->capacity >= packed->unpacked_bytes;
    if (!(in_memory ? unpack_to_memory(decoder, packed, out->memory) : unpack_to_file(packed, out))) {
        return false;
    }
    out->bytes = (struct rg_view){in_memory ? out->memory : out->file.memory, (size_t)packed->unpacked_bytes};
    return true;
}

ridge_status rg_unpack(struct rg_visit *visit, const struct rg_image *image, const struct rg_packed *packed,
                       struct rg_unpacked *out, struct ridge_error *error)
{
    const ridge_status status = rg_unpack_check(visit, image, packed, error);
    const size_t room = (size_t)packed->unpacked_bytes;
    struct rg_unpacked made = {0};
    if (status != RIDGE_OK) {
        return status;
    }
    visit->unpack_left -= room;
    bool fine = is_large(packed) && rg_unpack_run(&visit->decoder, packed, &made);
    if (!fine) {
        made.memory = rg_resize(visit->context, NULL, 0, room);
        made.capacity = made.memory ? room : 0;
        fine = made.memory && rg_unpack_run(&visit->decoder, packed, &made);
    }
    if (!fine) {
        const bool out_of_memory = !made.memory || (packed->codec == RG_CODEC_ZSTD && !visit->decoder);
        rg_unpacked_free(visit->context, &made);
        return out_of_memory
                   ? rg_error_memory(error, room)
                   : rg_image_error(image, error, packed->offset,
                                    "damaged %s data: %zu packed bytes that should hold %zu (is the file cut off?)",
                                    rg_codec_name(packed->codec), packed->bytes.size, room);
    }
    *out = made;
    return RIDGE_OK;
}

void rg_unpacked_free(const struct ridge_context *context, struct rg_unpacked *unpacked)
{
    rg_free(context, unpacked->memory, unpacked->capacity);
    rg_mapping_close(&unpacked->file);
    *unpacked = (struct rg_unpacked){0};
}

void rg_unpack_decoder_free(void *decoder)
{
    ZSTD_freeDCtx(decoder);
}
