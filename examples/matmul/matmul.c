/* SPDX-License-Identifier: MIT */
/* c = a b for n x n matrices. Macros: block_x, block_y, work_x, work_y, tile_k, unroll_k. */
#define TILE_ROWS     (block_y * work_y)
#define TILE_COLUMNS  (block_x * work_x)
#define PRAGMA(text)  _Pragma(#text)
#define UNROLL(count) PRAGMA(GCC unroll count)

/* One tile of c; `rows` and `columns` are what of it lies inside the matrix. */
static void tile_compute(const float *restrict a, const float *restrict b, float *restrict c, long n, int rows,
                         int columns)
{
    float sum[TILE_ROWS][TILE_COLUMNS] = {{0}};
    float b_tile[tile_k][TILE_COLUMNS] = {{0}};

    for (long k0 = 0; k0 < n; k0 += tile_k) {
        const int depth = n - k0 < tile_k ? (int)(n - k0) : tile_k;
        for (int k = 0; k < depth; k++)
            for (int j = 0; j < columns; j++)
                b_tile[k][j] = b[(k0 + k) * n + j];
        for (int i = 0; i < rows; i++) {
            UNROLL(unroll_k)
            for (int k = 0; k < depth; k++) {
                const float factor = a[i * n + k0 + k];
                for (int j = 0; j < TILE_COLUMNS; j++)
                    sum[i][j] += factor * b_tile[k][j];
            }
        }
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            c[i * n + j] = sum[i][j];
}

void matmul(const float *a, const float *b, float *c, int n);

void matmul(const float *a, const float *b, float *c, int n)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < n; row += TILE_ROWS)
        for (int column = 0; column < n; column += TILE_COLUMNS)
            tile_compute(a + (long)row * n, b + column, c + (long)row * n + column, n,
                         n - row < TILE_ROWS ? n - row : TILE_ROWS,
                         n - column < TILE_COLUMNS ? n - column : TILE_COLUMNS);
}
