/* SPDX-License-Identifier: MIT */
/*
 * AMD code objects: metadata in MessagePack, and a descriptor of 64 bytes for each kernel. Source of the layout:
 * LLVM, "User Guide for AMDGPU Backend", checked against llc 19 and clang 14 (docs/inspect.md).
 */
#include <stdio.h>
#include <stdlib.h>

#include "binary/elf64.h"
#include "binary/messagepack.h"

enum {
    OS_HSA = 64,    /* EI_OSABI */
    ABI_OLDEST = 1, /* EI_ABIVERSION: version 3, whose metadata has the same form */
    ABI_NEWEST = 4, /* version 6 */
    NOTE_METADATA = 32,
    DESCRIPTOR_BYTES = 64,
    PROPERTY_WAVE32 = 1 << 10
};

struct named {
    const char *name;
    size_t index;
};

struct amd {
    struct rg_visit *visit;
    const struct rg_image *image;
    struct rg_elf elf;
    struct rg_arena arena; /* names: texts of MessagePack have no end */
    struct rg_symbols symbols;
    struct named *sorted; /* symbols by name */
    size_t sorted_count;
    struct rg_view metadata;  /* empty: none */
    uint64_t metadata_offset; /* in the image */
    const char *target;
    bool out_of_memory;
};

/** A key of a kernel's metadata whose value is a number. */
struct number_key {
    const char *key;
    size_t offset;
};

#define FIELD(name) offsetof(struct ridge_binary_kernel, name)
static const struct number_key number_keys[] = {
    {".vgpr_count", FIELD(registers)},
    {".agpr_count", FIELD(accumulation_registers)},
    {".sgpr_count", FIELD(scalar_registers)},
    {".vgpr_spill_count", FIELD(vgpr_spills)},
    {".sgpr_spill_count", FIELD(sgpr_spills)},
    {".group_segment_fixed_size", FIELD(smem_static_bytes)},
    {".private_segment_fixed_size", FIELD(stack_bytes)},
    {".kernarg_segment_size", FIELD(parameter_bytes)},
    {".max_flat_workgroup_size", FIELD(max_threads)}, /* the first of three */
    {".wavefront_size", FIELD(wave_threads)},
};

static int compare_names(const void *a, const void *b)
{
    const struct named *left = a;
    const struct named *right = b;
    return strcmp(left->name, right->name);
}

/** Sort the symbols by name, so that each kernel finds its own. */
static bool sort_symbols(struct amd *amd)
{
    if (!rg_elf_symbols(&amd->elf, RG_SECTION_SYMBOLS, &amd->symbols) &&
        !rg_elf_symbols(&amd->elf, RG_SECTION_DYNAMIC_SYMBOLS, &amd->symbols)) {
        return true;
    }
    amd->sorted = rg_arena_array(&amd->arena, amd->symbols.count, sizeof *amd->sorted);
    uint64_t left = amd->image->bytes.size; /* symbols that share one long name would take forever to sort */
    for (size_t i = 0; amd->sorted && i < amd->symbols.count; i++) {
        const struct rg_symbol symbol = rg_elf_symbol(&amd->symbols, i);
        const size_t length = strlen(symbol.name);
        if (length > left) {
            break;
        }
        left -= length;
        if (length > 0 && symbol.section != 0) {
            amd->sorted[amd->sorted_count++] = (struct named){symbol.name, i};
        }
    }
    if (amd->sorted) {
        qsort(amd->sorted, amd->sorted_count, sizeof *amd->sorted, compare_names);
    }
    return amd->sorted != NULL;
}

/** \return the symbol of that name; its name is "" when there is none. */
static struct rg_symbol find_symbol(const struct amd *amd, const char *name)
{
    const struct named key = {name, 0};
    const struct named *found =
        amd->sorted_count ? bsearch(&key, amd->sorted, amd->sorted_count, sizeof key, compare_names) : NULL;
    return rg_elf_symbol(&amd->symbols, found ? found->index : SIZE_MAX / RG_ELF_SYMBOL_BYTES);
}

