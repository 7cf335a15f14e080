/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ridge/stats.h"

struct ridge_ratio ridge_ratio_of(const struct ridge_summary *over, const struct ridge_summary *under)
{
    return (struct ridge_ratio){.value = over->median_s / under->median_s,
                                .low = over->ci95_low_s / under->ci95_high_s,
                                .high = over->ci95_high_s / under->ci95_low_s};
}

struct ridge_ratio ridge_ratio_mean(const struct ridge_ratio *ratios, const double *weights, size_t count)
{
    double total = 0;
    double most = weights ? 0 : 1;
    for (size_t i = 0; weights && i < count; i++) {
        most = fmax(most, weights[i]);
    }
    struct ridge_ratio sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const double weight = weights ? weights[i] / most : 1; /* so that no sum is infinite */
        total += weight;
        sum.value += weight * log(ratios[i].value);
        sum.low += weight * log(ratios[i].low);
        sum.high += weight * log(ratios[i].high);
    }
    return (struct ridge_ratio){exp(sum.value / total), exp(sum.low / total), exp(sum.high / total)};
}
