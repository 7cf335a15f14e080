/* SPDX-License-Identifier: MIT */
/* Occurrences of each byte are added to `bins`. Macros: block_x, groups, copies, load_width, unroll_loads, tail. */
#include <string.h>

#define BINS 256
#define STEP ((unsigned long)block_x * groups * load_width * unroll_loads)

/* Count the bytes of one group's part of every step. */
static void share_count(const unsigned char *restrict data, unsigned long n, unsigned long group,
                        unsigned int (*restrict counts)[BINS])
{
    const unsigned long share = STEP / groups;
    for (unsigned long at = 0; at + STEP <= n; at += STEP)
        for (unsigned long i = group * share; i < (group + 1) * share; i += load_width) {
            unsigned char loaded[load_width];
            memcpy(loaded, data + at + i, load_width);
            for (unsigned long byte = 0; byte < load_width; byte++)
                counts[(i + byte) % copies][loaded[byte]]++;
        }
#if tail
    for (unsigned long i = n / STEP * STEP + group; i < n; i += groups)
        counts[0][data[i]]++;
#endif
}

void histogram(const unsigned char *data, unsigned int *bins, unsigned int n);

void histogram(const unsigned char *data, unsigned int *bins, unsigned int n)
{
#pragma omp parallel for schedule(static)
    for (unsigned long group = 0; group < groups; group++) {
        static _Thread_local unsigned int counts[copies][BINS];
        memset(counts, 0, sizeof counts);
        share_count(data, n, group, counts);
        for (unsigned long bin = 0; bin < BINS; bin++) {
            unsigned int count = 0;
            for (unsigned long copy = 0; copy < copies; copy++)
                count += counts[copy][bin];
#pragma omp atomic
            bins[bin] += count;
        }
    }
}
