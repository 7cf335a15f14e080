/* SPDX-License-Identifier: MIT */
/*
 * Fat binaries: containers of entries, several containers one behind the other. Source of the layout: measurements on
 * files of nvcc 13.0, recorded in docs/inspect.md.
 */
#include <stdio.h>

#include "binary/fatbin.h"
#include "binary/unpack.h"

enum {
    CONTAINER_BYTES = 16, /* its header */
    CONTAINER_VERSION = 1,
    ENTRY_BYTES = 64, /* the least of its header */
    KIND_PTX = 1,
    KIND_CUBIN = 2,
    KIND_LTO = 8,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_SPECIFIC = 0x100000, /* sm_90a */
    FLAG_FAMILY = 0x200000,   /* sm_100f */
    DROP_BYTES = 1 << 20      /* pages that were read are dropped by so many */
};

struct entry {
    uint16_t kind;
    uint64_t header_bytes;
    uint64_t payload_bytes; /* padded */
    uint64_t packed_bytes;
    uint64_t unpacked_bytes;
    uint64_t flags;
    uint32_t arch;
};

static struct entry read_entry(struct rg_view header)
{
    return (struct entry){
        .kind = rg_view_u16(header, 0),
        .header_bytes = rg_view_u32(header, 4),
        .payload_bytes = rg_view_u64(header, 8),
        .packed_bytes = rg_view_u32(header, 16),
        .arch = rg_view_u32(header, 28),
        .flags = rg_view_u64(header, 40),
        .unpacked_bytes = rg_view_u64(header, 56),
    };
}

static char suffix_of(const struct entry *entry)
{
    if (entry->flags & FLAG_SPECIFIC) {
        return 'a';
    }
    return (entry->flags & FLAG_FAMILY) ? 'f' : '\0';
}

static const char *codec_of(const struct entry *entry)
{
    return (entry->flags & FLAG_LZ4) ? "LZ4" : (entry->flags & FLAG_ZSTD) ? "zstd" : "";
}

/** Tell an entry as its header describes it. */
static void tell_entry(struct rg_visit *visit, const struct rg_image *image, const struct entry *entry)
{
    static const char *const kinds[] = {[KIND_PTX] = "PTX", [KIND_CUBIN] = "cubin", [KIND_LTO] = "LTO IR"};
    char unknown[32];
    char target[32];
    const char suffix[2] = {suffix_of(entry), '\0'};
    const bool is_known = entry->kind <= KIND_LTO && kinds[entry->kind];
    snprintf(unknown, sizeof unknown, "unknown kind %u", entry->kind);
    snprintf(target, sizeof target, "%s%u%s", entry->kind == KIND_PTX ? "compute_" : "sm_", entry->arch, suffix);
    struct rg_image told = *image;
    told.stored_bytes = image->codec[0] ? entry->packed_bytes : image->bytes.size;
    told.unpacked_bytes = image->codec[0] ? entry->unpacked_bytes : image->bytes.size;
    rg_visit_image(visit, &told, is_known ? kinds[entry->kind] : unknown, target);
}

static ridge_status read_packed(struct rg_visit *visit, struct rg_image *image, const struct entry *entry,
                                struct ridge_error *error)
{
    const struct rg_packed packed = {.codec = (entry->flags & FLAG_LZ4) ? RG_CODEC_LZ4 : RG_CODEC_ZSTD,
                                     .bytes = rg_view_part(image->bytes, 0, entry->packed_bytes),
                                     .unpacked_bytes = entry->unpacked_bytes};
    void *unpacked = NULL;
    if (packed.bytes.size != entry->packed_bytes) {
        return rg_image_error(image, error, 0, "%llu packed bytes in an entry of %zu",
                              (unsigned long long)entry->packed_bytes, image->bytes.size);
    }
    const ridge_status status = rg_unpack(visit, image, &packed, &unpacked, error);
    if (status != RIDGE_OK) {
        return status;
    }
    struct rg_image inner = *image;
    inner.bytes = (struct rg_view){unpacked, (size_t)packed.unpacked_bytes};
    inner.mapped = false;
    const ridge_status read = rg_image_read(visit, &inner, error);
    rg_free(visit->context, unpacked, (size_t)packed.unpacked_bytes);
    return read;
}

/** Read one entry with its payload. */
static ridge_status read_payload(struct rg_visit *visit, struct rg_image *image, const struct entry *entry,
                                 struct ridge_error *error)
{
    static const uint8_t elf_magic[] = {0x7f, 'E', 'L', 'F'};
    if (entry->kind != KIND_CUBIN || !visit->kernel) {
        tell_entry(visit, image, entry);
        return RIDGE_OK;
    }
    image->target_suffix = suffix_of(entry);
    if (entry->flags & (FLAG_LZ4 | FLAG_ZSTD)) {
        return read_packed(visit, image, entry, error);
    }
    if (!rg_view_begins(image->bytes, elf_magic, sizeof elf_magic)) {
        return rg_image_error(image, error, 0,
                              "packed in a way that is not known (flags 0x%llx; raw, LZ4 and zstd are read)",
                              (unsigned long long)entry->flags);
    }
    return rg_image_read(visit, image, error);
}

