/* SPDX-License-Identifier: MIT */
/** \file Sorting numbers, none of them NaN, and leaving those out. Pure; any thread. */
#ifndef RG_STATS_SORT_H
#define RG_STATS_SORT_H

#include <stddef.h>

/** Sort ascending. */
void rg_sort(double *values, size_t count);

/** Sort, too. \return the median; NaN of nothing */
double rg_median(double *values, size_t count);

/** Leave out what is NaN; the others stay in order. \return how many are left */
size_t rg_known(double *values, size_t count);

#endif
