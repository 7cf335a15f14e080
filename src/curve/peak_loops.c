/* SPDX-License-Identifier: MIT */
#include "curve/peak_loops.h"

#include <stddef.h>

/*
 * Twelve chains: a fused multiply-add takes 4 or 5 cycles and two can begin in each, so that ten hide it, and twelve
 * with their two constants fit the 16 registers of AVX2. Source of the figures: A. Fog, Instruction tables, entries
 * VFMADD of Zen and Skylake. The vectors are the compiler's own, so that one text serves x86 and ARM; a * m + c in one
 * expression becomes one instruction where the target has it.
 */
enum {
    CHAINS = 12
};

#define EACH_CHAIN(X)  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define CHAIN_BEGIN(k) vector a##k = m + (element)(k);
#define CHAIN_STEP(k)  a##k = a##k * m + c;
#define CHAIN_END(k)   sum += a##k;

#define FMA_LOOP(NAME, TARGET, ELEMENT, BYTES)                               \
    TARGET static double NAME(uint64_t rounds, double factor, double addend) \
    {                                                                        \
        typedef ELEMENT element;                                             \
        typedef ELEMENT vector __attribute__((vector_size(BYTES)));          \
        const vector zero = {0};                                             \
        const vector m = zero + (element)factor;                             \
        const vector c = zero + (element)addend;                             \
        EACH_CHAIN(CHAIN_BEGIN)                                              \
        for (uint64_t i = 0; i < rounds; i++) {                              \
            EACH_CHAIN(CHAIN_STEP)                                           \
        }                                                                    \
        vector sum = zero;                                                   \
        EACH_CHAIN(CHAIN_END)                                                \
        const size_t lanes = sizeof sum / sizeof sum[0];                     \
        double all = 0;                                                      \
        for (size_t i = 0; i < lanes; i++) {                                 \
            all += (double)sum[i];                                           \
        }                                                                    \
        return all / CHAINS / (double)lanes;                                 \
    }

/** A set: loops, and whether the processor can run them. */
#define LOOP_SET(SET, NAME, TARGET, BYTES, USABLE) \
    FMA_LOOP(SET##_f32, TARGET, float, BYTES)      \
    FMA_LOOP(SET##_f64, TARGET, double, BYTES)     \
    static bool SET##_usable(void)                 \
    {                                              \
        return USABLE;                             \
    }                                              \
    static const struct rg_peak_loops SET = {      \
        NAME, SET##_usable, (BYTES) / sizeof(float), (BYTES) / sizeof(double), CHAINS, SET##_f32, SET##_f64};

#if defined(__x86_64__)
LOOP_SET(avx512, "AVX-512", __attribute__((target("avx512f"))), 64, __builtin_cpu_supports("avx512f") != 0)
LOOP_SET(avx2, "AVX2", __attribute__((target("avx2,fma"))), 32,
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
LOOP_SET(plain, "portable", , 16, true)
#elif defined(__aarch64__)
LOOP_SET(plain, "NEON", , 16, true)
#else
LOOP_SET(plain, "portable", , 16, true)
#endif

const struct rg_peak_loops *const rg_peak_loop_sets[] = {
#if defined(__x86_64__)
    &avx512,
    &avx2,
#endif
    &plain,
    NULL,
};

const struct rg_peak_loops *rg_peak_loops_best(void)
{
    size_t i = 0;
    while (rg_peak_loop_sets[i + 1] && !rg_peak_loop_sets[i]->usable()) {
        i++;
    }
    return rg_peak_loop_sets[i];
}
