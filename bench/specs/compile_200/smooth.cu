/* SPDX-License-Identifier: MIT */
/* A mean over 2 * radius + 1 neighbours; each thread makes `tile` of them. */
extern "C" __global__ void smooth(const float *__restrict__ from, float *__restrict__ to, int n)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * tile;
#pragma unroll
    for (int i = 0; i < tile; i++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -radius; k <= radius; k++) {
            const int at = first + i + k;
            sum += at >= 0 && at < n ? from[at] : 0.0f;
        }
        if (first + i < n)
            to[first + i] = sum / (2 * radius + 1);
    }
}
