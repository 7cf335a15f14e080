/* SPDX-License-Identifier: MIT */
/** \file Facts about the plain operations, from their one list. Pure. */
#ifndef RG_ENGINE_PTX_CODE_H
#define RG_ENGINE_PTX_CODE_H

#include "engine/ptx_read.h"

struct rg_code_facts {
    const char *key;
    uint8_t class;
    uint8_t sources;
    uint8_t bytes[4]; /**< of registers: destination, a, b, c */
    uint8_t types[4]; /**< rg_type, for literals */
};
extern const struct rg_code_facts rg_codes[RG_CODE_COUNT];

enum {
    RG_CODE_TABLE = 4096
};
/** Fill a table that rg_code_in searches: code + 1 by hash of its key. */
void rg_code_index(uint16_t table[RG_CODE_TABLE]);
rg_code rg_code_in(const uint16_t table[RG_CODE_TABLE], const char *key);

#endif
