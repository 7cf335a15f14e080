/* SPDX-License-Identifier: MIT */
/** \file The loops in vectors of 64 bytes. Compiled for x86-64 alone (meson.build). */
#include <immintrin.h>

#define LOOPS                   rg_host_loops_avx512
#define LOOPS_NAME              "AVX-512"
#define TARGET                  __attribute__((target("avx512f")))
#define VECTOR_BYTES            64
#define USABLE                  __builtin_cpu_supports("avx512f")
#define STREAM(pointer, vector) _mm512_stream_si512((__m512i *)(pointer), (__m512i)(vector))
#define STREAM_END()            _mm_sfence()
#include "curve/host_loops.inc.h"
