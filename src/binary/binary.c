/* SPDX-License-Identifier: MIT */
#include "ridge/binary.h"

#include <stdio.h>
#include <stdlib.h>

#include "binary/ahead.h"
#include "binary/bundle.h"
#include "binary/demangle.h"
#include "binary/elf64.h"
#include "binary/fatbin.h"
#include "binary/visit.h"

enum {
    UNPACK_BASE_BYTES = 64 << 20, /* what a file may unpack to in all: this, and so many times its size */
    UNPACK_RATIO = 1024           /* packed libraries of CUDA 13.0: 3 to 13 */
};

typedef ridge_status (*reader_fn)(struct rg_visit *visit, const struct rg_image *image, uint64_t *end,
                                  struct ridge_error *error);

/** A kind of file: how it is known, and what reads it. The first that fits is it. */
struct kind {
    const char *name;
    unsigned rank; /* a container holds kinds of lower rank only, so that a file cannot hold itself */
    bool (*fits)(struct rg_view bytes);
    reader_fn read;
};

struct ridge_binary {
    const struct ridge_context *context;
    struct rg_view bytes;
    struct rg_mapping mapping; /* all zero: bytes of the caller's */
    const struct kind *kind;
    char *name;
    size_t name_bytes;
};

static bool is_cubin(struct rg_view bytes)
{
    return rg_is_elf(bytes) && rg_view_u16(bytes, 0x12) == RG_MACHINE_CUDA;
}

static bool is_amd(struct rg_view bytes)
{
    return rg_is_elf(bytes) && rg_view_u16(bytes, 0x12) == RG_MACHINE_AMDGPU;
}

static bool is_archive(struct rg_view bytes)
{
    return rg_view_begins(bytes, "!<arch>\n", 8);
}

static const struct kind kinds[] = {
    {"cubin", 1, is_cubin, rg_cubin_read},
    {"AMD code object", 1, is_amd, rg_amd_read},
    {"host program", 4, rg_is_elf, rg_host_read},
    {"fatbin", 2, rg_is_fatbin, rg_fatbin_read},
    {"offload bundle", 2, rg_is_bundle, rg_bundle_read},
    {"compressed offload bundle", 3, rg_is_packed_bundle, rg_packed_bundle_read},
    {"archive", 5, is_archive, rg_archive_read},
};

static const struct kind *find_kind(struct rg_view bytes)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].fits(bytes)) {
            return &kinds[i];
        }
    }
    return NULL;
}

ridge_status rg_image_error(const struct rg_image *image, struct ridge_error *error, uint64_t offset,
                            const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const struct rg_place place = {.file = image->file};
    return rg_error_at(error, RIDGE_E_SYNTAX, &place, "%s%sbyte %llu: %s", image->place, image->place[0] ? ": " : "",
                       (unsigned long long)offset, what);
}

ridge_status rg_image_fail(const struct ridge_error *problem, struct ridge_error *error)
{
    if (error && error->status == RIDGE_OK) {
        *error = *problem;
    }
    return problem->status;
}

ridge_status rg_image_carry(struct rg_visit *visit, ridge_status status, const struct ridge_error *problem,
                            struct ridge_error *error)
{
    if (status == RIDGE_OK) {
        return RIDGE_OK;
    }
    if (status == RIDGE_E_MEMORY) {
        return rg_image_fail(problem, error);
    }
    char text[1024];
    ridge_error_format(problem, text, sizeof text);
    rg_log(visit->context, RIDGE_LOG_WARNING, "%s", text);
    visit->skipped++;
    return RIDGE_OK;
}

void *rg_room_take(struct rg_visit *visit, struct rg_room *room, size_t count, size_t element_bytes)
{
    room->element_bytes = element_bytes;
    if (!rg_reserve(visit->context, &room->memory, &room->capacity, count, element_bytes)) {
        return NULL;
    }
    memset(room->memory, 0, count * element_bytes);
    return room->memory;
}

static void room_fini(struct rg_visit *visit, struct rg_room *room)
{
    rg_free(visit->context, room->memory, room->capacity * room->element_bytes);
}

static void visit_fini(struct rg_visit *visit)
{
    room_fini(visit, &visit->symbols);
    room_fini(visit, &visit->sections);
    room_fini(visit, &visit->kernels);
    room_fini(visit, &visit->attributes);
    rg_ahead_fini(visit);
    rg_unpack_decoder_free(visit->decoder);
    free(visit->readable);
}

