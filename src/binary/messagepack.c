/* SPDX-License-Identifier: MIT */
#include "binary/messagepack.h"

/** What a first byte of 0xc0 to 0xdf means: how many bytes its number or length has, and what the kind is. */
struct pack_form {
    uint8_t kind;
    uint8_t number_bytes; /* behind the first byte */
    uint8_t more_bytes;   /* that follow without a length: an extension's type, fixed contents */
    bool is_signed;
};

static const struct pack_form forms[32] = {
    [0x00] = {RG_PACK_NIL, 0, 0, false},     [0x02] = {RG_PACK_TRUTH, 0, 0, false},
    [0x03] = {RG_PACK_TRUTH, 0, 0, false},   [0x04] = {RG_PACK_BYTES, 1, 0, false},
    [0x05] = {RG_PACK_BYTES, 2, 0, false},   [0x06] = {RG_PACK_BYTES, 4, 0, false},
    [0x07] = {RG_PACK_BYTES, 1, 1, false},   [0x08] = {RG_PACK_BYTES, 2, 1, false},
    [0x09] = {RG_PACK_BYTES, 4, 1, false},   [0x0a] = {RG_PACK_FLOAT, 4, 0, false},
    [0x0b] = {RG_PACK_FLOAT, 8, 0, false},   [0x0c] = {RG_PACK_INTEGER, 1, 0, false},
    [0x0d] = {RG_PACK_INTEGER, 2, 0, false}, [0x0e] = {RG_PACK_INTEGER, 4, 0, false},
    [0x0f] = {RG_PACK_INTEGER, 8, 0, false}, [0x10] = {RG_PACK_INTEGER, 1, 0, true},
    [0x11] = {RG_PACK_INTEGER, 2, 0, true},  [0x12] = {RG_PACK_INTEGER, 4, 0, true},
    [0x13] = {RG_PACK_INTEGER, 8, 0, true},  [0x14] = {RG_PACK_BYTES, 0, 2, false},
    [0x15] = {RG_PACK_BYTES, 0, 3, false},   [0x16] = {RG_PACK_BYTES, 0, 5, false},
    [0x17] = {RG_PACK_BYTES, 0, 9, false},   [0x18] = {RG_PACK_BYTES, 0, 17, false},
    [0x19] = {RG_PACK_TEXT, 1, 0, false},    [0x1a] = {RG_PACK_TEXT, 2, 0, false},
    [0x1b] = {RG_PACK_TEXT, 4, 0, false},    [0x1c] = {RG_PACK_ARRAY, 2, 0, false},
    [0x1d] = {RG_PACK_ARRAY, 4, 0, false},   [0x1e] = {RG_PACK_MAP, 2, 0, false},
    [0x1f] = {RG_PACK_MAP, 4, 0, false},
};

static uint64_t big_endian(struct rg_view view, uint64_t offset, unsigned bytes, bool is_signed)
{
    uint64_t value = is_signed && (rg_view_u8(view, offset) & 0x80U) ? UINT64_MAX : 0;
    for (unsigned i = 0; i < bytes; i++) {
        value = value << 8 | rg_view_u8(view, offset + i);
    }
    return value;
}

/** Values whose first byte says everything: small integers, short texts, arrays and maps. */
static bool short_form(uint8_t first, struct rg_pack *out)
{
    if (first < 0x80 || first >= 0xe0) {
        *out = (struct rg_pack){.kind = RG_PACK_INTEGER, .number = (uint64_t)(int64_t)(int8_t)first};
        return true;
    }
    if (first < 0xa0) {
        *out = (struct rg_pack){.kind = first < 0x90 ? RG_PACK_MAP : RG_PACK_ARRAY, .number = first & 0xfU};
        return true;
    }
    return false;
}

/** Take the content of a text or of bytes, `length` long, from `offset`. */
static bool take_content(struct rg_view *rest, uint64_t offset, uint64_t length, struct rg_pack *out)
{
    if (!rg_view_holds(*rest, offset, length)) {
        return false;
    }
    out->text = rg_view_part(*rest, offset, length);
    *rest = rg_view_from(*rest, offset + length);
    return true;
}

bool rg_pack_next(struct rg_view *rest, struct rg_pack *out)
{
    if (rest->size == 0) {
        return false;
    }
    const uint8_t first = rg_view_u8(*rest, 0);
    if (short_form(first, out)) {
        *rest = rg_view_from(*rest, 1);
        return true;
    }
    if (first < 0xc0) {
        *out = (struct rg_pack){.kind = RG_PACK_TEXT};
        return take_content(rest, 1, first & 0x1fU, out);
    }
    const struct pack_form *form = &forms[first - 0xc0];
    if (first == 0xc1 || !rg_view_holds(*rest, 1, (uint64_t)form->number_bytes + form->more_bytes)) {
        return false;
    }
    const uint64_t number = big_endian(*rest, 1, form->number_bytes, form->is_signed);
    const uint64_t head = 1 + (uint64_t)form->number_bytes;
    *out = (struct rg_pack){.kind = (enum rg_pack_kind)form->kind, .number = number};
    if (out->kind == RG_PACK_TEXT || out->kind == RG_PACK_BYTES) {
        return take_content(rest, head, number + form->more_bytes, out);
    }
    if (out->kind == RG_PACK_TRUTH) {
        out->number = first & 1U;
    }
    *rest = rg_view_from(*rest, head);
    return true;
}

bool rg_pack_skip(struct rg_view *rest)
{
    struct rg_pack value;
    for (uint64_t left = 1; left > 0; left--) {
        if (!rg_pack_next(rest, &value)) {
            return false;
        }
        if (value.kind == RG_PACK_ARRAY || value.kind == RG_PACK_MAP) {
            left += value.number * (value.kind == RG_PACK_MAP ? 2 : 1);
        }
    }
    return true;
}

bool rg_pack_is(const struct rg_pack *value, const char *text)
{
    const size_t length = strlen(text);
    return value->kind == RG_PACK_TEXT && value->text.size == length && rg_view_begins(value->text, text, length);
}
