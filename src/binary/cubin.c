/* SPDX-License-Identifier: MIT */
/*
 * Kernels of a cubin. Source of every number here: measurements on cubins of nvcc 13.0 against ptxas -v, recorded in
 * docs/inspect.md; the numbers of the older form were checked on cubins of CuAssembler (sm_61, sm_75).
 */
#include <stdio.h>

#include "binary/attribute.h"
#include "binary/elf64.h"

enum {
    ABI_NEWER = 8,               /* EI_ABIVERSION: CUDA 13; 12.8 for 10.0 and later */
    SYMBOL_FUNCTION = 2,         /* st_info, low half */
    SYMBOL_KERNEL = 0x10,        /* st_other: an entry, not a function that kernels call */
    SYSTEM_RESERVE_BYTES = 1024, /* of shared memory; part of .nv.shared.NAME from 9.0 on */
    TOOLKIT_ANNOTATES = 130,     /* 13.0: spills are annotated */
    COMPAT_SECTION = 0x70000086,
    COMPAT_SPECIFIC = 0x09 /* attribute of .nv.compat: 1 for targets such as sm_90a */
};

/** What the sections that belong to a .text section say, by the index of that one. */
struct section_facts {
    uint32_t info; /* section index of .nv.info.NAME; 0: none */
    bool has_shared, has_constants;
    uint64_t shared_bytes;
    uint64_t constant_bytes;
};

struct cubin_kernel {
    uint32_t symbol;
    uint32_t registers, frame_bytes, min_stack_bytes, max_stack_bytes;
};

struct cubin {
    struct rg_visit *visit;
    const struct rg_image *image;
    struct rg_elf elf;
    struct rg_symbols symbols;
    bool newer;
    uint32_t sm;             /* 90 */
    uint32_t toolkit_number; /* 130: 13.0; 0: not stated */
    char target[16];
    char toolkit[16];
    uint32_t file_info; /* section index of .nv.info; 0: none */
    struct section_facts *facts;
    uint32_t *kernel_of; /* by symbol: index of its kernel + 1 */
    struct cubin_kernel *kernels;
    size_t kernel_count;
    uint64_t text_left; /* bytes of names and attributes that kernels may still have: each has its own in the file */
};

/** \return what follows `prefix` in a name, or NULL. */
static const char *behind(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

/** .note.nv.cuinfo: u16 version, u16 virtual SM, u32 toolkit. */
static void read_toolkit(struct cubin *cubin, const struct rg_section *section)
{
    struct rg_view rest = rg_elf_bytes(&cubin->elf, section);
    struct rg_note note;
    while (rg_elf_note_next(&rest, &note)) {
        if (note.type == 0x3e8 && note.content.size >= 8) {
            cubin->toolkit_number = rg_view_u32(note.content, 4);
            snprintf(cubin->toolkit, sizeof cubin->toolkit, "%u.%u", cubin->toolkit_number / 10,
                     cubin->toolkit_number % 10);
        }
    }
}

/** .note.nv.tkinfo has the compiler's own command line: there alone a cubin says that it is for sm_100f. */
static void read_family(struct cubin *cubin, const struct rg_section *section)
{
    const struct rg_view note = rg_elf_bytes(&cubin->elf, section);
    char family[16];
    char wanted[40];
    snprintf(family, sizeof family, "sm_%uf", cubin->sm);
    snprintf(wanted, sizeof wanted, "-arch %s ", family);
    if (cubin->image->target_suffix == 0 && note.size > 0 && memmem(note.at, note.size, wanted, strlen(wanted))) {
        memcpy(cubin->target, family, sizeof cubin->target);
    }
}

/** .nv.compat says whether the target is sm_90 or sm_90a. What a fat binary said goes before. */
static void read_compat(struct cubin *cubin, const struct rg_section *section)
{
    struct rg_view rest = rg_elf_bytes(&cubin->elf, section);
    struct rg_attribute attribute;
    while (cubin->image->target_suffix == 0 && rg_attribute_next(&rest, &attribute)) {
        if (attribute.code == COMPAT_SPECIFIC && (attribute.value & 0xff) == 1) {
            snprintf(cubin->target, sizeof cubin->target, "sm_%ua", cubin->sm);
        }
    }
}

/** Look at a section once: note what it says, for the .text section that it belongs to. */
static void read_section(struct cubin *cubin, size_t index)
{
    const struct rg_section section = rg_elf_section(&cubin->elf, index);
    const char *name = behind(section.name, ".n");
    struct section_facts *facts = section.info < cubin->elf.section_count ? &cubin->facts[section.info] : NULL;
    if (!name) {
        return;
    }
    if (strcmp(section.name, ".note.nv.cuinfo") == 0) {
        read_toolkit(cubin, &section);
    } else if (strcmp(section.name, ".note.nv.tkinfo") == 0) {
        read_family(cubin, &section);
    } else if (section.type == COMPAT_SECTION) {
        read_compat(cubin, &section);
    } else if (strcmp(section.name, ".nv.info") == 0) {
        cubin->file_info = (uint32_t)index;
    } else if (facts && behind(name, "v.info.")) {
        facts->info = (uint32_t)index;
    } else if (facts && behind(name, "v.shared.") && !behind(name, "v.shared.reserved.")) {
        facts->has_shared = true;
        facts->shared_bytes = section.size;
    } else if (facts && behind(name, "v.constant0.")) {
        facts->has_constants = true;
        facts->constant_bytes = section.size;
    }
}

/** Number the kernels among the symbols. */
static bool find_kernels(struct cubin *cubin)
{
    struct rg_visit *visit = cubin->visit;
    const size_t count = cubin->symbols.count;
    cubin->kernel_of = rg_room_take(visit, &visit->symbols, count + 1, sizeof *cubin->kernel_of);
    if (!cubin->kernel_of) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct rg_symbol symbol = rg_elf_symbol(&cubin->symbols, i);
        const bool is_kernel = (symbol.info & 0xf) == SYMBOL_FUNCTION && (symbol.other & SYMBOL_KERNEL) != 0;
        if (is_kernel && symbol.section != 0 && symbol.section < cubin->elf.section_count) {
            cubin->kernel_of[i] = (uint32_t)++cubin->kernel_count;
        }
    }
    cubin->kernels = rg_room_take(visit, &visit->kernels, cubin->kernel_count + 1, sizeof *cubin->kernels);
    for (size_t i = 0; cubin->kernels && i < count; i++) {
        if (cubin->kernel_of[i]) {
            cubin->kernels[cubin->kernel_of[i] - 1] = (struct cubin_kernel){
                (uint32_t)i, RIDGE_NOT_STATED, RIDGE_NOT_STATED, RIDGE_NOT_STATED, RIDGE_NOT_STATED};
        }
    }
    return cubin->kernels != NULL;
}

