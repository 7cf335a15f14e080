/* SPDX-License-Identifier: MIT */
void reference(const float *a, const float *b, float *c, int n);

void reference(const float *a, const float *b, float *c, int n)
{
    for (long row = 0; row < n; row++)
        for (long column = 0; column < n; column++) {
            double sum = 0.0;
            for (long k = 0; k < n; k++)
                sum += (double)a[row * n + k] * (double)b[k * n + column];
            c[row * n + column] = (float)sum;
        }
}
