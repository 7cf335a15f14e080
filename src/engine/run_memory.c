/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "engine/run.h"

const struct rg_region *rg_memory_region(const struct rg_run *run, rg_space space, uint64_t address, uint64_t *base)
{
    *base = 0;
    switch (space) {
    case RG_SPACE_SHARED: return &run->shared;
    case RG_SPACE_CONST:
        if (address >> RG_REGION_BITS == 0) {
            return &run->constants;
        }
        break; /* an OpenCL argument of constant memory is a buffer */
    case RG_SPACE_PARAM: return &run->kernel_parameters;
    case RG_SPACE_LOCAL:
    case RG_SPACE_CALL_PARAM:
    case RG_SPACE_COUNT: return NULL;
    case RG_SPACE_GENERIC:
    case RG_SPACE_GLOBAL: break;
    }
    const uint64_t number = address >> RG_REGION_BITS;
    *base = number << RG_REGION_BITS;
    if (number >= 1 && number <= run->region_count) {
        return &run->regions[number - 1];
    }
    return space == RG_SPACE_GENERIC && *base == RG_WINDOW(RG_SPACE_SHARED) ? &run->shared : NULL;
}

/** Memory that a thread has for itself: its part of the warp's. */
static struct rg_region own_region(const struct rg_warp *warp, unsigned lane, rg_space space)
{
    const struct rg_ptx *ptx = warp->run->ptx;
    struct rg_region region = {.name = "local memory", .writable = true};
    if (space == RG_SPACE_LOCAL) {
        region.size = ptx->local_bytes;
        region.bytes = warp->local + (size_t)lane * ptx->local_bytes;
    } else {
        region.name = "parameters of calls";
        region.size = ptx->param_bytes;
        region.bytes = warp->parameters + (size_t)lane * ptx->param_bytes;
    }
    return region;
}

/** A flat address as a space and an address inside it. */
static rg_space split_generic(uint64_t *address)
{
    const uint64_t window = *address >> RG_REGION_BITS << RG_REGION_BITS;
    for (int space = RG_SPACE_SHARED; space < RG_SPACE_COUNT; space++) {
        if (window == RG_WINDOW(space)) {
            *address -= window;
            return (rg_space)space;
        }
    }
    return RG_SPACE_GLOBAL;
}

/** "4 bytes behind the end of argument a (64 bytes)", or what is nearest. */
void rg_memory_describe(const struct rg_run *run, rg_space space, uint64_t address, char *text, size_t size)
{
    uint64_t base;
    if (space == RG_SPACE_SHARED) {
        rg_shared_describe(run, address, text, size);
        return;
    }
    const struct rg_region *region = rg_memory_region(run, space, address, &base);
    const uint64_t offset = address - base;
    const struct rg_region *following = NULL;
    if (space == RG_SPACE_GLOBAL || space == RG_SPACE_GENERIC) {
        const uint64_t next = (address >> RG_REGION_BITS) + 1;
        following = next >= 1 && next <= run->region_count ? &run->regions[next - 1] : NULL;
    }
    const uint64_t before = ((uint64_t)1 << RG_REGION_BITS) - (address & (((uint64_t)1 << RG_REGION_BITS) - 1));
    if (following && before < (uint64_t)1 << 32) {
        snprintf(text, size, "%llu bytes before %s", (unsigned long long)before, following->name);
    } else if (region && offset < region->size) {
        snprintf(text, size, "byte %llu of %s", (unsigned long long)offset, region->name);
    } else if (region) {
        snprintf(text, size, "%llu bytes behind the end of %s (%llu bytes)",
                 (unsigned long long)(offset - region->size), region->name, (unsigned long long)region->size);
    } else {
        snprintf(text, size, "address 0x%llx, which belongs to nothing", (unsigned long long)address);
    }
}

void rg_memory_outside(struct rg_warp *warp, const struct rg_op *op, unsigned lane, rg_space space, uint64_t address,
                       uint32_t bytes, bool writes)
{
    struct rg_run *run = warp->run;
    char thread[96];
    char where[200];
    if (!rg_finding_new(run, op, RG_RULE_OUT_OF_BOUNDS)) {
        return;
    }
    if (space == RG_SPACE_LOCAL || space == RG_SPACE_CALL_PARAM) {
        const struct rg_region own = own_region(warp, lane, space);
        snprintf(where, sizeof where, "byte %lld of %s (%llu bytes)", (long long)address, own.name,
                 (unsigned long long)own.size);
    } else {
        rg_memory_describe(run, space, address, where, sizeof where);
    }
    rg_finding_reason(run, "%s %s %u bytes at %s", rg_thread_text(warp, lane, thread, sizeof thread),
                      writes ? "writes" : "reads", bytes, where);
}

