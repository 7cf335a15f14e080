/* SPDX-License-Identifier: MIT */
/* result[column][row] = matrix[row][column]. Macros: block_x, block_y, work_x, work_y, use_local, pad_tile. */
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * work_x)

/* One tile; `height` and `width` are what of it lies inside the matrix. */
static void tile_move(const float *restrict matrix, float *restrict result, long rows, long columns, int height,
                      int width)
{
#if use_local
    float tile[TILE_ROWS][TILE_COLUMNS + pad_tile];
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++)
            tile[i][j] = matrix[i * columns + j];
    for (int j = 0; j < width; j++)
        for (int i = 0; i < height; i++)
            result[j * rows + i] = tile[i][j];
#else
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++)
            result[j * rows + i] = matrix[i * columns + j];
#endif
}

void transpose(const float *matrix, float *result, int rows, int columns);

void transpose(const float *matrix, float *result, int rows, int columns)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < rows; row += TILE_ROWS)
        for (int column = 0; column < columns; column += TILE_COLUMNS)
            tile_move(matrix + (long)row * columns + column, result + (long)column * rows + row, rows, columns,
                      rows - row < TILE_ROWS ? rows - row : TILE_ROWS,
                      columns - column < TILE_COLUMNS ? columns - column : TILE_COLUMNS);
}
