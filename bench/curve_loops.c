/* SPDX-License-Identifier: MIT */
/** \file Loops as STREAM writes them: plain C over doubles, left to the compiler (-O3 -march=native). Sums are of words,
 * so that the order of adding is the compiler's choice. */
#include "curve_loops.h"

uint64_t loop_read(const uint64_t *restrict a, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        sum += a[i];
    }
    return sum;
}

void loop_write(double *restrict a, double value, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        a[i] = value;
    }
}

void loop_copy(double *restrict to, const double *restrict from, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

void loop_triad(double *restrict to, const double *restrict b, const double *restrict c, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        to[i] = b[i] + 3.0 * c[i];
    }
}
