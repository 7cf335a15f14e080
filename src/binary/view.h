/* SPDX-License-Identifier: MIT */
/**
 * \file Bytes of a file that nobody vouches for, and the only place where they are read. A read outside of a view
 * gives 0, an empty view or NULL: it cannot reach other memory, whatever a file claims. Pure; any thread.
 */
#ifndef RG_BINARY_VIEW_H
#define RG_BINARY_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rg_view {
    const uint8_t *at;
    size_t size;
};

/** \return whether `size` bytes from `offset` lie inside. */
static inline bool rg_view_holds(struct rg_view view, uint64_t offset, uint64_t size)
{
    return offset <= view.size && size <= view.size - offset;
}

/** \return the part, or an empty view when it does not lie inside. */
static inline struct rg_view rg_view_part(struct rg_view view, uint64_t offset, uint64_t size)
{
    if (!rg_view_holds(view, offset, size)) {
        return (struct rg_view){NULL, 0};
    }
    return (struct rg_view){view.at + offset, (size_t)size};
}

/** \return everything from `offset` on. */
static inline struct rg_view rg_view_from(struct rg_view view, uint64_t offset)
{
    return offset < view.size ? rg_view_part(view, offset, view.size - offset) : (struct rg_view){NULL, 0};
}

/* Numbers, little endian: 0 when they do not lie inside. */
static inline uint8_t rg_view_u8(struct rg_view view, uint64_t offset)
{
    return offset < view.size ? view.at[offset] : 0;
}

static inline uint16_t rg_view_u16(struct rg_view view, uint64_t offset)
{
    uint16_t value = 0;
    if (rg_view_holds(view, offset, sizeof value)) {
        memcpy(&value, view.at + offset, sizeof value);
    }
    return value;
}

static inline uint32_t rg_view_u32(struct rg_view view, uint64_t offset)
{
    uint32_t value = 0;
    if (rg_view_holds(view, offset, sizeof value)) {
        memcpy(&value, view.at + offset, sizeof value);
    }
    return value;
}

static inline uint64_t rg_view_u64(struct rg_view view, uint64_t offset)
{
    uint64_t value = 0;
    if (rg_view_holds(view, offset, sizeof value)) {
        memcpy(&value, view.at + offset, sizeof value);
    }
    return value;
}

/** \return whether the view begins with `length` bytes. */
static inline bool rg_view_begins(struct rg_view view, const void *bytes, size_t length)
{
    return length <= view.size && memcmp(view.at, bytes, length) == 0;
}

/** \return the text at `offset`, or NULL when it does not end inside. */
static inline const char *rg_view_text(struct rg_view view, uint64_t offset)
{
    if (offset >= view.size || !memchr(view.at + offset, 0, view.size - (size_t)offset)) {
        return NULL;
    }
    return (const char *)view.at + offset;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rg_view_u* would have to swap bytes");

#endif