/** Read what an image begins with. \param[out] end  the offset behind it */
static ridge_status read_first(struct rg_visit *visit, const struct rg_image *image, uint64_t *end,
                               struct ridge_error *error)
{
    const struct kind *kind = find_kind(image->bytes);
    if (!kind) {
        return rg_image_error(image, error, 0,
                              "no compiled code for a device (a cubin, a fat binary, a program or library, an AMD code "
                              "object or an offload bundle)");
    }
    if (kind->rank >= image->below) {
        return rg_image_error(image, error, 0, "a container holds what it cannot hold: %s", kind->name);
    }
    struct rg_image own = *image;
    own.below = kind->rank;
    return kind->read(visit, &own, end, error);
}

/** Read what stands at an offset of an image, behind another one. What is wrong there is a warning: the others stand. */
static ridge_status read_behind(struct rg_visit *visit, const struct rg_image *image, uint64_t at, uint64_t *end,
                                struct ridge_error *error)
{
    char place[RG_PLACE_BYTES];
    struct rg_image behind = *image;
    struct ridge_error problem = {0};
    ridge_status status = RIDGE_OK;
    behind.object++;
    behind.bytes = rg_view_from(image->bytes, at);
    snprintf(place, sizeof place, "%.150s%sobject %u", image->place, image->place[0] ? ", " : "", behind.object);
    behind.place = place;
    if (find_kind(behind.bytes)) {
        status = read_first(visit, &behind, end, &problem);
    } else {
        status = rg_image_error(image, &problem, at, "%zu bytes follow that are no compiled code for a device: not read",
                                behind.bytes.size);
    }
    *end = status == RIDGE_OK ? at + *end : image->bytes.size; /* where a damaged one ends is not known */
    return rg_image_carry(visit, status, &problem, error);
}

ridge_status rg_image_read(struct rg_visit *visit, const struct rg_image *image, struct ridge_error *error)
{
    struct rg_image at = *image;
    uint64_t end = 0;
    ridge_status status = read_first(visit, image, &end, error);
    if (status != RIDGE_OK || image->alone) {
        return status;
    }
    for (end = rg_skip_padding(image->bytes, end); end < image->bytes.size && status == RIDGE_OK && !visit->stopped;
         end = rg_skip_padding(image->bytes, end)) {
        status = read_behind(visit, &at, end, &end, error);
        at.object++;
    }
    return status;
}

bool rg_visit_wants(const struct rg_visit *visit, const char *target)
{
    return !visit->wants || visit->wants(visit->user, target);
}

void rg_visit_image(struct rg_visit *visit, const struct rg_image *image, const char *kind, const char *target)
{
    if (!visit->image || visit->stopped) {
        return;
    }
    const struct ridge_binary_image out = {
        .place = image->place,
        .kind = kind,
        .target = target,
        .codec = image->codec,
        .stored_bytes = image->stored_bytes ? image->stored_bytes : image->bytes.size,
        .unpacked_bytes = image->unpacked_bytes ? image->unpacked_bytes : image->bytes.size,
        .object = image->object,
    };
    visit->stopped = !visit->image(visit->user, &out);
}

void rg_visit_kernel(struct rg_visit *visit, const struct rg_image *image, struct ridge_binary_kernel *kernel)
{
    const char *readable = rg_demangle(kernel->name, &visit->readable, &visit->readable_bytes);
    kernel->readable_name = readable ? readable : kernel->name;
    kernel->image = image->place;
    visit->stopped = !visit->kernel(visit->user, kernel);
}

struct ridge_binary_kernel rg_kernel_unstated(void)
{
    const uint32_t no = RIDGE_NOT_STATED;
    return (struct ridge_binary_kernel){
        .name = "",
        .readable_name = "",
        .target = "",
        .toolkit = "",
        .image = "",
        .registers = no,
        .accumulation_registers = no,
        .scalar_registers = no,
        .smem_static_bytes = no,
        .smem_reserved_bytes = no,
        .stack_bytes = no,
        .cumulative_stack_bytes = no,
        .spill_store_bytes = no,
        .spill_load_bytes = no,
        .vgpr_spills = no,
        .sgpr_spills = no,
        .barriers = no,
        .parameter_bytes = no,
        .max_threads = {no, no, no},
        .required_threads = {no, no, no},
        .wave_threads = no,
        .code_bytes = no,
    };
}

static struct rg_image whole_image(const struct ridge_binary *binary)
{
    return (struct rg_image){.bytes = binary->bytes,
                             .file = binary->name,
                             .place = "",
                             .codec = "",
                             .below = RG_RANK_ANY,
                             .object = 1,
                             .mapped = binary->mapping.size > 0};
}

