/* SPDX-License-Identifier: MIT */
/*
 * 7 x 7 convolution of an image with a margin of 3 pixels on each side.
 * Macros: block_x, block_y, work_x, work_y, use_local, pad_tile, unroll_taps.
 */
#define TAPS         7
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * work_x)
#define LINES        (TILE_ROWS + TAPS - 1)
#define LINE         (TILE_COLUMNS + TAPS - 1)

extern "C" __global__ void __launch_bounds__(block_x *block_y)
    convolution(const float *__restrict__ image, const float *__restrict__ weights, float *__restrict__ result,
                int width, int height)
{
    const int pitch = width + TAPS - 1;
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int row0 = static_cast<int>(blockIdx.y) * TILE_ROWS;
    const int column0 = static_cast<int>(blockIdx.x) * TILE_COLUMNS;

#if use_local
    __shared__ float tile[LINES][LINE + pad_tile];
    for (int e = y * block_x + x; e < LINES * LINE; e += block_x * block_y) {
        const int row = min(row0 + e / LINE, height + TAPS - 2);
        const int column = min(column0 + e % LINE, width + TAPS - 2);
        tile[e / LINE][e % LINE] = image[row * pitch + column];
    }
    __syncthreads();
#    define PIXEL(i, j, dy, dx) tile[y + (i)*block_y + (dy)][x + (j)*block_x + (dx)]
#else
    /* A thread beyond the edge reads the last pixel's surroundings and stores nothing. */
    int base[work_y][work_x];
    for (int i = 0; i < work_y; i++)
        for (int j = 0; j < work_x; j++)
            base[i][j] = min(row0 + y + i * block_y, height - 1) * pitch + min(column0 + x + j * block_x, width - 1);
#    define PIXEL(i, j, dy, dx) image[base[i][j] + (dy)*pitch + (dx)]
#endif

    float sum[work_y][work_x] = {};
    constexpr int at_once = unroll_taps; /* the pragma takes no macro */
    for (int dy = 0; dy < TAPS; dy++) {
#pragma unroll at_once
        for (int dx = 0; dx < TAPS; dx++) {
            const float weight = weights[dy * TAPS + dx];
            for (int i = 0; i < work_y; i++)
                for (int j = 0; j < work_x; j++)
                    sum[i][j] += weight * PIXEL(i, j, dy, dx);
        }
    }

    for (int i = 0; i < work_y; i++) {
        const int row = row0 + y + i * block_y;
        for (int j = 0; j < work_x; j++) {
            const int column = column0 + x + j * block_x;
            if (row < height && column < width)
                result[row * width + column] = sum[i][j];
        }
    }
}
