/* SPDX-License-Identifier: MIT */
/**
 * \file A seeded random generator with the same sequence on every machine (xoshiro256** seeded by splitmix64).
 * Source: D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", 2018; both algorithms are
 * in the public domain. Not for secrets. Thread rule: one thread a generator.
 */
#ifndef RG_BASE_RNG_H
#define RG_BASE_RNG_H

#include <stdint.h>

struct rg_rng {
    uint64_t state[4];
};

/** Start a sequence. Every seed, 0 included, gives a good one. */
void rg_rng_init(struct rg_rng *rng, uint64_t seed);

/** \return 64 uniform bits. */
uint64_t rg_rng_next(struct rg_rng *rng);

/** \return a uniform number in 0 .. bound - 1 without bias; 0 for bound 0. */
uint64_t rg_rng_below(struct rg_rng *rng, uint64_t bound);

/** \return a uniform number in [0, 1) with 53 bits. */
double rg_rng_unit(struct rg_rng *rng);

#endif
