/* SPDX-License-Identifier: MIT */
/** \file The loops in vectors of 32 bytes. Compiled for x86-64 alone (meson.build). */
#include <immintrin.h>

#define LOOPS                   rg_host_loops_avx2
#define LOOPS_NAME              "AVX2"
#define TARGET                  __attribute__((target("avx2,fma")))
#define VECTOR_BYTES            32
#define USABLE                  (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define STREAM(pointer, vector) _mm256_stream_si256((__m256i *)(pointer), (__m256i)(vector))
#define STREAM_END()            _mm_sfence()
#include "curve/host_loops.inc.h"
