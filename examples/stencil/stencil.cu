/* SPDX-License-Identifier: MIT */
/* One step of a 5-point stencil. Macros: block_x, block_y, vector_width, work_y, use_local. */
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * vector_width)
#define LINES        (TILE_ROWS + 2)
#define LINE         (TILE_COLUMNS + 2)

/* Any point, the rim too, straight from global memory. */
static __device__ float point_compute(const float *__restrict__ before, int width, int height, int row, int column,
                                      float centre, float side)
{
    const float *here = before + row * width + column;
    if (row == 0 || row == height - 1 || column == 0 || column == width - 1)
        return *here;
    return centre * here[0] + side * (here[-1] + here[1] + here[-width] + here[width]);
}

extern "C" __global__ void __launch_bounds__(block_x *block_y)
    stencil(const float *__restrict__ before, float *__restrict__ after, int width, int height, float centre,
            float side)
{
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int row0 = static_cast<int>(blockIdx.y) * TILE_ROWS;
    const int column0 = static_cast<int>(blockIdx.x) * TILE_COLUMNS;
    const int first = row0 + y * work_y;
    const int end = min(first + work_y, height);
    const int column = column0 + x * vector_width;

#if use_local
    __shared__ float tile[LINES][LINE];
    for (int e = y * block_x + x; e < LINES * LINE; e += block_x * block_y) {
        const int from_row = min(max(row0 - 1 + e / LINE, 0), height - 1);
        const int from_column = min(max(column0 - 1 + e % LINE, 0), width - 1);
        tile[e / LINE][e % LINE] = before[from_row * width + from_column];
    }
    __syncthreads();
#    define ROW(row) (&tile[(row)-row0 + 1][x * vector_width + 1])
#else
#    define ROW(row) (&before[(row)*width + column])
#endif

    /* Columns at or beyond the left and right rim: one by one. */
    if (column == 0 || column + vector_width >= width) {
        for (int row = first; row < end; row++)
            for (int j = column; j < min(column + vector_width, width); j++)
                after[row * width + j] = point_compute(before, width, height, row, j, centre, side);
        return;
    }

    if (first >= end)
        return;
    float north[vector_width];
    float here[vector_width];
    for (int j = 0; j < vector_width; j++) {
        north[j] = ROW(max(first, 1) - 1)[j];
        here[j] = ROW(first)[j];
    }
    for (int row = first; row < end; row++) {
        const bool inner = row > 0 && row < height - 1;
        for (int j = 0; j < vector_width; j++) {
            const float south = ROW(min(row + 1, height - 1))[j];
            const float sides = ROW(row)[j - 1] + ROW(row)[j + 1] + north[j] + south;
            after[row * width + column + j] = inner ? centre * here[j] + side * sides : here[j];
            north[j] = here[j];
            here[j] = south;
        }
    }
}