static ridge_status damaged(const struct cubin *cubin, const char *what, const struct rg_section *section,
                            struct rg_view rest, struct ridge_error *error)
{
    return rg_image_error(cubin->image, error, section->offset + (section->size - rest.size), "%s in %.100s is damaged",
                          what, section->name);
}

/** The attributes of the whole file: pairs of a symbol and a value. */
static ridge_status read_file_info(struct cubin *cubin, struct ridge_error *error)
{
    const struct rg_section section = rg_elf_section(&cubin->elf, cubin->file_info);
    struct rg_view rest = rg_elf_bytes(&cubin->elf, &section);
    struct rg_attribute attribute;
    while (cubin->file_info && rg_attribute_next(&rest, &attribute)) {
        const uint32_t symbol = rg_view_u32(attribute.payload, 0);
        const uint32_t value = rg_view_u32(attribute.payload, 4);
        const uint32_t number = symbol < cubin->symbols.count ? cubin->kernel_of[symbol] : 0;
        if (number == 0 || attribute.payload.size < 8) {
            continue;
        }
        struct cubin_kernel *kernel = &cubin->kernels[number - 1];
        switch (attribute.code) {
        case RG_ATTRIBUTE_REGISTERS: kernel->registers = value; break;
        case RG_ATTRIBUTE_FRAME: kernel->frame_bytes = value; break;
        case RG_ATTRIBUTE_MIN_STACK: kernel->min_stack_bytes = value; break;
        case RG_ATTRIBUTE_MAX_STACK: kernel->max_stack_bytes = value; break;
        default: break;
        }
    }
    return cubin->file_info && rest.size > 0 ? damaged(cubin, "an attribute", &section, rest, error) : RIDGE_OK;
}

/** Shared memory as the compiler says it, and the system's part where the file has it. */
static ridge_status read_shared(const struct cubin *cubin, const struct section_facts *facts,
                                struct ridge_binary_kernel *out, struct ridge_error *error)
{
    const bool has_reserve =
        facts->has_shared && cubin->sm >= 90 && !out->relocatable && facts->shared_bytes >= SYSTEM_RESERVE_BYTES;
    const uint64_t bytes = facts->shared_bytes - (has_reserve ? SYSTEM_RESERVE_BYTES : 0);
    if (bytes > INT32_MAX || facts->constant_bytes > INT32_MAX) {
        return rg_image_error(cubin->image, error, 0, "kernel %.200s claims %llu bytes of shared memory", out->name,
                              (unsigned long long)bytes);
    }
    out->smem_static_bytes = (uint32_t)bytes;
    out->smem_reserved_bytes = has_reserve ? SYSTEM_RESERVE_BYTES : RIDGE_NOT_STATED;
    return RIDGE_OK;
}

/** What the header of the kernel's code says: in the older form the only place for barriers. */
static void read_code_header(const struct cubin *cubin, const struct rg_section *code, struct ridge_binary_kernel *out)
{
    if (out->registers == RIDGE_NOT_STATED && cubin->sm < 90) {
        out->registers = code->info >> 24;
    }
    out->barriers = cubin->newer ? 0 : (uint32_t)(code->flags >> 20) & 0x7f;
}

