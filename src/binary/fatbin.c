/* SPDX-License-Identifier: MIT */
/* What is read of the entries of fat binaries. */
#include <stdio.h>

#include "binary/ahead.h"
#include "binary/fatbin.h"

enum {
    DROP_BYTES = 1 << 20,  /* pages that were read are dropped by so many */
    AHEAD_BYTES = 4 << 20, /* how far the look ahead goes: what it passes comes into memory */
    TARGET_BYTES = 32
};

static void write_target(const struct rg_fatbin_entry *entry, char out[TARGET_BYTES])
{
    const char suffix[2] = {rg_fatbin_suffix(entry), '\0'};
    snprintf(out, TARGET_BYTES, "%s%u%s", entry->kind == RG_FATBIN_PTX ? "compute_" : "sm_", entry->arch, suffix);
}

static const char *codec_of(const struct rg_fatbin_entry *entry)
{
    return rg_fatbin_is_packed(entry) ? rg_codec_name(rg_fatbin_packed(entry).codec) : "";
}

/** Tell an entry as its header describes it. */
static void tell_entry(struct rg_visit *visit, const struct rg_image *image, const struct rg_fatbin_entry *entry)
{
    static const char *const kinds[] = {
        [RG_FATBIN_PTX] = "PTX", [RG_FATBIN_CUBIN] = "cubin", [RG_FATBIN_LTO] = "LTO IR"};
    char unknown[32];
    char target[TARGET_BYTES];
    const bool is_known = entry->kind <= RG_FATBIN_LTO && kinds[entry->kind];
    snprintf(unknown, sizeof unknown, "unknown kind %u", entry->kind);
    write_target(entry, target);
    struct rg_image told = *image;
    told.stored_bytes = image->codec[0] ? entry->packed_bytes : image->bytes.size;
    told.unpacked_bytes = image->codec[0] ? entry->unpacked_bytes : image->bytes.size;
    rg_visit_image(visit, &told, is_known ? kinds[entry->kind] : unknown, target);
}

/** \return whether kernels are to be read from an entry. */
static bool is_wanted(const struct rg_visit *visit, const struct rg_fatbin_entry *entry)
{
    char target[TARGET_BYTES];
    write_target(entry, target);
    return entry->kind == RG_FATBIN_CUBIN && visit->kernel && rg_visit_wants(visit, target);
}

static ridge_status read_packed(struct rg_visit *visit, const struct rg_image *image,
                                const struct rg_fatbin_entry *entry, struct ridge_error *error)
{
    const struct rg_packed packed = rg_fatbin_packed(entry);
    struct rg_image inner = *image;
    inner.mapped = false;
    if (packed.bytes.size != entry->packed_bytes) {
        return rg_image_error(image, error, 0, "%llu packed bytes in an entry of %zu",
                              (unsigned long long)entry->packed_bytes, image->bytes.size);
    }
    ridge_status status = rg_ahead_take(visit, image, &packed, &inner.bytes, error);
    status = status == RIDGE_OK ? rg_image_read(visit, &inner, error) : status;
    rg_ahead_release(visit);
    return status;
}

/** Read the payload of an entry. */
static ridge_status read_payload(struct rg_visit *visit, struct rg_image *image, const struct rg_fatbin_entry *entry,
                                 struct ridge_error *error)
{
    static const uint8_t elf_magic[4] = {0x7f, 'E', 'L', 'F'};
    if (entry->kind != RG_FATBIN_CUBIN || !visit->kernel) {
        tell_entry(visit, image, entry);
        return RIDGE_OK;
    }
    if (!is_wanted(visit, entry)) {
        return RIDGE_OK;
    }
    image->target_suffix = rg_fatbin_suffix(entry);
    if (rg_fatbin_is_packed(entry)) {
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

/** Have entries unpacked that `walk` will come to. What is damaged is left for it to find. */
static void look_ahead(struct rg_visit *visit, const struct rg_image *image, const struct rg_fatbin_walk *walk,
                       struct rg_fatbin_walk *ahead)
{
    if (ahead->entries < walk->entries) {
        *ahead = *walk;
    }
    while (ahead->at <= walk->at + AHEAD_BYTES) {
        struct rg_fatbin_walk next = *ahead;
        struct rg_fatbin_entry entry;
        if (!rg_fatbin_next(&next, image, &entry, NULL)) {
            return;
        }
        const struct rg_packed packed = rg_fatbin_packed(&entry);
        const bool is_ready = rg_fatbin_is_packed(&entry) && packed.bytes.size == entry.packed_bytes &&
                              rg_ahead_suits(&packed) && is_wanted(visit, &entry);
        if (is_ready && !rg_ahead_push(visit, &packed)) {
            return;
        }
        *ahead = next;
    }
}

static ridge_status read_one(struct rg_visit *visit, const struct rg_image *image, const struct rg_fatbin_walk *walk,
                             const struct rg_fatbin_entry *entry, struct ridge_error *error)
{
    char place[RG_PLACE_BYTES];
    snprintf(place, sizeof place, "%.150s%sfatbin %u, entry %u", image->place, image->place[0] ? ", " : "",
             walk->container, walk->number);
    struct rg_image inner = *image;
    inner.bytes = entry->payload;
    inner.place = place;
    inner.alone = true;
    inner.codec = codec_of(entry);
    struct ridge_error problem = {0};
    const ridge_status status = read_payload(visit, &inner, entry, &problem);
    return rg_image_carry(visit, status, &problem, error);
}

ridge_status rg_fatbin_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error)
{
    struct rg_fatbin_walk walk = {.bytes = image->bytes, .container = visit->container};
    struct rg_fatbin_walk ahead = walk;
    struct rg_fatbin_entry entry;
    struct ridge_error problem = {0};
    ridge_status status = RIDGE_OK;
    while (status == RIDGE_OK && !visit->stopped) {
        look_ahead(visit, image, &walk, &ahead);
        if (!rg_fatbin_next(&walk, image, &entry, &problem)) {
            break;
        }
        status = read_one(visit, image, &walk, &entry, error);
        drop_read(visit, image, image->bytes.at + walk.at);
    }
    rg_ahead_clear(visit);
    visit->container = walk.container;
    *end = problem.status == RIDGE_OK ? walk.at : image->bytes.size;
    if (status != RIDGE_OK || problem.status == RIDGE_OK) {
        return status;
    }
    /* Behind entries that were read it is a warning: they stand. */
    return walk.entries == 0 ? rg_image_fail(&problem, error) : rg_image_carry(visit, problem.status, &problem, error);
}
