/* SPDX-License-Identifier: MIT */
/* c = a b for n x n matrices. Macros: block_x, block_y, work_x, work_y, tile_k, unroll_k. */
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * work_x)
#define THREADS      (block_x * block_y)

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float a_tile[TILE_ROWS][tile_k];
    __shared__ float b_tile[tile_k][TILE_COLUMNS];
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int lane = y * block_x + x;
    const int row0 = static_cast<int>(blockIdx.y) * TILE_ROWS;
    const int column0 = static_cast<int>(blockIdx.x) * TILE_COLUMNS;

    float sum[work_y][work_x] = {};
    constexpr int at_once = unroll_k; /* the pragma takes no macro */

    for (int k0 = 0; k0 < n; k0 += tile_k) {
        /* Beyond the edge the tiles hold zeros, so that the sums need no test. */
        for (int e = lane; e < TILE_ROWS * tile_k; e += THREADS) {
            const int row = row0 + e / tile_k;
            const int k = k0 + e % tile_k;
            a_tile[e / tile_k][e % tile_k] = row < n && k < n ? a[row * n + k] : 0.0f;
        }
        for (int e = lane; e < tile_k * TILE_COLUMNS; e += THREADS) {
            const int k = k0 + e / TILE_COLUMNS;
            const int column = column0 + e % TILE_COLUMNS;
            b_tile[e / TILE_COLUMNS][e % TILE_COLUMNS] = k < n && column < n ? b[k * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll at_once
        for (int k = 0; k < tile_k; k++)
            for (int i = 0; i < work_y; i++)
                for (int j = 0; j < work_x; j++)
                    sum[i][j] += a_tile[y + i * block_y][k] * b_tile[k][x + j * block_x];
        __syncthreads();
    }

    for (int i = 0; i < work_y; i++) {
        const int row = row0 + y + i * block_y;
        for (int j = 0; j < work_x; j++) {
            const int column = column0 + x + j * block_x;
            if (row < n && column < n)
                c[row * n + column] = sum[i][j];
        }
    }
}
