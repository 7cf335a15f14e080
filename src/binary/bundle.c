/* SPDX-License-Identifier: MIT */
/*
 * Offload bundles: code for several targets, one behind the other, plain or packed. Source: LLVM, "Clang Offload
 * Bundler", checked against clang-offload-bundler 14 (plain) and by files of our own (packed, version 2).
 */
#include <stdio.h>

#include "binary/bundle.h"
#include "binary/elf64.h"
#include "binary/fatbin.h"
#include "binary/unpack.h"

enum {
    MAGIC_BYTES = 24,
    PACKED_HEADER_BYTES = 24,
    PACKED_VERSION = 2,
    METHOD_ZSTD = 1
};

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";

bool rg_is_bundle(struct rg_view bytes)
{
    return rg_view_begins(bytes, magic, MAGIC_BYTES);
}

bool rg_is_packed_bundle(struct rg_view bytes)
{
    return rg_view_begins(bytes, "CCOB", 4);
}

struct bundle_entry {
    struct rg_view bytes;
    char id[128]; /* "hipv4-amdgcn-amd-amdhsa--gfx90a" */
};

/** Take the entry at `*at` of the table. \return false when it lies outside */
static bool next_entry(struct rg_view bundle, uint64_t *at, struct bundle_entry *out)
{
    const uint64_t offset = rg_view_u64(bundle, *at);
    const uint64_t size = rg_view_u64(bundle, *at + 8);
    const uint64_t id_bytes = rg_view_u64(bundle, *at + 16);
    if (!rg_view_holds(bundle, *at, 24) || !rg_view_holds(bundle, *at + 24, id_bytes) ||
        !rg_view_holds(bundle, offset, size)) {
        return false;
    }
    const struct rg_view id = rg_view_part(bundle, *at + 24, id_bytes);
    const size_t kept = id.size < sizeof out->id - 1 ? id.size : sizeof out->id - 1;
    if (kept > 0) {
        memcpy(out->id, id.at, kept);
    }
    out->id[kept] = '\0';
    out->bytes = rg_view_part(bundle, offset, size);
    *at += 24 + id_bytes;
    return true;
}

static ridge_status read_entry(struct rg_visit *visit, const struct rg_image *image, const struct bundle_entry *entry,
                               struct ridge_error *error)
{
    char place[RG_PLACE_BYTES];
    struct rg_image inner = *image;
    snprintf(place, sizeof place, "%.100s%sbundle %u, %s", image->place, image->place[0] ? ", " : "", visit->container,
             entry->id);
    inner.bytes = entry->bytes;
    inner.place = place;
    inner.alone = true;
    if (entry->bytes.size == 0) {
        return RIDGE_OK; /* a bundle of device code alone has an empty entry for the host */
    }
    if (strncmp(entry->id, "host", 4) == 0) {
        rg_visit_image(visit, &inner, "host code", entry->id);
        return RIDGE_OK;
    }
    struct ridge_error problem = {0};
    const ridge_status status = rg_image_read(visit, &inner, &problem);
    return rg_image_carry(visit, status, &problem, error);
}

/** Read one bundle. \param[out] end  the offset behind its last entry */
static ridge_status read_bundle(struct rg_visit *visit, const struct rg_image *image, struct rg_view bundle,
                                uint64_t *end, struct ridge_error *error)
{
    const uint64_t base = (uint64_t)(bundle.at - image->bytes.at);
    const uint64_t count = rg_view_u64(bundle, MAGIC_BYTES);
    uint64_t at = MAGIC_BYTES + 8;
    uint64_t behind = at;
    uint64_t left = bundle.size;
    visit->container++;
    for (uint64_t i = 0; i < count && !visit->stopped; i++) {
        struct bundle_entry entry;
        const uint64_t begin = at;
        if (!next_entry(bundle, &at, &entry)) {
            return rg_image_error(
                image, error, base + begin,
                "the file is cut off or damaged: entry %llu of %llu lies outside of the bundle of %zu "
                "bytes",
                (unsigned long long)i + 1, (unsigned long long)count, bundle.size);
        }
        if (entry.bytes.size > left) {
            return rg_image_error(image, error, base + begin, "entries of the bundle overlap");
        }
        left -= entry.bytes.size;
        const ridge_status status = read_entry(visit, image, &entry, error);
        if (status != RIDGE_OK) {
            return status;
        }
        const uint64_t entry_end = entry.bytes.at ? (uint64_t)(entry.bytes.at - bundle.at) + entry.bytes.size : 0;
        behind = entry_end > behind ? entry_end : behind;
        behind = at > behind ? at : behind;
    }
    *end = base + behind;
    return RIDGE_OK;
}

