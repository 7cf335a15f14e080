/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

static uint64_t splitmix(uint64_t *state)
{
    uint64_t mixed = (*state += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
}

static uint64_t rotate_left(uint64_t bits, unsigned by)
{
    return (bits << by) | (bits >> (64U - by));
}

void rg_rng_init(struct rg_rng *rng, uint64_t seed)
{
    for (unsigned word = 0; word < 4; word++) {
        rng->state[word] = splitmix(&seed);
    }
}

uint64_t rg_rng_next(struct rg_rng *rng)
{
    uint64_t *s = rng->state;
    const uint64_t result = rotate_left(s[1] * 5U, 7) * 9U;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rg_rng_below(struct rg_rng *rng, uint64_t bound)
{
    if (bound == 0) {
        return 0;
    }
    /* 2^64 mod bound values at the bottom would be drawn once too often: draw again. */
    const uint64_t reject = (UINT64_MAX - bound + 1U) % bound;
    uint64_t drawn;
    do {
        drawn = rg_rng_next(rng);
    } while (drawn < reject);
    return drawn % bound;
}

double rg_rng_unit(struct rg_rng *rng)
{
    return (double)(rg_rng_next(rng) >> 11) * 0x1.0p-53;
}
