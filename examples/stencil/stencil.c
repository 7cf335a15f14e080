/* SPDX-License-Identifier: MIT */
/* One step of a 5-point stencil. Macros: block_x, block_y, vector_width, work_y, use_local. */
#define TILE_ROWS    (block_y * work_y)
#define TILE_COLUMNS (block_x * vector_width)

/* Columns `column` up to `end` of one inner row; `here` is the row before the step. */
static void columns_compute(const float *restrict here, float *restrict next, long width, int column, int end,
                            float centre, float side)
{
    for (int j = column; j < end; j++)
        next[j] = centre * here[j] + side * (here[j - 1] + here[j + 1] + here[j - width] + here[j + width]);
}

/* The same from a copy of the three rows, as a block with local memory does. */
static void columns_compute_local(const float *restrict here, float *restrict next, long width, int column, int end,
                                  float centre, float side)
{
    float lines[3][TILE_COLUMNS + 2];
    for (int i = 0; i < 3; i++)
        for (int j = column - 1; j <= end; j++)
            lines[i][j - column + 1] = here[(i - 1) * width + j];
    for (int j = 1; j <= end - column; j++)
        next[column + j - 1] =
            centre * lines[1][j] + side * (lines[1][j - 1] + lines[1][j + 1] + lines[0][j] + lines[2][j]);
}

void stencil(const float *before, float *after, int width, int height, float centre, float side);

void stencil(const float *before, float *after, int width, int height, float centre, float side)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int row0 = 0; row0 < height; row0 += TILE_ROWS)
        for (int column0 = 0; column0 < width; column0 += TILE_COLUMNS) {
            const int end_row = height - row0 < TILE_ROWS ? height : row0 + TILE_ROWS;
            const int end_column = width - column0 < TILE_COLUMNS ? width : column0 + TILE_COLUMNS;
            const int from = column0 > 0 ? column0 : 1;
            const int to = end_column < width ? end_column : width - 1;
            for (long row = row0; row < end_row; row++) {
                const float *here = before + row * width;
                float *next = after + row * width;
                if (row == 0 || row == height - 1) {
                    for (int j = column0; j < end_column; j++)
                        next[j] = here[j];
                    continue;
                }
                (use_local ? columns_compute_local : columns_compute)(here, next, width, from, to, centre, side);
                if (column0 == 0)
                    next[0] = here[0];
                if (end_column == width)
                    next[width - 1] = here[width - 1];
            }
        }
}
