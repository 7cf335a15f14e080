/* SPDX-License-Identifier: MIT */
/* Occurrences of each byte are added to `bins`. Macros: copies, load_width, unroll_loads, tail. */
#define BINS 256

#if load_width == 1
typedef uchar vector;
#    define LOAD(index) data[index]
#elif load_width == 4
typedef uchar4 vector;
#    define LOAD(index) vload4(index, data)
#elif load_width == 16
typedef uchar16 vector;
#    define LOAD(index) vload16(index, data)
#else
#    error "OpenCL C has no vector of load_width bytes (1, 4 or 16)"
#endif

kernel void histogram(global const uchar *restrict data, global uint *restrict bins, local uint *counts, uint n)
{
    const uint lane = (uint)get_local_id(0);
    const uint lanes = (uint)get_local_size(0);
    const uint id = (uint)get_global_id(0);
    const uint items = (uint)get_global_size(0);
    const uint steps = n / (items * load_width * unroll_loads);

    for (uint i = lane; i < copies * BINS; i += lanes)
        counts[i] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);

    local uint *own = counts + lane % copies * BINS;
    for (uint step = 0; step < steps; step++) {
        union {
            vector whole;
            uchar bytes[load_width];
        } loaded[unroll_loads];
        for (uint u = 0; u < unroll_loads; u++)
            loaded[u].whole = LOAD((step * unroll_loads + u) * items + id);
        for (uint u = 0; u < unroll_loads; u++)
            for (uint i = 0; i < load_width; i++)
                atomic_inc(&own[loaded[u].bytes[i]]);
    }
#if tail
    for (uint i = steps * items * load_width * unroll_loads + id; i < n; i += items)
        atomic_inc(&own[data[i]]);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint bin = lane; bin < BINS; bin += lanes) {
        uint count = 0u;
        for (uint copy = 0; copy < copies; copy++)
            count += counts[copy * BINS + bin];
        atomic_add(&bins[bin], count);
    }
}
