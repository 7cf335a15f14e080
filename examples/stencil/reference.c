/* SPDX-License-Identifier: MIT */
void reference(const float *before, float *after, int width, int height, float centre, float side);

void reference(const float *before, float *after, int width, int height, float centre, float side)
{
    for (long row = 0; row < height; row++)
        for (long column = 0; column < width; column++) {
            const float *here = before + row * width + column;
            double next = (double)here[0];
            if (row > 0 && row < height - 1 && column > 0 && column < width - 1)
                next = (double)centre * (double)here[0] +
                       (double)side * ((double)here[-1] + (double)here[1] + (double)here[-width] + (double)here[width]);
            after[row * width + column] = (float)next;
        }
}
