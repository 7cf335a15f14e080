/* SPDX-License-Identifier: MIT */
#include "text/gunzip.h"

#include <string.h>

#define ZLIB_CONST /* input that it only reads */
#include <zlib.h>

#include "base/checked.h"

/** What zlib hands back to the two functions below. */
struct owner {
    const struct ridge_context *context;
};

static void *zlib_alloc(void *owner, unsigned count, unsigned bytes)
{
    /* zlib frees without a size, so that it is kept in front, in a cell that keeps the alignment. */
    size_t whole;
    if (!rg_multiply_size(count, bytes, &whole) || !rg_add_size(whole, sizeof(max_align_t), &whole)) {
        return NULL;
    }
    char *block = rg_alloc(((const struct owner *)owner)->context, whole);
    if (!block) {
        return NULL;
    }
    memcpy(block, &whole, sizeof whole);
    return block + sizeof(max_align_t);
}

static void zlib_free(void *owner, void *address)
{
    if (address) {
        char *block = (char *)address - sizeof(max_align_t);
        size_t whole;
        memcpy(&whole, block, sizeof whole);
        rg_free(((const struct owner *)owner)->context, block, whole);
    }
}

bool rg_is_gzip(const char *bytes, size_t length)
{
    return length >= 2 && (unsigned char)bytes[0] == 0x1F && (unsigned char)bytes[1] == 0x8B;
}

/** Inflate into a growing block. \return zlib's last answer: Z_STREAM_END when all went well. */
static int inflate_all(const struct ridge_context *context, z_stream *stream, char **text, size_t *capacity)
{
    int answer = Z_OK;
    while (answer == Z_OK) {
        if (!rg_reserve(context, text, capacity, (size_t)stream->total_out + 65536, 1)) {
            return Z_MEM_ERROR;
        }
        stream->next_out = (unsigned char *)*text + stream->total_out;
        stream->avail_out = 65536;
        answer = inflate(stream, Z_NO_FLUSH);
        if (stream->total_out > context->max_input_bytes) {
            return Z_BUF_ERROR;
        }
    }
    return answer;
}

static ridge_status explain(const char *name, int answer, size_t length, size_t most, struct ridge_error *error)
{
    const struct rg_place place = {.file = name};
    if (answer == Z_MEM_ERROR) {
        return rg_error_memory(error, length);
    }
    if (length > most) {
        return rg_error_at(error, RIDGE_E_LIMIT, &place, "unpacked it has too many bytes (at most %zu)", most);
    }
    return rg_error_at(error, RIDGE_E_SYNTAX, &place,
                       "the gzip data is damaged or cut off behind %zu unpacked bytes (copy the file again)", length);
}

ridge_status rg_gunzip(struct rg_arena *arena, const char *name, const char *bytes, size_t length, char **text,
                       size_t *out_length, struct ridge_error *error)
{
    static const int gzip_window = 15 + 16;
    const struct ridge_context *context = arena->context;
    struct owner owner = {context};
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = &owner};
    stream.next_in = (const unsigned char *)bytes;
    stream.avail_in = length < UINT32_MAX ? (unsigned)length : UINT32_MAX;
    if (inflateInit2(&stream, gzip_window) != Z_OK) {
        return rg_error_memory(error, length);
    }
    char *block = NULL;
    size_t capacity = 0;
    const int answer = inflate_all(context, &stream, &block, &capacity);
    const size_t unpacked = stream.total_out;
    inflateEnd(&stream);
    char *copy = answer == Z_STREAM_END ? rg_arena_copy(arena, block, unpacked) : NULL;
    rg_free(context, block, capacity);
    if (!copy) {
        return explain(name, answer == Z_STREAM_END ? Z_MEM_ERROR : answer, unpacked, context->max_input_bytes, error);
    }
    *text = copy;
    *out_length = unpacked;
    return RIDGE_OK;
}
