/* SPDX-License-Identifier: MIT */
/*
 * Sum of n numbers modulo 2^32 in one launch. Macros: groups, vector_width, unroll_loads, tree.
 * `partials` (one a block) and `finished` (blocks done) are zero before and after. Dynamic shared memory: 4 * block_x.
 */
#if vector_width == 1
typedef unsigned int vector;
static __device__ unsigned int vector_add(vector v)
{
    return v;
}
#elif vector_width == 2
typedef uint2 vector;
static __device__ unsigned int vector_add(vector v)
{
    return v.x + v.y;
}
#else
typedef uint4 vector;
static __device__ unsigned int vector_add(vector v)
{
    return v.x + v.y + v.z + v.w;
}
#endif

/* This thread's share: every stride-th vector, then the numbers that fill no vector. */
static __device__ unsigned int share_add(const unsigned int *__restrict__ data, unsigned int n)
{
    const vector *source = reinterpret_cast<const vector *>(data);
    const unsigned int stride = gridDim.x * blockDim.x;
    const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int vectors = n / vector_width;
    unsigned int sum[unroll_loads] = {};

    unsigned int i = id;
    for (; i + (unroll_loads - 1) * stride < vectors; i += unroll_loads * stride)
#pragma unroll
        for (unsigned int u = 0; u < unroll_loads; u++)
            sum[u] += vector_add(source[i + u * stride]);
    for (; i < vectors; i += stride)
        sum[0] += vector_add(source[i]);
    for (unsigned int rest = vectors * vector_width + id; rest < n; rest += stride)
        sum[0] += data[rest];

    unsigned int total = 0u;
    for (unsigned int u = 0; u < unroll_loads; u++)
        total += sum[u];
    return total;
}

extern "C" __global__ void reduction(const unsigned int *__restrict__ data, unsigned int *partials,
                                     unsigned int *finished, unsigned int *__restrict__ result, unsigned int n)
{
    extern __shared__ unsigned int sums[];
    const unsigned int lane = threadIdx.x;

    sums[lane] = share_add(data, n);
    __syncthreads();
#if tree
    for (unsigned int half_count = blockDim.x / 2; half_count > 0; half_count /= 2) {
        if (lane < half_count)
            sums[lane] += sums[lane + half_count];
        __syncthreads();
    }
#endif
    if (lane != 0)
        return;
    unsigned int block_sum = sums[0];
#if !tree
    for (unsigned int i = 1; i < blockDim.x; i++)
        block_sum += sums[i];
#endif

    atomicExch(&partials[blockIdx.x], block_sum);
    __threadfence();
    if (atomicAdd(finished, 1u) != gridDim.x - 1)
        return;
    __threadfence();
    unsigned int total = 0u;
    for (unsigned int i = 0; i < gridDim.x; i++)
        total += atomicExch(&partials[i], 0u);
    *result = total;
    atomicExch(finished, 0u);
}
