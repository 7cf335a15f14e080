/* SPDX-License-Identifier: MIT */
#include "binary/elf64.h"

static const uint8_t elf_magic[4] = {0x7f, 'E', 'L', 'F'};

bool rg_is_elf(struct rg_view bytes)
{
    return rg_view_begins(bytes, elf_magic, sizeof elf_magic);
}

static ridge_status check_header(const struct rg_image *image, struct ridge_error *error)
{
    const struct rg_view bytes = image->bytes;
    if (!rg_is_elf(bytes)) {
        return rg_image_error(image, error, 0, "no ELF file (it would begin with 7f 45 4c 46)");
    }
    if (bytes.size < RG_ELF_HEADER_BYTES) {
        return rg_image_error(image, error, bytes.size, "the file is cut off in its ELF header (64 bytes)");
    }
    if (rg_view_u8(bytes, 4) != 2 || rg_view_u8(bytes, 5) != 1) {
        return rg_image_error(image, error, 4, "an ELF file of class %u, byte order %u (64 bits, little endian: 2, 1)",
                              rg_view_u8(bytes, 4), rg_view_u8(bytes, 5));
    }
    return RIDGE_OK;
}

/** It has bytes up to there. */
static void reaches(struct rg_elf *elf, uint64_t end)
{
    elf->end = end > elf->end ? end : elf->end;
}

/** Find the table of sections; where there are too many for the header, section 0 says how many. */
static ridge_status find_sections(struct rg_elf *elf, size_t *names_index, struct ridge_error *error)
{
    const struct rg_view bytes = elf->image->bytes;
    const uint64_t offset = rg_view_u64(bytes, 0x28);
    const uint16_t entry_bytes = rg_view_u16(bytes, 0x3a);
    uint64_t count = rg_view_u16(bytes, 0x3c);
    *names_index = rg_view_u16(bytes, 0x3e);
    if (offset == 0) {
        return rg_image_error(elf->image, error, 0x28, "it has no table of sections (a whole object file has one)");
    }
    if (entry_bytes != RG_ELF_SECTION_BYTES) {
        return rg_image_error(elf->image, error, 0x3a, "a section header of %u bytes (64)", entry_bytes);
    }
    const struct rg_view first = rg_view_part(bytes, offset, RG_ELF_SECTION_BYTES);
    count = count == 0 ? rg_view_u64(first, 0x20) : count;
    *names_index = *names_index == RG_SECTION_EXTENDED ? rg_view_u32(first, 0x28) : *names_index;
    uint64_t size = 0;
    if (first.size != 0 && count == 0) {
        return rg_image_error(elf->image, error, offset, "its table of sections is empty");
    }
    if (first.size == 0 || __builtin_mul_overflow(count, (uint64_t)RG_ELF_SECTION_BYTES, &size) ||
        !rg_view_holds(bytes, offset, size)) {
        return rg_image_error(elf->image, error, bytes.size,
                              "the file is cut off or damaged: its table of %llu sections would begin at byte %llu",
                              (unsigned long long)count, (unsigned long long)offset);
    }
    elf->table = rg_view_part(bytes, offset, size);
    reaches(elf, offset + size);
    elf->section_count = (size_t)count;
    return RIDGE_OK;
}

struct rg_section rg_elf_section(const struct rg_elf *elf, size_t index)
{
    const struct rg_view header =
        rg_view_part(elf->table, (uint64_t)index * RG_ELF_SECTION_BYTES, RG_ELF_SECTION_BYTES);
    const uint32_t name = rg_view_u32(header, 0);
    return (struct rg_section){
        .name = name < elf->names.size ? (const char *)elf->names.at + name : "",
        .type = rg_view_u32(header, 0x04),
        .flags = rg_view_u64(header, 0x08),
        .address = rg_view_u64(header, 0x10),
        .offset = rg_view_u64(header, 0x18),
        .size = rg_view_u64(header, 0x20),
        .link = rg_view_u32(header, 0x28),
        .info = rg_view_u32(header, 0x2c),
    };
}

static bool has_bytes(const struct rg_section *section)
{
    return section->type != 0 && section->type != RG_SECTION_NO_BYTES && section->type != RG_SECTION_CUDA_SHARED;
}

struct rg_view rg_elf_bytes(const struct rg_elf *elf, const struct rg_section *section)
{
    if (!has_bytes(section)) {
        return (struct rg_view){NULL, 0};
    }
    return rg_view_part(elf->image->bytes, section->offset, section->size);
}

static ridge_status check_sections(struct rg_elf *elf, struct ridge_error *error)
{
    for (size_t i = 0; i < elf->section_count; i++) {
        const struct rg_section section = rg_elf_section(elf, i);
        if (!has_bytes(&section)) {
            continue;
        }
        if (!rg_view_holds(elf->image->bytes, section.offset, section.size)) {
            return rg_image_error(elf->image, error, section.offset,
                                  "section %zu (%.60s) of %llu bytes lies outside of the file of %zu bytes (it is cut "
                                  "off or damaged)",
                                  i, section.name, (unsigned long long)section.size, elf->image->bytes.size);
        }
        reaches(elf, section.offset + section.size);
    }
    return RIDGE_OK;
}

