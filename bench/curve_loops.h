/* SPDX-License-Identifier: MIT */
/** \file The peers' loops of bench/curve.c. Pure; any thread. */
#ifndef BENCH_CURVE_LOOPS_H
#define BENCH_CURVE_LOOPS_H

#include <stdint.h>

uint64_t loop_read(const uint64_t *restrict a, uint64_t count);
void loop_write(double *restrict a, double value, uint64_t count);
void loop_copy(double *restrict to, const double *restrict from, uint64_t count);
void loop_triad(double *restrict to, const double *restrict b, const double *restrict c, uint64_t count);

#endif
