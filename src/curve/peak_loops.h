/* SPDX-License-Identifier: MIT */
/** \file Loops of fused multiply-adds on the host, one pair an instruction set. Pure; any thread. */
#ifndef RG_CURVE_PEAK_LOOPS_H
#define RG_CURVE_PEAK_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

/** Multiply and add `rounds` times in every chain. \return a number that depends on every one of them, near 1 */
typedef double (*rg_fma_loop)(uint64_t rounds, double factor, double addend);

struct rg_peak_loops {
    const char *name; /**< "AVX-512", "AVX2", "NEON", "portable" */
    bool (*usable)(void);
    unsigned lanes_f32; /**< of a vector */
    unsigned lanes_f64;
    unsigned chains; /**< vectors in flight */
    rg_fma_loop f32;
    rg_fma_loop f64;
};

/** \return the best set that this processor can run. */
const struct rg_peak_loops *rg_peak_loops_best(void);

/** Every set that was compiled, best first, ended by NULL. */
extern const struct rg_peak_loops *const rg_peak_loop_sets[];

#endif
