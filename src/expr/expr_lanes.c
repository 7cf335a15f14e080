/* SPDX-License-Identifier: MIT */
/**
 * \file What 32 lanes of a warp cost: words in banks of shared memory, lines of the cache. Source of both rules: CUDA C++
 * Programming Guide 13.0, "Shared Memory" (32 banks of 4 bytes, the same word is read once) and "Device Memory Accesses".
 */
#include "expr/expr_integer.h"

enum {
    LANES = 32,
    BANKS = 32,
    LINE_BYTES = 128
};

static const int64_t far_away = INT64_C(1) << 40; /* beyond it products with a lane could overflow */

static bool already(const int64_t *words, int before, int64_t word)
{
    int i = 0;
    while (i < before && words[i] != word) {
        i++;
    }
    return i < before;
}

rg_fault_code rg_integer_bank_conflicts(int64_t stride, int64_t width, int64_t *out)
{
    if (width < 1 || stride > far_away || stride < 0) {
        return RG_FAULT_DOMAIN;
    }
    int64_t words[LANES];
    int in_bank[BANKS] = {0};
    int most = 1;
    for (int lane = 0; lane < LANES; lane++) {
        words[lane] = lane / width * stride + lane % width;
        if (!already(words, lane, words[lane])) {
            const int here = ++in_bank[words[lane] % BANKS];
            most = here > most ? here : most;
        }
    }
    *out = most;
    return RG_FAULT_NONE;
}

rg_fault_code rg_integer_warp_lines(int64_t stride, int64_t bytes, int64_t *out)
{
    if (bytes < 1 || bytes > far_away || stride < 0 || stride > far_away) {
        return RG_FAULT_DOMAIN;
    }
    int64_t lines = 0;
    int64_t next = 0; /* the first line that no lane before has touched */
    for (int64_t lane = 0; lane < LANES; lane++) {
        const int64_t first = lane * stride / LINE_BYTES;
        const int64_t last = (lane * stride + bytes - 1) / LINE_BYTES;
        const int64_t begin = first > next ? first : next;
        lines += last >= begin ? last - begin + 1 : 0;
        next = last >= next ? last + 1 : next;
    }
    *out = lines;
    return RG_FAULT_NONE;
}
