/* SPDX-License-Identifier: MIT */
/*
 * Which points lie in a polygon: a ray to the right of a point crosses the polygon's edges an odd number of times.
 * Heights of points and vertices must differ (the products of between_method 2 and 3 tell no side from no distance).
 * Macros: block_size_x, tile_size (points of a work-item, one group apart), between_method (how an edge is seen to pass the
 * point's height) and use_method (how crossings are kept).
 */

/* Whether a height is between those of two vertices. */
static bool between(float from, float to, float height)
{
#if between_method == 0
    return (from > height) != (to > height);
#elif between_method == 1
    return (from <= height && height < to) || (to <= height && height < from);
#elif between_method == 2
    return (from - height) * (to - height) < 0.0f;
#else
    return (from - height) * (height - to) > 0.0f;
#endif
}

kernel __attribute__((reqd_work_group_size(block_size_x, 1, 1))) void
point_in_polygon(global int *restrict inside, global const float2 *restrict points,
                 global const float2 *restrict vertices, int point_count, int vertex_count)
{
    const int first = (int)get_group_id(0) * block_size_x * tile_size + (int)get_local_id(0);
    float2 point[tile_size];
    int crossings[tile_size];
#pragma unroll
    for (int i = 0; i < tile_size; i++) {
        const int index = first + i * block_size_x;
        crossings[i] = 0;
        point[i] = points[index < point_count ? index : point_count - 1];
    }

    float2 from = vertices[vertex_count - 1];
    for (int k = 0; k < vertex_count; k++) {
        const float2 to = vertices[k];
        const float slope = (to.x - from.x) / (to.y - from.y);
#pragma unroll
        for (int i = 0; i < tile_size; i++) {
            const bool crosses =
                between(from.y, to.y, point[i].y) && point[i].x < slope * (point[i].y - from.y) + from.x;
#if use_method == 0
            if (crosses)
                crossings[i] = !crossings[i];
#elif use_method == 1
            crossings[i] ^= crosses;
#else
            crossings[i] += crosses;
#endif
        }
        from = to;
    }

#pragma unroll
    for (int i = 0; i < tile_size; i++) {
        const int index = first + i * block_size_x;
        if (index < point_count)
            inside[index] = crossings[i] & 1;
    }
}