/** The bytes of a symbol; empty when they do not lie in its section. */
static struct rg_view symbol_bytes(const struct amd *amd, const struct rg_symbol *symbol, uint64_t size)
{
    const struct rg_section section = rg_elf_section(&amd->elf, symbol->section);
    const struct rg_view bytes = rg_elf_bytes(&amd->elf, &section);
    return symbol->value < section.address ? (struct rg_view){NULL, 0}
                                           : rg_view_part(bytes, symbol->value - section.address, size);
}

static void fill(uint32_t *field, uint32_t value)
{
    *field = *field == RIDGE_NOT_STATED ? value : *field;
}

/** Fill in from the descriptor what the metadata leave out. Registers are rounded up there. */
static void read_descriptor(const struct rg_view descriptor, struct ridge_binary_kernel *kernel)
{
    const uint32_t rsrc1 = rg_view_u32(descriptor, 48);
    if (descriptor.size < DESCRIPTOR_BYTES) {
        return;
    }
    const bool is_wave32 = (rg_view_u16(descriptor, 56) & PROPERTY_WAVE32) != 0;
    const uint32_t granule = is_wave32 || strncmp(kernel->target, "gfx90a", 6) == 0 ||
                                     strncmp(kernel->target, "gfx94", 5) == 0 ||
                                     strncmp(kernel->target, "gfx95", 5) == 0
                                 ? 8
                                 : 4;
    fill(&kernel->registers, ((rsrc1 & 0x3f) + 1) * granule);
    fill(&kernel->smem_static_bytes, rg_view_u32(descriptor, 0));
    fill(&kernel->stack_bytes, rg_view_u32(descriptor, 4));
    fill(&kernel->parameter_bytes, rg_view_u32(descriptor, 8));
    fill(&kernel->wave_threads, is_wave32 ? 32 : 64);
}

/** What the symbols say of a kernel: its descriptor, and the size of its code. */
static void read_symbols(const struct amd *amd, const char *descriptor_name, struct ridge_binary_kernel *kernel)
{
    const struct rg_symbol descriptor = find_symbol(amd, descriptor_name);
    if (descriptor.name[0] != '\0') {
        read_descriptor(symbol_bytes(amd, &descriptor, DESCRIPTOR_BYTES), kernel);
    }
    const struct rg_symbol code = find_symbol(amd, kernel->name);
    if (code.name[0] != '\0' && code.size < UINT32_MAX) {
        kernel->code_bytes = (uint32_t)code.size;
    }
}

static bool read_sides(struct rg_view *rest, uint32_t out[3])
{
    struct rg_pack value;
    if (!rg_pack_next(rest, &value) || value.kind != RG_PACK_ARRAY || value.number != 3) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        if (!rg_pack_next(rest, &value) || value.kind != RG_PACK_INTEGER || value.number >= RIDGE_NOT_STATED) {
            return false;
        }
        out[i] = (uint32_t)value.number;
    }
    return true;
}

static bool read_text(struct amd *amd, struct rg_view *rest, const char **out)
{
    struct rg_pack value;
    if (!rg_pack_next(rest, &value) || value.kind != RG_PACK_TEXT) {
        return false;
    }
    *out = rg_arena_copy(&amd->arena, (const char *)value.text.at, value.text.size);
    amd->out_of_memory = *out == NULL;
    return *out != NULL;
}

/** Read a number into the field of `key`, or skip the value of a key that is not wanted. */
static bool read_number(struct rg_view *rest, const struct rg_pack *key, struct ridge_binary_kernel *kernel)
{
    for (size_t i = 0; i < sizeof number_keys / sizeof number_keys[0]; i++) {
        struct rg_pack value;
        if (!rg_pack_is(key, number_keys[i].key)) {
            continue;
        }
        if (!rg_pack_next(rest, &value) || value.kind != RG_PACK_INTEGER || value.number >= RIDGE_NOT_STATED) {
            return false;
        }
        const uint32_t number = (uint32_t)value.number;
        memcpy((char *)kernel + number_keys[i].offset, &number, sizeof number);
        return true;
    }
    return rg_pack_skip(rest);
}

