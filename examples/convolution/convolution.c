/* SPDX-License-Identifier: MIT */
/*
 * 7 x 7 convolution of an image with a margin of 3 pixels on each side.
 * Macros: block_x, block_y, work_x, work_y, use_local, pad_tile, unroll_taps.
 */
#define TAPS          7
#define TILE_ROWS     (block_y * work_y)
#define TILE_COLUMNS  (block_x * work_x)
#define LINES         (TILE_ROWS + TAPS - 1)
#define LINE          (TILE_COLUMNS + TAPS - 1)
#define PRAGMA(text)  _Pragma(#text)
#define UNROLL(count) PRAGMA(GCC unroll count)

/* One tile of the result; `rows` and `columns` are what of it lies inside the image. */
static void tile_compute(const float *restrict image, long pitch, const float *restrict weights, float *restrict result,
                         long width, int rows, int columns)
{
#if use_local
    float tile[LINES][LINE + pad_tile];
    for (int i = 0; i < rows + TAPS - 1; i++)
        for (int j = 0; j < columns + TAPS - 1; j++)
            tile[i][j] = image[i * pitch + j];
#    define PIXEL(i, j) tile[i][j]
#else
#    define PIXEL(i, j) image[(i)*pitch + (j)]
#endif
    for (int i = 0; i < rows; i++) {
        float sum[TILE_COLUMNS] = {0};
        for (int dy = 0; dy < TAPS; dy++) {
            UNROLL(unroll_taps)
            for (int dx = 0; dx < TAPS; dx++)
                for (int j = 0; j < columns; j++)
                    sum[j] += weights[dy * TAPS + dx] * PIXEL(i + dy, j + dx);
        }
        for (int j = 0; j < columns; j++)
            result[i * width + j] = sum[j];
    }
}

void convolution(const float *image, const float *weights, float *result, int width, int height);

void convolution(const float *image, const float *weights, float *result, int width, int height)
{
    const long pitch = width + TAPS - 1;
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < height; row += TILE_ROWS)
        for (int column = 0; column < width; column += TILE_COLUMNS)
            tile_compute(image + row * pitch + column, pitch, weights, result + (long)row * width + column, width,
                         height - row < TILE_ROWS ? height - row : TILE_ROWS,
                         width - column < TILE_COLUMNS ? width - column : TILE_COLUMNS);
}
