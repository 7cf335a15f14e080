/* SPDX-License-Identifier: MIT */
/* The filter is 15 x 15 unless FILTER says otherwise. */
#ifndef FILTER
#    define FILTER 15
#endif

void reference(float *result, const float *image, const float *weights, int width, int height);

void reference(float *result, const float *image, const float *weights, int width, int height)
{
    const long pitch = width + FILTER - 1;
    for (long row = 0; row < height; row++)
        for (long column = 0; column < width; column++) {
            double sum = 0.0;
            for (long dy = 0; dy < FILTER; dy++)
                for (long dx = 0; dx < FILTER; dx++)
                    sum += (double)weights[dy * FILTER + dx] * (double)image[(row + dy) * pitch + column + dx];
            result[row * width + column] = (float)sum;
        }
}