uint8_t *rg_memory_place(struct rg_warp *warp, const struct rg_op *op, unsigned lane, rg_space space, uint64_t address,
                         uint32_t bytes, bool writes, rg_space *reached)
{
    struct rg_run *run = warp->run;
    char thread[96];
    uint64_t base = 0;
    space = space == RG_SPACE_GENERIC ? split_generic(&address) : space;
    *reached = space;
    struct rg_region own;
    const struct rg_region *region = rg_memory_region(run, space, address, &base);
    if (space == RG_SPACE_LOCAL || space == RG_SPACE_CALL_PARAM) {
        own = own_region(warp, lane, space);
        region = &own;
    }
    const uint64_t offset = address - base;
    if (!region || offset >= region->size || region->size - offset < bytes) {
        rg_memory_outside(warp, op, lane, space, address, bytes, writes);
        return NULL;
    }
    if (offset & (bytes - 1)) {
        if (rg_finding_new(run, op, RG_RULE_MISALIGNED)) {
            char where[200];
            snprintf(where, sizeof where, "byte %llu of %s", (unsigned long long)offset, region->name);
            if (space == RG_SPACE_SHARED) {
                rg_shared_describe(run, address, where, sizeof where);
            }
            rg_finding_reason(run, "%s %s %u bytes at %s, which is no multiple of %u",
                              rg_thread_text(warp, lane, thread, sizeof thread), writes ? "writes" : "reads", bytes,
                              where, bytes);
        }
        return NULL;
    }
    if (writes && !region->writable) {
        if (rg_finding_new(run, op, RG_RULE_READ_ONLY)) {
            rg_finding_reason(run, "%s writes %u bytes at byte %llu of %s, which is not to be written",
                              rg_thread_text(warp, lane, thread, sizeof thread), bytes, (unsigned long long)offset,
                              region->name);
        }
        return NULL;
    }
    return region->bytes + offset;
}

static void load_lane(struct rg_warp *warp, const struct rg_op *op, unsigned lane, const uint8_t *from)
{
    const uint32_t count = op->list_count ? op->list_count : 1;
    const unsigned unused = 64 - 8U * op->bytes;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t slot = op->list_count ? op->list[k] : op->d;
        uint64_t bits = 0;
        if (from) {
            memcpy(&bits, from + (size_t)k * op->bytes, op->bytes);
        }
        if (rg_types[op->type].kind == RG_KIND_SIGNED) {
            bits = (uint64_t)((int64_t)(bits << unused) >> unused);
        }
        if (slot != RG_NO_SLOT) {
            rg_lane_set(warp, slot, op->register_bytes, lane, bits);
        }
    }
}

static void store_lane(struct rg_warp *warp, const struct rg_op *op, unsigned lane, uint8_t *to)
{
    const uint32_t count = op->list_count ? op->list_count : 1;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t slot = op->list_count ? op->list[k] : op->d;
        const uint64_t bits = rg_lane_get(warp, slot, op->register_bytes, lane);
        memcpy(to + (size_t)k * op->bytes, &bits, op->bytes);
    }
}

/** Lane by lane: spaces of a thread's own, several regions in one access, and accesses that are wrong. */
void rg_memory_slow(struct rg_warp *warp, const struct rg_op *op, uint32_t mask, bool writes)
{
    const uint32_t bytes = op->bytes * (op->list_count ? op->list_count : 1U);
    warp->access = 0;
    for (unsigned lane = 0; lane < RG_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        rg_space reached;
        const uint64_t address = warp->addresses[lane];
        uint8_t *place = rg_memory_place(warp, op, lane, (rg_space)op->space, address, bytes, writes, &reached);
        if (!writes) {
            load_lane(warp, op, lane, place);
        } else if (place) {
            store_lane(warp, op, lane, place);
        }
        if (place) {
            warp->access |= 1U << lane;
            warp->reached = reached;
        }
    }
}