/** Check what can be checked without reading kernels: the kind, and an ELF file's sections. */
static ridge_status check(struct ridge_binary *binary, struct ridge_error *error)
{
    const struct rg_image image = whole_image(binary);
    const struct rg_place place = {.file = binary->name};
    struct rg_elf elf;
    if (binary->bytes.size == 0) {
        return rg_error_at(error, RIDGE_E_SYNTAX, &place, "the file is empty (compiled code was expected)");
    }
    binary->kind = find_kind(binary->bytes);
    if (!binary->kind) {
        struct rg_visit nobody = {.context = binary->context};
        return rg_image_read(&nobody, &image, error);
    }
    return rg_is_elf(binary->bytes) ? rg_elf_open(&image, &elf, error) : RIDGE_OK;
}

static ridge_status binary_make(const struct ridge_context *context, struct rg_view bytes, const char *name,
                                struct ridge_binary **out, struct ridge_error *error)
{
    struct ridge_binary *binary = rg_alloc(context, sizeof *binary);
    const size_t name_bytes = strlen(name) + 1;
    char *copy = rg_alloc(context, name_bytes);
    if (!binary || !copy) {
        rg_free(context, binary, sizeof *binary);
        rg_free(context, copy, name_bytes);
        return rg_error_memory(error, sizeof *binary + name_bytes);
    }
    memcpy(copy, name, name_bytes);
    *binary = (struct ridge_binary){.context = context, .bytes = bytes, .name = copy, .name_bytes = name_bytes};
    const ridge_status status = check(binary, error);
    if (status != RIDGE_OK) {
        ridge_binary_close(binary);
        return status;
    }
    *out = binary;
    return RIDGE_OK;
}

ridge_status ridge_binary_open(const struct ridge_context *context, const char *path, struct ridge_binary **out,
                               struct ridge_error *error)
{
    struct rg_mapping mapping = {NULL, 0};
    ridge_status status = rg_mapping_open(path, &mapping, error);
    if (status != RIDGE_OK) {
        return status;
    }
    status = binary_make(context, (struct rg_view){mapping.memory, mapping.size}, path, out, error);
    if (status != RIDGE_OK) {
        rg_mapping_close(&mapping);
        return status;
    }
    (*out)->mapping = mapping;
    return RIDGE_OK;
}

ridge_status ridge_binary_open_bytes(const struct ridge_context *context, const void *bytes, size_t size,
                                     const char *name, struct ridge_binary **out, struct ridge_error *error)
{
    return binary_make(context, (struct rg_view){bytes, size}, name, out, error);
}

void ridge_binary_close(struct ridge_binary *binary)
{
    if (!binary) {
        return;
    }
    rg_mapping_close(&binary->mapping);
    rg_free(binary->context, binary->name, binary->name_bytes);
    rg_free(binary->context, binary, sizeof *binary);
}

const char *ridge_binary_kind(const struct ridge_binary *binary)
{
    return binary->kind->name;
}

static ridge_status read_all(const struct ridge_binary *binary, struct rg_visit *visit, struct ridge_error *error)
{
    const struct rg_image image = whole_image(binary);
    visit->context = binary->context;
    visit->unpack_left = UNPACK_BASE_BYTES + UNPACK_RATIO * (uint64_t)binary->bytes.size;
    const ridge_status status = rg_image_read(visit, &image, error);
    visit_fini(visit);
    return status;
}

ridge_status ridge_binary_visit(const struct ridge_binary *binary, const struct ridge_binary_visitor *visitor,
                                uint64_t *skipped, struct ridge_error *error)
{
    struct rg_visit reading = {
        .kernel = visitor->kernel, .wants = visitor->wants, .user = visitor->user, .threads = visitor->threads};
    const ridge_status status = read_all(binary, &reading, error);
    if (skipped && status == RIDGE_OK) {
        *skipped = reading.skipped;
    }
    return status;
}

ridge_status ridge_binary_each(const struct ridge_binary *binary,
                               bool (*visit)(void *user, const struct ridge_binary_kernel *kernel), void *user,
                               uint64_t *skipped, struct ridge_error *error)
{
    const struct ridge_binary_visitor visitor = {.kernel = visit, .user = user};
    return ridge_binary_visit(binary, &visitor, skipped, error);
}

ridge_status ridge_binary_each_image(const struct ridge_binary *binary,
                                     bool (*visit)(void *user, const struct ridge_binary_image *image), void *user,
                                     struct ridge_error *error)
{
    struct rg_visit reading = {.image = visit, .user = user};
    return read_all(binary, &reading, error);
}
