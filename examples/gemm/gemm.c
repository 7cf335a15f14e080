/* SPDX-License-Identifier: MIT */
/*
 * c = a b, of matrices stored by columns: a is m x k, b is stored transposed (n x k), c is m x n.
 * Macros: MWG x NWG of c are computed together, KWG steps of k at a time; SA: the tile of a is copied first. The others
 * change nothing here. m, n, k must be multiples of MWG, NWG, KWG.
 */
static void tile_compute(int m, int n, int k, const float *restrict a, const float *restrict b, float *restrict c)
{
    float sum[NWG][MWG] = {{0}};
    for (int k0 = 0; k0 < k; k0 += KWG) {
#if SA
        float tile[KWG][MWG];
        for (int line = 0; line < KWG; line++)
            for (int i = 0; i < MWG; i++)
                tile[line][i] = a[(long)(k0 + line) * m + i];
#    define A(line, i) tile[line][i]
#else
#    define A(line, i) a[(long)(k0 + (line)) * m + (i)]
#endif
        for (int line = 0; line < KWG; line++)
            for (int j = 0; j < NWG; j++) {
                const float factor = b[(long)(k0 + line) * n + j];
                for (int i = 0; i < MWG; i++)
                    sum[j][i] += A(line, i) * factor;
            }
    }
    for (int j = 0; j < NWG; j++)
        for (int i = 0; i < MWG; i++)
            c[(long)j * m + i] = sum[j][i];
}

void gemm(int m, int n, int k, const float *a, const float *b, float *c);

void gemm(int m, int n, int k, const float *a, const float *b, float *c)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int column = 0; column < n; column += NWG)
        for (int row = 0; row < m; row += MWG)
            tile_compute(m, n, k, a + row, b + column, c + (long)column * m + row);
}
