/* SPDX-License-Identifier: MIT */
/** \file Words of the larger families of instructions. Source: PTX ISA, chapter "Instruction Set". */
#ifndef RG_ENGINE_PTX_DECODE_H
#define RG_ENGINE_PTX_DECODE_H

#include "engine/ptx_read.h"

#define RG_SCOPE_WORDS " cta gpu sys cluster "
#define RG_LOAD_WORDS                                                                                                                            \
    " global shared shared::cta local const param param::entry param::func volatile relaxed acquire release weak ca cg cs cv lu wb wt nc v2 v4 " \
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::evict_last "                                        \
    "L2::evict_first L2::evict_normal L2::cache_hint L2::64B L2::128B L2::256B " RG_SCOPE_WORDS
#define RG_ATOM_WORDS \
    " global shared shared::cta relaxed acquire release acq_rel add exch min max inc dec cas and or xor noftz L2::cache_hint " RG_SCOPE_WORDS
#define RG_COMPARE_WORDS " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz "

#endif
