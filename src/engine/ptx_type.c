/* SPDX-License-Identifier: MIT */
#include "engine/ptx_type.h"

#include <string.h>

const struct rg_type_facts rg_types[RG_TYPE_COUNT] = {
#define RG_TYPE_ROW(name, word, bytes, kind) {word, bytes, kind},
    RG_TYPE_LIST(RG_TYPE_ROW)
#undef RG_TYPE_ROW
};

rg_type rg_type_find(const char *word, uint32_t length)
{
    for (unsigned i = 0; i < RG_TYPE_COUNT; i++) {
        if (strlen(rg_types[i].word) == length && memcmp(rg_types[i].word, word, length) == 0) {
            return (rg_type)i;
        }
    }
    return RG_TYPE_COUNT;
}
