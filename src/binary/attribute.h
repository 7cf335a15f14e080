/* SPDX-License-Identifier: MIT */
/** \file The attributes (EIATTR) in the .nv.info sections of a cubin. Pure; one thread a visit. */
#ifndef RG_BINARY_ATTRIBUTE_H
#define RG_BINARY_ATTRIBUTE_H

#include "binary/visit.h"

/** Codes that are read: name, code. Source: docs/inspect.md, "Attributes". */
enum {
    RG_ATTRIBUTE_MAX_THREADS = 0x05,
    RG_ATTRIBUTE_PARAMETER_BANK = 0x0a,
    RG_ATTRIBUTE_REQUIRED_THREADS = 0x10,
    RG_ATTRIBUTE_FRAME = 0x11,
    RG_ATTRIBUTE_MIN_STACK = 0x12,
    RG_ATTRIBUTE_PARAMETER_BYTES = 0x19,
    RG_ATTRIBUTE_MAX_STACK = 0x23,
    RG_ATTRIBUTE_REGISTERS = 0x2f,
    RG_ATTRIBUTE_BARRIERS = 0x4c,
    RG_ATTRIBUTE_ANNOTATIONS = 0x55
};

struct rg_attribute {
    uint8_t format;
    uint8_t code;
    uint16_t value;         /**< formats 1 to 3 */
    struct rg_view payload; /**< format 4 */
};

/** Take the next attribute off `rest`. \return false at the end, and where it is damaged: then `rest` is not empty. */
bool rg_attribute_next(struct rg_view *rest, struct rg_attribute *out);

/**
 * Read the attributes of a kernel into `kernel`, those that are not known into its list.
 * \param[out] annotations  what annotates the kernel's instructions; empty: nothing
 * \return false when they are damaged (`rest` then begins there) or memory is out (`rest` is then empty)
 */
bool rg_kernel_attributes(struct rg_visit *visit, struct rg_view *rest, struct ridge_binary_kernel *kernel,
                          struct rg_view *annotations);

struct rg_spills {
    uint32_t store_bytes;
    uint32_t load_bytes;
};

/** Sum the widths of the annotated loads and stores in a kernel's code. */
struct rg_spills rg_annotated_spills(struct rg_view code, struct rg_view annotations);

#endif