/** Drop pages behind us, so that a large file does not fill the memory. */
static void drop_read(struct rg_visit *visit, const struct rg_image *image, const uint8_t *end)
{
    if (!image->mapped) {
        return;
    }
    if (!visit->dropped || visit->dropped > end) {
        visit->dropped = image->bytes.at;
    }
    if (end - visit->dropped >= DROP_BYTES) {
        rg_mapping_drop(visit->dropped, end);
        visit->dropped = end;
    }
}

/** Read the entries of one container. \param container  with its header */
static ridge_status read_container(struct rg_visit *visit, const struct rg_image *image, struct rg_view container,
                                   struct ridge_error *error)
{
    const uint64_t base = (uint64_t)(container.at - image->bytes.at);
    const unsigned number = ++visit->container;
    uint64_t at = rg_view_u16(container, 6);
    for (unsigned i = 1; at < container.size && !visit->stopped; i++) {
        char place[RG_PLACE_BYTES];
        const struct entry entry = read_entry(rg_view_part(container, at, ENTRY_BYTES));
        const struct rg_view whole = rg_view_from(container, at);
        if (entry.header_bytes < ENTRY_BYTES || !rg_view_holds(whole, entry.header_bytes, entry.payload_bytes)) {
            return rg_image_error(image, error, base + at, "entry %u of fat binary %u lies outside of its container", i,
                                  number);
        }
        snprintf(place, sizeof place, "%.150s%sfatbin %u, entry %u", image->place, image->place[0] ? ", " : "", number,
                 i);
        struct rg_image inner = *image;
        inner.bytes = rg_view_part(whole, entry.header_bytes, entry.payload_bytes);
        inner.place = place;
        inner.codec = codec_of(&entry);
        struct ridge_error problem = {0};
        const ridge_status status = read_payload(visit, &inner, &entry, &problem);
        const ridge_status carried = rg_image_carry(visit, status, &problem, error);
        if (carried != RIDGE_OK) {
            return carried;
        }
        at += entry.header_bytes + entry.payload_bytes;
        drop_read(visit, image, container.at + (at < container.size ? at : container.size));
    }
    return RIDGE_OK;
}

bool rg_is_fatbin(struct rg_view bytes)
{
    static const uint8_t magic[4] = {0x50, 0xed, 0x55, 0xba};
    return rg_view_begins(bytes, magic, sizeof magic);
}

static ridge_status check_container(const struct rg_image *image, uint64_t at, struct rg_view *out,
                                    struct ridge_error *error)
{
    const struct rg_view rest = rg_view_from(image->bytes, at);
    const uint64_t header_bytes = rg_view_u16(rest, 6);
    const uint64_t content_bytes = rg_view_u64(rest, 8);
    if (!rg_is_fatbin(rest)) {
        return rg_image_error(image, error, at, "no fat binary begins here (magic 0xba55ed50)");
    }
    if (rg_view_u16(rest, 4) != CONTAINER_VERSION || header_bytes < CONTAINER_BYTES) {
        return rg_image_error(image, error, at, "a fat binary of version %u with a header of %llu bytes (1 with 16)",
                              rg_view_u16(rest, 4), (unsigned long long)header_bytes);
    }
    if (!rg_view_holds(rest, header_bytes, content_bytes)) {
        return rg_image_error(image, error, at,
                              "the file is cut off or damaged: a fat binary of %llu bytes begins here, %zu are left",
                              (unsigned long long)content_bytes, rest.size);
    }
    *out = rg_view_part(rest, 0, header_bytes + content_bytes);
    return RIDGE_OK;
}

uint64_t rg_skip_padding(struct rg_view bytes, uint64_t from)
{
    uint64_t at = from;
    while (at < bytes.size && bytes.at[at] == 0) {
        at++;
    }
    const uint64_t aligned = at < bytes.size ? at & ~(uint64_t)7 : at;
    return aligned > from ? aligned : from;
}

ridge_status rg_fatbin_read(struct rg_visit *visit, const struct rg_image *image, struct ridge_error *error)
{
    uint64_t at = 0;
    while (at < image->bytes.size && !visit->stopped) {
        struct rg_view container = {NULL, 0};
        struct ridge_error problem = {0};
        ridge_status status = check_container(image, at, &container, &problem);
        if (status != RIDGE_OK) {
            /* Behind one that was good, it is a warning: what was read stands. */
            return at == 0 ? rg_image_fail(&problem, error) : rg_image_carry(visit, status, &problem, error);
        }
        status = read_container(visit, image, container, error);
        if (status != RIDGE_OK) {
            return status;
        }
        at = rg_skip_padding(image->bytes, at + container.size);
    }
    return RIDGE_OK;
}
