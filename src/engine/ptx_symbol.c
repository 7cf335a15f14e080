/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ptx_read.h"

static uint32_t bucket_of(const char *name, uint32_t length)
{
    uint32_t hash = 2166136261U; /* FNV-1a. Source: G. Fowler, L. Noll, K.-P. Vo */
    for (uint32_t i = 0; i < length; i++) {
        hash = (hash ^ (uint8_t)name[i]) * 16777619U;
    }
    return hash % RG_SYMBOL_BUCKETS;
}

struct rg_symbol *rg_symbol_find(struct rg_reader *reader, const char *name, uint32_t length)
{
    for (uint32_t at = reader->buckets[bucket_of(name, length)]; at > 0; at = reader->symbols[at - 1].next) {
        struct rg_symbol *symbol = &reader->symbols[at - 1];
        if (symbol->length == length && memcmp(symbol->name, name, length) == 0) {
            return symbol;
        }
    }
    return NULL;
}

struct rg_symbol *rg_symbol_add(struct rg_reader *reader, const struct rg_word *word, rg_symbol_kind kind)
{
    const struct ridge_context *context = reader->ptx->context;
    if (!rg_reserve(context, &reader->symbols, &reader->symbol_capacity, reader->symbol_count + 1,
                    sizeof *reader->symbols)) {
        rg_error_memory(reader->error, sizeof *reader->symbols);
        return NULL;
    }
    struct rg_symbol *symbol = &reader->symbols[reader->symbol_count++];
    const uint32_t bucket = bucket_of(word->text, word->length);
    *symbol = (struct rg_symbol){.kind = kind, .name = word->text, .length = word->length, .bucket = bucket};
    symbol->next = reader->buckets[bucket];
    reader->buckets[bucket] = (uint32_t)reader->symbol_count;
    return symbol;
}

void rg_symbol_cut(struct rg_reader *reader, size_t count)
{
    while (reader->symbol_count > count) {
        const struct rg_symbol *symbol = &reader->symbols[--reader->symbol_count];
        reader->buckets[symbol->bucket] = symbol->next;
    }
}

uint32_t rg_register_bytes(rg_type type)
{
    return type == RG_PRED ? 4 : rg_types[type].bytes < 2 ? 2 : rg_types[type].bytes;
}

uint32_t rg_slot_new(struct rg_reader *reader, uint32_t bytes)
{
    const uint32_t slot = reader->slot_next;
    const uint32_t size = (bytes * RG_LANES + RG_SLOT_UNIT - 1) / RG_SLOT_UNIT * RG_SLOT_UNIT;
    if (slot > RG_MAX_SLOTS_BYTES - size) {
        rg_error_set(reader->error, RIDGE_E_LIMIT, "%s: more registers than %d MiB a warp", reader->ptx->path,
                     RG_MAX_SLOTS_BYTES >> 20);
        return RG_NO_SLOT;
    }
    reader->slot_next += size;
    return slot;
}

uint32_t rg_slot_fill(struct rg_reader *reader, const struct rg_fill *fill)
{
    struct rg_ptx *ptx = reader->ptx;
    for (size_t i = ptx->fill_count; i > 0 && i + 64 > ptx->fill_count; i--) { /* repeated ones stand near */
        const struct rg_fill *have = &ptx->fills[i - 1];
        if (have->kind == fill->kind && have->bits == fill->bits && have->addend == fill->addend &&
            have->bytes == fill->bytes && have->generic == fill->generic && have->function == fill->function) {
            return have->slot;
        }
    }
    if (!rg_reserve(ptx->context, &ptx->fills, &ptx->fill_capacity, ptx->fill_count + 1, sizeof *ptx->fills)) {
        rg_error_memory(reader->error, sizeof *ptx->fills);
        return RG_NO_SLOT;
    }
    const uint32_t slot = rg_slot_new(reader, fill->bytes);
    if (slot != RG_NO_SLOT) {
        ptx->fills[ptx->fill_count] = *fill;
        ptx->fills[ptx->fill_count++].slot = slot;
    }
    return slot;
}

uint32_t rg_slot_bits(struct rg_reader *reader, uint64_t bits, uint32_t bytes)
{
    const uint64_t kept = bytes >= 8 ? bits : bits & (((uint64_t)1 << (8 * bytes)) - 1);
    const struct rg_fill fill = {RG_FILL_BITS, kept, 0, 0, bytes, false, reader->function};
    return rg_slot_fill(reader, &fill);
}
