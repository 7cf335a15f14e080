/* SPDX-License-Identifier: MIT */
/*
 * Programs and libraries of the host with code for devices in sections of their own, and archives of such objects.
 */
#include <stdio.h>
#include <stdlib.h>

#include "binary/bundle.h"
#include "binary/elf64.h"
#include "binary/fatbin.h"

static const char *const device_sections[] = {".nv_fatbin", "__nv_relfatbin", ".hip_fatbin"};

static bool holds_device_code(const char *name)
{
    for (size_t i = 0; i < sizeof device_sections / sizeof device_sections[0]; i++) {
        if (strcmp(name, device_sections[i]) == 0) {
            return true;
        }
    }
    return false;
}

static ridge_status read_section(struct rg_visit *visit, const struct rg_image *image, const struct rg_elf *elf,
                                 const struct rg_section *section, struct ridge_error *error)
{
    struct rg_image inner = *image;
    inner.bytes = rg_elf_bytes(elf, section);
    if (inner.bytes.size == 0) {
        return RIDGE_OK;
    }
    struct ridge_error problem = {0};
    const ridge_status status = rg_image_read(visit, &inner, &problem);
    return rg_image_carry(visit, status, &problem, error);
}

ridge_status rg_host_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error)
{
    struct rg_elf elf;
    uint64_t left = image->bytes.size;
    ridge_status status = rg_elf_open(image, &elf, error);
    *end = status == RIDGE_OK ? elf.end : 0;
    for (size_t i = 1; status == RIDGE_OK && i < elf.section_count && !visit->stopped; i++) {
        const struct rg_section section = rg_elf_section(&elf, i);
        const uint64_t size = rg_elf_bytes(&elf, &section).size;
        if (!holds_device_code(section.name)) {
            continue;
        }
        if (size > left) {
            return rg_image_error(image, error, section.offset, "sections with device code overlap");
        }
        left -= size;
        status = read_section(visit, image, &elf, &section, error);
    }
    return status;
}

enum {
    ARCHIVE_MAGIC_BYTES = 8,
    MEMBER_BYTES = 60
};

/** The decimal number in the ten characters of a member's size; false when they are none. */
static bool member_size(struct rg_view header, uint64_t *size)
{
    *size = 0;
    bool any = false;
    for (uint64_t i = 48; i < 58; i++) {
        const uint8_t digit = rg_view_u8(header, i);
        if (digit == ' ' && any) {
            continue;
        }
        if (digit < '0' || digit > '9') {
            return false;
        }
        any = true;
        *size = *size * 10 + (digit - (uint64_t)'0');
    }
    return any;
}

static ridge_status read_member(struct rg_visit *visit, const struct rg_image *image, struct rg_view bytes,
                                unsigned number, struct ridge_error *error)
{
    char place[RG_PLACE_BYTES];
    struct rg_image inner = *image;
    snprintf(place, sizeof place, "%.100s%smember %u", image->place, image->place[0] ? ", " : "", number);
    inner.bytes = bytes;
    inner.place = place;
    if (!rg_is_elf(bytes)) {
        return RIDGE_OK; /* the index, long names, objects of other kinds */
    }
    struct ridge_error problem = {0};
    const ridge_status status = rg_image_read(visit, &inner, &problem);
    return rg_image_carry(visit, status, &problem, error);
}

/* Source: ar(5). */
ridge_status rg_archive_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error)
{
    uint64_t at = ARCHIVE_MAGIC_BYTES;
    for (unsigned number = 1; at < image->bytes.size && !visit->stopped; number++) {
        const struct rg_view header = rg_view_part(image->bytes, at, MEMBER_BYTES);
        uint64_t size = 0;
        if (!member_size(header, &size) || !rg_view_holds(image->bytes, at + MEMBER_BYTES, size)) {
            return rg_image_error(image, error, at, "the archive is cut off or damaged in member %u", number);
        }
        const ridge_status status =
            read_member(visit, image, rg_view_part(image->bytes, at + MEMBER_BYTES, size), number, error);
        if (status != RIDGE_OK) {
            return status;
        }
        at += MEMBER_BYTES + size + (size & 1);
    }
    *end = image->bytes.size;
    return RIDGE_OK;
}
