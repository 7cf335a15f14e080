/* SPDX-License-Identifier: MIT */
/** \file The loops in vectors of 16 bytes, which every processor of these kinds has: SSE2, NEON, or plain words. */
#define LOOPS rg_host_loops_portable
#define TARGET
#define VECTOR_BYTES 16
#define USABLE       true
#if defined(__x86_64__)
#    include <emmintrin.h>
#    define LOOPS_NAME              "SSE2"
#    define STREAM(pointer, vector) _mm_stream_si128((__m128i *)(pointer), (__m128i)(vector))
#    define STREAM_END()            _mm_sfence()
#elif defined(__aarch64__)
#    define LOOPS_NAME "NEON"
/* STNP says that the line will not be wanted again. Source: Arm Architecture Reference Manual, C3.2.4. */
#    define STREAM(pointer, vector) \
        __asm__ volatile("stnp %d1, %d2, [%0]" ::"r"(pointer), "w"((vector)[0]), "w"((vector)[1]) : "memory")
#    define STREAM_END() __asm__ volatile("dmb ishst" ::: "memory")
#else
#    define LOOPS_NAME "portable"
#endif
#include "curve/host_loops.inc.h"
