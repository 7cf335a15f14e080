/* SPDX-License-Identifier: MIT */
/*
 * Which points lie in a polygon: a ray to the right of a point crosses the polygon's edges an odd number of times.
 * Macros: block_size_x * tile_size: points computed together; between_method and use_method change nothing here.
 */
#define TOGETHER (block_size_x * tile_size)

static void together_compute(int *restrict inside, const float *restrict points, const float *restrict vertices,
                             int count, int vertex_count)
{
    int crossings[TOGETHER] = {0};
    const float *from = vertices + 2 * (vertex_count - 1);
    for (int k = 0; k < vertex_count; k++) {
        const float *to = vertices + 2 * k;
        const float slope = (to[0] - from[0]) / (to[1] - from[1]);
        for (int i = 0; i < count; i++) {
            const float x = points[2 * i];
            const float y = points[2 * i + 1];
            crossings[i] ^= ((from[1] > y) != (to[1] > y)) & (x < slope * (y - from[1]) + from[0]);
        }
        from = to;
    }
    for (int i = 0; i < count; i++)
        inside[i] = crossings[i];
}

void point_in_polygon(int *inside, const float *points, const float *vertices, int point_count, int vertex_count);

void point_in_polygon(int *inside, const float *points, const float *vertices, int point_count, int vertex_count)
{
#pragma omp parallel for schedule(static)
    for (int first = 0; first < point_count; first += TOGETHER)
        together_compute(inside + first, points + 2L * first, vertices,
                         point_count - first < TOGETHER ? point_count - first : TOGETHER, vertex_count);
}