static bool read_truth(struct rg_view *rest, bool *out)
{
    struct rg_pack value;
    if (!rg_pack_next(rest, &value) || (value.kind != RG_PACK_TRUTH && value.kind != RG_PACK_INTEGER)) {
        return false;
    }
    *out = value.number != 0;
    return true;
}

/** What one kernel's metadata say. */
struct amd_kernel {
    struct ridge_binary_kernel kernel;
    const char *descriptor; /* "NAME.kd" */
    bool work_group_processor_mode, has_mode, dynamic_stack;
};

static bool read_key(struct amd *amd, struct rg_view *rest, const struct rg_pack *key, struct amd_kernel *out)
{
    if (rg_pack_is(key, ".name")) {
        return read_text(amd, rest, &out->kernel.name);
    }
    if (rg_pack_is(key, ".symbol")) {
        return read_text(amd, rest, &out->descriptor);
    }
    if (rg_pack_is(key, ".reqd_workgroup_size")) {
        return read_sides(rest, out->kernel.required_threads);
    }
    if (rg_pack_is(key, ".uses_dynamic_stack")) {
        return read_truth(rest, &out->dynamic_stack);
    }
    if (rg_pack_is(key, ".workgroup_processor_mode")) {
        out->has_mode = true;
        return read_truth(rest, &out->work_group_processor_mode);
    }
    return read_number(rest, key, &out->kernel);
}

static struct amd_kernel kernel_begin(const struct amd *amd)
{
    struct amd_kernel kernel = {.kernel = rg_kernel_unstated(), .descriptor = ""};
    kernel.kernel.name = "";
    kernel.kernel.target = amd->target;
    kernel.kernel.relocatable = amd->elf.type == RG_ELF_RELOCATABLE;
    return kernel;
}

static void kernel_end(struct amd *amd, struct amd_kernel *from)
{
    struct ridge_binary_kernel *kernel = &from->kernel;
    read_symbols(amd, from->descriptor, kernel);
    fill(&kernel->accumulation_registers, 0); /* older metadata leave it out where there are none */
    if (kernel->max_threads[0] != RIDGE_NOT_STATED) {
        kernel->max_threads[1] = kernel->max_threads[2] = 1;
    }
    kernel->cumulative_stack_bytes = from->dynamic_stack ? RIDGE_NOT_STATED : kernel->stack_bytes;
    kernel->compute_unit_mode = from->has_mode && !from->work_group_processor_mode;
    rg_visit_kernel(amd->visit, amd->image, kernel);
}

/** Read the array of kernels. */
static bool read_kernels(struct amd *amd, struct rg_view *rest)
{
    struct rg_pack kernels;
    if (!rg_pack_next(rest, &kernels) || kernels.kind != RG_PACK_ARRAY) {
        return false;
    }
    for (uint64_t i = 0; i < kernels.number && !amd->visit->stopped; i++) {
        struct rg_pack map;
        struct amd_kernel kernel = kernel_begin(amd);
        if (!rg_pack_next(rest, &map) || map.kind != RG_PACK_MAP) {
            return false;
        }
        for (uint64_t pair = 0; pair < map.number; pair++) {
            struct rg_pack key;
            if (!rg_pack_next(rest, &key) || !read_key(amd, rest, &key, &kernel)) {
                return false;
            }
        }
        kernel_end(amd, &kernel);
    }
    return true;
}

/** Find the value of a key of the outermost map. \return false when the metadata are damaged before it. */
static bool find_key(struct rg_view metadata, const char *name, struct rg_view *value)
{
    struct rg_pack map;
    struct rg_pack key;
    *value = (struct rg_view){NULL, 0};
    if (!rg_pack_next(&metadata, &map) || map.kind != RG_PACK_MAP) {
        return false;
    }
    for (uint64_t pair = 0; pair < map.number; pair++) {
        if (!rg_pack_next(&metadata, &key)) {
            return false;
        }
        if (rg_pack_is(&key, name)) {
            *value = metadata;
            return true;
        }
        if (!rg_pack_skip(&metadata)) {
            return false;
        }
    }
    return true;
}

/** "amdgcn-amd-amdhsa--gfx90a:xnack+" gives "gfx90a:xnack+". */
static const char *target_of(const char *triple)
{
    const char *behind = strstr(triple, "--");
    return behind ? behind + 2 : triple;
}

