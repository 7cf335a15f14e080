/* SPDX-License-Identifier: MIT */
/**
 * \file ELF files of 64 bits, little endian: sections and symbols, every offset checked. Source: System V ABI, "Object
 * Files" (gABI 4.1), with its extended numbering for 65280 sections and more. Pure; any thread.
 */
#ifndef RG_BINARY_ELF64_H
#define RG_BINARY_ELF64_H

#include "binary/visit.h"

enum {
    RG_ELF_HEADER_BYTES = 64,
    RG_ELF_SECTION_BYTES = 64,
    RG_ELF_SYMBOL_BYTES = 24,
    RG_ELF_RELOCATABLE = 1, /**< e_type */
    RG_SECTION_SYMBOLS = 2, /**< sh_type: SHT_SYMTAB */
    RG_SECTION_NOTE = 7,    /**< SHT_NOTE */
    RG_SECTION_NO_BYTES = 8,
    RG_SECTION_CUDA_SHARED = 0x7000000a, /**< cubins: shared memory, without bytes too */
    RG_SECTION_DYNAMIC_SYMBOLS = 11,
    RG_SECTION_INDICES = 18,      /**< SHT_SYMTAB_SHNDX */
    RG_SECTION_EXTENDED = 0xffff, /**< st_shndx: see SHT_SYMTAB_SHNDX */
    RG_MACHINE_CUDA = 190,
    RG_MACHINE_AMDGPU = 224
};

struct rg_elf {
    const struct rg_image *image;
    uint16_t type;
    uint16_t machine;
    uint8_t os_abi;
    uint8_t abi_version;
    uint32_t flags;
    struct rg_view table; /**< of sections */
    size_t section_count;
    struct rg_view names; /**< of sections; ends with 0 */
    uint64_t end;         /**< the offset behind all that belongs to it */
};

struct rg_section {
    const char *name; /**< "" when the file has none */
    uint32_t type;
    uint32_t link;
    uint32_t info;
    uint64_t flags;
    uint64_t address;
    uint64_t offset;
    uint64_t size;
};

struct rg_symbol {
    const char *name; /**< "" when the file has none */
    uint8_t info;
    uint8_t other;
    uint32_t section;
    uint64_t value;
    uint64_t size;
};

/** A table of symbols with what belongs to it. */
struct rg_symbols {
    struct rg_view table;
    struct rg_view names;   /**< ends with 0, or is empty */
    struct rg_view indices; /**< of sections beyond 65280 */
    size_t count;
};

/** \return whether bytes begin as ELF does. */
bool rg_is_elf(struct rg_view bytes);

/** Check the header and that every section lies in the file. Elements of `out` borrow from the image. */
ridge_status rg_elf_open(const struct rg_image *image, struct rg_elf *out, struct ridge_error *error);

/** Section `index`; all zero, named "", when there is none. */
struct rg_section rg_elf_section(const struct rg_elf *elf, size_t index);

/** The bytes of a section; empty when it has none in the file. */
struct rg_view rg_elf_bytes(const struct rg_elf *elf, const struct rg_section *section);

/** Find the first table of symbols of a type. \return false when there is none */
bool rg_elf_symbols(const struct rg_elf *elf, uint32_t type, struct rg_symbols *out);

/** Symbol `index`; all zero, named "", when there is none. */
struct rg_symbol rg_elf_symbol(const struct rg_symbols *symbols, size_t index);

/** A note of an ELF file. */
struct rg_note {
    const char *owner;
    uint32_t type;
    struct rg_view content;
};

/** Take the next note off `rest`. \return false when there is none, or it is damaged. */
bool rg_elf_note_next(struct rg_view *rest, struct rg_note *out);

#endif
