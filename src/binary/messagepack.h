/* SPDX-License-Identifier: MIT */
/**
 * \file MessagePack, one value at a time, without allocating anything and without recursion: msgpack-c reserves what a
 * length claims before it looks at the bytes. Source: the MessagePack specification (2017). Pure; any thread.
 */
#ifndef RG_BINARY_MESSAGEPACK_H
#define RG_BINARY_MESSAGEPACK_H

#include "binary/view.h"

enum rg_pack_kind {
    RG_PACK_NIL,
    RG_PACK_TRUTH,
    RG_PACK_INTEGER,
    RG_PACK_FLOAT, /* not read: its bytes are skipped */
    RG_PACK_TEXT,
    RG_PACK_BYTES, /* and extensions */
    RG_PACK_ARRAY,
    RG_PACK_MAP
};

struct rg_pack {
    enum rg_pack_kind kind;
    uint64_t number;     /**< integer (negative ones as two's complement), truth; elements or pairs of a container */
    struct rg_view text; /**< text, bytes */
};

/** Take a value off `rest`; of an array or a map, only its head. \return false when it is damaged or ends too early. */
bool rg_pack_next(struct rg_view *rest, struct rg_pack *out);

/** Take a whole value off, with everything in it. \return false when it is damaged or ends too early. */
bool rg_pack_skip(struct rg_view *rest);

/** \return whether a value is this text. */
bool rg_pack_is(const struct rg_pack *value, const char *text);

#endif
