/* SPDX-License-Identifier: MIT */
void reference(const float *image, const float *weights, float *result, int width, int height);

void reference(const float *image, const float *weights, float *result, int width, int height)
{
    for (long row = 0; row < height; row++)
        for (long column = 0; column < width; column++) {
            double sum = 0.0;
            for (long dy = 0; dy < 7; dy++)
                for (long dx = 0; dx < 7; dx++)
                    sum += (double)weights[dy * 7 + dx] * (double)image[(row + dy) * (width + 6) + column + dx];
            result[row * width + column] = (float)sum;
        }
}
