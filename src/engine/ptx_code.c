/* SPDX-License-Identifier: MIT */
#include "engine/ptx_code.h"

#include <string.h>

#define RG_OF_u16    RG_U16
#define RG_OF_u32    RG_U32
#define RG_OF_u64    RG_U64
#define RG_OF_s16    RG_S16
#define RG_OF_s32    RG_S32
#define RG_OF_s64    RG_S64
#define RG_OF_f16    RG_F16
#define RG_OF_bf16   RG_BF16
#define RG_OF_f32    RG_F32
#define RG_OF_f64    RG_F64
#define RG_SIZE_u16  2
#define RG_SIZE_u32  4
#define RG_SIZE_u64  8
#define RG_SIZE_s16  2
#define RG_SIZE_s32  4
#define RG_SIZE_s64  8
#define RG_SIZE_f16  2
#define RG_SIZE_bf16 2
#define RG_SIZE_f32  4
#define RG_SIZE_f64  8

const struct rg_code_facts rg_codes[RG_CODE_COUNT] = {
#define RG_PLAIN_ROW(key, class, count, d, a, b, c, text)  \
    {#key,                                                 \
     class,                                                \
     count,                                                \
     {RG_SIZE_##d, RG_SIZE_##a, RG_SIZE_##b, RG_SIZE_##c}, \
     {RG_OF_##d, RG_OF_##a, RG_OF_##b, RG_OF_##c}},
    RG_PLAIN_LANES(RG_PLAIN_ROW)
#undef RG_PLAIN_ROW
#define RG_COMPARE_ROW(key, class, t, text) \
    {"is_" #key, class, 2, {4, RG_SIZE_##t, RG_SIZE_##t, 0}, {RG_PRED, RG_OF_##t, RG_OF_##t, 0}},
        RG_COMPARE_LANES(RG_COMPARE_ROW)
#undef RG_COMPARE_ROW
            {"select_16", RG_CLASS_INTEGER, 3, {2, 2, 2, 4}, {RG_B16, RG_B16, RG_B16, RG_PRED}},
    {"select_32", RG_CLASS_INTEGER, 3, {4, 4, 4, 4}, {RG_B32, RG_B32, RG_B32, RG_PRED}},
    {"select_64", RG_CLASS_INTEGER, 3, {8, 8, 8, 4}, {RG_B64, RG_B64, RG_B64, RG_PRED}},
    {"load", RG_CLASS_GLOBAL, 1, {0}, {0}},
    {"store", RG_CLASS_GLOBAL, 1, {0}, {0}},
};

static uint32_t hash_of(const char *key)
{
    uint32_t hash = 2166136261U;
    for (; *key; key++) {
        hash = (hash ^ (uint8_t)*key) * 16777619U;
    }
    return hash % RG_CODE_TABLE;
}

void rg_code_index(uint16_t table[RG_CODE_TABLE])
{
    memset(table, 0, RG_CODE_TABLE * sizeof *table);
    for (unsigned code = 0; code < RG_CODE_COUNT; code++) {
        uint32_t at = hash_of(rg_codes[code].key);
        while (table[at]) {
            at = (at + 1) % RG_CODE_TABLE;
        }
        table[at] = (uint16_t)(code + 1);
    }
}

rg_code rg_code_in(const uint16_t table[RG_CODE_TABLE], const char *key)
{
    for (uint32_t at = hash_of(key); table[at]; at = (at + 1) % RG_CODE_TABLE) {
        if (strcmp(rg_codes[table[at] - 1].key, key) == 0) {
            return (rg_code)(table[at] - 1);
        }
    }
    return RG_CODE_COUNT;
}
