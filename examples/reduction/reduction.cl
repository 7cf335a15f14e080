/* SPDX-License-Identifier: MIT */
/*
 * Sum of n numbers modulo 2^32 in one launch. Macros: groups, vector_width, unroll_loads, tree.
 * `partials` (one a group) and `finished` (groups done) are zero before and after.
 */

#if vector_width == 1
#    define LOAD(index) data[index]
#elif vector_width == 2
uint add2(uint2 v)
{
    return v.x + v.y;
}
#    define LOAD(index) add2(vload2(index, data))
#else
uint add4(uint4 v)
{
    return v.x + v.y + v.z + v.w;
}
#    define LOAD(index) add4(vload4(index, data))
#endif

/* This work-item's share: every stride-th vector, then the numbers that fill no vector. */
uint share_add(global const uint *restrict data, uint n)
{
    const uint stride = (uint)get_global_size(0);
    const uint vectors = n / vector_width;
    uint sum[unroll_loads];
    for (uint u = 0; u < unroll_loads; u++)
        sum[u] = 0u;

    uint i = (uint)get_global_id(0);
    for (; i + (unroll_loads - 1) * stride < vectors; i += unroll_loads * stride)
        for (uint u = 0; u < unroll_loads; u++)
            sum[u] += LOAD(i + u * stride);
    for (; i < vectors; i += stride)
        sum[0] += LOAD(i);
    for (uint rest = vectors * vector_width + (uint)get_global_id(0); rest < n; rest += stride)
        sum[0] += data[rest];

    uint total = 0u;
    for (uint u = 0; u < unroll_loads; u++)
        total += sum[u];
    return total;
}

kernel void reduction(global const uint *restrict data, volatile global uint *partials, volatile global uint *finished,
                      global uint *restrict result, local uint *sums, uint n)
{
    const uint lane = (uint)get_local_id(0);
    const uint lanes = (uint)get_local_size(0);

    sums[lane] = share_add(data, n);
    barrier(CLK_LOCAL_MEM_FENCE);
#if tree
    for (uint half_count = lanes / 2; half_count > 0; half_count /= 2) {
        if (lane < half_count)
            sums[lane] += sums[lane + half_count];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    if (lane != 0)
        return;
    uint group_sum = sums[0];
#if !tree
    for (uint i = 1; i < lanes; i++)
        group_sum += sums[i];
#endif

    /* Atomics on both sides, so that the sums are seen where OpenCL 1.2 promises nothing about plain stores. */
    atomic_xchg(&partials[get_group_id(0)], group_sum);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(finished) != (uint)get_num_groups(0) - 1)
        return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint total = 0u;
    for (uint i = 0; i < (uint)get_num_groups(0); i++)
        total += atomic_xchg(&partials[i], 0u);
    *result = total;
    atomic_xchg(finished, 0u);
}