static void find_metadata(struct amd *amd)
{
    for (size_t i = 1; i < amd->elf.section_count; i++) {
        const struct rg_section section = rg_elf_section(&amd->elf, i);
        struct rg_view rest = section.type == RG_SECTION_NOTE ? rg_elf_bytes(&amd->elf, &section) : (struct rg_view){0};
        struct rg_note note;
        while (amd->metadata.size == 0 && rg_elf_note_next(&rest, &note)) {
            if (note.type == NOTE_METADATA && strcmp(note.owner, "AMDGPU") == 0) {
                amd->metadata = note.content;
                amd->metadata_offset = (uint64_t)(note.content.at - amd->image->bytes.at);
            }
        }
    }
}

static void find_target(struct amd *amd)
{
    struct rg_view value;
    const char *triple = NULL;
    amd->target = "";
    if (find_key(amd->metadata, "amdhsa.target", &value) && read_text(amd, &value, &triple)) {
        amd->target = target_of(triple);
    }
}

/** Without metadata there still are the descriptors. */
static void read_descriptors(struct amd *amd)
{
    for (size_t i = 0; i < amd->sorted_count && !amd->visit->stopped; i++) {
        const char *name = amd->sorted[i].name;
        const size_t length = strlen(name);
        if (length <= 3 || strcmp(name + length - 3, ".kd") != 0) {
            continue;
        }
        struct amd_kernel kernel = kernel_begin(amd);
        kernel.kernel.name = rg_arena_copy(&amd->arena, name, length - 3);
        amd->out_of_memory = !kernel.kernel.name;
        if (amd->out_of_memory) {
            return;
        }
        kernel.descriptor = name;
        kernel_end(amd, &kernel);
    }
}

static ridge_status check_version(const struct amd *amd, struct ridge_error *error)
{
    if (amd->elf.os_abi != OS_HSA || amd->elf.abi_version < ABI_OLDEST || amd->elf.abi_version > ABI_NEWEST) {
        return rg_image_error(
            amd->image, error, 7,
            "an AMD code object of system %u, version %u (HSA, 64, with versions 1 to 4: code objects "
            "v3 to v6; compile with -mcode-object-version=5)",
            amd->elf.os_abi, amd->elf.abi_version);
    }
    return RIDGE_OK;
}

static ridge_status read_metadata(struct amd *amd, struct ridge_error *error)
{
    struct rg_view kernels;
    if (amd->metadata.size == 0) {
        read_descriptors(amd);
        return RIDGE_OK;
    }
    if (!find_key(amd->metadata, "amdhsa.kernels", &kernels)) {
        return rg_image_error(amd->image, error, amd->metadata_offset, "the metadata are damaged");
    }
    if (kernels.size > 0 && !read_kernels(amd, &kernels) && !amd->out_of_memory) {
        return rg_image_error(amd->image, error, amd->metadata_offset + (amd->metadata.size - kernels.size),
                              "the metadata are damaged");
    }
    return RIDGE_OK;
}

ridge_status rg_amd_read(struct rg_visit *visit, const struct rg_image *image, uint64_t *end, struct ridge_error *error)
{
    struct amd amd = {.visit = visit, .image = image};
    ridge_status status = rg_elf_open(image, &amd.elf, error);
    status = status == RIDGE_OK ? check_version(&amd, error) : status;
    if (status != RIDGE_OK) {
        return status;
    }
    *end = amd.elf.end;
    rg_arena_init(&amd.arena, visit->context);
    find_metadata(&amd);
    find_target(&amd);
    rg_visit_image(visit, image, "AMD code object", amd.target);
    if (visit->kernel && !visit->stopped && rg_visit_wants(visit, amd.target)) {
        amd.out_of_memory = amd.out_of_memory || !sort_symbols(&amd);
        status = amd.out_of_memory ? RIDGE_OK : read_metadata(&amd, error);
    }
    if (amd.out_of_memory) {
        status = rg_error_memory(error, amd.metadata.size);
    }
    rg_arena_fini(&amd.arena);
    return status;
}
