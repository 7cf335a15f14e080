/* SPDX-License-Identifier: MIT */
void reference(const float *matrix, float *result, int rows, int columns);

void reference(const float *matrix, float *result, int rows, int columns)
{
    for (long row = 0; row < rows; row++)
        for (long column = 0; column < columns; column++)
            result[column * rows + row] = matrix[row * columns + column];
}