/** The table of segments is not read, but a loader needs it: compilers put it last, where a file is cut off first. */
static ridge_status check_segments(struct rg_elf *elf, struct ridge_error *error)
{
    const struct rg_view bytes = elf->image->bytes;
    const uint64_t offset = rg_view_u64(bytes, 0x20);
    const uint16_t count = rg_view_u16(bytes, 0x38);
    const uint64_t size = (uint64_t)count * rg_view_u16(bytes, 0x36);
    if (count > 0 && !rg_view_holds(bytes, offset, size)) {
        return rg_image_error(elf->image, error, bytes.size,
                              "the file is cut off or damaged: its table of %u segments would begin at byte %llu",
                              count, (unsigned long long)offset);
    }
    reaches(elf, count > 0 ? offset + size : 0);
    return RIDGE_OK;
}

/** Keep a table of texts only when its last one ends, so that every offset inside is a text. */
static struct rg_view ended(struct rg_view names)
{
    return names.size > 0 && names.at[names.size - 1] == 0 ? names : (struct rg_view){NULL, 0};
}

ridge_status rg_elf_open(const struct rg_image *image, struct rg_elf *out, struct ridge_error *error)
{
    struct rg_elf elf = {.image = image, .end = RG_ELF_HEADER_BYTES};
    size_t names_index = 0;
    ridge_status status = check_header(image, error);
    if (status != RIDGE_OK) {
        return status;
    }
    elf.os_abi = rg_view_u8(image->bytes, 7);
    elf.abi_version = rg_view_u8(image->bytes, 8);
    elf.type = rg_view_u16(image->bytes, 0x10);
    elf.machine = rg_view_u16(image->bytes, 0x12);
    elf.flags = rg_view_u32(image->bytes, 0x30);
    status = find_sections(&elf, &names_index, error);
    if (status != RIDGE_OK) {
        return status;
    }
    const struct rg_section names = rg_elf_section(&elf, names_index);
    elf.names = ended(rg_elf_bytes(&elf, &names));
    status = check_sections(&elf, error);
    if (status == RIDGE_OK) {
        status = check_segments(&elf, error);
    }
    if (status == RIDGE_OK) {
        *out = elf;
    }
    return status;
}

bool rg_elf_symbols(const struct rg_elf *elf, uint32_t type, struct rg_symbols *out)
{
    size_t found = 0;
    for (size_t i = 1; i < elf->section_count && found == 0; i++) {
        found = rg_elf_section(elf, i).type == type ? i : 0;
    }
    if (found == 0) {
        return false;
    }
    const struct rg_section symbols = rg_elf_section(elf, found);
    const struct rg_section names = rg_elf_section(elf, symbols.link);
    *out = (struct rg_symbols){.table = rg_elf_bytes(elf, &symbols), .names = ended(rg_elf_bytes(elf, &names))};
    out->count = out->table.size / RG_ELF_SYMBOL_BYTES;
    for (size_t i = 1; elf->section_count >= 0xff00 && i < elf->section_count; i++) {
        const struct rg_section section = rg_elf_section(elf, i);
        if (section.type == RG_SECTION_INDICES && section.link == found) {
            out->indices = rg_elf_bytes(elf, &section);
        }
    }
    return true;
}

struct rg_symbol rg_elf_symbol(const struct rg_symbols *symbols, size_t index)
{
    const struct rg_view entry =
        rg_view_part(symbols->table, (uint64_t)index * RG_ELF_SYMBOL_BYTES, RG_ELF_SYMBOL_BYTES);
    const uint32_t name = rg_view_u32(entry, 0);
    const uint16_t section = rg_view_u16(entry, 6);
    return (struct rg_symbol){
        .name = name < symbols->names.size ? (const char *)symbols->names.at + name : "",
        .info = rg_view_u8(entry, 4),
        .other = rg_view_u8(entry, 5),
        .section = section == RG_SECTION_EXTENDED ? rg_view_u32(symbols->indices, (uint64_t)index * 4) : section,
        .value = rg_view_u64(entry, 8),
        .size = rg_view_u64(entry, 16),
    };
}

bool rg_elf_note_next(struct rg_view *rest, struct rg_note *out)
{
    const uint64_t owner_bytes = rg_view_u32(*rest, 0);
    const uint64_t content_bytes = rg_view_u32(*rest, 4);
    const uint64_t content_offset = 12 + ((owner_bytes + 3) & ~(uint64_t)3);
    const uint64_t end = content_offset + ((content_bytes + 3) & ~(uint64_t)3);
    const struct rg_view owner = rg_view_part(*rest, 12, owner_bytes);
    if (rest->size < 12 || !rg_view_holds(*rest, content_offset, content_bytes)) {
        return false;
    }
    const char *text = rg_view_text(owner, 0);
    *out =
        (struct rg_note){text ? text : "", rg_view_u32(*rest, 8), rg_view_part(*rest, content_offset, content_bytes)};
    *rest = rg_view_from(*rest, end);
    return true;
}
