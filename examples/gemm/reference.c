/* SPDX-License-Identifier: MIT */
void reference(int m, int n, int k, const float *a, const float *b, float *c);

void reference(int m, int n, int k, const float *a, const float *b, float *c)
{
    for (long column = 0; column < n; column++)
        for (long row = 0; row < m; row++) {
            double sum = 0.0;
            for (long at = 0; at < k; at++)
                sum += (double)a[at * m + row] * (double)b[at * n + column];
            c[column * m + row] = (float)sum;
        }
}
