/* SPDX-License-Identifier: MIT */
#include "store/import_text.h"

#include <string.h>
#include <zlib.h>

#include "base/file.h"

struct rg_place rg_import_place(const struct rg_import_text *text, size_t offset)
{
    struct rg_place place = {.file = text->path, .text = text->text, .line = 1, .column = 1};
    for (size_t i = 0; i < offset && i < text->length; i++) {
        place.column = text->text[i] == '\n' ? 1 : place.column + 1;
        place.line += text->text[i] == '\n';
    }
    return place;
}

void rg_import_text_fini(struct rg_import_text *text)
{
    if (text->context) {
        rg_free(text->context, text->text, text->capacity);
        rg_free(text->context, text->records, text->record_capacity * sizeof *text->records);
    }
}

/** zlib takes its memory from an arena that ends with it. */
static voidpf packed_alloc(voidpf user, uInt count, uInt bytes)
{
    return rg_arena_array(user, count, bytes);
}

static void packed_free(voidpf user, voidpf block)
{
    (void)user;
    (void)block;
}

/** How long the unpacked text says it is: the last four bytes. A hint only. */
static size_t packed_hint(const char *bytes, size_t length, size_t most)
{
    size_t hint = 0;
    for (size_t i = 0; i < 4 && length >= 18; i++) {
        hint |= (size_t)(unsigned char)bytes[length - 4 + i] << (8 * i);
    }
    return hint < most && hint < length * 1100 ? hint : 65536;
}

/** Unpack until the stream ends. \return Z_STREAM_END, Z_BUF_ERROR for data that ends early, or what zlib says. */
static int inflate_all(struct rg_import_text *text, z_stream *stream, size_t most)
{
    int code = Z_OK;
    while (code == Z_OK && text->length <= most) {
        if (!rg_reserve(text->context, (void *)&text->text, &text->capacity, text->length + 4096, 1)) {
            return Z_MEM_ERROR;
        }
        const size_t room = text->capacity - text->length - 1;
        stream->next_out = (Bytef *)text->text + text->length;
        stream->avail_out = (uInt)(room < UINT32_MAX ? room : UINT32_MAX);
        const uInt before = stream->avail_out;
        code = inflate(stream, Z_NO_FLUSH);
        text->length += before - stream->avail_out;
        if (code == Z_STREAM_END && stream->avail_in > 0) {
            code = inflateReset(stream); /* another member follows */
        }
    }
    return code;
}

static ridge_status unpack(struct rg_import_text *text, struct rg_arena *arena, char *bytes, size_t length,
                           struct ridge_error *error)
{
    enum {
        GZIP_WINDOW = 15 + 16
    };
    const size_t most = text->context->max_input_bytes;
    const struct rg_place place = {.file = text->path};
    z_stream stream = {.zalloc = packed_alloc, .zfree = packed_free, .opaque = arena};
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)length;
    if (length > UINT32_MAX) {
        return rg_error_at(error, RIDGE_E_LIMIT, &place, "%zu packed bytes are too many", length);
    }
    const size_t hint = packed_hint(bytes, length, most) + 4097;
    if (!rg_reserve(text->context, (void *)&text->text, &text->capacity, hint, 1)) {
        return rg_error_memory(error, hint);
    }
    int code = inflateInit2(&stream, GZIP_WINDOW);
    if (code == Z_OK) {
        code = inflate_all(text, &stream, most);
        inflateEnd(&stream);
    }
    if (code == Z_MEM_ERROR) {
        return rg_error_memory(error, text->capacity);
    }
    if (text->length > most) {
        return rg_error_at(error, RIDGE_E_LIMIT, &place, "it unpacks to more than %zu bytes", most);
    }
    if (code != Z_STREAM_END && code != Z_BUF_ERROR) {
        return rg_error_at(error, RIDGE_E_SYNTAX, &place, "the gzip data is damaged: %s (copy the file again)",
                           stream.msg ? stream.msg : "it cannot be read");
    }
    text->packed_cut = code == Z_BUF_ERROR;
    text->text[text->length] = '\0';
    return RIDGE_OK;
}

ridge_status rg_import_text_copy(const struct ridge_context *context, const char *name, const char *bytes,
                                 size_t length, struct rg_import_text *text, struct ridge_error *error)
{
    *text = (struct rg_import_text){.context = context, .path = name};
    if (!rg_reserve(context, (void *)&text->text, &text->capacity, length + 1, 1)) {
        return rg_error_memory(error, length);
    }
    memcpy(text->text, bytes, length);
    text->text[length] = '\0';
    text->length = length;
    struct rg_sha256 hash;
    rg_sha256_init(&hash);
    rg_sha256_update(&hash, bytes, length);
    rg_sha256_final_hex(&hash, text->hash);
    return RIDGE_OK;
}

ridge_status rg_import_text_read(const struct ridge_context *context, const char *path, struct rg_import_text *text,
                                 struct ridge_error *error)
{
    *text = (struct rg_import_text){.context = context, .path = path};
    struct rg_arena arena;
    rg_arena_init(&arena, context);
    char *bytes = NULL;
    size_t length = 0;
    ridge_status status = rg_file_read(&arena, path, &bytes, &length, error);
    const bool packed =
        status == RIDGE_OK && length >= 2 && (unsigned char)bytes[0] == 0x1F && (unsigned char)bytes[1] == 0x8B;
    if (packed) {
        struct rg_sha256 hash;
        rg_sha256_init(&hash);
        rg_sha256_update(&hash, bytes, length);
        rg_sha256_final_hex(&hash, text->hash);
        status = unpack(text, &arena, bytes, length, error);
    } else if (status == RIDGE_OK) {
        status = rg_import_text_copy(context, path, bytes, length, text, error);
    }
    rg_arena_fini(&arena);
    return status;
}
