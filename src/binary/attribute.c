/* SPDX-License-Identifier: MIT */
#include "binary/attribute.h"

enum {
    FORMAT_NONE = 1,
    FORMAT_SIZED = 4,
    ANNOTATION_SPILL = 1,
    OPCODE_STORE_LOCAL = 0x387,
    OPCODE_LOAD_LOCAL = 0x983
};

/** One bit a code: those whose meaning is known, read or not. Source: docs/inspect.md, "Attributes". */
static const uint8_t known_codes[] = {0x04, 0x05, 0x0a, 0x0f, 0x10, 0x11, 0x12, 0x17, 0x19, 0x1b, 0x1c,
                                      0x1e, 0x23, 0x28, 0x29, 0x2f, 0x36, 0x37, 0x38, 0x3d, 0x3e, 0x3f,
                                      0x41, 0x4a, 0x4c, 0x50, 0x55, 0x5b, 0x5f, 0x66, 0x6b};

bool rg_attribute_next(struct rg_view *rest, struct rg_attribute *out)
{
    if (rest->size < 4) {
        return false;
    }
    struct rg_attribute attribute = {.format = rg_view_u8(*rest, 0), .code = rg_view_u8(*rest, 1)};
    attribute.value = rg_view_u16(*rest, 2);
    if (attribute.format < FORMAT_NONE || attribute.format > FORMAT_SIZED) {
        return false;
    }
    const uint64_t bytes = attribute.format == FORMAT_SIZED ? attribute.value : 0;
    if (!rg_view_holds(*rest, 4, bytes)) {
        return false;
    }
    attribute.payload = rg_view_part(*rest, 4, bytes);
    *rest = rg_view_from(*rest, 4 + bytes);
    *out = attribute;
    return true;
}

static bool keep_unknown(struct rg_visit *visit, const struct rg_attribute *from, struct ridge_binary_kernel *kernel)
{
    struct rg_room *room = &visit->attributes;
    room->element_bytes = sizeof(struct ridge_binary_attribute);
    if (!rg_reserve(visit->context, &room->memory, &room->capacity, (size_t)kernel->unknown_attributes + 1,
                    room->element_bytes)) {
        return false;
    }
    struct ridge_binary_attribute *attributes = room->memory;
    attributes[kernel->unknown_attributes++] = (struct ridge_binary_attribute){
        from->code, from->format, from->value, (uint32_t)from->payload.size, from->payload.at};
    kernel->attributes = attributes;
    return true;
}

static bool is_known(uint8_t code)
{
    return memchr(known_codes, code, sizeof known_codes) != NULL;
}

static void read_sides(const struct rg_attribute *attribute, uint32_t out[3])
{
    for (size_t i = 0; i < 3 && attribute->payload.size >= 12; i++) {
        out[i] = rg_view_u32(attribute->payload, 4 * i);
    }
}

bool rg_kernel_attributes(struct rg_visit *visit, struct rg_view *rest, struct ridge_binary_kernel *kernel,
                          struct rg_view *annotations)
{
    struct rg_attribute attribute;
    kernel->parameter_bytes = rest->size > 0 ? 0 : kernel->parameter_bytes; /* no attribute of them: there are none */
    while (rg_attribute_next(rest, &attribute)) {
        switch (attribute.code) {
        case RG_ATTRIBUTE_MAX_THREADS: read_sides(&attribute, kernel->max_threads); break;
        case RG_ATTRIBUTE_REQUIRED_THREADS: read_sides(&attribute, kernel->required_threads); break;
        case RG_ATTRIBUTE_PARAMETER_BANK: kernel->parameter_bytes = rg_view_u16(attribute.payload, 6); break;
        case RG_ATTRIBUTE_PARAMETER_BYTES: kernel->parameter_bytes = attribute.value; break;
        case RG_ATTRIBUTE_BARRIERS: kernel->barriers = attribute.value & 0xff; break;
        case RG_ATTRIBUTE_ANNOTATIONS: *annotations = attribute.payload; break;
        default:
            if (!is_known(attribute.code) && !keep_unknown(visit, &attribute, kernel)) {
                *rest = (struct rg_view){NULL, 0};
                return false;
            }
        }
    }
    return rest->size == 0;
}

/** Bytes that a local load or store moves, by bits 73 to 75 of the instruction. */
static uint32_t width_of(uint64_t high)
{
    static const uint8_t bytes[8] = {[4] = 4, [5] = 8, [6] = 16};
    return bytes[(high >> 9) & 7];
}

struct rg_spills rg_annotated_spills(struct rg_view code, struct rg_view annotations)
{
    struct rg_spills sum = {0, 0};
    for (uint64_t at = 0; at + 8 <= annotations.size; at += 8) {
        const struct rg_view instruction = rg_view_part(code, rg_view_u32(annotations, at + 4), 16);
        const uint64_t opcode = rg_view_u64(instruction, 0) & 0xfff;
        const uint32_t width = width_of(rg_view_u64(instruction, 8));
        if (rg_view_u32(annotations, at) != ANNOTATION_SPILL) {
            continue;
        }
        sum.store_bytes += opcode == OPCODE_STORE_LOCAL ? width : 0;
        sum.load_bytes += opcode == OPCODE_LOAD_LOCAL ? width : 0;
    }
    return sum;
}