ridge_status rg_bundle_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error)
{
    uint64_t at = 0;
    while (at < image->bytes.size && !visit->stopped) {
        const struct rg_view rest = rg_view_from(image->bytes, at);
        if (!rg_is_bundle(rest)) {
            break;
        }
        const ridge_status status = read_bundle(visit, image, rest, &at, error);
        if (status != RIDGE_OK) {
            return status;
        }
        at = rg_skip_padding(image->bytes, at);
    }
    *end = at;
    return RIDGE_OK;
}

static ridge_status check_packed(const struct rg_image *image, struct ridge_error *error)
{
    const uint16_t version = rg_view_u16(image->bytes, 4);
    const uint16_t method = rg_view_u16(image->bytes, 6);
    if (version != PACKED_VERSION) {
        return rg_image_error(image, error, 4,
                              "a compressed bundle (CCOB v%u), which is not read (version 2 is): rebuild with "
                              "--no-offload-compress, or unpack it with clang-offload-bundler --unbundle",
                              version);
    }
    if (image->bytes.size < PACKED_HEADER_BYTES) {
        return rg_image_error(image, error, image->bytes.size, "the file is cut off in its header (24 bytes)");
    }
    if (method != METHOD_ZSTD) {
        return rg_image_error(
            image, error, 6,
            "a compressed bundle (CCOB v2) of method %u, which is not read (1, zstd, is): rebuild with "
            "--no-offload-compress",
            method);
    }
    return RIDGE_OK;
}

/** Read the packed bundle that `image` begins with. \param[out] total  its bytes */
static ridge_status read_packed(struct rg_visit *visit, const struct rg_image *image, uint64_t *total,
                                struct ridge_error *error)
{
    ridge_status status = check_packed(image, error);
    if (status != RIDGE_OK) {
        return status;
    }
    *total = rg_view_u32(image->bytes, 8);
    if (*total < PACKED_HEADER_BYTES || *total > image->bytes.size) {
        return rg_image_error(image, error, image->bytes.size,
                              "the file is cut off: a compressed bundle of %llu bytes, of which %zu are there",
                              (unsigned long long)*total, image->bytes.size);
    }
    const struct rg_packed packed = {.codec = RG_CODEC_ZSTD,
                                     .bytes =
                                         rg_view_part(image->bytes, PACKED_HEADER_BYTES, *total - PACKED_HEADER_BYTES),
                                     .offset = PACKED_HEADER_BYTES,
                                     .unpacked_bytes = rg_view_u32(image->bytes, 12)};
    struct rg_unpacked unpacked = {0};
    status = rg_unpack(visit, image, &packed, &unpacked, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_image inner = *image;
    inner.bytes = unpacked.bytes;
    inner.mapped = false;
    inner.codec = rg_codec_name(packed.codec);
    status = rg_image_read(visit, &inner, error);
    rg_unpacked_free(visit->context, &unpacked);
    return status;
}

ridge_status rg_packed_bundle_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error)
{
    struct rg_image rest = *image;
    while (rg_is_packed_bundle(rest.bytes) && !visit->stopped) {
        uint64_t total = 0;
        const ridge_status status = read_packed(visit, &rest, &total, error);
        if (status != RIDGE_OK) {
            return status;
        }
        rest.bytes = rg_view_from(rest.bytes, rg_skip_padding(rest.bytes, total));
    }
    *end = image->bytes.size - rest.bytes.size;
    return RIDGE_OK;
}