/** Spills: none without a frame; none where the compiler annotates them and did not; else what is annotated. */
static void read_spills(const struct cubin *cubin, struct rg_view code, struct rg_view annotations,
                        struct ridge_binary_kernel *out)
{
    const bool says = cubin->toolkit_number >= TOOLKIT_ANNOTATES || out->stack_bytes == 0;
    if (annotations.size == 0 && !says) {
        return;
    }
    const struct rg_spills spills = rg_annotated_spills(code, annotations);
    out->spill_store_bytes = spills.store_bytes;
    out->spill_load_bytes = spills.load_bytes;
}

/** Refuse many kernels that share one long name or one long list: reading them would take forever. */
static bool spend(struct cubin *cubin, uint64_t bytes)
{
    if (bytes > cubin->text_left) {
        return false;
    }
    cubin->text_left -= bytes;
    return true;
}

static ridge_status read_kernel(struct cubin *cubin, const struct cubin_kernel *kernel, struct ridge_error *error)
{
    const struct rg_symbol symbol = rg_elf_symbol(&cubin->symbols, kernel->symbol);
    const struct rg_section code = rg_elf_section(&cubin->elf, symbol.section);
    const struct section_facts *facts = &cubin->facts[symbol.section];
    struct ridge_binary_kernel out = rg_kernel_unstated();
    out.name = symbol.name;
    out.target = cubin->target;
    out.toolkit = cubin->toolkit;
    out.registers = kernel->registers;
    out.stack_bytes = kernel->frame_bytes;
    out.cumulative_stack_bytes =
        kernel->min_stack_bytes != RIDGE_NOT_STATED ? kernel->min_stack_bytes : kernel->max_stack_bytes;
    out.relocatable = cubin->elf.type == RG_ELF_RELOCATABLE;
    out.code_bytes = symbol.size < UINT32_MAX ? (uint32_t)symbol.size : RIDGE_NOT_STATED;
    read_code_header(cubin, &code, &out);
    ridge_status status = read_shared(cubin, facts, &out, error);
    const struct rg_section info = rg_elf_section(&cubin->elf, facts->info);
    struct rg_view rest = facts->info ? rg_elf_bytes(&cubin->elf, &info) : (struct rg_view){NULL, 0};
    struct rg_view annotations = {NULL, 0};
    if (status == RIDGE_OK && !spend(cubin, strlen(out.name) + rest.size)) {
        return rg_image_error(cubin->image, error, info.offset, "kernels share their names or attributes");
    }
    if (status == RIDGE_OK && !rg_kernel_attributes(cubin->visit, &rest, &out, &annotations)) {
        status = rest.size > 0 ? damaged(cubin, "an attribute", &info, rest, error) : rg_error_memory(error, 0);
    }
    if (status == RIDGE_OK) {
        read_spills(cubin, rg_elf_bytes(&cubin->elf, &code), annotations, &out);
        rg_visit_kernel(cubin->visit, cubin->image, &out);
    }
    return status;
}

/** Which form it has is said by the ELF header, never guessed from values. */
static void read_target(struct cubin *cubin)
{
    const char suffix[2] = {cubin->image->target_suffix, '\0'};
    cubin->newer = cubin->elf.abi_version >= ABI_NEWER;
    cubin->sm = cubin->newer ? (cubin->elf.flags >> 8) & 0xff : cubin->elf.flags & 0xff;
    snprintf(cubin->target, sizeof cubin->target, "sm_%u%s", cubin->sm, suffix);
}

static ridge_status open_cubin(struct cubin *cubin, struct ridge_error *error)
{
    struct rg_visit *visit = cubin->visit;
    ridge_status status = rg_elf_open(cubin->image, &cubin->elf, error);
    if (status != RIDGE_OK) {
        return status;
    }
    read_target(cubin);
    cubin->facts = rg_room_take(visit, &visit->sections, cubin->elf.section_count, sizeof *cubin->facts);
    if (!cubin->facts) {
        return rg_error_memory(error, cubin->elf.section_count * sizeof *cubin->facts);
    }
    for (size_t i = 1; i < cubin->elf.section_count; i++) {
        read_section(cubin, i);
    }
    rg_visit_image(visit, cubin->image, "cubin", cubin->target);
    return RIDGE_OK;
}

ridge_status rg_cubin_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end,
                           struct ridge_error *error)
{
    struct cubin cubin = {.visit = visit, .image = image, .text_left = image->bytes.size};
    ridge_status status = open_cubin(&cubin, error);
    *end = cubin.elf.end;
    if (status != RIDGE_OK || !visit->kernel || visit->stopped || !rg_visit_wants(visit, cubin.target) ||
        !rg_elf_symbols(&cubin.elf, RG_SECTION_SYMBOLS, &cubin.symbols)) {
        return status;
    }
    if (!find_kernels(&cubin)) {
        return rg_error_memory(error, cubin.symbols.count * sizeof *cubin.kernel_of);
    }
    status = read_file_info(&cubin, error);
    for (size_t i = 0; i < cubin.kernel_count && status == RIDGE_OK && !visit->stopped; i++) {
        status = read_kernel(&cubin, &cubin.kernels[i], error);
    }
    return status;
}
