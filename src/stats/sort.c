/* SPDX-License-Identifier: MIT */
#include "stats/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *left, const void *right)
{
    double a;
    double b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

void rg_sort(double *values, size_t count)
{
    if (count > 1) {
        qsort(values, count, sizeof *values, compare_doubles);
    }
}

double rg_median(double *values, size_t count)
{
    if (count == 0) {
        return (double)NAN;
    }
    rg_sort(values, count);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

size_t rg_known(double *values, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            values[kept++] = values[i];
        }
    }
    return kept;
}
