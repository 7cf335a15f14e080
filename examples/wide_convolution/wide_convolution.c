/* SPDX-License-Identifier: MIT */
/*
 * Convolution with a wide filter of an image that comes with its margin.
 * Macros: block_size_x, block_size_y, tile_size_x, tile_size_y, use_shmem, use_padding; use_read_only changes nothing here.
 */
#define FILTER       15
#define TILE_COLUMNS (block_size_x * tile_size_x)
#define TILE_ROWS    (block_size_y * tile_size_y)
#define LINE         (TILE_COLUMNS + FILTER - 1)
#define LINES        (TILE_ROWS + FILTER - 1)

/* One tile of the result; `rows` and `columns` are what of it lies inside the image. */
static void tile_compute(float *restrict result, const float *restrict image, const float *restrict weights, long width,
                         long pitch, int rows, int columns)
{
#if use_shmem
    float tile[LINES][LINE + 16 * use_padding];
    for (int i = 0; i < rows + FILTER - 1; i++)
        for (int j = 0; j < columns + FILTER - 1; j++)
            tile[i][j] = image[i * pitch + j];
#    define PIXEL(i, j) tile[i][j]
#else
#    define PIXEL(i, j) image[(i)*pitch + (j)]
#endif
    for (int i = 0; i < rows; i++) {
        float sum[TILE_COLUMNS] = {0};
        for (int dy = 0; dy < FILTER; dy++)
            for (int dx = 0; dx < FILTER; dx++)
                for (int j = 0; j < columns; j++)
                    sum[j] += weights[dy * FILTER + dx] * PIXEL(i + dy, j + dx);
        for (int j = 0; j < columns; j++)
            result[i * width + j] = sum[j];
    }
}

void wide_convolution(float *result, const float *image, const float *weights, int width, int height);

void wide_convolution(float *result, const float *image, const float *weights, int width, int height)
{
    const long pitch = width + FILTER - 1;
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < height; row += TILE_ROWS)
        for (int column = 0; column < width; column += TILE_COLUMNS)
            tile_compute(result + (long)row * width + column, image + row * pitch + column, weights, width, pitch,
                         height - row < TILE_ROWS ? height - row : TILE_ROWS,
                         width - column < TILE_COLUMNS ? width - column : TILE_COLUMNS);
}
