/* SPDX-License-Identifier: MIT */
/*
 * Fat binaries: containers of entries, several containers one behind the other. Source of the layout: measurements on
 * files of nvcc 13.0, recorded in docs/inspect.md.
 */
#include "binary/fatbin.h"

enum {
    CONTAINER_BYTES = 16, /* its header */
    CONTAINER_VERSION = 1,
    ENTRY_BYTES = 64, /* the least of its header */
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_SPECIFIC = 0x100000, /* sm_90a */
    FLAG_FAMILY = 0x200000    /* sm_100f */
};

bool rg_is_fatbin(struct rg_view bytes)
{
    static const uint8_t magic[4] = {0x50, 0xed, 0x55, 0xba};
    return rg_view_begins(bytes, magic, sizeof magic);
}

uint64_t rg_skip_padding(struct rg_view bytes, uint64_t from)
{
    uint64_t at = from;
    while (at < bytes.size && bytes.at[at] == 0) {
        at++;
    }
    return at;
}

static struct rg_fatbin_entry read_entry(struct rg_view header)
{
    return (struct rg_fatbin_entry){
        .kind = rg_view_u16(header, 0),
        .header_bytes = rg_view_u32(header, 4),
        .payload_bytes = rg_view_u64(header, 8),
        .packed_bytes = rg_view_u32(header, 16),
        .arch = rg_view_u32(header, 28),
        .flags = rg_view_u64(header, 40),
        .unpacked_bytes = rg_view_u64(header, 56),
    };
}

/** Open the container that begins here. */
static bool walk_open(struct rg_fatbin_walk *walk, const struct rg_image *image, struct ridge_error *error)
{
    const struct rg_view rest = rg_view_from(walk->bytes, walk->at);
    const uint64_t header_bytes = rg_view_u16(rest, 6);
    const uint64_t content_bytes = rg_view_u64(rest, 8);
    if (rg_view_u16(rest, 4) != CONTAINER_VERSION || header_bytes < CONTAINER_BYTES) {
        rg_image_error(image, error, walk->at, "a fat binary of version %u with a header of %llu bytes (1 with 16)",
                       rg_view_u16(rest, 4), (unsigned long long)header_bytes);
        return false;
    }
    if (!rg_view_holds(rest, header_bytes, content_bytes)) {
        rg_image_error(image, error, walk->at,
                       "the file is cut off or damaged: a fat binary of %llu bytes begins here, %zu are left",
                       (unsigned long long)content_bytes, rest.size);
        return false;
    }
    walk->end = walk->at + header_bytes + content_bytes;
    walk->at += header_bytes;
    walk->container++;
    walk->number = 0;
    return true;
}

bool rg_fatbin_next(struct rg_fatbin_walk *walk, const struct rg_image *image, struct rg_fatbin_entry *out,
                    struct ridge_error *error)
{
    while (walk->at == walk->end) {
        walk->at = rg_skip_padding(walk->bytes, walk->at);
        walk->end = walk->at;
        if (!rg_is_fatbin(rg_view_from(walk->bytes, walk->at)) || !walk_open(walk, image, error)) {
            return false;
        }
    }
    const struct rg_view container = rg_view_part(walk->bytes, 0, walk->end);
    const struct rg_view whole = rg_view_from(container, walk->at);
    struct rg_fatbin_entry entry = read_entry(rg_view_part(whole, 0, ENTRY_BYTES));
    walk->number++;
    if (entry.header_bytes < ENTRY_BYTES || !rg_view_holds(whole, entry.header_bytes, entry.payload_bytes)) {
        rg_image_error(image, error, walk->at, "entry %u of fat binary %u lies outside of its container", walk->number,
                       walk->container);
        return false;
    }
    entry.payload = rg_view_part(whole, entry.header_bytes, entry.payload_bytes);
    walk->at += entry.header_bytes + entry.payload_bytes;
    walk->entries++;
    *out = entry;
    return true;
}

bool rg_fatbin_is_packed(const struct rg_fatbin_entry *entry)
{
    return (entry->flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0;
}

struct rg_packed rg_fatbin_packed(const struct rg_fatbin_entry *entry)
{
    return (struct rg_packed){.codec = (entry->flags & FLAG_LZ4) ? RG_CODEC_LZ4 : RG_CODEC_ZSTD,
                              .bytes = rg_view_part(entry->payload, 0, entry->packed_bytes),
                              .unpacked_bytes = entry->unpacked_bytes};
}

char rg_fatbin_suffix(const struct rg_fatbin_entry *entry)
{
    if (entry->flags & FLAG_SPECIFIC) {
        return 'a';
    }
    return (entry->flags & FLAG_FAMILY) ? 'f' : '\0';
}
