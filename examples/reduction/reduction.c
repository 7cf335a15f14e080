/* SPDX-License-Identifier: MIT */
/*
 * Sum of n numbers modulo 2^32. Macros: block_x, groups, vector_width, unroll_loads, tree.
 * `partials` (one a group) and `finished` (groups done) are zero before and after.
 */
#define LANES (block_x * vector_width)

/* The sum of one group's share of the numbers, `from` up to `end`; a lane adds every LANES-th. */
static unsigned int share_add(const unsigned int *restrict data, unsigned int from, unsigned int end)
{
    unsigned int sum[unroll_loads][LANES] = {{0}};
    unsigned int i = from;
    for (; end - i >= LANES * unroll_loads; i += LANES * unroll_loads)
        for (unsigned int u = 0; u < unroll_loads; u++)
            for (unsigned int lane = 0; lane < LANES; lane++)
                sum[u][lane] += data[i + u * LANES + lane];
    unsigned int total = 0;
    for (; i < end; i++)
        total += data[i];
    for (unsigned int u = 0; u < unroll_loads; u++) {
#if tree
        for (unsigned int half_count = LANES / 2; half_count > 0; half_count /= 2)
            for (unsigned int lane = 0; lane < half_count; lane++)
                sum[u][lane] += sum[u][lane + half_count];
        total += sum[u][0];
#else
        for (unsigned int lane = 0; lane < LANES; lane++)
            total += sum[u][lane];
#endif
    }
    return total;
}

void reduction(const unsigned int *data, unsigned int *partials, unsigned int *finished, unsigned int *result,
               unsigned int n);

void reduction(const unsigned int *data, unsigned int *partials, unsigned int *finished, unsigned int *result,
               unsigned int n)
{
    const unsigned int share = n / groups + 1;
#pragma omp parallel for schedule(static)
    for (unsigned int group = 0; group < groups; group++) {
        const unsigned int from = group * share < n ? group * share : n;
        const unsigned int end = n - from < share ? n : from + share;
        partials[group] = share_add(data, from, end);
        unsigned int before;
#pragma omp atomic capture seq_cst
        before = (*finished)++;
        if (before == groups - 1) {
            unsigned int total = 0;
            for (unsigned int i = 0; i < groups; i++) {
                total += partials[i];
                partials[i] = 0;
            }
            *result = total;
            *finished = 0;
        }
    }
}
