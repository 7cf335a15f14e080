/* SPDX-License-Identifier: MIT */
void reference(int *inside, const float *points, const float *vertices, int point_count, int vertex_count);

void reference(int *inside, const float *points, const float *vertices, int point_count, int vertex_count)
{
    for (long i = 0; i < point_count; i++) {
        const float x = points[2 * i];
        const float y = points[2 * i + 1];
        int crossings = 0;
        for (long k = 0, last = vertex_count - 1; k < vertex_count; last = k++) {
            const float *from = vertices + 2 * last;
            const float *to = vertices + 2 * k;
            if ((from[1] > y) != (to[1] > y))
                crossings += x < (to[0] - from[0]) / (to[1] - from[1]) * (y - from[1]) + from[0];
        }
        inside[i] = crossings % 2;
    }
}
