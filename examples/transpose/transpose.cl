/* SPDX-License-Identifier: MIT */
/* result[column][row] = matrix[row][column]. Macros: block_x, block_y, work_x, work_y, use_local, pad_tile. */
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * work_x)
#define THREADS      (block_x * block_y)

kernel void transpose(global const float *restrict matrix, global float *restrict result, int rows, int columns)
{
    const int x = (int)get_local_id(0);
    const int y = (int)get_local_id(1);
    const int row0 = (int)get_group_id(1) * TILE_ROWS;
    const int column0 = (int)get_group_id(0) * TILE_COLUMNS;
#if use_local
    local float tile[TILE_ROWS][TILE_COLUMNS + pad_tile];
#endif

    for (int i = y; i < TILE_ROWS; i += block_y)
        for (int j = x; j < TILE_COLUMNS; j += block_x) {
            const int row = row0 + i;
            const int column = column0 + j;
            if (row < rows && column < columns) {
#if use_local
                tile[i][j] = matrix[row * columns + column];
#else
                result[column * rows + row] = matrix[row * columns + column];
#endif
            }
        }

#if use_local
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Neighbouring work-items now walk down the tile, along a line of the result. */
    for (int e = y * block_x + x; e < TILE_ROWS * TILE_COLUMNS; e += THREADS) {
        const int row = row0 + e % TILE_ROWS;
        const int column = column0 + e / TILE_ROWS;
        if (row < rows && column < columns)
            result[column * rows + row] = tile[e % TILE_ROWS][e / TILE_ROWS];
    }
#endif
}
