/* SPDX-License-Identifier: MIT */
/*
 * Occurrences of each byte are added to `bins`. Macros: copies, load_width, unroll_loads, tail.
 * Dynamic shared memory: 4 * 256 * copies.
 */
#define BINS 256

#if load_width == 1
typedef unsigned char vector;
#elif load_width == 4
typedef uchar4 vector;
#elif load_width == 16
typedef uint4 vector;
#else
#    error "CUDA has no vector of load_width bytes (1, 4 or 16)"
#endif

extern "C" __global__ void histogram(const unsigned char *__restrict__ data, unsigned int *__restrict__ bins,
                                     unsigned int n)
{
    extern __shared__ unsigned int counts[];
    const vector *source = reinterpret_cast<const vector *>(data);
    const unsigned int lane = threadIdx.x;
    const unsigned int lanes = blockDim.x;
    const unsigned int id = blockIdx.x * lanes + lane;
    const unsigned int items = gridDim.x * lanes;
    const unsigned int steps = n / (items * load_width * unroll_loads);

    for (unsigned int i = lane; i < copies * BINS; i += lanes)
        counts[i] = 0u;
    __syncthreads();

    unsigned int *own = counts + lane % copies * BINS;
    for (unsigned int step = 0; step < steps; step++) {
        vector loaded[unroll_loads];
#pragma unroll
        for (unsigned int u = 0; u < unroll_loads; u++)
            loaded[u] = source[(step * unroll_loads + u) * items + id];
#pragma unroll
        for (unsigned int u = 0; u < unroll_loads; u++)
            for (unsigned int i = 0; i < load_width; i++)
                atomicAdd(&own[reinterpret_cast<const unsigned char *>(&loaded[u])[i]], 1u);
    }
#if tail
    for (unsigned int i = steps * items * load_width * unroll_loads + id; i < n; i += items)
        atomicAdd(&own[data[i]], 1u);
#endif
    __syncthreads();

    for (unsigned int bin = lane; bin < BINS; bin += lanes) {
        unsigned int count = 0u;
        for (unsigned int copy = 0; copy < copies; copy++)
            count += counts[copy * BINS + bin];
        atomicAdd(&bins[bin], count);
    }
}
