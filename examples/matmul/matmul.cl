/* SPDX-License-Identifier: MIT */
/* c = a b for n x n matrices. Macros: block_x, block_y, work_x, work_y, tile_k, unroll_k. */
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * work_x)
#define THREADS      (block_x * block_y)

kernel void matmul(global const float *restrict a, global const float *restrict b, global float *restrict c, int n)
{
    local float a_tile[TILE_ROWS][tile_k];
    local float b_tile[tile_k][TILE_COLUMNS];
    const int x = (int)get_local_id(0);
    const int y = (int)get_local_id(1);
    const int lane = y * block_x + x;
    const int row0 = (int)get_group_id(1) * TILE_ROWS;
    const int column0 = (int)get_group_id(0) * TILE_COLUMNS;

    float sum[work_y][work_x];
    for (int i = 0; i < work_y; i++)
        for (int j = 0; j < work_x; j++)
            sum[i][j] = 0.0f;

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
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll unroll_k
        for (int k = 0; k < tile_k; k++)
            for (int i = 0; i < work_y; i++)
                for (int j = 0; j < work_x; j++)
                    sum[i][j] += a_tile[y + i * block_y][k] * b_tile[k][x + j * block_x];
        barrier(CLK_LOCAL_MEM_FENCE);
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
